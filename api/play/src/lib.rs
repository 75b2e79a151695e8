//! What happens at a café's tables, a room per noun: people, box games, rules, parties, matches.

pub mod calls;
pub mod library;
pub mod logs;
pub mod matches;
pub mod players;
pub mod sessions;
pub mod shift_notes;
pub mod sittings;
pub mod staff;
pub mod stats;
pub mod tables;
pub mod variants;
