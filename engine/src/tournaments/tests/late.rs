//! Late entrants go into a bye of the round under way.

use super::*;
use crate::playout::random;

fn newcomer(stage: &Stage, from_round: u16) -> Participant {
    let number = stage.participants.len() as u32 + 1;
    Participant { entrant: number, seed: number, from_round, until_round: None }
}

/// Lets somebody in, and writes down what became of the bye.
fn join(stage: &mut Stage, newcomer: Participant) -> Option<Pairing> {
    let pairing = stage.late_pairing(newcomer)?;
    stage.participants.push(newcomer);
    let bye = stage.bouts.iter_mut().find(|it| it.key == pairing.key).expect("it is paired");
    bye.entrants.clone_from(&pairing.entrants);
    Some(pairing)
}

fn sorted(entrants: &[u32]) -> Vec<u32> {
    let mut entrants = entrants.to_vec();
    entrants.sort_unstable();
    entrants
}

#[test]
fn a_late_entrant_plays_whom_a_swiss_round_left_over() {
    let mut five = stage(Format::Swiss { rounds: 4 }, 5);
    let due = five.pair();
    let resting = due.iter().find(|it| it.entrants.len() == 1).expect("one rests").entrants[0];
    let late = newcomer(&five, 1);
    let pairing = join(&mut five, late).expect("there is a bye");
    assert_eq!(sorted(&pairing.entrants), [resting, 6]);
    assert_eq!(pairing.reasons, [Reason::LateEntrant { entrant: 6 }]);
    // There is no other bye.
    assert_eq!(five.late_pairing(newcomer(&five, 1)), None);
    five.play(&mut favourite);
    five.play_out(&mut favourite);
    assert!(five.bouts.iter().all(|it| !it.is_bye()));
}

#[test]
fn nobody_goes_into_a_bye_that_was_asked_for_or_whose_holder_left_or_was_met() {
    let mut five = stage(Format::Swiss { rounds: 3 }, 5);
    five.rulings.byes = vec![RequestedBye { entrant: 2, round: 1, points: 50 }];
    five.pair();
    assert_eq!(five.late_pairing(newcomer(&five, 1)), None, "that bye was asked for");
    let mut left = stage(Format::Swiss { rounds: 3 }, 5);
    let due = left.pair();
    let resting = due.iter().find(|it| it.entrants.len() == 1).expect("one rests").entrants[0];
    assert!(left.late_pairing(newcomer(&left, 1)).is_some());
    let mut apart = left.clone();
    apart.rulings.apart = vec![[resting, 6]];
    assert_eq!(apart.late_pairing(newcomer(&apart, 1)), None, "staff keep them apart");
    assert_eq!(left.late_pairing(newcomer(&left, 2)), None, "they do not play in this round");
    left.drop_out(resting, 1);
    assert_eq!(left.late_pairing(newcomer(&left, 1)), None);
    let pods = Format::Pods {
        rounds: 2,
        least: 4,
        most: 4,
        pairing: PodPairing::Random,
        reach: 0,
        short_tables: ShortTables::Rotate,
    };
    let mut pods = stage(pods, 8);
    pods.pair();
    assert_eq!(pods.late_pairing(newcomer(&pods, 1)), None);
}

#[test]
fn a_bye_of_a_bracket_is_open_as_long_as_nothing_hangs_on_it() {
    for format in [
        Format::SingleElimination { third_place: true, consolation: Consolation::None },
        Format::SingleElimination { third_place: false, consolation: Consolation::All },
        Format::DoubleElimination {},
    ] {
        for many in [3, 5, 6, 7, 11, 13, 21] {
            let mut one = stage(format.clone(), many);
            one.pair();
            let late = newcomer(&one, 1);
            let pairing = join(&mut one, late).expect("there is a bye");
            let size = many.next_power_of_two();
            assert_eq!(sorted(&pairing.entrants), [size - many, many + 1], "{many}");
            let waits = |due: &Pairing| due.entrants.iter().all(|it| !pairing.entrants.contains(it));
            assert!(one.due().expect("it is sound").iter().all(waits), "its winner is not known");
            // It is the bracket that it would have been.
            let mut whole = stage(format.clone(), many + 1);
            whole.pair();
            one.play(&mut favourite);
            one.play_out(&mut favourite);
            whole.play(&mut favourite);
            whole.play_out(&mut favourite);
            assert_eq!(one.ranks(), whole.ranks(), "{many}");
        }
        let mut full = stage(format.clone(), 8);
        full.pair();
        assert_eq!(full.late_pairing(newcomer(&full, 1)), None, "all places are taken");
        // The first seed has the bye.
        let mut three = stage(format, 3);
        three.pair();
        three.play(&mut favourite);
        assert!(three.late_pairing(newcomer(&three, 1)).is_some(), "nothing is paired yet");
        three.pair();
        assert_eq!(three.late_pairing(newcomer(&three, 1)), None, "the next bout hangs on it");
    }
}

