//! Holds the service to its OpenAPI document: it refuses with no code that the document does not have at that operation, and tags the
//! answers of which the document says so.

use std::sync::LazyLock;

use serde_json::Value;

use crate::programs::repository;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let text = std::fs::read_to_string(repository().join("docs/openapi.json")).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
});

/// # Panics
/// When the document does not have this code at the operation of this address.
pub(crate) fn expect_refusal(method: &str, path: &str, problem: &Value) {
    let Some(operation) = operation(method, path) else { return };
    let code = problem["code"].as_str().unwrap_or_default();
    let status = problem["status"].to_string();
    let is_listed =
        |answer: &Value| answer["x-codes"].as_array().is_some_and(|codes| codes.iter().any(|it| it == code));
    let listed = ["default", &status].iter().any(|it| is_listed(resolved(&operation["responses"][*it])));
    let is_of_game = operation["operationId"] == "play_move" && status == "422";
    assert!(
        listed || is_of_game,
        "{method} {path} refuses with {status} {code}: the document lacks it at {} (api/web/src/openapi/codes.rs)",
        operation["operationId"]
    );
}

/// # Panics
/// When a GET of this address has a tag and the document knows of none, or has none and the document promises one.
pub(crate) fn expect_tag(path: &str, has_tag: bool) {
    let Some(operation) = operation("GET", path) else { return };
    let answers = &operation["responses"];
    let says = [answers["200"]["headers"]["ETag"].is_object(), answers["304"].is_object()];
    assert_eq!(says, [has_tag; 2], "GET {path}: the document is wrong about its ETag at {}", operation["operationId"]);
}

fn resolved(answer: &'static Value) -> &'static Value {
    match answer["$ref"].as_str().and_then(|it| it.strip_prefix('#')) {
        Some(pointer) => DOCUMENT.pointer(pointer).unwrap_or(&Value::Null),
        None => answer,
    }
}

/// The operation at this address. Of several templates the one with the fewest places counts, as for the router.
fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let paths = DOCUMENT["paths"].as_object()?.iter();
    let places = |template: &str| template.matches('{').count();
    let fitting = paths.filter(|(template, _)| fits(template, path)).min_by_key(|(template, _)| places(template));
    fitting.and_then(|(_, item)| item.get(method.to_ascii_lowercase()))
}

fn fits(template: &str, path: &str) -> bool {
    template.split('/').count() == path.split('/').count()
        && template.split('/').zip(path.split('/')).all(|(place, part)| place.starts_with('{') || place == part)
}
