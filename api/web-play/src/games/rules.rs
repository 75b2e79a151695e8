//! How each game is played, in our own words: `templates/rules/<game>/<language>.md`, CommonMark with tables. What some
//! settings change stands between `::: option <key>[=<value>] …` and `:::`, and what they make untrue between
//! `::: unless <key>=<value> …` and `:::`.
#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::{Kind, catalogue};
use pulldown_cmark::{Options, Parser, html};
use rust_embed::Embed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use base::auth::Identity;
use base::codes::normal_code;
use base::db::Db;
use base::error::not_found;
use base::games::words::{option_label, option_text};
use base::text::Lang;
use cafe::lab;
use play::matches::{self, Snapshot};
use play::variants::{self, ChangedOption, VariantId, VariantRow, VersionRow};
use web_base::error::ApiResult;
use web_base::extract::{Path, Search, Visitor};
use web_base::lang::lang_of;
use web_base::page::Page;

#[derive(Embed)]
#[folder = "../../templates/rules"]
struct Texts;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Reading {
    /// The language, if not the caller's.
    lang: Option<Lang>,
    /// As this variant has it.
    variant: Option<VariantId>,
    /// In this version of it; the latest that was published if left out.
    version: Option<i64>,
}

/// What the page is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageReading {
    lang: Option<Lang>,
    variant: Option<VariantId>,
    version: Option<i64>,
    /// The code of a match. Who may see the match may read its rules, also those that nobody has published.
    #[serde(rename = "match")]
    code: Option<String>,
}

/// How a game is played, for people.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Rules {
    #[schema(example = "perudo")]
    game: &'static str,
    revision: u32,
    lang: Lang,
    title: String,
    /// The address of a drawing of the idea of the game.
    picture: &'static str,
    /// What the drawing shows.
    picture_text: String,
    /// How many minutes a match takes by the variant that was asked for, if the lab knows.
    minutes: Option<u32>,
    /// The variant that was asked for.
    variant: Option<HouseRules>,
    /// What the variant has otherwise than the basic game.
    changes: Vec<ChangedOption>,
    /// In reading order.
    sections: Vec<Section>,
}

/// The variant whose rules these are.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulesVariant)]
pub(crate) struct HouseRules {
    id: VariantId,
    version: i32,
    name: String,
    description: Option<String>,
}

/// Some of the rules: those that always hold, or those that an option switches on.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulesSection)]
pub(crate) struct Section {
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<Switch>,
    /// CommonMark with tables.
    markdown: String,
    html: String,
}

/// The option on which a section depends.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulesSwitch)]
pub(crate) struct Switch {
    #[schema(example = "calza")]
    key: String,
    /// The value with which the section holds; none if it explains a number.
    value: Option<String>,
    /// The option's name, and its value in words.
    label: String,
    /// Does it hold in the basic game?
    basic: bool,
    /// Does it hold in the variant that was asked for; in the basic game, if none was?
    holds: bool,
    /// Has that variant set the option otherwise than the basic game?
    changed: bool,
}

/// How a game is played, in sections; those that an option switches on say so.
#[utoipa::path(
    tag = "games",
    params(("game" = String, Path, example = "perudo"), Reading),
    responses((status = 200, body = Rules)),
    security((), ("bearer" = []))
)]
#[get("/games/{game}/rules")]
pub async fn find_rules(
    db: Data<Db>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path(id): Path<String>,
    Search(reading): Search<Reading>,
) -> ApiResult<Json<Rules>> {
    let kind = catalogue::find(&id).ok_or_else(|| not_found("unknown_game"))?;
    let chosen = reading.chosen(&db, kind, visitor, None).await?;
    Ok(Json(rules(kind, reading.lang.unwrap_or_else(|| lang_of(&request)), chosen)))
}

#[derive(Template)]
#[template(path = "guest/rules.html")]
struct RulesPage {
    page: Page,
    rules: Rules,
    /// Else the page tells of all options.
    is_chosen: bool,
    tagline: String,
    least: u8,
    most: u8,
    shortest: u16,
    longest: u16,
}

