//! Brackets that run by themselves: what has both its entrants is published with table and match at once.

use std::collections::BTreeSet;

use harness::eventually;
use serde_json::{Value, json};

use super::event::{Event, entrants, finishes, new, scored, single, stage, swiss};
use super::ways_back::{expect_replay, last_step, state, undo};

fn by_itself(format: Value) -> Value {
    let mut stage = stage(format);
    stage["runs_by_itself"] = json!(true);
    stage
}

fn single_all() -> Value {
    json!({ "kind": "single_elimination", "third_place": false, "consolation": "all" })
}

fn open(whole: &Value) -> Vec<Value> {
    let rounds = whole["rounds"].as_array().expect("it has rounds");
    let bouts = rounds.iter().flat_map(|round| round["bouts"].as_array().expect("it has bouts"));
    bouts.filter(|it| it["result"].is_null() && entrants(it).len() > 1).cloned().collect()
}

fn keys(bouts: &[Value]) -> BTreeSet<&str> {
    bouts.iter().map(|it| it["key"].as_str().expect("a key")).collect()
}

/// Writes results, the lower number first, until nothing is open.
async fn play_out(event: &Event) -> usize {
    let mut played = 0;
    loop {
        let whole = event.look().await;
        assert!(whole["rounds"].as_array().expect("rounds").iter().all(|it| it["status"] != "draft"), "{whole}");
        let Some(bout) = open(&whole).into_iter().next() else { return played };
        assert_eq!(bout["match"]["status"], "running", "it is played: {bout}");
        let mut order = entrants(&bout);
        order.sort_unstable();
        event.write(1, bout["key"].as_str().expect("a key"), &order).await.is(200);
        played += 1;
    }
}

#[tokio::test]
async fn a_bracket_runs_from_its_start_to_its_last_bout_without_anybody_pairing() {
    let cases = [(single_all(), 6, 7), (single_all(), 8, 12), (json!({ "kind": "double_elimination" }), 7, 12)];
    for (format, many, bouts) in cases {
        let event = Event::start(scored(json!([by_itself(format)])), many).await;
        for number in 1..=2 {
            event.staff.post("/tables", json!({ "name": format!("{number}번"), "seats": 2 })).await.is(201);
        }
        assert_eq!(event.next().await, "results");
        assert_eq!(play_out(&event).await, bouts);
        let whole = event.look().await;
        assert_eq!(whole["next"]["step"], "finish", "{whole}");
        assert!(whole["rounds"].as_array().expect("rounds").iter().all(|it| it["status"] == "closed"), "{whole}");
        event.step("/finish").await.is(200);
        let standings = event.standings(1).await;
        assert_eq!(standings[0], (1, 1));
        if bouts != 12 || many == 8 {
            let ranks: Vec<u64> = standings.iter().map(|it| it.0).collect();
            assert_eq!(ranks, (1..=many as u64).collect::<Vec<_>>(), "every place is decided");
        }
        expect_replay(&event).await;
    }
}

#[tokio::test]
async fn a_bout_begins_as_soon_as_both_are_known_at_the_table_that_became_free() {
    let event = Event::gather(scored(json!([by_itself(single_all())])), 8).await;
    for number in 1..=3 {
        event.staff.post("/tables", json!({ "name": format!("{number}번"), "seats": 2 })).await.is(201);
    }
    event.begin().await;
    let first = open(&event.look().await);
    assert_eq!(keys(&first), BTreeSet::from(["main-1-1", "main-1-2", "main-1-3", "main-1-4"]));
    let without: Vec<&Value> = first.iter().filter(|it| it["table"].is_null()).collect();
    assert_eq!(without.len(), 1, "there are three tables for four bouts");
    let waiting = without[0]["key"].as_str().expect("a key").to_owned();
    // The first that ends gives its table to the one that has none.
    let seated = first.iter().find(|it| !it["table"].is_null()).expect("they sit").clone();
    event.write(1, seated["key"].as_str().expect("a key"), &entrants(&seated)).await.is(200);
    assert_eq!(event.bout(1, &waiting).await["table"]["id"], seated["table"]["id"]);
    for bout in first.iter().filter(|it| ["main-1-1", "main-1-2"].contains(&it["key"].as_str().expect("a key"))) {
        if *bout != seated {
            event.write(1, bout["key"].as_str().expect("a key"), &entrants(bout)).await.is(200);
        }
    }
    let now = open(&event.look().await);
    assert!(keys(&now).is_superset(&BTreeSet::from(["main-2-1", "places-2-1"])), "{now:?}");
    let step = last_step(&event).await;
    assert_eq!(step["details"]["by_itself"]["bouts"], json!(["main-2-1", "places-2-1"]));
    let desk = event.app.owner_at_pages().await;
    let log = desk.open(&format!("/admin/tournaments/{}/log", event.id)).await.text();
    assert!(log.contains("Published by the server:"), "{log}");
    let public = event.look().await["tournament"]["code"].as_str().expect("a code").to_owned();
    let seen = event.app.anybody().open(&format!("/tournaments/{public}")).await.text();
    assert!(seen.contains("For places 5–8") && seen.contains("Each bout begins as soon as both are known"), "{seen}");
}

