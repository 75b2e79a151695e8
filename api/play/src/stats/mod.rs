//! What the café plays, when, for how long and with whom. All figures are made of sums that are kept by the day
//! (`sums`), so that none of them ever reads a match. `docs/stats.md` says what each of them means.

mod analysis;
pub mod figures;
pub mod length;
pub mod occupancy;
pub mod period;
pub mod store;
pub mod sums;

pub use figures::{
    Day, Figures, Hour, Length, PlaceWins, Play, Returning, RoleWins, SeatWins, Summary, Totals, Visits,
};
pub use occupancy::TableHour;
pub use period::{Filter, Period};
pub use store::visited::Visited;

pub use sums::{Recomputed, bring_up_to_date, other_zone, recompute, start};
