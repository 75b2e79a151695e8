//! Queries of figures, and of the sums that they are made of.

mod figures;
pub(super) mod sums;

pub(super) use figures::*;
