//! What a round's moves come to.

use super::*;

/// Who gains how much in a round worth 1, in canonical order.
fn gains(elsewhere: &[&str], words: &[&str]) -> String {
    gains_with(json!({}), None, elsewhere, words)
}

fn gains_with(given: Value, before: Option<&[&str]>, elsewhere: &[&str], words: &[&str]) -> String {
    let (options, fields, moves) = (options(given), places(elsewhere), doings(words));
    let (animals, before) = (Animal::ALL.to_vec().into(), before.map(places));
    let reckoning =
        Reckoning { options: &options, animals: &animals, before: before.as_ref(), fields: &fields, moves: &moves };
    let gained = reckoning.gains(round_value(1));
    let told = Animal::ALL.iter().zip(gained.iter()).filter(|(_, points)| **points != Points::default());
    told.map(|(animal, points)| format!("{} {}", word(animal), json!(points))).collect::<Vec<_>>().join(", ")
}

#[test]
fn predators_eat_prey_and_one_another_in_a_circle_only() {
    for prey in ["crow", "hyena", "toad", "cuckoo", "chameleon", "water_deer"] {
        assert_eq!(gains(&[], &[&format!("eagle attack {prey}")]), "eagle 1");
    }
    for loses in ["lion attack eagle", "eagle attack crocodile", "crocodile attack lion", "lion attack snake"] {
        assert_eq!(gains(&[], &[loses]), if loses.ends_with("snake") { "snake 1" } else { "" }, "{loses}");
    }
}

#[test]
fn the_snake_hits_predators_only() {
    for (target, paid) in [("lion", "snake 1"), ("eagle", "snake 1"), ("toad", ""), ("water_deer", "")] {
        assert_eq!(gains(&[], &[&format!("snake attack {target}")]), paid);
    }
}

#[test]
fn a_snake_that_has_to_pass_is_paid_when_attacked() {
    assert_eq!(gains(&[], &["chameleon as eagle attack snake"]), "snake 1");
    let double = json!({"snake_double": true});
    assert_eq!(gains_with(double, None, &[], &["lion attack snake", "eagle attack snake"]), "snake 1");
}

#[test]
fn with_snake_double_both_conditions_pay() {
    let both = ["snake attack lion", "lion attack snake", "eagle attack snake"];
    assert_eq!(gains(&[], &both), "snake 1");
    assert_eq!(gains_with(json!({"snake_double": true}), None, &[], &both), "snake 2");
    assert_eq!(gains_with(json!({"snake_double": true}), None, &[], &both[..1]), "snake 1");
}

#[test]
fn a_chameleon_acting_as_the_snake_is_paid_like_one() {
    let stung = ["chameleon as snake attack toad", "lion attack chameleon"];
    assert_eq!(gains(&[], &stung), "lion 1, chameleon 0.5");
    let both = ["chameleon as snake attack lion", "lion attack chameleon"];
    assert_eq!(gains_with(json!({"snake_double": true}), None, &[], &both), "lion 1, chameleon 1", "twice, halved");
    assert_eq!(gains(&[], &["chameleon as eagle attack snake", "snake attack chameleon"]), "snake 1", "as no snake");
}

#[test]
fn a_chameleon_stays_a_chameleon() {
    assert_eq!(gains(&[], &["chameleon as lion attack crocodile"]), "chameleon 1", "the lion's skill in full");
    assert_eq!(gains(&[], &["chameleon as lion attack eagle"]), "");
    assert_eq!(gains(&[], &["chameleon as lion attack toad", "eagle attack chameleon"]), "eagle 1, chameleon 0.5");
    assert_eq!(gains(&[], &["chameleon as lion attack toad", "crow predict chameleon lion"]), "chameleon 1");
    assert_eq!(gains(&[], &["chameleon as snake attack lion", "lion attack chameleon"]), "lion 1, chameleon 0.5");
}

#[test]
fn prey_is_halved_once_by_predators_that_hit_or_are_barred() {
    let crow = "crow predict lion lion";
    assert_eq!(gains(&[], &[crow, "eagle attack crow", "lion attack crow"]), "lion 1, eagle 1, crow 0.5");
    assert_eq!(gains(&[], &[crow, "snake attack crow"]), "crow 1", "the snake is no predator");
    assert_eq!(gains(&[], &[crow, "chameleon as eagle attack crow"]), "crow 1, chameleon 1");
    let barred = gains_with(json!({}), Some(&["lion sky"]), &["lion sky"], &[crow, "lion attack crow"]);
    assert_eq!(barred, "crow 0.5");
    assert_eq!(
        gains(&[], &["lion attack crocodile", "crocodile attack toad", "eagle attack crocodile"]),
        "lion 1, crocodile 1"
    );
}

#[test]
fn with_copied_attack_halves_a_chameleon_halves_as_predator_but_not_as_snake() {
    let halves = json!({"copied_attack_halves": true});
    let crow = "crow predict lion lion";
    let as_eagle = ["chameleon as eagle attack crow", crow];
    assert_eq!(gains_with(halves.clone(), None, &[], &as_eagle), "crow 0.5, chameleon 1");
    let as_snake = ["chameleon as snake attack crow", crow];
    assert_eq!(gains_with(halves.clone(), None, &[], &as_snake), "crow 1");
    assert_eq!(gains_with(halves, None, &[], &["snake attack crow", crow]), "crow 1");
}

