//! How each operation may refuse: an answer for each status, with the codes that come with it.

use std::collections::{BTreeMap, BTreeSet};

use base::text::Lang;
use serde_json::{Value, json};

use super::codes::{ANYWHERE, BY_OPERATION, BY_PATH, FIELDS, STATUSES, TOURNAMENT_CHANGE, status_of};
use super::operations::Operation;
use super::{headers, permissions};

const BODY: &str = "invalid_body body_broken_off body_timeout body_too_large unsupported_media_type invalid_fields";
const SIGN_IN: &str = "not_signed_in invalid_token token_expired session_ended";
const REPEATED: &str =
    "invalid_idempotency_key weak_idempotency_key idempotency_key_in_use outcome_unknown idempotency_key_reused";

/// What is the same wherever it comes, said once.
const SHARED: [(u16, &str); 5] = [
    (401, "Unauthorized"),
    (408, "BodyTimeout"),
    (413, "BodyTooLarge"),
    (415, "UnsupportedMediaType"),
    (429, "TooManyRequests"),
];

/// The codes of an operation, from what it takes and from the lists.
pub(super) fn codes(operation: &Operation<'_>) -> BTreeSet<&'static str> {
    let mut codes: BTreeSet<&str> = BTreeSet::new();
    let mut add = |more: &'static str| codes.extend(more.split(' ').filter(|it| !it.is_empty()));
    let (id, path) = (operation.id(), operation.path);
    if operation.knows_callers() {
        add(SIGN_IN);
    }
    if permissions::of(id).is_some() {
        add("forbidden");
    }
    if operation.parameters("path").next().is_some() {
        add("not_found");
    }
    if operation.parameters("query").next().is_some() {
        add("invalid_query");
    }
    if operation.value.get("requestBody").is_some() {
        add(BODY);
    }
    if operation.method != "get" {
        add("too_many_requests");
    }
    if operation.method == "post" {
        add(REPEATED);
    }
    if operation.method != "get" && path.starts_with("/api/v1/tournaments/{id}") {
        add(TOURNAMENT_CHANGE);
    }
    BY_PATH.iter().filter(|(start, _)| path.starts_with(start)).for_each(|(_, more)| add(more));
    BY_OPERATION.iter().filter(|(of, _)| *of == id).for_each(|(_, more)| add(more));
    codes.retain(|it| status_of(it).is_some());
    codes
}

/// The status that comes with a code here.
fn status_at(operation: &Operation<'_>, code: &str) -> u16 {
    let is_in_body = code == "unknown_game" && operation.value.get("requestBody").is_some();
    if is_in_body { 422 } else { status_of(code).unwrap_or(500) }
}

/// Adds the answers of an operation that refuse.
pub(super) fn add(operation: &mut Value, method: &str, path: &str) {
    let known = Operation { method, path, value: operation };
    let mut by_status: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in codes(&known) {
        by_status.entry(status_at(&known, code)).or_default().push(code);
    }
    let is_move = known.id() == "play_move";
    for (status, codes) in by_status {
        let shared =
            SHARED.iter().find(|(of, _)| *of == status && !codes.contains(&"too_many_streams") && is_plain(&codes));
        let answer = match shared {
            Some((_, name)) => json!({ "$ref": format!("#/components/responses/{name}") }),
            None => refusal(status, &codes, if is_move && status == 422 { MOVE_REFUSALS } else { "" }),
        };
        operation["responses"][status.to_string()] = answer;
    }
}

const MOVE_REFUSALS: &str =
    " The rules refuse a move with codes of the game's own: `refusals` of `GET /games/{game}` lists them.";

fn is_plain(codes: &[&str]) -> bool {
    codes.iter().all(|it| SHARED_CODES.split(' ').any(|shared| shared == *it))
}

const SHARED_CODES: &str = "not_signed_in invalid_token token_expired session_ended body_timeout body_too_large \
    unsupported_media_type too_many_requests";

fn refusal(status: u16, codes: &[&str], more: &str) -> Value {
    let words: Vec<_> = codes.iter().map(|code| format!("`{code}`")).collect();
    let mut answer = json!({
        "description": format!("Refused: {}.{more}", words.join(", ")),
        "x-codes": codes,
        "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
    });
    if let Some(headers) = headers::of_refusal(status, codes) {
        answer["headers"] = headers;
    }
    answer
}

/// Answers that many operations share, each with an example, and the lists of all codes.
pub(super) fn add_components(document: &mut Value) {
    let responses = &mut document["components"]["responses"];
    for (status, name) in SHARED {
        let codes: Vec<&str> = SHARED_CODES.split(' ').filter(|code| status_of(code) == Some(status)).collect();
        let mut answer = refusal(status, &codes, "");
        answer["content"]["application/problem+json"]["example"] = example(status, codes[0]);
        responses[name] = answer;
    }
    let anywhere: Vec<_> = ANYWHERE.split(' ').map(|code| format!("`{code}`")).collect();
    responses["Problem"]["description"] = format!(
        "Refused: a problem document (RFC 9457) whose `code` is stable. Any operation may answer {}.",
        anywhere.join(", ")
    )
    .into();
    responses["Problem"]["x-codes"] = ANYWHERE.split(' ').collect();
    responses["Problem"]["content"]["application/problem+json"]["example"] = example(409, "version_conflict");
    let all: Vec<&str> = STATUSES.iter().flat_map(|(_, codes)| codes.split(' ')).collect();
    let schemas = &mut document["components"]["schemas"];
    list_words(&mut schemas["Problem"]["properties"]["code"], &all, "The rules of each game have codes of their own.");
    list_words(&mut schemas["FieldProblem"]["properties"]["code"], &FIELDS.split(' ').collect::<Vec<_>>(), "");
}

fn list_words(schema: &mut Value, words: &[&str], more: &str) {
    let about = schema["description"].as_str().unwrap_or("Stable, for programs.").to_owned();
    let about = format!("{about} {more}\n\nOpen: more codes may come; handle one that you do not know by its status.");
    schema["description"] = about.replace("  ", " ").into();
    schema["x-extensible-enum"] = json!(words);
}

fn example(status: u16, code: &str) -> Value {
    let mut problem = json!({
        "title": Lang::En.text(&format!("status-{status}")),
        "status": status,
        "detail": Lang::En.text(&format!("error-{code}")),
        "code": code,
    });
    if code == "version_conflict" {
        problem["current_version"] = 12.into();
    }
    problem
}
