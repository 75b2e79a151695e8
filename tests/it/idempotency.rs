//! `Idempotency-Key`: whatever is asked twice under one key is done once, whichever process is killed in between.

use std::io::Write;
use std::net::TcpStream;

use harness::{Answer, Party, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

const KEY: &str = "0b4b0a7e-3f52-4c1e-9d1a-6f1d3a1f7a11";

async fn post(visitor: &Visitor, path: &str, key: &str, body: &Value) -> Answer {
    Answer::of(visitor.api(Method::POST, path).header("idempotency-key", key).json(body)).await
}

fn new_match() -> Value {
    json!({ "game": "perudo", "seats": 2 })
}

async fn matches_of(visitor: &Visitor) -> usize {
    let mine = visitor.get("/matches?mine=true").await.is(200);
    mine["items"].as_array().expect("a page has items").len()
}

fn count(app: &TestApp, what: &str) -> i64 {
    app.database().with(|client| client.query_one(what, &[]).expect("it can be counted").get(0))
}

/// As if all keys had been used so long before.
fn age(app: &TestApp, by: &str) {
    let aged = format!("UPDATE idempotency_keys SET claimed_at = claimed_at - interval '{by}'");
    app.database().with(|client| client.batch_execute(&aged)).expect("there are keys");
}

#[tokio::test]
async fn the_first_answer_is_given_again_to_its_last_byte() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    let first = post(&guest, "/matches", KEY, &new_match()).await;
    first.is(201);
    for _ in 0..2 {
        let again = post(&guest, "/matches", KEY, &new_match()).await;
        assert_eq!((again.status, &again.body), (201, &first.body));
        assert_eq!(again.header("content-type"), first.header("content-type"));
    }
    assert_eq!(matches_of(&guest).await, 1);
    // What is refused is so again, in the words of the first time.
    let refused = post(&guest, "/matches", "another", &json!({ "game": "chess", "seats": 2 })).await;
    refused.problem(422, "unknown_game");
    let request = guest.api(Method::POST, "/matches").header("idempotency-key", "another");
    let request = request.header("accept-language", "es").json(&json!({ "game": "chess", "seats": 2 }));
    let again = Answer::of(request).await;
    assert_eq!((again.status, &again.body), (422, &refused.body));
    assert_eq!(again.header("content-type"), "application/problem+json");
    assert_eq!(again.header("content-language"), refused.header("content-language"));
}

#[tokio::test]
async fn every_post_takes_a_key() {
    let app = TestApp::start();
    let (party, owner) = (Party::gather(&app, "perudo", 2, json!({})).await, app.owner().await);
    let guest = &party.players[0];
    let login = json!({ "email": app.owner_credentials().0, "password": app.owner_credentials().1 });
    for (visitor, path, body, status) in [
        (&app.anybody(), "/auth/guest", json!({ "display_name": "Zoe" }), 201),
        (&app.anybody(), "/auth/login", login, 200),
        (&app.anybody(), "/auth/refresh", json!({ "refresh_token": guest.signed_in["refresh_token"] }), 200),
        (guest, &party.path("/seats"), json!({}), 201),
        (&party.players[1], &party.path("/seats"), json!({ "nonce": "행운" }), 201),
        (guest, &party.path("/start"), json!({}), 200),
        (&owner, "/tables", json!({ "name": "창가", "seats": 4 }), 201),
        (&owner, &party.path("/abort"), json!({ "reason": "불이 났어요" }), 200),
        (&app.guest("Tom").await, "/auth/logout", json!({}), 204),
    ] {
        let first = post(visitor, path, KEY, &body).await;
        assert_eq!(first.status, status, "{path}: {}", first.text());
        if path != "/auth/logout" {
            let again = post(visitor, path, KEY, &body).await;
            assert_eq!((again.status, again.text()), (status, first.text()), "{path}");
        }
    }
}

#[tokio::test]
async fn a_key_is_good_for_one_request_of_one_caller_at_one_address() {
    let app = TestApp::start();
    let (guest, other) = (app.guest("하늘").await, app.guest("Lucía").await);
    let first = post(&guest, "/matches", KEY, &new_match()).await.is(201);
    post(&guest, "/matches", KEY, &json!({ "game": "perudo", "seats": 3 }))
        .await
        .problem(422, "idempotency_key_reused");
    let theirs = post(&other, "/matches", KEY, &new_match()).await.is(201);
    assert_ne!(theirs["id"], first["id"]);
    let seats = |made: &Value| format!("/matches/{}/seats", made["id"].as_str().expect("it has an id"));
    post(&guest, &seats(&first), KEY, &json!({})).await.is(201);
    post(&guest, &seats(&theirs), KEY, &json!({})).await.is(201);
    // Nobody in particular is somebody else, too.
    post(&app.anybody(), "/matches", KEY, &new_match()).await.problem(401, "not_signed_in");
    let token = guest.bearing(Some("a.b.c"));
    post(&token, "/matches", KEY, &new_match()).await.problem(401, "invalid_token");
}

