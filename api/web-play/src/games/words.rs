//! What happened, in plain words: an event becomes the sentence `<game>-event-<type>` of the catalogues, with its fields
//! as words. The game's own JSON Schema says which numbers are seats, so that no game needs anything here.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use engine::{Json, Kind, PER_SEAT, Schemas, catalogue};
use fluent_bundle::FluentValue;
use serde_json::{Map, Value};

use super::wordbook::{Placeable, PlaceableKind};

use base::text::Lang;

/// What is said where nothing is.
pub(super) const NONE: &str = "–";
/// Nothing that is said lies deeper within something else.
const MOST_DEPTH: u8 = 6;

pub(crate) struct Words<'a> {
    lang: Lang,
    game: &'a str,
    /// Per seat who sits there.
    names: &'a [String],
    shapes: &'static Shapes,
}

/// The JSON Schemas of what a game says.
struct Shapes {
    moves: Value,
    events: Value,
    views: Value,
}

impl Shapes {
    /// Of this game; of a game that is not in the catalogue nothing is known.
    fn of(game: &str) -> &'static Self {
        static NOTHING: Shapes = Shapes { moves: Value::Null, events: Value::Null, views: Value::Null };
        static KNOWN: LazyLock<HashMap<&'static str, Shapes>> = LazyLock::new(|| {
            let shapes = |kind: &&dyn Kind| {
                let Schemas { moves, event, view } = kind.schemas();
                (kind.info().id, Shapes { moves: moves.into(), events: event.into(), views: view.into() })
            };
            catalogue::GAMES.iter().map(shapes).collect()
        });
        KNOWN.get(game).unwrap_or(&NOTHING)
    }
}

impl<'a> Words<'a> {
    pub(crate) fn new(lang: Lang, game: &'a str, names: &'a [String]) -> Self {
        Self { lang, game, names, shapes: Shapes::of(game) }
    }

    /// The sentence of an event, and whether it begins something new.
    pub(crate) fn event(&self, event: &Json) -> (String, bool) {
        let fields: Map<String, Value> = serde_json::from_str(event.get()).unwrap_or_default();
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let base = format!("{}-event-{kind}", self.game);
        let schema = variant(&self.shapes.events, kind);
        // Placeholders are named by the program's own events; there are a handful of names in all.
        let args: Vec<(&'static str, FluentValue<'_>)> = fields
            .iter()
            .filter(|(name, _)| *name != "type")
            .map(|(name, value)| {
                (interned(name), self.argument(self.property(schema, &self.shapes.events, name), value))
            })
            .collect();
        // A field that is there may call for another sentence.
        let special = |(name, value): (&String, &Value)| {
            let key = format!("{base}-{name}");
            if value.is_null() { None } else { self.lang.find_with(&key, &args) }
        };
        let found = fields.iter().find_map(special).or_else(|| self.lang.find_with(&base, &args));
        (found.unwrap_or_else(|| kind.replace('_', " ")), kind.ends_with("_started"))
    }

    /// A move by its name and what it says besides.
    pub(crate) fn chosen(&self, chosen: &Json) -> String {
        let fields: Map<String, Value> = serde_json::from_str(chosen.get()).unwrap_or_default();
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let said = self.lang.find_with(&format!("{}-move-{kind}", self.game), &[]);
        let said = said.unwrap_or_else(|| kind.replace('_', " "));
        let shape = variant(&self.shapes.moves, kind);
        let text = |(name, value): (&String, &Value)| self.text(self.property(shape, &self.shapes.moves, name), value);
        let more: Vec<String> =
            fields.iter().filter(|(name, value)| *name != "type" && !value.is_null()).map(text).collect();
        if more.is_empty() { said } else { format!("{said}: {}", more.join(" · ")) }
    }

