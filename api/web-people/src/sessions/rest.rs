//! `/api/v1/auth/…`, but for what is the account's own.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, delete, get, post};
use diesel_async::AsyncConnection;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use base::auth::Identity;
use base::auth::Seal;
use base::auth::Tokens;
use base::auth::{Chooser, ChosenPassword, Passwords, Role};
use base::db::Db;
use base::error::{invalid_fields, unauthorized};
use base::ids::SessionId;
use base::inputs::{DisplayName, Email, Password};
use base::list::List;
use base::settings::Cafe;
use base::text::Lang;
use base::world::World;
use play::players::{self, NewAccount};
use play::sessions::store::SessionRow;
use play::sessions::{DeviceName, SignedIn, store};
use play::staff;
use play::staff::second_factor::{self, Asked};
use web_base::addresses::created;
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::{Body, OptionalBody, Path, Player, Visitor};
use web_base::extract::{Client, SignInContext, device_cookie};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Guests, SignIns, Writes};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GuestRequest {
    display_name: DisplayName,
    /// What the list of sessions calls this device.
    device: Option<DeviceName>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegisterRequest {
    email: Email,
    /// 8 to 200 characters, and none that many people take.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 200)]
    password: Password,
    /// A guest keeps the name they have; anybody else is called what stands before the `@`.
    display_name: Option<DisplayName>,
    /// What the list of sessions calls this device.
    device: Option<DeviceName>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoginRequest {
    email: Email,
    password: Password,
    /// Of the second factor, where the account has one: without it the answer is 401 `second_factor_required`, and the same
    /// request is to be sent again with it. Six digits of the app, or a recovery code; each is good once.
    #[schema(example = "287082")]
    code: Option<String>,
    /// What the list of sessions calls this device.
    device: Option<DeviceName>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefreshRequest {
    refresh_token: String,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogoutRequest {
    refresh_token: Option<String>,
}

/// A place where the caller is signed in.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
pub(crate) struct SessionAnswer {
    id: SessionId,
    /// What it is called, or else what it is, in the caller's language.
    #[schema(example = "Chrome on Android")]
    device: String,
    /// As the client named itself, cut off after 200 characters.
    user_agent: Option<String>,
    created_at: Timestamp,
    /// When it last signed in or refreshed its tokens.
    seen_at: Timestamp,
    /// Whether it is the one that asks.
    current: bool,
}

impl SessionAnswer {
    pub(crate) fn of(row: SessionRow, asking: &Identity, lang: Lang) -> Self {
        Self {
            id: row.id,
            device: play::sessions::device_name(&row, lang),
            user_agent: row.user_agent,
            created_at: row.created_at,
            seen_at: row.seen_at,
            current: row.id == asking.session,
        }
    }
}

/// An answer with tokens, which no cache may keep.
fn unkept(mut answer: HttpResponseBuilder) -> HttpResponseBuilder {
    answer.insert_header((CACHE_CONTROL, "no-store"));
    answer
}

/// Plays as a guest: a name is all it takes.
#[utoipa::path(tag = "auth", request_body = GuestRequest, responses((status = 201, body = SignedIn)), security(()))]
#[post("/auth/guest")]
pub async fn create_guest(
    _: Budget<Guests>,
    db: Data<Db>,
    world: Data<World>,
    tokens: Data<Tokens>,
    Client(device): Client,
    Body(request): Body<GuestRequest>,
) -> ApiResult<HttpResponse> {
    let (mut conn, device) = (db.conn().await?, device.named(request.device));
    let guest = play::sessions::open_for_guest(&mut conn, &world, &tokens, &request.display_name, &device).await?;
    Ok(unkept(created("/auth/me")).json(guest))
}

/// Registers. With a guest's token, that guest becomes a registered player and keeps id, history and session.
#[utoipa::path(
    tag = "auth",
    request_body = RegisterRequest,
    responses((status = 201, body = SignedIn)),
    security((), ("bearer" = []))
)]
#[post("/auth/register")]
pub async fn register_player(
    _: Budget<SignIns>,
    db: Data<Db>,
    (world, tokens, passwords): (Data<World>, Data<Tokens>, Data<Passwords>),
    Client(device): Client,
    Visitor(visitor): Visitor,
    Body(request): Body<RegisterRequest>,
) -> ApiResult<HttpResponse> {
    let RegisterRequest { email, password, display_name, device: device_name } = request;
    let name = match (&display_name, visitor) {
        (Some(name), _) => Some(name.as_str().to_owned()),
        (None, Some(guest)) => {
            players::store::find(&mut *db.conn().await?, guest.id).await?.map(|row| row.display_name)
        }
        (None, None) => None,
    };
    let chooser = Chooser { role: Role::Player, name: name.as_deref(), email: Some(email.as_str()) };
    let password = ChosenPassword::new(password, chooser, "/password").map_err(|wrong| invalid_fields(vec![wrong]))?;
    let hash = passwords.hash(&world, password).await?;
    let (mut conn, device) = (db.conn().await?, device.named(device_name));
    let signed_in = conn.transaction(async |conn| -> base::error::Result<SignedIn> {
        let Some(guest) = visitor else {
            let name = display_name.unwrap_or_else(|| DisplayName::of(&email));
            let account = NewAccount { email: &email, name: &name, password: &hash };
            let player = players::create_registered(conn, &world, Role::Player, account).await?;
            return play::sessions::open(conn, &world, &tokens, &player, &device).await;
        };
        let player = cafe::accounts::register_guest(conn, guest.id, &email, display_name.as_ref(), &hash).await?;
        play::sessions::renew(conn, &world, &tokens, &player, (guest.session, &device)).await
    });
    Ok(unkept(created("/auth/me")).json(signed_in.await?))
}

/// Signs in with email and password: players and staff alike.
#[utoipa::path(tag = "auth", request_body = LoginRequest, responses((status = 200, body = SignedIn)), security(()))]
#[post("/auth/login")]
pub async fn log_in(
    _: Budget<SignIns>,
    db: Data<Db>,
    (world, tokens, passwords): (Data<World>, Data<Tokens>, Data<Passwords>),
    (seal, cafe, config): (Data<Seal>, Data<Cafe>, Data<Config>),
    Client(device): Client,
    context: SignInContext,
    Body(request): Body<LoginRequest>,
) -> ApiResult<HttpResponse> {
    let zone = cafe.zone(&config.time_zone);
    let (guard, device) = (context.guard(), device.named(request.device));
    let credentials = (&request.email, request.password);
    let player = play::sessions::authenticate(&db, &zone, &passwords, guard, credentials).await?;
    let mut conn = db.conn().await?;
    let asked = Asked { world: &world, seal: &seal, player: player.id };
    second_factor::demand(&mut conn, asked, request.code.as_deref()).await?;
    let signed_in = play::sessions::enter(&mut conn, &tokens, guard, &player, &device).await?;
    let known = device_cookie(context.devices.remember(&tokens, &player, world.now())?, config.is_secure());
    Ok(unkept(HttpResponse::Ok()).cookie(known).json(signed_in))
}

/// Exchanges a refresh token for new tokens. Each works once; using one again ends its session.
#[utoipa::path(tag = "auth", request_body = RefreshRequest, responses((status = 200, body = SignedIn)), security(()))]
#[post("/auth/refresh")]
pub async fn refresh_session(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    tokens: Data<Tokens>,
    Body(request): Body<RefreshRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let refreshed = play::sessions::refresh(&mut conn, &world, &tokens, &request.refresh_token).await?;
    Ok(unkept(HttpResponse::Ok()).json(refreshed))
}

/// Ends the session of the bearer token, or of the refresh token in the body.
#[utoipa::path(
    tag = "auth",
    request_body = Option<LogoutRequest>,
    responses((status = 204, description = "Signed out")),
    security((), ("bearer" = []))
)]
#[post("/auth/logout")]
pub async fn log_out(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    Visitor(visitor): Visitor,
    OptionalBody(request): OptionalBody<LogoutRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    match (request.refresh_token, visitor) {
        (Some(token), _) => play::sessions::close_by_token(&mut conn, &world, &token).await?,
        (None, Some(player)) => play::sessions::close(&mut conn, &world, &player).await?,
        (None, None) => return Err(unauthorized("not_signed_in").into()),
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Where the caller is signed in, the place used last first.
#[utoipa::path(tag = "auth", responses((status = 200, body = List<SessionAnswer>)))]
#[get("/auth/sessions")]
pub async fn list_sessions(
    db: Data<Db>,
    world: Data<World>,
    request: HttpRequest,
    Player(player): Player,
) -> ApiResult<Json<List<SessionAnswer>>> {
    let lang = lang_of(&request);
    let rows = store::list_open(&mut *db.conn().await?, player.id, world.now()).await?;
    let items = rows.into_iter().map(|row| SessionAnswer::of(row, &player, lang)).collect();
    Ok(Json(List { items, next: None }))
}

/// Ends that session: its tokens stop working within a second or two.
#[utoipa::path(
    tag = "auth",
    params(("id" = SessionId, Path)),
    responses((status = 204, description = "Signed out there"))
)]
#[delete("/auth/sessions/{id}")]
pub async fn end_session(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    Player(player): Player,
    Path(id): Path<SessionId>,
) -> ApiResult<HttpResponse> {
    staff::end_own_session(&mut *db.conn().await?, &world, &player, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Signs out everywhere, here too.
#[utoipa::path(tag = "auth", responses((status = 204, description = "Signed out everywhere")))]
#[post("/auth/logout-everywhere")]
pub async fn log_out_everywhere(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    Player(player): Player,
) -> ApiResult<HttpResponse> {
    staff::end_own_sessions(&mut *db.conn().await?, &world, &player, None).await?;
    Ok(HttpResponse::NoContent().finish())
}
