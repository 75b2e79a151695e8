//! What finished matches brought their players, match by match and in sums: places, streaks, calls, bluffs, luck, and how
//! players did against each other. Written by `projections`, never asked of the matches themselves.

pub mod count;
pub mod seen;
pub mod store;

pub use count::count;
