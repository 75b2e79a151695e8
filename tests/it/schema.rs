//! The OpenAPI document is true: schemathesis makes up requests from it, fitting and unfitting ones, and finds no answer that is
//! not in it, and no error of ours. In `tests/schema/` is how it does so.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::Command;

use harness::{Party, TestApp, Visitor, installed, repository, run, workplace};
use serde_json::{Value, json};

const PLAYER: (&str, &str) = ("player@house-rules.test", "a password of the player's own");

/// What is in the house, by the first word of its addresses.
type House = BTreeMap<&'static str, Vec<String>>;

fn id(made: &Value) -> String {
    made["id"].as_str().expect("it has an id").to_owned()
}

/// A café in the middle of an evening, at which the player sits in matches of all kinds.
async fn furnish(app: &TestApp) -> House {
    let owner = app.owner().await;
    let mut running = Party::gather(app, "perudo", 2, json!({})).await;
    let (email, password) = PLAYER;
    let registered = json!({ "email": email, "password": password });
    running.players[0] = running.players[0].sign_in("/auth/register", registered, 201).await;
    running.begin().await;
    running.step().await;
    let mut finished = Party::gather(app, "liars-dice", 2, json!({})).await;
    finished.players[1] = running.players[0].clone();
    finished.begin().await;
    finished.play_to_the_end().await;
    let waiting = running.players[0].post("/matches", json!({ "game": "hogu-clue", "seats": 4 })).await.is(201);
    let aborted = running.players[0].post("/matches", json!({ "game": "middle-race", "seats": 3 })).await.is(201);
    owner.post(&format!("/matches/{}/abort", id(&aborted)), json!({})).await.is(200);
    let table = owner.post("/tables", json!({ "name": "창가", "seats": 4 })).await.is(201);
    let variant = owner.post("/variants", json!({ "game": "perudo", "name": "금요일 밤" })).await.is(201);
    owner.post(&format!("/variants/{}/publish", id(&variant)), json!({})).await.is(200);
    let mut scored = Party::gather_for(app, json!({ "game": "perudo", "seats": 2, "mode": "scored" })).await;
    scored.begin().await;
    scored.players[0].post(&scored.path("/result"), json!({ "ranks": [1, 2] })).await.is(200);
    let tournaments = hold(&owner, &running.players).await;
    let matches = vec![scored.id.clone(), running.id.clone(), finished.id.clone(), id(&waiting), id(&aborted)];
    let games = ["perudo", "liars-dice", "dead-mans-draw", "hogu-clue"].map(str::to_owned);
    BTreeMap::from([
        ("matches", matches),
        ("tables", vec![id(&table)]),
        ("variants", vec![id(&variant)]),
        ("tournaments", tournaments),
        ("players", running.players.iter().map(|player| player.id().to_owned()).collect()),
        ("games", games.into()),
    ])
}

/// Tournaments: one that is played, one that takes entrants.
async fn hold(owner: &Visitor, players: &[Visitor]) -> Vec<String> {
    let mut held = Vec::new();
    for name in ["화요일 대회", "금요일 대회"] {
        let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
        let stage = json!({ "format": { "kind": "single_elimination", "third_place": false }, "scoring": scoring });
        let made =
            owner.post("/tournaments", json!({ "name": name, "game": "perudo", "stages": [stage] })).await.is(201);
        let path = format!("/tournaments/{}", id(&made));
        owner.post(&format!("{path}/registration"), json!({})).await.is(200);
        for player in players {
            player.post(&format!("{path}/entrants"), json!({})).await.is(201);
        }
        held.push(id(&made));
    }
    for step in ["start", "pair", "stages/1/rounds/1/publish", "stages/1/rounds/1/start"] {
        owner.post(&format!("/tournaments/{}/{step}", held[0]), json!({})).await.is(200);
    }
    held
}

/// The settings of `tests/schema/`, with what is in this house, for somebody who signs in so.
fn settings(house: &House, sign_in: Option<(&str, Value)>) -> String {
    let mut text = fs::read_to_string(repository().join("tests/schema/schemathesis.toml")).expect("it is there");
    for (noun, ids) in house {
        let ids = json!(ids);
        write!(
            text,
            "\n[dictionaries.{noun}]\nvalues = {ids}\n\n[[operations]]\ninclude-path-regex = '^/api/v1/{noun}/[{{]'\n\
             [operations.parameters]\n'path.id' = {{ dictionary = '{noun}', probability = 0.9 }}\n\
             'path.game' = {{ dictionary = '{noun}', probability = 0.9 }}\n"
        )
        .expect("text can be written to");
    }
    if let Some((path, who)) = sign_in {
        write!(text, "\n[auth.dynamic.openapi.bearer]\npath = '/api/v1{path}'\nextract_selector = '/access_token'\nretry_on = [401]\n")
            .expect("text can be written to");
        text.push_str("[auth.dynamic.openapi.bearer.payload]\n");
        for (name, value) in who.as_object().expect("it is an object") {
            writeln!(text, "{name} = {value}").expect("text can be written to");
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_says_all_that_can_be_answered() {
    hold_to_the_document(1).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long"]
async fn the_document_says_all_that_many_more_requests_are_answered() {
    hold_to_the_document(20).await;
}

/// With so many times as many requests.
async fn hold_to_the_document(times: u32) {
    let app = TestApp::start_with(|launch| launch.set("HOUSERULES_WORKERS", "2").set("HOUSERULES_POOL_SIZE", "8"));
    let house = furnish(&app).await;
    let login =
        |(email, password): (&str, &str)| Some(("/auth/login", json!({ "email": email, "password": password })));
    let guest = Some(("/auth/guest", json!({ "display_name": "하늘" })));
    for (who, sign_in, phases, examples) in [
        ("owner", login(app.owner_credentials()), "examples,coverage,fuzzing", 4),
        ("owner-along-links", login(app.owner_credentials()), "stateful", 25),
        ("player", login(PLAYER), "fuzzing", 8),
        ("guest", guest, "fuzzing", 3),
        ("anybody", None, "fuzzing", 2),
    ] {
        let folder = workplace().folder(&format!("schema-{who}"));
        let config = folder.join("schemathesis.toml");
        fs::write(&config, settings(&house, sign_in)).expect("the folder of this run can be written to");
        let mut schemathesis = Command::new(installed("schemathesis").join("bin/schemathesis"));
        schemathesis.arg("--config-file").arg(&config).arg("run").arg(format!("{}/api/openapi.json", app.url()));
        schemathesis.args(["--phases", phases, "--max-examples", &(times * examples).to_string()]).current_dir(&folder);
        let ran = run(&mut schemathesis);
        assert_eq!(ran.status, Some(0), "as {who}:\n{}\n{}", ran.said, ran.complained);
        println!("as {who}:\n{}", ran.said);
    }
}
