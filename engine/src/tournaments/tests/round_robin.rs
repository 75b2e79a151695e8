//! Round robin: property K1.

use std::collections::BTreeMap;

use super::super::round_robin::berger;
use super::*;

#[test]
fn the_tables_are_bergers() {
    // FIDE Handbook C.05, annex 1.
    assert_eq!(berger(4, 1), [(1, 4), (2, 3)]);
    assert_eq!(berger(4, 2), [(4, 3), (1, 2)]);
    assert_eq!(berger(4, 3), [(2, 4), (3, 1)]);
    assert_eq!(berger(6, 1), [(1, 6), (2, 5), (3, 4)]);
    assert_eq!(berger(6, 2), [(6, 4), (5, 3), (1, 2)]);
    assert_eq!(berger(6, 3), [(2, 6), (3, 1), (4, 5)]);
    assert_eq!(berger(6, 4), [(6, 5), (1, 4), (2, 3)]);
    assert_eq!(berger(6, 5), [(3, 6), (4, 2), (5, 1)]);
    assert_eq!(berger(8, 2), [(8, 5), (6, 4), (7, 3), (1, 2)]);
    assert_eq!(berger(8, 7), [(4, 8), (5, 3), (6, 2), (7, 1)]);
}

#[test]
fn everybody_meets_everybody_once_in_each_leg() {
    for many in (2..=16).chain([25]) {
        for legs in 1..=3 {
            let mut stage = stage(Format::RoundRobin { legs }, many);
            stage.play_out(&mut favourite);
            assert_eq!(stage.bouts.iter().map(|it| it.key.round).max(), stage.rounds());
            let mut met: BTreeMap<(u32, u32), u8> = BTreeMap::new();
            for it in stage.bouts.iter().filter(|it| !it.is_bye()) {
                *met.entry((it.entrants[0].min(it.entrants[1]), it.entrants[0].max(it.entrants[1]))).or_default() += 1;
            }
            assert_eq!(met.len() as u32, many * (many - 1) / 2);
            assert!(met.values().all(|it| *it == legs));
            let byes = stage.bouts.iter().filter(|it| it.is_bye()).count() as u32;
            assert_eq!(byes, if many % 2 == 1 { many * u32::from(legs) } else { 0 });
            for entrant in 1..=many {
                let mine = || stage.bouts.iter().filter(|it| !it.is_bye() && it.entrants.contains(&entrant));
                let firsts = mine().filter(|it| it.entrants[0] == entrant).count();
                assert!((2 * firsts).abs_diff(mine().count()) <= 1, "{entrant} of {many}, {legs}: {firsts}");
            }
        }
    }
}

#[test]
fn who_has_dropped_gives_the_others_byes() {
    let mut five = stage(Format::RoundRobin { legs: 1 }, 5);
    five.pair();
    five.play(&mut favourite);
    five.drop_out(1, 1);
    five.drop_out(2, 1);
    while !five.pair().is_empty() {
        five.play(&mut favourite);
    }
    assert!(five.is_over());
    assert!(five.bouts.iter().all(|it| it.key.round == 1 || !it.entrants.contains(&1) && !it.entrants.contains(&2)));
    assert_eq!(five.invalidated_by(key("main-1-2"), &level(&[2, 5])), []);
}
