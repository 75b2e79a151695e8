//! Bots that think before they move: on threads of their own and without a lock, so that nobody waits for them. What a bot knows
//! is what its seat sees and was told, and nothing else.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Json, Match, Seat, Viewer};
use jiff::SignedDuration;
use tokio::sync::Semaphore;

use super::{Autopilot, BotLevel, MatchId, replay};
use crate::db::Db;
use crate::error::{Result, internal};
use crate::games::guarded;
use crate::spare::{self, Haste};
use crate::world::World;

/// How long a bot thinks about a move at most.
const LONGEST_THOUGHT: SignedDuration = SignedDuration::from_millis(600);

/// What a bot has to decide.
pub(super) struct Question {
    pub id: MatchId,
    pub version: i32,
    /// The match at this version.
    pub play: Box<dyn Match>,
    pub seat: Seat,
    pub level: BotLevel,
}

/// What it has decided.
pub(super) struct Thought {
    version: i32,
    seat: Seat,
    /// None if it failed to decide.
    pub chosen: Option<Json>,
}

impl Thought {
    /// Whether it is about this decision.
    pub(super) fn answers(&self, version: i32, seat: Seat) -> bool {
        self.version == version && self.seat == seat
    }
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
        let (id, version, seat) = (question.id, question.version, question.seat);
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
            state.thoughts.insert(id, Thought { version, seat, chosen: decided.ok() });
            drop(state);
            this.autopilot.call(id);
        });
    }

    async fn decide(&self, question: Question) -> Result<Json> {
        let _permit = self.permits.acquire().await.map_err(internal)?;
        let (id, version, viewer) = (question.id, question.version, Viewer::Seat(question.seat));
        let told = replay::told_to(&mut *self.db.conn().await?, id, viewer, version).await?;
        let world = self.world;
        let answered = spare::begin("bot", Haste::Some, move || {
            answer(&*question.play, question.seat, question.level, &told, &world)
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
