//! What is seen, and what could lie behind it.

use super::*;

#[test]
fn the_view_of_the_worked_example_is_the_documents() {
    let mut table = example();
    table.calls(1, "S").gives(4, "S2").gives(1, "JK").answers(2, "S4").calls(3, "3").gives(1, "S3");
    let expected = json!({
        "game": "hogu-clue", "options": {"max_rounds": 20, "same_kind_back": true}, "seats": 5, "phase": "exchange",
        "round": 1, "to_move": [3], "interrupt": [], "outcome": null, "turn": 3, "first_seat": 1, "hand_size": 2,
        "open": ["H1", "D4", "C3"], "hidden_count": 3, "found": ["S4"], "places": [null, null, 1, null, null],
        "revealed": [null, null, ["D1", "D2"], null, null],
        "exchange": {"caller": 3, "holder": 1, "rank": 3, "given": [1]}, "hidden": null,
        "history": [
            {"turn": 1, "round": 1, "seat": 1, "type": "call", "suit": "S", "asked": [2, 3, 4], "holder": 4},
            {"turn": 2, "round": 1, "seat": 2, "type": "answer", "card": "S4", "right": true, "rank": 1,
             "opened": ["D1", "D2"]},
            {"turn": 3, "round": 1, "seat": 3, "type": "call", "rank": 3, "asked": [4, 0, 1], "holder": 1}],
        "my_hand": ["S2", "S3"], "my_give": "S3", "my_exchanges": [{"turn": 1, "with": 4, "gave": "JK", "got": "S2"}]
    });
    assert_eq!(table.seen_by(1), expected);
    let mut public = expected;
    public.as_object_mut().expect("a view").retain(|field, _| !field.starts_with("my_"));
    assert_eq!(table.public(), public);
}

#[test]
fn a_seat_that_is_out_keeps_seeing_its_hand_and_its_exchanges() {
    let mut table = example();
    table.calls(1, "S").gives(4, "S2").gives(1, "JK").answers(2, "S1").answers(3, "S1").answers(4, "S1");
    assert_eq!(table.seen_by(4)["my_hand"], json!(["C4", "JK"]));
    assert_eq!(table.seen_by(4)["revealed"][4], json!(["C4", "JK"]));
    assert_eq!(table.seen_by(4)["my_exchanges"], json!([{"turn": 1, "with": 1, "gave": "S2", "got": "JK"}]));
}

#[test]
fn at_the_end_everybody_sees_all_hands_and_hidden_cards() {
    let mut table = example();
    table.answers(1, "S1").answers(2, "S1").answers(3, "S1").answers(4, "S4");
    let view = table.public();
    assert_eq!((&view["turn"], &view["round"], &view["exchange"]), (&json!(4), &json!(1), &json!(null)));
    assert_eq!(view["hidden"], json!(["S4", "H4", "D3", "C2"]));
    assert_eq!(view["revealed"], json!([["S1", "H2"], ["S3", "JK"], ["D1", "D2"], ["H3", "C1"], ["S2", "C4"]]));
}

/// Seat 1 knows where the cards of its exchange went, who had no card called, and what was named wrongly.
#[test]
fn every_resampled_world_is_possible_for_the_viewer() {
    let mut table = example();
    table.calls(1, "S").gives(4, "S2").gives(1, "JK").answers(2, "C1").calls(3, "4").gives(3, "H3").gives(4, "C4");
    let game = typed(&table);
    let (mut hidden, mut joker) = (Cards::NONE, Cards::NONE);
    for seed in 0..400 {
        let world = game.resample(Viewer::Seat(Seat(1)), &mut random(seed));
        assert!(world.could_be());
        hidden = hidden.and(world.hidden);
        if world.players[Seat(4)].hand.has(Card::JOKER) {
            joker = joker.and(world.players[Seat(4)].hand.but(Card::JOKER.into()));
        }
        let first = world.players[Seat(3)].exchanges[0];
        assert!(Call::all().nth(7).is_some_and(|four| four.matches(first.got)), "the holder gave a four");
    }
    let ids = |cards: Cards| cards.iter().map(Card::id).collect::<Vec<_>>();
    assert_eq!(ids(hidden), ["S1", "S4", "H2", "H3", "H4", "D3", "C2", "C4"], "neither the joker nor S2, S3 or C1");
    assert!(joker.len() > 1, "what else seat 4 holds is open: {:?}", ids(joker));
}

#[test]
fn those_who_have_looked_know_the_hidden_cards_but_not_the_hands() {
    let mut table = example();
    table.calls(1, "S").gives(4, "S2").gives(1, "JK").answers(2, "S4");
    let game = typed(&table);
    let worlds: Vec<_> = (0..50).map(|seed| game.resample(Viewer::Seat(Seat(2)), &mut random(seed))).collect();
    assert!(worlds.iter().all(|world| world.hidden == game.hidden));
    assert!(worlds.iter().any(|world| world.players[Seat(0)].hand != game.players[Seat(0)].hand));
    assert!(worlds.iter().any(|world| world.players[Seat(1)].exchanges != game.players[Seat(1)].exchanges));
}
