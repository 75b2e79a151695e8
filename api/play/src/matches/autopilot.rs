//! The autopilot moves for bots, and for seats whose players have left or let their time run out.
//!
//! The process that made it the seat's turn calls for it; should that process die in between, any other finds the match
//! by asking now and then which are due. Of several processes that try, one writes the move, as with moves of players, and none waits
//! for a match that somebody holds. A bot that has to think does so before, in `thinking`, and nobody waits for that either.

use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{Json, Seat, Turn};
use jiff::SignedDuration;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use super::end::{Leaving, leave_seat};
use super::heal::heal;
use super::position::{Choice, Position};
use super::statements::{self, Advance};
use super::store::stuck;
use super::thinking::{self, Answer, Question, Task, Thinking, Thought};
use super::{BotLevel, MadeBy, Mover, Patience, Status, bits, clock, store};
use base::db::Db;
use base::error::{Error, Result, internal};
use base::games::guarded;
use base::ids::MatchId;
use base::stop::Stop;
use base::world::World;

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
const TIMES_UP: usize = 3;

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
    pub fn start(db: Db, mover: Mover, stop: Stop, patience: Patience) -> Self {
        let (calls, called) = mpsc::channel(CALLS);
        let runtime = db.runtime().clone();
        let autopilot = Self(calls);
        let thinking = Thinking::new(db.clone(), mover.world, autopilot.clone());
        runtime.spawn(clock::keep_running(db.clone(), mover.live.clone(), stop.clone()));
        runtime.spawn(keep_moving(Moving { db, mover, thinking }, patience, stop, called));
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
    mover: Mover,
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
        let Self { db, mover: Mover { world, live, .. }, .. } = self;
        let mut conn = db.conn().await?;
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
        let mut tried = None;
        for _ in 0..MOVES_IN_A_ROW {
            let thought = self.thinking.take(id);
            match self.move_once(id, thought, &mut tried).await? {
                Next::Move => {}
                Next::Think(question) => {
                    self.thinking.think(question);
                    return Ok(());
                }
                Next::Nothing => return Ok(()),
            }
        }
        Ok(())
    }

    /// `tried` is the count of news at which a move was not written.
    async fn move_once(&self, id: MatchId, thought: Option<Thought>, tried: &mut Option<i64>) -> Result<Next> {
        let mut conn = self.db.conn().await?;
        let Some(found) = statements::find(&mut conn, id, None, None).await? else { return Ok(Next::Nothing) };
        // Somebody holds the match, and calls if there is something to do afterwards.
        let is_busy = *tried == Some(found.news);
        if is_busy || found.status != Status::Running || found.state.is_none() {
            return Ok(Next::Nothing);
        }
        let position = Position::of(id, found)?;
        let Turn::Seats { to_move, interrupt } = guarded(|| position.play.turn())? else { return Ok(Next::Nothing) };
        let interrupting = bits(interrupt) & position.resigned;
        // Whom a bot thought for may be back, without a move in between.
        let is_stale = |it: &Answer| match it {
            Answer::Interruption(Some((seat, _))) => !super::seats_in(interrupting).has(*seat),
            Answer::Interruption(None) | Answer::Move(..) => false,
        };
        let thought = thought.filter(|it| it.version == position.version).map(|it| it.answer);
        let thought = thought.filter(|it| !is_stale(it));
        let out_of_turn = match &thought {
            None if interrupting != 0 => {
                let bots = store::list_bots(&mut conn, id).await?;
                let bots = bots.into_iter().filter(|(seat, _)| super::seats_in(interrupting).has(*seat)).collect();
                decide_out_of_turn(&position, bots, &self.mover.world)?
            }
            Some(Answer::Interruption(Some((seat, chosen)))) => Some((*seat, Decided::Chosen(chosen.clone()))),
            None | Some(Answer::Interruption(None) | Answer::Move(..)) => None,
        };
        let (seat, cause, decided) = match out_of_turn {
            Some((seat, decided)) => (seat, Cause::PlayerLeft, decided),
            None => {
                let due = due(&mut conn, id, bits(to_move), position.resigned).await?;
                let Some((seat, cause)) = due else { return Ok(Next::Nothing) };
                let level = match cause {
                    Cause::PlayerLeft => store::find_bot(&mut conn, id, i16::from(seat.0)).await?,
                    Cause::TimeUp => None,
                };
                (seat, cause, decide(&position, seat, level, thought, &self.mover.world)?)
            }
        };
        drop(conn);
        let chosen = match decided {
            Decided::Chosen(chosen) => serde_json::from_str(chosen.get()).map_err(internal)?,
            Decided::Think(task) => {
                let Position { version, play, .. } = position;
                return Ok(Next::Think(Question { id, version, play, task }));
            }
        };
        let news = position.news;
        let choice = Choice { seat, chosen: &chosen, made_by: MadeBy::Server, idempotency_key: None };
        let (made, advance) = position.make(choice, &self.mover.world)?;
        let is_written = match cause {
            Cause::PlayerLeft => self.mover.write_unless_busy(made, advance).await?,
            Cause::TimeUp => self.move_late(made.is_over, seat, advance).await?,
        };
        if !is_written {
            *tried = Some(news);
        }
        Ok(Next::Move)
    }

    /// Writes the move of a seat whose time is up, unless somebody holds the match: whether it did. If the autopilot has made all of
    /// the seat's latest moves, its player has left by the same transaction.
    async fn move_late(&self, is_over: bool, seat: Seat, advance: Advance) -> Result<bool> {
        let (id, Mover { world, live, .. }) = (advance.id, &self.mover);
        let mut conn = self.db.conn().await?;
        let news = conn
            .transaction(async |conn| {
                if !store::lock_running_unless_busy(conn, id).await? {
                    return Ok(None);
                }
                let Some(news) = statements::advance(conn, &advance).await? else { return Ok(None) };
                if !is_over && is_gone(conn, id, seat).await? {
                    return leave_seat(conn, world, id, i16::from(seat.0), Leaving::TimedOut).await.map(Some);
                }
                Ok::<_, Error>(Some(news))
            })
            .await?;
        if let Some(news) = news {
            live.tell(id, news);
        }
        Ok(news.is_some())
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
    /// A move was made, or somebody else was quicker: there may be another.
    Move,
    /// A bot has to think before it moves.
    Think(Question),
    /// There is nothing to do here for this process.
    Nothing,
}

