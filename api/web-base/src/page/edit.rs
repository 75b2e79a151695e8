//! The form of something that several people change. It says what it was made from, so that what somebody did not touch stays as it is by
//! now, and the later of two who change the same field is told.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;

use super::Page;
use crate::error::Problem;
use base::error::{Result, conflict};

/// The fields of a form by their names. One that is missing is empty: browsers leave out boxes that are not ticked.
pub type Fields = BTreeMap<String, String>;

/// Before the name of a field, where a form says what the field was made from.
const SEEN: &str = "seen.";

/// A form as it was sent.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Fields")]
pub struct Edit {
    typed: Fields,
    /// Empty if the form does not say: then all fields count as touched.
    seen: Fields,
    is_clash: bool,
}

impl From<Fields> for Edit {
    fn from(sent: Fields) -> Self {
        let (mut typed, mut seen) = (Fields::new(), Fields::new());
        for (name, value) in sent {
            match name.strip_prefix(SEEN) {
                Some(name) => seen.insert(name.to_owned(), value),
                None => typed.insert(name, value),
            };
        }
        Self { typed, seen, is_clash: false }
    }
}

impl Edit {
    /// A form that somebody opens, with all its fields, also the empty ones.
    pub fn of(now: Fields) -> Self {
        Self { typed: now.clone(), seen: now, is_clash: false }
    }

    /// With this in fields that are empty. It counts as typed.
    #[must_use]
    pub fn offer<const N: usize>(mut self, offered: [(&str, &str); N]) -> Self {
        for (name, offered) in offered {
            let field = self.typed.entry(name.to_owned()).or_default();
            if field.is_empty() {
                *field = offered.to_owned();
            }
        }
        self
    }

    pub fn typed(&self) -> &Fields {
        &self.typed
    }

    /// What the form was made from, to be sent with it.
    pub fn seen(&self) -> &Fields {
        &self.seen
    }

    /// Whether it was refused because somebody else had changed the same.
    pub fn is_clash(&self) -> bool {
        self.is_clash
    }

    /// What is to be saved in place of what is there now.
    pub fn onto(&self, now: &Fields) -> Result<Fields> {
        match self.clashes(now).next() {
            Some(_) => Err(conflict("form_changed")),
            None => Ok(self.merged(now)),
        }
    }

    /// The form once more, with what was typed, made from what is there now.
    #[must_use]
    pub fn again(&self, now: Fields) -> Self {
        Self { typed: self.merged(&now), seen: now, is_clash: true }
    }

    /// The form that is shown again after a refusal, and what is wrong, by the pointer of each field. `told` gives that of a field into
    /// which somebody else has put this value.
    pub fn refuse(
        self,
        problem: Problem,
        now: Fields,
        told: impl Fn(&str, &str) -> (String, String),
    ) -> (Self, HashMap<String, String>) {
        if problem.code == "form_changed" {
            let wrong = self.clashes(&now).map(|(name, value)| told(name, value)).collect();
            return (self.again(now), wrong);
        }
        (self, problem.errors.into_iter().map(|it| (it.pointer, it.detail)).collect())
    }

    /// What is there now, if somebody else has made it something else than what was typed.
    pub fn clash<'a>(&self, now: &'a Fields, name: &str) -> Option<&'a str> {
        let (typed, seen, now) = (value(&self.typed, name), value(&self.seen, name), value(now, name));
        (self.seen.contains_key(name) && typed != seen && now != seen && now != typed).then_some(now)
    }

    /// All such fields.
    pub fn clashes<'a>(&self, now: &'a Fields) -> impl Iterator<Item = (&'a str, &'a str)> {
        now.keys().filter_map(|name| Some((name.as_str(), self.clash(now, name)?)))
    }

    /// All such fields, and of these heads those that somebody else has changed while a field was touched that hangs on them: it meant
    /// something beside what was in the head.
    pub fn clashes_with_heads(
        &self,
        now: &Fields,
        heads: impl Iterator<Item = String>,
        hangs: impl Fn(&str, &str) -> bool,
    ) -> Vec<(String, String)> {
        let is_changed = |head: &str| self.seen.contains_key(head) && value(now, head) != value(&self.seen, head);
        let touched = || self.typed.keys().chain(self.seen.keys()).filter(|name| self.touches(name));
        let is_out_of_place =
            |head: &String| is_changed(head) && !self.touches(head) && touched().any(|name| hangs(head, name));
        let own = self.clashes(now).map(|(name, value)| (name.to_owned(), value.to_owned()));
        let of_head = |head: String| {
            let value = value(now, &head).to_owned();
            (head, value)
        };
        own.chain(heads.filter(is_out_of_place).map(of_head)).collect()
    }

    /// Whether what was saved keeps something that somebody else has changed.
    pub fn keeps_others(&self, saved: &Fields) -> bool {
        self.seen.keys().any(|name| !self.touches(name) && value(saved, name) != value(&self.seen, name))
    }

    fn merged(&self, now: &Fields) -> Fields {
        let names: BTreeSet<&String> = now.keys().chain(self.typed.keys()).collect();
        let merged = |name: &String| value(if self.touches(name) { &self.typed } else { now }, name).to_owned();
        names.into_iter().map(|name| (name.clone(), merged(name))).filter(|(_, value)| !value.is_empty()).collect()
    }

    fn touches(&self, name: &str) -> bool {
        match self.seen.contains_key(name) {
            true => value(&self.typed, name) != value(&self.seen, name),
            // A field that the form did not show: of a row that somebody else has added, say.
            false => self.seen.is_empty() || self.typed.contains_key(name),
        }
    }
}

