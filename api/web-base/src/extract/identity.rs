//! Who is calling. Asking for one of these in a handler's signature is what protects it; there is no other gate.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};
use actix_web::http::{Method, StatusCode};
use actix_web::{FromRequest, HttpMessage, HttpRequest, ResponseError, web};

use super::own_cookie;
use crate::error::{ApiError, ApiResult};
use base::auth::{Grant, Identity, RevokedSessions, Role, StaffContext, StaffMember, Tokens, Use, find_staff};
use base::db::Db;
use base::error::{forbidden, internal, unauthorized};
use base::live::Live;
use base::world::World;
use play::sessions;

/// Holds a page token, for browsers.
pub const PAGE_COOKIE: &str = "houserules";

/// Holds the page token of the other person who plays on this phone.
pub const OTHER_COOKIE: &str = "houserules-other";

/// Anyone who is signed in: guest, registered player or staff.
/// With a bearer token this asks no database, for a move must not pay for it: sessions ended of late are known here.
#[derive(Clone, Copy, Debug)]
pub struct Player(pub Identity);

/// Anyone at all. A bearer token that is no good is still refused; a browser's stale cookie counts as none.
#[derive(Clone, Copy, Debug)]
pub struct Visitor(pub Option<Identity>);

/// The other person who plays on this phone. Staff share theirs with nobody.
#[derive(Clone, Copy, Debug)]
pub struct Companion(pub Option<Identity>);

type Answer<T> = Pin<Box<dyn Future<Output = ApiResult<T>>>>;

impl FromRequest for Player {
    type Error = ApiError;
    type Future = Answer<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Ok(Self(identify(&request).await?)) })
    }
}

impl FromRequest for Visitor {
    type Error = ApiError;
    type Future = Answer<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            match identify(&request).await {
                Ok(player) => Ok(Self(Some(player))),
                Err(err) if err.status_code() == StatusCode::UNAUTHORIZED && !has_bearer(&request) => Ok(Self(None)),
                Err(err) => Err(err),
            }
        })
    }
}

impl FromRequest for Companion {
    type Error = ApiError;
    type Future = Answer<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let Some(cookie) = own_cookie(&request, OTHER_COOKIE).filter(|_| !has_bearer(&request)) else {
                return Ok(Self(None));
            };
            let now = data::<World>(&request)?.now();
            let Ok(claims) = data::<Tokens>(&request)?.read(cookie.value(), Use::Page, now) else {
                return Ok(Self(None));
            };
            if !is_safe(request.method()) && !is_same_origin(&request) {
                return Err(forbidden("cross_site").into());
            }
            let identity = Identity::from(claims);
            let role = sessions::role_at_page(&mut *data::<Db>(&request)?.conn().await?, &identity, now).await;
            match role.map_err(ApiError::from) {
                Ok(Role::Player) => Ok(Self(Some(Identity { role: Role::Player, ..identity }))),
                Ok(_) => Ok(Self(None)),
                Err(err) if err.status_code() == StatusCode::UNAUTHORIZED => Ok(Self(None)),
                Err(err) => Err(err),
            }
        })
    }
}

/// The service whose key came with the request, once it was found good.
#[derive(Clone, Copy, Debug)]
pub struct ActingKey(pub Identity);

/// Who a request says that it comes from, by its token alone.
#[derive(Clone, Copy)]
struct Claim {
    identity: Identity,
    /// A page token lives long, so its session is looked up; an access token's session is known to be over here.
    is_page: bool,
}

/// Limits and handlers ask of the same request: its token is read once.
fn claim(request: &HttpRequest) -> ApiResult<Claim> {
    if let Some(ActingKey(identity)) = request.extensions().get() {
        return Ok(Claim { identity: *identity, is_page: false });
    }
    let known = request.extensions().get::<Claim>().copied();
    known.map_or_else(|| read_claim(request).inspect(|claim| _ = request.extensions_mut().insert(*claim)), Ok)
}

fn read_claim(request: &HttpRequest) -> ApiResult<Claim> {
    let tokens = data::<Tokens>(request)?;
    let now = data::<World>(request)?.now();
    if request.headers().contains_key(AUTHORIZATION) {
        let token = bearer_token(request).ok_or_else(|| unauthorized("invalid_token"))?;
        let identity: Identity = tokens.read(token, Use::Access, now)?.into();
        let is_over = data::<RevokedSessions>(request)?.has(identity.session);
        return if is_over {
            Err(unauthorized("session_ended").into())
        } else {
            Ok(Claim { identity, is_page: false })
        };
    }
    let cookie = own_cookie(request, PAGE_COOKIE).ok_or_else(|| unauthorized("not_signed_in"))?;
    let identity: Identity = tokens.read(cookie.value(), Use::Page, now)?.into();
    if !is_safe(request.method()) && !is_same_origin(request) {
        return Err(forbidden("cross_site").into());
    }
    Ok(Claim { identity, is_page: true })
}

/// Who a request says that it comes from, for what is written down of it. Nobody is let in by this.
pub fn claimed(request: &HttpRequest) -> Option<Identity> {
    claim(request).ok().map(|claim| claim.identity)
}

