//! The rule switches of Dead Man's Draw.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::BadOptions;
use crate::pieces::words;

/// The rule switches of Dead Man's Draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Play with trait cards.
    pub traits: bool,
    /// How many trait cards each seat is dealt, to keep one; no effect without traits.
    #[schemars(range(min = 1, max = 4))]
    pub trait_deal: u8,
    /// Mermaids 2 to 7 with an ability; with traits, the Siren joins the trait cards.
    pub mermaid_rules: bool,
    /// The game variant card.
    #[serde(deserialize_with = "words::read_or_null")]
    pub game_variant: Option<VariantChoice>,
    /// Anyone may look through the discard pile at any time.
    pub open_discard: bool,
    /// An oracle's card is seen by the acting seat alone.
    pub oracle_secret: bool,
    /// A key and a chest that survive a bust together still earn the bonus.
    pub bonus_on_bust: bool,
    /// The four traits that speak of a drawn card work on cards played from anywhere.
    pub drawn_any_source: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            traits: false,
            trait_deal: 2,
            mermaid_rules: false,
            game_variant: None,
            open_discard: false,
            oracle_secret: false,
            bonus_on_bust: true,
            drawn_any_source: false,
        }
    }
}

impl Options {
    /// What the types do not say.
    pub(super) fn check(&self) -> Result<(), BadOptions> {
        BadOptions::unless_within("trait_deal", self.trait_deal, 1..=4)
    }
}

/// Which game variant card to play with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the cards explain themselves below")]
pub enum VariantChoice {
    Random,
    ThievesIsland,
    PileOTreasure,
    SuddenDeath,
    AllHandsOnDeck,
    StrangeLands,
    BeneathTheWaves,
}

/// A game variant card (DMD-71).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// What a bust loses goes to the left neighbour (DMD-72).
    ThievesIsland,
    /// Every card in the bank counts (DMD-73).
    PileOTreasure,
    /// 50 points end the game at once (DMD-74).
    SuddenDeath,
    /// 5 points less for each missing suit (DMD-75).
    AllHandsOnDeck,
    /// Equal values bust instead of equal suits (DMD-76).
    StrangeLands,
    /// A seat with 60 points or more is behind all others (DMD-77).
    BeneathTheWaves,
}

impl Variant {
    /// All six.
    pub const ALL: [Variant; 6] = [
        Variant::ThievesIsland,
        Variant::PileOTreasure,
        Variant::SuddenDeath,
        Variant::AllHandsOnDeck,
        Variant::StrangeLands,
        Variant::BeneathTheWaves,
    ];
}

impl VariantChoice {
    /// The card that was chosen, unless chance chooses it.
    pub fn card(self) -> Option<Variant> {
        match self {
            VariantChoice::Random => None,
            VariantChoice::ThievesIsland => Some(Variant::ThievesIsland),
            VariantChoice::PileOTreasure => Some(Variant::PileOTreasure),
            VariantChoice::SuddenDeath => Some(Variant::SuddenDeath),
            VariantChoice::AllHandsOnDeck => Some(Variant::AllHandsOnDeck),
            VariantChoice::StrangeLands => Some(Variant::StrangeLands),
            VariantChoice::BeneathTheWaves => Some(Variant::BeneathTheWaves),
        }
    }
}