    /// The types of its moves.
    pub(super) fn moves(&self) -> impl Iterator<Item = &'static str> {
        types(&self.shapes.moves)
    }

    /// The types of its events.
    pub(super) fn events(&self) -> impl Iterator<Item = &'static str> {
        types(&self.shapes.events)
    }

    /// The fields of its views, those of their parts too.
    pub(super) fn view_fields(&self) -> impl Iterator<Item = &'static str> {
        let views = &self.shapes.views;
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|of| views.get(of)?.as_array()).flatten();
        let fields = std::iter::once(views).chain(parts).filter_map(|it| it.get("properties")?.as_object());
        fields.flat_map(Map::keys).map(String::as_str)
    }

    /// How the fields of a move of this type are said.
    pub(super) fn fields_of_move(&self, kind: &str) -> BTreeMap<String, Placeable> {
        self.fields(&self.shapes.moves, kind)
    }

    /// How the fields of an event of this type are said.
    pub(super) fn fields_of_event(&self, kind: &str) -> BTreeMap<String, Placeable> {
        self.fields(&self.shapes.events, kind)
    }

    /// How a field of the view is said.
    pub(super) fn field_of_view(&self, name: &str) -> Placeable {
        self.placeable(self.property(Some(&self.shapes.views), &self.shapes.views, name), MOST_DEPTH)
    }

    fn fields(&self, root: &Value, kind: &str) -> BTreeMap<String, Placeable> {
        let shape = variant(root, kind);
        let mut names = BTreeSet::new();
        collect_properties(shape, root, &mut names);
        let field = |name: &str| (name.to_owned(), self.placeable(self.property(shape, root, name), MOST_DEPTH));
        names.into_iter().filter(|name| *name != "type").map(field).collect()
    }

    /// The same that `text` does, as a description.
    fn placeable(&self, schema: Option<&Value>, depth: u8) -> Placeable {
        if self.is_seat(schema) || depth == 0 {
            return PlaceableKind::Seat.alone();
        }
        let within = |schema: Option<&Value>| Some(Box::new(self.placeable(schema, depth - 1)));
        let shape = self.content(schema);
        let is = |name: &str| shape.is_some_and(|it| it.get("type").is_some_and(|it| it.to_string().contains(name)));
        if is("array") {
            let kind = if self.is_per_seat(schema) { PlaceableKind::BySeat } else { PlaceableKind::List };
            Placeable { of: within(self.items(schema)), ..kind.alone() }
        } else if self.values(schema).is_some() {
            Placeable { of: within(self.values(schema)), ..PlaceableKind::Map.alone() }
        } else if let Some(fields) = shape.and_then(|it| it.get("properties")?.as_object()) {
            let field = |name: &String| (name.clone(), self.placeable(self.property_of(shape, name), depth - 1));
            Placeable { fields: Some(fields.keys().map(field).collect()), ..PlaceableKind::Fields.alone() }
        } else if is("integer") || is("number") {
            PlaceableKind::Number.alone()
        } else if is("boolean") {
            PlaceableKind::YesNo.alone()
        } else {
            Placeable { words: shape.and_then(listed), ..PlaceableKind::Word.alone() }
        }
    }

    /// What a schema is about, behind its names and beside null.
    fn content<'s>(&'s self, schema: Option<&'s Value>) -> Option<&'s Value> {
        let shape = self.resolve(schema)?;
        let parts = shape.get("anyOf").and_then(Value::as_array);
        let part = parts.and_then(|parts| parts.iter().find(|it| it.get("type") != Some(&Value::from("null"))));
        match part {
            Some(part) => self.content(Some(part)),
            None if shape.get("$ref").is_some() => self.content(Some(shape)),
            None => Some(shape),
        }
    }

    /// A field of the view, as text.
    pub(crate) fn view_field(&self, name: &str, value: &Value) -> String {
        self.text(self.property(Some(&self.shapes.views), &self.shapes.views, name), value)
    }

    pub(crate) fn label(&self, name: &str) -> String {
        self.own_label(name).unwrap_or_else(|| name.replace('_', " "))
    }

    /// None of fields that every view has, which pages tell by other means.
    pub(super) fn own_label(&self, name: &str) -> Option<String> {
        let common = || self.lang.find_with(&format!("view-{name}"), &[]);
        self.lang.find_with(&format!("{}-view-{name}", self.game), &[]).or_else(common)
    }

    pub(crate) fn word(&self, word: &str) -> String {
        self.lang.find_with(&format!("{}-word-{word}", self.game), &[]).unwrap_or_else(|| word.replace('_', " "))
    }

    fn argument(&self, schema: Option<&Value>, value: &Value) -> FluentValue<'static> {
        match value {
            Value::Number(number) if !self.is_seat(schema) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => whole.into(),
                (None, float) => float.unwrap_or_default().into(),
            },
            Value::Bool(yes) => yes.to_string().into(),
            Value::Null => "none".into(),
            _ => self.text(schema, value).into(),
        }
    }

    pub(crate) fn text(&self, schema: Option<&Value>, value: &Value) -> String {
        match value {
            Value::Null => NONE.to_owned(),
            Value::Bool(true) => self.lang.text("yes"),
            Value::Bool(false) => self.lang.text("no"),
            Value::Number(number) => match number.as_u64().filter(|_| self.is_seat(schema)) {
                Some(seat) => self.name(seat),
                None => self.lang.number(number),
            },
            Value::String(word) => self.word(word),
            Value::Array(items) if items.is_empty() => NONE.to_owned(),
            Value::Array(items) if self.is_per_seat(schema) && items.len() == self.names.len() => {
                self.by_value(self.items(schema), items)
            }
            Value::Array(items) => {
                let schema = self.items(schema);
                items.iter().map(|item| self.text(schema, item)).collect::<Vec<_>>().join(", ")
            }
            // A map: its keys are words of the game, such as an animal's points.
            Value::Object(fields) if self.values(schema).is_some() => {
                let parts = fields.iter().map(|(key, value)| (self.word(key), self.text(self.values(schema), value)));
                parts.map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>().join(", ")
            }
            Value::Object(fields) => {
                let parts = fields.iter().map(|(name, value)| self.text(self.property_of(schema, name), value));
                parts.collect::<Vec<_>>().join(" · ")
            }
        }
    }

    /// One value for each seat, as values with the names of their seats: "forest (Ana, José), sky (하늘)".
    fn by_value(&self, schema: Option<&Value>, items: &[Value]) -> String {
        let mut groups: Vec<(&Value, Vec<&str>)> = Vec::new();
        for (item, name) in items.iter().zip(self.names) {
            match groups.iter_mut().find(|(value, _)| *value == item) {
                Some((_, names)) => names.push(name),
                None => groups.push((item, vec![name])),
            }
        }
        groups.sort_by_key(|(value, _)| self.rank(schema, value));
        let told = |(value, names): (&Value, Vec<&str>)| {
            let args = [("value", self.text(schema, value).into()), ("names", names.join(", ").into())];
            self.lang.find_with("board-by-value", &args).unwrap_or_default()
        };
        groups.into_iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// Where a word stands among those that its schema lists.
    fn rank(&self, schema: Option<&Value>, word: &Value) -> Option<usize> {
        listed(self.content(schema)?)?.iter().position(|it| Some(it.as_str()) == word.as_str())
    }

    fn name(&self, seat: u64) -> String {
        usize::try_from(seat).ok().and_then(|seat| self.names.get(seat)).cloned().unwrap_or_else(|| seat.to_string())
    }

    fn property<'s>(&'s self, schema: Option<&'s Value>, root: &'s Value, name: &str) -> Option<&'s Value> {
        let schema = schema?;
        if let Some(found) = schema.get("properties").and_then(|it| it.get(name)) {
            return Some(found);
        }
        let in_parts = || parts(schema).find_map(|part| self.property(Some(part), root, name));
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|it| root.pointer(it.trim_start_matches('#')));
        target.and_then(|target| self.property(Some(target), root, name)).or_else(in_parts)
    }

    fn property_of<'s>(&'s self, schema: Option<&'s Value>, name: &str) -> Option<&'s Value> {
        let found = self.property(schema, &self.shapes.events, name);
        found.or_else(|| self.property(schema, &self.shapes.views, name))
    }

    fn resolve<'s>(&'s self, schema: Option<&'s Value>) -> Option<&'s Value> {
        let Some(target) = schema?.get("$ref").and_then(Value::as_str) else { return schema };
        let target = target.trim_start_matches('#');
        let Shapes { moves, events, views } = self.shapes;
        [events, views, moves].into_iter().find_map(|shapes| shapes.pointer(target))
    }

    fn items<'s>(&'s self, schema: Option<&'s Value>) -> Option<&'s Value> {
        let schema = schema?;
        let direct = self.resolve(Some(schema)).and_then(|it| it.get("items"));
        let parts = schema.get("anyOf").and_then(Value::as_array);
        direct.or_else(|| parts?.iter().find_map(|part| self.items(Some(part))))
    }

    /// What a map holds under its keys.
    fn values<'s>(&'s self, schema: Option<&'s Value>) -> Option<&'s Value> {
        self.resolve(schema)?.get("additionalProperties").filter(|it| it.is_object())
    }

    fn is_per_seat(&self, schema: Option<&Value>) -> bool {
        schema.is_some_and(|it| it.get(PER_SEAT).is_some())
    }

    fn is_seat(&self, schema: Option<&Value>) -> bool {
        let Some(schema) = schema else { return false };
        let named = schema.get("$ref").and_then(Value::as_str).is_some_and(|it| it.ends_with("/Seat"));
        let parts = schema.get("anyOf").and_then(Value::as_array);
        named || parts.is_some_and(|parts| parts.iter().any(|part| self.is_seat(Some(part))))
    }
}

