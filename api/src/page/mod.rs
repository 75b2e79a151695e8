//! From a template to an answer: what every page shows besides its own thing, how it words texts, and how forms come back.

mod form;
#[cfg(test)]
mod hygiene;
mod nav;
pub mod preferences;
mod upload;
mod words;

use std::borrow::Borrow;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::Arc;

use actix_web::cookie::{Cookie, SameSite, time::Duration as CookieDuration};
use actix_web::dev::Payload;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LANGUAGE, HeaderValue, LOCATION, REFERER, VARY,
};
use actix_web::http::{StatusCode, Uri};
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use askama::Template;
use engine::catalogue;
use jiff::Timestamp;
use subtle::ConstantTimeEq;

use crate::cafe::{Cafe, Hours, Known};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiError, ApiResult, DrawError, Problem, internal, unauthorized};
use crate::extract::{PAGE_COOKIE, Player, Staff};
use crate::matches::OTHER;
use crate::players::{self, Role};
use crate::text::Lang;
use crate::undo::UndoId;
use crate::world::World;
use crate::{assets, sessions};
pub use form::Form;
use nav::Group;
pub use nav::Place;
pub use preferences::Theme;
pub use upload::{Upload, is_too_large};
pub use words::{Moment, Said, Say, Since};

const VISIT_COOKIE: &str = "visit";
const FLASH_COOKIE: &str = "flash";
/// Smaller answers gain nothing from being squeezed.
const GZIP_FROM: usize = 1024;

/// What the layout of every page needs.
pub struct Page {
    pub lang: Lang,
    pub theme: Theme,
    /// Where we are, with the query, for the switches and those who signed in to come back to.
    pub path: String,
    pub staff: Option<Who>,
    pub flash: Option<Flash>,
    pub now: Timestamp,
    /// Only the fragment of the page that htmx asked for is wanted.
    pub fragment: bool,
    csrf: String,
    visit: Option<Cookie<'static>>,
    cafe: Arc<Known>,
    zone: jiff::tz::TimeZone,
    takes_gzip: bool,
    secure: bool,
}

/// The member of staff who looks.
pub struct Who {
    pub name: String,
    pub role: Role,
    /// Could do more with a second factor, which the house wants and they do not have.
    pub lacks_factor: bool,
}

/// A member of staff at a page of theirs. Asking for it is what protects the page.
pub struct Desk {
    pub page: Page,
    pub staff: Player,
}

/// What came of the last deed, told once: a message `flash-<key>`, perhaps about something with a name.
#[derive(Debug, PartialEq, Eq)]
pub struct Flash {
    pub good: bool,
    key: String,
    name: String,
    /// What can be taken back with a button.
    pub undo: Option<UndoId>,
}

impl Page {
    /// The message with this key.
    pub fn t(&self, key: &str) -> String {
        self.lang.text(key)
    }

    /// The message with this key and with words for its placeholders, given by `with`.
    pub fn say(&self, key: &str) -> Say {
        Say::new(self.lang, key)
    }

    /// For how many people something is.
    pub fn players<Count: Said + PartialEq>(&self, least: Count, most: Count) -> Say {
        match least == most {
            true => self.say("title-players-one").with("players", least),
            false => self.say("players").with("least", least).with("most", most),
        }
    }

    /// A number as whoever reads the page writes it.
    pub fn number(&self, number: impl std::fmt::Display) -> String {
        self.lang.number(number)
    }

    /// A part of a whole, in percent.
    pub fn percent(&self, share: impl Borrow<f64>) -> String {
        self.lang.percent(*share.borrow(), 1)
    }

    /// The message, or another text where no catalogue has it.
    pub fn word_or(&self, key: &str, otherwise: &str) -> String {
        self.lang.find_with(key, &[]).unwrap_or_else(|| otherwise.to_owned())
    }

    pub fn game_name(&self, game: &str) -> String {
        self.word_or(&format!("{game}-name"), game)
    }

    /// All that is played here: the games of the catalogue, and any other.
    pub fn games(&self) -> Vec<(&'static str, String)> {
        let ours = catalogue::GAMES.iter().map(|kind| kind.info().id);
        ours.chain([OTHER]).map(|id| (id, self.game_name(id))).collect()
    }

