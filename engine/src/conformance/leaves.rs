//! Where two JSON values differ.

use std::collections::BTreeSet;

use serde_json::Value;

/// The JSON pointers of all leaves in which the values differ.
pub(super) fn differing(one: &Value, other: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    compare(Some(one), Some(other), String::new(), &mut found);
    found
}

fn compare(one: Option<&Value>, other: Option<&Value>, at: String, found: &mut BTreeSet<String>) {
    match (one, other) {
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            for place in 0..one.len().max(other.len()) {
                compare(one.get(place), other.get(place), format!("{at}/{place}"), found);
            }
        }
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            for name in names {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                compare(one.get(name), other.get(name), format!("{at}/{escaped}"), found);
            }
        }
        _ if one != other => drop(found.insert(at)),
        _ => {}
    }
}

/// The words that a JSON Schema lists anywhere.
pub(super) fn words(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(schema, &mut found);
    found
}

fn collect(node: &Value, found: &mut BTreeSet<String>) {
    match node {
        Value::Object(fields) => {
            let listed = fields.get("enum").and_then(Value::as_array).into_iter().flatten().chain(fields.get("const"));
            found.extend(listed.filter_map(Value::as_str).map(str::to_owned));
            fields.values().for_each(|it| collect(it, found));
        }
        Value::Array(items) => items.iter().for_each(|it| collect(it, found)),
        _ => {}
    }
}

/// The JSON pointers of all lists of plain values, and of all plain values that stand in no such list.
pub(super) fn lists_and_scalars(value: &Value) -> (Vec<String>, Vec<String>) {
    let (mut lists, mut scalars) = (Vec::new(), Vec::new());
    sort_out(value, String::new(), &mut lists, &mut scalars);
    (lists, scalars)
}

fn sort_out(value: &Value, at: String, lists: &mut Vec<String>, scalars: &mut Vec<String>) {
    match value {
        Value::Array(items) if items.iter().any(|it| it.is_array() || it.is_object()) => {
            items.iter().enumerate().for_each(|(place, it)| sort_out(it, format!("{at}/{place}"), lists, scalars));
        }
        Value::Array(_) => lists.push(at),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, it)| sort_out(it, format!("{at}/{name}"), lists, scalars));
        }
        _ => scalars.push(at),
    }
}