/// The types of moves or events.
fn types(root: &Value) -> impl Iterator<Item = &str> {
    let variants = root.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    variants.filter_map(|variant| variant.pointer("/properties/type/const")?.as_str())
}

/// Of a move or an event the variant of this type.
fn variant<'s>(root: &'s Value, kind: &str) -> Option<&'s Value> {
    let variants = root.get("oneOf")?.as_array()?;
    variants.iter().find(|variant| variant.pointer("/properties/type/const").and_then(Value::as_str) == Some(kind))
}

/// What a schema is put together from, or may be instead.
fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|how| schema.get(how)?.as_array()).flatten()
}

/// The names of its properties and of those of its parts: what `property` finds.
fn collect_properties<'s>(schema: Option<&'s Value>, root: &'s Value, names: &mut BTreeSet<&'s str>) {
    let Some(schema) = schema else { return };
    let own = schema.get("properties").and_then(Value::as_object);
    names.extend(own.into_iter().flat_map(Map::keys).map(String::as_str));
    parts(schema).for_each(|part| collect_properties(Some(part), root, names));
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        collect_properties(root.pointer(target.trim_start_matches('#')), root, names);
    }
}

/// The words that a schema lists, in its order.
fn listed(schema: &Value) -> Option<Vec<String>> {
    let list = schema.get("oneOf").or_else(|| schema.get("enum"))?.as_array()?;
    let word = |it: &Value| it.as_str().or_else(|| it.get("const")?.as_str()).map(str::to_owned);
    Some(list.iter().filter_map(word).collect())
}

