//! The floor: every table, who sits there, what they play, and what needs somebody. A page of its own over tables,
//! sittings, calls, matches and the boxes that are out of their shelves.
//!
//! `areas` is where the tables are drawn, `attention` what needs somebody, `closing` the end of a day, `table_panel` what can be done
//! at one table, `undo` all that can be undone. What is read is bounded by what is open now, in a fixed number of queries.

pub mod areas;
pub mod attention;
pub mod closing;
pub mod table_panel;
pub mod undo;

use std::collections::HashMap;

use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};

use crate::claims::{self, ClaimRow};
use crate::operations::backups::{self, JobKind};
use crate::waiting::outlook::{Figures, Outlook, QueueEntry};
use crate::waiting::{self, outlook};
pub use attention::{AttentionItem, Cause};
use base::auth::{Permission, StaffContext, can};
use base::error::Result;
use base::ids::{MatchId, SittingId, TableId, VariantId};
use base::text::Lang;
use base::undo::UndoRow;
use competitions::tournaments;
use play::calls::{self, CallRow};
use play::library::{self, CopyRow, CopyState, TitleRow};
use play::matches::results::{self, ResultRow};
use play::matches::{self, MatchRow, SeatRow, Seats, Status};
use play::sessions;
use play::shift_notes::{self, ShiftNoteRow};
use play::sittings::{self, MemberRow, SittingRow};
use play::staff::appointments::{self, Appointment};
use play::tables::plan::PlacedTable;
use play::tables::store::Hold;
use play::tables::{self, TableRow};
use play::variants;
pub use table_panel::TablePanel;
pub use undo::undo;

/// A player who takes longer for a move may need help, or has left. In a match with a clock the autopilot sees to it.
const LONG_TURN: SignedDuration = SignedDuration::from_mins(10);
/// A match that waits longer for players may be forgotten.
const LONG_WAIT: SignedDuration = SignedDuration::from_mins(20);
/// What has waited for so long stands out on the floor.
const LATE: SignedDuration = SignedDuration::from_mins(15);
/// Of matches of no party that is there. What a party plays is always read.
const MOST_ADRIFT: i64 = 500;
const MOST_RESULTS: i64 = 200;
const MOST_CLAIMS: i64 = 100;

/// The café at one moment.
#[derive(Default)]
pub struct Floor {
    pub spots: Vec<Spot>,
    /// Matches of no party that is there.
    pub adrift: Vec<Play>,
    /// What needs somebody, the longest first.
    pub needs: Vec<AttentionItem>,
    /// What an earlier shift tells this one.
    pub notes: Vec<ShiftNoteRow>,
    /// The boxes in the return zone.
    pub returned: Vec<Boxed>,
    /// Parties for whom no table was free, in the order of the list.
    pub waiting: Vec<QueueEntry>,
    /// The latest changes that can be undone.
    pub undos: Vec<UndoRow>,
    /// For owners: who became a manager or an owner lately.
    pub appointments: Vec<Appointment>,
    /// When the reader signed in on a new device elsewhere.
    pub new_devices: Vec<Timestamp>,
    /// For those who see how the server is doing: what does not go well with backups.
    pub bad_backups: Vec<JobKind>,
    variants: HashMap<VariantId, String>,
}

/// A table and what happens there.
pub struct Spot {
    pub table: TableRow,
    /// Where it stands on the plan of its area, if somebody has put it there.
    pub place: Option<PlacedTable>,
    pub sitting: Option<SittingRow>,
    pub play: Option<Play>,
    /// Matches of this party besides that one.
    pub others: usize,
    /// The boxes that lie there.
    pub boxes: Vec<Boxed>,
    /// The bout of a tournament for which it is kept.
    pub hold: Option<Hold>,
    /// The most urgent thing of the queue that is about it.
    pub due: Option<Due>,
}

/// Why somebody should go to a table, and since when.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    /// Of the reason in the catalogues, in a word or two.
    pub key: &'static str,
    pub icon: &'static str,
    pub since: Timestamp,
    /// Guests called and nobody is on the way.
    pub is_call: bool,
}

/// A copy and its title.
pub type Boxed = (CopyRow, TitleRow);

/// A match that waits or runs, with its players.
pub struct Play {
    pub row: MatchRow,
    pub seats: Seats,
    /// What is played, if it is not in the catalogue.
    pub title: Option<String>,
    pub attention: Option<Attention>,
}

/// Why somebody should have a look at a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    LongTurn,
    LongWait,
    /// The autopilot cannot move in it.
    Stuck,
}

