//! What staff do about players: finding, renaming, merging, banning, signing out.

use harness::{Answer, Party, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use crate::account::{PASSWORD, register};
use crate::hand_over::lines;
use crate::history::{History, Past};

fn names(list: &Value) -> Vec<String> {
    let name = |it: &Value| it["display_name"].as_str().unwrap_or_default().to_owned();
    list["items"].as_array().expect("a list").iter().map(name).collect()
}

async fn is_stopped(visitor: &Visitor) {
    let stopped = async || (visitor.get("/auth/me").await.status == 401).then_some(());
    eventually("an ended session's access token stops", stopped).await;
}

#[tokio::test]
async fn staff_find_people_by_name_email_tag_and_id() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let minji = register(&app, "김민지", "minji@example.org").await;
    register(&app, "MINJUN Lee", "lee_minjun@example.org").await;
    let guest = app.guest("Ｍｉｎ").await;
    let find = async |query: &str| names(&owner.get(&format!("/players?{query}")).await.is(200));
    assert_eq!(find("q=%EB%AF%BC%EC%A7%80").await, ["김민지"]);
    assert_eq!(
        find("q=min").await.len(),
        3,
        "the wide letters of one, the capitals of another, the email of the third"
    );
    assert_eq!(find("q=MIN%20JUN").await, ["MINJUN Lee"]);
    assert_eq!(find("q=minji%40").await, ["김민지"]);
    assert_eq!(find("q=lee_").await, ["MINJUN Lee"]);
    let tag = guest.id()[guest.id().len() - 4..].to_uppercase();
    assert!(find(&format!("q=%23{tag}")).await.contains(&"Ｍｉｎ".to_owned()));
    assert_eq!(find(&format!("q={}", minji.id())).await, ["김민지"]);
    assert_eq!(find("kind=guest").await, ["Ｍｉｎ"]);
    assert!(find("q=nobody+here").await.is_empty());
    let all = find("").await;
    let first = owner.get("/players?limit=2").await.is(200);
    let next = first["next"].as_str().expect("there are more");
    let second = find(&format!("limit=100&cursor={next}")).await;
    assert_eq!([names(&first), second].concat(), all);
    guest.get("/players?q=min").await.problem(403, "forbidden");
    app.anybody().get("/players").await.problem(401, "not_signed_in");
}

/// The first pages come from those who were made last, the others from all who have the name.
#[tokio::test]
async fn a_name_that_thousands_have_is_paged_through_from_the_latest_to_the_first() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let made = "INSERT INTO players (id, display_name, created_at)
                SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                       CASE WHEN n % 100 = 0 THEN 'Rare ' ELSE 'Many ' END || n, now()
                FROM generate_series(1, 4100) AS n";
    app.database().with(|client| client.execute(made, &[])).expect("they are made");
    let page_through = async |text: &str| {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = owner.get(&format!("/players?q={text}&limit=100{cursor}")).await.is(200);
            found.extend(names(&page));
            let Some(next) = page["next"].as_str() else { return found };
            cursor = format!("&cursor={next}");
        }
    };
    let expected = |rare: bool, name: &str| -> Vec<String> {
        (1..=4100).rev().filter(|n| (n % 100 == 0) == rare).map(|n| format!("{name} {n}")).collect()
    };
    assert_eq!(page_through("any").await, expected(false, "Many"));
    assert_eq!(page_through("rare").await, expected(true, "Rare"));
}

