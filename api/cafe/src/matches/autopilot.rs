//! The autopilot moves for bots, and for seats whose players have left or let their time run out.
//!
//! The process that made it the seat's turn calls for it; should that process die in between, any other finds the match
//! by asking now and then which are due. The first process that locks the match moves, and no other waits for it. A bot that
//! has to think does so before, in `thinking`, and nobody waits for that either.

use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{Seat, Turn};
use jiff::SignedDuration;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use super::end::{Leaving, leave_seat};
use super::heal::heal;
use super::play::make;
use super::statements;
use super::store::stuck;
use super::thinking::{self, Question, Thinking, Thought};
use super::{BotLevel, MadeBy, Patience, bits, clock, store};
use crate::db::Db;
use crate::error::{Error, Result, internal};
use crate::games::{guarded, resume};
use crate::ids::MatchId;
use crate::live::Live;
use crate::stop::Stop;
use crate::world::World;

const BETWEEN_ROUNDS: Duration = Duration::from_secs(1);
/// Forgotten matches are looked for once in so many rounds.
const ROUNDS_BETWEEN_SWEEPS: u32 = 600;
/// So many matches a round, so many moves in a row: the rest comes with the next.
const MATCHES_A_ROUND: i64 = 200;
const MOVES_IN_A_ROW: usize = 500;
const CALLS: usize = 1024;
/// A bot that has thought for so long was in a process that is no more.
const THOUGHT_LOST_AFTER: SignedDuration = SignedDuration::from_secs(5);
/// A player who lets the time run out this often in a row has left.
const TIMES_UP: i64 = 3;

/// Calls the autopilot to a match; its clones call the same.
#[derive(Clone)]
pub struct Autopilot(mpsc::Sender<MatchId>);

/// Why the autopilot moves for a seat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    PlayerLeft,
    TimeUp,
}

impl Autopilot {
    pub fn start(db: Db, world: World, live: Live, stop: Stop, patience: Patience) -> Self {
        let (calls, called) = mpsc::channel(CALLS);
        let runtime = db.runtime().clone();
        let autopilot = Self(calls);
        let thinking = Thinking::new(db.clone(), world, autopilot.clone());
        runtime.spawn(keep_moving(Moving { db, world, live, thinking }, patience, stop, called));
        autopilot
    }

    /// One that hears no call, for commands that are over in a moment: a server's next round finds what is due.
    pub fn away() -> Self {
        Self(mpsc::channel(1).0)
    }

    /// It may be that the autopilot has to move in this match.
    pub fn call(&self, id: MatchId) {
        // With so many calls before it, the next round will find the match as soon.
        let _ = self.0.try_send(id);
    }
}

/// What it takes to move.
struct Moving {
    db: Db,
    world: World,
    live: Live,
    thinking: Thinking,
}

async fn keep_moving(moving: Moving, patience: Patience, stop: Stop, mut called: mpsc::Receiver<MatchId>) {
    let mut rounds = interval(BETWEEN_ROUNDS);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut round = 0_u32;
    loop {
        let done = tokio::select! {
            Some(id) = called.recv() => moving.move_in(id).await,
            _ = rounds.tick() => {
                let done = moving.make_round(patience, round).await;
                round = round.wrapping_add(1);
                done
            }
            () = stop.requested() => return,
        };
        if let Err(err) = done {
            tracing::warn!(error = format!("{err:#}"), "moving for absent players failed");
        }
    }
}

impl Moving {
    async fn make_round(&self, patience: Patience, round: u32) -> Result<()> {
        let Self { db, world, live, .. } = self;
        let mut conn = db.conn().await?;
        clock::keep_time(&mut conn, live).await?;
        let mut due = store::list_left_on_turn(&mut conn, world.now() - THOUGHT_LOST_AFTER, MATCHES_A_ROUND).await?;
        due.extend(clock::list_late(&mut conn, MATCHES_A_ROUND).await?);
        let stuck = stuck::list(&mut conn).await?;
        drop(conn);
        for id in due {
            match self.move_in(id).await {
                Ok(()) if stuck.contains(&id) => {
                    stuck::forget_failures(&mut *db.conn().await?, id).await?;
                }
                Ok(()) => {}
                Err(err) => {
                    let mut conn = db.conn().await?;
                    let is_healed = matches!(err, Error::Internal(_)) && heal(&mut conn, id).await.unwrap_or(false);
                    if !is_healed {
                        put_off(&mut conn, id, &err).await?;
                    }
                }
            }
        }
        if round.is_multiple_of(ROUNDS_BETWEEN_SWEEPS) {
            let mut conn = db.conn().await?;
            stuck::forget_over(&mut conn).await?;
            let expired = super::expire(&mut conn, world, live, patience).await?;
            tracing::debug!(matches = expired, "closed forgotten matches");
        }
        Ok(())
    }

