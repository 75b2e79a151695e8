//! Movement, what it triggers and in which order: MDR-17 to MDR-32.

use super::*;

#[test]
fn the_last_space_is_not_across_the_line_one_step_more_is() {
    let mut race = race([(Gravity, 26), (Offer, 27), (With, 3)]).start();
    race.does(0, "play 4").shows(json!({"positions": [30, 27, 3], "places": [null, null, null]}));
    race.does(1, "play 4").shows(json!({"positions": [30, null, 3], "places": [null, 1, null]}));
}

#[test]
fn a_finished_seat_has_no_hand_no_used_cards_and_no_ability_and_is_passed_over() {
    let mut race = race([(Gravity, 9), (Offer, 30), (With, 3)]).hand(1, [2, 4]).turn(1).start();
    race.does(1, "play 2").shows(json!({
        "card_counts": [4, 0, 4], "used_cards": [[], [], []], "abilities": ["gravity", null, "with"],
    }));
    assert_eq!(race.seen_by(1, "my_cards"), json!([]));
    race.does(2, "play 1").shows(json!({"round": 2, "to_move": [0]}));
    race.does(0, "play 1").shows(json!({"round": 2, "to_move": [2], "turn_order": [0, 1, 2]}));
}

#[test]
fn moving_back_stops_at_the_start_line() {
    let mut race = race([(Gravity, 4), (Mirror, 7), (With, 1)]).start();
    race.does(0, "discard 1, seat 1").stands([4, 5, 1]);
    race.asks(1, "mirror", "seat 0, seat 2").does(1, "seat 2").stands([4, 5, 3]);
    let mut race = super::race([(Push, 4), (Mirror, 1), (With, 1)]).turn(1).start();
    race.does(1, "play 3").does(0, "forward").stands([4, 5, 1]);
    race.does(1, "seat 2").stands([4, 5, 0]);
}

#[test]
fn a_pawn_kept_on_the_start_line_has_not_moved_and_triggers_nothing() {
    let mut race = race([(Push, 4), (Mirror, 1), (Reset, 0)]).turn(1).start();
    race.does(1, "play 3").does(0, "forward").asks(1, "mirror", "seat 0, seat 2");
    assert_eq!(race.pending("spaces"), json!(-1));
    race.does(1, "seat 2").stands([4, 5, 0]).goes_on_with(2);
    assert!(race.public_events(&["moved"]).is_empty());
}

#[test]
fn mirror_counts_the_spaces_that_were_really_moved() {
    // Copy mirrors its own pull of 3 back onto Mirror, which can only go back 1.
    let mut race = race([(Gravity, 9), (Mirror, 1), (Copy, 4)]).copied(Mirror).start();
    race.does(0, "discard 1, seat 2").stands([9, 1, 8]);
    assert_eq!(race.pending("spaces"), json!(-4));
    race.does(2, "seat 1").stands([9, 0, 8]);
    assert_eq!(race.pending("spaces"), json!(1));
    race.asks(1, "mirror", "seat 0, seat 2").does(1, "seat 2");
    // Moved by Mirror, Copy mirrors again; but Mirror was named in this turn already.
    race.stands([9, 0, 9]).asks(2, "mirror", "seat 0").does(2, "seat 0").stands([8, 0, 9]);
}

#[test]
fn crossing_the_line_triggers_nothing() {
    let mut race = race([(Push, 30), (Mirror, 28), (Delete, 5), (With, 4)]).turn(1).start();
    race.does(1, "play 2")
        .does(0, "forward")
        .shows(json!({"positions": [30, null, 5, 4], "places": [null, 1, null, null]}));
    race.goes_on_with(0);
    let events = race.public_events(&["moved", "finished"]);
    let moved = json!({"type": "moved", "seat": 1, "from": 30, "to": 31, "by": 0, "ability": "push"});
    assert_eq!(events, [moved, json!({"type": "finished", "seat": 1, "place": 1})]);
}

#[test]
fn passing_a_pawn_triggers_nothing() {
    let mut race = race([(Push, 5), (Union, 6), (With, 3)]).turn(2).start();
    race.does(2, "play 4").asks(1, "union", "accept, decline");
    let mut race = super::race([(Push, 5), (Union, 7), (With, 3)]).turn(2).start();
    race.does(2, "play 3").goes_on_with(1);
}

#[test]
fn moving_by_a_card_is_not_being_moved_by_another() {
    let mut race = race([(Gravity, 9), (Delete, 1), (Mirror, 20)]).turn(1).start();
    race.does(1, "play 2").goes_on_with(2).does(2, "play 2").goes_on_with(0);
}

#[test]
fn an_ability_that_can_be_used_must_be_used() {
    let mut race = race([(Push, 5), (With, 3), (Silent, 9)]).turn(1).start();
    race.does(1, "play 2").refuses(0, "decline", "must_choose").does(0, "back");
    race.asks(2, "silence", "seat 0, seat 1").refuses(2, "decline", "must_choose");
}

#[test]
fn with_may_decline_any_first_step_may_be_declined_and_nothing_changes() {
    let cast = [(Push, 5), (Mirror, 3), (Silent, 20), (Offer, 8)];
    let mut race = race(cast).options(|it| it.may_decline = true).turn(1).start();
    race.does(1, "play 2").asks(0, "push", "forward, back, decline").does(0, "decline").stands([5, 5, 20, 8]);
    race.asks(2, "silence", "seat 0, seat 1, seat 3, decline").does(2, "decline").shows(json!({
        "silences": [], "last_named": [null, null, null, null], "phase": "turn", "turn_seat": 2,
    }));
}

