//! One test per rule that no scenario shows, then the laws.

use serde_json::{Value, json};

use super::*;
use crate::bots::Level;
use crate::conformance::{conforms, determinizes};
use crate::erased::of;
use crate::games::table::{Table, types};
use crate::pieces::dice::Face;
use crate::playout;

/// A first round with Calza in which these dice lie under the cups and seat 0 opens; a seat without dice is out.
fn dealt(cups: &[&[u8]]) -> Perudo {
    let mut game = Perudo::setup(Options { palifico: true, calza: true }, cups.len() as u8).expect("allowed");
    game.cups = cups.iter().map(|cup| dice(cup)).collect::<Vec<_>>().into();
    game.dice = game.cups.map(|cup| cup.len());
    game.out = game.dice.which(|dice| *dice == 0).iter().collect();
    game.waits_for = WaitsFor::Turn(Seat(0));
    game.round = 1;
    game
}

fn round(cups: &[&[u8]]) -> Table {
    Table::at(&dealt(cups))
}

/// As [`round`], but seat 0 has fallen to one die and opens a Palífico round; these others have been Palífico before.
fn palifico_round(cups: &[&[u8]], been: &[u8]) -> Table {
    let mut game = dealt(cups);
    game.palifico_round = true;
    game.been_palifico[Seat(0)] = true;
    been.iter().for_each(|seat| game.been_palifico[Seat(*seat)] = true);
    game.last_loser = Some(Seat(0));
    Table::at(&game)
}

fn dice(faces: &[u8]) -> Dice {
    faces.iter().filter_map(|pips| Face::new(*pips)).collect()
}

fn bid(count: u8, face: u8) -> Value {
    json!({"type": "bid", "count": count, "face": face})
}

fn dudo() -> Value {
    json!({"type": "dudo"})
}

fn calza() -> Value {
    json!({"type": "calza"})
}

#[test]
fn a_match_begins_with_a_random_opener_and_five_dice_each() {
    let rolls = (0..3).map(|seat| json!({"roll": {"seat": seat, "dice": [6, 2, 2, 1, 3]}}));
    let chance = std::iter::once(json!({"first_seat": 2})).chain(rolls).collect();
    let table = Table::new(of::<Perudo>(), &json!({}), 3, chance);
    let events = table.events_for(1);
    assert_eq!(types(&events), ["first_seat", "round_started", "rolled"]);
    assert_eq!(events[0], json!({"type": "first_seat", "seat": 2}));
    assert_eq!(
        events[1],
        json!({"type": "round_started", "round": 1, "opener": 2, "dice": [5, 5, 5], "palifico": false})
    );
    assert_eq!(events[2], json!({"type": "rolled", "seat": 1, "dice": [1, 2, 2, 3, 6]}));
    assert_eq!(types(&table.public_events()), ["first_seat", "round_started"]);
}

#[test]
fn k_pacos_stand_between_2k_and_2k_plus_1_dice() {
    for count in 1..=15_u8 {
        let six = [2_u8; 5];
        let on = |claim: Value| {
            let mut game = dealt(&[&six, &six, &six, &six, &six, &six]);
            let claimed: bids::Claim =
                serde_json::from_value(json!({"count": claim["count"], "face": claim["face"]})).expect("a claim");
            game.bids.push(Bid { seat: Seat(5), count: claimed.count, face: claimed.face });
            Table::at(&game)
        };
        let after_pacos = on(bid(count, 1));
        let after_dice = on(bid(count, 6));
        for other in 1..=30 {
            assert_eq!(after_pacos.may(0, &bid(other, 2)), other > 2 * count, "{other} dice on {count} Pacos");
            assert_eq!(after_pacos.may(0, &bid(other, 1)), other > count, "{other} Pacos on {count} Pacos");
            assert_eq!(after_dice.may(0, &bid(other, 1)), 2 * other >= count, "{other} Pacos on {count} dice");
            assert_eq!(after_dice.may(0, &bid(other, 2)), other > count, "{other} dice on {count} dice");
        }
    }
}

