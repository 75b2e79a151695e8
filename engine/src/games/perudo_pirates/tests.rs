//! One test per rule that no scenario shows, then the laws.

use serde_json::{Value, json};

use super::*;
use crate::conformance::{conforms, determinizes};
use crate::erased::of;
use crate::games::table::{Table, types};
use crate::pieces::bids::Track;
use crate::pieces::dice::Face;

/// A first round in which these dice lie under the cups and seat 0 opens; a seat without dice is out. Nobody re-rolls,
/// unless the options are changed.
fn dealt(options: &Value, cups: &[&[u8]]) -> PerudoPirates {
    let mut all = json!({"hidden": true});
    all.as_object_mut().expect("an object").extend(options.as_object().expect("an object").clone());
    let options = serde_json::from_value(all).expect("options");
    let mut game = PerudoPirates::setup(options, cups.len() as u8).expect("allowed");
    game.cups = cups.iter().map(|cup| dice(cup)).collect::<Vec<_>>().into();
    game.dice = game.cups.map(|cup| cup.len());
    game.out = game.dice.which(|dice| *dice == 0).iter().map(SeatSet::one).collect();
    game.waits_for = WaitsFor::Turn(Seat(0));
    game.round = 1;
    game
}

fn round(options: Value, cups: &[&[u8]]) -> Table {
    Table::at(&dealt(&options, cups))
}

/// As [`round`], but these seats have just come to one die and are ready for a Showdown.
fn ready(options: Value, cups: &[&[u8]], ready: &[u8]) -> Table {
    let mut game = dealt(&json!({"showdown": true}), cups);
    let Value::Object(mut all) = json!({"showdown": true, "hidden": true}) else { unreachable!("it is an object") };
    all.extend(options.as_object().expect("an object").clone());
    game.options = serde_json::from_value(Value::Object(all)).expect("options");
    game.showdown_ready = ready.iter().map(|seat| Seat(*seat)).collect();
    Table::at(&game)
}

fn dice(faces: &[u8]) -> Dice {
    faces.iter().filter_map(|pips| Face::new(*pips)).collect()
}

fn roll(seat: u8, dice: &[u8]) -> Value {
    json!({"roll": {"seat": seat, "dice": dice}})
}

fn bid(count: u8, face: u8) -> Value {
    json!({"type": "bid", "count": count, "face": face})
}

fn reroll(keep: &[u8]) -> Value {
    json!({"type": "reroll", "keep": keep})
}

fn stand() -> Value {
    json!({"type": "stand"})
}

fn challenge() -> Value {
    json!({"type": "challenge"})
}

fn exact() -> Value {
    json!({"type": "exact"})
}

fn showdown() -> Value {
    json!({"type": "showdown"})
}

#[test]
fn a_match_begins_with_a_random_opener_and_five_dice_each() {
    let rolls = (0..3).map(|seat| roll(seat, &[6, 2, 2, 1, 3]));
    let chance = std::iter::once(json!({"first_seat": 2})).chain(rolls).collect();
    let table = Table::new(of::<PerudoPirates>(), &json!({}), 3, chance);
    let events = table.events_for(1);
    assert_eq!(types(&events), ["first_seat", "round_started", "rolled"]);
    assert_eq!(events[0], json!({"type": "first_seat", "seat": 2}));
    assert_eq!(events[1], json!({"type": "round_started", "round": 1, "opener": 2, "dice": [5, 5, 5]}));
    assert_eq!(events[2], json!({"type": "rolled", "seat": 1, "dice": [1, 2, 2, 3, 6]}));
    assert_eq!(types(&table.public_events()), ["first_seat", "round_started"]);
}

#[test]
fn skulls_are_wild_but_for_a_bid_of_skulls_only_skulls_count() {
    for (face, actual) in [(4, 5), (1, 3), (2, 4)] {
        let mut table = round(json!({}), &[&[1, 4, 4, 6], &[1, 1, 2, 3]]);
        table.plays(0, bid(8, face)).plays(1, challenge());
        assert_eq!(table.public()["last_reveal"]["actual"], actual, "of face {face}");
    }
}

