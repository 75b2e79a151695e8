//! From a template to an answer: what every page shows besides its own thing, how it words texts, and how forms come back.

mod charges;
mod edit;
mod form;
mod hours;
#[cfg(test)]
mod hygiene;
pub mod money;
mod nav;
mod people;
pub mod preferences;
pub mod samples;
mod tap;
mod upload;
mod words;

use std::borrow::Borrow;
use std::fmt::Display;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::Arc;

use actix_web::cookie::{Cookie, CookieBuilder, time::Duration as CookieDuration};
use actix_web::dev::Payload;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LANGUAGE, HeaderName, HeaderValue, LOCATION, REFERER, VARY,
};
use actix_web::http::{StatusCode, Uri};
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use askama::Template;
use engine::catalogue;
use jiff::{SignedDuration, Timestamp, Zoned};
use subtle::ConstantTimeEq;

use crate::assets;
use crate::config::{Config, OidcProvider};
use crate::error::{ApiError, ApiResult};
use crate::extract::PAGE_COOKIE;
use crate::extract::{closed_cookie, closed_other, closed_page, new_cookie, other_cookie, own_cookie, page_cookie};
use crate::extract::{staff_context, staff_member};
use crate::lang::lang_of;
use base::auth::Role;
use base::auth::secrets;
use base::auth::{Grant, Permission, StaffContext, StaffMember};
use base::error::internal;
use base::games::OTHER;
use base::settings::CurrentTariff;
use base::settings::{CachedSettings, Cafe, Hours, Sheets};
use base::text::Lang;
use base::undo::UndoId;
use base::world::World;
pub use charges::Charges;
pub use edit::{Edit, Fields};
pub use form::{BackForm, Form};
pub use hours::Day;
use nav::Group;
pub use nav::Place;
use play::sessions::PageToken;
pub use preferences::Theme;
pub use upload::{Upload, is_too_large};
pub use words::{Moment, Said, Say, Since, action_key};

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
    /// The fragment is the answer to a tap: what came of that is told with it.
    pub answers_tap: bool,
    /// By whose word players may sign in.
    pub providers: Vec<Provider>,
    csrf: String,
    visit: Option<Cookie<'static>>,
    cafe: Arc<CachedSettings>,
    zone: jiff::tz::TimeZone,
    takes_gzip: bool,
    secure: bool,
}

/// An answer that other sites may show in a frame, if the settings list them.
#[derive(Clone, Copy)]
pub struct InFrame;

/// What every page shows around its own thing.
#[derive(Template)]
#[template(path = "frame.html", blocks = ["start", "scripts", "bar", "banner", "flash", "foot", "dialogs"])]
pub struct Frame<'a> {
    page: &'a Page,
}

/// The part of a page that browsers read again while they show it: a template of its own that has what the page has. As a
/// block it would be compiled twice.
#[macro_export]
macro_rules! live_part {
    ($live:ident of $page:ident, $path:tt) => {
        #[derive(askama::Template)]
        #[template(path = $path)]
        struct $live<'a>(&'a $page<'a>);

        impl<'a> std::ops::Deref for $live<'a> {
            type Target = $page<'a>;

            fn deref(&self) -> &Self::Target {
                self.0
            }
        }

        impl $page<'_> {
            fn as_live(&self) -> $live<'_> {
                $live(self)
            }
        }
    };
}
pub use crate::live_part;

/// The member of staff who looks.
pub struct Who {
    pub name: String,
    pub role: Role,
    /// Could do more with a second factor, which the café requires and they do not have.
    pub lacks_factor: bool,
}

/// A page of somebody who works here and has the permission `P`. A handler that asks for it is protected by it.
pub struct StaffPage<P> {
    pub page: Page,
    pub cx: StaffContext<'static, P>,
}

/// What came of the last action, told once: a message `flash-<key>`, perhaps about something with a name.
#[derive(Debug, PartialEq, Eq)]
pub struct Flash {
    pub good: bool,
    key: String,
    name: String,
    /// What can be taken back with a button.
    pub undo: Option<UndoId>,
}

