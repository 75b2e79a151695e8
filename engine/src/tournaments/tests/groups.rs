//! Groups side by side, and who goes on from them.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

fn robin(groups: u8) -> Format {
    Format::Groups { groups, play: GroupPlay::RoundRobin { legs: 1 } }
}

fn swiss(groups: u8, rounds: u8) -> Format {
    Format::Groups { groups, play: GroupPlay::Swiss { rounds } }
}

/// Plays to the end: the better seed wins.
fn played(format: Format, many: u32) -> Stage {
    let mut stage = stage(format, many);
    for _ in 0..400 {
        let due = stage.due().unwrap_or_default();
        stage.record(&due);
        let open = stage.open();
        if open.is_empty() && due.is_empty() {
            break;
        }
        for key in open {
            let mut entrants = stage.find(key).entrants.clone();
            entrants.sort_unstable();
            stage.end(key, order(&entrants));
        }
    }
    assert!(stage.is_over());
    stage
}

fn groups_of(stage: &Stage) -> BTreeMap<u16, BTreeSet<u32>> {
    let mut groups: BTreeMap<u16, BTreeSet<u32>> = BTreeMap::new();
    for row in stage.standings() {
        groups.entry(row.group.expect("it is in a group").group).or_default().insert(row.entrant);
    }
    groups
}

#[test]
fn seeds_go_to_groups_as_a_snake() {
    let groups = groups_of(&stage(robin(4), 10));
    let expected = [[1, 8, 9].as_slice(), &[2, 7, 10], &[3, 6], &[4, 5]];
    let found: Vec<Vec<u32>> = groups.into_values().map(|it| it.into_iter().collect()).collect();
    assert_eq!(found, expected);
}

#[test]
fn everybody_meets_everybody_of_the_group_and_nobody_else() {
    for (groups, many) in [(2, 7), (4, 16), (3, 10), (8, 32)] {
        let stage = played(robin(groups), many);
        let of = groups_of(&stage);
        let mut met = BTreeSet::new();
        for bout in stage.bouts.iter().filter(|it| !it.is_bye()) {
            let (one, other) = (bout.entrants[0].min(bout.entrants[1]), bout.entrants[0].max(bout.entrants[1]));
            assert!(met.insert((one, other)), "{one} and {other} meet once");
            assert!(of.values().any(|it| it.contains(&one) && it.contains(&other)));
        }
        let pairs: usize = of.values().map(|it| it.len() * (it.len() - 1) / 2).sum();
        assert_eq!(met.len(), pairs);
        let keys: BTreeSet<BoutKey> = stage.bouts.iter().map(|it| it.key).collect();
        assert_eq!(keys.len(), stage.bouts.len(), "every bout has a key of its own");
    }
}