impl Page {
    /// What somebody else has put into a field.
    pub fn now_in_field(&self, value: &str) -> String {
        self.say("form-now").with("value", if value.is_empty() { "–" } else { value }).to_string()
    }
}

fn value<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).map_or("", |value| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields<const N: usize>(fields: [(&str, &str); N]) -> Fields {
        fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    #[test]
    fn what_was_not_touched_stays_as_it_is_now() {
        let sent =
            fields([("name", "1"), ("seen.name", "1"), ("area", "Deck "), ("seen.area", ""), ("seen.open", "on")]);
        let (edit, now) = (Edit::from(sent), fields([("name", "2"), ("area", ""), ("open", "on")]));
        let saved = edit.onto(&now).unwrap();
        assert_eq!(saved, fields([("name", "2"), ("area", "Deck")]), "a box that was ticked is no longer");
        assert!(edit.keeps_others(&saved));
        assert!(!edit.keeps_others(&edit.onto(&fields([("name", "1"), ("open", "on")])).unwrap()));
    }

    #[test]
    fn the_later_of_two_is_told_and_saves_again() {
        let edit = Edit::from(fields([("name", "2"), ("seen.name", "1"), ("area", ""), ("seen.area", "")]));
        let now = fields([("name", "3"), ("area", "Deck")]);
        assert_eq!(edit.onto(&now).unwrap_err().code(), "form_changed");
        assert_eq!((edit.clash(&now, "name"), edit.clash(&now, "area")), (Some("3"), None));
        let again = edit.again(now.clone());
        assert!(again.is_clash());
        assert_eq!(again.onto(&now).unwrap(), fields([("name", "2"), ("area", "Deck")]));
        // Both meant the same.
        assert_eq!(edit.onto(&fields([("name", "2")])).unwrap(), fields([("name", "2")]));
    }

    #[test]
    fn what_is_offered_fills_empty_fields_and_is_saved() {
        let now = fields([("name", "1"), ("area", "")]);
        let edit = Edit::of(now.clone()).offer([("name", "2"), ("area", "Deck")]);
        assert_eq!(edit.onto(&now).unwrap(), fields([("name", "1"), ("area", "Deck")]));
    }

    #[test]
    fn what_a_form_did_not_show_stays_as_it_is_now() {
        let edit = Edit::from(fields([("name", "2"), ("seen.name", "1"), ("new", "on")]));
        let now = fields([("name", "1"), ("area", "Deck"), ("new", "")]);
        assert_eq!(edit.onto(&now).unwrap(), fields([("name", "2"), ("area", "Deck"), ("new", "on")]));
    }

    #[test]
    fn what_was_touched_beside_a_field_that_is_another_now_is_told() {
        let sent = |kind| {
            let sent = [("kind", kind), ("seen.kind", "a"), ("many-of-kind", "3"), ("seen.many-of-kind", "2")];
            Edit::from(fields(sent))
        };
        let told = |kind, now, hangs: fn(&str, &str) -> bool| {
            let now = fields([("kind", now), ("many-of-kind", "2")]);
            sent(kind).clashes_with_heads(&now, ["kind".to_owned()].into_iter(), hangs)
        };
        let many: fn(&str, &str) -> bool = |head, name| name == format!("many-of-{head}");
        assert_eq!(told("a", "b", many), [("kind".to_owned(), "b".to_owned())]);
        assert!(told("a", "a", many).is_empty() && told("b", "b", many).is_empty());
        assert!(told("a", "b", |_, _| false).is_empty());
    }

    #[test]
    fn a_form_that_says_nothing_is_taken_as_it_is() {
        let edit = Edit::from(fields([("name", "2"), ("area", "")]));
        assert_eq!(edit.onto(&fields([("name", "3"), ("area", "Deck")])).unwrap(), fields([("name", "2")]));
    }
}