#[get("/rules/{game}")]
pub async fn show_rules(
    db: Data<Db>,
    mut page: Page,
    Visitor(visitor): Visitor,
    Path(id): Path<String>,
    Search(PageReading { lang, variant, version, code }): Search<PageReading>,
) -> ApiResult<HttpResponse> {
    let kind = catalogue::find(&id).ok_or_else(|| not_found("unknown_game"))?;
    let reading = Reading { lang, variant, version };
    let chosen = reading.chosen(&db, kind, visitor, code.as_deref()).await?;
    page.lang = reading.lang.unwrap_or(page.lang);
    let template = RulesPage::of(page, kind, chosen);
    template.page.html(&template)
}

impl RulesPage {
    fn of(page: Page, kind: &dyn Kind, chosen: Option<Chosen>) -> Self {
        let info = kind.info();
        Self {
            is_chosen: chosen.is_some(),
            rules: rules(kind, page.lang, chosen),
            tagline: page.word_or(&format!("{}-tagline", info.id), ""),
            least: *info.seats.start(),
            most: *info.seats.end(),
            shortest: *info.minutes.start(),
            longest: *info.minutes.end(),
            page,
        }
    }

    fn is_shown(&self, switch: &Switch) -> bool {
        !self.is_chosen || switch.holds
    }

    /// Whether it holds because the café changed it.
    fn is_changed(&self, switch: &Switch) -> bool {
        self.is_chosen && switch.changed
    }

    fn is_basic(&self, switch: &Switch) -> bool {
        if self.is_chosen { !switch.changed } else { switch.basic }
    }
}

impl Reading {
    /// The variant that was asked for, or else what the match with this code is played by.
    async fn chosen(
        &self,
        db: &Db,
        kind: &dyn Kind,
        visitor: Option<Identity>,
        code: Option<&str>,
    ) -> ApiResult<Option<Chosen>> {
        if self.variant.is_none() && code.is_none() {
            return Ok(None);
        }
        let (game, visitor) = (kind.info().id, visitor.as_ref());
        let read = async |conn: &mut AsyncPgConnection| {
            let named = self.named(conn, game, visitor).await?;
            if named.is_some() {
                return Ok(named);
            }
            let code = code.ok_or_else(|| not_found("variant_not_found"))?;
            ApiResult::Ok(Some(played(conn, game, visitor, code).await?))
        };
        db.read(read).await
    }

    async fn named(
        &self,
        conn: &mut AsyncPgConnection,
        game: &str,
        visitor: Option<&Identity>,
    ) -> ApiResult<Option<Chosen>> {
        let Some(id) = self.variant else { return Ok(None) };
        let found = variants::find(conn, visitor, id, self.version).await?;
        let Some((variant, version)) = found.filter(|(variant, _)| variant.game == game) else { return Ok(None) };
        let minutes = lab::minutes(conn, game, &version).await?;
        Ok(Some(Chosen::of(variant, version, minutes)))
    }
}

/// The options of the match with this code, without the name of a draft.
async fn played(conn: &mut AsyncPgConnection, game: &str, visitor: Option<&Identity>, code: &str) -> ApiResult<Chosen> {
    let missing = || not_found("match_not_found");
    let id = matches::store::find_id_by_code(conn, &normal_code(code)).await?.ok_or_else(missing)?;
    let snapshot = Snapshot::read(conn, id).await?;
    snapshot.access_of_visitor(conn, visitor).await?;
    if snapshot.row.game != game {
        return Err(missing().into());
    }
    Ok(Chosen { options: snapshot.row.options, variant: None, minutes: None })
}

/// The rules that were asked for.
struct Chosen {
    options: Value,
    variant: Option<HouseRules>,
    minutes: Option<u32>,
}

impl Chosen {
    fn of(variant: VariantRow, version: VersionRow, minutes: Option<u32>) -> Self {
        let VariantRow { id, name, description, .. } = variant;
        let variant = HouseRules { id, version: version.number, name, description };
        Self { options: version.options, variant: Some(variant), minutes }
    }
}

