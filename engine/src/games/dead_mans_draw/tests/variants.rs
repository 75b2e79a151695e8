//! The game variant cards.

use super::*;

fn variant(seats: u8, name: &str) -> Deal {
    table(seats, json!({"game_variant": name}))
}

#[test]
fn on_thieves_island_only_what_is_lost_goes_to_the_left_neighbour() {
    let mut play = variant(3, "thieves_island").acting(2).row("key-3 anchor-3").pile("key-4").play();
    play.draws().bank_is(0, "anchor-3 key-4").bank_is(2, "key-3").shows("/last_turn/lost_to", json!(0));
    play.shows("/discard_count", json!(10));
}

#[test]
fn in_a_pile_of_treasure_every_card_counts() {
    let play = variant(2, "pile_o_treasure").bank(0, "key-3 key-5 map-4").play();
    assert_eq!(play.see("/scores"), json!([12, 0]));
    let options = json!({"game_variant": "pile_o_treasure"});
    let deal = with_traits(&["golden_scales", "mystic"], options);
    assert_eq!(deal.bank(0, "mermaid-4 mermaid-5").play().see("/scores/0"), 14);
}

const RICH: &str = "anchor-7 hook-7 cannon-7 key-7 chest-7 map-7";

#[test]
fn sudden_death_ends_the_match_before_the_turn_passes_on() {
    let mut play = variant(2, "sudden_death").bank(0, RICH).acting(0).row("mermaid-8").play();
    play.shows("/scores", json!([42, 0])).collects().shows("/phase", json!("finished"));
    play.shows("/outcome", json!({"ranks": [1, 2], "scores": [50, 0], "reason": "sudden_death"}))
        .shows("/round", json!(1));
    play.shows("/last_turn/how", json!("collect"));
}

#[test]
fn sudden_death_strikes_in_mid_turn_and_the_row_counts_for_nobody() {
    let options = json!({"game_variant": "sudden_death", "traits": true});
    let deal = with_traits(&["casanova", "mystic"], options).bank(0, RICH).row("key-3 anchor-3 kraken-4");
    let mut play = deal.pile("oracle-3 mermaid-9").play();
    play.draws().shows("/revealed_count", json!(1)).shows("/play_area/0/safe", json!(true)).draws();
    play.shows("/outcome/scores", json!([51, 0])).row_is("key-3 anchor-3 kraken-4 oracle-3").safe_are("");
    play.shows("/drawn", json!(0))
        .shows("/must_draw", json!(0))
        .shows("/revealed", json!([]))
        .shows("/to_move", json!([]));
}

#[test]
fn sudden_death_does_not_wait_for_a_choice() {
    let options = json!({"game_variant": "sudden_death"});
    let deal = with_traits(&["plunderer", "mystic"], options).bank(0, RICH).bank(1, "map-3");
    let mut play = deal.row("oracle-7 key-3 chest-3 sword-3").play();
    play.collects().shows("/phase", json!("finished")).shows("/pending", Value::Null).bank_is(1, "map-3");
    play.shows("/outcome/reason", json!("sudden_death"));
}

#[test]
fn sudden_death_may_strike_in_the_turn_of_another_and_on_the_last_card() {
    let options = json!({"game_variant": "sudden_death"});
    let deal = with_traits(&["mystic", "davy_jones"], options).watched(0).bank(1, RICH).row("mermaid-9");
    let mut play = deal.last_cards("mermaid-5").play();
    play.draws().shows("/outcome/reason", json!("sudden_death")).shows("/outcome/ranks", json!([2, 1]));
}

#[test]
fn without_50_points_sudden_death_ends_as_usual() {
    let mut play = variant(2, "sudden_death").bank(0, RICH).last_cards("sword-7").play();
    play.draws().row_is("").collects().shows("/outcome/reason", json!("draw_pile_empty"));
}

#[test]
fn all_hands_on_deck_cost_5_points_for_each_missing_suit() {
    let play = variant(2, "all_hands_on_deck").bank(0, "key-3 key-5 map-4").play();
    assert_eq!(play.see("/scores"), json!([-31, -50]));
}

#[test]
fn in_strange_lands_equal_values_bust_and_equal_suits_do_not() {
    let mut play = variant(2, "strange_lands").row("key-3").pile("key-4 map-4").play();
    play.draws().row_is("key-3 key-4").draws().kept_and_lost("", "key-3 key-4 map-4");
}

#[test]
fn in_strange_lands_everything_before_the_last_anchor_is_safe() {
    let mut play = variant(2, "strange_lands").row("key-3 anchor-4 map-5 anchor-6 sword-7").play();
    play.safe_are("key-3 anchor-4 map-5");
}

