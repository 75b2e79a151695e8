//! Queries of figures, of the sums that they are made of, and of people by the days on which they played.

pub mod analysis;
pub mod figures;
pub mod sums;
pub mod visited;

pub use figures::*;
