//! What must hold of the repository itself.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use harness::{program, python, repository, run, workplace};
use serde_json::Value;

#[test]
fn the_engine_depends_on_nothing_that_reaches_outside() {
    let mut tree = Command::new(env!("CARGO"));
    tree.current_dir(repository()).args([
        "tree",
        "--locked",
        "--offline",
        "-p",
        "engine",
        "-e",
        "normal",
        "--prefix",
        "none",
    ]);
    let tree = run(&mut tree).well();
    // The last one is where entropy comes from: chance is always given.
    let outside = ["tokio", "actix-web", "diesel", "reqwest", "jiff", "chrono", "time", "mio", "socket2", "getrandom"];
    for line in tree.lines() {
        let name = line.split(' ').next().unwrap_or_default();
        assert!(!outside.contains(&name), "the engine depends on {line}");
    }
    // The command line is the `rules` command's alone; the library names just these.
    let manifest = fs::read_to_string(repository().join("engine/Cargo.toml")).expect("it is there");
    let named = manifest.split("[dependencies]").nth(1).and_then(|rest| rest.split("\n[").next()).expect("it has some");
    let named: BTreeSet<_> =
        named.lines().filter_map(|line| line.split(['.', ' ', '=']).next()).filter(|it| !it.is_empty()).collect();
    let allowed = ["clap", "data-encoding", "hmac", "rand", "schemars", "serde", "serde_json", "sha2", "thiserror"];
    assert_eq!(named, BTreeSet::from(allowed));
}

#[test]
fn the_document_of_the_api_is_whole() {
    let text = run(Command::new(program("houserules")).arg("openapi")).well();
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{}", document["openapi"]);
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("it refers to itself only");
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("it has paths") {
        for (method, operation) in item.as_object().expect("a path has operations") {
            let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no name"));
            assert!(ids.insert(id), "two operations are called {id}");
            assert!(operation["responses"].as_object().is_some_and(|it| !it.is_empty()), "{id} has no answer");
            for name in path.split('{').skip(1).filter_map(|rest| rest.split('}').next()) {
                let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
                assert!(parameters.iter().any(|it| it["name"] == name), "{id} does not describe {name}");
            }
        }
    }
}

#[test]
fn the_document_that_is_kept_is_what_the_server_says() {
    let said = run(Command::new(program("houserules")).arg("openapi")).well();
    let kept = fs::read_to_string(repository().join("docs/openapi.json")).expect("it is there");
    let differing = said.lines().zip(kept.lines()).find(|(said, kept)| said != kept);
    assert!(
        said == kept,
        "docs/openapi.json is not what the server says: `make schema` writes it again. {differing:?}"
    );
}

fn collect_references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|it| collect_references(it, found));
        }
        Value::Array(items) => items.iter().for_each(|it| collect_references(it, found)),
        _ => {}
    }
}

#[test]
fn every_script_can_be_read_by_its_shell() {
    for folder in ["scripts", ".ci"] {
        for entry in fs::read_dir(repository().join(folder)).expect("it is there") {
            let path = entry.expect("it can be read").path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            if let Some(shell) = ["bash", "sh"].into_iter().find(|shell| text.starts_with(&format!("#!/bin/{shell}"))) {
                run(Command::new(shell).arg("-n").arg(&path)).well();
            }
        }
    }
}

/// Everything that is run by `make`, by a script or by continuous integration.
fn commands() -> Vec<(String, String)> {
    let files = |folder: &str| {
        let entries = fs::read_dir(repository().join(folder)).expect("it is there");
        entries.map(|entry| entry.expect("it can be read").path()).collect::<Vec<_>>()
    };
    let mut paths = [files("scripts"), files(".ci"), files(".github/workflows")].concat();
    paths.push(repository().join("Makefile"));
    let read = |path: std::path::PathBuf| (path.display().to_string(), fs::read_to_string(&path).expect("it is text"));
    paths.into_iter().map(read).collect()
}

