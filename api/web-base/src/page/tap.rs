//! A form of one button.

use std::fmt::Display;

use askama::Template;

use super::Page;

/// Made by the macro `tap` of `ui/floor/actions.html`, once instead of at every call.
#[derive(Template)]
#[template(path = "ui/tap.html")]
pub struct Tap<'a> {
    page: &'a Page,
    action: String,
    text: String,
    name: String,
    value: String,
    class: String,
    icon: String,
    back: String,
}

impl Page {
    /// A button with this text that posts to this address.
    pub fn tap(&self, action: impl Display, text: impl Display) -> Tap<'_> {
        let none = String::new;
        let (action, text) = (action.to_string(), text.to_string());
        Tap { page: self, action, text, name: none(), value: none(), class: none(), icon: none(), back: none() }
    }
}

impl Tap<'_> {
    /// What the button sends, if it has a name.
    pub fn sends(self, name: &str, value: impl Display) -> Self {
        Self { name: name.to_owned(), value: value.to_string(), ..self }
    }

    pub fn looks(self, class: &str, icon: &str) -> Self {
        Self { class: class.to_owned(), icon: icon.to_owned(), ..self }
    }

    /// The page to come back to, if not the floor.
    pub fn back_to(self, back: impl Display) -> Self {
        Self { back: back.to_string(), ..self }
    }
}
