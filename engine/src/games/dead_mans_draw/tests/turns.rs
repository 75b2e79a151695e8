//! Setting up, turns, refusals, the end.

use super::*;

fn deck(mermaid_rules: bool) -> Value {
    let all = Cards::all(mermaid_rules);
    json!({"deck": all.without(all.bottoms())})
}

#[test]
fn the_lowest_card_of_each_suit_is_discarded_at_first() {
    let open = |mermaid_rules| {
        let options = json!({"open_discard": true, "mermaid_rules": mermaid_rules});
        Play::from_setup(options, 2, vec![deck(mermaid_rules), json!({"first_seat": 0})]).see("/discard")
    };
    let nines = "anchor-2 hook-2 cannon-2 key-2 chest-2 map-2 oracle-2 sword-2 kraken-2";
    assert_eq!(open(false), ids(&format!("{nines} mermaid-4")));
    assert_eq!(open(true), ids(&format!("{nines} mermaid-2")));
}

#[test]
fn the_deck_is_the_other_fifty_cards_and_nothing_else() {
    let game = of::<DeadMansDraw>();
    let starts = |options: Value, deck: Value| {
        game.start(&options, 2, &mut VecDeque::from([deck, json!({"first_seat": 0})])).is_ok()
    };
    assert!(starts(json!({}), deck(false)));
    assert!(!starts(json!({}), deck(true)));
    assert!(!starts(json!({"mermaid_rules": true}), deck(false)));
    let mut twice = deck(false);
    twice["deck"][0] = twice["deck"][1].clone();
    assert!(!starts(json!({}), twice));
    let mut short = deck(false);
    short["deck"].as_array_mut().expect("a deck").pop();
    assert!(!starts(json!({}), short));
}

#[test]
fn traits_are_dealt_as_many_as_the_table_says_and_all_different() {
    let game = of::<DeadMansDraw>();
    let starts = |deal: u8, traits: Value| {
        let options = json!({"traits": true, "trait_deal": deal});
        let mut chance = VecDeque::from([deck(false), json!({"traits": traits}), json!({"first_seat": 0})]);
        game.start(&options, 2, &mut chance).is_ok()
    };
    assert!(starts(1, json!([["miser"], ["parry"]])));
    assert!(!starts(1, json!([["miser"], ["miser"]])));
    assert!(!starts(1, json!([["miser"], ["siren"]])), "without mermaid rules");
    assert!(!starts(1, json!([["miser"]])));
    assert!(!starts(2, json!([["miser"], ["parry"]])));
}

#[test]
fn with_a_single_trait_card_each_there_is_nothing_to_choose() {
    let options = json!({"traits": true, "trait_deal": 1});
    let chance = vec![deck(false), json!({"traits": [["miser"], ["parry"]]}), json!({"first_seat": 1})];
    let mut play = Play::from_setup(options, 2, chance);
    play.shows("/phase", json!("turn")).shows("/traits", json!(["miser", "parry"])).shows("/to_move", json!([1]));
    assert_eq!(play.seen_by(0)["my_trait"], "miser");
}

#[test]
fn a_seat_keeps_one_of_the_traits_dealt_to_it_and_cannot_choose_again() {
    let options = json!({"traits": true, "trait_deal": 3});
    let dealt = json!({"traits": [["miser", "mystic", "casanova"], ["parry", "misfire", "plunderer"]]});
    let mut play = Play::from_setup(options, 2, vec![deck(false), dealt]);
    play.refuses(json!({"type": "choose_card", "card": "key-3"}), "must_choose");
    play.refuses(json!({"type": "choose_trait", "trait": "parry"}), "not_a_choice");
    play.refuses(json!({"type": "choose_trait", "trait": {"miser": null}}), "invalid_move");
    play.does_as(0, json!({"type": "choose_trait", "trait": "casanova"})).shows("/to_move", json!([1]));
    play.chance(json!({"first_seat": 0})).does(json!({"type": "choose_trait", "trait": "misfire"}));
    play.shows("/traits", json!(["casanova", "misfire"])).shows("/phase", json!("turn"));
    assert_eq!(play.seen_by(1)["my_dealt"], json!(["parry", "misfire", "plunderer"]));
}

#[test]
fn the_variant_option_is_a_word_or_null() {
    let settles = |it: Value| of::<DeadMansDraw>().normalize_options(&json!({"game_variant": it}), 2);
    assert_eq!(settles(json!("sudden_death")).expect("a word")["game_variant"], "sudden_death");
    assert_eq!(settles(Value::Null).expect("none")["game_variant"], Value::Null);
    for bad in [json!({"random": null}), json!("Random"), json!(1), json!(["random"])] {
        assert_eq!(settles(bad).expect_err("no word").code(), "invalid_options");
    }
}

#[test]
fn moves_of_an_option_that_is_off_do_not_exist() {
    let mut play = base(2).row("key-3").play();
    play.refuses(json!({"type": "choose_seat", "seat": 1}), "unknown_move");
    play.refuses(json!({"type": "choose_trait", "trait": "miser"}), "unknown_move");
    play.refuses(json!({"type": "choose_card", "card": "key-4"}), "nothing_to_choose");
    let mut play = with_traits(&["miser", "parry"], json!({})).row("key-3").play();
    play.refuses(json!({"type": "choose_seat", "seat": 1}), "nothing_to_choose");
    play.refuses(json!({"type": "choose_trait", "trait": "parry"}), "nothing_to_choose");
}

