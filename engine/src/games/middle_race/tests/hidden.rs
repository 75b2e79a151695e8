//! Who sees what, and what another world may look like: MDR-22, the view, secrets, saved states.

use super::*;

#[test]
fn the_documents_example_is_the_view_of_the_looking_seat() {
    let cast = json!({"characters": ["delete", "push", "offer"]});
    let mut race = Race(Table::new(of::<MiddleRace>(), &json!({"characters": "random"}), 3, vec![cast]));
    race.does(1, "play 1").does(0, "play 1").does(1, "forward").does(0, "seat 1");
    let expected = json!({
        "game": "middle-race",
        "options": {
            "track_length": 30, "move_cards": 4, "characters": "random", "winner": "middle", "full_race": false,
            "max_rounds": 60, "open_hands": false, "deal_counts_as_reset": false, "may_decline": false,
        },
        "seats": 3, "phase": "choosing", "round": 1, "to_move": [0], "interrupt": [], "outcome": null,
        "draft_order": null, "available": [], "characters": ["delete", "push", "offer"], "turn_order": [1, 0, 2],
        "turn_seat": 0, "positions": [2, 1, 0], "places": [null, null, null],
        "card_counts": [3, 3, 4], "used_cards": [[1], [1], []], "hands": null,
        "abilities": ["delete", "push", "offer"], "copied": null, "silences": [],
        "last_named": [1, null, null], "copied_last_named": null,
        "pending": {
            "seat": 0, "ability": "delete", "step": "card", "seats": null, "cards": [2, 3, 4], "target": 1, "pawn": null,
            "spaces": null, "decline": false,
        },
        "my_cards": [2, 3, 4], "my_look": {"seat": 1, "cards": [2, 3, 4], "kept": null},
    });
    assert_eq!(race.0.seen_by(0), expected);
    let mut public = expected;
    public["pending"]["cards"] = Value::Null;
    public["my_cards"] = Value::Null;
    public["my_look"] = Value::Null;
    assert_eq!(race.0.public(), public);
}

#[test]
fn open_hands_are_public_and_so_are_the_cards_to_choose_from() {
    let mut race = race([(Gravity, 5), (Delete, 9), (Offer, 3)]).options(|it| it.open_hands = true).start();
    race.does(0, "discard 4, seat 1").does(1, "seat 0");
    race.shows(json!({"hands": [[1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4]], "my_look": null, "my_cards": null}));
    assert_eq!(race.pending("cards"), json!([1, 2, 3]));
}

#[test]
fn what_a_seat_saw_stays_in_its_view_as_it_was() {
    let mut race = race([(Gravity, 5), (Delete, 9), (Offer, 3)]).hand(2, [1, 3]).start();
    race.does(0, "discard 4, seat 1").does(1, "seat 2, card 3").does(1, "play 1").does(2, "play 3, seat 1, card 1");
    assert_eq!(race.seen_by(1, "my_look"), json!({"seat": 2, "cards": [1, 3], "kept": 3}));
    assert_eq!(race.seen_by(2, "my_cards"), json!([2, 3, 4]));
    assert_eq!(race.seen_by(1, "my_cards"), json!([1, 2, 3, 4]));
}

/// What a hand can be in the worlds that a viewer cannot tell apart.
fn worlds(race: &Race, viewer: Viewer, field: &str, of_seat: u8) -> Vec<String> {
    let game: MiddleRace = serde_json::from_value(race.0.saved()).expect("a state");
    let mut seen: Vec<String> = Vec::new();
    let source = &mut random(7);
    for _ in 0..200 {
        let other = game.resample(viewer, source);
        assert_eq!(other.view(viewer), game.view(viewer));
        seen.push(Race(Table::at(&other)).seen_by(of_seat, field).to_string());
    }
    seen.sort();
    seen.dedup();
    seen
}

fn seat(seat: u8) -> Viewer {
    Viewer::Seat(Seat(seat))
}

