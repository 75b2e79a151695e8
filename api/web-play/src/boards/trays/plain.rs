//! Any game: what only the seat sees, and its moves by type. Nobody knows which of them betray the hand, so whatever says
//! more than its type lies under the cover, too.

use std::collections::BTreeMap;

use askama::Template;
use serde_json::{Map, Value, json};

use super::Hand;
use super::fields::Schema;
use base::error::internal;
use web_base::error::ApiResult;

/// So many moves of one type are buttons.
const BUTTONS: usize = 24;

#[derive(Template)]
#[template(path = "boards/trays/plain.html")]
struct PlainTray<'a> {
    hand: &'a Hand<'a>,
    secrets: Vec<(String, String)>,
    /// Moves that say no more than their type.
    bare: Vec<Choice>,
    groups: Vec<Group>,
}

/// What somebody can choose: as it is posted, and as it is said.
struct Choice {
    value: String,
    text: String,
}

/// All moves of one type.
struct Group {
    named: String,
    label: String,
    offered: Offered,
}

enum Offered {
    Buttons(Vec<Choice>),
    List(Vec<Choice>),
    /// Every combination of what the fields offer is legal.
    Fields(Vec<Field>),
}

struct Field {
    name: String,
    label: String,
    choices: Vec<Choice>,
}

/// A legal move, as it is said.
struct Sentence {
    fields: Map<String, Value>,
    text: String,
}

pub(super) fn draw(hand: &Hand<'_>) -> ApiResult<String> {
    let names = hand.moves.iter().map(|chosen| hand.words.chosen(chosen));
    let (mut bare, mut types) = (Vec::new(), BTreeMap::<String, Vec<Sentence>>::new());
    for (chosen, text) in hand.moves.iter().zip(names) {
        let mut fields: Map<String, Value> = serde_json::from_str(chosen.get()).map_err(internal)?;
        match fields.remove("type") {
            _ if fields.is_empty() => bare.push(Choice { value: chosen.get().to_owned(), text }),
            Some(Value::String(named)) => types.entry(named).or_default().push(Sentence { fields, text }),
            _ => return Err(internal(anyhow::anyhow!("a move of no type: {chosen}")).into()),
        }
    }
    let schema = Schema::of(hand.game)?;
    let groups = types.into_iter().map(|(named, moves)| group(hand, &schema, named, &moves)).collect();
    let tray = PlainTray { hand, secrets: secrets(hand), bare, groups };
    Ok(tray.render().map_err(internal)?)
}

/// In the views of all games these fields are the seat's alone.
fn secrets(hand: &Hand<'_>) -> Vec<(String, String)> {
    let fields = hand.view.as_object().into_iter().flatten();
    let own = fields.filter(|(name, value)| name.starts_with("my_") && !value.is_null());
    own.map(|(name, value)| (hand.words.label(name), hand.words.view_field(name, value))).collect()
}

fn group(hand: &Hand<'_>, schema: &Schema, named: String, moves: &[Sentence]) -> Group {
    let whole = || moves.iter().map(|it| Choice { value: it.json(&named), text: it.text.clone() }).collect();
    let offered = match moves.len() {
        ..=BUTTONS => Offered::Buttons(whole()),
        _ => match fields(hand, schema, &named, moves) {
            Some(fields) => Offered::Fields(fields),
            None => Offered::List(whole()),
        },
    };
    Group { label: hand.page.word_or(&format!("{}-move-{named}", hand.game), &named), named, offered }
}

/// What each field offers, if every combination of that is among the moves.
fn fields(hand: &Hand<'_>, schema: &Schema, named: &str, moves: &[Sentence]) -> Option<Vec<Field>> {
    let names: Vec<&String> = moves.first()?.fields.keys().collect();
    let mut offered: Vec<Vec<&Value>> = vec![Vec::new(); names.len()];
    for chosen in moves {
        if !chosen.fields.keys().eq(names.iter().copied()) || chosen.fields.values().any(Value::is_array) {
            return None;
        }
        for (values, value) in offered.iter_mut().zip(chosen.fields.values()) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    if offered.iter().map(Vec::len).product::<usize>() != moves.len() {
        return None;
    }
    let variant = schema.variant(named);
    let field = |(name, values): (&String, Vec<&Value>)| {
        let property = variant.and_then(|it| it.property(name));
        let choice = |value: &Value| Choice { value: posted(value), text: hand.words.text(property, value) };
        let label = hand.page.word_or(&format!("tray-field-{name}"), &name.replace('_', " "));
        Field { name: name.clone(), label, choices: values.into_iter().map(choice).collect() }
    };
    Some(names.into_iter().zip(offered).map(field).collect())
}

/// A value as a form sends it.
fn posted(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

impl Sentence {
    fn json(&self, named: &str) -> String {
        let mut fields = self.fields.clone();
        fields.insert("type".to_owned(), json!(named));
        Value::Object(fields).to_string()
    }
}

impl Group {
    fn id(&self, hand: &Hand<'_>) -> String {
        format!("tray-{}-{}", hand.seat.0, self.named)
    }
}
