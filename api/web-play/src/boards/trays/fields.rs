//! The fields of a form and the move that they stand for. The game's JSON Schema of moves says which field is a number, so
//! that no game needs anything here.

use std::collections::HashMap;
use std::sync::LazyLock;

use engine::{Refusal, catalogue};
use serde_json::{Map, Number, Value};

use base::error::{Error, internal, unprocessable};
use play::matches::refused_by_rules;

/// The field that holds a move as JSON. The other fields are added to it; what it says itself stands.
const WHOLE: &str = "move";

/// The JSON Schema of a game's moves.
pub(super) struct Schema(&'static Value);

/// By game. They never change.
static SCHEMAS: LazyLock<HashMap<&str, Value>> =
    LazyLock::new(|| catalogue::GAMES.iter().map(|kind| (kind.info().id, kind.schemas().moves.to_value())).collect());

/// The schema of one type of move.
#[derive(Clone, Copy)]
pub(super) struct Variant<'a> {
    root: &'a Value,
    schema: &'a Value,
}

/// Reads the move that the posted fields stand for. Whether it is legal is for the game to say.
pub(crate) fn read_move(game: &str, fields: &[(String, String)]) -> Result<Value, Error> {
    let schema = Schema::of(game)?;
    let invalid = || refused_by_rules(game, Refusal::INVALID_MOVE.0);
    let mut chosen = whole(fields).ok_or_else(invalid)?;
    if let Some((_, named)) = fields.iter().find(|(name, _)| name == "type") {
        chosen.insert("type".to_owned(), Value::String(named.clone()));
    }
    let named = chosen.get("type").and_then(Value::as_str).ok_or_else(invalid)?;
    let variant = schema.variant(named).ok_or_else(|| refused_by_rules(game, Refusal::UNKNOWN_MOVE.0))?;
    let mut given = Map::new();
    for (name, text) in fields.iter().filter(|(name, _)| name != WHOLE && name != "type") {
        let property = variant.property(name).ok_or_else(invalid)?;
        variant.add(property, given.entry(name.clone()), text).ok_or_else(invalid)?;
    }
    // An empty field is one that was left out.
    given.retain(|name, value| !value.is_null() && !chosen.contains_key(name));
    chosen.extend(given);
    match variant.required().find(|name| !chosen.contains_key(*name)) {
        Some(missing) => Err(nothing_chosen(game, missing)),
        None => Ok(Value::Object(chosen)),
    }
}

/// A field of the form was left open.
fn nothing_chosen(game: &str, field: &str) -> Error {
    let sentences = [format!("{game}-missing-{field}"), "refused-nothing_chosen".to_owned()];
    unprocessable(Refusal::INVALID_MOVE.0).in_words(sentences.into())
}

/// The object to start from; an empty one if no field holds any.
fn whole(fields: &[(String, String)]) -> Option<Map<String, Value>> {
    let mut held = fields.iter().filter(|(name, _)| name == WHOLE);
    match (held.next(), held.next()) {
        (None, _) => Some(Map::new()),
        (Some((_, text)), None) => serde_json::from_str(text).ok(),
        (Some(_), Some(_)) => None,
    }
}

impl Schema {
    pub(super) fn of(game: &str) -> Result<Self, Error> {
        let schema = SCHEMAS.get(game).ok_or_else(|| internal(anyhow::anyhow!("there is no game {game}")))?;
        Ok(Self(schema))
    }

    pub(super) fn variant(&self, named: &str) -> Option<Variant<'static>> {
        let variants = self.0["oneOf"].as_array()?;
        let schema = variants.iter().find(|it| it["properties"]["type"]["const"] == named)?;
        Some(Variant { root: self.0, schema })
    }
}

