//! The way to a provider and back.

use actix_web::cookie::time::Duration as CookieDuration;
use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use data_encoding::BASE64URL_NOPAD;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use super::provider::{Secrets, authorization_url, redeem};
use crate::config::{Config, OidcProvider};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Client, Path, Search, Visitor, closed_cookie, new_cookie, own_cookie};
use crate::limits::{Budget, SignIns};
use crate::outgoing::{Outgoing, Reach};
use crate::page::{Flash, Page};
use crate::settings::sheets::base_url;
use cafe::auth::{Seal, Tokens};
use cafe::db::Db;
use cafe::error::{internal, not_found, unavailable};
use cafe::world::World;
use cafe::{identities, sessions};

/// Holds, sealed, what belongs to a sign-in under way.
const COOKIE: &str = "houserules-sign-in";
const PATIENCE: SignedDuration = SignedDuration::from_mins(10);
const PAGE: &str = "/me";

/// What is asked of a provider in one sign-in.
#[derive(Serialize, Deserialize)]
struct Attempt {
    provider: String,
    state: String,
    nonce: String,
    verifier: String,
    until: Timestamp,
}

#[derive(Deserialize)]
pub(crate) struct Returned {
    code: Option<String>,
    state: Option<String>,
}

/// Requests to the providers that the settings name, wherever these are.
#[derive(Clone)]
pub(crate) struct ToProviders(Outgoing);

impl ToProviders {
    /// # Errors
    /// When the machine's TLS cannot be set up.
    pub(crate) fn new() -> anyhow::Result<Self> {
        Outgoing::new(Reach::Everywhere).map(Self)
    }
}

/// Sends the browser to the provider.
#[get("/sign-in/{provider}")]
pub(crate) async fn begin_sign_in(
    _: Budget<SignIns>,
    (config, seal, world): (Data<Config>, Data<Seal>, Data<World>),
    to: Data<ToProviders>,
    request: HttpRequest,
    page: Page,
    Path(id): Path<String>,
) -> ApiResult<HttpResponse> {
    let provider = find(&config, &id)?;
    let attempt = Attempt::draw(&world, provider);
    let back = back(&config, &request, provider);
    let url = match authorization_url(&to.0, provider, &attempt.secrets(), &back).await {
        Ok(url) => url,
        Err(err) => return Ok(gone_wrong(&page, provider, &err)),
    };
    let cookie = new_cookie(COOKIE, attempt.seal(&seal, &world)?, page.is_secure());
    let cookie = cookie.max_age(CookieDuration::seconds(PATIENCE.as_secs())).finish();
    let mut response = HttpResponse::SeeOther();
    response.insert_header((LOCATION, url)).insert_header((CACHE_CONTROL, "no-store"));
    Ok(response.cookie(cookie).finish())
}

/// Takes in who comes back from the provider.
#[get("/sign-in/{provider}/callback")]
pub(crate) async fn finish_sign_in(
    _: Budget<SignIns>,
    (config, seal, world): (Data<Config>, Data<Seal>, Data<World>),
    (db, tokens, to): (Data<Db>, Data<Tokens>, Data<ToProviders>),
    (request, page, Client(device)): (HttpRequest, Page, Client),
    (Visitor(visitor), Path(id)): (Visitor, Path<String>),
    Search(returned): Search<Returned>,
) -> ApiResult<HttpResponse> {
    let provider = find(&config, &id)?;
    let attempt = own_cookie(&request, COOKIE).and_then(|it| Attempt::open(&seal, it.value(), world.now()));
    let attempt = attempt.filter(|it| it.is_of(provider, returned.state.as_deref()));
    let (Some(attempt), Some(code)) = (attempt, returned.code) else {
        // Somebody changed their mind there, or took too long.
        return Ok(page.go_with(PAGE, Flash::bad("sign-in-broken-off", &provider.name)));
    };
    let back = back(&config, &request, provider);
    let elsewhere = match redeem(&to.0, &world, provider, (&code, &attempt.secrets()), &back).await {
        Ok(elsewhere) => elsewhere,
        Err(err) => return Ok(gone_wrong(&page, provider, &err)),
    };
    let mut conn = db.conn().await?;
    let player = match identities::sign_in(&mut conn, &world, visitor.as_ref(), &elsewhere).await {
        Ok(player) => player,
        Err(err) => return Ok(page.go_with(PAGE, Flash::after(Err::<(), _>(err), |()| Flash::good("", ""))?)),
    };
    let mut token = None;
    if visitor.is_none_or(|visitor| visitor.id != player.id) {
        token = Some(sessions::open_page(&mut conn, &world, &tokens, &player, &device).await?);
        if let Some(former) = &visitor {
            sessions::close(&mut conn, &world, former).await?;
        }
    }
    let mut response = page.go_signed_in(PAGE, Flash::good("signed-in-by", &provider.name), token)?;
    response.add_cookie(&closed_cookie(COOKIE, page.is_secure())).map_err(|err| ApiError::from(internal(err)))?;
    Ok(response)
}

fn find<'c>(config: &'c Config, id: &str) -> ApiResult<&'c OidcProvider> {
    Ok(config.oidc.iter().find(|it| it.id == id).ok_or_else(|| not_found("not_found"))?)
}

fn back(config: &Config, request: &HttpRequest, provider: &OidcProvider) -> String {
    format!("{}/sign-in/{}/callback", base_url(config, request), provider.id)
}

fn gone_wrong(page: &Page, provider: &OidcProvider, err: &anyhow::Error) -> HttpResponse {
    tracing::warn!(provider = provider.id, error = format!("{err:#}"), "signing in by a provider failed");
    page.go_with(PAGE, Flash::bad("sign-in-failed", &provider.name))
}

impl Attempt {
    fn draw(world: &World, provider: &OidcProvider) -> Self {
        let word = || BASE64URL_NOPAD.encode(&world.bytes::<32>());
        let until = world.now() + PATIENCE;
        Self { provider: provider.id.clone(), state: word(), nonce: word(), verifier: word(), until }
    }

    fn secrets(&self) -> Secrets<'_> {
        Secrets { state: &self.state, nonce: &self.nonce, verifier: &self.verifier }
    }

    fn is_of(&self, provider: &OidcProvider, state: Option<&str>) -> bool {
        let state = state.unwrap_or_default();
        self.provider == provider.id && bool::from(self.state.as_bytes().ct_eq(state.as_bytes()))
    }

    fn seal(&self, seal: &Seal, world: &World) -> ApiResult<String> {
        let text = serde_json::to_vec(self).map_err(internal)?;
        let sealed = seal.close(world, &purpose(seal), &text).ok_or_else(unavailable)?;
        Ok(BASE64URL_NOPAD.encode(&sealed))
    }

    fn open(seal: &Seal, value: &str, now: Timestamp) -> Option<Self> {
        let sealed = BASE64URL_NOPAD.decode(value.as_bytes()).ok()?;
        let text = seal.each().find_map(|seal| seal.open(&purpose(seal), &sealed))?;
        serde_json::from_slice(&text).ok().filter(|it: &Self| it.until > now)
    }
}

fn purpose(seal: &Seal) -> cafe::auth::Digest {
    seal.digest(&[b"sign-in"])
}
