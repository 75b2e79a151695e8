//! Silence: MDR-66 to MDR-72.

use super::*;

#[test]
fn a_silenced_copy_loses_what_it_has_copied_for_good() {
    let mut race = race([(Reset, 1), (Silent, 9), (Copy, 5), (With, 20)]).copied(Push).start();
    race.does(0, "play 1").does(1, "seat 2");
    race.shows(
        json!({"copied": null, "abilities": ["reset", "silence", null, "with"], "silences": [{"by": 1, "seat": 2}]}),
    );
    race.does(1, "play 1").does(3, "play 1").does(2, "play 1").does(0, "play 2").does(1, "seat 3");
    race.shows(json!({"copied": null, "abilities": ["reset", "silence", "copy", null]}));
}

#[test]
fn a_copy_with_silence_that_silences_silence_frees_its_victim() {
    let mut race = race([(Mirror, 1), (Silent, 9), (Copy, 5), (Gravity, 20)]).copied(Silent).silence(1, 3).start();
    race.does(0, "play 1").asks(2, "silence", "seat 0, seat 1, seat 3").does(2, "seat 1").shows(json!({
        "silences": [{"by": 2, "seat": 1}], "abilities": ["mirror", null, "silence", "gravity"], "copied_last_named": 1,
    }));
    assert_eq!(race.public_events(&["freed"]), [json!({"type": "freed", "seat": 3, "by": 1})]);
    // A silenced Silence names nobody.
    race.does(2, "play 1").goes_on_with(1);
}

#[test]
fn silence_that_silences_a_copy_with_silence_frees_that_ones_victim() {
    let mut race = race([(Reset, 1), (Silent, 9), (Copy, 5), (Gravity, 20)]).copied(Silent).silence(2, 3).start();
    race.does(0, "play 1").does(1, "seat 2");
    race.shows(
        json!({"silences": [{"by": 1, "seat": 2}], "copied": null, "abilities": ["reset", "silence", null, "gravity"]}),
    );
}

#[test]
fn a_silence_lasts_until_the_silencing_seats_next_turn_begins_even_when_nobody_can_be_named() {
    let cast = [(Reset, Some(1)), (Silent, Some(9)), (With, None)];
    let mut race = race_with_finished(cast).silence(1, 0).named(1, 0).start();
    race.does(0, "play 1").goes_on_with(1).shows(json!({"silences": [], "abilities": ["reset", "silence", null]}));
}

#[test]
fn a_silence_is_lifted_when_the_copied_silence_ends() {
    let mut race = race([(Copy, 5), (With, 1), (Offer, 12)]).copied(Silent).silence(0, 1).hand(0, [4]).start();
    race.does(0, "play 4").asks(0, "copy", "seat 1, seat 2").shows(json!({"silences": []}));
}

#[test]
fn a_silence_is_lifted_when_either_of_the_two_finishes() {
    let cast = [(Gravity, 30), (Silent, 9), (With, 3), (Offer, 3)];
    let mut race = race(cast).silence(1, 0).start();
    race.does(0, "play 1").shows(json!({"silences": []}));
    let mut race = super::race([(Silent, 30), (Gravity, 9), (With, 3), (Offer, 3)]).silence(0, 1).start();
    race.does(0, "play 1")
        .shows(json!({"silences": [], "abilities": [null, "gravity", "with", "offer"]}))
        .goes_on_with(1);
}

#[test]
fn a_seat_with_two_silences_is_silenced_until_both_are_lifted() {
    let cast = [(Reset, 1), (Silent, 9), (Copy, 5), (With, 20)];
    let mut race = race(cast).copied(Silent).silence(1, 3).silence(2, 3).start();
    race.does(0, "play 1").shows(json!({
        "silences": [{"by": 2, "seat": 3}], "abilities": ["reset", "silence", "silence", null],
    }));
}

#[test]
fn a_silenced_seat_is_moved_and_named_but_does_nothing() {
    let cast = [(Gravity, 3), (Delete, 9), (Silent, 20), (Reset, 14)];
    let mut race = race(cast).silence(2, 1).start();
    race.does(0, "discard 1, seat 1").stands([3, 4, 20, 14]).goes_on_with(1).does(1, "play 1");
}

#[test]
fn what_a_silenced_seat_named_last_stays_barred() {
    let mut race = race([(Gravity, 3), (With, 9), (Silent, 20)]).silence(2, 0).named(0, 1).turn(2).start();
    race.does(2, "play 1").goes_on_with(0).refuses(0, "discard 1", "no_gravity").does(0, "play 1").does(1, "play 1");
    race.does(2, "seat 1, play 2").does(0, "discard 2").asks(0, "gravity", "seat 2");
}

#[test]
fn an_ability_freed_in_the_middle_of_a_turn_does_not_work_for_movements_before() {
    // With comes onto Push's space, then Silence crosses by With's ability and Push is free.
    let cast = [(With, 20), (Push, 24), (Silent, 28), (Union, 3)];
    let mut race = race(cast).silence(2, 1).hand(0, [4]).start();
    race.does(0, "play 4, seat 2").goes_on_with(3).shows(json!({
        "positions": [24, 24, null, 3], "silences": [], "abilities": ["with", "push", null, "union"],
    }));
}