#[test]
fn both_tracks_stand_as_the_table_says_beyond_20_too() {
    let six = [2_u8; 5];
    for count in 1..=30 {
        for (track, name) in [(Track::Classic, "classic"), (Track::Bluff, "bluff")] {
            let on = |face: u8| {
                let mut game = dealt(&json!({"track": name}), &[&six, &six, &six, &six, &six, &six]);
                let face = Face::new(face).expect("a face");
                game.bids.push(Bidding { seat: Seat(5), count, face, reroll: None });
                Table::at(&game)
            };
            let (of_dice, of_skulls) = (on(6), on(1));
            let (skulls, numbers) = match track {
                Track::Classic => (count.div_ceil(2), 2 * count + 1),
                Track::Bluff => (count / 2 + 1, 2 * count),
            };
            for other in 1..=30 {
                assert_eq!(of_dice.may(0, &bid(other, 1)), other >= skulls, "{other} skulls on {count}, {name}");
                assert_eq!(of_skulls.may(0, &bid(other, 2)), other >= numbers, "{other} on {count} skulls, {name}");
                assert_eq!(of_skulls.may(0, &bid(other, 6)), other >= numbers);
                assert_eq!(of_skulls.may(0, &bid(other, 1)), other > count);
                assert_eq!(of_dice.may(0, &bid(other, 2)), other > count);
            }
        }
    }
}

#[test]
fn no_bid_is_higher_than_all_dice_skulls_included() {
    let mut table = round(json!({}), &[&[2, 2], &[3], &[]]);
    assert_eq!(table.refuses(0, bid(4, 1)), "bid_too_high");
    table.plays(0, bid(3, 1));
    assert_eq!(table.legal(1), [challenge(), exact()]);
}

#[test]
fn seats_that_can_reroll_are_asked_and_the_others_wait() {
    let mut table = round(json!({"hidden": false}), &[&[1, 2, 4, 4, 6], &[3; 5]]);
    table.plays(0, bid(7, 4));
    assert_eq!(table.public_events(), [json!({"type": "bid", "seat": 0, "count": 7, "face": 4})]);
    assert_eq!(table.public()["phase"], "rerolling");
    assert_eq!(table.refuses(1, challenge()), "not_your_turn");
    for chosen in [bid(8, 4), bid(99, 4), challenge(), exact()] {
        assert_eq!(table.refuses(0, chosen), "must_decide");
    }
    assert_eq!(table.refuses(0, showdown()), "unknown_move");
    table.plays(0, stand());
    assert_eq!(table.public_events(), [json!({"type": "stand", "seat": 0})]);
    let view = table.public();
    assert_eq!((&view["phase"], &view["to_move"]), (&json!("bidding"), &json!([1])));
    assert_eq!(view["bids"], json!([{"seat": 0, "count": 7, "face": 4, "reroll": null}]));
    assert_eq!(table.refuses(1, stand()), "nothing_to_reroll");
    assert_eq!(table.refuses(1, reroll(&[3])), "nothing_to_reroll");
}

#[test]
fn each_set_of_dice_to_keep_is_listed_once() {
    let mut table = round(json!({"hidden": false}), &[&[1, 2, 4, 4, 6], &[3; 5]]);
    table.plays(0, bid(7, 4));
    let legal = table.legal(0);
    // Two choices for each of three single dice, three for the pair, without none and all; and to stand.
    assert_eq!(legal.len(), 2 * 2 * 2 * 3 - 2 + 1);
    let kept = |it: &Value| it["keep"].as_array().is_none_or(|keep| keep.is_sorted_by_key(Value::as_u64));
    assert!(legal.iter().all(kept));
    assert!(table.may(0, &reroll(&[1, 4, 4])));
    assert!(table.may(0, &stand()));
}

#[test]
fn what_is_kept_must_be_among_the_cup_dice_and_leave_one_to_roll() {
    let mut table = round(json!({"hidden": false}), &[&[1, 2, 4, 4, 6], &[3; 5]]);
    table.plays(0, bid(7, 4));
    let many = vec![4; 300];
    for keep in [&[5][..], &[1, 1], &[4, 4, 4], &[1, 2, 4, 4, 6], &[6, 4, 4, 2, 1], &[1, 2, 4, 4, 6, 6], &many] {
        assert_eq!(table.refuses(0, reroll(keep)), "reroll_dice", "{keep:?}");
    }
    for keep in [json!([]), json!(null), json!(4), json!([0]), json!([7]), json!([4.0]), json!(["4"]), json!([[4]])] {
        assert_eq!(table.refuses(0, json!({"type": "reroll", "keep": keep})), "invalid_move", "{keep}");
    }
    assert_eq!(table.refuses(0, json!({"type": "reroll"})), "invalid_move");
    assert_eq!(table.refuses(0, json!({"type": "reroll", "keep": [4], "count": 1})), "invalid_move");
    assert_eq!(table.refuses(0, json!({"type": "stand", "keep": []})), "invalid_move");
    table.plays_into(0, reroll(&[6, 4, 1]), vec![roll(0, &[3, 2])]);
}

