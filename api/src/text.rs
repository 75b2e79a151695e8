//! The languages that people read and the catalogues they come from (`templates/text/<language>/*.ftl`).
//! No sentence for people stands in Rust.

use std::borrow::Cow;
use std::collections::HashMap;

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT_LANGUAGE, HeaderMap};
use actix_web::web::Data;
use fluent_templates::fluent_bundle::FluentValue;
use fluent_templates::{LanguageIdentifier, Loader, langid};
use serde::{Deserialize, Serialize};

use crate::cafe::Cafe;

pub const LANG_COOKIE: &str = "lang";

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

    /// What the caller chose (cookie), else what their client prefers, else the café's own, else Korean.
    pub fn of(request: &HttpRequest) -> Self {
        let chosen = request.cookie(LANG_COOKIE).and_then(|cookie| Self::from_code(cookie.value()));
        let of_the_house = || request.app_data::<Data<Cafe>>().and_then(|cafe| cafe.known().language);
        chosen.or_else(|| Self::preferred(request.headers())).or_else(of_the_house).unwrap_or_default()
    }

    /// The message with this id.
    pub fn text(self, id: &str) -> String {
        TEXTS.lookup(self.identifier(), id)
    }

    pub fn text_with(self, id: &str, args: &Args<'_>) -> String {
        self.find_with(id, args).unwrap_or_else(|| id.to_owned())
    }

    /// `None` when no catalogue has it.
    pub fn find_with(self, id: &str, args: &Args<'_>) -> Option<String> {
        let args: HashMap<Cow<'static, str>, FluentValue<'_>> =
            args.iter().map(|(name, value)| (Cow::Borrowed(*name), value.clone())).collect();
        TEXTS.try_lookup_with_args(self.identifier(), id, &args)
    }

    fn preferred(headers: &HeaderMap) -> Option<Self> {
        let wanted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut best = (0.0, None);
        for range in wanted.split(',') {
            let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
            let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).unwrap_or(0.0);
            if let Some(lang) = Self::from_code(tag).filter(|_| weight > best.0) {
                best = (weight, Some(lang));
            }
        }
        best.1
    }

    fn identifier(self) -> &'static LanguageIdentifier {
        static KO: LanguageIdentifier = langid!("ko");
        static EN: LanguageIdentifier = langid!("en");
        static ES: LanguageIdentifier = langid!("es");
        match self {
            Self::Ko => &KO,
            Self::En => &EN,
            Self::Es => &ES,
        }
    }
}

mod catalogue {
    fluent_templates::static_loader! {
        pub(super) static TEXTS = {
            locales: "../templates/text",
            fallback_language: "ko",
            // Isolation marks would show up as boxes in logs, JSON and plain text.
            customise: |bundle| {
                bundle.set_use_isolating(false);
                bundle.set_formatter(Some(crate::numbers::in_messages));
            },
        };
    }
}
use catalogue::TEXTS;

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn asked(accept: &str) -> Lang {
        Lang::of(&TestRequest::get().insert_header((ACCEPT_LANGUAGE, accept)).to_http_request())
    }

    #[test]
    fn the_best_weighted_language_we_speak_wins() {
        assert_eq!(asked("fr, es;q=0.5, en;q=0.8"), Lang::En);
        assert_eq!(asked("es-MX"), Lang::Es);
        assert_eq!(asked("ko-KR,ko;q=0.9,en;q=0.8"), Lang::Ko);
        assert_eq!(asked("fr"), Lang::Ko);
        assert_eq!(asked("en;q=nonsense, es;q=0.1"), Lang::Es);
    }

    #[test]
    fn the_chosen_language_beats_the_preferred_one() {
        let request = TestRequest::get()
            .insert_header((ACCEPT_LANGUAGE, "en"))
            .cookie(actix_web::cookie::Cookie::new(LANG_COOKIE, "es"))
            .to_http_request();
        assert_eq!(Lang::of(&request), Lang::Es);
    }

    #[test]
    fn every_catalogue_holds_the_same_messages() {
        let messages = |lang: Lang| {
            let folder = format!("{}/../templates/text/{}", env!("CARGO_MANIFEST_DIR"), lang.code());
            let mut found = std::collections::BTreeSet::new();
            for file in std::fs::read_dir(folder).unwrap() {
                for line in std::fs::read_to_string(file.unwrap().path()).unwrap().lines() {
                    if let Some((id, _)) = line.split_once(" =").filter(|(id, _)| !id.starts_with([' ', '#', '-'])) {
                        found.insert(id.to_owned());
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
}
