//! Web apps on other origins (CORS). Origins that the settings list may do what any app may. All others may read what needs no
//! sign-in. Cookies go to no other origin: an app sends its token in a header.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HOST, HeaderName,
    HeaderValue, ORIGIN, VARY,
};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpRequest, HttpResponse};

use crate::addresses::LazyAddresses;
use crate::config::Config;
use crate::error::{answer_to, with_headers};
use base::error::forbidden;

const SENT_HEADERS: &str =
    "authorization, content-type, idempotency-key, if-none-match, last-event-id, accept-language";
const READ_HEADERS: &str = "etag, location, retry-after, ratelimit, ratelimit-policy, content-language, x-request-id";
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";
const READING: &str = "GET, HEAD";
/// What apps read beside the addresses in the document.
const DOCUMENT: &str = "/api/openapi.json";
const TABLES: &str = "/t/";
/// Chromium takes no more than two hours, and a list may change.
const SECONDS_KEPT: &str = "600";

/// What another origin may do at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    Everything,
    /// Read what anybody may.
    Public,
    Nothing,
}

/// Tells browsers what pages of other origins may do, and refuses what they may not. Wraps all routes.
pub async fn share<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(origin) = foreign_origin(request.request()) else {
        return Ok(next.call(request).await?.map_into_boxed_body());
    };
    let share = Share::of(request.request(), &origin);
    if *request.method() == Method::OPTIONS && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
        let answer = preflight(share, &origin);
        return Ok(request.into_response(answer));
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read && share != Share::Everything && request.path().starts_with("/api/") {
        let answer = answer_to(request.request(), &forbidden("cross_site").into());
        return Ok(request.into_response(answer));
    }
    let answered = next.call(request).await.map(ServiceResponse::map_into_boxed_body);
    with_headers(answered, share.headers(&origin))
}

impl Share {
    fn of(request: &HttpRequest, origin: &HeaderValue) -> Self {
        let listed = request.app_data::<Data<Config>>().map(|config| &config.allowed_origins);
        let is_listed =
            listed.is_some_and(|listed| listed.iter().any(|it| it.as_str().as_bytes() == origin.as_bytes()));
        let is_public = |path: &str| {
            let addresses = request.app_data::<Data<LazyAddresses>>();
            path == DOCUMENT || path.starts_with(TABLES) || addresses.is_some_and(|it| it.is_read_by_anybody(path))
        };
        match is_listed {
            true => Self::Everything,
            false if is_public(request.path()) => Self::Public,
            false => Self::Nothing,
        }
    }

    fn headers(self, origin: &HeaderValue) -> Vec<(HeaderName, HeaderValue)> {
        let varies = (VARY, HeaderValue::from_static("origin, accept, accept-encoding"));
        let allowed = match self {
            Self::Everything => origin.clone(),
            Self::Public => HeaderValue::from_static("*"),
            Self::Nothing => return vec![varies],
        };
        vec![
            varies,
            (ACCESS_CONTROL_ALLOW_ORIGIN, allowed),
            (ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(READ_HEADERS)),
        ]
    }
}

/// What a browser is told that asks before it sends.
fn preflight(share: Share, origin: &HeaderValue) -> HttpResponse {
    let mut response = HttpResponse::NoContent();
    for header in share.headers(origin) {
        response.insert_header(header);
    }
    let methods = match share {
        Share::Everything => METHODS,
        Share::Public => READING,
        Share::Nothing => return response.finish(),
    };
    response.insert_header((ACCESS_CONTROL_ALLOW_METHODS, methods));
    response.insert_header((ACCESS_CONTROL_ALLOW_HEADERS, SENT_HEADERS));
    response.insert_header((ACCESS_CONTROL_MAX_AGE, SECONDS_KEPT));
    response.finish()
}

/// The origin whose page asks for something that apps use, if it is another than this server's.
fn foreign_origin(request: &HttpRequest) -> Option<HeaderValue> {
    let is_for_apps = ["/api/", TABLES].iter().any(|beginning| request.path().starts_with(beginning));
    let origin = request.headers().get(ORIGIN).filter(|_| is_for_apps)?;
    let public = request.app_data::<Data<Config>>().and_then(|config| config.public_url.as_deref());
    let is_own = origin.to_str().is_ok_and(|origin| is_of_host(request, origin) || public == Some(origin));
    (!is_own).then(|| origin.clone())
}

fn is_of_host(request: &HttpRequest, origin: &str) -> bool {
    let host = request.headers().get(HOST).and_then(|it| it.to_str().ok());
    origin.split_once("://").is_some_and(|(_, of)| Some(of) == host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_answer_lets_a_browser_send_cookies() {
        let origin = HeaderValue::from_static("https://app.example.org");
        for share in [Share::Everything, Share::Public, Share::Nothing] {
            let answer = preflight(share, &origin);
            assert!(!answer.headers().contains_key("access-control-allow-credentials"));
            let asked_for = answer.headers().get(ACCESS_CONTROL_ALLOW_ORIGIN).map(|it| it.to_str().unwrap());
            let expected = [(Share::Everything, Some("https://app.example.org")), (Share::Public, Some("*"))];
            assert_eq!(asked_for, expected.into_iter().find(|it| it.0 == share).and_then(|it| it.1));
        }
    }
}
