//! A seat moves: one query, the rules, one statement. Everything else a move needs is known from these.

use diesel_async::AsyncPgConnection;
use engine::{FairDealer, Json, Match, PlayError, Seat, Step, Turn, Viewer};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::to_raw_value;
use utoipa::ToSchema;

use super::access::stranger;
use super::heal::heal;
use super::statements::{self, Advance, Found};
use super::store::JsonText;
use super::{Autopilot, MadeBy, MatchState, Status, bits, refused_by_rules, replay, seat_of, seats_in, start};
use crate::error::{Error, Result, conflict, forbidden, internal, not_found};
use crate::games::shapes::{GameEvent, GameMove, GameView};
use crate::games::{guarded, resume};
use crate::ids::{MatchId, PlayerId};
use crate::live::Live;
use crate::world::World;

/// How often a move is checked again because somebody else was quicker, before its sender is asked to.
const ATTEMPTS: usize = 10;

/// A move as it was sent.
#[derive(Clone, Copy, Debug)]
pub struct Move<'a> {
    pub chosen: &'a Value,
    /// The version that the player saw when choosing; none if any will do.
    pub version: Option<i64>,
    pub idempotency_key: Option<&'a str>,
}

/// A move that was made, as its seat may know it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Played {
    pub version: i32,
    /// What the seat was told.
    #[schema(value_type = Vec<GameEvent>)]
    pub events: Vec<Json>,
    #[schema(value_type = GameView)]
    pub view: Json,
    #[schema(value_type = Vec<GameMove>)]
    pub legal_moves: Vec<Json>,
}

pub async fn play(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    autopilot: &Autopilot,
    player: PlayerId,
    id: MatchId,
    sent: Move<'_>,
) -> Result<Played> {
    for _ in 0..ATTEMPTS {
        let found = statements::find(conn, id, Some(player), sent.idempotency_key).await?;
        let found = found.ok_or_else(|| not_found("match_not_found"))?;
        let Some(seat) = found.seat else { return Err(stranger(conn, id, player, "not_seated").await) };
        let seat = seat_of(seat)?;
        if let Some(version) = found.played_before {
            return replay::play_again(conn, id, seat, version, sent.chosen).await;
        }
        refuse_out_of_date(&found, seat, sent.version)?;
        let made = match make(&found, seat, sent.chosen) {
            Err(Error::Internal(_)) if heal(conn, id).await? => continue,
            made => made?,
        };
        let advance = made.advance(id, found.version, found.resigned, world)?;
        let advance = Advance { idempotency_key: sent.idempotency_key, made_by: MadeBy::Player, ..advance };
        if let Some(news) = statements::advance(conn, advance).await? {
            live.tell(id, news);
            if bits(made.standing.to_move) & found.resigned != 0 {
                autopilot.call(id);
            }
            metrics::counter!("moves_total").increment(1);
            return made.played(found.version + 1);
        }
    }
    Err(conflict("busy"))
}

fn refuse_out_of_date(found: &Found, seat: Seat, version: Option<i64>) -> Result<()> {
    if seats_in(found.resigned).has(seat) {
        return Err(forbidden("resigned"));
    }
    match found.status {
        Status::Running | Status::Finished if found.state.is_none() => return Err(conflict("match_scored")),
        Status::Running | Status::Finished => {}
        Status::Waiting | Status::Aborted | Status::Expired => return Err(conflict("match_not_running")),
    }
    let is_good = |seen: i64| (i64::from(found.decision_since)..=i64::from(found.version)).contains(&seen);
    if version.is_some_and(|seen| !is_good(seen)) {
        return Err(conflict("version_conflict").at_version(found.version));
    }
    Ok(())
}

/// A move carried out in memory.
pub struct Made {
    play: Box<dyn Match>,
    step: Step,
    seat: Seat,
    state: Vec<u8>,
    chosen: String,
    chance_count: u64,
    decision_since: i32,
    pub(super) standing: MatchState,
}

/// Has the rules carry out the move, against the state that was found.
pub fn make(found: &Found, seat: Seat, chosen: &Value) -> Result<Made> {
    let state = found.state.as_deref().ok_or_else(|| internal(anyhow::anyhow!("a running match has no state")))?;
    let mut play = resume(&found.game, found.revision, state)?;
    let seed = start::seed(found.seed.clone())?;
    let nonces = found.nonces.iter().flatten().map(Option::as_deref);
    let mut dealer = FairDealer::new(seed, nonces, u64::try_from(found.chance_count).map_err(internal)?);
    let before = play.turn();
    let step = guarded(|| play.play(seat, chosen, &mut dealer))?.map_err(|err| match err {
        PlayError::Refused(refusal) => refused_by_rules(&found.game, refusal.0),
        PlayError::Chance(err) => internal(err),
    })?;
    let standing = MatchState::of(&*play)?;
    let is_still_open = step.chance.is_empty() && only_moved(&before, seat, &standing);
    Ok(Made {
        state: guarded(|| play.save())?,
        chosen: chosen.to_string(),
        chance_count: dealer.index(),
        decision_since: if is_still_open { found.decision_since } else { found.version + 1 },
        play,
        step,
        seat,
        standing,
    })
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

impl Made {
    pub fn is_over(&self) -> bool {
        self.standing.status.is_over()
    }

    pub fn advance(&self, id: MatchId, version: i32, resigned: i32, world: &World) -> Result<Advance<'_>> {
        Ok(Advance {
            id,
            version,
            resigned,
            now: self.standing.moved(&self.state, self.chance_count, self.decision_since, world.now().into())?,
            seat: i16::from(self.seat.0),
            chosen: JsonText(serde_json::from_str(&self.chosen).map_err(internal)?),
            chance: JsonText(to_raw_value(&self.step.chance).map_err(internal)?),
            events: JsonText(to_raw_value(&self.step.events).map_err(internal)?),
            idempotency_key: None,
            made_by: MadeBy::Server,
        })
    }

    fn played(self, version: i32) -> Result<Played> {
        let viewer = Viewer::Seat(self.seat);
        let events = self.step.events_for(viewer).cloned().collect();
        let (view, legal_moves) = guarded(|| (self.play.view(viewer), self.play.legal_moves(self.seat)))?;
        Ok(Played { version, events, view, legal_moves })
    }
}

#[cfg(test)]
mod tests {
    use engine::SeatSet;

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