#[tokio::test]
async fn a_stranger_is_known_by_key_and_body_together() {
    let app = TestApp::start();
    let (anybody, body) = (app.anybody(), json!({ "display_name": "하늘" }));
    let first = post(&anybody, "/auth/guest", KEY, &body).await.is(201);
    assert_eq!(post(&anybody, "/auth/guest", KEY, &body).await.is(201), first);
    assert_eq!(count(&app, "SELECT count(*) FROM players WHERE display_name = '하늘'"), 1);
    let other = json!({ "display_name": "바다" });
    post(&anybody, "/auth/guest", KEY, &other).await.problem(422, "idempotency_key_reused");
    // Two phones that count from one would be one guest.
    post(&anybody, "/auth/guest", "1", &body).await.problem(400, "weak_idempotency_key");
    // Refusals of strangers are not kept, so that nobody fills the house with them.
    let stored = count(&app, "SELECT count(*) FROM idempotency_keys");
    let wrong = json!({ "email": "nobody@example.org", "password": "a long enough password" });
    post(&anybody, "/auth/login", &KEY.replace('0', "1"), &wrong).await.problem(401, "wrong_credentials");
    post(&anybody, "/auth/guest", &KEY.replace('0', "2"), &json!({})).await.refused();
    post(&anybody, "/nowhere/at/all", &KEY.replace('0', "3"), &json!({})).await.problem(404, "unknown_route");
    assert_eq!(count(&app, "SELECT count(*) FROM idempotency_keys"), stored);
}

#[tokio::test]
async fn what_is_kept_tells_nobody_anything() {
    let app = TestApp::start();
    let body = json!({ "display_name": "하늘의 비밀" });
    let signed_in = post(&app.anybody(), "/auth/guest", KEY, &body).await.is(201);
    let kept: Vec<u8> = app.database().with(|client| {
        let rows =
            client.query("SELECT id || request_hash || response FROM idempotency_keys", &[]).expect("it is there");
        rows.iter().flat_map(|row| row.get::<_, Vec<u8>>(0)).collect()
    });
    assert!(kept.len() > 500, "the whole answer is kept");
    for secret in [&signed_in["access_token"], &signed_in["refresh_token"], &json!("하늘의 비밀"), &json!(KEY)] {
        let secret = secret.as_str().expect("it is text").as_bytes();
        assert!(!kept.windows(secret.len()).any(|part| part == secret));
    }
}

#[tokio::test]
async fn of_many_at_once_one_is_done_and_the_others_wait_or_are_told() {
    send_one_key_many_times_at_once(TestApp::start()).await;
}

pub(crate) async fn send_one_key_many_times_at_once(mut app: TestApp) {
    let there = app.start_another();
    let guest = app.guest("하늘").await;
    let mut sent = Vec::new();
    for number in 0..20 {
        let visitor = if number % 2 == 0 { guest.clone() } else { guest.at(app.url_of(there)) };
        sent.push(tokio::spawn(async move { post(&visitor, "/matches", KEY, &new_match()).await }));
    }
    let mut made = Vec::new();
    for answer in sent {
        let answer = answer.await.expect("it answers");
        if answer.status == 201 {
            made.push(answer.is(201)["id"].clone());
        } else {
            answer.problem(409, "idempotency_key_in_use");
            assert_eq!(answer.header("retry-after"), "1");
        }
    }
    made.dedup();
    assert_eq!(made.len(), 1);
    assert_eq!(matches_of(&guest).await, 1);
}

#[tokio::test]
async fn who_hangs_up_and_asks_again_is_told_what_was_done() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    let lock = app.database().lock("matches");
    let body = new_match().to_string();
    let mut stream = TcpStream::connect(app.url().trim_start_matches("http://")).expect("it listens");
    write!(
        stream,
        "POST /api/v1/matches HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nidempotency-key: {KEY}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        guest.token(),
        body.len(),
    )
    .expect("it reads");
    let claimed = "SELECT count(*) FROM idempotency_keys";
    eventually("the key to be claimed", async || (count(&app, claimed) == 1).then_some(())).await;
    drop(stream);
    let again = Answer::of(guest.api(Method::POST, "/matches").header("idempotency-key", KEY).json(&new_match())).await;
    again.problem(409, "idempotency_key_in_use");
    drop(lock);
    let kept = "SELECT count(*) FROM idempotency_keys WHERE response IS NOT NULL";
    eventually("the deed to be done", async || (count(&app, kept) == 1).then_some(())).await;
    let request = guest.api(Method::POST, "/matches").header("idempotency-key", KEY);
    let request = request.header("content-type", "application/json").body(body);
    Answer::of(request).await.is(201);
    assert_eq!(matches_of(&guest).await, 1);
}

