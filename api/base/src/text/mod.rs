//! The languages that people read and the catalogues they come from (`templates/text/<language>/*.ftl`).
//! No sentence for people stands in Rust.

pub mod numbers;
mod parts;
pub mod sheets;

use std::collections::BTreeSet;
use std::ops::Bound;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::Entry;
use rust_embed::Embed;
use serde::{Deserialize, Serialize};
use unic_langid::{LanguageIdentifier, langid};

use crate::templates::Made;
pub use parts::{Case, Part};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    #[default]
    Ko,
    En,
    Es,
}

pub type Args<'a> = [(&'static str, FluentValue<'a>)];

impl Lang {
    pub const ALL: [Self; 3] = [Self::Ko, Self::En, Self::Es];

    pub fn code(self) -> &'static str {
        match self {
            Self::Ko => "ko",
            Self::En => "en",
            Self::Es => "es",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.trim().split(['-', '_']).next()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|lang| lang.code() == primary)
    }

    /// The message with this id.
    pub fn text(self, id: &str) -> String {
        TEXTS.get().find(self, id, None).unwrap_or_else(|| id.to_owned())
    }

    pub fn text_with(self, id: &str, args: &Args<'_>) -> String {
        self.find_with(id, args).unwrap_or_else(|| id.to_owned())
    }

    /// `None` when no catalogue has it.
    pub fn find_with(self, id: &str, args: &Args<'_>) -> Option<String> {
        let args: FluentArgs<'_> = args.iter().cloned().collect();
        TEXTS.get().find(self, id, Some(&args))
    }

    /// The message with this id in pieces.
    pub fn parts(self, id: &str) -> Option<Vec<Part>> {
        parts::parts(TEXTS.get().bundles[self as usize].get_message(id)?.value()?)
    }

    /// What stands behind this in the ids of messages that begin with it.
    pub fn ids_after(self, beginning: &str) -> impl Iterator<Item = &'static str> {
        let from = TEXTS.get().ids.range::<str, _>((Bound::Included(beginning), Bound::Unbounded));
        from.map_while(move |id| id.strip_prefix(beginning))
    }

    fn identifier(self) -> LanguageIdentifier {
        match self {
            Self::Ko => langid!("ko"),
            Self::En => langid!("en"),
            Self::Es => langid!("es"),
        }
    }
}

#[derive(Embed)]
#[folder = "../../templates/text"]
struct Files;

static TEXTS: Made<Texts> = Made::of("text", Texts::load);

/// The catalogues of each language, in the order of `Lang::ALL`.
struct Texts {
    bundles: [FluentBundle<FluentResource>; 3],
    /// The same in each of them.
    ids: BTreeSet<String>,
}

impl Texts {
    fn load() -> Self {
        let bundles = Lang::ALL.map(|lang| {
            let mut bundle = FluentBundle::new_concurrent(vec![lang.identifier()]);
            // Isolation marks would show up as boxes in logs, JSON and plain text.
            bundle.set_use_isolating(false);
            bundle.set_formatter(Some(numbers::in_messages));
            bundle
        });
        let mut texts = Self { bundles, ids: BTreeSet::new() };
        for path in Files::iter() {
            if let Err(problem) = texts.read(&path) {
                tracing::error!(%path, error = problem, "reading a text catalogue failed");
            }
        }
        texts
    }

    fn read(&mut self, path: &str) -> Result<(), String> {
        let lang = path.split_once('/').and_then(|(folder, _)| Lang::from_code(folder)).ok_or("of no language")?;
        let file = Files::get(path).ok_or("gone")?;
        let text = String::from_utf8(file.data.into_owned()).map_err(|err| err.to_string())?;
        let (resource, broken) = match FluentResource::try_new(text) {
            Ok(resource) => (resource, Ok(())),
            // What can be read is used.
            Err((resource, errors)) => (resource, Err(format!("{errors:?}"))),
        };
        let ids = resource.entries().filter_map(|entry| match entry {
            Entry::Message(message) => Some(message.id.name.to_owned()),
            _ => None,
        });
        self.ids.extend(ids);
        let added = self.bundles[lang as usize].add_resource(resource).map_err(|errors| format!("{errors:?}"));
        broken.and(added)
    }