#[test]
fn who_declines_may_be_asked_again_in_the_same_turn() {
    let mut race = race([(Push, 5), (With, 3), (Copy, 6), (Union, 4)]).copied(Push).turn(1).start();
    race.does(1, "play 2").does(3, "decline").does(0, "forward").does(2, "back").stands([5, 5, 6, 4]);
    race.asks(3, "union", "accept, decline").does(3, "accept").stands([5, 4, 6, 4]).goes_on_with(3);
}

#[test]
fn neither_a_card_to_choose_nor_gravitys_pull_can_be_declined() {
    let mut race = race([(Gravity, 5), (Delete, 9), (With, 3)]).options(|it| it.may_decline = true).start();
    race.does(0, "discard 1").asks(0, "gravity", "seat 1, seat 2").refuses(0, "decline", "must_choose");
    race.does(0, "seat 1").asks(1, "delete", "seat 0, seat 2, decline").does(1, "seat 2");
    race.asks(1, "delete", "card 1, card 2, card 3, card 4").refuses(1, "decline", "must_choose");
}

#[test]
fn silenced_seats_and_seats_on_the_start_line_may_be_named() {
    let mut race = race([(Gravity, 5), (Delete, 9), (With, 0), (Silent, 20)]).silence(3, 2).start();
    race.does(0, "discard 1").asks(0, "gravity", "seat 1, seat 2, seat 3").does(0, "seat 1");
    race.asks(1, "delete", "seat 0, seat 2, seat 3");
}

#[test]
fn a_seat_stays_barred_however_long_ago_it_was_named() {
    let mut race = race([(Gravity, 5), (With, 10), (Offer, 10)]).named(0, 1).start();
    race.does(0, "play 1").does(2, "play 1").does(1, "play 1");
    race.does(0, "play 2").does(2, "play 2").does(1, "play 2");
    race.does(0, "discard 4")
        .asks(0, "gravity", "seat 2")
        .does(0, "seat 2")
        .shows(json!({"last_named": [2, null, null]}));
}

#[test]
fn where_nobody_may_be_named_nothing_happens_and_the_bar_stays() {
    let mut race = race_with_finished([(Push, Some(5)), (Mirror, Some(3)), (With, None)]).named(1, 0).turn(1).start();
    race.does(1, "play 2").does(0, "forward").goes_on_with(0);
    race.shows(json!({"positions": [5, 6, null], "last_named": [null, 0, null]}));
}

#[test]
fn union_comes_before_push_and_what_no_longer_applies_is_dropped() {
    let cast = [(Push, 7), (Union, 6), (Delete, 3)];
    let mut race = race(cast).turn(2).start();
    race.does(2, "play 4").asks(1, "union", "accept, decline").does(1, "accept").stands([7, 6, 6]);
    race.asks(2, "delete", "seat 0, seat 1");
    let mut race = super::race(cast).turn(2).start();
    race.does(2, "play 4").does(1, "decline").asks(0, "push", "forward, back").does(0, "forward").stands([7, 6, 8]);
    race.asks(2, "delete", "seat 0, seat 1");
    let mut race = super::race(cast).turn(2).start();
    race.does(2, "play 4").does(1, "decline").does(0, "back").stands([7, 6, 6]).asks(2, "delete", "seat 0, seat 1");
}

#[test]
fn the_pulls_own_mirror_comes_after_all_that_the_pull_led_to() {
    let mut race = race([(Gravity, 7), (Push, 8), (Mirror, 12), (With, 20)]).start();
    race.does(0, "discard 1, seat 2").stands([7, 8, 8, 20]).asks(1, "push", "forward, back").does(1, "forward");
    race.does(2, "seat 0").stands([6, 8, 9, 20]).asks(2, "mirror", "seat 1, seat 3");
    assert_eq!(race.pending("spaces"), json!(4));
    race.does(2, "seat 3").stands([6, 8, 9, 24]).goes_on_with(1);
}

#[test]
fn an_ability_works_on_a_pawn_only_once_in_a_turn() {
    // Push and a Copy with Push would push With to and fro for ever.
    let mut race = race([(Push, 5), (With, 3), (Copy, 6)]).copied(Push).turn(1).start();
    race.does(1, "play 2").does(0, "forward").stands([5, 6, 6]).asks(2, "push", "forward, back").does(2, "back");
    race.stands([5, 5, 6]).goes_on_with(2);
    // In the next turn they stand together still, until one of them moves.
    race.does(2, "play 1").goes_on_with(0).does(0, "play 4").goes_on_with(1).stands([9, 5, 7]);
}

#[test]
fn a_seat_named_in_this_turn_cannot_be_named_again_in_it() {
    let cast = [(Gravity, 3), (Push, 4), (Mirror, 12), (Copy, 5), (Offer, 20), (With, 25)];
    let mut race = race(cast).copied(Push).start();
    race.does(0, "discard 1, seat 2").does(1, "forward").stands([3, 4, 5, 5, 20, 25]);
    race.asks(2, "mirror", "seat 0, seat 1, seat 3, seat 4, seat 5").does(2, "seat 4");
    race.asks(3, "push", "forward, back").does(3, "forward").stands([3, 4, 6, 5, 19, 25]);
    race.asks(2, "mirror", "seat 0, seat 1, seat 3, seat 5").does(2, "seat 5");
    race.asks(2, "mirror", "seat 0, seat 1, seat 3");
}
