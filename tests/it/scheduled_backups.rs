//! Backups that the server takes by itself, and the test of the newest one.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use harness::{Answer, Launch, TestApp, Visitor, eventually, postgres_program, run, workplace};
use reqwest::Method;
use serde_json::{Value, json};

const OWNER: (&str, &str) = ("owner@house-rules.test", "correct horse battery staple");
const BACKUPS: &str = "data/backups";

/// With a private PostgreSQL and an owner.
fn launch() -> Launch {
    let launch = Launch::new().set("HOUSERULES_OWNER_EMAIL", OWNER.0).set("HOUSERULES_OWNER_PASSWORD", OWNER.1);
    launch.set("HOUSERULES_RATE_LIMITS", "off").set("HOUSERULES_BACKUP_TEST_EVERY", "off")
}

async fn owner(url: &str) -> Visitor {
    Visitor::new(url).sign_in("/auth/login", json!({ "email": OWNER.0, "password": OWNER.1 }), 200).await
}

/// Those in the directory whose names end so, the oldest first.
fn files(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    let mut found: Vec<_> = entries.map(|entry| entry.expect("it is there").path()).collect();
    found.retain(|path| path.to_str().is_some_and(|path| path.ends_with(ending)));
    found.sort();
    found
}

/// How the work of this kind goes, once it is as wanted.
async fn job(owner: &Visitor, kind: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
    eventually("the work on backups", async || {
        let now = owner.get("/operations").await.is(200);
        let jobs = now["backup_jobs"].as_array().expect("it is a list");
        jobs.iter().find(|job| job["kind"] == kind && is_wanted(job)).cloned()
    })
    .await
}

async fn page_in(visitor: &Visitor, path: &str, language: &str) -> String {
    let request = visitor.page(Method::GET, path).header("accept", "text/html").header("accept-language", language);
    Answer::of(request).await.text()
}

#[tokio::test]
async fn backups_are_taken_and_kept_and_a_restart_takes_none_before_its_time() {
    let launch = launch().set("HOUSERULES_BACKUP_KEEP", "2");
    let dir = launch.folder().join(BACKUPS);
    let mut server = launch.clone().set("HOUSERULES_BACKUP_EVERY", "1s").start();
    let first = eventually("a backup", async || files(&dir, ".backup").first().cloned()).await;
    assert_eq!(fs::metadata(&dir).expect("it is there").permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(&first).expect("it is there").permissions().mode() & 0o777, 0o600);
    eventually("an old backup to go", async || (!first.exists()).then_some(())).await;
    server.stop();
    assert!((2..=3).contains(&files(&dir, ".backup").len()), "{:?}", files(&dir, ""));

    let server = launch.set("HOUSERULES_BACKUP_EVERY", "1h").set("HOUSERULES_BACKUP_KEEP", "100").start();
    let owner = owner(server.url()).await;
    job(&owner, "take", |job| job["every_seconds"] == 3600).await;
    let before = files(&dir, ".backup");
    // What is asked for comes after what a restart would have taken.
    owner.post("/operations/backups", json!({})).await.is(204);
    eventually("the backup asked for", async || (files(&dir, ".backup").len() > before.len()).then_some(())).await;
    let taken = job(&owner, "take", |job| job["problem"].is_null() && job["succeeded_at"].is_string()).await;
    assert_eq!(files(&dir, ".backup").len(), before.len() + 1, "{taken}");
    let actions = owner.get("/audit").await.is(200);
    assert!(actions.to_string().contains("house.backup_request"), "{actions}");
}

#[tokio::test]
async fn what_is_asked_for_while_a_backup_is_taken_comes_after_it() {
    let dir = workplace().folder("backups");
    let app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_BACKUP_EVERY", "1h").set("HOUSERULES_BACKUP_DIR", dir.to_str().expect("it is text"))
    });
    let owner = app.owner().await;
    job(&owner, "take", |job| job["succeeded_at"].is_string()).await;
    let lock = app.database().lock("shift_notes");
    owner.post("/operations/backups", json!({})).await.is(204);
    eventually("a backup that waits", async || (app.database().waiting() > 0).then_some(())).await;
    owner.post("/operations/backups", json!({})).await.is(204);
    drop(lock);
    eventually("both", async || (files(&dir, ".backup").len() == 3).then_some(())).await;
}

#[tokio::test]
async fn a_server_that_is_killed_leaves_no_backup_that_counts() {
    let launch = launch().set("HOUSERULES_BACKUP_EVERY", "1s");
    let dir = launch.folder().join(BACKUPS);
    // A `pg_dump` that never comes to an end, as long as its server lives.
    let programs = workplace().folder("programs");
    let real = postgres_program("pg_dump", None);
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && exec {} --version\nprintf 'PGDMP and a half'\nwhile kill -0 $PPID; do sleep 0.1; done\n",
        real.get_program().display()
    );
    fs::write(programs.join("pg_dump"), script).expect("it can be written");
    fs::set_permissions(programs.join("pg_dump"), Permissions::from_mode(0o755)).expect("it is ours");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").expect("it is set"));
    let slow = launch.clone().set("PATH", path);
    let mut server = slow.start();
    eventually("half a backup", async || files(&dir, ".part").first().cloned()).await;
    server.kill();
    assert!(files(&dir, ".backup").is_empty(), "{:?}", files(&dir, ""));
    let server = launch.set("HOUSERULES_BACKUP_EVERY", "1h").start();
    let owner = owner(server.url()).await;
    job(&owner, "take", |job| job["succeeded_at"].is_string()).await;
    assert_eq!((files(&dir, ".backup").len(), files(&dir, ".part").len()), (1, 0));
}

