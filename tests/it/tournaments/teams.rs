//! Teams: on boards where two meet, and by what their members have together at tables of several.

use std::collections::BTreeSet;

use harness::TestApp;
use serde_json::{Value, json};

use super::event::{Event, entrants, new, single, stage, swiss};

const TEAMS: [&str; 4] = ["부엉이", "Linces", "두루미", "Búhos"];

/// Puts players 1, 2, 3 into the first team, and so on.
async fn put_in_teams(event: &Event, size: usize) {
    for number in 1..=event.players.len() {
        let team = TEAMS[(number - 1) / size];
        let path = event.path(&format!("/entrants/{number}/team"));
        let after = event.staff.put(&path, json!({ "team": team })).await.is(200);
        let entrant = &after["entrants"][number - 1];
        assert_eq!((&entrant["team"], &entrant["board"]), (&json!(team), &json!((number - 1) % size + 1)));
    }
}

fn of_size(size: u8, stages: Value) -> Value {
    let mut request = new("perudo", stages);
    request["team_size"] = json!(size);
    request
}

#[tokio::test]
async fn teams_meet_on_boards_and_the_best_go_on_into_a_bracket() {
    let mut first = swiss(2);
    first["tie_breaks"] = json!(["scores", "berlin", "seed"]);
    first["advance"] = json!(2);
    let event = Event::gather(of_size(3, json!([first, single()])), 12).await;
    assert_eq!(event.look().await["tournament"]["team_size"], 3);
    let refused = event.step("/start").await.problem(409, "teams_unfit");
    assert_eq!(refused["errors"][0]["code"], "without_team", "{refused}");
    put_in_teams(&event, 3).await;
    event.begin().await;
    let moved = event.staff.put(&event.path("/entrants/1/team"), json!({ "team": "Linces" })).await;
    moved.problem(409, "tournament_started");
    let (_, _, bouts) = event.next_round().await;
    assert_eq!(bouts.len(), 6, "two bouts on three boards");
    let team = |entrant: u64| (entrant - 1) / 3;
    for (at, bout) in bouts.iter().enumerate() {
        assert_eq!(bout["team_bout"], format!("main-1-{}", at / 3 + 1));
        let [one, other] = entrants(bout)[..] else { panic!("two meet") };
        assert!(team(one) != team(other) && (one - 1) % 3 == (at as u64) % 3 && (other - 1) % 3 == (at as u64) % 3);
    }
    event.write_all(1, &bouts[..2]).await;
    let page = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200);
    assert!(page["items"].as_array().expect("a list").iter().all(|it| it["points"] == 0), "the third board is open");
    let desk = event.app.owner_at_pages().await;
    let text = desk.open(&format!("/admin/tournaments/{}/rounds/1/1", event.id)).await.text();
    assert!(text.contains("부엉이 2 – 0") && text.contains("0 – 0"), "{text}");
    event.write_all(1, &bouts[2..]).await;
    let told = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200)["items"].clone();
    let best = &told[0];
    let told_of = (&best["display_name"], &best["entrant"], &best["points"], &best["tie_breaks"]);
    assert_eq!(told_of, (&json!("부엉이"), &json!(1), &json!(100), &json!([300, 600, -100])));
    let members: Vec<(&Value, &Value)> =
        best["members"].as_array().expect("a list").iter().map(|it| (&it["entrant"], &it["points"])).collect();
    assert_eq!(members, [(&json!(1), &json!(100)), (&json!(2), &json!(100)), (&json!(3), &json!(100))]);
    event.write_to_the_end().await;
    // Two teams went on, all their members with them.
    let last = event.standings(2).await;
    assert_eq!(last.iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(last[0].1, 1);
    let bracket = event.app.anybody().get(&event.path("/stages/2/bracket")).await.is(200);
    assert_eq!(bracket["items"].as_array().map(Vec::len), Some(1), "one bout between teams: {bracket}");
    assert_eq!(bracket["items"][0]["is_over"], true);
    super::ways_back::expect_replay(&event).await;
    let code = event.look().await["tournament"]["code"].as_str().expect("it has a code").to_owned();
    let public = desk.open(&format!("/tournaments/{code}")).await.text();
    assert!(TEAMS.iter().all(|team| public.contains(team)), "{public}");
    let sheet = event.staff.get(&event.path("/stages/1/pairings.csv")).await;
    assert!(sheet.text().contains("부엉이"), "{}", sheet.text());
}

