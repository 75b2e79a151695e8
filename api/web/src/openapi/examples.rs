//! Requests and answers of an evening that was really played, as `tests/it/examples.rs` wrote them down.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

static PLAYED: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// Adds those of an operation.
pub(super) fn add(operation: &mut Value) {
    let played = &PLAYED[operation["operationId"].as_str().unwrap_or_default()];
    if let Some(content) = operation.pointer_mut("/requestBody/content/application~1json") {
        put(content, &played["request"]);
    }
    for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
        if let Some(content) = answer.pointer_mut("/content/application~1json") {
            put(content, &played["answers"][status]);
        }
    }
}

fn put(content: &mut Value, named: &Value) {
    let named = named.as_object().into_iter().flatten();
    let examples: Map<String, Value> = named.map(|(name, it)| (name.clone(), json!({ "value": it }))).collect();
    if !examples.is_empty() {
        content["examples"] = examples.into();
    }
}
