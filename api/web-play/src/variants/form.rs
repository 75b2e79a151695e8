//! The form of a game's rule switches, made from their JSON Schema: a new game needs nothing here.

use std::collections::BTreeMap;

use engine::Kind;
use serde_json::{Map, Value, json};

use base::error::FieldError;
use base::games::words::{option_label, option_text};
use base::text::Lang;

/// Before the key of a switch in the names of fields.
pub(super) const PREFIX: &str = "option.";

/// The fields of a form as they were sent.
pub(super) type Sent = BTreeMap<String, String>;

/// A rule switch in a form.
pub(super) struct Field {
    pub key: String,
    pub label: String,
    pub help: String,
    pub control: Control,
    /// As it was typed, or as it is set.
    pub value: String,
    /// What the basic game has, in words.
    pub basic: String,
    pub is_basic: bool,
    pub wrong: Option<String>,
}

pub(super) enum Control {
    Checkbox,
    Number {
        least: Option<i64>,
        most: Option<i64>,
    },
    /// The values with their words.
    Select(Vec<(String, String)>),
    /// Of a kind that only the game itself understands.
    Text,
}

/// The switches of a game as these options set them.
pub(super) fn fields(lang: Lang, kind: &dyn Kind, basic: &Value, options: &Value) -> Vec<Field> {
    let schema = kind.options_schema().to_value();
    let game = kind.info().id;
    let field = |(key, property): (&String, &Value)| {
        let (set, usual) = (&options[key], &basic[key]);
        Field {
            label: option_label(lang, game, key),
            help: lang.find_with(&format!("{game}-option-{key}-help"), &[]).unwrap_or_default(),
            control: control(&schema, property, &|value| option_text(lang, game, key, value)),
            value: plain(set),
            basic: option_text(lang, game, key, usual),
            is_basic: set == usual,
            wrong: None,
            key: key.clone(),
        }
    };
    schema["properties"].as_object().into_iter().flatten().map(field).collect()
}

/// The options that a form sets. What is no value of its switch is left as text, for the game to refuse.
pub(super) fn options(kind: &dyn Kind, sent: &Sent) -> Value {
    let schema = kind.options_schema().to_value();
    let value = |(key, property): (&String, &Value)| {
        let typed = sent.get(&format!("{PREFIX}{key}")).map(|typed| typed.trim());
        let value = match control(&schema, property, &plain) {
            // A browser sends a box only if it is ticked.
            Control::Checkbox => Value::Bool(typed.is_some()),
            Control::Number { .. } => {
                typed.and_then(|typed| typed.parse::<i64>().ok()).map_or(json!(typed), Value::from)
            }
            Control::Select(_) => values(&schema, property)
                .into_iter()
                .find(|value| Some(plain(value).as_str()) == typed)
                .unwrap_or_else(|| json!(typed)),
            Control::Text => typed.and_then(|typed| serde_json::from_str(typed).ok()).unwrap_or_else(|| json!(typed)),
        };
        (key.clone(), value)
    };
    schema["properties"].as_object().into_iter().flatten().map(value).collect::<Map<_, _>>().into()
}

/// The fields as a browser sends them.
pub(super) fn as_sent(fields: &[Field]) -> impl Iterator<Item = (String, String)> {
    let is_sent = |field: &&Field| !matches!(field.control, Control::Checkbox) || field.is_on();
    fields.iter().filter(is_sent).map(|field| (field.name(), field.value.clone()))
}

/// The fields again as they were sent, with what is wrong with each.
pub(super) fn refuse(fields: &mut [Field], lang: Lang, sent: &Sent, wrong: &[FieldError]) {
    for field in fields {
        let typed = sent.get(&format!("{PREFIX}{}", field.key)).cloned();
        field.value = match field.control {
            Control::Checkbox => typed.is_some().to_string(),
            Control::Number { .. } | Control::Select(_) | Control::Text => typed.unwrap_or_default(),
        };
        let pointer = format!("/options/{}", field.key.replace('~', "~0").replace('/', "~1"));
        field.wrong = wrong.iter().find(|err| err.pointer == pointer).map(|err| field.refusal(lang, err));
    }
}

impl Field {
    pub(super) fn name(&self) -> String {
        format!("{PREFIX}{}", self.key)
    }

    pub(super) fn is_on(&self) -> bool {
        self.value == "true"
    }

    /// From what to what, for those that have bounds.
    pub(super) fn bounds(&self) -> Option<(i64, i64)> {
        match self.control {
            Control::Number { least: Some(least), most: Some(most) } => Some((least, most)),
            Control::Number { .. } | Control::Checkbox | Control::Select(_) | Control::Text => None,
        }
    }

    /// What it is set to, in words.
    pub(super) fn set(&self, lang: Lang) -> String {
        match &self.control {
            Control::Checkbox => lang.text(if self.is_on() { "yes" } else { "no" }),
            Control::Select(values) => {
                let word = values.iter().find(|(value, _)| *value == self.value).map(|(_, word)| word);
                word.unwrap_or(&self.value).clone()
            }
            Control::Number { .. } | Control::Text => self.value.clone(),
        }
    }

