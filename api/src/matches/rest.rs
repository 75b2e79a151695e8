//! `/api/v1/matches/…`, but for the stream.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use std::time::Duration;

use actix_web::web::{Data, Json as JsonBody};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::feed::Frame;
use super::past::Eyes;
use super::replay::MatchRecord;
use super::{
    EventFrame, Filter, House, MatchAnswer, MatchId, Move, NewMatchRequest, Nonce, Played, Reader, SeatView, Snapshot,
    Status, answers, look, open, store,
};
use crate::db::Db;
use crate::error::{ApiResult, bad_request, not_found};
use crate::extract::{Body, OptionalBody, Path, Player, Search, Staff, tidy_text};
use crate::idempotency;
use crate::ids::{PlayerId, TableId};
use crate::list::{List, page_size, start as page_start};
use crate::live::Live;
use crate::sessions::is_staff;
use crate::staff::Deed;
use crate::world::World;

const LONGEST_WAIT: Duration = Duration::from_secs(30);
const USUAL_WAIT: Duration = Duration::from_secs(25);
const REASON_LENGTH: usize = 200;

/// Makes a match. Nobody sits at it yet.
#[utoipa::path(tag = "matches", request_body = NewMatchRequest, responses((status = 201, body = MatchAnswer)))]
#[post("/matches")]
pub(crate) async fn create_match(
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    player: Player,
    Body(request): Body<NewMatchRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let row = super::create(&mut conn, &world, &live, &player, &request).await?;
    Ok(HttpResponse::Created().json(answers::show(&mut conn, row.id, &player).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    status: Option<Status>,
    /// `true` for those that wait or run.
    open: Option<bool>,
    game: Option<String>,
    table: Option<TableId>,
    /// `true` for those that the caller made or has a seat in.
    mine: Option<bool>,
    /// Those in which this player has a seat.
    player: Option<PlayerId>,
    /// `true` for those that the caller is invited to.
    invited: Option<bool>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Matches, the latest first, without their views: those in the lobby, and of the rest what the caller made, sits at or is
/// invited to. Staff find all.
#[utoipa::path(tag = "matches", params(ListQuery), responses((status = 200, body = List<MatchAnswer>)))]
#[get("/matches")]
pub(crate) async fn list_matches(
    db: Data<Db>,
    player: Player,
    Search(query): Search<ListQuery>,
) -> ApiResult<JsonBody<List<MatchAnswer>>> {
    let limit = page_size(query.limit)?;
    let mut conn = db.conn().await?;
    let reader = if is_staff(&mut conn, &player).await? { Reader::Staff } else { Reader::Player(player.id) };
    let filter = Filter {
        reader,
        status: query.status,
        game: query.game.as_deref(),
        table: query.table,
        sitting: None,
        open: query.open.unwrap_or(false),
        player: query.player,
        mine: query.mine.unwrap_or(false).then_some(player.id),
        invited: query.invited.unwrap_or(false).then_some(player.id),
        before: page_start(query.cursor.as_deref())?,
        ..Filter::default()
    };
    let rows = store::list(&mut conn, &filter, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    Ok(JsonBody(List { items: answers::show_all(&mut conn, items, reader, player.id).await?, next }))
}

/// The match with this code.
#[utoipa::path(tag = "matches", params(("code" = String, Path)), responses((status = 200, body = MatchAnswer)))]
#[get("/matches/by-code/{code}")]
pub(crate) async fn find_match_by_code(
    db: Data<Db>,
    player: Player,
    Path(code): Path<String>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let mut conn = db.conn().await?;
    let id = store::find_id_by_code(&mut conn, &open::normal_code(&code)).await?;
    let id = id.ok_or_else(|| not_found("match_not_found"))?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

/// The match, with what everybody sees of it.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path)), responses((status = 200, body = MatchAnswer)))]
#[get("/matches/{id}")]
pub(crate) async fn find_match(
    db: Data<Db>,
    player: Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    Ok(JsonBody(answers::show(&mut *db.conn().await?, id, &player).await?))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRequest {
    /// The lowest free one if left out.
    seat: Option<i64>,
    nonce: Option<Nonce>,
}

/// Sits down. Asking again gives the same answer.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    request_body = Option<SeatRequest>,
    responses((status = 201, body = MatchAnswer), (status = 200, body = MatchAnswer, description = "Already seated there"))
)]
#[post("/matches/{id}/seats")]
pub(crate) async fn take_seat(
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    player: Player,
    Path(id): Path<MatchId>,
    OptionalBody(request): OptionalBody<SeatRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let what = (request.seat, request.nonce.as_ref());
    let seated = super::sit(&mut conn, &world, &live, player.id, id, what).await?;
    let mut response = if seated.is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(response.json(answers::show(&mut conn, id, &player).await?))
}

/// Gets up before the start.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    responses((status = 204, description = "The seat is free again"))
)]
#[delete("/matches/{id}/seats/me")]
pub(crate) async fn leave_seat(
    db: Data<Db>,
    live: Data<Live>,
    player: Player,
    Path(id): Path<MatchId>,
) -> ApiResult<HttpResponse> {
    super::leave(&mut *db.conn().await?, &live, player.id, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Starts the match once all seats are taken. Its creator and staff may.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path)), responses((status = 200, body = MatchAnswer)))]
