//! Pods: properties P1 to P10.

use std::collections::BTreeMap;

use super::super::history::History;
use super::super::tables::sizes;
use super::*;
use crate::playout::random;

fn pods(many: u32, rounds: u8, least: u8, most: u8, pairing: PodPairing) -> Stage {
    stage(Format::Pods { rounds, least, most, pairing, reach: 0, short_tables: ShortTables::Rotate }, many)
}

#[test]
fn tables_come_out_for_all_but_these() {
    let impossible = |least, most| {
        let few = (1..=40).filter(|it| sizes(*it, least, most).is_none());
        few.collect::<Vec<_>>()
    };
    assert_eq!(impossible(3, 4), [1, 2, 5]);
    assert_eq!(impossible(4, 5), [1, 2, 3, 6, 7, 11]);
    assert_eq!(impossible(5, 6), [1, 2, 3, 4, 7, 8, 9, 13, 14, 19]);
    assert_eq!(impossible(3, 5), [1, 2]);
    assert_eq!(pods(5, 2, 3, 4, PodPairing::Random).check(), Err(InvalidStage::SizesImpossible { participants: 5 }));
    for (least, most) in (2..=10).flat_map(|least| (least..=10).map(move |most| (least, most))) {
        for many in 1..=256_usize {
            let possible = many.div_ceil(most) <= many / least;
            assert_eq!(sizes(many, least, most).is_some(), possible);
        }
    }
}

#[test]
fn there_are_as_few_small_tables_as_can_be() {
    for (many, expected) in [
        (6, vec![3, 3]),
        (7, vec![4, 3]),
        (9, vec![3, 3, 3]),
        (10, vec![4, 3, 3]),
        (13, vec![4, 3, 3, 3]),
        (17, vec![4, 4, 3, 3, 3]),
        (18, vec![4, 4, 4, 3, 3]),
        (19, vec![4, 4, 4, 4, 3]),
    ] {
        assert_eq!(sizes(many, 3, 4), Some(expected));
    }
    for many in 6..=256_usize {
        let short = sizes(many, 3, 4).into_iter().flatten().filter(|it| *it == 3).count();
        assert_eq!(short, (4 - many % 4) % 4);
    }
}

/// How many pairs of the round due have met before.
fn repeats(stage: &Stage, due: &[Pairing]) -> u32 {
    let history = History::new(stage);
    let pairs = due
        .iter()
        .flat_map(|it| it.entrants.iter().flat_map(|one| it.entrants.iter().map(move |other| (*one, *other))));
    pairs.filter(|(one, other)| one < other && history.times_met(*one, *other) > 0).count() as u32
}

#[test]
fn the_second_round_repeats_as_little_as_can_be() {
    for (many, size, least) in
        [(8, 4, 4), (12, 4, 3), (10, 5, 8), (18, 6, 9), (20, 5, 4), (9, 3, 0), (16, 4, 0), (20, 4, 0), (25, 5, 0)]
    {
        for pairing in [PodPairing::Random, PodPairing::Spread] {
            for draw in 0..5 {
                let mut stage = pods(many, 3, size, size, pairing);
                stage.draw = draw;
                stage.pair();
                let mut source = random(draw);
                stage.play(&mut |bout| {
                    let mut ranked = bout.entrants.clone();
                    crate::chance::shuffle(&mut ranked, &mut source);
                    ranked
                });
                let due = stage.due().expect("it can be paired");
                assert_eq!(repeats(&stage, &due), least, "{many} in {size}, {pairing:?}");
                let told = due.iter().flat_map(|it| &it.reasons);
                let told = told.filter(|it| matches!(it, Reason::RepeatsInRound { .. }));
                assert!(told.clone().all(|it| *it == Reason::RepeatsInRound { pairs: least, least }));
                assert_eq!(told.count() > 0, least > 0);
            }
        }
    }
}

