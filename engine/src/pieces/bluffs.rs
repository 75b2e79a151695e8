//! Statistics of dice, bids and calls, computed from the events of a whole match.

use serde::Deserialize;

use super::bids::{self, Bid, Claim, Reveal};
use super::dice::{Dice, Face};
use crate::erased::Json;
use crate::seats::{PerSeat, Seat};
use crate::statistics::SeatStats;

/// An event of a bidding game, as far as the statistics need it.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Noticed {
    RoundStarted {
        #[serde(default)]
        palifico: bool,
    },
    Rolled {
        seat: Seat,
        dice: Dice,
    },
    Bid(Bid),
    Reroll {
        seat: Seat,
        shown: Dice,
        keep: Dice,
    },
    Showdown,
    Revealed(Reveal<Call>),
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Call {
    #[serde(alias = "dudo", alias = "challenge")]
    Doubt,
    #[serde(alias = "calza")]
    Exact,
}

/// The round under way, with everything that lies under the cups.
struct Round {
    /// In the cups, and set aside beside them.
    dice: PerSeat<Dice>,
    /// Does the wild face count for the others?
    wild: bool,
    /// Per bid of the round, in order, its bidder if the dice did not support the bid.
    bluffs: Vec<Option<Seat>>,
}

/// Per seat its calls, its bluffs, and how many of its dice fell on the wild face while that was wild.
///
/// A bluff is a bid that the dice on the table did not support when it was made. It counts as called if a seat doubted
/// it and was right. A bluff that was raised, called exact, or made true by a re-roll counts as uncalled.
pub fn statistics(seats: u8, events: &[Json]) -> PerSeat<SeatStats> {
    let mut stats = PerSeat::new(seats, |_| SeatStats::default());
    let mut dice_rolled = PerSeat::new(seats, |_| 0_u32);
    let mut round = Round::new(seats, true);
    let noticed = events.iter().filter_map(|event| serde_json::from_str(event.get()).ok());
    for event in noticed {
        match event {
            Noticed::RoundStarted { palifico } => round = Round::new(seats, !palifico),
            Noticed::Rolled { seat, dice } if stats.has(seat) => {
                round.dice[seat] = round.dice[seat].with(dice);
                if round.wild {
                    dice_rolled[seat] += u32::from(dice.len());
                    stats[seat].luck.had += u32::from(dice.count(Face::ONE));
                }
            }
            Noticed::Reroll { seat, shown, keep } if stats.has(seat) && round.dice[seat].contains(shown) => {
                round.dice[seat] = round.dice[seat].without(shown).with(keep);
            }
            Noticed::Showdown => round.wild = false,
            Noticed::Bid(bid) if stats.has(bid.seat) => {
                let is_bluff = !round.holds(bid.claim());
                round.bluffs.push(is_bluff.then_some(bid.seat));
            }
            Noticed::Revealed(reveal) if stats.has(reveal.caller) => round.end(&reveal, &mut stats),
            _ => {}
        }
    }
    for (stat, rolled) in stats.iter_mut().zip(dice_rolled.iter()) {
        stat.luck.expected = (100 * rolled + 3) / 6;
    }
    stats
}

impl Round {
    fn new(seats: u8, wild: bool) -> Self {
        Round { dice: PerSeat::new(seats, |_| Dice::default()), wild, bluffs: Vec::new() }
    }

    fn holds(&self, claim: Claim) -> bool {
        bids::actual(self.dice.iter(), claim.face, self.wild) >= claim.count
    }

