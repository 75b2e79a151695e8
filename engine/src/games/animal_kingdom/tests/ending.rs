//! When a match ends, and who has won.

use super::*;
use crate::game::Audience;

/// A match after rounds that went as said: where those not at home were, and what was done; the others passed.
fn after(given: Value, rounds: &[(&[&str], &[&str])]) -> AnimalKingdom {
    let mut game = AnimalKingdom::setup(options(given), SEATS).expect("options");
    game.deal(Animal::ALL.to_vec().into(), &mut Vec::new());
    for (elsewhere, words) in rounds {
        assert!(matches!(game.stage, Stage::Moving { .. }), "it is over already");
        game.reckon(places(elsewhere), doings(words), &mut Vec::new());
    }
    game
}

fn ended(game: &AnimalKingdom) -> Option<String> {
    match game.turn() {
        Turn::Over(outcome) => Some(outcome.reason),
        Turn::Chance | Turn::Seats { .. } => None,
    }
}

const FOREST: &[&str] = &["water_deer forest"];
const PLAIN: &[&str] = &["water_deer plain"];
const RIVER: &[&str] = &["water_deer river"];
const SKY: &[&str] = &["water_deer sky"];
const LEADS: &[&str] = &["lion attack hyena"];

#[test]
fn nobody_wins_by_points_before_round_4() {
    assert_eq!(ended(&after(json!({}), &[(&[], LEADS), (&[], LEADS), (&[], LEADS)])), None);
    let game = after(json!({}), &[(&[], LEADS), (&[], LEADS), (&[], LEADS), (&[], &[])]);
    assert_eq!(ended(&game), Some("leader".into()));
    let view = json!(game.view(Viewer::Seat(seat("water_deer"))));
    assert_eq!(view["outcome"]["scores"], json!([5.2, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(view["outcome"]["ranks"], json!([1, 2, 2, 2, 2, 2, 2, 2, 2, 2]));
    assert_eq!((&view["round"], &view["round_value"], &view["animals"]), (&json!(4), &json!(3.3), &json!(Animal::ALL)));
}

#[test]
fn a_single_leader_after_the_last_round_is_no_round_limit() {
    let tie: &[&str] = &["lion attack toad", "eagle attack toad"];
    let rounds = [(FOREST, tie), (FOREST, tie), (FOREST, tie), (FOREST, tie), (FOREST, LEADS)];
    assert_eq!(ended(&after(json!({"max_rounds": 5}), &rounds)), Some("leader".into()));
    let rounds = [(FOREST, tie); 5];
    assert_eq!(ended(&after(json!({"max_rounds": 5}), &rounds)), Some("round_limit".into()));
    assert_eq!(ended(&after(json!({"max_rounds": 6}), &rounds)), None);
}

#[test]
fn the_water_deer_wins_at_once_before_any_leader() {
    let rounds = [(FOREST, LEADS), (PLAIN, LEADS), (RIVER, LEADS), (SKY, LEADS)];
    let game = after(json!({}), &rounds);
    assert_eq!(ended(&game), Some("water_deer".into()));
    assert_eq!(json!(game.view(Viewer::Public))["outcome"]["ranks"], json!([2, 3, 3, 3, 3, 3, 3, 3, 3, 1]));
}

#[test]
fn the_water_deer_may_reach_its_fourth_field_late_and_return_to_others() {
    let tie: &[&str] = &["lion attack toad", "eagle attack toad"];
    let rounds = [(FOREST, tie), (PLAIN, tie), (FOREST, tie), (RIVER, tie), (RIVER, tie), (SKY, tie)];
    assert_eq!(ended(&after(json!({}), &rounds[..5])), None);
    assert_eq!(ended(&after(json!({}), &rounds)), Some("water_deer".into()));
}

#[test]
fn two_attacks_of_any_kind_hunt_the_water_deer_down() {
    let with = |first: &str, fourth: &str| {
        let rounds: [(&[&str], &[&str]); 4] = [
            (FOREST, &[first]),
            (PLAIN, &["hyena follow lion"]),
            (RIVER, &["toad judge water_deer no"]),
            (SKY, &[fourth]),
        ];
        ended(&after(json!({}), &rounds))
    };
    let hunted = None;
    assert_eq!(with("snake attack water_deer", "cuckoo rob water_deer"), Some("water_deer".into()), "one attack");
    assert_ne!(
        with("snake attack water_deer", "eagle attack water_deer"),
        Some("water_deer".into()),
        "in its last round"
    );
    assert_ne!(with("chameleon as lion attack water_deer", "eagle attack water_deer"), Some("water_deer".into()));
    let at_once: [(&[&str], &[&str]); 4] = [
        (FOREST, &["snake attack water_deer", "chameleon as snake attack water_deer"]),
        (PLAIN, &[]),
        (RIVER, &[]),
        (SKY, &[]),
    ];
    assert_eq!(ended(&after(json!({}), &at_once)), hunted, "two in one round");
}

#[test]
fn at_the_end_the_water_deer_has_to_have_kept_clear_until_then() {
    let at_end = json!({"water_deer_win": "at_end"});
    let tie: &[&str] = &["lion attack toad", "eagle attack toad"];
    let tour = [(FOREST, tie), (PLAIN, tie), (RIVER, tie), (SKY, tie)];
    assert_eq!(ended(&after(at_end.clone(), &tour)), None, "a tie goes on");
    let leads = [&tour[..], &[(SKY, LEADS)]].concat();
    assert_eq!(ended(&after(at_end.clone(), &leads)), Some("water_deer".into()), "before the leader");
    let attack: &[&str] = &["eagle attack water_deer"];
    let hunted = [&tour[..], &[(SKY, &["lion attack toad", "eagle attack water_deer"][..]), (SKY, attack)]].concat();
    assert_eq!(ended(&after(at_end, &hunted)), Some("leader".into()));
    let limit = json!({"water_deer_win": "at_end", "max_rounds": 4});
    assert_eq!(ended(&after(limit, &tour)), Some("water_deer".into()), "before the round limit");
}

#[test]
fn the_end_is_told_last_with_all_animals() {
    let mut game = after(json!({}), &[(&[], LEADS), (&[], LEADS), (&[], LEADS)]);
    let mut told = Vec::new();
    game.reckon(places(&[]), doings(&["crow predict lion lion"]), &mut told);
    let heard: Vec<Value> =
        told.iter().filter(|it| it.to.includes(Viewer::Seat(seat("crow")))).map(|it| json!(it.event)).collect();
    assert_eq!(types(&heard), ["gains", "gained", "learned", "game_over"]);
    assert_eq!(heard[3]["animals"], json!(Animal::ALL));
    let privately: Vec<Audience> = told[1..12].iter().map(|it| it.to).collect();
    let mut seats: Vec<Audience> = (0..SEATS).map(|seat| Audience::Only(Seat(seat))).collect();
    seats.insert(5, Audience::Only(seat("crow")));
    assert_eq!(privately, seats, "by seat, each its gain, the crow also what it learned");
}

#[test]
fn at_the_end_what_was_chosen_this_round_is_not_shown_any_more() {
    let game = after(json!({}), &[(&["lion sky"] as &[&str], LEADS); 4]);
    let view = json!(game.view(Viewer::Seat(seat("lion"))));
    assert_eq!(view["phase"], json!("finished"));
    for field in ["my_field", "my_skill", "fields"] {
        assert_eq!(view[field], Value::Null, "{field}");
    }
    assert_eq!(view["my_must_return"], json!(false));
    assert_eq!(view["my_skills"].as_array().map(Vec::len), Some(4));
}
