//! What the engine says, as components: made from the very types that are sent, so that the document cannot say otherwise.

use engine::{Kind, catalogue};
use schemars::{JsonSchema, schema_for};
use serde_json::{Map, Value, json};

use super::schemas::{Schemas, component, pascal};

/// What every game says in a form of its own, and the component that stands for it where any game may be meant.
const BY_GAME: [(&str, &str); 4] =
    [("Options", "GameOptions"), ("Move", "GameMove"), ("Event", "GameEvent"), ("View", "GameView")];

/// Takes the engine's types in.
pub(super) fn add(schemas: &mut Schemas) {
    adopt::<engine::Outcome>(schemas, "Match", "Outcome");
    adopt::<engine::Audience>(schemas, "Event", "Audience");
    adopt::<engine::record::Record>(schemas, "Engine", "Record");
    adopt::<engine::tournaments::Format>(schemas, "Stage", "Format");
    adopt::<engine::tournaments::Scoring>(schemas, "Stage", "Scoring");
    adopt::<engine::tournaments::TieBreak>(schemas, "Stage", "TieBreak");
    adopt::<engine::tournaments::Reason>(schemas, "Pairing", "Reason");
    adopt::<engine::tournaments::SeriesRules>(schemas, "Series", "Rules");
    adopt::<engine::lab::Report>(schemas, "Lab", "Report");
    adopt::<engine::lab::Share>(schemas, "Lab", "Share");
    for kind in catalogue::GAMES {
        add_game(schemas, *kind);
    }
    for (what, any) in BY_GAME {
        schemas.insert(any.to_owned(), of_any_game(what));
    }
}

/// The component that a game's own word has: `PerudoMove`.
fn name_of(kind: &dyn Kind, what: &str) -> String {
    format!("{}{what}", pascal(kind.info().id))
}

fn add_game(schemas: &mut Schemas, kind: &dyn Kind) {
    let (info, said) = (kind.info(), kind.schemas());
    let prefix = pascal(info.id);
    let all = [kind.options_schema(), said.moves, said.event, said.view];
    for ((what, _), schema) in BY_GAME.into_iter().zip(all) {
        take_in(schemas, &prefix, what, schema.to_value());
    }
    schemas[&name_of(kind, "Move")]["x-refusals"] =
        engine::Refusal::COMMON.iter().map(|it| it.0).chain(info.refusals.iter().copied()).collect();
    let about = format!("How a match of {} ended.", info.id);
    let reason = json!({ "type": "string", "enum": info.reasons, "description": "Why it ended." });
    let mut outcome = schemas["MatchOutcome"].clone();
    outcome["description"] = about.into();
    outcome["properties"]["reason"] = reason;
    schemas.insert(name_of(kind, "Outcome"), outcome);
}

/// What stands where the game decides: any object with the one field that all games have in common.
fn of_any_game(what: &str) -> Value {
    let (field, about) = match what {
        "Move" => (Some("type"), "A move: its `type`, and the fields of that type"),
        "Event" => (Some("type"), "Something that was told: its `type`, and the fields of that type"),
        "View" => (Some("game"), "What a seat, or the public, sees of a match"),
        _ => (None, "The rule switches of a game"),
    };
    let by_game: Map<String, Value> = catalogue::GAMES
        .iter()
        .map(|kind| (kind.info().id.to_owned(), component(&name_of(*kind, what)).into()))
        .collect();
    let named = catalogue::GAMES.iter().map(|kind| format!("`{}`", name_of(*kind, what))).collect::<Vec<_>>();
    let about = format!(
        "{about}. Which component it is depends on the game of the match: {}. Read it as that one; a game that you do not know \
         has the same form.",
        named.join(", ")
    );
    let mut schema =
        json!({ "type": "object", "description": about, "additionalProperties": true, "x-by-game": by_game });
    if let Some(field) = field {
        schema["required"] = json!([field]);
        schema["properties"] = json!({ field: { "type": "string" } });
    }
    schema
}

