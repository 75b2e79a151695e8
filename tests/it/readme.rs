//! What the README promises.

use std::fs;
use std::process::Command;

use harness::{TestApp, repository, run};

#[tokio::test]
async fn the_tour_goes_as_written() {
    let app = TestApp::start();
    let readme = fs::read_to_string(repository().join("README.md")).expect("it is there");
    let tour = readme.split_once("```sh\n").and_then(|(_, rest)| rest.split_once("```")).expect("it has a tour").0;
    let said = run(Command::new("sh").args(["-eu", "-c", tour]).env("URL", app.url())).well();
    let answers: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|err| panic!("{err}: {line}"))).collect();
    let [first, second, moved, refused, events] = answers.as_slice() else { panic!("{said}") };
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
