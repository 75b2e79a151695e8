//! What the café plays, when, for how long and with whom. All figures are made of sums that are kept by the day
//! (`sums`), so that none of them ever reads a match. `docs/stats.md` says what each of them means.

pub mod admin;
mod chart;
mod figures;
mod length;
mod links;
mod occupancy;
mod period;
pub mod rest;
mod sheet;
mod show;
mod store;
mod sums;
mod tables;
mod visited;
mod workbook;

pub(crate) use chart::are_few;
pub use figures::{Day, Figures, Hour, Length, Play, Returning, SeatWins, Summary, Totals, Visits};
pub use occupancy::TableHour;
pub use period::{Filter, Period};
pub(crate) use rest::unhex;
pub use sums::{Recomputed, bring_up_to_date, recompute, start};
pub(crate) use tables::rules_name;
pub use visited::Visited;
