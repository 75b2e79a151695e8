//! Requests and answers of an evening that was really played, as `tests/it/examples.rs` wrote them down.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::operations;

static PLAYED: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// Adds those of each operation. An answer that was not written down is shown by one of the same shape: these are components.
pub(super) fn add(document: &mut Value) {
    let mut shared = BTreeMap::new();
    operations::each(document, |operation, _, _| {
        let played = &PLAYED[operation["operationId"].as_str().unwrap_or_default()];
        let asked = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut);
        asked.into_iter().flatten().for_each(|(_, content)| put(content, &played["request"]));
        for (status, content) in answers(operation) {
            let named = &played["answers"][status];
            put(content, named);
            if let (Some(shape), Some(first)) = (shape(content), named.as_object().and_then(|it| it.values().next())) {
                shared.entry(shape).or_insert_with(|| first.clone());
            }
        }
    });
    let mut used = Map::new();
    operations::each(document, |operation, _, _| {
        for (_, content) in answers(operation).filter(|(_, it)| it.get("examples").is_none()) {
            let Some((shape, example)) = shape(content).and_then(|it| shared.get_key_value(&it)) else { continue };
            used.insert(shape.clone(), json!({ "value": example }));
            content["examples"] = json!({ "example": { "$ref": format!("#/components/examples/{shape}") } });
        }
    });
    document["components"]["examples"] = used.into();
}

/// What is answered, by its status.
fn answers(operation: &mut Value) -> impl Iterator<Item = (&str, &mut Value)> {
    let all = operation["responses"].as_object_mut().into_iter().flatten();
    let contents = all.filter_map(|(status, it)| Some((status.as_str(), it.get_mut("content")?.as_object_mut()?)));
    contents.flat_map(|(status, contents)| contents.values_mut().map(move |content| (status, content)))
}

/// The name of its schema.
fn shape(content: &Value) -> Option<String> {
    content.pointer("/schema/$ref")?.as_str()?.rsplit('/').next().map(str::to_owned)
}

fn put(content: &mut Value, named: &Value) {
    let named = named.as_object().into_iter().flatten();
    let examples: Map<String, Value> = named.map(|(name, it)| (name.clone(), json!({ "value": it }))).collect();
    if !examples.is_empty() {
        content["examples"] = examples.into();
    }
}
