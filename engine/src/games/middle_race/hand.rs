//! A hand of move cards, and the story of how it came about.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::seats::Seat;

/// The number on a move card, and how far it moves.
pub type Card = u8;

/// The highest number that any table plays with.
const MOST: usize = 6;

/// Move cards: how many there are of each number. As JSON they are listed rising.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand([u8; MOST]);

impl Hand {
    /// One card of each number from 1 to this.
    pub(super) fn full(highest: Card) -> Self {
        let mut hand = Hand::default();
        hand.0.iter_mut().take(highest.into()).for_each(|many| *many = 1);
        hand
    }

    fn place(card: Card) -> Option<usize> {
        usize::from(card).checked_sub(1).filter(|place| *place < MOST)
    }

    fn with(mut self, card: Card) -> Option<Self> {
        let many = &mut self.0[Hand::place(card)?];
        // No hand has nearly as many cards; the limit keeps the count from overflowing.
        *many = many.checked_add(1).filter(|many| *many < 40)?;
        Some(self)
    }

    fn without(mut self, card: Card) -> Option<Self> {
        let many = &mut self.0[Hand::place(card)?];
        *many = many.checked_sub(1)?;
        Some(self)
    }

    pub(super) fn len(self) -> u8 {
        self.0.iter().sum()
    }

    pub(super) fn holds(self, card: Card) -> bool {
        Hand::place(card).is_some_and(|place| self.0[place] > 0)
    }

    /// The different numbers in it, rising.
    pub(super) fn numbers(self) -> impl Iterator<Item = Card> {
        (1..=MOST as Card).filter(move |card| self.holds(*card))
    }

    /// Its only card.
    pub(super) fn single(self) -> Option<Card> {
        self.numbers().next().filter(|_| self.len() == 1)
    }

    /// Every card of it, rising.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        self.numbers().flat_map(move |card| std::iter::repeat_n(card, self.0[usize::from(card) - 1].into()))
    }
}

impl Serialize for Hand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.cards())
    }
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Card>::deserialize(deserializer)?;
        let hand = cards.into_iter().try_fold(Hand::default(), Hand::with);
        hand.ok_or_else(|| serde::de::Error::custom("no such hand of move cards"))
    }
}

impl JsonSchema for Hand {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hand".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Card>::json_schema(generator)
    }
}

/// A card that only two seats know of: which one Offer gave, or which one Delete left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Secret {
    pub(super) card: Card,
    pub(super) known_to: [Seat; 2],
}

/// The secrets that a story still depends on.
pub(super) type Secrets = BTreeMap<u32, Secret>;

/// What happened to a hand since its last reset. It is public, except for the cards of the secrets and what lookers
/// saw.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Story(pub(super) Vec<Entry>);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Entry {
    /// This card was played or discarded.
    Used(Card),
    /// A card was given away.
    Gave(u32),
    /// A card was given to it.
    Got(u32),
    /// This seat looked at it.
    ShownTo(Seat),
    /// All cards but one were taken.
    Kept(u32),
}

impl Story {
    /// Replays the story and returns the hand at its end, or `None` if the story is impossible. `seen` gets each hand
    /// that a seat looked at.
    pub(super) fn replay(&self, full: Hand, secrets: &Secrets, seen: impl FnMut(Seat, Hand)) -> Option<Hand> {
        replay(&self.0, full, secrets, seen)
    }

    /// How many cards the hand has at its end, which no secret decides.
    pub(super) fn count(&self, full: Hand) -> u8 {
        self.0.iter().fold(full.len(), |count, entry| match entry {
            Entry::Used(_) | Entry::Gave(_) => count.saturating_sub(1),
            Entry::Got(_) => count.saturating_add(1),
            Entry::ShownTo(_) => count,
            Entry::Kept(_) => 1,
        })
    }

    /// May it have been so, for all that is decided of the secrets?
    pub(super) fn may_be(&self, full: Hand, secrets: &Secrets) -> bool {
        let is_open = |entry: &Entry| match entry {
            Entry::Gave(id) | Entry::Got(id) | Entry::Kept(id) => !secrets.contains_key(id),
            Entry::Used(_) | Entry::ShownTo(_) => false,
        };
        let decided = self.0.iter().position(is_open).unwrap_or(self.0.len());
        replay(&self.0[..decided], full, secrets, |_, _| ()).is_some()
    }

    /// The secrets that the story depends on.
    pub(super) fn secrets(&self) -> impl Iterator<Item = u32> {
        self.0.iter().filter_map(|entry| match entry {
            Entry::Gave(id) | Entry::Got(id) | Entry::Kept(id) => Some(*id),
            Entry::Used(_) | Entry::ShownTo(_) => None,
        })
    }

    /// The cards that were played or discarded, in order.
    pub(super) fn used(&self) -> Vec<Card> {
        let used = |entry: &Entry| match entry {
            Entry::Used(card) => Some(*card),
            _ => None,
        };
        self.0.iter().filter_map(used).collect()
    }
}

fn replay(story: &[Entry], full: Hand, secrets: &Secrets, mut seen: impl FnMut(Seat, Hand)) -> Option<Hand> {
    story.iter().try_fold(full, |hand, entry| {
        let secret = |id| secrets.get(id).map(|it| it.card);
        match entry {
            Entry::Used(card) => hand.without(*card),
            Entry::Gave(id) => hand.without(secret(id)?),
            Entry::Got(id) => hand.with(secret(id)?),
            Entry::ShownTo(seat) => {
                seen(*seat, hand);
                Some(hand)
            }
            Entry::Kept(id) => Hand::default().with(secret(id).filter(|card| hand.holds(*card))?),
        }
    })
}
