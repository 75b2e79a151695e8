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
fn a_saved_match_has_a_move_for_each_seat_it_waits_for() {
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
fn a_saved_match_has_each_card_in_one_place() {
    assert!(!resumes(|saved| saved["draw_pile"] = json!(["map-3", "map-3"])));
    assert!(!resumes(|saved| saved["draw_pile"] = json!(["key-3"])), "that one lies in the row");
    assert!(!resumes(|saved| saved["discard"] = json!(["mermaid-2"])), "that one belongs to the mermaid rules");
    assert!(!resumes(|saved| saved["waits_for"] = json!({"choice": {"map": {"cards": ["map-7"]}}})));
    assert!(!resumes(|saved| saved["pirates"][0]["dealt"] = json!(["parry"])), "somebody else has it");
    assert!(!resumes(|saved| saved["pirates"][0]["kept"] = json!("miser")), "it was not dealt");
}

#[test]
fn a_saved_match_counts_no_more_than_there_is() {
    assert!(!resumes(|saved| saved["acting"]["turned_up"] = json!(3)), "two cards are left");
    assert!(!resumes(|saved| saved["acting"]["must_draw"] = json!(255)));
    assert!(!resumes(|saved| saved["acting"]["drawn"] = json!(255)));
    assert!(!resumes(|saved| saved["round"] = json!(0)));
    assert!(!resumes(|saved| saved["variant"] = json!("sudden_death")), "the options say otherwise");
}
