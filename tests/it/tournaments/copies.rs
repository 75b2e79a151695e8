//! The next tournament: copied from an earlier one, begun from a preset, and filled with regulars.

use harness::TestApp;
use serde_json::{Value, json};

use super::event::{Event, new, single, swiss};

fn names(list: &Value) -> Vec<&str> {
    let items = list.as_array().expect("it is a list").iter();
    items.map(|it| it["player"]["display_name"].as_str().expect("it has a name")).collect()
}

#[tokio::test]
async fn a_copy_has_the_same_plan_on_another_day_and_if_asked_the_same_people() {
    let app = TestApp::start();
    let table = app.owner().await.post("/tables", json!({ "name": "창가", "seats": 2 })).await.is(201);
    let mut request = new("perudo", json!([swiss(2)]));
    request["table_ids"] = json!([table["id"]]);
    request["round_minutes"] = json!(25);
    request["starts_at"] = json!("2026-11-20T10:00:00Z");
    request["check_in_until"] = json!("2026-11-20T09:45:00Z");
    let event = Event::gather_in(app, request, 4).await;
    event.player(4).delete(&event.path("/entrants/me")).await.is(200);
    event.staff.put(&event.path("/seeds"), json!({ "by": "hand", "order": [3, 1, 2] })).await.is(200);
    event.step("/start").await.is(200);
    event.staff.delete(&event.path("/entrants/2")).await.is(200);
    let asked = json!({ "name": "다음 금요일", "starts_at": "2026-11-27T10:00:00Z", "entrants": true });
    let copy = event.staff.post(&event.path("/copy"), asked).await.is(201);
    let earlier = event.look().await["tournament"].clone();
    for same in ["game", "options", "mode", "stages", "seeding", "round_minutes", "table_ids"] {
        assert_eq!(copy[same], earlier[same], "{same}");
    }
    assert_eq!((&copy["name"], &copy["status"]), (&json!("다음 금요일"), &json!("draft")));
    assert_eq!(
        (&copy["starts_at"], &copy["check_in_until"]),
        (&json!("2026-11-27T10:00:00Z"), &json!("2026-11-27T09:45:00Z"))
    );
    // Who took part, by seed; not who had left before it began.
    let path = format!("/tournaments/{}", copy["id"].as_str().expect("it has an id"));
    let whole = event.staff.get(&path).await.is(200);
    assert_eq!(names(&whole["entrants"]), ["민지", "하늘", "Lucía"]);
    assert!(whole["entrants"].as_array().is_some_and(|all| all.iter().all(|it| it["status"] == "entered")));
    let seeds: Vec<&Value> = whole["entrants"].as_array().into_iter().flatten().map(|it| &it["seed"]).collect();
    assert_eq!(seeds, [&json!(1), &json!(2), &json!(3)]);
    let log = event.staff.get(&format!("{path}/log")).await.is(200);
    assert_eq!(log["items"][0]["details"]["copy_of"], event.id.as_str());
    let empty = event.staff.post(&event.path("/copy"), json!({})).await.is(201);
    assert_eq!((&empty["name"], &empty["starts_at"], &empty["entrants"]), (&earlier["name"], &Value::Null, &json!(0)));
    event.player(1).post(&event.path("/copy"), json!({})).await.problem(403, "forbidden");
}

#[tokio::test]
async fn a_tournament_is_copied_and_begun_from_a_preset_on_the_pages() {
    let event = Event::gather(new("perudo", json!([single()])), 2).await;
    let desk = event.app.owner_at_pages().await;
    let path = format!("/admin/tournaments/{}", event.id);
    let page = desk.open(&path).await;
    let fields = [("name", "월례 대회"), ("starts_at", ""), ("entrants", "on")];
    let copied = desk.submit(&page, &format!("{path}/copy"), &fields).await;
    assert_eq!(copied.status, 303, "{}", copied.text());
    let copy = copied.header("location").to_owned();
    assert_ne!(copy, path);
    assert!(desk.open(&format!("{copy}/entrants")).await.text().contains("Lucía"));
    for preset in ["swiss", "swiss_top", "single", "double", "league", "groups_top", "pods", "pods_top", "pod_knockout"]
    {
        let form = desk.open(&format!("/admin/tournaments/new?preset={preset}")).await;
        assert_eq!(form.status, 200);
        assert!(form.text().contains(&format!("?preset={preset}\" aria-current=\"true\"")), "{preset}");
    }
    assert_eq!(desk.open("/admin/tournaments/new?preset=unknown").await.status, 400);
}