    pub fn asset(&self, name: &str) -> &'static str {
        assets::url(name)
    }

    /// To be sent along with every form.
    pub fn csrf(&self) -> &str {
        &self.csrf
    }

    pub fn flash_text(&self, flash: &Flash) -> String {
        let (said, refused) = (format!("flash-{}", flash.key), format!("error-{}", flash.key));
        let name = [("name", flash.name.as_str().into())];
        self.lang.find_with(&said, &name).unwrap_or_else(|| self.lang.text(&refused))
    }

    /// What the café is called.
    pub fn house(&self) -> String {
        self.cafe.name.clone().unwrap_or_else(|| self.t("house"))
    }

    /// The address of its logo, if it has one.
    pub fn logo(&self) -> Option<&str> {
        self.cafe.logo.as_deref()
    }

    /// How long ago that was, which scripts count on.
    pub fn since(&self, moment: impl Moment) -> Since {
        Since::new(self.lang, moment.moment(), self.now)
    }

    /// A length of time that somebody set, in minutes where it is whole ones.
    pub fn lasting(&self, seconds: impl Borrow<i32>) -> Say {
        match *seconds.borrow() {
            seconds if seconds % 60 == 0 => self.say("since-minutes").with("m", seconds / 60),
            seconds => self.say("lasting-seconds").with("s", seconds),
        }
    }

    /// For loops that draw the same thing so many times.
    pub fn times(&self, count: impl Borrow<usize>) -> std::ops::Range<usize> {
        0..*count.borrow()
    }

    /// The name of the café's time zone.
    pub fn zone(&self) -> &str {
        self.zone.iana_name().unwrap_or("UTC")
    }

    /// The time of day at the café, and the date where it was another day.
    pub fn at(&self, moment: impl Moment) -> String {
        let then = moment.moment().to_zoned(self.zone.clone());
        let time = then.strftime("%H:%M");
        if then.date() == self.today() { time.to_string() } else { format!("{} {time}", self.day(then.date())) }
    }

    /// The same for what came after another moment: within a day of that, the time is enough.
    pub fn at_after(&self, before: impl Moment, moment: impl Moment) -> String {
        let (before, moment) = (before.moment(), moment.moment());
        if moment.as_second() - before.as_second() < 86_400 {
            moment.to_zoned(self.zone.clone()).strftime("%H:%M").to_string()
        } else {
            self.at(moment)
        }
    }

    /// A day as people say it, with its year where that is another one.
    pub fn day(&self, date: jiff::civil::Date) -> Say {
        let key = if date.year() == self.today().year() { "day" } else { "day-of-year" };
        self.say(key).with("month", date.month()).with("day", date.day()).with("year", date.year().to_string())
    }

    /// From one day to another.
    pub fn days(&self, from: &jiff::civil::Date, until: &jiff::civil::Date) -> String {
        if from == until {
            self.day(*from).to_string()
        } else {
            format!("{} – {}", self.day(*from), self.day(*until))
        }
    }

    /// The date and the time of day at the café, to the second.
    pub fn to_the_second(&self, moment: Timestamp) -> String {
        moment.to_zoned(self.zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
    }

    /// Which day it is at the café.
    pub fn today(&self) -> jiff::civil::Date {
        self.now.to_zoned(self.zone.clone()).date()
    }

    pub fn time_zone(&self) -> &jiff::tz::TimeZone {
        &self.zone
    }

    /// When the café is open.
    pub fn hours(&self) -> &[Hours] {
        &self.cafe.hours
    }

    /// The day of the week at the café, 1 for Monday, and how many minutes of it have passed.
    pub fn minute_of_week(&self) -> (u8, i16) {
        let now = self.now.to_zoned(self.zone.clone());
        let minute = i16::from(now.hour()) * 60 + i16::from(now.minute());
        (now.weekday().to_monday_one_offset().unsigned_abs(), minute)
    }

    /// Which month that was at the café, as in 2026-11.
    pub fn month(&self, moment: Timestamp) -> String {
        moment.to_zoned(self.zone.clone()).strftime("%Y-%m").to_string()
    }

    /// When that day began at the café.
    pub fn midnight(&self, date: jiff::civil::Date) -> Option<Timestamp> {
        Some(date.to_zoned(self.zone.clone()).ok()?.timestamp())
    }

    /// Whether the page in the layout's navigation is this one.
    pub fn is_under(&self, prefix: &str) -> bool {
        let path = self.path.split('?').next().unwrap_or_default();
        path == prefix || (prefix != "/admin" && path.starts_with(&format!("{prefix}/")))
    }

    /// What of the navigation opens to whoever looks.
    pub fn places(&self) -> Vec<(Group, Vec<&'static Place>)> {
        self.staff.as_ref().map(|staff| nav::places(staff.role)).unwrap_or_default()
    }

    /// Whether this page is one that the navigation keeps behind "more".
    pub fn is_under_more(&self) -> bool {
        self.places().iter().skip(1).flat_map(|(_, places)| places).any(|place| self.is_under(place.path))
    }

    pub fn html(&self, template: &impl Template) -> ApiResult<HttpResponse> {
        self.html_as(StatusCode::OK, template)
    }

    pub fn html_as(&self, status: StatusCode, template: &impl Template) -> ApiResult<HttpResponse> {
        let body = template.render().map_err(internal)?;
        let mut response = HttpResponse::build(status);
        response.content_type("text/html; charset=utf-8");
        response.insert_header((CONTENT_LANGUAGE, self.lang.code()));
        response.insert_header((CACHE_CONTROL, "private, no-cache"));
        response.insert_header((VARY, "cookie, accept-language, accept-encoding, hx-request"));
        if let Some(visit) = &self.visit {
            response.cookie(visit.clone());
        }
        if self.flash.is_some() && !self.fragment {
            response.cookie(removal(FLASH_COOKIE));
        }
        if !self.takes_gzip || body.len() < GZIP_FROM {
            return Ok(response.body(body));
        }
        response.insert_header((CONTENT_ENCODING, HeaderValue::from_static("gzip")));
        Ok(response.body(assets::gzip(body.as_bytes(), 4)))
    }

    /// After a form: on to a page that can be loaded again without doing it again.
    pub fn go_to(&self, path: &str) -> HttpResponse {
        HttpResponse::SeeOther().insert_header((LOCATION, path)).finish()
    }

    pub fn go_with(&self, path: &str, flash: Flash) -> HttpResponse {
        let cookie = self.cookie(FLASH_COOKIE, flash.encode()).max_age(CookieDuration::minutes(1));
        HttpResponse::SeeOther().insert_header((LOCATION, path)).cookie(cookie.finish()).finish()
    }

    /// The same for who may only now be known by a cookie.
    pub fn go_signed_in(&self, path: &str, flash: Flash, cookie: Option<Cookie<'_>>) -> ApiResult<HttpResponse> {
        let mut response = self.go_with(path, flash);
        if let Some(cookie) = cookie {
            response.add_cookie(&cookie).map_err(internal)?;
        }
        Ok(response)
    }

    fn cookie(&self, name: &'static str, value: String) -> actix_web::cookie::CookieBuilder<'static> {
        Cookie::build(name, value).path("/").http_only(true).same_site(SameSite::Lax).secure(self.secure)
    }

    fn of(request: &HttpRequest) -> ApiResult<Self> {
        let config = data::<Config>(request)?;
        let world = data::<World>(request)?;
        let cafe = request.app_data::<web::Data<Cafe>>().map(|cafe| cafe.known()).unwrap_or_default();
        let mut page = Self {
            lang: Lang::of(request),
            theme: Theme::of(request),
            path: path_of(request),
            staff: None,
            flash: request.cookie(FLASH_COOKIE).and_then(|cookie| Flash::decode(cookie.value())),
            now: world.now(),
            fragment: is_fragment(request),
            csrf: String::new(),
            visit: None,
            zone: cafe.time_zone.clone().unwrap_or_else(|| config.time_zone.clone()),
            cafe,
            takes_gzip: assets::takes_gzip(request.headers()),
            secure: config.is_secure(),
        };
        page.csrf = match secret_of(request) {
            Some(secret) => token_of(&secret),
            None => {
                let visit = sessions::encode(&world.bytes::<24>());
                page.visit = Some(page.cookie(VISIT_COOKIE, visit.clone()).finish());
                token_of(&visit)
            }
        };
        Ok(page)
    }
}

#[cfg(test)]
impl Page {
    pub fn sample(lang: Lang) -> Self {
        Self {
            lang,
            theme: Theme::Auto,
            path: "/admin".to_owned(),
            staff: Some(Who { name: "민아".to_owned(), role: Role::Owner, lacks_factor: false }),
            flash: None,
            now: Timestamp::UNIX_EPOCH,
            fragment: false,
            csrf: "token".to_owned(),
            visit: None,
            zone: jiff::tz::TimeZone::UTC,
            cafe: Arc::default(),
            takes_gzip: false,
            secure: false,
        }
    }
}

impl FromRequest for Page {
    type Error = ApiError;
    type Future = Ready<ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}

impl FromRequest for Desk {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = ApiResult<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, staff) = (request.clone(), Staff::from_request(request, payload));
        Box::pin(async move {
            let Staff(staff) = staff.await?;
            let mut page = Page::of(&request)?;
            let mut conn = data::<Db>(&request)?.conn().await?;
            let row = players::store::find(&mut conn, staff.id).await?.ok_or_else(|| unauthorized("session_ended"))?;
            let lacks_factor = row.role > staff.role;
            page.staff = Some(Who { name: row.display_name, role: staff.role, lacks_factor });
            Ok(Self { page, staff })
        })
    }
}

