//! `houserules backup` and `houserules restore`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use harness::{Database, Launch, Party, Ran, TestApp, Visitor, postgres_program, program, run, workplace};
use serde_json::json;

const OWNER: (&str, &str) = ("owner@house-rules.test", "correct horse battery staple");

fn houserules(arguments: &[&str], data: &Path) -> Ran {
    run(Command::new(program("houserules")).args(arguments).arg("--data").arg(data).env_remove("DATABASE_URL"))
}

fn back_up(app: &TestApp, file: &Path) -> Ran {
    let mut command = Command::new(program("houserules"));
    command.arg("backup").arg(file).env("DATABASE_URL", app.database().url());
    run(command.env("HOUSERULES_SECRET", app.secret()))
}

fn restore(file: &Path, data: &Path) -> Command {
    let mut command = Command::new(program("houserules"));
    command.arg("restore").arg(file).arg("--data").arg(data).env_remove("DATABASE_URL");
    command
}

fn unverified(file: &Path, data: &Path) -> Command {
    let mut command = restore(file, data);
    command.arg("--unverified");
    command
}

fn text(path: &Path) -> &str {
    path.to_str().expect("it is text")
}

fn files(folder: &Path) -> Vec<String> {
    fs::read_dir(folder)
        .expect("it is there")
        .map(|entry| entry.expect("it is there").file_name().into_string().expect("it is text"))
        .collect()
}

#[tokio::test]
async fn what_was_backed_up_while_the_server_ran_is_restored_elsewhere() {
    let launch = Launch::new().set("HOUSERULES_OWNER_EMAIL", OWNER.0).set("HOUSERULES_OWNER_PASSWORD", OWNER.1);
    let server = launch.start();
    let login = json!({ "email": OWNER.0, "password": OWNER.1 });
    let owner = Visitor::new(server.url()).sign_in("/auth/login", login.clone(), 200).await;
    owner.post("/tables", json!({ "name": "하늘", "seats": 4 })).await.is(201);
    owner.post("/staff/invitations", json!({ "email": "mina@house-rules.test", "role": "staff" })).await.is(201);
    let guest = Visitor::new(server.url()).sign_in("/auth/guest", json!({ "display_name": "지우" }), 201).await;
    let made = owner.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    let folder = workplace().folder("backup");
    let file = folder.join("house.backup");
    let said = houserules(&["backup", text(&file)], &launch.folder().join("data")).well();
    assert!(said.contains("SHA-256"), "{said}");
    assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert_eq!(files(&folder), ["house.backup"]);
    let told = owner.get("/operations").await.is(200)["last_backup"].clone();
    assert!(said.contains(told["sha256"].as_str().expect("it is on record")), "{told}");
    owner.post("/tables", json!({ "name": "after", "seats": 4 })).await.is(201);

    let elsewhere = workplace().folder("restored");
    let stranger = houserules(&["restore", text(&file)], &elsewhere);
    assert!(stranger.status == Some(1) && stranger.complained.contains("no secret"), "{stranger:?}");
    fs::copy(launch.folder().join("data/secret"), elsewhere.join("secret")).expect("the house has one");
    let restored = houserules(&["restore", text(&file)], &elsewhere).well();
    assert!(restored.contains("whole") && restored.contains("look through the staff"), "{restored}");
    let again = houserules(&["restore", text(&file)], &elsewhere);
    assert!(again.status == Some(1) && again.complained.contains("not empty"), "{again:?}");
    let second = Launch::new().set("HOUSERULES_DATA", text(&elsewhere)).start();
    // What ended after the backup may have been a stranger's; a guest has no other way in.
    owner.at(second.url()).get("/operations").await.problem(401, "session_ended");
    guest.at(second.url()).get("/auth/me").await.is(200);
    let owner = Visitor::new(second.url()).sign_in("/auth/login", login, 200).await;
    assert_eq!(owner.get("/staff/invitations").await.is(200)["items"], json!([]));
    let tables = owner.get("/tables").await.is(200);
    let names: Vec<_> = tables["items"].as_array().expect("it is a list").iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["하늘"]);
    owner.get(&format!("/matches/{}", made["id"].as_str().expect("it has one"))).await.is(200);
    let actions = owner.get("/audit").await.is(200);
    let actions: Vec<_> = actions["items"].as_array().expect("a list").iter().map(|it| &it["action"]).collect();
    assert_eq!(actions[..2], ["door.sign_in", "house.restore"]);
    assert_eq!(owner.get("/audit/check").await.is(200)["whole"], true);
}

