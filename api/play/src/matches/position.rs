//! A match as its next move needs it, and the move carried out in memory.

use engine::{FairDealer, Match, PlayError, Seat, Seed, Step, Turn, Viewer};
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::statements::{Advance, Found};
use super::store::JsonText;
use super::{MadeBy, MatchId, MatchState, Played, refused_by_rules, start};
use base::error::{Result, conflict, internal};
use base::games::{guarded, resume};
use base::ids::PlayerId;
use base::world::World;

/// Where a running match stands, with what is secret in it. Nobody may see it but through `play`.
pub struct Position {
    pub id: MatchId,
    pub version: i32,
    /// Its count of news: a match with the same count has the same seats.
    pub news: i64,
    pub resigned: i32,
    pub play: Box<dyn Match>,
    game: String,
    moved_at: SqlTimestamp,
    decision_since: i32,
    seed: Seed,
    chance_count: u64,
    /// By seat; none for bots.
    holders: Vec<Option<PlayerId>>,
    nonces: Vec<Option<String>>,
}

/// A move as somebody wants to make it.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    pub seat: Seat,
    pub chosen: &'a Value,
    pub made_by: MadeBy,
    pub idempotency_key: Option<&'a str>,
}

/// A move carried out in memory.
pub struct Made {
    pub is_over: bool,
    /// Whether the autopilot may move next.
    pub calls_autopilot: bool,
    seat: Seat,
    step: Step,
    after: Position,
}

impl Position {
    /// As it was found in the database.
    pub fn of(id: MatchId, found: Found) -> Result<Self> {
        let unplayed = || internal(anyhow::anyhow!("a running match has no state"));
        Ok(Self {
            id,
            version: found.version,
            news: found.news,
            resigned: found.resigned,
            play: resume(&found.game, found.revision, found.state.as_deref().ok_or_else(unplayed)?)?,
            game: found.game,
            moved_at: found.moved_at.ok_or_else(unplayed)?,
            decision_since: found.decision_since,
            seed: start::seed(found.seed)?,
            chance_count: u64::try_from(found.chance_count).map_err(internal)?,
            holders: found.holders.unwrap_or_default(),
            nonces: found.nonces.unwrap_or_default(),
        })
    }

    /// The seat that this player plays for. All seats of a match that runs are taken.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        let seat = self.holders.iter().position(|holder| *holder == Some(player))?;
        u8::try_from(seat).map(Seat).ok()
    }

    /// Refuses a choice that was made with a version at which something else was to decide.
    pub fn refuse_out_of_date(&self, seen: Option<i64>) -> Result<()> {
        let is_good = |seen: i64| (i64::from(self.decision_since)..=i64::from(self.version)).contains(&seen);
        if seen.is_some_and(|seen| !is_good(seen)) {
            return Err(conflict("version_conflict").at_version(self.version));
        }
        Ok(())
    }

    /// Has the rules carry out the move, and gives what is to be written of it.
    pub fn make(mut self, choice: Choice<'_>, world: &World) -> Result<(Made, Advance)> {
        let Choice { seat, chosen, made_by, idempotency_key } = choice;
        let nonces = self.nonces.iter().map(Option::as_deref);
        let mut dealer = FairDealer::new(self.seed.clone(), nonces, self.chance_count);
        let before = guarded(|| self.play.turn())?;
        let step = guarded(|| self.play.play(seat, chosen, &mut dealer))?.map_err(|err| match err {
            PlayError::Refused(refusal) => refused_by_rules(&self.game, refusal.0),
            PlayError::Chance(err) => internal(err),
        })?;
        let standing = MatchState::of(&*self.play)?;
        let is_still_open = step.chance.is_empty() && only_moved(&before, seat, &standing);
        let decision_since = if is_still_open { self.decision_since } else { self.version + 1 };
        let at = SqlTimestamp::from(world.now());
        let advance = Advance {
            id: self.id,
            version: self.version,
            news: self.news,
            moved_at: self.moved_at,
            resigned: self.resigned,
            now: standing.moved(guarded(|| self.play.save())?, dealer.index(), decision_since, at)?,
            seat: i16::from(seat.0),
            chosen: JsonText(to_raw_value(chosen).map_err(internal)?),
            chance: JsonText(to_raw_value(&step.chance).map_err(internal)?),
            events: JsonText(to_raw_value(&step.events).map_err(internal)?),
            idempotency_key: idempotency_key.unwrap_or_default().to_owned(),
            made_by,
        };
        let after =
            Self { version: self.version + 1, moved_at: at, decision_since, chance_count: dealer.index(), ..self };
        // Bots may have something to say out of turn, too.
        let calls_autopilot = (advance.now.to_move | advance.now.interrupt) & advance.resigned != 0;
        Ok((Made { is_over: standing.status.is_over(), calls_autopilot, seat, step, after }, advance))
    }
}

impl Made {
    pub fn id(&self) -> MatchId {
        self.after.id
    }

    /// What the seat that moved may know of it.
    pub fn played(&self) -> Result<Played> {
        let (viewer, play) = (Viewer::Seat(self.seat), &self.after.play);
        let events = self.step.events_for(viewer).cloned().collect();
        let (view, legal_moves) = guarded(|| (play.view(viewer), play.legal_moves(self.seat)))?;
        Ok(Played { version: self.after.version, events, view, legal_moves })
    }

    /// The match after the move, once it is written and has this count of news.
    pub fn written(self, news: i64) -> Position {
        Position { news, ..self.after }
    }
}

/// Whether nothing has changed for the others but that this seat has made its choice: what they were about to choose,
/// they may still choose. So it is while several seats choose at the same time.
pub(super) fn only_moved(before: &Turn, seat: Seat, after: &MatchState) -> bool {
    match before {
        Turn::Seats { to_move, interrupt } => {
            to_move.has(seat)
                && !after.to_move.is_empty()
                && after.to_move == to_move.without(seat)
                && after.interrupt == *interrupt
        }
        Turn::Chance | Turn::Over(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use engine::SeatSet;

    use super::super::Status;
    use super::*;

    fn standing(to_move: &[u8], interrupt: &[u8]) -> MatchState {
        let set = |seats: &[u8]| seats.iter().copied().map(Seat).collect::<SeatSet>();
        let status = if to_move.is_empty() { Status::Finished } else { Status::Running };
        MatchState { status, to_move: set(to_move), interrupt: set(interrupt), outcome: None }
    }

    fn turn(to_move: &[u8], interrupt: &[u8]) -> Turn {
        let MatchState { to_move, interrupt, .. } = standing(to_move, interrupt);
        Turn::Seats { to_move, interrupt }
    }

    #[test]
    fn a_choice_at_the_same_time_leaves_the_others_theirs() {
        assert!(only_moved(&turn(&[0, 1, 2], &[]), Seat(1), &standing(&[0, 2], &[])));
        assert!(only_moved(&turn(&[0, 1], &[3]), Seat(1), &standing(&[0], &[3])));
    }

    #[test]
    fn anything_else_is_a_new_decision() {
        assert!(!only_moved(&turn(&[0, 1], &[]), Seat(1), &standing(&[], &[])));
        assert!(!only_moved(&turn(&[0], &[]), Seat(0), &standing(&[1], &[])));
        assert!(!only_moved(&turn(&[0, 1], &[2]), Seat(1), &standing(&[0], &[])));
        assert!(!only_moved(&turn(&[0, 1], &[2]), Seat(2), &standing(&[0, 1], &[2])));
        assert!(!only_moved(&turn(&[0, 1, 2], &[]), Seat(1), &standing(&[0, 1], &[])));
    }
}