#[tokio::test]
async fn a_result_that_a_match_says_lets_the_next_bout_begin() {
    let event = Event::start(scored(json!([by_itself(json!({ "kind": "double_elimination" }))])), 4).await;
    for bout in open(&event.look().await) {
        let at = format!("/matches/{}/result", bout["match"]["id"].as_str().expect("it is a match"));
        for seat in entrants(&bout) {
            event.player(seat).post(&at, json!({ "ranks": [1, 2] })).await.is(200);
        }
    }
    let both = async || (keys(&open(&event.look().await)) == BTreeSet::from(["main-2-1", "losers-2-1"])).then_some(());
    eventually("the next bouts to begin", both).await;
    let log = event.staff.get(&event.path("/log")).await.is(200);
    let by_server = log["items"].as_array().expect("steps").iter().filter(|it| it["actor"].is_null());
    let published: Vec<Value> = by_server.filter_map(|it| it["details"].get("by_itself").cloned()).collect();
    let all: BTreeSet<String> = published
        .iter()
        .flat_map(|it| it["bouts"].as_array().expect("keys"))
        .map(|it| it.as_str().expect("a key").to_owned())
        .collect();
    assert_eq!(all, BTreeSet::from(["losers-2-1".to_owned(), "main-2-1".to_owned()]));
    expect_replay(&event).await;
}

#[tokio::test]
async fn a_result_is_taken_back_with_what_the_server_published_and_a_correction_publishes_anew() {
    let event = Event::start(scored(json!([by_itself(single_all())])), 8).await;
    let win = async |key: &str, order: [u64; 2]| drop(event.write(1, key, &order).await.is(200));
    win("main-1-1", [1, 8]).await;
    win("main-1-3", [2, 7]).await;
    let before = event.look().await;
    win("main-1-2", [4, 5]).await;
    let after = event.look().await;
    assert_eq!(entrants(&event.bout(1, "main-2-1").await), [1, 4]);
    let step = last_step(&event).await;
    let back = undo(&event, &step).await;
    assert_eq!(state(&back), state(&before));
    let again = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&again), state(&after));
    // What led to the bout that is published has no way back; what did not has one.
    let log = event.staff.get(&event.path("/log")).await.is(200);
    let way_back = |key: &str| {
        let mut steps = log["items"].as_array().expect("steps").iter();
        steps.find(|it| it["details"]["bout"] == key).expect("a step")["has_way_back"].clone()
    };
    assert_eq!((way_back("main-1-1"), way_back("main-1-3")), (json!(false), json!(true)));
    // It is corrected: the wrong bouts go, and the right ones are there at once.
    let at = event.path("/stages/1/bouts/main-1-1");
    let turned = finishes(&[8, 1]);
    let voids =
        event.staff.post(&format!("{at}/following"), json!({ "finishes": turned })).await.is(200)["voids"].clone();
    assert_eq!(voids, json!(["main-2-1", "places-2-1"]));
    let correction = json!({ "finishes": turned, "reason": "거꾸로였어요", "voids": voids });
    event.staff.post(&format!("{at}/correction"), correction).await.is(200);
    assert_eq!(entrants(&event.bout(1, "main-2-1").await), [8, 4]);
    assert_eq!(entrants(&event.bout(1, "places-2-1").await), [1, 5]);
    assert_eq!(event.bout(1, "main-2-1").await["match"]["status"], "running");
    play_out(&event).await;
    expect_replay(&event).await;
}

