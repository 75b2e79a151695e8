//! Sittings as the API tells of them.

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::tables::rest::Table;
use base::auth::{Identity, Permission, holds};
use base::ids::{MatchId, PlayerId, TableId, TournamentId, VariantId};
use base::settings::Bill;
use play::matches::{self, Filter, MatchRow, Reader, Seats, Status};
use play::players::PlayerCard;
use play::players::names::tags;
use play::sittings::{MemberRow, SittingEnd, SittingId, SittingRow, store};
use play::tables::TableRow;
use play::tables::store::Hold;
use web_base::error::ApiResult;
use web_base::page::Charges;

const MOST_MATCHES: i64 = 20;

/// A party at a table.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Sitting)]
pub struct SittingAnswer {
    pub id: SittingId,
    pub table_id: TableId,
    /// How many people there are; at least as many as scanned the code.
    pub party_size: i16,
    pub opened_at: Timestamp,
    /// Since when the party is about to leave. Nobody can join it then.
    pub closing_at: Option<Timestamp>,
    pub closed_at: Option<Timestamp>,
    pub ended: Option<SittingEnd>,
    /// The party into which it was merged.
    pub merged_into: Option<SittingId>,
    /// Whether the caller is one of the party.
    pub member: bool,
    /// Who scanned the code, for the party itself and for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<Member>>,
    /// Lets others into this party (`POST /sittings/members`), until it leaves. For the party itself and for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub join_token: Option<String>,
    /// What the party owes for its time, or owed when it left, where the café has a tariff. For the party itself and for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owed: Option<Bill>,
}

/// Somebody of a party.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SittingMember)]
pub struct Member {
    #[serde(flatten)]
    pub player: PlayerCard,
    /// To show beside the name where another of the party has one that looks the same; otherwise none.
    #[schema(example = "3F0A")]
    pub tag: Option<String>,
}

/// A match at a table, in short.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableMatch {
    pub id: MatchId,
    #[schema(example = "perudo")]
    pub game: String,
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    /// For the party itself and for staff.
    pub name: Option<String>,
    pub status: Status,
    pub seats: i16,
    pub seats_taken: usize,
}

/// A table as it is now.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableNow {
    #[serde(flatten)]
    pub table: Table,
    /// None while it is free.
    pub sitting: Option<SittingAnswer>,
    /// The party's matches that wait or run: the open ones, of the others those that the caller made, sits at or is invited to. Staff
    /// find all.
    pub matches: Vec<TableMatch>,
    /// The bout of a tournament for which the table is kept.
    pub held_for: Option<HeldFor>,
}

/// A bout of a tournament that is to be played or is played at a table.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TableHeldFor)]
pub struct HeldFor {
    pub tournament_id: TournamentId,
    /// Its name.
    pub tournament: String,
    pub stage: i16,
    pub round: i16,
    /// Of the bout within its stage.
    #[schema(example = "main-1-2")]
    pub bout: String,
    pub since: Option<Timestamp>,
    /// The code of its match, for those who play it.
    #[schema(example = "K7X2QD")]
    pub match_code: Option<String>,
}

/// Everything about a table that its page shows, too.
pub struct TableState {
    pub table: TableRow,
    pub sitting: Option<SittingRow>,
    pub members: Vec<MemberRow>,
    pub rows: Vec<MatchRow>,
    pub seats: Seats,
    /// Whether the caller may see who they are.
    pub is_let_in: bool,
    pub is_member: bool,
    /// The bout for which the table is kept.
    pub hold: Option<Hold>,
    /// The code of the match of that bout, if the caller plays it and it is not over.
    pub own_bout: Option<String>,
}

impl TableState {
    pub async fn read(conn: &mut AsyncPgConnection, table: TableRow, caller: Option<&Identity>) -> ApiResult<Self> {
        let sitting = store::find_open(conn, table.id).await?;
        let ids: Vec<SittingId> = sitting.iter().map(|sitting| sitting.id).collect();
        let members = store::list_members(conn, &ids).await?;
        let is_member = caller.is_some_and(|caller| members.iter().any(|it| it.player_id == caller.id));
        let by_staff = match caller {
            Some(caller) => holds(conn, caller, Permission::RunFloor).await?,
            None => false,
        };
        let reader = match caller {
            Some(_) if by_staff => Reader::Staff,
            Some(caller) => Reader::Player(caller.id),
            None => Reader::Anybody,
        };
        let rows = match &sitting {
            Some(sitting) => {
                let filter = Filter { reader, open: true, sitting: Some(sitting.id), ..Filter::default() };
                matches::store::list(conn, &filter, MOST_MATCHES).await?
            }
            None => Vec::new(),
        };
        let match_ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
        let seats = matches::store::list_all_seats(conn, &match_ids).await?;
        let is_let_in = is_member || by_staff;
        let hold = play::tables::store::find_hold(conn, table.id).await?;
        let own_bout = own_bout(conn, hold.as_ref(), caller).await?;
        Ok(Self { table, sitting, members, rows, seats, is_let_in, is_member, hold, own_bout })
    }