#[tokio::test]
async fn regulars_are_who_came_most_and_enter_by_one_tap() {
    let event = Event::gather(new("perudo", json!([single()])), 3).await;
    let table = event.staff.post("/tables", json!({ "name": "창가", "seats": 4 })).await.is(201);
    let code = table["code"].as_str().expect("it has a code");
    // The second one also comes to play, again and again.
    for _ in 0..2 {
        let there = event.player(2).post(&format!("/tables/by-code/{code}/members"), json!({})).await.is(200);
        let sitting = there["sitting"]["id"].as_str().expect("they sit").to_owned();
        event.staff.delete(&format!("/sittings/{sitting}")).await;
    }
    let next = event.staff.post("/tournaments", new("perudo", json!([single()]))).await.is(201);
    let next = next["id"].as_str().expect("it has an id").to_owned();
    let regulars = async |query: &str| {
        let found = event.staff.get(&format!("/tournaments/{next}/regulars{query}")).await.is(200);
        names(&found["items"]).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(regulars("").await, ["Lucía", "민지", "하늘"]);
    let first = event.staff.get(&format!("/tournaments/{next}/regulars?limit=1")).await.is(200);
    assert_eq!((&first["items"][0]["tournaments"], &first["items"][0]["visits"]), (&json!(1), &json!(2)));
    // ㅁㅈ is how people type 민지.
    assert_eq!(regulars("?q=%E3%85%81%E3%85%88").await, ["민지"]);
    assert_eq!(regulars("?q=luc").await, ["Lucía"]);
    assert!(regulars("?q=nobody").await.is_empty());
    let desk = event.app.owner_at_pages().await;
    let page = desk.open(&format!("/admin/tournaments/{next}/entrants?q=%E3%85%81%E3%85%88")).await;
    assert!(page.text().contains("민지") && !page.text().contains("하늘"), "{}", page.text());
    let player = event.player(3).id();
    let added = desk.submit(&page, &format!("/admin/tournaments/{next}/entrants"), &[("player", player)]).await;
    assert_eq!(added.status, 303);
    assert_eq!(regulars("").await, ["Lucía", "하늘"]);
    event.player(1).get(&format!("/tournaments/{next}/regulars")).await.problem(403, "forbidden");
}

#[tokio::test]
async fn ratings_are_kept_from_the_start_and_decide_between_equals() {
    let mut stage = swiss(1);
    stage["tie_breaks"] = json!(["opponents_rating", "rating", "seed"]);
    let mut request = new("other", json!([stage]));
    request["title"] = json!("바둑");
    let event = Event::gather(request, 4).await;
    let rate = async |number: u32, rating: Value| {
        event.staff.put(&event.path(&format!("/entrants/{number}/rating")), json!({ "rating": rating })).await
    };
    for (number, rating) in [(1, 1500), (2, 1900), (3, 1700), (4, 1800)] {
        rate(number, json!(rating)).await.is(200);
    }
    rate(1, json!(10_000)).await.problem(422, "invalid_fields");
    event.player(1).put(&event.path("/entrants/1/rating"), json!({ "rating": 3000 })).await.problem(403, "forbidden");
    rate(9, json!(1500)).await.problem(404, "entrant_not_found");
    // By rating, what was typed counts.
    let seeded = event.staff.put(&event.path("/seeds"), json!({ "by": "rating" })).await.is(200);
    let seeds: Vec<&Value> = seeded["entrants"].as_array().into_iter().flatten().map(|it| &it["seed"]).collect();
    assert_eq!(seeds, [&json!(4), &json!(1), &json!(3), &json!(2)]);
    event.begin().await;
    rate(1, json!(1501)).await.problem(409, "tournament_started");
    let (stage, _, bouts) = event.next_round().await;
    event.write_all(stage, &bouts).await;
    // 1 beat 3, 2 beat 4: of the winners, whose opponent has the better rating.
    assert_eq!(event.standings(1).await, [(1, 2), (2, 1), (3, 4), (4, 3)]);
    super::ways_back::expect_replay(&event).await;
}

#[tokio::test]
async fn a_tournament_keeps_the_ratings_that_the_house_had_at_its_start() {
    let mut stage = swiss(1);
    stage["tie_breaks"] = json!(["rating", "seed"]);
    let event = Event::gather(new("perudo", json!([stage])), 2).await;
    let set = |rating: i32| {
        let player = event.player(2).id();
        let standing = format!(
            "INSERT INTO standings (scope, period, player_id, mean, deviation, rating, provisional, matches, last_at)
             VALUES ('perudo', '', '{player}', 25, 5, {rating}, false, 9, now())
             ON CONFLICT (scope, period, player_id) DO UPDATE SET rating = excluded.rating"
        );
        event.app.database().with(|client| client.batch_execute(&standing)).expect("it is written");
    };
    set(1640);
    event.step("/start").await.is(200);
    let rating = async || event.look().await["entrants"][1]["rating"].clone();
    assert_eq!(rating().await, 1640);
    set(900);
    assert_eq!(rating().await, 1640);
    // Without the start, nothing is kept.
    let log = event.staff.get(&event.path("/log")).await.is(200);
    let start = log["items"].as_array().and_then(|all| all.last()).expect("it was started").clone();
    event.staff.post(&event.path("/undo"), json!({ "step": start["revision"] })).await.is(200);
    assert_eq!(rating().await, Value::Null);
}

#[tokio::test]
async fn a_tournament_that_keeps_an_archived_table_can_still_be_changed() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let mut tables = Vec::new();
    for name in ["창가", "구석"] {
        tables.push(owner.post("/tables", json!({ "name": name, "seats": 2 })).await.is(201)["id"].clone());
    }
    let mut request = new("perudo", json!([swiss(2)]));
    request["table_ids"] = json!(tables);
    let event = Event::gather_in(app, request, 0).await;
    let archived = format!("/tables/{}", tables[1].as_str().expect("an id"));
    event.staff.patch(&archived, json!({ "archived": true })).await.is(200);
    let changed = event.staff.patch(&event.path(""), json!({ "name": "다음 금요일" })).await.is(200);
    assert_eq!((&changed["name"], &changed["table_ids"]), (&json!("다음 금요일"), &json!(tables)));
    // The form shows it as well, so that it is not lost when something else is saved.
    let desk = event.app.owner_at_pages().await;
    let form = desk.open(&format!("/admin/tournaments/{}/edit", event.id)).await.text();
    for table in &tables {
        let kept = format!("name=\"table-{}\" checked", table.as_str().expect("an id"));
        assert!(form.contains(&kept), "{form}");
    }
    let turned = json!({ "table_ids": [tables[1], tables[0]] });
    let changed = event.staff.patch(&event.path(""), turned.clone()).await.is(200);
    assert_eq!(changed["table_ids"], turned["table_ids"]);
    // Who names other tables names those that are there.
    event.staff.patch(&event.path(""), json!({ "table_ids": [tables[0]] })).await.is(200);
    let refused = event.staff.patch(&event.path(""), turned).await.problem(422, "invalid_fields");
    assert_eq!(refused["errors"][0]["pointer"], "/table_ids/0");
}

