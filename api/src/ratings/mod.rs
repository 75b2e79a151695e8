//! How strong players are: a rating for each game, and one for each set of rules that it is played by. The mathematics is the
//! engine's; here is which matches count, the ledger of changes, and where everybody stands.

pub mod admin;
mod board;
mod graph;
mod rate;
pub mod rest;
pub mod store;

use crate::error::{ApiResult, bad_request};
pub use board::{Board, Month, Rank};
pub use graph::Graph;
pub use rate::{rate, take_back};

/// What a rating is of: a game, or a set of rules by which one is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope(String);

impl Scope {
    pub fn of(game: &str, variant: Option<&str>) -> ApiResult<Self> {
        match variant {
            None => Ok(Self(game.to_owned())),
            Some(hash) if is_hash(hash) => Ok(Self(hash.to_ascii_lowercase())),
            Some(_) => Err(bad_request("invalid_query")),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|it| it.is_ascii_hexdigit())
}

crate::text_enum! {
    /// Why a match changed a rating, or did not.
    pub enum Why {
        /// The player was rated among those who stayed to the end.
        Played = "played",
        /// The player left early, and was rated as the last.
        LeftEarly = "left_early",
        /// All others left early: nobody gains by that.
        LeftAlone = "left_alone",
    }
}