#[test]
fn all_see_the_dice_shown_and_kept_but_only_their_owner_sees_the_new_ones() {
    let mut table = round(json!({"hidden": false}), &[&[1, 2, 4, 4, 6], &[3; 5]]);
    table.plays(0, bid(7, 4)).plays_into(0, reroll(&[4, 1, 4]), vec![roll(0, &[5, 3])]);
    let shown = json!({"type": "reroll", "seat": 0, "shown": [1, 2, 4, 4, 6], "keep": [1, 4, 4]});
    assert_eq!((table.public_events(), table.events_for(1)), (vec![shown.clone()], vec![shown.clone()]));
    assert_eq!(table.events_for(0), [shown, json!({"type": "rolled", "seat": 0, "dice": [3, 5]})]);
    assert_eq!(table.seen_by(0)["my_dice"], json!([3, 5]));
    assert_eq!(table.public()["set_aside"], json!([[1, 4, 4], []]));
    assert_eq!(table.public()["dice"], json!([5, 5]));
}

#[test]
fn with_one_die_under_its_cup_a_seat_is_not_asked_any_more() {
    let mut table = round(json!({"hidden": false}), &[&[1, 2, 4, 4, 6], &[3]]);
    table.plays(0, bid(1, 4)).plays_into(0, reroll(&[1, 4, 4]), vec![roll(0, &[5, 3])]);
    table.plays(1, bid(2, 4));
    assert_eq!(table.public()["to_move"], json!([0]), "seat 1 has one die only");
    table.plays(0, bid(3, 4)).plays_into(0, reroll(&[5]), vec![roll(0, &[2])]);
    table.plays(1, bid(4, 4)).plays(0, bid(5, 4));
    let view = table.public();
    assert_eq!((&view["phase"], &view["to_move"]), (&json!("bidding"), &json!([1])));
    assert_eq!(view["set_aside"], json!([[1, 4, 4, 5], []]));
    assert_eq!(view["bids"][2]["reroll"], json!({"shown": [3, 5], "keep": [5]}));
    assert_eq!(view["bids"][4]["reroll"], Value::Null);
}

#[test]
fn dice_set_aside_count_are_lost_like_others_and_go_back_under_the_cup() {
    let mut table = round(json!({"hidden": false}), &[&[4, 4], &[3, 3]]);
    table.plays(0, bid(3, 4)).plays_into(0, reroll(&[4]), vec![roll(0, &[2])]);
    table.plays_into(1, challenge(), vec![roll(0, &[6]), roll(1, &[3, 3])]);
    let view = table.public();
    assert_eq!(view["last_reveal"]["dice"], json!([[2, 4], [3, 3]]));
    assert_eq!((&view["last_reveal"]["actual"], &view["dice"]), (&json!(1), &json!([1, 2])));
    assert_eq!(view["set_aside"], json!([[], []]));
}

#[test]
fn an_exact_call_that_is_right_moves_a_die_from_the_bidder_through_the_middle_to_the_caller() {
    let mut table = round(json!({}), &[&[5, 5], &[5; 5], &[2; 5]]);
    table.plays(0, bid(7, 5)).plays(1, exact());
    let events = table.public_events();
    assert_eq!(types(&events), ["call", "revealed", "lost", "gained", "round_started"]);
    assert_eq!(events[0], json!({"type": "call", "seat": 1, "call": "exact"}));
    assert_eq!(events[2], json!({"type": "lost", "seat": 0, "dice": 1, "left": 1}));
    assert_eq!(events[3], json!({"type": "gained", "seat": 1, "dice": 1, "left": 6}));
    let view = table.public();
    assert_eq!((&view["dice"], &view["middle"], &view["opener"]), (&json!([1, 6, 5]), &json!(3), &json!(0)));
    assert_eq!(view["showdown_ready"], json!([]), "not without the option");
}

#[test]
fn a_right_exact_call_may_take_the_bidders_last_die() {
    let mut table = round(json!({}), &[&[5], &[5; 5], &[2; 5]]);
    table.plays(0, bid(6, 5)).plays(1, exact());
    assert_eq!(types(&table.public_events()), ["call", "revealed", "lost", "gained", "eliminated", "round_started"]);
    assert_eq!(table.public()["dice"], json!([0, 6, 5]));
    assert_eq!(table.public()["opener"], 1, "the next after the bidder");
}

#[test]
fn with_the_cap_a_seat_with_five_dice_leaves_the_die_in_the_middle() {
    for (cup, left, middle) in [(&[5_u8; 5][..], 5, 2), (&[5; 4], 5, 2), (&[5; 6], 6, 1)] {
        let mut table = round(json!({"cap_five": true}), &[&[5; 4], cup]);
        let all = table.public()["total_dice"].as_u64().expect("a number") as u8;
        table.plays(0, bid(all, 5)).plays(1, exact());
        let view = table.public();
        assert_eq!((&view["dice"], &view["middle"]), (&json!([3, left]), &json!(middle)));
    }
}

