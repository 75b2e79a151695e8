//! One test per rule that no scenario shows, then the laws.

use serde_json::{Value, json};

use super::reckoning::{Reckoning, round_value};
use super::*;
use crate::conformance::{conforms, determinizes};
use crate::erased::of;
use crate::games::table::{Table, types};
use crate::playout::random;

mod ending;
mod gains;
mod legality;
mod worlds;

/// Seat 0 is the lion, seat 1 the crocodile, and so on in canonical order.
fn deal(options: Value) -> Table {
    Table::new(of::<AnimalKingdom>(), &options, SEATS, vec![json!({"animals": Animal::ALL})])
}

fn word<T: Serialize>(value: T) -> String {
    json!(value).as_str().expect("a word").into()
}

fn animal(id: &str) -> Animal {
    serde_json::from_value(json!(id)).unwrap_or_else(|_| panic!("no animal {id}"))
}

fn seat(id: &str) -> Seat {
    Seat(animal(id) as u8)
}

/// Where everybody is: at home, but for those said to be elsewhere, as in `"lion river"`. The water deer is in the
/// forest.
fn places(elsewhere: &[&str]) -> PerSeat<Field> {
    let mut fields = PerSeat::from(Animal::ALL.map(|it| it.habitat().unwrap_or(Field::Forest)).to_vec());
    for place in elsewhere {
        let (who, field) = place.split_once(' ').expect("an animal and a field");
        fields[seat(who)] = serde_json::from_value(json!(field)).expect("a field");
    }
    fields
}

/// A move in words, as in `"lion attack toad"`, `"chameleon as crow predict lion eagle"`, `"toad judge lion yes"`.
fn said(words: &str) -> (Seat, Move) {
    let mut words = words.split(' ');
    let mut next = || words.next().unwrap_or_default();
    let who = seat(next());
    let (kind, copied) = match next() {
        "as" => {
            let copied = animal(next());
            (next(), Some(copied))
        }
        kind => (kind, None),
    };
    let target = seat(next());
    let chosen = match kind {
        "attack" => Move::Attack { seat: target, copied },
        "predict" => Move::Predict { seat: target, animal: animal(next()), copied },
        "follow" => Move::Follow { seat: target, copied },
        "judge" => Move::Judge { seat: target, gains: next() == "yes", copied },
        "rob" => Move::Rob { seat: target, copied },
        _ => panic!("no skill {kind}"),
    };
    (who, chosen)
}

/// What everybody does: what is said, and the others pass.
fn doings(words: &[&str]) -> PerSeat<Move> {
    let mut moves = PerSeat::new(SEATS, |_| Move::Pass {});
    for (who, chosen) in words.iter().map(|it| said(it)) {
        moves[who] = chosen;
    }
    moves
}

fn options(given: Value) -> Options {
    serde_json::from_value(given).expect("options")
}

#[test]
fn values_are_those_of_the_table_then_of_the_formula() {
    let values: Vec<String> = (1..=20).map(|round| json!(round_value(round)).to_string()).collect();
    assert_eq!(values[..9], ["1", "2", "2.2", "3.3", "4.4", "5.5", "6.6", "7.7", "8.8"]);
    assert_eq!(values[19], "20.9");
}

#[test]
fn every_animal_is_dealt_once() {
    let starts = |animals: Value| {
        let mut queue = std::collections::VecDeque::from([json!({"animals": animals})]);
        of::<AnimalKingdom>().start(&json!({}), SEATS, &mut queue).is_ok()
    };
    assert!(starts(json!(Animal::ALL)));
    assert!(!starts(json!(Animal::ALL[1..])));
    assert!(!starts(json!(Animal::ALL.map(|_| Animal::Lion))));
}

#[test]
fn a_seat_is_told_its_own_animal_only() {
    let table = deal(json!({}));
    let started = json!({"type": "round_started", "round": 1, "value": 1});
    assert_eq!(table.public_events(), std::slice::from_ref(&started));
    assert_eq!(table.events_for(9), [json!({"type": "dealt", "seat": 9, "animal": "water_deer"}), started]);
}

