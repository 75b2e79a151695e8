//! Which passwords people may choose. Each is checked here before it is hashed.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::Role;
use crate::error::FieldError;
use crate::inputs::Password;

/// Characters of a player's password.
const MIN: usize = 8;
/// It guards more for people who work here.
const STAFF_MIN: usize = 12;
/// `aaaaaaaa`, `12121212`.
const FEWEST_CHARACTERS: usize = 4;

/// In lower case, of eight characters at least, the most common first (`docs/vendored.md`).
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common-passwords.txt").lines().collect());

/// A password that its holder may take.
pub struct ChosenPassword(Password);

/// Who chooses.
#[derive(Clone, Copy)]
pub struct Chooser<'a> {
    pub role: Role,
    /// As far as it is known.
    pub name: Option<&'a str>,
    pub email: Option<&'a str>,
}

impl ChosenPassword {
    /// # Errors
    /// `too_short` (staff need more characters), `common_password`, or `own_name` for the name or address of who chooses. The refused
    /// field is this one.
    pub fn new(password: Password, chooser: Chooser<'_>, field: &str) -> Result<Self, FieldError> {
        let text = password.text().to_lowercase();
        let least = if chooser.role >= Role::Staff { STAFF_MIN } else { MIN };
        refuse_short(&password, least, field)?;
        if is_common(&text) {
            Err(FieldError::new(field, "common_password"))
        } else if chooser.own().any(|own| is_hardly_more(&text, &own)) {
            Err(FieldError::new(field, "own_name"))
        } else {
            Ok(Self(password))
        }
    }

    /// Of somebody with the console of the server, who is told nothing but how long it must be.
    ///
    /// # Errors
    /// `too_short`.
    pub fn of_operator(password: Password) -> Result<Self, FieldError> {
        refuse_short(&password, MIN, "")?;
        Ok(Self(password))
    }

    pub(super) fn into_inner(self) -> Password {
        self.0
    }
}

impl Chooser<'_> {
    /// What is known of them to everybody: name, address, and what stands before the `@`.
    fn own(&self) -> impl Iterator<Item = String> {
        let local = self.email.and_then(|email| email.split('@').next());
        [self.name, self.email, local].into_iter().flatten().map(str::to_lowercase)
    }
}

fn refuse_short(password: &Password, least: usize, field: &str) -> Result<(), FieldError> {
    let is_short = password.text().chars().count() < least;
    if is_short { Err(FieldError::new(field, "too_short").with_limit(least)) } else { Ok(()) }
}

fn is_common(text: &str) -> bool {
    COMMON.contains(text) || text.chars().collect::<HashSet<_>>().len() < FEWEST_CHARACTERS
}

/// The same letters, with digits and signs around or between them.
fn is_hardly_more(text: &str, own: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|it| it.is_alphabetic()).collect::<String>();
    text == own || (!letters(own).is_empty() && letters(text) == letters(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str, role: Role) -> Option<String> {
        let chooser = Chooser { role, name: Some("Minji Kim"), email: Some("minji.k@example.org") };
        let chosen = ChosenPassword::new(Password::parse(text).unwrap(), chooser, "/password");
        chosen.err().map(|err| err.code.into_owned())
    }

    #[test]
    fn what_everybody_tries_first_is_refused() {
        for text in ["12345678", "password", "PassWord", "aaaaaaaa", "12121212", "qwertyuiop", "iloveyou"] {
            assert_eq!(refusal(text, Role::Player).as_deref(), Some("common_password"), "{text}");
        }
        for text in ["minjikim", "Minji Kim!", "minji.k@example.org", "minjik2026", "MINJI-KIM-1"] {
            assert_eq!(refusal(text, Role::Player).as_deref(), Some("own_name"), "{text}");
        }
        for text in ["correct horse", "비밀번호는 고양이", "minji loves perudo"] {
            assert_eq!(refusal(text, Role::Player), None, "{text}");
        }
    }

    #[test]
    fn players_need_eight_characters_and_staff_twelve() {
        assert_eq!(refusal("7 chars", Role::Player).as_deref(), Some("too_short"));
        assert_eq!(refusal("eleven char", Role::Player), None);
        assert_eq!(refusal("eleven char", Role::Staff).as_deref(), Some("too_short"));
        assert_eq!(refusal("twelve chars", Role::Owner), None);
    }
}