    /// Moves for as long as it is the turn of somebody for whom the autopilot moves, or until a bot has to think.
    async fn move_in(&self, id: MatchId) -> Result<()> {
        let mut conn = self.db.conn().await?;
        for _ in 0..MOVES_IN_A_ROW {
            let thought = self.thinking.take(id);
            match conn.transaction(async |conn| move_once(conn, &self.world, id, thought).await).await? {
                Next::Moved(news) => self.live.tell(id, news),
                Next::Think(question) => {
                    self.thinking.think(question);
                    return Ok(());
                }
                Next::Nothing => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Tries this match again later, so that it takes no time from the others. The log tells of the first failure and of the one
/// after which somebody has to look at it.
async fn put_off(conn: &mut AsyncPgConnection, id: MatchId, err: &Error) -> Result<()> {
    // The database is to blame: the next round will do.
    if err.code() == "unavailable" {
        return Ok(());
    }
    let attempts = stuck::note_failure(conn, id).await?;
    let error = format!("{err:#}");
    match attempts {
        1 => tracing::warn!(match_id = %id, error, "moving for an absent player failed"),
        stuck::PUT_ASIDE_AFTER => tracing::error!(match_id = %id, error, attempts, "put a match aside"),
        _ => tracing::debug!(match_id = %id, error, attempts, "moving for an absent player failed again"),
    }
    Ok(())
}

/// What comes of looking at a match.
enum Next {
    /// A move was made; this is the match's new count of news.
    Moved(i64),
    /// A bot has to think before it moves.
    Think(Question),
    /// There is nothing to do here for this process.
    Nothing,
}

async fn move_once(conn: &mut AsyncPgConnection, world: &World, id: MatchId, thought: Option<Thought>) -> Result<Next> {
    if !store::lock_running_unless_busy(conn, id).await? {
        return Ok(Next::Nothing);
    }
    let Some(found) = statements::find(conn, id, None, None).await? else { return Ok(Next::Nothing) };
    let Some(state) = &found.state else { return Ok(Next::Nothing) };
    let play = resume(&found.game, found.revision, state)?;
    let Turn::Seats { to_move, .. } = guarded(|| play.turn())? else { return Ok(Next::Nothing) };
    let Some((seat, cause)) = due(conn, id, bits(to_move), found.resigned).await? else { return Ok(Next::Nothing) };
    let level = match cause {
        Cause::PlayerLeft => store::find_bot(conn, id, i16::from(seat.0)).await?,
        Cause::TimeUp => None,
    };
    let thought = thought.filter(|thought| thought.answers(found.version, seat));
    let chosen = match (level, thought.map(|thought| thought.chosen)) {
        (Some(_), Some(Some(chosen))) => chosen,
        // It failed to decide: nobody shall wait for it any longer.
        (Some(BotLevel::Hard), Some(None)) => thinking::answer(&*play, seat, BotLevel::Medium, &[], world)?,
        (Some(level @ BotLevel::Hard), None) => {
            let (game, state) = (found.game.clone(), state.clone());
            let (revision, version) = (found.revision, found.version);
            return Ok(Next::Think(Question { id, game, revision, version, state, seat, level }));
        }
        (Some(level), _) => thinking::answer(&*play, seat, level, &[], world)?,
        (None, _) => {
            let chosen = guarded(|| play.autopilot(seat, &mut world.luck()))?;
            chosen.ok_or_else(|| internal(anyhow::anyhow!("a seat on turn has no move")))?
        }
    };
    let made = make(&found, seat, &serde_json::from_str(chosen.get()).map_err(internal)?)?;
    let advance = made.advance(id, found.version, found.resigned, world)?;
    let Some(news) = statements::advance(conn, advance).await? else { return Ok(Next::Nothing) };
    if cause == Cause::TimeUp && !made.is_over() && is_gone(conn, id, seat).await? {
        return leave_seat(conn, world, id, i16::from(seat.0), Leaving::TimedOut).await.map(Next::Moved);
    }
    Ok(Next::Moved(news))
}

/// The seat for which the autopilot moves now: one whose player has left, or else one whose time is up.
async fn due(conn: &mut AsyncPgConnection, id: MatchId, to_move: i32, left: i32) -> Result<Option<(Seat, Cause)>> {
    if let Some(seat) = super::seats_in(to_move & left).iter().next() {
        return Ok(Some((seat, Cause::PlayerLeft)));
    }
    let clock = clock::find(conn, id).await?;
    Ok(clock.and_then(|(clock, now)| clock.late(to_move, now)).map(|seat| (seat, Cause::TimeUp)))
}

/// Whether the autopilot has made all of this seat's latest moves.
async fn is_gone(conn: &mut AsyncPgConnection, id: MatchId, seat: Seat) -> Result<bool> {
    let latest = store::list_makers(conn, id, i16::from(seat.0), TIMES_UP).await?;
    Ok(latest.len() as i64 == TIMES_UP && latest.iter().all(|by| *by == MadeBy::Server))
}
