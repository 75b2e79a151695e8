//! The rule switches of Animal Kingdom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pieces::words;

/// The rule switches of Animal Kingdom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The last round that is played, leader or not.
    #[schemars(range(min = 4, max = 20))]
    pub max_rounds: u32,
    /// When the water deer's win is looked at.
    #[serde(deserialize_with = "words::read")]
    pub water_deer_win: WaterDeerWin,
    /// Both of the snake's conditions pay separately.
    pub snake_double: bool,
    /// A chameleon attacking as a predator halves prey as a predator does.
    pub copied_attack_halves: bool,
}

/// When the water deer's win is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaterDeerWin {
    /// After every round.
    AtOnce,
    /// Only when the game ends anyway.
    AtEnd,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_rounds: 9,
            water_deer_win: WaterDeerWin::AtOnce,
            snake_double: false,
            copied_attack_halves: false,
        }
    }
}