#[test]
fn a_wrong_exact_call_costs_the_caller_alone_one_die() {
    for count in [1, 9] {
        let mut table = round(json!({}), &[&[5; 5], &[4; 5]]);
        table.plays(0, bid(count, 5)).plays(1, exact());
        let view = table.public();
        assert_eq!((&view["dice"], &view["middle"], &view["opener"]), (&json!([5, 4]), &json!(1), &json!(1)));
    }
}

#[test]
fn if_the_loser_is_out_the_next_in_the_game_opens() {
    let mut table = round(json!({}), &[&[2, 2], &[3], &[], &[4, 4]]);
    table.plays(0, bid(1, 2)).plays(1, challenge());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"], &view["middle"]), (&json!([2, 0, 0, 2]), &json!(3), &json!(16)));
    assert_eq!(types(&table.public_events()), ["call", "revealed", "lost", "eliminated", "round_started"]);
    assert_eq!(table.events_for(1), table.public_events());
}

#[test]
fn with_hidden_the_turn_passes_at_once() {
    let mut table = round(json!({}), &[&[2; 5], &[3; 5]]);
    table.plays(0, bid(1, 2));
    assert_eq!(table.public()["phase"], "bidding");
    assert_eq!(table.refuses(1, reroll(&[3])), "unknown_move");
    assert_eq!(table.refuses(1, stand()), "unknown_move");
}

#[test]
fn with_high_risk_nobody_loses_more_than_it_has() {
    let mut table = round(json!({"high_risk": true}), &[&[3, 3], &[3; 4], &[2; 5]]);
    table.plays(0, bid(9, 3)).plays(1, challenge());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([0, 4, 5]), &json!(1)));
    assert_eq!(view["last_reveal"]["changes"], json!([-2, 0, 0]));
    assert_eq!(table.public_events()[2], json!({"type": "lost", "seat": 0, "dice": 2, "left": 0}));
}

#[test]
fn with_high_risk_a_wrong_exact_call_costs_the_difference() {
    for (count, left) in [(2, 2), (7, 3)] {
        let mut table = round(json!({"high_risk": true}), &[&[5; 5], &[4; 5]]);
        table.plays(0, bid(count, 5)).plays(1, exact());
        assert_eq!(table.public()["dice"], json!([5, left]));
    }
}

#[test]
fn with_high_risk_a_failed_challenge_costs_the_challenger_the_difference() {
    let mut table = round(json!({"high_risk": true}), &[&[5; 5], &[4; 5]]);
    table.plays(0, bid(2, 5)).plays(1, challenge());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([5, 2]), &json!(1)));
}

#[test]
fn an_exactly_met_challenge_costs_all_but_the_bidder_and_several_go_out_at_once() {
    let mut table = round(json!({"high_risk": true}), &[&[5, 5], &[4], &[], &[3], &[2, 2]]);
    table.plays(0, bid(1, 5)).plays(1, bid(1, 6)).plays(3, bid(2, 5)).plays(4, challenge());
    let view = table.public();
    assert_eq!(view["dice"], json!([1, 0, 0, 1, 1]), "seat 3 bid");
    assert_eq!((&view["opener"], &view["middle"]), (&json!(4), &json!(22)));
    let events = table.public_events();
    assert_eq!(types(&events), ["call", "revealed", "lost", "lost", "lost", "eliminated", "round_started"]);
    let lost = events[2..5].iter().map(|it| it["seat"].clone()).collect::<Vec<_>>();
    assert_eq!(lost, [json!(0), json!(1), json!(4)]);
    assert_eq!(events[5], json!({"type": "eliminated", "seat": 1}));
}

#[test]
fn after_an_exactly_met_challenge_the_next_opens_for_a_challenger_that_is_out() {
    let mut table = round(json!({"high_risk": true}), &[&[5, 5], &[4], &[3, 3]]);
    table.plays(0, bid(2, 5)).plays(1, challenge());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([2, 0, 1]), &json!(2)));
}

#[test]
fn seats_that_go_out_together_share_a_rank() {
    let mut table = round(json!({"high_risk": true}), &[&[5, 5], &[4], &[], &[3]]);
    table.plays(0, bid(2, 5)).plays(1, challenge());
    let outcome = json!({"ranks": [1, 2, 4, 2], "scores": null, "reason": "last_standing"});
    assert_eq!(table.public()["outcome"], outcome);
    let events = table.public_events();
    let all = ["call", "revealed", "lost", "lost", "eliminated", "eliminated", "game_over"];
    assert_eq!((types(&events), &events[6]["outcome"]), (all.to_vec(), &outcome));
}

