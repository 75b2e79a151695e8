//! The view and the events of Dead Man's Draw.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Card, Cards, Choice, DeadMansDraw, Kind, LastTurn, Means, Options, Origin, Suit, Trait, Variant, WaitsFor,
};
use crate::game::{Common, Outcome, Viewer};
use crate::seats::{PerSeat, Seat, SeatSet};

/// Where a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Seats choose their trait.
    Traits,
    /// The holder of Davy Jones' Guardian names an opponent.
    Target,
    /// The acting seat draws or collects.
    Turn,
    /// The acting seat owes a choice.
    Choosing,
    /// It is over.
    Finished,
}

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The fields of every game.
    #[serde(flatten)]
    pub common: Common<Options, Phase>,
    /// The variant card in play.
    pub game_variant: Option<Variant>,
    /// The seat that starts.
    pub first_seat: Option<Seat>,
    /// How many cards are in the draw pile.
    pub draw_count: usize,
    /// How many cards are in the discard pile.
    pub discard_count: usize,
    /// Which they are, if anyone may look.
    pub discard: Option<Cards>,
    /// The row.
    pub play_area: Vec<InRow>,
    /// How many cards the acting seat has drawn this turn.
    pub drawn: u8,
    /// How many cards must be placed before it may collect.
    pub must_draw: u8,
    /// How many cards on top of the draw pile lie turned up by an oracle.
    pub revealed_count: u8,
    /// Which they are, top first; `null` for a viewer who may not look.
    pub revealed: Option<Vec<Card>>,
    /// Per seat its stacks, each top first.
    pub banks: PerSeat<Stacks>,
    /// Per seat, what it would score if the match ended now.
    pub scores: PerSeat<i32>,
    /// Per seat its trait, once they are open.
    pub traits: PerSeat<Option<Trait>>,
    /// The target of Davy Jones' Guardian.
    pub guardian_target: Option<Seat>,
    /// The choice owed.
    pub pending: Option<Pending>,
    /// The latest collect or bust.
    pub last_turn: Option<LastTurn>,
    /// What only the seat itself sees.
    #[serde(flatten)]
    pub mine: Option<Mine>,
}

impl View {
    /// DMD-12 and DMD-76: would this card bust, if it came into the row now?
    pub fn busts(&self, card: Card) -> bool {
        self.play_area.iter().any(|there| match self.game_variant {
            Some(Variant::StrangeLands) => there.card.value() == card.value(),
            _ => there.card.suit() == card.suit(),
        })
    }

    /// Would it bust if the seat on turn drew it? Two traits send a card straight to the bank (DMD-45, DMD-58).
    pub fn busts_when_drawn(&self, card: Card) -> bool {
        let kept = self.common.to_move.iter().next().and_then(|seat| self.traits[seat]);
        let is_banked = match (kept, card.suit()) {
            (Some(Trait::Casanova), Suit::Mermaid) => !self.common.options.mermaid_rules,
            (Some(Trait::Fisherman), Suit::Kraken) => true,
            _ => false,
        };
        !is_banked && self.busts(card)
    }

    /// The cards of the draw pile, if anyone may look through the discard pile: all that lie nowhere else.
    pub fn draw_pile(&self) -> Option<Cards> {
        let row: Cards = self.play_area.iter().map(|there| there.card).collect();
        let banked: Cards = self.banks.iter().flat_map(BTreeMap::values).flatten().copied().collect();
        let elsewhere = self.discard?.with(row).with(banked);
        Some(Cards::all(self.common.options.mermaid_rules).without(elsewhere))
    }
}

/// A bank: the cards of each suit held, top first.
pub type Stacks = BTreeMap<Suit, Vec<Card>>;

/// A card of the row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InRow {
    /// Which.
    pub card: Card,
    /// How it came there.
    pub from: Origin,
    /// Would the acting seat keep it if it bust now?
    pub safe: bool,
}

/// A choice owed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pending {
    /// Who owes it.
    pub seat: Seat,
    /// What it is about.
    pub kind: Kind,
    /// The cards to choose from, if it is about a card and the viewer may see them.
    pub cards: Option<Cards>,
    /// The seats to choose from, if it is about a seat.
    pub seats: Option<SeatSet>,
    /// How many choices of this kind are still to be made, this one included.
    pub left: usize,
}

/// What only the seat itself sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mine {
    /// The trait cards dealt to it, in the order dealt.
    pub my_dealt: Vec<Trait>,
    /// The trait that it has chosen.
    pub my_trait: Option<Trait>,
}

/// Why a card went straight to a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum Took {
    Casanova,
    Fisherman,
    Scavenger,
    Siren,
}

/// Why a card went to the discard pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum Sent {
    Cannon,
    Misfire,
    NoTarget,
}

