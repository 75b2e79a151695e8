//! The rule switches of Perudo, pirate edition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pieces::bids::Track;
use crate::pieces::words;

/// The rule switches of Perudo, pirate edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// No re-rolling.
    pub hidden: bool,
    /// Losses as large as the error.
    pub high_risk: bool,
    /// A seat that falls to one die may change the rules of a round.
    pub showdown: bool,
    /// The first elimination ends the game, and all others win.
    pub first_blood: bool,
    /// Where the skull spaces stand.
    #[serde(deserialize_with = "words::read")]
    pub track: Track,
    /// A seat with five dice or more takes none for a right exact call.
    pub cap_five: bool,
    /// What a right exact call costs the bidder in a game with `high_risk`.
    #[serde(deserialize_with = "words::read")]
    pub high_risk_exact: ExactCost,
}

/// What a right exact call costs the bidder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExactCost {
    /// One die, as in the basic game.
    One,
    /// No die, for there is no difference.
    None,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            hidden: false,
            high_risk: false,
            showdown: false,
            first_blood: false,
            track: Track::Classic,
            cap_five: false,
            high_risk_exact: ExactCost::One,
        }
    }
}