#[test]
fn the_crow_may_name_any_animal_even_its_own() {
    assert_eq!(gains(&[], &["crow predict water_deer water_deer"]), "crow 1");
    assert_eq!(gains(&[], &["crow predict water_deer crow"]), "");
}

#[test]
fn the_hyena_and_the_toad_look_at_what_really_happens() {
    let robbed = ["crow predict lion lion", "cuckoo rob crow"];
    assert_eq!(gains(&[], &[&robbed[..], &["hyena follow crow", "toad judge crow no"]].concat()), "toad 1, cuckoo 1");
    assert_eq!(gains(&[], &["toad judge lion yes"]), "");
    let halved = ["crow predict lion lion", "eagle attack crow", "hyena follow crow"];
    assert_eq!(gains(&[], &halved), "eagle 1, crow 0.5, hyena 1", "half points are points");
}

#[test]
fn a_robbed_seat_gains_nothing_even_if_its_robber_gains_nothing() {
    let barred = Some(&["cuckoo plain"][..]);
    let words = ["crow predict lion lion", "cuckoo rob crow"];
    assert_eq!(gains_with(json!({}), barred, &["cuckoo plain"], &words), "", "the barred cuckoo takes");
    assert_eq!(gains(&[], &["cuckoo rob crow", "crow predict lion toad"]), "", "there was nothing to take");
    let halved_and_robbed = ["crow predict lion lion", "eagle attack crow", "cuckoo rob crow"];
    assert_eq!(gains(&[], &halved_and_robbed), "eagle 1, cuckoo 1");
}

#[test]
fn two_robbers_of_one_seat_both_gain_in_full() {
    let words = ["crow predict lion lion", "eagle attack crow", "cuckoo rob crow", "chameleon as cuckoo rob crow"];
    assert_eq!(gains(&[], &words), "eagle 1, cuckoo 1, chameleon 1");
    let robbed_robber = ["crow predict lion lion", "cuckoo rob crow", "chameleon as cuckoo rob cuckoo"];
    assert_eq!(gains(&[], &robbed_robber), "chameleon 1", "the cuckoo would have gained");
}

#[test]
fn being_robbed_is_known_before_what_the_robbed_one_would_gain() {
    let words = ["hyena follow toad", "toad judge hyena yes", "cuckoo rob toad"];
    assert_eq!(
        gains(&[], &words),
        "",
        "the hyena follows a robbed toad, so the toad is wrong and the cuckoo takes nothing"
    );
    let words = ["hyena follow toad", "toad judge hyena no", "cuckoo rob toad"];
    assert_eq!(gains(&[], &words), "cuckoo 1");
}

#[test]
fn a_barred_target_is_known_to_gain_nothing() {
    let away = &["hyena river"][..];
    let words = ["hyena follow toad", "toad judge hyena no"];
    assert_eq!(gains_with(json!({}), Some(away), away, &words), "toad 1", "no circle: the hyena does not wait");
}

#[test]
fn on_a_circle_nobody_gains_but_an_animal_that_waits_for_it_may() {
    let circle = ["hyena follow cuckoo", "cuckoo rob toad", "toad judge hyena yes"];
    assert_eq!(gains(&[], &circle), "");
    assert_eq!(gains(&[], &[&circle[..], &["chameleon as toad judge cuckoo no"]].concat()), "chameleon 1");
    assert_eq!(
        gains(&[], &[&circle[..], &["chameleon as cuckoo rob hyena"]].concat()),
        "",
        "the hyena is robbed at once, so no circle"
    );
    let pair = ["hyena follow toad", "toad judge hyena yes"];
    assert_eq!(gains(&[], &[&pair[..], &["cuckoo rob toad"]].concat()), "");
    let outside = ["cuckoo rob chameleon", "chameleon as toad judge hyena no"];
    assert_eq!(gains(&[], &[&pair[..], &outside].concat()), "cuckoo 1", "a chain that hangs on the circle");
    let two = ["hyena follow toad", "toad judge hyena yes", "cuckoo rob chameleon", "chameleon as hyena follow cuckoo"];
    assert_eq!(gains(&[], &two), "");
}

#[test]
fn a_second_round_away_pays_nothing_wherever_it_is() {
    let attack = ["crocodile attack toad"];
    let away = |before: &[&str], now: &[&str]| gains_with(json!({}), Some(before), now, &attack);
    assert_eq!(away(&["crocodile plain"], &["crocodile plain"]), "");
    assert_eq!(away(&["crocodile plain"], &["crocodile sky"]), "");
    assert_eq!(away(&["crocodile plain"], &[]), "crocodile 1");
    assert_eq!(away(&[], &["crocodile sky"]), "crocodile 1");
    assert_eq!(gains(&["crocodile sky"], &attack), "crocodile 1", "nobody is barred in round 1");
}