async fn identify(request: &HttpRequest) -> ApiResult<Identity> {
    let Claim { identity, is_page } = claim(request)?;
    if !is_page {
        return Ok(identity);
    }
    let now = data::<World>(request)?.now();
    let role = sessions::role_at_page(&mut *data::<Db>(request)?.conn().await?, &identity, now).await?;
    Ok(Identity { role, ..identity })
}

/// The member of staff who asks, as the database knows them now: one query. The connection goes back at once, since the body
/// of the request may still be on its way.
pub async fn staff_member(request: &HttpRequest) -> ApiResult<StaffMember> {
    let Claim { identity, is_page } = claim(request)?;
    // Before the database is asked: most who come without the role never had it.
    if !is_page && identity.role < Role::Staff {
        return Err(forbidden("forbidden").into());
    }
    let mut conn = data::<Db>(request)?.conn().await?;
    Ok(find_staff(&mut conn, data::<World>(request)?, identity).await?)
}

/// The context of a use case for this member of staff, if they have the permission.
pub fn staff_context<P: Grant>(request: &HttpRequest, member: &StaffMember) -> ApiResult<StaffContext<'static, P>> {
    Ok(StaffContext::new(data::<Db>(request)?, ***data::<World>(request)?, data::<Live>(request)?, member)?)
}

/// A member of staff who has the permission `P` now, as the API knows them. Pages ask for `StaffPage<P>`.
pub struct Authorized<P>(pub StaffContext<'static, P>);

impl<P: Grant> FromRequest for Authorized<P> {
    type Error = ApiError;
    type Future = Answer<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Ok(Self(staff_context(&request, &staff_member(&request).await?)?)) })
    }
}

/// What the app was made with.
pub fn data<T: 'static>(request: &HttpRequest) -> ApiResult<&web::Data<T>> {
    let missing = || internal(anyhow::anyhow!("{} is not among the app's data", std::any::type_name::<T>()));
    request.app_data::<web::Data<T>>().ok_or_else(|| missing().into())
}

/// What a request brings in place of a cookie.
pub fn bearer_token(request: &HttpRequest) -> Option<&str> {
    request.headers().get(AUTHORIZATION)?.to_str().ok().and_then(bearer)
}

fn has_bearer(request: &HttpRequest) -> bool {
    request.headers().contains_key(AUTHORIZATION)
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// The browser sends a cookie along, whichever site asked; every current browser says on a write where it came from. What says
/// nothing is no browser, and may send the forms of pages: these need the session's token besides (`page::form`).
fn is_same_origin(request: &HttpRequest) -> bool {
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    match (text("sec-fetch-site"), text(ORIGIN.as_str())) {
        (Some(site), _) => site == "same-origin",
        (None, Some(origin)) => origin.split_once("://").is_some_and(|(_, host)| Some(host) == text(HOST.as_str())),
        (None, None) => !request.path().starts_with("/api/") && is_form(request.content_type()),
    }
}

fn is_form(content_type: &str) -> bool {
    ["application/x-www-form-urlencoded", "multipart/form-data"].contains(&content_type)
}

/// Whether another site or an app led the browser here, which browsers say of every request over https. Without a word it counts
/// as not.
pub fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin")
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn same_origin(headers: &[(&'static str, &str)]) -> bool {
        let request = headers.iter().fold(TestRequest::post(), |request, header| request.insert_header(*header));
        is_same_origin(&request.to_http_request())
    }

    #[test]
    fn a_write_with_a_cookie_must_come_from_our_own_page() {
        assert!(same_origin(&[("sec-fetch-site", "same-origin")]));
        assert!(!same_origin(&[("sec-fetch-site", "cross-site"), ("origin", "http://cafe"), ("host", "cafe")]));
        assert!(!same_origin(&[("sec-fetch-site", "same-site")]));
        assert!(same_origin(&[("origin", "http://cafe:8080"), ("host", "cafe:8080")]));
        assert!(!same_origin(&[("origin", "http://evil"), ("host", "cafe:8080")]));
        assert!(!same_origin(&[("origin", "null"), ("host", "cafe:8080")]));
        assert!(!same_origin(&[]));
        assert!(!same_origin(&[("content-type", "application/json")]));
        assert!(same_origin(&[("content-type", "application/x-www-form-urlencoded")]));
        assert!(same_origin(&[("content-type", "multipart/form-data; boundary=x")]));
        let form = ("content-type", "application/x-www-form-urlencoded");
        assert!(!same_origin(&[form, ("sec-fetch-site", "cross-site")]));
        assert!(!same_origin(&[form, ("origin", "null"), ("host", "cafe")]));
    }

    #[test]
    fn only_a_bearer_header_holds_a_token() {
        assert_eq!(bearer("Bearer abc"), Some("abc"));
        assert_eq!(bearer("bearer  abc"), Some("abc"));
        assert_eq!(bearer("Basic abc"), None);
        assert_eq!(bearer("abc"), None);
    }
}
