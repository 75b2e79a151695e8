//! Who came in, who tried to, and how fast one account may be tried.

use harness::{Answer, TestApp, Visitor};
use reqwest::Method;
use serde_json::{Value, json};

use crate::staff::hire;

async fn miss(app: &TestApp, email: &str) -> u16 {
    app.anybody().post("/auth/login", json!({ "email": email, "password": "not this one" })).await.status
}

/// What the audit log tells of sign-ins and refusals: action, whose account, how often.
async fn told(owner: &Visitor) -> Vec<(String, Option<String>, i64)> {
    let lines = owner.get("/audit?limit=100").await.is(200);
    let line = |line: &Value| {
        let text = |key: &str| line[key].as_str().map(str::to_owned);
        let times = line["details"]["times"].as_i64().unwrap_or(0);
        Some((text("action").filter(|action| action.starts_with("door."))?, text("subject_id"), times))
    };
    let mut told: Vec<_> = lines["items"].as_array().expect("a list").iter().filter_map(line).collect();
    told.retain(|(action, ..)| action != "door.sign_in");
    told.sort();
    told
}

#[tokio::test]
async fn what_fails_or_is_refused_is_on_record_a_line_a_minute() {
    let app = TestApp::start();
    let owner = app.owner().await;
    hire(&app, &owner, "mina", "staff").await;
    let credentials = json!({ "email": "mina@house-rules.test", "password": "correct horse battery" });
    let mina = app.anybody().sign_in("/auth/login", credentials, 200).await;
    for email in ["mina@house-rules.test", "mina@house-rules.test", "nobody@example.org", "mina@house-rules.test"] {
        assert_eq!(miss(&app, email).await, 401);
    }
    for _ in 0..2 {
        mina.get("/audit").await.problem(403, "forbidden");
        app.guest("Zoe").await.get("/staff").await.problem(403, "forbidden");
    }
    let id = || Some(mina.id().to_owned());
    let line = |action: &str, whose: Option<String>, times| (format!("door.{action}"), whose, times);
    let mut expected = vec![
        line("refused", None, 1),
        line("refused", id(), 1),
        line("wrong_password", None, 1),
        line("wrong_password", id(), 1),
    ];
    assert_eq!(told(&owner).await, expected);
    // A minute later the next line says how often it happened without one.
    let age = "UPDATE door_notes SET told_at = told_at - interval '2 minutes'";
    app.database().with(|client| client.batch_execute(age)).expect("they age");
    assert_eq!(miss(&app, "mina@house-rules.test").await, 401);
    expected.push(line("wrong_password", id(), 3));
    assert_eq!(told(&owner).await, expected);
    assert!(!owner.get("/audit?limit=100").await.text().contains("nobody@example.org"));
    // Owners have it on a card.
    let shown = app.owner_at_pages().await.open("/admin/staff/sessions").await.text();
    assert!(shown.contains("At the door") && shown.contains("Refused for want of a permission"), "{shown}");
}

#[tokio::test]
async fn signing_in_is_on_record_and_a_new_device_is_told_to_the_others() {
    let app = TestApp::start();
    let here = app.owner_at_pages().await;
    let note = "You signed in on a new device";
    assert!(!here.open("/admin").await.text().contains(note), "it is the only one");
    let there = app.owner_at_pages().await;
    assert!(here.open("/admin").await.text().contains(note));
    // The same browser once more is no new device.
    let signed_in = |client: &mut postgres::Client| {
        let lines = client.query("SELECT details::text FROM audit_log WHERE action = 'door.sign_in' ORDER BY id", &[]);
        let details = |line: &postgres::Row| serde_json::from_str::<Value>(line.get(0)).expect("it is JSON");
        lines.expect("it answers").iter().map(details).collect::<Vec<Value>>()
    };
    there.sign_in_at_page(app.owner_credentials()).await;
    let lines = app.database().with(signed_in);
    let new: Vec<&Value> = lines.iter().map(|details| &details["new_device"]).collect();
    assert_eq!(new, [&json!(true), &json!(true), &json!(false)]);
}