#[tokio::test]
async fn a_tournament_by_a_variant_that_is_retired_keeps_it_when_its_form_is_saved() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let variant = json!({ "game": "dead-mans-draw", "name": "Nightly", "options": { "traits": true } });
    let made = owner.post("/variants", variant).await.is(201);
    let id = made["id"].as_str().expect("an id");
    owner.post(&format!("/variants/{id}/publish"), json!({})).await.is(200);
    let mut request = new("dead-mans-draw", json!([single()]));
    request["variant_id"] = json!(id);
    let event = Event::gather_in(app, request, 0).await;
    event.staff.post(&format!("/variants/{id}/retire"), json!({})).await.is(200);
    let desk = event.app.owner_at_pages().await;
    let edit = format!("/admin/tournaments/{}/edit", event.id);
    let form = desk.open(&edit).await;
    let rules = format!("dead-mans-draw:{id}");
    assert!(form.html().contains(&format!("value=\"{rules}\" selected>")), "{}", form.text());
    let fields = [("name", "다음 금요일"), ("rules", &rules), ("mode", "played"), ("format-1", "single_elimination")];
    assert_eq!(desk.submit(&form, &edit, &fields).await.status, 303);
    let saved = event.look().await["tournament"].clone();
    assert_eq!((&saved["name"], &saved["game"]), (&json!("다음 금요일"), &json!("dead-mans-draw")));
    assert_eq!((&saved["variant_id"], &saved["variant_version"]), (&json!(id), &json!(1)));
}