#[test]
fn a_swiss_event_with_late_people_in_its_byes_is_played_to_its_end() {
    for seed in 0..40 {
        let mut source = random(seed);
        let mut event = stage(Format::Swiss { rounds: 4 }, 5 + 2 * source.below(4));
        while event.due().is_ok_and(|it| !it.is_empty()) {
            event.pair();
            let round = event.bouts.iter().map(|it| it.key.round).max().expect("a round is paired");
            if source.below(2) == 0 {
                let late = newcomer(&event, round);
                let before = event.played();
                let had_bye = event.bouts.iter().any(|it| it.key.round == round && it.is_bye());
                assert_eq!(join(&mut event, late).is_some(), had_bye);
                assert_eq!(event.played(), before + usize::from(had_bye));
            }
            let of_round = event.bouts.iter().filter(|it| it.key.round == round);
            let mut people: Vec<u32> = of_round.flat_map(|it| it.entrants.clone()).collect();
            let many = people.len();
            people.sort_unstable();
            people.dedup();
            assert_eq!(people.len(), many, "nobody plays twice in a round");
            event.play(&mut |bout| {
                let first = source.below(2) as usize;
                vec![bout.entrants[first], bout.entrants[1 - first]]
            });
        }
    }
}

/// The better seed wins these bouts.
fn play_some(stage: &mut Stage, keys: &[&str]) {
    for it in keys {
        let entrants = favourite(stage.find(key(it)));
        stage.end(key(it), order(&entrants));
    }
}

#[test]
fn who_left_a_bracket_is_passed_over_only_in_their_own_part() {
    let none = Consolation::None;
    let mut eight = stage(Format::SingleElimination { third_place: false, consolation: none }, 8);
    eight.pair();
    // 1, 8, 4 and 5 are in the upper half.
    play_some(&mut eight, &["main-1-1", "main-1-3", "main-1-4"]);
    eight.pair();
    play_some(&mut eight, &["main-2-2"]);
    eight.drop_out(4, 1);
    assert!(!eight.is_passed(4), "they still play");
    play_some(&mut eight, &["main-1-2"]);
    assert!(!eight.is_passed(4), "the semi-final of the other half is theirs");
    assert!(!eight.is_passed(1), "they have not left");
    eight.drop_out(8, 1);
    assert!(eight.is_passed(8), "they were beaten, and others are a round ahead");
    let back = Stage { participants: field(8), ..eight.clone() };
    let due = back.due().unwrap();
    assert_eq!(due.iter().map(|it| (it.key, it.entrants.clone())).collect::<Vec<_>>(), [(key("main-2-1"), vec![1, 4])]);
    eight.pair();
    assert!(eight.is_passed(4), "their semi-final was paired without them");
    // If nobody is left of a bout, that is so with the next one.
    eight.bouts.retain(|it| it.key != key("main-2-1"));
    eight.drop_out(1, 1);
    assert!(!eight.is_passed(4));
    eight.pair();
    assert!(eight.bouts.iter().any(|it| it.key == key("main-3-1")));
    assert!(eight.is_passed(4));
}

#[test]
fn who_left_a_group_is_passed_over_once_it_has_its_next_round() {
    let mut stage = stage(Format::Groups { groups: 2, play: GroupPlay::RoundRobin { legs: 1 } }, 8);
    stage.pair();
    let ours = |bout: &Bout| [1, 4, 5, 8].contains(&bout.entrants[0]);
    for _ in 0..2 {
        let open: Vec<BoutKey> = stage.open().into_iter().filter(|it| !ours(stage.find(*it))).collect();
        for it in open {
            let entrants = favourite(stage.find(it));
            stage.end(it, order(&entrants));
        }
        stage.pair();
    }
    stage.drop_out(4, 1);
    assert!(!stage.is_passed(4), "the other group is two rounds ahead");
    stage.play(&mut favourite);
    assert!(!stage.is_passed(4));
    stage.pair();
    assert!(stage.is_passed(4));
}