/// Who sits at a table smaller than another, and who does not.
fn at_short_and_full(due: &[Pairing]) -> (Vec<u32>, Vec<u32>) {
    let largest = due.iter().map(|it| it.entrants.len()).max().expect("there are tables");
    let of = |is_short: bool| {
        let tables = due.iter().filter(|it| (it.entrants.len() < largest) == is_short);
        tables.flat_map(|it| it.entrants.clone()).collect::<Vec<_>>()
    };
    (of(true), of(false))
}

#[test]
fn small_tables_are_where_staff_want_them() {
    for (short_tables, pairing) in [ShortTables::Bottom, ShortTables::Top]
        .into_iter()
        .flat_map(|it| [PodPairing::Random, PodPairing::ByStanding, PodPairing::Spread].map(|pairing| (it, pairing)))
    {
        // At 4, 4, 3, 3 and 3.
        let mut stage = stage(Format::Pods { rounds: 5, least: 3, most: 4, pairing, reach: 0, short_tables }, 17);
        stage.scoring.points = Points::Places { scale: vec![500, 300, 200, 100], bye: 0 };
        let mut source = random(7);
        for round in 1..=5 {
            let order: Vec<u32> = stage.standings().iter().map(|it| it.entrant).collect();
            let standing = |it: u32| order.iter().position(|one| *one == it).expect("everybody stands somewhere");
            let due = stage.due().expect("it can be paired");
            let (short, full) = at_short_and_full(&due);
            assert_eq!((short.len(), full.len()), (9, 8));
            let (ahead, behind) = if short_tables == ShortTables::Top { (short, full) } else { (full, short) };
            if pairing == PodPairing::Spread || pairing == PodPairing::ByStanding && round == 1 {
                let best = |it: &[u32]| {
                    let tables = due.iter().filter(|table| it.contains(&table.entrants[0]));
                    tables.map(|table| table.entrants.iter().map(|it| standing(*it)).min()).collect::<Vec<_>>()
                };
                assert!(best(&ahead).iter().max() < best(&behind).iter().min(), "{short_tables:?} {pairing:?} {round}");
            } else if pairing == PodPairing::ByStanding {
                let history = History::new(&stage);
                let points = |it: &[u32]| it.iter().map(|it| history.points(*it)).collect::<Vec<_>>();
                assert!(points(&ahead).iter().min() >= points(&behind).iter().max(), "{short_tables:?} {round}");
            } else {
                let last = ahead.iter().map(|it| standing(*it)).max();
                assert!(last < behind.iter().map(|it| standing(*it)).min(), "{short_tables:?} {round}");
            }
            stage.record(&due);
            stage.play(&mut |bout| {
                let mut ranked = bout.entrants.clone();
                crate::chance::shuffle(&mut ranked, &mut source);
                ranked
            });
        }
    }
}

#[test]
fn who_was_at_a_small_table_waits_for_the_others_only_where_those_rotate() {
    let times = |short_tables| {
        let mut stage = stage(
            Format::Pods { rounds: 4, least: 3, most: 4, pairing: PodPairing::Random, reach: 0, short_tables },
            15,
        );
        let mut times: BTreeMap<u32, u32> = BTreeMap::new();
        for _ in 0..4 {
            let due = stage.due().expect("it can be paired");
            at_short_and_full(&due).0.iter().for_each(|it| *times.entry(*it).or_default() += 1);
            stage.record(&due);
            stage.play(&mut favourite);
        }
        times.into_values().max()
    };
    assert_eq!(times(ShortTables::Rotate), Some(1));
    // The favourites win: who is last stays last.
    assert_eq!(times(ShortTables::Bottom), Some(4));
}

/// Where designs are known: players, seats and rounds in which nobody meets twice.
const DESIGNS: [(u32, u8, u8); 24] = [
    (9, 3, 4),
    (12, 3, 4),
    (15, 3, 7),
    (18, 3, 7),
    (21, 3, 9),
    (24, 3, 11),
    (27, 3, 13),
    (30, 3, 14),
    (36, 3, 17),
    (48, 3, 23),
    (16, 4, 5),
    (20, 4, 5),
    (24, 4, 7),
    (28, 4, 9),
    (32, 4, 9),
    (36, 4, 10),
    (40, 4, 11),
    (44, 4, 11),
    (48, 4, 14),
    (64, 4, 21),
    (25, 5, 6),
    (35, 5, 7),
    (42, 6, 7),
    (49, 7, 8),
];