#[tokio::test]
async fn a_guest_who_is_merged_becomes_the_player_with_seats_matches_and_ratings() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let (ana, bea) = (register(&app, "Ana", "ana@example.org").await, register(&app, "Bea", "bea@example.org").await);
    let mut party = Party::gather(&app, "perudo", 2, json!({})).await;
    let guest = party.players[0].clone();
    party.players[1] = bea.clone();
    party.begin().await;
    let history = History::of(&app);
    history.finish(&Past::of(&[guest.id(), bea.id()], &[1, 2]));
    history.settled().await;
    let plan = owner.get(&format!("/players/{}/merge?into={}", guest.id(), ana.id())).await.is(200);
    assert_eq!((&plan["over"], &plan["open"], &plan["sessions"]), (&json!(1), &json!(1), &json!(1)), "{plan}");
    owner.post(&format!("/players/{}/merge", guest.id()), json!({ "into": ana.id() })).await.is(204);
    is_stopped(&guest).await;
    // The seat in the match that runs is Ana's now, and she plays on.
    party.players[0] = ana.clone();
    assert_eq!(party.look().await["seats"][0]["player"]["id"], ana.id());
    party.play_to_the_end().await;
    history.settled().await;
    let stats = bea.get(&format!("/players/{}/stats", bea.id())).await.is(200);
    assert_eq!(stats["head_to_head"][0]["player"]["id"], ana.id());
    assert_eq!((&stats["head_to_head"][0]["matches"], &stats["matches"]), (&json!(2), &json!(2)));
    let rated = ana.get(&format!("/players/{}/ratings?game=perudo", ana.id())).await.is(200);
    assert_eq!(rated["items"].as_array().map(Vec::len), Some(2));
    // Longer ago than the database knows years.
    let cursor = format!("-300000000000000000.{}", party.id);
    let path = format!("/players/{}/ratings?game=perudo&cursor={cursor}", ana.id());
    ana.get(&path).await.problem(400, "invalid_query");
    // The old id leads to the account that it became.
    assert_eq!(bea.get(&format!("/players/{}", guest.id())).await.is(200)["id"], ana.id());
    assert_eq!(bea.get(&format!("/players/{}/stats", guest.id())).await.is(200)["player"]["id"], ana.id());
    assert_eq!(lines(&app, "player.merge"), 1);
    owner
        .post(&format!("/players/{}/merge", guest.id()), json!({ "into": bea.id() }))
        .await
        .problem(404, "player_not_found");
    assert!(history.recomputed().contains("0 rows differ"));
}

/// A list of matches takes so many people of a name, of whom only those count who are still there.
#[tokio::test]
async fn matches_are_found_by_a_name_that_many_merged_guests_had() {
    let app = TestApp::start();
    let (desk, ana) = (app.owner_at_pages().await, register(&app, "Ana", "ana@example.org").await);
    let waiting = Party::gather(&app, "perudo", 2, json!({})).await;
    let zed = app.guest("Zed").await;
    zed.post(&waiting.path("/seats"), json!({ "seat": 1 })).await.is(201);
    let merged = format!(
        "INSERT INTO players (id, display_name, created_at, merged_into)
         SELECT ('ffffffff-ffff-7fff-8fff-' || lpad(to_hex(n), 12, '0'))::uuid, 'Zed', now(), '{}'
         FROM generate_series(1, 300) AS n",
        ana.id()
    );
    app.database().with(|client| client.batch_execute(&merged)).expect("they are made");
    let found = desk.open("/admin/matches?player=Zed&status=waiting").await.text();
    assert!(found.contains(&format!("/admin/matches/{}", waiting.id)), "{found}");
}

#[tokio::test]
async fn who_cannot_be_the_same_person_is_not_merged() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let (ana, bea) = (register(&app, "Ana", "ana@example.org").await, register(&app, "Bea", "bea@example.org").await);
    let (zoe, kim) = (app.guest("Zoë").await, app.guest("Kim").await);
    History::of(&app).finish(&Past::of(&[zoe.id(), ana.id()], &[1, 2]));
    let merge = async |from: &Visitor, into: &str| {
        owner.post(&format!("/players/{}/merge", from.id()), json!({ "into": into })).await
    };
    merge(&zoe, ana.id()).await.problem(409, "met_in_match");
    merge(&ana, bea.id()).await.problem(409, "not_a_guest");
    merge(&zoe, zoe.id()).await.problem(409, "same_player");
    merge(&zoe, &uuid::Uuid::now_v7().to_string()).await.problem(404, "player_not_found");
    kim.post(&format!("/players/{}/merge", zoe.id()), json!({ "into": bea.id() })).await.problem(403, "forbidden");
    // Nor who stood in where the other played; who was only asked to has not met anybody, and stays out of the match.
    let mut party = Party::gather(&app, "perudo", 3, json!({})).await;
    party.players[1] = ana.clone();
    party.begin().await;
    let seats = party.path("/seats");
    let (tom, max) = (app.guest("Tom").await, app.guest("Max").await);
    for (seat, to) in [(2, &max), (0, &tom)] {
        party.players[seat].post(&party.path("/resign"), json!({})).await.is(200);
        owner.post(&party.path(&format!("/seats/{seat}/offer")), json!({ "player_id": to.id() })).await.is(200);
    }
    max.post(&seats, json!({})).await.is(201);
    merge(&max, ana.id()).await.problem(409, "met_in_match");
    merge(&tom, ana.id()).await.is(204);
    ana.post(&seats, json!({ "seat": 0 })).await.problem(409, "already_seated");
    ana.post(&party.path("/resign"), json!({})).await.is(200);
    ana.post(&seats, json!({ "seat": 0 })).await.problem(409, "player_of_match");
    // A guest into a guest, and that one into a player: the first id leads all the way.
    merge(&zoe, kim.id()).await.is(204);
    merge(&kim, bea.id()).await.is(204);
    assert_eq!(ana.get(&format!("/players/{}", zoe.id())).await.is(200)["id"], bea.id());
    merge(&zoe, ana.id()).await.problem(404, "player_not_found");
    is_stopped(&zoe).await;
}

