//! Single elimination: properties E1, E2, E4 and E6 to E10.

use super::super::bracket::seeding;
use super::*;
use crate::playout::random;

const SINGLE: Format = Format::SingleElimination { third_place: false, consolation: Consolation::None };
const WITH_THIRD: Format = Format::SingleElimination { third_place: true, consolation: Consolation::None };

#[test]
fn every_field_plays_one_bout_less_than_it_has_entrants() {
    let mut source = random(1);
    for many in (2..=64).chain([99, 128, 200, 255, 256, 300, 512]) {
        for format in [SINGLE, WITH_THIRD] {
            let third = usize::from(format == WITH_THIRD && many >= 4);
            let mut stage = stage(format, many);
            stage.play_out(&mut |bout| {
                let first = source.below(2) as usize;
                vec![bout.entrants[first], bout.entrants[1 - first]]
            });
            let size = many.next_power_of_two();
            assert_eq!(stage.played(), many as usize - 1 + third, "{many}");
            assert_eq!(stage.bouts.len() - stage.played(), (size - many) as usize);
            assert_eq!(stage.rounds(), Some(size.ilog2() as u16));
            let first = stage.bouts.iter().filter(|it| it.key.round == 1 && !it.is_bye()).count() as u32;
            assert_eq!(first, many - size / 2);
            assert_eq!(stage.standings().iter().filter(|it| !it.is_out).count(), 1);
            assert_eq!(stage.standings()[0].rank, 1);
            assert_eq!(stage.standings()[1].rank, 2);
        }
    }
}

#[test]
fn seeds_meet_as_late_as_their_strength_says() {
    assert_eq!(seeding(8), [1, 8, 4, 5, 2, 7, 3, 6]);
    assert_eq!(seeding(16), [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]);
    for size in [2, 4, 8, 16, 32, 64, 128, 256, 512_u32] {
        let order = seeding(size);
        assert!(order.chunks(2).all(|pair| pair[0] + pair[1] == size + 1));
        for best in (0..=size.ilog2()).map(|it| 1 << it) {
            // Each part of the bracket from which one comes through holds one of the best.
            for part in order.chunks((size / best) as usize) {
                assert_eq!(part.iter().filter(|it| **it <= best).count(), 1);
            }
        }
    }
}

#[test]
fn the_best_seeds_have_the_byes_and_no_bye_meets_another() {
    for many in 2..=64 {
        let mut stage = stage(SINGLE, many);
        let due = stage.pair();
        let mut resting: Vec<u32> = due.iter().filter(|it| it.entrants.len() == 1).map(|it| it.entrants[0]).collect();
        resting.sort_unstable();
        let byes = many.next_power_of_two() - many;
        assert_eq!(resting, (1..=byes).collect::<Vec<_>>());
        assert!(due.iter().all(|it| (it.entrants.len() == 1) == (it.reasons == [Reason::BracketBye])));
    }
}

