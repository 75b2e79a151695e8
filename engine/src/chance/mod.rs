//! Where random outcomes come from. A game says which outcome it waits for, and a [`Dealer`] supplies it: from the seed
//! of the match, from any generator, or from a script.

mod fair;

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use fair::{Commitment, FairDealer, Seed};

/// A source of unbiased numbers.
///
/// ```
/// use engine::{Source, playout};
///
/// let mut source = playout::random(42);
/// assert!((0..100).all(|_| source.below(6) < 6));
/// ```
pub trait Source {
    /// Returns a number from 0 to `n` − 1. All are equally likely. `n` is at least 1.
    fn below(&mut self, n: u32) -> u32;

    /// Is told what the next numbers decide. Only who writes a record listens.
    fn tell(&mut self, _drawing: &dyn Fn() -> Drawing) {}
}

/// How an outcome, or a part of it, is drawn: what a checker in another language needs to draw it again.
/// `docs/fairness.md` says what each way does with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Drawing {
    /// A number below this one.
    Below(u32),
    /// So many dice.
    Dice(u8),
    /// These items, shuffled.
    Shuffle(Vec<Value>),
    /// One of these items.
    OneOf(Vec<Value>),
    /// Some different ones of these items.
    Sample {
        /// The items.
        of: Vec<Value>,
        /// How many.
        many: usize,
    },
}

impl Drawing {
    /// How many numbers it takes.
    fn numbers(&self) -> usize {
        match self {
            Drawing::Below(_) | Drawing::OneOf(_) => 1,
            Drawing::Dice(many) => usize::from(*many),
            Drawing::Shuffle(items) => items.len().saturating_sub(1),
            Drawing::Sample { many, .. } => *many,
        }
    }
}

/// The items as JSON.
pub fn values<T: Serialize>(items: &[T]) -> Vec<Value> {
    items.iter().map(|item| serde_json::to_value(item).unwrap_or_default()).collect()
}

/// A generator of the `rand` crate, for simulations.
pub struct Random<R>(pub R);

impl<R: rand::Rng> Source for Random<R> {
    fn below(&mut self, n: u32) -> u32 {
        // Lemire's method: the high half of a product is unbiased once the few short low halves are thrown away.
        let short = n.wrapping_neg() % n;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(n);
            if product as u32 >= short {
                return (product >> 32) as u32;
            }
        }
    }
}

/// Puts the items in a random order: the Fisher–Yates shuffle, from the last item down.
///
/// ```
/// let mut cards: Vec<u8> = (1..=5).collect();
/// engine::chance::shuffle(&mut cards, &mut engine::playout::random(1));
/// cards.sort_unstable();
/// assert_eq!(cards, [1, 2, 3, 4, 5]);
/// ```
pub fn shuffle<T: Serialize>(items: &mut [T], source: &mut dyn Source) {
    source.tell(&|| Drawing::Shuffle(values(items)));
    permute(items, source);
}

/// The same for what is no part of an outcome.
pub(crate) fn permute<T>(items: &mut [T], source: &mut dyn Source) {
    for last in (1..items.len()).rev() {
        items.swap(last, source.below(last as u32 + 1) as usize);
    }
}

/// Draws this many different items at random, in the order drawn.
pub fn sample<T: Clone + Serialize>(items: &[T], many: usize, source: &mut dyn Source) -> Vec<T> {
    let mut items = items.to_vec();
    let many = many.min(items.len());
    source.tell(&|| Drawing::Sample { of: values(&items), many });
    for place in 0..many {
        let left = items.len() - place;
        items.swap(place, place + source.below(left as u32) as usize);
    }
    items.truncate(many);
    items
}

/// Draws one of the items, of which there is at least one.
pub fn one_of<T: Copy + Serialize>(items: &[T], source: &mut dyn Source) -> T {
    source.tell(&|| Drawing::OneOf(values(items)));
    items[source.below(items.len() as u32) as usize]
}

/// Supplies the outcomes of a match, one after the other.
///
/// ```
/// use std::collections::VecDeque;
///
/// use engine::{Dealer, Dealt, Seed, FairDealer};
/// use serde_json::json;
///
/// // A script, as in a scenario.
/// let mut script = VecDeque::from([json!({ "first_seat": 1 })]);
/// assert!(matches!(script.next(), Dealt::Is(_)));
/// assert!(matches!(script.next(), Dealt::Nothing));
///
/// // A match of the café: its secret seed and the players' nonces.
/// let mut fair = FairDealer::new(Seed([7; 32]), [Some("mine"), None], 0);
/// assert!(matches!(fair.next(), Dealt::From(_)));
/// ```
pub trait Dealer {
    /// The next outcome, or where to draw it from.
    fn next(&mut self) -> Dealt<'_>;
}

/// The next outcome, or where to draw it from.
pub enum Dealt<'a> {
    /// Draw the outcome from this source.
    From(&'a mut dyn Source),
    /// This outcome.
    Is(Value),
    /// No outcome is left.
    Nothing,
}

impl<R: rand::Rng> Dealer for Random<R> {
    fn next(&mut self) -> Dealt<'_> {
        Dealt::From(self)
    }
}

/// A queue of outcomes that are known in advance, as in a scenario or a record.
impl Dealer for VecDeque<Value> {
    fn next(&mut self) -> Dealt<'_> {
        self.pop_front().map_or(Dealt::Nothing, Dealt::Is)
    }
}

/// Why the random outcomes after an action failed. Only a dealer with a script or a wrong game can cause it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChanceError {
    /// The script has ended, and the match needs an outcome.
    #[error("an outcome is needed, but none is left")]
    NoneLeft,
    /// The next outcome of the script is of the wrong kind, or impossible in this state.
    #[error("this outcome is not possible here: {0}")]
    Impossible(String),
    /// The game asks for one outcome after the other without an end.
    #[error("the random outcomes do not end")]
    Endless,
}