#[test]
fn fields_of_moves_are_what_they_must_be_before_anything_else_is_asked() {
    let mut play = with_traits(&["miser", "parry"], json!({})).row("key-3").play();
    for seat in [json!(2), json!(-1), json!(1.0), json!("1"), json!(true), json!(null), json!(256)] {
        play.refuses(json!({"type": "choose_seat", "seat": seat}), "invalid_move");
    }
    for card in ["mermaid-2", "key-8", "key-03", "Key-3", "key", "mermaid-10", ""] {
        play.refuses(json!({"type": "choose_card", "card": card}), "invalid_move");
    }
    play.refuses(json!({"type": "choose_trait", "trait": "siren"}), "invalid_move");
    play.refuses(json!({"type": "choose_card"}), "invalid_move");
    play.refuses(json!({"type": "collect", "seat": 1}), "invalid_move");
    let mut play = table(2, json!({"mermaid_rules": true})).row("key-3").play();
    play.refuses(json!({"type": "choose_card", "card": "mermaid-9"}), "invalid_move");
    play.refuses(json!({"type": "choose_card", "card": "mermaid-2"}), "nothing_to_choose");
}

#[test]
fn a_choice_of_a_card_takes_no_seat_and_the_other_way_round() {
    let mut play = with_traits(&["plunderer", "parry"], json!({})).bank(1, "map-3").row("key-3 chest-3").play();
    play.collects().shows("/pending/kind", json!("plunder_seat"));
    play.refuses(json!({"type": "choose_card", "card": "map-3"}), "must_choose");
    play.refuses(json!({"type": "choose_seat", "seat": 0}), "not_a_choice");
    let mut play = with_traits(&["miser", "parry"], json!({})).bank(0, "map-3").pile("hook-3").play();
    play.draws().refuses(json!({"type": "choose_seat", "seat": 1}), "must_choose");
    play.refuses(json!({"type": "choose_trait", "trait": "miser"}), "must_choose");
}

#[test]
fn collecting_is_refused_before_the_first_draw_even_in_debt() {
    let mut play = base(2).play();
    play.refuses(json!({"type": "collect"}), "must_draw_first");
}

#[test]
fn the_busting_card_is_neither_placed_nor_used() {
    let mut play = base(2).bank(1, "map-6").row("cannon-3").pile("cannon-4").play();
    play.draws().shows("/phase", json!("turn")).bank_is(1, "map-6").shows("/to_move", json!([1]));
}

#[test]
fn a_round_ends_when_the_first_seat_begins_another_turn() {
    let mut play = base(3).acting(2).row("key-3").play();
    play.shows("/round", json!(1)).collects().shows("/to_move", json!([0])).shows("/round", json!(2));
    play.draws().collects().shows("/to_move", json!([1])).shows("/round", json!(2));
}

#[test]
fn the_last_turn_may_end_by_a_bust_whose_bonus_still_comes() {
    let mut play = base(2).row("key-3 chest-4 anchor-5").discard("map-7").last_cards("key-6").play();
    play.chance(json!({"bonus": {"seat": 0, "cards": ["map-7", "anchor-5"]}})).draws();
    play.shows("/phase", json!("finished")).shows("/outcome/reason", json!("draw_pile_empty"));
    play.bank_is(0, "anchor-5 key-3 chest-4 map-7").shows("/outcome/scores", json!([19, 0]));
}

#[test]
fn choices_come_before_the_end_of_the_last_turn() {
    let mut play = base(2).bank(0, "map-6").discard("").last_cards("hook-3").play();
    play.draws().takes("map-6").shows("/phase", json!("turn"));
    play.refuses(json!({"type": "draw"}), "draw_pile_empty").collects().shows("/outcome/ranks", json!([1, 2]));
}

#[test]
fn the_highest_card_of_each_suit_counts() {
    let mut play = base(2).bank(0, "mermaid-4 mermaid-6 mermaid-7").bank(1, "mermaid-9").play();
    play.shows("/scores", json!([7, 9]));
}

#[test]
fn more_cards_win_a_tie_and_equal_banks_share_the_place() {
    let ends = |banks: [&str; 4]| {
        let mut deal = base(4).last_cards("hook-3");
        for (seat, bank) in (0..).zip(banks) {
            deal = deal.bank(seat, bank);
        }
        let mut play = deal.acting(3).play();
        play.draws().collects();
        play.see("/outcome/ranks")
    };
    assert_eq!(ends(["key-5", "map-5 map-3", "oracle-4", ""]), json!([2, 1, 3, 4]));
    assert_eq!(ends(["key-5", "map-5", "oracle-5 oracle-2", ""]), json!([2, 2, 1, 4]));
    assert_eq!(ends(["key-5 key-2", "map-6", "oracle-5 oracle-3", ""]), json!([2, 1, 2, 4]));
}

#[test]
fn after_the_end_nothing_is_owed_or_turned_up() {
    let mut play = base(2).row("key-3").last_cards("oracle-3").play();
    play.draws().collects().shows("/drawn", json!(0)).shows("/must_draw", json!(0)).shows("/pending", Value::Null);
    play.shows("/revealed", json!([])).shows("/to_move", json!([])).shows("/play_area", json!([]));
    assert_eq!(play.table.refuses(0, json!(7)), "game_over");
}
