//! Values that a lenient parser would accept in place of a correct one. The games refuse all of them.

use serde_json::{Value, json};

/// Values that resemble this one and have another type.
pub(crate) fn lookalikes(value: &Value) -> Vec<Value> {
    let mut alike = vec![json!([value]), json!({ "value": value })];
    match value {
        Value::String(word) => {
            alike.extend([json!({ word: null }), json!({ word: {} }), json!([word, null])]);
            alike.extend(["\0", " ", "\u{feff}"].map(|more| json!(format!("{word}{more}"))));
            alike.extend([json!(word.to_uppercase()), json!(""), json!(0), Value::Null]);
            // Ids such as those of hogu-clue are upper case themselves.
            alike.retain(|it| it != value);
        }
        Value::Number(number) => {
            let float = number.as_f64().unwrap_or_default();
            alike.extend([json!(float), json!(float + 0.5), json!(number.to_string()), json!(float > 0.0)]);
            alike.extend([json!(-1), json!(i64::MIN), json!(u64::MAX), json!(1e300), json!(256), Value::Null]);
        }
        Value::Bool(is) => alike.extend([json!(u8::from(*is)), json!(is.to_string()), Value::Null]),
        Value::Array(items) => {
            let numbered = items.iter().enumerate().map(|(at, item)| (at.to_string(), item.clone()));
            alike.extend([Value::Object(numbered.collect()), json!({}), json!("[]"), Value::Null]);
            alike.extend(items.first().iter().flat_map(|item| lookalikes(item)).map(|item| json!([item])));
        }
        Value::Null | Value::Object(_) => {}
    }
    alike
}

/// Moves that resemble this one: first those with a wrong `type`, then those with a wrong field.
pub(crate) fn lookalike_moves(chosen: &Value) -> (Vec<Value>, Vec<Value>) {
    let Some(fields) = chosen.as_object() else { return (Vec::new(), Vec::new()) };
    let with = |name: &str, value: Value| {
        let mut fields = fields.clone();
        fields.insert(name.into(), value);
        Value::Object(fields)
    };
    let values = fields.values().cloned().collect::<Vec<_>>();
    let mut other_types = vec![json!([chosen]), json!(values), json!(chosen.to_string()), Value::Null];
    let mut other_fields = vec![with("extra", Value::Null), with("", json!({}))];
    for (name, value) in fields {
        let alike = lookalikes(value).into_iter().map(|value| with(name, value));
        if name == "type" { &mut other_types } else { &mut other_fields }.extend(alike);
    }
    (other_types, other_fields)
}