impl<'a> Variant<'a> {
    /// The schema of a field, wherever it is written down.
    pub(super) fn property(self, name: &str) -> Option<&'a Value> {
        self.find(self.schema, &|it| it.get("properties")?.get(name))
    }

    /// The fields that it cannot be without.
    fn required(self) -> impl Iterator<Item = &'a str> {
        self.schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
    }

    /// What is found in this schema, in what it refers to, or in its parts.
    fn find<T>(self, schema: &'a Value, look: &dyn Fn(&'a Value) -> Option<T>) -> Option<T> {
        let target = || self.root.pointer(schema.get("$ref")?.as_str()?.trim_start_matches('#'));
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|part| schema.get(part)?.as_array()).flatten();
        let below = target().into_iter().chain(parts);
        look(schema).or_else(|| below.into_iter().find_map(|part| self.find(part, look)))
    }

    fn is(self, schema: &'a Value, kind: &str) -> bool {
        let says = |it: &'a Value| match it.get("type")? {
            Value::String(only) => (only == kind).then_some(()),
            Value::Array(kinds) => kinds.iter().any(|it| it == kind).then_some(()),
            _ => None,
        };
        self.find(schema, &says).is_some()
    }

    /// The field with this text in it. Only a list takes more than one.
    fn add(self, property: &'a Value, entry: serde_json::map::Entry<'_>, text: &str) -> Option<()> {
        let items = self.find(property, &|it| it.get("items"));
        match (items, entry) {
            (Some(items), entry) => {
                let Value::Array(list) = entry.or_insert_with(|| Value::Array(Vec::new())) else { return None };
                list.push(self.value(items, text)?);
            }
            (None, serde_json::map::Entry::Vacant(vacant)) => {
                let value = if text.is_empty() { Value::Null } else { self.value(property, text)? };
                vacant.insert(value);
            }
            (None, serde_json::map::Entry::Occupied(_)) => return None,
        }
        Some(())
    }

    fn value(self, schema: &'a Value, text: &str) -> Option<Value> {
        match () {
            () if self.is(schema, "integer") => text.parse().ok().map(|whole: i64| Value::Number(whole.into())),
            () if self.is(schema, "number") => Some(Value::Number(Number::from_f64(text.parse().ok()?)?)),
            () if self.is(schema, "boolean") => text.parse().ok().map(Value::Bool),
            () => Some(Value::String(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(game: &str, fields: &[(&str, &str)]) -> Result<Value, String> {
        let fields: Vec<_> = fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        read_move(game, &fields).map_err(|err| err.code().to_owned())
    }

    #[test]
    fn fields_become_what_the_schema_says() {
        let bid = read("perudo", &[("move", r#"{"type":"bid"}"#), ("count", "7"), ("face", "4")]);
        assert_eq!(bid, Ok(json!({ "type": "bid", "count": 7, "face": 4 })));
        let kept = read("perudo-pirates", &[("type", "reroll"), ("keep", "2"), ("keep", "2")]);
        assert_eq!(kept, Ok(json!({ "type": "reroll", "keep": [2, 2] })));
        let judged = [("type", "judge"), ("seat", "3"), ("gains", "true"), ("as", "")];
        assert_eq!(read("animal-kingdom", &judged), Ok(json!({ "type": "judge", "seat": 3, "gains": true })));
        assert_eq!(read("hogu-clue", &[("type", "call"), ("suit", "S")]), Ok(json!({ "type": "call", "suit": "S" })));
        assert_eq!(read("hogu-clue", &[("type", "call"), ("rank", "3")]), Ok(json!({ "type": "call", "rank": 3 })));
    }

    #[test]
    fn what_a_held_move_says_stands() {
        let helms = r#"{"type":"bid","count":3,"face":1}"#;
        let bid = read("liars-dice", &[("move", helms), ("face", "4")]);
        assert_eq!(bid, Ok(json!({ "type": "bid", "count": 3, "face": 1 })));
    }

    #[test]
    fn what_was_left_open_is_said() {
        let fields = [("type".to_owned(), "reroll".to_owned())];
        let Err(Error::Refused(refusal)) = read_move("perudo-pirates", &fields) else { panic!("it is no move") };
        assert_eq!(refusal.sentences[0], "perudo-pirates-missing-keep");
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for fields in [
            &[("move", "7")][..],
            &[("move", "{}"), ("move", "{}")],
            &[("type", "bid"), ("seat", "1")],
            &[("type", "bid"), ("count", "many")],
            &[("type", "bid"), ("count", "1"), ("count", "2")],
            &[("count", "1")],
        ] {
            assert_eq!(read("perudo", fields), Err("invalid_move".to_owned()), "{fields:?}");
        }
        assert_eq!(read("perudo", &[("type", "stand")]), Err("unknown_move".to_owned()));
    }
}
