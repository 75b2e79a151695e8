//! The audit log: who did what, and that nobody can change it unnoticed.

use std::fs;

use harness::{Database, Launch, Ran, TestApp, eventually, program, run, workplace};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

async fn busy() -> TestApp {
    let app = TestApp::start();
    let owner = app.owner().await;
    for name in ["Crow's nest", "=cmd"] {
        let table = owner.post("/tables", json!({ "name": name, "seats": 4 })).await.is(201);
        let path = format!("/tables/{}", table["id"].as_str().expect("it has one"));
        owner.patch(&path, json!({ "seats": 5 })).await.is(200);
    }
    app
}

fn unhex(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("it is text");
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("it is hex")).collect()
}

fn verify(app: &TestApp, more: &[&str]) -> Ran {
    run(std::process::Command::new(program("houserules"))
        .args(["audit", "verify"])
        .args(more)
        .env("DATABASE_URL", app.database().url()))
}

/// As somebody with the rights of the database's owner would, who knows about the trigger.
fn tamper(app: &TestApp, statement: &str) {
    let whole = format!("SET session_replication_role = replica; {statement}");
    app.database().with(|client| client.batch_execute(&whole).expect("the superuser may"));
}

#[tokio::test]
async fn each_line_is_chained_to_the_one_before() {
    let app = busy().await;
    let owner = app.owner().await;
    let list = owner.get("/audit?limit=100").await.is(200);
    let mut lines = list["items"].as_array().expect("it is a list").clone();
    lines.sort_by_key(|line| line["n"].as_i64());
    assert!(lines.len() >= 5, "{lines:?}");
    let mut previous = vec![0; 32];
    for (line, n) in lines.iter().zip(1..) {
        assert_eq!(line["n"], n);
        assert_eq!(unhex(&line["previous"]), previous);
        let content = line["content"].as_str().expect("it is text");
        let told: Vec<_> = content.split('\n').collect();
        assert_eq!(told.len(), 7);
        assert_eq!((told[0], told[3]), (n.to_string().as_str(), line["action"].as_str().expect("it is text")));
        assert_eq!(serde_json::from_str::<Value>(told[6]).expect("it is JSON"), line["details"]);
        let hash = Sha256::new().chain_update(&previous).chain_update(content).finalize().to_vec();
        assert_eq!(unhex(&line["hash"]), hash);
        previous = hash;
    }
    let check = owner.get("/audit/check").await.is(200);
    assert_eq!((&check["whole"], &check["links"]), (&json!(true), &json!(lines.len())));
    assert_eq!(unhex(&check["head"]), previous);
    // The check is a line itself: the log went on since.
    verify(&app, &["--head", check["head"].as_str().expect("it is text")]).well();
}

#[tokio::test]
async fn whatever_is_changed_is_found() {
    for (statement, found) in [
        ("UPDATE audit_log SET details = '{}' WHERE id = (SELECT line FROM audit_chain WHERE n = 3)", Some(3)),
        (
            "UPDATE audit_log SET at = at + interval '1 microsecond' WHERE id = (SELECT line FROM audit_chain WHERE n = 2)",
            Some(2),
        ),
        ("DELETE FROM audit_log WHERE id = (SELECT line FROM audit_chain WHERE n = 1)", Some(1)),
        ("DELETE FROM audit_chain WHERE n = 2", Some(2)),
        ("DELETE FROM audit_chain WHERE n = (SELECT max(n) FROM audit_chain)", None),
    ] {
        let app = busy().await;
        assert_eq!(verify(&app, &[]).status, Some(0));
        tamper(&app, statement);
        let ran = verify(&app, &[]);
        assert_eq!(ran.status, Some(1), "{statement}: {ran:?}");
        let check = app.owner().await.get("/audit/check").await.is(200);
        assert_eq!(check["whole"], false, "{statement}");
        match found {
            Some(n) => assert_eq!(check["broken_at"], n, "{statement}"),
            None => assert_eq!(check["loose"], 1, "{statement}"),
        }
    }
}

