//! The hash of a game, its revision and all its options: it identifies one exact set of rules.
//!
//! It is the SHA-256 of `"house-rules/variant/1"` followed by the canonical text, which is the JSON object
//! `{"game":…,"options":{…},"revision":…}` in UTF-8 with all options of the game, keys sorted by their code points and
//! nothing between the tokens. `docs/variants.md` describes it for other languages; every character here is part of it.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::hex::as_hex;

const DOMAIN: &str = "house-rules/variant/1";

/// Two matches have the same hash exactly if they are played by the same rules.
///
/// ```
/// use engine::VariantHash;
/// use serde_json::json;
///
/// let one = VariantHash::of("perudo", 1, &json!({ "calza": true, "palifico": true }));
/// let other = VariantHash::of("perudo", 1, &json!({ "palifico": true, "calza": true }));
/// assert_eq!(one, other, "the order of the keys does not matter");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariantHash(pub [u8; 32]);

as_hex!(VariantHash);

impl VariantHash {
    /// The hash of this revision of the game with these options, which are normalized: none is missing.
    pub fn of(game: &str, revision: u32, options: &Value) -> Self {
        let named = [("game", game.into()), ("revision", revision.into()), ("options", options.clone())];
        let whole: Map<String, Value> = named.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        VariantHash(Sha256::digest(format!("{DOMAIN}{}", canonical(&Value::Object(whole)))).into())
    }
}

fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(key, _)| *key);
            let text = |(key, value)| format!("{}:{}", Value::from(String::as_str(key)), canonical(value));
            format!("{{{}}}", fields.into_iter().map(text).collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::catalogue;

    #[test]
    fn the_worked_example_of_the_document_holds() {
        let options = json!({ "palifico": true, "calza": true });
        let hash = VariantHash::of("perudo", 1, &options).to_hex();
        assert_eq!(hash, "88a0fe45037c06aeab2ef53c7c1349fe143738d642ba9591da5d00ce5ac690b4");
    }

    #[test]
    fn the_canonical_text_does_not_depend_on_how_it_was_written() {
        let one = json!({ "b": [1, { "d": null, "c": "\"\u{e9}\n" }], "a": true });
        let text = "{\"a\":true,\"b\":[1,{\"c\":\"\\\"\u{e9}\\n\",\"d\":null}]}";
        assert_eq!(canonical(&one), text);
        assert_eq!(canonical(&serde_json::from_str(&format!(" {text} ")).unwrap()), text);
    }

    #[test]
    fn other_rules_have_another_hash() {
        let basic = |kind: &&dyn crate::Kind| {
            let info = kind.info();
            let options = kind.normalize_options(&json!({}), *info.seats.start()).unwrap();
            VariantHash::of(info.id, info.revision, &options)
        };
        let mut hashes: Vec<_> = catalogue::GAMES.iter().map(|kind| basic(kind).0).collect();
        hashes.push(VariantHash::of("perudo", 2, &json!({ "palifico": true, "calza": false })).0);
        hashes.push(VariantHash::of("perudo", 1, &json!({ "palifico": false, "calza": false })).0);
        let many = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), many);
    }
}
