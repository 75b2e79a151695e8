//! Who is told and shown what.

use super::*;
use crate::games::table::types;

/// What the seat, or spectators, were told of this type.
fn events_for(play: &Play, seat: Option<usize>, kind: &str) -> Vec<Value> {
    let told = &play.told[seat.map_or(0, |seat| seat + 1)];
    told.iter().filter(|event| event["type"] == kind).cloned().collect()
}

/// Seat 0 was told this, everybody else that.
fn only_0_is_told(play: &Play, this: &Value, that: &Value) {
    let kind = this["type"].as_str().expect("a type");
    assert_eq!(events_for(play, Some(0), kind), std::slice::from_ref(this));
    assert_eq!(events_for(play, Some(1), kind), std::slice::from_ref(that));
    assert_eq!(events_for(play, None, kind), std::slice::from_ref(that));
}

/// All were told this.
fn all_are_told(play: &Play, this: &Value) {
    only_0_is_told(play, this, this);
}

#[test]
fn a_secret_oracle_shows_its_card_to_the_acting_seat_alone() {
    let mut play = table(2, json!({"oracle_secret": true})).pile("oracle-3 key-3").play();
    play.shows("/revealed", Value::Null);
    assert_eq!(play.seen_by(0)["revealed"], json!([]));
    play.draws().shows("/revealed", Value::Null).shows("/revealed_count", json!(1));
    assert_eq!(play.seen_by(0)["revealed"], ids("key-3"));
    assert_eq!(play.seen_by(1)["revealed"], Value::Null);
    let (shown, hidden) = (json!({"type": "revealed", "cards": ["key-3"]}), json!({"type": "revealed", "count": 1}));
    only_0_is_told(&play, &shown, &hidden);
    let mut play = table(2, json!({"oracle_secret": true})).last_cards("key-3").play();
    play.draws().collects();
    assert_eq!(play.seen_by(0)["revealed"], Value::Null, "after the end nobody is the acting seat");
}

#[test]
fn an_open_oracle_shows_its_card_to_all() {
    let mut play = base(2).pile("oracle-3 key-3").play();
    play.draws();
    all_are_told(&play, &json!({"type": "revealed", "cards": ["key-3"]}));
}

#[test]
fn only_the_navigator_is_told_what_the_discard_pile_holds() {
    let mut play = with_traits(&["navigator", "parry"], json!({})).discard("key-2 map-2").pile("map-3").play();
    play.draws();
    let shown = json!({"type": "map_revealed", "seat": 0, "cards": ["key-2", "map-2"]});
    only_0_is_told(&play, &shown, &json!({"type": "map_revealed", "seat": 0, "count": 2}));
}

#[test]
fn all_are_told_what_a_map_turns_up() {
    let mut play = base(2).discard("key-2 map-2").pile("map-3").play();
    play.draws();
    all_are_told(&play, &json!({"type": "map_revealed", "seat": 0, "cards": ["key-2", "map-2"]}));
}

#[test]
fn which_trait_a_seat_was_dealt_or_chose_is_told_to_it_alone_until_all_are_revealed() {
    let all = Cards::all(false);
    let dealt = json!({"traits": [["miser", "mystic"], ["parry", "misfire"]]});
    let options = json!({"traits": true});
    let mut play = Play::from_setup(options, 2, vec![json!({"deck": all.without(all.bottoms())}), dealt]);
    assert_eq!(play.told[0], [] as [Value; 0], "spectators are told nothing");
    let dealt_to = |seat: u8, traits: [&str; 2]| json!({"type": "traits_dealt", "seat": seat, "traits": traits});
    assert_eq!(play.told[1], [dealt_to(0, ["miser", "mystic"])]);
    assert_eq!(play.told[2], [dealt_to(1, ["parry", "misfire"])]);
    play.does_as(0, json!({"type": "choose_trait", "trait": "mystic"}));
    let chosen = json!({"type": "trait_chosen", "seat": 0, "trait": "mystic"});
    only_0_is_told(&play, &chosen, &json!({"type": "trait_chosen", "seat": 0}));
    for seen in [play.table.public(), play.seen_by(1)] {
        assert!(!seen.to_string().contains("mystic"), "{seen}");
    }
    assert_eq!(play.seen_by(0)["my_trait"], "mystic");
    play.chance(json!({"first_seat": 0})).does(json!({"type": "choose_trait", "trait": "parry"}));
    all_are_told(&play, &json!({"type": "traits_revealed", "traits": ["mystic", "parry"]}));
    let wanted = ["trait_chosen", "trait_chosen", "traits_revealed", "first_seat", "turn_started"];
    assert_eq!(types(&play.told[0]), wanted);
}

