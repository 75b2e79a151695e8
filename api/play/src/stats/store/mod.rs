//! Queries of figures, and of the sums that they are made of.

pub mod analysis;
pub mod figures;
pub mod sums;

pub use figures::*;
