//! Schemas as generators of clients understand them: no copies of components, no inheritance where there are fields, a name for
//! each case of a union, and a word on each list of words that says whether it is closed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// The components of the document that are schemas.
pub(super) type Schemas = Map<String, Value>;

const PREFIX: &str = "#/components/schemas/";

/// How a component is referred to.
pub(super) fn component(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// The name of the component that is referred to.
pub(super) fn referred(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(PREFIX)
}

/// `liars-dice` and `liars_dice` as `LiarsDice`.
pub(super) fn pascal(name: &str) -> String {
    let words = name.split(|it: char| !it.is_ascii_alphanumeric());
    words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(|it| it.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
        })
        .collect()
}

/// All components of the document that are schemas, to change.
pub(super) fn schemas_of(document: &mut Value) -> Option<&mut Schemas> {
    document.pointer_mut("/components/schemas")?.as_object_mut()
}

/// Each object of the document, the innermost first.
pub(super) fn each(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(|it| each(it, change));
            change(fields);
        }
        Value::Array(items) => items.iter_mut().for_each(|it| each(it, change)),
        _ => {}
    }
}

fn each_component(schemas: &mut Schemas, change: &mut impl FnMut(&mut Map<String, Value>)) {
    schemas.values_mut().for_each(|it| each(it, change));
}

/// What is made of several objects becomes one object: generators of classes lose fields, or cannot make any class of it.
pub(super) fn merge(schemas: &mut Schemas) {
    let known = schemas.clone();
    each_component(schemas, &mut |fields| {
        let is_made_of_several =
            fields.contains_key("allOf") || fields.contains_key("$ref") && fields.contains_key("properties");
        if is_made_of_several && let Some(merged) = merged(fields, &known) {
            *fields = merged;
        }
    });
}

fn merged(fields: &Map<String, Value>, known: &Schemas) -> Option<Map<String, Value>> {
    let mut whole = fields.clone();
    whole.remove("allOf");
    whole.remove("$ref");
    let parts = fields.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let own =
        Value::Object(fields.iter().filter(|(key, _)| *key == "$ref").map(|(k, v)| (k.clone(), v.clone())).collect());
    for part in parts.chain([&own]) {
        let part = match referred(part) {
            Some(name) => known.get(name)?,
            None => part,
        };
        let part = part.as_object()?;
        let part = if part.contains_key("allOf") || part.contains_key("$ref") { &merged(part, known)? } else { part };
        if part.contains_key("oneOf") || part.contains_key("anyOf") {
            return None;
        }
        for key in ["properties", "required"] {
            match (whole.get_mut(key), part.get(key)) {
                (Some(Value::Object(into)), Some(Value::Object(from))) => into.extend(from.clone()),
                (Some(Value::Array(into)), Some(Value::Array(from))) => {
                    into.extend(from.iter().filter(|it| !into.contains(it)).cloned().collect::<Vec<_>>());
                }
                (None, Some(from)) => {
                    whole.insert(key.to_owned(), from.clone());
                }
                _ => {}
            }
        }
    }
    whole.insert("type".to_owned(), "object".into());
    Some(whole)
}

/// Each case of a union becomes a component of its own, told from the others by the word in one of its fields.
pub(super) fn name_cases(schemas: &mut Schemas) {
    each_component(schemas, &mut say_the_one_word);
    for name in schemas.keys().cloned().collect::<Vec<_>>() {
        // Of cases that are told apart no two can be meant at once.
        if let Some(schema) = schemas.get_mut(&name).and_then(Value::as_object_mut)
            && let Some(any) = schema.remove("anyOf")
        {
            schema.insert("oneOf".to_owned(), any);
        }
        let Some(cases) = schemas[&name].get("oneOf").and_then(Value::as_array).cloned() else { continue };
        let named = match tag(&cases) {
            Some(tag) => told_apart(&name, tag, &cases),
            None => match untagged(&name, &cases) {
                Some(named) => named,
                None => continue,
            },
        };
        let (union, cases) = named;
        if let Some(schema) = schemas.get_mut(&name).and_then(Value::as_object_mut) {
            schema.extend(union);
        }
        schemas.extend(cases);
    }
}

/// A list of one word is that word.
fn say_the_one_word(fields: &mut Map<String, Value>) {
    if let Some([word]) = fields.get("enum").and_then(Value::as_array).map(Vec::as_slice) {
        let word = word.clone();
        fields.remove("enum");
        fields.insert("const".to_owned(), word);
    }
}

/// Tells apart what only requests say, and then there are no other fields.
const TAG_OF_REQUESTS: &str = "by";

/// The field by whose word the cases are told apart.
fn tag(cases: &[Value]) -> Option<&'static str> {
    ["type", "kind", "code", "step", TAG_OF_REQUESTS]
        .into_iter()
        .find(|tag| cases.iter().all(|case| word(case, tag).is_some()))
}

fn word<'a>(case: &'a Value, tag: &str) -> Option<&'a str> {
    case.get("properties")?.get(tag)?.get("const")?.as_str()
}

type Named = (Map<String, Value>, Vec<(String, Value)>);

fn told_apart(name: &str, tag: &str, cases: &[Value]) -> Named {
    let mut mapping = Map::new();
    let mut components = Vec::new();
    for case in cases {
        let word = word(case, tag).unwrap_or_default();
        let of_case = format!("{name}{}", pascal(word));
        mapping.insert(word.to_owned(), component(&of_case).into());
        let mut case = case.clone();
        if tag == TAG_OF_REQUESTS {
            case["additionalProperties"] = false.into();
        }
        components.push((of_case, case));
    }
    let references: Vec<_> = components.iter().map(|(name, _)| json!({ "$ref": component(name) })).collect();
    let union = Map::from_iter([
        ("oneOf".to_owned(), references.into()),
        ("discriminator".to_owned(), json!({ "propertyName": tag, "mapping": mapping })),
    ]);
    (union, components)
}

