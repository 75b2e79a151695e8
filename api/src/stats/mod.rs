//! What the café plays, when, for how long and with whom. All figures are made of sums that are kept by the day
//! (`sums`), so that none of them ever reads a match. `docs/stats.md` says what each of them means.

pub mod admin;
mod chart;
mod figures;
mod length;
mod period;
pub mod rest;
mod sheet;
mod store;
mod sums;
mod tables;

pub use figures::{Day, Figures, Hour, Length, Play, Returning, SeatWins, Summary, Totals, Visits};
pub use period::{Filter, Period};
pub use sums::{Recomputed, bring_up_to_date, recompute, start};