#[test]
fn with_high_risk_a_right_exact_call_costs_the_bidder_one_die_or_by_option_none() {
    let cups: [&[u8]; 3] = [&[5, 5, 5], &[4; 4], &[3; 5]];
    let mut one = round(json!({"high_risk": true}), &cups);
    one.plays(0, bid(3, 5)).plays(1, exact());
    assert_eq!((&one.public()["dice"], &one.public()["opener"]), (&json!([2, 5, 5]), &json!(0)));
    let mut none = round(json!({"high_risk": true, "high_risk_exact": "none"}), &cups);
    none.plays(0, bid(3, 5)).plays(1, exact());
    assert_eq!((&none.public()["dice"], &none.public()["opener"]), (&json!([3, 5, 5]), &json!(0)));
    assert_eq!(none.public()["last_reveal"]["changes"], json!([0, 1, 0]));
    assert_eq!(types(&none.public_events()), ["call", "revealed", "gained", "round_started"]);
    assert_eq!(none.public()["middle"], 2);
    let mut without = round(json!({"high_risk_exact": "none"}), &cups);
    without.plays(0, bid(3, 5)).plays(1, exact());
    assert_eq!(without.public()["dice"], json!([2, 5, 5]), "no effect without high_risk");
}

#[test]
fn an_exact_call_that_costs_nothing_takes_nothing_from_an_empty_middle() {
    let mut table = round(json!({"high_risk": true, "high_risk_exact": "none"}), &[&[5; 5], &[4; 5], &[3; 5]]);
    table.plays(0, bid(1, 5)).plays(1, bid(5, 5)).plays(2, exact());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([5, 5, 5]), &json!(1)));
    assert_eq!(view["last_reveal"]["changes"], json!([0, 0, 0]));
    assert_eq!(types(&table.public_events()), ["call", "revealed", "round_started"]);
}

#[test]
fn a_seat_that_comes_to_one_die_is_ready() {
    let mut table = ready(json!({}), &[&[5, 5], &[4; 5], &[3; 5]], &[]);
    table.plays(0, bid(12, 5)).plays(1, challenge());
    assert_eq!(table.public()["showdown_ready"], json!([0]));
    assert_eq!(table.legal(0).last(), Some(&showdown()));
    table.plays(0, showdown());
    assert_eq!(table.public_events(), [json!({"type": "showdown", "seat": 0})]);
    let view = table.public();
    assert_eq!((&view["showdown_by"], &view["showdown_ready"]), (&json!(0), &json!([])));
    assert_eq!((&view["to_move"], &view["phase"]), (&json!([0]), &json!("bidding")));
    assert_eq!(view["showdown_used"], json!([true, false, false]));
    assert_eq!(table.refuses(0, showdown()), "no_showdown");
    assert_eq!(table.refuses(0, exact()), "no_bid", "before exact_forbidden");
}

#[test]
fn with_high_risk_a_seat_may_become_ready_by_losing_several_dice() {
    let mut table = ready(json!({"high_risk": true}), &[&[5; 4], &[4; 5], &[3; 5]], &[]);
    table.plays(0, bid(7, 5)).plays(1, challenge());
    assert_eq!((&table.public()["dice"][0], &table.public()["showdown_ready"]), (&json!(1), &json!([0])));
}

#[test]
fn without_the_option_there_is_no_showdown() {
    let mut table = round(json!({}), &[&[5, 5], &[4; 5], &[3; 5]]);
    table.plays(0, bid(12, 5)).plays(1, challenge());
    assert_eq!(table.public()["showdown_ready"], json!([]));
    assert_eq!(table.refuses(0, showdown()), "unknown_move");
}

#[test]
fn only_a_seat_that_is_ready_may_call() {
    let mut table = ready(json!({}), &[&[5], &[4], &[3; 5]], &[1]);
    assert_eq!(table.refuses(0, showdown()), "no_showdown", "it has one die, but for longer");
    assert_eq!(table.refuses(1, showdown()), "not_your_turn");
    assert_eq!(table.refuses(0, json!({"type": "showdown", "seat": 0})), "invalid_move");
    table.plays(0, bid(1, 5));
    assert!(table.may(1, &showdown()));
}