/// The catalogues ask for names that live as long as the program does. Events have few, each kept once.
fn interned(name: &str) -> &'static str {
    use std::sync::{Mutex, PoisonError};
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(kept);
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::{json, value::to_raw_value};

    use super::*;

    fn told(lang: Lang, game: &str, event: Value) -> String {
        let names = ["하늘".to_owned(), "José".to_owned()];
        let words = Words::new(lang, game, &names);
        words.event(&to_raw_value(&event).unwrap()).0
    }

    #[test]
    fn seats_become_names_and_other_numbers_stay_numbers() {
        let bid = told(Lang::En, "perudo", json!({ "type": "bid", "seat": 1, "count": 1, "face": 4 }));
        assert!(bid.contains("José") && bid.contains('4') && bid.contains('1'), "{bid}");
        let call = told(Lang::Ko, "perudo", json!({ "type": "call", "seat": 0, "call": "dudo" }));
        assert!(call.contains("하늘") && call.contains("두도"), "{call}");
        let started = json!({ "type": "round_started", "round": 2, "opener": 1, "dice": [5, 4], "palifico": false });
        assert!(told(Lang::Es, "perudo", started).contains("José"));
    }

    #[test]
    fn points_are_told_with_the_animals_that_gained_them() {
        let gains = json!({ "lion": 1, "water_deer": 0, "toad": 0.5 });
        let event = json!({ "type": "gains", "round": 1, "value": 1, "gains": gains });
        for (lang, said) in [(Lang::Ko, "사자 1, "), (Lang::Ko, "두꺼비 0.5"), (Lang::En, "water deer 0")] {
            let told = told(lang, "animal-kingdom", event.clone());
            assert!(told.to_lowercase().contains(said), "{told}");
        }
    }

    #[test]
    fn what_each_seat_has_is_told_with_names_grouped_by_value() {
        let moved = json!({ "type": "moved", "round": 1, "fields": ["river", "forest"] });
        assert!(told(Lang::Ko, "animal-kingdom", moved.clone()).ends_with("숲(José), 강(하늘)"));
        assert!(told(Lang::En, "animal-kingdom", moved).ends_with("forest (José), river (하늘)"));
        let together = json!({ "type": "moved", "round": 2, "fields": ["sky", "sky"] });
        assert!(told(Lang::Es, "animal-kingdom", together).ends_with("cielo (하늘, José)"));
    }

    #[test]
    fn an_event_without_a_sentence_is_still_told() {
        assert_eq!(told(Lang::En, "perudo", json!({ "type": "brand_new" })), "brand new");
    }
}
