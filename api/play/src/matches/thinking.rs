//! Bots that think before they move: on threads of their own and without a lock, so that nobody waits for them. What a bot knows
//! is what its seat sees and was told, and nothing else.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Json, Match, Seat, Viewer};
use jiff::SignedDuration;
use tokio::sync::Semaphore;

use super::{Autopilot, BotLevel, MatchId, replay};
use base::db::Db;
use base::error::{Result, internal};
use base::games::guarded;
use base::spare::{self, Haste};
use base::world::World;

/// How long a bot thinks about a move at most.
const LONGEST_THOUGHT: SignedDuration = SignedDuration::from_millis(600);

/// What a bot has to decide.
pub(super) struct Question {
    pub id: MatchId,
    pub version: i32,
    /// The match at this version.
    pub play: Box<dyn Match>,
    pub task: Task,
}

/// What there is to think about.
pub(super) enum Task {
    /// The move of a bot on turn.
    Move(Seat, BotLevel),
    /// Whether one of these bots interrupts the others, the first one first.
    Interruption(Vec<(Seat, BotLevel)>),
}

/// What was thought of a match at this version.
pub(super) struct Thought {
    pub version: i32,
    pub answer: Answer,
}

pub(super) enum Answer {
    /// The move of the bot on turn; none if it failed to decide.
    Move(Seat, Option<Json>),
    /// Who interrupts the others; none if nobody does.
    Interruption(Option<(Seat, Json)>),
}

/// The bots of this process that think, and what they have thought.
#[derive(Clone)]
pub(super) struct Thinking {
    db: Db,
    world: World,
    autopilot: Autopilot,
    /// One bot at a time for every other processor: the others are for people.
    permits: Arc<Semaphore>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    thinking: HashSet<MatchId>,
    thoughts: HashMap<MatchId, Thought>,
}

impl Thinking {
    pub(super) fn new(db: Db, world: World, autopilot: Autopilot) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let permits = Arc::new(Semaphore::new((processors / 2).max(1)));
        Self { db, world, autopilot, permits, state: Arc::default() }
    }

    /// What was thought about this match, if it was not asked for yet.
    pub(super) fn take(&self, id: MatchId) -> Option<Thought> {
        self.state().thoughts.remove(&id)
    }

    /// Thinks, and calls the autopilot once it is done.
    pub(super) fn think(&self, question: Question) {
        let (id, version) = (question.id, question.version);
        // If it fails, nobody should wait for it.
        let nothing = match question.task {
            Task::Move(seat, _) => Answer::Move(seat, None),
            Task::Interruption(_) => Answer::Interruption(None),
        };
        if !self.state().thinking.insert(id) {
            return;
        }
        let this = self.clone();
        self.db.runtime().spawn(async move {
            let decided = this.decide(question).await;
            if let Err(err) = &decided {
                tracing::warn!(match_id = %id, error = format!("{err:#}"), "thinking about a move failed");
            }
            let mut state = this.state();
            state.thinking.remove(&id);
            state.thoughts.insert(id, Thought { version, answer: decided.unwrap_or(nothing) });
            drop(state);
            this.autopilot.call(id);
        });
    }

    async fn decide(&self, question: Question) -> Result<Answer> {
        let _permit = self.permits.acquire().await.map_err(internal)?;
        let Question { id, version, play, task } = question;
        let log = replay::read_log(&mut *self.db.conn().await?, id, version).await?;
        let world = self.world;
        let told = move |seat| replay::told_of(&log, Viewer::Seat(seat));
        let answered = spare::begin("bot", Haste::Some, move || match task {
            Task::Move(seat, level) => {
                answer(&*play, seat, level, &told(seat)?, &world).map(|chosen| Answer::Move(seat, Some(chosen)))
            }
            Task::Interruption(bots) => {
                for (seat, level) in bots {
                    if let Some(chosen) = interruption(&*play, seat, level, &told(seat)?, &world)? {
                        return Ok(Answer::Interruption(Some((seat, chosen))));
                    }
                }
                Ok(Answer::Interruption(None))
            }
        })?;
        answered.await.map_err(internal)?
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The move that a bot of this level chooses for the seat.
pub(super) fn answer(play: &dyn Match, seat: Seat, level: BotLevel, told: &[Json], world: &World) -> Result<Json> {
    let until = world.now() + LONGEST_THOUGHT;
    let mut goes_on = || world.now() < until;
    let chosen = guarded(|| play.bot(seat, told, level.into(), &mut goes_on, &mut world.luck()))?;
    chosen.map_err(internal)?.ok_or_else(|| internal(anyhow::anyhow!("a seat on turn has no move")))
}

/// What a bot of this level does out of turn, if anything.
pub(super) fn interruption(
    play: &dyn Match,
    seat: Seat,
    level: BotLevel,
    told: &[Json],
    world: &World,
) -> Result<Option<Json>> {
    let until = world.now() + LONGEST_THOUGHT;
    let mut goes_on = || world.now() < until;
    guarded(|| play.interruption(seat, told, level.into(), &mut goes_on, &mut world.luck()))?.map_err(internal)
}
