//! The view and the events of Hogu Clue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cards::{Call, Card, Cards};
use super::{Exchange, HoguClue, Options, Stage};
use crate::erased::Json;
use crate::game::{Common, Outcome, Viewer};
use crate::seats::{PerSeat, Seat, SeatSet};
use crate::statistics::SeatStats;

/// Where in the round a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The seat to move calls or answers.
    Turn,
    /// Caller and holder each hand over a card.
    Exchange,
    /// The seat to move must answer.
    Final,
    /// It is over.
    Finished,
}

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The fields of every game.
    #[serde(flatten)]
    pub common: Common<Options, Phase>,
    /// The number of the turn, from 1.
    pub turn: u32,
    /// Who started.
    pub first_seat: Seat,
    /// How many cards every seat has.
    pub hand_size: u8,
    /// The open cards.
    pub open: Cards,
    /// How many hidden cards still lie face down.
    pub hidden_count: u8,
    /// Hidden cards that were named, in the order found.
    pub found: Vec<Card>,
    /// Per seat its place; none while active.
    pub places: PerSeat<Option<u8>>,
    /// Per seat the hand laid open; none while active.
    pub revealed: PerSeat<Option<Cards>>,
    /// The exchange under way.
    pub exchange: Option<Exchanging>,
    /// All hidden cards, for those who have looked.
    pub hidden: Option<Cards>,
    /// One entry per turn, oldest first.
    pub history: Vec<Entry>,
    /// What only the seat itself sees.
    #[serde(flatten)]
    pub mine: Option<Mine>,
}

/// What all see of the exchange under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exchanging {
    /// Who called.
    pub caller: Seat,
    /// Who has a card called.
    pub holder: Seat,
    /// What was called.
    #[serde(flatten)]
    pub call: Call,
    /// Which of the two have chosen.
    pub given: SeatSet,
}

/// What only the seat itself sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mine {
    /// Its cards.
    pub my_hand: Cards,
    /// The card that it has chosen to hand over in the exchange under way.
    pub my_give: Option<Card>,
    /// Its exchanges, oldest first.
    pub my_exchanges: Vec<Exchanged>,
}

/// An exchange, as one of the two knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exchanged {
    /// In which turn.
    pub turn: u32,
    /// With whom.
    pub with: Seat,
    /// The card handed over.
    pub gave: Card,
    /// The card received.
    pub got: Card,
}

/// A turn, as all saw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// From 1.
    pub turn: u32,
    /// From 1.
    pub round: u32,
    /// Whose turn it was.
    pub seat: Seat,
    /// What it did.
    #[serde(flatten)]
    pub what: What,
}

/// What a seat did in its turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum What {
    /// It called.
    Call {
        /// A suit or a rank.
        #[serde(flatten)]
        call: Call,
        /// Who was asked, in order.
        asked: Vec<Seat>,
        /// Who had it.
        holder: Option<Seat>,
    },
    /// It answered.
    Answer {
        /// The card named.
        card: Card,
        /// Was it hidden?
        right: bool,
        /// The place taken.
        rank: u8,
        /// The hand laid open.
        opened: Cards,
    },
}

/// What is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields mean what they mean in the view")]
pub enum Event {
    /// A seat has its cards; told to that seat only.
    Dealt { seat: Seat, cards: Cards },
    /// These cards lie open.
    Opened { cards: Cards },
    /// A turn begins.
    TurnStarted { turn: u32, round: u32, seat: Seat },
    /// A seat called a suit or a rank.
    Called {
        seat: Seat,
        #[serde(flatten)]
        call: Call,
        asked: Vec<Seat>,
        holder: Option<Seat>,
    },
    /// A seat has chosen what to hand over; only that seat is told the card.
    Gave {
        seat: Seat,
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// Caller and holder have exchanged; only those two are told the cards.
    Exchanged {
        seats: [Seat; 2],
        #[serde(skip_serializing_if = "Option::is_none")]
        gave: Option<Card>,
        #[serde(skip_serializing_if = "Option::is_none")]
        got: Option<Card>,
    },
    /// A seat named a card.
    Answered { seat: Seat, card: Card, right: bool, rank: u8, opened: Cards },
    /// A seat looked at the hidden cards; told to that seat only.
    Looked { seat: Seat, hidden: Cards },
    /// The match is over.
    GameOver { outcome: Outcome, hidden: Cards, hands: PerSeat<Cards> },
}

/// Of an answer, whether it was right.
#[derive(Deserialize)]
struct Answered {
    seat: Seat,
    right: bool,
}

/// An answer is the call that counts here: to ask for a suit or a rank claims nothing.
pub(super) fn statistics(seats: u8, events: &[Json]) -> PerSeat<SeatStats> {
    let mut stats = PerSeat::new(seats, |_| SeatStats::default());
    let answers = events.iter().filter_map(|event| serde_json::from_str::<Answered>(event.get()).ok());
    for Answered { seat, right } in answers.filter(|it| it.seat.0 < seats) {
        let stat = &mut stats[seat];
        *(if right { &mut stat.calls_right } else { &mut stat.calls_wrong }) += 1;
    }
    stats
}

pub(super) fn of(game: &HoguClue, viewer: Viewer) -> View {
    let exchange = match &game.stage {
        Stage::Exchange(exchange) => Some(exchange),
        Stage::Deck | Stage::FirstSeat | Stage::Turn { .. } | Stage::Over => None,
    };
    let finished = game.stage == Stage::Over;
    let has_looked = viewer.seat().is_some_and(|seat| !game.is_active(seat));
    View {
        common: Common::of(game, game.options.clone(), game.players.count(), phase(game), game.round),
        turn: game.turn_number(),
        first_seat: game.first_seat,
        hand_size: game.hand_size(),
        open: game.open,
        hidden_count: game.hidden.len() - game.found.len() as u8,
        found: game.found.clone(),
        places: game.players.map(|player| player.place),
        revealed: game.players.map(|player| player.place.map(|_| player.hand)),
        exchange: exchange.map(seen_by_all),
        hidden: (finished || has_looked).then_some(game.hidden),
        history: game.history.clone(),
        mine: viewer.seat().map(|seat| Mine {
            my_hand: game.players[seat].hand,
            my_give: exchange.and_then(|exchange| exchange.gives(seat)),
            my_exchanges: game.players[seat].exchanges.clone(),
        }),
    }
}

fn phase(game: &HoguClue) -> Phase {
    match game.stage {
        Stage::Deck | Stage::FirstSeat | Stage::Turn { .. } if game.calls_are_closed() => Phase::Final,
        Stage::Deck | Stage::FirstSeat | Stage::Turn { .. } => Phase::Turn,
        Stage::Exchange(_) => Phase::Exchange,
        Stage::Over => Phase::Finished,
    }
}

fn seen_by_all(exchange: &Exchange) -> Exchanging {
    Exchanging { caller: exchange.caller, holder: exchange.holder, call: exchange.call, given: exchange.given() }
}
