//! Any game: the fields of its view, by seat where there is one per seat.

use askama::Template;
use serde_json::Value;

use super::Scene;
use crate::error::{ApiResult, internal};
use crate::page::Page;

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
    PlainBoard { page: scene.page, labels, rows, facts }.render().map_err(internal)
}

#[cfg(test)]
mod tests {
    use engine::{Viewer, catalogue, playout};
    use serde_json::{from_str, json};

    use crate::matches::admin::boards::{Scene, draw};
    use crate::matches::admin::words::Words;
    use crate::page::Page;
    use crate::text::Lang;

    #[test]
    fn every_game_is_drawn_at_every_moment() {
        for kind in catalogue::GAMES {
            let info = kind.info();
            for seats in [*info.seats.start(), *info.seats.end()] {
                let names: Vec<String> = (0..seats).map(|seat| format!("<{seat}>")).collect();
                let random = &mut playout::random(seats.into());
                let (mut play, _) = kind.start(&json!({}), seats, random).unwrap();
                let (page, words) = (Page::sample(Lang::Ko), Words::new(Lang::Ko, *kind, info.id, &names));
                loop {
                    let view = from_str(play.view(Viewer::Public).get()).unwrap();
                    let scene = Scene { page: &page, game: info.id, view: &view, names: &names, words: &words };
                    let html = draw(&scene).unwrap();
                    assert!(!html.contains("<0>"), "{}: names are text", info.id);
                    let Some((seat, chosen)) = playout::random_move(play.as_ref(), random) else { break };
                    play.play(seat, &from_str(chosen.get()).unwrap(), random).unwrap();
                }
            }
        }
    }
}
