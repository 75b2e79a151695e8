//! Loot cards, and sets of them.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The ten kinds of loot, in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum Suit {
    Anchor,
    Hook,
    Cannon,
    Key,
    Chest,
    Map,
    Oracle,
    Sword,
    Kraken,
    Mermaid,
}

impl Suit {
    /// All of them, in canonical order.
    pub const ALL: [Suit; 10] = [
        Suit::Anchor,
        Suit::Hook,
        Suit::Cannon,
        Suit::Key,
        Suit::Chest,
        Suit::Map,
        Suit::Oracle,
        Suit::Sword,
        Suit::Kraken,
        Suit::Mermaid,
    ];

    fn word(self) -> &'static str {
        match self {
            Suit::Anchor => "anchor",
            Suit::Hook => "hook",
            Suit::Cannon => "cannon",
            Suit::Key => "key",
            Suit::Chest => "chest",
            Suit::Map => "map",
            Suit::Oracle => "oracle",
            Suit::Sword => "sword",
            Suit::Kraken => "kraken",
            Suit::Mermaid => "mermaid",
        }
    }
}

/// A loot card; as JSON its id, such as `"sword-5"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card {
    suit: Suit,
    value: u8,
}

const LOWEST: u8 = 2;

impl Card {
    /// The card of this suit and value, if one was printed: 2 to 7, and mermaids up to 9.
    pub fn new(suit: Suit, value: u8) -> Option<Card> {
        let highest = if suit == Suit::Mermaid { 9 } else { 7 };
        (LOWEST..=highest).contains(&value).then_some(Card { suit, value })
    }

    /// Its suit.
    pub fn suit(self) -> Suit {
        self.suit
    }

    /// Its value.
    pub fn value(self) -> u8 {
        self.value
    }

    fn read(id: &str) -> Option<Card> {
        let (word, digit) = id.split_once('-')?;
        let suit = Suit::ALL.into_iter().find(|suit| suit.word() == word)?;
        match digit.as_bytes() {
            [digit @ b'0'..=b'9'] => Card::new(suit, digit - b'0'),
            _ => None,
        }
    }

    fn place(self) -> u32 {
        self.suit as u32 * Cards::PER_SUIT + u32::from(self.value - LOWEST)
    }

    fn at(place: u32) -> Card {
        let suit = Suit::ALL[(place / Cards::PER_SUIT) as usize];
        Card { suit, value: (place % Cards::PER_SUIT) as u8 + LOWEST }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}", self.suit.word(), self.value)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Id;

        impl Visitor<'_> for Id {
            type Value = Card;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("the id of a loot card")
            }

            fn visit_str<E: Error>(self, id: &str) -> Result<Card, E> {
                Card::read(id).ok_or_else(|| E::custom("there is no such card"))
            }
        }

        deserializer.deserialize_str(Id)
    }
}

impl JsonSchema for Card {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let suits = Suit::ALL.map(Suit::word).join("|");
        schemars::json_schema!({ "type": "string", "pattern": format!("^(({suits})-[2-7]|mermaid-[89])$") })
    }
}

/// Different cards, in canonical order: by suit, then by rising value. One bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cards(u128);

impl Cards {
    const PER_SUIT: u32 = 8;

    /// The 60 cards that are played with: mermaids 4 to 9, or 2 to 7 under the mermaid rules (DMD-65).
    pub fn all(mermaid_rules: bool) -> Cards {
        let lowest = |suit| if suit == Suit::Mermaid && !mermaid_rules { 4 } else { LOWEST };
        let six = |suit| (lowest(suit)..).take(6).filter_map(move |value| Card::new(suit, value));
        Suit::ALL.into_iter().flat_map(six).collect()
    }

    /// Every card that was printed.
    pub fn every() -> Cards {
        let of = |suit| (LOWEST..).map_while(move |value| Card::new(suit, value));
        Suit::ALL.into_iter().flat_map(of).collect()
    }

    /// Just this card.
    pub fn one(card: Card) -> Cards {
        Cards(1 << card.place())
    }

    /// Is it among them?
    pub fn has(self, card: Card) -> bool {
        self.0 & Cards::one(card).0 != 0
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Is there none?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a card.
    pub fn put(&mut self, card: Card) {
        self.0 |= Cards::one(card).0;
    }

    /// Takes a card out.
    pub fn take(&mut self, card: Card) {
        self.0 &= !Cards::one(card).0;
    }

    /// These and those together.
    #[must_use]
    pub fn with(self, more: Cards) -> Cards {
        Cards(self.0 | more.0)
    }

    /// These without those.
    #[must_use]
    pub fn without(self, those: Cards) -> Cards {
        Cards(self.0 & !those.0)
    }

    /// Those of one suit.
    #[must_use]
    pub fn stack(self, suit: Suit) -> Cards {
        let whole = (1 << Cards::PER_SUIT) - 1;
        Cards(self.0 & whole << (suit as u32 * Cards::PER_SUIT))
    }

    /// The highest of one suit.
    pub fn top(self, suit: Suit) -> Option<Card> {
        self.stack(suit).last()
    }

    /// The highest of each suit.
    #[must_use]
    pub fn tops(self) -> Cards {
        Suit::ALL.into_iter().filter_map(|suit| self.top(suit)).collect()
    }

    /// The lowest of each suit.
    #[must_use]
    pub fn bottoms(self) -> Cards {
        Suit::ALL.into_iter().filter_map(|suit| self.stack(suit).iter().next()).collect()
    }

    /// The cards in canonical order.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (place < u128::BITS).then(|| Card::at(place))
        })
    }

    fn last(self) -> Option<Card> {
        (!self.is_empty()).then(|| Card::at(u128::BITS - 1 - self.0.leading_zeros()))
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut all = Cards::default();
        all.extend(cards);
        all
    }
}

impl Extend<Card> for Cards {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        cards.into_iter().for_each(|card| self.put(card));
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
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
