//! What people call themselves and how they sign in: text that is checked once, where it comes in.

use std::fmt;

use icu_properties::props::{
    BinaryProperty, DefaultIgnorableCodePoint, GeneralCategory, NoncharacterCodePoint, PrependedConcatenationMark,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use serde::{Deserialize, Deserializer, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use utoipa::ToSchema;

use crate::error::FieldError;

/// Any script; trimmed, NFC, 1 to 40 characters, nothing invisible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, min_length = 1, max_length = 40, example = "하늘")]
pub struct DisplayName(String);

/// An address to sign in with; kept in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, format = Email, max_length = 254, example = "mina@example.org")]
pub struct Email(String);

/// A password as somebody gives it. Never printed.
// One that is to be an account's is a `ChosenPassword`.
#[derive(Clone, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, format = Password, max_length = 200)]
pub struct Password(String);

impl DisplayName {
    const MAX: usize = 40;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        tidy_text(text, Self::MAX).map(Self)
    }
}

impl Email {
    const MAX: usize = 254;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let text = text.trim().nfc().collect::<String>().to_lowercase();
        let looks_right = text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && host.contains('.') && host.split('.').all(|it| !it.is_empty()) && !host.contains('@')
        });
        if text.len() > Self::MAX {
            Err(FieldError::new("", "too_long").with_limit(Self::MAX))
        } else if !looks_right || text.chars().any(|it| it.is_whitespace() || is_invisible(it)) {
            Err(FieldError::new("", "no_email"))
        } else {
            Ok(Self(text))
        }
    }
}

impl Password {
    const MAX: usize = 200;

    /// In NFKC, so that the same password typed on another keyboard is the same password.
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let text: String = text.nfkc().take(Self::MAX + 1).collect();
        if text.chars().count() > Self::MAX {
            Err(FieldError::new("", "too_long").with_limit(Self::MAX))
        } else {
            Ok(Self(text))
        }
    }

    pub fn reveal(&self) -> &[u8] {
        self.0.as_bytes()
    }

    pub fn text(&self) -> &str {
        &self.0
    }
}

/// One line of text as people may enter it: trimmed, inner spaces single, NFC, at most `max` characters, nothing invisible.
pub fn tidy_text(text: &str, max: usize) -> Result<String, FieldError> {
    // Far more than fits in any case: no point in normalising a novel.
    if text.len() > max * 64 {
        return Err(FieldError::new("", "too_long").with_limit(max));
    }
    let tidy = text.split_whitespace().collect::<Vec<_>>().join(" ").nfc().collect::<String>();
    let joiners_only = tidy.chars().all(|it| it == ' ' || is_combining_mark(it) || is_blank(it));
    if tidy.chars().any(is_invisible) {
        Err(FieldError::new("", "invisible_characters"))
    } else if joiners_only {
        Err(FieldError::new("", "empty"))
    } else if tidy.chars().count() > max {
        Err(FieldError::new("", "too_long").with_limit(max))
    } else {
        Ok(tidy)
    }
}

/// Needed inside words of Persian and of many Indian scripts, and inside emoji; meaningless alone.
const ZWNJ: char = '\u{200c}';
const ZWJ: char = '\u{200d}';
/// A symbol by its category.
const BRAILLE_BLANK: char = '\u{2800}';

/// Characters that show nothing or change how the text around them is shown, and characters without a common meaning.
/// Letters and marks among them are part of how some scripts and emoji are written.
fn is_invisible(it: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Unassigned};
    match CodePointMapData::<GeneralCategory>::new().get(it) {
        Control | LineSeparator | ParagraphSeparator | PrivateUse => true,
        Format => !matches!(it, ZWNJ | ZWJ) && !has::<PrependedConcatenationMark>(it),
        Unassigned => has::<DefaultIgnorableCodePoint>(it) || has::<NoncharacterCodePoint>(it),
        _ => false,
    }
}

/// Drawn as nothing, whatever its category.
pub fn is_blank(it: char) -> bool {
    it == BRAILLE_BLANK || has::<DefaultIgnorableCodePoint>(it)
}

fn has<P: BinaryProperty>(it: char) -> bool {
    CodePointSetData::new::<P>().contains(it)
}

/// serde's errors are plain text; a refused field travels through them in this form and `refusal_in` reads it back.
const MARK: &str = "\u{1}refused ";
const CODES: [&str; 6] = ["empty", "too_long", "invisible_characters", "no_email", "no_phone", "slash"];

