//! Calls and the exchanges that follow them.

use super::*;

#[test]
fn one_may_call_what_one_holds_what_nobody_has_and_the_same_again() {
    let mut table = example();
    table.calls(1, "S").gives(1, "S3").gives(4, "S2");
    assert_eq!(table.seen_by(1)["my_hand"], json!(["S2", "JK"]), "a spade for a spade");
    table.calls(2, "S").gives(4, "S3").gives(2, "D1");
    table.calls(3, "4").gives(3, "H3").gives(4, "C4").calls(4, "4");
    assert_eq!(table.public()["history"][3]["asked"], json!([0, 1, 2, 3]));
}

#[test]
fn the_joker_has_no_rank() {
    let mut table = deal(json!({}), &HANDS, HIDDEN, OPEN, 0);
    table.calls(0, "1");
    let entry = &table.public()["history"][0];
    assert_eq!((&entry["asked"], &entry["holder"]), (&json!([1, 2]), &json!(2)), "seat 1 holds S3 and the joker");
}

#[test]
fn a_call_matches_what_has_its_suit_or_rank() {
    for (call, card) in Call::all().flat_map(|call| Card::all().map(move |card| (call, card))) {
        let has_it = match call {
            Call::Suit(suit) => card.suit() == Some(suit),
            Call::Rank(rank) => card.rank() == Some(rank),
        };
        assert_eq!(call.matches(card), has_it, "{call:?} {card:?}");
    }
    assert_eq!((Card::JOKER.suit(), Card::JOKER.rank()), (None, None));
}

#[test]
fn the_holder_chooses_among_its_matching_cards() {
    let mut table = deal(json!({}), &["S1 H2", "H3 S4", "D1 D2", "C1 JK"], "S2 H4 D3", "C2 C3 D4 H1 S3 C4", 0);
    table.calls(0, "D");
    assert_eq!(table.legal(2), [give("D1"), give("D2")]);
    assert_eq!(table.legal(0), [give("S1"), give("H2")]);
    assert_eq!(table.refuses(2, give("D3")), "not_your_card");
    assert_eq!(table.refuses(2, give("H3")), "not_your_card");
    assert_eq!(table.refuses(1, give("H3")), "not_your_turn");
}

#[test]
fn the_asking_starts_at_the_left_and_stops_at_the_first_that_has_one() {
    let mut table = deal(json!({}), &["S1 H2", "S4 D1", "S2 JK", "C1 C2"], "H3 H4 D3", "D2 C3 D4 H1 S3 C4", 3);
    table.calls(3, "S");
    let entry = json!({"turn": 1, "round": 1, "seat": 3, "type": "call", "suit": "S", "asked": [0], "holder": 0});
    assert_eq!(table.public()["history"], json!([entry]));
    assert_eq!(table.public_events(), [json!({"type": "called", "seat": 3, "suit": "S", "asked": [0], "holder": 0})]);
}

#[test]
fn a_call_that_nobody_can_serve_passes_the_turn() {
    let mut table = deal(json!({}), &["S1 H2", "S4 D1", "S2 JK", "H3 H1"], "C1 C2 D3", "D2 C3 D4 H4 S3 C4", 3);
    table.calls(3, "C");
    let called = json!({"type": "called", "seat": 3, "suit": "C", "asked": [0, 1, 2], "holder": null});
    let started = json!({"type": "turn_started", "turn": 2, "round": 1, "seat": 0});
    assert_eq!(table.public_events(), [called, started]);
}

#[test]
fn the_card_just_received_cannot_be_handed_over() {
    for first in [1, 4] {
        let mut table = example();
        table.calls(1, "S");
        match first {
            1 => table.gives(1, "JK"),
            _ => table.gives(4, "S2"),
        };
        let other = 5 - first;
        assert_eq!(table.public()["to_move"], json!([other]));
        assert_eq!(table.seen_by(first)["my_hand"], example().seen_by(first)["my_hand"], "nothing has changed hands");
        assert_eq!(table.refuses(other, give(if other == 1 { "S2" } else { "JK" })), "not_your_card");
        assert_eq!(table.refuses(first, give("S3")), "not_your_turn");
        assert_eq!(table.refuses(other, json!({"type": "dance"})), "unknown_move");
    }
}

#[test]
fn an_exchange_is_told_to_each_as_far_as_it_may_know() {
    let mut table = example();
    table.calls(1, "S").gives(4, "S2");
    assert_eq!(table.events_for(4), [json!({"type": "gave", "seat": 4, "card": "S2"})]);
    for told in [table.public_events(), table.events_for(1), table.events_for(0)] {
        assert_eq!(told, [json!({"type": "gave", "seat": 4})]);
    }
    table.gives(1, "JK");
    let started = json!({"type": "turn_started", "turn": 2, "round": 1, "seat": 2});
    let exchanged = json!({"type": "exchanged", "seats": [1, 4]});
    let gave = json!({"type": "gave", "seat": 1});
    assert_eq!(table.public_events(), [gave.clone(), exchanged.clone(), started.clone()]);
    assert_eq!(table.events_for(3), [gave.clone(), exchanged, started.clone()]);
    let of_holder = json!({"type": "exchanged", "seats": [1, 4], "gave": "S2", "got": "JK"});
    assert_eq!(table.events_for(4), [gave, of_holder, started.clone()]);
    let gave = json!({"type": "gave", "seat": 1, "card": "JK"});
    let of_caller = json!({"type": "exchanged", "seats": [1, 4], "gave": "JK", "got": "S2"});
    assert_eq!(table.events_for(1), [gave, of_caller, started]);
}

