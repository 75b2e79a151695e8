//! Gravity, Push, Delete, Offer, With, Union, Mirror, Reset: MDR-33 to MDR-57.

use super::*;

#[test]
fn gravity_pulls_pawns_two_or_more_spaces_away_on_both_sides() {
    let mut race =
        race([(Gravity, 10), (With, 11), (Offer, 9), (Mirror, 10), (Union, 12), (Reset, 8), (Copy, 0)]).start();
    race.does(0, "discard 2").asks(0, "gravity", "seat 4, seat 5, seat 6").does(0, "seat 6");
    race.stands([10, 11, 9, 10, 12, 8, 9]);
}

#[test]
fn a_pawn_ahead_comes_right_ahead_of_gravity_even_on_the_start_line() {
    let mut race = race([(Gravity, 0), (With, 11), (Offer, 1)]).start();
    race.does(0, "discard 2").asks(0, "gravity", "seat 1").does(0, "seat 1").stands([0, 1, 1]).goes_on_with(2);
    race.shows(json!({"used_cards": [[2], [], []], "card_counts": [3, 4, 4]}));
}

#[test]
fn a_pull_forward_is_no_movement_back() {
    let mut race = race([(Gravity, 9), (Reset, 1), (Offer, 1)]).start();
    race.does(0, "discard 2, seat 1").stands([9, 8, 1]).goes_on_with(2);
}

#[test]
fn a_last_card_that_gravity_discards_is_followed_by_its_reset() {
    let mut race = race([(Gravity, 9), (With, 1), (Offer, 1)]).hand(0, [2]).start();
    race.does(0, "discard 2").shows(json!({"card_counts": [0, 4, 4], "used_cards": [[1, 3, 4, 2], [], []]}));
    race.does(0, "seat 1").shows(json!({"card_counts": [4, 4, 4], "used_cards": [[], [], []]}));
}

#[test]
fn push_pushes_each_pawn_by_number_and_all_that_follows_comes_before_the_next() {
    let mut race = race([(Push, 3), (Mirror, 5), (Delete, 5), (With, 5), (Gravity, 15)]).start();
    race.does(0, "play 2");
    race.shows(json!({"to_move": [0]}));
    assert_eq!(race.pending("pawn"), json!(2));
    race.does(0, "back").asks(2, "delete", "seat 0, seat 1, seat 3, seat 4").does(2, "seat 4, card 1");
    assert_eq!(race.pending("pawn"), json!(3));
    race.does(0, "forward").stands([5, 5, 4, 6, 15]);
    assert_eq!(race.pending("pawn"), json!(1));
    race.does(0, "forward").asks(1, "mirror", "seat 0, seat 2, seat 3, seat 4").does(1, "seat 4");
    race.stands([5, 6, 4, 6, 14]).goes_on_with(2);
}

#[test]
fn pawns_that_push_has_left_behind_meanwhile_are_not_pushed() {
    // The mirror of the first push moves Push itself away from the second pawn.
    let mut race = race([(Push, 3), (Mirror, 5), (Silent, 5)]).start();
    race.does(0, "play 2, forward").does(1, "seat 0").stands([4, 6, 5]).goes_on_with(1);
}

#[test]
fn push_does_not_work_on_the_start_line_but_may_push_onto_it() {
    let mut race = race([(Push, 0), (Mirror, 1), (With, 1), (Gravity, 4)]).turn(3).start();
    race.does(3, "discard 1, seat 1").stands([0, 3, 1, 4]).does(1, "seat 2").stands([0, 3, 0, 4]).goes_on_with(0);
    let mut race = super::race([(Push, 1), (Mirror, 9), (With, 0)]).turn(2).start();
    race.does(2, "play 1").does(0, "back").stands([1, 9, 0]).goes_on_with(1);
}

