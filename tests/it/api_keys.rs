//! Keys with which services elsewhere use the API, and the sandbox in which they are tried out.

use harness::{Answer, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use crate::permissions::hire;

/// A key that was made, and the service that holds it.
struct Key {
    id: String,
    secret: String,
    service: Visitor,
}

impl Key {
    async fn make(app: &TestApp, maker: &Visitor, fields: Value) -> Self {
        let made = maker.post("/keys", fields).await.is(201);
        let text = |name: &str| made[name].as_str().expect("a key has one").to_owned();
        let service = app.anybody().bearing(Some(&text("secret")));
        Key { id: text("id"), secret: text("secret"), service }
    }
}

fn tournament(name: &str) -> Value {
    let win = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let stage = json!({ "format": { "kind": "single_elimination", "third_place": false }, "scoring": win });
    json!({ "name": name, "game": "perudo", "stages": [stage] })
}

async fn draft(by: &Visitor, name: &str) -> String {
    let made = by.post("/tournaments", tournament(name)).await.is(201);
    format!("/tournaments/{}", made["id"].as_str().expect("it has an id"))
}

/// Publishes and starts the first round of four guests: its two bouts.
async fn play_round(by: &Visitor, path: &str) -> Vec<Value> {
    let step = async |step: &str| by.post(&format!("{path}{step}"), json!({})).await.is(200);
    step("/registration").await;
    for name in ["Ann", "Ben", "Cho", "Dia"] {
        by.post(&format!("{path}/entrants"), json!({ "display_name": name })).await.is(201);
    }
    for taken in ["/start", "/pair", "/stages/1/rounds/1/publish"] {
        step(taken).await;
    }
    let started = step("/stages/1/rounds/1/start").await;
    started["rounds"][0]["bouts"].as_array().expect("it has bouts").clone()
}

fn count(app: &TestApp, of: &str) -> i64 {
    let rows = app.database().with(|client| client.query_one(&format!("SELECT count(*) FROM {of}"), &[]));
    rows.expect("it can be counted").get(0)
}

#[tokio::test]
async fn a_key_acts_in_its_own_name_until_every_process_refuses_it() {
    let mut app = TestApp::start();
    let other = app.start_another();
    let owner = app.owner().await;
    let key = Key::make(&app, &owner, json!({ "name": "Brackets", "role": "manager" })).await;
    let listed = owner.get("/keys").await.is(200);
    assert!(!listed.to_string().contains(&key.secret), "{listed}");
    let row = &listed["items"][0];
    assert_eq!((&row["name"], &row["used_at"], &row["sandbox"]), (&json!("Brackets"), &Value::Null, &json!(false)));
    assert!(row["prefix"].as_str().is_some_and(|it| it.len() == 12 && key.secret.starts_with(it)), "{listed}");

    let path = draft(&key.service, "Made with a key").await;
    let elsewhere = key.service.at(app.url_of(other));
    assert_eq!(elsewhere.get(&path).await.is(200)["tournament"]["sandbox"], false);
    let line = owner.get("/audit?action=tournament.create").await.is(200)["items"][0].clone();
    assert_eq!((&line["actor_name"], &line["actor"]), (&json!("Brackets"), &json!(key.id)));
    assert!(owner.get("/keys").await.is(200)["items"][0]["used_at"].is_string());
    // Its account is nobody's whom staff could find, hire or merge.
    assert_eq!(owner.get("/players?q=Brackets").await.is(200)["items"], json!([]));
    let rename = owner.patch(&format!("/players/{}", key.id), json!({ "display_name": "x" })).await;
    rename.problem(404, "player_not_found");
    assert!(!owner.get("/staff").await.is(200).to_string().contains("Brackets"));

    let altered =
        format!("{}{}", &key.secret[..key.secret.len() - 1], if key.secret.ends_with('A') { 'B' } else { 'A' });
    app.anybody().bearing(Some(&altered)).get("/tables").await.problem(401, "invalid_token");
    owner.delete(&format!("/keys/{}", key.id)).await.is(204);
    for service in [&key.service, &elsewhere] {
        service.get(&path).await.problem(401, "session_ended");
        service.post("/tournaments", tournament("Too late")).await.problem(401, "session_ended");
    }
    owner.delete(&format!("/keys/{}", key.id)).await.problem(404, "key_not_found");
    assert_eq!(owner.get("/keys").await.is(200)["items"], json!([]));
    let lines = owner.get("/audit?subject=key").await.is(200);
    let actions: Vec<_> = lines["items"].as_array().expect("it has items").iter().map(|it| &it["action"]).collect();
    assert_eq!(actions, ["key.revoke", "key.create"]);
}

#[tokio::test]
async fn a_key_may_do_no_more_than_its_role_and_its_maker() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let (_, manager) = hire(&app, &owner, "manager").await;
    let (_, staff) = hire(&app, &owner, "staff").await;
    staff.post("/keys", json!({ "name": "x", "role": "staff" })).await.problem(403, "forbidden");
    manager.post("/keys", json!({ "name": "x", "role": "owner" })).await.problem(400, "invalid_body");
    let late = json!({ "name": "x", "role": "staff", "expires_at": "2020-01-01T00:00:00Z" });
    manager.post("/keys", late).await.problem(422, "invalid_fields");

    let counter = Key::make(&app, &manager, json!({ "name": "Counter", "role": "staff" })).await.service;
    let desk = Key::make(&app, &manager, json!({ "name": "Desk", "role": "manager" })).await.service;
    counter.get("/tables").await.is(200);
    counter.post("/tournaments", tournament("x")).await.problem(403, "forbidden");
    let path = draft(&desk, "By the desk").await;

    for path in ["/auth/me", "/auth/sessions", "/keys", "/staff", "/webhooks", "/audit", "/operations"] {
        desk.get(path).await.problem(403, "not_for_keys");
    }
    desk.post("/auth/password", json!({})).await.problem(403, "not_for_keys");
    desk.post("/keys", json!({ "name": "x", "role": "staff" })).await.problem(403, "not_for_keys");
    desk.put("/cafe", json!({})).await.problem(403, "not_for_keys");
    // It is no player.
    desk.post(&format!("{path}/registration"), json!({})).await.is(200);
    desk.post(&format!("{path}/entrants"), json!({})).await.problem(403, "not_for_keys");
    let page = Answer::of(desk.page(Method::GET, "/admin").bearer_auth(desk.token())).await;
    assert_eq!(page.status, 403, "{}", page.text());

    let role = json!({ "role": "staff" });
    owner.patch(&format!("/staff/{}", manager.id()), role).await.is(204);
    desk.get("/tables").await.is(200);
    desk.post("/tournaments", tournament("x")).await.problem(403, "forbidden");
    owner.patch(&format!("/staff/{}", manager.id()), json!({ "role": "player" })).await.is(204);
    for service in [&desk, &counter] {
        service.get("/tables").await.problem(401, "session_ended");
    }
}

