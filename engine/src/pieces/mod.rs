//! Pieces that several games use and that have no rules of their own.

pub mod bidding;
pub mod bids;
pub mod bluffs;
pub mod dice;
pub mod words;
