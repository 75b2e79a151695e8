//! Double elimination: properties E1, E3 and E5 to E7.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::playout::random;

const DOUBLE: Format = Format::DoubleElimination {};

#[test]
fn everybody_but_the_winner_loses_twice_and_the_winner_at_most_once() {
    let mut source = random(2);
    for many in (2..=64).chain([100, 128, 255, 256]) {
        let mut stage = stage(DOUBLE, many);
        stage.play_out(&mut |bout| {
            let first = source.below(2) as usize;
            vec![bout.entrants[first], bout.entrants[1 - first]]
        });
        let standings = stage.standings();
        assert!(standings[1..].iter().all(|it| it.losses == 2 && it.is_out), "{many}");
        assert!(standings[0].losses < 2 && !standings[0].is_out);
        // The final is played again exactly if its winner had lost before.
        let finals = stage.bouts.iter().filter(|it| it.key.side == Side::Final).count();
        assert_eq!(finals, 1 + usize::from(stage.played() == 2 * many as usize - 1), "{many}");
        assert_eq!(stage.played(), 2 * many as usize - 2 + finals - 1);
        let last = stage.bouts.iter().map(|it| it.key.round).max();
        assert_eq!(stage.rounds(), last);
    }
}

#[test]
fn the_sides_have_the_rounds_that_they_should() {
    let rounds = |many: u32, side: Side| {
        let rounds: BTreeSet<u16> =
            stage(DOUBLE, many).plan().iter().filter(|it| it.key.side == side).map(|it| it.key.round).collect();
        rounds.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(rounds(8, Side::Main), [1, 2, 4]);
    assert_eq!(rounds(8, Side::Losers), [2, 3, 4, 5]);
    assert_eq!(rounds(8, Side::Final), [6, 7]);
    assert_eq!(stage(DOUBLE, 8).plan().len(), 15);
    assert_eq!((rounds(16, Side::Main).len(), rounds(16, Side::Losers).len()), (4, 6));
    assert_eq!(stage(DOUBLE, 16).plan().len(), 31);
}

#[test]
fn two_play_at_least_twice() {
    let mut two = stage(DOUBLE, 2);
    two.play_out(&mut favourite);
    assert_eq!((two.played(), two.rounds()), (2, Some(2)));
    let mut again = stage(DOUBLE, 2);
    again.play_out(&mut |bout| if bout.key == key("final-2-1") { vec![2, 1] } else { vec![1, 2] });
    assert_eq!((again.played(), again.rounds(), again.ranks()), (3, Some(3), vec![(1, 1), (2, 2)]));
}

#[test]
fn losers_of_the_same_round_share_a_rank() {
    let mut eight = stage(DOUBLE, 8);
    eight.play_out(&mut favourite);
    assert_eq!(eight.ranks().iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 5, 7, 7]);
}

/// Who can come to a place, and the round of the main side that they lost before, or 0.
type Comers = BTreeSet<(u32, u16)>;

/// The round of the earliest bout on the losers' side in which two may meet who have met before.
fn earliest_rematch(many: u32) -> u16 {
    let plan = stage(DOUBLE, many).plan();
    let mut comers: BTreeMap<Slot, Comers> = BTreeMap::new();
    let mut met: BTreeMap<(u32, u32), u16> = BTreeMap::new();
    let mut earliest = u16::MAX;
    for bout in &plan {
        let places: Vec<Comers> = bout
            .places
            .iter()
            .map(|place| match place {
                Slot::Entrant(entrant) => Comers::from([(*entrant, 0)]),
                other => comers.get(other).cloned().unwrap_or_default(),
            })
            .collect();
        for (one, one_lost) in &places[0] {
            for (other, other_lost) in &places[1] {
                let pair = (*one.min(other), *one.max(other));
                match bout.key.side {
                    Side::Main => drop(met.insert(pair, bout.key.round)),
                    // One of them lost to the other, who lost later.
                    Side::Losers if met.get(&pair) == Some(one_lost.min(other_lost)) && one_lost != other_lost => {
                        earliest = earliest.min(bout.key.round);
                    }
                    Side::Losers | Side::Final | Side::ThirdPlace | Side::Places => {}
                }
            }
        }
        let all: Comers = places.into_iter().flatten().collect();
        let lost = |it: &(u32, u16)| (it.0, bout.key.round);
        let losers = if bout.key.side == Side::Main { all.iter().map(lost).collect() } else { Comers::new() };
        comers.insert(Slot::Loser(bout.key), losers);
        comers.insert(Slot::Winner(bout.key), all);
    }
    earliest
}

