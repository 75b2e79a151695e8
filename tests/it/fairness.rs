//! The chance of a match can be checked by anybody, in any language: `docs/fairness.md`.

use std::fs;

use engine::record::{self, Entry, Record};
use engine::{FairDealer, Seat, Seed, Step, Turn, VariantHash, catalogue, playout};
use harness::{program, python, repository, run, workplace};
use serde_json::{Value, json};

const EXAMPLE: &str = "docs/fairness-example.json";

/// A random match with fair chance, as its record.
fn played(game: &str, seats: u8, options: &Value, seed: [u8; 32], nonces: &[Option<&str>]) -> Record {
    let kind = catalogue::find(game).expect("it is on offer");
    let seed = Seed(seed);
    let mut dealer = FairDealer::new(seed.clone(), nonces.iter().copied(), 0);
    let (mut play, step) = kind.start(options, seats, &mut dealer).expect("the options are good");
    let mut log = Vec::new();
    let note = |step: &Step, log: &mut Vec<Entry>| {
        let read = |text: &str| serde_json::from_str(text).expect("an outcome is JSON");
        log.extend(step.chance.iter().map(|chance| Entry::Chance { chance: read(chance.get()), drawn: Vec::new() }));
    };
    note(&step, &mut log);
    let mut chooser = playout::random(7);
    while let Some((seat, chosen)) = playout::random_move(play.as_ref(), &mut chooser) {
        let chosen: Value = serde_json::from_str(chosen.get()).expect("a move is JSON");
        let step = play.play(seat, &chosen, &mut dealer).expect("a listed move is accepted");
        log.push(Entry::Move { seat, chosen });
        note(&step, &mut log);
    }
    let Turn::Over(outcome) = play.turn() else { panic!("the match is over") };
    let options = kind.normalize_options(options, seats).expect("the options are good");
    let record = Record {
        match_id: "019f0000-0000-7000-8000-000000000000".into(),
        game: game.into(),
        revision: kind.info().revision,
        variant_hash: Some(VariantHash::of(game, kind.info().revision, &options)),
        options,
        seats,
        commitment: seed.commitment(),
        seed,
        nonces: nonces.iter().map(|nonce| nonce.map(Into::into)).collect(),
        log,
        outcome: Some(outcome),
    };
    record.with_drawings()
}

/// One line for each thing that happened.
fn in_lines(record: &Value) -> String {
    let record = record.as_object().expect("a record is an object");
    let fields = record.iter().map(|(name, value)| match (name.as_str(), value) {
        ("log", Value::Array(log)) => {
            let log: Vec<_> = log.iter().map(|entry| format!("    {entry}")).collect();
            format!("  \"log\": [\n{}\n  ]", log.join(",\n"))
        }
        (name, value) => format!("  \"{name}\": {value}"),
    });
    format!("{{\n{}\n}}\n", fields.collect::<Vec<_>>().join(",\n"))
}

fn check_in_python(record: &Value) -> harness::Ran {
    let path = workplace().root().join(workplace().unique("record"));
    fs::write(&path, record.to_string()).expect("the folder of this run can be written to");
    run(python("docs/verify.py").arg(&path))
}

/// What the page on a player's phone finds.
fn check_in_javascript(record: &Value) -> Value {
    let path = workplace().root().join(workplace().unique("record"));
    fs::write(&path, record.to_string()).expect("the folder of this run can be written to");
    let script = "require(process.argv[1]); const fs = require('fs'); \
        console.log(JSON.stringify(verifyRecord(JSON.parse(fs.readFileSync(process.argv[2])))))";
    let verify = repository().join("templates/static/verify.js");
    let ran = run(std::process::Command::new("node").args(["-e", script]).arg(verify).arg(path));
    serde_json::from_str(&ran.well()).expect("it says what it found")
}

#[test]
fn the_example_of_the_document_holds_in_rust_and_in_python() {
    let path = repository().join(EXAMPLE);
    let seed = std::array::from_fn(|place| place as u8);
    let fresh = played("perudo", 2, &json!({}), seed, &[Some("행운"), None]);
    let fresh = serde_json::to_value(&fresh).expect("a record is JSON");
    if std::env::var_os("WRITE_EXAMPLES").is_some() {
        fs::write(&path, in_lines(&fresh)).expect("the repository can be written to");
    }
    let text = fs::read_to_string(&path).expect("the example is there");
    let record: Value = serde_json::from_str(&text).expect("the example is JSON");
    record::verify(&serde_json::from_value(record.clone()).expect("the example is a record"))
        .expect("the example holds");
    check_in_python(&record).well();
    let ran = run(std::process::Command::new(program("rules")).arg("verify").arg(&path));
    assert!(ran.well().contains("the record holds"));
}

#[test]
fn python_and_the_phone_draw_what_the_engine_draws() {
    for kind in catalogue::GAMES {
        let info = kind.info();
        let others: &[Value] = match info.id {
            "dead-mans-draw" => &[json!({ "traits": true, "mermaid_rules": true, "game_variant": "random" })],
            "middle-race" => &[json!({ "characters": "random" }), json!({ "characters": "draft" })],
            _ => &[],
        };
        for options in others.iter().chain([&json!({})]) {
            for seats in [*info.seats.start(), *info.seats.end()] {
                let nonces: Vec<_> = (0..seats).map(|seat| (seat != 1).then_some("nonce ✓")).collect();
                let record = played(info.id, seats, options, [seats; 32], &nonces);
                let record = serde_json::to_value(record).expect("a record is JSON");
                check_in_python(&record).well();
                let found = check_in_javascript(&record);
                assert!(found["problem"].is_null() && found["checked"].as_u64() > Some(0), "{}: {found}", info.id);
            }
        }
    }
}