#[test]
fn losers_of_the_same_round_share_a_rank() {
    let mut eight = stage(SINGLE, 8);
    eight.play_out(&mut favourite);
    assert_eq!(eight.ranks(), [(1, 1), (2, 2), (3, 3), (3, 4), (5, 5), (5, 6), (5, 7), (5, 8)]);
    let mut third = stage(WITH_THIRD, 8);
    third.play_out(&mut |bout| if bout.key.side == Side::ThirdPlace { vec![4, 3] } else { favourite(bout) });
    assert_eq!(third.ranks(), [(1, 1), (2, 2), (3, 4), (4, 3), (5, 5), (5, 6), (5, 7), (5, 8)]);
    // Those asked for go on splitting.
    eight.tie_breaks = vec![TieBreak::Seed];
    assert_eq!(eight.ranks().iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn who_waits_for_the_third_place_is_behind_the_finalists_and_not_out() {
    let mut four = stage(WITH_THIRD, 4);
    four.pair();
    four.play(&mut favourite);
    assert_eq!(four.ranks(), [(1, 1), (1, 2), (3, 3), (3, 4)]);
    assert!(four.standings().iter().all(|it| !it.is_out));
    four.pair();
    four.end(key("third_place-2-1"), order(&[4, 3]));
    assert_eq!(four.ranks(), [(1, 1), (1, 2), (3, 4), (4, 3)]);
    assert_eq!(four.standings().iter().filter(|it| it.is_out).count(), 2);
}

#[test]
fn somebody_has_to_win() {
    let mut four = stage(SINGLE, 4);
    four.pair();
    assert_eq!(four.check_result(key("main-1-1"), &level(&[1, 4])), Some(BadResult::Undecided));
}

#[test]
fn a_bout_to_which_nobody_came_is_a_bye_for_the_next() {
    let mut four = stage(SINGLE, 4);
    four.pair();
    four.end(key("main-1-1"), nobody(&[1, 4]));
    four.end(key("main-1-2"), order(&[2, 3]));
    let due = four.pair();
    assert_eq!((due[0].entrants.as_slice(), due[0].reasons.as_slice()), (&[2][..], &[Reason::OpponentGone][..]));
    assert!(four.is_over());
    assert_eq!(four.ranks(), [(1, 2), (2, 1), (2, 3), (2, 4)]);
}

#[test]
fn a_no_show_loses() {
    let mut four = stage(SINGLE, 4);
    four.pair();
    four.end(key("main-1-1"), vec![finish(4, 1), Finish { absent: true, ..finish(1, 2) }]);
    assert_eq!(four.plan()[2].places, [Slot::Entrant(4), Slot::Winner(key("main-1-2"))]);
}

#[test]
fn who_drops_gives_the_opponent_a_bye() {
    let mut four = stage(SINGLE, 4);
    four.pair();
    four.play(&mut favourite);
    four.drop_out(2, 1);
    let due = four.pair();
    assert_eq!(due[0].entrants, [1]);
    assert!(four.is_over());
    assert_eq!(four.ranks()[..2], [(1, 1), (2, 2)]);
    // Coming back does not undo what was paired without them.
    four.participants[1].until_round = None;
    assert!(four.is_over());
}

#[test]
fn what_has_both_its_entrants_is_due_before_the_round_is_over() {
    let mut eight = stage(SINGLE, 8);
    eight.pair();
    eight.end(key("main-1-1"), order(&[1, 8]));
    assert_eq!(eight.due(), Ok(vec![]));
    eight.end(key("main-1-2"), order(&[4, 5]));
    let due = eight.pair();
    assert_eq!((due.len(), due[0].key, due[0].entrants.as_slice()), (1, key("main-2-1"), &[1, 4][..]));
    assert_eq!(eight.due(), Ok(vec![]));
}

#[test]
fn a_correction_undoes_the_way_of_the_wrong_one_and_no_more() {
    let mut eight = stage(SINGLE, 8);
    eight.play_out(&mut favourite);
    let following = |result: &[u32]| eight.invalidated_by(key("main-1-1"), &order(result));
    assert_eq!(following(&[1, 8]), []);
    assert_eq!(following(&[8, 1]), [key("main-2-1"), key("main-3-1")]);
    assert_eq!(eight.invalidated_by(key("main-3-1"), &order(&[2, 1])), []);
    assert_eq!(eight.invalidated_by(key("main-9-1"), &order(&[2, 1])), []);
    // Without what follows the right ones are paired again.
    let result = order(&[8, 1]);
    eight.bouts.retain(|it| ![key("main-2-1"), key("main-3-1")].contains(&it.key));
    eight.end(key("main-1-1"), result);
    let due = eight.pair();
    assert_eq!((due.len(), due[0].entrants.as_slice()), (1, &[8, 4][..]));
}

#[test]
fn the_plan_says_what_waits_for_what() {
    let mut five = stage(WITH_THIRD, 5);
    let plan = five.plan();
    let waits = |plan: &[Planned], text: &str| {
        plan.iter().find(|it| it.key == key(text)).map(|it| it.places.clone()).unwrap_or_default()
    };
    assert_eq!(plan.len(), 8);
    assert_eq!(waits(&plan, "main-1-1"), [Slot::Entrant(1), Slot::Nobody]);
    assert_eq!(waits(&plan, "main-2-1"), [Slot::Winner(key("main-1-1")), Slot::Winner(key("main-1-2"))]);
    assert_eq!(waits(&plan, "third_place-3-1"), [Slot::Loser(key("main-2-1")), Slot::Loser(key("main-2-2"))]);
    five.pair();
    assert_eq!(waits(&five.plan(), "main-2-2"), [Slot::Entrant(2), Slot::Entrant(3)]);
}
