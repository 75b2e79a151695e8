//! Options, characters, turns, hands, the end: MDR-1 to MDR-16 and MDR-73 to MDR-78.

use std::collections::{BTreeSet, VecDeque};

use super::*;
use crate::game::Outcome;
use crate::playout::random;

fn begin(options: Value, seats: u8, chance: Value) -> Race {
    Race(Table::new(of::<MiddleRace>(), &options, seats, vec![chance]))
}

#[test]
fn the_draft_has_no_hands_no_abilities_and_no_order_yet() {
    let mut race = begin(json!({}), 3, json!({"draft_order": [1, 2, 0]}));
    race.does(1, "pick with").shows(json!({
        "phase": "draft", "round": 1, "to_move": [2], "characters": [null, "with", null], "abilities": [null, null, null],
        "turn_order": null, "turn_seat": null, "positions": [0, 0, 0], "card_counts": [0, 0, 0], "pending": null,
        "available": ["gravity", "push", "delete", "offer", "union", "mirror", "copy", "reset", "silence"],
    }));
    race.refuses(2, "decline", "must_choose").refuses(2, "pick with", "not_a_choice").refuses(
        2,
        "play 5",
        "invalid_move",
    );
    race.does(2, "pick push").does(0, "pick offer");
    race.shows(json!({"phase": "turn", "draft_order": [1, 2, 0], "turn_order": [2, 0, 1], "available": []}));
    race.refuses(2, "pick copy", "nothing_to_choose");
}

#[test]
fn dealt_characters_leave_nothing_to_pick() {
    let mut race = begin(json!({"characters": "random"}), 3, json!({"characters": ["with", "copy", "union"]}));
    race.shows(json!({"draft_order": null, "turn_order": [0, 2, 1], "abilities": ["with", "copy", "union"]}));
    race.refuses(0, "pick push", "unknown_move");
}

#[test]
fn casting_takes_only_an_order_of_all_seats_or_different_characters() {
    let starts = |options: Value, chance: Value| {
        of::<MiddleRace>().start(&options, 3, &mut VecDeque::from([chance])).map(|_| ()).is_ok()
    };
    assert!(starts(json!({}), json!({"draft_order": [2, 1, 0]})));
    for order in [json!([2, 1]), json!([2, 1, 1]), json!([0, 1, 2, 3]), json!([0, 1, 3]), json!([0, 1, 2, 2])] {
        assert!(!starts(json!({}), json!({"draft_order": order})), "{order}");
    }
    let random = || json!({"characters": "random"});
    assert!(starts(random(), json!({"characters": ["reset", "copy", "with"]})));
    for cast in [json!(["reset", "copy"]), json!(["reset", "copy", "copy"]), json!(["reset", "copy", "one"])] {
        assert!(!starts(random(), json!({"characters": cast})), "{cast}");
    }
    assert!(!starts(random(), json!({"draft_order": [2, 1, 0]})));
    assert!(!starts(json!({}), json!({"characters": ["reset", "copy", "with"]})));
}

#[test]
fn the_deal_is_no_reset() {
    let mut race = begin(json!({"characters": "random"}), 3, json!({"characters": ["offer", "copy", "gravity"]}));
    race.goes_on_with(2).shows(json!({"copied": null, "card_counts": [4, 4, 4]}));
}

#[test]
fn with_deal_counts_as_reset_offer_gives_and_copy_copies_before_the_first_turn() {
    let options = json!({"characters": "random", "deal_counts_as_reset": true});
    let mut race = begin(options, 3, json!({"characters": ["copy", "offer", "gravity"]}));
    race.shows(json!({"phase": "choosing", "round": 1, "turn_seat": null, "to_move": [1], "turn_order": [2, 1, 0]}));
    race.asks(1, "offer", "seat 0, seat 2")
        .does(1, "seat 0, card 4")
        .asks(0, "copy", "seat 1, seat 2")
        .does(0, "seat 2");
    race.goes_on_with(2).shows(json!({
        "card_counts": [5, 3, 4], "copied": "gravity", "last_named": [2, 0, null], "round": 1,
    }));
    assert_eq!(race.seen_by(0, "my_cards"), json!([1, 2, 3, 4, 4]));
}

