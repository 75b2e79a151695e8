//! What stays, stays: the document is compared with the last one that was released. A change that could break an app needs a new
//! version.

use std::collections::BTreeSet;
use std::fs;

use harness::repository;
use serde_json::{Value, json};

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

/// Which way a value goes: an app may send what it sent before, and can read what it read before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Sent,
    Read,
}

/// What an app that was written for one document would miss in another.
struct Comparison<'a> {
    before: &'a Value,
    after: &'a Value,
    seen: BTreeSet<(String, String, bool)>,
    broken: Vec<String>,
}

fn broken(before: &Value, after: &Value) -> Vec<String> {
    let mut comparison = Comparison { before, after, seen: BTreeSet::new(), broken: Vec::new() };
    for (path, item) in object(&before["paths"]) {
        for method in METHODS.iter().filter(|it| item.get(**it).is_some()) {
            let now = &after["paths"][path][*method];
            comparison.operation(&format!("{method} {path}"), &item[*method], now);
        }
    }
    comparison.broken
}

impl Comparison<'_> {
    fn say(&mut self, at: &str, what: &str) {
        self.broken.push(format!("{at}: {what}"));
    }

    fn operation(&mut self, at: &str, before: &Value, after: &Value) {
        if after.is_null() {
            return self.say(at, "is gone");
        }
        if before["operationId"] != after["operationId"] {
            self.say(at, "has another name");
        }
        self.parameters(at, before, after);
        let bodies = (&before["requestBody"], &after["requestBody"]);
        if bodies.0["required"] != true && bodies.1["required"] == true {
            self.say(at, "needs a body now");
        }
        self.contents(&format!("{at} body"), bodies.0, bodies.1, Way::Sent);
        for (status, answer) in object(&before["responses"]).filter(|(status, _)| status.starts_with('2')) {
            match after["responses"].get(status) {
                Some(now) => self.contents(&format!("{at} {status}"), answer, now, Way::Read),
                None => self.say(at, &format!("does not answer {status} any more")),
            }
        }
    }

    fn parameters(&mut self, at: &str, before: &Value, after: &Value) {
        let find = |list: &Value, of: &Value| {
            let same = |it: &&Value| it["name"] == of["name"] && it["in"] == of["in"];
            array(&list["parameters"]).find(same).cloned()
        };
        for old in array(&before["parameters"]) {
            let at = format!("{at} ?{}", old["name"].as_str().unwrap_or_default());
            match find(after, old) {
                Some(new) => self.schema(&at, &old["schema"], &new["schema"], Way::Sent),
                None => self.say(&at, "is gone"),
            }
        }
        for new in array(&after["parameters"]).filter(|it| it["required"] == true) {
            if find(before, new).is_none_or(|old| old["required"] != true) {
                self.say(at, &format!("needs {} now", new["name"]));
            }
        }
    }

    fn contents(&mut self, at: &str, before: &Value, after: &Value, way: Way) {
        for (kind, content) in object(&before["content"]) {
            match after["content"].get(kind) {
                Some(now) => self.schema(at, &content["schema"], &now["schema"], way),
                None => self.say(at, &format!("is no {kind} any more")),
            }
        }
    }

    fn schema(&mut self, at: &str, before: &Value, after: &Value, way: Way) {
        let names = (name(before), name(after));
        if let (Some(old), Some(new)) = (&names.0, &names.1)
            && !self.seen.insert((old.clone(), new.clone(), way == Way::Sent))
        {
            return;
        }
        let (before, after) = (resolved(self.before, before), resolved(self.after, after));
        let at = names.0.as_deref().unwrap_or(at);
        self.types(at, before, after, way);
        self.words(at, before, after, way);
        self.cases(at, before, after, way);
        self.fields(at, before, after, way);
        self.bounds(at, before, after, way);
        for inner in ["items", "additionalProperties"] {
            if before[inner].is_object() && after[inner].is_object() {
                self.schema(&format!("{at}[]"), &before[inner], &after[inner], way);
            }
        }
    }

    fn types(&mut self, at: &str, before: &Value, after: &Value, way: Way) {
        let (old, new) = (texts(&before["type"]), texts(&after["type"]));
        let fits = match way {
            Way::Sent => new.is_empty() || !old.is_empty() && old.is_subset(&new),
            Way::Read => old.is_empty() || !new.is_empty() && new.is_subset(&old),
        };
        if !fits {
            self.say(at, &format!("was {} and is {}", before["type"], after["type"]));
        }
    }

    /// Closed lists of words. An open list is text, of which more may come.
    fn words(&mut self, at: &str, before: &Value, after: &Value, way: Way) {
        match (closed(before), closed(after), way) {
            (Some(old), Some(new), Way::Sent) if !old.is_subset(&new) => self.say(at, "takes fewer words"),
            (None, Some(_), Way::Sent) => self.say(at, "takes only certain words now"),
            (Some(old), Some(new), Way::Read) if !new.is_subset(&old) => {
                self.say(at, "says words beyond its closed list")
            }
            (Some(_), None, Way::Read) => self.say(at, "says any word where the list was closed"),
            _ => {}
        }
    }

    fn cases(&mut self, at: &str, before: &Value, after: &Value, way: Way) {
        let (old, new) = (&before["oneOf"], &after["oneOf"]);
        let find = |cases: &Value, of: &str| array(cases).find(|it| label(it) == of).cloned();
        for case in array(old) {
            match find(new, &label(case)) {
                Some(now) => self.schema(at, case, &now, way),
                None if way == Way::Sent && new.is_array() => {
                    self.say(at, &format!("takes no {} any more", label(case)))
                }
                None => {}
            }
        }
        for case in array(new).filter(|_| way == Way::Read && old.is_array()) {
            if find(old, &label(case)).is_none() {
                self.say(at, &format!("may be {}, which no app knows", label(case)));
            }
        }
    }

    fn fields(&mut self, at: &str, before: &Value, after: &Value, way: Way) {
        let (old, new) = (texts(&before["required"]), texts(&after["required"]));
        for (field, schema) in object(&before["properties"]) {
            let at = format!("{at}.{field}");
            match after["properties"].get(field) {
                Some(now) => self.schema(&at, schema, now, way),
                None if after["properties"].is_object() => self.say(&at, "is gone"),
                None => {}
            }
        }
        let missing = match way {
            Way::Sent => new.difference(&old),
            Way::Read => old.difference(&new),
        };
        for field in missing {
            self.say(&format!("{at}.{field}"), if way == Way::Sent { "is required now" } else { "may be missing now" });
        }
    }

    /// What was good to send stays good.
    fn bounds(&mut self, at: &str, before: &Value, after: &Value, way: Way) {
        if way == Way::Read {
            return;
        }
        for (bound, sign) in
            [("maximum", 1.0), ("maxLength", 1.0), ("maxItems", 1.0), ("minimum", -1.0), ("minLength", -1.0)]
        {
            let old = before[bound].as_f64().map_or(f64::INFINITY, |it| it * sign);
            let new = after[bound].as_f64().map_or(f64::INFINITY, |it| it * sign);
            if new < old {
                self.say(at, &format!("has a narrower {bound}"));
            }
        }
    }
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The words of a closed list.
fn closed(schema: &Value) -> Option<BTreeSet<&str>> {
    match &schema["const"] {
        Value::Null => schema["enum"].is_array().then(|| texts(&schema["enum"])),
        word => Some(texts(word)),
    }
}