#[test]
fn a_whole_field_meets_nobody_twice_where_a_design_is_known() {
    for (many, size, rounds) in DESIGNS {
        for draw in 0..3 {
            let mut stage = pods(many, rounds, size, size, PodPairing::Random);
            stage.draw = draw;
            for _ in 0..rounds {
                let due = stage.due().expect("it can be paired");
                let mut seated: Vec<u32> = due.iter().flat_map(|it| it.entrants.clone()).collect();
                seated.sort_unstable();
                assert_eq!(seated, (1..=many).collect::<Vec<_>>(), "{many} in {size}");
                assert!(due.iter().all(|it| it.entrants.len() == usize::from(size)), "{many} in {size}");
                assert_eq!(repeats(&stage, &due), 0, "{many} in {size}");
                stage.record(&due);
                stage.play(&mut favourite);
            }
        }
    }
}

#[test]
fn a_design_gives_way_to_who_leaves_and_to_pairs_that_shall_not_meet() {
    let mut stage = pods(16, 5, 3, 4, PodPairing::Random);
    stage.rulings.apart = vec![[1, 2], [3, 4]];
    for round in 1..=5 {
        if round == 3 {
            stage.drop_out(7, 2);
        }
        let due = stage.pair();
        assert!(due.iter().flat_map(|it| &it.reasons).all(|it| !matches!(it, Reason::KeptApart { .. })));
        assert_eq!(due.iter().map(|it| it.entrants.len()).sum::<usize>(), if round < 3 { 16 } else { 15 });
        stage.play(&mut favourite);
    }
    assert!(stage.is_over());
}

#[test]
fn everybody_sits_once_a_round_and_what_is_said_of_repeats_is_true() {
    for (many, least, most) in [(7, 3, 4), (10, 3, 4), (11, 3, 5), (17, 4, 6), (30, 3, 4)] {
        for pairing in [PodPairing::Random, PodPairing::ByStanding, PodPairing::Spread] {
            let mut stage = pods(many, 6, least, most, pairing);
            for _ in 0..6 {
                let due = stage.due().expect("it can be paired");
                let mut seated: Vec<u32> = due.iter().flat_map(|it| it.entrants.clone()).collect();
                seated.sort_unstable();
                assert_eq!(seated, (1..=many).collect::<Vec<_>>());
                let repeats = repeats(&stage, &due);
                for reason in due.iter().flat_map(|it| &it.reasons) {
                    if let Reason::RepeatsInRound { pairs, least } = reason {
                        assert!(*pairs == repeats && least <= pairs);
                    }
                }
                stage.record(&due);
                stage.play(&mut favourite);
            }
            assert!(stage.is_over());
        }
    }
}

/// Pods by standing in which the stronger always wins: how many pairs met again, and in which rounds.
fn by_standing(many: u32, rounds: u8, reach: u8) -> Vec<u32> {
    let format = Format::Pods {
        rounds,
        least: 4,
        most: 4,
        pairing: PodPairing::ByStanding,
        reach,
        short_tables: ShortTables::Rotate,
    };
    let mut stage = stage(format, many);
    stage.scoring.points = Points::Places { scale: vec![300, 200, 100, 0], bye: 300 };
    let mut again = Vec::new();
    while let Ok(due) = stage.due()
        && !due.is_empty()
    {
        expect_near(&stage, &due, reach);
        again.push(repeats(&stage, &due));
        stage.record(&due);
        stage.play(&mut favourite);
    }
    again
}