/// Cases that are told apart by which field they have.
fn untagged(name: &str, cases: &[Value]) -> Option<Named> {
    let mut components = Vec::new();
    let mut references = Vec::new();
    for case in cases {
        if let Some(required) = case.get("required").and_then(Value::as_array) {
            let field = required.iter().filter_map(Value::as_str).min_by_key(|it| *it == "seat")?;
            let of_case = format!("{name}{}", pascal(field));
            references.push(json!({ "$ref": component(&of_case) }));
            components.push((of_case, case.clone()));
        } else if case.get("const").is_some() || case.get("enum").is_some() {
            references.push(case.clone());
        } else {
            return None;
        }
    }
    (!components.is_empty()).then(|| (Map::from_iter([("oneOf".to_owned(), references.into())]), components))
}

/// Refers to a component wherever a copy of it stands.
pub(super) fn refer(document: &mut Value) {
    let Some(schemas) = schemas_of(document) else { return };
    let mut by_content: BTreeMap<String, String> = BTreeMap::new();
    for (name, schema) in &*schemas {
        let is_worth_it = ["properties", "oneOf", "enum"].iter().any(|it| schema.get(it).is_some());
        if is_worth_it && !name.contains('_') {
            by_content.entry(schema.to_string()).or_insert_with(|| name.clone());
        }
    }
    let copied = |fields: &Map<String, Value>| by_content.get(&Value::Object(fields.clone()).to_string());
    let mut replace = |fields: &mut Map<String, Value>| {
        if (fields.contains_key("type") || fields.contains_key("oneOf"))
            && let Some(name) = copied(fields)
        {
            *fields = Map::from_iter([("$ref".to_owned(), component(name).into())]);
        }
    };
    for schema in schemas.values_mut() {
        // The component itself stays.
        schema.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(|it| each(it, &mut replace));
    }
    if let Some(paths) = document.get_mut("paths") {
        each(paths, &mut replace);
    }
}

/// An object of which nothing else is said may hold anything: generators of clients want that said, or they let it hold nothing.
/// That items may be anything they want as a schema, not as `true`.
pub(super) fn open_objects(schemas: &mut Schemas) {
    each_component(schemas, &mut |fields| {
        let says = fields.get("type").map(ToString::to_string).unwrap_or_default();
        let is_bare = !["properties", "additionalProperties"].iter().any(|it| fields.contains_key(*it));
        if says.contains("\"object\"") && is_bare {
            fields.insert("additionalProperties".to_owned(), true.into());
        }
        if fields.get("items") == Some(&Value::Bool(true)) {
            fields.insert("items".to_owned(), Value::Object(Map::new()));
        }
    });
}

/// Says of each list of words whether it is closed. Words that are only sent to the server are: it refuses all others. Of what the
/// server says more words may come, so that such a list is no more than a hint, and no generated code fails at a new word.
pub(super) fn open_words(document: &mut Value) {
    let asked = reachable(document, "requestBody");
    let answered = reachable(document, "responses");
    let games: Vec<String> = engine::catalogue::GAMES.iter().map(|kind| pascal(kind.info().id)).collect();
    let Some(schemas) = schemas_of(document) else { return };
    for (name, schema) in schemas.iter_mut() {
        let of_game = games.iter().any(|game| name.starts_with(game.as_str()));
        let is_asked_only = asked.contains(name) && !answered.contains(name);
        each(schema, &mut |fields| {
            let Some(words) = fields.get("enum").cloned() else { return };
            let about = fields.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
            let said = match (of_game, is_asked_only) {
                (true, _) => "Closed for this `revision` of the game.",
                (false, true) => "Closed: the server refuses any other word.",
                (false, false) => {
                    fields.remove("enum");
                    fields.insert("x-extensible-enum".to_owned(), words);
                    "Open: more words may come; take one that you do not know for something of its kind."
                }
            };
            fields.insert("description".to_owned(), format!("{about}\n\n{said}").trim().into());
        });
    }
}

/// The components that are reached from this part of the operations.
fn reachable(document: &Value, part: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let operations = document["paths"].as_object().into_iter().flatten().flat_map(|(_, item)| item.as_object());
    let mut open: Vec<&Value> = operations.flatten().filter_map(|(_, operation)| operation.get(part)).collect();
    while let Some(value) = open.pop() {
        if let Some(name) = referred(value)
            && found.insert(name.to_owned())
        {
            open.extend(document.pointer(&format!("/components/schemas/{name}")));
        }
        match value {
            Value::Object(fields) => open.extend(fields.values()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    found
}

/// What stands in an address or a header is text or is left out; it cannot be null.
pub(super) fn unnull_parameters(operation: &mut Value) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let Some(schema) = parameter.get_mut("schema") else { continue };
        if let Some(types) = schema.get("type").and_then(Value::as_array) {
            let types: Vec<_> = types.iter().filter(|it| *it != "null").cloned().collect();
            schema["type"] = if let [one] = types.as_slice() { one.clone() } else { types.into() };
        }
        let cases = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
        if let [null, of] = cases.as_slice()
            && null["type"] == "null"
        {
            *schema = of.clone();
        }
    }
}