#[test]
fn of_two_krakens_the_larger_debt_counts() {
    let mut play = variant(2, "strange_lands").pile("kraken-3 kraken-4 anchor-5").play();
    play.draws().draws().shows("/must_draw", json!(2)).draws().shows("/must_draw", json!(1));
    let options = json!({"game_variant": "strange_lands"});
    let deal = with_traits(&["mystic", "beastmaster"], options).bank(0, "kraken-5").pile("kraken-3 hook-4");
    deal.play().draws().draws().takes("kraken-5").shows("/must_draw", json!(2));
}

#[test]
fn the_bonus_is_taken_once_however_many_keys_and_chests_there_are() {
    let mut play = variant(2, "strange_lands").row("key-3 key-4 chest-5 chest-6").play();
    let four = json!({"bonus": {"seat": 0, "cards": ["map-2", "hook-2", "sword-2", "anchor-2"]}});
    play.chance(four).collects().shows("/last_turn/bonus", ids("anchor-2 hook-2 map-2 sword-2"));
}

#[test]
fn a_mermaid_cannot_choose_a_mermaid_in_strange_lands() {
    let deal = table(2, json!({"game_variant": "strange_lands", "mermaid_rules": true}));
    let mut play = deal.row("mermaid-3 key-4").pile("mermaid-5").play();
    play.draws().offers("key-4").refuses(json!({"type": "choose_card", "card": "mermaid-3"}), "not_a_choice");
}

#[test]
fn a_marked_card_stays_marked_when_another_mermaid_moves_it() {
    let deal = with_traits(&["mystic", "siren"], json!({"game_variant": "strange_lands", "mermaid_rules": true}));
    let mut play = deal.row("key-3 anchor-4").pile("mermaid-5 mermaid-6").play();
    play.draws().takes("anchor-4").safe_are("key-3").draws().takes("key-3").bank_is(1, "anchor-4 key-3");
    play.row_is("mermaid-5 mermaid-6").safe_are("");
}

#[test]
fn beneath_the_waves_60_points_are_behind_all_others_and_the_nearest_to_the_mark_leads_them() {
    let (sixty, more) =
        ("anchor-7 hook-7 cannon-7 key-7 chest-7 map-7 oracle-7 sword-7 kraken-4", "kraken-7 mermaid-9");
    let ends = |banks: [&str; 3]| {
        let mut deal = variant(3, "beneath_the_waves").last_cards("hook-3");
        for (seat, bank) in (0..).zip(banks) {
            deal = deal.bank(seat, bank);
        }
        let mut play = deal.play();
        if play.see("/banks/0") != json!({}) {
            let lowest = play.draws().see("/pending/cards/0");
            play.takes(lowest.as_str().expect("a card"));
        } else {
            play.draws();
        }
        play.collects();
        (play.see("/outcome/scores"), play.see("/outcome/ranks"))
    };
    assert_eq!(ends(["", sixty, more]), (json!([0, 60, 16]), json!([2, 3, 1])));
}

#[test]
fn of_two_that_are_under_water_the_lower_score_is_better() {
    let game = variant(3, "beneath_the_waves").bank(0, "mermaid-9").game;
    let rank = |banks: [&str; 3]| {
        let mut game = game.clone();
        for (pirate, bank) in game.pirates.iter_mut().zip(banks) {
            pirate.bank = cards(bank).into_iter().collect();
        }
        serde_json::to_value(game.outcome(Reason::DrawPileEmpty).ranks).expect("ranks")
    };
    let most = "anchor-7 hook-7 cannon-7 key-7 chest-7 map-7 oracle-7 sword-7";
    let (sixty, sixty_three) = (format!("{most} kraken-4"), format!("{most} kraken-7"));
    assert_eq!(rank([&sixty_three, &sixty, "key-3"]), json!([3, 2, 1]));
    assert_eq!(rank([&sixty_three, &sixty, &sixty]), json!([3, 1, 1]));
    assert_eq!(rank([&format!("{sixty} key-2"), &sixty, "key-3"]), json!([2, 3, 1]), "more cards win a tie");
}

#[test]
fn a_random_variant_is_one_of_the_six_and_shown() {
    let all = Cards::all(false);
    let deck = json!({"deck": all.without(all.bottoms())});
    let starts = |word: Value| {
        let mut chance = VecDeque::from([json!({"game_variant": word}), deck.clone(), json!({"first_seat": 0})]);
        of::<DeadMansDraw>().start(&json!({"game_variant": "random"}), 2, &mut chance).ok()
    };
    assert!(starts(json!("random")).is_none());
    assert!(starts(Value::Null).is_none());
    assert!(starts(json!("sudden_death")).is_some());
}
