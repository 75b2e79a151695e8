//! Whole tournaments of every format with anything happening in them: progress (E9), every property that holds at all
//! times, and that nothing but what a stage says matters (S9).

use std::collections::BTreeSet;

use super::*;
use crate::playout::random;

/// Something that fits, now and then with people who did not appear.
fn any_result(stage: &Stage, key: BoutKey, source: &mut dyn Source) -> Vec<Finish> {
    let entrants = &stage.find(key).entrants;
    loop {
        let mut here = entrants.clone();
        crate::chance::shuffle(&mut here, source);
        let absent = if source.below(10) == 0 { 1 + source.below(here.len() as u32) as usize } else { 0 };
        let gone = here.split_off(here.len() - absent);
        let ties = source.below(5) == 0;
        let mut result: Vec<Finish> = Vec::new();
        for (entrant, place) in here.iter().zip(1..) {
            let shares = ties && source.below(2) == 0;
            let place = result.last().filter(|_| shares).map_or(place, |it| it.place);
            let score = Some(i64::from(source.below(5000)));
            result.push(Finish { entrant: *entrant, place, score, absent: false });
        }
        let last = here.len() as u16 + 1;
        result.extend(gone.iter().map(|it| Finish { entrant: *it, place: last, score: None, absent: true }));
        if stage.check_result(key, &result).is_none() {
            return result;
        }
    }
}

fn is_unique<T: Ord>(items: impl IntoIterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    items.into_iter().all(|it| seen.insert(it))
}

fn check_pairings(stage: &Stage, due: &[Pairing]) {
    for pairing in due {
        let round = pairing.key.round;
        for entrant in &pairing.entrants {
            let participant = stage.participants.iter().find(|it| it.entrant == *entrant).expect("they take part");
            assert!(participant.plays_in(round), "{entrant} has dropped before {}", pairing.key);
        }
    }
    // Nobody twice at the same time.
    let rounds: BTreeSet<u16> = due.iter().map(|it| it.key.round).collect();
    for round in rounds {
        let of_round = due.iter().filter(|it| it.key.round == round);
        assert!(is_unique(of_round.flat_map(|it| &it.entrants)));
    }
}

/// Plays a stage with results, drops and late entries at random, in any order, and checks what always holds.
fn live(mut stage: Stage, seed: u64) -> Stage {
    let mut source = random(seed);
    for _ in 0..5000 {
        let is_over = stage.is_over();
        let due = match stage.due() {
            Ok(due) => due,
            Err(Unpairable::InvalidStage(unfit)) => panic!("{unfit}"),
            Err(_) => {
                assert!(is_over);
                return stage;
            }
        };
        assert_eq!(stage.due(), Ok(due.clone()));
        let open = stage.open();
        assert_eq!(is_over, due.is_empty() && open.is_empty(), "over, or something to do");
        assert!(is_unique(open.iter().flat_map(|it| &stage.find(*it).entrants)), "nobody plays twice at once");
        check_pairings(&stage, &due);
        if source.below(8) == 0 {
            let other = stage.shuffled(&mut source);
            assert_eq!(other.due(), Ok(due.clone()));
            assert_eq!(other.standings(), stage.standings());
            assert_eq!(other.plan(), stage.plan());
        }
        if is_over {
            return stage;
        }
        let round = stage.bouts.iter().map(|it| it.key.round).max().unwrap_or_default();
        if source.below(12) == 0 {
            let who = source.below(stage.participants.len() as u32) as usize;
            stage.participants[who].until_round = Some(round);
        }
        let takes_late = matches!(stage.format, Format::Swiss { .. } | Format::Pods { .. });
        if takes_late && source.below(20) == 0 && stage.participants.len() < 40 {
            let number = stage.participants.len() as u32 + 1;
            let late = Participant { entrant: number, seed: number, from_round: round + 1, until_round: None };
            stage.participants.push(late);
        }
        // What changed may have changed what is due.
        let due = stage.due().unwrap_or_default();
        if !due.is_empty() && (open.is_empty() || source.below(2) == 0) {
            stage.record(&due);
        } else if !open.is_empty() {
            let key = open[source.below(open.len() as u32) as usize];
            let result = any_result(&stage, key, &mut source);
            stage.end(key, result);
        }
    }
    panic!("it does not end");
}

