//! `houserules backup` and `houserules restore`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use harness::{Launch, Party, Ran, TestApp, Visitor, program, run, workplace};
use serde_json::json;

const OWNER: (&str, &str) = ("owner@house-rules.test", "correct horse battery staple");

fn houserules(arguments: &[&str], data: &Path) -> Ran {
    run(Command::new(program("houserules")).args(arguments).arg("--data").arg(data).env_remove("DATABASE_URL"))
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
    let restored = houserules(&["restore", text(&file)], &elsewhere).well();
    assert!(restored.contains("whole"), "{restored}");
    let again = houserules(&["restore", text(&file)], &elsewhere);
    assert!(again.status == Some(1) && again.complained.contains("not empty"), "{again:?}");
    let second = Launch::new().set("HOUSERULES_DATA", text(&elsewhere)).start();
    let owner = Visitor::new(second.url()).sign_in("/auth/login", login, 200).await;
    let tables = owner.get("/tables").await.is(200);
    let names: Vec<_> = tables["items"].as_array().expect("it is a list").iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["하늘"]);
    owner.get(&format!("/matches/{}", made["id"].as_str().expect("it has one"))).await.is(200);
    assert_eq!(owner.get("/audit/check").await.is(200)["whole"], true);
    let actions = owner.get("/audit").await.is(200);
    let actions: Vec<_> = actions["items"].as_array().expect("a list").iter().map(|it| &it["action"]).collect();
    assert_eq!(actions[..2], ["door.sign_in", "house.restore"]);
}

#[tokio::test]
async fn every_row_comes_back_and_a_finished_match_still_proves_itself() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    let file = workplace().folder("backup").join("house.backup");
    let at = |database: &str| {
        let mut command = Command::new(program("houserules"));
        command.env("DATABASE_URL", database);
        command
    };
    run(at(&app.database().url()).args(["backup", text(&file)])).well();
    let elsewhere = workplace().folder("restored");
    houserules(&["restore", text(&file)], &elsewhere).well();
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
    let url = app.database().url();
    run(Command::new(program("houserules")).args(["backup", text(&file)]).env("DATABASE_URL", &url)).well();
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
        let ran = houserules(&["restore", text(&bad)], &data);
        assert!(
            ran.status == Some(1) && (ran.complained.contains("no whole backup") || ran.complained.contains("damaged")),
            "{name}: {ran:?}"
        );
    }
    houserules(&["restore", text(&file)], &data).well();
    let nowhere =
        run(Command::new(program("houserules")).args(["backup", "/nowhere/house.backup"]).env("DATABASE_URL", &url));
    assert_eq!(nowhere.status, Some(1), "{nowhere:?}");
}