#[tokio::test]
async fn a_key_ends_when_its_time_is_over() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let fields = json!({ "name": "For a while", "role": "staff", "expires_at": "2100-01-01T00:00:00Z" });
    let service = Key::make(&app, &owner, fields).await.service;
    service.get("/tables").await.is(200);
    let over = "UPDATE api_keys SET created_at = now() - interval '2 days', expires_at = now() - interval '1 day'";
    app.database().with(|client| client.batch_execute(over)).expect("it can be older");
    service.get("/tables").await.problem(401, "token_expired");
}

#[tokio::test]
async fn a_key_is_made_and_revoked_at_its_page() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin/keys").await;
    let nameless = owner.submit(&page, "/admin/keys", &[("name", " "), ("role", "staff"), ("days", "30")]).await;
    assert_eq!(nameless.status, 422, "{}", nameless.text());
    let fields = [("name", "Screen"), ("role", "staff"), ("days", "30"), ("sandbox", "on")];
    let made = owner.submit(&page, "/admin/keys", &fields).await;
    assert_eq!((made.status, made.header("cache-control")), (200, "no-store"), "{}", made.text());
    let html = made.text();
    let (_, secret) = html.split_once("value=\"hrk_").expect("it shows the key");
    let secret = format!("hrk_{}", secret.split('"').next().unwrap_or_default());
    let service = app.anybody().bearing(Some(&secret));
    service.get("/tables").await.is(200);
    let listed = owner.open("/admin/keys").await;
    assert!(listed.text().contains("Screen") && !listed.text().contains(&secret));
    let id = app.owner().await.get("/keys").await.is(200)["items"][0]["id"].as_str().expect("an id").to_owned();
    let revoked = owner.submit(&listed, &format!("/admin/keys/{id}/revoke"), &[]).await;
    assert_eq!((revoked.status, revoked.header("location")), (303, "/admin/keys"), "{}", revoked.text());
    service.get("/tables").await.problem(401, "session_ended");
}

