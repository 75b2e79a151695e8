//! What the café plays, when, for how long and with whom. All figures are made of sums that are kept by the day
//! (`sums`), so that none of them ever reads a match. `docs/stats.md` says what each of them means.

mod figures;
mod length;
mod period;
pub mod rest;
mod store;
mod sums;

pub use figures::{Day, Figures, Hour, Length, Play, Returning, SeatWins, Summary, Totals, Visits};
pub use period::{Filter, Period};
pub use sums::{Recomputed, recompute, start};
