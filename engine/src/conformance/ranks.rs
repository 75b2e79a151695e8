//! The law of ranks: 1 the best, equal seats share one, and the next is skipped.

use crate::game::Outcome;

pub(super) fn are_sound(outcome: &Outcome, seats: u8, name: &str) {
    assert_eq!(outcome.ranks.count(), seats, "{name}");
    for rank in outcome.ranks.iter() {
        let better = outcome.ranks.iter().filter(|other| *other < rank).count() as u8;
        assert_eq!(*rank, better + 1, "{name}: ranks {:?}", outcome.ranks);
    }
    assert!(!outcome.reason.is_empty(), "{name}");
}