#[post("/matches/{id}/start")]
pub(crate) async fn start_match(
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    player: Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let mut conn = db.conn().await?;
    super::start(&mut conn, &world, &live, &player, id).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ViewQuery {
    /// Wait for a later version than this one.
    after: Option<i64>,
    /// For so many seconds at most.
    #[param(minimum = 0, maximum = 30)]
    wait: Option<f64>,
}

/// What the caller's seat sees and may do; with `after`, as soon as there is something new or the time is up.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path), ViewQuery), responses((status = 200, body = SeatView)))]
#[get("/matches/{id}/view")]
pub(crate) async fn find_view(
    db: Data<Db>,
    live: Data<Live>,
    player: Player,
    Path(id): Path<MatchId>,
    Search(query): Search<ViewQuery>,
) -> ApiResult<JsonBody<SeatView>> {
    if query.after.is_none() && query.wait.is_none() {
        return Ok(JsonBody(look::look(&mut *db.conn().await?, &player, id).await?));
    }
    let wait =
        query.wait.map_or(Ok(USUAL_WAIT), Duration::try_from_secs_f64).map_err(|_| bad_request("invalid_query"))?;
    Ok(JsonBody(look::wait(&db, &live, &player, id, query.after.unwrap_or(-1), wait.min(LONGEST_WAIT)).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    /// As the game's document says, such as `{"type":"bid","count":3,"face":4}`.
    #[serde(rename = "move")]
    #[schema(value_type = Object)]
    chosen: Value,
    /// The version that the player saw when choosing: the move is refused if the decision is no longer the same.
    version: Option<i64>,
}

/// Makes a move. Its `Idempotency-Key` is good for as long as there is the match.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    request_body = MoveRequest,
    responses((status = 200, body = Played))
)]
#[post("/matches/{id}/moves")]
pub(crate) async fn play_move(
    db: Data<Db>,
    world: Data<World>,
    (live, house): (Data<Live>, Data<House>),
    request: HttpRequest,
    player: Player,
    Path(id): Path<MatchId>,
    Body(MoveRequest { chosen, version }): Body<MoveRequest>,
) -> ApiResult<JsonBody<Played>> {
    let sent = Move { chosen: &chosen, version, idempotency_key: idempotency::key(request.headers())? };
    let mut conn = db.conn().await?;
    Ok(JsonBody(super::play(&mut conn, &world, (&live, &house), player.id, id, sent).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventQuery {
    /// The last version that is known already.
    after: Option<i32>,
    /// How many versions at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// `public`, a seat's number or `omniscient`; the caller's own eyes if left out, anybody's once the match is over.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>)]
    eyes: Option<Eyes>,
}

/// What was told of each version, as the caller may know it: a frame for every version, empty where there is nothing.
/// Set-up is version 0. `next` is the next `after`.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), EventQuery),
    responses((status = 200, body = List<EventFrame>))
)]
#[get("/matches/{id}/events")]
pub(crate) async fn list_events(
    db: Data<Db>,
    player: Player,
    Path(id): Path<MatchId>,
    Search(query): Search<EventQuery>,
) -> ApiResult<JsonBody<List<EventFrame>>> {
    let limit = page_size(query.limit.or(Some(100)))?;
    let mut conn = db.conn().await?;
    let snapshot = Snapshot::read(&mut conn, id).await?;
    let sight = snapshot.sight(&mut conn, &player).await?;
    let eyes = Eyes::allowed(query.eyes, sight.viewer(), &snapshot.row)?;
    let mut rows = store::list_log(&mut conn, id, query.after.unwrap_or(-1), limit + 1).await?;
    drop(conn);
    rows.retain(|row| Some(row.version) <= sight.last_version(snapshot.row.version));
    let frames =
        rows.iter().map(|row| Ok(Frame::of(row)?.through(eyes).with(&snapshot.reveals))).collect::<ApiResult<_>>()?;
    Ok(JsonBody(List::of(frames, limit, |frame: &EventFrame| frame.version.to_string())))
}

/// Gives up. The house moves for the seat from now on, so that the others can finish.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path)), responses((status = 200, body = MatchAnswer)))]
#[post("/matches/{id}/resign")]
pub(crate) async fn resign_match(
    db: Data<Db>,
    world: Data<World>,
    (live, house): (Data<Live>, Data<House>),
    player: Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let mut conn = db.conn().await?;
    super::resign(&mut conn, &world, (&live, &house), player.id, id).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbortRequest {
    /// Goes into the audit log.
    #[schema(max_length = 200)]
    reason: Option<String>,
}

/// Calls the match off: its creator before the start, staff at any time.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    request_body = Option<AbortRequest>,
    responses((status = 200, body = MatchAnswer))
)]
#[post("/matches/{id}/abort")]
pub(crate) async fn abort_match(
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    player: Player,
    Path(id): Path<MatchId>,
    OptionalBody(request): OptionalBody<AbortRequest>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let reason = request.reason.map(|reason| tidy_text(&reason, REASON_LENGTH)).transpose();
    let reason = reason.map_err(|refusal| crate::error::invalid_fields(vec![refusal.at("/reason")]))?;
    let mut conn = db.conn().await?;
    super::abort(&mut conn, &world, &live, &player, id, reason.as_deref()).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemovalRequest {
    /// Goes into the audit log.
    #[schema(max_length = 200)]
    reason: String,
}

/// Takes a player off their seat: the house plays on. For staff.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), ("seat" = u8, Path)),
    request_body = RemovalRequest,
    responses((status = 200, body = MatchAnswer))
)]
#[post("/matches/{id}/seats/{seat}/remove")]
pub(crate) async fn remove_player(
    (db, world): (Data<Db>, Data<World>),
    (live, house): (Data<Live>, Data<House>),
    Staff(staff): Staff,
    Path((id, seat)): Path<(MatchId, u8)>,
    Body(request): Body<RemovalRequest>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    staff.may(Deed::ReplacePlayers)?;
    let reason = reason(&request.reason)?;
    let mut conn = db.conn().await?;
    super::remove(&mut conn, &world, (&live, &house), &staff, (id, seat.into()), &reason).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &staff).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferRequest {
    player_id: PlayerId,
    /// Goes into the audit log.
    #[schema(max_length = 200)]
    reason: Option<String>,
}