    fn end(&mut self, reveal: &Reveal<Call>, stats: &mut PerSeat<SeatStats>) {
        let (actual, count) = (reveal.actual, reveal.bid.count);
        let right = match reveal.call {
            Call::Doubt => actual < count,
            Call::Exact => actual == count,
        };
        let caller = &mut stats[reveal.caller];
        *(if right { &mut caller.calls_right } else { &mut caller.calls_wrong }) += 1;
        let was_doubted = matches!(reveal.call, Call::Doubt) && right;
        if let Some(Some(bidder)) = self.bluffs.pop_if(|_| was_doubted) {
            stats[bidder].bluffs_called += 1;
        }
        for bidder in self.bluffs.drain(..).flatten() {
            stats[bidder].bluffs_uncalled += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;

    fn stats_of(events: &[serde_json::Value]) -> PerSeat<SeatStats> {
        let events: Vec<Json> = events.iter().map(|event| to_raw_value(event).expect("JSON")).collect();
        statistics(2, &events)
    }

    fn reveal(call: &str, caller: u8, bid: (u8, u8), actual: u8) -> serde_json::Value {
        let (count, face) = bid;
        json!({ "type": "revealed", "round": 1, "call": call, "caller": caller, "actual": actual, "wild": true,
            "bid": { "seat": 1 - caller, "count": count, "face": face }, "dice": [[], []], "changes": [0, 0] })
    }

    fn bid(seat: u8, count: u8, face: u8) -> serde_json::Value {
        json!({ "type": "bid", "seat": seat, "count": count, "face": face })
    }

    #[test]
    fn a_doubted_bluff_was_called_and_a_raised_one_was_not() {
        let stats = stats_of(&[
            json!({ "type": "round_started", "round": 1, "opener": 0, "dice": [2, 2], "palifico": false }),
            json!({ "type": "rolled", "seat": 0, "dice": [1, 4] }),
            json!({ "type": "rolled", "seat": 1, "dice": [2, 4] }),
            bid(0, 3, 4),
            bid(1, 4, 4),
            bid(0, 5, 4),
            reveal("dudo", 1, (5, 4), 3),
        ]);
        assert_eq!((stats[Seat(0)].bluffs_called, stats[Seat(0)].bluffs_uncalled), (1, 0));
        assert_eq!((stats[Seat(1)].bluffs_called, stats[Seat(1)].bluffs_uncalled), (0, 1));
        assert_eq!((stats[Seat(1)].calls_right, stats[Seat(0)].calls_right), (1, 0));
        assert_eq!((stats[Seat(0)].luck.had, stats[Seat(0)].luck.expected), (1, 33));
    }

    #[test]
    fn an_exact_call_is_right_only_when_it_is_exact() {
        for (actual, right) in [(2, 0), (3, 1), (4, 0)] {
            let stats = stats_of(&[bid(0, 3, 4), reveal("exact", 1, (3, 4), actual)]);
            assert_eq!((stats[Seat(1)].calls_right, stats[Seat(1)].calls_wrong), (right, 1 - right));
            assert_eq!((stats[Seat(0)].bluffs_called, stats[Seat(0)].bluffs_uncalled), (0, 1));
        }
    }

    #[test]
    fn a_bid_that_a_reroll_made_true_was_a_bluff_that_nobody_called() {
        let stats = stats_of(&[
            json!({ "type": "round_started", "round": 1, "opener": 0, "dice": [2, 1] }),
            json!({ "type": "rolled", "seat": 0, "dice": [4, 5] }),
            json!({ "type": "rolled", "seat": 1, "dice": [2] }),
            bid(0, 2, 4),
            json!({ "type": "reroll", "seat": 0, "shown": [4, 5], "keep": [4] }),
            json!({ "type": "rolled", "seat": 0, "dice": [4] }),
            reveal("challenge", 1, (2, 4), 2),
        ]);
        assert_eq!((stats[Seat(0)].bluffs_called, stats[Seat(0)].bluffs_uncalled), (0, 1));
        assert_eq!(stats[Seat(1)].calls_wrong, 1);
    }

    #[test]
    fn expected_luck_is_rounded_to_the_nearest_hundredth() {
        for (dice, expected) in [(1, 17), (2, 33), (3, 50), (4, 67), (5, 83)] {
            let stats = stats_of(&[json!({ "type": "rolled", "seat": 0, "dice": vec![2; dice] })]);
            assert_eq!(stats[Seat(0)].luck.expected, expected, "{dice} dice");
        }
    }

    #[test]
    fn where_nothing_is_wild_nobody_is_lucky() {
        let stats = stats_of(&[
            json!({ "type": "round_started", "round": 1, "opener": 0, "dice": [2, 2], "palifico": true }),
            json!({ "type": "rolled", "seat": 0, "dice": [1, 4] }),
            bid(0, 2, 4),
        ]);
        assert_eq!(stats[Seat(0)].luck, crate::statistics::Luck::default());
    }
}