/// How a table is, most urgent thing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    OutOfService,
    Free,
    Closing,
    Attention,
    Playing,
    Seated,
    /// A tournament plays there, or will.
    Held,
}

/// Everything open, as it was read.
struct Open {
    tables: Vec<TableRow>,
    places: Vec<PlacedTable>,
    holds: Vec<Hold>,
    sittings: Vec<SittingRow>,
    rows: Vec<MatchRow>,
    seats: Seats,
    whose: HashMap<MatchId, SittingId>,
    calls: Vec<CallRow>,
    claims: Vec<ClaimRow>,
    joined: Vec<MemberRow>,
    /// On tables, and waiting to be checked in.
    boxes: Vec<Boxed>,
    /// When the last party left, for tables where boxes lie and nobody sits.
    left: HashMap<TableId, Timestamp>,
    results: Vec<(ResultRow, MatchRow)>,
    titles: HashMap<MatchId, String>,
    stuck: Vec<MatchId>,
    tournaments: Vec<tournaments::AttentionItem>,
    waiting: Vec<QueueEntry>,
}

impl Floor {
    pub async fn read(cx: &mut StaffContext<'_, can::ViewFloor>, now: Timestamp) -> Result<Self> {
        let (reader, appoints) = (cx.staff, cx.may(Permission::AppointManagers));
        let operates = cx.may(Permission::ViewOperations);
        let conn = cx.conn().await?;
        let appointments = if appoints { appointments::list(conn, reader.id, now).await? } else { Vec::new() };
        let new_devices = sessions::sign_in_log::list_new_devices(conn, &reader, now).await?;
        let jobs = if operates { backups::store::list(conn).await? } else { Vec::new() };
        let bad_backups = jobs.iter().filter(|job| job.is_bad(now)).map(|job| job.kind).collect();
        let undos = base::undo::list_latest(conn, now).await?;
        let floor = Self::read_open(conn, now).await?;
        Ok(Self { undos, appointments, new_devices, bad_backups, ..floor })
    }