impl Flash {
    pub fn good(key: &str, name: &str) -> Self {
        Self { good: true, key: key.to_owned(), name: name.to_owned(), undo: None }
    }

    /// With the button that takes this deed back.
    #[must_use]
    pub fn undoable(self, undo: impl Into<Option<UndoId>>) -> Self {
        Self { undo: undo.into(), ..self }
    }

    /// What came of a deed: a refusal is told where people are, a breakdown on a page of its own.
    pub fn after<T>(done: ApiResult<T>, tell: impl FnOnce(T) -> Self) -> ApiResult<Self> {
        match done {
            Ok(done) => Ok(tell(done)),
            Err(err @ ApiError::Refused(_)) => Ok(Self::bad(err.code(), "")),
            Err(err) => Err(err),
        }
    }

    pub fn bad(key: &str, name: &str) -> Self {
        Self { good: false, ..Self::good(key, name) }
    }

    fn encode(&self) -> String {
        let undo = self.undo.map(|undo| undo.to_string()).unwrap_or_default();
        let text = format!("{}\n{}\n{undo}\n{}", u8::from(self.good), self.key, self.name);
        sessions::encode(text.as_bytes())
    }

    /// Only what the catalogues can say, whoever wrote the cookie.
    fn decode(cookie: &str) -> Option<Self> {
        use base64::Engine;
        let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(cookie).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let mut lines = text.splitn(4, '\n');
        let (good, key, undo, name) = (lines.next()?, lines.next()?, lines.next()?, lines.next()?);
        let known = |kind: &str| Lang::Ko.find_with(&format!("{kind}-{key}"), &[("name", "".into())]).is_some();
        if !known("flash") && !known("error") {
            return None;
        }
        let name = name.chars().take(80).collect();
        Some(Self { good: good == "1", key: key.to_owned(), name, undo: undo.parse().ok() })
    }
}

