//! Swiss: properties S1 to S15.

use std::collections::{BTreeMap, BTreeSet};

use super::super::history::History;
use super::super::look_ahead::Rounds;
use super::super::swiss::{Float, Player, Round, Strength, players};
use super::*;
use crate::playout::random;

fn swiss(many: u32, rounds: u8) -> Stage {
    stage(Format::Swiss { rounds }, many)
}

fn pairs(due: &[Pairing]) -> Vec<Vec<u32>> {
    let sorted = |it: &Pairing| {
        let mut entrants = it.entrants.clone();
        entrants.sort_unstable();
        entrants
    };
    due.iter().map(sorted).collect()
}

#[test]
fn the_upper_half_meets_the_lower_half_first() {
    assert_eq!(pairs(&swiss(8, 3).pair()), [[1, 5], [2, 6], [3, 7], [4, 8]]);
    let nine = swiss(9, 3).pair();
    assert_eq!(pairs(&nine), [vec![1, 5], vec![2, 6], vec![3, 7], vec![4, 8], vec![9]]);
    assert_eq!(nine[4].reasons, [Reason::LowestBye { points: 0 }]);
}

/// Plays at random with drops and late entries, and looks at every round.
fn rounds_of(many: u32, rounds: u8, seed: u64, look: &mut dyn FnMut(&Stage, &[Pairing])) -> Stage {
    let mut source = random(seed);
    let mut stage = swiss(many, rounds);
    while let Ok(due) = stage.due() {
        if due.is_empty() {
            break;
        }
        look(&stage, &due);
        stage.record(&due);
        for key in stage.open() {
            let entrants = stage.find(key).entrants.clone();
            let result = match source.below(12) {
                0..=4 => order(&entrants),
                5..=8 => order(&[entrants[1], entrants[0]]),
                9..=10 => level(&entrants),
                _ => vec![finish(entrants[0], 1), Finish { absent: true, ..finish(entrants[1], 2) }],
            };
            stage.end(key, result);
        }
        let round = due[0].key.round;
        if source.below(4) == 0 {
            let who = source.below(stage.participants.len() as u32) as usize;
            stage.participants[who].until_round.get_or_insert(round);
        }
        if source.below(6) == 0 {
            let entrant = stage.participants.len() as u32 + 1;
            stage.participants.push(Participant { entrant, seed: entrant, from_round: round + 1, until_round: None });
        }
    }
    stage
}

#[test]
fn everybody_is_paired_once_with_somebody_new_and_rests_at_most_once() {
    for many in (2..=24).chain([41, 64]) {
        for seed in 0..4 {
            let rounds = (many as u8 - 1).min(9);
            let ended = rounds_of(many, rounds, seed, &mut |stage, due| {
                let round = due[0].key.round;
                let mut paired: Vec<u32> = due.iter().flat_map(|it| it.entrants.clone()).collect();
                paired.sort_unstable();
                let here = stage.participants.iter().filter(|it| it.plays_in(round)).map(|it| it.entrant);
                assert_eq!(paired, here.collect::<Vec<_>>());
                let byes = due.iter().filter(|it| it.entrants.len() == 1).count();
                assert_eq!(byes, paired.len() % 2);
            });
            let mut met = BTreeSet::new();
            let mut free: BTreeMap<u32, u32> = BTreeMap::new();
            for bout in &ended.bouts {
                let result = bout.result.clone().unwrap_or_default();
                let appeared: BTreeSet<u32> = result.iter().filter(|it| !it.absent).map(|it| it.entrant).collect();
                if appeared.len() == 2 {
                    assert!(met.insert(appeared), "{} is a rematch", bout.key);
                }
                if bout.is_bye() {
                    let before = free.entry(bout.entrants[0]).or_default();
                    assert_eq!(*before, 0, "who has had points without a game has no bye");
                    *before += 1;
                } else if let Some(absent) = result.iter().position(|it| it.absent) {
                    *free.entry(result[1 - absent].entrant).or_default() += 1;
                }
            }
        }
    }
}