    /// In this language, or else in Korean.
    fn find(&self, lang: Lang, id: &str, args: Option<&FluentArgs<'_>>) -> Option<String> {
        [lang, Lang::Ko].into_iter().find_map(|lang| {
            let bundle = &self.bundles[lang as usize];
            let mut errors = Vec::new();
            let text = bundle.format_pattern(bundle.get_message(id)?.value()?, args, &mut errors);
            errors.is_empty().then(|| text.into_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use fluent_syntax::ast::{Expression, InlineExpression, PatternElement};

    use super::*;

    #[test]
    fn every_catalogue_holds_the_same_messages() {
        let messages = |lang: Lang| {
            let folder = format!("{}/../../templates/text/{}", env!("CARGO_MANIFEST_DIR"), lang.code());
            let mut found = BTreeSet::new();
            for file in std::fs::read_dir(folder).unwrap() {
                for line in std::fs::read_to_string(file.unwrap().path()).unwrap().lines() {
                    if let Some((id, _)) = line.split_once(" =").filter(|(id, _)| !id.starts_with([' ', '#', '-'])) {
                        // No catalogue can be loaded if two say the same key.
                        assert!(found.insert(id.to_owned()), "{lang:?}: {id} twice");
                    }
                }
            }
            found
        };
        let korean = messages(Lang::Ko);
        assert!(!korean.is_empty());
        for lang in [Lang::En, Lang::Es] {
            let missing: Vec<_> = korean.symmetric_difference(&messages(lang)).cloned().collect();
            assert!(missing.is_empty(), "{lang:?} and Ko differ in {missing:?}");
        }
    }

    /// How messages name what is counted.
    const COUNTED: [&str; 12] = [
        "bouts",
        "boxes",
        "cards",
        "changed",
        "count",
        "days",
        "guests",
        "minutes",
        "new",
        "opponents",
        "parties",
        "rounds",
    ];
    /// Of what these count there is never one.
    const NEVER_ONE: [&str; 4] =
        ["play-turn-of-many", "stats-visit-bar-more", "trial-house-many", "variant-plays-many"];
    /// End like a plural and are none.
    const NO_PLURALS: [&str; 5] = ["has", "is", "más", "others", "was"];

    /// Messages that count something in the plural whatever its number, with the word that is then wrong.
    fn unbending(text: String) -> Vec<String> {
        let resource = FluentResource::try_new(text).unwrap();
        let mut found = Vec::new();
        for entry in resource.entries() {
            let Entry::Message(message) = entry else { continue };
            let Some(pattern) = message.value.as_ref().filter(|_| !NEVER_ONE.contains(&message.id.name)) else {
                continue;
            };
            for pair in pattern.elements.windows(2) {
                let [PatternElement::Placeable { expression }, PatternElement::TextElement { value }] = pair else {
                    continue;
                };
                let Expression::Inline(InlineExpression::VariableReference { id }) = expression else { continue };
                let word = value
                    .strip_prefix(' ')
                    .unwrap_or_default()
                    .split(|it: char| !it.is_alphabetic())
                    .next()
                    .unwrap_or_default();
                let is_plural = word.ends_with('s') || ["people", "dice"].contains(&word);
                if COUNTED.contains(&id.name) && is_plural && !NO_PLURALS.contains(&word) {
                    found.push(format!("{}: {word}", message.id.name));
                }
            }
        }
        found
    }

    #[test]
    fn what_is_counted_has_a_form_for_one() {
        assert_eq!(unbending("a = { $count } tables, { $name } tables".to_owned()), ["a: tables"]);
        for path in Files::iter().filter(|path| !path.starts_with("ko/")) {
            let text = String::from_utf8(Files::get(&path).unwrap().data.into_owned()).unwrap();
            assert_eq!(unbending(text), Vec::<String>::new(), "{path}");
        }
        let tell = |lang: Lang, count: i64| lang.text_with("fit-rounds", &[("count", count.into())]);
        assert_eq!([tell(Lang::En, 1), tell(Lang::En, 2)], ["Play 1 round", "Play 2 rounds"]);
        assert_eq!([tell(Lang::Es, 1), tell(Lang::Es, 2)], ["Jugar 1 ronda", "Jugar 2 rondas"]);
    }
}