#[test]
fn who_has_met_does_so_again_as_late_as_can_be() {
    // No way of crossing over makes any of these later: found by going through all of them.
    let earliest: Vec<u16> = [4, 8, 16, 32, 64].into_iter().map(earliest_rematch).collect();
    assert_eq!(earliest, [3, 4, 5, 6, 8]);
}

#[test]
fn a_correction_undoes_what_came_of_it_on_both_sides() {
    let mut four = stage(DOUBLE, 4);
    four.play_out(&mut favourite);
    let following = four.invalidated_by(key("main-1-2"), &order(&[3, 2]));
    assert_eq!(following, ["main-2-1", "losers-2-1", "losers-3-1", "final-4-1"].map(key));
    // 2 had lost to 1 in the main side; had they beaten 1, the other would have come down.
    let following = four.invalidated_by(key("final-4-1"), &order(&[2, 1]));
    assert_eq!(following, []);
    let mut replayed = stage(DOUBLE, 4);
    replayed.play_out(&mut |bout| if bout.key == key("final-4-1") { vec![2, 1] } else { favourite(bout) });
    assert_eq!(replayed.invalidated_by(key("final-4-1"), &order(&[1, 2])), [key("final-5-1")]);
}

#[test]
fn a_bout_to_which_nobody_came_sends_nobody_down() {
    let mut four = stage(DOUBLE, 4);
    four.pair();
    four.end(key("main-1-1"), nobody(&[1, 4]));
    four.end(key("main-1-2"), order(&[2, 3]));
    while !four.pair().is_empty() {
        four.play(&mut favourite);
    }
    assert!(four.is_over());
    assert_eq!(four.ranks()[..2], [(1, 2), (2, 3)]);
}

#[test]
fn who_waits_for_an_opponent_while_another_has_dropped_still_goes_on() {
    let mut eight = stage(DOUBLE, 8);
    eight.pair();
    // 1 wins and drops; who is to meet them is not known yet, but that nobody comes down from there is.
    for (number, result) in [(1, [1, 8]), (3, [2, 7]), (4, [3, 6])] {
        eight.end(BoutKey::main(1, number), order(&result));
    }
    eight.drop_out(1, 1);
    eight.pair();
    eight.end(key("losers-2-2"), order(&[6, 7]));
    let due = eight.pair();
    assert_eq!((due[0].key, due[0].entrants.as_slice()), (key("losers-3-2"), &[6][..]));
    eight.end(key("main-1-2"), order(&[5, 4]));
    let due = eight.pair();
    assert_eq!((due[0].key, due[0].entrants.as_slice()), (key("main-2-1"), &[5][..]));
    eight.play(&mut favourite);
    eight.play_out(&mut favourite);
    let five = eight.standings().into_iter().find(|it| it.entrant == 5).expect("they take part");
    assert_eq!(five.losses, 2);
}

#[test]
fn a_final_without_an_opponent_is_not_played_again() {
    let mut four = stage(DOUBLE, 4);
    for _ in 0..3 {
        four.pair();
        four.play(&mut favourite);
    }
    four.drop_out(1, 3);
    let due = four.pair();
    assert_eq!((due[0].key, due[0].entrants.as_slice()), (key("final-4-1"), &[2][..]));
    assert_eq!(four.due(), Ok(vec![]));
    assert_eq!(four.ranks()[..2], [(1, 2), (2, 1)]);
}
