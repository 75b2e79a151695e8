//! `/api/v1/auth/…`

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, get, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{SignedIn, Tokens};
use crate::db::Db;
use crate::error::{ApiResult, unauthorized};
use crate::extract::{Body, DisplayName, Email, OptionalBody, Password, Player, Visitor};
use crate::ids::PlayerId;
use crate::limits::{GuestLimit, SignInLimit};
use crate::players::{self, Passwords, Role};
use crate::world::World;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GuestRequest {
    display_name: DisplayName,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterRequest {
    email: Email,
    password: Password,
    /// A guest keeps the name they have; anybody else is called what stands before the `@`.
    display_name: Option<DisplayName>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    email: Email,
    password: Password,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefreshRequest {
    refresh_token: String,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LogoutRequest {
    refresh_token: Option<String>,
}

/// The caller's own account.
#[derive(Serialize, ToSchema)]
pub struct Account {
    id: PlayerId,
    #[schema(example = "하늘")]
    display_name: String,
    /// None for a guest.
    email: Option<String>,
    role: Role,
    created_at: Timestamp,
}

/// Plays as a guest: a name is all it takes.
#[utoipa::path(tag = "auth", request_body = GuestRequest, responses((status = 201, body = SignedIn)), security(()))]
#[post("/auth/guest")]
pub(crate) async fn create_guest(
    _: GuestLimit,
    db: Data<Db>,
    world: Data<World>,
    tokens: Data<Tokens>,
    Body(request): Body<GuestRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let guest = players::create_guest(&mut conn, &world, &request.display_name).await?;
    Ok(HttpResponse::Created().json(super::open(&mut conn, &world, &tokens, &guest).await?))
}

/// Registers. With a guest's token, that guest becomes a registered player and keeps id and history.
#[utoipa::path(
    tag = "auth",
    request_body = RegisterRequest,
    responses((status = 201, body = SignedIn)),
    security((), ("bearer" = []))
)]
#[post("/auth/register")]
pub(crate) async fn register_player(
    _: SignInLimit,
    db: Data<Db>,
    world: Data<World>,
    tokens: Data<Tokens>,
    passwords: Data<Passwords>,
    Visitor(visitor): Visitor,
    Body(request): Body<RegisterRequest>,
) -> ApiResult<HttpResponse> {
    let RegisterRequest { email, password, display_name } = request;
    let hash = passwords.hash(&world, password).await?;
    let mut conn = db.conn().await?;
    let player = match visitor {
        Some(guest) => players::register_guest(&mut conn, guest.id, (&email, display_name.as_ref(), &hash)).await?,
        None => {
            let name = display_name.unwrap_or_else(|| DisplayName::of(&email));
            players::create_registered(&mut conn, &world, Role::Player, (&email, &name, &hash)).await?
        }
    };
    Ok(HttpResponse::Created().json(super::open(&mut conn, &world, &tokens, &player).await?))
}

/// Signs in with email and password: players and staff alike.
#[utoipa::path(tag = "auth", request_body = LoginRequest, responses((status = 200, body = SignedIn)), security(()))]
#[post("/auth/login")]
pub(crate) async fn log_in(
    _: SignInLimit,
    db: Data<Db>,
    world: Data<World>,
    tokens: Data<Tokens>,
    passwords: Data<Passwords>,
    Body(request): Body<LoginRequest>,
) -> ApiResult<Json<SignedIn>> {
    let player = super::authenticate(&db, &passwords, &request.email, request.password).await?;
    let mut conn = db.conn().await?;
    Ok(Json(super::open(&mut conn, &world, &tokens, &player).await?))
}

/// Exchanges a refresh token for new tokens. Each is good once; using one again ends its session.
#[utoipa::path(tag = "auth", request_body = RefreshRequest, responses((status = 200, body = SignedIn)), security(()))]
#[post("/auth/refresh")]
pub(crate) async fn refresh_session(
    db: Data<Db>,
    world: Data<World>,
    tokens: Data<Tokens>,
    Body(request): Body<RefreshRequest>,
) -> ApiResult<Json<SignedIn>> {
    let mut conn = db.conn().await?;
    Ok(Json(super::refresh(&mut conn, &world, &tokens, &request.refresh_token).await?))
}

/// Ends the session of the bearer token, or of the refresh token in the body.
#[utoipa::path(
    tag = "auth",
    request_body = Option<LogoutRequest>,
    responses((status = 204, description = "Signed out")),
    security((), ("bearer" = []))
)]
#[post("/auth/logout")]
pub(crate) async fn log_out(
    db: Data<Db>,
    world: Data<World>,
    Visitor(visitor): Visitor,
    OptionalBody(request): OptionalBody<LogoutRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    match (request.refresh_token, visitor) {
        (Some(token), _) => super::close_by_token(&mut conn, &world, &token).await?,
        (None, Some(player)) => super::close(&mut conn, &world, &player).await?,
        (None, None) => return Err(unauthorized("not_signed_in")),
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Who the caller is.
#[utoipa::path(tag = "auth", responses((status = 200, body = Account)))]
#[get("/auth/me")]
pub(crate) async fn find_me(db: Data<Db>, player: Player) -> ApiResult<Json<Account>> {
    let mut conn = db.conn().await?;
    let row = players::store::find(&mut conn, player.id).await?.ok_or_else(|| unauthorized("session_ended"))?;
    Ok(Json(Account {
        id: row.id,
        display_name: row.display_name,
        email: row.email,
        role: row.role,
        created_at: row.created_at,
    }))
}
