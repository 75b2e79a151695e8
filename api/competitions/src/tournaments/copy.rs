//! A new draft like an earlier tournament, on another day.

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::Deserialize;
use utoipa::ToSchema;

use super::lifecycle::{self, Again, Origin};
use super::store::{EntrantRow, TournamentRow};
use super::{
    Seeding, TableNeed, TeamName, Tournament, TournamentChange, TournamentId, TournamentName, TournamentRequest,
    tournament,
};
use base::auth::{Credential, StaffContext, can};
use base::error::Result;
use base::ids::TableId;
use play::tables;

/// What is different in a copy.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = TournamentCopyRequest)]
#[serde(deny_unknown_fields)]
pub struct CopyRequest {
    /// The same name if left out.
    pub name: Option<TournamentName>,
    /// When the copy begins. Check-in ends as long before that as it did.
    pub starts_at: Option<Timestamp>,
    /// `true` to enter all again who have a place or took part. Those of a sandbox enter only another sandbox.
    pub entrants: Option<bool>,
}

/// Drafts a tournament like this one.
pub async fn copy(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    request: &CopyRequest,
) -> Result<TournamentId> {
    let (conn, actor) = cx.parts().await?;
    let earlier = tournament::load(conn, id, true).await?;
    actor.staff.expect_in_reach(earlier.row.sandbox)?;
    let is_of_one_kind = earlier.row.sandbox == (actor.staff.credential == Credential::SandboxKey);
    let mut players =
        if request.entrants == Some(true) && is_of_one_kind { earlier.players_again() } else { Vec::new() };
    forget_lost_tables(conn, &mut players).await?;
    let table_ids = tables_left(conn, &earlier.row).await?;
    let asked = request.of(&earlier.row, table_ids);
    lifecycle::draft(conn, actor, &asked, Origin { copy_of: Some(id), players: &players }).await
}

/// The tables that it keeps and that are still there.
async fn tables_left(conn: &mut AsyncPgConnection, row: &TournamentRow) -> Result<Option<Vec<TableId>>> {
    let Some(ids) = &row.table_ids else { return Ok(None) };
    let there = tables::store::list(conn, false).await?;
    let left: Vec<_> = ids.iter().copied().filter(|id| there.iter().any(|table| table.id == *id)).collect();
    Ok(Some(left).filter(|left| !left.is_empty()))
}

/// Nobody needs a table that is no longer there.
async fn forget_lost_tables(conn: &mut AsyncPgConnection, players: &mut [Again]) -> Result<()> {
    if players.iter().all(|it| it.need.is_none()) {
        return Ok(());
    }
    let there = tables::store::list(conn, false).await?;
    for player in players {
        player.need = player.need.take().filter(|need| there.iter().any(|table| need.is_met_by(table)));
    }
    Ok(())
}

impl CopyRequest {
    fn of(&self, row: &TournamentRow, table_ids: Option<Vec<TableId>>) -> TournamentRequest {
        let lead = row.starts_at.zip(row.check_in_until).map(|(starts, until)| until.duration_since(starts));
        let check_in_until = self.starts_at.zip(lead).and_then(|(starts, lead)| starts.checked_add(lead).ok());
        let change = TournamentChange {
            name: self.name.clone(),
            starts_at: Some(self.starts_at),
            check_in_until: Some(check_in_until),
            table_ids: Some(table_ids),
            ..TournamentChange::default()
        };
        change.to(row)
    }
}

impl Tournament {
    /// Those who have a place or took part, each with their team and the table that they need, in the order of their seeds where these
    /// were given by hand.
    fn players_again(&self) -> Vec<Again> {
        let took_part = |it: &&EntrantRow| self.participants.iter().any(|part| part.entrant == it.number);
        let is_in = |it: &&EntrantRow| !it.deleted && (it.status.has_place() || took_part(it));
        let mut again: Vec<&EntrantRow> = self.entrants.iter().filter(is_in).collect();
        if self.row.seeding == Seeding::Hand {
            again.sort_by_key(|it| (it.seed.unwrap_or(i16::MAX), it.number));
        }
        let team = |it: &EntrantRow| Some((TeamName(self.team_of(it.number)?.to_owned()), it.board?));
        again.into_iter().map(|it| Again { player: it.player_id, team: team(it), need: TableNeed::of(it) }).collect()
    }
}