/// What is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields mean what they mean in the view")]
pub enum Event {
    /// A variant card was turned up.
    VariantChosen { game_variant: Variant },
    /// Which trait cards a seat was dealt; told to that seat only.
    TraitsDealt { seat: Seat, traits: Vec<Trait> },
    /// A seat has chosen its trait; only the seat itself is told which.
    TraitChosen {
        seat: Seat,
        #[serde(rename = "trait", skip_serializing_if = "Option::is_none")]
        kept: Option<Trait>,
    },
    /// All traits are open.
    TraitsRevealed { traits: PerSeat<Option<Trait>> },
    /// Who starts.
    FirstSeat { seat: Seat },
    /// A turn begins.
    TurnStarted { seat: Seat },
    /// Whom Davy Jones' Guardian watches.
    GuardianTarget { seat: Seat, target: Seat },
    /// A card was drawn.
    Drawn { seat: Seat, card: Card },
    /// A card lies at the end of the row.
    Placed { seat: Seat, card: Card, from: Means },
    /// A card went straight to a bank.
    Banked { seat: Seat, card: Card, why: Took },
    /// Cards went to the discard pile, out of a bank or out of the row.
    Discarded { cards: Cards, from_seat: Option<Seat>, why: Sent },
    /// A card was taken out of a bank or out of the discard pile, to be played.
    Taken { seat: Seat, card: Card, from_seat: Option<Seat>, why: Origin },
    /// The Kraken's debt has changed.
    MustDraw { count: u8 },
    /// An oracle turned up cards; viewers who may not look are told how many.
    Revealed {
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Vec<Card>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<usize>,
    },
    /// A map turned up cards; viewers who may not look are told how many.
    MapRevealed {
        seat: Seat,
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Cards>,
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<usize>,
    },
    /// A seat owes a choice.
    Choice { seat: Seat, kind: Kind },
    /// A seat bust.
    Bust { seat: Seat, card: Card, kept: Vec<Card>, lost: Vec<Card>, lost_to: Option<Seat> },
    /// A seat collected.
    Collected { seat: Seat, cards: Vec<Card> },
    /// Cards were taken for key and chest.
    Bonus { seat: Seat, cards: Cards, from_seat: Option<Seat> },
    /// The match is over.
    GameOver { outcome: Outcome },
}

pub(super) fn of(game: &DeadMansDraw, viewer: Viewer) -> View {
    let open = game.traits_open();
    View {
        common: Common::of(game, game.options.clone(), game.pirates.count(), phase(game), game.round),
        game_variant: game.variant,
        first_seat: game.first_seat,
        draw_count: game.draw_pile.len(),
        discard_count: game.discard.len(),
        discard: game.options.open_discard.then_some(game.discard),
        play_area: play_area(game),
        drawn: game.acting.drawn,
        must_draw: game.acting.must_draw,
        revealed_count: game.acting.turned_up,
        revealed: game.sees_turned_up(viewer).then(|| game.turned_up()),
        banks: game.pirates.map(|pirate| stacks(pirate.bank)),
        scores: game.scores(),
        traits: game.pirates.map(|pirate| pirate.kept.filter(|_| open)),
        guardian_target: game.guardian_target,
        pending: pending(game, viewer),
        last_turn: game.last_turn.clone(),
        mine: viewer.seat().map(|seat| mine(game, seat)),
    }
}

fn phase(game: &DeadMansDraw) -> Phase {
    match game.waits_for {
        WaitsFor::Variant | WaitsFor::Deck | WaitsFor::Traits | WaitsFor::KeptTraits | WaitsFor::FirstSeat => {
            Phase::Traits
        }
        WaitsFor::Guardian => Phase::Target,
        WaitsFor::Turn => Phase::Turn,
        WaitsFor::Choice(_) | WaitsFor::MapReveal | WaitsFor::Bonus(_) => Phase::Choosing,
        WaitsFor::Nothing(_) => Phase::Finished,
    }
}

fn play_area(game: &DeadMansDraw) -> Vec<InRow> {
    let over = matches!(game.waits_for, WaitsFor::Nothing(_));
    let row = game.acting.row.iter().zip(game.safe());
    row.map(|(placed, safe)| InRow { card: placed.card, from: placed.from, safe: safe && !over }).collect()
}

fn stacks(bank: Cards) -> Stacks {
    let top_first = |suit| {
        let mut stack: Vec<Card> = bank.stack(suit).iter().collect();
        stack.reverse();
        (suit, stack)
    };
    Suit::ALL.into_iter().map(top_first).filter(|(_, stack)| !stack.is_empty()).collect()
}

fn pending(game: &DeadMansDraw, viewer: Viewer) -> Option<Pending> {
    let seat = game.on_turn()?;
    let seats = Some(game.seats_to_name());
    let (kind, cards, seats, left) = match game.waits_for {
        WaitsFor::Guardian => (Kind::Guardian, None, seats, 1),
        WaitsFor::Choice(choice @ Choice::PlunderSeat { left }) => (choice.kind(), None, seats, left),
        WaitsFor::Choice(choice) => {
            // DMD-48: what a Navigator looks through is not turned up.
            let hidden = choice.kind() == Kind::Map && game.has(Trait::Navigator) && viewer != Viewer::Seat(seat);
            (choice.kind(), (!hidden).then(|| game.candidates(choice)), None, choice.left())
        }
        _ => return None,
    };
    Some(Pending { seat, kind, cards, seats, left })
}

fn mine(game: &DeadMansDraw, seat: Seat) -> Mine {
    let pirate = &game.pirates[seat];
    Mine { my_dealt: pirate.dealt.clone(), my_trait: pirate.kept }
}

impl DeadMansDraw {
    /// May this viewer look at what an oracle has turned up (DMD-22, DMD-R12)?
    pub(super) fn sees_turned_up(&self, viewer: Viewer) -> bool {
        let acting = matches!(self.waits_for, WaitsFor::Turn | WaitsFor::Choice(_)).then_some(self.acting.seat);
        !self.options.oracle_secret || viewer.seat().is_some() && viewer.seat() == acting
    }
}
