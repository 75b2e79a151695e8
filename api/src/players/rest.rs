//! `/api/v1/auth/me` and what else people do with their own account.

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::export::{self, Export};
use super::{Passwords, PlayerRow, Role, store};
use crate::db::Db;
use crate::error::{ApiResult, unauthorized};
use crate::extract::{Body, DisplayName, OptionalBody, Password, Path, Player};
use crate::ids::PlayerId;
use crate::limits::SignInLimit;
use crate::live::Live;
use crate::matches::House;
use crate::ratings;
use crate::ratings::rest::RatingAnswer;
use crate::sessions::PlayerCard;
use crate::text::Lang;
use crate::world::World;

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

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRequest {
    display_name: Option<DisplayName>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordRequest {
    current: Password,
    new: Password,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteRequest {
    /// Needed unless the caller is a guest.
    password: Option<Password>,
}

/// Who the caller is.
#[utoipa::path(tag = "auth", responses((status = 200, body = Account)))]
#[get("/auth/me")]
pub(crate) async fn find_me(db: Data<Db>, player: Player) -> ApiResult<Json<Account>> {
    let row = store::find(&mut *db.conn().await?, player.id).await?;
    Ok(Json(row.ok_or_else(|| unauthorized("session_ended"))?.into()))
}

/// Takes another name. It need not be the only one of its kind.
#[utoipa::path(tag = "auth", request_body = ChangeRequest, responses((status = 200, body = Account)))]
#[patch("/auth/me")]
pub(crate) async fn change_me(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    player: Player,
    Body(request): Body<ChangeRequest>,
) -> ApiResult<Json<Account>> {
    let mut conn = db.conn().await?;
    let row = match request.display_name {
        Some(name) => super::rename(&mut conn, (&world, &live), &player, &name).await?,
        None => store::find(&mut conn, player.id).await?.ok_or_else(|| unauthorized("session_ended"))?,
    };
    Ok(Json(row.into()))
}

/// Takes another password. Every other place where the caller is signed in is signed out.
#[utoipa::path(
    tag = "auth",
    request_body = PasswordRequest,
    responses((status = 204, description = "The new password is good from now on"))
)]
#[post("/auth/password")]
pub(crate) async fn change_password(
    _: SignInLimit,
    db: Data<Db>,
    world: Data<World>,
    passwords: Data<Passwords>,
    player: Player,
    Body(request): Body<PasswordRequest>,
) -> ApiResult<HttpResponse> {
    super::change_password(&db, &world, &passwords, &player, (request.current, request.new)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Everything that is stored about the caller, however much it is.
#[utoipa::path(tag = "auth", responses((status = 200, body = Export)))]
#[get("/auth/me/export")]
pub(crate) async fn export_me(
    db: Data<Db>,
    world: Data<World>,
    request: HttpRequest,
    player: Player,
) -> ApiResult<HttpResponse> {
    let pieces = export::export(db, &world, player, Lang::of(&request)).await?;
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("content-disposition", "attachment; filename=\"house-rules.json\""))
        .streaming(pieces))
}

/// Ends the account for good. Its seats are given up; in the matches of others it stays, as `someone`.
#[utoipa::path(
    tag = "auth",
    request_body = Option<DeleteRequest>,
    responses((status = 204, description = "The account is gone"))
)]
#[delete("/auth/me")]
pub(crate) async fn delete_me(
    _: SignInLimit,
    db: Data<Db>,
    (world, passwords): (Data<World>, Data<Passwords>),
    (live, house): (Data<Live>, Data<House>),
    player: Player,
    OptionalBody(request): OptionalBody<DeleteRequest>,
) -> ApiResult<HttpResponse> {
    super::delete(&db, &world, &passwords, (&live, &house), &player, request.password).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// A player as others may see them.
#[derive(Serialize, ToSchema)]
pub struct Profile {
    #[serde(flatten)]
    card: PlayerCard,
    /// Whether it is a registered player. Others are guests.
    registered: bool,
    created_at: Timestamp,
    /// Where the player stands in each game, the one played most often first.
    ratings: Vec<GameRating>,
}

#[derive(Serialize, ToSchema)]
pub struct GameRating {
    #[schema(example = "perudo")]
    game: String,
    #[serde(flatten)]
    rating: RatingAnswer,
    /// How many matches were rated.
    matches: i32,
}

/// A player as others may see them.
#[utoipa::path(tag = "players", params(("id" = PlayerId, Path)), responses((status = 200, body = Profile)))]
#[get("/players/{id}")]
pub(crate) async fn find_player(db: Data<Db>, _: Player, Path(id): Path<PlayerId>) -> ApiResult<Json<Profile>> {
    let mut conn = db.conn().await?;
    let row = super::find(&mut conn, id).await?;
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
