//! What a seat may do in Perudo, pirate edition, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::{PerudoPirates, View, WaitsFor};
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

/// Re-rolls what does not match its bid if that is unlikely to be true, calls a bid exact if that is likelier than not, and
/// otherwise bids and challenges as [`Hand::choose`] says. Never begins a Showdown.
pub(super) fn autopilot(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
    const LIKELY: f64 = 0.5;
    let (hand, standing) = (hand(view), view.bid.map(Bid::claim));
    if let (Some(Move::Stand {}), Some(bid)) = (legal.first(), standing) {
        return reroll(view, hand, bid, legal).unwrap_or(Move::Stand {});
    }
    if standing.is_some_and(|claim| hand.chance_of_exactly(claim) >= LIKELY) && legal.contains(&Move::Exact {}) {
        return Move::Exact {};
    }
    let raises: Vec<Claim> = legal.iter().filter_map(bid).collect();
    match hand.choose(standing, &raises, source) {
        Some(Choice::Bid(Claim { count, face })) => Move::Bid { count, face },
        Some(Choice::Doubt) if legal.contains(&Move::Challenge {}) => Move::Challenge {},
        _ => legal[0],
    }
}

/// Sets aside all dice that match the bid, if others do not and the bid needs help.
fn reroll(view: &View, hand: Hand, bid: Claim, legal: &[Move]) -> Option<Move> {
    const UNLIKELY: f64 = 0.35;
    let matches = |face: &Face| *face == bid.face || hand.wild && *face == Face::ONE;
    let keep: Dice = view.my_dice().faces().filter(matches).collect();
    let rerolled = Move::Reroll { keep };
    (hand.chance(bid) < UNLIKELY && legal.contains(&rerolled)).then_some(rerolled)
}

pub(super) fn worth_trying(view: &View, legal: &[Move]) -> Vec<Move> {
    if legal.contains(&Move::Stand {}) {
        let (hand, bid) = (hand(view), view.bid.map(Bid::claim));
        let matches = |face: &Face| bid.is_some_and(|bid| *face == bid.face || hand.wild && *face == Face::ONE);
        let rerolled = Move::Reroll { keep: view.my_dice().faces().filter(matches).collect() };
        return [Move::Stand {}, rerolled].into_iter().filter(|it| legal.contains(it)).collect();
    }
    let tried = bidding::worth_trying(hand(view), legal.iter().filter_map(bid));
    let bids = tried.into_iter().map(|Claim { count, face }| Move::Bid { count, face });
    let worth: Vec<Move> = bids.chain(legal.iter().filter(|it| bid(it).is_none()).copied()).collect();
    if worth.is_empty() { legal.to_vec() } else { worth }
}

fn hand(view: &View) -> Hand {
    let seen = view.set_aside.iter().fold(view.my_dice(), |seen, aside| seen.with(*aside));
    Hand { seen, unseen: view.total_dice.saturating_sub(seen.len()), wild: view.showdown_by.is_none() }
}

fn bid(chosen: &Move) -> Option<Claim> {
    match *chosen {
        Move::Bid { count, face } => Some(Claim { count, face }),
        Move::Reroll { .. } | Move::Stand {} | Move::Challenge {} | Move::Exact {} | Move::Showdown {} => None,
    }
}
