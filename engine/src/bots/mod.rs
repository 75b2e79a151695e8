//! Bots: players that know their seat's view, its legal moves and what the seat was told, and nothing else.
//!
//! ```
//! use engine::bots::Policy;
//! use engine::{catalogue, playout};
//! use serde_json::json;
//!
//! let kind = catalogue::find("liars-dice").expect("a game of the catalogue");
//! let policies = [Policy::Autopilot, Policy::Random];
//! let outcome = kind.play_out(&json!({}), &policies, &mut playout::random(1))?;
//! assert_eq!(outcome.ranks.count(), 2);
//! # Ok::<(), engine::BadOptions>(())
//! ```

mod retelling;
mod search;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chance::Source;
use crate::game::{Action, Addressed, BadOptions, Game, Outcome, Turn, Viewer};
use crate::seats::{PerSeat, Seat};
pub(crate) use retelling::retell;

/// How strong a bot is, as guests choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Plays like the autopilot, but makes one move in three at random.
    Easy,
    /// Plays like the autopilot.
    Medium,
    /// Searches.
    Hard,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];

    /// How a bot of this level chooses its next move.
    pub fn policy(self, source: &mut dyn Source) -> Policy {
        match self {
            Level::Easy if source.below(3) == 0 => Policy::Random,
            Level::Easy | Level::Medium => Policy::Autopilot,
            Level::Hard => Policy::Search { rollouts: HARD_ROLLOUTS },
        }
    }

    /// How a bot of this level decides whether to interrupt the others; easy ones never do.
    pub fn interrupts_by(self) -> Option<Policy> {
        match self {
            Level::Easy => None,
            Level::Medium => Some(Policy::Autopilot),
            Level::Hard => Some(Policy::Search { rollouts: INTERRUPTION_ROLLOUTS }),
        }
    }
}

/// How many matches a hard bot plays to their end in its head before it interrupts the others. Less than before a move:
/// it is asked at every move of all others.
const INTERRUPTION_ROLLOUTS: u32 = 400;
/// How many matches a hard bot plays to their end in its head before a move, if it has the time.
const HARD_ROLLOUTS: u32 = 1_000;

/// A way to choose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Any legal move; all are equally likely.
    Random,
    /// The autopilot's.
    Autopilot,
    /// The move after which the seat does best on average, if all play on like the autopilot, in worlds drawn from all
    /// that are possible for what the seat knows.
    Search {
        /// How many matches to play to their end.
        rollouts: u32,
    },
    /// The same, but it never interrupts the others: a duel with the other says what that is worth.
    SearchOnTurn {
        /// How many matches to play to their end.
        rollouts: u32,
    },
}

/// What a seat knows when it may move.
#[derive(Clone, Debug)]
pub struct Knowledge<'a, G: Game> {
    /// The seat. It is on turn, or may interrupt.
    pub seat: Seat,
    /// What it sees.
    pub view: &'a G::View,
    /// Everything that it was told since the match began, in order.
    pub told: &'a [G::Event],
    /// What it may do: one move at least.
    pub legal: &'a [G::Move],
}

/// Chooses a move. `goes_on` is asked now and then; once it says no, a search chooses from what it has found so far.
pub fn choose<G: Game>(
    knowledge: &Knowledge<G>,
    policy: Policy,
    goes_on: &mut dyn FnMut() -> bool,
    source: &mut dyn Source,
) -> G::Move {
    match policy {
        Policy::Random => knowledge.legal[source.below(knowledge.legal.len() as u32) as usize].clone(),
        Policy::Autopilot => G::autopilot(knowledge.view, knowledge.legal, source),
        Policy::Search { rollouts } | Policy::SearchOnTurn { rollouts } => {
            search::search(knowledge, rollouts, goes_on, source)
        }
    }
}

