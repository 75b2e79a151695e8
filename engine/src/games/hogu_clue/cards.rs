//! The seventeen cards of Hogu Clue, and what can be called.

use std::fmt;

use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::pieces::words;

/// One of the four suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Suit {
    /// Spades.
    #[serde(rename = "S")]
    Spades,
    /// Hearts.
    #[serde(rename = "H")]
    Hearts,
    /// Diamonds.
    #[serde(rename = "D")]
    Diamonds,
    /// Clubs.
    #[serde(rename = "C")]
    Clubs,
}

impl Suit {
    /// In canonical order.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];
}

/// The number on a card, 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Rank(u8);

impl Rank {
    /// 1, 2, 3, 4.
    pub fn all() -> impl Iterator<Item = Rank> {
        (1..=4).map(Rank)
    }

    /// The number, 1 to 4.
    pub fn number(self) -> u8 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Rank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u8::deserialize(deserializer)? {
            rank @ 1..=4 => Ok(Rank(rank)),
            _ => Err(de::Error::custom("a rank is 1 to 4")),
        }
    }
}

impl JsonSchema for Rank {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rank".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": 4 })
    }
}

/// A card: its place in canonical order, `S1` to `C4` and last the joker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// How many there are.
    pub const COUNT: u8 = 17;
    /// The joker, which has neither suit nor rank.
    pub const JOKER: Card = Card(Card::COUNT - 1);

    const IDS: [&'static str; Card::COUNT as usize] =
        ["S1", "S2", "S3", "S4", "H1", "H2", "H3", "H4", "D1", "D2", "D3", "D4", "C1", "C2", "C3", "C4", "JK"];

    /// All of them in canonical order.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..Card::COUNT).map(Card)
    }

    /// Its suit; the joker has none.
    pub fn suit(self) -> Option<Suit> {
        Suit::ALL.get(usize::from(self.0 / 4)).copied()
    }

    /// Its rank; the joker has none.
    pub fn rank(self) -> Option<Rank> {
        (self != Card::JOKER).then_some(Rank(self.0 % 4 + 1))
    }

    /// Its place in canonical order, from 0.
    pub(super) fn index(self) -> usize {
        self.0.into()
    }

    /// Its name in moves and views.
    pub fn id(self) -> &'static str {
        Card::IDS[usize::from(self.0)]
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = String::deserialize(deserializer)?;
        Card::all().find(|card| card.id() == id).ok_or_else(|| de::Error::custom("no such card"))
    }
}

impl JsonSchema for Card {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": Card::IDS })
    }
}

/// Some of the cards, each at most once; as JSON listed in canonical order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cards(u32);

impl Cards {
    /// All seventeen.
    pub const ALL: Cards = Cards((1 << Card::COUNT) - 1);
    /// None.
    pub const NONE: Cards = Cards(0);

    /// How many there are.
    pub fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Is there none?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is the card among them?
    pub fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// In canonical order.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = u8::try_from(left.trailing_zeros()).ok().filter(|first| *first < Card::COUNT)?;
            left &= left - 1;
            Some(Card(first))
        })
    }

    /// In canonical order from this place on, then the earlier ones.
    pub(super) fn iter_from(self, place: u32) -> impl Iterator<Item = Card> {
        let earlier = Cards((1 << place) - 1);
        self.but(earlier).iter().chain(self.within(earlier).iter())
    }

    /// These and those.
    #[must_use]
    pub fn and(self, more: Cards) -> Cards {
        Cards(self.0 | more.0)
    }

    /// These, but none of those.
    #[must_use]
    pub fn but(self, taken: Cards) -> Cards {
        Cards(self.0 & !taken.0)
    }

    /// Those that are among both.
    #[must_use]
    pub fn within(self, others: Cards) -> Cards {
        Cards(self.0 & others.0)
    }

    /// Those of them that match the call.
    #[must_use]
    pub fn matching(self, call: Call) -> Cards {
        self.within(call.cards())
    }

    /// These with one card handed over for another.
    #[must_use]
    pub fn exchanged(self, gave: Card, got: Card) -> Cards {
        self.but(gave.into()).and(got.into())
    }
}

impl From<Card> for Cards {
    fn from(card: Card) -> Self {
        Cards(1 << card.0)
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Cards::NONE, |all, card| all.and(card.into()))
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(usize::from(self.len())))?;
        for card in self.iter() {
            list.serialize_element(&card)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Card>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl JsonSchema for Cards {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cards".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Card>::json_schema(generator)
    }
}

/// What is called: a suit or a rank, never the joker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// All cards of this suit.
    Suit(#[serde(deserialize_with = "words::read")] Suit),
    /// All cards of this rank.
    Rank(Rank),
}

impl Call {
    /// The suits, then the ranks.
    pub fn all() -> impl Iterator<Item = Call> {
        Suit::ALL.into_iter().map(Call::Suit).chain(Rank::all().map(Call::Rank))
    }

    /// All that match it. The joker matches nothing.
    pub fn cards(self) -> Cards {
        match self {
            Call::Suit(suit) => Cards(0b1111 << (4 * suit as u8)),
            Call::Rank(rank) => Cards(0b1_0001_0001_0001 << (rank.number() - 1)),
        }
    }

    /// Does the card have this suit or rank?
    pub fn matches(self, card: Card) -> bool {
        self.cards().has(card)
    }
}