#[tokio::test]
async fn a_merge_hands_a_running_seat_neither_to_its_maker_nor_to_one_who_looked() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let mut party = Party::gather(&app, "perudo", 2, json!({})).await;
    let (guest, zoe) = (party.players[0].clone(), app.guest("Zoë").await);
    party.begin().await;
    let look = format!(
        "INSERT INTO match_reveals (match_id, player_id, role, reason, version)
         VALUES ('{}', '{}', 'manager', 'A die fell', 0)",
        party.id,
        zoe.id()
    );
    app.database().with(|client| client.batch_execute(&look)).expect("the match runs");
    for (into, status, code) in [(owner.id(), 403, "plays_here"), (zoe.id(), 409, "has_looked")] {
        let path = format!("/players/{}/merge", guest.id());
        owner.get(&format!("{path}?into={into}")).await.problem(status, code);
        owner.post(&path, json!({ "into": into })).await.problem(status, code);
    }
    assert_eq!(party.look().await["seats"][0]["player"]["id"], guest.id());
    // Where nothing is hidden yet it may be oneself.
    let waiting = Party::gather(&app, "perudo", 2, json!({})).await;
    waiting.sit(1).await.is(201);
    let path = format!("/players/{}/merge", waiting.players[1].id());
    owner.post(&path, json!({ "into": owner.id() })).await.is(204);
    assert_eq!(waiting.look().await["seats"][1]["player"]["id"], owner.id());
}

/// Its token is good until every process has heard that its session ended.
#[tokio::test]
async fn an_account_that_is_banned_or_gone_takes_no_seat_with_a_token_of_before() {
    let app = TestApp::start();
    let (owner, ana) = (app.owner().await, register(&app, "Ana", "ana@example.org").await);
    let change = |who: &Visitor, to: &str| {
        let change = format!("UPDATE players SET {to} WHERE id = '{}'", who.id());
        app.database().with(|client| client.batch_execute(&change)).expect("it changes");
    };
    let merged = format!("merged_into = '{}'", ana.id());
    let gone = ["banned_at = now()", "display_name = 'someone', deleted_at = now()", merged.as_str()];
    for to in gone {
        let waiting = Party::gather(&app, "perudo", 2, json!({})).await;
        change(&waiting.players[1], to);
        waiting.sit(1).await.problem(401, "session_ended");
        assert_eq!(waiting.look().await["seats"][1]["player"], json!(null), "{to}");
        let running = Party::start(&app, "perudo", 3, json!({})).await;
        running.players[1].post(&running.path("/resign"), json!({})).await.is(200);
        let guest = app.guest("Tom").await;
        let offer = json!({ "player_id": guest.id() });
        owner.post(&running.path("/seats/1/offer"), offer).await.is(200);
        change(&guest, to);
        guest.post(&running.path("/seats"), json!({})).await.problem(401, "session_ended");
    }
    let waiting = Party::gather(&app, "perudo", 2, json!({})).await;
    change(&waiting.players[1], "banned_at = now() - interval '2 days', banned_until = now() - interval '1 day'");
    waiting.sit(1).await.is(201);
}

#[tokio::test]
async fn an_account_that_is_banned_or_gone_makes_no_match_with_a_token_of_before() {
    let app = TestApp::start();
    let ana = register(&app, "Ana", "ana@example.org").await;
    let make_as = async |to: &str| {
        let guest = app.guest("Tom").await;
        let change = format!("UPDATE players SET {to} WHERE id = '{}'", guest.id());
        app.database().with(|client| client.batch_execute(&change)).expect("it changes");
        guest.post("/matches", json!({ "game": "perudo", "seats": 2 })).await
    };
    let merged = format!("merged_into = '{}'", ana.id());
    for to in ["banned_at = now()", "display_name = 'someone', deleted_at = now()", merged.as_str()] {
        make_as(to).await.problem(401, "session_ended");
    }
    assert_eq!(ana.get("/matches").await.is(200)["items"], json!([]));
    make_as("banned_at = now() - interval '2 days', banned_until = now() - interval '1 day'").await.is(201);
}

