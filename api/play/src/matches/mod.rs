//! Matches: one play of a game each, from the table where it is made to the record that anybody may check.
//!
//! - `request`, `plan`, `create`, `seats`, `start`: what happens before the first move; `for_tournament`: the same for bouts of
//!   tournaments; `rematch`: once more with the same players
//! - `play`: the move; `position`: a match as a move needs it; `known`: those that this process moved in last; `group_commit`,
//!   `statements`: how moves are written, several together; `playout`: many at once
//! - `clock`: whose time is up
//! - `autopilot`: the moves that the server makes for bots and for those who left; `bots`: where bots sit; `thinking`: bots that
//!   need time for a move; `stand_ins`: who plays on for those who left
//! - `end`: how a match ends otherwise; `undo`: the way back of what staff did
//! - `account_hooks`: what becomes of somebody's matches when their account changes
//! - `results`: what is written down of matches with real dice and cards
//! - `terms`: what was agreed for the whole match; `access`: who may know how much of it; `reveals`: looks of managers at what is
//!   hidden
//! - `reactions`: what people say to each other meanwhile
//! - `feed`: what watchers read; `seat_view`: what a player sees
//! - `replay`: reads a match back out of its log; `heal`: mends its state by it; `moment`: the order in which matches finish

pub mod access;
pub mod account_hooks;
pub mod autopilot;
pub mod bots;
pub mod clock;
pub mod create;
pub mod end;
pub mod feed;
pub mod for_tournament;
mod group_commit;
pub mod heal;
mod known;
pub mod moment;
pub mod plan;
pub mod play;
pub mod playout;
pub mod position;
pub mod reactions;
pub mod rematch;
pub mod replay;
pub mod request;
pub mod results;
pub mod reveals;
pub mod seat_view;
pub mod seats;
pub mod stand_ins;
pub mod start;
pub mod statements;
pub mod store;
pub mod terms;
mod thinking;
pub mod undo;

use diesel_async::AsyncPgConnection;
use engine::{Match, Seat, SeatSet, Turn, catalogue};
use jiff::SignedDuration;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::{Value, json};

use base::audit::{self, Entry};
use base::auth::{Identity, Role};
use base::error::{Error, Result, conflict, internal, not_found, unprocessable};
use base::games::{OTHER, complete_options, guarded};
pub use base::ids::MatchId;
use base::world::World;

pub use crate::logs::MadeBy;
pub use account_hooks::{leave_all, tell_of};
pub use autopilot::Autopilot;
pub use bots::{BotLevel, remove_bot, seat_bot};
pub use clock::{Clock, keep_time};
pub use create::{create, create_and_sit, create_for};
pub use end::{Leaving, Patience, abort, expire, resign, take_back, withdraw_waiting, withdraw_within};
pub use feed::{Feed, Frame, Snapshot};
pub use for_tournament::{
    Arranged, abort_unless_over, arrange, begin, bring_to, expect_playable, is_under_way, lock_results, void,
};
pub use moment::Moment;
pub use plan::WaitingQuota;
pub use play::{Move, Mover, Played, play};
pub use playout::{Choice, play_out};
pub use reactions::{Reaction, react};
pub use rematch::{may_join, may_repeat, rematch};
pub use replay::record;
pub use request::{MatchName, NewMatchRequest};
pub use seat_view::SeatView;
pub use seats::{Nonce, Seated, leave, sit};
pub use stand_ins::{offer, remove};
pub use start::start;
use store::Moved;
pub use store::NEWS_OF;
pub use store::{BotRow, Filter, LogRow, MatchRow, Reader, SeatRow, Seats};
pub use terms::{SeatName, Terms, Visibility};
pub use undo::{MatchUndo, undo};

base::text_enum! {
    /// Where a match is in its life.
    pub enum Status {
        /// Players may sit down.
        Waiting = "waiting",
        Running = "running",
        /// Played to its end.
        Finished = "finished",
        /// Called off.
        Aborted = "aborted",
        /// Nobody came.
        Expired = "expired",
    }
}

base::text_enum! {
    /// How a match is held.
    pub enum Mode {
        /// The server rolls, deals and checks.
        Played = "played",
        /// With real dice and cards: its players write down how it ended.
        Scored = "scored",
    }
}

impl Status {
    pub fn is_over(self) -> bool {
        match self {
            Self::Waiting | Self::Running => false,
            Self::Finished | Self::Aborted | Self::Expired => true,
        }
    }
}

impl MatchRow {
    /// Nothing of a match that is written down happens here.
    fn refuse_scored(&self) -> Result<()> {
        match self.mode {
            Mode::Played => Ok(()),
            Mode::Scored => Err(conflict("match_scored")),
        }
    }

    /// How long it took, of which a match that is written down says nothing.
    pub fn lasted(&self) -> Option<SignedDuration> {
        let is_known = self.mode == Mode::Played && self.status == Status::Finished;
        Some(self.finished_at.filter(|_| is_known)?.duration_since(self.started_at?))
    }