/// Nobody sits further from where they stand than the reach says.
fn expect_near(stage: &Stage, due: &[Pairing], reach: u8) {
    let history = History::new(stage);
    if history.rounds == 0 {
        return;
    }
    let mut points: Vec<i64> = due.iter().flat_map(|it| &it.entrants).map(|it| history.points(*it)).collect();
    points.sort_by_key(|it| std::cmp::Reverse(*it));
    let mut first = 0;
    for pairing in due {
        let table = first..first + pairing.entrants.len();
        first = table.end;
        for entrant in &pairing.entrants {
            let own = |at: &usize| points[*at] == history.points(*entrant);
            let away = |at: usize| table.start.saturating_sub(at).max((at + 1).saturating_sub(table.end));
            let nearest = (0..points.len()).filter(own).map(away).min();
            assert!(nearest.is_some_and(|it| it <= reach.into()), "{entrant} is {nearest:?} places away");
        }
    }
}

#[test]
fn who_sits_further_from_their_place_meets_more_new_faces() {
    for (many, rounds) in [(16, 4), (20, 4), (32, 5)] {
        let [exact, near, far] = [0, 2, 6].map(|reach| by_standing(many, rounds, reach).iter().sum::<u32>());
        assert!(far < near && near < exact, "{many}: {far}, {near}, {exact}");
    }
    let strict = Format::Pods {
        rounds: 3,
        least: 4,
        most: 4,
        pairing: PodPairing::Random,
        reach: 2,
        short_tables: ShortTables::Rotate,
    };
    assert_eq!(stage(strict, 16).check(), Err(InvalidStage::BadReach { most: 0 }));
}

#[test]
fn what_is_said_of_a_new_face_is_true() {
    let mut stage = pods(16, 4, 4, 4, PodPairing::ByStanding);
    stage.scoring.points = Points::Places { scale: vec![300, 200, 100, 0], bye: 300 };
    let mut said = 0;
    for _ in 0..4 {
        let due = stage.due().expect("it can be paired");
        let fewer = due.iter().flat_map(|it| &it.reasons).find_map(|it| match it {
            Reason::FewerRepeats { reach, pairs } => Some((*reach, *pairs)),
            _ => None,
        });
        if let Some((further, pairs)) = fewer {
            let mut wider = stage.clone();
            let Format::Pods { reach, .. } = &mut wider.format else { unreachable!() };
            *reach = further;
            assert_eq!(repeats(&stage, &wider.due().expect("it can be paired")), pairs);
            assert!(pairs < repeats(&stage, &due));
            said += 1;
        }
        stage.record(&due);
        stage.play(&mut favourite);
    }
    assert!(said > 0);
}

#[test]
fn nobody_is_at_a_small_table_twice_before_everybody_was_once() {
    for many in [7, 10, 11, 13, 15, 18] {
        let mut stage = pods(many, 6, 3, 4, PodPairing::Random);
        let mut duties: BTreeMap<u32, u32> = (1..=many).map(|it| (it, 0)).collect();
        while !stage.pair().is_empty() {
            let round = stage.bouts.iter().map(|it| it.key.round).max();
            for bout in stage.bouts.iter().filter(|it| Some(it.key.round) == round && it.entrants.len() == 3) {
                for entrant in &bout.entrants {
                    *duties.entry(*entrant).or_default() += 1;
                }
            }
            let (fewest, most) = (duties.values().min(), duties.values().max());
            assert!(most.zip(fewest).is_some_and(|(most, fewest)| most - fewest <= 1), "{many}: {duties:?}");
            stage.play(&mut favourite);
        }
    }
}

#[test]
fn leaders_sit_together() {
    let mut stage = pods(16, 4, 4, 4, PodPairing::ByStanding);
    stage.scoring.points = Points::Places { scale: vec![300, 200, 100, 0], bye: 300 };
    let mut source = random(6);
    for _ in 0..4 {
        let due = stage.pair();
        let history = History::new(&stage);
        let points: Vec<Vec<i64>> = due
            .iter()
            .map(|it| it.entrants.iter().map(|it| history.points_before(*it, due[0].key.round)).collect())
            .collect();
        assert!(points.windows(2).all(|pair| pair[0].iter().min() >= pair[1].iter().max()), "{points:?}");
        stage.play(&mut |bout| {
            let mut ranked = bout.entrants.clone();
            crate::chance::shuffle(&mut ranked, &mut source);
            ranked
        });
    }
}