#[tokio::test]
async fn a_guest_who_became_another_account_does_not_register() {
    let app = TestApp::start();
    let (ana, guest) = (register(&app, "Ana", "ana@example.org").await, app.guest("Zoë").await);
    // Its token is good until every process has heard that its session ended.
    let merged = format!("UPDATE players SET merged_into = '{}' WHERE id = '{}'", ana.id(), guest.id());
    app.database().with(|client| client.batch_execute(&merged)).expect("it changes");
    let account = json!({ "email": "zoe@example.org", "password": PASSWORD });
    guest.post("/auth/register", account).await.problem(409, "already_registered");
}

#[tokio::test]
async fn a_ban_ends_every_session_and_says_until_when() {
    let mut app = TestApp::start();
    let other = app.start_another();
    let owner = app.owner().await;
    let bea = register(&app, "Bea", "bea@example.org").await;
    let mut party = Party::gather(&app, "perudo", 2, json!({})).await;
    party.players[1] = bea.clone();
    party.begin().await;
    let ban = format!("/players/{}/ban", bea.id());
    let put = async |body: Value| Answer::of(owner.api(Method::PUT, &ban).json(&body)).await;
    put(json!({ "reason": "" })).await.problem(422, "invalid_fields");
    put(json!({ "reason": "x", "until": "2020-01-01T00:00:00Z" })).await.problem(422, "invalid_fields");
    put(json!({ "reason": "주사위를 던짐", "until": "2999-12-31T15:00:00Z" })).await.is(204);
    is_stopped(&bea).await;
    is_stopped(&bea.at(app.url_of(other))).await;
    let login = json!({ "email": "bea@example.org", "password": PASSWORD });
    let refused = app.anybody().post("/auth/login", login.clone()).await.problem(403, "banned");
    assert!(refused["detail"].as_str().is_some_and(|text| text.contains("3000-01-01 00:00")), "{refused}");
    app.anybody().post("/auth/refresh", json!({ "refresh_token": bea.signed_in["refresh_token"] })).await.refused();
    // The seat is given up, so that the other can finish.
    let left = async || (party.look().await["seats"][1]["left_why"] == "resigned").then_some(());
    eventually("the seat is left", left).await;
    assert_eq!(names(&owner.get("/players?kind=banned").await.is(200)), ["Bea"]);
    owner.delete(&ban).await.is(204);
    app.anybody().post("/auth/login", login.clone()).await.is(200);
    // It ends by itself, too.
    put(json!({ "reason": "again", "until": "2999-12-31T15:00:00Z" })).await.is(204);
    // By the café's own clock, once it has one.
    let settings = json!({ "name": null, "time_zone": "Pacific/Honolulu", "language": null, "second_factor_required": false, "hours": [] });
    Answer::of(owner.api(Method::PUT, "/cafe").json(&settings)).await.is(200);
    let refused = app.anybody().post("/auth/login", login.clone()).await.problem(403, "banned");
    assert!(refused["detail"].as_str().is_some_and(|text| text.contains("2999-12-31 05:00")), "{refused}");
    let over = "UPDATE players SET banned_until = now() - interval '1 second' WHERE banned_at IS NOT NULL";
    app.database().with(|client| client.batch_execute(over)).expect("it changes");
    app.anybody().post("/auth/login", login).await.is(200);
    assert_eq!((lines(&app, "player.ban"), lines(&app, "player.lift_ban")), (2, 1));
    let me = owner.id();
    Answer::of(owner.api(Method::PUT, &format!("/players/{me}/ban")).json(&json!({ "reason": "x" })))
        .await
        .problem(409, "works_here");
}

#[tokio::test]
async fn a_ban_takes_its_player_off_a_match_that_starts_at_the_same_moment() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    for seat in 0..2 {
        party.sit(seat).await.is(201);
    }
    let [ana, bea] = party.players.as_slice() else { panic!("there are two") };
    let lock = app.database().lock_match(&party.id);
    let waiting = async |many: i64| {
        eventually("both to wait", async || (app.database().waiting() == many).then_some(())).await;
    };
    let ban = async {
        waiting(1).await;
        let ban = owner.api(Method::PUT, &format!("/players/{}/ban", bea.id()));
        Answer::of(ban.json(&json!({ "reason": "주사위를 던짐" }))).await
    };
    let unlock = async {
        waiting(2).await;
        drop(lock);
    };
    let start = party.path("/start");
    let (started, banned, ()) = tokio::join!(ana.post(&start, json!({})), ban, unlock);
    started.is(200);
    banned.is(204);
    assert_eq!(party.look().await["seats"][1]["left_why"], "resigned");
}

