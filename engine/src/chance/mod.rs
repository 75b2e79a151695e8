//! Where random outcomes come from. A game names the outcome that it waits for; a [`Dealer`] supplies it: fairly from a
//! match's seed, from any generator, or from a script.

mod fair;

use std::collections::VecDeque;

use serde_json::Value;

pub use fair::{Commitment, FairDealer, Seed};

/// A source of unbiased numbers.
pub trait Source {
    /// A number from 0 to `n` − 1, each as likely as any other. `n` is at least 1.
    fn below(&mut self, n: u32) -> u32;
}

/// Any generator of the `rand` crate, for simulations.
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

/// Puts the items in a random order: Fisher and Yates, from the last place down.
pub fn shuffle<T>(items: &mut [T], source: &mut dyn Source) {
    for last in (1..items.len()).rev() {
        items.swap(last, source.below(last as u32 + 1) as usize);
    }
}

/// So many different items at random, in the order drawn.
pub fn sample<T: Clone>(items: &[T], many: usize, source: &mut dyn Source) -> Vec<T> {
    let mut items = items.to_vec();
    let many = many.min(items.len());
    for place in 0..many {
        let left = items.len() - place;
        items.swap(place, place + source.below(left as u32) as usize);
    }
    items.truncate(many);
    items
}

/// Supplies the outcomes of a match, one after the other.
pub trait Dealer {
    /// The next outcome, or where to draw it from.
    fn next(&mut self) -> Dealt<'_>;
}

/// The next outcome, or where to draw it from.
pub enum Dealt<'a> {
    /// Draw it from here.
    From(&'a mut dyn Source),
    /// It is this one.
    Is(Value),
    /// There is none.
    Nothing,
}

impl<R: rand::Rng> Dealer for Random<R> {
    fn next(&mut self) -> Dealt<'_> {
        Dealt::From(self)
    }
}

/// A queue of outcomes known beforehand, as in a scenario or a record.
impl Dealer for VecDeque<Value> {
    fn next(&mut self) -> Dealt<'_> {
        self.pop_front().map_or(Dealt::Nothing, Dealt::Is)
    }
}

/// Why a match could not go on after an action: only a dealer that follows a script can cause it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChanceError {
    /// The script is at its end, but an outcome is needed.
    #[error("an outcome is needed, but none is left")]
    NoneLeft,
    /// The script's next outcome is not of the kind needed, or not possible here.
    #[error("this outcome is not possible here: {0}")]
    Impossible(String),
}
