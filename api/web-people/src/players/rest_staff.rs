//! `/api/v1/players/…` as staff use it: finding, renaming, merging, banning, signing out.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, patch, post, put};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use base::auth::{Role, can};
use base::error::invalid_field;
use base::ids::PlayerId;
use base::inputs::{DisplayName, refuse_field, tidy_text};
use base::list::{List, page_size, start as page_start};
use cafe::accounts::{Merge, MergePlan};
use play::matches::Autopilot;
use play::players::{Ban, PlayerKind, PlayerRow, Sought};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path, Search};
use web_base::limits::{Budget, Writes};

/// A player as staff see them.
#[derive(Serialize, ToSchema)]
pub(crate) struct KnownPlayer {
    id: PlayerId,
    #[schema(example = "하늘")]
    display_name: String,
    /// Tells the player from others of the same name.
    #[schema(example = "1A2B")]
    tag: String,
    /// None for a guest.
    email: Option<String>,
    role: Role,
    registered: bool,
    created_at: Timestamp,
    ban: Option<KnownBan>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Ban)]
pub(crate) struct KnownBan {
    since: Timestamp,
    /// None for a ban that lasts until it is lifted.
    until: Option<Timestamp>,
    reason: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// Part of a name, in Korean also initial consonants; the beginning of an email, a tag, or an id.
    q: Option<String>,
    #[param(inline)]
    kind: Option<PlayerKind>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RenameRequest {
    display_name: DisplayName,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BanRequest {
    reason: BanReason,
    /// Lasts until it is lifted if left out.
    until: Option<Timestamp>,
}

/// One line of text in any script.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 200)]
pub(crate) struct BanReason(String);

impl<'de> Deserialize<'de> for BanReason {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, play::players::ban::REASON_MAX).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PlayerMergeRequest)]
pub(crate) struct MergeRequest {
    /// The player that the guest is.
    into: PlayerId,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MergeQuery {
    /// The player into which the guest would be merged.
    into: PlayerId,
}

/// What a merge would do.
#[derive(Serialize, ToSchema)]
pub(crate) struct MergeAnswer {
    guest: KnownPlayer,
    player: KnownPlayer,
    /// Seats in matches that are over which would be the player's.
    over: i64,
    /// And in those that wait or run.
    open: i64,
    /// How many sessions of the guest would end.
    sessions: usize,
}

/// Players, the latest first, for staff.
#[utoipa::path(tag = "players", params(SearchQuery), responses((status = 200, body = List<KnownPlayer>)))]
#[get("/players")]
pub async fn search_players(
    Authorized(mut cx): Authorized<can::ViewPlayers>,
    Search(query): Search<SearchQuery>,
) -> ApiResult<Json<List<KnownPlayer>>> {
    let limit = page_size(query.limit)?;
    let before = page_start(query.cursor.as_deref())?;
    let sought = Sought { text: query.q.as_deref(), kind: query.kind, before, ..Sought::default() };
    let rows = play::players::search(cx.conn().await?, &sought, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    Ok(Json(List { items: items.into_iter().map(|row| KnownPlayer::of(row, cx.world.now())).collect(), next }))
}

/// Gives a player another name.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path)),
    request_body = RenameRequest,
    responses((status = 200, body = KnownPlayer))
)]
#[patch("/players/{id}")]
pub async fn rename_player(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
    Body(request): Body<RenameRequest>,
) -> ApiResult<Json<KnownPlayer>> {
    cafe::accounts::rename_by_staff(&mut cx, id, &request.display_name).await?;
    Ok(Json(KnownPlayer::of(play::players::find(cx.conn().await?, id).await?, cx.world.now())))
}

/// Bans a player: they are signed out everywhere within a second or two, and their seats are given up.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path)),
    request_body = BanRequest,
    responses((status = 204, description = "Banned"))
)]
#[put("/players/{id}/ban")]
pub async fn ban_player(
    _: Budget<Writes>,
    autopilot: Data<Autopilot>,
    Authorized(mut cx): Authorized<can::BanPlayers>,
    Path(id): Path<PlayerId>,
    Body(request): Body<BanRequest>,
) -> ApiResult<HttpResponse> {
    if request.until.is_some_and(|until| until <= cx.world.now()) {
        return Err(invalid_field("/until", "out_of_range").into());
    }
    let ban = Ban { reason: request.reason.0, until: request.until };
    cafe::accounts::ban(&mut cx, &autopilot, id, &ban).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lifts a ban before its end.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path)),
    responses((status = 204, description = "Not banned, or no longer"))
)]
#[delete("/players/{id}/ban")]
pub async fn lift_ban(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::BanPlayers>,
    Path(id): Path<PlayerId>,
) -> ApiResult<HttpResponse> {
    cafe::accounts::lift_ban(&mut cx, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Signs a player out everywhere.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path)),
    responses((status = 204, description = "Signed out everywhere"))
)]
#[delete("/players/{id}/sessions")]
pub async fn sign_player_out(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
) -> ApiResult<HttpResponse> {
    cafe::accounts::sign_out_by_staff(&mut cx, id, None).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// What merging this guest into a player would do.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path), MergeQuery),
    responses((status = 200, body = MergeAnswer))
)]
#[get("/players/{id}/merge")]
pub async fn plan_merge(
    Authorized(mut cx): Authorized<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
    Search(query): Search<MergeQuery>,
) -> ApiResult<Json<MergeAnswer>> {
    let plan = cafe::accounts::plan_merge(&mut cx, Merge { guest: id, player: query.into }).await?;
    let MergePlan { guest, player, over, open, sessions } = plan;
    let known = |row| KnownPlayer::of(row, cx.world.now());
    Ok(Json(MergeAnswer { guest: known(guest), player: known(player), over, open, sessions }))
}

/// Merges a guest into the player that the guest is: seats, matches and ratings follow. This cannot be undone.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path)),
    request_body = MergeRequest,
    responses((status = 204, description = "The guest's id leads to the player from now on"))
)]
#[post("/players/{id}/merge")]
pub async fn merge_player(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
    Body(request): Body<MergeRequest>,
) -> ApiResult<HttpResponse> {
    cafe::accounts::merge(&mut cx, Merge { guest: id, player: request.into }).await?;
    Ok(HttpResponse::NoContent().finish())
}

impl KnownPlayer {
    fn of(row: PlayerRow, now: Timestamp) -> Self {
        let ban = row.banned_at.filter(|_| row.is_banned(now));
        Self {
            ban: ban.map(|since| KnownBan { since, until: row.banned_until, reason: row.ban_reason.clone() }),
            tag: play::players::tag(row.id),
            id: row.id,
            display_name: row.display_name,
            email: row.email,
            role: row.role,
            registered: row.registered_at.is_some(),
            created_at: row.created_at,
        }
    }
}