/// Draws the error page, or for somebody who is not signed in the page on which to do that.
pub fn error_page(request: &HttpRequest) -> Option<DrawError> {
    let page = Page::of(request).ok()?;
    Some(Box::new(move |problem| {
        let status = StatusCode::from_u16(problem.status).ok()?;
        if status == StatusCode::UNAUTHORIZED && page.fragment {
            // The session has ended while its page was open: loading the page anew shows where to sign in.
            return Some(HttpResponse::Unauthorized().insert_header(("hx-refresh", "true")).finish());
        }
        let page = match status {
            StatusCode::UNAUTHORIZED => sessions::admin::sign_in_page(page, problem),
            _ => page.html_as(status, &ErrorPage { problem, page: &page }),
        };
        page.ok()
    }))
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    page: &'a Page,
    problem: &'a Problem,
}

fn data<T: 'static>(request: &HttpRequest) -> ApiResult<&web::Data<T>> {
    let missing = || internal(anyhow::anyhow!("{} is not among the app's data", std::any::type_name::<T>()));
    request.app_data::<web::Data<T>>().ok_or_else(missing)
}

/// The page that they look at: for what a form sends that is the page with the form, since nothing may be shown where it
/// is sent to.
fn path_of(request: &HttpRequest) -> String {
    let path = |uri: &Uri| uri.path_and_query().map(|path| path.as_str().to_owned());
    let from = request.headers().get(REFERER).and_then(|it| it.to_str().ok()?.parse().ok());
    let page = from.filter(|_| !request.method().is_safe()).and_then(|uri| path(&uri));
    page.or_else(|| path(request.uri())).unwrap_or_else(|| "/".to_owned())
}

