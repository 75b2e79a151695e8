//! Who is calling. Asking for one of these in a handler's signature is what protects it; there is no other gate.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};
use actix_web::{FromRequest, HttpRequest, web};

use crate::cafe::Cafe;
use crate::db::Db;
use crate::error::{ApiError, ApiResult, forbidden, internal, unauthorized};
use crate::ids::{PlayerId, SessionId};
use crate::players::Role;
use crate::sessions::{self, Claims, Ended, Tokens, Use};
use crate::staff::second_factor;
use crate::world::World;

/// Holds a page token, for browsers.
pub const PAGE_COOKIE: &str = "houserules";

/// Anyone who is signed in: guest, registered player or staff.
/// With a bearer token this asks no database, for a move must not pay for it: sessions ended of late are known here.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    pub id: PlayerId,
    pub session: SessionId,
    pub role: Role,
}

/// Anyone who works here. The role is read anew each time, so it can be taken away at once.
#[derive(Clone, Copy, Debug)]
pub struct Staff(pub Player);

/// A manager or an owner.
#[derive(Clone, Copy, Debug)]
pub struct Manager(pub Player);

#[derive(Clone, Copy, Debug)]
pub struct Owner(pub Player);

/// Anyone at all. A bearer token that is no good is still refused; a browser's stale cookie counts as none.
#[derive(Clone, Copy, Debug)]
pub struct Visitor(pub Option<Player>);

type Answer<T> = Pin<Box<dyn Future<Output = ApiResult<T>>>>;

impl FromRequest for Player {
    type Error = ApiError;
    type Future = Answer<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { player(&request).await })
    }
}

impl FromRequest for Visitor {
    type Error = ApiError;
    type Future = Answer<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            match player(&request).await {
                Ok(player) => Ok(Self(Some(player))),
                Err(ApiError::Refused(refusal)) if refusal.status == 401 && !has_bearer(&request) => Ok(Self(None)),
                Err(err) => Err(err),
            }
        })
    }
}

macro_rules! at_least {
    ($($name:ident: $role:expr),*) => {$(
        impl FromRequest for $name {
            type Error = ApiError;
            type Future = Answer<Self>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                let request = request.clone();
                Box::pin(async move {
                    let player = player(&request).await?;
                    // Before the database is asked: most who come without the role never had it.
                    if player.role < Role::Staff {
                        return Err(forbidden("forbidden"));
                    }
                    let role = role_at_work(&request, &player).await?;
                    if role < $role {
                        return Err(forbidden("forbidden"));
                    }
                    Ok(Self(Player { role, ..player }))
                })
            }
        }
    )*};
}
at_least!(Staff: Role::Staff, Manager: Role::Manager, Owner: Role::Owner);

/// The role at this moment. Where the house wants managers and owners to have a second factor, whoever lacks it is staff.
async fn role_at_work(request: &HttpRequest, player: &Player) -> ApiResult<Role> {
    let mut conn = data::<Db>(request)?.conn().await?;
    let role = sessions::role_now(&mut conn, player).await?;
    let is_wanted = role >= Role::Manager && data::<Cafe>(request)?.known().second_factor_required;
    let is_lacking = is_wanted && !second_factor::is_on(&mut conn, player.id).await?;
    Ok(if is_lacking { Role::Staff } else { role })
}

async fn player(request: &HttpRequest) -> ApiResult<Player> {
    let tokens = data::<Tokens>(request)?;
    let now = data::<World>(request)?.now();
    if let Some(header) = request.headers().get(AUTHORIZATION) {
        let token = header.to_str().ok().and_then(bearer).ok_or_else(|| unauthorized("invalid_token"))?;
        let player: Player = tokens.read(token, Use::Access, now)?.into();
        let is_ended = data::<Ended>(request)?.has(player.session);
        return if is_ended { Err(unauthorized("session_ended")) } else { Ok(player) };
    }
    let cookie = request.cookie(PAGE_COOKIE).ok_or_else(|| unauthorized("not_signed_in"))?;
    let player: Player = tokens.read(cookie.value(), Use::Page, now)?.into();
    if !is_safe(request.method()) && !is_same_origin(request.headers()) {
        return Err(forbidden("cross_site"));
    }
    // A page token lives long, so its session is looked up: signing out ends it.
    let role = sessions::role_at_page(&mut *data::<Db>(request)?.conn().await?, &player, now).await?;
    Ok(Player { role, ..player })
}

fn data<T: 'static>(request: &HttpRequest) -> ApiResult<&web::Data<T>> {
    let missing = || internal(anyhow::anyhow!("{} is not among the app's data", std::any::type_name::<T>()));
    request.app_data::<web::Data<T>>().ok_or_else(missing)
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

/// A cookie is sent along by the browser whoever asked; every current browser says on a write where it came from.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match (text("sec-fetch-site"), text(ORIGIN.as_str())) {
        (Some(site), _) => site == "same-origin",
        (None, Some(origin)) => origin.split_once("://").is_some_and(|(_, host)| Some(host) == text(HOST.as_str())),
        (None, None) => false,
    }
}

impl From<Claims> for Player {
    fn from(claims: Claims) -> Self {
        Self { id: claims.sub, session: claims.sid, role: claims.role }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn same_origin(headers: &[(&'static str, &str)]) -> bool {
        let request = headers.iter().fold(TestRequest::post(), |request, header| request.insert_header(*header));
        is_same_origin(request.to_http_request().headers())
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
    }

    #[test]
    fn only_a_bearer_header_holds_a_token() {
        assert_eq!(bearer("Bearer abc"), Some("abc"));
        assert_eq!(bearer("bearer  abc"), Some("abc"));
        assert_eq!(bearer("Basic abc"), None);
        assert_eq!(bearer("abc"), None);
    }
}