#[test]
fn that_a_seat_has_chosen_is_told_to_all_and_what_to_itself() {
    let mut table = deal(json!({}));
    table.plays(3, json!({"type": "go", "field": "river"}));
    assert_eq!(table.public_events(), [json!({"type": "chose", "seat": 3})]);
    assert_eq!(table.events_for(2), [json!({"type": "chose", "seat": 3})]);
    let move_too = json!({"type": "chose", "seat": 3, "move": {"type": "go", "field": "river"}});
    assert_eq!(table.events_for(3), [move_too]);
}

/// Worked example 1, dealt as there, after seat 1 has picked its field for round 2.
#[test]
fn the_view_and_the_events_of_the_worked_example_are_the_documents() {
    let animals =
        json!(["lion", "crow", "water_deer", "snake", "toad", "cuckoo", "hyena", "eagle", "chameleon", "crocodile"]);
    let mut table = Table::new(of::<AnimalKingdom>(), &json!({}), SEATS, vec![json!({"animals": animals})]);
    let fields = ["plain", "sky", "plain", "forest", "river", "sky", "plain", "sky", "forest", "river"];
    for (seat, field) in fields.into_iter().enumerate() {
        table.plays(seat as u8, json!({"type": "go", "field": field}));
    }
    assert_eq!(table.public_events()[1], json!({"type": "moved", "round": 1, "fields": fields}));
    let moves = [
        json!({"type": "attack", "seat": 6}),
        json!({"type": "predict", "seat": 0, "animal": "hyena"}),
        json!({"type": "pass"}),
        json!({"type": "attack", "seat": 8}),
        json!({"type": "judge", "seat": 9, "gains": true}),
        json!({"type": "rob", "seat": 7}),
        json!({"type": "follow", "seat": 0}),
        json!({"type": "attack", "seat": 1}),
        json!({"type": "attack", "seat": 3, "as": "lion"}),
        json!({"type": "attack", "seat": 4}),
    ];
    for (seat, chosen) in moves.into_iter().enumerate() {
        table.plays(seat as u8, chosen);
    }
    let gains = json!({"lion": 1, "crocodile": 1, "eagle": 0, "snake": 1, "crow": 0, "hyena": 0.5, "toad": 0.5,
        "cuckoo": 1, "chameleon": 0, "water_deer": 0});
    let published = json!({"type": "gains", "round": 1, "value": 1, "gains": gains});
    let started = json!({"type": "round_started", "round": 2, "value": 2});
    let chose = json!({"type": "chose", "seat": 9});
    assert_eq!(table.public_events(), [chose.clone(), published.clone(), started.clone()]);
    let gained = json!({"type": "gained", "round": 1, "seat": 1, "gained": 0});
    let learned = json!({"type": "learned", "round": 1, "seat": 1, "target": 0, "animal": "lion"});
    assert_eq!(table.events_for(1), [chose.clone(), published.clone(), gained, learned, started.clone()]);
    let gained = json!({"type": "gained", "round": 1, "seat": 6, "gained": 0.5});
    assert_eq!(table.events_for(6), [chose, published, gained, started]);
    assert_eq!(table.seen_by(1)["my_field"], Value::Null);
    table.plays(1, json!({"type": "go", "field": "river"}));
    let view = json!({
        "game": "animal-kingdom",
        "options": {"max_rounds": 9, "water_deer_win": "at_once", "snake_double": false, "copied_attack_halves": false},
        "seats": 10, "phase": "moving", "round": 2, "to_move": [0, 2, 3, 4, 5, 6, 7, 8, 9], "interrupt": [],
        "outcome": null, "round_value": 2, "fields": null,
        "history": [{"round": 1, "value": 1, "fields": fields, "gains": gains}], "totals": gains, "animals": null,
        "my_animal": "crow", "my_points": 0, "my_field": "river", "my_skill": null, "my_must_return": false,
        "my_skills": [{"round": 1, "move": {"type": "predict", "seat": 0, "animal": "hyena"}, "gained": 0}],
        "my_learned": [{"round": 1, "seat": 0, "animal": "lion"}]
    });
    assert_eq!(table.seen_by(1), view);
    let mut public = view;
    public.as_object_mut().expect("a view").retain(|field, _| !field.starts_with("my_"));
    assert_eq!(table.public(), public);
}