enum Decided {
    Chosen(Json),
    /// A bot has to think first.
    Think(Task),
}

/// What one of these bots, which may interrupt the others, does out of turn: the first that does anything. Those that think
/// do so after all others have let it be.
fn decide_out_of_turn(
    position: &Position,
    bots: Vec<(Seat, BotLevel)>,
    world: &World,
) -> Result<Option<(Seat, Decided)>> {
    let (thinking, others): (Vec<_>, Vec<_>) = bots.into_iter().partition(|(_, level)| *level == BotLevel::Hard);
    for (seat, level) in others {
        if let Some(chosen) = thinking::interruption(&*position.play, seat, level, &[], world)? {
            return Ok(Some((seat, Decided::Chosen(chosen))));
        }
    }
    let first = thinking.first().map(|(seat, _)| *seat);
    Ok(first.map(|seat| (seat, Decided::Think(Task::Interruption(thinking)))))
}

fn decide(
    position: &Position,
    seat: Seat,
    level: Option<BotLevel>,
    thought: Option<Answer>,
    world: &World,
) -> Result<Decided> {
    let play = &*position.play;
    let thought = match thought {
        Some(Answer::Move(of, chosen)) if of == seat => Some(chosen),
        Some(Answer::Move(..) | Answer::Interruption(_)) | None => None,
    };
    let chosen = match (level, thought) {
        (Some(_), Some(Some(chosen))) => chosen,
        // It failed to decide: nobody should wait for it any longer.
        (Some(BotLevel::Hard), Some(None)) => thinking::answer(play, seat, BotLevel::Medium, &[], world)?,
        (Some(level @ BotLevel::Hard), None) => return Ok(Decided::Think(Task::Move(seat, level))),
        (Some(level), _) => thinking::answer(play, seat, level, &[], world)?,
        (None, _) => {
            let chosen = guarded(|| play.autopilot(seat, &mut world.luck()))?;
            chosen.ok_or_else(|| internal(anyhow::anyhow!("a seat on turn has no move")))?
        }
    };
    Ok(Decided::Chosen(chosen))
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
    Ok(latest.len() == TIMES_UP && latest.iter().all(|by| *by == MadeBy::Server))
}