#[tokio::test]
async fn mates_sit_apart_in_pods_and_their_points_add_up() {
    let mut pods = stage(json!({ "kind": "pods", "rounds": 2, "least": 3, "most": 4, "pairing": "random" }));
    pods["scoring"] = json!({ "points": { "kind": "places", "scale": [400, 300, 200, 100], "bye": 250 } });
    let event = Event::gather(of_size(3, json!([pods])), 12).await;
    put_in_teams(&event, 3).await;
    event.begin().await;
    let mut own = [0; 12];
    for _ in 0..2 {
        let (_, _, bouts) = event.next_round().await;
        for bout in &bouts {
            let mut here = entrants(bout);
            let teams: BTreeSet<u64> = here.iter().map(|it| (it - 1) / 3).collect();
            assert_eq!(teams.len(), here.len(), "nobody meets their own: {here:?}");
            assert_eq!(bout["team_bout"], Value::Null);
            here.sort_unstable();
            here.iter().zip([400, 300, 200, 100]).for_each(|(entrant, points)| own[*entrant as usize - 1] += points);
        }
        event.write_all(1, &bouts).await;
    }
    let standings = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200)["items"].clone();
    for row in standings.as_array().expect("a list") {
        let first = row["entrant"].as_u64().expect("a number") as usize - 1;
        assert_eq!(row["points"], own[first..first + 3].iter().sum::<i64>());
        assert_eq!(row["members"][1]["points"], own[first + 1]);
    }
    assert_eq!(standings[0]["display_name"], "부엉이");
    assert_eq!(event.step("/finish").await.is(200)["tournament"]["status"], "finished");
    super::ways_back::expect_replay(&event).await;
}

#[tokio::test]
async fn who_comes_back_may_find_their_place_in_the_team_taken() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let made = staff.post("/tournaments", of_size(2, json!([swiss(2)]))).await.is(201);
    let path = format!("/tournaments/{}", made["id"].as_str().expect("an id"));
    staff.post(&format!("{path}/registration"), json!({})).await.is(200);
    let (entrants, team) = (format!("{path}/entrants"), json!({ "team": "부엉이" }));
    let mut members = Vec::new();
    for name in ["하늘", "Lucía", "민지", "Bea"] {
        let member = app.guest(name).await;
        member.post(&entrants, team.clone()).await.is(201);
        members.push(member);
    }
    members[0].delete(&format!("{entrants}/me")).await.is(200);
    app.guest("도윤").await.post(&entrants, team).await.is(201);
    members[0].post(&entrants, json!({})).await.problem(409, "team_full");
    members[0].post(&entrants, json!({ "team": "두루미" })).await.is(201);
}

