//! One test per rule that no scenario shows, then the laws.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::*;
use crate::conformance::{conforms, determinizes};
use crate::erased::of;
use crate::games::table::Table;
use crate::playout::random;
use crate::record::value;

mod answers;
mod calls;
mod sight;
mod worlds;

/// Five seats: the deal of the document's first worked example.
const HANDS: [&str; 5] = ["S1 H2", "S3 JK", "D1 D2", "C1 H3", "C4 S2"];
const HIDDEN: &str = "S4 H4 D3 C2";
const OPEN: &str = "C3 D4 H1";

fn example() -> Table {
    deal(json!({}), &HANDS, HIDDEN, OPEN, 1)
}

fn deal(options: Value, hands: &[&str], hidden: &str, open: &str, first_seat: u8) -> Table {
    let cards = [hands.join(" "), hidden.into(), open.into()].join(" ");
    let deck: Vec<&str> = cards.split_whitespace().collect();
    let chance = vec![json!({"deck": deck}), json!({"first_seat": first_seat})];
    Table::new(of::<HoguClue>(), &options, hands.len() as u8, chance)
}

/// The three moves by their words.
trait Clue {
    fn calls(&mut self, seat: u8, kind: &str) -> &mut Self;
    fn gives(&mut self, seat: u8, card: &str) -> &mut Self;
    fn answers(&mut self, seat: u8, card: &str) -> &mut Self;
}

impl Clue for Table {
    fn calls(&mut self, seat: u8, kind: &str) -> &mut Self {
        self.plays(seat, call(kind))
    }

    fn gives(&mut self, seat: u8, card: &str) -> &mut Self {
        self.plays(seat, give(card))
    }

    fn answers(&mut self, seat: u8, card: &str) -> &mut Self {
        self.plays(seat, answer(card))
    }
}

fn typed(table: &Table) -> HoguClue {
    serde_json::from_value(table.saved()).expect("its own state")
}

fn call(kind: &str) -> Value {
    match kind.parse::<u8>() {
        Ok(rank) => json!({"type": "call", "rank": rank}),
        Err(_) => json!({"type": "call", "suit": kind}),
    }
}

fn give(card: &str) -> Value {
    json!({"type": "give", "card": card})
}

fn answer(card: &str) -> Value {
    json!({"type": "answer", "card": card})
}

#[test]
fn the_deal_depends_on_the_number_of_seats() {
    for (seats, each, hidden, open) in [(2, 3, 1, 10), (3, 3, 2, 6), (4, 2, 3, 6), (5, 2, 4, 3), (6, 2, 5, 0)] {
        let (play, _) = of::<HoguClue>().start(&json!({}), seats, &mut random(1)).expect("it starts");
        let view = value(&play.view(Viewer::Seat(Seat(1))));
        let open_cards = view["open"].as_array().map(Vec::len);
        assert_eq!((&view["hand_size"], &view["hidden_count"], open_cards), (&json!(each), &json!(hidden), Some(open)));
        assert_eq!(view["my_hand"].as_array().map(Vec::len), Some(each));
    }
}

#[test]
fn everybody_is_told_the_open_cards_and_who_starts_and_its_own_hand() {
    let table = example();
    let opened = json!({"type": "opened", "cards": ["H1", "D4", "C3"]});
    let started = json!({"type": "turn_started", "turn": 1, "round": 1, "seat": 1});
    assert_eq!(table.public_events(), [opened.clone(), started.clone()]);
    let dealt = json!({"type": "dealt", "seat": 4, "cards": ["S2", "C4"]});
    assert_eq!(table.events_for(4), [dealt, opened, started]);
}

#[test]
fn a_deck_is_all_seventeen_cards_each_once() {
    let start = |deck: Vec<&str>| {
        let mut queue = VecDeque::from([json!({"deck": deck}), json!({"first_seat": 0})]);
        of::<HoguClue>().start(&json!({}), 5, &mut queue).map(|_| ()).is_ok()
    };
    let mut deck: Vec<&str> = Card::all().map(Card::id).collect();
    assert!(start(deck.clone()));
    deck[3] = "S1";
    assert!(!start(deck.clone()));
    deck[3] = "S4";
    deck.push("S1");
    assert!(!start(deck));
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let settle = |options: Value| of::<HoguClue>().normalize_options(&options, 5);
    let defaults = json!({"max_rounds": 20, "same_kind_back": true});
    assert_eq!(settle(json!({})), Ok(defaults));
    assert_eq!(settle(json!({"max_rounds": 100})), Ok(json!({"max_rounds": 100, "same_kind_back": true})));
    for max_rounds in [json!(0), json!(101), json!(5.0), json!("5"), json!(null), json!(true), json!(-1)] {
        let refused = settle(json!({"max_rounds": max_rounds}));
        assert!(matches!(refused, Err(BadOptions::Option { ref key, .. }) if key == "max_rounds"), "{max_rounds}");
    }
    for same_kind_back in [json!(1), json!("true"), json!(null)] {
        assert!(settle(json!({"same_kind_back": same_kind_back})).is_err(), "{same_kind_back}");
    }
}

#[test]
fn a_state_that_no_match_comes_to_is_not_resumed() {
    let mut table = example();
    table.calls(1, "S").gives(4, "S2").gives(1, "JK").answers(2, "S4").calls(3, "3").gives(1, "S3");
    let state = table.saved();
    let resumes = |state: &Value| of::<HoguClue>().resume(state.to_string().as_bytes()).is_ok();
    assert!(resumes(&state));
    for (pointer, wrong) in [
        ("/players/0/hand", json!(["S1", "S3"])),
        ("/players/0/hand", json!(["S1"])),
        ("/players/2/place", json!(null)),
        ("/players/2/place", json!(9)),
        ("/players/1/exchanges", json!([])),
        ("/players/1/exchanges/0/gave", json!("D3")),
        ("/first_seat", json!(5)),
        ("/stage/exchange/holder", json!(0)),
        ("/stage/exchange/holder", json!(200)),
        ("/stage/exchange/holder_gives", json!("S2")),
        ("/stage", json!({"turn": {"seat": 2}})),
        ("/stage", json!("over")),
        ("/history/0/asked", json!([2, 3, 77])),
        ("/history/1/right", json!(false)),
        ("/history/2/asked", json!([])),
        ("/found", json!([])),
        ("/round", json!(0)),
    ] {
        let mut state = state.clone();
        *state.pointer_mut(pointer).expect("it is there") = wrong.clone();
        assert!(!resumes(&state), "{pointer} = {wrong}");
    }
}

#[test]
fn hogu_clue_keeps_the_laws() {
    conforms(of::<HoguClue>());
}

#[test]
fn hogu_clue_determinizes() {
    determinizes(of::<HoguClue>());
}
