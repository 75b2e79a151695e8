//! One test per rule that no scenario shows, then the laws.

use serde_json::{Value, json};

use super::*;
use crate::conformance::{conforms, determinizes};
use crate::erased::of;
use crate::games::table::{Table, types};
use crate::pieces::bids::{Claim, Track};

/// A first round in which these dice lie under the cones and seat 0 opens; a seat without dice is out.
fn round(cups: &[&[u8]]) -> Table {
    Table::at(&dealt(Options::default(), cups))
}

fn dealt(options: Options, cups: &[&[u8]]) -> LiarsDice {
    let mut game = LiarsDice::setup(options, cups.len() as u8).expect("allowed");
    game.cups = cups.iter().map(|cup| dice(cup)).collect::<Vec<_>>().into();
    game.dice = game.cups.map(|cup| cup.len());
    game.out = game.dice.which(|dice| *dice == 0).iter().collect();
    game.contenders = SeatSet::one(Seat(0));
    game.waits_for = WaitsFor::Turn(Seat(0));
    game.round = 1;
    game
}

fn dice(faces: &[u8]) -> Dice {
    faces.iter().filter_map(|pips| Face::new(*pips)).collect()
}

/// A match whose starting rolls are these, seat by seat, attempt by attempt.
fn started(seats: u8, rolls: &[(u8, [u8; 5])]) -> Table {
    let start = rolls.iter().map(|(seat, dice)| json!({"start_roll": {"seat": seat, "dice": dice}}));
    let first = (0..seats).map(|seat| json!({"roll": {"seat": seat, "dice": [2, 2, 2, 2, 2]}}));
    Table::new(of::<LiarsDice>(), &json!({}), seats, start.chain(first).collect())
}

fn bid(count: u8, face: u8) -> Value {
    json!({"type": "bid", "count": count, "face": face})
}

fn challenge() -> Value {
    json!({"type": "challenge"})
}

const NO_HELM: [u8; 5] = [2, 3, 4, 5, 6];

#[test]
fn five_helms_have_the_sum_0_and_still_beat_four() {
    let table = started(2, &[(0, [1, 1, 1, 1, 6]), (1, [1; 5])]);
    assert_eq!(table.public()["opener"], 1);
    let table = started(2, &[(0, [1; 5]), (1, [1; 5]), (0, [2; 5]), (1, [2, 2, 2, 2, 3])]);
    assert_eq!(table.public()["opener"], 1);
}

#[test]
fn the_sum_breaks_a_tie_only_among_those_with_most_helms() {
    let table = started(3, &[(0, [6; 5]), (1, [1, 2, 2, 2, 2]), (2, [1, 2, 2, 2, 3])]);
    assert_eq!(table.public()["opener"], 2);
}

#[test]
fn tied_seats_roll_again_until_one_is_left() {
    let table = started(
        4,
        &[
            (0, [1, 2, 2, 2, 2]),
            (1, [1, 2, 2, 2, 2]),
            (2, NO_HELM),
            (3, [1, 2, 2, 2, 2]),
            (0, [6; 5]),
            (1, [1, 3, 3, 3, 3]),
            (3, [1, 2, 2, 4, 4]),
            (1, [2, 2, 2, 2, 3]),
            (3, [2; 5]),
        ],
    );
    let view = table.public();
    assert_eq!(view["opener"], 1);
    let attempts = view["start_rolls"].as_array().expect("a list").iter();
    assert_eq!(attempts.map(|it| it.as_array().map_or(0, Vec::len)).collect::<Vec<_>>(), [4, 3, 2]);
    assert_eq!(view["start_rolls"][2][1], json!({"seat": 3, "dice": [2, 2, 2, 2, 2]}));
}

#[test]
fn all_are_told_the_starting_rolls_and_who_starts_then_the_round_begins() {
    let table = started(2, &[(0, NO_HELM), (1, [6, 5, 1, 3, 2])]);
    let events = table.public_events();
    assert_eq!(types(&events), ["start_rolled", "start_rolled", "first_seat", "round_started"]);
    assert_eq!(events[1], json!({"type": "start_rolled", "seat": 1, "dice": [1, 2, 3, 5, 6]}));
    assert_eq!(events[2], json!({"type": "first_seat", "seat": 1}));
    assert_eq!(events[3], json!({"type": "round_started", "round": 1, "opener": 1, "dice": [5, 5]}));
}

