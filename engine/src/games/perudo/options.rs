//! The rule switches of Perudo.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rule switches of Perudo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Play Palífico rounds.
    pub palifico: bool,
    /// Anyone may call the standing bid exact.
    pub calza: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { palifico: true, calza: false }
    }
}