#[test]
fn a_turn_is_told_in_the_order_in_which_it_happens() {
    let mut play = base(2).bank(0, "key-3").row("key-5").pile("hook-3").play();
    play.draws().takes("key-3");
    let wanted = [
        json!({"type": "drawn", "seat": 0, "card": "hook-3"}),
        json!({"type": "placed", "seat": 0, "card": "hook-3", "from": "draw"}),
        json!({"type": "choice", "seat": 0, "kind": "hook"}),
        json!({"type": "taken", "seat": 0, "card": "key-3", "from_seat": 0, "why": "hook"}),
        json!({"type": "bust", "seat": 0, "card": "key-3", "kept": [], "lost": ["key-5", "hook-3", "key-3"], "lost_to": null}),
        json!({"type": "turn_started", "seat": 1}),
    ];
    assert_eq!(play.told[0], wanted);
}

#[test]
fn what_goes_where_is_told_with_its_reason() {
    let told = |deal: Deal, card: &str| {
        let mut play = deal.play();
        play.draws();
        if !card.is_empty() {
            play.takes(card);
        }
        play.told[0].last().expect("told").clone()
    };
    let discarded = |cards: &str, from: Value, why: &str| json!({"type": "discarded", "cards": ids(cards), "from_seat": from, "why": why});
    assert_eq!(told(base(2).pile("sword-3"), ""), discarded("sword-3", Value::Null, "no_target"));
    let gunner = with_traits(&["master_gunner", "mystic"], json!({})).bank(1, "key-3 key-4").pile("cannon-3");
    assert_eq!(told(gunner, "key-4"), discarded("key-3 key-4", json!(1), "cannon"));
    let misfire = with_traits(&["mystic", "misfire"], json!({})).bank(0, "key-3").pile("cannon-3");
    assert_eq!(told(misfire, "key-3"), discarded("key-3", json!(0), "misfire"));
    let banked = |card: &str, seat: u8, why: &str| json!({"type": "banked", "seat": seat, "card": card, "why": why});
    let scavenger = with_traits(&["scavenger", "mystic"], json!({})).bank(1, "key-4").pile("cannon-3");
    assert_eq!(told(scavenger, "key-4"), banked("key-4", 0, "scavenger"));
    let siren = with_traits(&["mystic", "siren"], json!({"mermaid_rules": true})).row("key-4").pile("mermaid-3");
    assert_eq!(told(siren, "key-4"), banked("key-4", 1, "siren"));
    let moved = table(2, json!({"mermaid_rules": true})).row("key-4").pile("mermaid-3");
    assert_eq!(told(moved, "key-4"), json!({"type": "placed", "seat": 0, "card": "key-4", "from": "mermaid"}));
}

#[test]
fn the_bonus_is_told_with_the_seat_that_paid_it() {
    let mut play =
        with_traits(&["plunderer", "mystic"], json!({})).bank(1, "map-4 map-5 key-6").row("key-3 chest-3").play();
    play.collects().names(1).takes("map-5").takes("key-6");
    let bonus = |card: &str| json!({"type": "bonus", "seat": 0, "cards": [card], "from_seat": 1});
    assert_eq!(events_for(&play, None, "bonus"), [bonus("map-5"), bonus("key-6")]);
}

#[test]
fn the_discard_pile_is_shown_only_at_tables_that_allow_it() {
    assert_eq!(base(2).play().see("/discard"), Value::Null);
    let open = table(2, json!({"open_discard": true})).discard("map-2 key-2").play();
    assert_eq!(open.see("/discard"), ids("key-2 map-2"));
}

#[test]
fn an_open_discard_pile_tells_what_the_draw_pile_holds() {
    let kind = crate::catalogue::find("dead-mans-draw").expect("it is in the catalogue");
    for (seed, traits) in (0..10).flat_map(|seed| [(seed, false), (seed, true)]) {
        let random = &mut crate::playout::random(seed);
        let options = json!({"open_discard": true, "traits": traits, "mermaid_rules": traits});
        let (mut play, _) = kind.start(&options, 3, random).expect("a table");
        let mut known = None;
        loop {
            let view: View = serde_json::from_str(play.view(Viewer::Public).get()).expect("a view");
            let pile = view.draw_pile().expect("the discard pile is open");
            assert_eq!(pile.len(), view.draw_count);
            let drawn: Option<Cards> = known.map(|before: Cards| before.without(pile));
            assert!(drawn.is_none_or(|drawn| drawn.len() <= 1));
            known = Some(pile);
            let Some((seat, chosen)) = crate::playout::random_move(play.as_ref(), random) else { break };
            play.play(seat, &serde_json::from_str(chosen.get()).expect("a move"), random).expect("a legal move");
        }
    }
}