fn is_fragment(request: &HttpRequest) -> bool {
    request.headers().contains_key("hx-request")
}

fn removal(name: &'static str) -> Cookie<'static> {
    let mut cookie = Cookie::build(name, "").path("/").finish();
    cookie.make_removal();
    cookie
}

/// What only this browser's session knows: a stranger's page can have forms sent with it, but cannot read it.
fn secret_of(request: &HttpRequest) -> Option<String> {
    let cookie = request.cookie(PAGE_COOKIE).or_else(|| request.cookie(VISIT_COOKIE))?;
    Some(cookie.value().to_owned()).filter(|secret| secret.len() >= 32)
}

fn token_of(secret: &str) -> String {
    sessions::encode(&sessions::hash(format!("csrf {secret}").as_bytes()))
}

fn is_token_of(request: &HttpRequest, token: &str) -> bool {
    secret_of(request).is_some_and(|secret| token_of(&secret).as_bytes().ct_eq(token.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_token_is_good_for_its_own_session_only() {
        let secret = "x".repeat(40);
        let with = |cookie: &str| {
            let cookie = Cookie::new(PAGE_COOKIE, cookie.to_owned());
            TestRequest::post().cookie(cookie).to_http_request()
        };
        assert!(is_token_of(&with(&secret), &token_of(&secret)));
        assert!(!is_token_of(&with(&"y".repeat(40)), &token_of(&secret)));
        assert!(!is_token_of(&TestRequest::post().to_http_request(), &token_of(&secret)));
        assert!(!is_token_of(&with(""), &token_of("")));
    }

    #[test]
    fn whoever_sent_a_form_is_still_at_its_page() {
        let at = |request: TestRequest| path_of(&request.uri("/admin/tables/1/sitting?x=1").to_http_request());
        let from = |page| (REFERER, page);
        let form = "http://cafe:8080/admin?table=1";
        assert_eq!(at(TestRequest::get().insert_header(from(form))), "/admin/tables/1/sitting?x=1");
        assert_eq!(at(TestRequest::post().insert_header(from(form))), "/admin?table=1");
        assert_eq!(at(TestRequest::post()), "/admin/tables/1/sitting?x=1");
        assert_eq!(at(TestRequest::post().insert_header(from("?"))), "/admin/tables/1/sitting?x=1");
    }

    #[test]
    fn a_flash_says_what_a_catalogue_has_and_nothing_else() {
        let flash = Flash::good("signed-out", "a\nb");
        assert_eq!(Flash::decode(&flash.encode()), Some(flash));
        let undoable = Flash::bad("forbidden", "").undoable(UndoId(uuid::Uuid::max()));
        assert_eq!(Flash::decode(&undoable.encode()), Some(undoable));
        assert_eq!(Flash::decode(&Flash::bad("no-such-message", "").encode()), None);
        assert_eq!(Flash::decode("?"), None);
    }
}
