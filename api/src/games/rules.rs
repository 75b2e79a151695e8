//! How each game is played, in our own words: `templates/rules/<game>/<language>.md`, CommonMark with tables. What an
//! option changes stands between `::: option <key>[=<value>]` and `:::`.
#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::web::Json;
use actix_web::{HttpRequest, HttpResponse, get};
use askama::Template;
use engine::{Kind, catalogue};
use pulldown_cmark::{Options, Parser, html};
use rust_embed::Embed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiResult, not_found};
use crate::extract::{Path, Search};
use crate::page::Page;
use crate::text::Lang;

#[derive(Embed)]
#[folder = "../templates/rules"]
struct Texts;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Reading {
    /// The language, if not the caller's.
    lang: Option<Lang>,
}

/// How a game is played, for people.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rules {
    #[schema(example = "perudo")]
    game: &'static str,
    revision: u32,
    lang: Lang,
    title: String,
    /// The address of a drawing of the idea of the game.
    picture: &'static str,
    /// What the drawing shows.
    picture_text: String,
    /// In reading order.
    sections: Vec<Section>,
}

/// Some of the rules: those that always hold, or those that an option switches on.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulesSection)]
pub struct Section {
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<Switch>,
    /// CommonMark with tables.
    markdown: String,
    html: String,
}

/// The option on which a section depends.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulesSwitch)]
pub struct Switch {
    #[schema(example = "calza")]
    key: String,
    /// The value with which the section holds; none if it explains a number.
    value: Option<String>,
    /// The option's name, and its value in words.
    label: String,
    /// Does it hold in the basic game?
    basic: bool,
}

/// How a game is played, in sections; those that an option switches on say so.
#[utoipa::path(
    tag = "games",
    params(("game" = String, Path, example = "perudo"), Reading),
    responses((status = 200, body = Rules)),
    security(())
)]
#[get("/games/{game}/rules")]
pub(crate) async fn find_rules(
    request: HttpRequest,
    Path(id): Path<String>,
    Search(reading): Search<Reading>,
) -> ApiResult<Json<Rules>> {
    let kind = catalogue::find(&id).ok_or_else(|| not_found("unknown_game"))?;
    Ok(Json(rules(kind, reading.lang.unwrap_or_else(|| Lang::of(&request)))))
}

#[derive(Template)]
#[template(path = "guest/rules.html")]
struct RulesPage {
    page: Page,
    rules: Rules,
    tagline: String,
    least: u8,
    most: u8,
    shortest: u16,
    longest: u16,
}

#[get("/rules/{game}")]
pub(crate) async fn show_rules(
    mut page: Page,
    Path(id): Path<String>,
    Search(reading): Search<Reading>,
) -> ApiResult<HttpResponse> {
    let kind = catalogue::find(&id).ok_or_else(|| not_found("unknown_game"))?;
    page.lang = reading.lang.unwrap_or(page.lang);
    let info = kind.info();
    let template = RulesPage {
        rules: rules(kind, page.lang),
        tagline: page.word_or(&format!("{}-tagline", info.id), ""),
        least: *info.seats.start(),
        most: *info.seats.end(),
        shortest: *info.minutes.start(),
        longest: *info.minutes.end(),
        page,
    };
    template.page.html(&template)
}

fn rules(kind: &dyn Kind, lang: Lang) -> Rules {
    let info = kind.info();
    let word = |what: &str| lang.find_with(&format!("{}-{what}", info.id), &[]).unwrap_or_default();
    let basic = kind.settle_options(&Value::Object(Map::new()), *info.seats.start()).unwrap_or_default();
    let sections = blocks(&text(info.id, lang))
        .map(|(switch, markdown)| Section {
            option: switch.map(|switch| Switch::new(switch, info.id, lang, &basic)),
            html: to_html(markdown),
            markdown: markdown.trim().to_owned(),
        })
        .collect();
    let picture = crate::assets::url(&format!("rules/{}.svg", info.id));
    let (title, picture_text) = (word("name"), word("picture"));
    Rules { game: info.id, revision: info.revision, lang, title, picture, picture_text, sections }
}

