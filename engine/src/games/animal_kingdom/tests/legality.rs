//! What a seat may do, and with which code it is refused.

use super::*;

/// A match in phase `skill`, everybody at home but those said to be elsewhere.
fn in_places(elsewhere: &[&str]) -> Table {
    let mut table = deal(json!({}));
    go(&mut table, elsewhere);
    table
}

fn go(table: &mut Table, elsewhere: &[&str]) {
    for (seat, field) in places(elsewhere).entries() {
        table.plays(seat.0, json!({"type": "go", "field": field}));
    }
}

/// Everybody uses its skill: as said, else the first move it may.
fn use_skills(table: &mut Table, words: &[&str]) {
    let said: Vec<(Seat, Move)> = words.iter().map(|it| said(it)).collect();
    for seat in (0..SEATS).map(Seat) {
        let chosen = said.iter().find(|(who, _)| *who == seat).map(|(_, chosen)| json!(chosen));
        let chosen = chosen.unwrap_or_else(|| table.legal(seat.0)[0].clone());
        table.plays(seat.0, chosen);
    }
}

const LION: u8 = 0;
const CROW: u8 = 4;
const TOAD: u8 = 6;
const CHAMELEON: u8 = 8;
const DEER: u8 = 9;

#[test]
fn a_move_of_the_wrong_shape_is_invalid_for_every_seat_and_in_every_phase() {
    let wrong = [
        json!({"type": "go"}),
        json!({"type": "go", "field": "forest", "as": "lion"}),
        json!({"type": "go", "field": {"forest": null}}),
        json!({"type": "go", "field": "Forest"}),
        json!({"type": "go", "field": 0}),
        json!({"type": "pass", "as": "lion"}),
        json!({"type": "pass", "seat": 1}),
        json!({"type": "attack", "seat": 10}),
        json!({"type": "attack", "seat": -1}),
        json!({"type": "attack", "seat": 1.0}),
        json!({"type": "attack", "seat": "1"}),
        json!({"type": "attack", "seat": true}),
        json!({"type": "attack", "seat": null}),
        json!({"type": "attack", "seat": 1, "as": null}),
        json!({"type": "attack", "seat": 1, "as": "monkey"}),
        json!({"type": "attack", "seat": 1, "as": {"lion": null}}),
        json!({"type": "attack", "seat": 1, "gains": true}),
        json!({"type": "predict", "seat": 1}),
        json!({"type": "predict", "seat": 1, "animal": "roe_deer"}),
        json!({"type": "predict", "seat": 1, "animal": {"lion": null}}),
        json!({"type": "predict", "animal": "lion"}),
        json!({"type": "judge", "seat": 1}),
        json!({"type": "judge", "seat": 1, "gains": 1}),
        json!({"type": "judge", "seat": 1, "gains": null}),
        json!({"type": "follow", "seat": 1, "field": "sky"}),
        json!({"type": "rob"}),
    ];
    let (mut moving, mut skill) = (deal(json!({})), in_places(&[]));
    for chosen in wrong {
        for seat in [LION, CHAMELEON, DEER] {
            assert_eq!(moving.refuses(seat, chosen.clone()), "invalid_move", "{chosen}");
            assert_eq!(skill.refuses(seat, chosen.clone()), "invalid_move", "{chosen}");
        }
    }
    for chosen in [json!(null), json!("pass"), json!({"type": "select", "seat": 1}), json!({"type": null})] {
        assert_eq!(skill.refuses(LION, chosen), "unknown_move");
    }
}

#[test]
fn only_the_chameleon_says_as_whom_it_acts() {
    let mut table = in_places(&["chameleon plain"]);
    let hyena = 5;
    for (seat, chosen) in [
        (LION, json!({"type": "attack", "seat": hyena, "as": "lion"})),
        (LION, json!({"type": "follow", "seat": hyena})),
        (DEER, json!({"type": "attack", "seat": 3})),
        (DEER, json!({"type": "follow", "seat": 3, "as": "hyena"})),
        (CHAMELEON, json!({"type": "attack", "seat": hyena})),
        (CHAMELEON, json!({"type": "attack", "seat": hyena, "as": "crow"})),
        (CHAMELEON, json!({"type": "attack", "seat": hyena, "as": "chameleon"})),
        (CHAMELEON, json!({"type": "rob", "seat": hyena, "as": "water_deer"})),
        (CHAMELEON, json!({"type": "rob", "seat": CHAMELEON})),
    ] {
        assert_eq!(table.refuses(seat, chosen.clone()), "not_your_skill", "{chosen}");
    }
    for animal in ["lion", "crocodile", "eagle", "snake"] {
        assert!(table.may(CHAMELEON, &json!({"type": "attack", "seat": hyena, "as": animal})));
    }
}

