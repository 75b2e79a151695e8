//! The ten characters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A character, and the ability that it has. They are ordered by their numbers, 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Character {
    /// 1: instead of moving, pulls one pawn next to itself.
    Gravity,
    /// 2: pushes a pawn on its own space one space on or back.
    Push,
    /// 3: when moved by another, looks at a hand and leaves one card of it.
    Delete,
    /// 4: at its reset, gives one of its cards away.
    Offer,
    /// 5: with its last card, takes another pawn along.
    With,
    /// 6: may pull back a pawn that stands right ahead of it.
    Union,
    /// 7: when moved by another, moves a third pawn as far the other way.
    Mirror,
    /// 8: at its reset, takes over the ability of another character.
    Copy,
    /// 9: when its pawn moves back, resets the hand of another.
    Reset,
    /// 10: each turn silences one ability.
    Silence,
}

impl Character {
    /// All of them by number: the canonical order.
    pub const ALL: [Character; 10] = [
        Character::Gravity,
        Character::Push,
        Character::Delete,
        Character::Offer,
        Character::With,
        Character::Union,
        Character::Mirror,
        Character::Copy,
        Character::Reset,
        Character::Silence,
    ];

    /// The character's number, 1 to 10.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }
}
