//! The [`Game`] trait that every game implements, and the types that its methods use.

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chance::Source;
use crate::erased::Json;
use crate::seats::{PerSeat, Seat, SeatSet};
use crate::statistics::SeatStats;

/// The rules of one game. The implementing type is the whole state of one match, secrets included.
///
/// `setup` and the actions after it determine the state, on every machine and for all time: no method reads a clock,
/// the network or its own random generator. [`crate::conformance`] tests these promises.
pub trait Game: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + 'static {
    /// Facts about the game that no match changes.
    const INFO: Info;

    /// The rule switches; `Default` is the sheet's basic game.
    type Options: Clone + Default + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// A move. As JSON an object with a `type`.
    type Move: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// A random outcome. As JSON an object with one key, the kind.
    type Chance: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// Something that viewers are told. As JSON an object with a `type`.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// What one viewer sees: each field holds only what that viewer may know. Boards read it back.
    type View: Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;

    /// Creates a match that waits for its first random outcome. [`Info::seats`] allows the number of seats.
    fn setup(options: Self::Options, seats: u8) -> Result<Self, BadOptions>;

    /// Can a match reach this state, as far as the other methods rely on it? Every saved state is checked, so that a
    /// state that somebody changed is refused and does not cause a panic.
    fn is_sound(&self) -> bool {
        true
    }

    /// What always holds during a match, beyond what the types say: every card is in one place, points add up. The laws
    /// check it after every step; play never does.
    ///
    /// # Errors
    /// What does not hold, for developers.
    fn invariant(&self) -> Result<(), String> {
        Ok(())
    }

    /// At the end, do more points always mean a better rank? Games in which the most points may lose say no.
    fn ranks_follow_scores(&self) -> bool {
        true
    }

    /// What the match waits for.
    fn turn(&self) -> Turn;

    /// Does this `type` of move exist in this game with these options?
    fn knows(&self, kind: &str) -> bool;

    /// May the seats in `interrupt` of [`Turn::Seats`] make this `type` of move?
    fn interrupts(kind: &str) -> bool;

    /// Adds every legal move of this seat to `moves`, in a fixed order.
    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Self::Move>);

    /// Returns `Ok` for exactly the moves that [`Game::legal_moves`] lists, otherwise the first matching code of the
    /// game's document. Called only for a seat that may move or interrupt, with a `type` of move that the game knows.
    fn check(&self, seat: Seat, chosen: &Self::Move) -> Result<(), Refusal>;

    /// Draws the outcome that the match waits for. Called only when [`Game::turn`] is [`Turn::Chance`].
    fn draw(&self, source: &mut dyn Source) -> Self::Chance;

    /// The pieces that outcomes are shuffled or chosen of, unless they are numbers, in the order in which [`Game::draw`]
    /// begins with them: nobody may choose that order once the seed is known.
    fn pieces() -> Vec<Value> {
        Vec::new()
    }

    /// Does the match wait for an outcome of this kind, and is this one possible in this state?
    fn accepts(&self, outcome: &Self::Chance) -> bool;

    /// Carries out a move that [`Game::check`] passed or an outcome that [`Game::accepts`], and adds its events.
    fn apply(&mut self, action: Action<Self::Move, Self::Chance>, events: &mut Vec<Addressed<Self::Event>>);

    /// Returns what this viewer may see.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// Returns a random state that looks the same to this viewer: everything that is hidden from the viewer is drawn
    /// again.
    #[must_use]
    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self;

    /// Does [`Game::determinize`] find worlds, so that a bot can search?
    const SEARCHABLE: bool = false;

    /// How many matches a bot that searches plays in its head before a move in the variant lab, which plays hundreds of
    /// matches in a minute.
    const LAB_ROLLOUTS: u32 = 48;

    /// Returns a random state that this seat may be in, for all that it sees and was told since the match began: each is
    /// (nearly) as likely as any other. It never sees the true state, so a bot that uses it cannot cheat. `None` if no
    /// such state was found.
    fn determinize(_seat: Seat, _view: &Self::View, _told: &[Self::Event], _source: &mut dyn Source) -> Option<Self> {
        None
    }

    /// The moves that a search tries, at least one: in games with a great many moves those that could be good. All by default.
    fn worth_trying(_view: &Self::View, legal: &[Self::Move]) -> Vec<Self::Move> {
        legal.to_vec()
    }

    /// About how likely the seat is to win from here, 0 to 1, in states in which a rollout may stop, such as between two
    /// rounds; `None` where it has to go on. By default all rollouts are played to their end.
    fn estimate(&self, _seat: Seat) -> Option<f64> {
        None
    }

    /// Chooses the move of a seat whose player has left or ran out of time, and of bots. The choice is simple, documented
    /// for players, and depends only on that seat's view and legal moves, of which there is at least one, and on luck. A
    /// match that only autopilots play ends.
    fn autopilot(view: &Self::View, legal: &[Self::Move], source: &mut dyn Source) -> Self::Move;

    /// What a bot of this seat does out of turn, if anything: one of its legal moves, of which there is at least one. It is
    /// asked once after each action, as long as the seat may interrupt. Bots interrupt nobody by default.
    fn interruption(_view: &Self::View, _legal: &[Self::Move]) -> Option<Self::Move> {
        None
    }

    /// How far the seat has come, the more the better, where the game can tell during a match: its points, its dice, its way.
    /// For statistics only.
    fn standing(&self, _seat: Seat) -> Option<i32> {
        None
    }

    /// Has the seat nothing left to do until the match ends?
    fn is_out(&self, _seat: Seat) -> bool {
        false
    }

    /// What the seat plays, in games in which seats play something of their own: an animal, a character, a trait.
    fn role(&self, _seat: Seat) -> Option<String> {
        None
    }

    /// Counts how each seat played, from all events of a finished match, including events for one seat alone. Games
    /// that count nothing leave the default.
    fn statistics(seats: u8, _events: &[Json]) -> PerSeat<SeatStats> {
        PerSeat::new(seats, |_| SeatStats::default())
    }
}

