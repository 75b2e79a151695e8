//! A match, and what was acknowledged of it.

use std::fs;
use std::process::Command;

use harness::{Visitor, program, run, workplace};
use serde_json::{Value, json};

#[derive(Debug)]
pub(super) struct Played {
    pub(super) id: String,
    pub(super) moves: Vec<Acknowledged>,
}

/// A move that the service said it has made.
#[derive(Debug, PartialEq)]
pub(super) struct Acknowledged {
    pub(super) seat: usize,
    /// None where it was sent by a form.
    pub(super) chosen: Option<Value>,
}

impl Acknowledged {
    fn is(&self, entry: &Value) -> bool {
        entry["seat"] == self.seat && self.chosen.as_ref().is_none_or(|chosen| entry["move"] == *chosen)
    }
}

impl Played {
    pub(super) fn new(id: &str) -> Self {
        Played { id: id.to_owned(), moves: Vec::new() }
    }

    /// The record has exactly what was acknowledged, and replays.
    pub(super) async fn holds(&self, owner: &Visitor) {
        let path = format!("/matches/{}", self.id);
        // It is over already, unless its players went home.
        owner.post(&format!("{path}/abort"), json!({ "reason": "enough" })).await;
        let record = owner.get(&format!("{path}/record")).await.is(200);
        let log = record["log"].as_array().expect("a record has a log");
        let moves: Vec<_> = log.iter().filter(|entry| entry.get("move").is_some()).collect();
        let is_all = moves.len() == self.moves.len() && self.moves.iter().zip(&moves).all(|(it, entry)| it.is(entry));
        assert!(is_all, "match {}: acknowledged are {:#?}, recorded {moves:#?}", self.id, self.moves);
        let file = workplace().root().join(workplace().unique("record"));
        fs::write(&file, record.to_string()).expect("the folder of this run can be written to");
        run(Command::new(program("rules")).arg("verify").arg(&file)).well();
        fs::remove_file(&file).expect("it is ours");
    }
}