fn rules(kind: &dyn Kind, lang: Lang, chosen: Option<Chosen>) -> Rules {
    let info = kind.info();
    let word = |what: &str| lang.find_with(&format!("{}-{what}", info.id), &[]).unwrap_or_default();
    let basic = kind.normalize_options(&Value::Object(Map::new()), *info.seats.start()).unwrap_or_default();
    let options = chosen.as_ref().map_or(&basic, |chosen| &chosen.options);
    let sections = blocks(&text(info.id, lang))
        .filter_map(|(when, markdown)| {
            let option = match when {
                When::With(settings) => Some(Switch::new(settings, info.id, lang, &basic, options)),
                When::Unless(settings) if chosen.is_some() && are_set(settings, options) => return None,
                When::Always | When::Unless(_) => None,
            };
            Some(Section { option, html: to_html(markdown), markdown: markdown.trim().to_owned() })
        })
        .collect();
    let changes = variants::difference(lang, info.id, &basic, options);
    let picture = web_base::assets::url(&format!("rules/{}.svg", info.id));
    let (title, picture_text) = (word("name"), word("picture"));
    let (variant, minutes) = chosen.map_or((None, None), |chosen| (chosen.variant, chosen.minutes));
    Rules {
        game: info.id,
        revision: info.revision,
        lang,
        title,
        picture,
        picture_text,
        minutes,
        variant,
        changes,
        sections,
    }
}

impl Switch {
    /// The first of the settings is the one that the section explains; the others must hold as well.
    fn new(settings: &str, game: &str, lang: Lang, basic: &Value, options: &Value) -> Self {
        let is_changed = |key: &str| options[key] != basic[key];
        let labels = each(settings).map(|(key, value)| {
            let name = option_label(lang, game, key);
            let setting = match value {
                Some("true") => Some(lang.text("rules-on")),
                Some("false") => Some(lang.text("rules-off")),
                Some(word) => lang.find_with(&format!("{game}-option-{key}-{word}"), &[]),
                None if is_changed(key) => Some(option_text(lang, game, key, &options[key])),
                None => None,
            };
            setting.map_or(name.clone(), |setting| format!("{name}: {setting}"))
        });
        let label = labels.collect::<Vec<_>>().join(" · ");
        let (key, value) = each(settings).next().unwrap_or_default();
        let (basic, holds) = (are_set(settings, basic), are_set(settings, options));
        Self { key: key.to_owned(), value: value.map(str::to_owned), label, basic, holds, changed: is_changed(key) }
    }
}

/// The settings of a mark, `<key>[=<value>]` each.
fn each(settings: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    settings.split_whitespace().map(|setting| match setting.split_once('=') {
        Some((key, value)) => (key, Some(value)),
        None => (setting, None),
    })
}

/// Do the options have all these settings?
fn are_set(settings: &str, options: &Value) -> bool {
    let plain = |option: &Value| match option {
        Value::String(word) => word.clone(),
        other => other.to_string(),
    };
    each(settings).all(|(key, value)| value.is_none_or(|value| value == plain(&options[key])))
}

fn text(game: &str, lang: Lang) -> String {
    let file = Texts::get(&format!("{game}/{}.md", lang.code()));
    file.map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default()
}

