//! The rules of the games, and nothing else: no input or output, no clock, no database, no generator of its own.
//!
//! A game implements [`Game`] with types of its own; everybody else meets it as [`Kind`] and [`Match`], JSON in and JSON out,
//! through the [`catalogue`]. Chance comes from a [`Dealer`]. What every game promises is tested in [`conformance`].

pub mod catalogue;
pub mod chance;
pub mod conformance;
mod erased;
mod game;
pub mod games;
mod hex;
mod laxity;
pub mod pieces;
pub mod playout;
pub mod ratings;
pub mod record;
pub mod scenario;
mod seats;
mod tally;
pub mod tampering;
pub mod tournaments;
mod variant;

pub use chance::{ChanceError, Commitment, Dealer, Dealt, FairDealer, Random, Seed, Source};
pub use erased::{Json, Kind, Match, PlayError, Schemas, StartError, Step, of};
pub use game::{Action, Audience, BadOptions, Common, Game, Info, Outcome, Points, Refusal, Told, Turn, Viewer};
pub use hex::NotHex;
pub use seats::{PerSeat, Seat, SeatSet};
pub use tally::{Luck, Tally};
pub use variant::VariantHash;
