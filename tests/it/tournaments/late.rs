//! Late people: seeded again until anybody sees a pairing, into an open bye, or from the next round on.

use serde_json::{Value, json};

use super::event::{Event, entrants, new, single, stage, swiss};
use super::ways_back::{expect_replay, last_step, state, undo};

async fn add(event: &Event, name: &str) -> Value {
    event.staff.post(&event.path("/entrants"), json!({ "display_name": name })).await.is(201)
}

fn seeds(whole: &Value) -> Vec<(u64, Option<u64>)> {
    let all = whole["entrants"].as_array().expect("it has entrants");
    all.iter().map(|it| (it["number"].as_u64().expect("a number"), it["seed"].as_u64())).collect()
}

fn late_until(round: u8, stages: Value) -> Value {
    let mut request = new("perudo", stages);
    request["late_until_round"] = json!(round);
    request
}

#[tokio::test]
async fn until_a_round_is_published_everybody_is_seeded_again() {
    // A bracket, in which nobody could come late otherwise.
    let event = Event::gather(new("perudo", json!([single()])), 4).await;
    for (number, rating) in [(1, 1900), (2, 1800), (3, 1700), (4, 1600)] {
        let path = event.path(&format!("/entrants/{number}/rating"));
        event.staff.put(&path, json!({ "rating": rating })).await.is(200);
    }
    event.staff.put(&event.path("/seeds"), json!({ "by": "draw" })).await.is(200);
    event.staff.put(&event.path("/seeds"), json!({ "by": "rating" })).await.is(200);
    event.step("/start").await.is(200);
    event.step("/pair").await.is(200);
    assert_eq!(event.look().await["late_entry"], json!({ "kind": "seeded_again" }));
    add(&event, "서연").await;
    let whole = event.look().await;
    assert_eq!((&whole["rounds"], &whole["next"]["step"]), (&json!([]), &json!("pair")), "the draft is thrown away");
    assert_eq!(seeds(&whole), [(1, Some(1)), (2, Some(2)), (3, Some(3)), (4, Some(4)), (5, Some(5))]);
    // Who leaves before that is out of the bracket, once it is seeded again.
    event.staff.delete(&event.path("/entrants/1")).await.is(200);
    add(&event, "Ana").await;
    let step = last_step(&event).await;
    assert_eq!((&step["action"], &step["has_way_back"]), (&json!("tournament.add_entrant"), &json!(false)));
    assert_eq!(seeds(&event.look().await)[0], (1, None));
    let (_, _, bouts) = event.next_round().await;
    let mut people: Vec<u64> = bouts.iter().flat_map(entrants).collect();
    people.sort_unstable();
    assert_eq!(people, [2, 3, 4, 5, 6]);
    // Who comes back now comes too late, and so does anybody else: no late entry was agreed.
    event
        .staff
        .post(&event.path("/entrants"), json!({ "display_name": "Tom" }))
        .await
        .problem(409, "too_late_to_enter");
    assert_eq!(event.look().await["late_entry"], Value::Null);
    expect_replay(&event).await;
}

#[tokio::test]
async fn who_did_not_come_and_comes_after_all_is_seeded_again() {
    let event = Event::gather(new("perudo", json!([swiss(2)])), 5).await;
    event.step("/check-in").await.is(200);
    for number in 1..=4 {
        event.step(&format!("/entrants/{number}/check-in")).await.is(200);
    }
    event.step("/start").await.is(200);
    let before = event.look().await;
    assert_eq!(before["entrants"][4]["status"], "no_show");
    let back = event.step("/entrants/5/reinstate").await.is(200);
    assert_eq!((&back["entrants"][4]["status"], &back["entrants"][4]["seed"].is_u64()), (&json!("checked_in"), &true));
    let undone = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&undone), state(&before));
    let again = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&again), state(&back));
    let (_, _, bouts) = event.next_round().await;
    assert_eq!(bouts.iter().flat_map(entrants).count(), 5);
}