    /// The tables and what is open, without what stands beside them on the floor's own page.
    pub(super) async fn read_open(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<Self> {
        let tables = tables::store::list(conn, false).await?;
        let places = tables::plan::store::list(conn).await?;
        let holds = tables::store::list_holds(conn).await?;
        let sittings = sittings::store::list_open(conn).await?;
        let mut rows = matches::store::list_open_of_parties(conn).await?;
        rows.extend(matches::store::list_open_of_nobody(conn, MOST_ADRIFT).await?);
        // A party may have left between the two.
        rows.sort_by_key(|row| row.id);
        rows.dedup_by_key(|row| row.id);
        let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
        let seats = matches::store::list_all_seats(conn, &ids).await?;
        let whose: HashMap<MatchId, SittingId> =
            sittings::store::list_of_matches(conn, &ids).await?.into_iter().collect();
        let calls = calls::store::list_open(conn).await?;
        let claims = claims::store::list_waiting(conn, now, MOST_CLAIMS).await?;
        let joined = sittings::store::list_uninvited(conn).await?;
        let boxes = library::list_out(conn).await?;
        let waiting = match waiting::store::list_open(conn).await? {
            nobody if nobody.is_empty() => Vec::new(),
            parties => {
                let figures = Figures::read(conn, &rows, now).await?;
                let (tables, holds, sittings) = (&tables[..], &holds[..], &sittings[..]);
                let floor = outlook::Floor { tables, holds, sittings, rows: &rows, whose: &whose, boxes: &boxes };
                Outlook::of(&floor, &figures, now).entries(parties)
            }
        };
        let mut deserted = deserted(&boxes, &sittings);
        deserted.extend(waiting.iter().filter_map(|party| party.ready));
        let left = sittings::store::list_last_ends(conn, &deserted).await?.into_iter().collect();
        let results = results::store::list_open(conn, None, MOST_RESULTS).await?;
        let titles = matches::store::list_titles(conn, rows.iter().chain(results.iter().map(|(_, row)| row))).await?;
        let stuck = matches::store::stuck::list_put_aside(conn).await?;
        let tournaments = tournaments::list_attention(conn, now).await?;
        let by: Vec<VariantId> = rows.iter().filter_map(|row| row.variant_id).collect();
        let variants = variants::list_names(conn, &by).await?.into_iter().collect();
        let notes = shift_notes::store::list_unread(conn).await?;
        let floor = Self::of(
            Open {
                tables,
                places,
                holds,
                sittings,
                rows,
                seats,
                whose,
                calls,
                claims,
                joined,
                boxes,
                left,
                results,
                titles,
                stuck,
                tournaments,
                waiting,
            },
            now,
        );
        Ok(Self { variants, notes, ..floor })
    }

    fn of(open: Open, now: Timestamp) -> Self {
        let Open {
            tables,
            places,
            holds,
            sittings,
            rows,
            seats,
            whose,
            calls,
            claims,
            joined,
            boxes,
            left,
            results,
            titles,
            stuck,
            tournaments,
            waiting,
        } = open;
        let mut seats_of = seats.by_match();
        let mut at: HashMap<TableId, SittingRow> = sittings.into_iter().map(|it| (it.table_id, it)).collect();
        let mut of_party: HashMap<Option<SittingId>, Vec<Play>> = HashMap::new();
        for row in rows {
            let seats = seats_of.remove(&row.id).unwrap_or_default();
            let attention = if stuck.contains(&row.id) { Some(Attention::Stuck) } else { attention(&row, now) };
            let title = titles.get(&row.id).cloned();
            of_party.entry(whose.get(&row.id).copied()).or_default().push(Play { row, seats, title, attention });
        }
        let (lent, returned): (Vec<Boxed>, Vec<Boxed>) =
            boxes.into_iter().partition(|(copy, _)| copy.state == CopyState::Table);
        let mut on: HashMap<Option<TableId>, Vec<Boxed>> = HashMap::new();
        for boxed in lent {
            on.entry(boxed.0.table_id).or_default().push(boxed);
        }
        let spots = tables.into_iter().map(|table| {
            let sitting = at.remove(&table.id);
            let party = sitting.as_ref().map(|sitting| sitting.id);
            let mut plays = party.and_then(|_| of_party.remove(&party)).unwrap_or_default();
            // What runs comes before what gathers, then the latest.
            plays.sort_by_key(|play| (play.row.status == Status::Running, play.row.id));
            let play = plays.pop();
            let boxes = on.remove(&Some(table.id)).unwrap_or_default();
            let hold = holds.iter().find(|hold| hold.table_id == table.id).cloned();
            let place = places.iter().find(|place| place.table_id == table.id).copied();
            Spot { table, place, sitting, play, others: plays.len(), boxes, hold, due: None }
        });
        let mut spots: Vec<Spot> = spots.collect();
        // A box that lies on a table which was put away has to come back too.
        let returned: Vec<Boxed> = returned.into_iter().chain(on.into_values().flatten()).collect();
        // A match whose party has left meanwhile is still played somewhere.
        let mut adrift: Vec<Play> = of_party.into_values().flatten().collect();
        adrift.sort_by_key(|play| play.row.id);
        let needs = attention::list(
            &spots,
            &adrift,
            attention::Open {
                calls,
                claims,
                joined,
                returned: &returned,
                left,
                results,
                titles,
                tournaments,
                waiting: &waiting,
            },
            now,
        );
        for spot in &mut spots {
            spot.due = due(&needs, spot.table.id);
        }
        Self { spots, adrift, needs, waiting, returned, ..Self::default() }
    }

    pub fn count(&self, state: &State) -> usize {
        self.spots.iter().filter(|spot| spot.state() == *state).count()
    }

    pub fn table(&self, id: &TableId) -> Option<&TableRow> {
        self.spots.iter().map(|spot| &spot.table).find(|table| table.id == *id)
    }

    /// What of the queue is about this table.
    pub fn needs_at(&self, table: &TableId) -> Vec<&AttentionItem> {
        self.needs.iter().filter(|need| need.table == Some(*table)).collect()
    }

    /// The variant by which a match is played, if it is not the basic game.
    pub fn variant(&self, play: &Play) -> Option<&str> {
        self.variants.get(&play.row.variant_id?).map(String::as_str)
    }
}

impl Spot {
    pub fn state(&self) -> State {
        let Some(sitting) = &self.sitting else {
            return match (self.table.out_of_service_since, &self.hold) {
                (Some(_), _) => State::OutOfService,
                (None, Some(_)) => State::Held,
                (None, None) => State::Free,
            };
        };
        let is_running = self.play.as_ref().is_some_and(|play| play.row.status == Status::Running);
        match (self.due, sitting.closing_at, is_running) {
            (Some(_), ..) => State::Attention,
            (_, Some(_), _) => State::Closing,
            (_, _, true) => State::Playing,
            _ => State::Seated,
        }
    }