/// A checker must know the order of the pieces from elsewhere than the record.
#[test]
fn the_pieces_of_the_document_are_those_of_the_engine() {
    let path = repository().join("docs/pieces.json");
    let all = catalogue::GAMES.iter().map(|kind| (kind.info().id.to_owned(), Value::from(kind.pieces())));
    let all = Value::Object(all.filter(|(_, pieces)| pieces != &json!([])).collect());
    if std::env::var_os("WRITE_EXAMPLES").is_some() {
        fs::write(&path, in_lines(&all)).expect("the repository can be written to");
    }
    let text = fs::read_to_string(&path).expect("the pieces are there");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("they are JSON"), all, "WRITE_EXAMPLES=1 writes them");
}

#[test]
fn a_record_that_says_how_it_was_drawn_cannot_choose_the_order_of_the_pieces() {
    let record = played("animal-kingdom", 10, &json!({}), [3; 32], &[None; 10]);
    let mut record = serde_json::to_value(record).expect("a record is JSON");
    let swap = |list: &mut Value| list.as_array_mut().expect("a list").swap(0, 1);
    // The same permutation of pieces in another order gives another deal, which the log then tells.
    let dealt = record["log"][0]["chance"]["animals"].clone();
    let other = |animal: &Value| match animal.as_str() {
        Some("lion") => json!("crocodile"),
        Some("crocodile") => json!("lion"),
        _ => animal.clone(),
    };
    let swapped: Vec<Value> = dealt.as_array().expect("a list").iter().map(other).collect();
    *record.pointer_mut("/log/0/chance/animals").expect("it is there") = json!(swapped);
    swap(record.pointer_mut("/log/0/drawn/0/shuffle").expect("it is there"));
    assert_ne!(check_in_python(&record).status, Some(0));
    assert!(record::verify(&serde_json::from_value(record).expect("it is still a record")).is_err());
}

#[test]
fn a_record_from_before_records_said_how_they_were_drawn_still_holds() {
    for kind in catalogue::GAMES {
        let seats = *kind.info().seats.end();
        let record = played(kind.info().id, seats, &json!({}), [5; 32], &vec![None; seats.into()]);
        let mut record = serde_json::to_value(record).expect("a record is JSON");
        for entry in record["log"].as_array_mut().expect("a log") {
            entry.as_object_mut().expect("an entry").remove("drawn");
        }
        check_in_python(&record).well();
        record::verify(&serde_json::from_value(record).expect("it is still a record")).expect("it holds");
    }
}

#[test]
fn python_and_the_phone_notice_what_was_changed() {
    let record = played("perudo", 2, &json!({}), [3; 32], &[None, Some("x")]);
    let record = serde_json::to_value(record).expect("a record is JSON");
    let other_seed = format!("{:064x}", 5);
    for (pointer, value) in [
        ("/seed", json!(other_seed)),
        ("/nonces/1", json!("y")),
        ("/log/0/chance/first_seat", json!(1 - record["log"][0]["chance"]["first_seat"].as_u64().unwrap_or(0))),
        ("/log/1/chance/roll/dice", json!([1, 1, 1, 1, 1])),
        ("/variant_hash", json!(format!("{:064x}", 5))),
    ] {
        let mut changed = record.clone();
        *changed.pointer_mut(pointer).expect("it is there") = value;
        assert_ne!(check_in_python(&changed).status, Some(0), "{pointer}");
        if pointer != "/variant_hash" {
            assert!(!check_in_javascript(&changed)["problem"].is_null(), "{pointer}");
        }
        let changed: Record = serde_json::from_value(changed).expect("it is still a record");
        assert!(record::verify(&changed).is_err(), "{pointer}");
    }
}

/// A record that was made up whole agrees with itself. Only the commitment from before the start tells.
#[test]
fn a_record_of_another_match_is_noticed_by_the_commitment_that_was_seen() {
    let seen = played("perudo", 2, &json!({}), [3; 32], &[None, None]).commitment.to_hex();
    for (seed, holds) in [([3; 32], true), ([4; 32], false)] {
        let record = played("perudo", 2, &json!({}), seed, &[None, None]);
        let path = workplace().root().join(workplace().unique("record"));
        fs::write(&path, serde_json::to_string(&record).expect("a record is JSON"))
            .expect("the folder of this run can be written to");
        let mut rules = std::process::Command::new(program("rules"));
        for command in [rules.arg("verify"), &mut python("docs/verify.py")] {
            let ran = run(command.arg(&path).args(["--commitment", &seen]));
            assert_eq!(ran.status == Some(0), holds, "{}{}", ran.said, ran.complained);
        }
    }
}

#[test]
fn a_record_from_before_variants_had_hashes_still_holds() {
    let record = played("perudo", 2, &json!({}), [3; 32], &[None, None]);
    let mut record = serde_json::to_value(record).expect("a record is JSON");
    record.as_object_mut().expect("it is an object").remove("variant_hash");
    check_in_python(&record).well();
    record::verify(&serde_json::from_value(record).expect("it is still a record")).expect("it holds");
}

#[test]
fn the_example_of_the_hash_of_a_variant_holds_in_python() {
    let page = fs::read_to_string(repository().join("docs/variants.md")).expect("it is there");
    let example = page.split_once("```python\n").and_then(|(_, rest)| rest.split_once("```")).expect("it has one").0;
    let path = workplace().root().join(workplace().unique("example"));
    fs::write(&path, example).expect("the folder of this run can be written to");
    run(std::process::Command::new("python3").arg(&path)).well();
}

#[test]
fn seats_are_numbers_in_a_record() {
    let record = played("perudo", 2, &json!({}), [3; 32], &[None, None]);
    assert!(record.log.iter().any(|entry| matches!(entry, Entry::Move { seat: Seat(0), .. })));
}
