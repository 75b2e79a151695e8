//! What one version of a variant has otherwise than another, in the reader's language and for programs.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use base::games::words::{option_label, option_text};
use base::text::Lang;

/// An option that differs between two versions.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = VariantChangedOption)]
pub struct ChangedOption {
    #[schema(example = "calza")]
    key: String,
    /// The option's name, in the caller's language.
    label: String,
    /// What it was set to: a boolean, a number, a word or whatever the options' schema says. Null also if there was no such option.
    #[schema(value_type = Value)]
    from: Option<Value>,
    /// What it is set to; null also if there is no such option.
    #[schema(value_type = Value)]
    to: Option<Value>,
    /// The change in words.
    #[schema(example = "Calza (expert rule): no → yes")]
    line: String,
}

/// Where the options differ, by key.
pub fn difference(lang: Lang, game: &str, from: &Value, to: &Value) -> Vec<ChangedOption> {
    let keys: BTreeSet<&String> =
        [from, to].into_iter().filter_map(Value::as_object).flat_map(|it| it.keys()).collect();
    let changed = keys.into_iter().filter(|key| from.get(key) != to.get(key));
    changed
        .map(|key| {
            let text = |options: &Value| option_text(lang, game, key, options.get(key).unwrap_or(&Value::Null));
            let label = option_label(lang, game, key);
            let words = [("option", label.clone().into()), ("from", text(from).into()), ("to", text(to).into())];
            ChangedOption {
                line: lang.text_with("variant-change", &words),
                key: key.clone(),
                label,
                from: from.get(key).cloned(),
                to: to.get(key).cloned(),
            }
        })
        .collect()
}

/// What is otherwise than in the basic game, in one sentence.
pub fn sentence(lang: Lang, game: &str, basic: &Value, options: &Value) -> String {
    let changes: Vec<String> = difference(lang, game, basic, options).iter().map(|it| it.set(lang, game)).collect();
    if changes.is_empty() {
        return lang.text("variant-same");
    }
    lang.text_with("variant-differs", &[("changes", changes.join(", ").into())])
}

impl ChangedOption {
    /// The change in words.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// What it is set to now, in words.
    fn set(&self, lang: Lang, game: &str) -> String {
        let value = match self.to.as_ref().unwrap_or(&Value::Null) {
            Value::Bool(true) => lang.text("rules-on"),
            Value::Bool(false) => lang.text("rules-off"),
            other => option_text(lang, game, &self.key, other),
        };
        lang.text_with("variant-set", &[("option", self.label.clone().into()), ("value", value.into())])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_differs_is_told_in_the_readers_words() {
        let (from, to) = (json!({ "palifico": true, "calza": false }), json!({ "palifico": true, "calza": true }));
        let lines = |lang| difference(lang, "perudo", &from, &to).into_iter().map(|it| it.line).collect::<Vec<_>>();
        assert_eq!(lines(Lang::En), ["Calza (expert rule): no → yes"]);
        assert_eq!(lines(Lang::Ko).len(), 1);
        assert_ne!(lines(Lang::Ko), lines(Lang::Es));
        assert!(difference(Lang::En, "perudo", &to, &to).is_empty());
    }

    #[test]
    fn what_differs_is_one_sentence() {
        let basic = json!({ "palifico": true, "calza": false });
        let told = |options: &Value| sentence(Lang::En, "perudo", &basic, options);
        assert_eq!(told(&basic), "Just as the basic game.");
        let other = json!({ "palifico": false, "calza": true });
        assert_eq!(told(&other), "Unlike the basic game: Calza (expert rule) on, Palífico rounds off.");
        assert!(sentence(Lang::Ko, "perudo", &basic, &other).starts_with("기본 규칙과 다른 점: "));
        let basic = json!({ "track_length": 30, "winner": "middle" });
        let other = json!({ "track_length": 20, "winner": "not_ends" });
        let told = sentence(Lang::En, "middle-race", &basic, &other);
        assert!(told.contains(" 20") && !told.contains("not_ends"), "{told}");
    }

    #[test]
    fn an_option_that_one_of_them_has_not_is_told_too() {
        let told = difference(Lang::En, "perudo", &json!({}), &json!({ "calza": false }));
        assert_eq!((told[0].from.as_ref(), told[0].to.as_ref()), (None, Some(&json!(false))));
        assert_eq!(told[0].line, "Calza (expert rule): – → no");
    }
}