#[test]
fn a_seat_stops_being_ready_when_its_turn_is_over() {
    let mut table = ready(json!({}), &[&[5], &[4; 5], &[3; 5]], &[0]);
    table.plays(0, bid(1, 5));
    assert_eq!(table.public()["showdown_ready"], json!([]));
    table.plays(1, bid(2, 5)).plays(2, bid(3, 5));
    assert_eq!(table.refuses(0, showdown()), "no_showdown");
}

#[test]
fn a_ready_seat_that_wins_a_die_by_its_call_is_ready_no_more() {
    let mut table = ready(json!({}), &[&[5, 5], &[5], &[3; 5]], &[1]);
    table.plays(0, bid(3, 5)).plays(1, exact());
    let view = table.public();
    assert_eq!((&view["dice"], &view["showdown_ready"]), (&json!([1, 2, 5]), &json!([0])));
}

#[test]
fn readiness_lasts_to_the_next_turn_wherever_it_comes() {
    let mut table = ready(json!({}), &[&[5; 5], &[4; 5], &[3]], &[2]);
    table.plays(0, bid(9, 5)).plays(1, challenge());
    assert_eq!(table.public()["showdown_ready"], json!([2]), "its turn has not come in that round");
    table.plays(0, bid(1, 5)).plays(1, bid(2, 5));
    assert!(table.may(2, &showdown()));
}

#[test]
fn a_seat_calls_once_and_may_be_ready_again_only_if_it_has_not() {
    for used in [false, true] {
        let mut game = dealt(&json!({"showdown": true}), &[&[5, 5], &[4; 5], &[3; 5]]);
        game.showdown_used[Seat(0)] = used;
        let mut table = Table::at(&game);
        table.plays(0, bid(12, 5)).plays(1, challenge());
        assert_eq!(table.public()["showdown_ready"], if used { json!([]) } else { json!([0]) });
    }
}

#[test]
fn a_seat_that_is_out_is_not_ready_nor_is_anybody_when_the_match_is_over() {
    let mut table = ready(json!({"first_blood": true}), &[&[5; 5], &[4], &[3]], &[1, 2]);
    table.plays(0, bid(5, 5)).plays(1, challenge());
    let view = table.public();
    assert_eq!((&view["phase"], &view["showdown_ready"]), (&json!("finished"), &json!([])));
    let mut table = ready(json!({}), &[&[5; 5], &[4], &[3; 5]], &[1]);
    table.plays(0, bid(5, 5)).plays(1, challenge());
    assert_eq!((&table.public()["dice"], &table.public()["showdown_ready"]), (&json!([5, 0, 5]), &json!([])));
}

#[test]
fn in_a_showdown_skulls_are_plain_ones_on_number_spaces() {
    let mut table = ready(json!({}), &[&[1], &[1, 5, 5, 6, 6], &[1, 1, 3, 3, 3]], &[0]);
    table.plays(0, showdown());
    assert_eq!(table.legal(0).len(), 11 * 6, "any face, 1 included, and no Showdown again");
    table.plays(0, bid(2, 1));
    assert_eq!(table.legal(1)[..9], (3..=11).map(|count| bid(count, 1)).collect::<Vec<_>>()[..]);
    assert_eq!(table.legal(1).len(), 10);
    assert_eq!(table.refuses(1, bid(12, 2)), "bid_too_high", "before face_locked");
    assert_eq!(table.refuses(1, bid(1, 5)), "face_locked", "before bid_too_low");
    assert_eq!(table.refuses(1, bid(2, 1)), "bid_too_low");
    assert_eq!(table.refuses(1, exact()), "exact_forbidden");
    table.plays(1, bid(5, 1)).plays(2, challenge());
    let reveal = table.public()["last_reveal"].clone();
    assert_eq!((&reveal["actual"], &reveal["wild"]), (&json!(4), &json!(false)));
}

#[test]
fn in_a_showdown_skulls_are_no_help_to_other_faces() {
    let mut table = ready(json!({}), &[&[1], &[1, 5, 5, 6, 6], &[1, 1, 3, 3, 3]], &[0]);
    table.plays(0, showdown()).plays(0, bid(3, 5)).plays(1, challenge());
    assert_eq!(table.public()["last_reveal"]["actual"], 2);
    let view = table.public();
    assert_eq!((&view["showdown_by"], &view["showdown_used"]), (&Value::Null, &json!([true, false, false])));
}

