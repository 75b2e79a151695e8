//! The games on offer, as the engine has them, with their names from the catalogues.

pub mod shapes;
pub mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::{BadOptions, Kind, Match, catalogue};
use serde_json::{Map, Value};

use crate::error::{Error, FieldError, Result, conflict, internal, unprocessable};

/// Any game outside the catalogue: its title says what is played. Such a match is written down.
pub const OTHER: &str = "other";

/// The engine's game of a match. Games are never taken out of the catalogue while matches of them are kept.
pub fn kind(game: &str) -> Result<&'static dyn Kind> {
    catalogue::find(game).ok_or_else(|| internal(anyhow::anyhow!("there is no game {game}")))
}

/// The match that the engine saved.
pub fn resume(game: &str, revision: i32, state: &[u8]) -> Result<Box<dyn Match>> {
    let kind = kind_as_played(game, revision)?;
    guarded(|| kind.resume(state))?.map_err(internal)
}

/// The engine's game, if it is still played by the rules of this revision.
pub fn kind_as_played(game: &str, revision: i32) -> Result<&'static dyn Kind> {
    let kind = kind(game)?;
    match i64::from(kind.info().revision) == i64::from(revision) {
        true => Ok(kind),
        false => Err(conflict("other_revision")),
    }
}

/// All options of a match of so many seats, defaults filled in. What the game refuses is named.
pub fn complete_options(kind: &dyn Kind, given: Option<&Value>, seats: u8) -> Result<Value> {
    let none = Value::Object(Map::new());
    let given = given.unwrap_or(&none);
    guarded(|| kind.normalize_options(given, seats))?.map_err(|bad| bad_options(kind, given, &bad))
}

/// Names the option at fault and, by its schema, what is wrong with it.
pub fn bad_options(kind: &dyn Kind, given: &Value, bad: &BadOptions) -> Error {
    let field = match bad {
        BadOptions::Option { key, .. } if key.is_empty() => FieldError::new("/options", "invalid"),
        BadOptions::Option { key, .. } => {
            let pointer = format!("/options/{}", key.replace('~', "~0").replace('/', "~1"));
            let schema = kind.options_schema().to_value();
            wrong_option(pointer, schema["properties"].get(key), &given[key])
        }
        BadOptions::Seats { allowed, .. } => {
            FieldError::not_within("/seats", (*allowed.start()).into(), (*allowed.end()).into())
        }
    };
    unprocessable(bad.code()).with_fields(vec![field])
}

fn wrong_option(pointer: String, schema: Option<&Value>, value: &Value) -> FieldError {
    let Some(schema) = schema else { return FieldError::new(pointer, "unknown_field") };
    let is = |name: &str| schema["type"].to_string().contains(name);
    let bounds = schema["minimum"].as_i64().zip(schema["maximum"].as_i64());
    match (value, bounds) {
        (Value::Number(number), Some((least, most))) if number.is_i64() => FieldError::not_within(pointer, least, most),
        (Value::String(_), _) if !is("boolean") && !is("integer") => FieldError::new(pointer, "unknown_value"),
        _ => FieldError::new(pointer, "wrong_type"),
    }
}

/// The rules must never bring down what plays them: a panic in there fails one request and is logged.
pub fn guarded<T>(engine: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(engine)).map_err(|_| internal(anyhow::anyhow!("the engine panicked")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_refused_option_is_named_and_so_is_what_is_wrong_with_it() {
        let refused = |game: &str, options: Value, seats: u8| {
            let kind = catalogue::find(game).unwrap();
            let Error::Refused(refusal) = complete_options(kind, Some(&options), seats).unwrap_err() else {
                panic!("a refusal")
            };
            let field = &refusal.fields[0];
            format!("{} {} {} {:?}", refusal.code, field.pointer, field.code, field.bounds)
        };
        for (game, options, seats, wrong) in [
            ("perudo", json!({ "a/b": 1 }), 3, "invalid_options /options/a~1b unknown_field None"),
            ("perudo", json!({ "calza": "yes" }), 3, "invalid_options /options/calza wrong_type None"),
            ("perudo", json!([]), 3, "invalid_options /options invalid None"),
            ("perudo", json!({}), 9, "invalid_seats /seats not_within Some((2, 6))"),
            ("liars-dice", json!({ "track": "long" }), 3, "invalid_options /options/track unknown_value None"),
            (
                "middle-race",
                json!({ "track_length": 9 }),
                4,
                "invalid_options /options/track_length not_within Some((10, 60))",
            ),
        ] {
            assert_eq!(refused(game, options, seats), wrong);
        }
    }

    #[test]
    fn a_panicking_game_is_an_error_of_ours() {
        assert_eq!(guarded(|| -> u8 { panic!("for the test") }).unwrap_err().code(), "internal");
    }
}
