//! The view and the events of Perudo, pirate edition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Options, PerudoPirates, WaitsFor};
use crate::game::{Common, Outcome, Viewer};
use crate::pieces::bids::{self, Bid, Reveal};
use crate::pieces::dice::{Dice, Face};
use crate::seats::{PerSeat, Seat, SeatSet};

/// Where in the round a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The seat on turn bids or calls.
    Bidding,
    /// The seat that has just bid decides whether to re-roll.
    Rerolling,
    /// It is over.
    Finished,
}

/// A seat's bid, and the re-roll after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bidding {
    /// Who bid.
    pub seat: Seat,
    /// From 1.
    #[serde(deserialize_with = "bids::count")]
    pub count: u8,
    /// The face that is counted.
    pub face: Face,
    /// The dice shown and set aside, if the bidder has re-rolled.
    pub reroll: Option<Reroll>,
}

impl Bidding {
    /// The bid alone.
    pub fn bid(self) -> Bid {
        Bid { seat: self.seat, count: self.count, face: self.face }
    }
}

/// What was seen of a re-roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reroll {
    /// All cup dice as they were.
    pub shown: Dice,
    /// Those of them that were set aside.
    pub keep: Dice,
}

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The fields of every game.
    #[serde(flatten)]
    pub common: Common<Options, Phase>,
    /// Per seat how many dice it has, set-aside ones included.
    pub dice: PerSeat<u8>,
    /// All dice in the game.
    pub total_dice: u8,
    /// How many dice lie in the middle.
    pub middle: u8,
    /// Who opened this round; none when finished.
    pub opener: Option<Seat>,
    /// The standing bid.
    pub bid: Option<Bid>,
    /// All bids of this round, the standing one last.
    pub bids: Vec<Bidding>,
    /// Per seat the dice that it has set aside in this round.
    pub set_aside: PerSeat<Dice>,
    /// Who called the Showdown that is on.
    pub showdown_by: Option<Seat>,
    /// Per seat, has it called Showdown in this match?
    pub showdown_used: PerSeat<bool>,
    /// The seats that may call Showdown on their next turn.
    pub showdown_ready: SeatSet,
    /// The latest reveal.
    pub last_reveal: Option<Reveal<Call>>,
    /// What only the seat itself sees.
    #[serde(flatten)]
    pub mine: Option<Mine>,
}

impl View {
    /// The viewer's cup dice.
    pub(super) fn my_dice(&self) -> Dice {
        self.mine.as_ref().map(|mine| mine.my_dice).unwrap_or_default()
    }
}

/// What only the seat itself sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mine {
    /// Its cup dice, rising; none when out or finished.
    pub my_dice: Dice,
}

/// What is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields mean what they mean in the view")]
pub enum Event {
    /// Who opens the first round.
    FirstSeat { seat: Seat },
    /// A round begins.
    RoundStarted { round: u32, opener: Seat, dice: PerSeat<u8> },
    /// A seat has rolled; told to that seat only. After a re-roll the new dice only.
    Rolled { seat: Seat, dice: Dice },
    /// A seat has bid.
    Bid { seat: Seat, count: u8, face: Face },
    /// A seat shows its cup, sets dice aside and rolls the others again.
    Reroll { seat: Seat, shown: Dice, keep: Dice },
    /// A seat keeps its dice as they are.
    Stand { seat: Seat },
    /// A seat begins a Showdown.
    Showdown { seat: Seat },
    /// A seat calls the bid too high or exact.
    Call { seat: Seat, call: Call },
    /// The cups are lifted.
    Revealed(Reveal<Call>),
    /// A seat lost dice.
    Lost { seat: Seat, dice: u8, left: u8 },
    /// A seat took a die from the middle.
    Gained { seat: Seat, dice: u8, left: u8 },
    /// A seat lost its last die.
    Eliminated { seat: Seat },
    /// The match is over.
    GameOver { outcome: Outcome },
}

pub(super) fn of(game: &PerudoPirates, viewer: Viewer) -> View {
    let phase = match game.waits_for {
        WaitsFor::Decision(_) => Phase::Rerolling,
        WaitsFor::Nothing => Phase::Finished,
        WaitsFor::FirstSeat | WaitsFor::Roll(_) | WaitsFor::NewRoll(_) | WaitsFor::Turn(_) => Phase::Bidding,
    };
    View {
        common: Common::of(game, game.options.clone(), game.dice.count(), phase, game.round),
        dice: game.dice.clone(),
        total_dice: game.total_dice(),
        middle: game.middle(),
        opener: (phase != Phase::Finished).then_some(game.opener),
        bid: game.standing(),
        bids: game.bids.clone(),
        set_aside: game.set_aside.clone(),
        showdown_by: game.showdown_by,
        showdown_used: game.showdown_used.clone(),
        showdown_ready: game.showdown_ready,
        last_reveal: game.last_reveal.clone(),
        mine: viewer.seat().map(|seat| Mine { my_dice: game.cups[seat] }),
    }
}
