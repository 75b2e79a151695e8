//! What finished matches brought their players, match by match and in sums: places, streaks, calls, bluffs, luck, and how
//! players did against each other. Written by `settling`, never asked of the matches themselves.

mod count;
pub mod rest;
pub mod store;

pub use count::count;
