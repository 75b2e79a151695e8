//! Scenarios: matches as JSON, with assertions at each step. They serve as examples and as tests.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;

use crate::catalogue;
use crate::erased::{Match, PlayError, StartError};
use crate::game::Viewer;
use crate::record::value;
use crate::seats::Seat;

/// A scenario file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    game: String,
    #[expect(dead_code, reason = "for readers")]
    title: String,
    #[serde(default)]
    #[expect(dead_code, reason = "for readers")]
    rules: Vec<String>,
    options: Value,
    seats: i64,
    #[serde(default)]
    chance: Vec<Value>,
    #[serde(default)]
    steps: Vec<Step>,
    error: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Step {
    Move {
        seat: Seat,
        #[serde(rename = "move")]
        chosen: Value,
        rejected: Option<String>,
    },
    Chance {
        chance: Vec<Value>,
    },
    Legal {
        legal: Seat,
        #[serde(default)]
        includes: Vec<Value>,
        #[serde(default)]
        excludes: Vec<Value>,
        count: Option<usize>,
    },
    View {
        #[serde(default, rename = "as")]
        viewer: Looks,
        #[serde(default)]
        expect: Value,
        #[serde(default)]
        absent: Vec<String>,
    },
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case", untagged)]
enum Looks {
    Seat(Seat),
    #[default]
    #[serde(deserialize_with = "public")]
    Public,
}

fn public<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "public" => Ok(()),
        _ => Err(serde::de::Error::custom("a seat or \"public\"")),
    }
}

impl From<Looks> for Viewer {
    fn from(looks: Looks) -> Self {
        match looks {
            Looks::Seat(seat) => Viewer::Seat(seat),
            Looks::Public => Viewer::Public,
        }
    }
}

/// Plays a scenario, given as the text of its file.
///
/// # Errors
/// The first assertion that fails, in a sentence for developers.
pub fn run(text: &str) -> Result<(), String> {
    let scenario: Scenario = serde_json::from_str(text).map_err(|err| err.to_string())?;
    let kind = catalogue::find(&scenario.game).ok_or_else(|| format!("there is no game {:?}", scenario.game))?;
    let mut queue = VecDeque::from(scenario.chance);
    // No game seats 255, so what is no number of seats is refused like any other wrong one.
    let seats = u8::try_from(scenario.seats).unwrap_or(u8::MAX);
    let started = kind.start(&scenario.options, seats, &mut queue);
    let mut play = match (started, scenario.error) {
        (Err(StartError::BadOptions(err)), Some(code)) if err.code() == code => return Ok(()),
        (Err(StartError::BadOptions(err)), Some(code)) => {
            return Err(format!("{} instead of {code}: {err}", err.code()));
        }
        (Ok(_), Some(code)) => return Err(format!("set-up is not refused with {code}")),
        (Err(err), _) => return Err(format!("set-up: {err}")),
        (Ok((play, _)), None) => play,
    };
    for (number, step) in scenario.steps.into_iter().enumerate() {
        perform(&mut play, seats, &mut queue, step).map_err(|why| format!("step {number}: {why}"))?;
    }
    match queue.len() {
        0 => Ok(()),
        left => Err(format!("{left} outcomes are left over")),
    }
}

fn perform(play: &mut Box<dyn Match>, seats: u8, queue: &mut VecDeque<Value>, step: Step) -> Result<(), String> {
    match step {
        Step::Legal { legal: seat, .. } | Step::View { viewer: Looks::Seat(seat), .. } if seat.0 >= seats => {
            return Err(format!("there is no seat {}", seat.0));
        }
        Step::Chance { chance } => queue.extend(chance),
        Step::Move { seat, chosen, rejected } => {
            let before = play.save();
            match (play.play(seat, &chosen, queue), rejected) {
                (Ok(_), None) => {}
                (Ok(_), Some(code)) => return Err(format!("{chosen} is not refused with {code}")),
                (Err(PlayError::Refused(refusal)), Some(code)) if refusal.0 == code => {
                    if play.save() != before {
                        return Err(format!("{chosen} is refused, but changed something"));
                    }
                }
                (Err(err), Some(code)) => return Err(format!("{chosen}: {err} instead of {code}")),
                (Err(err), None) => return Err(format!("{chosen}: {err}")),
            }
        }
        Step::Legal { legal, includes, excludes, count } => {
            let moves: Vec<Value> = play.legal_moves(legal).iter().map(value).collect();
            let holds = |chosen: &Value| moves.iter().any(|it| same(chosen, it));
            if let Some(missing) = includes.iter().find(|it| !holds(it)) {
                return Err(format!("seat {} may not {missing}", legal.0));
            }
            if let Some(extra) = excludes.iter().find(|it| holds(it)) {
                return Err(format!("seat {} may {extra}", legal.0));
            }
            if count.is_some_and(|count| count != moves.len()) {
                return Err(format!("seat {} has {} legal moves", legal.0, moves.len()));
            }
        }
        Step::View { viewer, expect, absent } => {
            let view = value(&play.view(viewer.into()));
            if !expect.is_null() {
                matches(&expect, &view, "")?;
            }
            if let Some(path) = absent.iter().find(|path| view.pointer(path).is_some_and(|it| !it.is_null())) {
                return Err(format!("{path} is there"));
            }
        }
    }
    Ok(())
}

