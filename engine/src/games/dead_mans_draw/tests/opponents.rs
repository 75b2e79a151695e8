//! What a trait does to the opponents of its holder.

use super::*;

/// Seat 1 has the trait; seat 0, whose turn it is, one that does not matter unless it is named.
fn against(name: &str) -> Deal {
    with_traits(&["treasure_hunter", name], json!({}))
}

#[test]
fn a_beastmasters_opponents_owe_four_cards_for_a_drawn_kraken() {
    against("beastmaster").pile("kraken-3").play().draws().shows("/must_draw", json!(4));
    let own = with_traits(&["beastmaster", "mystic"], json!({}));
    own.pile("kraken-3").play().draws().shows("/must_draw", json!(2));
}

#[test]
fn a_kraken_from_a_hook_asks_for_two_unless_cards_count_as_drawn_from_anywhere() {
    let hooks = |any: bool| {
        let deal = with_traits(&["mystic", "beastmaster"], json!({"drawn_any_source": any}));
        let mut play = deal.bank(0, "kraken-5").pile("hook-3").play();
        play.draws().takes("kraken-5");
        play.see("/must_draw")
    };
    assert_eq!((hooks(false), hooks(true)), (json!(2), json!(4)));
}

#[test]
fn a_beastmaster_asks_nothing_of_a_fisherman() {
    let deal = with_traits(&["fisherman", "beastmaster"], json!({}));
    deal.pile("kraken-3").play().draws().bank_is(0, "kraken-3").shows("/must_draw", json!(0));
}

#[test]
fn a_misfiring_cannon_discards_the_highest_own_card_and_stays() {
    let mut play = against("misfire").bank(0, "map-6 key-3").bank(1, "key-7").pile("cannon-3").play();
    play.draws().shows("/pending/kind", json!("misfire")).offers("map-6").takes("map-6");
    play.bank_is(0, "key-3").bank_is(1, "key-7").row_is("cannon-3").shows("/discard_count", json!(11));
}

#[test]
fn among_equal_highest_cards_the_seat_chooses_what_misfires() {
    let mut play = against("misfire").bank(0, "map-6 key-6 anchor-3").pile("cannon-3").play();
    play.draws().offers("key-6 map-6").refuses(json!({"type": "choose_card", "card": "anchor-3"}), "not_a_choice");
    play.takes("key-6").bank_is(0, "anchor-3 map-6");
}

#[test]
fn a_misfire_with_an_empty_bank_does_nothing_and_the_cannon_stays() {
    let mut play = against("misfire").bank(1, "key-7").pile("cannon-3").play();
    play.draws().row_is("cannon-3").bank_is(1, "key-7").shows("/phase", json!("turn"));
}

#[test]
fn misfire_overrides_the_own_cannon_traits_but_not_the_holders_own_cannon() {
    let deal = with_traits(&["scavenger", "misfire"], json!({}));
    deal.bank(0, "map-6").bank(1, "key-7").pile("cannon-3").play().draws().shows("/pending/kind", json!("misfire"));
    let deal = with_traits(&["misfire", "mystic"], json!({}));
    deal.bank(0, "map-6").bank(1, "key-7").pile("cannon-3").play().draws().shows("/pending/kind", json!("cannon"));
}

#[test]
fn a_cannon_from_a_map_fires_unless_cards_count_as_drawn_from_anywhere() {
    let maps = |any: bool| {
        let deal = with_traits(&["mystic", "misfire"], json!({"drawn_any_source": any}));
        let mut play = deal.bank(0, "key-5").bank(1, "key-7").discard("cannon-2").pile("map-3").play();
        play.draws().takes("cannon-2");
        play.see("/pending/kind")
    };
    assert_eq!((maps(false), maps(true)), (json!("cannon"), json!("misfire")));
}

#[test]
fn a_parried_sword_finds_only_krakens_of_the_users_opponents_and_even_its_own_suit() {
    let deal = with_traits(&["swordsman", "parry", "mystic"], json!({}));
    let deal = deal.bank(0, "kraken-3").bank(1, "kraken-4 kraken-6 key-7").bank(2, "kraken-5 map-7");
    let mut play = deal.pile("sword-3").play();
    play.draws().offers("kraken-5 kraken-6").takes("kraken-6").row_is("sword-3 kraken-6").shows("/must_draw", json!(2));
}

