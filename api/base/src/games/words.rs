//! Rule switches in words: `<game>-option-<key>` of the catalogues, and `-<value>` for values that are words. Other words of a game.

use serde_json::Value;

use crate::text::Lang;

/// The option's name.
pub fn option_label(lang: Lang, game: &str, key: &str) -> String {
    lang.find_with(&format!("{game}-option-{key}"), &[]).unwrap_or_else(|| key.to_owned())
}

/// What an option is set to.
pub fn option_text(lang: Lang, game: &str, key: &str, value: &Value) -> String {
    let word = |word: &str| lang.find_with(&format!("{game}-option-{key}-{word}"), &[]);
    match value {
        Value::Bool(true) => lang.text("yes"),
        Value::Bool(false) => lang.text("no"),
        Value::String(chosen) => word(chosen).unwrap_or_else(|| chosen.clone()),
        Value::Null => word("null").unwrap_or_else(|| "–".to_owned()),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// What the game calls a role, a card or the reason why a match ended.
pub fn word(lang: Lang, game: &str, word: &str) -> String {
    lang.find_with(&format!("{game}-word-{word}"), &[]).unwrap_or_else(|| word.replace('_', " "))
}
