//! What each suit does.

use super::*;

#[test]
fn a_hook_must_be_used_even_if_every_choice_busts_and_what_it_brings_is_lost() {
    let mut play = base(2).bank(0, "key-3 key-5").row("key-4 map-3").pile("hook-4").play();
    play.draws().offers("key-5").takes("key-5");
    play.kept_and_lost("", "key-4 map-3 hook-4 key-5").bank_is(0, "key-3").shows("/to_move", json!([1]));
}

#[test]
fn a_card_that_a_hook_brings_is_used_before_anything_else_happens() {
    let mut play = base(2).bank(0, "cannon-3").bank(1, "map-6").pile("hook-4").play();
    play.draws().takes("cannon-3").shows("/pending/kind", json!("cannon")).offers("map-6").takes("map-6");
    play.row_is("hook-4 cannon-3").bank_is(1, "").shows("/phase", json!("turn"));
}

#[test]
fn a_cannon_may_hit_the_top_card_of_any_stack_of_any_opponent() {
    let mut play = base(3).bank(0, "key-7").bank(1, "map-6 map-4").bank(2, "map-5 key-3").pile("cannon-3").play();
    play.draws().offers("key-3 map-5 map-6");
    play.refuses(json!({"type": "choose_card", "card": "map-4"}), "not_a_choice");
    play.refuses(json!({"type": "choose_card", "card": "key-7"}), "not_a_choice");
    play.takes("map-5").bank_is(2, "key-3").row_is("cannon-3").shows("/discard_count", json!(11));
}

#[test]
fn a_map_turns_up_all_of_three_discarded_cards_without_chance() {
    let mut play = base(2).discard("key-2 map-2 kraken-2").pile("map-3").play();
    play.draws().offers("key-2 map-2 kraken-2").shows("/discard_count", json!(3));
    play.takes("kraken-2").row_is("map-3 kraken-2").shows("/must_draw", json!(2)).shows("/discard_count", json!(2));
}

#[test]
fn one_of_the_cards_that_a_map_turns_up_must_be_taken_even_if_all_bust() {
    let mut play = base(2).discard("key-2 map-2").row("key-4").pile("map-3").play();
    play.draws().takes("map-2").kept_and_lost("", "key-4 map-3 map-2").shows("/last_turn/bust_card", json!("map-2"));
    play.shows("/discard_count", json!(4));
}

#[test]
fn a_map_on_an_empty_discard_pile_does_nothing_and_stays() {
    let mut play = base(2).discard("").pile("map-3").play();
    play.draws().row_is("map-3").shows("/phase", json!("turn")).shows("/pending", Value::Null);
}

#[test]
fn an_oracle_that_was_the_last_card_does_nothing_and_stays() {
    let mut play = base(2).row("key-3").last_cards("oracle-4").play();
    play.draws().row_is("key-3 oracle-4").shows("/revealed_count", json!(0)).shows("/revealed", json!([]));
}

#[test]
fn an_oracles_card_is_face_down_again_after_a_bust_and_stays_on_top() {
    let mut play = base(2).bank(0, "oracle-6").row("oracle-3").pile("hook-3 key-3").play();
    play.draws().takes("oracle-6").shows("/last_turn/how", json!("bust")).shows("/revealed_count", json!(0));
    play.draws().row_is("key-3");
    let mut play = base(2).row("key-4").pile("oracle-3 key-3").play();
    play.draws().shows("/revealed", ids("key-3")).draws().shows("/last_turn/bust_card", json!("key-3"));
}

#[test]
fn an_oracles_card_may_be_declined_only_without_a_krakens_debt() {
    let mut play = base(2).pile("kraken-3 oracle-3 map-7").play();
    play.draws().draws().shows("/revealed", ids("map-7"));
    play.refuses(json!({"type": "collect"}), "kraken_pending");
}

#[test]
fn a_sword_brings_a_card_that_may_bust_for_only_the_own_bank_limits_it() {
    let mut play = base(2).bank(1, "key-5").row("key-3 map-4").pile("sword-3").play();
    play.draws().offers("key-5").takes("key-5").kept_and_lost("", "key-3 map-4 sword-3 key-5").bank_is(1, "");
}

#[test]
fn a_sword_without_a_suit_that_its_user_lacks_is_thrown_away() {
    let mut play = base(3).bank(0, "key-3 map-3").bank(1, "key-7").bank(2, "map-7").pile("sword-3").play();
    play.draws().row_is("").shows("/discard_count", json!(11)).shows("/phase", json!("turn"));
}