#[tokio::test]
async fn staff_rename_and_sign_out_and_it_is_on_record() {
    let app = TestApp::start();
    let (owner, bea) = (app.owner().await, register(&app, "Bea", "bea@example.org").await);
    let path = format!("/players/{}", bea.id());
    assert_eq!(owner.patch(&path, json!({ "display_name": "Béa" })).await.is(200)["display_name"], "Béa");
    assert_eq!(bea.get("/auth/me").await.is(200)["display_name"], "Béa");
    owner.patch(&path, json!({ "display_name": "" })).await.problem(422, "invalid_fields");
    bea.patch(&path, json!({ "display_name": "Queen" })).await.problem(403, "forbidden");
    owner.delete(&format!("{path}/sessions")).await.is(204);
    is_stopped(&bea).await;
    assert_eq!((lines(&app, "player.rename"), lines(&app, "player.sign_out")), (1, 1));
}

#[tokio::test]
async fn the_pages_find_show_rename_ban_and_merge() {
    let app = TestApp::start();
    let desk = app.owner_at_pages().await;
    let (ana, guest) = (register(&app, "Ana", "ana@example.org").await, app.guest("Zoë").await);
    let bea = register(&app, "Bea", "bea@example.org").await;
    let history = History::of(&app);
    for (day, ranks) in [[1, 2], [2, 1], [1, 1]].iter().enumerate() {
        history.finish(&Past { day: day as u32, ..Past::of(&[ana.id(), bea.id()], ranks) });
    }
    history.finish(&Past::of(&[guest.id(), bea.id()], &[1, 2]));
    history.settled().await;
    let found = desk.open("/admin/players?q=an").await.text();
    assert!(found.contains("ana@example.org") && !found.contains("bea@example.org"), "{found}");
    let path = format!("/admin/players/{}", ana.id());
    let page = desk.open(&path).await;
    let text = page.text();
    assert!(text.contains("<polyline") && text.contains("1 · 1") | text.contains("2 · 1"), "{text}");
    assert!(text.contains("ahead of 1 of 1, 0.5 expected"), "{text}");
    let renamed = desk.submit(&page, &format!("{path}/name"), &[("display_name", "Anaïs")]).await;
    assert_eq!((renamed.status, renamed.header("location")), (303, path.as_str()));
    let wrong = desk.submit(&page, &format!("{path}/name"), &[("display_name", "")]).await;
    assert!(wrong.status == 422 && wrong.text().contains("aria-invalid"), "{}", wrong.text());
    let banned = desk.submit(&page, &format!("{path}/ban"), &[("reason", "loud"), ("length", "week")]).await;
    assert_eq!(banned.status, 303, "{}", banned.text());
    let text = desk.open(&path).await.text();
    assert!(text.contains("Anaïs") && text.contains("Banned until") && text.contains("loud"), "{text}");
    desk.submit(&page, &format!("{path}/lift-ban"), &[]).await;
    assert!(!desk.open(&path).await.text().contains("Banned until"));
    let merge = format!("/admin/players/{}/merge", guest.id());
    assert!(desk.open(&format!("{merge}?q=Ana")).await.text().contains(&format!("into={}", ana.id())));
    let plan = desk.open(&format!("{merge}?into={}", ana.id())).await;
    assert!(plan.text().contains("The seat in 1 finished match"), "{}", plan.text());
    let cannot = desk.open(&format!("{merge}?into={}", bea.id())).await;
    assert!(cannot.status == 409 && cannot.text().contains("sat in the same match"), "{}", cannot.text());
    let merged = desk.submit(&plan, &merge, &[("into", ana.id())]).await;
    assert_eq!((merged.status, merged.header("location")), (303, path.as_str()), "{}", merged.text());
    let old = desk.open(&format!("/admin/players/{}", guest.id())).await;
    assert_eq!((old.status, old.header("location")), (303, path.as_str()));
    history.settled().await;
    let board = desk.open("/admin/leaderboards?game=perudo&provisional=true").await.text();
    assert!(board.contains("Anaïs") && board.contains("4 matches"), "{board}");
    let public = app.anybody().open("/leaderboards?game=perudo&provisional=true").await.text();
    assert!(public.contains("Anaïs") && !public.contains("/admin/players"), "{public}");
}