#[test]
fn a_roll_is_told_to_its_seat_alone() {
    let table = started(2, &[(0, NO_HELM), (1, [1; 5])]);
    for seat in [0, 1] {
        let events = table.events_for(seat);
        assert_eq!(types(&events)[4..], ["rolled"]);
        assert_eq!(events[4], json!({"type": "rolled", "seat": seat, "dice": [2, 2, 2, 2, 2]}));
    }
}

#[test]
fn the_starting_rolls_are_kept_through_the_game() {
    let mut table = started(2, &[(0, [1; 5]), (1, NO_HELM)]);
    let rolls = table.public()["start_rolls"].clone();
    table.plays(0, bid(10, 3)).plays(1, challenge());
    let view = table.public();
    assert_eq!((&view["phase"], &view["start_rolls"]), (&json!("finished"), &rolls));
}

#[test]
fn the_board_stands_in_both_orders_as_the_table_says() {
    for count in 1..=30_u8 {
        for (track, wilds, numbers) in
            [(Track::Bluff, (count + 2) / 2, 2 * count), (Track::Classic, count.div_ceil(2), 2 * count + 1)]
        {
            let raises = |standing: Claim, claim: Claim| track.height(claim) > track.height(standing);
            for face in Face::TWO.and_above() {
                let of_dice = Claim { count, face };
                let helms = Claim { count, face: Face::ONE };
                for other in 1..=70 {
                    let wild = Claim { count: other, face: Face::ONE };
                    assert_eq!(raises(of_dice, wild), other >= wilds, "{other} helms on {count} dice, {track:?}");
                    let number = Claim { count: other, face };
                    assert_eq!(raises(helms, number), other >= numbers, "{other} dice on {count} helms, {track:?}");
                    assert_eq!(raises(helms, wild), other > count);
                    assert_eq!(raises(of_dice, number), other > count);
                }
            }
        }
    }
}

#[test]
fn a_helm_is_not_a_face_above_6() {
    let mut table = round(&[&[2; 5], &[2; 5]]);
    table.plays(0, bid(3, 6));
    assert!(!table.may(1, &bid(3, 2)));
    // Two helms stand before 4, and after 3: a later space.
    assert!(table.may(1, &bid(2, 1)));
    assert!(!table.may(1, &bid(1, 1)));
    assert!(table.may(1, &bid(4, 2)));
}

#[test]
fn a_bid_of_helms_counts_helms_alone() {
    let mut table = round(&[&[1, 1, 4, 4, 4], &[1, 4, 4, 4, 4]]);
    table.plays(0, bid(3, 1)).plays(1, challenge());
    assert_eq!(table.public()["last_reveal"]["actual"], 3);
}

#[test]
fn helms_count_for_every_other_face() {
    let mut table = round(&[&[1, 1, 4, 4, 3], &[1, 4, 5, 6, 6]]);
    table.plays(0, bid(7, 4)).plays(1, challenge());
    let reveal = table.public()["last_reveal"].clone();
    assert_eq!((&reveal["actual"], &reveal["wild"], &reveal["changes"]), (&json!(6), &json!(true), &json!([-1, 0])));
}

#[test]
fn no_bidder_loses_more_dice_than_it_has() {
    let mut table = round(&[&[2, 2], &[3, 3, 3, 3, 3], &[4, 4, 4]]);
    table.plays(0, bid(8, 5)).plays(1, challenge());
    assert_eq!(table.public()["last_reveal"]["changes"], json!([-2, 0, 0]));
    let events = table.public_events();
    assert_eq!(types(&events), ["call", "revealed", "lost", "eliminated", "round_started"]);
    assert_eq!(events[0], json!({"type": "call", "seat": 1, "call": "challenge"}));
    assert_eq!(events[2], json!({"type": "lost", "seat": 0, "dice": 2, "left": 0}));
    assert_eq!(events[3], json!({"type": "eliminated", "seat": 0}));
    assert_eq!(events[4], json!({"type": "round_started", "round": 2, "opener": 1, "dice": [0, 5, 3]}));
}

#[test]
fn the_revealed_event_has_the_fields_of_the_last_reveal() {
    let mut table = round(&[&[2, 2], &[3, 3]]);
    table.plays(0, bid(2, 3)).plays(1, challenge());
    let mut revealed = table.public_events()[1].clone();
    assert_eq!(revealed.as_object_mut().expect("an object").remove("type"), Some(json!("revealed")));
    assert_eq!(revealed, table.public()["last_reveal"]);
    let expected = json!({"round": 1, "call": "challenge", "caller": 1, "bid": {"seat": 0, "count": 2, "face": 3}, "actual": 2,
        "wild": true, "dice": [[2, 2], [3, 3]], "changes": [0, -1]});
    assert_eq!(revealed, expected);
}