#[test]
fn a_higher_face_raises_the_same_count() {
    let mut table = round(&[&[2; 5], &[3; 5]]);
    table.plays(0, bid(4, 3));
    assert_eq!([2, 3, 4, 5, 6].map(|face| table.may(1, &bid(4, face))), [false, false, true, true, true]);
}

#[test]
fn lower_counts_start_at_1_and_no_bid_is_higher_than_the_dice_in_the_game() {
    let mut table = round(&[&[2, 2], &[3]]);
    assert_eq!(table.legal(0).len(), 3 * 5);
    assert_eq!(table.refuses(0, bid(4, 1)), "bid_too_high", "before paco_opening");
    assert_eq!(table.refuses(0, bid(1, 1)), "paco_opening");
    table.plays(0, bid(3, 6)).plays(1, bid(3, 1));
    assert_eq!(table.legal(0), [dudo(), calza()]);
}

#[test]
fn everyone_else_keeps_their_dice_after_a_doubt() {
    let mut table = round(&[&[2; 5], &[3; 5], &[4; 5]]);
    table.plays(0, bid(6, 2)).plays(1, dudo());
    let events = table.public_events();
    assert_eq!(types(&events), ["call", "revealed", "lost", "round_started"]);
    assert_eq!(events[0], json!({"type": "call", "seat": 1, "call": "dudo"}));
    assert_eq!(events[2], json!({"type": "lost", "seat": 0, "dice": 1, "left": 4}));
    assert_eq!(
        events[3],
        json!({"type": "round_started", "round": 2, "opener": 0, "dice": [4, 5, 5], "palifico": false})
    );
    let mut revealed = events[1].clone();
    revealed.as_object_mut().expect("an object").remove("type");
    assert_eq!(revealed, table.public()["last_reveal"]);
    assert_eq!(revealed["dice"], json!([[2, 2, 2, 2, 2], [3, 3, 3, 3, 3], [4, 4, 4, 4, 4]]));
}

#[test]
fn a_seat_that_loses_its_last_die_is_out_and_the_next_in_the_game_opens() {
    let mut table = round(&[&[2, 2], &[3], &[], &[4, 4]]);
    table.plays(0, bid(1, 2)).plays(1, dudo());
    assert_eq!(types(&table.public_events()), ["call", "revealed", "lost", "eliminated", "round_started"]);
    assert_eq!(table.public()["opener"], 3);
    assert_eq!(table.public()["last_loser"], 1);
    assert_eq!(table.seen_by(1)["my_dice"], json!([]));
    assert_eq!(table.events_for(1), table.public_events());
}

#[test]
fn falling_to_one_die_makes_a_palifico_round() {
    let mut table = round(&[&[2, 2], &[3; 5], &[4; 5]]);
    table.plays(0, bid(6, 2)).plays(1, dudo());
    let events = table.public_events();
    assert_eq!(types(&events), ["call", "revealed", "lost", "palifico", "round_started"]);
    assert_eq!(events[3], json!({"type": "palifico", "seat": 0}));
    assert_eq!(events[4]["palifico"], true);
    assert_eq!(table.public()["been_palifico"], json!([true, false, false]));
}

#[test]
fn without_the_option_there_is_no_palifico_round() {
    let mut game = dealt(&[&[2, 2], &[3; 5], &[4; 5]]);
    game.options.palifico = false;
    let mut table = Table::at(&game);
    table.plays(0, bid(6, 2)).plays(1, dudo());
    let view = table.public();
    assert_eq!((&view["palifico_round"], &view["been_palifico"]), (&json!(false), &json!([false, false, false])));
}

#[test]
fn with_two_seats_left_nobody_becomes_palifico() {
    let mut table = round(&[&[2, 2], &[3, 3], &[]]);
    table.plays(0, bid(4, 2)).plays(1, dudo());
    let view = table.public();
    assert_eq!((&view["palifico_round"], &view["been_palifico"]), (&json!(false), &json!([false, false, false])));
}

