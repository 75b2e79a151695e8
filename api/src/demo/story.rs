//! The world of the story that the demo tells: its clock shows the time of the story, and its chance comes from a seed.

use std::cell::{Cell, RefCell};

use engine::{Source, playout};
use jiff::Timestamp;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use base::world::World;

thread_local! {
    static NOW: Cell<Timestamp> = const { Cell::new(Timestamp::UNIX_EPOCH) };
    static CHANCE: RefCell<ChaCha8Rng> = RefCell::new(ChaCha8Rng::seed_from_u64(0));
}

/// Of this thread, where the whole story is told.
pub(super) fn begin(seed: u64) -> World {
    CHANCE.with_borrow_mut(|chance| *chance = ChaCha8Rng::seed_from_u64(seed));
    World::of(|| NOW.get(), |bytes| CHANCE.with_borrow_mut(|chance| chance.fill_bytes(bytes)))
}

pub(super) fn turn_to(at: Timestamp) {
    NOW.set(at);
}

/// What people happen to do, apart from the chance of games and ids.
pub(super) struct Dice(pub(super) engine::Random<ChaCha8Rng>);

impl Dice {
    pub(super) fn of(seed: u64) -> Self {
        Self(playout::random(seed))
    }

    /// From 0 to `n` − 1; 0 of nothing.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0.below(u32::try_from(n.max(1)).unwrap_or(u32::MAX)) as usize
    }

    pub(super) fn between(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to + 1 - from)
    }

    /// True in so many of a hundred cases.
    pub(super) fn in_hundred(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// The index of one of these weights, by weight.
    pub(super) fn weighed(&mut self, weights: &[usize]) -> usize {
        let mut at = self.below(weights.iter().sum());
        let is_there = |weight: &usize| match at.checked_sub(*weight) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        };
        weights.iter().position(is_there).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_tells_the_same_story() {
        let told = |seed| {
            let (world, mut dice) = (begin(seed), Dice::of(seed));
            turn_to("2026-03-14T15:09:26Z".parse().unwrap());
            (world.now(), world.uuid(), world.bytes::<32>(), (0..20).map(|_| dice.below(1000)).collect::<Vec<_>>())
        };
        assert_eq!(told(7), told(7));
        assert_ne!(told(7), told(8));
    }

    #[test]
    fn weights_weigh() {
        let mut dice = Dice::of(1);
        let drawn: Vec<usize> = (0..300).map(|_| dice.weighed(&[0, 1, 9])).collect();
        let many = |which| drawn.iter().filter(|it| **it == which).count();
        assert_eq!(many(0), 0);
        assert!(many(1) > 0 && many(1) < many(2));
    }
}
