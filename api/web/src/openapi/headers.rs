//! The headers of answers.

use serde_json::{Map, Value, json};

/// What the headers mean, once for all.
pub(super) fn add_components(document: &mut Value) {
    let text = |about: &str, example: &str| json!({ "description": about, "schema": { "type": "string" }, "example": example });
    let seconds = "How many seconds to wait before the request is sent again.";
    document["components"]["headers"] = json!({
        "ETag": text(
            "Names this state of the answer: sent back as `If-None-Match` it gets a 304 as long as nothing has changed.",
            "\"q7Zn3vGZ3Z3yqj1nGqv0Xw\"",
        ),
        "Location": text("The address of what was made.", "/api/v1/matches/0199f0f0-1f5c-7c3a-9d0e-5f3f4b0c9a11"),
        "Retry-After": { "description": seconds, "schema": { "type": "integer", "minimum": 0 }, "example": 2 },
        "RateLimit": text(
            "The limit of which the least is left: how much (`r`), and in how many seconds all of it is free again (`t`).",
            "\"writes-account\";r=119;t=1",
        ),
        "RateLimit-Policy": text(
            "The limits that this request was counted for: so many (`q`) in so many seconds (`w`).",
            "\"writes-account\";q=120;w=60, \"writes-address\";q=3000;w=60",
        ),
    });
}

fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Value {
    let header = |name: &str| (name.to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }));
    Value::Object(names.into_iter().map(header).collect::<Map<_, _>>())
}

/// Adds the headers of the answers of an operation that do not refuse.
pub(super) fn add(operation: &mut Value, method: &str) {
    let is_tagged = operation["responses"].get("304").is_some();
    for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
        if !status.starts_with(['2', '3']) {
            continue;
        }
        let mut names = Vec::new();
        if is_tagged && matches!(status.as_str(), "200" | "304") {
            names.push("ETag");
        }
        if status == "201" {
            names.push("Location");
        }
        if method != "get" {
            names.extend(["RateLimit", "RateLimit-Policy"]);
        }
        if !names.is_empty() {
            answer["headers"] = named(names);
        }
    }
}

/// The headers of a refusal.
pub(super) fn of_refusal(status: u16, codes: &[&str]) -> Option<Value> {
    let waits = matches!(status, 429 | 503) || codes.contains(&"idempotency_key_in_use");
    match (waits, status) {
        (true, 429) => Some(named(["Retry-After", "RateLimit", "RateLimit-Policy"])),
        (true, _) => Some(named(["Retry-After"])),
        (false, _) => None,
    }
}