#[test]
fn a_showdown_in_mid_round_locks_the_bid_that_stands() {
    let mut table = ready(json!({}), &[&[2, 2], &[4], &[3; 5]], &[1]);
    table.plays(0, bid(3, 1)).plays(1, showdown());
    assert_eq!(table.public()["to_move"], json!([1]));
    assert_eq!(table.public()["bid"], json!({"seat": 0, "count": 3, "face": 1}));
    assert!(table.may(1, &bid(4, 1)));
    assert!(table.may(1, &challenge()));
    assert_eq!(table.refuses(1, bid(7, 2)), "face_locked");
    assert_eq!(table.refuses(1, exact()), "exact_forbidden");
    table.plays(1, challenge());
    assert_eq!(table.public()["last_reveal"]["actual"], 0);
}

#[test]
fn a_second_ready_seat_cannot_call_while_a_showdown_is_on_and_keeps_its_call() {
    let mut table = ready(json!({}), &[&[2], &[4], &[3; 5]], &[0, 1]);
    table.plays(0, showdown()).plays(0, bid(1, 3));
    assert_eq!(table.refuses(1, showdown()), "no_showdown");
    assert_eq!(table.public()["showdown_ready"], json!([1]));
    table.plays(1, bid(2, 3));
    let view = table.public();
    assert_eq!((&view["showdown_ready"], &view["showdown_used"][1]), (&json!([]), &json!(false)));
}

#[test]
fn bids_in_a_showdown_may_be_followed_by_a_reroll() {
    let mut table = ready(json!({"hidden": false}), &[&[2], &[4, 4, 1], &[3; 5]], &[0]);
    table.plays(0, showdown()).plays(0, bid(1, 4)).plays(1, bid(2, 4));
    assert_eq!((&table.public()["phase"], &table.public()["to_move"]), (&json!("rerolling"), &json!([1])));
    assert_eq!(table.refuses(1, showdown()), "must_decide");
    table.plays(1, reroll(&[4, 4]));
    assert_eq!(table.public()["showdown_by"], 0);
}

#[test]
fn a_seat_that_cannot_raise_in_a_showdown_must_challenge() {
    let mut table = ready(json!({}), &[&[2], &[4; 3], &[3]], &[0]);
    table.plays(0, showdown()).plays(0, bid(5, 2));
    assert_eq!(table.legal(1), [challenge()]);
}

#[test]
fn with_high_risk_a_showdown_counts_without_wild_skulls() {
    let mut table = ready(json!({"high_risk": true}), &[&[1], &[1, 5, 5, 6], &[1, 3, 3, 3, 3]], &[0]);
    table.plays(0, showdown()).plays(0, bid(1, 5)).plays(1, bid(2, 5)).plays(2, challenge());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([0, 4, 4]), &json!(2)), "it is exactly met");
}

#[test]
fn first_blood_ends_the_match_and_all_others_win() {
    let mut table = round(json!({"first_blood": true, "high_risk": true}), &[&[5, 5], &[4], &[3; 3], &[2]]);
    table.plays(0, bid(2, 5)).plays(1, challenge());
    let view = table.public();
    assert_eq!(view["outcome"], json!({"ranks": [1, 3, 1, 3], "scores": null, "reason": "first_blood"}));
    assert_eq!((&view["dice"], &view["opener"], &view["bids"]), (&json!([2, 0, 2, 0]), &Value::Null, &json!([])));
    assert_eq!((&view["set_aside"], &view["round"]), (&json!([[], [], [], []]), &json!(1)));
    assert_eq!(table.seen_by(0)["my_dice"], json!([]));
}

#[test]
fn first_blood_with_one_seat_left_is_a_last_standing() {
    let mut table = round(json!({"first_blood": true}), &[&[5], &[4]]);
    table.plays(0, bid(1, 5)).plays(1, challenge());
    assert_eq!(table.public()["outcome"], json!({"ranks": [1, 2], "scores": null, "reason": "last_standing"}));
    assert_eq!(table.refuses(0, json!({"type": "pass"})), "game_over");
}

#[test]
fn fields_must_be_there_alone_whole_and_in_range() {
    let mut table = round(json!({}), &[&[2; 5], &[3; 5]]);
    table.plays(0, bid(1, 2));
    for spoilt in [
        json!({"type": "bid", "face": 3}),
        json!({"type": "bid", "count": 3, "face": 3, "keep": [3]}),
        json!({"type": "bid", "count": 3.0, "face": 3}),
        json!({"type": "bid", "count": true, "face": 3}),
        json!({"type": "bid", "count": 3, "face": "3"}),
        json!({"type": "bid", "count": 100, "face": 3}),
        json!({"type": "challenge", "count": 3}),
        json!({"type": "exact", "seat": 1}),
    ] {
        assert_eq!(table.refuses(1, spoilt), "invalid_move");
    }
    for unknown in [json!(null), json!([]), json!("exact"), json!({}), json!({"type": 3}), json!({"type": "Exact"})] {
        assert_eq!(table.refuses(1, unknown), "unknown_move");
    }
}

