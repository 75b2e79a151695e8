//! What a seat may do in Liar's Dice, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LiarsDice, View, WaitsFor};
use crate::chance::Source;
use crate::game::Refusal;
use crate::pieces::bidding::{self, Choice, Hand};
use crate::pieces::bids::{self, Bid, Claim};
use crate::pieces::dice::{Dice, Face};
use crate::seats::Seat;

/// What a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// Guess that at least `count` of all dice show `face`.
    Bid {
        /// 1 to 99.
        #[serde(deserialize_with = "bids::count")]
        #[schemars(range(min = 1, max = 99))]
        count: u8,
        /// 1 (the helm) to 6.
        face: Face,
    },
    /// Claim that the standing bid is too high.
    Challenge {},
}

/// How a round was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// The bid was challenged.
    Challenge,
}

/// What chance decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// What a seat rolls in the open for who starts.
    StartRoll {
        /// Who rolls.
        seat: Seat,
        /// Five dice.
        dice: Dice,
    },
    /// What a seat rolls under its cone.
    Roll {
        /// Who rolls.
        seat: Seat,
        /// As many dice as the seat has.
        dice: Dice,
    },
}

const NO_BID: Refusal = Refusal("no_bid");
const BID_TOO_HIGH: Refusal = Refusal("bid_too_high");
const BID_TOO_LOW: Refusal = Refusal("bid_too_low");

pub(super) fn check(game: &LiarsDice, chosen: &Move) -> Result<(), Refusal> {
    match (*chosen, game.standing()) {
        (Move::Challenge {}, None) => Err(NO_BID),
        (Move::Bid { count, .. }, _) if count > game.total_dice() => Err(BID_TOO_HIGH),
        (Move::Bid { count, face }, Some(bid)) if !outranks(game, Claim { count, face }, bid) => Err(BID_TOO_LOW),
        (Move::Challenge {}, Some(_)) | (Move::Bid { .. }, _) => Ok(()),
    }
}

fn outranks(game: &LiarsDice, claim: Claim, bid: Bid) -> bool {
    game.options.track.height(claim) > game.options.track.height(bid.claim())
}

pub(super) fn legal(game: &LiarsDice, seat: Seat, moves: &mut Vec<Move>) {
    if game.waits_for != WaitsFor::Turn(seat) {
        return;
    }
    let standing = game.standing().map(Bid::claim);
    let raises = game.options.track.raises(standing, game.total_dice());
    raises.for_each(|Claim { count, face }| moves.push(Move::Bid { count, face }));
    if standing.is_some() {
        moves.push(Move::Challenge {});
    }
}

/// Bids and challenges as [`Hand::choose`] says.
pub(super) fn autopilot(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
    let raises: Vec<Claim> = legal.iter().filter_map(bid).collect();
    match hand(view).choose(view.bid.map(Bid::claim), &raises, source) {
        Some(Choice::Bid(Claim { count, face })) => Move::Bid { count, face },
        Some(Choice::Doubt) if legal.contains(&Move::Challenge {}) => Move::Challenge {},
        _ => legal[0],
    }
}

pub(super) fn worth_trying(view: &View, legal: &[Move]) -> Vec<Move> {
    let tried = bidding::worth_trying(hand(view), legal.iter().filter_map(bid));
    let bids = tried.into_iter().map(|Claim { count, face }| Move::Bid { count, face });
    let worth: Vec<Move> = bids.chain(legal.iter().filter(|it| bid(it).is_none()).copied()).collect();
    if worth.is_empty() { legal.to_vec() } else { worth }
}

fn hand(view: &View) -> Hand {
    let seen = view.mine.as_ref().map(|mine| mine.my_dice).unwrap_or_default();
    Hand { seen, unseen: view.total_dice.saturating_sub(seen.len()), wild: true }
}

fn bid(chosen: &Move) -> Option<Claim> {
    match *chosen {
        Move::Bid { count, face } => Some(Claim { count, face }),
        Move::Challenge {} => None,
    }
}
