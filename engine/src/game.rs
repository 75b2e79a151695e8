//! What a game is: the trait that each of them implements, and the words that it is made of.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::chance::Source;
use crate::erased::Json;
use crate::seats::{PerSeat, Seat, SeatSet};
use crate::tally::Tally;

/// The rules of one game; the implementing type is the whole state of one match of it, secrets included.
///
/// `setup` and the actions that follow give the state, on any machine and for ever: no method reads a clock, the network or a
/// generator of its own. The promises made here are tested by [`crate::conformance`].
pub trait Game: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + 'static {
    /// What is known of the game before anybody sits down.
    const INFO: Info;

    /// The rule switches; `Default` is the sheet's basic game.
    type Options: Clone + Default + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// What a seat may do. As JSON an object with a `type`.
    type Move: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// A random outcome. As JSON an object with one key, the kind.
    type Chance: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema;
    /// Something that somebody is told. As JSON an object with a `type`.
    type Event: Clone + Debug + PartialEq + Serialize + JsonSchema;
    /// What one viewer sees: built up field by field from what it may know.
    type View: Debug + PartialEq + Serialize + JsonSchema;

    /// A new match that waits for its first chance. The number of seats is one that [`Info::seats`] allows.
    fn setup(options: Self::Options, seats: u8) -> Result<Self, BadOptions>;

    /// Can a match come to this state, as far as the other methods rely on it? Asked of every state that was saved, so that
    /// one that was tampered with is refused instead of leading to a panic.
    fn is_sound(&self) -> bool {
        true
    }

    /// Whom or what the match waits for.
    fn turn(&self) -> Turn;

    /// Does this `type` of move exist in this game with these options?
    fn knows(&self, kind: &str) -> bool;

    /// May a seat that is not on turn, but in [`Turn::Seats`]'s `interrupt`, make this `type` of move?
    fn interrupts(kind: &str) -> bool;

    /// Adds every move that this seat may make now to `moves`, in a fixed order; none if it may make none.
    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Self::Move>);

    /// `Ok` for exactly the moves that [`Game::legal_moves`] lists, else the first code that the game's document gives for it.
    /// Asked only of a seat that may move or interrupt, about a `type` of move that the game knows.
    fn check(&self, seat: Seat, chosen: &Self::Move) -> Result<(), Refusal>;

    /// Draws the outcome that the match waits for. Asked only when [`Game::turn`] is [`Turn::Chance`].
    fn draw(&self, source: &mut dyn Source) -> Self::Chance;

    /// Is this outcome of the kind that the match waits for, and possible in this state?
    fn accepts(&self, outcome: &Self::Chance) -> bool;

    /// Carries out a move that [`Game::check`] passed or an outcome that [`Game::accepts`], and tells who may know of it.
    fn apply(&mut self, action: Action<Self::Move, Self::Chance>, told: &mut Vec<Told<Self::Event>>);

    /// What this viewer may see.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// Another state that this viewer cannot tell from this one: all that it may not know is drawn anew.
    #[must_use]
    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self;

    /// The move that the house makes for a seat whose player has left or let the clock run out: simple, the same for all,
    /// documented in the game's document for players, and made from nothing but that seat's view and legal moves (never
    /// empty). A match of autopilots alone ends.
    fn autopilot(view: &Self::View, legal: &[Self::Move]) -> Self::Move;

    /// What all events of a match that is over, those that only one seat was told of among them, say of how each seat
    /// played. Nothing, in games that count nothing.
    fn tally(seats: u8, _events: &[Json]) -> PerSeat<Tally> {
        PerSeat::new(seats, |_| Tally::default())
    }
}

/// What is known of a game before anybody sits down.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// Its name in addresses and records, such as `liars-dice`.
    pub id: &'static str,
    /// How many may play.
    pub seats: RangeInclusive<u8>,
    /// How long a match usually takes, in minutes.
    pub minutes: RangeInclusive<u16>,
    /// Raised whenever saved states or logs of earlier matches would mean something else.
    pub revision: u32,
    /// The game's own rejection codes in the order in which they are checked, after [`Refusal::COMMON`].
    pub refusals: &'static [&'static str],
    /// The phases, as views name them.
    pub phases: &'static [&'static str],
}

/// Whom or what a match waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// For a random outcome.
    Chance,
    /// For one of these seats; each of them has a legal move, and nobody else has.
    Seats {
        /// The seats whose turn it is: several in a simultaneous phase, never none.
        to_move: SeatSet,
        /// Seats that may call something out of turn.
        interrupt: SeatSet,
    },
    /// For nothing any more.
    Over(Outcome),
}