#[tokio::test]
async fn an_end_that_was_cut_off_is_found_by_the_noted_head() {
    let app = busy().await;
    let noted = app.owner().await.get("/audit/check").await.is(200)["head"].as_str().expect("it is text").to_owned();
    // The check is a line itself: the log went on since.
    verify(&app, &["--head", &noted]).well();
    tamper(
        &app,
        "DELETE FROM audit_log WHERE id IN (SELECT line FROM audit_chain ORDER BY n DESC LIMIT 3); \
         DELETE FROM audit_chain WHERE n > (SELECT max(n) - 3 FROM audit_chain)",
    );
    verify(&app, &[]).well();
    let ran = verify(&app, &["--head", &noted]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.complained.contains("no line has the noted head"), "{ran:?}");
    assert_eq!(verify(&app, &["--head", "abc"]).status, Some(1));
}

/// As somebody would who has the whole database and knows how the chain is made.
const WRITE_AGAIN: &str = "UPDATE audit_log SET details = '{}' WHERE id = (SELECT line FROM audit_chain WHERE n = 2); \
    DO $$ DECLARE link record; head bytea := decode(repeat('00', 32), 'hex'); BEGIN \
        FOR link IN SELECT c.n, audit_content(c.n, l) AS content FROM audit_chain c JOIN audit_log l ON l.id = c.line ORDER BY c.n LOOP \
            UPDATE audit_chain SET previous = head, hash = sha256(head || convert_to(link.content, 'UTF8')) WHERE n = link.n; \
            SELECT hash INTO head FROM audit_chain WHERE n = link.n; \
        END LOOP; \
    END $$";
const CUT_OFF: &str = "DELETE FROM audit_log WHERE id = (SELECT line FROM audit_chain ORDER BY n DESC LIMIT 1); \
    DELETE FROM audit_chain WHERE n = (SELECT max(n) FROM audit_chain)";

/// On the server's own machine.
fn at_home(app: &TestApp, action: &str) -> Ran {
    at_home_with(app, app.database(), action)
}

#[tokio::test]
async fn a_log_that_is_written_again_is_not_as_noted() {
    for change in [WRITE_AGAIN, CUT_OFF] {
        let mut app = busy().await;
        app.server().stop();
        assert!(at_home(&app, "verify").well().contains("which the server noted"));
        let noted = fs::read_to_string(app.data().join("audit-head")).expect("it was noted as the server stopped");
        tamper(&app, change);
        verify(&app, &[]).well();
        let ran = at_home(&app, "verify");
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.complained.contains("is not the one that this server noted"), "{ran:?}");

        app.kill_and_replace();
        app.server().forgive_errors();
        let owner = app.owner().await;
        let n = noted.split(' ').next().and_then(|n| n.parse::<i64>().ok()).expect("a note begins with a number");
        let check = owner.get("/audit/check").await.is(200);
        assert_eq!((&check["whole"], &check["not_as_noted"]), (&json!(false), &json!(n)), "{check}");
        let page = app.owner_at_pages().await.open("/admin/audit").await.text();
        assert!(page.contains("is not the one that the server noted"), "{page}");
        let checks = owner.get("/operations").await.is(200)["checks"].clone();
        let checks = checks.as_array().expect("there are some");
        assert!(checks.iter().any(|it| it["code"] == "audit_head" && it["state"] == "problem"), "{checks:?}");
        app.server().stop();
        let kept = fs::read_to_string(app.data().join("audit-head")).expect("it is still there");
        assert_eq!(kept, noted);

        at_home(&app, "accept").well();
        at_home(&app, "verify").well();
    }
}

#[tokio::test]
async fn a_note_that_somebody_wrote_counts_for_nothing() {
    let mut app = busy().await;
    app.server().stop();
    let file = app.data().join("audit-head");
    let noted = fs::read_to_string(&file).expect("it was noted as the server stopped");
    fs::write(&file, noted.replace(' ', " 0")).expect("it can be written");
    let ran = at_home(&app, "verify");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.complained.contains("was not signed with this house's secret"), "{ran:?}");
}