#[tokio::test]
async fn what_failed_before_anything_was_done_is_done_by_the_next_attempt() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    // The statement gives up waiting for the table, and its transaction is undone.
    let lock = app.database().lock("matches");
    let unavailable = post(&guest, "/matches", KEY, &new_match()).await;
    unavailable.problem(503, "unavailable");
    assert!(unavailable.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
    drop(lock);
    let done = post(&guest, "/matches", KEY, &new_match()).await.is(201);
    assert_eq!(post(&guest, "/matches", KEY, &new_match()).await.is(201), done);
    assert_eq!(matches_of(&guest).await, 1);
}

#[tokio::test]
async fn a_guest_who_could_not_be_signed_in_was_not_made() {
    let app = TestApp::start();
    let body = json!({ "display_name": "하늘" });
    let lock = app.database().lock("sessions");
    post(&app.anybody(), "/auth/guest", KEY, &body).await.problem(503, "unavailable");
    drop(lock);
    let made = post(&app.anybody(), "/auth/guest", KEY, &body).await.is(201);
    assert_eq!(post(&app.anybody(), "/auth/guest", KEY, &body).await.is(201), made);
    assert_eq!(count(&app, "SELECT count(*) FROM players WHERE display_name = '하늘'"), 1);
}

#[tokio::test]
async fn the_same_said_in_another_order_is_the_same_request() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    let made =
        post(&guest, "/matches", KEY, &json!({ "game": "perudo", "seats": 3, "options": { "calza": true } })).await;
    let said = r#"{ "seats" : 3.0, "options": {"calza":true},  "game":"perudo" }"#;
    let request = guest.api(Method::POST, "/matches").header("idempotency-key", KEY);
    let again = Answer::of(request.header("content-type", "application/json").body(said)).await;
    assert_eq!((again.is(201), again.header("location")), (made.is(201), made.header("location")));
    let other = json!({ "game": "perudo", "seats": 3, "options": { "calza": false } });
    post(&guest, "/matches", KEY, &other).await.problem(422, "idempotency_key_reused");
}

#[tokio::test]
async fn what_nobody_knows_the_end_of_is_not_done_again() {
    let mut app = TestApp::start();
    let guest = app.guest("하늘").await;
    let lock = app.database().lock("matches");
    // The process dies over it, and nobody is told anything.
    let waiting = guest.clone();
    let asked = tokio::spawn(async move {
        let request = waiting.api(Method::POST, "/matches").header("idempotency-key", "the-second");
        Answer::try_of(request.json(&new_match())).await
    });
    let claimed = "SELECT count(*) FROM idempotency_keys WHERE response IS NULL";
    eventually("the key to be claimed", async || (count(&app, claimed) == 1).then_some(())).await;
    let there = app.start_another();
    app.server().kill();
    assert!(asked.await.expect("it ends").is_none());
    drop(lock);
    let guest = guest.at(app.url_of(there));
    let again = post(&guest, "/matches", "the-second", &new_match()).await;
    again.problem(409, "idempotency_key_in_use");
    age(&app, "2 minutes");
    post(&guest, "/matches", "the-second", &new_match()).await.problem(409, "outcome_unknown");
    assert_eq!(matches_of(&guest).await, 0);
    post(&guest, "/matches", "the-third", &new_match()).await.is(201);
}

#[tokio::test]
async fn a_key_is_free_again_after_a_day() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    let first = post(&guest, "/matches", KEY, &new_match()).await.is(201);
    age(&app, "23 hours 59 minutes");
    assert_eq!(post(&guest, "/matches", KEY, &new_match()).await.is(201), first);
    age(&app, "2 minutes");
    let other = json!({ "game": "liars-dice", "seats": 3 });
    let fresh = post(&guest, "/matches", KEY, &other).await.is(201);
    assert_eq!(fresh["game"], "liars-dice");
    assert_eq!(post(&guest, "/matches", KEY, &other).await.is(201), fresh);
}

#[tokio::test]
async fn what_is_too_often_or_too_much_may_be_tried_again() {
    let app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_RATE_LIMITS", "on").set("HOUSERULES_GUESTS_PER_MINUTE", "1")
    });
    let body = json!({ "display_name": "하늘" });
    app.anybody().post("/auth/guest", body.clone()).await.is(201);
    let refused = post(&app.anybody(), "/auth/guest", KEY, &body).await;
    refused.problem(429, "too_many_requests");
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
    assert_eq!(count(&app, "SELECT count(*) FROM idempotency_keys"), 0);
    let big = json!({ "display_name": "x".repeat(600_000) });
    post(&app.anybody(), "/auth/guest", KEY, &big).await.problem(413, "body_too_large");
    assert_eq!(count(&app, "SELECT count(*) FROM idempotency_keys"), 0);
}