#[test]
fn options_of_the_wrong_type_or_out_of_range_are_refused_by_name() {
    let settle = |options: Value| of::<AnimalKingdom>().normalize_options(&options, SEATS);
    let defaults = json!({
        "max_rounds": 9, "water_deer_win": "at_once", "snake_double": false, "copied_attack_halves": false
    });
    assert_eq!(settle(json!({})), Ok(defaults));
    for (key, wrong) in [
        ("max_rounds", json!(21)),
        ("max_rounds", json!(9.0)),
        ("water_deer_win", json!("never")),
        ("water_deer_win", json!({"at_end": null})),
        ("water_deer_win", json!(null)),
        ("snake_double", json!(1)),
        ("copied_attack_halves", json!("true")),
    ] {
        let refused = settle(json!({key: wrong}));
        assert!(matches!(refused, Err(BadOptions::Option { key: ref named, .. }) if named == key), "{key}: {wrong}");
    }
    for seats in [9, 11] {
        let refused = of::<AnimalKingdom>().normalize_options(&json!({"max_rounds": 3}), seats);
        assert_eq!(refused.map_err(|err| err.code()), Err("invalid_seats"));
    }
}

#[test]
fn a_state_that_no_match_comes_to_is_not_resumed() {
    let mut game = AnimalKingdom::setup(Options::default(), SEATS).expect("options");
    game.deal(Animal::ALL.to_vec().into(), &mut Vec::new());
    game.reckon(places(&[]), doings(&["lion attack hyena"]), &mut Vec::new());
    let resumes = |state: &Value| of::<AnimalKingdom>().resume(state.to_string().as_bytes()).is_ok();
    let state = json!(game);
    assert!(resumes(&state));
    for (pointer, wrong) in [
        ("/animals/0", json!("eagle")),
        ("/animals", json!([])),
        ("/past/0/fields", json!(["sky"])),
        ("/past/0/moves/0", json!({"type": "go", "field": "sky"})),
        ("/past/0/moves/0", json!({"type": "attack", "seat": 10})),
        ("/past/0/gains", json!({"lion": 1})),
        ("/stage", json!("deal")),
        ("/stage/moving/fields", json!([null])),
        ("/stage/moving/fields", json!(Animal::ALL.map(|_| "sky"))),
        ("/options/max_rounds", json!(0)),
    ] {
        let mut state = state.clone();
        *state.pointer_mut(pointer).expect("it is there") = wrong.clone();
        assert!(!resumes(&state), "{pointer} = {wrong}");
    }
}

/// A seat is resampled, with what it did, unless the viewer knows its animal.
#[test]
fn what_was_learned_stays_and_everything_else_is_drawn_anew() {
    let mut game = AnimalKingdom::setup(Options::default(), SEATS).expect("options");
    game.deal(Animal::ALL.to_vec().into(), &mut Vec::new());
    let moves = doings(&["crow predict lion toad", "lion attack hyena", "hyena follow lion"]);
    game.reckon(places(&[]), moves, &mut Vec::new());
    let crow = seat("crow");
    let worlds: Vec<_> = (0..200).map(|seed| game.resample(Viewer::Seat(crow), &mut random(seed))).collect();
    for world in &worlds {
        assert_eq!((world.animals[crow], world.animals[seat("lion")]), (Animal::Crow, Animal::Lion));
        assert_eq!(world.view(Viewer::Seat(crow)), game.view(Viewer::Seat(crow)));
    }
    for animal in Animal::ALL {
        let can_be = worlds.iter().any(|world| world.animals[seat("toad")] == animal);
        assert_eq!(can_be, ![Animal::Crow, Animal::Lion].contains(&animal), "{animal:?} in the toad's seat");
    }
    let targets = |world: &AnimalKingdom| world.past[0].moves[seat("hyena")].used().map(|used| used.target);
    assert!(worlds.iter().any(|world| targets(world) != targets(&game)), "whom the hyena followed is its secret");
}

#[test]
fn animal_kingdom_keeps_the_laws() {
    conforms(of::<AnimalKingdom>());
}

#[test]
fn animal_kingdom_determinizes() {
    determinizes(of::<AnimalKingdom>());
}