/// Facts about a game that no match changes.
///
/// ```
/// let info = engine::catalogue::find("liars-dice").expect("a game of the catalogue").info();
/// assert!(info.seats.contains(&4) && info.phases.contains(&"bidding"));
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// The game's name in addresses and records, such as `liars-dice`.
    pub id: &'static str,
    /// How many seats a match may have.
    pub seats: RangeInclusive<u8>,
    /// How many minutes a match usually takes.
    pub minutes: RangeInclusive<u16>,
    /// How hard it is to learn.
    pub difficulty: Difficulty,
    /// How many minutes it takes to teach.
    pub teach_minutes: u8,
    /// Goes up by one when a change would give saved states or logs of earlier matches another meaning.
    pub revision: u32,
    /// The game's own rejection codes in the order in which they are checked, after [`Refusal::COMMON`].
    pub refusals: &'static [&'static str],
    /// The phases, as views name them.
    pub phases: &'static [&'static str],
    /// Why a match may have ended: every [`Outcome::reason`].
    pub reasons: &'static [&'static str],
}

/// How hard a game is to learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
}

/// What a match waits for.
///
/// ```
/// use engine::{Seat, Turn};
///
/// let Turn::Seats { to_move, interrupt } = Turn::of(Seat(2)) else { panic!("it is seat 2's turn") };
/// assert!(to_move.has(Seat(2)) && interrupt.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// A random outcome.
    Chance,
    /// A move of one of these seats. Each of them has a legal move; no other seat has one.
    Seats {
        /// The seats whose turn it is: several in a simultaneous phase, never none.
        to_move: SeatSet,
        /// The seats that may interrupt: make certain moves out of turn.
        interrupt: SeatSet,
    },
    /// Nothing: the match is over.
    Over(Outcome),
}