#[test]
fn a_parried_sword_without_a_kraken_is_thrown_away() {
    let mut play = against("parry").bank(1, "key-7").pile("sword-3").play();
    play.draws().row_is("").bank_is(1, "key-7").shows("/discard_count", json!(11)).shows("/phase", json!("turn"));
}

#[test]
fn a_kraken_that_a_parried_sword_brings_busts_on_another() {
    let mut play = against("parry").bank(1, "kraken-6").row("kraken-3").pile("sword-3").play();
    play.draws().takes("kraken-6").kept_and_lost("", "kraken-3 sword-3 kraken-6");
}

#[test]
fn parry_does_not_bind_its_holders_own_sword() {
    let deal = with_traits(&["parry", "mystic"], json!({}));
    deal.bank(1, "key-7").pile("sword-3").play().draws().offers("key-7");
}

#[test]
fn the_guardian_gets_what_its_target_loses_but_not_what_the_target_keeps() {
    let mut play = against("davy_jones").watched(0).row("key-3 anchor-3 map-4").pile("key-5").play();
    play.draws().kept_and_lost("key-3", "anchor-3 map-4 key-5").shows("/last_turn/lost_to", json!(1));
    play.bank_is(0, "key-3").bank_is(1, "anchor-3 key-5 map-4").shows("/discard_count", json!(10));
}

#[test]
fn the_guardian_gets_nothing_from_a_seat_that_is_not_its_target() {
    let deal = with_traits(&["mystic", "davy_jones", "parry"], json!({}));
    let mut play = deal.watched(2).row("key-3").pile("key-5").play();
    play.draws().bank_is(1, "").shows("/last_turn/lost_to", Value::Null).shows("/discard_count", json!(12));
}

#[test]
fn the_guardian_comes_before_thieves_island() {
    let options = json!({"game_variant": "thieves_island"});
    let deal = with_traits(&["mystic", "parry", "davy_jones"], options);
    deal.watched(0).row("key-3").pile("key-5").play().draws().bank_is(2, "key-3 key-5").bank_is(1, "");
}

#[test]
fn with_two_seats_the_guardians_target_is_the_other_seat() {
    let deck = Cards::all(false).without(Cards::all(false).bottoms());
    let options = json!({"traits": true, "trait_deal": 1});
    let chance = vec![json!({"deck": deck}), json!({"traits": [["mystic"], ["davy_jones"]]}), json!({"first_seat": 0})];
    let mut play = Play::from_setup(options, 2, chance);
    play.shows("/guardian_target", json!(0)).shows("/phase", json!("turn"));
}

#[test]
fn with_three_seats_the_guardian_names_its_target_before_the_first_turn() {
    let deck = Cards::all(false).without(Cards::all(false).bottoms());
    let options = json!({"traits": true, "trait_deal": 1, "oracle_secret": true});
    let traits = json!({"traits": [["mystic"], ["davy_jones"], ["parry"]]});
    let mut play = Play::from_setup(options, 3, vec![json!({"deck": deck}), traits, json!({"first_seat": 2})]);
    play.shows("/phase", json!("target")).shows("/to_move", json!([1])).shows("/first_seat", json!(2));
    play.shows("/pending", json!({"seat": 1, "kind": "guardian", "cards": null, "seats": [0, 2], "left": 1}));
    assert_eq!(play.seen_by(2)["revealed"], Value::Null, "nobody is the acting seat yet");
    play.refuses(json!({"type": "draw"}), "must_choose");
    play.refuses(json!({"type": "choose_trait", "trait": "parry"}), "must_choose");
    play.refuses(json!({"type": "choose_seat", "seat": 3}), "invalid_move");
    play.refuses(json!({"type": "choose_seat", "seat": 1}), "not_a_choice");
    play.names(0).shows("/guardian_target", json!(0)).shows("/phase", json!("turn")).shows("/to_move", json!([2]));
}
