//! Without `DATABASE_URL` the server runs a PostgreSQL of its own; whatever is killed, nothing acknowledged is lost.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use harness::{Launch, Ran, Server, Visitor, end, eventually, postgres_program, program, run};
use serde_json::json;

fn launch() -> Launch {
    Launch::new().set("HOUSERULES_RATE_LIMITS", "off").set("HOUSERULES_POOL_SIZE", "4")
}

/// The process id of the PostgreSQL that the server looks after.
fn postmaster(data: &Path) -> Option<u32> {
    fs::read_to_string(data.join("postgres/data/postmaster.pid")).ok()?.lines().next()?.parse().ok()
}

fn runs(pid: u32) -> bool {
    // A process that has ended but was not waited for still has its folder in /proc, without a command line.
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty())
}

async fn guest(server: &Server, name: &str) -> Visitor {
    Visitor::new(server.url()).sign_in("/auth/guest", json!({ "display_name": name }), 201).await
}

/// They were acknowledged, so they must be known.
async fn is_known(guest: &Visitor, server: &Server) {
    let guest = guest.at(server.url());
    let me = eventually("an answer from a server that recovers", async || {
        let answer = guest.get("/auth/me").await;
        (answer.status < 500).then_some(answer)
    });
    assert_eq!(me.await.is(200)["id"], guest.id());
}

#[tokio::test]
async fn the_first_start_makes_it_and_stopping_stops_it() {
    let launch = launch();
    let mut server = launch.start();
    assert!(server.said().contains("/admin/setup?token="), "{}", server.said());
    let known = guest(&server, "하늘").await;
    let data = launch.folder().join("data");
    let pid = postmaster(&data).expect("its PostgreSQL runs");
    assert!(server.stop().success());
    assert!(!runs(pid));
    let again = launch.start();
    is_known(&known, &again).await;
}

#[tokio::test]
async fn it_listens_on_no_port_and_lets_nobody_else_in() {
    let launch = launch();
    let server = launch.start();
    let data = launch.folder().join("data");
    let home = fs::canonicalize(data.join("postgres")).expect("it is there");
    let found = fs::metadata(&home).expect("it is there");
    assert_eq!(found.mode() & 0o077, 0);
    assert_ne!(found.uid(), 0);
    assert_eq!(fs::metadata(data.join("postgres.log")).expect("it is there").mode() & 0o077, 0);
    // What a disk gives back wrongly is noticed.
    let control = run(postgres_program("pg_controldata", None).arg("-D").arg(home.join("data")).env("LC_ALL", "C"));
    let checksums = control.said.lines().find_map(|line| line.strip_prefix("Data page checksum version:"));
    assert_eq!(checksums.map(str::trim), Some("1"), "{}", control.said);
    let pid = postmaster(&data).expect("its PostgreSQL runs");
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let user = status.lines().find(|line| line.starts_with("Uid:")).expect("everybody has one");
    assert!(!user.split_whitespace().any(|it| it == "0"), "PostgreSQL runs as root: {user}");
    let settings = fs::read_to_string(home.join("data/postmaster.pid")).expect("it runs");
    // Its sixth line names the address that it listens on.
    assert_eq!(settings.lines().nth(5).map(str::trim), Some(""), "{settings}");
    drop(server);
}

#[tokio::test]
async fn killed_servers_leave_what_was_acknowledged() {
    let launch = launch();
    let mut known = Vec::new();
    for round in 0..3 {
        let mut server = launch.start();
        for guest in &known {
            is_known(guest, &server).await;
        }
        known.push(guest(&server, &format!("round {round}")).await);
        server.kill();
    }
    let server = launch.start();
    for guest in &known {
        is_known(guest, &server).await;
    }
}

#[tokio::test]
async fn a_killed_postgres_is_started_again_under_the_running_server() {
    let launch = launch();
    let mut server = launch.start();
    server.forgive_errors();
    let known = guest(&server, "Lucía").await;
    end("KILL", postmaster(&launch.folder().join("data")).expect("its PostgreSQL runs"));
    is_known(&known, &server).await;
    let another = eventually("a guest made after the recovery", async || {
        let answer = Visitor::new(server.url()).post("/auth/guest", json!({ "display_name": "Bea" })).await;
        (answer.status == 201).then_some(answer)
    });
    another.await;
    assert!(server.stop().success());
}

#[tokio::test]
async fn both_killed_at_once_recover_at_the_next_start() {
    let launch = launch();
    let mut server = launch.start();
    let known = guest(&server, "민지").await;
    let pid = postmaster(&launch.folder().join("data")).expect("its PostgreSQL runs");
    end("KILL", pid);
    server.kill();
    let server = launch.start();
    is_known(&known, &server).await;
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let launch = launch();
    let server = launch.start();
    let Ran { complained, .. } = launch.try_start().err().expect("it must not start");
    assert!(complained.contains(&server.pid().to_string()), "{complained}");
    let known = guest(&server, "도윤").await;
    is_known(&known, &server).await;
}

#[tokio::test]
async fn two_copies_run_side_by_side() {
    let (here, there) = (launch(), launch());
    let (one, other) = (here.start(), there.start());
    let known = guest(&one, "Ana").await;
    is_known(&known, &one).await;
    // Each has its own secret, and so its own tokens.
    known.at(other.url()).get("/auth/me").await.is(401);
}

#[tokio::test]
async fn an_ordinary_user_can_run_it() {
    let launch = launch().as_ordinary_user();
    let mut server = launch.start();
    let known = guest(&server, "서연").await;
    server.kill();
    is_known(&known, &launch.start()).await;
}

#[tokio::test]
async fn staff_can_be_added_while_it_runs_and_while_it_does_not() {
    let launch = launch();
    let data = launch.folder().join("data");
    let add = |email: &str| {
        let mut command = std::process::Command::new("sh");
        command.env("HOUSERULES_DATA", &data).env("email", email).arg("-c");
        command.arg(format!(
            "echo 'a long enough password' | {} staff add --email \"$email\" --name Ana --role manager",
            program("houserules").display()
        ));
        run(&mut command)
    };
    let mut server = launch.start();
    add("ana@example.org").well();
    assert!(server.stop().success());
    add("bea@example.org").well();
    assert_ne!(add("bea@example.org").status, Some(0), "there is one of this address already");
    let server = launch.start();
    for email in ["ana@example.org", "bea@example.org"] {
        let account = json!({ "email": email, "password": "a long enough password" });
        let manager = Visitor::new(server.url()).sign_in("/auth/login", account, 200).await;
        assert_eq!(manager.get("/auth/me").await.is(200)["role"], "manager");
    }
}

#[tokio::test]
async fn what_the_log_says_is_fit_for_anybody() {
    let launch = launch().set("HOUSERULES_LOG", "debug");
    let server = launch.start();
    let guest = guest(&server, "지우").await;
    guest.get("/auth/me").await.is(200);
    let secret = fs::read_to_string(launch.folder().join("data/secret")).expect("it is kept there");
    let refresh = guest.signed_in["refresh_token"].as_str().expect("there is one").to_owned();
    let log = server.log();
    assert!(log.contains("/api/v1/auth/me"), "{log}");
    for hidden in [secret.trim(), guest.token(), &refresh] {
        assert!(!log.contains(hidden), "the log holds a secret");
    }
}
