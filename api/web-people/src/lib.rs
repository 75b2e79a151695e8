//! People over HTTP: players, what they did and how they stand, staff, sessions, keys of programs, the audit log. A room per noun.

#![expect(unreachable_pub, reason = "the macros of routes put each handler into a function")]

pub mod api_keys;
pub mod audit;
pub mod oidc;
pub mod player_stats;
pub mod players;
pub mod ratings;
pub mod sessions;
pub mod staff;