#[test]
fn codes_follow_their_order() {
    let mut table = in_places(&["chameleon plain"]);
    use_skills(&mut table, &["lion attack hyena", "chameleon as lion attack hyena"]);
    assert_eq!(table.refuses(LION, json!({"type": "attack", "seat": 5})), "wrong_phase");
    go(&mut table, &["hyena sky"]);
    let copy = |seat: u8| json!({"type": "attack", "seat": seat, "as": "lion"});
    assert_eq!(table.refuses(CHAMELEON, copy(CHAMELEON)), "already_copied", "before own_seat");
    assert_eq!(table.refuses(CHAMELEON, copy(5)), "already_copied", "before the field and the choice");
    assert_eq!(table.refuses(CHAMELEON, json!({"type": "attack", "seat": CHAMELEON, "as": "eagle"})), "own_seat");
    assert_eq!(table.refuses(LION, json!({"type": "attack", "seat": 5})), "not_in_field", "before the choice");
    assert_eq!(table.refuses(LION, json!({"type": "go", "field": "sky"})), "wrong_phase");
    assert_eq!(table.refuses(CHAMELEON, json!({"type": "pass"})), "must_use_skill");
    assert_eq!(table.refuses(DEER, json!({"type": "attack", "seat": DEER})), "not_your_skill", "before own_seat");
    assert_eq!(table.legal(LION), [json!({"type": "pass"})]);
}

#[test]
fn a_target_is_used_up_whatever_came_of_it_and_across_copied_skills() {
    let mut table = in_places(&["chameleon plain"]);
    use_skills(&mut table, &["crow predict lion toad", "chameleon as crow predict lion lion"]);
    go(&mut table, &["chameleon plain"]);
    assert_eq!(table.refuses(CROW, json!({"type": "predict", "seat": 0, "animal": "lion"})), "already_chosen");
    assert_eq!(table.refuses(CHAMELEON, json!({"type": "attack", "seat": 0, "as": "lion"})), "already_chosen");
    assert!(table.may(CROW, &json!({"type": "predict", "seat": 1, "animal": "crow"})));
}

#[test]
fn being_barred_changes_nothing_about_what_one_may_do() {
    let legal = |before: &[&str]| {
        let mut table = in_places(before);
        use_skills(&mut table, &["toad judge crocodile no"]);
        go(&mut table, &["toad sky"]);
        table.legal(TOAD)
    };
    let (barred, free) = (legal(&["toad plain", "crocodile plain"]), legal(&[]));
    assert_eq!(barred, free);
    assert_eq!(barred.len(), 6, "eagle, crow and cuckoo, each judged to gain or not");
}

#[test]
fn a_chameleon_passes_once_no_copied_skill_has_a_target() {
    let uses = [
        "as crow predict lion lion",
        "as hyena follow crocodile",
        "as lion attack eagle",
        "as crocodile attack snake",
        "as eagle attack crow",
        "as snake attack hyena",
        "as toad judge toad no",
        "as cuckoo rob cuckoo",
    ];
    let rounds = uses.map(|it| said(&format!("chameleon {it}")).1);
    let may = |used: usize, fields: PerSeat<Field>| {
        let earlier: Vec<Round> = rounds[..used]
            .iter()
            .map(|chosen| {
                let mut moves = doings(&[]);
                moves[Seat(CHAMELEON)] = *chosen;
                Round { fields: fields.clone(), moves, gains: ByAnimal::new() }
            })
            .collect();
        let mut moves = Vec::new();
        let chameleon = Seat(CHAMELEON);
        Situation { seat: chameleon, animal: Animal::Chameleon, fields: &fields, earlier: &earlier }.moves(&mut moves);
        moves
    };
    assert_eq!(may(8, places(&[])), [Move::Pass {}], "all eight are copied");
    assert_eq!(may(2, places(&["snake sky", "water_deer sky"])), [Move::Pass {}], "those left do not leave the field");
    let copied = Some(Animal::Cuckoo);
    assert_eq!(
        may(7, places(&[])),
        [Move::Rob { seat: Seat(DEER), copied }],
        "the snake has been named, the water deer not"
    );
}

#[test]
fn the_autopilot_goes_home_when_it_must() {
    let mut table = deal(json!({}));
    let to = |field: &str| json!({"type": "go", "field": field});
    go(&mut table, &["lion sky"]);
    use_skills(&mut table, &[]);
    assert_eq!(table.autopilot(LION), to("plain"), "it has been away for a round");
}

#[test]
fn the_water_deer_of_the_autopilot_goes_round_all_fields() {
    let mut table = deal(json!({}));
    let mut fields = Vec::new();
    for _ in 0..4 {
        let chosen = table.autopilot(DEER);
        let field = chosen["field"].as_str().expect("a field").to_owned();
        go(&mut table, &[&format!("water_deer {field}")]);
        assert_eq!(table.autopilot(DEER), json!({"type": "pass"}));
        use_skills(&mut table, &[]);
        fields.push(field);
    }
    fields.sort();
    assert_eq!(fields, ["forest", "plain", "river", "sky"]);
}

#[test]
fn the_autopilot_predicts_what_it_can_know() {
    let mut table = deal(json!({}));
    go(&mut table, &["lion plain"]);
    use_skills(&mut table, &["crow predict lion eagle"]);
    go(&mut table, &[]);
    let predicts = table.autopilot(4);
    assert_eq!(predicts["type"], "predict");
    assert_ne!(predicts["animal"], "lion", "it has learned who the lion is");
    assert_ne!(predicts["animal"], "crow", "it is the crow itself");
}
