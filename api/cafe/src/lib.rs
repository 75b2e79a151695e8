//! What a board game café does beyond single tables, a room per noun: the floor, the waiting list, the lab, ratings,
//! operations. No HTTP, no HTML.

pub mod accounts;
pub mod api_keys;
pub mod claims;
pub mod finished;
pub mod floor;
pub mod identities;
pub mod lab;
pub mod operations;
pub mod player_stats;
pub mod projections;
pub mod ratings;
pub mod trials;
pub mod waiting;
pub mod webhooks;