    /// The bout for which a free table is kept.
    pub fn kept_for(&self) -> Option<&Hold> {
        self.hold.as_ref().filter(|_| self.sitting.is_none())
    }

    pub(crate) fn answer(self, charges: &Charges) -> TableNow {
        let seats = self.seats.by_match();
        let matches = self.rows.iter().map(|row| TableMatch {
            id: row.id,
            game: row.game.clone(),
            variant_id: row.variant_id,
            variant_version: row.variant_version,
            name: row.name.clone().filter(|_| self.is_let_in),
            status: row.status,
            seats: row.seat_count,
            seats_taken: seats.get(&row.id).map_or(0, Seats::taken),
        });
        let matches = matches.collect();
        let seen = (self.is_let_in, self.is_member);
        let sitting = self.sitting.map(|sitting| SittingAnswer::seen(sitting, &self.members, seen, charges));
        let match_code = self.own_bout;
        let held_for = self.hold.map(|hold| HeldFor::of(hold, match_code));
        TableNow { table: self.table.into(), sitting, matches, held_for }
    }
}

impl HeldFor {
    fn of(hold: Hold, match_code: Option<String>) -> Self {
        let Hold { tournament_id, tournament, stage, round, key: bout, since, .. } = hold;
        Self { tournament_id, tournament, stage, round, bout, since, match_code }
    }
}

/// The code of the match of a bout, for one of its players.
async fn own_bout(
    conn: &mut AsyncPgConnection,
    hold: Option<&Hold>,
    caller: Option<&Identity>,
) -> ApiResult<Option<String>> {
    let Some((id, caller)) = hold.and_then(|hold| hold.match_id).zip(caller) else { return Ok(None) };
    let seats = matches::store::list_all_seats(conn, &[id]).await?;
    if !seats.players.iter().any(|seat| seat.holder() == caller.id) {
        return Ok(None);
    }
    let row = matches::store::find(conn, id).await?;
    Ok(row.filter(|row| !row.status.is_over()).map(|row| row.code))
}

impl SittingAnswer {
    /// As staff and the party itself see it.
    pub(crate) fn of(row: SittingRow, members: &[MemberRow], caller: PlayerId, charges: &Charges) -> Self {
        let is_member = members.iter().any(|it| it.sitting_id == row.id && it.player_id == caller);
        Self::seen(row, members, (true, is_member), charges)
    }

    fn seen(row: SittingRow, members: &[MemberRow], (is_let_in, member): (bool, bool), charges: &Charges) -> Self {
        let cards: Vec<_> = members.iter().filter(|it| it.sitting_id == row.id).map(PlayerCard::from).collect();
        let tags = tags(&cards.iter().map(|card| (card.id, card.display_name.as_str())).collect::<Vec<_>>());
        let members = cards.into_iter().zip(tags).map(|(player, tag)| Member { player, tag }).collect();
        let owed = charges.bill(&row).filter(|_| is_let_in);
        Self {
            owed,
            id: row.id,
            table_id: row.table_id,
            party_size: row.party_size,
            opened_at: row.opened_at,
            closing_at: row.closing_at,
            closed_at: row.closed_at,
            ended: row.ended,
            merged_into: row.merged_into,
            member,
            members: is_let_in.then_some(members),
            // With its end it opens nothing.
            join_token: Some(row.join_token).filter(|_| is_let_in && row.closed_at.is_none()),
        }
    }
}

/// One sitting, with who is in it.
pub(super) async fn show(
    conn: &mut AsyncPgConnection,
    row: SittingRow,
    caller: PlayerId,
    charges: &Charges,
) -> ApiResult<SittingAnswer> {
    let members = store::list_members(conn, &[row.id]).await?;
    Ok(SittingAnswer::of(row, &members, caller, charges))
}
