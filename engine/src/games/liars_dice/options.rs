//! The rule switches of Liar's Dice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pieces::bids::Track;
use crate::pieces::words;

/// The rule switches of Liar's Dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Where the red helm spaces stand.
    #[serde(deserialize_with = "words::read")]
    pub track: Track,
}

impl Default for Options {
    fn default() -> Self {
        Options { track: Track::Bluff }
    }
}
