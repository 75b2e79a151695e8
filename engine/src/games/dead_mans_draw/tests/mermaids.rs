//! The mermaid rules.

use super::*;

fn mermaids() -> Deal {
    table(2, json!({"mermaid_rules": true}))
}

fn mermaids_of(traits: [&str; 2]) -> Deal {
    with_traits(&traits, json!({"mermaid_rules": true}))
}

#[test]
fn a_mermaid_alone_in_the_row_does_nothing_and_stays() {
    mermaids().pile("mermaid-3").play().draws().row_is("mermaid-3").shows("/phase", json!("turn"));
}

#[test]
fn an_anchor_that_a_mermaid_moves_covers_all_that_now_lies_before_it() {
    let mut play = mermaids().row("anchor-3 cannon-3").pile("mermaid-3 cannon-4").play();
    play.draws().safe_are("").offers("anchor-3 cannon-3").takes("anchor-3").row_is("cannon-3 mermaid-3 anchor-3");
    play.safe_are("cannon-3 mermaid-3").draws().kept_and_lost("cannon-3 mermaid-3", "anchor-3 cannon-4");
}

#[test]
fn a_card_that_is_moved_from_before_the_anchor_is_no_longer_covered() {
    let mut play = mermaids().row("key-3 map-3 anchor-3").pile("mermaid-3").play();
    play.safe_are("key-3 map-3").draws().takes("key-3").row_is("map-3 anchor-3 mermaid-3 key-3").safe_are("map-3");
}

#[test]
fn a_moved_card_keeps_its_way_into_the_row() {
    let mut play = mermaids().bank(0, "key-3").pile("hook-3 mermaid-3").play();
    play.draws().takes("key-3").draws().takes("key-3");
    play.shows("/play_area/2", json!({"card": "key-3", "from": "hook", "safe": false}));
}

#[test]
fn moving_counts_for_a_kraken_before_the_moved_card_is_used_again() {
    let mut play = mermaids().pile("kraken-3 mermaid-3").play();
    play.draws().draws().shows("/must_draw", json!(1)).takes("kraken-3").shows("/must_draw", json!(2));
    let mut play = mermaids().row("key-3").pile("kraken-3 mermaid-3").play();
    play.draws().draws().takes("key-3").shows("/must_draw", json!(0)).collects();
}

#[test]
fn a_reused_hook_with_an_empty_bank_is_thrown_away() {
    let mut play = mermaids().bank(0, "key-3").pile("hook-3 mermaid-3").play();
    play.draws().takes("key-3").draws().takes("hook-3").row_is("key-3 mermaid-3").shows("/discard_count", json!(11));
}

#[test]
fn a_reused_map_sword_or_oracle_works_again() {
    let mut play = mermaids().row("map-3").discard("key-2").pile("mermaid-3").play();
    play.draws().takes("map-3").shows("/pending/kind", json!("map")).takes("key-2").row_is("mermaid-3 map-3 key-2");
    let mut play = mermaids().bank(1, "key-4").row("sword-3").pile("mermaid-3").play();
    play.draws().takes("sword-3").shows("/pending/kind", json!("sword")).takes("key-4");
    let mut play = mermaids().row("oracle-3").pile("mermaid-3 key-4").play();
    play.draws().takes("oracle-3").shows("/revealed", ids("key-4"));
}

#[test]
fn a_reused_cannon_or_kraken_is_not_drawn_unless_cards_count_as_drawn_from_anywhere() {
    let kind = |any: bool| {
        let options = json!({"mermaid_rules": true, "drawn_any_source": any});
        let deal = with_traits(&["mystic", "misfire"], options).bank(0, "map-3").bank(1, "map-4").row("cannon-3");
        let mut play = deal.pile("mermaid-3").play();
        play.draws().takes("cannon-3");
        play.see("/pending/kind")
    };
    assert_eq!((kind(false), kind(true)), (json!("cannon"), json!("misfire")));
    let debt = |any: bool| {
        let options = json!({"mermaid_rules": true, "drawn_any_source": any});
        let deal = with_traits(&["mystic", "beastmaster"], options).row("kraken-3");
        let mut play = deal.pile("mermaid-3").play();
        play.draws().takes("kraken-3");
        play.see("/must_draw")
    };
    assert_eq!((debt(false), debt(true)), (json!(2), json!(4)));
}

#[test]
fn what_the_siren_takes_is_neither_moved_nor_used_and_does_not_count() {
    let mut play = mermaids_of(["mystic", "siren"]).row("sword-3").bank(1, "key-3").pile("kraken-3 mermaid-3").play();
    play.draws().draws().shows("/must_draw", json!(1)).takes("sword-3").bank_is(1, "key-3 sword-3");
    play.row_is("kraken-3 mermaid-3").shows("/must_draw", json!(1)).shows("/phase", json!("turn"));
}

#[test]
fn a_krakens_debt_stays_when_its_kraken_is_taken() {
    let mut play = mermaids_of(["mystic", "siren"]).pile("kraken-3 mermaid-3").play();
    play.draws().draws().takes("kraken-3").bank_is(1, "kraken-3").shows("/must_draw", json!(1));
}

#[test]
fn the_sirens_own_mermaid_moves_as_usual() {
    let mut play = mermaids_of(["siren", "mystic"]).row("key-3").pile("mermaid-3").play();
    play.draws().takes("key-3").row_is("mermaid-3 key-3").bank_is(0, "");
}

#[test]
fn casanova_takes_what_its_mermaid_chooses_and_draws_mermaids_as_others_do() {
    let mut play = mermaids_of(["casanova", "mystic"]).row("key-3 map-3").pile("mermaid-3 mermaid-4").play();
    play.draws().row_is("key-3 map-3 mermaid-3").takes("key-3").bank_is(0, "key-3").row_is("map-3 mermaid-3").draws();
    play.shows("/last_turn/bust_card", json!("mermaid-4"));
}

#[test]
fn an_opponents_siren_comes_before_casanova() {
    let mut play = mermaids_of(["casanova", "siren"]).row("key-3").pile("mermaid-3").play();
    play.draws().takes("key-3").bank_is(1, "key-3").bank_is(0, "");
}

#[test]
fn what_a_taken_anchor_kept_safe_stays_safe() {
    let mut play = mermaids_of(["mystic", "siren"]).row("key-3 anchor-3 chest-3").pile("mermaid-3 chest-5").play();
    play.draws().takes("anchor-3").bank_is(1, "anchor-3").row_is("key-3 chest-3 mermaid-3").safe_are("key-3");
    play.draws().kept_and_lost("key-3", "chest-3 mermaid-3 chest-5");
}

#[test]
fn an_anchor_taken_out_of_a_safe_harbor_leaves_the_two_cards_after_it_safe() {
    let mut play = mermaids_of(["safe_harbor", "siren"]).row("key-3 anchor-3 chest-3").pile("mermaid-3 map-3").play();
    play.draws().takes("anchor-3").safe_are("key-3 chest-3 mermaid-3");
}

#[test]
fn a_moved_hook_is_still_safe_for_a_miser() {
    let mut play = mermaids_of(["miser", "mystic"]).bank(0, "key-3 chest-3").pile("hook-3 mermaid-3").play();
    play.draws().takes("key-3").draws().takes("hook-3").takes("chest-3");
    play.row_is("key-3 mermaid-3 hook-3 chest-3").safe_are("key-3 hook-3 chest-3");
}
