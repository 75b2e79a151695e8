//! The trait cards.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A trait card: what its holder can do all game long (DMD-43).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trait {
    /// 5 points more with a mermaid in the bank (DMD-44).
    GoldenScales,
    /// Mermaids go straight to the bank (DMD-45), or what a mermaid chooses does (DMD-69).
    Casanova,
    /// The bonus comes out of an opponent's bank (DMD-46).
    Plunderer,
    /// The bonus is twice as many cards (DMD-47).
    TreasureHunter,
    /// A map looks through the whole discard pile (DMD-48).
    Navigator,
    /// A cannon hits a whole stack (DMD-49).
    MasterGunner,
    /// What a cannon hits goes to the own bank (DMD-50).
    Scavenger,
    /// An oracle turns up three cards (DMD-51).
    Mystic,
    /// A sword may choose any suit (DMD-52).
    Swordsman,
    /// Hooks and what they bring survive a bust (DMD-54).
    Miser,
    /// A hook works twice (DMD-55).
    CaptainsHook,
    /// An anchor and the two cards after it survive a bust (DMD-56).
    SafeHarbor,
    /// Krakens go straight to the bank (DMD-58).
    Fisherman,
    /// Opponents' Krakens ask for four cards (DMD-59).
    Beastmaster,
    /// Opponents' cannons hit their own bank (DMD-60).
    Misfire,
    /// Opponents' swords find nothing but Krakens (DMD-61).
    Parry,
    /// What the target's busts lose comes here (DMD-63).
    DavyJones,
    /// What opponents' mermaids choose comes here (DMD-68).
    Siren,
}

impl Trait {
    const ALL: [Trait; 18] = [
        Trait::GoldenScales,
        Trait::Casanova,
        Trait::Plunderer,
        Trait::TreasureHunter,
        Trait::Navigator,
        Trait::MasterGunner,
        Trait::Scavenger,
        Trait::Mystic,
        Trait::Swordsman,
        Trait::Miser,
        Trait::CaptainsHook,
        Trait::SafeHarbor,
        Trait::Fisherman,
        Trait::Beastmaster,
        Trait::Misfire,
        Trait::Parry,
        Trait::DavyJones,
        Trait::Siren,
    ];

    /// The trait cards that are played with: the Siren only under the mermaid rules (DMD-6).
    pub fn all(mermaid_rules: bool) -> impl Iterator<Item = Trait> {
        Trait::ALL.into_iter().filter(move |it| mermaid_rules || *it != Trait::Siren)
    }
}