#[test]
fn a_card_that_was_thrown_away_counts_for_a_kraken() {
    let mut play = base(2).pile("kraken-3 hook-3 cannon-3 sword-3").play();
    play.draws().draws().row_is("kraken-3").shows("/must_draw", json!(1));
    play.draws().row_is("kraken-3").shows("/must_draw", json!(0)).collects().bank_is(0, "kraken-3");
}

#[test]
fn the_sword_after_a_kraken_brings_the_second_card() {
    let mut play = base(2).bank(1, "key-3").pile("kraken-3 sword-3").play();
    play.draws().draws().shows("/must_draw", json!(1)).takes("key-3").shows("/must_draw", json!(0)).collects();
    play.bank_is(0, "key-3 sword-3 kraken-3");
}

#[test]
fn forced_cards_are_used_and_can_bust_and_the_debt_lapses_then() {
    let mut play = base(2).bank(1, "map-6").pile("kraken-3 cannon-3 kraken-4").play();
    play.draws().draws().offers("map-6").takes("map-6").draws();
    play.kept_and_lost("", "kraken-3 cannon-3 kraken-4").shows("/must_draw", json!(0)).shows("/to_move", json!([1]));
}

#[test]
fn the_debt_ends_with_the_draw_pile_and_a_kraken_drawn_last_makes_none() {
    let mut play = base(2).last_cards("kraken-3 key-3").play();
    play.draws().shows("/must_draw", json!(2)).draws().shows("/must_draw", json!(0)).collects();
    play.shows("/outcome/reason", json!("draw_pile_empty"));
    let mut play = base(2).row("key-3").last_cards("kraken-3").play();
    play.draws().shows("/must_draw", json!(0)).collects().shows("/phase", json!("finished"));
}

#[test]
fn a_mermaid_does_nothing_in_the_base_game() {
    let mut play = base(2).row("cannon-3").pile("mermaid-9").play();
    play.draws().row_is("cannon-3 mermaid-9").shows("/phase", json!("turn"));
}

#[test]
fn the_bonus_is_worth_as_many_cards_as_are_collected() {
    let mut play = base(2).row("key-3 chest-4 map-5").pile("key-4").play();
    play.chance(json!({"bonus": {"seat": 0, "cards": ["sword-2", "anchor-2", "map-2"]}})).collects();
    play.bank_is(0, "anchor-2 key-3 chest-4 map-2 map-5 sword-2")
        .shows("/last_turn/bonus", ids("anchor-2 map-2 sword-2"));
}

#[test]
fn a_discard_pile_no_larger_than_the_bonus_is_taken_whole_without_chance() {
    let mut play = base(2).row("key-3 chest-4").discard("sword-2 anchor-2").play();
    play.collects().bank_is(0, "anchor-2 key-3 chest-4 sword-2").shows("/discard_count", json!(0));
    let mut play = base(2).row("key-3 chest-4").discard("").play();
    play.collects().bank_is(0, "key-3 chest-4").shows("/last_turn/bonus", json!([]));
}

#[test]
fn a_key_alone_earns_no_bonus() {
    base(2).row("key-3 map-4").play().collects().shows("/last_turn/bonus", json!([])).bank_is(0, "key-3 map-4");
}

#[test]
fn key_and_chest_that_an_anchor_saves_earn_the_bonus_out_of_what_was_just_lost() {
    let mut play = base(2).row("key-3 chest-4 anchor-5").discard("").pile("key-6").play();
    play.draws().kept_and_lost("key-3 chest-4", "anchor-5 key-6").shows("/last_turn/bonus", ids("anchor-5 key-6"));
    play.bank_is(0, "anchor-5 key-3 key-6 chest-4").shows("/to_move", json!([1]));
}

#[test]
fn a_bust_earns_no_bonus_if_the_table_says_so() {
    let mut play = table(2, json!({"bonus_on_bust": false})).row("key-3 chest-4 anchor-5").pile("key-6").play();
    play.draws().kept_and_lost("key-3 chest-4", "anchor-5 key-6").shows("/last_turn/bonus", json!([]));
    play.bank_is(0, "key-3 chest-4");
}

#[test]
fn a_key_that_an_anchor_does_not_save_earns_nothing_with_the_chest_that_it_does() {
    let mut play = base(2).row("chest-4 anchor-5 key-3").pile("chest-6").play();
    play.draws().kept_and_lost("chest-4", "anchor-5 key-3 chest-6").shows("/last_turn/bonus", json!([]));
}
