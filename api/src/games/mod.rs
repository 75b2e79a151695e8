//! The games on offer, as the engine has them, with their names from the catalogues.

pub mod rest;
pub mod rules;
pub mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::{BadOptions, Kind};
use serde_json::{Map, Value};

use crate::error::{ApiError, ApiResult, FieldError, internal, unprocessable};

/// All options of a match of so many seats, defaults filled in. What the game refuses is named.
pub fn settle_options(kind: &dyn Kind, given: Option<&Value>, seats: u8) -> ApiResult<Value> {
    let none = Value::Object(Map::new());
    guarded(|| kind.settle_options(given.unwrap_or(&none), seats))?.map_err(|bad| bad_options(&bad))
}

/// Names the option at fault; the engine's own words about it are for developers and in the schema anyway.
pub(crate) fn bad_options(bad: &BadOptions) -> ApiError {
    let pointer = match bad {
        BadOptions::Option { key, .. } if key.is_empty() => "/options".to_owned(),
        BadOptions::Option { key, .. } => format!("/options/{}", key.replace('~', "~0").replace('/', "~1")),
        BadOptions::Seats { .. } => "/seats".to_owned(),
    };
    unprocessable(bad.code()).with_fields(vec![FieldError::new(pointer, "invalid")])
}

/// The rules must never bring down what plays them: a panic in there fails one request and is logged.
pub(crate) fn guarded<T>(engine: impl FnOnce() -> T) -> ApiResult<T> {
    catch_unwind(AssertUnwindSafe(engine)).map_err(|_| internal(anyhow::anyhow!("the engine panicked")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_option_is_named() {
        let bad = BadOptions::Option { key: "a/b".into(), why: "no".into() };
        let ApiError::Refused(refusal) = bad_options(&bad) else { panic!("a refusal") };
        assert_eq!((&*refusal.code, &*refusal.fields[0].pointer), ("invalid_options", "/options/a~1b"));
    }

    #[test]
    fn a_panicking_game_is_an_error_of_ours() {
        assert_eq!(guarded(|| -> u8 { panic!("for the test") }).unwrap_err().code(), "internal");
    }
}
