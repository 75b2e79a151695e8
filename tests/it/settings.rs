//! Settings come from flags, then from the environment, then from the file.

use std::fs;
use std::process::Command;

use harness::{Database, Launch, TestApp, Visitor, end, eventually, program, run};

fn on(database: &Database) -> Launch {
    Launch::new().set("DATABASE_URL", database.url()).set("HOUSERULES_SECRET", "thirty-two bytes of secret, or more")
}

#[tokio::test]
async fn a_flag_beats_the_environment_and_the_environment_beats_the_file() {
    let database = Database::new();
    let launch = on(&database).unset("HOUSERULES_BIND");
    fs::write(launch.folder().join("houserules.toml"), "bind = \"127.0.0.2:0\"\n").expect("it is ours");
    assert!(launch.start().url().starts_with("http://127.0.0.2:"));
    let launch = launch.set("HOUSERULES_BIND", "127.0.0.3:0");
    assert!(launch.start().url().starts_with("http://127.0.0.3:"));
    let launch = launch.with("--bind").with("127.0.0.4:0");
    assert!(launch.start().url().starts_with("http://127.0.0.4:"));
}

#[tokio::test]
async fn what_nobody_understands_is_refused_with_its_name() {
    let database = Database::new();
    let launch = on(&database);
    fs::write(launch.folder().join("houserules.toml"), "bnid = \"127.0.0.1:0\"\n").expect("it is ours");
    let ran = launch.try_start().err().expect("it must not start");
    assert!(ran.complained.contains("bnid"), "{ran:?}");
    fs::remove_file(launch.folder().join("houserules.toml")).expect("it is ours");
    for (argument, name) in [("--pool-size=none", "--pool-size"), ("--log=api=loud", "log: api=loud is no filter")] {
        let ran = launch.clone().with(argument).try_start().err().expect("it must not start");
        assert!(ran.complained.contains(name), "{ran:?}");
    }
}

#[tokio::test]
async fn a_database_that_is_not_there_is_said_at_once() {
    let launch = Launch::new().set("DATABASE_URL", "postgres://app@127.0.0.1:9/none");
    let ran = launch.set("HOUSERULES_SECRET", "thirty-two bytes of secret, or more").try_start().err();
    let ran = ran.expect("it must not start");
    assert!(!ran.complained.contains("panicked"), "{ran:?}");
    assert!(!ran.complained.is_empty());
}

#[tokio::test]
async fn it_is_alive_ready_and_measured() {
    let app = TestApp::start();
    let anybody = app.anybody();
    assert_eq!(anybody.get_page("/healthz").await.status, 200);
    assert_eq!(anybody.get_page("/readyz").await.status, 200);
    let metrics = anybody.get_page("/metrics").await;
    assert!(metrics.text().contains("http_requests_total"), "{}", metrics.text());
}

#[tokio::test]
async fn made_up_methods_are_measured_as_one() {
    let app = TestApp::start();
    let anybody = app.anybody();
    for number in 0..20 {
        let method = reqwest::Method::from_bytes(format!("MADEUP{number}").as_bytes()).expect("HTTP allows it");
        anybody.page(method, "/healthz").send().await.expect("it answers");
    }
    let metrics = anybody.get_page("/metrics").await.text();
    assert!(metrics.contains("method=\"other\"") && !metrics.contains("MADEUP"), "{metrics}");
}

#[tokio::test]
async fn while_the_database_is_away_it_says_when_to_ask_again() {
    let mut app = TestApp::start();
    app.server().forgive_errors();
    let guest = app.guest("하늘").await;
    app.database().shut();
    // More often than there are connections whose end may not have been noticed.
    for _ in 0..6 {
        let api = guest.get("/matches").await;
        api.problem(503, "unavailable");
        for answer in [api, guest.open("/admin/sign-in").await, guest.get_page("/readyz").await] {
            let waits = answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0);
            assert!(waits || answer.status == 200, "{} {}", answer.status, answer.text());
        }
        assert_eq!(guest.get_page("/readyz").await.status, 503);
        assert_eq!(guest.get_page("/healthz").await.status, 200);
    }
    app.database().reopen();
    eventually("the service, once the database is back", async || {
        (guest.get("/matches").await.status == 200).then_some(())
    })
    .await;
    assert_eq!(guest.get_page("/readyz").await.status, 200);
}

#[tokio::test]
async fn the_log_has_no_colours_where_nobody_sees_them() {
    let database = Database::new();
    let server = on(&database).set("HOUSERULES_LOG", "debug").start();
    assert_eq!(Visitor::new(server.url()).get_page("/healthz").await.status, 200);
    assert!(server.log().contains("/healthz"), "{}", server.log());
    assert!(!server.log().contains('\u{1b}'), "{}", server.log());
}

#[tokio::test]
async fn asked_to_stop_it_stops_within_ten_seconds() {
    let mut app = TestApp::start();
    let anybody: Visitor = app.anybody();
    assert_eq!(anybody.get_page("/healthz").await.status, 200);
    let started = std::time::Instant::now();
    assert!(app.server().stop().success());
    assert!(started.elapsed().as_secs() < 10);
}

#[test]
fn a_terminal_that_is_closed_stops_it_like_any_other_signal() {
    // Under nohup the tests ignore it, and so does what they start.
    if Command::new("sh").args(["-c", "kill -HUP $$"]).status().expect("there is a shell").success() {
        return;
    }
    let mut app = TestApp::start();
    let pid = app.server().pid();
    end("HUP", pid);
    end("HUP", pid);
    assert!(app.server().wait().success());
    assert!(app.server().log().contains("stopping the server"), "{}", app.server().log());
}

#[tokio::test]
async fn the_command_tells_whether_the_server_is_ready() {
    let mut app = TestApp::start();
    let address = app.url().trim_start_matches("http://").to_owned();
    let ask = || run(Command::new(program("houserules")).args(["healthcheck", "--bind", &address]));
    ask().well();
    assert!(app.server().stop().success());
    assert_ne!(ask().status, Some(0));
}

#[tokio::test]
async fn what_is_set_to_nothing_is_not_set() {
    let database = Database::new();
    let launch = on(&database).set("HOUSERULES_OWNER_EMAIL", "").set("HOUSERULES_OWNER_PASSWORD", "");
    let server = launch.set("HOUSERULES_PUBLIC_URL", "").start();
    assert!(server.said().contains("/admin/setup?token="), "{}", server.said());
}
