//! Groups side by side, and the bracket that follows them.

use std::collections::BTreeSet;

use harness::Answer;
use reqwest::Method;
use serde_json::{Value, json};

use super::event::{Event, entrants, new, single, stage};

#[tokio::test]
async fn the_best_of_each_group_go_on_and_meet_their_own_group_last() {
    let mut groups = stage(json!({ "kind": "groups", "groups": 2, "play": { "kind": "round_robin", "legs": 1 } }));
    groups["tie_breaks"] = json!(["head_to_head", "seed"]);
    groups["advance"] = json!(4);
    let event = Event::start(new("perudo", json!([groups, single()])), 8).await;
    let standings = async || event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200)["items"].clone();
    let of_group = |all: &Value, group: u64| -> BTreeSet<u64> {
        let here = all.as_array().expect("a list").iter().filter(|it| it["group"] == group);
        here.map(|it| it["entrant"].as_u64().expect("a number")).collect()
    };
    // The seeds go to the groups as a snake.
    let before = standings().await;
    assert_eq!(of_group(&before, 1), BTreeSet::from([1, 4, 5, 8]));
    assert_eq!(of_group(&before, 2), BTreeSet::from([2, 3, 6, 7]));
    for _ in 0..3 {
        let (_, _, bouts) = event.next_round().await;
        assert_eq!(bouts.len(), 4);
        event.write_all(1, &bouts).await;
    }
    let order: Vec<(u64, u64, u64)> = standings()
        .await
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| ["entrant", "group", "group_rank"].map(|field| it[field].as_u64().expect("a number")).into())
        .collect();
    assert_eq!(order[..4], [(1, 1, 1), (2, 2, 1), (3, 2, 2), (4, 1, 2)]);
    let sheet = event.app.anybody().api(Method::GET, &event.path("/stages/1/standings.csv"));
    let sheet = Answer::of(sheet.header("accept-language", "en")).await.text();
    assert!(sheet.contains(r#""Points","Group","Head to head""#), "{sheet}");
    let desk = event.app.owner_at_pages().await;
    let page = desk.open(&format!("/admin/tournaments/{}", event.id)).await.text();
    assert!(page.contains("Group A") && page.contains("Group B") && page.contains("goes on"), "{page}");
    assert_eq!(event.next().await, "next_stage");
    event.step("/next-stage").await.is(200);
    let (_, _, semis) = event.next_round().await;
    let pairs: BTreeSet<Vec<u64>> = semis.iter().map(entrants).collect();
    assert_eq!(pairs, BTreeSet::from([vec![1, 3], vec![2, 4]]));
    event.write_all(2, &semis).await;
    let (_, _, last) = event.next_round().await;
    event.write_all(2, &last).await;
    event.step("/finish").await.is(200);
    super::ways_back::expect_replay(&event).await;
}

#[tokio::test]
async fn groups_that_cannot_be_are_refused() {
    let app = harness::TestApp::start();
    let staff = app.owner().await;
    let make = async |groups: u8, play: Value| {
        let format = json!({ "kind": "groups", "groups": groups, "play": play });
        staff.post("/tournaments", new("perudo", json!([stage(format)]))).await
    };
    let refused = make(1, json!({ "kind": "round_robin", "legs": 1 })).await.problem(422, "invalid_fields");
    assert_eq!(refused["errors"][0]["code"], "bad_groups");
    assert_eq!(make(2, json!({ "kind": "pods" })).await.status, 400);
    make(4, json!({ "kind": "swiss", "rounds": 3 })).await.is(201);
}