#[test]
fn options_and_seats_are_checked_and_named() {
    let refused =
        |options: Value, seats| of::<PerudoPirates>().normalize_options(&options, seats).expect_err("refused");
    for (options, key) in [
        (json!({"hidden": 1}), "hidden"),
        (json!({"track": "skulls"}), "track"),
        (json!({"high_risk_exact": null}), "high_risk_exact"),
        (json!({"high_risk_exact": "two"}), "high_risk_exact"),
        (json!({"calza": true}), "calza"),
    ] {
        let err = refused(options, 3);
        assert_eq!(err.code(), "invalid_options");
        assert!(err.to_string().contains(key), "{err}");
    }
    assert_eq!(refused(json!({"calza": true}), 7).code(), "invalid_seats");
    assert_eq!(refused(json!({}), 1).code(), "invalid_seats");
}

#[test]
fn a_state_that_cannot_be_is_not_resumed() {
    let resumes = |game: &PerudoPirates| {
        let saved = serde_json::to_vec(game).expect("games serialize");
        of::<PerudoPirates>().resume(&saved).is_ok()
    };
    let sound = dealt(&json!({}), &[&[2; 5], &[3; 5], &[]]);
    assert!(resumes(&sound));
    assert!(!resumes(&PerudoPirates { waits_for: WaitsFor::Turn(Seat(3)), ..sound.clone() }));
    assert!(!resumes(&PerudoPirates { waits_for: WaitsFor::Turn(Seat(2)), ..sound.clone() }));
    assert!(!resumes(&PerudoPirates { waits_for: WaitsFor::Decision(Seat(0)), ..sound.clone() }));
    assert!(!resumes(&PerudoPirates { waits_for: WaitsFor::NewRoll(Seat(0)), ..sound.clone() }));
    assert!(!resumes(&PerudoPirates { waits_for: WaitsFor::Nothing, ..sound.clone() }));
    assert!(!resumes(&PerudoPirates { set_aside: vec![dice(&[1]), dice(&[]), dice(&[])].into(), ..sound.clone() }));
    assert!(!resumes(&PerudoPirates { dice: vec![255, 255, 255].into(), ..sound.clone() }));
    assert!(!resumes(&PerudoPirates { showdown_ready: SeatSet::one(Seat(1)), ..sound.clone() }));
    assert!(!resumes(&PerudoPirates { out: vec![], ..sound.clone() }));
    let stray = Bidding { seat: Seat(0), count: 11, face: Face::TWO, reroll: None };
    assert!(!resumes(&PerudoPirates { bids: vec![stray], ..sound }));
}

#[test]
fn the_autopilot_bids_what_it_has_challenges_what_is_unlikely_and_rerolls_what_does_not_help() {
    let choices = |game: &PerudoPirates| -> Vec<Move> {
        let mut moves = Vec::new();
        game.legal_moves(Seat(0), &mut moves);
        let view = game.view(Viewer::Seat(Seat(0)));
        (0..50).map(|seed| PerudoPirates::autopilot(&view, &moves, &mut crate::playout::random(seed))).collect()
    };
    let mut game = dealt(&json!({"hidden": false}), &[&[4, 4, 1, 2, 3], &[5; 5]]);
    let four = Face::new(4).expect("a face");
    assert!(choices(&game).iter().all(|it| *it == Move::Bid { count: 4, face: four }));
    let on = |seat, count| Bidding { seat: Seat(seat), count, face: four, reroll: None };
    for (count, challenges) in [(3, false), (4, false), (7, true)] {
        game.bids.push(on(1, count));
        let chosen = choices(&game);
        assert!(chosen.iter().all(|it| (*it == Move::Challenge {}) == challenges), "{count}: {chosen:?}");
    }
    game.cups[Seat(1)] = dice(&[5, 5, 5]);
    game.set_aside[Seat(1)] = dice(&[4, 4]);
    game.bids.push(on(1, 5));
    assert!(!choices(&game).contains(&Move::Challenge {}), "it counts what is set aside");
    game.bids.push(on(0, 5));
    game.waits_for = WaitsFor::Decision(Seat(0));
    assert!(choices(&game).iter().all(|it| *it == Move::Stand {}), "the bid is true");
    game.bids.push(on(0, 8));
    let keep = dice(&[1, 4, 4]);
    assert!(choices(&game).iter().all(|it| *it == Move::Reroll { keep }));
}

#[test]
fn perudo_pirates_keeps_the_laws() {
    conforms(of::<PerudoPirates>());
    determinizes(of::<PerudoPirates>());
}
