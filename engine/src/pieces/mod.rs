//! Things that lie on many tables and have no rules of their own.

pub mod bids;
pub mod bluffs;
pub mod dice;
pub mod words;
