//! What a trait does for its holder.

use super::*;

/// Seat 0 has the trait, seat 1 one that does not matter.
fn holder(name: &str) -> Deal {
    holder_with(name, json!({}))
}

fn holder_with(name: &str, options: Value) -> Deal {
    let other = if name == "mystic" { "golden_scales" } else { "mystic" };
    with_traits(&[name, other], options)
}

#[test]
fn golden_scales_weigh_5_points_once_if_there_is_a_mermaid() {
    let scores = |bank| holder("golden_scales").bank(0, bank).play().see("/scores/0");
    assert_eq!(scores("key-3"), 3);
    assert_eq!(scores("mermaid-5"), 10);
    assert_eq!(scores("mermaid-5 mermaid-4"), 10);
}

#[test]
fn casanovas_drawn_mermaid_goes_straight_to_the_bank_and_cannot_bust() {
    let mut play = holder("casanova").pile("kraken-3 mermaid-5 key-3 mermaid-6").row("mermaid-9").play();
    play.draws().shows("/must_draw", json!(2)).draws().shows("/must_draw", json!(2)).row_is("mermaid-9 kraken-3");
    play.bank_is(0, "mermaid-5").shows("/drawn", json!(3)).draws().shows("/must_draw", json!(1)).draws();
    play.bank_is(0, "mermaid-5 mermaid-6").shows("/must_draw", json!(1));
}

#[test]
fn cards_banked_earlier_in_the_turn_do_not_count_for_the_bonus() {
    let mut play = holder("casanova").pile("mermaid-5").row("key-3 chest-3").play();
    play.draws().chance(json!({"bonus": {"seat": 0, "cards": ["map-2", "anchor-2"]}})).collects();
    play.bank_is(0, "anchor-2 key-3 chest-3 map-2 mermaid-5");
}

#[test]
fn a_seat_may_collect_an_empty_row_once_it_has_drawn() {
    let mut play = holder("casanova").pile("mermaid-5").play();
    play.draws().row_is("").collects().shows("/last_turn/kept", json!([])).shows("/to_move", json!([1]));
}

#[test]
fn casanovas_hooked_mermaid_is_placed_unless_cards_count_as_drawn_from_anywhere() {
    let hooks = |any: bool| {
        let deal = holder_with("casanova", json!({"drawn_any_source": any}));
        let mut play = deal.bank(0, "mermaid-5").pile("hook-3").play();
        play.draws().takes("mermaid-5");
        play
    };
    hooks(false).row_is("hook-3 mermaid-5").bank_is(0, "");
    hooks(true).row_is("hook-3").bank_is(0, "mermaid-5").shows("/phase", json!("turn"));
}

#[test]
fn a_plunderer_takes_the_whole_bank_if_it_has_no_more_cards_than_the_bonus_is_worth() {
    let mut play = with_traits(&["plunderer", "mystic", "parry"], json!({}));
    play = play.bank(1, "map-3 key-5").bank(2, "map-4 map-5 map-6").row("key-3 chest-3");
    let mut play = play.play();
    play.collects().shows("/pending/kind", json!("plunder_seat")).shows("/pending/seats", json!([1, 2]));
    play.shows("/pending/cards", Value::Null).shows("/pending/left", json!(2));
    play.shows("/last_turn/how", json!("collect")).shows("/last_turn/bonus", json!([])).shows("/drawn", json!(2));
    play.names(1).bank_is(1, "").bank_is(0, "key-3 key-5 chest-3 map-3").shows("/last_turn/bonus", ids("key-5 map-3"));
    play.shows("/last_turn/bonus_from", json!(1)).shows("/to_move", json!([1]));
}

#[test]
fn a_plunderer_takes_top_cards_one_by_one_from_a_larger_bank() {
    let mut play = holder("plunderer").bank(1, "map-4 map-5 map-6 anchor-3").row("key-3 chest-3").play();
    play.collects().names(1).shows("/pending/kind", json!("plunder_card")).offers("anchor-3 map-6");
    play.shows("/pending/left", json!(2)).takes("map-6").shows("/last_turn/bonus", ids("map-6"));
    play.shows("/pending/left", json!(1)).offers("anchor-3 map-5").takes("anchor-3");
    play.shows("/last_turn/bonus", ids("map-6 anchor-3")).bank_is(1, "map-4 map-5").shows("/to_move", json!([1]));
}

#[test]
fn a_plunderer_gets_no_bonus_if_no_opponent_has_a_card() {
    let mut play = holder("plunderer").row("key-3 chest-3").play();
    play.collects().shows("/last_turn/bonus", json!([])).bank_is(0, "key-3 chest-3").shows("/to_move", json!([1]));
}

#[test]
fn a_plunderer_plunders_after_a_bust_too() {
    let mut play = holder("plunderer").bank(1, "map-4").row("key-3 chest-3 anchor-3").pile("key-5").play();
    play.draws().shows("/pending/kind", json!("plunder_seat")).shows("/play_area", json!([])).names(1);
    play.bank_is(0, "key-3 chest-3 map-4").shows("/last_turn/bonus_from", json!(1));
}