#[test]
fn pawns_that_met_while_push_was_silenced_stay_together_until_one_moves() {
    let mut race = race([(Push, 5), (With, 3), (Silent, 20)]).silence(2, 0).turn(1).start();
    race.does(1, "play 2").stands([5, 5, 20]).asks(2, "silence", "seat 0, seat 1").does(2, "seat 1, play 1");
    race.shows(json!({"abilities": ["push", null, "silence"]})).goes_on_with(0);
}

#[test]
fn delete_is_moved_by_with_and_may_look_at_an_empty_hand() {
    let mut race = race([(With, 5), (Delete, 9), (Offer, 3)]).hand(0, [4]).start();
    race.does(0, "play 4, seat 1").stands([5, 13, 3]).asks(1, "delete", "seat 0, seat 2");
    // With's hand is empty until the end of its turn.
    race.does(1, "seat 0").goes_on_with(1).stands([9, 13, 3]).shows(json!({"card_counts": [4, 4, 4]}));
    assert_eq!(race.seen_by(1, "my_look"), json!({"seat": 0, "cards": [], "kept": null}));
    assert_eq!(race.seen_by(0, "my_look"), Value::Null);
}

#[test]
fn two_equal_cards_are_two_of_which_one_is_chosen_to_stay() {
    let mut race = race([(Offer, 2), (Gravity, 20), (Union, 4), (Delete, 6)]).hand(0, [4]).hand(1, [1]).start();
    race.does(0, "play 4, seat 1, card 1").does(2, "play 1, accept").stands([6, 20, 5, 5]).does(3, "seat 1");
    assert_eq!(race.seen_by(3, "my_look"), json!({"seat": 1, "cards": [1, 1], "kept": null}));
    race.asks(3, "delete", "card 1").does(3, "card 1").shows(json!({"card_counts": [3, 1, 3, 4]}));
    assert_eq!(race.seen_by(1, "my_cards"), json!([1]));
    race.asks(2, "union", "accept, decline");
}

#[test]
fn a_single_card_is_looked_at_and_stays() {
    let mut race = race([(Gravity, 5), (Delete, 9), (Offer, 3)]).hand(2, [3]).start();
    race.does(0, "discard 4, seat 1").does(1, "seat 2").goes_on_with(1).shows(json!({"card_counts": [3, 4, 1]}));
    assert_eq!(race.seen_by(1, "my_look"), json!({"seat": 2, "cards": [3], "kept": 3}));
    let looked = json!({"type": "looked", "seat": 1, "target": 2});
    let shown = json!({"type": "looked", "seat": 1, "target": 2, "cards": [3]});
    let kinds = ["looked", "deleted"];
    assert_eq!(race.all_events(&kinds), [looked.clone(), looked.clone(), shown, looked]);
}

#[test]
fn delete_leaves_one_card_that_only_the_two_know() {
    let mut race = race([(Union, 5), (Delete, 3), (Offer, 13)]).hand(2, [1, 3, 4]).turn(1).start();
    race.does(1, "play 3").does(0, "accept").stands([5, 5, 13]).does(1, "seat 2").asks(
        1,
        "delete",
        "card 1, card 3, card 4",
    );
    race.does(1, "card 1").shows(json!({"card_counts": [4, 3, 1], "used_cards": [[], [3], [2]]}));
    assert_eq!(race.seen_by(2, "my_cards"), json!([1]));
    let open = json!({"type": "deleted", "seat": 1, "target": 2, "count": 2});
    let known = json!({"type": "deleted", "seat": 1, "target": 2, "count": 2, "kept": 1});
    assert_eq!(race.all_events(&["deleted"]), [open.clone(), open, known.clone(), known]);
}