#[tokio::test]
async fn people_come_as_a_team_or_are_put_into_one() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let made = staff.post("/tournaments", of_size(2, json!([swiss(2)]))).await.is(201);
    let (id, code) = (made["id"].as_str().expect("an id"), made["code"].as_str().expect("a code"));
    staff.post(&format!("/tournaments/{id}/registration"), json!({})).await.is(200);
    let entrants = format!("/tournaments/{id}/entrants");
    // On the page of everybody, under the name that friends have typed.
    for (name, team) in [("하늘", "부엉이"), ("Lucía", " 부엉이 ")] {
        let phone = app.anybody();
        let page = phone.open(&format!("/tournaments/{code}")).await;
        let entry = [("display_name", name), ("team", team)];
        assert_eq!(phone.submit(&page, &format!("/tournaments/{code}/entry"), &entry).await.status, 303);
    }
    let listed = staff.get(&entrants).await.is(200)["items"].clone();
    assert_eq!((&listed[1]["team"], &listed[1]["board"]), (&json!("부엉이"), &json!(2)));
    // Two on boards and two reserves; upper and lower case are one name.
    for name in ["민지", "Bea"] {
        let entrant = json!({ "display_name": name, "team": "부엉이" });
        staff.post(&entrants, entrant).await.is(201);
    }
    let full = json!({ "display_name": "도윤", "team": "부엉이" });
    staff.post(&entrants, full).await.problem(409, "team_full");
    for (name, team) in [("도윤", "Linces"), ("Ana", "LINCES"), ("Tom", "두루미")] {
        staff.post(&entrants, json!({ "display_name": name, "team": team })).await.is(201);
    }
    let guest = app.guest("Eva").await;
    let alone = guest.post(&entrants, json!({})).await.is(201);
    let number = alone["number"].as_u64().expect("a number");
    assert_eq!(guest.post(&entrants, json!({ "team": "두루미" })).await.is(201)["team"], "두루미", "later is fine");
    let other = format!("{entrants}/{number}/team");
    guest.put(&other, json!({ "team": "Linces" })).await.problem(403, "forbidden");
    staff.put(&other, json!({ "team": "x".repeat(41) })).await.problem(422, "invalid_fields");
    staff.put(&format!("{entrants}/99/team"), json!({ "team": "x" })).await.problem(404, "entrant_not_found");
    // Staff put them on the first board, by the form.
    let desk = app.owner_at_pages().await;
    let page = desk.open(&format!("/admin/tournaments/{id}/entrants")).await;
    let form = format!("/admin/tournaments/{id}/entrants/{number}/team");
    assert_eq!(desk.submit(&page, &form, &[("team", "두루미"), ("board", "1")]).await.status, 303);
    let listed = staff.get(&entrants).await.is(200)["items"].clone();
    let boards: Vec<&Value> =
        listed.as_array().expect("a list").iter().filter(|it| it["team"] == "두루미").map(|it| &it["board"]).collect();
    assert_eq!(boards, [&json!(2), &json!(1)], "Tom moved down");
    // A list that is pasted names teams behind people.
    let paste = format!("/admin/tournaments/{id}/paste");
    let page = desk.open(&paste).await;
    let seen = desk.submit(&page, &paste, &[("names", "유나; Búhos\nÍñigo\tBúhos")]).await;
    assert!(seen.text().contains("Búhos"), "{}", seen.text());
    assert_eq!(
        desk.submit(&page, &paste, &[("names", "유나; Búhos\nÍñigo\tBúhos"), ("agreed", "yes")]).await.status,
        303
    );
    staff.post(&format!("/tournaments/{id}/start"), json!({})).await.is(200);
    let paired = staff.post(&format!("/tournaments/{id}/pair"), json!({})).await.is(200);
    assert_eq!(paired["rounds"][0]["bouts"].as_array().map(Vec::len), Some(4), "four teams on two boards: {paired}");
    let swapped = json!({ "one": 1, "other": 2 });
    staff.post(&format!("/tournaments/{id}/swap"), swapped).await.problem(409, "pairings_follow");
}

#[tokio::test]
async fn teams_that_cannot_be_are_refused() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let code = async |size: u8, format: Value| {
        let refused =
            staff.post("/tournaments", of_size(size, json!([stage(format)]))).await.problem(422, "invalid_fields");
        refused["errors"][0]["code"].as_str().expect("a code").to_owned()
    };
    assert_eq!(code(7, json!({ "kind": "round_robin", "legs": 1 })).await, "out_of_range");
    let knockout = json!({ "kind": "pod_knockout", "least": 3, "most": 4, "advance": 1 });
    assert_eq!(code(2, knockout).await, "no_teams");
    let arena = json!({ "kind": "arena", "minutes": 60, "least": 2, "most": 2, "patience": 60, "streaks": false });
    assert_eq!(code(2, arena).await, "no_teams");
    let event = Event::gather_in(app, new("perudo", json!([single()])), 2).await;
    let path = event.path("/entrants/1/team");
    event.staff.put(&path, json!({ "team": "부엉이" })).await.problem(409, "plays_without_teams");
}

#[tokio::test]
async fn nobody_is_let_back_into_a_team_that_is_full_by_now() {
    let event = Event::gather(of_size(2, json!([swiss(2)])), 5).await;
    let join = async |number: usize| {
        let path = event.path(&format!("/entrants/{number}/team"));
        event.staff.put(&path, json!({ "team": "부엉이" })).await.is(200)
    };
    for number in 1..=4 {
        join(number).await;
    }
    event.staff.delete(&event.path("/entrants/1")).await.is(200);
    let dropped = super::ways_back::last_step(&event).await;
    join(5).await;
    let back = json!({ "step": dropped["revision"] });
    event.staff.post(&event.path("/undo"), back.clone()).await.problem(409, "team_full");
    event.staff.delete(&event.path("/entrants/5")).await.is(200);
    event.staff.post(&event.path("/undo"), back).await.is(200);
}