#[test]
fn tables_are_as_strong_as_each_other() {
    for (many, size, sum) in [(16, 4, 34), (36, 6, 111)] {
        let due = pods(many, 1, size, size, PodPairing::Spread).pair();
        assert!(due.iter().all(|it| it.entrants.iter().sum::<u32>() == sum));
    }
}

#[test]
fn everybody_sits_first_about_as_often() {
    let mut stage = pods(16, 8, 4, 4, PodPairing::Random);
    stage.play_out(&mut favourite);
    for entrant in 1..=16 {
        let firsts = stage.bouts.iter().filter(|it| it.entrants[0] == entrant).count();
        assert!((1..=3).contains(&firsts), "{entrant} sat first {firsts} times");
    }
}

#[test]
fn who_shares_a_place_shares_the_points() {
    let mut stage = pods(4, 1, 4, 4, PodPairing::Random);
    stage.scoring.points = Points::Places { scale: vec![600, 300, 200, 100], bye: 0 };
    stage.bouts = vec![bout("main-1-1", &[1, 2, 3, 4], vec![finish(1, 1), finish(2, 2), finish(3, 2), finish(4, 4)])];
    let points: Vec<i64> = stage.standings().iter().map(|it| it.points).collect();
    assert_eq!(points, [600, 250, 250, 100]);
    stage.bouts[0].result =
        Some(vec![finish(1, 1), finish(2, 1), finish(3, 1), Finish { absent: true, ..finish(4, 4) }]);
    let standings = stage.standings();
    assert_eq!(standings.iter().map(|it| it.points).collect::<Vec<_>>(), [366, 366, 366, 0]);
    assert_eq!((standings[0].draws, standings[3].losses), (1, 1));
}

#[test]
fn who_cannot_be_seated_rests_in_turn() {
    let mut stage = pods(8, 6, 4, 4, PodPairing::ByStanding);
    stage.drop_out(3, 1);
    let mut rested: Vec<u32> = Vec::new();
    for _ in 0..3 {
        let due = stage.pair();
        let resting = due.iter().filter(|it| it.entrants.len() == 1);
        rested.extend(resting.map(|it| it.entrants[0]));
        stage.play(&mut favourite);
    }
    rested.sort_unstable();
    assert_eq!(rested.len(), 6);
    rested.dedup();
    assert_eq!(rested.len(), 6, "nobody rests twice while others have not");
}

#[test]
fn too_few_for_a_table_end_it() {
    let mut stage = pods(4, 3, 3, 4, PodPairing::Random);
    stage.pair();
    stage.play(&mut favourite);
    stage.drop_out(1, 1);
    stage.drop_out(2, 1);
    assert_eq!(stage.due(), Err(Unpairable::TooFewLeft));
    assert!(stage.is_over());
}

#[test]
fn at_tables_too_pairs_that_shall_not_meet_do_not_and_byes_are_asked_for() {
    for pairing in [PodPairing::Random, PodPairing::Spread] {
        let mut stage = pods(12, 3, 3, 4, pairing);
        stage.rulings.apart = vec![[1, 2], [3, 4], [1, 12]];
        stage.rulings.byes = vec![RequestedBye { entrant: 12, round: 2, points: 300 }];
        for round in 1..=3 {
            let due = stage.pair();
            assert!(due.iter().flat_map(|it| &it.reasons).all(|it| !matches!(it, Reason::KeptApart { .. })));
            let resting: Vec<u32> = due.iter().filter(|it| it.entrants.len() == 1).map(|it| it.entrants[0]).collect();
            assert_eq!(resting, if round == 2 { vec![12] } else { vec![] });
            stage.play(&mut favourite);
        }
    }
}