#[tokio::test]
async fn a_sandbox_key_touches_nothing_real() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let key = Key::make(&app, &owner, json!({ "name": "Trial", "role": "manager", "sandbox": true })).await.service;
    let table = owner.post("/tables", json!({ "name": "1", "seats": 4 })).await.is(201);
    let guest = app.guest("하늘").await;
    let real = draft(&owner, "Friday").await;
    owner.post(&format!("{real}/registration"), json!({})).await.is(200);

    // It reads what its role may read.
    assert_eq!(key.get(&real).await.is(200)["tournament"]["sandbox"], false);
    key.get("/players").await.is(200);
    key.patch(&real, json!({ "name": "x" })).await.problem(403, "sandbox_only");
    key.post(&format!("{real}/entrants"), json!({ "display_name": "x" })).await.problem(403, "sandbox_only");
    key.post(&format!("{real}/cancel"), json!({})).await.problem(403, "sandbox_only");
    key.post("/tables", json!({ "name": "2", "seats": 4 })).await.problem(403, "sandbox_only");
    key.post("/matches", json!({ "game": "perudo" })).await.problem(403, "sandbox_only");
    assert_eq!(owner.get(&real).await.is(200)["tournament"]["name"], "Friday");

    let mut kept = tournament("x");
    kept["table_ids"] = json!([table["id"]]);
    key.post("/tournaments", kept).await.problem(403, "sandbox_only");
    let own = draft(&key, "Trial").await;
    key.post(&format!("{own}/registration"), json!({})).await.is(200);
    key.post(&format!("{own}/entrants"), json!({ "player_id": guest.id() })).await.problem(403, "sandbox_only");
    guest.post(&format!("{own}/entrants"), json!({})).await.problem(404, "tournament_not_found");
    guest.get(&own).await.problem(404, "tournament_not_found");
    let (public, staff) = (guest.get("/tournaments").await.is(200), owner.get("/tournaments").await.is(200));
    assert!(!public.to_string().contains("Trial") && staff.to_string().contains("Trial"), "{public} {staff}");
}

#[tokio::test]
async fn what_a_sandbox_key_makes_counts_nowhere_and_is_gone_after_a_day() {
    let mut app = TestApp::start();
    let (owner, pages) = (app.owner().await, app.owner_at_pages().await);
    let key = Key::make(&app, &owner, json!({ "name": "Trial", "role": "manager", "sandbox": true })).await.service;
    owner.post("/tables", json!({ "name": "1", "seats": 4 })).await.is(201);
    let hook = json!({ "url": "http://127.0.0.1:9/", "events": ["tournament.round_published"] });
    owner.post("/webhooks", hook).await.is(201);

    let own = draft(&key, "Sandkasten").await;
    let bouts = play_round(&key, &own).await;
    assert_eq!(bouts.len(), 2);
    for bout in &bouts {
        assert_eq!((&bout["match"], &bout["table"]), (&Value::Null, &Value::Null), "{bout}");
        let finishes: Value = bout["entrants"]
            .as_array()
            .expect("it has entrants")
            .iter()
            .enumerate()
            .map(|(at, entrant)| json!({ "entrant": entrant, "place": at + 1 }))
            .collect();
        let path = format!("{own}/stages/1/bouts/{}/result", bout["key"].as_str().expect("it has a key"));
        key.post(&path, json!({ "finishes": finishes })).await.is(200);
    }
    assert_eq!(key.get(&own).await.is(200)["next"]["step"], "pair");
    // All of the round is over, of which staff would be told otherwise.
    assert!(!pages.open("/admin").await.text().contains("Sandkasten"));
    assert!(pages.open("/admin/tournaments").await.text().contains("Sandbox"));
    assert_eq!((count(&app, "matches"), count(&app, "webhook_deliveries")), (0, 0));

    let real = draft(&owner, "Friday").await;
    play_round(&owner, &real).await;
    assert_eq!((count(&app, "matches"), count(&app, "webhook_deliveries")), (2, 1));

    let age = "UPDATE tournaments SET created_at = created_at - interval '25 hours'";
    app.database().with(|client| client.batch_execute(age)).expect("they can be older");
    assert_eq!(count(&app, "players WHERE display_name = 'Ann'"), 2);
    // Another process does so as it starts.
    app.start_another();
    eventually("the sandbox is emptied", async || (key.get(&own).await.status == 404).then_some(())).await;
    assert_eq!(count(&app, "players WHERE display_name = 'Ann'"), 1);
    owner.get(&real).await.is(200);
    let line = owner.get("/audit?action=tournament.remove_sandbox").await.is(200)["items"][0].clone();
    assert_eq!(line["details"]["count"], 1, "{line}");
}