#[test]
fn every_script_that_is_named_is_there() {
    for (path, text) in commands() {
        for (at, _) in text.match_indices("scripts/") {
            let name: String =
                text[at..].chars().take_while(|it| it.is_ascii_alphanumeric() || "/.-_".contains(*it)).collect();
            let name = name.trim_end_matches(['/', '.']);
            assert!(repository().join(name).exists(), "{path} names {name}");
        }
    }
}

/// What stands between backticks in the table of security requirements: files, and end-to-end tests as `room::name`.
#[test]
fn whatever_shows_that_a_security_requirement_is_met_is_there() {
    let table = fs::read_to_string(repository().join("docs/asvs.md")).expect("it is there");
    let is_word =
        |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_');
    let mut tests = 0;
    for named in table.split('`').skip(1).step_by(2) {
        let top = named.split('/').next().filter(|_| named.contains('/'));
        if top.is_some_and(|it| ["api", "docs", "engine", "migrations", "scripts", "templates", "tests"].contains(&it))
        {
            assert!(repository().join(named).exists(), "docs/asvs.md names {named}");
        } else if let Some((room, name)) = named.rsplit_once("::").filter(|_| named.split("::").all(is_word)) {
            let room = repository().join("tests/it").join(room.replace("::", "/"));
            let source =
                fs::read_to_string(room.with_extension("rs")).or_else(|_| fs::read_to_string(room.join("mod.rs")));
            let source = source.unwrap_or_else(|err| panic!("docs/asvs.md names {named}: {err}"));
            assert!(source.contains(&format!("fn {name}(")), "docs/asvs.md names {named}");
            tests += 1;
        }
    }
    assert!(tests > 50, "{tests}");
}

#[test]
fn actions_of_others_are_pinned_to_a_commit() {
    for (path, text) in commands() {
        for line in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let (_, commit) = line.1.split_once('@').unwrap_or_else(|| panic!("{path}: {}", line.1));
            let (commit, version) = commit.split_once(" # v").unwrap_or_else(|| panic!("{path}: {commit}"));
            let is_commit = commit.len() == 40 && commit.bytes().all(|it| it.is_ascii_hexdigit());
            assert!(is_commit && version.contains('.'), "{path}: {}", line.1);
        }
    }
}

#[test]
fn continuous_integration_leaves_no_part_and_no_test_out() {
    let read = |path: &str| fs::read_to_string(repository().join(path)).expect("it is there");
    let (workflow, script) = (read(".github/workflows/ci.yml"), read("scripts/test"));
    let runs =
        || workflow.lines().filter_map(|line| line.trim().strip_prefix("run: ")).map(|run| run.trim_matches('"'));
    let all = script.split("\nall)").nth(1).and_then(|rest| rest.split(['(', ')']).nth(1)).expect("it names its parts");
    let parts =
        all.split([' ', '\n', '"']).filter(|it| !["", "begin", "await", "words", "programs", "build"].contains(it));
    assert!(parts.clone().count() > 5, "{all}");
    for part in parts {
        assert!(runs().any(|run| run.split(' ').any(|it| it == part)), "no job runs {part}");
    }
    // Several jobs share the end-to-end tests: some have those of these names, and one has all others.
    let jobs: Vec<_> = runs().filter_map(|run| run.split_once(" -- ")).map(|(_, tests)| tests).collect();
    let (others, some): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|tests| tests.starts_with("--skip "));
    let [others] = others[..] else { panic!("not one job has all other end-to-end tests: {others:?}") };
    let names = |tests: &str| tests.split(' ').filter(|it| *it != "--skip").map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(names(others), some.iter().flat_map(|tests| names(tests)).collect());
}

#[test]
fn the_pages_of_the_games_words_are_what_the_document_says() {
    let folder = workplace().folder("games");
    run(python("scripts/games").arg(&folder)).well();
    for entry in fs::read_dir(&folder).expect("it is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().expect("it has a name");
        let kept = fs::read_to_string(repository().join("docs/games").join(name)).unwrap_or_default();
        let made = fs::read_to_string(&path).expect("it is text");
        assert!(made == kept, "docs/games/{} is not what the document says: `make schema` writes it", name.display());
    }
}
