//! The values that an option could have instead.

use serde_json::{Value, json};

use crate::erased::Kind;

/// Each option with each other value that it could have, and the options with it. Numbers are tried one up, one down and
/// at their ends.
pub(super) fn alternatives(kind: &dyn Kind, options: &Value, seats: u8) -> Vec<(String, Value, Value)> {
    let schema = kind.options_schema().to_value();
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Vec::new() };
    let mut all = Vec::new();
    for (option, property) in properties {
        let now = options.get(option).cloned().unwrap_or_default();
        for value in values(&schema, property, &now) {
            let mut changed = options.clone();
            if let Some(fields) = changed.as_object_mut() {
                fields.insert(option.clone(), value.clone());
            }
            // Some values are refused beside others, or mean the same.
            if let Ok(changed) = kind.normalize_options(&changed, seats)
                && changed != *options
            {
                all.push((option.clone(), value, changed));
            }
        }
    }
    all
}

fn values(schema: &Value, property: &Value, now: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    gather(schema, property, now, &mut found);
    found.retain(|it| it != now);
    let mut unlike: Vec<Value> = Vec::new();
    for value in found {
        if !unlike.contains(&value) {
            unlike.push(value);
        }
    }
    unlike
}

fn gather(schema: &Value, property: &Value, now: &Value, found: &mut Vec<Value>) {
    if let Some(path) = property.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#')) {
        if let Some(target) = schema.pointer(path) {
            gather(schema, target, now, found);
        }
        return;
    }
    for list in ["oneOf", "anyOf"] {
        for one in property.get(list).and_then(Value::as_array).into_iter().flatten() {
            gather(schema, one, now, found);
        }
    }
    found.extend(property.get("const").cloned());
    found.extend(property.get("enum").and_then(Value::as_array).into_iter().flatten().cloned());
    match property.get("type").and_then(Value::as_str) {
        Some("boolean") => found.extend([json!(false), json!(true)]),
        Some("null") => found.push(Value::Null),
        Some("integer") => {
            let [least, most] = ["minimum", "maximum"].map(|end| property.get(end).and_then(Value::as_i64));
            let near = now.as_i64().into_iter().flat_map(|now| [now - 1, now + 1]);
            let is_within = |it: &i64| least.is_none_or(|least| *it >= least) && most.is_none_or(|most| *it <= most);
            found.extend(least.into_iter().chain(near).chain(most).filter(is_within).map(Value::from));
        }
        _ => {}
    }
}
