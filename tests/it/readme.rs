//! What the README and the guide to the API promise.

use std::collections::{BTreeMap, BTreeSet};
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

/// The sentences of the English catalogues whose keys begin so, by what follows.
fn sentences(start: &str) -> BTreeMap<String, String> {
    let files = fs::read_dir(repository().join("templates/text/en")).expect("it is there");
    let texts = files.map(|entry| fs::read_to_string(entry.expect("it can be read").path()).expect("it is text"));
    let mut found = BTreeMap::new();
    for text in texts {
        let lines = text.lines().filter_map(|line| line.strip_prefix(start)?.split_once(" = "));
        found.extend(lines.map(|(code, sentence)| (code.to_owned(), sentence.to_owned())));
    }
    found
}

/// The tables of a page, each as its lines without the head.
fn tables(page: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(repository().join(page)).expect("it is there");
    let parts = text.split("| --- |\n").skip(1);
    parts.map(|part| part.lines().take_while(|line| line.starts_with('|')).map(str::to_owned).collect()).collect()
}

/// All codes that the document lists in this field.
fn listed(schema: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join("docs/openapi.json")).expect("it is there");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    let words = &document["components"]["schemas"][schema]["properties"]["code"]["x-extensible-enum"];
    words.as_array().expect("it is a list").iter().map(|it| it.as_str().expect("a word").to_owned()).collect()
}

/// The tables of codes hold exactly the codes of the API and of pages, each with its status and the sentence that people read.
#[test]
fn every_code_of_an_error_is_explained() {
    let [errors, fields, of_pages] = tables("docs/errors.md").try_into().expect("it has three tables");
    let text = fs::read_to_string(repository().join("docs/openapi.json")).expect("it is there");
    let cells = |line: &String| line.split('|').map(|it| it.trim().trim_matches('`').to_owned()).collect::<Vec<_>>();
    let known = sentences("error-");
    let mut explained = BTreeSet::new();
    for line in errors.iter().chain(&of_pages).map(cells) {
        let [_, code, _, sentence, _] = line.as_slice() else { panic!("{line:?}") };
        assert_eq!(Some(sentence), known.get(code), "docs/errors.md: {code}");
        explained.insert(code.clone());
    }
    let order: Vec<_> = errors.iter().map(|line| cells(line)[2].clone()).collect();
    assert!(order.is_sorted(), "docs/errors.md: the codes of the API stand by status: {order:?}");
    let of_api: BTreeSet<_> = errors.iter().map(|line| cells(line)[1].clone()).collect();
    assert_eq!(of_api, listed("Problem").into_iter().collect());
    // But for the sentence for codes that have none, what a page says by itself, and what says a code's better than its own.
    let missing: Vec<_> = known.keys().filter(|code| !code.contains('-') && !explained.contains(*code)).collect();
    assert_eq!(missing, ["nobody_else_here", "refused"]);
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    for (code, status) in statuses(&document) {
        assert!(
            errors.iter().any(|line| line.starts_with(&format!("| `{code}` | {status} |"))),
            "{code} with {status}"
        );
    }
    let known = sentences("field-");
    let lines: Vec<_> = known.iter().map(|(code, sentence)| format!("| `{code}` | {sentence} |")).collect();
    assert_eq!(fields, lines);
    assert_eq!(listed("FieldProblem"), known.into_keys().collect::<Vec<_>>());
}

/// Every code that some operation of the document has, with the status that it comes with there.
fn statuses(document: &Value) -> BTreeSet<(String, String)> {
    let operations =
        document["paths"].as_object().expect("it has paths").values().filter_map(Value::as_object).flatten();
    let answers = operations.filter_map(|(_, operation)| operation["responses"].as_object()).flatten();
    let codes = |(status, answer): (&String, &Value)| {
        let codes = answer["x-codes"].as_array().cloned().unwrap_or_default();
        codes.into_iter().filter_map(|it| it.as_str().map(|code| (code.to_owned(), status.clone()))).collect::<Vec<_>>()
    };
    answers.flat_map(codes).collect()
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
