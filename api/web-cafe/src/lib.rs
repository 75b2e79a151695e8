//! The café over HTTP: tables, parties, the floor, people, box games, staff, settings, figures. A room per noun.

#![expect(unreachable_pub, reason = "the macros of routes put each handler into a function")]

pub mod api_keys;
pub mod audit;
pub mod calls;
pub mod claims;
pub mod closing;
pub mod floor;
pub mod library;
pub mod oidc;
pub mod opening;
pub mod operations;
pub mod player_stats;
pub mod players;
pub mod ratings;
pub mod search;
pub mod sessions;
pub mod settings;
pub mod shift_notes;
pub mod sittings;
pub mod staff;
pub mod stats;
pub mod tables;
pub mod undo;
pub mod waiting;
pub mod webhooks;
