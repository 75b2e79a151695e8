//! What a variant would become, shown before it is saved: also to somebody whose form shows what another has changed meanwhile.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::variants::form::{self, Field, Sent};
use base::ids::{hex, unhex};
use play::variants::difference::difference;
use play::variants::{Basis, Content, Description, VariantChange, VariantName};
use web_base::page::Page;

/// The fields that say what the form was made from.
const SEEN: [&str; 3] = ["seen.version", "seen.name", "seen.description"];

pub(super) struct Preview {
    /// Whether somebody else has changed the variant since the form was made.
    pub is_of_two: bool,
    /// Whether no option differs, but the game was revised.
    pub is_revised: bool,
    /// In words.
    pub changes: Vec<String>,
    /// The fields to send again.
    pub sent: Sent,
    /// Of the version that they will be.
    pub number: i32,
}

/// What somebody wants to save.
pub(super) struct ProposedChange {
    /// What the form was made from.
    pub seen: Basis,
    pub now: Basis,
    pub wanted: VariantChange,
    /// Whether other options are the next version.
    pub is_final: bool,
}

/// What the form was made from, if it says so.
pub(super) fn take_seen(sent: &mut Sent) -> Option<Basis> {
    let [version, name, description] = SEEN.map(|field| sent.remove(field));
    let version = version?;
    let (number, hash) = version.split_once('.')?;
    Some(Basis {
        name: name?,
        description: description.filter(|it| !it.is_empty()),
        number: number.parse().ok()?,
        variant_hash: unhex(hash)?,
    })
}

pub(super) fn seen_fields(seen: &Basis) -> impl Iterator<Item = (&'static str, String)> {
    let version = format!("{}.{}", seen.number, hex(&seen.variant_hash));
    SEEN.into_iter().zip([version, seen.name.clone(), seen.description.clone().unwrap_or_default()])
}

/// What is to change. What was left as it was seen stays as it is now.
pub(super) fn wanted(
    [seen, now]: [&Basis; 2],
    name: VariantName,
    description: Option<Description>,
    content: Content,
) -> VariantChange {
    let known = [seen, now];
    let text = description.as_ref().map(|it| &it.0);
    let is_described = known.iter().any(|it| it.description.as_ref() == text);
    // The same options are other rules once the game was revised.
    let is_known = known.iter().any(|it| it.variant_hash == content.hash.0);
    VariantChange {
        name: Some(name).filter(|name| known.iter().all(|it| it.name != name.0)),
        description: Some(description).filter(|_| !is_described),
        options: Some(content.options).filter(|_| !is_known),
    }
}

impl ProposedChange {
    fn is_of_two(&self) -> bool {
        self.seen != self.now
    }

    /// Whether it is shown before it is saved: other rules are, and what would undo the work of somebody else.
    pub(super) fn is_to_be_shown(&self, sent: &Sent) -> bool {
        match self.is_of_two() {
            true => !self.wanted.is_empty(),
            false => self.wanted.options.is_some() && !sent.contains_key("agreed"),
        }
    }

    /// The latest version has these options, which fill these fields.
    pub(super) fn preview(&self, page: &Page, game: &str, (latest, fields): (&Value, &[Field]), sent: Sent) -> Preview {
        let options = self.wanted.options.as_ref();
        let options: Vec<String> = options.map_or_else(Vec::new, |options| {
            difference(page.lang, game, latest, options).iter().map(|it| it.line().to_owned()).collect()
        });
        Preview {
            is_of_two: self.is_of_two(),
            is_revised: self.wanted.options.is_some() && options.is_empty(),
            changes: self.renamed(page).into_iter().chain(options).collect(),
            sent: self.send_again(fields, sent),
            number: self.now.number + i32::from(self.is_final && self.wanted.options.is_some()),
        }
    }