#[test]
fn a_choice_with_one_candidate_is_asked_for_all_the_same() {
    let mut race = race([(Gravity, 5), (Delete, 9), (With, 5)]).start();
    race.does(0, "discard 1").asks(0, "gravity", "seat 1");
}

#[test]
fn refusals_are_checked_in_the_documents_order() {
    let mut race = race([(Gravity, 5), (With, 6), (Push, 4)]).hand(0, [2, 3]).start();
    race.refuses_json(1, json!(7), "not_your_turn").refuses_json(0, json!(7), "unknown_move");
    race.refuses_json(0, json!({"card": 1}), "unknown_move").refuses_json(0, json!({"type": 5}), "unknown_move");
    for card in
        [json!(0), json!(5), json!(256), json!(-1), json!(2.0), json!("2"), json!(true), json!(null), json!([2])]
    {
        for kind in ["play", "discard", "choose_card"] {
            race.refuses_json(0, json!({"type": kind, "card": card}), "invalid_move");
        }
    }
    for seat in [json!(3), json!(300), json!(-1), json!(1.0), json!("1"), json!(null)] {
        race.refuses_json(0, json!({"type": "choose_seat", "seat": seat}), "invalid_move");
    }
    for way in [json!("up"), json!({"forward": null}), json!(1), json!(null)] {
        race.refuses_json(0, json!({"type": "choose_direction", "direction": way}), "invalid_move");
    }
    race.refuses_json(0, json!({"type": "accept", "seat": 1}), "invalid_move");
    race.refuses_json(0, json!({"type": "play", "card": 2, "seat": 1}), "invalid_move");
    race.refuses_json(0, json!({"type": "play"}), "invalid_move");
    for tried in ["seat 1", "card 1", "forward", "accept", "decline"] {
        race.refuses(0, tried, "nothing_to_choose");
    }
    race.refuses(0, "discard 1", "nobody_to_pull").refuses(0, "discard 2", "nobody_to_pull");
    race.refuses(0, "play 1", "card_not_in_hand");
    race.does(0, "play 2").refuses(2, "discard 1", "no_gravity");
    let mut race = super::race([(Gravity, 5), (With, 7), (Push, 4)]).hand(0, [2, 3]).start();
    race.refuses(0, "discard 1", "card_not_in_hand").does(0, "discard 2");
    race.refuses(0, "forward", "must_choose").refuses(0, "seat 2", "not_a_choice").refuses(0, "seat 0", "not_a_choice");
    race.refuses(0, "seat 3", "invalid_move");
}

#[test]
fn a_reset_takes_a_given_card_away_and_clears_the_used_ones() {
    let mut race = race([(Offer, 2), (With, 9), (Gravity, 4)]).hand(0, [4]).hand(1, [1, 2]).start();
    race.does(0, "play 4, seat 1, card 4").does(1, "play 1").does(2, "play 1").does(0, "play 1").does(1, "play 2");
    race.shows(json!({"card_counts": [2, 1, 3], "used_cards": [[1], [3, 4, 1, 2], [1]]}));
    race.does(2, "play 2").does(0, "play 2").does(1, "play 4, seat 0");
    race.shows(json!({"card_counts": [1, 4, 2], "used_cards": [[1, 2], [], [1, 2]]}));
    assert_eq!(race.seen_by(1, "my_cards"), json!([1, 2, 3, 4]));
}

#[test]
fn a_card_given_to_an_empty_hand_before_the_end_of_the_turn_puts_its_reset_off() {
    let mut race = race([(Gravity, 2), (Reset, 9), (Offer, 5)]).hand(0, [3]).hand(2, [2]).start();
    race.does(0, "discard 3, seat 1").does(1, "seat 2").asks(2, "offer", "seat 0, seat 1").does(2, "seat 0, card 2");
    race.goes_on_with(2).shows(json!({"card_counts": [1, 4, 3], "used_cards": [[1, 2, 4, 3], [], []]}));
    assert_eq!(race.seen_by(0, "my_cards"), json!([2]));
}

