//! Imports run in one direction: a room uses the rooms that stand after it in the lists of `ARCHITECTURE.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use harness::repository;

/// The rooms of a crate from the top to the bottom, as the list after this mark names them.
fn order(mark: &str) -> Vec<String> {
    let map = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("it is there");
    let (_, list) = map.split_once(&format!("<!-- rooms of {mark} -->")).expect("the list has its mark");
    let list = list.split("\n\n").map(str::trim).find(|part| !part.is_empty()).expect("the list follows its mark");
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// From a room to each room that it uses, with the file that does.
type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

fn collect(folder: &Path, room: Option<&str>, arrows: &mut Arrows, rooms: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("it has a name").to_owned();
        let room = room.unwrap_or(&name);
        if path.is_dir() {
            collect(&path, Some(room), arrows, rooms);
        } else if path.extension().is_some_and(|it| it == "rs") && room != "lib" {
            rooms.insert(room.to_owned());
            let source = fs::read_to_string(&path).expect("it can be read");
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for used in used_rooms(code) {
                arrows.entry((room.to_owned(), used)).or_default().insert(path.display().to_string());
            }
        }
    }
}

/// The rooms that this code names: `crate::room`, also within `use crate::{room, other::Thing}`.
fn used_rooms(code: &str) -> BTreeSet<String> {
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let word = |text: &str| text.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect::<String>();
    let mut used = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => _ = used.insert(word(rest)),
            Some(list) => {
                let mut depth = 0;
                let mut start = true;
                for (at, it) in list.char_indices() {
                    match it {
                        '}' if depth == 0 => break,
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        it if start && !it.is_whitespace() => {
                            used.insert(word(&list[at..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    used
}

/// Of these crates together, since one that holds little imports little.
fn points_down(crates: &[&str]) {
    let mut found = (0, 0);
    for name in crates {
        let (arrows, rooms) = check(name);
        found = (found.0 + arrows, found.1 + rooms);
    }
    assert!(found.0 > found.1, "hardly any import was found in {crates:?}: {found:?}");
}

/// How many arrows and rooms a crate has, none of which runs up.
fn check(crate_name: &str) -> (usize, usize) {
    let order = order(crate_name);
    let (mut arrows, mut rooms) = (Arrows::new(), BTreeSet::new());
    collect(&repository().join("api").join(crate_name).join("src"), None, &mut arrows, &mut rooms);
    let listed: BTreeSet<String> = order.iter().cloned().collect();
    assert_eq!(listed.len(), order.len(), "ARCHITECTURE.md lists a room of {crate_name} twice");
    assert_eq!(listed, rooms, "ARCHITECTURE.md lists other rooms than {crate_name} has");
    let place = |room: &String| order.iter().position(|it| it == room);
    // What is no room is a macro of the crate.
    let up = arrows.iter().filter(|((from, to), _)| place(to).is_some_and(|to| place(from) > Some(to)));
    let up: Arrows = up.map(|(arrow, files)| (arrow.clone(), files.clone())).collect();
    assert!(up.is_empty(), "these imports run up: {up:#?}");
    (arrows.len(), rooms.len())
}

fn files_within(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it can be listed").map(|it| it.expect("it can be listed").path());
    entries.flat_map(|path| if path.is_dir() { files_within(&path) } else { vec![path] }).collect()
}

const USE_CASES: [&str; 3] = ["cafe", "competitions", "play"];
const WEB: [&str; 6] = ["web", "web-competitions", "web-play", "web-people", "web-cafe", "web-base"];

#[test]
fn rooms_of_the_use_cases_point_down() {
    points_down(&USE_CASES);
}

#[test]
fn rooms_of_the_base_point_down() {
    points_down(&["base"]);
}

#[test]
fn rooms_of_the_web_point_down() {
    points_down(&WEB);
}

/// Whether the manifest of a crate names one that begins so.
fn depends(name: &str, on: &str) -> bool {
    let manifest = repository().join("api").join(name).join("Cargo.toml");
    fs::read_to_string(manifest).expect("it is there").lines().any(|line| line.starts_with(on))
}

#[test]
fn the_cafe_knows_no_http_and_the_web_no_sql() {
    for name in USE_CASES.iter().chain(&["base"]) {
        for http in ["actix", "askama", "hyper"] {
            assert!(!depends(name, http), "{name} depends on {http}");
        }
    }
    for name in WEB {
        assert!(!depends(name, "tokio-postgres"), "{name} depends on tokio-postgres");
        let sources = files_within(&repository().join("api").join(name).join("src"));
        for path in sources.iter().filter(|it| it.extension().is_some_and(|it| it == "rs")) {
            let source = fs::read_to_string(path).expect("it can be read");
            // Diesel itself is there for connections and errors.
            for sql in ["RunQueryDsl", "sql_query(", "base::schema"] {
                assert!(!source.contains(sql), "{} has {sql}", path.display());
            }
        }
    }
    let apart = ["web-competitions", "web-play", "web-people"];
    for (one, other) in apart.iter().flat_map(|one| apart.iter().map(move |other| (one, other))) {
        assert!(!depends(one, other), "{one} depends on {other}");
    }
}

/// So an edit of the café builds neither of them again.
#[test]
fn the_base_of_the_web_and_competitions_stand_without_the_cafe() {
    let above = ["cafe", "web-cafe", "web-people", "web-play"];
    for (name, above) in ["web-base", "web-competitions"].iter().flat_map(|name| above.map(|above| (name, above))) {
        assert!(!depends(name, above), "{name} depends on {above}");
    }
    assert!(["web-cafe", "web-people", "web-play"].iter().all(|name| depends(name, "cafe")), "no dependency is found");
}

#[test]
fn uses_of_rooms_are_found() {
    let code = "use crate::{audit, db::Db, matches::{self, Mode}};\nuse crate::ids::X; // crate::not\nfn f() { crate::live::x() }";
    let found: Vec<_> = used_rooms(code).into_iter().collect();
    assert_eq!(found, ["audit", "db", "ids", "live", "matches"]);
}
