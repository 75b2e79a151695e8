//! Options: random ones that a game accepts, and the law that it refuses all that its schema forbids.

use serde_json::{Value, json};

use crate::chance::Source;
use crate::erased::Kind;
use crate::game::BadOptions;
use crate::lookalikes::lookalikes;

/// Random options that the game accepts; the defaults first.
pub fn some_options(kind: &dyn Kind, seats: u8, source: &mut dyn Source, round: u64) -> Value {
    let schema = value_of(kind.options_schema());
    let mut options = json!({});
    for (key, property) in properties(&schema) {
        let choices = choices(&schema, property);
        if round > 0 && source.below(2) == 0 {
            options[key] = choices[source.below(choices.len() as u32) as usize].clone();
        }
    }
    match kind.normalize_options(&options, seats) {
        Ok(_) => options,
        Err(_) => json!({}),
    }
}

/// The values to try for an option: all values of a list, the bounds and the middle of a range.
pub fn choices(schema: &Value, property: &Value) -> Vec<Value> {
    let property = resolve(schema, property);
    if let Some(any) = property["anyOf"].as_array().or(property["oneOf"].as_array()) {
        return any.iter().flat_map(|it| choices(schema, it)).collect();
    }
    if let Some(listed) = property["enum"].as_array() {
        return listed.clone();
    }
    if !property["const"].is_null() {
        return vec![property["const"].clone()];
    }
    match (property["minimum"].as_i64(), property["maximum"].as_i64(), &property["type"]) {
        (Some(low), Some(high), _) => vec![json!(low), json!(high), json!((low + high) / 2)],
        (_, _, kind) if kind == "boolean" => vec![json!(false), json!(true)],
        (_, _, kind) if kind == "null" => vec![Value::Null],
        (_, _, kind) => panic!("an option of type {kind} has no bounds: {property}"),
    }
}

fn resolve<'a>(schema: &'a Value, property: &'a Value) -> &'a Value {
    match property["$ref"].as_str() {
        Some(path) => schema.pointer(path.trim_start_matches('#')).unwrap_or(property),
        None => property,
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

fn value_of(schema: schemars::Schema) -> Value {
    schema.to_value()
}

/// Set-up refuses all that the options' schema forbids, and names the key.
pub(super) fn bounds_are_enforced(kind: &dyn Kind) {
    let (id, seats) = (kind.info().id, kind.info().seats);
    let schema = value_of(kind.options_schema());
    let refused = |options: Value, key: &str| match kind.normalize_options(&options, *seats.start()) {
        Err(BadOptions::Option { key: named, .. }) => assert_eq!(named, key, "{id} blames another key for {options}"),
        other => panic!("{id} does not refuse {options}: {other:?}"),
    };
    refused(json!({"no_such_option": true}), "no_such_option");
    for (key, property) in properties(&schema) {
        assert!(
            !property["default"].is_null() || choices(&schema, property).contains(&Value::Null),
            "{id}: {key} has no default"
        );
        refused(json!({key: {"no": "such type"}}), key);
        refused(json!({key: "no such value"}), key);
        let choices = choices(&schema, property);
        let alike = choices.iter().flat_map(lookalikes).filter(|it| !choices.contains(it));
        alike.for_each(|it| refused(json!({ key: it }), key));
        let property = resolve(&schema, property);
        if let (Some(low), Some(high)) = (property["minimum"].as_i64(), property["maximum"].as_i64()) {
            refused(json!({key: low - 1}), key);
            refused(json!({key: high + 1}), key);
            refused(json!({key: low as f64 + 0.5}), key);
        }
    }
    for many in [seats.start() - 1, seats.end() + 1] {
        let err = kind.normalize_options(&json!({"no_such_option": 1}), many).expect_err("too few or too many");
        assert_eq!(err.code(), "invalid_seats", "{id}: seats are checked first");
    }
}