/// The record of each game's matches: `MatchRecord` in the words of the game.
pub(super) fn add_records(schemas: &mut Schemas) {
    for kind in catalogue::GAMES {
        let reference = |what: &str| json!({ "$ref": component(&name_of(*kind, what)) });
        let mut record = schemas["MatchRecord"].clone();
        record["description"] =
            format!("A finished match of {}: `MatchRecord` in the words of this game.", kind.info().id).into();
        let fields = &mut record["properties"];
        fields["game"] = json!({ "type": "string", "const": kind.info().id });
        fields["options"] = reference("Options");
        fields["log"]["items"] = json!({ "oneOf": [
            reference("RecordMove"), { "$ref": component("EngineEntryChance") },
        ] });
        fields["outcome"] = json!({ "oneOf": [{ "type": "null" }, reference("Outcome")] });
        let mut entry = schemas["EngineEntryMove"].clone();
        entry["properties"]["move"] = reference("Move");
        schemas.insert(name_of(*kind, "RecordMove"), entry);
        schemas.insert(name_of(*kind, "Record"), record);
    }
}

fn adopt<T: JsonSchema>(schemas: &mut Schemas, prefix: &str, name: &str) {
    take_in(schemas, prefix, name, schema_for!(T).to_value());
}

/// Takes a JSON Schema in under this name, and all that it defines beside itself under names that begin alike.
fn take_in(schemas: &mut Schemas, prefix: &str, name: &str, mut schema: Value) {
    let defined = schema.as_object_mut().and_then(|it| it.remove("$defs"));
    let defined = defined.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
    let all = defined.into_iter().chain([(name.to_owned(), schema)]);
    for (name, mut schema) in all {
        settle(&mut schema, prefix);
        schemas.insert(renamed(prefix, &name), schema);
    }
}

fn renamed(prefix: &str, name: &str) -> String {
    match (name, prefix) {
        // The same in every game.
        ("Seat" | "SeatSet", _) => name.to_owned(),
        // Of a name that says already whose it is.
        (name, prefix) if name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty()) => pascal(name),
        ("Outcome" | "Points", prefix) if prefix != "Stage" => format!("Match{name}"),
        _ => format!("{prefix}{}", pascal(name)),
    }
}

/// Says in the document's way what schemars says in its own.
fn settle(schema: &mut Value, prefix: &str) {
    let Value::Object(fields) = schema else {
        schema.as_array_mut().into_iter().flatten().for_each(|it| settle(it, prefix));
        return;
    };
    fields.retain(|key, value| !(key == "$schema" || key == engine::PER_SEAT || key == "title" && value.is_string()));
    if let Some(name) = fields.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix("#/$defs/")) {
        fields.insert("$ref".to_owned(), component(&renamed(prefix, name)).into());
    }
    if let Some(words) = words_of(fields) {
        *fields = words;
    }
    if fields.get("const").is_some_and(Value::is_string) {
        fields.entry("type").or_insert_with(|| "string".into());
    }
    // Sizes of integers in Rust are the bounds beside them.
    if let Some(format) = fields.get("format").and_then(Value::as_str)
        && (format.starts_with("int") || format.starts_with("uint"))
    {
        let format = if matches!(format, "int64" | "uint64" | "uint" | "int" | "uint32") { "int64" } else { "int32" };
        fields.insert("format".to_owned(), format.into());
    }
    fields.values_mut().for_each(|it| settle(it, prefix));
}

/// A choice of words, each with its meaning, as an enum that says what they mean.
fn words_of(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let choices = fields.get("oneOf")?.as_array()?;
    let mut words = Vec::new();
    let mut meanings = String::new();
    for choice in choices {
        let listed = choice.get("enum").and_then(Value::as_array).into_iter().flatten();
        let of_choice: Vec<&str> = listed.chain(choice.get("const")).map(Value::as_str).collect::<Option<_>>()?;
        if of_choice.is_empty() {
            return None;
        }
        if let Some(meaning) = choice.get("description").and_then(Value::as_str) {
            meanings.push_str(&format!("\n- `{}`: {meaning}", of_choice.join("`, `")));
        }
        words.extend(of_choice);
    }
    let mut schema = Map::from_iter([("type".to_owned(), "string".into()), ("enum".to_owned(), json!(words))]);
    let about = fields.get("description").and_then(Value::as_str).unwrap_or_default();
    let about = format!("{about}\n{meanings}");
    if !about.trim().is_empty() {
        schema.insert("description".to_owned(), about.trim().into());
    }
    Some(schema)
}