#[tokio::test]
async fn staff_take_a_bracket_over_and_hand_it_back() {
    let event = Event::start(scored(json!([stage(single_all())])), 8).await;
    let (_, _, bouts) = event.next_round().await;
    let desk = event.app.owner_at_pages().await;
    let address = format!("/admin/tournaments/{}", event.id);
    let take = async |step: &str| {
        let page = desk.open(&address).await;
        let taken = desk.submit(&page, &format!("{address}/steps"), &[("step", step)]).await;
        assert_eq!(taken.status, 303, "{}", taken.text());
    };
    event.write_all(1, &bouts[..2]).await;
    assert_eq!(open(&event.look().await).len(), 2, "nothing comes by itself");
    let before = event.look().await;
    take("run_by_itself").await;
    assert_eq!(keys(&open(&event.look().await)).len(), 4, "what was due is published at once");
    let back = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&back), state(&before));
    // A draft of theirs is theirs.
    event.step("/pair").await.is(200);
    take("run_by_itself").await;
    assert_eq!(event.next().await, "publish");
    event.step("/stages/1/rounds/2/publish").await.is(200);
    take("run_by_hand").await;
    event.write_all(1, &bouts[2..]).await;
    assert!(open(&event.look().await).iter().all(|it| it["key"] != "main-2-2"));
    let mut stages = event.look().await["tournament"]["stages"].clone();
    stages[0]["runs_by_itself"] = json!(true);
    event.staff.patch(&event.path(""), json!({ "stages": stages })).await.is(200);
    assert!(keys(&open(&event.look().await)).contains("main-2-2"));
    expect_replay(&event).await;
}

#[tokio::test]
async fn a_draft_that_staff_hold_back_stays_theirs_when_others_play() {
    let event = Event::start(scored(json!([single()])), 4).await;
    event.step("/pair").await.is(200);
    let mut stages = event.look().await["tournament"]["stages"].clone();
    stages[0]["runs_by_itself"] = json!(true);
    event.staff.patch(&event.path(""), json!({ "stages": stages })).await.is(200);
    let expect_draft = async |people: &[u64]| {
        let whole = event.look().await;
        assert_eq!(whole["next"]["step"], "publish", "staff still hold it back: {whole}");
        let bouts = event.round(1, 1).await["bouts"].clone();
        let mut drafted: Vec<u64> = bouts.as_array().expect("it has bouts").iter().flat_map(entrants).collect();
        drafted.sort_unstable();
        assert_eq!(drafted, people);
    };
    event.staff.delete(&event.path("/entrants/4")).await.is(200);
    expect_draft(&[1, 2, 3]).await;
    event.step("/entrants/4/reinstate").await.is(200);
    expect_draft(&[1, 2, 3, 4]).await;
    event.player(4).delete(&event.path("/entrants/me")).await.is(200);
    expect_draft(&[1, 2, 3]).await;
    undo(&event, &last_step(&event).await).await;
    expect_draft(&[1, 2, 3, 4]).await;
    event.step("/entrants/3/no-show").await.is(200);
    expect_draft(&[1, 2, 4]).await;
    event.staff.post(&event.path("/entrants"), json!({ "display_name": "서연" })).await.is(201);
    expect_draft(&[1, 2, 4, 5]).await;
    event.staff.put(&event.path("/rulings"), json!({ "apart": [{ "one": 1, "other": 2 }] })).await.is(200);
    expect_draft(&[1, 2, 4, 5]).await;
    // Without it the server goes on.
    event.step("/discard").await.is(200);
    assert_eq!(play_out(&event).await, 3);
    expect_replay(&event).await;
}

#[tokio::test]
async fn only_brackets_of_duels_run_by_themselves() {
    let event = Event::gather(new("perudo", json!([stage(single_all())])), 0).await;
    let mut plan = swiss(3);
    plan["runs_by_itself"] = json!(true);
    let refused = event.staff.post("/tournaments", new("perudo", json!([plan]))).await.problem(422, "invalid_fields");
    assert_eq!(refused["errors"][0]["pointer"], "/stages/0/runs_by_itself");
    assert_eq!(refused["errors"][0]["code"], "not_offered");
}

#[tokio::test]
async fn a_result_is_taken_back_with_the_table_that_it_gave_to_another_bout() {
    let event = Event::gather(scored(json!([by_itself(single_all())])), 4).await;
    event.staff.post("/tables", json!({ "name": "1번", "seats": 2 })).await.is(201);
    event.begin().await;
    let before = event.look().await;
    let first = open(&before);
    let seated = first.iter().find(|it| !it["table"].is_null()).expect("they sit");
    let waiting = first.iter().find(|it| it["table"].is_null()).expect("there is one table");
    event.write(1, seated["key"].as_str().expect("a key"), &entrants(seated)).await.is(200);
    assert_eq!(event.bout(1, waiting["key"].as_str().expect("a key")).await["table"], seated["table"]);
    let back = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&back), state(&before));
}
