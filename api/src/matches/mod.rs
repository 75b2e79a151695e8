//! Matches: one play of a game each, from the table where it is made to the record that anybody may check.
//!
//! `open` and `seats` are what happens before the first move, `arranged` the same for bouts of tournaments, `play` the move, `playout` many at once, `end` how a match ends otherwise, `house` the moves
//! that the house makes for those who left, `stand_ins` who plays on for them, `people` what becomes of somebody's matches when
//! their account changes, `results` what is written down of matches with real dice and
//! cards, `terms` what was agreed for the whole match, `sight` who may know how much of it, `replay` reads a match
//! back out of its log, `feed` is what watchers read.

pub mod admin;
mod answers;
mod arranged;
mod clock;
mod end;
mod feed;
mod house;
mod invitations;
mod look;
mod open;
mod past;
mod people;
mod play;
mod playout;
mod rematch;
mod replay;
pub mod rest;
pub mod results;
mod reveals;
mod seats;
mod sight;
mod stand_ins;
mod statements;
pub mod store;
mod stream;
mod terms;
pub(crate) use invitations::{create_invitation, delete_invitation, list_invitations};
pub(crate) use past::replay_match;
pub(crate) use stream::stream_match;

use engine::{Kind, Match, Seat, SeatSet, Turn, Viewer, catalogue};
use jiff::SignedDuration;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;

use crate::error::{ApiError, ApiResult, conflict, internal, unprocessable};
use crate::games::guarded;
pub use crate::ids::MatchId;
pub use answers::{EventFrame, MatchAnswer, SeatAnswer};
pub use arranged::{Arranged, arrange, begin, bring_to, call_off, expect_playable};
pub use clock::{Clock, keep_time};
pub use end::{Leaving, Patience, abort, expire, resign, withdraw};
pub use feed::{Feed, Frame, Snapshot};
pub use house::House;
pub use look::SeatView;
pub(crate) use open::code as new_code;
pub use open::{MatchName, NewMatchRequest, create, create_for, normal_code, start};
pub use people::{leave_all, tell_of};
pub use play::{Move, Played, play};
pub use playout::{Choice, play_out};
pub use rematch::rematch;
pub use replay::record;
pub use seats::{Nonce, Seated, leave, sit};
pub use stand_ins::{offer, remove};
use store::Moved;
pub(crate) use store::NEWS_OF;
pub use store::{Filter, LogRow, MatchRow, Reader, SeatRow};
pub use terms::{SeatName, Terms, Visibility};

crate::text_enum! {
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

crate::text_enum! {
    /// How a match is held.
    pub enum Mode {
        /// The server rolls, deals and checks.
        Played = "played",
        /// With real dice and cards: its players write down how it ended.
        Scored = "scored",
    }
}

crate::text_enum! {
    /// Who made a move.
    pub enum MadeBy {
        Player = "player",
        /// For a player who left or let the time run out.
        House = "house",
        Staff = "staff",
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

/// What is played where it is no game of ours: its title says what. Such a match is written down.
pub const OTHER: &str = "other";

impl MatchRow {
    /// Nothing of a match that is written down happens here.
    fn refuse_scored(&self) -> ApiResult<()> {
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

    /// Whether nobody but people will go on with it: no clock runs after which the house moves.
    pub fn waits_for_people(&self) -> bool {
        self.mode == Mode::Played && self.turn_seconds.is_none()
    }

    /// Whether it is a game of ours.
    pub fn has_rules(&self) -> bool {
        self.game != OTHER
    }

    /// The page of the rules by which it is played.
    pub fn rules_path(&self) -> String {
        let page = format!("/rules/{}", self.game);
        match self.variant_id.zip(self.variant_version) {
            Some((variant, version)) => format!("{page}?variant={variant}&version={version}"),
            None => page,
        }
    }
}

/// The engine's game of a match. Games are never taken out of the catalogue while matches of them are kept.
pub fn kind(game: &str) -> ApiResult<&'static dyn Kind> {
    catalogue::find(game).ok_or_else(|| internal(anyhow::anyhow!("there is no game {game}")))
}

/// The match that the engine saved.
pub(crate) fn resume(game: &str, revision: i32, state: &[u8]) -> ApiResult<Box<dyn Match>> {
    let kind = kind_as_played(game, revision)?;
    guarded(|| kind.resume(state))?.map_err(internal)
}

/// The engine's game, if it is still played by the rules of this revision.
fn kind_as_played(game: &str, revision: i32) -> ApiResult<&'static dyn Kind> {
    let kind = kind(game)?;
    match i64::from(kind.info().revision) == i64::from(revision) {
        true => Ok(kind),
        false => Err(conflict("other_revision")),
    }
}

/// What this viewer sees of a match that has started.
pub fn view(row: &MatchRow, state: &[u8], viewer: Viewer) -> ApiResult<engine::Json> {
    let play = resume(&row.game, row.revision, state)?;
    guarded(|| play.view(viewer))
}

/// What the rules refuse, in the game's own words where it has some.
fn refused_by_rules(game: &str, code: &'static str) -> ApiError {
    unprocessable(code).in_words(vec![format!("{game}-refused-{code}"), format!("refused-{code}")])
}

/// Where a match stands, as its row says it.
struct Standing {
    status: Status,
    to_move: SeatSet,
    interrupt: SeatSet,
    outcome: Option<Value>,
}

impl Standing {
    fn of(play: &dyn Match) -> ApiResult<Self> {
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
    fn moved<'a>(
        &self,
        (state, chance_count): (&'a [u8], u64),
        decision_since: i32,
        at: SqlTimestamp,
    ) -> ApiResult<Moved<'a>> {
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

fn seats_in(bits: i32) -> SeatSet {
    (0..SeatSet::MOST).filter(|seat| bits >> seat & 1 == 1).map(Seat).collect()
}

/// A seat as the database keeps it.
fn seat_of(number: i16) -> ApiResult<Seat> {
    u8::try_from(number).map(Seat).map_err(internal)
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
