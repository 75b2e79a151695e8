//! A database that falls silent: it takes what it is asked, and never answers.

use std::process::Command;

use futures_util::future::join_all;
use harness::{Database, Fault, TestApp, eventually, program, run};
use tokio::task::spawn_blocking;

/// As many at once as all connections of the pool, and more.
const REQUESTS: usize = 24;
/// One after another: each connection of the pool comes up.
const WELL: usize = 20;
/// What a server logs of a connection on which no answer comes.
const SILENT: &str = "closed a silent database connection";

#[tokio::test]
async fn connections_that_fell_silent_are_replaced() {
    let database = Database::new();
    let (line, url) = database.by_line();
    let app = TestApp::start_with(|launch| launch.set("DATABASE_URL", url));
    let owner = app.owner().await;
    join_all((0..REQUESTS).map(|_| owner.get("/tables"))).await;

    // What goes on at that moment is lost; nobody is told anything but to try again.
    line.suffers(Fault::Asleep);
    let address = app.url().trim_start_matches("http://").to_owned();
    let healthcheck =
        spawn_blocking(move || run(Command::new(program("houserules")).args(["healthcheck", "--bind", &address])));
    for answer in join_all((0..REQUESTS).map(|_| owner.get("/tables"))).await {
        assert!([200, 503].contains(&answer.status), "{}: {}", answer.status, answer.text());
    }
    // It was answered, in the time that those who ask are ready to wait.
    let asked = healthcheck.await.expect("it ends");
    assert!(asked.complained.contains("503"), "{asked:?}");
    line.suffers(Fault::None);
    eventually("all connections answer again", async || {
        for _ in 0..WELL {
            if owner.get("/tables").await.status != 200 {
                return None;
            }
        }
        Some(())
    })
    .await;
}

#[tokio::test]
async fn a_query_that_nobody_waits_for_any_more_is_no_silence() {
    let mut app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin/tables").await;
    // The form is refused while the database is still asked who sent it.
    for answer in join_all((0..4).map(|_| owner.submit(&page, "/admin/tables", &[("name", "1")]))).await {
        assert_eq!(answer.status, 400, "{}", answer.text());
    }
    // By the time that a later silence is noticed, an earlier one would have been.
    let database = Database::new();
    let (line, url) = database.by_line();
    let mut other = TestApp::start_with(|launch| launch.set("DATABASE_URL", url));
    other.server().forgive_errors();
    line.suffers(Fault::Asleep);
    eventually("the silence to be noticed", async || other.server().log().contains(SILENT).then_some(())).await;
    assert!(!app.server().log().contains(SILENT), "{}", app.server().log());
}
