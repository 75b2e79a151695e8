//! Any game: the fields of its view, by seat where there is one per seat.

use askama::Template;
use serde_json::Value;

use super::Scene;
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

/// Shown elsewhere on the page, or of no interest to a person.
const LEFT_OUT: [&str; 8] = ["game", "options", "seats", "phase", "round", "to_move", "interrupt", "outcome"];

/// Empty, or empty for every seat.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().all(says_nothing),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[derive(Template)]
#[template(path = "boards/generic.html")]
struct PlainBoard<'a> {
    page: &'a Page,
    labels: Vec<String>,
    /// A name, and a text for each label.
    rows: Vec<(&'a str, Vec<String>)>,
    facts: Vec<(String, String)>,
}

pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let (mut labels, mut facts) = (Vec::new(), Vec::new());
    let mut rows: Vec<_> = scene.names.iter().map(|name| (name.as_str(), Vec::new())).collect();
    for (name, value) in scene.view.as_object().into_iter().flatten() {
        if LEFT_OUT.contains(&name.as_str()) || says_nothing(value) {
            continue;
        }
        let label = scene.words.label(name);
        match value {
            Value::Array(items) if items.len() == scene.names.len() => {
                labels.push(label);
                rows.iter_mut().zip(items).for_each(|((_, texts), item)| texts.push(scene.words.text(None, item)));
            }
            _ => facts.push((label, scene.words.view_field(name, value))),
        }
    }
    Ok(PlainBoard { page: scene.page, labels, rows, facts }.render().map_err(internal)?)
}
