//! Consolation in single elimination: who loses plays on, until the places are decided that are to be.

use std::collections::BTreeMap;

use super::super::bracket::seeding;
use super::*;
use crate::playout::random;

fn knock_out(consolation: Consolation) -> Format {
    Format::SingleElimination { third_place: false, consolation }
}

/// Everybody's place, by halving the field again and again: the winners play for the upper half of the places, the losers for the
/// lower. What nobody stands on is passed over.
fn places(block: &[Option<u32>], first: u32, is_better: &dyn Fn(u32, u32) -> bool, found: &mut BTreeMap<u32, u32>) {
    if let [alone] = *block {
        found.extend(alone.map(|entrant| (entrant, first)));
        return;
    }
    let (mut winners, mut losers) = (Vec::new(), Vec::new());
    for pair in block.chunks(2) {
        let (won, lost) = match *pair {
            [Some(one), Some(other)] if is_better(other, one) => (Some(other), Some(one)),
            [Some(one), other] => (Some(one), other),
            [None, other] => (other, None),
            _ => (None, None),
        };
        winners.push(won);
        losers.push(lost);
    }
    places(&winners, first, is_better, found);
    places(&losers, first + winners.len() as u32, is_better, found);
}

fn field_of(many: u32) -> Vec<Option<u32>> {
    let size = many.next_power_of_two().max(2);
    seeding(size).into_iter().map(|seed| Some(seed).filter(|it| *it <= many)).collect()
}

/// Which of two wins is drawn, and the same whenever they meet.
fn judge(salt: u64) -> impl Fn(u32, u32) -> bool {
    move |one, other| {
        let (low, high) = (one.min(other), one.max(other));
        (random(salt << 32 | u64::from(low) << 16 | u64::from(high)).below(2) == 0) == (one < other)
    }
}

fn play_out(stage: &mut Stage, is_better: &dyn Fn(u32, u32) -> bool) {
    stage.play_out(&mut |bout| {
        let [one, other] = bout.entrants[..] else { panic!("it is a duel") };
        if is_better(one, other) { vec![one, other] } else { vec![other, one] }
    });
}

#[test]
fn every_place_is_decided_as_by_halving_the_field() {
    for many in (2..=40).chain([63, 64, 65, 100, 128, 255, 256]) {
        let is_better = judge(u64::from(many));
        let mut all = stage(knock_out(Consolation::All), many);
        play_out(&mut all, &is_better);
        let mut expected = BTreeMap::new();
        places(&field_of(many), 1, &is_better, &mut expected);
        let mut order: Vec<(u32, u32)> = expected.iter().map(|(entrant, place)| (*place, *entrant)).collect();
        order.sort_unstable();
        let ranked = order.iter().zip(1..).map(|((_, entrant), rank)| (rank, *entrant));
        assert_eq!(all.ranks(), ranked.collect::<Vec<_>>(), "{many}");
        assert_eq!(all.standings().iter().filter(|it| !it.is_out).count(), 1, "{many}");
        assert_eq!(all.rounds(), Some(many.next_power_of_two().max(2).ilog2() as u16));
        // Nobody is told of a bout that nobody has to play.
        assert!(all.bouts.iter().filter(|it| it.key.side != Side::Main).all(|it| !it.is_bye()), "{many}");
    }
}

#[test]
fn up_to_the_eighth_every_place_is_decided_and_the_others_are_shared() {
    for many in [2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 23, 32, 64, 256] {
        let is_better = judge(u64::from(many) + 1000);
        let mut eight = stage(knock_out(Consolation::Eight), many);
        play_out(&mut eight, &is_better);
        let mut expected = BTreeMap::new();
        places(&field_of(many), 1, &is_better, &mut expected);
        let mut order: Vec<(u32, u32)> = expected.iter().map(|(entrant, place)| (*place, *entrant)).collect();
        order.sort_unstable();
        let best: Vec<(u32, u32)> =
            order.iter().take(8).zip(1..).map(|((_, entrant), rank)| (rank, *entrant)).collect();
        assert_eq!(eight.ranks()[..best.len()], best, "{many}");
        let alone = stage(Format::SingleElimination { third_place: true, consolation: Consolation::None }, many);
        let mut alone = alone;
        play_out(&mut alone, &is_better);
        let behind = |stage: &Stage| -> Vec<u32> { stage.ranks().iter().skip(8).map(|it| it.0).collect() };
        assert_eq!(behind(&eight), behind(&alone), "{many}");
        if many >= 8 {
            assert_eq!(eight.played(), alone.played() + 4, "{many}: four bouts more for 5 to 8");
        }
    }
}

