//! The rule switches of Middle Race.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::BadOptions;
use crate::pieces::words;

/// The rule switches of Middle Race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many spaces lie between start line and finish line.
    #[schemars(range(min = 10, max = 60))]
    pub track_length: u8,
    /// A full hand is one card of each number from 1 to this.
    #[schemars(range(min = 3, max = 6))]
    pub move_cards: u8,
    /// How the seats come to their characters.
    #[serde(deserialize_with = "words::read")]
    pub characters: Casting,
    /// Which places win.
    #[serde(deserialize_with = "words::read")]
    pub winner: Winner,
    /// With `middle`: run until one pawn is left, and rank by distance from the middle.
    pub full_race: bool,
    /// After this many rounds the race is stopped.
    #[schemars(range(min = 10, max = 200))]
    pub max_rounds: u8,
    /// All hands are public.
    pub open_hands: bool,
    /// The first deal counts as a reset for Offer and Copy.
    pub deal_counts_as_reset: bool,
    /// Abilities that must be used may be declined instead.
    pub may_decline: bool,
}

/// How the seats come to their characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Casting {
    /// They choose in turn.
    Draft,
    /// They are dealt.
    Random,
}

/// Which places win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// Those in the middle of the field.
    Middle,
    /// All but the first and the last.
    NotEnds,
}

impl Winner {
    /// Does this place win among so many seats? In the middle are one place of an odd number and two of an even one.
    pub fn wins(self, place: u8, seats: u8) -> bool {
        match self {
            Winner::Middle => twice_from_middle(place, seats) <= 1,
            Winner::NotEnds => place != 1 && place != seats,
        }
    }
}

/// Twice the distance of a place from the middle: a whole number even where two places are in the middle.
pub(super) fn twice_from_middle(place: u8, seats: u8) -> i16 {
    (2 * i16::from(place) - i16::from(seats) - 1).abs()
}

impl Default for Options {
    fn default() -> Self {
        Options {
            track_length: 30,
            move_cards: 4,
            characters: Casting::Draft,
            winner: Winner::Middle,
            full_race: false,
            max_rounds: 60,
            open_hands: false,
            deal_counts_as_reset: false,
            may_decline: false,
        }
    }
}

impl Options {
    pub(super) fn within_bounds(&self) -> Result<(), BadOptions> {
        BadOptions::unless_within("track_length", self.track_length, 10..=60)?;
        BadOptions::unless_within("move_cards", self.move_cards, 3..=6)?;
        BadOptions::unless_within("max_rounds", self.max_rounds, 10..=200)
    }
}
