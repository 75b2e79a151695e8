//! States that were saved, or that somebody made up.

use super::*;

fn resumes(change: impl Fn(&mut Value)) -> bool {
    let game = with_traits(&["plunderer", "davy_jones", "parry"], json!({})).watched(0).row("key-3").game;
    let mut saved = serde_json::to_value(&game).expect("a state");
    saved["draw_pile"] = json!(["map-3", "map-4"]);
    change(&mut saved);
    of::<DeadMansDraw>().resume(saved.to_string().as_bytes()).is_ok()
}

#[test]
fn a_saved_match_names_only_seats_at_the_table() {
    assert!(resumes(|_| {}));
    assert!(!resumes(|saved| saved["acting"]["seat"] = json!(3)));
    assert!(!resumes(|saved| saved["guardian_target"] = json!(200)));
    assert!(!resumes(|saved| saved["first_seat"] = json!(9)));
    assert!(!resumes(|saved| saved["waits_for"] = json!({"choice": {"plunder_card": {"from": 4, "left": 1}}})));
    assert!(!resumes(|saved| saved["pirates"] = json!([])));
    assert!(!resumes(|saved| saved["options"]["trait_deal"] = json!(9)));
}

#[test]
fn a_saved_match_has_a_move_for_whoever_it_waits_for() {
    assert!(!resumes(|saved| saved["waits_for"] = json!("kept_traits")), "all have chosen");
    assert!(!resumes(|saved| saved["waits_for"] = json!({"choice": "cannon"})), "there is nothing to hit");
    assert!(resumes(|saved| saved["waits_for"] = json!("guardian")));
    let nothing_left = |saved: &mut Value| {
        saved["draw_pile"] = json!([]);
        saved["acting"]["must_draw"] = json!(2);
    };
    assert!(!resumes(nothing_left));
    assert!(!resumes(|saved| {
        saved["waits_for"] = json!("guardian");
        saved["pirates"][1]["kept"] = json!("miser");
    }));
}

#[test]
fn a_made_up_match_goes_on_without_a_panic() {
    let game = of::<DeadMansDraw>();
    let made_up = json!({
        "options": {"traits": true, "mermaid_rules": true, "game_variant": "strange_lands"},
        "waits_for": "turn", "variant": "strange_lands",
        "pirates": [
            {"bank": ["key-3", "key-3"], "dealt": [], "kept": "plunderer"},
            {"bank": ["key-3"], "dealt": ["miser"], "kept": null},
        ],
        "guardian_target": null, "first_seat": null, "round": u32::MAX, "draw_pile": ["key-3", "key-3"], "discard": ["key-3"],
        "acting": {"seat": 1, "row": [], "drawn": 255, "must_draw": 255, "turned_up": 255, "hooks_due": 0},
        "last_turn": null,
    });
    let mut play = game.resume(made_up.to_string().as_bytes()).expect("it reads");
    for viewer in Viewer::all(2) {
        play.view(viewer);
        play.resample(viewer, &mut crate::playout::random(0));
    }
    let collect = json!({"type": "collect"});
    assert_eq!(play.check(Seat(1), &collect), Err(Refusal("kraken_pending")));
    for _ in 0..2 {
        play.play(Seat(1), &json!({"type": "draw"}), &mut VecDeque::new()).expect("a legal move");
    }
    assert!(matches!(play.turn(), Turn::Over(_)), "key after key busts on the last card");
}

/// Places in a JSON value that hold no other values.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, it)| leaves(it, &format!("{path}/{key}"), found)),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, it)| leaves(it, &format!("{path}/{at}"), found)),
        _ => found.push(path.to_owned()),
    }
}

#[test]
fn a_saved_match_with_its_parts_mixed_up_is_refused_or_goes_on_without_a_panic() {
    use crate::chance::Source;
    use crate::conformance::some_options;
    use crate::playout::{random, random_move};
    use crate::record::value;

    let (game, mut went_on) = (of::<DeadMansDraw>(), 0);
    for seed in 0..150 {
        let random = &mut random(seed);
        let seats = 2 + random.below(3) as u8;
        let options = some_options(game, seats, random, seed);
        let (mut play, _) = game.start(&options, seats, random).expect("a match");
        for _ in 0..random.below(60) {
            let Some((seat, chosen)) = random_move(play.as_ref(), random) else { break };
            play.play(seat, &value(&chosen), random).expect("a listed move");
        }
        let mut saved: Value = serde_json::from_slice(&play.save()).expect("JSON");
        let mut places = Vec::new();
        leaves(&saved, "", &mut places);
        for _ in 0..1 + random.below(3) {
            let mut any = || places[random.below(places.len() as u32) as usize].clone();
            let (from, to) = (any(), any());
            let moved = saved.pointer(&from).cloned().unwrap_or_default();
            if let Some(place) = saved.pointer_mut(&to) {
                *place = if random.below(3) == 0 { json!(random.below(256)) } else { moved };
            }
        }
        let Ok(mut play) = game.resume(saved.to_string().as_bytes()) else { continue };
        went_on += 1;
        for _ in 0..80 {
            for viewer in Viewer::all(2) {
                play.view(viewer);
                play.resample(viewer, random);
            }
            for seat in 0..16 {
                let _ = play.check(Seat(seat), &json!({"type": "choose_seat", "seat": seat}));
            }
            let Some((seat, chosen)) = random_move(play.as_ref(), random) else { break };
            play.play(seat, &value(&chosen), random).expect("a listed move");
        }
    }
    assert!(went_on > 20, "only {went_on} went on");
}