/// What a case of a union is known by.
fn label(case: &Value) -> String {
    name(case).unwrap_or_else(|| case.to_string())
}

/// A text, or all texts of a list.
fn texts(value: &Value) -> BTreeSet<&str> {
    value.as_str().into_iter().chain(array(value).filter_map(Value::as_str)).collect()
}

fn name(schema: &Value) -> Option<String> {
    schema["$ref"].as_str().map(|it| it.rsplit('/').next().unwrap_or_default().to_owned())
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|it| it.strip_prefix('#')) {
        Some(pointer) => document.pointer(pointer).unwrap_or(&Value::Null),
        None => schema,
    }
}

fn read(file: &str) -> Value {
    let text = fs::read_to_string(repository().join("docs").join(file)).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

/// Versions below 1.0 break with the second number, later ones with the first.
fn breaking_number(document: &Value) -> String {
    let version = document["info"]["version"].as_str().unwrap_or_default();
    let numbers: Vec<&str> = version.split('.').collect();
    numbers[..if numbers[0] == "0" { 2 } else { 1 }].join(".")
}

#[test]
fn nothing_that_was_released_is_taken_back() {
    let (released, now) = (read("openapi-released.json"), read("openapi.json"));
    let broken = broken(&released, &now);
    let is_new = breaking_number(&released) != breaking_number(&now);
    assert!(
        broken.is_empty() || is_new,
        "an app written for {} would break; docs/api.md says what stays:\n{}",
        released["info"]["version"],
        broken.join("\n")
    );
}

/// A small document with one operation.
fn sample() -> Value {
    json!({
        "paths": { "/things/{id}": { "post": {
            "operationId": "make_thing",
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
            "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Wish" } } } },
            "responses": { "200": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } } } },
        } } },
        "components": { "schemas": {
            "Wish": { "type": "object", "properties": {
                "size": { "type": "integer", "maximum": 9 },
                "color": { "type": "string", "enum": ["red", "blue"] },
            } },
            "Thing": { "type": "object", "required": ["id"], "properties": {
                "id": { "type": "string" },
                "next": { "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Thing" }] },
                "kind": { "type": "string", "enum": ["big", "small"] },
                "mood": { "type": "string", "x-extensible-enum": ["good"] },
            } },
        } },
    })
}