#[tokio::test]
async fn a_form_whose_variant_was_retired_meanwhile_chooses_no_other_rules() {
    let app = TestApp::start();
    let (owner, desk) = (app.owner().await, app.owner_at_pages().await);
    let variant = json!({ "game": "dead-mans-draw", "name": "Nightly", "options": { "traits": true } });
    let made = owner.post("/variants", variant).await.is(201);
    let id = made["id"].as_str().expect("an id");
    owner.post(&format!("/variants/{id}/publish"), json!({})).await.is(200);
    let form = desk.open("/admin/tournaments/new").await;
    owner.post(&format!("/variants/{id}/retire"), json!({})).await.is(200);
    let rules = format!("dead-mans-draw:{id}");
    let send = async |rules: &str| {
        let rules = [("rules", rules), ("format-1", "single_elimination")];
        let fields = [&rules[..], &[("name", "금요일 대회"), ("most_entrants", "9")]].concat();
        let refused = desk.submit(&form, "/admin/tournaments/new", &fields).await;
        assert_eq!(refused.status, 422, "{}", refused.text());
        refused.html()
    };
    let told = [(rules.as_str(), "This variant is no longer played."), ("", "not one of the allowed values")];
    for (rules, wrong) in told {
        let html = send(rules).await;
        let (_, field) = html.split_once("id=\"rules\"").expect("it is asked what is played");
        let (select, after) = field.split_once("</select>").expect("it ends");
        let is_blank = select.contains("<option value=\"\" selected>");
        assert!(is_blank && select.matches(" selected>").count() == 1, "nothing is chosen: {select}");
        let (told, _) = after.split_once("</div>").expect("it ends");
        assert!(select.contains("aria-invalid=\"true\"") && told.contains(wrong), "{told}");
        assert!(html.contains("value=\"금요일 대회\"") && html.contains("value=\"9\""), "{html}");
    }
    assert_eq!(owner.get("/tournaments").await.is(200)["items"], json!([]));
}

#[tokio::test]
async fn two_windows_change_a_tournament_without_undoing_each_other() {
    let event = Event::gather(new("perudo", json!([swiss(3)])), 6).await;
    let desk = event.app.owner_at_pages().await;
    let form = format!("/admin/tournaments/{}/edit", event.id);
    let change = async |change: Value| drop(event.staff.patch(&event.path(""), change).await.is(200));
    let expect = async |expected: Value| {
        let now = event.look().await["tournament"].clone();
        assert_eq!(json!([now["name"], now["round_minutes"], now["most_entrants"]]), expected);
    };
    let page = desk.open(&form).await;
    // Somebody else changes it, and somebody enters.
    change(json!({ "round_minutes": 25 })).await;
    event.app.guest("서연").await.post(&event.path("/entrants"), json!({})).await.is(201);
    let refused = desk.edit(&page, &form, &[("name", "다음 대회"), ("most_entrants", "many")]).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert_eq!(refused.seen(&form), page.seen(&form), "it is still made from what was there before");
    let saved = desk.edit(&refused, &form, &[("name", "다음 대회"), ("most_entrants", "16")]).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let told = desk.open(saved.header("location")).await.text();
    assert!(told.contains("What somebody else has changed meanwhile"), "{told}");
    expect(json!(["다음 대회", 25, 16])).await;
    // Two who change the same: the later one reads what is there now, and saves again.
    let mine = [("round_minutes", "45"), ("most_entrants", "16")];
    let told = desk.edit(&page, &form, &mine).await;
    assert_eq!(told.status, 409, "{}", told.text());
    let both = "Somebody else has changed the same thing";
    for seen in [both, "Minutes a round: Now: 25", "value=\"45\"", "다음 대회"] {
        assert!(told.text().contains(seen), "{seen}: {}", told.text());
    }
    expect(json!(["다음 대회", 25, 16])).await;
    assert_eq!(desk.edit(&told, &form, &mine).await.status, 303);
    expect(json!(["다음 대회", 45, 16])).await;
    // What was counted for a format that is another by now.
    let page = desk.open(&form).await;
    change(json!({ "stages": [single()] })).await;
    let told = desk.edit(&page, &form, &[("rounds-1", "4")]).await;
    assert_eq!(told.status, 409, "{}", told.text());
    assert!(told.text().contains("Format: Now: Single elimination"), "{}", told.text());
    // It begins while somebody still looks at the form.
    let page = desk.open(&form).await;
    event.step("/start").await.is(200);
    let late = desk.edit(&page, &form, &[("name", "대회"), ("rules", "liars-dice")]).await;
    assert_eq!(late.status, 422, "{}", late.text());
    assert!(late.text().contains("The tournament has begun already."), "{}", late.text());
    assert_eq!(desk.edit(&page, &form, &[("name", "대회")]).await.status, 303);
    expect(json!(["대회", 45, 16])).await;
}