/// One at most is left of a knock-out, ahead of all others; who is out was beaten often enough, or dropped.
fn check_end(stage: &Stage) {
    let enough = match stage.format {
        Format::SingleElimination { .. } | Format::PodKnockout { .. } => 1,
        Format::DoubleElimination {} => 2,
        Format::RoundRobin { .. }
        | Format::Swiss { .. }
        | Format::Groups { .. }
        | Format::Pods { .. }
        | Format::Arena { .. } => return,
    };
    let standings = stage.standings();
    assert!(standings.iter().filter(|it| !it.is_out).count() <= 1);
    let nobody_came = |entrant: u32| {
        let theirs = stage.bouts.iter().filter(|it| it.entrants.contains(&entrant));
        theirs.filter_map(|it| it.result.as_ref()).any(|it| it.iter().all(|it| it.absent))
    };
    for line in &standings {
        let has_dropped = stage.participants.iter().any(|it| it.entrant == line.entrant && it.until_round.is_some());
        if !line.is_out && !has_dropped {
            assert_eq!((line.rank, standings.iter().filter(|it| it.rank == 1).count()), (1, 1));
        }
        let won_the_last = matches!(stage.format, Format::PodKnockout { .. }) && line.rank == 1;
        if line.is_out && !has_dropped && !won_the_last && !nobody_came(line.entrant) {
            assert!(line.losses + line.draws >= enough, "{line:?}\n{:?}", stage.bouts);
        }
    }
}

#[test]
fn every_tournament_goes_on_until_it_is_over() {
    hold(0..3);
}

#[test]
#[ignore = "long"]
fn hundreds_more_go_on_until_they_are_over() {
    hold(3..300);
}

fn hold(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        for many in [2, 3, 5, 6, 8, 9, 13, 16] {
            let mut formats = vec![
                Format::SingleElimination { third_place: seed % 2 == 0, consolation: Consolation::None },
                Format::SingleElimination { third_place: false, consolation: Consolation::All },
                Format::DoubleElimination {},
                Format::RoundRobin { legs: 1 + (seed % 3) as u8 },
                Format::Swiss { rounds: (many as u8 - 1).min(7) },
                Format::Groups { groups: 2, play: GroupPlay::RoundRobin { legs: 1 + (seed % 2) as u8 } },
                Format::Groups { groups: 3, play: GroupPlay::Swiss { rounds: 2 } },
                Format::PodKnockout { least: 3, most: 4, advance: 1 + (seed % 2) as u8, wild_cards: seed % 3 == 0 },
                Format::PodKnockout { least: 4, most: 6, advance: 1 + (seed % 3) as u8, wild_cards: seed % 2 == 0 },
            ];
            let policies = [ShortTables::Rotate, ShortTables::Bottom, ShortTables::Top];
            let short_tables = policies[(seed % 3) as usize];
            for pairing in [PodPairing::Random, PodPairing::ByStanding, PodPairing::Spread] {
                formats.push(Format::Pods { rounds: 5, least: 3, most: 4, pairing, reach: 0, short_tables });
                formats.push(Format::Pods { rounds: 4, least: 2, most: 5, pairing, reach: 0, short_tables });
            }
            for format in formats {
                let mut stage = stage(format, many);
                stage.draw = seed;
                stage.tie_breaks = vec![TieBreak::HeadToHead, TieBreak::Buchholz, TieBreak::Scores, TieBreak::Lot];
                if stage.check().is_err() {
                    continue;
                }
                let ended = live(stage, seed * 100 + u64::from(many));
                check_end(&ended);
                let mut entrants: Vec<u32> = ended.standings().iter().map(|it| it.entrant).collect();
                entrants.sort_unstable();
                assert_eq!(entrants, ended.participants.iter().map(|it| it.entrant).collect::<Vec<_>>());
                assert!(ended.standings().windows(2).all(|pair| pair[0].rank <= pair[1].rank));
            }
        }
    }
}

/// Corrections at random: without the bouts that a correction undoes, a bracket goes on and ends.
#[test]
fn a_corrected_bracket_goes_on_until_it_is_over() {
    correct(0..20);
}

#[test]
#[ignore = "long"]
fn hundreds_more_corrected_brackets_go_on() {
    correct(20..2000);
}

fn correct(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        for format in [
            Format::SingleElimination { third_place: true, consolation: Consolation::None },
            Format::DoubleElimination {},
            Format::PodKnockout { least: 3, most: 4, advance: 2, wild_cards: false },
        ] {
            let mut source = random(seed);
            let mut stage = stage(format, 3 + seed as u32 % 40);
            let mut corrections = 6;
            for step in 0..2000 {
                assert!(step < 1999, "it does not end");
                let due = stage.pair();
                let open = stage.open();
                let over: Vec<BoutKey> =
                    stage.bouts.iter().filter(|it| it.is_over() && !it.is_bye()).map(|it| it.key).collect();
                if corrections > 0 && !over.is_empty() && source.below(4) == 0 {
                    corrections -= 1;
                    let changed = over[source.below(over.len() as u32) as usize];
                    let result = any_result(&stage, changed, &mut source);
                    let wrong = stage.invalidated_by(changed, &result);
                    assert!(!wrong.contains(&changed));
                    stage.bouts.retain(|it| !wrong.contains(&it.key));
                    stage.end(changed, result);
                } else if let Some(key) = open.first() {
                    let result = any_result(&stage, *key, &mut source);
                    stage.end(*key, result);
                } else if due.is_empty() {
                    break;
                }
            }
            assert!(stage.is_over());
        }
    }
}
