//! Statistics of how each seat played a finished match. No rule and no rank depends on them.

use serde::Serialize;

/// What one seat did in a match, as far as the game counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeatStats {
    /// Calls that turned out right: doubts of bids that did not hold, exact calls, right answers.
    pub calls_right: u32,
    /// Calls that turned out wrong.
    pub calls_wrong: u32,
    /// Bids that the dice did not hold, and that were doubted.
    pub bluffs_called: u32,
    /// Bids that the dice did not hold, and that nobody doubted.
    pub bluffs_uncalled: u32,
    /// The luck of the seat.
    pub luck: Luck,
}

/// How many good random outcomes a seat had, and how many it could expect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Luck {
    /// The good outcomes it had.
    pub had: u32,
    /// The good outcomes it could expect, in hundredths.
    pub expected: u32,
}
