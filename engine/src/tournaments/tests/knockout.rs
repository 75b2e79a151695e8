//! Knock-out of pods: property P11.

use super::*;

fn knockout(many: u32, least: u8, most: u8, advance: u8) -> Stage {
    stage(Format::PodKnockout { least, most, advance, wild_cards: false }, many)
}

/// Tables and byes of each round.
fn rounds(stage: &Stage) -> Vec<(usize, usize)> {
    let round = |round: u16| {
        let bouts = || stage.bouts.iter().filter(|it| it.key.round == round);
        let byes = bouts().filter(|it| it.is_bye()).count();
        (bouts().count() - byes, byes)
    };
    (1..).map(round).take_while(|it| it.0 + it.1 > 0).collect()
}

#[test]
fn winners_go_on_until_one_table_is_left() {
    for (many, expected) in [
        (16, vec![(4, 0), (1, 0)]),
        (13, vec![(3, 1), (1, 0)]),
        (10, vec![(2, 2), (1, 0)]),
        (7, vec![(1, 3), (1, 0)]),
        (40, vec![(10, 0), (2, 2), (1, 0)]),
    ] {
        let mut stage = knockout(many, 4, 4, 1);
        assert_eq!(stage.rounds(), Some(expected.len() as u16), "{many}");
        stage.play_out(&mut favourite);
        assert_eq!(rounds(&stage), expected, "{many}");
        assert_eq!(stage.rounds(), Some(expected.len() as u16));
        assert_eq!(stage.ranks()[0], (1, 1));
        assert_eq!(stage.standings().iter().filter(|it| it.rank == 1).count(), 1);
    }
}

#[test]
fn the_best_of_the_beaten_fill_the_last_table() {
    let mut eight = knockout(8, 3, 4, 1);
    eight.pair();
    eight.play(&mut favourite);
    let due = eight.pair();
    let filled = due[0].reasons.iter().filter(|it| matches!(it, Reason::Filled { .. }));
    assert_eq!(filled.collect::<Vec<_>>(), [&Reason::Filled { entrant: 3, place: 2 }]);
    eight.play(&mut favourite);
    assert_eq!(rounds(&eight), [(2, 0), (1, 0)]);
    // 1 and 2 won their tables, 3 is the better of the two seconds.
    let mut last = eight.find(key("main-2-1")).entrants.clone();
    last.sort_unstable();
    assert_eq!(last, [1, 2, 3]);
    // Seconds before thirds, and those who went out alike share a rank.
    assert_eq!(eight.ranks().iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 5, 7, 7]);
    // A correction can let another in.
    let table = eight.bouts.iter().find(|it| it.key.round == 1 && it.entrants.contains(&3)).expect("3 sat somewhere");
    let mut ranked = favourite(table);
    ranked.swap(1, 3);
    assert_eq!(eight.invalidated_by(table.key, &order(&ranked)), [key("main-2-1")]);
}

#[test]
fn no_table_is_smaller_than_the_smallest() {
    for many in 3..=40 {
        for (least, most, advance) in [(3, 4, 1), (3, 5, 2), (4, 4, 3), (4, 6, 1), (6, 6, 1), (3, 10, 1)] {
            if many >= u32::from(least) {
                let mut stage = knockout(many, least, most, advance);
                let told = stage.rounds();
                stage.play_out(&mut favourite);
                let sizes = stage.bouts.iter().filter(|it| !it.is_bye()).map(|it| it.entrants.len());
                assert!(sizes.into_iter().all(|it| (least.into()..=most.into()).contains(&it)));
                assert_eq!(told, stage.bouts.iter().map(|it| it.key.round).max(), "{many} {least} {most} {advance}");
            }
        }
    }
}