/// A backup of this house, restored into another database by somebody who has its secret and its data directory.
fn restore_elsewhere(app: &TestApp) -> (Database, Ran) {
    let file = workplace().folder("backup").join("house.backup");
    let elsewhere = Database::new();
    elsewhere.with(|client| client.batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")).expect("it may");
    let houserules = |action: &str, url: String| {
        let mut command = std::process::Command::new(program("houserules"));
        command.arg(action).arg(&file).arg("--data").arg(app.data()).env("DATABASE_URL", url);
        run(command.env("HOUSERULES_SECRET", app.secret()))
    };
    houserules("backup", app.database().owner_url()).well();
    let restored = houserules("restore", elsewhere.owner_url());
    (elsewhere, restored)
}

fn at_home_with(app: &TestApp, database: &Database, action: &str) -> Ran {
    run(std::process::Command::new(program("houserules"))
        .args(["audit", action, "--data"])
        .arg(app.data())
        .env("DATABASE_URL", database.owner_url())
        .env("HOUSERULES_SECRET", app.secret()))
}

#[tokio::test]
async fn a_restore_elsewhere_leaves_the_note_of_the_database_that_serves() {
    let mut app = busy().await;
    let (elsewhere, restored) = restore_elsewhere(&app);
    assert!(restored.well().contains("look through the staff"));
    // What is done after the backup is not in it.
    app.owner().await.post("/tables", json!({ "name": "after", "seats": 4 })).await.is(201);
    app.server().stop();
    let file = app.data().join("audit-head");
    let noted = fs::read_to_string(&file).expect("it was noted as the server stopped");
    let (_, restored) = restore_elsewhere(&app);
    assert!(restored.well().contains("left the noted line"));
    assert_eq!(fs::read_to_string(&file).expect("it is still there"), noted);
    at_home(&app, "verify").well();

    // The one from before takes its place.
    let ran = at_home_with(&app, &elsewhere, "verify");
    assert!(ran.status == Some(1) && ran.said.contains("is of another database"), "{ran:?}");
    at_home_with(&app, &elsewhere, "accept").well();
    at_home_with(&app, &elsewhere, "verify").well();
    assert_ne!(fs::read_to_string(&file).expect("it is there"), noted);
}

#[tokio::test]
async fn a_database_that_moved_goes_on_with_what_was_noted() {
    let mut app = busy().await;
    app.server().stop();
    let file = app.data().join("audit-head");
    let noted = fs::read_to_string(&file).expect("it was noted as the server stopped");
    let (elsewhere, restored) = restore_elsewhere(&app);
    restored.well();
    let data = app.data().display().to_string();
    let launch = Launch::new().set("HOUSERULES_DATA", data).set("HOUSERULES_SECRET", app.secret());
    let mut server = launch.set("DATABASE_URL", elsewhere.owner_url()).start();
    let renewed = async || fs::read_to_string(&file).ok().filter(|note| *note != noted);
    eventually("another note", renewed).await;
    assert!(server.log().contains("a noted head of another database"), "{}", server.log());
    assert!(server.stop().success());
    assert!(!at_home_with(&app, &elsewhere, "verify").well().contains("is of another database"));
}

#[tokio::test]
async fn the_database_itself_refuses_changes() {
    let app = busy().await;
    for statement in
        ["UPDATE audit_chain SET n = n", "DELETE FROM audit_chain", "TRUNCATE audit_chain", "DELETE FROM audit_log"]
    {
        let refused = app.database().with(|client| client.batch_execute(statement));
        assert!(refused.is_err(), "{statement}");
    }
}

#[tokio::test]
async fn actions_at_once_make_one_chain() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let makes = (0..24).map(|number| {
        let owner = owner.clone();
        tokio::spawn(
            async move { owner.post("/tables", json!({ "name": format!("T{number}"), "seats": 4 })).await.is(201) },
        )
    });
    for made in makes.collect::<Vec<_>>() {
        made.await.expect("it is made");
    }
    let check = owner.get("/audit/check").await.is(200);
    assert_eq!(check["whole"], true, "{check}");
    assert!(check["links"].as_i64().is_some_and(|links| links >= 24), "{check}");
}

#[tokio::test]
async fn the_page_tells_it_in_words_and_filters() {
    let app = busy().await;
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin/audit").await;
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("Changed a table") && text.contains("Crow&#39;s nest"), "{text}");
    assert!(text.contains(">Whole<"));
    let made = owner.open("/admin/audit?what=table.create").await.text();
    let list = |text: &str| {
        text.split_once("<ol class=\"harbour\">").map(|(_, list)| list.to_owned()).expect("there is a list")
    };
    assert!(list(&made).contains("Added a table") && !list(&made).contains("Changed a table"));
    assert!(
        owner.open("/admin/audit?from=2020-01-01&until=2020-01-02").await.text().contains("Nothing on record here")
    );
    for nonsense in ["?from=yesterday", "?who=me", "?before=x", "?subject_id=7&subject=table"] {
        assert_eq!(owner.open(&format!("/admin/audit{nonsense}")).await.status, 200, "{nonsense}");
    }
    let checked = owner.submit(&page, "/admin/audit/check", &[]).await;
    assert_eq!(checked.status, 303);
    assert!(owner.open("/admin/audit").await.text().contains("lines are whole"));
    tamper(&app, "UPDATE audit_log SET action = 'table.other' WHERE id = (SELECT line FROM audit_chain WHERE n = 2)");
    assert!(owner.open("/admin/audit").await.text().contains("Seal broken"));
}

