//! Imports run in one direction: a room uses the rooms that stand after it in the lists of `ARCHITECTURE.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

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

fn points_down(crate_name: &str) {
    let order = order(crate_name);
    let (mut arrows, mut rooms) = (Arrows::new(), BTreeSet::new());
    collect(&repository().join("api").join(crate_name).join("src"), None, &mut arrows, &mut rooms);
    let listed: BTreeSet<String> = order.iter().cloned().collect();
    assert_eq!(listed.len(), order.len(), "ARCHITECTURE.md lists a room of {crate_name} twice");
    assert_eq!(listed, rooms, "ARCHITECTURE.md lists other rooms than {crate_name} has");
    assert!(!arrows.is_empty(), "no import was found in {crate_name}");
    let place = |room: &String| order.iter().position(|it| it == room);
    // What is no room is a macro of the crate.
    let up = arrows.iter().filter(|((from, to), _)| place(to).is_some_and(|to| place(from) > Some(to)));
    let up: Arrows = up.map(|(arrow, files)| (arrow.clone(), files.clone())).collect();
    assert!(up.is_empty(), "these imports run up: {up:#?}");
}

#[test]
fn rooms_of_the_cafe_point_down() {
    points_down("cafe");
}

#[test]
fn rooms_of_competitions_point_down() {
    points_down("competitions");
}

#[test]
fn rooms_of_play_point_down() {
    points_down("play");
}

#[test]
fn rooms_of_the_base_point_down() {
    points_down("base");
}

#[test]
fn rooms_of_the_web_point_down() {
    for name in ["web-base", "web-cafe", "web-play", "web-competitions", "web"] {
        points_down(name);
    }
}

#[test]
fn the_cafe_knows_no_http_and_the_web_no_sql() {
    let manifest =
        |name: &str| fs::read_to_string(repository().join("api").join(name).join("Cargo.toml")).expect("it is there");
    for name in ["base", "play", "competitions", "cafe"] {
        for forbidden in ["actix", "askama", "hyper"] {
            assert!(!manifest(name).lines().any(|line| line.starts_with(forbidden)), "{name} depends on {forbidden}");
        }
    }
    for name in ["web-base", "web-cafe", "web-play", "web-competitions", "web"] {
        assert!(!manifest(name).lines().any(|line| line.starts_with("tokio-postgres")), "{name} speaks SQL");
    }
}

#[test]
fn uses_of_rooms_are_found() {
    let code = "use crate::{audit, db::Db, matches::{self, Mode}};\nuse crate::ids::X; // crate::not\nfn f() { crate::live::x() }";
    let found: Vec<_> = used_rooms(code).into_iter().collect();
    assert_eq!(found, ["audit", "db", "ids", "live", "matches"]);
}
