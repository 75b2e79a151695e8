//! How a schema is written down for people: `MoveRequest`, `string (uuid) | null`, `Seat[]`, with what bounds it, and its fields.

use serde_json::Value;

use super::markdown;
use crate::openapi::schemas::referred;

/// A piece of a type's notation; the name of a component is a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub text: String,
    pub is_name: bool,
}

/// A field or a parameter.
pub(super) struct Field {
    /// With the names of what it stands in: `player.name`, `seats[].name`.
    pub name: String,
    /// `path`, `query` or `header`, if it is a parameter.
    pub place: Option<String>,
    pub is_required: bool,
    pub kind: Vec<Piece>,
    pub about: String,
    /// Keys of texts, each with the value that it is about.
    pub bounds: Vec<(&'static str, String)>,
}

impl Field {
    pub(super) fn of_parameter(parameter: &Value) -> Self {
        let text = |key: &str| parameter[key].as_str().unwrap_or_default();
        let (schema, is_required) = (&parameter["schema"], parameter["required"] == true);
        let place = Some(text("in").to_owned());
        Self { place, ..Self::new(text("name").to_owned(), schema, is_required, text("description")) }
    }

    fn new(name: String, schema: &Value, is_required: bool, about: &str) -> Self {
        Self { name, place: None, is_required, kind: notation(schema), about: markdown(about), bounds: bounds(schema) }
    }
}

/// The fields of an object, with those of the objects without a name in it.
pub(super) fn fields(schema: &Value) -> Vec<Field> {
    let mut found = Vec::new();
    collect(schema, "", &mut found);
    found
}

fn collect(schema: &Value, before: &str, found: &mut Vec<Field>) {
    let required: Vec<&str> = strings(&schema["required"]).collect();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{before}{name}");
        let about = field["description"].as_str().unwrap_or_default();
        found.push(Field::new(path.clone(), field, required.contains(&name.as_str()), about));
        collect(field, &format!("{path}."), found);
        collect(&field["items"], &format!("{path}[]."), found);
    }
}

/// The type in one line.
pub(super) fn notation(schema: &Value) -> Vec<Piece> {
    let mut pieces = Vec::new();
    write(schema, &mut pieces);
    pieces
}

fn write(schema: &Value, to: &mut Vec<Piece>) {
    let several = ["oneOf", "anyOf"].into_iter().find_map(|key| schema[key].as_array());
    if let Some(name) = referred(schema) {
        to.push(Piece { text: name.to_owned(), is_name: true });
    } else if let Some(cases) = several {
        join(cases, " | ", to);
    } else if let Some(parts) = schema["allOf"].as_array() {
        join(parts, " & ", to);
    } else if let Some(word) = schema.get("const") {
        plain(word.to_string(), to);
    } else if let Some(words) = schema["enum"].as_array().or_else(|| schema["x-extensible-enum"].as_array()) {
        plain(words.iter().map(Value::to_string).collect::<Vec<_>>().join(" | "), to);
    } else if schema["items"].is_object() {
        let items = &schema["items"];
        let is_union = ["oneOf", "anyOf", "enum"].iter().any(|key| items.get(key).is_some());
        let (before, after) = if is_union { ("(", ")[]") } else { ("", "[]") };
        write_in(before, items, after, to);
    } else if schema["additionalProperties"].is_object() {
        write_in("{ [", &schema["propertyNames"], "]: ", to);
        write_in("", &schema["additionalProperties"], " }", to);
    } else {
        plain(simple(schema), to);
    }
}

fn join(schemas: &[Value], between: &str, to: &mut Vec<Piece>) {
    for (at, schema) in schemas.iter().enumerate() {
        write_in(if at == 0 { "" } else { between }, schema, "", to);
    }
}

fn write_in(before: &str, schema: &Value, after: &str, to: &mut Vec<Piece>) {
    plain(before.to_owned(), to);
    write(schema, to);
    plain(after.to_owned(), to);
}

/// Text beside text is one piece.
fn plain(text: String, to: &mut Vec<Piece>) {
    match to.last_mut().filter(|last| !last.is_name) {
        Some(last) => last.text.push_str(&text),
        None if text.is_empty() => {}
        None => to.push(Piece { text, is_name: false }),
    }
}

/// A type without parts, such as `string (uuid) | null`; a name where there is nothing.
fn simple(schema: &Value) -> String {
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(_) => strings(&schema["type"]).collect(),
        _ if schema.is_null() => vec!["string"],
        _ => vec!["any"],
    };
    let format = schema["format"].as_str().map(|format| format!(" ({format})")).unwrap_or_default();
    format!("{}{}{}", types[0], format, types[1..].iter().map(|it| format!(" | {it}")).collect::<String>())
}

/// What bounds it, for the texts `reference-…`.
pub(super) fn bounds(schema: &Value) -> Vec<(&'static str, String)> {
    let value = |key: &str| schema.get(key).map(Value::to_string);
    let range = |least: &str, most: &str| match (value(least), value(most)) {
        (None, None) => None,
        (least, most) => Some(format!("{} … {}", least.unwrap_or_default(), most.unwrap_or_default())),
    };
    let all = [
        ("reference-range", range("minimum", "maximum")),
        ("reference-length", range("minLength", "maxLength")),
        ("reference-items", range("minItems", "maxItems")),
        ("reference-pattern", schema["pattern"].as_str().map(str::to_owned)),
        ("reference-default", value("default")),
        ("reference-example", value("example")),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key, value?.trim().to_owned()))).collect()
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(schema: Value) -> String {
        let mark = |it: &Piece| if it.is_name { format!("<{}>", it.text) } else { it.text.clone() };
        notation(&schema).iter().map(mark).collect()
    }

    #[test]
    fn types_are_written_in_one_line() {
        let seat = json!({ "$ref": "#/components/schemas/Seat" });
        assert_eq!(written(seat.clone()), "<Seat>");
        assert_eq!(written(json!({ "type": "array", "items": seat })), "<Seat>[]");
        assert_eq!(written(json!({ "anyOf": [seat, { "type": "null" }] })), "<Seat> | null");
        assert_eq!(written(json!({ "items": { "enum": [1, 2] } })), "(1 | 2)[]");
        assert_eq!(written(json!({ "type": ["string", "null"], "format": "uuid" })), "string (uuid) | null");
        assert_eq!(written(json!({ "type": "string", "enum": ["a", "b"] })), r#""a" | "b""#);
        assert_eq!(written(json!({ "type": "object", "additionalProperties": seat })), "{ [string]: <Seat> }");
        assert_eq!(written(json!({})), "any");
    }

    #[test]
    fn fields_of_nameless_objects_stand_among_the_others() {
        let inner = json!({ "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } });
        let schema = json!({ "properties": { "one": inner, "many": { "type": "array", "items": inner } } });
        let found = fields(&schema);
        let names: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.is_required)).collect();
        assert_eq!(names, [("many", false), ("many[].name", true), ("one", false), ("one.name", true)]);
    }

    #[test]
    fn bounds_say_what_they_bound() {
        let found = bounds(&json!({ "minimum": 1, "maximum": 6, "default": 2, "minLength": 3 }));
        let expected = [("reference-range", "1 … 6"), ("reference-length", "3 …"), ("reference-default", "2")];
        assert_eq!(found, expected.map(|(key, value)| (key, value.to_owned())));
    }
}