#[test]
fn with_same_kind_back_off_another_kind_goes_back_if_there_is_one() {
    let options = json!({"same_kind_back": false});
    let mut table = deal(options, &HANDS, HIDDEN, OPEN, 1);
    table.calls(1, "S");
    assert_eq!(table.refuses(1, give("S3")), "same_kind");
    assert_eq!(table.refuses(1, give("S2")), "not_your_card", "checked before the kind");
    assert_eq!(table.legal(1), [give("JK")]);
    assert_eq!(table.legal(4), [give("S2")], "the holder is bound to the call alone");
    table.gives(1, "JK").gives(4, "S2").calls(2, "1");
    assert_eq!(table.refuses(2, give("D1")), "same_kind", "ranks are kinds, too");
}

#[test]
fn a_round_begins_when_the_turn_reaches_or_passes_the_seat_that_started() {
    let hands = ["S1 S2 H1", "D1 D2 H2", "C1 C2 S3"];
    let mut table = deal(json!({}), &hands, "C4 JK", "S4 H3 H4 D3 D4 C3", 1);
    table.calls(1, "4").calls(2, "4").calls(0, "4");
    assert_eq!(table.public()["round"], json!(2));
    table.answers(1, "JK").calls(2, "4");
    assert_eq!((&table.public()["round"], &table.public()["to_move"]), (&json!(2), &json!([0])));
    table.calls(0, "4");
    assert_eq!(
        (&table.public()["round"], &table.public()["to_move"]),
        (&json!(3), &json!([2])),
        "past seat 1, which is out"
    );
}

#[test]
fn calls_close_after_the_last_round_and_not_before() {
    let hands = ["S1 S2 H1", "D1 D2 H2", "C1 C2 S3"];
    let mut table = deal(json!({"max_rounds": 2}), &hands, "C4 JK", "S4 H3 H4 D3 D4 C3", 1);
    for (seat, phase, round) in
        [(1, "turn", 1), (2, "turn", 1), (0, "turn", 2), (1, "turn", 2), (2, "turn", 2), (0, "final", 3)]
    {
        table.calls(seat, "4");
        assert_eq!((&table.public()["phase"], &table.public()["round"]), (&json!(phase), &json!(round)));
    }
    assert_eq!(table.refuses(1, call("4")), "calls_closed");
}

#[test]
fn an_exchange_in_the_last_round_is_carried_out_before_calls_close() {
    let hands = ["S1 S2 H1", "D1 D2 H2"];
    let mut table = deal(json!({"max_rounds": 1}), &hands, "C4", "JK C1 C2 C3 S3 S4 H3 H4 D3 D4", 0);
    table.calls(0, "D").gives(0, "S1").gives(1, "D1").calls(1, "D");
    assert_eq!(table.public()["phase"], json!("exchange"));
    table.gives(1, "D2").gives(0, "D1");
    assert_eq!((&table.public()["phase"], &table.public()["round"]), (&json!("final"), &json!(2)));
    assert_eq!(table.refuses(0, call("H")), "calls_closed");
    assert_eq!(table.refuses(0, give("H1")), "wrong_phase");
    assert_eq!(table.refuses(0, answer("H1")), "card_known");
    assert_eq!(table.legal(0), [answer("S1"), answer("H2"), answer("D1"), answer("C4")]);
}

#[test]
fn a_call_is_one_suit_or_one_rank() {
    let mut table = example();
    let mut shape = |fields: Value| {
        let mut chosen = fields;
        chosen["type"] = json!("call");
        table.refuses(1, chosen)
    };
    for fields in [
        json!({}),
        json!({"suit": "S", "rank": 3}),
        json!({"suit": "S", "rank": null}),
        json!({"suit": null}),
        json!({"suit": {"S": null}}),
        json!({"suit": ["S"]}),
        json!({"suit": "s"}),
        json!({"suit": "spades"}),
        json!({"rank": 0}),
        json!({"rank": 5}),
        json!({"rank": 3.0}),
        json!({"rank": "3"}),
        json!({"rank": true}),
        json!({"rank": 3, "card": "S3"}),
        json!({"rank": 259}),
    ] {
        assert_eq!(shape(fields.clone()), "invalid_move", "{fields}");
    }
}

#[test]
fn a_move_names_one_of_the_seventeen_cards_and_nothing_else() {
    let mut table = example();
    for kind in ["answer", "give"] {
        for card in [json!("S5"), json!("jk"), json!(null), json!({"S1": null}), json!(3), json!(["S1"])] {
            assert_eq!(table.refuses(1, json!({"type": kind, "card": card})), "invalid_move");
        }
        assert_eq!(table.refuses(1, json!({"type": kind})), "invalid_move");
        assert_eq!(table.refuses(1, json!({"type": kind, "card": "S4", "seat": 1})), "invalid_move");
    }
    for chosen in [json!("call"), json!(null), json!({"type": 1}), json!({"type": ["call"]}), json!({"type": "Call"})] {
        assert_eq!(table.refuses(1, chosen), "unknown_move");
    }
}
