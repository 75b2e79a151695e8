//! Answers, places and the end.

use super::*;

#[test]
fn what_lies_face_up_cannot_be_named() {
    let mut table = example();
    assert_eq!(table.refuses(1, answer("D4")), "card_known", "open");
    assert_eq!(table.refuses(1, answer("JK")), "card_known", "in its hand");
    table.answers(1, "S4");
    assert_eq!(table.refuses(2, answer("S4")), "card_known", "found");
    assert_eq!(table.refuses(2, answer("JK")), "card_known", "laid open");
}

#[test]
fn a_card_that_one_has_given_away_or_that_was_named_wrongly_can_be_named() {
    let mut table = example();
    table.calls(1, "S").gives(1, "JK").gives(4, "S2").answers(2, "C4");
    assert_eq!(table.public()["places"], json!([null, null, 5, null, null]));
    table.answers(3, "C4");
    assert_eq!(table.public()["places"], json!([null, null, 5, 4, null]));
    table.calls(4, "C").calls(0, "C").gives(4, "C4").gives(0, "S1");
    assert!(table.legal(1).contains(&answer("C4")), "named wrongly twice");
    assert!(table.legal(1).contains(&answer("JK")), "seat 1 gave it to seat 4");
}

#[test]
fn only_the_one_that_answered_looks_at_the_hidden_cards() {
    let mut table = example();
    table.answers(1, "H4");
    let answered =
        json!({"type": "answered", "seat": 1, "card": "H4", "right": true, "rank": 1, "opened": ["S3", "JK"]});
    let looked = json!({"type": "looked", "seat": 1, "hidden": ["S4", "H4", "D3", "C2"]});
    let started = json!({"type": "turn_started", "turn": 2, "round": 1, "seat": 2});
    assert_eq!(table.public_events(), [answered.clone(), started.clone()]);
    assert_eq!(table.events_for(0), [answered.clone(), started.clone()]);
    assert_eq!(table.events_for(1), [answered, looked, started]);
    table.answers(2, "S1");
    assert_eq!(table.seen_by(2)["hidden"], json!(["S4", "H4", "D3", "C2"]), "the wrong one, too; found ones included");
    assert_eq!((&table.public()["hidden_count"], &table.public()["hidden"]), (&json!(3), &json!(null)));
    assert_eq!(table.seen_by(0)["hidden"], json!(null));
}

#[test]
fn of_two_seats_the_one_that_answers_wrongly_is_second() {
    let mut table = deal(json!({}), &["S1 S2 H1", "D1 D2 JK"], "C4", "S3 S4 H2 H3 H4 D3 D4 C1 C2 C3", 1);
    table.answers(1, "S1");
    assert_eq!(table.public()["outcome"], json!({"ranks": [1, 2], "scores": null, "reason": "one_left"}));
    assert_eq!(table.public()["found"], json!([]));
    assert_eq!(table.public()["hidden_count"], json!(1));
    let answered =
        json!({"type": "answered", "seat": 1, "card": "S1", "right": false, "rank": 2, "opened": ["D1", "D2", "JK"]});
    let over = json!({
        "type": "game_over",
        "outcome": {"ranks": [1, 2], "scores": null, "reason": "one_left"},
        "hidden": ["C4"],
        "hands": [["S1", "S2", "H1"], ["D1", "D2", "JK"]],
    });
    assert_eq!(table.public_events(), [answered.clone(), over.clone()]);
    let looked = json!({"type": "looked", "seat": 1, "hidden": ["C4"]});
    assert_eq!(table.events_for(1), [answered, looked, over]);
}

#[test]
fn answers_alone_end_a_match_however_wrong_they_are() {
    let mut table = example();
    for (seat, card) in [(1, "S1"), (2, "S1"), (3, "S1"), (4, "S1")] {
        table.answers(seat, card);
    }
    assert_eq!(table.public()["outcome"]["ranks"], json!([1, 5, 4, 3, 2]));
    assert_eq!(table.public()["hidden_count"], json!(4));
    assert_eq!(table.refuses(0, json!(7)), "game_over");
}

#[test]
fn while_two_are_active_there_is_something_to_answer() {
    let mut table = deal(json!({}), &["S1 H2", "S3 S4", "D1 D2", "C1 H3", "C4 S2", "H1 H4"], "D3 D4 C2 C3 JK", "", 0);
    for (seat, card) in [(0, "D3"), (1, "D4"), (2, "C2"), (3, "C3")] {
        table.answers(seat, card);
    }
    assert_eq!(table.public()["hidden_count"], json!(1));
    assert!(table.legal(4).contains(&answer("JK")));
    table.answers(4, "JK");
    assert_eq!(table.public()["outcome"]["ranks"], json!([1, 2, 3, 4, 5, 6]));
    assert_eq!(table.public()["found"], json!(["D3", "D4", "C2", "C3", "JK"]), "in the order found");
}

#[test]
fn the_autopilot_answers_when_it_is_certain_and_calls_until_then() {
    let hands = ["S1 S2 H1", "D1 D2 JK"];
    let mut table = deal(json!({}), &hands, "C4", "S3 S4 H2 H3 H4 D3 D4 C1 C2 C3", 0);
    assert_eq!(table.autopilot(0), call("D"), "two of the four cards that it does not see are diamonds");
    table.calls(0, "D").gives(0, "S1").gives(1, "D1").calls(1, "H").gives(0, "H1").gives(1, "D2");
    table.calls(0, "S").gives(0, "D1").gives(1, "S1").calls(1, "D").gives(1, "H1").gives(0, "D2").calls(0, "1");
    table.gives(0, "S2").gives(1, "D1").calls(1, "D").gives(1, "JK").gives(0, "D1");
    assert_eq!(table.autopilot(0), answer("C4"), "it has had every other card in its hand");
}

#[test]
fn the_autopilot_answers_when_the_odds_are_good() {
    let mut table = deal(json!({}), &["S1 C3", "S4 H1", "D1 D2", "C1 H2", "C4 S2", "H4 D4"], "S3 H3 D3 C2 JK", "", 0);
    table.calls(0, "3");
    let threes = ["S3", "H3", "D3", "C3"].map(answer);
    assert!(threes.contains(&table.autopilot(1)), "nobody but seat 0 can have a three, and it has two cards");
}

#[test]
fn the_autopilot_hands_over_what_the_other_has_seen() {
    let mut table = example();
    table.calls(1, "S").gives(4, "S2").gives(1, "JK").calls(2, "4").gives(2, "D1").gives(4, "C4");
    table.calls(3, "1").gives(4, "D1").gives(3, "H3").calls(4, "2").gives(0, "H2").gives(4, "H3");
    table.calls(0, "4").gives(2, "C4").gives(0, "S1").calls(1, "H");
    assert_eq!(table.autopilot(1), give("S2"), "seat 4 has had it, so that only S3 would be news to it");
}

#[test]
fn a_tally_counts_answers_and_nothing_else() {
    let told = [
        r#"{"type":"called","seat":0,"suit":"x","asked":[1],"holder":1}"#,
        r#"{"type":"answered","seat":1,"card":{},"right":true,"rank":1,"opened":[]}"#,
        r#"{"type":"answered","seat":0,"card":{},"right":false,"rank":2,"opened":[]}"#,
    ];
    let events = told.map(|event| serde_json::value::RawValue::from_string(event.into()).expect("JSON"));
    let stats = HoguClue::statistics(2, &events);
    let calls = |seat| (stats[Seat(seat)].calls_right, stats[Seat(seat)].calls_wrong);
    assert_eq!([calls(0), calls(1)], [(0, 1), (1, 0)]);
}