#[test]
fn exactly_met_the_challenger_may_lose_its_last_die_and_the_next_in_the_game_opens() {
    let mut table = round(&[&[2, 2], &[3], &[], &[4, 4]]);
    table.plays(0, bid(2, 2)).plays(1, challenge());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"]), (&json!([2, 0, 0, 2]), &json!(3)));
}

#[test]
fn the_challenger_opens_although_the_bidder_lost() {
    let mut table = round(&[&[2; 5], &[2; 5], &[2; 5]]);
    table.plays(0, bid(1, 2)).plays(1, bid(15, 3)).plays(2, challenge());
    let view = table.public();
    assert_eq!((&view["dice"], &view["opener"], &view["to_move"]), (&json!([5, 0, 5]), &json!(2), &json!([2])));
}

#[test]
fn seats_that_are_out_are_skipped_and_roll_no_more() {
    let mut table = round(&[&[2, 2], &[], &[3, 3]]);
    table.plays(0, bid(1, 2));
    assert_eq!(table.public()["to_move"], json!([2]));
    let rolls = vec![json!({"roll": {"seat": 0, "dice": [4, 4]}}), json!({"roll": {"seat": 2, "dice": [5]}})];
    table.plays_into(2, challenge(), rolls);
    assert_eq!(table.seen_by(2)["my_dice"], json!([5]));
    assert_eq!(table.seen_by(1)["my_dice"], json!([]));
    assert_eq!(table.events_for(1), table.public_events());
}

#[test]
fn the_dice_of_a_round_stay_public_until_the_next_reveal() {
    let mut table = round(&[&[2, 6], &[3, 1]]);
    table.plays(0, bid(2, 3)).plays(1, challenge()).plays(1, bid(1, 2));
    assert_eq!(table.public()["last_reveal"]["dice"], json!([[2, 6], [1, 3]]));
}

#[test]
fn ranks_follow_the_order_of_going_out() {
    let mut table = round(&[&[2; 5], &[3], &[4], &[5]]);
    table.plays(0, bid(5, 2)).plays(1, challenge());
    table.plays(2, bid(7, 2)).plays(3, challenge());
    table.plays(3, bid(6, 2)).plays(0, challenge());
    let view = table.public();
    assert_eq!(view["outcome"], json!({"ranks": [1, 4, 3, 2], "scores": null, "reason": "last_standing"}));
    let events = table.public_events();
    assert_eq!(types(&events), ["call", "revealed", "lost", "eliminated", "game_over"]);
    assert_eq!(events[4]["outcome"], view["outcome"]);
    assert_eq!((&view["round"], &view["total_dice"], &view["bid"]), (&json!(3), &json!(5), &Value::Null));
    assert_eq!(table.seen_by(0)["my_dice"], json!([]));
}

#[test]
fn a_bid_is_told_to_all() {
    let mut table = round(&[&[2, 2], &[3, 3]]);
    table.plays(0, bid(1, 4));
    assert_eq!(table.public_events(), [json!({"type": "bid", "seat": 0, "count": 1, "face": 4})]);
}

#[test]
fn no_bid_is_higher_than_the_dice_in_the_game() {
    let mut table = round(&[&[2, 2], &[3], &[]]);
    assert_eq!(table.refuses(0, bid(4, 1)), "bid_too_high");
    assert_eq!(table.refuses(0, bid(99, 6)), "bid_too_high");
    table.plays(0, bid(3, 6));
    assert_eq!(table.legal(1), [bid(2, 1), bid(3, 1), challenge()]);
    assert_eq!(table.refuses(1, bid(4, 2)), "bid_too_high");
    table.plays(1, bid(3, 1));
    assert_eq!(table.legal(0), [challenge()], "a seat that cannot raise must challenge");
}

