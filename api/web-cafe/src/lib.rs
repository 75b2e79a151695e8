//! The café over HTTP: tables, parties, the floor, box games, settings, figures. A room per noun.

#![expect(unreachable_pub, reason = "the macros of routes put each handler into a function")]

pub mod calls;
pub mod claims;
pub mod closing;
pub mod floor;
pub mod library;
pub mod opening;
pub mod operations;
pub mod search;
pub mod settings;
pub mod shift_notes;
pub mod sittings;
pub mod stats;
pub mod tables;
pub mod undo;
pub mod waiting;
pub mod webhooks;