/// When a piece of the text is true.
#[derive(Debug, PartialEq)]
enum When<'a> {
    Always,
    /// With these settings.
    With(&'a str),
    /// In the basic game, and in variants without these settings.
    Unless(&'a str),
}

/// The text in pieces, each with the settings between whose marks it stands.
fn blocks(text: &str) -> impl Iterator<Item = (When<'_>, &str)> {
    text.split("\n::: ")
        .flat_map(|piece| {
            let (mark, rest) = piece.split_once('\n').unwrap_or((piece, ""));
            let when = match mark.split_once(' ') {
                Some(("option", settings)) => When::With(settings.trim()),
                Some(("unless", settings)) => When::Unless(settings.trim()),
                _ => return vec![(When::Always, piece)],
            };
            let (inside, after) = rest.split_once("\n:::\n").unwrap_or((rest.trim_end_matches("\n:::"), ""));
            vec![(when, inside), (When::Always, after)]
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
    use serde_json::json;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete_for_every_game() {
        for kind in catalogue::GAMES {
            samples::check(samples::ANYBODY, |page| RulesPage::of(page, *kind, None).render());
        }
        samples::check(samples::ANYBODY, |page| {
            let kind = catalogue::find("perudo").unwrap();
            let mut options = kind.normalize_options(&json!({}), 3).unwrap();
            options["calza"] = json!(true);
            let variant = samples::variant(variants::VariantStatus::Published);
            let chosen = Chosen::of(variant, samples::variant_version(1, options, true), Some(25));
            RulesPage::of(page, kind, Some(chosen)).render()
        });
        samples::check(samples::ANYBODY, |page| {
            let chosen = Chosen { options: json!({ "calza": true, "palifico": true }), variant: None, minutes: None };
            RulesPage::of(page, catalogue::find("perudo").unwrap(), Some(chosen)).render()
        });
    }

    #[test]
    fn every_game_is_explained_in_every_language_with_the_same_switches() {
        for kind in catalogue::GAMES {
            let info = kind.info();
            let schema = kind.options_schema().to_value();
            let switches = |lang| {
                let rules = rules(*kind, lang, None);
                assert!(rules.sections.len() > 1, "{} in {lang:?}", info.id);
                assert!(!rules.picture.is_empty() && !rules.picture_text.is_empty(), "{}: a picture", info.id);
                rules.sections.into_iter().filter_map(|it| it.option).map(|it| it.key).collect::<Vec<_>>()
            };
            let ours = switches(Lang::Ko);
            for key in schema["properties"].as_object().unwrap().keys() {
                assert!(ours.contains(key), "{}: {key} is not explained", info.id);
            }
            let korean = text(info.id, Lang::Ko);
            for lang in Lang::ALL {
                assert_eq!(switches(lang), ours, "{}", info.id);
                let theirs = text(info.id, lang);
                let pieces = |text: &str| blocks(text).map(|(when, _)| format!("{when:?}")).collect::<Vec<_>>();
                assert_eq!(pieces(&theirs), pieces(&korean), "{} in {lang:?}", info.id);
            }
            let marks = blocks(&korean).filter_map(|(when, _)| match when {
                When::Always => None,
                When::With(settings) | When::Unless(settings) => Some(settings),
            });
            for (key, value) in marks.flat_map(each) {
                let property = schema["properties"].get(key);
                assert!(property.is_some(), "{}: there is no option {key}", info.id);
                let lang = Lang::Ko;
                let named = |value: &str| {
                    matches!(value, "true" | "false")
                        || lang.find_with(&format!("{}-option-{key}-{value}", info.id), &[]).is_some()
                };
                assert!(value.is_none_or(named), "{}: {key}={value:?}", info.id);
            }
        }
    }

    #[test]
    fn a_variant_switches_its_options_on_and_marks_them() {
        let (basic, options) = (json!({ "calza": false, "dice": 5 }), json!({ "calza": true, "dice": 6 }));
        let switch = |switch: &str| Switch::new(switch, "perudo", Lang::En, &basic, &options);
        let on = switch("calza=true");
        assert_eq!((on.basic, on.holds, on.changed), (false, true, true));
        assert!(!switch("calza=false").holds);
        let dice = switch("dice");
        assert_eq!((dice.holds, dice.changed, dice.label.as_str()), (true, true, "dice: 6"));
        let both = switch("dice calza=false");
        assert_eq!((both.key.as_str(), both.basic, both.holds), ("dice", true, false));
        let both = switch("dice calza=true");
        assert_eq!((both.basic, both.holds, both.label.as_str()), (false, true, "dice: 6 · Calza (expert rule): on"));
    }

    #[test]
    fn what_stands_between_the_marks_belongs_to_the_option() {
        let text = "One.\n\n::: option a=true c=x\nTwo.\n:::\n\nThree.\n\n::: option b\nFour.\n:::\n\n\
                    ::: unless a=true\nFive.\n:::\n";
        let found: Vec<_> = blocks(text).map(|(when, markdown)| (when, markdown.trim())).collect();
        let pieces = [
            (When::Always, "One."),
            (When::With("a=true c=x"), "Two."),
            (When::Always, "Three."),
            (When::With("b"), "Four."),
            (When::Unless("a=true"), "Five."),
        ];
        assert_eq!(found, pieces);
    }

    /// The rules that guests read of a variant with these options.
    fn read(game: &str, options: &Value) -> String {
        let kind = catalogue::find(game).unwrap();
        let options = kind.normalize_options(options, *kind.info().seats.start()).unwrap();
        let variant = samples::variant(variants::VariantStatus::Published);
        let rules = rules(kind, Lang::En, Some(Chosen::of(variant, samples::variant_version(1, options, true), None)));
        let shown = rules.sections.iter().filter(|it| it.option.as_ref().is_none_or(|switch| switch.holds));
        shown.map(|it| it.markdown.as_str()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn no_sentence_denies_what_a_variant_has_set() {
        let denied = |game: &str, sentence: &str, options: Value| {
            assert!(read(game, &json!({})).contains(sentence), "{game} has it: {sentence}");
            assert!(!read(game, &options).contains(sentence), "{options} denies it: {sentence}");
        };
        denied("middle-race", "The race ends the moment all winning places", json!({ "winner": "not_ends" }));
        denied("middle-race", "Your hand is seen only by you.", json!({ "open_hands": true }));
        denied("middle-race", "An ability that can be used must be used.", json!({ "may_decline": true }));
        let mermaids = json!({ "mermaid_rules": true });
        denied("dead-mans-draw", "only mermaids are worth 4 to 9", mermaids.clone());
        denied("dead-mans-draw", "Mermaids do nothing", mermaids);
        let card = |word: &str| json!({ "game_variant": word });
        denied("dead-mans-draw", "**suit that already lies in the row**", card("strange_lands"));
        denied("dead-mans-draw", "Draw another key, and all five are gone.", card("strange_lands"));
        denied("dead-mans-draw", "Add up the highest value of each suit", card("pile_o_treasure"));
        denied("dead-mans-draw", "The highest score wins.", card("beneath_the_waves"));
        assert!(!read("hogu-clue", &json!({ "same_kind_back": false })).contains("any card of your own"));
        denied("perudo-pirates", "roll the rest again", json!({ "hidden": true }));
        denied("perudo-pirates", "The last player with dice wins.", json!({ "first_blood": true }));
        denied("perudo-pirates", "| the challenger loses a die |", json!({ "high_risk": true }));
        let free = json!({ "high_risk": true, "high_risk_exact": "none" });
        denied("perudo-pirates", "The bidder loses a die and starts", free);
    }

    #[test]
    fn an_option_without_effect_is_not_explained() {
        let near = "ranked by how near the middle";
        assert!(read("middle-race", &json!({ "full_race": true })).contains(near));
        assert!(!read("middle-race", &json!({ "full_race": true, "winner": "not_ends" })).contains(near));
        let exact = "costs the bidder nothing";
        assert!(read("perudo-pirates", &json!({ "high_risk_exact": "none", "high_risk": true })).contains(exact));
        assert!(!read("perudo-pirates", &json!({ "high_risk_exact": "none" })).contains(exact));
        let dealt = "How many trait cards everybody is dealt. The basic game has 2.";
        assert!(read("dead-mans-draw", &json!({ "traits": true })).contains(dealt));
        assert!(!read("dead-mans-draw", &json!({ "trait_deal": 3 })).contains(dealt));
        let heading = "## Variant cards";
        assert!(read("dead-mans-draw", &json!({ "game_variant": "random" })).contains(heading));
        assert!(!read("dead-mans-draw", &json!({})).contains(heading));
        assert!(text("dead-mans-draw", Lang::En).contains(heading));
    }

    #[test]
    fn a_variant_card_at_random_is_explained_whichever_it_is() {
        let page = read("dead-mans-draw", &json!({ "game_variant": "random" }));
        let card = |word: &str| Lang::En.find_with(&format!("dead-mans-draw-option-game_variant-{word}"), &[]).unwrap();
        for word in [
            "thieves_island",
            "pile_o_treasure",
            "sudden_death",
            "all_hands_on_deck",
            "strange_lands",
            "beneath_the_waves",
        ] {
            assert!(page.contains(&format!("- **{}**", card(word))), "{word}");
        }
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
