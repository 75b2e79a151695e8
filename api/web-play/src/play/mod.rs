//! The pages of guests around a game: a match by its code, and how a party starts one at its table.
//!
//! `view` is a match as its page shows it to one who looks, `visit` who asks for it and comes back to it, `guest` the pages and
//! what their forms do, `live` how a page learns of news, `reactions` what people at it say to each other, `start` how a
//! match is started at a table, `written` the results of matches with real dice and cards.

pub mod guest;
pub mod live;
pub mod reactions;
pub mod start;
pub mod view;
pub mod visit;
pub mod written;
