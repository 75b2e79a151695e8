//! The floor: every table, what is played on it, and what needs somebody. A page of its own over tables and matches.

pub mod admin;
pub mod live;

use std::collections::HashMap;

use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};

use crate::error::ApiResult;
use crate::ids::{MatchId, TableId};
use crate::matches::{self, MatchRow, SeatRow, Status};
use crate::tables::{self, TableRow};

/// Whoever takes longer for a move than this may need help, or has left.
const LONG_TURN: SignedDuration = SignedDuration::from_mins(10);
/// Whoever waits longer than this for others to sit down may be forgotten.
const LONG_WAIT: SignedDuration = SignedDuration::from_mins(20);
const MOST_MATCHES: i64 = 500;

/// The café at one moment.
pub struct Floor {
    pub spots: Vec<Spot>,
    /// Matches at no table of the floor.
    pub adrift: Vec<Play>,
}

/// A table and what happens there.
pub struct Spot {
    pub table: TableRow,
    pub play: Option<Play>,
    /// Matches at this table besides that one.
    pub others: usize,
}

/// A match that waits or runs, with its players.
pub struct Play {
    pub row: MatchRow,
    pub seats: Vec<SeatRow>,
    pub attention: Option<Attention>,
}

/// Why somebody should have a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    LongTurn,
    LongWait,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Free,
    Gathering,
    Playing,
    Attention,
}

impl Floor {
    pub async fn read(conn: &mut AsyncPgConnection, now: Timestamp) -> ApiResult<Self> {
        let tables = tables::store::list(conn, false).await?;
        let rows = matches::store::list_open(conn, MOST_MATCHES).await?;
        let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
        let seats = matches::store::list_seats(conn, &ids).await?;
        Ok(Self::of(tables, rows, seats, now))
    }

    fn of(tables: Vec<TableRow>, rows: Vec<MatchRow>, seats: Vec<SeatRow>, now: Timestamp) -> Self {
        let mut seats_of: HashMap<MatchId, Vec<SeatRow>> = HashMap::new();
        for seat in seats {
            seats_of.entry(seat.match_id).or_default().push(seat);
        }
        let mut at: HashMap<Option<TableId>, Vec<Play>> = HashMap::new();
        for row in rows {
            let seats = seats_of.remove(&row.id).unwrap_or_default();
            let attention = attention(&row, now);
            at.entry(row.table_id).or_default().push(Play { row, seats, attention });
        }
        let spots = tables.into_iter().map(|table| {
            let mut plays = at.remove(&Some(table.id)).unwrap_or_default();
            // What runs comes before what gathers, then the latest.
            plays.sort_by_key(|play| (play.row.status == Status::Running, play.row.id));
            let play = plays.pop();
            Spot { table, play, others: plays.len() }
        });
        let spots: Vec<Spot> = spots.collect();
        // A match whose table was archived meanwhile is still played somewhere.
        let mut adrift: Vec<Play> = at.into_values().flatten().collect();
        adrift.sort_by_key(|play| play.row.id);
        Self { spots, adrift }
    }

    /// What needs somebody, the longest first.
    pub fn needing_attention(&self) -> Vec<(&Play, Option<&TableRow>)> {
        let at_tables = self.spots.iter().filter_map(|spot| Some((spot.play.as_ref()?, Some(&spot.table))));
        let adrift = self.adrift.iter().map(|play| (play, None));
        let mut found: Vec<_> = at_tables.chain(adrift).filter(|(play, _)| play.attention.is_some()).collect();
        found.sort_by_key(|(play, _)| play.since());
        found
    }

    pub fn count(&self, state: &State) -> usize {
        self.spots.iter().filter(|spot| spot.state() == *state).count()
    }
}

impl Spot {
    pub fn state(&self) -> State {
        self.play.as_ref().map_or(State::Free, Play::state)
    }
}

impl Play {
    pub fn state(&self) -> State {
        match (self.attention, self.row.status) {
            (Some(_), _) => State::Attention,
            (None, Status::Running) => State::Playing,
            (None, _) => State::Gathering,
        }
    }

    /// Since when things are as they are.
    pub fn since(&self) -> Timestamp {
        self.row.moved_at.unwrap_or(self.row.created_at)
    }

    /// A mark per seat, as far as they fit: whether it is taken.
    pub fn pips(&self) -> Vec<bool> {
        const FIT: i16 = 6;
        let marks = if self.row.seat_count > FIT { 0 } else { self.row.seat_count };
        (0..marks).map(|seat| self.seats.iter().any(|it| it.seat == seat)).collect()
    }

    /// Who is to move.
    pub fn to_move(&self) -> Vec<&SeatRow> {
        self.seats.iter().filter(|seat| self.row.to_move >> seat.seat & 1 == 1).collect()
    }
}

impl State {
    pub const ALL: [Self; 4] = [Self::Playing, Self::Gathering, Self::Free, Self::Attention];

    pub fn key(self) -> &'static str {
        match self {
            Self::Free => "table-free",
            Self::Gathering => "table-gathering",
            Self::Playing => "table-playing",
            Self::Attention => "table-attention",
        }
    }

    /// Of its colour in the style sheet.
    pub fn tone(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Gathering => "gathering",
            Self::Playing => "playing",
            Self::Attention => "attention",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Free => "anchor",
            Self::Gathering => "hourglass",
            Self::Playing => "matches",
            Self::Attention => "bell",
        }
    }
}

fn attention(row: &MatchRow, now: Timestamp) -> Option<Attention> {
    let since = now.duration_since(row.moved_at.unwrap_or(row.created_at));
    match row.status {
        Status::Running if since >= LONG_TURN => Some(Attention::LongTurn),
        Status::Waiting if since >= LONG_WAIT => Some(Attention::LongWait),
        _ => None,
    }
}