/// Checks that the view has everything expected. Objects match as subsets, all other values exactly.
fn matches(expected: &Value, actual: &Value, path: &str) -> Result<(), String> {
    match (expected, actual) {
        (Value::Object(wanted), Value::Object(there)) => {
            wanted.iter().try_for_each(|(key, wanted)| match there.get(key) {
                Some(it) => matches(wanted, it, &format!("{path}/{key}")),
                None => Err(format!("{path}/{key} is missing")),
            })
        }
        (Value::Array(wanted), Value::Array(there)) if wanted.len() == there.len() => wanted
            .iter()
            .zip(there)
            .enumerate()
            .try_for_each(|(place, (wanted, it))| matches(wanted, it, &format!("{path}/{place}"))),
        _ if same(expected, actual) => Ok(()),
        _ => Err(format!("{path} is {actual}, not {expected}")),
    }
}

/// Is it the same JSON? Numbers compare by value.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len() && one.iter().all(|(key, it)| other.get(key).is_some_and(|there| same(it, there)))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_scenario_holds_and_no_game_is_without() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
        let mut failures = Vec::new();
        let mut games = BTreeSet::new();
        for folder in std::fs::read_dir(root).expect("the scenarios are there") {
            let folder = folder.expect("a folder");
            for file in std::fs::read_dir(folder.path()).expect("a folder") {
                let path = file.expect("a file").path();
                games.insert(folder.file_name().into_string().expect("a name"));
                if let Err(why) = run(&std::fs::read_to_string(&path).expect("a text")) {
                    failures.push(format!("{}: {why}", path.display()));
                }
            }
        }
        assert_eq!(games, catalogue::GAMES.iter().map(|game| game.info().id.to_owned()).collect());
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    #[test]
    fn any_wrong_number_of_seats_is_refused() {
        for seats in [i64::MIN, -1, 0, 1, 7, 255, 256, i64::MAX] {
            let refused = |code: &str| {
                run(&format!(r#"{{"game":"perudo","title":"","options":{{}},"seats":{seats},"error":"{code}"}}"#))
            };
            assert_eq!(refused("invalid_seats"), Ok(()), "{seats}");
            assert!(refused("unknown_option").is_err(), "{seats}");
        }
    }

    #[test]
    fn an_expectation_that_does_not_hold_fails() {
        let run_step = |step: &str| {
            run(&format!(
                r#"{{"game":"perudo","title":"","options":{{}},"seats":2,"chance":[{{"first_seat":1}},
                {{"roll":{{"seat":0,"dice":[1,2,3,4,5]}}}},{{"roll":{{"seat":1,"dice":[1,2,3,4,5]}}}}],"steps":[{step}]}}"#
            ))
        };
        assert_eq!(run_step(r#"{"expect":{"to_move":[1]}}"#), Ok(()));
        assert!(run_step(r#"{"expect":{"to_move":[0]}}"#).is_err());
        assert!(run_step(r#"{"expect":{"no_such_field":null}}"#).is_err());
        assert!(run_step(r#"{"as":1,"absent":["/my_dice"]}"#).is_err());
        assert_eq!(run_step(r#"{"as":2,"absent":["/my_dice"]}"#), Err("step 0: there is no seat 2".into()));
        assert_eq!(run_step(r#"{"legal":2,"count":0}"#), Err("step 0: there is no seat 2".into()));
        assert!(run_step(r#"{"legal":1,"excludes":[{"type":"bid","count":1,"face":2}]}"#).is_err());
        assert!(run_step(r#"{"legal":0,"count":1}"#).is_err());
        assert!(run_step(r#"{"seat":1,"move":{"type":"dudo"}}"#).is_err());
        assert!(run_step(r#"{"seat":1,"move":{"type":"bid","count":1,"face":2},"rejected":"no_bid"}"#).is_err());
        assert!(run_step(r#"{"chance":[{"first_seat":0}]}"#).is_err());
    }
}
