//! What a seat may do in Perudo, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Perudo, View, WaitsFor};
use crate::game::Refusal;
use crate::pieces::bids::{self, Claim, Track};
use crate::pieces::dice::{Dice, Face};
use crate::seats::Seat;

/// What a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// Claim that at least `count` of all dice show `face`.
    Bid {
        /// 1 to 99.
        #[serde(deserialize_with = "bids::count")]
        #[schemars(range(min = 1, max = 99))]
        count: u8,
        /// 1 (Paco) to 6.
        face: Face,
    },
    /// Doubt the standing bid.
    Dudo {},
    /// Call the standing bid exact.
    Calza {},
}

/// How a round was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// The bid was doubted.
    Dudo,
    /// The bid was called exact.
    Calza,
}

/// What chance decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// Who opens the first round.
    FirstSeat(Seat),
    /// What a seat rolls.
    Roll {
        /// Who rolls.
        seat: Seat,
        /// As many dice as the seat has.
        dice: Dice,
    },
}

const NO_BID: Refusal = Refusal("no_bid");
const BID_TOO_HIGH: Refusal = Refusal("bid_too_high");
const PACO_OPENING: Refusal = Refusal("paco_opening");
const FACE_LOCKED: Refusal = Refusal("face_locked");
const BID_TOO_LOW: Refusal = Refusal("bid_too_low");

pub(super) fn check(game: &Perudo, chosen: &Move) -> Result<(), Refusal> {
    match *chosen {
        Move::Dudo {} | Move::Calza {} => game.standing().map(|_| ()).ok_or(NO_BID),
        Move::Bid { count, face } => check_bid(game, Claim { count, face }),
    }
}

fn check_bid(game: &Perudo, claim: Claim) -> Result<(), Refusal> {
    if claim.count > game.dice.iter().sum() {
        return Err(BID_TOO_HIGH);
    }
    let Some(standing) = game.standing() else {
        return match claim.face == Face::ONE && !game.palifico_round {
            true => Err(PACO_OPENING),
            false => Ok(()),
        };
    };
    if game.palifico_round && claim.face != standing.face && !bidder_may_change_face(game) {
        return Err(FACE_LOCKED);
    }
    match height(game, claim) > height(game, standing.claim()) {
        true => Ok(()),
        false => Err(BID_TOO_LOW),
    }
}

/// PER-44: only a seat that has been Palífico may change the face.
fn bidder_may_change_face(game: &Perudo) -> bool {
    matches!(game.waits_for, WaitsFor::Turn(seat) if game.been_palifico[seat])
}

/// PER-24 in an ordinary round; PER-43 in a Palífico round, where Pacos are a plain 1.
fn height(game: &Perudo, claim: Claim) -> (u16, Face) {
    match game.palifico_round {
        true => (claim.count.into(), claim.face),
        false => Track::Classic.height(claim),
    }
}

pub(super) fn legal(game: &Perudo, seat: Seat, moves: &mut Vec<Move>) {
    let WaitsFor::Turn(on_turn) = game.waits_for else { return };
    if seat == on_turn {
        let from =
            game.standing().map_or(1, |bid| if bid.face == Face::ONE { bid.count } else { bid.count.div_ceil(2) });
        for count in from..=game.dice.iter().sum() {
            let bids = Face::all().filter(|face| check_bid(game, Claim { count, face: *face }).is_ok());
            moves.extend(bids.map(|face| Move::Bid { count, face }));
        }
        if game.standing().is_some() {
            moves.push(Move::Dudo {});
        }
    }
    let calls = seat == on_turn && game.standing().is_some() || game.may_interrupt(on_turn).has(seat);
    if game.options.calza && calls {
        moves.push(Move::Calza {});
    }
}

/// Doubts a bid of more than it holds itself and a third of the other dice; otherwise makes the lowest bid there is.
pub(super) fn autopilot(view: &View, legal: &[Move]) -> Move {
    let doubts = view.bid.is_some_and(|bid| {
        let mine = view.mine.as_ref().map(|mine| mine.my_dice).unwrap_or_default();
        let held = bids::actual([&mine], bid.face, !view.palifico_round);
        bid.count > held + (view.total_dice - mine.len()) / 3
    });
    let lowest = legal.iter().find(|it| matches!(it, Move::Bid { .. }));
    match lowest.filter(|_| !doubts) {
        Some(bid) => *bid,
        None => *legal.iter().find(|it| matches!(it, Move::Dudo {})).unwrap_or(&legal[0]),
    }
}
