//! The language that a request is answered in.

use actix_web::HttpRequest;
use actix_web::http::header::{AcceptLanguage, Header, Preference, Quality};
use actix_web::web::Data;
use base::settings::Cafe;
use base::text::Lang;

pub const LANG_COOKIE: &str = "lang";

/// What the caller chose (cookie), else what their client prefers, else the café's own, else Korean.
pub fn lang_of(request: &HttpRequest) -> Lang {
    let chosen = request.cookie(LANG_COOKIE).and_then(|cookie| Lang::from_code(cookie.value()));
    let of_the_cafe = || request.app_data::<Data<Cafe>>().and_then(|cafe| cafe.cached().language);
    chosen.or_else(|| preferred(request)).or_else(of_the_cafe).unwrap_or_default()
}

fn preferred(request: &HttpRequest) -> Option<Lang> {
    let mut wanted = AcceptLanguage::parse(request).ok()?;
    wanted.0.retain(|range| range.quality > Quality::ZERO);
    wanted.ranked().iter().find_map(|range| match range {
        Preference::Specific(tag) => Lang::from_code(tag.as_str()),
        Preference::Any => None,
    })
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::ACCEPT_LANGUAGE;
    use actix_web::test::TestRequest;

    use super::*;

    fn asked(accept: &str) -> Lang {
        lang_of(&TestRequest::get().insert_header((ACCEPT_LANGUAGE, accept)).to_http_request())
    }

    #[test]
    fn the_best_weighted_language_we_speak_wins() {
        assert_eq!(asked("fr, es;q=0.5, en;q=0.8"), Lang::En);
        assert_eq!(asked("es-MX"), Lang::Es);
        assert_eq!(asked("ko-KR,ko;q=0.9,en;q=0.8"), Lang::Ko);
        assert_eq!(asked("fr"), Lang::Ko);
        assert_eq!(asked("en;q=nonsense, es;q=0.1"), Lang::Es);
        assert_eq!(asked("es;q=0, *"), Lang::Ko);
        assert_eq!(asked(" es-419 ; q=0.3 ,en; q=0.3"), Lang::Es);
    }

    #[test]
    fn the_chosen_language_beats_the_preferred_one() {
        let request = TestRequest::get()
            .insert_header((ACCEPT_LANGUAGE, "en"))
            .cookie(actix_web::cookie::Cookie::new(LANG_COOKIE, "es"))
            .to_http_request();
        assert_eq!(lang_of(&request), Lang::Es);
    }
}