#[test]
fn a_neighbour_with_one_die_that_opens_for_a_seat_that_is_out_is_not_palifico() {
    let mut table = round(&[&[2], &[3], &[4, 4], &[5, 5]]);
    table.plays(0, bid(6, 2)).plays(1, dudo());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([0, 1, 2, 2]), &json!(1)));
    assert_eq!(view["palifico_round"], false);
}

#[test]
fn nobody_is_palifico_twice() {
    let mut game = dealt(&[&[2, 2], &[3; 5], &[4; 5]]);
    game.been_palifico[Seat(0)] = true;
    let mut table = Table::at(&game);
    table.plays(0, bid(6, 2)).plays(1, dudo());
    assert_eq!(table.public()["dice"], json!([1, 5, 5]));
    assert_eq!(table.public()["palifico_round"], false);
}

#[test]
fn a_palifico_round_may_open_with_any_face_and_only_the_palifico_may_change_it() {
    let mut table = palifico_round(&[&[2], &[3; 5], &[4; 5]], &[]);
    assert_eq!(table.legal(0).len(), 11 * 6);
    table.plays(0, bid(2, 1));
    assert_eq!(table.refuses(1, bid(2, 5)), "face_locked");
    assert_eq!(table.refuses(1, bid(3, 5)), "face_locked");
    assert_eq!(table.refuses(1, bid(12, 5)), "bid_too_high");
    assert_eq!(table.refuses(1, bid(1, 1)), "bid_too_low");
    table.plays(1, bid(3, 1)).plays(2, bid(4, 1));
    // Seat 0 has declared by now: a 1 is below a 2, half and double play no part.
    assert!(table.may(0, &bid(4, 2)));
    assert!(table.may(0, &bid(5, 1)));
    assert_eq!(table.refuses(0, bid(4, 1)), "bid_too_low");
    assert_eq!(table.refuses(0, bid(3, 6)), "bid_too_low");
}

#[test]
fn who_was_palifico_in_an_earlier_round_may_change_the_face() {
    let mut table = palifico_round(&[&[2], &[3; 5], &[4; 5]], &[2]);
    table.plays(0, bid(2, 5));
    assert_eq!(table.refuses(1, bid(3, 6)), "face_locked");
    table.plays(1, bid(3, 5));
    assert!(table.may(2, &bid(3, 6)));
    assert!(!table.may(2, &bid(3, 4)));
    assert!(table.may(2, &bid(4, 1)));
    table.plays(2, bid(3, 6));
    assert_eq!(table.public()["bid"], json!({"seat": 2, "count": 3, "face": 6}));
}

#[test]
fn a_seat_that_cannot_raise_in_a_palifico_round_must_doubt_or_call() {
    let mut table = palifico_round(&[&[2], &[3; 5], &[4; 5]], &[]);
    table.plays(0, bid(11, 2));
    assert_eq!(table.legal(1), [dudo(), calza()]);
}

#[test]
fn pacos_are_a_plain_1_in_a_palifico_round() {
    let mut table = palifico_round(&[&[1], &[1, 1, 3, 3, 3], &[4; 5]], &[]);
    table.plays(0, bid(3, 3)).plays(1, dudo());
    let reveal = table.public()["last_reveal"].clone();
    assert_eq!((&reveal["actual"], &reveal["wild"]), (&json!(3), &json!(false)));
    assert_eq!(table.public()["palifico_round"], false, "the next round is ordinary");
}

#[test]
fn a_palifico_round_may_follow_upon_another() {
    let mut table = palifico_round(&[&[2], &[3, 3], &[4; 5]], &[]);
    table.plays(0, bid(1, 2)).plays(1, dudo());
    let view = table.public();
    assert_eq!((&view["palifico_round"], &view["opener"]), (&json!(true), &json!(1)));
    assert_eq!(view["been_palifico"], json!([true, true, false]));
}