#[tokio::test]
async fn a_late_entrant_plays_whom_the_round_left_over_at_once() {
    let mut plan = swiss(3);
    plan["scoring"]["missed"] = json!(50);
    let event = Event::start(late_until(2, json!([plan])), 5).await;
    event.staff.post("/tables", json!({ "name": "창가", "seats": 2 })).await.is(201);
    event.staff.post("/tables", json!({ "name": "구석", "seats": 2 })).await.is(201);
    event.staff.post("/tables", json!({ "name": "안쪽", "seats": 2 })).await.is(201);
    let (_, _, bouts) = event.next_round().await;
    let bye = bouts.iter().find(|it| entrants(it).len() == 1).expect("one rests");
    let (key, holder) = (bye["key"].as_str().expect("a key"), entrants(bye)[0]);
    let expected = json!({ "kind": "into_bye", "round": 1, "bout": key, "entrant": holder });
    assert_eq!(event.look().await["late_entry"], expected);
    let desk = event.app.owner_at_pages().await;
    let page = desk.open(&format!("/admin/tournaments/{}/entrants", event.id)).await.text();
    assert!(page.contains("plays at once, against"), "{page}");
    add(&event, "서연").await;
    let bout = event.bout(1, key).await;
    let mut people = entrants(&bout);
    people.sort_unstable();
    assert_eq!(people, [holder, 6]);
    assert_eq!(bout["reasons"][0], json!({ "code": "late_entrant", "entrant": 6 }));
    assert_eq!(bout["match"]["status"], "running", "it has a match that goes on: {bout}");
    assert!(bout["table"]["name"].is_string(), "and a table: {bout}");
    // The next one joins the second round, with half a point for the first.
    assert_eq!(event.look().await["late_entry"], json!({ "kind": "next_round", "round": 2, "missed": 50 }));
    add(&event, "Ana").await;
    let open: Vec<Value> = event.round(1, 1).await["bouts"].as_array().expect("it has bouts").clone();
    event.write_all(1, &open).await;
    let standings = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200);
    let ana = standings["items"].as_array().expect("it has rows").iter().find(|it| it["entrant"] == 7).expect("a row");
    assert_eq!(ana["points"], 50);
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    // No late entry after the second round.
    event
        .staff
        .post(&event.path("/entrants"), json!({ "display_name": "Tom" }))
        .await
        .problem(409, "too_late_to_enter");
    event.write_to_the_end().await;
    expect_replay(&event).await;
}

#[tokio::test]
async fn a_bye_of_a_bracket_is_open_until_its_winner_plays_on() {
    for format in ["single_elimination", "double_elimination"] {
        let mut format = json!({ "kind": format });
        if format["kind"] == "single_elimination" {
            format["third_place"] = json!(false);
        }
        let event = Event::start(late_until(2, json!([stage(format)])), 6).await;
        event.next_round().await;
        assert_eq!(event.look().await["late_entry"]["entrant"], 2, "the second seed rests against the seventh");
        add(&event, "서연").await;
        assert_eq!(entrants(&event.bout(1, "main-1-3").await), [2, 7]);
        add(&event, "Ana").await;
        assert_eq!(entrants(&event.bout(1, "main-1-1").await), [1, 8]);
        event
            .staff
            .post(&event.path("/entrants"), json!({ "display_name": "Tom" }))
            .await
            .problem(409, "too_late_to_enter");
        let first: Vec<Value> = event.round(1, 1).await["bouts"].as_array().expect("it has bouts").clone();
        event.write_all(1, &first).await;
        event.write_to_the_end().await;
        let standings = event.standings(1).await;
        assert_eq!((standings.len(), standings[0]), (8, (1, 1)));
        expect_replay(&event).await;
    }
}

#[tokio::test]
async fn who_left_a_bracket_comes_back_while_only_others_are_rounds_ahead() {
    let event = Event::start(new("perudo", json!([single()])), 8).await;
    let (_, _, bouts) = event.next_round().await;
    let (theirs, others): (Vec<Value>, Vec<Value>) = bouts.into_iter().partition(|it| entrants(it).contains(&4));
    event.write_all(1, &others).await;
    let (_, _, ahead) = event.next_round().await;
    assert_eq!(ahead.iter().map(entrants).collect::<Vec<_>>(), [[2, 3]]);
    event.staff.delete(&event.path("/entrants/4")).await.is(200);
    event.write_all(1, &theirs).await;
    let desk = event.app.owner_at_pages().await;
    let is_offered = async || {
        let page = desk.open(&format!("/admin/tournaments/{}/entrants", event.id)).await;
        page.text().contains("value=\"reinstate\"")
    };
    assert!(is_offered().await);
    event.step("/entrants/4/reinstate").await.is(200);
    event.step("/pair").await.is(200);
    assert_eq!(entrants(&event.bout(1, "main-2-1").await), [1, 4]);
    event.step("/discard").await.is(200);
    event.staff.delete(&event.path("/entrants/4")).await.is(200);
    let (_, _, passed) = event.next_round().await;
    assert_eq!(passed.iter().map(entrants).collect::<Vec<_>>(), [[1]]);
    assert!(!is_offered().await, "the page offers nothing that is refused");
    event.step("/entrants/4/reinstate").await.problem(409, "too_late_to_enter");
}