/// What the comparison says of this change at this place.
fn said(pointer: &str, value: Value) -> Vec<String> {
    let (before, mut after) = (sample(), sample());
    let (parent, key) = pointer.rsplit_once('/').expect("it is a pointer");
    let parent = after.pointer_mut(parent).expect("it is there");
    match value {
        Value::Null => drop(parent.as_object_mut().and_then(|it| it.remove(&key.replace("~1", "/")))),
        value => parent[&key.replace("~1", "/")] = value,
    }
    broken(&before, &after)
}

#[test]
fn each_way_to_break_an_app_is_noticed() {
    let operation = "/paths/~1things~1{id}/post";
    let schemas = "/components/schemas";
    for (pointer, value, what) in [
        (operation.to_owned(), Value::Null, "is gone"),
        (format!("{operation}/operationId"), json!("other"), "has another name"),
        (format!("{operation}/requestBody/required"), json!(true), "needs a body now"),
        (format!("{operation}/responses/200"), Value::Null, "does not answer 200"),
        (format!("{operation}/parameters"), json!([]), "is gone"),
        (format!("{operation}/parameters/0/schema/type"), json!("integer"), "was \"string\" and is \"integer\""),
        (format!("{schemas}/Wish/required"), json!(["size"]), "is required now"),
        (format!("{schemas}/Wish/properties/size"), Value::Null, "is gone"),
        (format!("{schemas}/Wish/properties/size/maximum"), json!(5), "narrower maximum"),
        (format!("{schemas}/Wish/properties/color/enum"), json!(["red"]), "takes fewer words"),
        (format!("{schemas}/Thing/required"), json!([]), "may be missing now"),
        (format!("{schemas}/Thing/properties/id"), Value::Null, "is gone"),
        (format!("{schemas}/Thing/properties/id/type"), json!(["string", "null"]), "was \"string\" and is"),
        (format!("{schemas}/Thing/properties/kind/enum"), json!(["big", "small", "odd"]), "beyond its closed list"),
        (
            format!("{schemas}/Thing/properties/next/oneOf"),
            json!([{ "type": "null" }, { "$ref": "#/components/schemas/Thing" }, { "$ref": "#/components/schemas/Wish" }]),
            "which no app knows",
        ),
    ] {
        let said = said(&pointer, value);
        assert!(said.iter().any(|it| it.contains(what)), "{pointer}: {said:?} lacks {what:?}");
    }
}

#[test]
fn what_is_added_breaks_nothing() {
    let schemas = "/components/schemas";
    for (pointer, value) in [
        ("/paths/~1others".to_owned(), json!({ "get": {} })),
        (format!("{schemas}/Wish/properties/name"), json!({ "type": "string" })),
        (format!("{schemas}/Wish/properties/size/maximum"), json!(12)),
        (format!("{schemas}/Wish/properties/color/enum"), json!(["red", "blue", "green"])),
        (format!("{schemas}/Thing/properties/age"), json!({ "type": "integer" })),
        (format!("{schemas}/Thing/properties/kind/enum"), json!(["big"])),
        (format!("{schemas}/Thing/properties/mood/x-extensible-enum"), json!(["good", "bad"])),
    ] {
        assert_eq!(said(&pointer, value), [""; 0], "{pointer}");
    }
}