impl Turn {
    /// One seat is to move, and no seat may interrupt.
    pub fn of(seat: Seat) -> Self {
        Turn::all(SeatSet::one(seat))
    }

    /// All these seats are to move at once, and no seat may interrupt.
    pub fn all(to_move: SeatSet) -> Self {
        Turn::Seats { to_move, interrupt: SeatSet::none() }
    }
}

/// An action that changes a match: a seat's move or a random outcome.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<M, C> {
    /// A seat's move.
    Move(Seat, M),
    /// A random outcome.
    Chance(C),
}

/// Who looks at a match.
///
/// ```
/// use engine::{Seat, Viewer};
///
/// let viewers: Vec<Viewer> = Viewer::all(2).collect();
/// assert_eq!(viewers, [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The player in this seat.
    Seat(Seat),
    /// Spectators, staff and all others.
    Public,
}

impl Viewer {
    /// The seat, unless the viewer is the public.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public => None,
        }
    }

    /// The public and every seat.
    pub fn all(seats: u8) -> impl Iterator<Item = Viewer> {
        std::iter::once(Viewer::Public).chain((0..seats).map(|seat| Viewer::Seat(Seat(seat))))
    }
}

/// An event and its audience.
///
/// ```
/// use engine::{Addressed, Seat, Viewer};
///
/// let event = Addressed::only(Seat(1), "your card is the joker");
/// assert!(event.to.includes(Viewer::Seat(Seat(1))));
/// assert!(!event.to.includes(Viewer::Public));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Addressed<E> {
    /// The viewers who are told.
    pub to: Audience,
    /// The event.
    pub event: E,
}

impl<E> Addressed<E> {
    /// An event for every seat and the public.
    pub fn everyone(event: E) -> Self {
        Addressed { to: Audience::Everyone, event }
    }

    /// An event for this seat alone.
    pub fn only(seat: Seat, event: E) -> Self {
        Addressed { to: Audience::Only(seat), event }
    }

    /// An event for the public and every seat but these.
    pub fn except(seats: impl IntoIterator<Item = Seat>, event: E) -> Self {
        Addressed { to: Audience::Except(seats.into_iter().collect()), event }
    }
}

/// The viewers who are told of an event.
///
/// ```
/// use engine::{Audience, Seat, SeatSet, Viewer};
///
/// let others = Audience::Except(SeatSet::one(Seat(0)));
/// assert!(others.includes(Viewer::Public) && !others.includes(Viewer::Seat(Seat(0))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Every seat and the public.
    Everyone,
    /// One seat.
    Only(Seat),
    /// Every other seat and the public.
    Except(SeatSet),
}

impl Audience {
    /// Does the audience include this viewer?
    pub fn includes(self, viewer: Viewer) -> bool {
        match self {
            Audience::Everyone => true,
            Audience::Only(seat) => viewer == Viewer::Seat(seat),
            Audience::Except(seats) => viewer.seat().is_none_or(|seat| !seats.has(seat)),
        }
    }
}

/// How a match ended: the one authority on who won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// Per seat its place, 1 the best; tied seats share one and the next is skipped (1, 2, 2, 4).
    pub ranks: PerSeat<u8>,
    /// Per seat its points, in games that have points.
    pub scores: Option<PerSeat<Points>>,
    /// Why it ended: one of [`Info::reasons`].
    pub reason: String,
}

impl Outcome {
    /// Ranks the seats by what each achieved, the greatest first. Equal seats share a rank.
    ///
    /// ```
    /// use engine::{Outcome, PerSeat};
    ///
    /// let ranks = Outcome::ranks_by(&PerSeat::from(vec![3, 7, 7, 1]));
    /// assert_eq!(ranks, PerSeat::from(vec![3, 1, 1, 4]));
    /// ```
    pub fn ranks_by<K: Ord>(achieved: &PerSeat<K>) -> PerSeat<u8> {
        achieved.map(|mine| 1 + achieved.iter().filter(|other| *other > mine).count() as u8)
    }