#[test]
fn a_treasure_hunters_bonus_is_twice_as_many_cards() {
    let mut play = holder("treasure_hunter").row("key-3 chest-3").play();
    let four = json!({"bonus": {"seat": 0, "cards": ["key-2", "map-2", "anchor-2", "hook-2"]}});
    play.chance(four).collects().bank_is(0, "anchor-2 hook-2 key-2 key-3 chest-3 map-2");
}

#[test]
fn a_navigator_looks_through_the_whole_discard_pile_alone() {
    let mut play = holder("navigator").discard("key-2 map-2 anchor-2 hook-5").pile("map-3").play();
    play.draws().shows("/pending/kind", json!("map")).shows("/pending/cards", Value::Null);
    assert_eq!(play.seen_by(1)["pending"]["cards"], Value::Null);
    assert_eq!(play.seen_by(0)["pending"]["cards"], ids("anchor-2 hook-5 key-2 map-2"));
    play.takes("key-2").row_is("map-3 key-2").shows("/discard_count", json!(3));
}

#[test]
fn a_master_gunner_sends_the_whole_stack_away() {
    let mut play = holder("master_gunner").bank(1, "map-3 map-6 key-4").pile("cannon-3").play();
    play.draws().offers("key-4 map-6").takes("map-6").bank_is(1, "key-4").shows("/discard_count", json!(12));
}

#[test]
fn a_scavenger_banks_what_its_cannon_hits() {
    let mut play = holder("scavenger").bank(1, "map-3 map-6").pile("cannon-3").play();
    play.draws().takes("map-6").bank_is(0, "map-6").bank_is(1, "map-3").shows("/discard_count", json!(10));
    play.row_is("cannon-3");
}

#[test]
fn a_mystic_turns_up_three_cards_that_stay_until_drawn_or_the_turn_ends() {
    let mut play = holder("mystic").pile("oracle-3 key-3 map-3 chest-3").discard("sword-2").play();
    play.draws().shows("/revealed", ids("key-3 map-3 chest-3")).draws().shows("/revealed", ids("map-3 chest-3"));
    play.collects().shows("/revealed", json!([])).draws().takes("sword-2").row_is("map-3 sword-2");
    let mut play = holder("mystic").last_cards("oracle-3 key-3 map-3").play();
    play.draws().shows("/revealed", ids("key-3 map-3"));
}

#[test]
fn of_two_rows_turned_up_the_longer_counts() {
    let mut play = holder_with("mystic", json!({"game_variant": "strange_lands"}));
    play = play.pile("oracle-3 oracle-4 anchor-5 anchor-6 anchor-7");
    let mut play = play.play();
    play.draws().shows("/revealed", ids("oracle-4 anchor-5 anchor-6")).draws();
    play.shows("/revealed", ids("anchor-5 anchor-6 anchor-7"));
    let mut play = holder_with("mystic", json!({"mermaid_rules": true}));
    play = play.row("anchor-3").pile("oracle-3 mermaid-4 key-5").discard("").bank(1, "map-3");
    let mut play = play.play();
    play.draws().draws().takes("oracle-3").shows("/revealed_count", json!(3));
}

#[test]
fn a_swordsman_may_choose_any_suit_but_one_in_the_row_still_busts() {
    let mut play = holder("swordsman").bank(0, "map-3").bank(1, "map-6 key-5").row("key-3").pile("sword-3").play();
    play.draws().offers("key-5 map-6").takes("key-5").kept_and_lost("", "key-3 sword-3 key-5");
}

#[test]
fn a_misers_hooked_card_that_busts_is_kept_and_comes_last() {
    let mut play = holder("miser").bank(0, "key-5").row("key-3").pile("hook-3").play();
    play.draws().takes("key-5").kept_and_lost("hook-3 key-5", "key-3").bank_is(0, "hook-3 key-5");
    play.shows("/last_turn/bust_card", json!("key-5"));
}

#[test]
fn a_misers_second_hook_that_busts_is_lost_but_not_if_a_hook_brought_it() {
    holder("miser").row("hook-3 key-3").pile("hook-4").play().draws().kept_and_lost("hook-3", "key-3 hook-4");
    let mut play = holder("miser").bank(0, "hook-5").pile("hook-3").play();
    play.draws().takes("hook-5").kept_and_lost("hook-3 hook-5", "").shows("/discard_count", json!(10));
    play.shows("/last_turn/lost_to", Value::Null);
}

#[test]
fn what_a_miser_keeps_counts_for_the_bonus_with_the_busting_card() {
    let mut play = holder("miser").bank(0, "chest-5").row("key-4 anchor-3 chest-3").discard("").pile("hook-3").play();
    play.draws().takes("chest-5").kept_and_lost("key-4 hook-3 chest-5", "anchor-3 chest-3");
    play.shows("/last_turn/bonus", ids("anchor-3 chest-3"));
}

