//! `/admin/matches`: the list, and each match as everybody may see it: live, or move by move.

pub mod bots;
mod forms;
pub mod list;
pub mod past;
pub mod seat;
pub mod show;

pub use bots::{remove_bot, seat_bot};
pub use forms::{abort_match, hide_match, reveal_match, withdraw_match};
pub use list::show_matches;
pub use seat::{offer_seat, remove_from_seat, show_seat};
pub use show::show_match;
