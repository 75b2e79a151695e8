//! Words such as suits or animals in JSON: read as strings only. A derived `Deserialize` would take `{"lion": null}`
//! for `"lion"`, too. For the fields of moves and options: `#[serde(deserialize_with = "words::read")]`.

use serde::de::value::StringDeserializer;
use serde::{Deserialize, Deserializer, Serialize};

/// Reads a word.
///
/// # Errors
/// When it is no string, or not one of the words.
pub fn read<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    let word = String::deserialize(deserializer)?;
    T::deserialize(StringDeserializer::new(word))
}

/// Reads a word that may be left out, but not be `null`; beside `default`.
///
/// # Errors
/// When it is no string, or not one of the words.
pub fn read_given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    read(deserializer).map(Some)
}

/// Reads a word, or `null` for none.
///
/// # Errors
/// When it is neither a string nor `null`, or not one of the words.
pub fn read_or_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    match Option::<String>::deserialize(deserializer)? {
        Some(word) => T::deserialize(StringDeserializer::new(word)).map(Some),
        None => Ok(None),
    }
}

/// The word of a value that is a word in JSON.
pub fn write<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|it| it.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Animal {
        Lion,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Named {
        #[serde(deserialize_with = "read")]
        animal: Animal,
        #[serde(default, deserialize_with = "read_given")]
        other: Option<Animal>,
    }

    #[test]
    fn a_word_is_a_string_and_nothing_else() {
        let reads = |value| serde_json::from_value::<Named>(value).ok();
        assert_eq!(reads(json!({"animal": "lion"})), Some(Named { animal: Animal::Lion, other: None }));
        let both = Some(Named { animal: Animal::Lion, other: Some(Animal::Lion) });
        assert_eq!(reads(json!({"animal": "lion", "other": "lion"})), both);
        for animal in [json!({"lion": null}), json!(null), json!(0), json!(["lion"]), json!("Lion")] {
            assert_eq!(reads(json!({"animal": animal})), None, "{animal}");
            assert_eq!(reads(json!({"animal": "lion", "other": animal})), None, "{animal}");
        }
    }
}