/// Chooses whether to move out of turn, and how. The seat may interrupt; it is not on turn.
pub fn interrupt<G: Game>(
    knowledge: &Knowledge<G>,
    policy: Policy,
    goes_on: &mut dyn FnMut() -> bool,
    source: &mut dyn Source,
) -> Option<G::Move> {
    match policy {
        Policy::Random | Policy::SearchOnTurn { .. } => None,
        Policy::Autopilot => G::interruption(knowledge.view, knowledge.legal),
        Policy::Search { rollouts } => search::interrupt(knowledge, rollouts, goes_on, source),
    }
}

/// A match of bots.
#[derive(Clone, Debug)]
pub struct Table<G: Game> {
    /// The match.
    pub game: G,
    /// What each seat was told.
    pub told: PerSeat<Vec<G::Event>>,
}

impl<G: Game> Table<G> {
    /// A new match that waits for its first random outcome.
    ///
    /// # Errors
    /// The game refuses the options or the number of seats.
    pub fn new(options: G::Options, seats: u8) -> Result<Self, BadOptions> {
        let allowed = G::INFO.seats;
        if !allowed.contains(&seats) {
            return Err(BadOptions::Seats { seats, allowed });
        }
        Ok(Table { game: G::setup(options, seats)?, told: PerSeat::new(seats, |_| Vec::new()) })
    }

    /// Carries out an action, and tells the seats of it.
    pub fn apply(&mut self, action: Action<G::Move, G::Chance>) {
        let mut events: Vec<Addressed<G::Event>> = Vec::new();
        self.game.apply(action, &mut events);
        for (seat, told) in self.told.seats().zip(self.told.iter_mut()) {
            let heard = events.iter().filter(|it| it.to.includes(Viewer::Seat(seat)));
            told.extend(heard.map(|it| it.event.clone()));
        }
    }

    /// Chooses a move for the seat, which is on turn.
    pub fn choose(&self, seat: Seat, policy: Policy, source: &mut dyn Source) -> G::Move {
        let mut legal = Vec::new();
        self.game.legal_moves(seat, &mut legal);
        let view = self.game.view(Viewer::Seat(seat));
        let knowledge = Knowledge::<G> { seat, view: &view, told: &self.told[seat], legal: &legal };
        choose(&knowledge, policy, &mut || true, source)
    }

    /// What the seat does out of turn, if anything. It may interrupt.
    fn interrupt(&self, seat: Seat, policy: Policy, source: &mut dyn Source) -> Option<Action<G::Move, G::Chance>> {
        let mut legal = Vec::new();
        self.game.legal_moves(seat, &mut legal);
        let view = self.game.view(Viewer::Seat(seat));
        let knowledge = Knowledge::<G> { seat, view: &view, told: &self.told[seat], legal: &legal };
        let chosen = interrupt(&knowledge, policy, &mut || true, source)?;
        Some(Action::Move(seat, chosen))
    }

    /// Plays the match to its end, each seat by its policy.
    pub fn finish(&mut self, policies: &PerSeat<Policy>, source: &mut dyn Source) -> Outcome {
        loop {
            let action = match self.game.turn() {
                Turn::Over(outcome) => return outcome,
                Turn::Chance => Action::Chance(self.game.draw(source)),
                Turn::Seats { to_move, interrupt } => {
                    let interruption = interrupt.iter().find_map(|seat| self.interrupt(seat, policies[seat], source));
                    interruption.unwrap_or_else(|| {
                        let seat = one_of(to_move, source);
                        Action::Move(seat, self.choose(seat, policies[seat], source))
                    })
                }
            };
            self.apply(action);
        }
    }
}

/// How likely it is that a lead holds: a half without one, nearly certain from some units on. It needs no function that
/// differs from machine to machine.
pub(crate) fn likelihood(units: f64) -> f64 {
    0.5 + 0.5 * units / (1.0 + units.abs())
}

/// One of the seats on turn.
pub(crate) fn one_of(to_move: crate::seats::SeatSet, source: &mut dyn Source) -> Seat {
    let which = if to_move.len() == 1 { 0 } else { source.below(to_move.len() as u32) };
    to_move.iter().nth(which as usize).unwrap_or(Seat(0))
}