#[test]
fn anyone_in_the_game_but_the_bidder_may_call_calza() {
    let mut table = round(&[&[2; 5], &[3; 5], &[], &[4; 5], &[5; 5]]);
    assert_eq!(table.public()["interrupt"], json!([]));
    assert_eq!(table.refuses(1, calza()), "not_your_turn", "no bid stands, so nobody may interrupt");
    assert_eq!(table.refuses(0, calza()), "no_bid");
    table.plays(0, bid(3, 2));
    let view = table.public();
    assert_eq!((&view["to_move"], &view["interrupt"]), (&json!([1]), &json!([3, 4])));
    assert_eq!(table.refuses(0, calza()), "not_your_turn", "nobody calls the own bid exact");
    assert_eq!(table.refuses(2, calza()), "not_your_turn", "it is out");
    assert_eq!(table.refuses(3, dudo()), "not_your_turn");
    assert_eq!(table.refuses(3, bid(4, 2)), "not_your_turn");
    assert_eq!(table.refuses(3, json!({"type": "pass"})), "not_your_turn");
    assert_eq!(table.refuses(3, json!(null)), "not_your_turn");
    assert_eq!(table.refuses(3, json!({"type": "calza", "count": 3})), "invalid_move");
    assert_eq!(table.legal(3), [calza()]);
    assert!(table.may(1, &calza()), "the seat on turn, too");
}

#[test]
fn a_right_call_gives_a_die_back_and_leaves_the_others_alone() {
    let mut table = round(&[&[2, 2, 1], &[3; 3], &[4; 5]]);
    table.plays(0, bid(3, 2)).plays(1, calza());
    let events = table.public_events();
    assert_eq!(types(&events), ["call", "revealed", "gained", "round_started"]);
    assert_eq!(events[0], json!({"type": "call", "seat": 1, "call": "calza"}));
    assert_eq!(events[2], json!({"type": "gained", "seat": 1, "dice": 1, "left": 4}));
    let view = table.public();
    assert_eq!(view["dice"], json!([3, 4, 5]));
    assert_eq!(view["last_reveal"]["changes"], json!([0, 1, 0]));
    assert_eq!(view["last_loser"], Value::Null);
}

#[test]
fn a_seat_with_five_dice_takes_none() {
    let mut table = round(&[&[2, 2, 1], &[3; 3], &[4; 5]]);
    table.plays(0, bid(3, 2)).plays(2, calza());
    assert_eq!(types(&table.public_events()), ["call", "revealed", "round_started"]);
    assert_eq!(table.public()["dice"], json!([3, 3, 5]));
    assert_eq!(table.public()["last_reveal"]["changes"], json!([0, 0, 0]));
}

#[test]
fn until_somebody_loses_a_die_the_opener_opens_again() {
    let mut table = round(&[&[2, 2, 1], &[3; 5], &[4; 5]]);
    let again = |cup| vec![roll(0, cup), roll(1, [3; 5].as_slice()), roll(2, [4; 5].as_slice())];
    table.plays_into(0, bid(3, 2), vec![]).plays_into(2, calza(), again(&[6, 6, 6]));
    assert_eq!(table.public()["opener"], 0);
    table.plays(0, bid(5, 3)).plays(1, bid(5, 4)).plays(0, calza());
    assert_eq!((&table.public()["opener"], &table.public()["dice"]), (&json!(0), &json!([4, 5, 5])));
}

fn roll(seat: u8, dice: &[u8]) -> Value {
    json!({"roll": {"seat": seat, "dice": dice}})
}

#[test]
fn after_a_right_call_the_last_loser_opens_or_if_it_is_out_the_next_after_it() {
    for (out, opener) in [(1, 2), (3, 0)] {
        let mut cups: [&[u8]; 4] = [&[2, 2], &[3, 3], &[2, 4], &[3, 5]];
        cups[out] = &[];
        let mut game = dealt(&cups);
        game.last_loser = Some(Seat(out as u8));
        game.bids.push(Bid { seat: Seat(0), count: 3, face: Face::TWO });
        game.waits_for = WaitsFor::Turn(Seat(2));
        let mut table = Table::at(&game);
        table.plays(2, calza());
        assert_eq!(table.public()["opener"], opener, "seat {out} is out");
        assert_eq!(table.public()["last_loser"], out);
    }
}

