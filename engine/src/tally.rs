//! What a match that is over says of how each seat played. For statistics: no rule and no place hangs on it.

use serde::Serialize;

/// What one seat did in a match, as far as its game counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Calls that turned out right: doubts of bids that did not hold, exact calls, right answers.
    pub calls_right: u32,
    /// Calls that turned out wrong.
    pub calls_wrong: u32,
    /// Bids that the dice did not hold, and that were doubted.
    pub bluffs_called: u32,
    /// Bids that the dice did not hold, and that nobody doubted.
    pub bluffs_uncalled: u32,
    /// What chance gave the seat.
    pub luck: Luck,
}

/// Good outcomes of chance, beside how many were to be expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Luck {
    /// How many there were.
    pub had: u32,
    /// How many were to be expected, in hundredths.
    pub expected: u32,
}
