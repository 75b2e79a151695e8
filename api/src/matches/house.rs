//! The house moves for seats whose players have left or let their time run out.
//!
//! The process that made it the seat's turn calls for it; should that process die in between, any other finds the match
//! by asking now and then which are due. Whoever writes first has moved.

use std::time::Duration;

use engine::Seat;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use super::play::make;
use super::statements::{self, Found};
use super::store::{self, HouseRow};
use super::{Patience, Status, guarded, resume, seats_in};
use crate::db::Db;
use crate::error::{ApiResult, internal};
use crate::ids::MatchId;
use crate::live::Live;
use crate::stop::Stop;
use crate::world::World;

const BETWEEN_ROUNDS: Duration = Duration::from_secs(2);
/// Forgotten matches are looked for once in so many rounds.
const ROUNDS_BETWEEN_SWEEPS: u32 = 300;
/// So many matches a round, so many moves in a row: the rest comes with the next.
const MATCHES_A_ROUND: i64 = 200;
const MOVES_IN_A_ROW: usize = 500;
const CALLS: usize = 1024;

/// Calls the house to a match; its clones call the same.
#[derive(Clone)]
pub struct House(mpsc::Sender<MatchId>);

impl House {
    pub fn start(db: Db, world: World, live: Live, stop: Stop, patience: Patience) -> Self {
        let (calls, called) = mpsc::channel(CALLS);
        let runtime = db.runtime().clone();
        runtime.spawn(keep_house((db, world, live, patience), stop, called));
        Self(calls)
    }

    /// It may be that the house has to move in this match.
    pub fn call(&self, id: MatchId) {
        // With so many calls before it, the next round will find the match as soon.
        let _ = self.0.try_send(id);
    }
}

async fn keep_house(
    (db, world, live, patience): (Db, World, Live, Patience),
    stop: Stop,
    mut called: mpsc::Receiver<MatchId>,
) {
    let mut rounds = interval(BETWEEN_ROUNDS);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut round = 0_u32;
    loop {
        let done = tokio::select! {
            Some(id) = called.recv() => move_in(&db, &world, &live, id).await,
            _ = rounds.tick() => {
                let done = make_round(&db, &world, &live, (patience, round)).await;
                round = round.wrapping_add(1);
                done
            }
            () = stop.requested() => return,
        };
        if let Err(err) = done {
            tracing::warn!(reason = %err, "the house could not move");
        }
    }
}

async fn make_round(db: &Db, world: &World, live: &Live, (patience, round): (Patience, u32)) -> ApiResult<()> {
    let due = store::list_due(&mut *db.conn().await?, world.now(), MATCHES_A_ROUND).await?;
    for id in due {
        if let Err(err) = move_in(db, world, live, id).await {
            tracing::error!(reason = ?err, %id, "the house could not move in a match");
        }
    }
    if round.is_multiple_of(ROUNDS_BETWEEN_SWEEPS) {
        let expired = super::expire(&mut *db.conn().await?, world, live, patience).await?;
        tracing::debug!(expired, "looked for forgotten matches");
    }
    Ok(())
}

/// Moves for as long as it is the turn of somebody for whom the house moves.
async fn move_in(db: &Db, world: &World, live: &Live, id: MatchId) -> ApiResult<()> {
    let mut conn = db.conn().await?;
    for _ in 0..MOVES_IN_A_ROW {
        let Some(found) = store::find_for_house(&mut conn, id).await? else { return Ok(()) };
        let Some(seat) = due_seat(&found, world.now()) else { return Ok(()) };
        let nonces = store::list_seats(&mut conn, &[id]).await?.into_iter().map(|it| it.nonce).collect();
        let found = Found {
            game: found.row.game,
            revision: found.row.revision,
            status: found.row.status,
            version: found.row.version,
            decision_since: found.decision_since,
            resigned: found.row.resigned,
            chance_count: found.chance_count,
            seed: found.seed,
            state: found.state,
            seat: None,
            nonces: Some(nonces),
            played_before: None,
        };
        let play = resume(&found.game, found.revision, found.state.as_deref().unwrap_or_default())?;
        let chosen = guarded(|| play.autopilot(seat))?;
        let chosen = chosen.ok_or_else(|| internal(anyhow::anyhow!("a seat on turn has no move")))?;
        let made = make(&found, seat, &serde_json::from_str(chosen.get()).map_err(internal)?)?;
        // If somebody was quicker, the next look at the match shows what is left to do.
        let advance = made.advance(id, found.version, found.resigned, world)?;
        if let Some(news) = statements::advance(&mut conn, advance).await? {
            live.tell(id, news);
        }
    }
    Ok(())
}

/// The seat for which the house moves now: one whose player has left, or else one whose time is up.
fn due_seat(found: &HouseRow, now: Timestamp) -> Option<Seat> {
    let row = &found.row;
    if row.status != Status::Running {
        return None;
    }
    let left = seats_in(row.to_move & row.resigned).iter().next();
    let deadline = row.deadline();
    left.or_else(|| deadline.filter(|deadline| *deadline < now).and_then(|_| seats_in(row.to_move).iter().next()))
}

impl super::MatchRow {
    /// When the house will move for whoever is on turn.
    pub fn deadline(&self) -> Option<Timestamp> {
        let turn = SignedDuration::from_secs(i64::from(self.turn_seconds?));
        (self.status == Status::Running).then_some(self.moved_at? + turn)
    }
}
