//! A client made from the OpenAPI document by a generator, type-checked, plays a match: what the document says suffices.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use harness::{TestApp, installed, program, repository, run, workplace};
use serde_json::Value;

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_client_plays_from_sign_in_to_the_end() {
    let app = TestApp::start();
    let (modules, folder) = (installed("client").join("node_modules"), workplace().folder("client"));
    for file in ["package.json", "tsconfig.json", "play.ts"] {
        fs::copy(repository().join("tests/client").join(file), folder.join(file)).expect("it is there");
    }
    symlink(&modules, folder.join("node_modules")).expect("the folder of this run can be written to");
    let document = app.anybody().get_page("/api/openapi.json").await;
    fs::write(folder.join("openapi.json"), &document.body).expect("the folder of this run can be written to");
    let node = |script: &str, arguments: &[&str]| {
        run(Command::new("node").arg(folder.join(script)).args(arguments).current_dir(&folder)).well()
    };
    node("node_modules/openapi-typescript/bin/cli.js", &["openapi.json", "-o", "api.ts"]);
    node("node_modules/typescript/bin/tsc", &["-p", "."]);
    let said = node("out/play.js", &[app.url(), "perudo"]);
    let evening: Value = serde_json::from_str(&said).unwrap_or_else(|err| panic!("{err}: {said}"));
    assert_eq!(evening["status"], "finished");
    let version = evening["version"].as_u64().expect("a match has a version");
    let made = evening["moves"].as_array().expect("by seat").iter().filter_map(Value::as_u64).sum::<u64>();
    assert_eq!(made, version, "every move was made once");
    assert_eq!(evening["heard"], serde_json::json!((0..=version).collect::<Vec<_>>()), "without a gap");
    let record = folder.join("record.json");
    fs::write(&record, evening["record"].to_string()).expect("the folder of this run can be written to");
    run(Command::new(program("rules")).arg("verify").arg(&record)).well();
}

/// The client for apps plays every game over a network that loses every third answer to a POST and cuts every stream.
#[tokio::test(flavor = "multi_thread")]
async fn the_client_for_apps_plays_every_game_over_a_bad_network() {
    let app = TestApp::start();
    let (modules, folder) = (installed("client").join("node_modules"), workplace().folder("sdk"));
    let client = repository().join("clients/typescript");
    let copied = run(Command::new("cp")
        .arg("-r")
        .args(["package.json", "tsconfig.json", "src", "test"])
        .arg(&folder)
        .current_dir(&client));
    copied.well();
    symlink(&modules, folder.join("node_modules")).expect("the folder of this run can be written to");
    let node = |script: &str, arguments: &[&str]| {
        run(Command::new("node").arg(folder.join(script)).args(arguments).current_dir(&folder)).well()
    };
    let document = repository().join("docs/openapi.json");
    node("node_modules/openapi-typescript/bin/cli.js", &[&document.display().to_string(), "-o", "src/api.ts"]);
    node("node_modules/typescript/bin/tsc", &["-p", "."]);
    let said = node("out/test/evening.js", &[app.url()]);
    let evenings: Vec<Value> = serde_json::from_str(&said).unwrap_or_else(|err| panic!("{err}: {said}"));
    assert_eq!(evenings.len(), engine::catalogue::GAMES.len());
    for evening in &evenings {
        let game = &evening["game"];
        assert_eq!((&evening["status"], &evening["heard"]), (&"finished".into(), &"finished".into()), "{game}");
        let made = evening["moves"].as_array().expect("by seat").iter().filter_map(Value::as_u64).sum::<u64>();
        assert_eq!(made, evening["version"], "every move of {game} was made once, whatever was lost");
        for lost in ["posts", "streams"] {
            assert!(evening["lost"][lost].as_u64() > Some(0), "{game}: no {lost} were lost");
        }
        let record = folder.join("record.json");
        fs::write(&record, evening["record"].to_string()).expect("the folder of this run can be written to");
        run(Command::new(program("rules")).arg("verify").arg(&record)).well();
    }
}