#[test]
fn nobody_meets_twice_and_who_loses_plays_on_at_once() {
    for many in [5, 8, 11, 16, 32] {
        let mut all = stage(knock_out(Consolation::All), many);
        play_out(&mut all, &judge(7));
        let mut met: Vec<Vec<u32>> = all
            .bouts
            .iter()
            .filter(|it| !it.is_bye())
            .map(|it| {
                let mut pair = it.entrants.clone();
                pair.sort_unstable();
                pair
            })
            .collect();
        let bouts = met.len();
        met.sort_unstable();
        met.dedup();
        assert_eq!(met.len(), bouts, "{many}");
    }
    let mut eight = stage(knock_out(Consolation::All), 8);
    eight.pair();
    eight.end(key("main-1-1"), order(&[1, 8]));
    eight.end(key("main-1-2"), order(&[4, 5]));
    let due: Vec<_> = eight.pair().into_iter().map(|it| (it.key, it.entrants)).collect();
    assert_eq!(due, [(key("main-2-1"), vec![1, 4]), (key("places-2-1"), vec![8, 5])]);
    assert_eq!(eight.places_at_stake(key("places-2-1")), Some((5, 8)));
    assert_eq!(eight.places_at_stake(key("places-3-2")), Some((5, 6)));
    assert_eq!(eight.places_at_stake(key("third_place-3-1")), Some((3, 4)));
    assert_eq!(eight.places_at_stake(key("main-3-1")), Some((1, 2)));
    assert_eq!(stage(Format::DoubleElimination {}, 8).places_at_stake(key("main-1-1")), None);
}

#[test]
fn who_plays_for_places_shares_the_last_of_them_until_it_is_decided() {
    let mut eight = stage(knock_out(Consolation::All), 8);
    eight.pair();
    eight.play(&mut favourite);
    assert_eq!(eight.ranks().iter().map(|it| it.0).collect::<Vec<_>>(), [1, 1, 1, 1, 5, 5, 5, 5]);
    assert!(eight.standings().iter().all(|it| !it.is_out), "all play on");
    eight.pair();
    eight.end(key("places-2-1"), order(&[5, 8]));
    assert_eq!(eight.ranks()[4..], [(5, 5), (6, 6), (6, 7), (6, 8)]);
    // Who does not come goes down without a bout, and is not in anybody's way.
    eight.end(key("places-2-2"), nobody(&[7, 6]));
    eight.end(key("main-2-1"), order(&[1, 4]));
    eight.end(key("main-2-2"), order(&[2, 3]));
    let due = eight.pair();
    let byes: Vec<_> = due.iter().filter(|it| it.entrants.len() == 1).map(|it| it.key).collect();
    assert_eq!(byes, [key("places-3-2"), key("places-3-3")], "5 has the fifth place, 8 the seventh");
    eight.play(&mut favourite);
    assert!(eight.is_over());
    assert_eq!(eight.ranks()[..5], [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
}

#[test]
fn a_correction_undoes_what_hangs_on_it_on_both_sides_and_all_goes_on() {
    for seed in 0..60 {
        let mut source = random(seed);
        let many = 4 + source.below(14);
        let mut all = stage(knock_out(Consolation::All), many);
        play_out(&mut all, &judge(seed));
        let real: Vec<BoutKey> = all.bouts.iter().filter(|it| !it.is_bye()).map(|it| it.key).collect();
        let changed = real[source.below(real.len() as u32) as usize];
        let mut turned = all.find(changed).result.clone().expect("it is over");
        for it in &mut turned {
            it.place = 3 - it.place;
        }
        let voids = all.invalidated_by(changed, &turned);
        let entrants = all.find(changed).entrants.clone();
        let is_far = |bout: &Bout| bout.entrants.iter().all(|it| !entrants.contains(it));
        assert!(voids.iter().all(|it| it.round > changed.round), "{voids:?}");
        all.bouts.retain(|it| !voids.contains(&it.key));
        all.end(changed, turned);
        // What stays is as the bracket has it now.
        let planned: BTreeMap<BoutKey, Vec<Slot>> = all.plan().into_iter().map(|it| (it.key, it.places)).collect();
        for bout in all.bouts.iter().filter(|it| is_far(it) && !it.is_bye()) {
            assert_eq!(planned[&bout.key], bout.entrants.iter().map(|it| Slot::Entrant(*it)).collect::<Vec<_>>());
        }
        play_out(&mut all, &judge(seed));
        let ranks: Vec<u32> = all.ranks().iter().map(|it| it.0).collect();
        assert_eq!(ranks, (1..=many).collect::<Vec<_>>(), "{seed}");
    }
}
