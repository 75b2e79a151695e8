//! What the README and the guide to the API promise.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use harness::{TestApp, program, repository, run, workplace};
use serde_json::Value;

/// What the first script of this page prints: a line of JSON each.
fn tour(app: &TestApp, page: &str) -> Vec<Value> {
    let text = fs::read_to_string(repository().join(page)).expect("it is there");
    let tour = text.split_once("```sh\n").and_then(|(_, rest)| rest.split_once("```")).expect("it has a tour").0;
    let said = run(Command::new("sh").args(["-eu", "-c", tour]).env("URL", app.url())).well();
    said.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|err| panic!("{err}: {line}"))).collect()
}

#[tokio::test]
async fn ten_calls_lead_from_sign_in_to_a_finished_match() {
    let app = TestApp::start();
    let answers = tour(&app, "docs/api.md");
    let [shown, record] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(shown["status"], "finished", "{shown}");
    assert_eq!(record["match_id"], shown["id"], "{record}");
    let file = workplace().folder("tour").join("record.json");
    fs::write(&file, record.to_string()).expect("the folder of this run can be written to");
    run(Command::new(program("rules")).arg("verify").arg(&file)).well();
}

/// Every code stands in the guide with the sentence that people read, and every code of the API as a whole stands there.
#[test]
fn the_guide_explains_the_codes_of_errors() {
    let guide = fs::read_to_string(repository().join("docs/api.md")).expect("it is there");
    let explained: BTreeSet<(String, String)> = guide.lines().filter_map(explained).collect();
    let folder = repository().join("templates/text/en");
    let mut known = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it can be read").path();
        let text = fs::read_to_string(&path).expect("it is text");
        let codes = text.lines().filter_map(|line| line.strip_prefix("error-")?.split_once(" = "));
        for (code, sentence) in codes.map(|(code, sentence)| (code.to_owned(), sentence.to_owned())) {
            // But for the sentence for codes that have none, and those that say a code's better than its own.
            let is_general = path.ends_with("errors.ftl") && code != "refused" && !code.contains('-');
            let is_there = explained.contains(&(code.clone(), sentence.clone()));
            assert!(is_there || !is_general, "docs/api.md lacks: | `{code}` | STATUS | {sentence} |");
            known.insert((code, sentence));
        }
    }
    let wrong: Vec<_> = explained.difference(&known).collect();
    assert!(wrong.is_empty(), "docs/api.md says otherwise than the catalogues: {wrong:?}");
}

/// Code and sentence, of a line of the table of errors.
fn explained(line: &str) -> Option<(String, String)> {
    let cells: Vec<_> = line.split('|').map(str::trim).collect();
    let [_, code, status, sentence, _] = cells.as_slice() else { return None };
    let code = code.strip_prefix('`')?.strip_suffix('`')?;
    status.parse::<u16>().ok().map(|_| (code.to_owned(), (*sentence).to_owned()))
}

#[tokio::test]
async fn the_tour_goes_as_written() {
    let app = TestApp::start();
    let answers = tour(&app, "README.md");
    let [first, second, moved, refused, events] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(first["view"]["my_dice"].as_array().map(Vec::len), Some(5), "{first}");
    assert_eq!(second["view"]["my_dice"].as_array().map(Vec::len), Some(5), "{second}");
    assert_eq!(moved["version"], 1, "{moved}");
    assert_eq!(refused["code"], "not_your_turn", "{refused}");
    assert_eq!(events["items"].as_array().map(Vec::len), Some(2), "{events}");
}

#[test]
fn every_link_leads_somewhere() {
    let root = repository();
    let docs = fs::read_dir(root.join("docs")).expect("it is there").map(|entry| entry.expect("it can be read").path());
    let pages = docs.chain([root.join("README.md"), root.join("ARCHITECTURE.md")]);
    for page in pages.filter(|path| path.extension().is_some_and(|it| it == "md")) {
        let text = fs::read_to_string(&page).unwrap_or_else(|err| panic!("{}: {err}", page.display()));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            // The picture is taken from a running café.
            let target = page.parent().unwrap_or(root).join(link);
            assert!(
                target.exists() || link.ends_with(".png"),
                "{} leads to {link}, which is not there",
                page.display()
            );
        }
    }
}
