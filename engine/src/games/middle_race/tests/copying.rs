//! Copy: MDR-58 to MDR-65.

use super::*;

#[test]
fn a_copied_offer_works_for_the_reset_that_ends_it() {
    let mut race = race([(Copy, 5), (Gravity, 9), (Offer, 12)]).copied(Offer).hand(0, [4]).named(0, 2).start();
    race.does(0, "play 4").asks(0, "offer", "seat 1, seat 2");
    race.shows(json!({"copied": "offer", "abilities": ["offer", "gravity", "offer"], "turn_seat": 0}));
    race.does(0, "seat 2").shows(json!({"copied_last_named": 2, "last_named": [2, null, null]}));
    race.does(0, "card 3").asks(0, "copy", "seat 1");
    race.shows(json!({"copied": null, "copied_last_named": null, "abilities": ["copy", "gravity", "offer"]}));
    race.does(0, "seat 1").shows(json!({"copied": "gravity", "copied_last_named": null, "card_counts": [3, 4, 5]}));
    let events = race.public_events(&["copied", "copy_ended"]);
    assert_eq!(events, [json!({"type": "copied", "seat": 0, "ability": "gravity"})]);
}

#[test]
fn a_copied_ability_ends_at_the_next_reset_before_copy_copies_again() {
    let mut race = race([(Copy, 5), (Push, 20), (With, 9)]).copied(Push).hand(0, [4]).named(0, 1).start();
    // The last card is still moved with the ability of before.
    race.does(0, "play 4").asks(0, "push", "forward, back").does(0, "forward").asks(0, "copy", "seat 2");
    race.shows(json!({"positions": [9, 20, 10], "copied": null, "abilities": ["copy", "push", "with"]}));
}

#[test]
fn a_copied_with_takes_a_pawn_along_with_the_last_card_then_ends() {
    let mut race = race([(Copy, 5), (With, 9), (Silent, 12)]).copied(With).hand(0, [4]).named(0, 1).start();
    race.does(0, "play 4").asks(0, "with", "seat 1, seat 2").does(0, "seat 2").stands([9, 9, 16]);
    race.asks(0, "copy", "seat 2").does(0, "seat 2").shows(json!({"copied": "silence", "last_named": [2, null, null]}));
}

#[test]
fn copy_that_can_name_nobody_has_nothing_until_its_next_reset() {
    let cast = [(Copy, Some(5)), (With, None), (Silent, Some(12))];
    let mut race = race_with_finished(cast).copied(Push).hand(0, [4]).named(0, 2).start();
    race.does(0, "play 4").shows(json!({"copied": null, "abilities": ["copy", null, "silence"], "to_move": [2]}));
}

#[test]
fn copy_that_declines_has_nothing_either() {
    let cast = [(Copy, 5), (With, 1), (Silent, 12)];
    let mut race = race(cast).options(|it| it.may_decline = true).copied(Push).hand(0, [4]).start();
    race.does(0, "play 4").asks(0, "copy", "seat 1, seat 2, decline").does(0, "decline");
    race.shows(json!({"copied": null, "last_named": [null, null, null]}));
}

#[test]
fn copy_cannot_name_a_silenced_seat() {
    let mut race = race([(Copy, 5), (With, 1), (Silent, 12), (Offer, 20)]).silence(2, 1).hand(0, [4]).start();
    race.does(0, "play 4").asks(0, "copy", "seat 2, seat 3");
}

#[test]
fn a_silenced_copy_does_not_copy() {
    let mut race = race([(Copy, 5), (With, 1), (Silent, 12)]).silence(2, 0).hand(0, [4]).start();
    race.does(0, "play 4").asks(2, "silence", "seat 0, seat 1");
    race.shows(json!({"card_counts": [4, 4, 4], "abilities": ["copy", "with", "silence"]}));
}

#[test]
fn copy_keeps_its_own_place_in_the_order_with_unions_ability_too() {
    let mut race = race([(Copy, 4), (Push, 5), (Mirror, 3), (Offer, 6)]).copied(Union).turn(2).start();
    race.does(2, "play 2").asks(1, "push", "forward, back").does(1, "forward").stands([4, 5, 6, 6]);
    race.asks(2, "mirror", "seat 0, seat 1, seat 3").does(2, "seat 3").stands([4, 5, 6, 5]);
    // Offer has come both onto Push's space and right ahead of Copy.
    race.asks(1, "push", "forward, back").does(1, "forward").goes_on_with(0);
}

#[test]
fn a_copied_union_is_asked_after_push_has_left_the_pawn_there() {
    let cast = [(Copy, 4), (Push, 5), (With, 3)];
    let mut race = race(cast).copied(Union).options(|it| it.may_decline = true).turn(2).start();
    race.does(2, "play 2").asks(1, "push", "forward, back, decline").does(1, "decline");
    race.asks(0, "union", "accept, decline").does(0, "accept").stands([4, 5, 4]);
}

#[test]
fn a_copied_ability_stays_when_the_original_is_silenced_or_finishes() {
    let cast = [(Copy, 4), (Union, 30), (With, 1), (Silent, 9)];
    let mut race = race(cast).copied(Union).silence(3, 1).turn(2).start();
    race.does(2, "play 4").asks(0, "union", "accept, decline").does(0, "decline");
    race.does(1, "play 1").shows(json!({"places": [null, 1, null, null], "copied": "union", "silences": []}));
    race.shows(json!({"abilities": ["union", null, "with", "silence"]}));
}

#[test]
fn copying_is_remembered_apart_from_what_the_copied_ability_names() {
    let mut race = race([(Copy, 5), (Gravity, 9), (Offer, 12)]).copied(Gravity).named(0, 1).start();
    race.does(0, "discard 2").asks(0, "gravity", "seat 1, seat 2").does(0, "seat 1");
    race.shows(json!({"last_named": [1, null, null], "copied_last_named": 1}));
}

#[test]
fn what_copy_has_is_gone_when_it_finishes() {
    let mut race = race([(Copy, 30), (Gravity, 9), (Silent, 12), (With, 3)]).copied(Silent).silence(0, 1).start();
    race.does(0, "play 1").shows(json!({"copied": null, "copied_last_named": null, "silences": []}));
    let events = race.public_events(&["finished", "freed", "copy_ended"]);
    let kinds: Vec<_> = events.iter().map(|it| it["type"].clone()).collect();
    assert_eq!(kinds, ["finished", "freed", "copy_ended"]);
}