/// All ways to pair these vertices off.
fn matchings(left: &[usize], may_meet: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<(usize, usize)>> {
    let Some((one, others)) = left.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for other in others.iter().filter(|it| may_meet(*one, **it)) {
        let rest: Vec<usize> = others.iter().copied().filter(|it| it != other).collect();
        for mut matching in matchings(&rest, may_meet) {
            matching.push((*one, *other));
            all.push(matching);
        }
    }
    all
}

fn counted<T>(all: &[T], holds: impl Fn(&T) -> bool) -> i64 {
    all.iter().filter(|it| holds(it)).count() as i64
}

/// What the guide says about a pairing of all players, the most important first. The less, the better.
fn verdict(players: &[Player], pairs: &[(usize, usize)], is_top: &dyn Fn(&Player) -> bool) -> Vec<i64> {
    let partner =
        |it: usize| pairs.iter().find_map(|(a, b)| if *a == it { Some(*b) } else { (*b == it).then_some(*a) });
    let partner = |it: usize| partner(it).expect("everybody is paired");
    let points = |it: usize| players.get(it).map_or(i64::MIN, |it| it.points);
    let clashes = |(one, other): &(usize, usize), excused: bool| {
        let (Some(one), Some(other)) = (players.get(*one), players.get(*other)) else { return false };
        let is_top = is_top(one) || is_top(other);
        one.strength.min(other.strength) == Strength::Absolute && one.contends_with(other) && is_top == excused
    };
    let bye = pairs.iter().map(|(one, other)| *one.min(other)).find(|it| partner(*it) >= players.len());
    let mut verdict = vec![counted(pairs, |it| clashes(it, false)), bye.map_or(0, |it| players[it].behind as i64)];
    let scores: BTreeSet<i64> = players.iter().map(|it| it.points).collect();
    let mut down: Vec<usize> = Vec::new();
    for score in scores.iter().rev() {
        let group: Vec<usize> = (0..players.len()).filter(|it| points(*it) == *score).collect();
        let next: Vec<usize> = scores
            .range(..score)
            .next_back()
            .map_or(Vec::new(), |next| (0..players.len()).filter(|it| points(*it) == *next).collect());
        let here: Vec<usize> = down.iter().chain(&group).copied().collect();
        let floats: Vec<usize> = here.iter().copied().filter(|it| !here.contains(&partner(*it))).collect();
        let beyond: Vec<usize> = floats.iter().chain(&next).copied().collect();
        let on: Vec<usize> = beyond
            .iter()
            .copied()
            .filter(|it| !beyond.contains(&partner(*it)) && points(partner(*it)) < *score)
            .collect();
        let on: Vec<usize> = on.into_iter().filter(|it| !next.contains(&partner(*it))).collect();
        let levels: BTreeSet<i64> = here.iter().map(|it| points(*it)).collect();
        for who in [&floats, &on] {
            verdict.push(who.len() as i64);
            verdict.extend(levels.iter().rev().map(|level| counted(who, |it| points(*it) == *level)));
        }
        verdict.push(floats.iter().find(|it| Some(**it) == bye).map_or(0, |it| players[*it].unplayed));
        let inside: Vec<(usize, usize)> = here
            .iter()
            .map(|it| (*it, partner(*it)))
            .filter(|(one, other)| one < other && here.contains(other))
            .collect();
        let both = |(one, other): &(usize, usize)| (&players[*one], &players[*other]);
        let contends = |it: &(usize, usize)| both(it).0.contends_with(both(it).1);
        let strong = |it: &(usize, usize)| both(it).0.strength.min(both(it).1.strength) == Strength::Strong;
        verdict.push(counted(&inside, |it| clashes(it, true)));
        verdict.push(counted(&inside, |it| contends(it)));
        verdict.push(counted(&inside, |it| contends(it) && strong(it)));
        for back in 0..2 {
            let flag = |it: usize, float: Float| players[it].floats[back] == Some(float);
            verdict.push(counted(&floats, |it| group.contains(it) && flag(*it, Float::Down)));
            verdict.push(counted(&inside, |it| points(it.0) > points(it.1) && flag(it.1, Float::Up)));
        }
        verdict.extend(down.iter().map(|it| i64::from(floats.contains(it))));
        let of = |list: &[usize], it: usize| list.iter().position(|one| *one == it).map_or(0, |it| it as i64);
        verdict.extend(down.iter().map(|it| of(&group, partner(*it))));
        let rest: Vec<usize> = group.iter().copied().filter(|it| !down.contains(&partner(*it))).collect();
        let uppers: Vec<usize> =
            rest.iter().copied().filter(|it| *it < partner(*it) && rest.contains(&partner(*it))).collect();
        let half = uppers.len();
        verdict.push(counted(&uppers, |it| of(&rest, *it) >= half as i64));
        verdict.push(uppers.iter().map(|it| of(&rest, *it)).sum());
        verdict.extend(rest[..half].iter().rev().map(|it| i64::from(uppers.contains(it))));
        verdict.extend(rest[half..].iter().map(|it| -i64::from(uppers.contains(it))));
        verdict.extend(uppers.iter().map(|it| of(&rest, partner(*it))));
        down = floats;
    }
    verdict
}

#[test]
fn no_pairing_is_better_by_the_criteria() {
    for many in 2..=9 {
        for seed in 0..25 {
            let rounds = (many as u8 - 1).min(6);
            rounds_of(many, rounds, seed, &mut |stage, due| {
                let number = due[0].key.round;
                let history = History::new(stage);
                let players = players(stage, number, &history);
                let is_last = number == u16::from(rounds);
                let round = Round::new(stage, &players, &history, is_last);
                let half = 50 * i64::from(number - 1);
                let is_top = |it: &Player| is_last && it.points > half;
                let all: Vec<usize> = (0..round.many()).collect();
                let ways = matchings(&all, &|one, other| round.may_meet(one, other));
                let least = ways.iter().map(|it| verdict(&players, it, &is_top)).min();
                let best = round.best(&|_, _| true).expect("it was paired");
                let found: Vec<(usize, usize)> =
                    best.partners.iter().copied().enumerate().filter(|(one, other)| one < other).collect();
                assert_eq!(Some(verdict(&players, &found, &is_top)), least);
            });
        }
    }
}

#[test]
fn leaders_who_may_meet_do_meet() {
    for many in [6, 8, 10, 12, 16] {
        for seed in 0..20 {
            rounds_of(many, 4, seed, &mut |stage, due| {
                let history = History::new(stage);
                let players = players(stage, due[0].key.round, &history);
                let round = Round::new(stage, &players, &history, false);
                let leaders: Vec<usize> =
                    (0..players.len()).filter(|it| players[*it].points == players[0].points).collect();
                let met = |pairs: &[(usize, usize)]| {
                    counted(pairs, |(one, other)| leaders.contains(one) && leaders.contains(other))
                };
                let best = round.best(&|_, _| true).expect("it was paired");
                let found: Vec<(usize, usize)> =
                    best.partners.iter().copied().enumerate().filter(|(one, other)| one < other).collect();
                if many > 10 || met(&found) * 2 + 1 >= leaders.len() as i64 {
                    return;
                }
                // Only a seat that nobody may have again, or a bye, keeps leaders apart.
                let all: Vec<usize> = (0..round.many()).collect();
                let binding = |it: &[(usize, usize)]| verdict(&players, it, &|_| false)[..2].to_vec();
                for other in matchings(&all, &|one, other| round.may_meet(one, other)) {
                    assert!(met(&other) <= met(&found) || binding(&other) > binding(&found));
                }
            });
        }
    }
}

#[test]
fn what_is_far_below_changes_no_bracket() {
    let mut source = random(6);
    let mut stage = swiss(120, 4);
    while !stage.pair().is_empty() {
        stage.play(&mut |bout| favourite(bout));
        for key in stage.open() {
            let entrants = stage.find(key).entrants.clone();
            stage.end(key, if source.below(3) == 0 { level(&entrants) } else { order(&entrants) });
        }
        let history = History::new(&stage);
        let players = players(&stage, history.rounds + 1, &history);
        let round = Round::new(&stage, &players, &history, false);
        let [narrow, wide] = [true, false].map(|it| round.paired(&|_, _| true, it).map(|it| it.partners));
        assert_eq!(narrow, wide);
    }
}

#[test]
fn if_nothing_can_be_paired_nothing_is() {
    // Everybody has met everybody: brute force finds no pairing where none is given.
    for many in 2..=8 {
        for seed in 0..25 {
            let ended = rounds_of(many, many as u8 - 1, seed, &mut |_, _| {});
            if let Err(why) = ended.due() {
                assert!(ended.is_over());
                let history = History::new(&ended);
                let number = ended.bouts.iter().map(|it| it.key.round).max().unwrap_or_default() + 1;
                let players = players(&ended, number, &history);
                let round = Round::new(&ended, &players, &history, true);
                let all: Vec<usize> = (0..round.many()).collect();
                let none = matchings(&all, &|one, other| round.may_meet(one, other)).is_empty();
                assert_eq!(why == Unpairable::NoLegalPairing, none && players.len() >= 2);
            }
        }
    }
}

#[test]
fn five_winners_and_five_losers_have_one_pair_between_them() {
    let mut ten = swiss(10, 3);
    ten.pair();
    ten.play(&mut favourite);
    let due = ten.pair();
    let floats: Vec<&Reason> =
        due.iter().flat_map(|it| &it.reasons).filter(|it| matches!(it, Reason::Floated { .. })).collect();
    assert_eq!(floats, [&Reason::Floated { entrant: 5, points: 100, against: 0 }]);
}

#[test]
fn the_bye_goes_to_the_fewest_points_even_if_more_have_to_float() {
    // 5 has had the bye and has fewest points; 4 is next, though with 3 resting nobody would float.
    let mut five = swiss(5, 4);
    five.bouts = vec![
        bout("main-1-1", &[1, 3], order(&[1, 3])),
        bout("main-1-2", &[2, 4], order(&[2, 4])),
        bout("main-1-3", &[5], vec![]),
    ];
    five.scoring.points = Points::Win { win: 100, draw: 50, loss: 0, bye: 0 };
    let due = five.pair();
    let resting: Vec<u32> = due.iter().filter(|it| it.entrants.len() == 1).map(|it| it.entrants[0]).collect();
    assert_eq!(resting, [4]);
    assert_eq!(pairs(&due)[..2], [[1, 2], [3, 5]]);
}

/// Two cases by which pairing programs are checked against the Dutch system of 2025 (bbpPairings, `dutch_2025_C5` and
/// `_C9`).
#[test]
fn byes_go_to_whom_fide_gives_them() {
    let mut six = swiss(6, 3);
    six.drop_out(4, 2);
    six.bouts = vec![
        bout("main-1-1", &[1, 4], order(&[1, 4])),
        bout("main-1-2", &[5, 2], order(&[2, 5])),
        bout("main-1-3", &[3, 6], order(&[3, 6])),
        bout("main-2-1", &[2, 1], order(&[1, 2])),
        bout("main-2-2", &[4, 3], order(&[3, 4])),
        bout("main-2-3", &[6, 5], order(&[5, 6])),
    ];
    assert_eq!(pairs(&six.pair()), [vec![1, 5], vec![2, 3], vec![6]]);
    let mut five = swiss(5, 3);
    five.participants[4].from_round = 2;
    five.bouts = vec![bout("main-1-1", &[1, 3], order(&[1, 3])), bout("main-1-2", &[4, 2], order(&[2, 4]))];
    assert_eq!(pairs(&five.pair()), [vec![1, 2], vec![3, 5], vec![4]]);
}

#[test]
fn a_correction_leaves_what_is_paired_alone_and_changes_the_table() {
    let mut eight = swiss(8, 3);
    eight.pair();
    eight.play(&mut favourite);
    eight.pair();
    let before = eight.standings();
    assert_eq!(eight.invalidated_by(key("main-1-1"), &order(&[5, 1])), []);
    eight.end(key("main-1-1"), order(&[5, 1]));
    assert_ne!(eight.standings(), before);
    assert_eq!(eight.due(), Ok(vec![]));
}

#[test]
fn as_many_rounds_as_there_are_others_end_cleanly() {
    for many in 2..=12 {
        let most = if many % 2 == 0 { many - 1 } else { many };
        let ended = rounds_of(many, most as u8, 5, &mut |_, _| {});
        assert!(ended.is_over());
    }
}

#[test]
fn seats_are_taken_in_turns() {
    let mut stage = swiss(16, 6);
    stage.play_out(&mut favourite);
    for entrant in 1..=16 {
        let firsts = stage.bouts.iter().filter(|it| it.entrants[0] == entrant).count();
        assert!((2..=4).contains(&firsts), "{entrant} sat first {firsts} times");
    }
}

#[test]
fn points_of_any_kind_are_paired() {
    let mut stage = swiss(32, 5);
    stage.scoring.points = Points::Scores;
    let mut source = random(9);
    loop {
        if stage.pair().is_empty() {
            break;
        }
        for key in stage.open() {
            let entrants = stage.find(key).entrants.clone();
            let most = i64::from(source.below(100_000));
            let scored = |it: &Finish| Finish { score: Some(most / i64::from(it.place)), ..*it };
            let result = order(&entrants).iter().map(scored).collect();
            stage.end(key, result);
        }
    }
    assert_eq!(stage.played(), 16 * 5);
}

#[test]
fn the_largest_field_is_paired_round_after_round() {
    let mut source = random(10);
    let mut stage = swiss(255, 5);
    stage.play_out(&mut |bout| {
        let first = source.below(2) as usize;
        vec![bout.entrants[first], bout.entrants[1 - first]]
    });
    assert_eq!(stage.played(), 127 * 5);
}

/// Plays an event that nobody leaves. Gives how many rounds there were, and how many pairs had different points.
fn event(many: u32, rounds: u8, seed: u64) -> (u16, usize) {
    let mut source = random(seed);
    let mut stage = swiss(many, rounds);
    let (mut played, mut floats) = (0, 0);
    while let Some(due) = stage.due().ok().filter(|it| !it.is_empty()) {
        floats += due.iter().filter(|it| matches!(it.reasons[..], [Reason::Floated { .. }])).count();
        stage.record(&due);
        for key in stage.open() {
            let entrants = stage.find(key).entrants.clone();
            let result = match source.below(5) {
                0..=1 => order(&entrants),
                2..=3 => order(&[entrants[1], entrants[0]]),
                _ => level(&entrants),
            };
            stage.end(key, result);
        }
        played += 1;
    }
    (played, floats)
}

#[test]
fn an_event_that_nobody_leaves_is_played_to_its_last_round() {
    let fields = [(4, 3), (5, 4), (6, 4), (6, 5), (7, 6), (8, 6), (8, 7), (9, 7), (10, 8), (10, 9), (12, 9), (16, 11)];
    for (many, rounds) in fields {
        for seed in 0..20 {
            assert_eq!(event(many, rounds, seed).0, u16::from(rounds), "{many} entrants, {rounds} rounds, seed {seed}");
        }
    }
}

/// The fewest second byes, and then the least meeting again, of all ways to pair these off.
fn least_harm(history: &History, here: &[u32]) -> (usize, usize) {
    let Some((one, rest)) = here.split_first() else { return (0, 0) };
    let with = |at: usize| {
        let mut left = rest.to_vec();
        let other = left.remove(at);
        let (byes, repeats) = least_harm(history, &left);
        (byes, repeats + usize::from(history.times_met(*one, other).pow(2)))
    };
    let bye = (!here.len().is_multiple_of(2)).then(|| {
        let (byes, repeats) = least_harm(history, rest);
        (byes + usize::from(history.of(*one).iter().any(|it| it.meetings.is_empty() && it.points > 0)), repeats)
    });
    (0..rest.len()).map(with).chain(bye).min().expect("there is a way")
}

#[test]
fn a_round_that_the_rules_forbid_is_paired_with_the_least_harm() {
    let mut forced = 0;
    for seed in 0..300 {
        let (many, mut source) = (4 + (seed % 4) as u32, random(seed));
        let mut stage = swiss(many, many as u8 - 1);
        for _ in 1..many {
            let due = stage.due();
            let paired = stage.due_with_repeats().expect("enough are left");
            match due {
                Ok(due) => assert_eq!(due, paired, "what can be paired is paired as always"),
                Err(why) => {
                    assert_eq!(why, Unpairable::NoLegalPairing);
                    let round = paired[0].key.round;
                    let here: Vec<u32> =
                        stage.by_seed().iter().filter(|it| it.plays_in(round)).map(|it| it.entrant).collect();
                    let reasons = || paired.iter().flat_map(|it| &it.reasons);
                    let byes = reasons().filter(|it| matches!(it, Reason::ByeAgain { .. })).count();
                    let times =
                        |it: &Reason| if let Reason::Repeat { times, .. } = it { usize::from(times.pow(2)) } else { 0 };
                    assert_eq!(
                        (byes, reasons().map(times).sum::<usize>()),
                        least_harm(&History::new(&stage), &here),
                        "{seed}"
                    );
                    forced += 1;
                }
            }
            stage.record(&paired);
            stage.play(&mut favourite);
            let here: Vec<u32> =
                stage.participants.iter().filter(|it| it.until_round.is_none()).map(|it| it.entrant).collect();
            if here.len() > 3 && source.below(2) == 0 {
                stage.drop_out(here[source.below(here.len() as u32) as usize], paired[0].key.round);
            }
        }
    }
    assert!(forced > 50, "only {forced} rounds were forced");
}

#[test]
fn who_asked_not_to_play_rests_with_the_points_agreed_and_may_still_have_a_bye() {
    let mut six = swiss(6, 3);
    six.rulings.byes = vec![RequestedBye { entrant: 6, round: 1, points: 50 }];
    let due = six.pair();
    let resting: Vec<&Pairing> = due.iter().filter(|it| it.entrants.len() == 1).collect();
    assert_eq!(resting.iter().map(|it| it.entrants[0]).collect::<Vec<_>>(), [5, 6]);
    assert_eq!(resting[1].reasons, [Reason::RequestedBye { points: 50 }]);
    six.play(&mut favourite);
    let points = |stage: &Stage, entrant: u32| {
        stage.standings().iter().find(|it| it.entrant == entrant).map_or(0, |it| it.points)
    };
    assert_eq!([points(&six, 5), points(&six, 6)], [100, 50]);
    six.drop_out(1, 1);
    let due = six.pair();
    let resting: Vec<u32> = due.iter().filter(|it| it.entrants.len() == 1).map(|it| it.entrants[0]).collect();
    assert!(!resting.contains(&5), "one bye is enough");
    assert_eq!(due.iter().flat_map(|it| &it.entrants).count(), 5);
}

#[test]
fn who_comes_late_has_what_missed_rounds_are_worth() {
    let mut stage = swiss(4, 3);
    stage.scoring.missed = 50;
    stage.pair();
    stage.play(&mut favourite);
    let late = Participant { entrant: 5, seed: 5, from_round: 2, until_round: None };
    stage.participants.push(late);
    let line = stage.standings().into_iter().find(|it| it.entrant == 5).expect("in the table");
    assert_eq!((line.points, line.played), (50, 0));
}

#[test]
fn penalties_count_in_the_table_and_in_the_next_pairing() {
    let mut stage = swiss(4, 3);
    stage.pair();
    stage.play(&mut favourite);
    assert_eq!(pairs(&stage.due().expect("a round")), [[1, 2], [3, 4]]);
    let reason = "came without a box".to_owned();
    stage.rulings.adjustments = vec![Adjustment { entrant: 1, round: 1, points: -100, reason }];
    assert_eq!(stage.ranks(), [(1, 2), (2, 1), (2, 3), (2, 4)]);
    assert_eq!(stage.due().expect("a round")[0].reasons, [Reason::Floated { entrant: 2, points: 100, against: 0 }]);
}

#[test]
fn pairs_that_shall_not_meet_do_not_as_long_as_that_can_be() {
    let mut stage = swiss(4, 3);
    stage.rulings.apart = vec![[3, 1]];
    let due = stage.pair();
    assert_eq!(pairs(&due), [[1, 4], [2, 3]]);
    stage.play(&mut favourite);
    assert_eq!(pairs(&stage.pair()), [[1, 2], [3, 4]]);
    stage.play(&mut favourite);
    // Nobody else is left, and the round says so.
    let last = stage.pair();
    assert_eq!(pairs(&last), [[1, 3], [2, 4]]);
    assert!(last[0].reasons.contains(&Reason::KeptApart { one: 1, other: 3 }));
}
