//! What this browser likes: the language and the theme, switched on every page, and how the floor is drawn. A cookie each.

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::{HttpRequest, HttpResponse, post};
use serde::Deserialize;

use super::{Form, Page};
use crate::error::ApiResult;
use crate::lang::LANG_COOKIE;
use crate::limits::{Budget, Writes};
use base::text::Lang;

const THEME_COOKIE: &str = "theme";
const FLOOR_COOKIE: &str = "floor";

base::text_enum! {
    pub enum Theme {
        Light = "light",
        /// As the machine has it.
        Auto = "auto",
        Dark = "dark",
    }
}

impl Theme {
    pub(super) fn of(request: &HttpRequest) -> Self {
        request.cookie(THEME_COOKIE).and_then(|cookie| cookie.value().parse().ok()).unwrap_or(Self::Auto)
    }

    pub fn key(self) -> &'static str {
        match self {
            Self::Light => "theme-light",
            Self::Auto => "theme-auto",
            Self::Dark => "theme-dark",
        }
    }

    /// The symbol that stands for it.
    pub fn icon(self) -> &'static str {
        match self {
            Self::Light => "sun",
            Self::Auto => "auto",
            Self::Dark => "moon",
        }
    }
}

base::text_enum! {
    /// How the tables of the floor are drawn.
    pub enum FloorLook {
        /// Where they stand.
        Plan = "plan",
        /// One after the other.
        Grid = "grid",
    }
}

impl FloorLook {
    pub fn of(request: &HttpRequest) -> Self {
        request.cookie(FLOOR_COOKIE).and_then(|cookie| cookie.value().parse().ok()).unwrap_or(Self::Plan)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreferencesForm {
    lang: Option<Lang>,
    theme: Option<Theme>,
    floor: Option<FloorLook>,
    /// The page to come back to.
    back: String,
}

#[post("/preferences")]
pub async fn save_preferences(
    _: Budget<Writes>,
    page: Page,
    Form(form): Form<PreferencesForm>,
) -> ApiResult<HttpResponse> {
    let mut response = page.go_to(own_path(&form.back));
    let year = CookieDuration::days(365);
    let chosen = [
        (LANG_COOKIE, form.lang.map(|lang| lang.code().to_owned())),
        (THEME_COOKIE, form.theme.map(|theme| theme.as_str().to_owned())),
        (FLOOR_COOKIE, form.floor.map(|look| look.as_str().to_owned())),
    ];
    for (name, value) in chosen {
        if let Some(value) = value {
            // Text and looks only: nothing that a script may not know.
            let cookie = Cookie::build(name, value).path("/").http_only(true).same_site(SameSite::Lax);
            let _ = response.add_cookie(&cookie.secure(page.is_secure()).max_age(year).finish());
        }
    }
    Ok(response)
}

/// A path of this site, whatever a form says.
pub fn own_path(path: &str) -> &str {
    // Browsers drop a tab and a line break before they look for the host.
    let is_plain = path.bytes().all(|it| it.is_ascii_graphic() && it != b'\\');
    let ours = path.starts_with('/') && !path.starts_with("//") && is_plain;
    if ours { path } else { "/admin" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_site() {
        assert_eq!(own_path("/admin/tables?area=1"), "/admin/tables?area=1");
        for other in ["//evil.example", "https://evil.example", "/\\evil.example", "", "/a\r\nset-cookie: x"] {
            assert_eq!(own_path(other), "/admin", "{other}");
        }
        for control in ['\t', '\u{b}', '\0', '\u{7f}', ' '] {
            assert_eq!(own_path(&format!("/{control}/evil.example")), "/admin", "{control:?}");
        }
    }
}
