//! How much one caller may ask for: budgets of rates, of streams and of matches that wait, and room for everybody else.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpStream;
use std::path::Path;

use harness::{Answer, Browser, Launch, TestApp, Visitor, eventually, repository};
use reqwest::Method;
use serde_json::{Value, json};

/// A café with limits, which are off in other tests.
fn limited(settings: &[(&str, &str)]) -> TestApp {
    TestApp::start_with(|launch| {
        let launch = launch.set("HOUSERULES_RATE_LIMITS", "on");
        settings.iter().fold(launch, |launch, (name, value)| launch.set(name, *value))
    })
}

async fn make(guest: &Visitor) -> Answer {
    guest.post("/matches", json!({ "game": "perudo", "seats": 2 })).await
}

async fn make_at(guest: &Visitor, table: &Value) -> Answer {
    guest.post("/matches", json!({ "game": "perudo", "seats": 3, "table_id": table["id"] })).await
}

/// A table, and guests who have scanned its code.
async fn seated(app: &TestApp, names: &[&str]) -> (Value, Vec<Visitor>) {
    let owner = app.owner().await;
    let table = owner.post("/tables", json!({ "name": "등대방", "seats": 4 })).await.is(201);
    let sittings = format!("/tables/{}/sittings", table["id"].as_str().expect("a table has an id"));
    owner.post(&sittings, json!({ "party_size": 4 })).await.is(201);
    let code = table["code"].as_str().expect("a table has a code");
    let mut guests = Vec::new();
    for name in names {
        let guest = app.guest(name).await;
        let joined = guest.post(&format!("/tables/by-code/{code}/members"), json!({})).await;
        assert!([200, 201].contains(&joined.status), "{}", joined.text());
        guests.push(guest);
    }
    (table, guests)
}

/// The handlers of this folder with these attributes: where they are, and their signatures.
fn handlers(folder: &Path, verbs: &[&str], found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            handlers(&path, verbs, found);
            continue;
        }
        let source = fs::read_to_string(&path).expect("it can be read");
        for verb in verbs {
            for handler in source.split(&format!("#[{verb}(")).skip(1) {
                let signature = handler.split("->").next().unwrap_or_default();
                let address = signature.split(')').next().unwrap_or_default();
                found.push((format!("{verb} {address} in {}", path.display()), signature.to_owned()));
            }
        }
    }
}

#[test]
fn whatever_changes_something_or_streams_has_a_budget() {
    let mut found = Vec::new();
    let rooms = repository().join("api");
    handlers(&rooms, &["post", "put", "patch", "delete"], &mut found);
    assert!(found.len() > 150, "{}", found.len());
    let mut reads = Vec::new();
    handlers(&rooms, &["get"], &mut reads);
    let waits = |(name, _): &(String, String)| ["/stream", "/live", "/export"].iter().any(|it| name.contains(it));
    found.extend(reads.into_iter().filter(waits));
    let without: BTreeSet<_> =
        found.iter().filter(|(_, signature)| !signature.contains("Budget<")).map(|(name, _)| name).collect();
    assert!(without.is_empty(), "they need a budget: {without:#?}");
}