    /// Whether nobody but people will go on with it: no clock runs after which the autopilot moves.
    pub fn waits_for_people(&self) -> bool {
        self.mode == Mode::Played && self.turn_seconds.is_none()
    }

    /// Whether it is a game of the catalogue.
    pub fn has_rules(&self) -> bool {
        self.game != OTHER
    }

    /// The page of the rules by which it is played.
    pub fn rules_path(&self) -> String {
        let (page, code) = (format!("/rules/{}", self.game), &self.code);
        match self.variant_id.zip(self.variant_version) {
            Some((variant, version)) => format!("{page}?variant={variant}&version={version}&match={code}"),
            None if self.has_own_options() => format!("{page}?match={code}"),
            None => page,
        }
    }

    fn has_own_options(&self) -> bool {
        let seats = u8::try_from(self.seat_count).unwrap_or(0);
        let basic = catalogue::find(&self.game).and_then(|kind| complete_options(kind, None, seats).ok());
        basic.is_some_and(|basic| basic != self.options)
    }
}

/// For as long as the transaction lasts.
pub async fn lock(conn: &mut AsyncPgConnection, id: MatchId) -> Result<MatchRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("match_not_found"))
}

/// What somebody who works here does with a match is on record.
pub async fn record_of_staff(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &Identity,
    action: &str,
    row: &MatchRow,
) -> Result<()> {
    if player.role < Role::Staff {
        return Ok(());
    }
    let (actor, subject_id, details) = (Some(player.id), Some(row.id.0), json!({ "game": row.game, "code": row.code }));
    Ok(audit::record(conn, world, Entry { actor, action, subject: "match", subject_id, details }).await?)
}

/// What the rules refuse, in the game's own words where it has some.
pub fn refused_by_rules(game: &str, code: &'static str) -> Error {
    unprocessable(code).in_words(vec![format!("{game}-refused-{code}"), format!("refused-{code}")])
}

/// Where a match stands, as its row says it.
struct MatchState {
    status: Status,
    to_move: SeatSet,
    interrupt: SeatSet,
    outcome: Option<Value>,
}

impl MatchState {
    fn of(play: &dyn Match) -> Result<Self> {
        Ok(match guarded(|| play.turn())? {
            Turn::Seats { to_move, interrupt } => Self { status: Status::Running, to_move, interrupt, outcome: None },
            Turn::Over(outcome) => Self {
                status: Status::Finished,
                to_move: SeatSet::none(),
                interrupt: SeatSet::none(),
                outcome: Some(serde_json::to_value(outcome).map_err(internal)?),
            },
            Turn::Chance => return Err(internal(anyhow::anyhow!("a match waits for chance"))),
        })
    }

    /// As a move leaves it, with the state and how many outcomes of chance were drawn.
    fn moved(&self, state: Vec<u8>, chance_count: u64, decision_since: i32, at: SqlTimestamp) -> Result<Moved> {
        Ok(Moved {
            status: self.status,
            state,
            chance_count: i64::try_from(chance_count).map_err(internal)?,
            to_move: bits(self.to_move),
            interrupt: bits(self.interrupt),
            decision_since,
            outcome: self.outcome.clone(),
            moved_at: at,
            finished_at: self.status.is_over().then_some(at),
        })
    }
}

/// A set of seats as the database keeps it: seat n as bit n.
fn bits(seats: SeatSet) -> i32 {
    seats.iter().map(|seat| 1 << seat.0).sum()
}

pub fn seats_in(bits: i32) -> SeatSet {
    (0..SeatSet::MOST).filter(|seat| bits >> seat & 1 == 1).map(Seat).collect()
}

/// A seat as the database keeps it.
fn seat_of(number: i16) -> Result<Seat> {
    u8::try_from(number).map(Seat).map_err(internal)
}

impl Status {
    pub fn key(self) -> &'static str {
        match self {
            Self::Waiting => "match-waiting",
            Self::Running => "match-running",
            Self::Finished => "match-finished",
            Self::Aborted => "match-aborted",
            Self::Expired => "match-expired",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Waiting => "hourglass",
            Self::Running => "matches",
            Self::Finished => "flag",
            Self::Aborted => "ban",
            Self::Expired => "crate",
        }
    }
}

impl MadeBy {
    pub fn key(self) -> &'static str {
        match self {
            Self::Player => "made-by-player",
            Self::Server => "made-by-house",
            Self::Staff => "made-by-staff",
        }
    }
}

impl MatchRow {
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        (0..u8::try_from(self.seat_count).unwrap_or_default()).map(Seat)
    }

    /// There is nothing to see of a match that did not start.
    pub fn refuse_unplayed(&self) -> Result<()> {
        self.refuse_scored()?;
        match (self.started_at, self.status.is_over()) {
            (Some(_), _) => Ok(()),
            (None, true) => Err(conflict("match_never_started")),
            (None, false) => Err(conflict("match_not_running")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_seats_is_read_back() {
        for seats in [vec![], vec![0], vec![0, 3, 15]] {
            let set: SeatSet = seats.into_iter().map(Seat).collect();
            assert_eq!(seats_in(bits(set)), set);
        }
    }
}
