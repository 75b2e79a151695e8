//! All that is said in a game, in one language and in pieces, so that an app can say it of any match: the catalogues that the
//! pages use, with how each field of a sentence is filled.
#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use std::collections::BTreeMap;

use actix_web::web::Json;
use actix_web::{HttpRequest, get};
use engine::{Info, Kind, Refusal, catalogue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::words::Words;
use base::error::not_found;
use base::games::words::option_label;
use base::text::{Lang, Part};
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::lang::lang_of;

/// What is said in a game, in one language.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameWords {
    #[schema(example = "perudo")]
    game: &'static str,
    /// Of the rules as this server plays them.
    revision: u32,
    lang: Lang,
    name: String,
    tagline: String,
    /// What the drawing on the rules page shows.
    picture: String,
    /// By type.
    moves: BTreeMap<String, MoveWords>,
    /// By type.
    events: BTreeMap<String, EventWords>,
    phases: BTreeMap<String, String>,
    /// Why a move was refused, by code.
    refusals: BTreeMap<String, String>,
    /// Why a match was over, by the `reason` of its outcome.
    ends: BTreeMap<String, String>,
    options: BTreeMap<String, OptionWords>,
    /// The fields of a view.
    view: BTreeMap<String, ViewWords>,
    /// All other words, such as animals and cards. A word that is not here is shown as it is, with spaces for `_`.
    words: BTreeMap<String, String>,
    /// What is the same in all games.
    common: CommonWords,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MoveWords {
    /// What a button says. What the move says besides follows after `: `, its fields in alphabetical order with ` · ` between.
    label: String,
    fields: BTreeMap<String, Placeable>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventWords {
    /// The first that fits is said: one whose `if` names a field that is there and not null, or one without `if`; and all fields of
    /// which are there.
    sentences: Vec<Sentence>,
    fields: BTreeMap<String, Placeable>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Sentence {
    #[serde(rename = "if")]
    needed: Option<String>,
    parts: Vec<Part>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OptionWords {
    label: String,
    help: Option<String>,
    /// Of an option that is set to words, what each is called; `null` is the value null.
    values: BTreeMap<String, String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ViewWords {
    label: String,
    #[serde(flatten)]
    value: Placeable,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommonWords {
    yes: String,
    no: String,
    /// What is said of null.
    none: String,
    /// A value that several seats have, with their `names`: for `by_seat`.
    by_value: Vec<Part>,
}

/// How a field is said in a sentence.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Placeable {
    pub(super) kind: PlaceableKind,
    /// How each item of a list, each seat's value or each value of a map is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    pub(super) of: Option<Box<Placeable>>,
    /// How the parts of an object are said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    pub(super) fields: Option<BTreeMap<String, Placeable>>,
    /// All words that it can be, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) words: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlaceableKind {
    /// The name of who sits at the seat with this number.
    Seat,
    Number,
    /// Its text in `words`.
    Word,
    /// `yes` or `no` of the common words; in the cases of a sentence `true` or `false`.
    YesNo,
    /// Its items with `, ` between; `none` of the common words if it is empty.
    List,
    /// A list with a value for each seat: equal values once, each by `by_value`, in the order of the words, with `, ` between.
    BySeat,
    /// Each key as a word, a space and its value, in alphabetical order with `, ` between.
    Map,
    /// Its fields in alphabetical order with ` · ` between.
    Fields,
}

impl PlaceableKind {
    pub(super) fn alone(self) -> Placeable {
        Placeable { kind: self, of: None, fields: None, words: None }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WordsQuery {
    /// The language, if not the caller's.
    lang: Option<Lang>,
}

/// What is said in a game: a text for each move, event, phase, refusal, end, option, field of the view and word.
#[utoipa::path(
    tag = "games",
    params(("game" = String, Path, example = "perudo"), WordsQuery),
    responses((status = 200, body = GameWords)),
    security(())
)]
#[get("/games/{game}/words")]
pub async fn find_words(
    request: HttpRequest,
    Path(id): Path<String>,
    Search(query): Search<WordsQuery>,
) -> ApiResult<Json<GameWords>> {
    let kind = catalogue::find(&id).ok_or_else(|| not_found("unknown_game"))?;
    Ok(Json(GameWords::of(kind, query.lang.unwrap_or_else(|| lang_of(&request)))))
}

impl GameWords {
    fn of(kind: &dyn Kind, lang: Lang) -> Self {
        let info = kind.info();
        let book = Book { lang, words: Words::new(lang, info.id, &[]), info };
        let info = &book.info;
        let codes = Refusal::COMMON.iter().map(|it| it.0).chain(info.refusals.iter().copied());
        Self {
            game: info.id,
            revision: info.revision,
            lang,
            name: book.text("name", info.id),
            tagline: book.text("tagline", ""),
            picture: book.text("picture", ""),
            moves: book.words.moves().map(|name| (name.to_owned(), book.of_move(name))).collect(),
            events: book.words.events().map(|name| (name.to_owned(), book.of_event(name))).collect(),
            phases: book.texts("phase", info.phases.iter().copied()),
            refusals: codes.map(|code| (code.to_owned(), book.refusal(code))).collect(),
            ends: info.reasons.iter().map(|reason| ((*reason).to_owned(), book.words.word(reason))).collect(),
            options: book.options(&kind.options_schema().into()),
            view: book.words.view_fields().filter_map(|name| Some((name.to_owned(), book.of_view(name)?))).collect(),
            words: book.texts("word", lang.ids_after(&format!("{}-word-", info.id))),
            common: CommonWords {
                yes: lang.text("yes"),
                no: lang.text("no"),
                none: super::words::NONE.to_owned(),
                by_value: lang.parts("board-by-value").unwrap_or_default(),
            },
        }
    }
}

/// The catalogues' words of one game.
struct Book {
    lang: Lang,
    info: Info,
    words: Words<'static>,
}

impl Book {
    fn text(&self, what: &str, otherwise: &str) -> String {
        self.lang.find_with(&format!("{}-{what}", self.info.id), &[]).unwrap_or_else(|| otherwise.to_owned())
    }

    fn texts<'n>(&self, what: &str, names: impl Iterator<Item = &'n str>) -> BTreeMap<String, String> {
        names.map(|name| (name.to_owned(), self.text(&format!("{what}-{name}"), name))).collect()
    }

    fn of_move(&self, name: &str) -> MoveWords {
        MoveWords { label: self.text(&format!("move-{name}"), name), fields: self.words.fields_of_move(name) }
    }

    fn of_event(&self, name: &str) -> EventWords {
        let fields = self.words.fields_of_event(name);
        let base = format!("{}-event-{name}", self.info.id);
        let sentence = |key: &str, needed| Some(Sentence { needed, parts: self.lang.parts(key)? });
        let special = fields.keys().filter_map(|field| sentence(&format!("{base}-{field}"), Some(field.clone())));
        let sentences = special.chain(sentence(&base, None)).collect();
        EventWords { sentences, fields }
    }

    fn refusal(&self, code: &str) -> String {
        let common = || self.lang.text(&format!("refused-{code}"));
        self.lang.find_with(&format!("{}-refused-{code}", self.info.id), &[]).unwrap_or_else(common)
    }

    fn options(&self, schema: &Value) -> BTreeMap<String, OptionWords> {
        let keys = schema["properties"].as_object().into_iter().flat_map(|it| it.keys());
        let of = |key: &String| {
            let base = format!("option-{key}");
            let beginning = format!("{}-{base}-", self.info.id);
            let values = self.lang.ids_after(&beginning).filter(|it| *it != "help");
            OptionWords {
                label: option_label(self.lang, self.info.id, key),
                help: self.lang.find_with(&format!("{}-{base}-help", self.info.id), &[]),
                values: self.texts(&base, values),
            }
        };
        keys.map(|key| (key.clone(), of(key))).collect()
    }

    fn of_view(&self, name: &str) -> Option<ViewWords> {
        Some(ViewWords { label: self.words.own_label(name)?, value: self.words.field_of_view(name) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use engine::{Json as RawJson, playout};
    use serde_json::{from_str, json, to_value};

    use super::*;

    /// An app that knows nothing but the words that it was sent, and fills them as their descriptions say.
    struct App<'a> {
        book: &'a Value,
        names: &'a [String],
        lang: Lang,
    }

    impl App<'_> {
        fn tells(&self, event: &Value) -> Option<String> {
            let words = &self.book["events"][event["type"].as_str()?];
            let sentences = words["sentences"].as_array()?.iter();
            let fits = |it: &&Value| it["if"].as_str().is_none_or(|needed| !event[needed].is_null());
            sentences.filter(fits).find_map(|it| self.fill(&it["parts"], event, &words["fields"]))
        }

        fn names_move(&self, chosen: &Value) -> String {
            let words = &self.book["moves"][chosen["type"].as_str().unwrap()];
            let fields = chosen.as_object().unwrap().iter().filter(|(name, value)| *name != "type" && !value.is_null());
            let said: Vec<_> = fields.map(|(name, value)| self.say(&words["fields"][name], value)).collect();
            let label = words["label"].as_str().unwrap();
            if said.is_empty() { label.to_owned() } else { format!("{label}: {}", said.join(" · ")) }
        }

        fn fill(&self, parts: &Value, values: &Value, how: &Value) -> Option<String> {
            let part = |part: &Value| {
                let field = part["field"].as_str().unwrap_or_default();
                let value = values.get(field);
                match part["type"].as_str()? {
                    "text" => Some(part["text"].as_str()?.to_owned()),
                    "field" => Some(self.say(&how[field], value?)),
                    _ => {
                        let cases = part["cases"].as_array()?.iter();
                        let case = { cases }.find(|case| self.fits(case["when"].as_str().unwrap(), value));
                        self.fill(case.map_or(&part["otherwise"], |case| &case["parts"]), values, how)
                    }
                }
            };
            parts.as_array()?.iter().map(part).collect()
        }

        fn fits(&self, when: &str, value: Option<&Value>) -> bool {
            let one = self.lang != Lang::Ko && value == Some(&json!(1)) && when == "one";
            let plain = match value {
                None => return false,
                Some(Value::Null) => "none".to_owned(),
                Some(Value::String(word)) => word.clone(),
                Some(value) => value.to_string(),
            };
            one || when == plain
        }

        fn word(&self, word: &str) -> String {
            self.book["words"][word].as_str().map_or_else(|| word.replace('_', " "), str::to_owned)
        }

        fn say(&self, how: &Value, value: &Value) -> String {
            let common = |word: &str| self.book["common"][word].as_str().unwrap().to_owned();
            match (value, how["kind"].as_str().unwrap_or_default()) {
                (Value::Null, _) => common("none"),
                (Value::Bool(yes), _) => common(if *yes { "yes" } else { "no" }),
                (Value::Number(seat), "seat") => self.names[seat.as_u64().unwrap() as usize].clone(),
                (Value::Number(number), _) => self.lang.number(number),
                (Value::String(word), _) => self.word(word),
                (Value::Array(items), _) if items.is_empty() => common("none"),
                (Value::Array(items), "by_seat") if items.len() == self.names.len() => self.by_seat(how, items),
                (Value::Array(items), _) => self.join(", ", items.iter().map(|item| self.say(&how["of"], item))),
                (Value::Object(fields), "map") => {
                    let said =
                        |(key, value): (&String, &Value)| format!("{} {}", self.word(key), self.say(&how["of"], value));
                    self.join(", ", fields.iter().map(said))
                }
                (Value::Object(fields), _) => {
                    self.join(" · ", fields.iter().map(|(name, value)| self.say(&how["fields"][name], value)))
                }
            }
        }

        fn join(&self, between: &str, said: impl Iterator<Item = String>) -> String {
            said.collect::<Vec<_>>().join(between)
        }

        fn by_seat(&self, how: &Value, items: &[Value]) -> String {
            let mut values: Vec<&Value> = Vec::new();
            items.iter().for_each(|item| {
                if !values.contains(&item) {
                    values.push(item)
                }
            });
            let order = how["of"]["words"].as_array();
            values.sort_by_key(|value| order.and_then(|order| order.iter().position(|it| it == *value)));
            let said = |value: &Value| {
                let holders = items.iter().zip(self.names).filter(|(item, _)| *item == value);
                let names: Vec<_> = holders.map(|(_, name)| name.as_str()).collect();
                // What was said already is filled in as it is.
                let ready = json!({ "value": self.say(&how["of"], value), "names": names.join(", ") });
                self.fill(&self.book["common"]["by_value"], &ready, &json!({})).unwrap()
            };
            self.join(", ", values.into_iter().map(said))
        }
    }

    fn value(json: &RawJson) -> Value {
        from_str(json.get()).unwrap()
    }

    /// Every event and every legal move of random matches of all games, by those rules that say most.
    fn in_random_matches(mut look: impl FnMut(&dyn Kind, &[String], &[RawJson], &[RawJson])) {
        for kind in catalogue::GAMES {
            for (seats, options) in crate::boards::tests::tables(*kind) {
                let names: Vec<String> = (0..seats).map(|seat| format!("하늘 {seat}")).collect();
                let random = &mut playout::random(u64::from(seats) + 7);
                let (mut play, mut step) = kind.start(&options, seats, random).unwrap();
                for moment in 0..400 {
                    let events: Vec<_> = step.events.iter().map(|it| it.event.clone()).collect();
                    let each = (0..seats).map(engine::Seat);
                    let moves =
                        each.filter(|_| moment % 5 == 0).flat_map(|seat| play.legal_moves(seat)).collect::<Vec<_>>();
                    look(*kind, &names, &events, &moves);
                    let Some((seat, chosen)) = playout::random_move(play.as_ref(), random) else { break };
                    step = play.play(seat, &value(&chosen), random).unwrap();
                }
            }
        }
    }

    #[test]
    fn an_app_that_fills_the_words_says_of_every_event_and_move_what_the_server_says() {
        let mut books = HashMap::new();
        in_random_matches(|kind, names, events, moves| {
            let game = kind.info().id;
            for lang in Lang::ALL {
                let server = Words::new(lang, game, names);
                let book = books.entry((game, lang)).or_insert_with(|| to_value(GameWords::of(kind, lang)).unwrap());
                let app = App { book, names, lang };
                for event in events {
                    let told = app.tells(&value(event)).unwrap_or_else(|| panic!("{game} has no sentence for {event}"));
                    assert!(!told.trim().is_empty() && !told.contains('_'), "{event}: {told}");
                    assert_eq!(told, server.event(event).0, "{event}");
                }
                for chosen in moves {
                    assert_eq!(app.names_move(&value(chosen)), server.chosen(chosen), "{chosen}");
                }
            }
        });
    }
}