/// Offers the seat of a player who has left to somebody who plays on, or to the same again: they accept by taking the seat.
/// Nobody may who has held another seat of the match. For staff.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), ("seat" = u8, Path)),
    request_body = OfferRequest,
    responses((status = 200, body = MatchAnswer))
)]
#[post("/matches/{id}/seats/{seat}/offer")]
pub(crate) async fn offer_seat(
    (db, world): (Data<Db>, Data<World>),
    Staff(staff): Staff,
    Path((id, seat)): Path<(MatchId, u8)>,
    Body(request): Body<OfferRequest>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    staff.may(Deed::ReplacePlayers)?;
    let reason = request.reason.as_deref().map(reason).transpose()?;
    let mut conn = db.conn().await?;
    super::offer(&mut conn, &world, &staff, (id, seat.into()), request.player_id, reason.as_deref()).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &staff).await?))
}

/// The same players play again on the same terms, each one seat further on: whoever sat second sits first. They sit already, may
/// add a nonce or leave, and somebody starts the match. Asking again, whoever asks, gives the same match.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    responses((status = 201, body = MatchAnswer), (status = 200, body = MatchAnswer, description = "Made before"))
)]
#[post("/matches/{id}/rematch")]
pub(crate) async fn create_rematch(
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    player: Player,
    Path(id): Path<MatchId>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let (again, is_new) = super::rematch(&mut conn, &world, &live, &player, id).await?;
    let mut response = if is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(response.json(answers::show(&mut conn, again, &player).await?))
}

/// The whole of a match that is over, its seed too: what `rules verify` checks.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path)), responses((status = 200, body = MatchRecord)))]
#[get("/matches/{id}/record")]
pub(crate) async fn find_record(
    db: Data<Db>,
    player: Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<MatchRecord>> {
    Ok(JsonBody(super::record(&mut *db.conn().await?, &player, id).await?))
}

fn reason(text: &str) -> ApiResult<String> {
    let reason = tidy_text(text, REASON_LENGTH);
    reason.map_err(|refusal| crate::error::invalid_fields(vec![refusal.at("/reason")]))
}