/// For the `Deserialize` of newtypes that check what they hold.
pub fn refuse_field<E: serde::de::Error>(refusal: &FieldError) -> E {
    E::custom(format_args!("{MARK}{} {} ", refusal.code, refusal.limit.unwrap_or(-1)))
}

pub fn refusal_in(message: &str) -> Option<FieldError> {
    let mut words = message.split_once(MARK)?.1.split(' ');
    let code = words.next()?;
    let code = CODES.into_iter().find(|known| *known == code)?;
    let limit = words.next()?.parse().ok().filter(|limit| *limit >= 0);
    Some(FieldError { limit, ..FieldError::new("", code) })
}

/// The `Deserialize` of newtypes that check what they hold, by their `parse`.
#[macro_export]
macro_rules! deserialize_checked {
    ($($name:ident),+) => {$(
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                let text = <String as ::serde::Deserialize<'de>>::deserialize(deserializer)?;
                Self::parse(&text).map_err(|refusal| $crate::inputs::refuse_field(&refusal))
            }
        }
    )+};
}
deserialize_checked!(DisplayName, Email, Password);

impl DisplayName {
    /// What stands before the `@`, as far as it makes a name.
    pub fn of(email: &Email) -> Self {
        let local = email.0.split('@').next().unwrap_or_default();
        let short: String = local.chars().take(Self::MAX).collect();
        Self::parse(&short).unwrap_or(Self("?".to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Email {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// For fields that may be taken away: tells `null` from nothing at all.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Result<String, String> {
        DisplayName::parse(text).map(|name| name.0).map_err(|refusal| refusal.code.into_owned())
    }

    #[test]
    fn any_script_makes_a_name() {
        // A heart in colour, an ideograph's variant, an Arabic sign that belongs to the number after it.
        let invisible_inside = ["❤\u{fe0f}", "葛\u{e0100}", "\u{600}12"];
        let names = ["민아", "Zoë", "Иван", "محمد", "ประยุทธ์", "さくら", "👩‍👩‍👧", "می‌خواهم", "O'Neill 3", "𝔄𝔟"];
        for text in names.into_iter().chain(invisible_inside) {
            assert_eq!(name(text), Ok(text.nfc().collect()), "{text:?}");
        }
    }

    #[test]
    fn names_are_trimmed_and_normalised() {
        assert_eq!(name("  Mi \t na\u{3000}"), Ok("Mi na".into()));
        assert_eq!(name("e\u{301}"), Ok("é".into()));
        assert_eq!(name("\u{1112}\u{1161}\u{11ab}"), Ok("한".into()));
    }

    #[test]
    fn a_name_that_shows_nothing_is_refused() {
        for text in ["", "  ", "\u{3164}", "\u{200d}", "\u{301}", "\u{fe0f}", "\u{2800} \u{2800}"] {
            assert_eq!(name(text), Err("empty".into()), "{text:?}");
        }
        for text in [
            "a\u{0}b",
            "a\nb\u{7}",
            "a\u{202e}b",
            "\u{200b}",
            "a\u{feff}",
            "\u{e0041}",
            "\u{ffff}",
            "\u{2066}a",
            "\u{e000}",
        ] {
            assert_eq!(name(text), Err("invisible_characters".into()), "{text:?}");
        }
    }

    #[test]
    fn forty_characters_fit_and_forty_one_do_not() {
        assert_eq!(name(&"한".repeat(40)), Ok("한".repeat(40)));
        assert_eq!(name(&"한".repeat(41)), Err("too_long".into()));
        assert_eq!(name(&"x".repeat(1_000_000)), Err("too_long".into()));
    }

    #[test]
    fn an_address_is_kept_in_lower_case() {
        assert_eq!(Email::parse(" Mina@Example.ORG ").map(|email| email.0), Ok("mina@example.org".into()));
        for text in ["", "@", "a@b", "a@.b", "a@b.", "a@b..c", "a b@c.d", "a@b@c.d", "a\u{0}@b.c", "\u{202e}a@b.c"] {
            assert_eq!(Email::parse(text).unwrap_err().code, "no_email", "{text:?}");
        }
    }

    #[test]
    fn a_password_has_bounds_and_is_never_printed() {
        assert_eq!(Password::parse(&"x".repeat(201)).unwrap_err().code, "too_long");
        let password = Password::parse("correct horse").unwrap();
        assert_eq!(format!("{password:?}"), "Password(…)");
    }
}
