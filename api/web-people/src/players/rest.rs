//! `/api/v1/auth/me` and what else people do with their own account.

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::export::{self, Export};
use base::auth::{Passwords, Role};
use base::db::Db;
use base::error::unauthorized;
use base::ids::PlayerId;
use base::inputs::{DisplayName, Password};
use base::live::Live;
use base::world::World;
use cafe::ratings;
use cafe::ratings::RatingView;
use play::matches::Autopilot;
use play::players::PlayerCard;
use play::players::{PlayerRow, store};
use web_base::error::ApiResult;
use web_base::extract::{Body, OptionalBody, Path, Player, SignInContext};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Exports, SignIns, Writes};

/// The caller's own account.
#[derive(Serialize, ToSchema)]
pub(crate) struct Account {
    id: PlayerId,
    #[schema(example = "하늘")]
    display_name: String,
    /// None for a guest.
    email: Option<String>,
    role: Role,
    created_at: Timestamp,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeRequest {
    display_name: Option<DisplayName>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordRequest {
    current: Password,
    /// 8 to 200 characters (12 for staff), and none that many people take.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 200)]
    new: Password,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeleteRequest {
    /// Needed unless the caller is a guest.
    password: Option<Password>,
}

/// Who the caller is.
#[utoipa::path(tag = "auth", responses((status = 200, body = Account)))]
#[get("/auth/me")]
pub async fn find_me(db: Data<Db>, Player(player): Player) -> ApiResult<Json<Account>> {
    let row = store::find(&mut *db.conn().await?, player.id).await?;
    Ok(Json(row.ok_or_else(|| unauthorized("session_ended"))?.into()))
}

/// Changes the caller's name. Several players may have the same one.
#[utoipa::path(tag = "auth", request_body = ChangeRequest, responses((status = 200, body = Account)))]
#[patch("/auth/me")]
pub async fn change_me(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Player(player): Player,
    Body(request): Body<ChangeRequest>,
) -> ApiResult<Json<Account>> {
    let mut conn = db.conn().await?;
    let row = match request.display_name {
        Some(name) => cafe::accounts::rename(&mut conn, &world, &live, &player, &name).await?,
        None => store::find(&mut conn, player.id).await?.ok_or_else(|| unauthorized("session_ended"))?,
    };
    Ok(Json(row.into()))
}

/// Changes the password. Every other session of the caller ends.
#[utoipa::path(
    tag = "auth",
    request_body = PasswordRequest,
    responses((status = 204, description = "Password changed"))
)]
#[post("/auth/password")]
pub async fn change_password(
    _: Budget<SignIns>,
    db: Data<Db>,
    passwords: Data<Passwords>,
    context: SignInContext,
    Player(player): Player,
    Body(request): Body<PasswordRequest>,
) -> ApiResult<HttpResponse> {
    cafe::accounts::change_password(&db, context.guard(), &passwords, &player, request.current, request.new).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Everything that is stored about the caller, however much it is.
#[utoipa::path(
    tag = "auth",
    responses((
        status = 200,
        body = Export,
        headers(("Cache-Control" = String, description = "`no-store`: it is sent while it is read, and has no `ETag`"))
    ))
)]
#[get("/auth/me/export")]
pub async fn export_me(
    _: Budget<Exports>,
    db: Data<Db>,
    world: Data<World>,
    request: HttpRequest,
    Player(player): Player,
) -> ApiResult<HttpResponse> {
    let pieces = export::export(db, &world, player, lang_of(&request)).await?;
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("content-disposition", "attachment; filename=\"house-rules.json\""))
        .streaming(pieces))
}

/// Deletes the account permanently. Its seats are given up; in other players' matches it stays as `someone`.
#[utoipa::path(
    tag = "auth",
    request_body = Option<DeleteRequest>,
    responses((status = 204, description = "The account is gone"))
)]
#[delete("/auth/me")]
pub async fn delete_me(
    _: Budget<SignIns>,
    db: Data<Db>,
    (passwords, context): (Data<Passwords>, SignInContext),
    (live, autopilot): (Data<Live>, Data<Autopilot>),
    Player(player): Player,
    OptionalBody(request): OptionalBody<DeleteRequest>,
) -> ApiResult<HttpResponse> {
    cafe::accounts::delete(&db, context.guard(), &passwords, &live, &autopilot, &player, request.password).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// A player as others may see them.
#[derive(Serialize, ToSchema)]
pub(crate) struct Profile {
    #[serde(flatten)]
    card: PlayerCard,
    /// Whether it is a registered player. Others are guests.
    registered: bool,
    created_at: Timestamp,
    /// Where the player stands in each game, the one played most often first.
    ratings: Vec<GameRating>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct GameRating {
    #[schema(example = "perudo")]
    game: String,
    #[serde(flatten)]
    rating: RatingView,
    /// How many matches were rated.
    matches: i32,
}

/// A player as others may see them.
#[utoipa::path(tag = "players", params(("id" = PlayerId, Path)), responses((status = 200, body = Profile)))]
#[get("/players/{id}")]
pub async fn find_player(db: Data<Db>, _: Player, Path(id): Path<PlayerId>) -> ApiResult<Json<Profile>> {
    let mut conn = db.conn().await?;
    let row = play::players::find(&mut conn, id).await?;
    let standings = ratings::store::list_of_player(&mut conn, row.id).await?;
    let ratings = standings.into_iter().map(|it| {
        let rating = it.rating().into();
        GameRating { game: it.scope, rating, matches: it.matches }
    });
    Ok(Json(Profile {
        card: (&row).into(),
        registered: row.registered_at.is_some(),
        created_at: row.created_at,
        ratings: ratings.collect(),
    }))
}

impl From<PlayerRow> for Account {
    fn from(row: PlayerRow) -> Self {
        Self {
            id: row.id,
            display_name: row.display_name,
            email: row.email,
            role: row.role,
            created_at: row.created_at,
        }
    }
}