#[test]
fn a_wrong_call_costs_the_caller_a_die_and_it_opens() {
    let mut table = round(&[&[2, 2, 1], &[3, 3], &[4; 5]]);
    table.plays(0, bid(2, 2)).plays(1, calza());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"], &view["last_loser"]), (&json!([3, 1, 5]), &json!(1), &json!(1)));
    assert_eq!(view["palifico_round"], true, "it fell to one die");
    assert_eq!(types(&table.public_events()), ["call", "revealed", "lost", "palifico", "round_started"]);
}

#[test]
fn a_wrong_call_may_cost_the_last_die() {
    let mut table = round(&[&[2, 2], &[3], &[4]]);
    table.plays(0, bid(1, 2)).plays(2, calza());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([2, 1, 0]), &json!(0)));
}

#[test]
fn a_right_call_in_a_palifico_round_counts_the_face_alone_and_makes_no_palifico_round() {
    let mut table = palifico_round(&[&[1], &[1, 1, 3, 3], &[4; 5]], &[]);
    table.plays(0, bid(2, 3)).plays(1, calza());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([1, 5, 5]), &json!(0)));
    assert_eq!((&view["palifico_round"], &view["last_reveal"]["wild"]), (&json!(false), &json!(false)));
}

#[test]
fn two_seats_may_call_calza_too() {
    let mut table = round(&[&[2], &[2], &[]]);
    table.plays(0, bid(2, 2));
    assert_eq!(table.public()["interrupt"], json!([]));
    table.plays(1, calza());
    assert_eq!(table.public()["dice"], json!([1, 2, 0]));
}

#[test]
fn a_seat_that_recovers_and_falls_again_is_not_palifico_again() {
    let mut table = palifico_round(&[&[4], &[3; 3], &[4; 5]], &[]);
    let rolls = |cups: [&[u8]; 3]| (0..3).map(|seat| roll(seat, cups[usize::from(seat)])).collect();
    table.plays(0, bid(1, 4)).plays(1, bid(2, 4)).plays(2, bid(6, 4));
    table.plays_into(0, calza(), rolls([&[2, 2], &[3; 3], &[4; 5]]));
    assert_eq!(table.public()["dice"], json!([2, 3, 5]));
    table.plays(0, bid(10, 2)).plays(1, dudo());
    let view = table.public();
    assert_eq!((&view["dice"], &view["palifico_round"]), (&json!([1, 3, 5]), &json!(false)));
}

#[test]
fn ranks_follow_the_order_of_going_out() {
    let mut table = round(&[&[2; 5], &[3], &[4], &[5]]);
    table.plays(0, bid(5, 2)).plays(1, dudo());
    table.plays(2, bid(7, 2)).plays(3, dudo());
    table.plays(3, bid(6, 2)).plays(0, dudo());
    let view = table.public();
    assert_eq!(view["outcome"], json!({"ranks": [1, 4, 3, 2], "scores": null, "reason": "last_standing"}));
    let events = table.public_events();
    assert_eq!(types(&events), ["call", "revealed", "lost", "eliminated", "game_over"]);
    assert_eq!(events[4]["outcome"], view["outcome"]);
    assert_eq!((&view["round"], &view["opener"], &view["bid"]), (&json!(3), &Value::Null, &Value::Null));
    assert_eq!((&view["bids"], &view["interrupt"]), (&json!([]), &json!([])));
    assert_eq!(table.seen_by(0)["my_dice"], json!([]));
    assert_eq!(table.refuses(0, json!({"type": "pass"})), "game_over");
}