/// Somebody by whose word players may sign in.
pub struct Provider {
    /// In addresses.
    pub id: String,
    pub name: String,
    pub issuer: String,
}

impl From<&OidcProvider> for Provider {
    fn from(it: &OidcProvider) -> Self {
        Self { id: it.id.clone(), name: it.name.clone(), issuer: it.issuer().to_owned() }
    }
}

impl Provider {
    fn sample(id: &str, name: &str) -> Self {
        Self { id: id.to_owned(), name: name.to_owned(), issuer: format!("https://{id}.example.org") }
    }
}

/// Rooms say things of their own on a page by traits over this.
impl AsRef<Page> for Page {
    fn as_ref(&self) -> &Page {
        self
    }
}

impl Page {
    fn for_staff(self, member: &StaffMember) -> Self {
        let StaffMember { name, lacks_factor, .. } = member.clone();
        Self { staff: Some(Who { name, role: member.role(), lacks_factor }), ..self }
    }

    /// Whether browsers come by https.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// Whether the person who looks has this permission: a control is shown if and only if it can be used.
    pub fn may(&self, permission: &Permission) -> bool {
        self.staff.as_ref().is_some_and(|staff| staff.role.may(*permission))
    }

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

    /// A number in the format of the reader's language.
    pub fn number(&self, number: impl Display) -> String {
        self.lang.number(number)
    }

    /// A part of a whole, in percent.
    pub fn percent(&self, share: impl Borrow<f64>) -> String {
        self.lang.percent(*share.borrow(), 1)
    }

    /// By the server's clock, in milliseconds since 1970.
    pub fn time(&self) -> i64 {
        self.now.as_millisecond()
    }

    pub fn zoned_now(&self) -> Zoned {
        self.now.to_zoned(self.time_zone().clone())
    }

    /// The message, or another text where no catalogue has it.
    pub fn word_or(&self, key: &str, otherwise: &str) -> String {
        self.lang.find_with(key, &[]).unwrap_or_else(|| otherwise.to_owned())
    }

    pub fn game_name(&self, game: &str) -> String {
        self.word_or(&format!("{game}-name"), game)
    }

    /// The floor as it was when its button was pressed.
    pub fn floor_again(&self) -> String {
        if self.has_sheet() { self.path.clone() } else { "/admin".to_owned() }
    }

    /// Whether the sheet of a table is open.
    pub fn has_sheet(&self) -> bool {
        self.path.starts_with("/admin?table=")
    }

    /// What somebody did, by the word that the audit log has for it.
    pub fn action(&self, action: &str) -> String {
        self.word_or(&action_key(action), action)
    }

    /// What printed codes say besides their table.
    pub fn sheets(&self) -> &Sheets {
        &self.cafe.sheets
    }

    /// What the café says about itself.
    pub fn settings(&self) -> &CachedSettings {
        &self.cafe
    }

    /// All that is played here: the games of the catalogue, and any other.
    pub fn games(&self) -> Vec<(&'static str, String)> {
        let ours = catalogue::GAMES.iter().map(|kind| kind.info().id);
        ours.chain([OTHER]).map(|id| (id, self.game_name(id))).collect()
    }

