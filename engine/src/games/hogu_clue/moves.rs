//! What a seat may do in Hogu Clue, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cards::{Call, Card, Cards};
use super::{HoguClue, Stage};
use crate::game::Refusal;
use crate::seats::Seat;

/// What a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// Call a suit or a rank.
    Call(Call),
    /// Name a card said to be hidden.
    Answer {
        /// A card that the seat does not see.
        card: Card,
    },
    /// Hand over a card in an exchange.
    Give {
        /// A card of the seat's hand.
        card: Card,
    },
}

/// What chance decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// All seventeen cards in dealing order.
    Deck(Vec<Card>),
    /// Who starts.
    FirstSeat(Seat),
}

const WRONG_PHASE: Refusal = Refusal("wrong_phase");
const CALLS_CLOSED: Refusal = Refusal("calls_closed");
const NOT_YOUR_CARD: Refusal = Refusal("not_your_card");
const NOT_MATCHING: Refusal = Refusal("not_matching");
const SAME_KIND: Refusal = Refusal("same_kind");
const CARD_KNOWN: Refusal = Refusal("card_known");

pub(super) fn check(game: &HoguClue, seat: Seat, chosen: Move) -> Result<(), Refusal> {
    let exchanging = matches!(game.stage, Stage::Exchange(_));
    let (allowed, refusal) = match chosen {
        Move::Give { .. } if !exchanging => (false, WRONG_PHASE),
        Move::Call(_) | Move::Answer { .. } if exchanging => (false, WRONG_PHASE),
        Move::Call(_) => (!game.calls_are_closed(), CALLS_CLOSED),
        Move::Give { card } => return check_gift(game, seat, card),
        Move::Answer { card } => (!game.seen_by(seat).has(card), CARD_KNOWN),
    };
    if allowed { Ok(()) } else { Err(refusal) }
}

fn check_gift(game: &HoguClue, seat: Seat, card: Card) -> Result<(), Refusal> {
    let Stage::Exchange(exchange) = &game.stage else { return Err(WRONG_PHASE) };
    let hand = game.players[seat].hand;
    if !hand.has(card) {
        return Err(NOT_YOUR_CARD);
    }
    let refusal = if seat == exchange.holder { NOT_MATCHING } else { SAME_KIND };
    match game.may_give(hand, exchange.call, seat == exchange.holder).has(card) {
        true => Ok(()),
        false => Err(refusal),
    }
}

impl HoguClue {
    /// HC-10 and HC-11: what the holder of a card called, or its caller, may hand over.
    pub(super) fn may_give(&self, hand: Cards, call: Call, holder: bool) -> Cards {
        let matching = hand.matching(call);
        match (holder, self.options.same_kind_back) {
            (true, _) => matching,
            (false, true) => hand,
            (false, false) if matching == hand => hand,
            (false, false) => hand.but(matching),
        }
    }
}

pub(super) fn legal(game: &HoguClue, seat: Seat, moves: &mut Vec<Move>) {
    match &game.stage {
        Stage::Turn { seat: on_turn } if *on_turn == seat => {
            if !game.calls_are_closed() {
                moves.extend(Call::all().map(Move::Call));
            }
            moves.extend(Cards::ALL.but(game.seen_by(seat)).iter().map(|card| Move::Answer { card }));
        }
        Stage::Exchange(exchange) if exchange.waits_for().has(seat) => {
            let cards = game.may_give(game.players[seat].hand, exchange.call, seat == exchange.holder);
            moves.extend(cards.iter().map(|card| Move::Give { card }));
        }
        Stage::Turn { .. } | Stage::Exchange(_) | Stage::Deck | Stage::FirstSeat | Stage::Over => {}
    }
}
