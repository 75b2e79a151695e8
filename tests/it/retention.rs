//! Guests whom nobody has seen for long are forgotten, where the café wants it so.

use harness::{Answer, Party, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

async fn forget_after(owner: &Visitor, months: Value) {
    let settings = json!({ "second_factor_required": false, "hours": [], "forget_guests_after_months": months });
    Answer::of(owner.api(Method::PUT, "/cafe").json(&settings)).await.is(200);
}

/// As if everything that has happened had happened so long ago, and all sessions of guests were over.
fn age(app: &TestApp, by: &str) {
    let aged = format!(
        "UPDATE players SET created_at = created_at - interval '{by}';
         UPDATE sessions SET created_at = created_at - interval '{by}', seen_at = seen_at - interval '{by}',
             expires_at = expires_at - interval '{by}' WHERE player_id IN (SELECT id FROM players WHERE role = 'player');
         UPDATE match_seats SET joined_at = joined_at - interval '{by}';
         UPDATE matches SET created_at = created_at - interval '{by}', finished_at = finished_at - interval '{by}';
         UPDATE sittings SET opened_at = opened_at - interval '{by}', closed_at = closed_at - interval '{by}';
         UPDATE tournament_entrants SET entered_at = entered_at - interval '{by}'"
    );
    let aged = format!("SET session_replication_role = replica; {aged}");
    app.database().with(|client| client.batch_execute(&aged)).expect("everything can be older");
}

/// The names of all guests, in order.
fn names(app: &TestApp) -> Vec<String> {
    let named = "SELECT display_name FROM players WHERE role = 'player' ORDER BY display_name COLLATE \"C\"";
    let rows = app.database().with(|client| client.query(named, &[])).expect("they are there");
    rows.iter().map(|row| row.get(0)).collect()
}

/// Another process does so as it starts: what it forgot, by the audit log.
async fn forgotten(app: &mut TestApp, owner: &Visitor, times: usize) -> Value {
    app.start_another();
    eventually("guests are forgotten", async || {
        let lines = owner.get("/audit?action=player.forget_guests").await.is(200);
        let lines = lines["items"].as_array()?.clone();
        (lines.len() == times).then(|| lines[0].clone())
    })
    .await
}

#[tokio::test]
async fn a_guest_who_has_not_come_for_long_is_forgotten_and_their_match_stays() {
    let mut app = TestApp::start();
    let owner = app.owner().await;
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    let account = json!({ "display_name": "민지", "email": "minji@example.org", "password": "a long enough password" });
    app.anybody().sign_in("/auth/register", account, 201).await;
    let banned = app.guest("Banned").await;
    let ban = owner.api(Method::PUT, &format!("/players/{}/ban", banned.id())).json(&json!({ "reason": "Cheats" }));
    Answer::of(ban).await.is(204);
    forget_after(&owner, json!(24)).await;
    age(&app, "25 months");
    app.guest("Dora").await;
    let line = forgotten(&mut app, &owner, 1).await;
    assert_eq!((&line["details"]["count"], &line["details"]["months"]), (&json!(2), &json!(24)), "{line}");
    assert_eq!(line["actor"], Value::Null);
    assert_eq!(names(&app), ["Banned", "Dora", "someone", "someone", "민지"]);
    let seats = owner.get(&party.path("")).await.is(200)["seats"].clone();
    assert_eq!((&seats[0]["player"]["deleted"], &seats[1]["player"]["deleted"]), (&json!(true), &json!(true)));
    owner.get("/audit/check").await.is(200);
}

#[tokio::test]
async fn a_guest_is_forgotten_with_all_who_became_them() {
    let mut app = TestApp::start();
    let owner = app.owner().await;
    let (former, guest) = (app.guest("Former").await, app.guest("Guest").await);
    owner.post(&format!("/players/{}/merge", former.id()), json!({ "into": guest.id() })).await.is(204);
    forget_after(&owner, json!(24)).await;
    age(&app, "25 months");
    let line = forgotten(&mut app, &owner, 1).await;
    assert_eq!(line["details"]["count"], 1, "{line}");
    assert_eq!(names(&app), ["someone", "someone"]);
}

#[tokio::test]
async fn a_guest_who_takes_part_in_something_or_is_signed_in_stays() {
    let mut app = TestApp::start();
    let owner = app.owner().await;
    let running = Party::start(&app, "perudo", 2, json!({})).await;
    let table = owner.post("/tables", json!({ "name": "창가", "seats": 4 })).await.is(201);
    let code = table["code"].as_str().expect("it has one");
    let sitting = app.guest("Sitting").await;
    sitting.post(&format!("/tables/by-code/{code}/members"), json!({})).await.is(200);
    let entered = app.guest("Entered").await;
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let stage = json!({ "format": { "kind": "single_elimination", "third_place": false }, "scoring": scoring });
    let wanted = json!({ "name": "화요일 대회", "game": "perudo", "stages": [stage] });
    let held = owner.post("/tournaments", wanted).await.is(201);
    let path = format!("/tournaments/{}", held["id"].as_str().expect("it has an id"));
    owner.post(&format!("{path}/registration"), json!({})).await.is(200);
    entered.post(&format!("{path}/entrants"), json!({})).await.is(201);
    app.guest("Gone").await;
    forget_after(&owner, json!(1)).await;
    age(&app, "3 months");
    let back = app.guest("Signed in").await;
    let old = format!("UPDATE players SET created_at = created_at - interval '1 year' WHERE id = '{}'", back.id());
    app.database().with(|client| client.batch_execute(&old)).expect("it is there");
    let line = forgotten(&mut app, &owner, 1).await;
    assert_eq!(line["details"]["count"], 1, "{line}");
    let mut expected = vec!["Entered", "Signed in", "Sitting", "someone"];
    expected.extend(running.players.iter().map(Visitor::name));
    expected.sort_unstable();
    assert_eq!(names(&app), expected);
}

#[tokio::test]
async fn without_a_setting_every_guest_is_kept() {
    let mut app = TestApp::start();
    let owner = app.owner().await;
    app.guest("Old").await;
    age(&app, "9 years");
    // This process has nothing to forget. Only the one after the change does.
    app.start_another();
    forget_after(&owner, json!(120)).await;
    app.guest("Young").await;
    assert_eq!(names(&app), ["Old", "Young"]);
    age(&app, "18 months");
    let line = forgotten(&mut app, &owner, 1).await;
    assert_eq!(line["details"]["count"], 1, "{line}");
    assert_eq!(names(&app), ["Young", "someone"]);
}

/// The table of a season goes by names: these stay until it is over, and so do the results afterwards.
#[tokio::test]
async fn a_guest_of_a_season_stays_until_it_is_over() {
    let mut app = TestApp::start();
    let owner = app.owner().await;
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let stage = json!({ "format": { "kind": "single_elimination", "third_place": false }, "scoring": scoring });
    let new = json!({ "name": "가을 시즌", "rules": { "points": { "kind": "beaten" } } });
    let made = owner.post("/series", new).await.is(201);
    let series = format!("/series/{}", made["series"]["id"].as_str().expect("it has an id"));
    for _ in 0..2 {
        let new = json!({ "name": "화요일", "game": "perudo", "mode": "scored", "stages": [stage] });
        let held = owner.post("/tournaments", new).await.is(201);
        let id = held["id"].as_str().expect("it has an id");
        let post = async |rest: &str, body: Value| owner.post(&format!("/tournaments/{id}{rest}"), body).await;
        for name in ["하늘", "준"] {
            post("/entrants", json!({ "display_name": name })).await.is(201);
        }
        for step in ["/start", "/pair", "/stages/1/rounds/1/publish"] {
            post(step, json!({})).await.is(200);
        }
        let finishes = json!([{ "entrant": 1, "place": 1 }, { "entrant": 2, "place": 2 }]);
        post("/stages/1/bouts/main-1-1/result", json!({ "finishes": finishes })).await.is(200);
        post("/finish", json!({})).await.is(200);
        owner.put(&format!("{series}/events/{id}"), json!({})).await.is(200);
    }
    app.guest("Gone").await;
    forget_after(&owner, json!(1)).await;
    age(&app, "3 months");
    let line = forgotten(&mut app, &owner, 1).await;
    assert_eq!(line["details"]["count"], 1, "{line}");
    assert_eq!(names(&app), ["someone", "준", "준", "하늘", "하늘"]);
    owner.patch(&series, json!({ "status": "ended" })).await.is(200);
    let line = forgotten(&mut app, &owner, 2).await;
    assert_eq!(line["details"]["count"], 4, "{line}");
    let rows = owner.get(&series).await.is(200)["tables"][0]["rows"].clone();
    let totals: Vec<_> =
        rows.as_array().expect("a list").iter().map(|it| (&it["total"], &it["player"]["deleted"])).collect();
    assert_eq!(totals, [(&json!(400), &json!(true)), (&json!(200), &json!(true))]);
}
