//! The view and the events of Perudo.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Options, Perudo, WaitsFor};
use crate::game::{Common, Outcome, Viewer};
use crate::pieces::bids::{Bid, Reveal};
use crate::pieces::dice::{Dice, Face};
use crate::seats::{PerSeat, Seat};

/// Where in the round a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Seats bid, doubt or call.
    Bidding,
    /// It is over.
    Finished,
}

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The fields of every game.
    #[serde(flatten)]
    pub common: Common<Options, Phase>,
    /// Per seat how many dice it has.
    pub dice: PerSeat<u8>,
    /// All dice in the game.
    pub total_dice: u8,
    /// Who opened this round; none when finished.
    pub opener: Option<Seat>,
    /// The standing bid.
    pub bid: Option<Bid>,
    /// All bids of this round, the standing one last.
    pub bids: Vec<Bid>,
    /// Is this a Palífico round?
    pub palifico_round: bool,
    /// Per seat, has it ever been Palífico?
    pub been_palifico: PerSeat<bool>,
    /// Who lost a die last.
    pub last_loser: Option<Seat>,
    /// The latest reveal.
    pub last_reveal: Option<Reveal<Call>>,
    /// What only the seat itself sees.
    #[serde(flatten)]
    pub mine: Option<Mine>,
}

/// What only the seat itself sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mine {
    /// Its dice, rising; none when out or finished.
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
    RoundStarted { round: u32, opener: Seat, dice: PerSeat<u8>, palifico: bool },
    /// A seat has rolled; told to that seat only.
    Rolled { seat: Seat, dice: Dice },
    /// A seat has bid.
    Bid { seat: Seat, count: u8, face: Face },
    /// A seat doubts or calls exact.
    Call { seat: Seat, call: Call },
    /// The cups are lifted.
    Revealed(Reveal<Call>),
    /// A seat lost a die.
    Lost { seat: Seat, dice: u8, left: u8 },
    /// A seat took a die back.
    Gained { seat: Seat, dice: u8, left: u8 },
    /// A seat lost its last die.
    Eliminated { seat: Seat },
    /// A seat has fallen to one die and opens a Palífico round.
    Palifico { seat: Seat },
    /// The match is over.
    GameOver { outcome: Outcome },
}

pub(super) fn of(game: &Perudo, viewer: Viewer) -> View {
    let finished = game.waits_for == WaitsFor::Nothing;
    let phase = if finished { Phase::Finished } else { Phase::Bidding };
    View {
        common: Common::of(game, game.options.clone(), game.dice.count(), phase, game.round),
        dice: game.dice.clone(),
        total_dice: game.total_dice(),
        opener: (!finished).then_some(game.opener),
        bid: game.standing(),
        bids: game.bids.clone(),
        palifico_round: game.palifico_round,
        been_palifico: game.been_palifico.clone(),
        last_loser: game.last_loser,
        last_reveal: game.last_reveal.clone(),
        mine: viewer.seat().map(|seat| Mine { my_dice: game.cups[seat] }),
    }
}