#[test]
fn a_turn_seat_that_was_reset_with_an_empty_hand_is_not_reset_again() {
    let mut race = race([(Gravity, 2), (Reset, 9), (Offer, 5)]).hand(0, [3]).start();
    race.does(0, "discard 3, seat 1").does(1, "seat 0").goes_on_with(2);
    race.shows(json!({"card_counts": [4, 4, 4], "used_cards": [[], [], []]}));
    assert_eq!(race.public_events(&["reset"]), [json!({"type": "reset", "seat": 0, "by": 1})]);
}

#[test]
fn a_finished_turn_seat_is_not_reset() {
    let mut race = race([(Gravity, 28), (Reset, 9), (Offer, 5)]).hand(0, [3]).start();
    race.does(0, "play 3").goes_on_with(2).shows(json!({"card_counts": [0, 4, 4]}));
    assert!(race.public_events(&["reset"]).is_empty());
}

#[test]
fn the_round_goes_up_when_the_turn_passes_to_a_lower_number() {
    let mut race =
        race_with_finished([(Silent, Some(2)), (Gravity, None), (With, Some(5)), (Push, Some(9))]).turn(3).start();
    race.does(3, "play 1").does(2, "play 1").does(0, "seat 2, play 1").shows(json!({"round": 2, "turn_seat": 3}));
}

fn outcome_at<const SEATS: usize>(places: [u8; SEATS], reason: Reason, winner: Winner, full_race: bool) -> Vec<u8> {
    let stated = race([(Gravity, 0); SEATS]).options(|it| (it.winner, it.full_race) = (winner, full_race));
    let places = places.into_iter().map(|place| (place > 0).then_some(place)).collect::<Vec<_>>();
    let Outcome { ranks, scores, .. } = stated.with(|game| game.places = places.into()).0.outcome(reason);
    assert_eq!(scores, None);
    ranks.iter().copied().collect()
}

#[test]
fn the_middle_wins_and_all_others_share_the_next_rank() {
    use Reason::{Decided, RoundLimit};
    assert_eq!(outcome_at([2, 1, 0], Decided, Winner::Middle, false), [1, 2, 2]);
    assert_eq!(outcome_at([3, 1, 0, 2], Decided, Winner::Middle, false), [1, 3, 3, 1]);
    assert_eq!(outcome_at([1, 2, 3, 4, 0, 0, 0], Decided, Winner::Middle, false), [2, 2, 2, 1, 2, 2, 2]);
    let ten = outcome_at([1, 2, 3, 4, 5, 6, 0, 0, 0, 0], Decided, Winner::Middle, false);
    assert_eq!(ten, [3, 3, 3, 3, 1, 1, 3, 3, 3, 3]);
    assert_eq!(outcome_at([5, 4, 3, 2, 1], RoundLimit, Winner::Middle, false), [2, 2, 1, 2, 2]);
}

#[test]
fn a_full_race_is_ranked_by_the_distance_from_the_middle() {
    use Reason::AllHome;
    assert_eq!(outcome_at([1, 2, 3, 4, 5, 6, 7], AllHome, Winner::Middle, true), [6, 4, 2, 1, 2, 4, 6]);
    assert_eq!(outcome_at([1, 2, 3, 4], AllHome, Winner::Middle, true), [3, 1, 1, 3]);
}

#[test]
fn not_the_ends_means_that_the_first_and_the_last_lose() {
    use Reason::AllHome;
    assert_eq!(outcome_at([1, 5, 3, 4, 2], AllHome, Winner::NotEnds, false), [4, 4, 1, 1, 1]);
    assert_eq!(outcome_at([1, 5, 3, 4, 2], AllHome, Winner::NotEnds, true), [4, 4, 1, 1, 1]);
    assert_eq!(outcome_at([3, 2, 1], AllHome, Winner::NotEnds, false), [2, 1, 2]);
}

#[test]
fn the_race_ends_the_moment_the_last_winning_place_is_taken() {
    // Of five seats the third decides: that Push would push With too lapses, and so does its reset.
    let cast = [(Push, Some(28)), (Delete, Some(30)), (With, Some(30)), (Offer, None), (Gravity, None)];
    let mut race = race_with_finished(cast).hand(0, [2]).start();
    race.does(0, "play 2, forward").shows(json!({
        "phase": "finished", "places": [null, 3, null, 1, 2], "positions": [30, null, 30, null, null], "to_move": [],
        "outcome": {"ranks": [2, 1, 2, 2, 2], "scores": null, "reason": "decided"}, "pending": null, "turn_seat": null,
        "abilities": ["push", null, "with", null, null], "card_counts": [0, 0, 4, 0, 0],
    }));
    race.refuses_json(2, json!(7), "game_over");
}