    /// Name and description if somebody else has changed anything: who types in their own form knows what they have typed.
    fn renamed(&self, page: &Page) -> Vec<String> {
        if !self.is_of_two() {
            return Vec::new();
        }
        let or_none = |text: Option<&str>| text.unwrap_or("–").to_owned();
        let change = |key: &str, from: Option<&str>, to: Option<&str>| {
            let said = page.say("variant-change").with("option", page.t(key));
            said.with("from", or_none(from)).with("to", or_none(to)).to_string()
        };
        let name = self.wanted.name.as_ref();
        let name = name.map(|name| change("variant-name", Some(&self.now.name), Some(&name.0)));
        let description = self.wanted.description.as_ref().map(|description| {
            let to = description.as_ref().map(|it| it.0.as_str());
            change("variant-description", self.now.description.as_deref(), to)
        });
        name.into_iter().chain(description).collect()
    }

    /// What is not to change is sent as it is now.
    fn send_again(&self, fields: &[Field], mut sent: Sent) -> Sent {
        sent.remove("agreed");
        if self.wanted.name.is_none() {
            sent.insert("name".to_owned(), self.now.name.clone());
        }
        if self.wanted.description.is_none() {
            sent.insert("description".to_owned(), self.now.description.clone().unwrap_or_default());
        }
        if self.wanted.options.is_none() {
            sent.retain(|name, _| !name.starts_with(form::PREFIX));
            sent.extend(form::as_sent(fields).collect::<BTreeMap<_, _>>());
        }
        sent
    }
}

#[cfg(test)]
mod tests {
    use base::text::Lang;
    use engine::catalogue;
    use serde_json::json;

    use super::*;

    fn basis(name: &str, number: i32, content: &Content) -> Basis {
        let variant_hash = content.hash.0.to_vec();
        Basis { name: name.to_owned(), description: Some("밤에".to_owned()), number, variant_hash }
    }

    fn content(calza: bool) -> Content {
        Content::of(catalogue::find("perudo").unwrap(), Some(&json!({ "calza": calza }))).unwrap()
    }

    #[test]
    fn a_form_says_what_it_was_made_from() {
        for seen in [basis("가", 3, &content(true)), Basis { description: None, ..basis("나 \"", 1, &content(false)) }]
        {
            let mut sent: Sent = seen_fields(&seen).map(|(name, value)| (name.to_owned(), value)).collect();
            assert_eq!(take_seen(&mut sent), Some(seen));
            assert!(sent.is_empty());
        }
        assert_eq!(take_seen(&mut Sent::from([("seen.version".to_owned(), "1.00".to_owned())])), None);
    }

    #[test]
    fn nothing_is_written_back_that_somebody_else_has_changed() {
        let kind = catalogue::find("perudo").unwrap();
        let (seen, now) = (basis("가", 1, &content(false)), basis("나", 2, &content(true)));
        let typed = Some(Description("낮에".to_owned()));
        let wanted = wanted([&seen, &now], VariantName("가".to_owned()), typed, content(false));
        assert!(wanted.name.is_none() && wanted.options.is_none() && wanted.description.is_some());
        let proposed = ProposedChange { seen, now, wanted, is_final: true };
        let mut sent = Sent::from(["name", "description", "agreed"].map(|name| (name.to_owned(), "가".to_owned())));
        assert!(proposed.is_to_be_shown(&sent), "what was agreed to was another");
        let latest = content(true).options;
        let fields = form::fields(Lang::Ko, kind, &latest, &latest);
        sent.insert("option.palifico".to_owned(), "x".to_owned());
        let preview = proposed.preview(&Page::sample(Lang::En), "perudo", (&latest, &fields), sent);
        assert_eq!((preview.is_of_two, preview.is_revised, preview.number), (true, false, 2));
        assert_eq!(preview.changes.len(), 1);
        assert!(preview.changes[0].contains("밤에 → 낮에"), "{:?}", preview.changes);
        assert_eq!((preview.sent["name"].as_str(), preview.sent["description"].as_str()), ("나", "가"));
        assert_eq!(form::options(kind, &preview.sent), latest);
        assert!(!preview.sent.contains_key("agreed"));
    }
}