#[tokio::test]
async fn every_row_comes_back_and_a_finished_match_still_proves_itself() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    let file = workplace().folder("backup").join("house.backup");
    back_up(&app, &file).well();
    let elsewhere = workplace().folder("restored");
    run(restore(&file, &elsewhere).env("HOUSERULES_SECRET", app.secret())).well();
    let second = Launch::new().set("HOUSERULES_DATA", text(&elsewhere)).set("HOUSERULES_SECRET", app.secret()).start();
    let path = format!("/matches/{}/record", party.id);
    let owner = app.owner().await;
    let (before, after) = (owner.get(&path).await.is(200), owner.at(second.url()).get(&path).await);
    // The session was opened after the backup: a new one is needed, the record is the same.
    assert_eq!(after.status, 200, "{}", after.text());
    assert_eq!(before, after.json());
    let record = workplace().folder("record").join("record.json");
    fs::write(&record, after.text()).expect("it can be written");
    run(Command::new(program("rules")).args(["verify", text(&record)])).well();
}

#[tokio::test]
async fn what_is_no_whole_backup_is_refused() {
    let app = TestApp::start();
    let folder = workplace().folder("backup");
    let file = folder.join("house.backup");
    back_up(&app, &file).well();
    let whole = fs::read(&file).expect("it is there");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let data = workplace().folder("restored");
    for (name, content) in [
        ("cut", &whole[..whole.len() / 2]),
        ("short", &whole[..whole.len() - 9]),
        ("flipped", &flipped),
        ("empty", &[]),
    ] {
        let bad = folder.join(name);
        fs::write(&bad, content).expect("it can be written");
        for mut command in [restore(&bad, &data), unverified(&bad, &data)] {
            let ran = run(command.env("HOUSERULES_SECRET", app.secret()));
            let is_refused = ran.complained.contains("no whole backup") || ran.complained.contains("damaged");
            assert!(ran.status == Some(1) && is_refused, "{name}: {ran:?}");
        }
    }
    assert_eq!(files(&data), [""; 0], "what is refused leaves nothing behind");
    run(restore(&file, &data).env("HOUSERULES_SECRET", app.secret())).well();
    let nowhere = back_up(&app, Path::new("/nowhere/house.backup"));
    assert_eq!(nowhere.status, Some(1), "{nowhere:?}");
}

#[tokio::test]
async fn only_what_this_house_signed_is_restored() {
    let app = TestApp::start();
    let folder = workplace().folder("backup");
    let file = folder.join("house.backup");
    back_up(&app, &file).well();
    let whole = fs::read(&file).expect("it is there");
    let label = whole.windows(20).rposition(|window| window == b"\nhouse-rules-backup ").expect("it has a label");
    // Somebody says that the log was shorter than it is, or takes the signature away.
    let mut tampered = whole.clone();
    let lines = label + String::from_utf8_lossy(&whole[label..]).find("\"audit_lines\":").expect("it says so") + 14;
    tampered[lines] = if tampered[lines] == b'1' { b'2' } else { b'1' };
    let unsigned = [&whole[..whole.len() - 66], b"\n"].concat();
    let data = workplace().folder("restored");
    for (content, secret, reason) in [
        (&tampered, app.secret(), "somebody changed it"),
        (&unsigned, app.secret(), "no signature"),
        (&whole, "another house's secret, thirty-two bytes", "another house's backup"),
    ] {
        let bad = folder.join("bad.backup");
        fs::write(&bad, content).expect("it can be written");
        let ran = run(restore(&bad, &data).env("HOUSERULES_SECRET", secret));
        let is_told = ran.complained.contains(reason) && ran.complained.contains("--unverified");
        assert!(ran.status == Some(1) && is_told, "{reason}: {ran:?}");
    }
    assert_eq!(files(&data), [""; 0], "what is refused leaves nothing behind");
    let old = folder.join("old.backup");
    fs::write(&old, &unsigned).expect("it can be written");
    run(&mut unverified(&old, &data)).well();
}

