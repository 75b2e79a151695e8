//! What a seat may do in Perudo, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DICE_EACH, Perudo, View, WaitsFor};
use crate::chance::Source;
use crate::game::Refusal;
use crate::pieces::bidding::{self, Choice, Hand};
use crate::pieces::bids::{self, Bid, Claim, Track};
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
    if claim.count > game.total_dice() {
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
        let bid = |Claim { count, face }| Move::Bid { count, face };
        match (game.standing().map(Bid::claim), game.palifico_round) {
            (standing, true) => {
                let counts = standing.map_or(1, |bid| bid.count)..=game.total_dice();
                let claims = counts.flat_map(|count| Face::all().map(move |face| Claim { count, face }));
                moves.extend(claims.filter(|claim| check_bid(game, *claim).is_ok()).map(bid));
            }
            (standing, false) => Track::Classic
                .raises(standing, game.total_dice())
                .filter(|claim| standing.is_some() || claim.face != Face::ONE)
                .for_each(|claim| moves.push(bid(claim))),
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

/// Calls a bid exact if that is likelier than not and brings a die back; otherwise bids and doubts as [`Hand::choose`] says.
pub(super) fn autopilot(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
    if let Some(calza) = interruption(view, legal) {
        return calza;
    }
    let (hand, standing) = (hand(view), view.bid.map(Bid::claim));
    let raises: Vec<Claim> = legal.iter().filter_map(bid).collect();
    match hand.choose(standing, &raises, source) {
        Some(Choice::Bid(Claim { count, face })) => Move::Bid { count, face },
        Some(Choice::Doubt) if legal.contains(&Move::Dudo {}) => Move::Dudo {},
        _ => legal[0],
    }
}

/// Calls calza if that is likelier right than wrong and brings a die back, on turn or not.
pub(super) fn interruption(view: &View, legal: &[Move]) -> Option<Move> {
    const LIKELY: f64 = 0.5;
    let (hand, standing) = (hand(view), view.bid.map(Bid::claim));
    let is_exact = standing.is_some_and(|claim| hand.chance_of_exactly(claim) >= LIKELY);
    let misses_dice = hand.seen.len() < DICE_EACH;
    (is_exact && misses_dice && legal.contains(&Move::Calza {})).then_some(Move::Calza {})
}

pub(super) fn worth_trying(view: &View, legal: &[Move]) -> Vec<Move> {
    let tried = bidding::worth_trying(hand(view), legal.iter().filter_map(bid));
    let bids = tried.into_iter().map(|Claim { count, face }| Move::Bid { count, face });
    let worth: Vec<Move> = bids.chain(legal.iter().filter(|it| bid(it).is_none()).copied()).collect();
    if worth.is_empty() { legal.to_vec() } else { worth }
}

fn hand(view: &View) -> Hand {
    let seen = view.mine.as_ref().map(|mine| mine.my_dice).unwrap_or_default();
    Hand { seen, unseen: view.total_dice.saturating_sub(seen.len()), wild: !view.palifico_round }
}

fn bid(chosen: &Move) -> Option<Claim> {
    match *chosen {
        Move::Bid { count, face } => Some(Claim { count, face }),
        Move::Dudo {} | Move::Calza {} => None,
    }
}