#[test]
fn fields_must_be_there_alone_whole_and_in_range() {
    let mut table = round(&[&[2; 5], &[3; 5]]);
    table.plays(0, bid(1, 2));
    for spoilt in [
        json!({"type": "bid", "count": 3}),
        json!({"type": "bid", "face": 3}),
        json!({"type": "bid", "count": 3, "face": 3, "seat": 1}),
        json!({"type": "bid", "count": 3.0, "face": 3}),
        json!({"type": "bid", "count": 3.5, "face": 3}),
        json!({"type": "bid", "count": true, "face": 3}),
        json!({"type": "bid", "count": 3, "face": "3"}),
        json!({"type": "bid", "count": null, "face": 3}),
        json!({"type": "bid", "count": 100, "face": 3}),
        json!({"type": "bid", "count": -1, "face": 3}),
        json!({"type": "bid", "count": 256, "face": 3}),
        json!({"type": "bid", "count": 3, "face": 0}),
        json!({"type": "challenge", "count": 3}),
    ] {
        assert_eq!(table.refuses(1, spoilt), "invalid_move");
    }
    for unknown in [
        json!(null),
        json!([]),
        json!("challenge"),
        json!({}),
        json!({"type": 3}),
        json!({"type": "Bid"}),
        json!({"type": "calza"}),
    ] {
        assert_eq!(table.refuses(1, unknown), "unknown_move");
    }
}

#[test]
fn whose_turn_it_is_counts_before_what_is_tried() {
    let mut table = round(&[&[2; 5], &[3; 5], &[]]);
    assert_eq!(table.refuses(1, json!({"type": "exact"})), "not_your_turn");
    assert_eq!(table.refuses(2, json!(7)), "not_your_turn");
    assert_eq!(table.refuses(9, challenge()), "not_your_turn");
    assert_eq!(table.refuses(0, json!({"type": "challenge", "more": 1})), "invalid_move");
    assert_eq!(table.refuses(0, challenge()), "no_bid");
    table.plays(0, bid(10, 2)).plays(1, challenge());
    assert_eq!(table.refuses(0, json!({"type": "exact"})), "game_over");
}

#[test]
fn options_and_seats_are_checked_and_named() {
    let refused = |options: Value, seats| of::<LiarsDice>().normalize_options(&options, seats).expect_err("refused");
    for (options, key) in [
        (json!({"track": "Bluff"}), "track"),
        (json!({"track": null}), "track"),
        (json!({"track": {"bluff": null}}), "track"),
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
    let resumes = |game: &LiarsDice| {
        let saved = serde_json::to_vec(game).expect("games serialize");
        of::<LiarsDice>().resume(&saved).is_ok()
    };
    let sound = dealt(Options::default(), &[&[2; 5], &[3; 5], &[]]);
    assert!(resumes(&sound));
    assert!(!resumes(&LiarsDice { waits_for: WaitsFor::Turn(Seat(3)), ..sound.clone() }));
    assert!(!resumes(&LiarsDice { waits_for: WaitsFor::Turn(Seat(2)), ..sound.clone() }));
    assert!(!resumes(&LiarsDice { opener: Seat(200), ..sound.clone() }));
    assert!(!resumes(&LiarsDice { dice: vec![5, 5].into(), ..sound.clone() }));
    assert!(!resumes(&LiarsDice { dice: vec![5, 4, 0].into(), ..sound.clone() }));
    assert!(!resumes(&LiarsDice { out: vec![], ..sound.clone() }));
    assert!(!resumes(&LiarsDice { round: u32::MAX, ..sound.clone() }));
    let stray = Bid { seat: Seat(7), count: 1, face: Face::TWO };
    assert!(!resumes(&LiarsDice { bids: vec![stray], ..sound }));
}

#[test]
fn the_autopilot_bids_what_it_has_and_challenges_what_is_unlikely() {
    let mut game = dealt(Options::default(), &[&[4, 4, 1, 2, 3], &[5; 5]]);
    let choices = |game: &LiarsDice| -> Vec<Move> {
        let mut moves = Vec::new();
        game.legal_moves(Seat(0), &mut moves);
        let view = game.view(Viewer::Seat(Seat(0)));
        (0..50).map(|seed| LiarsDice::autopilot(&view, &moves, &mut crate::playout::random(seed))).collect()
    };
    let four = Face::new(4).expect("a face");
    assert!(choices(&game).iter().all(|it| *it == Move::Bid { count: 4, face: four }));
    for (count, challenges) in [(3, false), (4, false), (7, true)] {
        game.bids.push(Bid { seat: Seat(1), count, face: four });
        let chosen = choices(&game);
        assert!(chosen.iter().all(|it| (*it == Move::Challenge {}) == challenges), "{count}: {chosen:?}");
    }
}

#[test]
fn liars_dice_keeps_the_laws() {
    conforms(of::<LiarsDice>());
    determinizes(of::<LiarsDice>());
}