#[test]
fn a_receiver_may_hold_a_number_twice_and_chooses_among_different_ones() {
    let mut race = race([(Offer, 2), (With, 9), (Gravity, 4), (Delete, 7)]).hand(0, [4]).hand(1, [1]).start();
    race.does(0, "play 4").asks(0, "offer", "seat 1, seat 2, seat 3").does(0, "seat 1");
    race.asks(0, "offer", "card 1, card 2, card 3, card 4").does(0, "card 1");
    let open = json!({"type": "given", "seat": 0, "target": 1});
    let known = json!({"type": "given", "seat": 0, "target": 1, "card": 1});
    assert_eq!(race.all_events(&["given"]), [open.clone(), known.clone(), known, open.clone(), open]);
    assert_eq!((race.seen_by(1, "my_cards"), race.may(1).as_str()), (json!([1, 1]), "play 1"));
}

#[test]
fn with_moves_in_order_of_number_and_all_that_follows_comes_before_the_second() {
    // Push comes to With's space by With's ability and pushes With on, which then moves its own card.
    let mut race = race([(With, 8), (Push, 4), (Gravity, 20)]).hand(0, [4]).start();
    race.does(0, "play 4, seat 1").stands([8, 8, 20]).asks(1, "push", "forward, back").does(1, "forward");
    race.stands([13, 8, 20]).shows(json!({"card_counts": [4, 4, 4]}));
}

#[test]
fn a_higher_number_that_with_takes_along_moves_after_it() {
    let mut race = race([(With, 8), (Union, 14), (Push, 12), (Gravity, 20)]).hand(0, [4]).start();
    race.does(0, "play 4, seat 1").stands([12, 14, 12, 20]).asks(2, "push", "forward, back").does(2, "back");
    race.stands([11, 18, 12, 20]).goes_on_with(1);
}

#[test]
fn who_crosses_with_with_alone_does_so_in_order_of_number_and_the_other_still_moves() {
    let mut race = race([(With, 29), (Mirror, 10), (Gravity, 20), (Push, 3)]).hand(0, [4]).start();
    race.does(0, "play 4, seat 1").shows(json!({"positions": [null, 14, 20, 3], "places": [1, null, null, null]}));
    race.asks(1, "mirror", "seat 2, seat 3").does(1, "seat 2").goes_on_with(1);
}

#[test]
fn a_pawn_that_has_crossed_meanwhile_does_not_move_again() {
    let mut race = race([(With, 30), (Push, 26), (Gravity, 20)]).hand(0, [4]).options(|it| it.full_race = true).start();
    race.does(0, "play 4, seat 1").stands([30, 30, 20]).does(1, "forward");
    race.shows(json!({"positions": [null, 30, 20], "places": [1, null, null]})).goes_on_with(2);
    assert_eq!(race.public_events(&["moved"]).len(), 1);
}

#[test]
fn two_that_cross_together_come_in_by_nearness_then_by_number() {
    for (with, other, at, places) in [
        (28, Push, 29, [2, 1]),
        (29, Push, 28, [1, 2]),
        (28, Push, 28, [2, 1]),
        (28, Silent, 28, [1, 2]),
        (28, Silent, 29, [2, 1]),
    ] {
        let mut race = race([(With, with), (other, at), (Gravity, 2), (Offer, 2)]).hand(0, [4]).start();
        race.does(0, "play 4, seat 1").shows(json!({"places": [places[0], places[1], null, null]}));
    }
}

#[test]
fn with_shows_its_card_and_takes_nobody_along_with_two_cards_or_when_it_declines() {
    let mut race = race([(With, 5), (Delete, 9), (Offer, 3)]).hand(0, [3, 4]).start();
    race.does(0, "play 4").stands([9, 9, 3]).goes_on_with(1);
    let mut race =
        super::race([(With, 5), (Delete, 9), (Offer, 3)]).hand(0, [4]).options(|it| it.may_decline = true).start();
    race.does(0, "play 4").asks(0, "with", "seat 1, seat 2, decline").does(0, "decline").stands([9, 9, 3]);
    race.shows(json!({"last_named": [null, null, null], "card_counts": [4, 4, 4]}));
}

