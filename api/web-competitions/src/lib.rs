//! Tournaments and series over HTTP.

#![expect(unreachable_pub, reason = "the macros of routes put each handler into a function")]

pub mod series;
pub mod tournaments;
