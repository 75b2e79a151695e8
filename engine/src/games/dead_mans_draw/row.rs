//! The play area: the row of cards of the turn under way, and which of them a bust would leave (DMD-15).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Card, Cards, DeadMansDraw, Suit, Trait, Variant};

/// How a card came into the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum Origin {
    Draw,
    Hook,
    Sword,
    Map,
}

/// How a card comes to be used: by coming into the row, or moved there by a mermaid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum Means {
    Draw,
    Hook,
    Sword,
    Map,
    Mermaid,
}

impl From<Origin> for Means {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Draw => Means::Draw,
            Origin::Hook => Means::Hook,
            Origin::Sword => Means::Sword,
            Origin::Map => Means::Map,
        }
    }
}

/// A card in the row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Placed {
    pub(super) card: Card,
    pub(super) from: Origin,
    /// Turned a little: safe although its anchor is gone (DMD-70).
    pub(super) marked: bool,
}

/// The row, in the order in which the cards were placed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Row(Vec<Placed>);

/// How many cards after an anchor are safe in Safe Harbor's turn (DMD-56).
const HARBOR: usize = 2;

impl Row {
    pub(super) fn place(&mut self, card: Card, from: Origin) {
        self.0.push(Placed { card, from, marked: false });
    }

    /// DMD-66: its way into the row, and its mark, stay with it.
    pub(super) fn move_to_end(&mut self, card: Card) {
        self.0.sort_by_key(|placed| placed.card == card);
    }

    pub(super) fn remove(&mut self, card: Card) {
        self.0.retain(|placed| placed.card != card);
    }

    pub(super) fn cards(&self) -> impl Iterator<Item = Card> {
        self.0.iter().map(|placed| placed.card)
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Placed> {
        self.0.iter()
    }

    pub(super) fn empty(&mut self) -> Vec<Placed> {
        std::mem::take(&mut self.0)
    }

    /// What a mermaid may choose (DMD-66).
    pub(super) fn not_mermaids(&self) -> Cards {
        self.cards().filter(|card| card.suit() != Suit::Mermaid).collect()
    }

    /// DMD-70: what this anchor keeps safe now is marked.
    pub(super) fn mark_what_is_kept_by(&mut self, anchor: Card, harbor: bool) {
        let Some(at) = self.0.iter().position(|placed| placed.card == anchor) else { return };
        let last = if harbor { at + HARBOR } else { at };
        self.0.iter_mut().take(last + 1).for_each(|placed| placed.marked = true);
    }
}

impl DeadMansDraw {
    /// DMD-12 and DMD-76: would this card bust?
    pub(super) fn busts(&self, card: Card) -> bool {
        let strange = self.plays(Variant::StrangeLands);
        self.acting.row.cards().any(|there| match strange {
            true => there.value() == card.value(),
            false => there.suit() == card.suit(),
        })
    }

    /// Per card of the row, would the acting seat keep it if it bust now?
    pub(super) fn safe(&self) -> Vec<bool> {
        let (harbor, miser) = (self.has(Trait::SafeHarbor), self.has(Trait::Miser));
        let row = &self.acting.row.0;
        let is_anchor = |placed: &Placed| placed.card.suit() == Suit::Anchor;
        // DMD-76: of several anchors the last counts.
        let before = row.iter().rposition(is_anchor).unwrap_or(0);
        let in_harbor = |place: usize| row[place.saturating_sub(HARBOR)..=place].iter().any(is_anchor);
        let is_safe = |(place, placed): (usize, &Placed)| {
            placed.marked
                || place < before
                || harbor && in_harbor(place)
                || miser && (placed.card.suit() == Suit::Hook || placed.from == Origin::Hook)
        };
        row.iter().enumerate().map(is_safe).collect()
    }
}