#[tokio::test]
async fn guessing_slows_down_and_a_known_device_is_never_kept_out() {
    let limited = |launch: harness::Launch| {
        launch.set("HOUSERULES_RATE_LIMITS", "on").set("HOUSERULES_SIGN_INS_PER_MINUTE", "10000")
    };
    let app = TestApp::start_with(limited);
    let known = app.owner_at_pages().await;
    let (email, password) = app.owner_credentials();
    let right = json!({ "email": email, "password": password });
    for email in [email, "nobody@example.org"] {
        for _ in 0..5 {
            assert_eq!(miss(&app, email).await, 401);
        }
        assert_eq!(miss(&app, email).await, 429, "whether there is an account or not");
    }
    let refused = app.anybody().post("/auth/login", right.clone()).await;
    refused.problem(429, "too_many_requests");
    assert!(refused.header("retry-after").parse::<u64>().is_ok_and(|seconds| (1..=10).contains(&seconds)));
    assert_eq!(known.sign_in_at_page((email, password)).await.status, 303);
    // The pause ends by itself, and who comes in starts from nothing.
    let age = "UPDATE sign_in_attempts SET last_at = last_at - interval '10 seconds'";
    app.database().with(|client| client.batch_execute(age)).expect("they age");
    app.anybody().post("/auth/login", right).await.is(200);
    assert_eq!(miss(&app, email).await, 401);
    // Guessing on a device that is known is slowed as well.
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(known.sign_in_at_page((email, "not this one")).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429]);
}

#[tokio::test]
async fn each_request_has_a_line_without_an_address_or_a_token() {
    let mut app = TestApp::start_with(|launch| launch.set("HOUSERULES_LOG", "info"));
    let guest = app.guest("Zoe").await;
    guest.get(&format!("/players/{}", guest.id())).await.is(200);
    let log = app.server().log();
    let line = log.lines().find(|line| line.contains("/players/{id}")).unwrap_or_else(|| panic!("{log}"));
    for part in ["answered request", "GET", "200", "ms=", "client="] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let clients: Vec<&str> = log.lines().filter_map(|line| line.split("client=").nth(1)).collect();
    assert!(clients.windows(2).all(|pair| pair[0] == pair[1]), "{clients:?}");
    assert!(log.lines().filter(|line| line.contains("answered")).all(|line| !line.contains("127.0.0.1")), "{log}");
    assert!(!log.contains(guest.token()));
}

#[tokio::test]
async fn an_open_session_is_no_way_to_guess_the_password() {
    let limited = |launch: harness::Launch| {
        launch.set("HOUSERULES_RATE_LIMITS", "on").set("HOUSERULES_SIGN_INS_PER_MINUTE", "10000")
    };
    let app = TestApp::start_with(limited);
    let (owner, page) = (app.owner().await, app.owner_at_pages().await);
    let (_, password) = app.owner_credentials();
    let change = |current: &str| json!({ "current": current, "new": "a table for eleven, please" });
    for _ in 0..3 {
        owner.post("/auth/password", change("not this one")).await.problem(403, "wrong_password");
    }
    for _ in 0..2 {
        Answer::of(owner.api(Method::DELETE, "/auth/me").json(&json!({ "password": "nor this one" })))
            .await
            .problem(403, "wrong_password");
    }
    let refused = owner.post("/auth/password", change(password)).await;
    refused.problem(429, "too_many_requests");
    assert!(refused.header("retry-after").parse::<u64>().is_ok_and(|seconds| (1..=10).contains(&seconds)));
    app.database().with(|client| client.batch_execute("DELETE FROM sign_in_attempts")).expect("they are forgotten");
    let account = page.open("/admin/account").await;
    let fields = [("password", "not this one"), ("code", "000000")];
    for sentence in ["The password is wrong"; 5].into_iter().chain(["Too many requests"]) {
        let answer = page.submit(&account, "/admin/account/second-factor", &fields).await.text();
        assert!(answer.contains(sentence), "{sentence}: {answer}");
    }
    // The right one begins the count again.
    let age = "UPDATE sign_in_attempts SET last_at = last_at - interval '10 seconds'";
    app.database().with(|client| client.batch_execute(age)).expect("they age");
    owner.post("/auth/password", change(password)).await.is(204);
    assert_eq!(miss(&app, app.owner_credentials().0).await, 401);
}
