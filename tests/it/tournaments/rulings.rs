//! What staff rule about single entrants: byes, points and pairs apart.

use serde_json::{Value, json};

use super::event::{Event, entrants, new, single, stage, swiss};
use super::ways_back::{expect_replay, last_step, undo};

fn of_scored(stages: Value) -> Value {
    let mut request = new("other", stages);
    request["title"] = json!("체스");
    request
}

#[tokio::test]
async fn who_asks_for_a_bye_rests_in_that_round_and_gets_what_it_is_worth() {
    let event = Event::start(of_scored(json!([swiss(3)])), 6).await;
    let rule = async |byes: Value| event.staff.put(&event.path("/rulings"), json!({ "byes": byes })).await;
    let bye = |round: u16, entrant: u16, points: i32| json!({ "stage": 1, "round": round, "entrant": entrant, "points": points });
    let set = rule(json!([bye(1, 2, 50), bye(2, 1, 0)])).await.is(200);
    assert_eq!(set["byes"].as_array().map(Vec::len), Some(2));
    let (_, _, first) = event.next_round().await;
    let rests: Vec<u64> = first.iter().filter(|it| entrants(it).len() == 1).map(|it| entrants(it)[0]).collect();
    assert!(rests.contains(&2) && rests.len() == 2, "2 asked, and somebody of five has none to play: {rests:?}");
    let of_two = first.iter().find(|it| entrants(it) == [2]).expect("a bye");
    assert_eq!(of_two["reasons"][0], json!({ "code": "requested_bye", "points": 50 }));
    // Of what everybody has seen nothing changes.
    rule(json!([bye(2, 1, 0)])).await.problem(409, "round_published");
    rule(json!([bye(1, 2, 50), bye(1, 3, 50), bye(2, 1, 0)])).await.problem(409, "round_published");
    rule(json!([bye(1, 2, 50), bye(2, 1, 0), bye(3, 4, 100)])).await.is(200);
    event.write_all(1, &first).await;
    let standings = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200)["items"].clone();
    let two = standings.as_array().expect("a list").iter().find(|it| it["entrant"] == 2).expect("they stand");
    assert_eq!(two["points"], 50);
    // A draft is paired again.
    event.step("/pair").await.is(200);
    rule(json!([bye(1, 2, 50), bye(2, 1, 0), bye(2, 5, 50), bye(3, 4, 100)])).await.is(200);
    assert_eq!(event.next().await, "pair");
    let (_, _, second) = event.next_round().await;
    let rests: Vec<u64> = second.iter().filter(|it| entrants(it).len() == 1).map(|it| entrants(it)[0]).collect();
    assert!(rests.contains(&1) && rests.contains(&5), "{rests:?}");
    event.write_all(1, &second).await;
    let (_, _, third) = event.next_round().await;
    assert!(third.iter().any(|it| entrants(it) == [4]));
    event.write_all(1, &third).await;
    event.step("/finish").await.is(200);
    expect_replay(&event).await;
}

#[tokio::test]
async fn points_are_given_and_taken_away_with_a_reason_and_back_again() {
    let event = Event::start(of_scored(json!([swiss(2)])), 4).await;
    let (_, _, first) = event.next_round().await;
    event.write_all(1, &first).await;
    assert_eq!(event.standings(1).await[0].1, 1);
    let late = json!({ "stage": 1, "round": 1, "entrant": 1, "points": -150, "reason": "  늦게  옴 " });
    let set = event.staff.put(&event.path("/rulings"), json!({ "adjustments": [late] })).await.is(200);
    assert_eq!(set["adjustments"][0]["reason"], "늦게 옴");
    let standings = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200)["items"].clone();
    let one = standings.as_array().expect("a list").last().expect("four stand");
    assert_eq!((&one["entrant"], &one["points"]), (&json!(1), &json!(-50)));
    assert_eq!(one["adjustments"], json!([{ "entrant": 1, "round": 1, "points": -150, "reason": "늦게 옴" }]));
    let code = event.look().await["tournament"]["code"].as_str().expect("it has a code").to_owned();
    let page = event.app.anybody().open(&format!("/tournaments/{code}")).await.text();
    assert!(page.contains("-1.5 늦게 옴") || page.contains("−1.5 늦게 옴"), "{page}");
    // Players know nothing of pairs apart, and rule about nothing.
    let player = event.player(1);
    player.get(&event.path("/rulings")).await.problem(403, "forbidden");
    player.put(&event.path("/rulings"), json!({})).await.problem(403, "forbidden");
    undo(&event, &last_step(&event).await).await;
    assert_eq!(event.standings(1).await[0], (1, 1));
    expect_replay(&event).await;
}

