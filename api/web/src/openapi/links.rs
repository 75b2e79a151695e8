//! Where one can go from an answer: from what was made or listed to all that can be done with it.

use serde_json::{Map, Value, json};

use super::operations::{self, Operation};
use super::schemas::referred;

/// The components that have an address, and where in them the id is.
const NOUNS: [(&str, &str, &str); 15] = [
    ("Match", "/api/v1/matches/{id}", "id"),
    ("Table", "/api/v1/tables/{id}", "id"),
    ("Sitting", "/api/v1/sittings/{id}", "id"),
    ("Call", "/api/v1/calls/{id}", "id"),
    ("PhoneClaim", "/api/v1/claims/{id}", "id"),
    ("WaitingParty", "/api/v1/waiting/{id}", "id"),
    ("Variant", "/api/v1/variants/{id}", "id"),
    ("Tournament", "/api/v1/tournaments/{id}", "id"),
    ("WholeTournament", "/api/v1/tournaments/{id}", "tournament/id"),
    ("Series", "/api/v1/series/{id}", "id"),
    ("WholeSeries", "/api/v1/series/{id}", "series/id"),
    ("Title", "/api/v1/library/titles/{id}", "id"),
    ("Copy", "/api/v1/library/copies/{id}", "id"),
    ("SignedIn", "/api/v1/players/{id}", "player/id"),
    ("KnownPlayer", "/api/v1/players/{id}", "id"),
];

/// An operation that takes an id and nothing else.
struct Target {
    operation: String,
    path: String,
}

/// Adds the links to the answers of what makes and what lists.
pub(super) fn add(document: &mut Value) {
    let mut targets = Vec::new();
    operations::each(document, |operation, method, path| {
        let known = Operation { method, path, value: operation };
        if known.parameters("path").map(|it| &it["name"]).eq(["id"]) {
            targets.push(Target { operation: known.id().to_owned(), path: path.to_owned() });
        }
    });
    operations::each(document, |operation, method, path| {
        let is_start = method == "post" || !path.contains('{');
        for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
            if is_start && status.starts_with('2') {
                link(answer, &targets);
            }
        }
    });
}

fn link(answer: &mut Value, targets: &[Target]) {
    let content = &answer["content"]["application/json"]["schema"];
    let Some(name) = referred(content) else { return };
    let (noun, list) = match name.strip_prefix("List_") {
        Some(noun) => (noun, "items/0/"),
        None => (name, ""),
    };
    let Some((_, path, id)) = NOUNS.iter().find(|(of, ..)| *of == noun) else { return };
    let of_noun = targets
        .iter()
        .filter(|target| target.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    let links: Map<String, Value> = of_noun
        .map(|target| {
            let parameters = json!({ "id": format!("$response.body#/{list}{id}") });
            (target.operation.clone(), json!({ "operationId": target.operation, "parameters": parameters }))
        })
        .collect();
    if !links.is_empty() {
        answer["links"] = links.into();
    }
}