#[test]
fn wild_cards_fill_the_tables() {
    let mut twelve = stage(Format::PodKnockout { least: 4, most: 4, advance: 2, wild_cards: true }, 12);
    assert_eq!(twelve.rounds(), Some(3));
    twelve.pair();
    twelve.play(&mut favourite);
    let due = twelve.pair();
    let reasons = due.iter().flat_map(|it| &it.reasons).filter_map(|it| match it {
        Reason::Filled { entrant, place } => Some((*entrant, *place)),
        _ => None,
    });
    // The two best of the three thirds.
    let mut filled: Vec<_> = reasons.collect();
    filled.sort_unstable();
    assert_eq!(filled, [(7, 3), (8, 3)]);
    twelve.play(&mut favourite);
    twelve.play_out(&mut favourite);
    assert_eq!(rounds(&twelve), [(3, 0), (2, 0), (1, 0)]);
    // Without them two would rest.
    let mut others = knockout(12, 4, 4, 2);
    others.play_out(&mut favourite);
    assert_eq!(rounds(&others), [(3, 0), (1, 2), (1, 0)]);
    // They end, and as soon as was told.
    for many in 3..=60 {
        for (least, most, advance) in [(3, 4, 1), (3, 4, 2), (3, 5, 2), (4, 4, 3), (4, 6, 3), (6, 6, 5), (3, 10, 2)] {
            if many >= u32::from(least) {
                let mut stage = stage(Format::PodKnockout { least, most, advance, wild_cards: true }, many);
                let told = stage.rounds();
                stage.play_out(&mut favourite);
                assert_eq!(told, stage.bouts.iter().map(|it| it.key.round).max(), "{many} {least} {most} {advance}");
            }
        }
    }
}

#[test]
fn as_many_go_on_as_were_told_to() {
    let mut sixteen = knockout(16, 4, 4, 2);
    sixteen.play_out(&mut favourite);
    assert_eq!(rounds(&sixteen), [(4, 0), (2, 0), (1, 0)]);
    let first = sixteen.pair();
    assert_eq!(first, []);
    // 1, 8, 9 and 16 meet first, as in a snake.
    let mut seated = sixteen.find(key("main-1-1")).entrants.clone();
    seated.sort_unstable();
    assert_eq!(seated, [1, 8, 9, 16]);
}

#[test]
fn who_goes_on_has_to_be_clear() {
    let mut eight = knockout(8, 4, 4, 2);
    eight.pair();
    let entrants = eight.find(key("main-1-1")).entrants.clone();
    let place = |places: [u16; 4]| -> Vec<Finish> {
        entrants.iter().zip(places).map(|(entrant, place)| finish(*entrant, place)).collect()
    };
    assert_eq!(eight.check_result(key("main-1-1"), &place([1, 2, 2, 4])), Some(BadResult::Undecided));
    assert_eq!(eight.check_result(key("main-1-1"), &place([1, 1, 3, 3])), None);
}

#[test]
fn a_correction_undoes_the_tables_of_those_who_would_not_be_there() {
    let mut sixteen = knockout(16, 4, 4, 2);
    sixteen.play_out(&mut favourite);
    let first = sixteen.find(key("main-1-1")).entrants.clone();
    let mut ranked = first.clone();
    ranked.sort_unstable();
    assert_eq!(sixteen.invalidated_by(key("main-1-1"), &order(&ranked)), []);
    // The winner and the second the other way round: the same two go on.
    assert_eq!(sixteen.invalidated_by(key("main-1-1"), &order(&[ranked[1], ranked[0], ranked[2], ranked[3]])), []);
    let corrected = order(&[ranked[0], ranked[3], ranked[2], ranked[1]]);
    let wrong = sixteen.invalidated_by(key("main-1-1"), &corrected);
    assert_eq!(wrong.len(), 2);
    sixteen.bouts.retain(|it| !wrong.contains(&it.key));
    sixteen.end(key("main-1-1"), corrected);
    let due = sixteen.pair();
    assert_eq!((due.len(), due[0].key.round, due[0].entrants.len()), (1, 2, 4));
    assert!(due[0].entrants.contains(&ranked[3]) && !due[0].entrants.contains(&ranked[1]));
    sixteen.play_out_from_here();
}

impl Stage {
    fn play_out_from_here(&mut self) {
        self.play(&mut favourite);
        self.play_out(&mut favourite);
        assert_eq!(self.standings().iter().filter(|it| it.rank == 1).count(), 1);
    }
}

#[test]
fn absent_people_do_not_go_on() {
    let mut eight = knockout(8, 4, 4, 2);
    eight.pair();
    let entrants = eight.find(key("main-1-1")).entrants.clone();
    let mut result = nobody(&entrants);
    result[0] = finish(entrants[0], 1);
    result[1..].iter_mut().for_each(|it| it.place = 2);
    eight.end(key("main-1-1"), result);
    eight.play(&mut favourite);
    let due = eight.pair();
    // A third of the other table makes the last one whole.
    assert_eq!((due.len(), due[0].entrants.len()), (1, 4));
    assert!(entrants[1..].iter().all(|it| !due[0].entrants.contains(it)));
}