    /// Of its colour: red is for calls alone, and what has waited for long stands out.
    pub fn tone(&self, now: &Timestamp) -> &'static str {
        match self.due {
            Some(due) if due.is_call => "attention",
            Some(due) if now.duration_since(due.since) >= LATE => "late",
            Some(_) => "due",
            None => self.state().tone(),
        }
    }

    /// Since when the table is taken, or out of service.
    pub fn since(&self) -> Option<Timestamp> {
        self.sitting.as_ref().map(|sitting| sitting.opened_at).or(self.table.out_of_service_since)
    }

    /// What lies there, by name.
    pub fn box_names(&self, lang: impl std::borrow::Borrow<Lang>) -> String {
        let names = self.boxes.iter().map(|(_, title)| title.name(lang.borrow()));
        names.collect::<Vec<_>>().join(", ")
    }

    /// Any size of a party that may well be at this table.
    pub fn all_sizes(&self) -> Vec<i16> {
        const USUAL: i16 = 12;
        let party = self.sitting.as_ref().map_or(0, |sitting| sitting.party_size);
        (1..=USUAL.max(self.table.seats).max(party)).collect()
    }

    /// The sizes of a party that a tap is enough for.
    pub fn sizes(&self) -> Vec<i16> {
        const FIT: i16 = 6;
        (1..=self.table.seats.clamp(2, FIT)).collect()
    }
}

impl Play {
    /// The name of the match, unless it only repeats what is played.
    pub fn own_name(&self) -> Option<&str> {
        self.row.name.as_deref().filter(|name| self.title.as_deref() != Some(name))
    }

    /// Since when things are as they are.
    pub fn since(&self) -> Timestamp {
        self.row.moved_at.unwrap_or(self.row.created_at)
    }

    /// A mark per seat, as far as they fit: whether it is taken.
    pub fn pips(&self) -> Vec<bool> {
        const FIT: i16 = 6;
        let marks = if self.row.seat_count > FIT { 0 } else { self.row.seat_count };
        (0..marks).map(|seat| self.seats.is_taken(seat)).collect()
    }

    /// Who is to move.
    pub fn to_move(&self) -> Vec<&SeatRow> {
        self.seats.players.iter().filter(|seat| self.row.to_move >> seat.seat & 1 == 1).collect()
    }
}

impl State {
    pub const ALL: [Self; 7] =
        [Self::Attention, Self::Playing, Self::Seated, Self::Held, Self::Closing, Self::Free, Self::OutOfService];

    pub fn key(self) -> &'static str {
        match self {
            Self::Free => "table-free",
            Self::Seated => "table-seated",
            Self::Playing => "table-playing",
            Self::Held => "table-held",
            Self::Attention => "table-attention",
            Self::Closing => "table-closing",
            Self::OutOfService => "table-out",
        }
    }

    /// Of its colour in the style sheet.
    pub fn tone(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Seated => "gathering",
            Self::Playing | Self::Held => "playing",
            Self::Attention => "attention",
            Self::Closing => "closing",
            Self::OutOfService => "out",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Free => "anchor",
            Self::Seated => "people",
            Self::Playing => "matches",
            Self::Held => "bracket",
            Self::Attention => "bell",
            Self::Closing => "flag",
            Self::OutOfService => "ban",
        }
    }
}

/// What is most urgent at this table: a call that nobody has heard, then the longest.
fn due(needs: &[AttentionItem], table: TableId) -> Option<Due> {
    let here = needs.iter().filter(|need| need.table == Some(table));
    let first = here.min_by_key(|need| (!need.cause.is_open_call(), need.since))?;
    let cause = &first.cause;
    Some(Due { key: cause.short_key(), icon: cause.icon(), since: first.waiting, is_call: cause.is_open_call() })
}

/// The tables where boxes lie and nobody sits.
fn deserted(boxes: &[Boxed], sittings: &[SittingRow]) -> Vec<TableId> {
    let tables = boxes.iter().filter_map(|(copy, _)| copy.table_id);
    tables.filter(|table| sittings.iter().all(|sitting| sitting.table_id != *table)).collect()
}

fn attention(row: &MatchRow, now: Timestamp) -> Option<Attention> {
    let since = now.duration_since(row.moved_at.unwrap_or(row.created_at));
    match row.status {
        Status::Running if row.waits_for_people() && since >= LONG_TURN => Some(Attention::LongTurn),
        Status::Waiting if since >= LONG_WAIT => Some(Attention::LongWait),
        _ => None,
    }
}