    /// Has every seat with more points the better rank? Equal points may be told apart by something else.
    ///
    /// # Errors
    /// The two seats for which it is not so.
    pub fn ranks_follow_scores(&self) -> Result<(), String> {
        let Some(scores) = &self.scores else { return Ok(()) };
        for (one, more) in scores.entries() {
            for (other, less) in scores.entries() {
                if more > less && self.ranks[one] >= self.ranks[other] {
                    return Err(format!("{one:?} has more points than {other:?}, but no better rank"));
                }
            }
        }
        Ok(())
    }

    /// Ranks the seats of a game that the last remaining seat wins. `out` lists the others in the order in which they
    /// went out.
    pub fn ranks_by_going_out(seats: u8, out: &[Seat]) -> PerSeat<u8> {
        let stayed = |seat| out.iter().position(|it| *it == seat).unwrap_or(out.len());
        Outcome::ranks_by(&PerSeat::new(seats, stayed))
    }
}

/// Points in whole hundredths: 300 of them are the JSON number `3`, 165 are `1.65`.
///
/// ```
/// use engine::Points;
///
/// let points = Points::whole(1) + Points::hundredths(65);
/// assert_eq!(serde_json::to_string(&points)?, "1.65");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points {
    hundredths: i32,
}

impl Points {
    /// Whole points.
    pub const fn whole(points: i32) -> Self {
        Points { hundredths: 100 * points }
    }

    /// Hundredths of a point.
    pub const fn hundredths(hundredths: i32) -> Self {
        Points { hundredths }
    }

    /// The points as a number of hundredths.
    pub const fn in_hundredths(self) -> i32 {
        self.hundredths
    }
}

impl std::ops::Add for Points {
    type Output = Points;

    fn add(self, more: Points) -> Points {
        Points { hundredths: self.hundredths.saturating_add(more.hundredths) }
    }
}

impl std::ops::AddAssign for Points {
    fn add_assign(&mut self, more: Points) {
        *self = *self + more;
    }
}

impl std::iter::Sum for Points {
    fn sum<I: Iterator<Item = Points>>(all: I) -> Points {
        all.fold(Points::default(), |sum, more| sum + more)
    }
}

impl Serialize for Points {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.hundredths % 100 {
            0 => serializer.serialize_i32(self.hundredths / 100),
            // The quotient is the double nearest to the decimal, so that it prints as the decimal.
            _ => serializer.serialize_f64(f64::from(self.hundredths) / 100.0),
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(deserializer)?;
        let hundredths = (points * 100.0).round();
        if hundredths / 100.0 != points || hundredths.abs() > f64::from(i32::MAX) {
            return Err(serde::de::Error::custom("points are whole hundredths"));
        }
        Ok(Points { hundredths: hundredths as i32 })
    }
}

impl JsonSchema for Points {
    fn schema_name() -> Cow<'static, str> {
        "Points".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "multipleOf": 0.01 })
    }
}