#[tokio::test]
async fn of_two_servers_one_takes_each_backup() {
    let dir = workplace().folder("backups");
    let mut app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_BACKUP_EVERY", "2s").set("HOUSERULES_BACKUP_DIR", dir.to_str().expect("it is text"))
    });
    app.start_another();
    let taken = "SELECT count(*), min(gap) >= interval '2 seconds' FROM
                 (SELECT taken_at - lag(taken_at) OVER (ORDER BY taken_at) AS gap FROM backups) AS gaps";
    eventually("some backups", async || {
        let row = app.database().with(|client| client.query_one(taken, &[])).expect("it counts");
        (row.get::<_, i64>(0) >= 4).then(|| assert!(row.get::<_, bool>(1), "two at one time"))
    })
    .await;
    assert!(files(&dir, ".backup").len() >= 4);
}

#[tokio::test]
async fn a_test_restores_the_newest_backup_and_finds_a_damaged_one() {
    let launch = launch().set("HOUSERULES_BACKUP_EVERY", "1h").set("HOUSERULES_BACKUP_TEST_EVERY", "1s");
    let dir = launch.folder().join(BACKUPS);
    let mut server = launch.start();
    // The damage is an error in its log.
    server.forgive_errors();
    let owner = owner(server.url()).await;
    job(&owner, "test", |job| job["succeeded_at"].is_string() && job["problem"].is_null()).await;
    let newest = files(&dir, ".backup").pop().expect("one was taken");
    let whole = fs::read(&newest).expect("it is there");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&newest, damaged).expect("it can be written");
    let failed = job(&owner, "test", |job| job["problem"].as_str().is_some_and(|it| it.contains("is damaged"))).await;
    job(&owner, "test", |job| job["failed_at"].is_string() && job["failed_at"] != failed["failed_at"]).await;
    let errors = server.log().matches("restoring the newest backup to test it failed").count();
    assert_eq!(errors, 1, "{}", server.log());
    let metrics = Visitor::new(server.url()).get_page("/metrics").await.text();
    assert!(metrics.contains(r#"backup_job_failing{kind="test"} 1"#), "{metrics}");

    let pages = Visitor::new(server.url());
    assert_eq!(pages.sign_in_at_page(OWNER).await.status, 303);
    for (language, title, passed) in [
        ("ko", "백업을 확인해 주세요", "복원 시험"),
        ("en", "Backups need attention", "Restore test"),
        ("es", "Revisa las copias de seguridad", "Prueba de restauración"),
    ] {
        let floor = page_in(&pages, "/admin", language).await;
        assert!(floor.contains(title), "{language}: {floor}");
        let operations = page_in(&pages, "/admin/operations", language).await;
        assert!(operations.contains(passed) && operations.contains("is damaged"), "{language}: {operations}");
    }
    fs::write(&newest, whole).expect("it can be written");
    job(&owner, "test", |job| job["problem"].is_null()).await;
    assert!(!page_in(&pages, "/admin", "en").await.contains("Backups need attention"));
    server.stop();
    // What a test leaves when it is cut short goes with the next start.
    let server = launch.set("HOUSERULES_BACKUP_TEST_EVERY", "off").start();
    let scratch = dir.with_file_name("backup-test");
    eventually("the test's database to go", async || (!scratch.exists()).then_some(())).await;
    drop(server);
}

#[tokio::test]
async fn a_backup_that_cannot_be_taken_is_told_once_and_harms_nobody() {
    let mut app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_BACKUP_EVERY", "1s").set("HOUSERULES_BACKUP_DIR", "/dev/null/backups")
    });
    app.server().forgive_errors();
    let owner = app.owner().await;
    let failed = job(&owner, "take", |job| job["problem"].is_string()).await;
    job(&owner, "take", |job| job["failed_at"] != failed["failed_at"]).await;
    assert_eq!(app.server().log().matches("taking a backup failed").count(), 1);
    let pages = app.owner_at_pages().await;
    eventually("the notice of a late backup", async || {
        pages.open("/admin").await.text().contains("There has been no new backup for too long.").then_some(())
    })
    .await;
    app.guest("하늘").await.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
}

#[tokio::test]
async fn encrypted_backups_are_tested_by_a_copy_that_leaves_nothing_behind() {
    let folder = workplace().folder("identity");
    run(Command::new("age-keygen").arg("--output").arg(folder.join("identity"))).well();
    let key = run(Command::new("age-keygen").arg("-y").arg(folder.join("identity"))).well();
    let launch = launch().set("HOUSERULES_BACKUP_RECIPIENTS", key.trim()).set("HOUSERULES_BACKUP_EVERY", "1s");
    let server = launch.clone().set("HOUSERULES_BACKUP_TEST_EVERY", "1s").start();
    let dir = launch.folder().join(BACKUPS);
    let newest = eventually("a backup", async || files(&dir, ".backup").first().cloned()).await;
    assert!(fs::read(&newest).expect("it is there").starts_with(b"age-encryption.org/v1"));
    let owner = owner(server.url()).await;
    job(&owner, "test", |job| job["problem"].is_null() && job["succeeded_at"].is_string()).await;
    eventually("the copy to go", async || (!launch.folder().join("data/backup-test.copy").exists()).then_some(()))
        .await;
}

#[tokio::test]
async fn nobody_can_ask_for_a_backup_where_no_server_takes_them() {
    let app = TestApp::start();
    let owner = app.owner().await;
    assert_eq!(owner.get("/operations").await.is(200)["backup_jobs"], json!([]));
    owner.post("/operations/backups", json!({})).await.problem(409, "backups_off");
}
