//! What a seat may do in Perudo, pirate edition, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::{PerudoPirates, View, WaitsFor};
use crate::game::Refusal;
use crate::pieces::bids::{self, Claim};
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
        /// 1 (the skull) to 6.
        face: Face,
    },
    /// After a bid: show the cup, set dice aside and roll the others again.
    Reroll {
        /// The dice that are set aside, one at least.
        #[serde(deserialize_with = "kept")]
        #[schemars(length(min = 1))]
        keep: Dice,
    },
    /// After a bid: keep the dice as they are.
    Stand {},
    /// Claim that the standing bid is too high.
    Challenge {},
    /// Claim that the standing bid is exact.
    Exact {},
    /// Begin a Showdown.
    Showdown {},
}

/// How a round was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// The bid was called too high.
    Challenge,
    /// The bid was called exact.
    Exact,
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
        /// As many dice as are rolled.
        dice: Dice,
    },
}

/// Reads the dice to set aside. A list that is longer than any table has dice is cut: it is too long all the same.
fn kept<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dice, D::Error> {
    let faces = Vec::<Face>::deserialize(deserializer)?;
    match faces.is_empty() {
        true => Err(serde::de::Error::custom("one die is set aside at least")),
        false => Ok(faces.into_iter().take(bids::MOST.into()).collect()),
    }
}

const MUST_DECIDE: Refusal = Refusal("must_decide");
const NOTHING_TO_REROLL: Refusal = Refusal("nothing_to_reroll");
const NO_SHOWDOWN: Refusal = Refusal("no_showdown");
const NO_BID: Refusal = Refusal("no_bid");
const EXACT_FORBIDDEN: Refusal = Refusal("exact_forbidden");
const BID_TOO_HIGH: Refusal = Refusal("bid_too_high");
const FACE_LOCKED: Refusal = Refusal("face_locked");
const BID_TOO_LOW: Refusal = Refusal("bid_too_low");
const REROLL_DICE: Refusal = Refusal("reroll_dice");

pub(super) fn check(game: &PerudoPirates, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
    let decides = matches!(game.waits_for, WaitsFor::Decision(_));
    match *chosen {
        Move::Reroll { .. } | Move::Stand {} if !decides => Err(NOTHING_TO_REROLL),
        Move::Stand {} => Ok(()),
        Move::Reroll { keep } if !may_keep(game.cups[seat], keep) => Err(REROLL_DICE),
        Move::Reroll { .. } => Ok(()),
        _ if decides => Err(MUST_DECIDE),
        Move::Showdown {} if !may_call_showdown(game, seat) => Err(NO_SHOWDOWN),
        Move::Showdown {} => Ok(()),
        Move::Challenge {} | Move::Exact {} if game.standing().is_none() => Err(NO_BID),
        Move::Exact {} if game.in_showdown() => Err(EXACT_FORBIDDEN),
        Move::Challenge {} | Move::Exact {} => Ok(()),
        Move::Bid { count, face } => check_bid(game, Claim { count, face }),
    }
}

/// PIR-31: some of the cup's dice are set aside, but not all.
fn may_keep(cup: Dice, keep: Dice) -> bool {
    cup.contains(keep) && !keep.is_empty() && keep.len() < cup.len()
}

/// PIR-70 and PIR-72.
fn may_call_showdown(game: &PerudoPirates, seat: Seat) -> bool {
    game.showdown_ready.has(seat) && !game.in_showdown()
}

fn check_bid(game: &PerudoPirates, claim: Claim) -> Result<(), Refusal> {
    if claim.count > game.total_dice() {
        return Err(BID_TOO_HIGH);
    }
    let Some(standing) = game.standing() else { return Ok(()) };
    let raises = match game.in_showdown() {
        true if claim.face != standing.face => return Err(FACE_LOCKED),
        true => claim.count > standing.count,
        false => game.options.track.height(claim) > game.options.track.height(standing.claim()),
    };
    if raises { Ok(()) } else { Err(BID_TOO_LOW) }
}

pub(super) fn legal(game: &PerudoPirates, seat: Seat, moves: &mut Vec<Move>) {
    if game.waits_for == WaitsFor::Decision(seat) {
        moves.push(Move::Stand {});
        let cup = game.cups[seat];
        let keeps = cup.parts().filter(|keep| may_keep(cup, *keep));
        moves.extend(keeps.map(|keep| Move::Reroll { keep }));
    }
    if game.waits_for == WaitsFor::Turn(seat) {
        legal_bids(game, moves);
        if game.standing().is_some() {
            moves.push(Move::Challenge {});
            if !game.in_showdown() {
                moves.push(Move::Exact {});
            }
        }
        if may_call_showdown(game, seat) {
            moves.push(Move::Showdown {});
        }
    }
}

fn legal_bids(game: &PerudoPirates, moves: &mut Vec<Move>) {
    let most = game.total_dice();
    match game.standing() {
        // PIR-75: the face is locked.
        Some(bid) if game.in_showdown() => {
            moves.extend((bid.count + 1..=most).map(|count| Move::Bid { count, face: bid.face }));
        }
        standing => {
            let raises = game.options.track.raises(standing.map(|bid| bid.claim()), most);
            raises.for_each(|Claim { count, face }| moves.push(Move::Bid { count, face }));
        }
    }
}

/// Never re-rolls, calls exact or begins a Showdown. Challenges a bid of more than it expects: what it holds itself and
/// what all have set aside, and of the other dice every third, or every sixth where skulls do not count. Otherwise
/// makes the lowest bid there is.
pub(super) fn autopilot(view: &View, legal: &[Move]) -> Move {
    let known = view.set_aside.iter().fold(view.my_dice(), |known, aside| known.with(*aside));
    let wild = view.showdown_by.is_none();
    let doubts = view.bid.is_some_and(|bid| bid.count > bids::expected(known, view.total_dice, bid.face, wild));
    match legal.iter().find(|it| matches!(it, Move::Challenge {})) {
        Some(challenge) if doubts => *challenge,
        // The first of the list is a bid as long as there is one, or to stand.
        _ => legal[0],
    }
}