#[test]
fn of_two_that_cross_together_the_second_gets_no_place_if_the_first_decides() {
    let cast = [(With, Some(27)), (Delete, None), (Mirror, Some(28)), (Offer, None)];
    let mut race = race_with_finished(cast).hand(0, [4]).start();
    race.does(0, "play 4, seat 2").shows(json!({
        "places": [null, 1, 3, 2], "positions": [27, null, null, null],
        "outcome": {"ranks": [3, 3, 1, 1], "scores": null, "reason": "decided"},
    }));
}

#[test]
fn a_full_race_ends_with_the_last_pawn_that_keeps_its_position_and_hand() {
    let cast = [(Gravity, Some(30)), (Delete, None), (Silent, Some(7))];
    let mut race = race_with_finished(cast).options(|it| it.full_race = true).hand(2, [2, 3]).silence(2, 0).start();
    race.does(0, "play 1").shows(json!({
        "places": [2, 1, 3], "positions": [null, null, 7], "card_counts": [0, 0, 2], "used_cards": [[], [], [1, 4]],
        "abilities": [null, null, null], "outcome": {"ranks": [1, 2, 2], "scores": null, "reason": "all_home"},
        "silences": [], "phase": "finished",
    }));
}

#[test]
fn not_ends_goes_on_until_only_one_pawn_is_running() {
    let cast = [(Gravity, Some(30)), (Delete, None), (With, Some(29)), (Silent, Some(7))];
    let mut race = race_with_finished(cast).options(|it| it.winner = Winner::NotEnds).start();
    race.does(0, "play 1").shows(json!({"places": [2, 1, null, null], "outcome": null})).goes_on_with(2);
    race.does(2, "play 2").shows(json!({
        "places": [2, 1, 3, 4], "outcome": {"ranks": [1, 3, 1, 3], "scores": null, "reason": "all_home"},
    }));
}

#[test]
fn after_the_last_round_the_farthest_ahead_take_the_places_that_are_left() {
    let cast = [(Reset, Some(7)), (Delete, Some(8)), (Copy, None), (Push, Some(11)), (Offer, Some(3))];
    let last_round = |game: &mut MiddleRace| (game.options.max_rounds, game.round) = (10, 10);
    let mut race = race_with_finished(cast).with(last_round).hand(3, [4]).start();
    race.does(0, "play 1").shows(json!({
        "phase": "finished", "round": 10, "places": [4, 3, 1, 2, 5], "positions": [8, 8, null, 11, 3],
        "outcome": {"ranks": [2, 1, 2, 2, 2], "scores": null, "reason": "round_limit"},
        "card_counts": [3, 4, 0, 1, 4], "abilities": [null, null, null, null, null],
    }));
}

#[test]
fn autopilots_wait_before_the_line_and_cross_into_a_winning_place() {
    // Of three the second wins: the first to cross loses.
    let mut race = race([(Push, 28), (Delete, 28), (With, 9)]).hand(0, [1, 3]).hand(1, [1, 3]).start();
    let moves = |race: &Race, seat| text(&race.0.autopilot(seat));
    assert_eq!(moves(&race, 0), "play 1");
    race.does(0, "play 3").shows(json!({"places": [1, null, null]}));
    assert_eq!(moves(&race, 1), "play 3");
}

#[test]
fn autopilots_do_not_always_choose_alike() {
    let race = begin(json!({}), 3, json!({"draft_order": [1, 2, 0]}));
    let kind = of::<MiddleRace>();
    let saved = race.0.saved().to_string();
    let play = kind.resume(saved.as_bytes()).expect("a saved match");
    let picks = (0..40).map(|seed| play.autopilot(Seat(1), &mut random(seed)).expect("a move").to_string());
    assert!(picks.collect::<BTreeSet<String>>().len() > 5);
}