    pub fn asset(&self, name: &str) -> &'static str {
        assets::url(name)
    }

    /// The parts of the layout.
    pub fn frame(&self) -> Frame<'_> {
        Frame { page: self }
    }

    /// A symbol, as HTML; its name and class are written in templates and in Rust only.
    pub fn icon(&self, name: impl Display, class: &str) -> String {
        let symbols = self.asset("symbols.svg");
        format!(r##"<svg class="{class}" aria-hidden="true"><use href="{symbols}#{name}"/></svg>"##)
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

    /// What is left on a clock that stands, as `9:41`.
    pub fn minutes_seconds(&self, seconds: impl Borrow<i64>) -> String {
        let seconds = seconds.borrow();
        format!("{}:{:02}", seconds / 60, seconds % 60)
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

    /// What people call the device of which a client says so.
    pub fn device(&self, user_agent: &Option<String>) -> String {
        play::sessions::describe(user_agent.as_deref(), self.lang)
    }

    /// Whether the page in the layout's navigation is this one.
    pub fn is_under(&self, prefix: &str) -> bool {
        let path = self.path.split('?').next().unwrap_or_default();
        path == prefix || (prefix != "/admin" && path.starts_with(&format!("{prefix}/")))
    }

    /// The part of the navigation that the reader may use.
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
        if self.flash.is_some() && (!self.fragment || self.answers_tap) {
            response.cookie(closed_cookie(FLASH_COOKIE, self.secure));
        }
        if !self.takes_gzip || body.len() < GZIP_FROM {
            return Ok(response.body(body));
        }
        response.insert_header((CONTENT_ENCODING, HeaderValue::from_static("gzip")));
        Ok(response.body(assets::gzip(body.as_bytes(), 4)))
    }

    /// For a frame on a page of another site: without cookies, in this theme and language.
    pub fn in_frame(self, theme: Theme, lang: Option<Lang>) -> Self {
        Self { theme, lang: lang.unwrap_or(self.lang), visit: None, flash: None, ..self }
    }

    /// The same as `html` for a page that the listed sites may show in a frame.
    pub fn html_in_frame(&self, template: &impl Template) -> ApiResult<HttpResponse> {
        let mut answer = self.html(template)?;
        answer.extensions_mut().insert(InFrame);
        Ok(answer)
    }

    /// The same for what no browser may keep: pages that ask for a password, and what is shown once.
    pub fn html_once(&self, status: StatusCode, template: &impl Template) -> ApiResult<HttpResponse> {
        let mut answer = self.html_as(status, template)?;
        answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(answer)
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
    pub fn go_signed_in(&self, path: &str, flash: Flash, token: Option<PageToken>) -> ApiResult<HttpResponse> {
        let mut response = self.go_with(path, flash);
        if let Some(token) = token {
            response.add_cookie(&page_cookie(token, self.secure)).map_err(internal)?;
        }
        Ok(response)
    }

    /// The same for who has just signed out: the browser keeps no page of theirs.
    pub fn go_signed_out(&self, path: &str, flash: Flash) -> ApiResult<HttpResponse> {
        let mut response = self.go_with(path, flash);
        response.add_cookie(&closed_page(self.secure)).map_err(internal)?;
        clear_cache(&mut response);
        Ok(response)
    }

    /// The same where the other person who plays on this phone may only now be known by a cookie.
    pub fn go_with_other(&self, path: &str, flash: Flash, other: Option<PageToken>) -> ApiResult<HttpResponse> {
        let mut response = self.go_with(path, flash);
        if let Some(token) = other {
            response.add_cookie(&other_cookie(token, self.secure)).map_err(internal)?;
        }
        Ok(response)
    }

    /// The people who play on this phone change places.
    pub fn go_handed_over(&self, path: &str, now: PageToken, other: Option<PageToken>) -> ApiResult<HttpResponse> {
        let mut response = self.go_to(path);
        let other = other.map_or_else(|| closed_other(self.secure), |other| other_cookie(other, self.secure));
        for cookie in [page_cookie(now, self.secure), other] {
            response.add_cookie(&cookie).map_err(internal)?;
        }
        Ok(response)
    }

    /// A cookie that no script reads, for so long.
    pub fn secret_cookie(&self, name: &'static str, value: String, life: SignedDuration) -> Cookie<'static> {
        self.cookie(name, value).max_age(CookieDuration::seconds(life.as_secs())).finish()
    }

    fn cookie(&self, name: &'static str, value: String) -> CookieBuilder<'static> {
        new_cookie(name, value, self.secure)
    }

    /// For everybody, signed in or not.
    pub fn of(request: &HttpRequest) -> ApiResult<Self> {
        let config = data::<Config>(request)?;
        let world = data::<World>(request)?;
        let cafe = request.app_data::<web::Data<Cafe>>().map(|cafe| cafe.cached()).unwrap_or_default();
        let mut page = Self {
            lang: lang_of(request),
            theme: Theme::of(request),
            path: path_of(request),
            staff: None,
            flash: own_cookie(request, FLASH_COOKIE).and_then(|cookie| Flash::decode(cookie.value())),
            now: world.now(),
            fragment: is_fragment(request),
            answers_tap: request.headers().contains_key("hx-boosted"),
            providers: config.oidc.iter().map(Provider::from).collect(),
            csrf: String::new(),
            visit: None,
            zone: cafe.time_zone.clone().unwrap_or_else(|| config.time_zone.clone()),
            cafe,
            takes_gzip: assets::takes_gzip(request),
            secure: config.is_secure(),
        };
        page.csrf = match secret_of(request) {
            Some(secret) => token_of(&secret),
            None => {
                let visit = secrets::encode(&world.bytes::<24>());
                page.visit = Some(page.cookie(VISIT_COOKIE, visit.clone()).finish());
                token_of(&visit)
            }
        };
        Ok(page)
    }
}

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
            answers_tap: false,
            providers: vec![Provider::sample("kakao", "카카오"), Provider::sample("naver", "네이버")],
            csrf: "token".to_owned(),
            visit: None,
            zone: jiff::tz::TimeZone::UTC,
            cafe: Arc::new(CachedSettings {
                reactions: true,
                tariff: Some(CurrentTariff { version: 1, tariff: samples::tariff() }),
                ..CachedSettings::default()
            }),
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

impl<P: Grant> FromRequest for StaffPage<P> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = ApiResult<Self>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let member = staff_member(&request).await?;
            let cx = staff_context(&request, &member)?;
            Ok(Self { page: Page::of(&request)?.for_staff(&member), cx })
        })
    }
}