#[test]
fn captains_hook_works_twice_and_the_second_card_is_chosen_after_all_that_the_first_caused() {
    let mut play = holder("captains_hook").bank(0, "cannon-3 key-4").bank(1, "map-5").pile("hook-3").play();
    play.draws()
        .shows("/pending/left", json!(2))
        .takes("cannon-3")
        .shows("/pending/kind", json!("cannon"))
        .takes("map-5");
    play.shows("/pending/kind", json!("hook")).shows("/pending/left", json!(1)).offers("key-4").takes("key-4");
    play.row_is("hook-3 cannon-3 key-4").shows("/phase", json!("turn"));
}

#[test]
fn captains_hook_skips_its_second_use_and_stays_if_the_bank_is_empty_by_then() {
    let mut play = holder("captains_hook").bank(0, "key-4").pile("hook-3").play();
    play.draws().shows("/pending/left", json!(2)).takes("key-4").row_is("hook-3 key-4").shows("/phase", json!("turn"));
    holder("captains_hook").pile("hook-3").play().draws().row_is("").shows("/discard_count", json!(11));
}

#[test]
fn a_bust_in_between_ends_captains_hook() {
    let mut play = holder("captains_hook").bank(0, "key-4 map-5").row("key-3").pile("hook-3").play();
    play.draws()
        .takes("key-4")
        .kept_and_lost("", "key-3 hook-3 key-4")
        .bank_is(0, "map-5")
        .shows("/to_move", json!([1]));
}

#[test]
fn captains_hooks_second_use_is_due_even_if_the_hook_has_left_the_row() {
    let mut play = with_traits(&["captains_hook", "siren"], json!({"mermaid_rules": true}));
    play = play.bank(0, "mermaid-3 key-4").pile("hook-3");
    let mut play = play.play();
    play.draws().takes("mermaid-3").shows("/pending/kind", json!("mermaid")).takes("hook-3").bank_is(1, "hook-3");
    play.shows("/pending/kind", json!("hook"))
        .shows("/pending/left", json!(1))
        .takes("key-4")
        .row_is("mermaid-3 key-4");
}

#[test]
fn a_captains_hook_that_a_mermaid_uses_again_works_twice_before_the_first_goes_on() {
    let mut play = holder_with("captains_hook", json!({"mermaid_rules": true}));
    play = play.bank(0, "mermaid-3 key-4 map-5 anchor-6 chest-3").pile("hook-3").discard("");
    let mut play = play.play();
    play.draws().takes("mermaid-3").takes("hook-3").shows("/pending/left", json!(2)).takes("key-4");
    play.shows("/pending/left", json!(1)).takes("map-5").shows("/pending/left", json!(1)).takes("anchor-6");
    play.shows("/phase", json!("turn")).row_is("mermaid-3 hook-3 key-4 map-5 anchor-6").bank_is(0, "chest-3");
}

#[test]
fn in_a_safe_harbor_the_anchor_and_the_two_cards_after_it_are_safe() {
    let mut play = holder("safe_harbor").row("key-3 anchor-3 chest-3 map-4 oracle-4").pile("key-4").discard("").play();
    play.safe_are("key-3 anchor-3 chest-3 map-4")
        .draws()
        .kept_and_lost("key-3 anchor-3 chest-3 map-4", "oracle-4 key-4");
    play.shows("/last_turn/bonus", ids("key-4 oracle-4"));
}

#[test]
fn the_card_that_busts_is_not_safe_in_a_harbor() {
    let mut play = holder("safe_harbor").row("key-3 anchor-3").pile("key-4").play();
    play.draws().kept_and_lost("key-3 anchor-3", "key-4");
}

#[test]
fn a_hook_that_was_thrown_away_does_not_lie_after_the_anchor() {
    let mut play = holder("safe_harbor").row("anchor-3").pile("hook-3 key-3 mermaid-5 chest-3").discard("").play();
    play.draws()
        .draws()
        .draws()
        .draws()
        .row_is("anchor-3 key-3 mermaid-5 chest-3")
        .safe_are("anchor-3 key-3 mermaid-5");
}

#[test]
fn a_fishermans_drawn_kraken_goes_straight_to_the_bank_without_debt() {
    let mut play = holder("fisherman").row("kraken-3").pile("kraken-5").play();
    play.draws().bank_is(0, "kraken-5").row_is("kraken-3").shows("/must_draw", json!(0)).shows("/phase", json!("turn"));
}

#[test]
fn a_fishermans_kraken_from_a_map_makes_its_debt_unless_cards_count_as_drawn_from_anywhere() {
    let maps = |any: bool| {
        let deal = holder_with("fisherman", json!({"drawn_any_source": any}));
        let mut play = deal.discard("kraken-2").pile("map-3").play();
        play.draws().takes("kraken-2");
        play
    };
    maps(false).row_is("map-3 kraken-2").shows("/must_draw", json!(2));
    maps(true).row_is("map-3").bank_is(0, "kraken-2").shows("/must_draw", json!(0));
}