impl Turn {
    /// It is this seat's turn, and nobody may interrupt.
    pub fn of(seat: Seat) -> Self {
        Turn::all(SeatSet::one(seat))
    }

    /// It is the turn of all these seats at once.
    pub fn all(to_move: SeatSet) -> Self {
        Turn::Seats { to_move, interrupt: SeatSet::none() }
    }
}

/// A step of a match: a seat's move, or chance's.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<M, C> {
    /// A seat's choice.
    Move(Seat, M),
    /// A random outcome.
    Chance(C),
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Whoever sits there.
    Seat(Seat),
    /// Spectators, staff, and everybody else.
    Public,
}

impl Viewer {
    /// The seat that looks, if it is one.
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

/// An event and who is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told<E> {
    /// Who is told.
    pub to: Audience,
    /// Of what.
    pub event: E,
}

impl<E> Told<E> {
    /// Everybody is told, spectators too.
    pub fn everyone(event: E) -> Self {
        Told { to: Audience::Everyone, event }
    }

    /// Only this seat is told.
    pub fn only(seat: Seat, event: E) -> Self {
        Told { to: Audience::Only(seat), event }
    }

    /// Everybody but these seats is told.
    pub fn except(seats: impl IntoIterator<Item = Seat>, event: E) -> Self {
        Told { to: Audience::Except(seats.into_iter().collect()), event }
    }
}

/// Who is told of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Is this viewer among them?
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
    /// Why it ended, a word from the game's document.
    pub reason: String,
}

impl Outcome {
    /// Places by what each seat achieved, the greatest first; equals share a place.
    pub fn ranks_by<K: Ord>(achieved: &PerSeat<K>) -> PerSeat<u8> {
        achieved.map(|mine| 1 + achieved.iter().filter(|other| *other > mine).count() as u8)
    }

    /// Places of a game in which the last one standing wins: `out` in order of going out, everybody else before them.
    pub fn ranks_by_going_out(seats: u8, out: &[Seat]) -> PerSeat<u8> {
        let stayed = |seat| out.iter().position(|it| *it == seat).unwrap_or(out.len());
        Outcome::ranks_by(&PerSeat::new(seats, stayed))
    }
}

/// Points in whole hundredths: 300 of them are the JSON number `3`, 165 are `1.65`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points {
    hundredths: i32,
}

impl Points {
    /// So many whole points.
    pub const fn whole(points: i32) -> Self {
        Points { hundredths: 100 * points }
    }

    /// So many hundredths of a point.
    pub const fn hundredths(hundredths: i32) -> Self {
        Points { hundredths }
    }

    /// How many hundredths of a point it is.
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
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Points".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "multipleOf": 0.01 })
    }
}

/// Why a move was refused: a stable code that a document lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{0}")]
#[serde(transparent)]
pub struct Refusal(pub &'static str);

impl Refusal {
    /// The match is over.
    pub const GAME_OVER: Refusal = Refusal("game_over");
    /// It is not this seat's turn, or it may only interrupt and tried something else.
    pub const NOT_YOUR_TURN: Refusal = Refusal("not_your_turn");
    /// There is no such type of move in this game with these options.
    pub const UNKNOWN_MOVE: Refusal = Refusal("unknown_move");
    /// A field is missing, unknown, of the wrong type or out of range.
    pub const INVALID_MOVE: Refusal = Refusal("invalid_move");

    /// The codes that every game has, in the order in which they are checked, before the game's own.
    pub const COMMON: [Refusal; 4] =
        [Refusal::GAME_OVER, Refusal::NOT_YOUR_TURN, Refusal::UNKNOWN_MOVE, Refusal::INVALID_MOVE];
}

/// Why a match cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadOptions {
    /// An option is unknown, of the wrong type, out of range or forbidden beside another.
    #[error("option {key:?}: {why}")]
    Option {
        /// Which; empty if the options are no object at all.
        key: String,
        /// What is wrong with it, for developers.
        why: String,
    },
    /// The game is not for so many.
    #[error("{seats} seats: the game is for {} to {}", allowed.start(), allowed.end())]
    Seats {
        /// How many were asked for.
        seats: u8,
        /// How many may play.
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

    /// `Ok` if the option is within its bounds.
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
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Common<O, P> {
    /// The game's id.
    pub game: &'static str,
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
        Common { game: G::INFO.id, options, seats, phase, round, to_move, interrupt, outcome }
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
        let to = Told::except([Seat(1), Seat(3)], ()).to;
        let told = Viewer::all(5).filter(|viewer| to.includes(*viewer)).collect::<Vec<_>>();
        assert_eq!(told, [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(2)), Viewer::Seat(Seat(4))]);
    }
}