#[tokio::test]
async fn points_of_a_stage_that_is_past_let_nobody_else_go_on() {
    let mut first = swiss(1);
    first["advance"] = json!(2);
    let event = Event::start(of_scored(json!([first, single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    let rule = async |points: &[i32], apart: Value| {
        let given =
            |points: &i32| json!({ "stage": 1, "round": 1, "entrant": 4, "points": points, "reason": "심판을 봄" });
        let adjustments: Value = points.iter().map(given).collect();
        event.staff.put(&event.path("/rulings"), json!({ "adjustments": adjustments, "apart": apart })).await
    };
    rule(&[500], json!([])).await.is(200);
    event.step("/next-stage").await.is(200);
    let best: Vec<u64> = event.standings(1).await.into_iter().take(2).map(|it| it.1).collect();
    assert_eq!(best[0], 4);
    rule(&[], json!([])).await.problem(409, "others_go_on");
    rule(&[500, -450], json!([])).await.problem(409, "others_go_on");
    assert_eq!(event.standings(1).await[0], (1, 4));
    // Those who went on still do, and pairs apart are not about who does.
    rule(&[500, 100], json!([])).await.is(200);
    rule(&[500, 100], json!([{ "one": 1, "other": 2 }])).await.is(200);
    event.write_to_the_end().await;
    let mut going: Vec<u64> = event.standings(2).await.into_iter().map(|it| it.1).collect();
    going.sort_unstable();
    assert_eq!(going, [best[1], 4]);
    expect_replay(&event).await;
}

#[tokio::test]
async fn pairs_who_should_not_meet_are_kept_apart() {
    let event = Event::gather(of_scored(json!([swiss(2)])), 4).await;
    let desk = event.app.owner_at_pages().await;
    let at = format!("/admin/tournaments/{}/rulings", event.id);
    let rule = async |fields: &[(&str, &str)]| {
        let page = desk.open(&at).await;
        desk.submit(&page, &at, fields).await.status
    };
    // 1 would meet 3.
    assert_eq!(rule(&[("kind", "apart"), ("entrant", "3"), ("other", "1")]).await, 303);
    assert_eq!(rule(&[("kind", "apart"), ("entrant", "1"), ("other", "1")]).await, 422);
    assert_eq!(
        rule(&[("kind", "adjustment"), ("entrant", "1"), ("round", "1"), ("points", "viel"), ("reason", "x")]).await,
        422
    );
    let known = event.staff.get(&event.path("/rulings")).await.is(200);
    assert_eq!(known, json!({ "byes": [], "adjustments": [], "apart": [{ "one": 1, "other": 3 }] }));
    event.begin().await;
    let (_, _, first) = event.next_round().await;
    assert!(first.iter().all(|it| !(entrants(it).contains(&1) && entrants(it).contains(&3))));
    assert_eq!(rule(&[("kind", "apart"), ("remove", "0")]).await, 303);
    assert_eq!(event.staff.get(&event.path("/rulings")).await.is(200)["apart"], json!([]));
}

#[tokio::test]
async fn rulings_that_cannot_be_are_refused() {
    let robin = stage(json!({ "kind": "round_robin", "legs": 1 }));
    let event = Event::gather(of_scored(json!([robin])), 3).await;
    let refused = async |rulings: Value| {
        let problem = event.staff.put(&event.path("/rulings"), rulings).await.problem(422, "invalid_fields");
        let error = &problem["errors"][0];
        (error["pointer"].as_str().expect("a pointer").to_owned(), error["code"].as_str().expect("a code").to_owned())
    };
    let told = |pointer: &str, code: &str| (pointer.to_owned(), code.to_owned());
    let bye = |stage: i16, entrant: i32| json!({ "byes": [{ "stage": stage, "round": 1, "entrant": entrant, "points": 50 }] });
    assert_eq!(refused(bye(1, 1)).await, told("/byes/0/stage", "not_offered"));
    assert_eq!(refused(bye(2, 1)).await, told("/byes/0/stage", "out_of_range"));
    assert_eq!(refused(bye(1, 9)).await, told("/byes/0/entrant", "unknown_value"));
    let points = |points: i32, reason: &str| json!({ "adjustments": [{ "stage": 1, "round": 1, "entrant": 1, "points": points, "reason": reason }] });
    assert_eq!(refused(points(0, "x")).await, told("/adjustments/0/points", "out_of_range"));
    assert_eq!(refused(points(1, " ")).await, told("/adjustments/0/reason", "empty"));
    assert_eq!(refused(json!({ "apart": [{ "one": 1, "other": 9 }] })).await, told("/apart/0/other", "unknown_value"));
    let seen = event.look().await["tournament"]["revision"].as_i64().expect("a revision");
    let stale = json!({ "apart": [{ "one": 1, "other": 2 }], "revision": seen - 1 });
    event.staff.put(&event.path("/rulings"), stale).await.problem(409, "tournament_changed");
}
