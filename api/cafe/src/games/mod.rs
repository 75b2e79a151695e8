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
    guarded(|| kind.normalize_options(given.unwrap_or(&none), seats))?.map_err(|bad| bad_options(&bad))
}

/// Names the option at fault; the engine's own words about it are for developers and in the schema anyway.
pub fn bad_options(bad: &BadOptions) -> Error {
    let pointer = match bad {
        BadOptions::Option { key, .. } if key.is_empty() => "/options".to_owned(),
        BadOptions::Option { key, .. } => format!("/options/{}", key.replace('~', "~0").replace('/', "~1")),
        BadOptions::Seats { .. } => "/seats".to_owned(),
    };
    unprocessable(bad.code()).with_fields(vec![FieldError::new(pointer, "invalid")])
}

/// The rules must never bring down what plays them: a panic in there fails one request and is logged.
pub fn guarded<T>(engine: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(engine)).map_err(|_| internal(anyhow::anyhow!("the engine panicked")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_option_is_named() {
        let bad = BadOptions::Option { key: "a/b".into(), why: "no".into() };
        let Error::Refused(refusal) = bad_options(&bad) else { panic!("a refusal") };
        assert_eq!((&*refusal.code, &*refusal.fields[0].pointer), ("invalid_options", "/options/a~1b"));
    }

    #[test]
    fn a_panicking_game_is_an_error_of_ours() {
        assert_eq!(guarded(|| -> u8 { panic!("for the test") }).unwrap_err().code(), "internal");
    }
}