/// The `PATH` with a `pg_restore` that kills the program which called it, as soon as all rows are in.
fn path_with_deadly_restore() -> String {
    let programs = workplace().folder("programs");
    let real = postgres_program("pg_restore", None);
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && exec {0} --version\n{0} \"$@\" && kill -9 $PPID\n",
        real.get_program().display()
    );
    fs::write(programs.join("pg_restore"), script).expect("it can be written");
    fs::set_permissions(programs.join("pg_restore"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    format!("{}:{}", programs.display(), std::env::var("PATH").expect("it is set"))
}

#[tokio::test]
async fn a_restore_that_was_killed_is_opened_by_nobody() {
    let app = TestApp::start();
    let file = workplace().folder("backup").join("house.backup");
    back_up(&app, &file).well();
    let path = path_with_deadly_restore();
    let kill = |restore: &mut Command| {
        let ran = run(restore.env("HOUSERULES_SECRET", app.secret()).env("PATH", &path));
        assert_eq!(ran.status, None, "{ran:?}");
    };
    let refused = |launch: &Launch| {
        let ran = launch.try_start().err().expect("it must not start");
        assert!(ran.complained.contains("the restore of this database did not finish"), "{ran:?}");
    };
    let data = workplace().folder("restored");
    let launch = Launch::new().set("HOUSERULES_SECRET", app.secret()).set("HOUSERULES_DATA", text(&data));
    kill(&mut restore(&file, &data));
    refused(&launch);
    let again = run(restore(&file, &data).env("HOUSERULES_SECRET", app.secret()));
    assert!(again.status == Some(1) && again.complained.contains("not empty"), "{again:?}");

    let database = Database::new();
    let url = database.owner_url();
    let empty = || {
        let emptied = database.with(|client| client.batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public"));
        emptied.expect("it may");
    };
    empty();
    let launch = launch.set("DATABASE_URL", &url);
    kill(restore(&file, &data).env("DATABASE_URL", &url));
    refused(&launch);
    let ran = run(Command::new(program("houserules")).args(["audit", "verify"]).env("DATABASE_URL", &url));
    assert!(ran.status == Some(1) && ran.complained.contains("did not finish"), "{ran:?}");
    empty();
    run(restore(&file, &data).env("DATABASE_URL", &url).env("HOUSERULES_SECRET", app.secret())).well();
    drop(launch.start());
}

#[tokio::test]
async fn a_broken_log_that_is_restored_is_told_and_staff_are_signed_out() {
    let app = TestApp::start();
    let owner = app.owner().await;
    owner.post("/tables", json!({ "name": "하늘", "seats": 4 })).await.is(201);
    let tamper = "SET session_replication_role = replica; UPDATE audit_log SET at = at + interval '1 microsecond' \
                  WHERE id = (SELECT line FROM audit_chain WHERE n = 2)";
    app.database().with(|client| client.batch_execute(tamper)).expect("the superuser may");
    let file = workplace().folder("backup").join("house.backup");
    back_up(&app, &file).well();
    let elsewhere = workplace().folder("restored");
    let ran = run(restore(&file, &elsewhere).env("HOUSERULES_SECRET", app.secret()));
    assert!(ran.status == Some(1) && ran.complained.contains("broken at line 2"), "{ran:?}");

    let second = Launch::new().set("HOUSERULES_DATA", text(&elsewhere)).set("HOUSERULES_SECRET", app.secret()).start();
    owner.at(second.url()).get("/operations").await.problem(401, "session_ended");
    let (email, password) = app.owner_credentials();
    let login = json!({ "email": email, "password": password });
    let owner = Visitor::new(second.url()).sign_in("/auth/login", login, 200).await;
    let actions = owner.get("/audit").await.is(200);
    let actions: Vec<_> = actions["items"].as_array().expect("a list").iter().map(|it| &it["action"]).collect();
    assert_eq!(actions[..2], ["door.sign_in", "house.restore"]);
}

#[tokio::test]
async fn a_backup_is_not_signed_with_a_secret_that_no_server_has() {
    let app = TestApp::start();
    let folder = workplace().folder("backup");
    let mut command = Command::new(program("houserules"));
    command.arg("backup").arg(folder.join("house.backup")).arg("--data").arg(folder.join("nowhere"));
    let ran = run(command.env("DATABASE_URL", app.database().url()).env_remove("HOUSERULES_SECRET"));
    assert!(ran.status == Some(1) && ran.complained.contains("no secret to sign"), "{ran:?}");
    assert_eq!(files(&folder), [""; 0]);
}

#[test]
fn what_needs_a_database_makes_none() {
    let folder = workplace().folder("backup");
    let (data, file) = (folder.join("nowhere"), folder.join("house.backup"));
    let all: [&[&str]; 6] = [
        &["backup", text(&file)],
        &["audit", "verify"],
        &["audit", "accept"],
        &["ratings", "recompute"],
        &["stats", "recompute"],
        &["staff", "reset-second-factor", "--email", OWNER.0],
    ];
    for arguments in all {
        for secret in [None, Some("a secret for tests, of thirty-two bytes")] {
            let mut command = Command::new(program("houserules"));
            command.args(arguments).arg("--data").arg(&data).env_remove("DATABASE_URL");
            let ran = run(command.env("HOUSERULES_SECRET", secret.unwrap_or_default()));
            assert!(
                ran.status == Some(1) && ran.complained.contains("no private PostgreSQL in"),
                "{arguments:?}: {ran:?}"
            );
            assert_eq!(files(&folder), [""; 0], "{arguments:?}");
        }
    }
}

/// A file with an identity of `age`, and its public key.
fn identity(folder: &Path, name: &str) -> (PathBuf, String) {
    let file = folder.join(name);
    run(Command::new("age-keygen").arg("--output").arg(&file)).well();
    let key = run(Command::new("age-keygen").arg("-y").arg(&file)).well();
    (file, key.trim().to_owned())
}

#[tokio::test]
async fn who_holds_an_encrypted_backup_reads_nothing_without_an_identity() {
    let app = TestApp::start();
    app.owner().await.post("/tables", json!({ "name": "Leuchtturm", "seats": 4 })).await.is(201);
    let folder = workplace().folder("backup");
    let (file, opened) = (folder.join("house.backup"), folder.join("opened.dump"));
    let ((ours, one), (another, other), (strange, _)) =
        (identity(&folder, "one.txt"), identity(&folder, "another.txt"), identity(&folder, "strange.txt"));
    let mut command = Command::new(program("houserules"));
    command.arg("backup").arg(&file).env("DATABASE_URL", app.database().url()).env("HOUSERULES_SECRET", app.secret());
    run(command.env("HOUSERULES_BACKUP_RECIPIENTS", format!("{one},{other}"))).well();
    assert!(fs::read(&file).expect("it is there").starts_with(b"age-encryption.org/v1"));

    let data = folder.join("data");
    let restore = |data: &Path| {
        let mut command = restore(&file, data);
        command.env("HOUSERULES_SECRET", app.secret());
        command
    };
    let closed = run(&mut restore(&data));
    assert!(closed.status == Some(1) && closed.complained.contains("--identity"), "{closed:?}");
    let closed = run(restore(&data).arg("--identity").arg(&strange));
    assert!(closed.status == Some(1) && closed.complained.contains("age failed"), "{closed:?}");
    // Nothing of it is there after that.
    for (identity, data) in [(ours, data), (another.clone(), folder.join("again"))] {
        run(restore(&data).arg("--identity").arg(identity)).well();
    }
    // Without the server as well: `age` takes no more than what it wrote.
    let whole = fs::read(&file).expect("it is there");
    let mark = b"\nhouse-rules-backup ";
    let end = whole.windows(mark.len()).rposition(|window| window == mark).expect("it has a last line");
    fs::write(&opened, &whole[..end]).expect("it can be written");
    let plain = run(Command::new("age")
        .arg("--decrypt")
        .arg("-i")
        .arg(another)
        .arg("-o")
        .arg(folder.join("plain"))
        .arg(&opened));
    plain.well();
    assert!(fs::read(folder.join("plain")).expect("it is there").starts_with(b"PGDMP"));
}
