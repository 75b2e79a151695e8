//! The rule switches of Hogu Clue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rule switches of Hogu Clue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// After this many rounds nobody may call, only answer.
    #[schemars(range(min = 1, max = 100))]
    pub max_rounds: u32,
    /// The caller may hand over a card of the very kind that it called.
    pub same_kind_back: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_rounds: 20, same_kind_back: true }
    }
}