#[test]
fn others_do_not_know_which_card_was_given_or_left() {
    let mut race = race([(Offer, 2), (With, 9), (Gravity, 4), (Delete, 9)]).hand(0, [4]).hand(1, [2]).start();
    race.does(0, "play 4, seat 1, card 1");
    for knows in [seat(0), seat(1)] {
        assert_eq!(worlds(&race, knows, "my_cards", 0), ["[2,3,4]"]);
        assert_eq!(worlds(&race, knows, "my_cards", 1), ["[1,2]"]);
    }
    for guesses in [Viewer::Public, seat(2), seat(3)] {
        assert_eq!(worlds(&race, guesses, "my_cards", 0), ["[1,2,3]", "[1,2,4]", "[1,3,4]", "[2,3,4]"]);
        assert_eq!(worlds(&race, guesses, "my_cards", 1), ["[1,2]", "[2,2]", "[2,3]", "[2,4]"]);
    }
    // With plays the 2: what it still holds is what Offer no longer has.
    race.does(1, "play 2").goes_on_with(2).does(2, "discard 1, seat 3").does(3, "seat 0");
    assert_eq!(worlds(&race, seat(3), "my_cards", 1), ["[1]"]);
    race.does(3, "card 3");
    assert_eq!(worlds(&race, seat(2), "my_cards", 0), ["[1]", "[2]", "[3]", "[4]"]);
    assert_eq!(worlds(&race, seat(1), "my_cards", 0), ["[2]", "[3]", "[4]"]);
    let look = |cards: &str, kept| format!(r#"{{"cards":[{cards}],"kept":{kept},"seat":0}}"#);
    let kept_of_234 = [2, 3, 4].map(|kept| look("2,3,4", kept));
    assert_eq!(worlds(&race, seat(1), "my_look", 3), kept_of_234);
    assert_eq!(worlds(&race, Viewer::Public, "my_look", 3).len(), 12);
    assert_eq!(worlds(&race, seat(0), "my_look", 3), [look("2,3,4", 3)]);
}

#[test]
fn what_the_giver_plays_afterwards_it_has_not_given_even_after_its_reset() {
    let mut race = race([(Offer, 2), (Mirror, 9), (Gravity, 4)]).hand(0, [4]).start();
    race.does(0, "play 4, seat 1, card 1").does(1, "play 2").does(2, "play 1").does(0, "play 2");
    assert_eq!(worlds(&race, Viewer::Public, "my_cards", 1), ["[1,1,3,4]", "[1,3,3,4]", "[1,3,4,4]"]);
    race.does(1, "play 3").does(2, "play 2").does(0, "play 3").does(1, "play 4").does(2, "play 3").does(0, "play 4");
    assert_eq!(worlds(&race, Viewer::Public, "my_cards", 1), ["[1,1]"]);
}

#[test]
fn nothing_is_hidden_with_open_hands() {
    let mut race = race([(Offer, 2), (With, 9), (Gravity, 4)]).hand(0, [4]).options(|it| it.open_hands = true).start();
    race.does(0, "play 4, seat 1, card 1");
    assert_eq!(worlds(&race, Viewer::Public, "my_cards", 0), ["[2,3,4]"]);
}

#[test]
fn a_state_that_no_match_can_be_in_is_not_resumed() {
    let sound = serde_json::to_value(&race([(Gravity, 5), (Delete, 9), (Offer, 3)]).0).expect("a state");
    let resumes = |state: &Value| of::<MiddleRace>().resume(state.to_string().as_bytes()).is_ok();
    assert!(resumes(&sound));
    for (path, wrong) in [
        ("turn_seat", json!(3)),
        ("turn_seat", json!(null)),
        ("pawns", json!([5, 9])),
        ("pawns", json!([5, 9, 31])),
        ("pawns", json!([5, null, null])),
        ("places", json!([null, null])),
        ("characters", json!(["gravity", "delete", "delete"])),
        ("characters", json!(["gravity", "delete", null])),
        ("round", json!(0)),
        ("round", json!(61)),
        ("last_named", json!([9, null, null])),
        ("silences", json!([{"by": 0, "seat": 7}])),
        ("waiting", json!([{"copy_anew": 200}])),
        ("choice", json!({"seat": 0, "ability": "delete", "step": {"card": {"target": 9}}})),
        ("choice", json!({"seat": 7, "ability": "push", "step": {"direction": {"pawn": 1}}})),
        ("stage", json!("draft")),
        ("stage", json!("casting")),
        ("draft_order", json!([0, 1, 2])),
    ] {
        let mut state = sound.clone();
        state[path] = wrong;
        assert!(!resumes(&state), "{path}: {}", state[path]);
    }
    for (path, wrong) in [
        ("/options/track_length", json!(9)),
        ("/hands/move_cards", json!(5)),
        ("/hands/stories/0", json!([{"used": 1}, {"used": 1}])),
        ("/hands/stories/0", json!([{"used": 9}])),
        ("/hands/stories/0", json!([{"got": 4}])),
        ("/hands/stories/0", json!([{"shown_to": 4}])),
        ("/hands/stories", json!([null, null])),
    ] {
        let mut state = sound.clone();
        *state.pointer_mut(path).expect("a field") = wrong;
        assert!(!resumes(&state), "{path}");
    }
}

/// Every place in the JSON that can be spoilt.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| places(item, &format!("{path}/{at}"), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(key, field)| places(field, &format!("{path}/{key}"), found));
        }
        _ => {}
    }
}

#[test]
fn a_state_that_was_tampered_with_is_refused_or_can_be_played_on() {
    let kind = of::<MiddleRace>();
    let source = &mut random(3);
    let mut resumed = 0;
    for round in 0..8 {
        let options = crate::conformance::some_options(kind, 3 + round % 8, source, 1);
        let (mut play, _) = kind.start(&options, 3 + round % 8, source).expect("a match");
        for _ in 0..source.below(150) {
            let Some((seat, chosen)) = random_move(play.as_ref(), source) else { break };
            play.play(seat, &value(&chosen), source).expect("a listed move");
        }
        let saved: Value = serde_json::from_slice(&play.save()).expect("a state");
        let mut paths = Vec::new();
        places(&saved, "", &mut paths);
        for _ in 0..200 {
            let mut spoilt = saved.clone();
            let other = saved.pointer(&paths[source.below(paths.len() as u32) as usize]).cloned().expect("a place");
            let path = &paths[1 + source.below(paths.len() as u32 - 1) as usize];
            let number = || [0, 1, 2, 3, 7, 30, 61, 255][round as usize % 8];
            let wrong = [Value::Null, json!(number()), json!(-9), json!([]), other][source.below(5) as usize].clone();
            *spoilt.pointer_mut(path).expect("a place") = wrong;
            let Ok(mut play) = kind.resume(spoilt.to_string().as_bytes()) else { continue };
            resumed += 1;
            for _ in 0..60 {
                Viewer::all(3).for_each(|viewer| drop((play.view(viewer), play.resample(viewer, source))));
                let Some((seat, chosen)) = random_move(play.as_ref(), source) else { break };
                play.play(seat, &value(&chosen), source).expect("a listed move");
            }
        }
    }
    assert!(resumed > 100, "{resumed}");
}