#[test]
fn with_moves_alone_where_it_can_name_nobody() {
    let mut race =
        race_with_finished([(With, Some(5)), (Delete, None), (Offer, Some(3))]).hand(0, [4]).named(0, 2).start();
    race.does(0, "play 4").shows(json!({"positions": [9, null, 3]}));
    assert_eq!(
        race.public_events(&["moved"]),
        [json!({"type": "moved", "seat": 0, "from": 5, "to": 9, "by": null, "ability": null})]
    );
}

#[test]
fn union_decides_for_each_pawn_that_it_comes_behind() {
    let mut race = race([(Union, 3), (Silent, 6), (Delete, 6), (With, 6)]).start();
    race.does(0, "play 2");
    let mut pawns = Vec::new();
    for answer in ["decline", "decline", "accept"] {
        pawns.push(race.pending("pawn"));
        race.asks(0, "union", "accept, decline").does(0, answer);
    }
    assert_eq!(pawns, [json!(2), json!(3), json!(1)]);
    race.stands([5, 5, 6, 6]);
}

#[test]
fn what_union_declined_or_could_not_pull_waits_until_one_of_them_moves_again() {
    let mut race = race([(Union, 5), (With, 3), (Silent, 20)]).silence(2, 0).turn(1).start();
    race.does(1, "play 3").goes_on_with(0).does(0, "play 4").does(2, "seat 1, play 1").stands([9, 6, 21]);
    let mut race = super::race([(Union, 5), (With, 3), (Gravity, 6)]).turn(1).start();
    race.does(1, "play 3").does(0, "decline").goes_on_with(0).does(0, "play 3").stands([8, 6, 6]);
}

#[test]
fn union_does_not_work_on_the_start_line_but_may_pull_from_space_two_to_one() {
    let mut race = race([(Union, 0), (With, 0), (Gravity, 9)]).turn(1).start();
    race.does(1, "play 1").stands([0, 1, 9]).goes_on_with(0);
    race.does(0, "play 1").stands([1, 1, 9]).goes_on_with(2);
}

#[test]
fn mirror_may_name_the_seat_that_moved_it_and_triggers_what_that_pawn_can_do() {
    let mut race = race([(Push, 5), (Mirror, 3), (Reset, 8), (Delete, 12)]).turn(1).start();
    race.does(1, "play 2").does(0, "forward").asks(1, "mirror", "seat 0, seat 2, seat 3").does(1, "seat 2");
    race.stands([5, 6, 7, 12]).asks(2, "reset", "seat 0, seat 1, seat 3").does(2, "seat 3");
    let mut race = super::race([(Push, 5), (Mirror, 3), (Reset, 8), (Delete, 12)]).turn(1).start();
    race.does(1, "play 2").does(0, "back").does(1, "seat 3").stands([5, 4, 8, 13]);
    race.asks(3, "delete", "seat 0, seat 1, seat 2");
}

#[test]
fn reset_may_name_a_full_hand_and_what_that_sets_off_follows_at_once() {
    let mut race = race([(Push, 5), (Reset, 3), (Copy, 8), (Offer, 12)]).turn(1).start();
    race.does(1, "play 2").does(0, "back").asks(1, "reset", "seat 0, seat 2, seat 3").does(1, "seat 2");
    race.asks(2, "copy", "seat 0, seat 1, seat 3")
        .does(2, "seat 3")
        .shows(json!({"copied": "offer", "turn_seat": 0, "round": 2}));
}

#[test]
fn each_movement_back_resets_once() {
    let mut race = race([(Push, 6), (Reset, 7), (Gravity, 3), (Union, 5), (Offer, 20)]).turn(2).start();
    race.does(2, "discard 1, seat 1").stands([6, 4, 3, 5, 20]).asks(1, "reset", "seat 0, seat 2, seat 3, seat 4");
    race.does(1, "seat 0").goes_on_with(0);
}
