//! `/admin/matches`: the list, and each match as everybody may see it: live, or move by move.

pub(crate) mod bots;
mod forms;
pub(crate) mod list;
pub(crate) mod past;
pub(crate) mod seat;
pub(crate) mod show;

pub(crate) use bots::{remove_bot, seat_bot};
pub(crate) use forms::{abort_match, hide_match, reveal_match, withdraw_match};
pub(crate) use list::show_matches;
pub(crate) use seat::{offer_seat, remove_from_seat, show_seat};
pub(crate) use show::show_match;