#[test]
fn a_match_that_ends_in_a_palifico_round_is_in_none_any_more() {
    let mut table = palifico_round(&[&[2], &[3], &[]], &[]);
    table.plays(0, bid(2, 2)).plays(1, dudo());
    assert_eq!((&table.public()["phase"], &table.public()["palifico_round"]), (&json!("finished"), &json!(false)));
}

#[test]
fn fields_must_be_there_alone_whole_and_in_range() {
    let mut table = round(&[&[2; 5], &[3; 5]]);
    table.plays(0, bid(1, 2));
    for spoilt in [
        json!({"type": "bid", "face": 3}),
        json!({"type": "bid", "count": 3, "face": 3, "seat": 1}),
        json!({"type": "bid", "count": 3.0, "face": 3}),
        json!({"type": "bid", "count": true, "face": 3}),
        json!({"type": "bid", "count": 3, "face": "3"}),
        json!({"type": "bid", "count": null, "face": 3}),
        json!({"type": "bid", "count": 100, "face": 3}),
        json!({"type": "bid", "count": -1, "face": 3}),
        json!({"type": "bid", "count": 257, "face": 3}),
        json!({"type": "bid", "count": 3, "face": 0}),
        json!({"type": "dudo", "count": 3}),
        json!({"type": "calza", "seat": 1}),
    ] {
        assert_eq!(table.refuses(1, spoilt), "invalid_move");
    }
    for unknown in [json!(null), json!([]), json!("dudo"), json!({}), json!({"type": 3}), json!({"type": "Dudo"})] {
        assert_eq!(table.refuses(1, unknown), "unknown_move");
    }
}

#[test]
fn calza_does_not_exist_without_the_option() {
    let mut game = dealt(&[&[2; 5], &[3; 5], &[4; 5]]);
    game.options.calza = false;
    let mut table = Table::at(&game);
    assert_eq!(table.refuses(0, calza()), "unknown_move");
    table.plays(0, bid(3, 2));
    assert_eq!(table.public()["interrupt"], json!([]));
    assert_eq!(table.refuses(1, calza()), "unknown_move");
    assert_eq!(table.refuses(2, calza()), "not_your_turn");
    assert!(!table.may(1, &calza()));
}

#[test]
fn options_and_seats_are_checked_and_named() {
    let refused = |options: Value, seats| of::<Perudo>().normalize_options(&options, seats).expect_err("refused");
    for (options, key) in
        [(json!({"calza": 1}), "calza"), (json!({"palifico": null}), "palifico"), (json!({"x": 1}), "x")]
    {
        let err = refused(options, 3);
        assert_eq!(err.code(), "invalid_options");
        assert!(err.to_string().contains(key), "{err}");
    }
    assert_eq!(refused(json!({"x": 1}), 7).code(), "invalid_seats");
    assert_eq!(refused(json!({}), 1).code(), "invalid_seats");
}

#[test]
fn a_state_that_cannot_be_is_not_resumed() {
    let resumes = |game: &Perudo| {
        let saved = serde_json::to_vec(game).expect("games serialize");
        of::<Perudo>().resume(&saved).is_ok()
    };
    let sound = dealt(&[&[2; 5], &[3; 5], &[]]);
    assert!(resumes(&sound));
    assert!(!resumes(&Perudo { waits_for: WaitsFor::Turn(Seat(3)), ..sound.clone() }));
    assert!(!resumes(&Perudo { waits_for: WaitsFor::Turn(Seat(2)), ..sound.clone() }));
    assert!(!resumes(&Perudo { waits_for: WaitsFor::FirstSeat, ..sound.clone() }));
    assert!(!resumes(&Perudo { waits_for: WaitsFor::Nothing, ..sound.clone() }));
    assert!(!resumes(&Perudo { last_loser: Some(Seat(3)), ..sound.clone() }));
    assert!(!resumes(&Perudo { been_palifico: vec![true].into(), ..sound.clone() }));
    assert!(!resumes(&Perudo { dice: vec![5, 4, 0].into(), ..sound.clone() }));
    assert!(!resumes(&Perudo { out: vec![Seat(2), Seat(2)], ..sound.clone() }));
    let stray = Bid { seat: Seat(0), count: 11, face: Face::TWO };
    assert!(!resumes(&Perudo { bids: vec![stray], ..sound }));
}

