//! What is said to be sure of somebody before the end is so at the end.

use std::collections::BTreeMap;

use super::*;
use crate::playout::random;

/// Does the entrant go on in the end? Unknown where equals stand at the line.
fn goes_on(stage: &Stage, entrant: u32, going: u16) -> Option<bool> {
    let standings = stage.standings();
    let place = |row: &StandingsRow| (row.group.map(|it| it.rank), row.rank);
    let own = standings.iter().find(|it| it.entrant == entrant).expect("they take part");
    let others = || standings.iter().filter(|it| it.entrant != entrant);
    let before = others().filter(|it| place(it) < place(own)).count();
    let level = others().filter(|it| place(it) == place(own)).count();
    match usize::from(going) {
        going if before >= going => Some(false),
        going if before + level < going => Some(true),
        _ => None,
    }
}

fn any_duel(bout: &Bout, source: &mut dyn Source) -> Vec<Finish> {
    let [one, other] = bout.entrants[..] else { return order(&bout.entrants) };
    match source.below(8) {
        0 => level(&[one, other]),
        1 => nobody(&[one, other]),
        2..5 => order(&[one, other]),
        _ => order(&[other, one]),
    }
}

fn stages() -> Vec<(Stage, u16)> {
    let play = GroupPlay::RoundRobin { legs: 1 };
    let pods = Format::Pods {
        rounds: 4,
        least: 3,
        most: 4,
        pairing: PodPairing::ByStanding,
        reach: 0,
        short_tables: ShortTables::Rotate,
    };
    let mut places = stage(pods, 11);
    places.scoring = Scoring::new(Points::Places { scale: vec![500, 300, 100, 0], bye: 300 });
    let mut three = stage(Format::RoundRobin { legs: 2 }, 5);
    three.scoring = Scoring::new(Points::Win { win: 300, draw: 100, loss: 0, bye: 0 });
    let mut costly = stage(Format::RoundRobin { legs: 1 }, 6);
    costly.scoring = Scoring::new(Points::Win { win: 200, draw: 100, loss: -50, bye: 100 });
    let drawn = |groups: u8, play: GroupPlay, many: u32| Stage {
        tie_breaks: vec![TieBreak::Buchholz, TieBreak::Lot],
        ..stage(Format::Groups { groups, play }, many)
    };
    vec![
        (stage(Format::Swiss { rounds: 5 }, 8), 2),
        (stage(Format::Swiss { rounds: 4 }, 7), 3),
        (stage(Format::RoundRobin { legs: 1 }, 6), 2),
        (three, 2),
        (costly, 1),
        (stage(Format::Groups { groups: 3, play }, 13), 3),
        (drawn(3, play, 13), 3),
        (drawn(3, play, 12), 4),
        (drawn(2, GroupPlay::Swiss { rounds: 3 }, 10), 4),
        (places, 4),
    ]
}

#[test]
fn what_is_sure_stays_so_to_the_end() {
    let mut said = [0, 0];
    for (empty, going) in stages() {
        for seed in 0..60 {
            let (mut stage, mut source) = (empty.clone(), random(seed));
            let mut sure: BTreeMap<u32, Prospect> = BTreeMap::new();
            while !stage.pair().is_empty() {
                for key in stage.open() {
                    let now = stage.prospects(going);
                    for (entrant, prospect) in &sure {
                        assert_eq!(now.get(entrant), Some(prospect), "{entrant} of {:?}, seed {seed}", stage.format);
                    }
                    sure = now;
                    let bout = stage.find(key).clone();
                    let result = match bout.entrants.len() {
                        2 => any_duel(&bout, &mut source),
                        _ => {
                            let mut ranked = bout.entrants.clone();
                            crate::chance::shuffle(&mut ranked, &mut source);
                            order(&ranked)
                        }
                    };
                    stage.end(key, result);
                }
            }
            for (entrant, prospect) in stage.prospects(going) {
                let expected = Some(prospect == Prospect::Through);
                assert_eq!(goes_on(&stage, entrant, going), expected, "{entrant} of {:?}, seed {seed}", stage.format);
            }
            said[0] += sure.values().filter(|it| **it == Prospect::Through).count();
            said[1] += sure.values().filter(|it| **it == Prospect::Out).count();
        }
    }
    assert!(said.iter().all(|it| *it > 500), "hardly anything was sure before the last result: {said:?}");
}

/// In how many of all ways to end the stage an entrant goes on, does not, and stands level at the line.
fn every_end(stage: &Stage, going: u16, counts: &mut BTreeMap<u32, [u32; 3]>) {
    let Some(key) = stage.open().first().copied() else {
        for it in &stage.participants {
            let way = goes_on(stage, it.entrant, going).map_or(2, |goes_on| usize::from(!goes_on));
            counts.entry(it.entrant).or_default()[way] += 1;
        }
        return;
    };
    let entrants = stage.find(key).entrants.clone();
    let reversed: Vec<u32> = entrants.iter().rev().copied().collect();
    for result in [order(&entrants), order(&reversed), level(&entrants), nobody(&entrants)] {
        let mut after = stage.clone();
        after.end(key, result);
        every_end(&after, going, counts);
    }
}

#[test]
fn the_last_round_is_known_in_all_its_ends() {
    for (empty, going) in [
        (stage(Format::RoundRobin { legs: 1 }, 8), 3),
        (stage(Format::Swiss { rounds: 4 }, 8), 2),
        (stage(Format::Swiss { rounds: 4 }, 7), 2),
    ] {
        for seed in 0..25 {
            let (mut stage, mut source) = (empty.clone(), random(seed));
            let rounds = stage.rounds().expect("it is known");
            loop {
                stage.pair();
                if stage.bouts.iter().any(|it| it.key.round == rounds) {
                    break;
                }
                for key in stage.open() {
                    let result = any_duel(stage.find(key), &mut source);
                    stage.end(key, result);
                }
            }
            let mut counts = BTreeMap::new();
            every_end(&stage, going, &mut counts);
            let sure = |(entrant, ways): (u32, [u32; 3])| match ways {
                [_, 0, 0] => Some((entrant, Prospect::Through)),
                [0, _, 0] => Some((entrant, Prospect::Out)),
                _ => None,
            };
            let expected: BTreeMap<u32, Prospect> = counts.into_iter().filter_map(sure).collect();
            assert_eq!(stage.prospects(going), expected, "{:?}, seed {seed}", stage.format);
        }
    }
}

#[test]
fn where_nothing_is_sure_nothing_is_said() {
    for format in
        [Format::SingleElimination { third_place: false, consolation: Consolation::None }, Format::DoubleElimination {}]
    {
        assert_eq!(stage(format, 8).prospects(4), BTreeMap::new());
    }
    let mut written = stage(Format::Swiss { rounds: 3 }, 8);
    written.scoring = Scoring::new(Points::Scores);
    assert_eq!(written.prospects(2), BTreeMap::new());
    let before = stage(Format::Swiss { rounds: 3 }, 8);
    assert_eq!(before.prospects(2), BTreeMap::new());
    assert_eq!(before.prospects(8).len(), 8, "everybody goes on");
    assert_eq!(before.prospects(0), before.prospects(8).into_keys().map(|it| (it, Prospect::Out)).collect());
}
