//! Is there a text for everything that a game says? A page falls back to the word itself, so nothing else would notice.

use std::collections::BTreeSet;
use std::path::Path;

use base::text::Lang;
use engine::{Kind, Refusal, catalogue};
use serde_json::Value;

/// Fields of every view that no board labels, and whose words have texts of another kind.
const COMMON: [&str; 8] = ["game", "options", "seats", "phase", "round", "to_move", "interrupt", "outcome"];

#[test]
fn everything_that_a_game_says_has_a_text_in_every_language() {
    let wanted = catalogue::GAMES.iter().flat_map(|kind| wanted(*kind)).collect::<Vec<_>>();
    let mut missing = Vec::new();
    for lang in Lang::ALL {
        let known = keys(lang);
        let lacks = wanted.iter().filter(|any| !any.iter().any(|key| known.contains(key)));
        missing.extend(lacks.map(|any| format!("{}: {}", lang.code(), any.join(" or "))));
    }
    assert!(missing.is_empty(), "{} texts are missing:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn words_are_found_wherever_a_schema_lists_them() {
    let schema = serde_json::json!({
        "$defs": { "Suit": { "enum": ["S", "H"] } },
        "properties": {
            "phase": { "const": "bidding" },
            "open": { "type": "array", "items": { "$ref": "#/$defs/Suit" } },
            "how": { "oneOf": [{ "const": "bust" }, { "type": "null" }] },
        },
    });
    assert_eq!(words(&schema), ["H", "S", "bust"].map(str::to_owned).into());
}

/// The ids of all messages of a language.
fn keys(lang: Lang) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/text").join(lang.code());
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let ids = |text: String| {
        text.lines().filter_map(|line| line.split_once(" =")).map(|(id, _)| id.to_owned()).collect::<Vec<_>>()
    };
    files.flat_map(ids).collect()
}

/// The texts that the game needs. Of each list one is enough.
fn wanted(kind: &dyn Kind) -> Vec<Vec<String>> {
    let (info, schemas) = (kind.info(), kind.schemas());
    let (moves, events, views) = (schemas.moves.to_value(), schemas.event.to_value(), schemas.view.to_value());
    let game = info.id;
    let own = |what: &str, name: &str| vec![format!("{game}-{what}-{name}")];
    let mut wanted =
        vec![vec![format!("{game}-name")], vec![format!("{game}-tagline")], vec![format!("{game}-picture")]];
    let codes = info.refusals.iter().copied().chain(Refusal::COMMON.iter().map(|it| it.0));
    wanted.extend(codes.map(|code| vec![format!("{game}-refused-{code}"), format!("refused-{code}")]));
    wanted.extend(info.phases.iter().map(|phase| own("phase", phase)));
    wanted.extend(info.reasons.iter().map(|reason| own("word", reason)));
    wanted.extend(types(&moves).map(|(name, _)| own("move", name)));
    // An event may have a sentence for each of its fields that can be there, in place of one for all cases.
    wanted.extend(types(&events).map(|(name, fields)| {
        let special = fields.map(|field| format!("{game}-event-{name}-{field}"));
        own("event", name).into_iter().chain(special).collect()
    }));
    let labels = fields(&views).filter(|field| !COMMON.contains(field));
    wanted.extend(labels.map(|field| vec![format!("{game}-view-{field}"), format!("view-{field}")]));
    wanted.extend((&words(&views) | &event_words(&events)).iter().map(|word| own("word", word)));
    wanted
}

/// The types of a move or an event, each with its fields.
fn types(schema: &Value) -> impl Iterator<Item = (&str, impl Iterator<Item = &String>)> {
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    variants.filter_map(|variant| {
        let fields = variant["properties"].as_object().into_iter().flat_map(|fields| fields.keys());
        Some((variant["properties"]["type"]["const"].as_str()?, fields.filter(|field| *field != "type")))
    })
}

/// All fields of a view, flattened ones too.
fn fields(schema: &Value) -> impl Iterator<Item = &str> {
    let parts = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|of| schema[of].as_array().into_iter().flatten());
    let nodes = std::iter::once(schema).chain(parts);
    let properties = nodes.flat_map(|node| node["properties"].as_object().into_iter().flatten());
    properties.map(|(name, _)| name.as_str())
}

fn event_words(schema: &Value) -> BTreeSet<String> {
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let fields = variants.filter_map(|variant| variant["properties"].as_object()).flatten();
    let (mut found, mut seen) = Default::default();
    fields
        .filter(|(name, _)| *name != "type")
        .for_each(|(name, field)| look(schema, name, field, &mut found, &mut seen));
    found
}

/// All words that stand in the values of a schema.
fn words(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    look(schema, "", schema, &mut found, &mut BTreeSet::new());
    found
}

/// Each definition is looked at once.
fn look<'a>(root: &'a Value, name: &str, node: &'a Value, found: &mut BTreeSet<String>, seen: &mut BTreeSet<&'a str>) {
    if COMMON.contains(&name) {
        return;
    }
    let listed = node["enum"].as_array().into_iter().flatten().chain([&node["const"]]);
    found.extend(listed.filter_map(Value::as_str).map(str::to_owned));
    for (name, field) in node["properties"].as_object().into_iter().flatten() {
        look(root, name, field, found, seen);
    }
    let lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
    let parts = lists.into_iter().flat_map(|of| node[of].as_array().into_iter().flatten());
    let target = node["$ref"].as_str().filter(|path| seen.insert(*path));
    let target = target.and_then(|path| root.pointer(path.trim_start_matches('#')));
    for part in parts.chain(target).chain([&node["items"], &node["additionalProperties"]]) {
        if !part.is_null() {
            look(root, "", part, found, seen);
        }
    }
}