impl Switch {
    fn new(switch: &str, game: &str, lang: Lang, basic: &Value) -> Self {
        let (key, value) = match switch.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (switch, None),
        };
        let word = |what: &str| lang.find_with(&format!("{game}-option-{what}"), &[]);
        let name = word(key).unwrap_or_else(|| key.to_owned());
        let setting = value.and_then(|value| match value {
            "true" => Some(lang.text("rules-on")),
            "false" => Some(lang.text("rules-off")),
            _ => word(&format!("{key}-{value}")),
        });
        let label = setting.map_or(name.clone(), |setting| format!("{name}: {setting}"));
        let plain = match &basic[key] {
            Value::String(word) => word.clone(),
            other => other.to_string(),
        };
        let basic = value.is_none_or(|value| value == plain);
        Self { key: key.to_owned(), value: value.map(str::to_owned), label, basic }
    }
}

fn text(game: &str, lang: Lang) -> String {
    let file = Texts::get(&format!("{game}/{}.md", lang.code()));
    file.map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default()
}

/// The text in pieces, each with the option between whose marks it stands.
fn blocks(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    text.split("\n::: ")
        .flat_map(|piece| match piece.strip_prefix("option ") {
            None => vec![(None, piece)],
            Some(rest) => {
                let (switch, rest) = rest.split_once('\n').unwrap_or((rest, ""));
                let (inside, after) = rest.split_once("\n:::\n").unwrap_or((rest.trim_end_matches("\n:::"), ""));
                vec![(Some(switch.trim()), inside), (None, after)]
            }
        })
        .filter(|(_, markdown)| !markdown.trim().is_empty())
}

fn to_html(markdown: &str) -> String {
    let mut written = String::new();
    html::push_html(&mut written, Parser::new_ext(markdown, Options::ENABLE_TABLES));
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_explained_in_every_language_with_the_same_switches() {
        for kind in catalogue::GAMES {
            let info = kind.info();
            let schema = kind.options_schema().to_value();
            let switches = |lang| {
                let rules = rules(*kind, lang);
                assert!(rules.sections.len() > 1, "{} in {lang:?}", info.id);
                assert!(!rules.picture.is_empty() && !rules.picture_text.is_empty(), "{}: a picture", info.id);
                rules.sections.into_iter().filter_map(|it| it.option).map(|it| (it.key, it.value)).collect::<Vec<_>>()
            };
            let ours = switches(Lang::Ko);
            assert_eq!(ours, switches(Lang::En), "{}", info.id);
            assert_eq!(ours, switches(Lang::Es), "{}", info.id);
            let keys = schema["properties"].as_object().unwrap().keys();
            for key in keys {
                assert!(ours.iter().any(|(explained, _)| explained == key), "{}: {key} is not explained", info.id);
            }
            for (key, value) in &ours {
                let property = schema["properties"].get(key);
                assert!(property.is_some(), "{}: there is no option {key}", info.id);
                let lang = Lang::Ko;
                let named = |value: &String| {
                    matches!(value.as_str(), "true" | "false")
                        || lang.find_with(&format!("{}-option-{key}-{value}", info.id), &[]).is_some()
                };
                assert!(value.as_ref().is_none_or(named), "{}: {key}={value:?}", info.id);
            }
        }
    }

    #[test]
    fn what_stands_between_the_marks_belongs_to_the_option() {
        let text = "One.\n\n::: option a=true\nTwo.\n:::\n\nThree.\n\n::: option b\nFour.\n:::\n";
        let found: Vec<_> = blocks(text).map(|(switch, markdown)| (switch, markdown.trim())).collect();
        assert_eq!(found, [(None, "One."), (Some("a=true"), "Two."), (None, "Three."), (Some("b"), "Four.")]);
    }

    #[test]
    fn the_texts_hold_no_markup_of_their_own() {
        for kind in catalogue::GAMES {
            for lang in Lang::ALL {
                assert!(!text(kind.info().id, lang).contains('<'), "{}", kind.info().id);
            }
        }
    }
}
