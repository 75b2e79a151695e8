//! Rules and matches over HTTP: variants, the lab, boards, matches, guests' pages of them. A room per noun.

#![expect(unreachable_pub, reason = "the macros of routes put each handler into a function")]

pub mod boards;
pub mod games;
pub mod lab;
pub mod matches;
pub mod play;
pub mod trials;
pub mod variants;