#[tokio::test]
async fn exports_hold_all_and_are_on_record_themselves() {
    let app = busy().await;
    let owner = app.owner_at_pages().await;
    let csv = owner.open("/admin/audit/export?format=csv").await;
    assert_eq!((csv.status, csv.header("content-type")), (200, "text/csv; charset=utf-8"));
    let text = csv.text();
    assert!(text.starts_with("\u{feff}id,at,actor"), "{text}");
    let lines = owner.open("/admin/audit/export?format=jsonl&what=audit.export").await.text();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let formats: Vec<_> = lines.iter().map(|line| line["details"]["format"].clone()).collect();
    assert_eq!(formats, ["jsonl", "csv"]);
    assert!(lines.iter().all(|line| line["hash"].is_string() && line["content"].is_string()));
}

#[tokio::test]
async fn only_managers_and_owners_read_it() {
    let app = TestApp::start();
    let add = |role: &str| {
        let mut command = std::process::Command::new(program("houserules"));
        command.args(["staff", "add", "--email", &format!("{role}@house-rules.test"), "--name", role, "--role", role]);
        command.env("DATABASE_URL", app.database().url()).stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().expect("it runs");
        std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), b"correct horse battery")
            .expect("it reads");
        assert!(child.wait().expect("it ends").success());
    };
    add("staff");
    add("manager");
    let login = |email: &'static str| json!({ "email": email, "password": "correct horse battery" });
    let staff = app.anybody().sign_in("/auth/login", login("staff@house-rules.test"), 200).await;
    let manager = app.anybody().sign_in("/auth/login", login("manager@house-rules.test"), 200).await;
    for path in ["/audit", "/audit/check", "/operations"] {
        app.anybody().get(path).await.problem(401, "not_signed_in");
        app.guest("하늘").await.get(path).await.problem(403, "forbidden");
        staff.get(path).await.problem(403, "forbidden");
        manager.get(path).await.is(200);
    }
    let at_pages = app.anybody();
    at_pages.sign_in_at_page(("staff@house-rules.test", "correct horse battery")).await;
    for path in ["/admin/audit", "/admin/audit/export?format=csv", "/admin/operations"] {
        assert_eq!(at_pages.open(path).await.status, 403, "{path}");
        assert_eq!(at_pages.page(Method::GET, path).send().await.expect("it answers").status(), 403, "{path}");
    }
    let floor = at_pages.open("/admin").await.text();
    assert!(!floor.contains("/admin/audit") && !floor.contains("/admin/operations"), "it shows what does not open");
}

#[tokio::test]
async fn what_staff_do_with_matches_is_on_record_and_what_players_do_is_not() {
    let app = TestApp::start();
    for (who, is_told) in [(app.owner().await, true), (app.guest("Zoe").await, false)] {
        let made = who.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
        let path = format!("/matches/{}/invitations", made["id"].as_str().expect("it has an id"));
        let friend = app.guest("Bea").await;
        who.post(&path, json!({ "player_id": friend.id() })).await.is(204);
        who.delete(&format!("{path}/{}", friend.id())).await.is(204);
        let lines = app.owner().await.get("/audit?limit=100").await.is(200);
        let lines = lines["items"].as_array().expect("it is a list").clone();
        let mut told: Vec<_> = lines.iter().filter(|line| line["subject_id"] == made["id"]).collect();
        told.sort_by_key(|line| line["n"].as_i64());
        let told: Vec<_> = told.iter().map(|line| line["action"].as_str().expect("it has one")).collect();
        let actions = ["match.make", "match.invite", "match.uninvite"];
        assert_eq!(told, if is_told { &actions[..] } else { &[] });
    }
}