/// Why a move was refused: a stable code that the game's document lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{0}")]
#[serde(transparent)]
pub struct Refusal(pub &'static str);

impl Refusal {
    /// The match is over.
    pub const GAME_OVER: Refusal = Refusal("game_over");
    /// It is not this seat's turn, or the seat may only interrupt and tried another move.
    pub const NOT_YOUR_TURN: Refusal = Refusal("not_your_turn");
    /// The game has no such type of move with these options.
    pub const UNKNOWN_MOVE: Refusal = Refusal("unknown_move");
    /// A field is missing, unknown, of the wrong type or out of range.
    pub const INVALID_MOVE: Refusal = Refusal("invalid_move");

    /// The codes of every game, in the order in which they are checked. The game's own codes come after them.
    pub const COMMON: [Refusal; 4] =
        [Refusal::GAME_OVER, Refusal::NOT_YOUR_TURN, Refusal::UNKNOWN_MOVE, Refusal::INVALID_MOVE];
}

/// Why a match cannot be set up.
///
/// ```
/// use engine::BadOptions;
///
/// let refused = BadOptions::unless_within("goal", 500, 10..=200).expect_err("500 is out of bounds");
/// assert_eq!(refused.code(), "invalid_options");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadOptions {
    /// An option is unknown, of the wrong type, out of range or forbidden beside another.
    #[error("option {key:?}: {why}")]
    Option {
        /// The option's key; empty if the options are no JSON object.
        key: String,
        /// What is wrong, for developers.
        why: String,
    },
    /// The game is not for this number of seats.
    #[error("{seats} seats: the game is for {} to {}", allowed.start(), allowed.end())]
    Seats {
        /// The number of seats asked for.
        seats: u8,
        /// The numbers of seats that the game allows.
        allowed: RangeInclusive<u8>,
    },
}

impl BadOptions {
    /// The stable code: `invalid_options` or `invalid_seats`.
    pub fn code(&self) -> &'static str {
        match self {
            BadOptions::Option { .. } => "invalid_options",
            BadOptions::Seats { .. } => "invalid_seats",
        }
    }

    /// Returns `Ok` if the option is within its bounds.
    pub fn unless_within<T: PartialOrd + std::fmt::Display>(
        key: &str,
        value: T,
        bounds: RangeInclusive<T>,
    ) -> Result<(), BadOptions> {
        if bounds.contains(&value) {
            return Ok(());
        }
        let why = format!("{value} is not within {} and {}", bounds.start(), bounds.end());
        Err(BadOptions::Option { key: key.into(), why })
    }
}

/// The fields that the view of every game begins with. `flatten` it into the view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Common<O, P> {
    /// The game's id.
    pub game: Cow<'static, str>,
    /// All options, defaults filled in.
    pub options: O,
    /// How many seats there are.
    pub seats: u8,
    /// Where in the round the match is, a word from the game's document.
    pub phase: P,
    /// From 1.
    pub round: u32,
    /// The seats whose turn it is.
    pub to_move: SeatSet,
    /// The seats that may call something out of turn.
    pub interrupt: SeatSet,
    /// How it ended, once it has.
    pub outcome: Option<Outcome>,
}

impl<O, P> Common<O, P> {
    /// The common fields of a match of `G` that is in this phase and round.
    pub fn of<G: Game<Options = O>>(game: &G, options: O, seats: u8, phase: P, round: u32) -> Self {
        let (to_move, interrupt, outcome) = match game.turn() {
            Turn::Chance => (SeatSet::none(), SeatSet::none(), None),
            Turn::Seats { to_move, interrupt } => (to_move, interrupt, None),
            Turn::Over(outcome) => (SeatSet::none(), SeatSet::none(), Some(outcome)),
        };
        Common { game: G::INFO.id.into(), options, seats, phase, round, to_move, interrupt, outcome }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_decimals_with_at_most_two_places() {
        for (hundredths, text) in [(0, "0"), (50, "0.5"), (110, "1.1"), (165, "1.65"), (-5, "-0.05"), (2090, "20.9")] {
            let points = Points::hundredths(hundredths);
            assert_eq!(serde_json::to_string(&points).expect("a number"), text);
            assert_eq!(serde_json::from_str::<Points>(text).expect("points"), points);
        }
        assert!(serde_json::from_str::<Points>("0.005").is_err());
    }

    #[test]
    fn those_excepted_are_not_told() {
        let to = Addressed::except([Seat(1), Seat(3)], ()).to;
        let told = Viewer::all(5).filter(|viewer| to.includes(*viewer)).collect::<Vec<_>>();
        assert_eq!(told, [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(2)), Viewer::Seat(Seat(4))]);
    }
}
