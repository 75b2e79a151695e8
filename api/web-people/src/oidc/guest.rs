//! The way to a provider and back.

use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use data_encoding::BASE64URL_NOPAD;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use super::provider::{Secrets, authorization_url, redeem};
use base::auth::{Identity, Seal, Tokens};
use base::db::Db;
use base::error::{internal, not_found, unavailable};
use base::ids::PlayerId;
use base::world::World;
use cafe::identities::{self, Elsewhere};
use play::sessions;
use web_base::config::{Config, OidcProvider};
use web_base::error::ApiResult;
use web_base::extract::{Client, Path, Search, SignInContext, Visitor, closed_cookie, is_from_elsewhere, own_cookie};
use web_base::limits::{Budget, SignIns, Writes};
use web_base::outgoing::{Outgoing, Reach};
use web_base::page::{Flash, Form, Page};
use web_base::public_url::base_url;

/// Holds, sealed, what belongs to a sign-in under way.
const COOKIE: &str = "houserules-sign-in";
const PATIENCE: SignedDuration = SignedDuration::from_mins(10);
const PAGE: &str = "/me";

/// What is asked of a provider in one sign-in.
#[derive(Serialize, Deserialize)]
struct Attempt {
    provider: String,
    /// Who asked: nobody else who uses this browser meanwhile is linked to what comes back.
    player: Option<PlayerId>,
    state: String,
    nonce: String,
    verifier: String,
    until: Timestamp,
}

#[derive(Deserialize)]
pub(crate) struct Returned {
    code: Option<String>,
    state: Option<String>,
    /// Who answers, if the provider says so (RFC 9207).
    iss: Option<String>,
}

/// Requests to the providers that the settings name, wherever these are.
#[derive(Clone)]
pub struct ToProviders(Outgoing);

impl Default for ToProviders {
    fn default() -> Self {
        Self(Outgoing::new(Reach::Everywhere))
    }
}

/// Sends the browser to the provider, if its user pressed the button: another site must not have it linked to an account there.
#[get("/sign-in/{provider}")]
pub async fn begin_sign_in(
    _: Budget<SignIns>,
    (config, seal, world): (Data<Config>, Data<Seal>, Data<World>),
    to: Data<ToProviders>,
    request: HttpRequest,
    page: Page,
    (Visitor(visitor), Path(id)): (Visitor, Path<String>),
) -> ApiResult<HttpResponse> {
    let provider = find(&config, &id)?;
    if is_from_elsewhere(request.headers()) {
        return Ok(page.go_to(PAGE));
    }
    let attempt = Attempt::draw(&world, provider, visitor.as_ref());
    let back = back(&config, &request, provider);
    let url = match authorization_url(&to.0, provider, &attempt.secrets(), &back).await {
        Ok(url) => url,
        Err(err) => return Ok(gone_wrong(&page, provider, &err)),
    };
    let cookie = page.secret_cookie(COOKIE, attempt.seal(&seal, &world)?, PATIENCE);
    let mut response = HttpResponse::SeeOther();
    response.insert_header((LOCATION, url)).insert_header((CACHE_CONTROL, "no-store"));
    Ok(response.cookie(cookie).finish())
}

/// Takes in who comes back from the provider.
#[get("/sign-in/{provider}/callback")]
pub async fn finish_sign_in(
    _: Budget<SignIns>,
    (config, seal, world): (Data<Config>, Data<Seal>, Data<World>),
    (db, tokens, to): (Data<Db>, Data<Tokens>, Data<ToProviders>),
    (request, page, client, context): (HttpRequest, Page, Client, SignInContext),
    (Visitor(visitor), Path(id)): (Visitor, Path<String>),
    Search(returned): Search<Returned>,
) -> ApiResult<HttpResponse> {
    let provider = find(&config, &id)?;
    let attempt = own_cookie(&request, COOKIE).and_then(|it| Attempt::open(&seal, it.value(), world.now()));
    let attempt = attempt.filter(|it| it.is_of(provider, visitor.as_ref(), &returned));
    let mut response = match attempt.zip(returned.code.as_deref()) {
        // Somebody changed their mind there, or took too long.
        None => page.go_with(PAGE, Flash::bad("sign-in-broken-off", &provider.name)),
        Some((attempt, code)) => {
            let back = back(&config, &request, provider);
            match redeem(&to.0, &world, provider, (code, &attempt.secrets()), &back).await {
                Ok(elsewhere) => {
                    enter(&db, &tokens, &page, (&client, &context), (visitor, provider, &elsewhere)).await?
                }
                Err(err) => gone_wrong(&page, provider, &err),
            }
        }
    };
    // An attempt is good for one answer.
    response.add_cookie(&closed_cookie(COOKIE, page.is_secure())).map_err(internal)?;
    Ok(response)
}

/// Ends that the visitor signs in by this provider.
#[post("/sign-in/{provider}/unlink")]
pub async fn unlink_sign_in(
    _: Budget<Writes>,
    (config, db): (Data<Config>, Data<Db>),
    page: Page,
    (Visitor(visitor), Path(id)): (Visitor, Path<String>),
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let provider = find(&config, &id)?;
    let Some(player) = visitor else { return Ok(page.go_to(PAGE)) };
    let known: Vec<&str> = config.oidc.iter().map(OidcProvider::issuer).collect();
    let unlinked = identities::unlink(&mut *db.conn().await?, player.id, provider.issuer(), &known).await;
    Ok(page.go_with(PAGE, Flash::after(unlinked, |()| Flash::good("sign-in-unlinked", &provider.name))?))
}

/// Signs in whom the provider knows, in a session of their own unless they have it already.
async fn enter(
    db: &Db,
    tokens: &Tokens,
    page: &Page,
    (Client(device), context): (&Client, &SignInContext),
    (visitor, provider, elsewhere): (Option<Identity>, &OidcProvider, &Elsewhere),
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let guard = context.guard();
    let player = match identities::sign_in(&mut conn, guard.world, page.lang, visitor.as_ref(), elsewhere).await {
        Ok(player) => player,
        Err(err) => return Ok(page.go_with(PAGE, Flash::after(Err::<(), _>(err), |()| Flash::good("", ""))?)),
    };
    let token = match &visitor {
        Some(visitor) if visitor.id == player.id => None,
        _ => Some(sessions::enter_page(&mut conn, tokens, guard, (&player, device), visitor.as_ref()).await?),
    };
    page.go_signed_in(PAGE, Flash::good("signed-in-by", &provider.name), token)
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
    fn draw(world: &World, provider: &OidcProvider, visitor: Option<&Identity>) -> Self {
        let word = || BASE64URL_NOPAD.encode(&world.bytes::<32>());
        let until = world.now() + PATIENCE;
        let (provider, player) = (provider.id.clone(), visitor.map(|it| it.id));
        Self { provider, player, state: word(), nonce: word(), verifier: word(), until }
    }

    fn secrets(&self) -> Secrets<'_> {
        Secrets { state: &self.state, nonce: &self.nonce, verifier: &self.verifier }
    }

    fn is_of(&self, provider: &OidcProvider, visitor: Option<&Identity>, returned: &Returned) -> bool {
        let state = returned.state.as_deref().unwrap_or_default();
        self.provider == provider.id
            && self.player == visitor.map(|it| it.id)
            && returned.iss.as_deref().is_none_or(|it| provider.is_issuer(it))
            && bool::from(self.state.as_bytes().ct_eq(state.as_bytes()))
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

fn purpose(seal: &Seal) -> base::auth::Digest {
    seal.digest(&[b"sign-in"])
}