#[tokio::test]
async fn a_caller_is_told_what_is_left_and_then_to_wait() {
    let app = limited(&[("HOUSERULES_WRITES_PER_MINUTE", "3")]);
    let guest = app.guest("하늘").await;
    let rename = async |guest: &Visitor| guest.patch("/auth/me", json!({ "display_name": "바다" })).await;
    for left in [2, 1, 0] {
        let answer = rename(&guest).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("ratelimit-policy"), r#""writes-account";q=3;w=60, "writes-address";q=75;w=60"#);
        let told = answer.header("ratelimit").to_owned();
        assert!(told.starts_with(&format!(r#""writes-account";r={left};t="#)), "{told}");
    }
    let refused = rename(&guest).await;
    refused.problem(429, "too_many_requests");
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| (1..=20).contains(&seconds)));
    assert!(refused.header("ratelimit").starts_with(r#""writes-account";r=0;t="#), "{}", refused.header("ratelimit"));
    // Somebody else in the same café, and what the guest wants otherwise.
    assert_eq!(rename(&app.guest("Lucía").await).await.status, 200);
    make(&guest).await.is(201);
    let metrics = app.anybody().get_page("/metrics").await.text();
    assert!(metrics.contains(r#"refused_by_limit_total{limit="writes-account"} 1"#), "{metrics}");
}

#[tokio::test]
async fn the_limits_are_published() {
    let limits = |told: Value| -> BTreeSet<String> {
        let all = told["limits"].as_array().expect("a list").clone();
        all.iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
    };
    let told = limited(&[]).anybody().get("/limits").await.is(200);
    let writes = json!({ "name": "writes-account", "what": "writes", "per": "account", "quota": 120, "window": 60 });
    assert!(told["limits"].as_array().is_some_and(|all| all.contains(&writes)), "{told}");
    let names = limits(told);
    for name in ["sign-ins-address", "reactions-account", "creations-staff", "streams-process", "waiting-matches-party"]
    {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    assert_eq!(
        limits(TestApp::start().anybody().get("/limits").await.is(200)),
        BTreeSet::from(["streams-process".into()])
    );
}

#[tokio::test]
async fn of_many_matches_at_one_time_an_account_gets_no_more_than_its_own() {
    let app = limited(&[]);
    let guest = app.guest("하늘").await;
    let tries: Vec<_> = (0..30).map(|_| guest.clone()).map(|it| tokio::spawn(async move { make(&it).await })).collect();
    let mut answers = Vec::new();
    for tried in tries {
        answers.push(tried.await.expect("it is answered"));
    }
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 10);
    answers.iter().filter(|answer| answer.status != 201).for_each(|it| _ = it.problem(409, "too_many_waiting_matches"));
    // One that is called off makes room, and staff are not counted.
    let mine = guest.get("/matches?mine=true").await.is(200)["items"][0]["id"].clone();
    let path = format!("/matches/{}/abort", mine.as_str().expect("an id"));
    guest.post(&path, json!({})).await.is(200);
    make(&guest).await.is(201);
    make(&guest).await.problem(409, "too_many_waiting_matches");
    let owner = app.owner().await;
    for _ in 0..11 {
        make(&owner).await.is(201);
    }
}

#[tokio::test]
async fn a_party_has_no_more_matches_than_its_own() {
    let app = limited(&[("HOUSERULES_WAITING_MATCHES", "2")]);
    let (table, guests) = seated(&app, &["하늘", "Lucía", "민지"]).await;
    for guest in &guests[..2] {
        make_at(guest, &table).await.is(201);
        make_at(guest, &table).await.is(201);
    }
    make_at(&guests[2], &table).await.problem(409, "too_many_waiting_matches");
    make(&guests[2]).await.is(201);
}

#[tokio::test]
async fn the_floor_shows_what_a_party_plays_however_many_matches_are_open() {
    let app = TestApp::start();
    make(&app.guest("Zoe").await).await.is(201);
    // Earlier than any other, as somebody's flood of the evening would be.
    let flood = "INSERT INTO matches SELECT (jsonb_populate_record(m, jsonb_build_object(
            'id', lpad(to_hex(n), 32, '0')::uuid, 'code', lpad(n::text, 6, '0')))).* FROM matches m, generate_series(1, 600) n";
    app.database().with(|client| client.batch_execute(flood).expect("they can be made"));
    let (table, guests) = seated(&app, &["하늘"]).await;
    make_at(&guests[0], &table).await.is(201);
    let page = app.owner_at_pages().await.open("/admin").await;
    assert!(page.text().contains("0 of 3 seats taken"), "{}", page.text());
}

/// A café whose process may have so few file descriptors, and could have more from the start if it asked.
fn cramped(most: u32) -> TestApp {
    TestApp::start_with(|launch: Launch| launch.with_descriptors(48, most))
}

async fn figure(app: &TestApp, name: &str) -> u64 {
    let metrics = app.anybody().get_page("/metrics").await.text();
    let line = metrics.lines().find_map(|line| line.strip_prefix(&format!("{name} ")).map(str::to_owned));
    line.unwrap_or_else(|| panic!("{name}: {metrics}")).parse().expect("it is a number")
}

/// A browser opens six connections to one house, and pages that it keeps for the way back hold theirs.
#[tokio::test]
async fn pages_that_were_left_hold_no_stream() {
    let app = TestApp::start();
    let made = make(&app.guest("하늘").await).await.is(201);
    let game = format!("/m/{}", made["code"].as_str().expect("a code"));
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&app).await;
    for path in [game.as_str(), "/admin", "/admin/library", "/admin/stats"] {
        browser.go(&format!("{}{path}", app.url())).await;
        eventually("the stream of this page alone", async || (figure(&app, "streams_open").await == 1).then_some(()))
            .await;
    }
    browser.client.back().await.expect("there is a page before");
    eventually("the stream of the page before", async || (figure(&app, "streams_open").await == 1).then_some(())).await;
    browser.close().await;
}

#[tokio::test]
async fn open_streams_leave_room_for_everybody_else() {
    let app = cramped(256);
    assert_eq!(figure(&app, "process_max_fds").await, 256);
    let most = figure(&app, "streams_max").await;
    let guest = app.guest("하늘").await;
    let path = format!("/matches/{}/stream", make(&guest).await.is(201)["id"].as_str().expect("an id"));
    let mut open = Vec::new();
    for _ in 0..most {
        open.push(guest.listen(&path, None).await);
    }
    let refused = guest.get(&path).await;
    refused.problem(503, "streams_full");
    for waiting in ["?after=0&wait=1", "/view?after=0&wait=1"] {
        guest.get(&path.replace("/stream", waiting)).await.problem(503, "streams_full");
    }
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
    assert_eq!(figure(&app, "streams_open").await, most);
    assert_eq!(app.anybody().get_page("/readyz").await.status, 200);
    make(&app.guest("Lucía").await).await.is(201);
    let told = app.owner().await.get("/operations").await.is(200)["capacity"].clone();
    assert_eq!(
        (&told["streams"], &told["streams_open"], &told["descriptors"]),
        (&json!(most), &json!(most), &json!(256))
    );
    drop(open);
    eventually("room for a stream", async || (figure(&app, "streams_open").await < most).then_some(())).await;
}

#[tokio::test]
async fn one_account_does_not_take_the_streams_of_others() {
    let app = limited(&[("HOUSERULES_STREAMS", "2")]);
    let guest = app.guest("하늘").await;
    let made = make(&guest).await.is(201);
    let path = format!("/matches/{}/stream", made["id"].as_str().expect("an id"));
    let open = [guest.listen(&path, None).await, guest.listen(&path, None).await];
    let refused = guest.get(&path).await;
    refused.problem(429, "too_many_streams");
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
    guest.post(&format!("{}/seats", path.trim_end_matches("/stream")), json!({})).await.is(201);
    for waiting in ["?after=0&wait=1", "/view?after=0&wait=1"] {
        guest.get(&path.replace("/stream", waiting)).await.problem(429, "too_many_streams");
    }
    drop(app.guest("Lucía").await.listen(&path, None).await);
    drop(open);
}

/// Where health and metrics are asked for besides.
fn ops(app: &mut TestApp) -> String {
    let said = app.server().said();
    let start = said.find("Health and metrics are at ").expect("it says where") + "Health and metrics are at ".len();
    said[start..].lines().next().expect("an address").to_owned()
}

#[tokio::test]
async fn a_full_house_does_not_take_health_away() {
    let mut app = cramped(256);
    let ops = Visitor::new(&ops(&mut app));
    let address = app.url().trim_start_matches("http://").to_owned();
    // More than are let in: the others wait until somebody leaves.
    let full: Vec<_> = (0..200).map(|_| TcpStream::connect(&address).expect("it listens")).collect();
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(ops.get_page(path).await.status, 200, "{path}");
    }
    assert_eq!(ops.get_page("/admin").await.status, 404);
    drop(full);
}

#[tokio::test]
async fn strangers_do_not_read_metrics_on_the_public_listener() {
    let app = TestApp::start();
    let read = async |visitor: &Visitor| {
        let request = visitor.page(Method::GET, "/metrics").header("x-forwarded-for", "192.0.2.1");
        Answer::of(request).await.status
    };
    assert_eq!(read(&app.anybody()).await, 401);
    assert_eq!(read(&app.guest("하늘").await).await, 403);
    assert_eq!(read(&app.owner().await).await, 200);
    assert_eq!(app.anybody().get_page("/metrics").await.status, 200);
}

#[tokio::test]
async fn a_place_for_operations_that_was_asked_for_and_is_taken_is_said_at_once() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = taken.local_addr().expect("it has one").to_string();
    let database = harness::Database::new();
    let launch = Launch::new().set("DATABASE_URL", database.url()).set("HOUSERULES_OPS_BIND", address.clone());
    let ran = launch.set("HOUSERULES_SECRET", "thirty-two bytes of secret, or more").try_start().err();
    let ran = ran.expect("it must not start");
    assert!(ran.complained.contains(&address), "{ran:?}");
}