impl Flash {
    pub fn good(key: &str, name: &str) -> Self {
        Self { good: true, key: key.to_owned(), name: name.to_owned(), undo: None }
    }

    /// With the button that takes this action back.
    #[must_use]
    pub fn undoable(self, undo: impl Into<Option<UndoId>>) -> Self {
        Self { undo: undo.into(), ..self }
    }

    /// What came of an action: a refusal is told where people are, a breakdown on a page of its own.
    pub fn after<T, E: Into<ApiError>>(done: Result<T, E>, tell: impl FnOnce(T) -> Self) -> ApiResult<Self> {
        match done.map_err(Into::into) {
            Ok(done) => Ok(tell(done)),
            Err(err) if err.is_refusal() => Ok(Self::bad(err.code(), "")),
            Err(err) => Err(err),
        }
    }

    pub fn bad(key: &str, name: &str) -> Self {
        Self { good: false, ..Self::good(key, name) }
    }

    fn encode(&self) -> String {
        let undo = self.undo.map(|undo| undo.to_string()).unwrap_or_default();
        let text = format!("{}\n{}\n{undo}\n{}", u8::from(self.good), self.key, self.name);
        secrets::encode(text.as_bytes())
    }

    /// Only what the catalogues can say: anybody can write a cookie.
    fn decode(cookie: &str) -> Option<Self> {
        let bytes = data_encoding::BASE64URL_NOPAD.decode(cookie.as_bytes()).ok()?;
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

fn data<T: 'static>(request: &HttpRequest) -> ApiResult<&web::Data<T>> {
    let missing = || internal(anyhow::anyhow!("{} is not among the app's data", std::any::type_name::<T>()));
    Ok(request.app_data::<web::Data<T>>().ok_or_else(missing)?)
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

/// The browser forgets the pages that it has kept, also those for the way back.
pub fn clear_cache(response: &mut HttpResponse) {
    response.headers_mut().insert(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""));
}

/// What only this browser's session knows: a stranger's page can have forms sent with it, but cannot read it.
fn secret_of(request: &HttpRequest) -> Option<String> {
    let cookie = own_cookie(request, PAGE_COOKIE).or_else(|| own_cookie(request, VISIT_COOKIE))?;
    Some(cookie.value().to_owned()).filter(|secret| secret.len() >= 32)
}

fn token_of(secret: &str) -> String {
    secrets::encode(&secrets::hash(format!("csrf {secret}").as_bytes()))
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
    fn the_sender_of_a_form_is_still_at_its_page() {
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