/// What the autopilot of the first seat chooses, with any luck.
fn choices(game: &Perudo) -> Vec<Move> {
    let mut moves = Vec::new();
    game.legal_moves(Seat(0), &mut moves);
    let view = game.view(Viewer::Seat(Seat(0)));
    (0..50).map(|seed| Perudo::autopilot(&view, &moves, &mut playout::random(seed))).collect()
}

#[test]
fn the_autopilot_bids_what_it_has_and_doubts_what_is_unlikely() {
    let mut game = dealt(&[&[4, 4, 1, 2, 3], &[5; 5]]);
    let four = Face::new(4).expect("a face");
    assert!(choices(&game).iter().all(|it| *it == Move::Bid { count: 4, face: four }));
    let mut standing = |count| {
        game.bids.push(Bid { seat: Seat(1), count, face: four });
        choices(&game)
    };
    assert!(!standing(3).contains(&Move::Dudo {}), "its own dice prove it");
    assert!(!standing(4).contains(&Move::Dudo {}), "one of five dice is enough");
    assert!(standing(7).iter().all(|it| *it == Move::Dudo {}));
    game.palifico_round = true;
    game.bids.push(Bid { seat: Seat(1), count: 5, face: four });
    assert!(choices(&game).iter().all(|it| *it == Move::Dudo {}), "Pacos do not help");
}

#[test]
fn the_autopilot_bluffs_now_and_then() {
    let mut game = dealt(&[&[4, 4, 4, 2, 3], &[5; 5]]);
    game.bids.push(Bid { seat: Seat(1), count: 2, face: Face::TWO });
    let bids = choices(&game);
    let has = |chosen: &Move| matches!(chosen, Move::Bid { face, .. } if face.pips() == 4);
    assert!(bids.iter().any(has) && bids.iter().any(|it| !has(it)), "{bids:?}");
}

#[test]
fn the_autopilot_calls_calza_where_it_knows_and_misses_a_die() {
    let options = Options { calza: true, ..Options::default() };
    let mut game = Perudo { options, ..dealt(&[&[4, 4, 4, 2], &[5]]) };
    game.bids.push(Bid { seat: Seat(1), count: 3, face: Face::new(4).expect("a face") });
    assert!(choices(&game).iter().all(|it| *it == Move::Calza {}));
    game.options.calza = false;
    assert!(choices(&game).iter().all(|it| *it != Move::Calza {}));
}

/// What a bot of this level does out of turn in seat 2, which holds three fives, when seat 0 has bid so many in a Palífico
/// round.
fn out_of_turn(count: u8, level: Level) -> Option<Value> {
    let mut table = palifico_round(&[&[3], &[2], &[5, 5, 5]], &[]);
    table.plays(0, bid(count, 5));
    let told: Vec<_> = Vec::new();
    let play = of::<Perudo>().resume(&serde_json::to_vec(&table.saved()).expect("it is JSON")).expect("it resumes");
    let chosen =
        play.interruption(Seat(2), &told, level, &mut || true, &mut playout::random(1)).expect("nothing was told");
    chosen.map(|it| crate::record::value(&it))
}

#[test]
fn bots_call_calza_out_of_turn_where_it_is_likelier_right_than_wrong() {
    // A hard one minds that who bids fives may well have one.
    assert_eq!([Level::Easy, Level::Medium].map(|level| out_of_turn(3, level)), [None, Some(calza())]);
    assert_eq!(Level::ALL.map(|level| out_of_turn(5, level)), [None, None, None]);
}

#[test]
fn perudo_keeps_the_laws() {
    conforms(of::<Perudo>());
    determinizes(of::<Perudo>());
}