#[test]
fn the_best_of_each_come_first_and_after_them_the_best_of_the_next_places() {
    let stage = played(robin(4), 16);
    let places: Vec<u32> = stage.standings().iter().map(|it| it.group.expect("a group").rank).collect();
    assert_eq!(places, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
    // Ten in three groups: 4, 3 and 3. Points of different sizes count by the bout.
    let stage = played(robin(3), 10);
    assert!(stage.standings()[..3].iter().all(|it| it.rank == 1), "each won all of its bouts");
}

#[test]
fn a_group_goes_on_while_another_still_plays() {
    let mut stage = stage(robin(2), 8);
    let first = stage.due().unwrap();
    stage.record(&first);
    let groups = groups_of(&stage);
    for key in stage.open() {
        let entrants = stage.find(key).entrants.clone();
        if groups[&1].contains(&entrants[0]) {
            stage.end(key, order(&entrants));
        }
    }
    let due = stage.due().unwrap();
    assert!(!due.is_empty() && due.iter().all(|it| it.key.round == 2));
    assert!(due.iter().all(|it| it.entrants.iter().all(|entrant| groups[&1].contains(entrant))));
}

#[test]
fn swiss_rounds_are_paired_within_each_group() {
    let stage = played(swiss(2, 3), 12);
    let of = groups_of(&stage);
    assert!(stage.bouts.iter().all(|bout| of.values().any(|it| bout.entrants.iter().all(|who| it.contains(who)))));
    assert_eq!((stage.rounds(), stage.bouts.len()), (Some(3), 18));
}

#[test]
fn so_many_groups_need_so_many_people() {
    assert_eq!(stage(robin(4), 7).check(), Err(InvalidStage::TooFew { least: 8 }));
    assert_eq!(stage(robin(1), 8).check(), Err(InvalidStage::BadGroups { most: 32 }));
    assert_eq!(stage(swiss(2, 4), 8).check(), Err(InvalidStage::TooManyRounds { most: 3 }));
    assert_eq!(stage(swiss(2, 3), 8).check(), Ok(()));
}

/// Of a bracket of those who go on: the first round in which two of one group can meet.
fn first_meeting(groups: u8, each: u32) -> u16 {
    let many = u32::from(groups) * (each + 1);
    let stage = played(robin(groups), many);
    let going: Vec<u32> =
        stage.standings().iter().take((u32::from(groups) * each) as usize).map(|it| it.entrant).collect();
    let seeds = stage.seeds_of(&going);
    assert_eq!(seeds.iter().collect::<BTreeSet<_>>(), going.iter().collect::<BTreeSet<_>>());
    // Who was first in a group is seeded before who was second.
    let place = |entrant: &u32| {
        stage.standings().iter().find(|it| it.entrant == *entrant).and_then(|it| it.group).map(|it| it.rank)
    };
    assert!(seeds.windows(2).all(|pair| place(&pair[0]) <= place(&pair[1])));
    let of = groups_of(&stage);
    let bracket = super::stage(
        Format::SingleElimination { third_place: false, consolation: Consolation::None },
        seeds.len() as u32,
    );
    let mut plan: BTreeMap<BoutKey, BTreeSet<u32>> = BTreeMap::new();
    for planned in bracket.plan() {
        let mut here = BTreeSet::new();
        for place in &planned.places {
            here.extend(place.entrant().map(|seed| seeds[seed as usize - 1]));
            here.extend(place.bout().and_then(|key| plan.get(&key)).into_iter().flatten());
        }
        if of.values().any(|it| it.intersection(&here).count() > 1) {
            return planned.key.round;
        }
        plan.insert(planned.key, here);
    }
    u16::MAX
}

#[test]
fn who_was_in_one_group_meets_as_late_as_possible() {
    // Two of each group can be kept apart until the final, four until the semi-finals.
    for (groups, each, round) in [(2, 2, 2), (4, 2, 3), (8, 2, 4), (16, 2, 5), (2, 4, 2), (4, 4, 3), (8, 4, 4)] {
        assert_eq!(first_meeting(groups, each), round, "{each} each of {groups} groups");
    }
}

#[test]
fn byes_that_are_asked_for_later_change_nothing_that_was_played() {
    let play = GroupPlay::Swiss { rounds: 3 };
    let mut stage = stage(Format::Groups { groups: 2, play }, 8);
    stage.pair();
    stage.play(&mut favourite);
    let before = stage.standings();
    let bye = |round| RequestedBye { entrant: 1, round, points: 50 };
    stage.rulings.byes = vec![bye(2), bye(3)];
    assert_eq!(stage.standings(), before);
    stage.play_out(&mut favourite);
    assert!(stage.bouts.iter().filter(|it| it.entrants == [1]).count() == 2);
}

#[test]
fn a_bye_that_is_taken_back_gives_no_two_bouts_one_number() {
    let mut stage = stage(swiss(3, 3), 12);
    stage.rulings.byes = vec![RequestedBye { entrant: 1, round: 3, points: 50 }];
    stage.pair();
    let groups = groups_of(&stage);
    let end = |stage: &mut Stage, group: u16| {
        for key in stage.open() {
            let entrants = favourite(stage.find(key));
            if groups[&group].contains(&entrants[0]) {
                stage.end(key, order(&entrants));
            }
        }
    };
    end(&mut stage, 2);
    stage.pair();
    stage.rulings.byes.clear();
    end(&mut stage, 3);
    // `pair` refuses a key that another bout has.
    let third = stage.pair();
    assert!(third.len() == 2 && third.iter().all(|it| groups[&3].contains(&it.entrants[0])));
    stage.play(&mut favourite);
    stage.play_out(&mut favourite);
    assert_eq!(stage.bouts.len(), 18, "each group has played its three rounds");
    let before = stage.standings();
    stage.bouts.reverse();
    assert_eq!(stage.standings(), before);
}

#[test]
fn a_bye_in_the_place_of_somebody_who_left_makes_nobody_better_or_worse_than_those_of_other_groups() {
    let firsts = |gone: &[u32], groups: u8, many: u32| {
        let mut stage = stage(robin(groups), many);
        stage.tie_breaks = vec![TieBreak::Seed];
        gone.iter().for_each(|it| stage.drop_out(*it, 0));
        stage.play_out(&mut favourite);
        let standings = stage.standings();
        standings.iter().filter(|it| it.group.is_some_and(|it| it.rank == 1)).map(|it| it.entrant).collect::<Vec<_>>()
    };
    assert_eq!(firsts(&[], 2, 8), [1, 2]);
    // 8 is in the group of 1. Both have won all that they played.
    assert_eq!(firsts(&[8], 2, 8), [1, 2]);
    assert_eq!(firsts(&[7], 2, 8), [1, 2]);
    // Of five each, everybody rests once; 10 is in the group of 1, and 9 in that of 2.
    assert_eq!(firsts(&[9], 2, 10), [1, 2]);
    assert_eq!(firsts(&[10], 2, 10), [1, 2]);
    assert_eq!(firsts(&[1, 10], 2, 10).len(), 2);
}

/// In each group the last of the first three is beaten by all, and the others are beaten in a circle or by seed.
fn with_circles(circles: &[u16], groups: u8, many: u32) -> Stage {
    let mut stage = stage(robin(groups), many);
    let of = groups_of(&stage);
    let group = |entrant: u32| *of.iter().find(|(_, it)| it.contains(&entrant)).expect("it is in one").0;
    let members = |number: u16| of[&number].iter().copied().collect::<Vec<u32>>();
    loop {
        let due = stage.due().unwrap_or_default();
        stage.record(&due);
        let open = stage.open();
        if open.is_empty() && due.is_empty() {
            break stage;
        }
        for key in open {
            let mut entrants = stage.find(key).entrants.clone();
            entrants.sort_unstable();
            let number = group(entrants[0]);
            let here = members(number);
            let at = |entrant: u32| here.iter().position(|it| *it == entrant).expect("it is here");
            // 1 beats 2, 2 beats 3, and 3 beats 1.
            if circles.contains(&number) && (at(entrants[0]), at(entrants[1])) == (0, 2) {
                entrants.reverse();
            }
            stage.end(key, order(&entrants));
        }
    }
}

#[test]
fn a_winner_of_a_group_goes_on_before_those_who_share_the_place_of_another() {
    // Three are level in the first group; of the second the winner goes on, and one of the three.
    let stage = with_circles(&[1], 2, 8);
    let groups = groups_of(&stage);
    let (shared, other): (Vec<u32>, Vec<u32>) =
        (groups[&1].iter().take(3).copied().collect(), groups[&2].iter().copied().collect());
    let line = stage.group_line(2, |_| true).expect("places are shared");
    assert_eq!((line.through.as_slice(), line.equals.as_slice(), line.places), (&other[..1], shared.as_slice(), 1));
    assert_eq!(line.quotas, [GroupQuota { of: shared.clone(), least: 1, most: 1 }]);
    // The second of the other group has as many points as the three: one of these goes on, and one of all who are left.
    let line = stage.group_line(3, |_| true).expect("places are shared");
    let quota = |of: &[u32], least, most| GroupQuota { of: of.to_vec(), least, most };
    assert_eq!((line.through.as_slice(), line.places), (&other[..1], 2));
    assert_eq!(line.quotas, [quota(&shared, 1, 2), quota(&other[1..2], 0, 1)]);
    // With four, two of the three go on, and with six all do.
    let line = stage.group_line(4, |_| true).expect("places are shared");
    assert_eq!((line.through.as_slice(), line.places, line.quotas[0].least), (&other[..2], 2, 2));
    assert_eq!(stage.group_line(6, |_| true), None);
    assert_eq!(with_circles(&[], 2, 8).group_line(2, |_| true), None, "nobody shares a place");
}

#[test]
fn the_last_place_is_between_equals_of_two_groups() {
    let stage = with_circles(&[1, 2], 2, 8);
    let groups = groups_of(&stage);
    let three = |group: u16| groups[&group].iter().take(3).copied().collect::<Vec<u32>>();
    let line = stage.group_line(3, |_| true).expect("places are shared");
    assert_eq!((line.through.len(), line.places, line.equals.len()), (0, 3, 6));
    let quota = |of: Vec<u32>| GroupQuota { of, least: 1, most: 2 };
    assert_eq!(line.quotas, [quota(three(1)), quota(three(2))]);
    // Who has left is none of them.
    let gone = three(1)[0];
    let line = stage.group_line(3, |it| it != gone).expect("places are shared");
    assert_eq!((line.quotas[0].of.len(), line.order.contains(&gone)), (2, false));
}
