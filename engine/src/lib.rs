//! The rules of the games. This crate does no input or output and has no clock, no database and no random generator.
//!
//! A game implements [`Game`] with its own types. All other code uses it as [`Kind`] and [`Match`], with JSON in and
//! JSON out, through the [`catalogue`]. A [`Dealer`] supplies the random outcomes. [`conformance`] tests what every
//! game promises.
//!
//! ```
//! use engine::{Seat, Turn, Viewer, catalogue, playout};
//! use serde_json::json;
//!
//! let kind = catalogue::find("perudo").expect("a game of the catalogue");
//! let mut dealer = playout::random(1);
//! let (mut game, step) = kind.start(&json!({ "calza": true }), 3, &mut dealer)?;
//! assert!(step.events_for(Viewer::Public).count() < step.events.len(), "the public is not told of hidden dice");
//!
//! let Turn::Seats { to_move, .. } = game.turn() else { panic!("a new match waits for a seat") };
//! let opener = to_move.iter().next().expect("one seat opens");
//! game.play(opener, &json!({ "type": "bid", "count": 1, "face": 4 }), &mut dealer)?;
//! let refused = game.play(Seat(opener.0 + 1), &json!({ "type": "surrender" }), &mut dealer);
//! assert!(refused.is_err(), "a refused move changes nothing");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/eighth_game.rs` is a whole game in one file.

pub mod bots;
pub mod catalogue;
pub mod chance;
pub mod conformance;
mod erased;
mod game;
pub mod games;
mod hex;
pub mod lab;
mod lookalikes;
pub mod pieces;
pub mod playout;
pub mod ratings;
pub mod record;
pub mod scenario;
mod seats;
mod statistics;
pub mod tampering;
pub mod tournaments;
mod variant;

pub use chance::{ChanceError, Commitment, Dealer, Dealt, Drawing, FairDealer, Random, Seed, Source};
pub use erased::{Json, Kind, Match, PlayError, Schemas, StartError, Step, of};
pub use game::{
    Action, Addressed, Audience, BadOptions, Common, Difficulty, Game, Info, Outcome, Points, Refusal, Turn, Viewer,
};
pub use hex::NotHex;
pub use seats::{PER_SEAT, PerSeat, Seat, SeatSet};
pub use statistics::{Luck, SeatStats};
pub use variant::VariantHash;
