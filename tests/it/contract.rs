//! The OpenAPI document is valid, lint-clean, and enough: generators make clients of it that compile and serve. `tests/contract/`
//! has their settings.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use harness::{TestApp, installed, program, repository, run, workplace};
use serde_json::Value;

fn document() -> PathBuf {
    repository().join("docs/openapi.json")
}

fn setting(name: &str) -> PathBuf {
    repository().join("tests/contract").join(name)
}

/// One of the programs that `scripts/need contract` installs.
fn tool(name: &str) -> Command {
    Command::new(installed("contract").join("python/bin").join(name))
}

#[test]
fn a_validator_finds_the_document_valid() {
    run(tool("openapi-spec-validator").args(["--schema", "3.1"]).arg(document())).well();
}

#[test]
fn redocly_finds_nothing() {
    let folder = installed("contract");
    let script = folder.join("lint.mjs");
    // Where its modules are.
    fs::copy(setting("lint.mjs"), &script).expect("the folder of tools can be written to");
    run(Command::new("node").arg(script).arg(document()).arg(setting("redocly.yaml"))).well();
}

#[test]
fn spectral_finds_nothing() {
    let spectral = installed("contract").join("node_modules/@stoplight/spectral-cli/dist/index.js");
    let mut command = Command::new("node");
    command.arg(spectral).arg("lint").arg(document()).arg("--ruleset").arg(setting("spectral.yaml"));
    run(command.args(["--fail-severity", "hint", "--quiet"])).well();
}

/// What a generated client in Python finds out about the server: see `evening.py`.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_in_python_plays_a_match_and_runs_a_tournament() {
    let app = TestApp::start();
    let folder = workplace().folder("python-client");
    let client = folder.join("house_rules_client");
    let mut generator = tool("openapi-python-client");
    generator.arg("generate").arg("--path").arg(document()).arg("--output-path").arg(&client);
    generator.args(["--meta", "none", "--fail-on-warning", "--config"]).arg(setting("python.yaml"));
    run(&mut generator).well();
    let (email, password) = app.owner_credentials();
    app.owner().await;
    let mut evening = tool("python");
    evening.arg(setting("evening.py")).args([app.url(), email, password, "perudo", "middle-race"]);
    let said = run(evening.env("PYTHONPATH", &folder)).well();
    let evening: Value = serde_json::from_str(&said).unwrap_or_else(|err| panic!("{err}: {said}"));
    for played in evening["matches"].as_array().expect("some were played") {
        assert_eq!(played["status"], "finished");
        assert_eq!(played["moves"], played["version"], "every move was made once");
        let versions: Vec<_> = (0..=played["version"].as_u64().expect("a match has a version")).collect();
        assert_eq!(played["frames"], serde_json::json!(versions), "without a gap");
        let record = folder.join("record.json");
        fs::write(&record, played["record"].to_string()).expect("the folder of this run can be written to");
        run(Command::new(program("rules")).arg("verify").arg(&record)).well();
    }
    let tournament = &evening["tournament"];
    assert_eq!(tournament["status"], "finished");
    assert_eq!(tournament["first"].as_array().map(Vec::len), Some(1), "{tournament}");
    let steps: Vec<_> = tournament["steps"].as_array().expect("it had some").iter().filter_map(Value::as_str).collect();
    let ends = ["results", "next_stage", "pair", "publish", "start_round", "results", "finish"];
    assert!(steps.ends_with(&ends), "{steps:?}");
    assert!(!tournament["reasons"].as_array().expect("pairings have reasons").is_empty());
    assert_eq!(tournament["places"], serde_json::json!(["entrant"]));
}

/// The strictest of the usual generators accepts the document, and makes a class of every component.
#[test]
fn a_client_in_kotlin_is_generated() {
    let folder = workplace().folder("kotlin-client");
    let mut generator = tool("openapi-generator-cli");
    generator.arg("generate").arg("-i").arg(document()).args(["-g", "kotlin", "-o"]).arg(&folder);
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", installed("contract").join("python/bin").display());
    // So that a union is one of its cases, and not all of them at once.
    generator.arg("--additional-properties=serializationLibrary=gson,generateOneOfAnyOfWrappers=true");
    run(generator.args(["--global-property", "models,apis,supportingFiles"]).env("PATH", path)).well();
    let models = folder.join("src/main/kotlin/org/openapitools/client/models");
    let record = fs::read_to_string(models.join("MatchRecord.kt")).expect("a record has a class");
    for field in ["seed", "commitment", "nonces", "log"] {
        assert!(record.contains(&format!("val {field}:")), "{field} is missing in {record}");
    }
    for class in
        ["PerudoMove", "PerudoMoveBid", "PerudoView", "PerudoEvent", "StageFormatSwiss", "TournamentNextPublish"]
    {
        assert!(models.join(format!("{class}.kt")).exists(), "{class} is missing");
    }
}