    fn refusal(&self, lang: Lang, err: &FieldError) -> String {
        match self.bounds() {
            Some((least, most)) => {
                lang.text_with("variant-bounds-wrong", &[("least", least.into()), ("most", most.into())])
            }
            None => err.detail(lang),
        }
    }
}

fn control(schema: &Value, property: &Value, word: &dyn Fn(&Value) -> String) -> Control {
    let values = values(schema, property);
    let property = resolved(schema, property);
    match property["type"].as_str() {
        _ if !values.is_empty() => Control::Select(values.iter().map(|value| (plain(value), word(value))).collect()),
        Some("boolean") => Control::Checkbox,
        Some("integer") => Control::Number { least: property["minimum"].as_i64(), most: property["maximum"].as_i64() },
        _ => Control::Text,
    }
}

/// All values that are allowed, where the schema lists them.
fn values(schema: &Value, property: &Value) -> Vec<Value> {
    let property = resolved(schema, property);
    if let Some(word) = property.get("const") {
        return vec![word.clone()];
    }
    if property["type"] == "null" {
        return vec![Value::Null];
    }
    if let Some(words) = property["enum"].as_array() {
        return words.clone();
    }
    let choices = property["oneOf"].as_array().or_else(|| property["anyOf"].as_array());
    let of_each: Vec<_> = choices.into_iter().flatten().map(|choice| values(schema, choice)).collect();
    // A choice that lists nothing makes the whole open.
    if of_each.iter().any(Vec::is_empty) { Vec::new() } else { of_each.concat() }
}

fn resolved<'a>(schema: &'a Value, property: &'a Value) -> &'a Value {
    let target = property["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    target.and_then(|path| schema.pointer(path)).unwrap_or(property)
}

/// A value as a form holds it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use engine::catalogue;

    use super::*;
    use base::games::complete_options;

    fn sent_back(kind: &dyn Kind, options: &Value) -> Sent {
        as_sent(&fields(Lang::Ko, kind, options, options)).collect()
    }

    #[test]
    fn the_form_of_every_game_sends_back_what_it_shows() {
        for kind in catalogue::GAMES {
            let basic = complete_options(*kind, None, *kind.info().seats.start()).unwrap();
            assert_eq!(options(*kind, &sent_back(*kind, &basic)), basic, "{}", kind.info().id);
            for lang in Lang::ALL {
                for field in fields(lang, *kind, &basic, &basic) {
                    assert!(!field.help.is_empty() && field.label != field.key, "{}: {}", kind.info().id, field.key);
                    assert!(!matches!(field.control, Control::Text), "{}: {}", kind.info().id, field.key);
                    if let Control::Select(words) = &field.control {
                        assert!(words.iter().all(|(value, word)| value != word), "{}: {}", kind.info().id, field.key);
                    }
                }
            }
        }
    }

    #[test]
    fn a_switch_is_drawn_by_its_kind() {
        let schema = json!({
            "$defs": { "Word": { "oneOf": [{ "const": "a" }, { "const": "b" }] } },
            "properties": {
                "on": { "type": "boolean" },
                "many": { "type": "integer", "minimum": 1, "maximum": 9 },
                "word": { "anyOf": [{ "$ref": "#/$defs/Word" }, { "type": "null" }] },
                "open": { "anyOf": [{ "$ref": "#/$defs/Word" }, { "type": "string" }] },
            },
        });
        let drawn = |key: &str| control(&schema, &schema["properties"][key], &plain);
        assert!(matches!(drawn("on"), Control::Checkbox));
        assert!(matches!(drawn("many"), Control::Number { least: Some(1), most: Some(9) }));
        assert!(
            matches!(drawn("word"), Control::Select(values) if values.iter().map(|it| it.0.as_str()).eq(["a", "b", ""]))
        );
        assert!(matches!(drawn("open"), Control::Text));
    }

    #[test]
    fn what_is_no_value_is_left_for_the_game_to_refuse() {
        let kind = catalogue::find("middle-race").unwrap();
        let basic = complete_options(kind, None, 3).unwrap();
        let mut sent = sent_back(kind, &basic);
        sent.insert("option.track_length".to_owned(), "far".to_owned());
        let options = options(kind, &sent);
        assert_eq!(options["track_length"], "far");
        let base::error::Error::Refused(refusal) = complete_options(kind, Some(&options), 3).unwrap_err() else {
            panic!("a refusal")
        };
        let mut fields = fields(Lang::En, kind, &basic, &basic);
        refuse(&mut fields, Lang::En, &sent, &refusal.fields);
        let wrong: Vec<_> = fields.iter().filter(|field| field.wrong.is_some()).collect();
        assert_eq!(wrong.len(), 1);
        assert_eq!((wrong[0].key.as_str(), wrong[0].value.as_str()), ("track_length", "far"));
        assert!(wrong[0].wrong.as_deref().unwrap().contains("10"));
    }
}
