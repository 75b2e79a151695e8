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
