//! An operation of the document as its page tells of it.

use std::fmt::Write as _;

use serde_json::{Value, to_string_pretty};

use super::kind::{Field, Piece, notation};
use super::{at, markdown};

/// Enough to find it in a list.
pub(super) struct Listed {
    pub id: &'static str,
    pub method: String,
    pub path: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
}

pub(super) struct Operation {
    pub listed: Listed,
    pub about: String,
    pub parameters: Vec<Field>,
    pub body: Option<Body>,
    pub answers: Vec<Answer>,
    /// A command that makes such a request.
    pub curl: String,
}

/// What is sent, or what is answered with one media type.
pub(super) struct Body {
    pub media: String,
    pub kind: Vec<Piece>,
    /// Names and texts.
    pub examples: Vec<(String, String)>,
}

pub(super) struct Answer {
    /// Such as `200`; none for all other refusals.
    pub status: Option<String>,
    pub about: String,
    pub bodies: Vec<Body>,
}

impl Listed {
    fn of(method: &str, path: &'static str, operation: &'static Value) -> Self {
        let text = |it: &'static Value| it.as_str().unwrap_or_default();
        Self {
            id: text(&operation["operationId"]),
            method: method.to_uppercase(),
            path,
            tag: text(&operation["tags"][0]),
            summary: text(&operation["summary"]),
        }
    }

    /// Whether these words, in lower case, occur in what is known of it.
    pub(super) fn says(&self, words: &str) -> bool {
        let all = format!("{} {} {} {}", self.id, self.method, self.path, self.summary).to_lowercase();
        words.split_whitespace().all(|word| all.contains(word))
    }
}

/// All operations in the order of their addresses.
pub(super) fn all(document: &'static Value) -> impl Iterator<Item = (Listed, &'static Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let operations = item.as_object().into_iter().flatten();
        operations.map(move |(method, it)| (Listed::of(method, path, it), it))
    })
}

pub(super) fn find(document: &'static Value, id: &str) -> Option<Operation> {
    let (listed, operation) = all(document).find(|(listed, _)| listed.id == id)?;
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let body = bodies(document, &operation["requestBody"]).into_iter().next();
    Some(Operation {
        about: markdown(operation["description"].as_str().unwrap_or_default()),
        parameters: parameters.map(Field::of_parameter).collect(),
        answers: answers(document, operation),
        curl: curl(&listed, operation, body.as_ref()),
        body,
        listed,
    })
}

fn answers(document: &'static Value, operation: &'static Value) -> Vec<Answer> {
    let answers = operation["responses"].as_object().into_iter().flatten();
    answers
        .map(|(status, answer)| {
            let answer = resolved(document, answer);
            Answer {
                status: (status != "default").then(|| status.clone()),
                about: markdown(answer["description"].as_str().unwrap_or_default()),
                bodies: bodies(document, answer),
            }
        })
        .collect()
}

fn bodies(document: &'static Value, holder: &'static Value) -> Vec<Body> {
    let content = holder["content"].as_object().into_iter().flatten();
    content
        .map(|(media, content)| Body {
            media: media.clone(),
            kind: notation(&content["schema"]),
            examples: examples(document, content),
        })
        .collect()
}

fn examples(document: &'static Value, content: &'static Value) -> Vec<(String, String)> {
    let written = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => to_string_pretty(other).unwrap_or_default(),
    };
    let named = content["examples"].as_object().into_iter().flatten();
    let named = named.map(|(name, example)| (name.clone(), written(&resolved(document, example)["value"])));
    let one = content.get("example").map(|value| ("example".to_owned(), written(value)));
    named.chain(one).collect()
}

/// Itself, or the component that it refers to.
fn resolved(document: &'static Value, it: &'static Value) -> &'static Value {
    it["$ref"].as_str().and_then(|reference| at(document, reference)).unwrap_or(it)
}

fn curl(listed: &Listed, operation: &Value, body: Option<&Body>) -> String {
    let mut command = format!("curl -sS -X {} \"$URL{}\"", listed.method, listed.path);
    let is_open =
        operation["security"].as_array().is_some_and(|ways| ways.iter().all(|way| way.get("bearer").is_none()));
    if !is_open {
        command.push_str(" \\\n  -H \"authorization: Bearer $TOKEN\"");
    }
    if let Some(Body { media, examples, .. }) = body {
        // Writing into memory does not fail.
        let _ = write!(command, " \\\n  -H 'content-type: {media}'");
        if let Some((_, example)) = examples.first() {
            let _ = write!(command, " \\\n  -d '{}'", example.replace('\'', "'\\''"));
        }
    }
    command
}
