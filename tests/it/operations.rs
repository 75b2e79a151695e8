//! How the server is doing, as a manager sees it.

use harness::{Browser, TestApp, eventually};
use serde_json::json;

#[tokio::test]
async fn it_knows_itself_its_database_and_its_siblings() {
    let mut app = TestApp::start();
    let owner = app.owner().await;
    let alone = owner.get("/operations").await.is(200);
    assert_eq!(alone["version"], "0.1.0");
    assert!(alone["database"]["bytes"].as_i64().is_some_and(|bytes| bytes > 1_000_000), "{alone}");
    assert!(alone["database"]["latency_micros"].as_i64().is_some_and(|micros| micros > 0), "{alone}");
    assert_eq!((&alone["migrations"]["complete"], &alone["last_backup"]), (&json!(true), &json!(null)));
    assert_eq!(alone["pool"]["size"], 4);
    let other = app.start_another();
    let count = async |wanted: usize| {
        eventually("so many processes", async || {
            let now = owner.get("/operations").await.is(200);
            (now["processes"].as_array().map(Vec::len) == Some(wanted)).then_some(())
        })
        .await;
    };
    count(2).await;
    app.server_number(other).stop();
    count(1).await;
}

#[tokio::test]
async fn a_full_disk_is_said_to_guests_and_to_whoever_asks_for_readiness() {
    let mut app = TestApp::start();
    app.server().forgive_errors();
    let player = app.guest("하늘").await;
    let ready = async || app.anybody().get_page("/readyz").await.status;
    assert_eq!(ready().await, 200);
    let run = |statement: &str| app.database().with(|client| client.batch_execute(statement)).expect("it runs");
    // What PostgreSQL says when a file cannot grow.
    run("CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         RAISE 'could not extend file \"base/1/2\": No space left on device' USING ERRCODE = 'disk_full'; END $$; \
         CREATE TRIGGER no_room BEFORE INSERT ON matches EXECUTE FUNCTION no_room()");
    let wanted = json!({ "game": "perudo", "seats": 2 });
    let refused = player.post("/matches", wanted.clone()).await;
    assert_eq!(refused.header("retry-after"), "30");
    refused.problem(503, "storage_full");
    assert_eq!(ready().await, 503);
    run("DROP TRIGGER no_room ON matches");
    player.post("/matches", wanted).await.is(201);
}

#[tokio::test]
async fn viewers_are_counted() {
    let app = TestApp::start();
    let player = app.guest("하늘").await;
    let made = player.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    let stream = player.listen(&format!("/matches/{}/stream", made["id"].as_str().expect("it has one")), None).await;
    let owner = app.owner().await;
    eventually("a viewer", async || {
        let seen = owner.get("/operations").await.is(200);
        (seen["processes"][0]["viewers"] == 1).then_some(())
    })
    .await;
    drop(stream);
}

#[tokio::test]
async fn the_page_tells_the_same() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin/operations").await;
    assert_eq!(page.status, 200);
    let text = page.text();
    for told in ["0.1.0", "Fine", "PostgreSQL version", "No backup yet", "/admin/sign-in", "PostgreSQL"] {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[tokio::test]
async fn what_to_do_about_a_check_is_read_on_a_phone_without_scrolling_sideways() {
    let app = TestApp::start();
    let browser = Browser::open(360, 800, "es").await;
    browser.sign_in(&app).await;
    browser.go(&format!("{}/admin/operations", app.url())).await;
    browser.find(".checks .advice").await;
    let over =
        "const wrap = document.querySelector('.table-wrap:has(.checks)'); return wrap.scrollWidth - wrap.clientWidth";
    assert_eq!(browser.run(over).await, 0);
    browser.close().await;
}
