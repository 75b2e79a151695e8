//! Which browser or app asks, and what keeps a browser signed in.

use std::future::{Ready, ready};

use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, CookieBuilder, SameSite};
use actix_web::dev::Payload;
use actix_web::http::header::USER_AGENT;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use base::auth::{Seal, Tokens};
use base::world::World;
use play::sessions::{Device, KnownDevices, PageToken, SignInGuard};

use super::identity::data;
use super::{OTHER_COOKIE, PAGE_COOKIE};
use crate::config::Config;
use crate::error::{ApiError, ApiResult};

/// Holds the proofs of a device on which accounts signed in before.
const DEVICE_COOKIE: &str = "houserules-device";

/// The device that the request comes from.
pub struct Client(pub Device);

impl FromRequest for Client {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let said = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        ready(Ok(Self(Device::of(said))))
    }
}

/// What a sign-in is judged by, and a password that is asked for again.
pub struct SignInContext {
    /// The accounts that signed in on this device before.
    pub devices: KnownDevices,
    world: World,
    seal: Data<Seal>,
    is_slow: bool,
}

impl SignInContext {
    pub fn guard(&self) -> SignInGuard<'_> {
        SignInGuard { world: &self.world, seal: &self.seal, devices: &self.devices, is_slow: self.is_slow }
    }
}

impl FromRequest for SignInContext {
    type Error = ApiError;
    type Future = Ready<ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let read = || {
            let (tokens, world) = (data::<Tokens>(request)?, ***data::<World>(request)?);
            let cookie = own_cookie(request, DEVICE_COOKIE);
            let devices = cookie.map(|it| KnownDevices::read(tokens, it.value(), world.now())).unwrap_or_default();
            let (seal, is_slow) = (data::<Seal>(request)?.clone(), data::<Config>(request)?.rate_limits);
            Ok(Self { devices, world, seal, is_slow })
        };
        ready(read())
    }
}

/// Remembers that this account signed in on this device.
pub fn device_cookie(value: String, secure: bool) -> Cookie<'static> {
    new_cookie(DEVICE_COOKIE, value, secure).max_age(Duration::days(365)).finish()
}

/// Keeps the browser signed in. `secure` where people reach the café by https.
pub fn page_cookie(token: PageToken, secure: bool) -> Cookie<'static> {
    signed_in(PAGE_COOKIE, token, secure)
}

/// Keeps the other person signed in who plays on this phone.
pub fn other_cookie(token: PageToken, secure: bool) -> Cookie<'static> {
    signed_in(OTHER_COOKIE, token, secure)
}

fn signed_in(name: &'static str, token: PageToken, secure: bool) -> Cookie<'static> {
    new_cookie(name, token.token, secure).max_age(Duration::seconds(token.life.as_secs())).finish()
}

/// Takes the browser's cookie away.
pub fn closed_page(secure: bool) -> Cookie<'static> {
    closed_cookie(PAGE_COOKIE, secure)
}

/// Takes the cookie of the other person away.
pub fn closed_other(secure: bool) -> Cookie<'static> {
    closed_cookie(OTHER_COOKIE, secure)
}

pub fn closed_cookie(name: &'static str, secure: bool) -> Cookie<'static> {
    let mut cookie = new_cookie(name, String::new(), secure).finish();
    cookie.make_removal();
    cookie
}

pub fn new_cookie(name: &'static str, value: String, secure: bool) -> CookieBuilder<'static> {
    Cookie::build(full_name(name, secure), value).path("/").http_only(true).same_site(SameSite::Lax).secure(secure)
}

/// Over TLS a browser takes a cookie of this name from this very host only, not from another one of the same site.
fn full_name(name: &str, secure: bool) -> String {
    if secure { format!("__Host-{name}") } else { name.to_owned() }
}

/// One of the cookies that `new_cookie` makes.
pub fn own_cookie(request: &HttpRequest, name: &str) -> Option<Cookie<'static>> {
    let secure = request.app_data::<Data<Config>>().is_some_and(|config| config.is_secure());
    request.cookie(&full_name(name, secure))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use jiff::SignedDuration;

    use super::*;

    fn config(public_url: Option<&str>) -> Data<Config> {
        Data::new(Config { public_url: public_url.map(str::to_owned), ..Config::for_tests() })
    }

    #[test]
    fn over_tls_a_cookie_is_of_this_host_only() {
        let token = || PageToken { token: "t".to_owned(), life: SignedDuration::from_hours(1) };
        let cookie = page_cookie(token(), true);
        assert_eq!((cookie.name(), cookie.secure(), cookie.path()), ("__Host-houserules", Some(true), Some("/")));
        assert_eq!((cookie.domain(), cookie.http_only()), (None, Some(true)));
        assert_eq!(page_cookie(token(), false).name(), "houserules");
        let read = |public_url, name: &'static str| {
            let request = TestRequest::get().app_data(config(public_url)).cookie(Cookie::new(name, "t"));
            own_cookie(&request.to_http_request(), PAGE_COOKIE).is_some()
        };
        assert!(read(Some("https://play.example.org"), "__Host-houserules"));
        // It may be of another host of the same site.
        assert!(!read(Some("https://play.example.org"), "houserules"));
        assert!(read(None, "houserules"));
    }
}
