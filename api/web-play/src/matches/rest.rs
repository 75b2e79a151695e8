//! `/api/v1/matches/…`, but for the stream.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use crate::matches::answers::FrameAnswer;
use std::time::Duration;
use web_base::addresses::created;
use web_base::limits::{Budget, Creations, LongPolls, Moves, Writes};

use actix_web::web::{Data, Json as JsonBody};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use diesel_async::AsyncPgConnection;
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::narrator::{Narrator, name_legal_moves};
use super::replay::Perspective;
use super::{EventFrame, MatchAnswer, answers};
use base::auth::can;
use base::db::Db;
use base::error::{invalid_field, invalid_query, not_found};
use base::games::shapes::GameMove;
use base::ids::{PlayerId, TableId};
use base::inputs::tidy_text;
use base::list::{List, page_size, start as page_start};
use base::live::Live;
use base::text::Lang;
use base::world::World;
use play::matches::feed::Frame;
use play::matches::replay::MatchRecord;
use play::matches::{
    Autopilot, BotLevel, Filter, MatchId, Move, Mover, NewMatchRequest, Nonce, Played, Reader, SeatView, Snapshot,
    Status, seat_view, store,
};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, OptionalBody, Path, Player, Search};
use web_base::idempotency;

const LONGEST_WAIT: Duration = Duration::from_secs(30);
const USUAL_WAIT: Duration = Duration::from_secs(25);
const REASON_LENGTH: usize = 200;

/// Makes a match. Nobody sits at it yet.
#[utoipa::path(tag = "matches", request_body = NewMatchRequest, responses((status = 201, body = MatchAnswer)))]
#[post("/matches")]
pub async fn create_match(
    budget: Budget<Creations>,
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    Player(player): Player,
    Body(request): Body<NewMatchRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let row = play::matches::create(&mut conn, &world, &live, &player, budget.waiting_matches(), &request).await?;
    Ok(created(format_args!("/matches/{}", row.id)).json(answers::show(&mut conn, row.id, &player).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
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
pub async fn list_matches(
    db: Data<Db>,
    Player(player): Player,
    Search(query): Search<ListQuery>,
) -> ApiResult<JsonBody<List<MatchAnswer>>> {
    let limit = page_size(query.limit)?;
    let before = page_start(query.cursor.as_deref())?;
    let read = async |conn: &mut AsyncPgConnection| {
        let reader = Reader::of(conn, &player).await?;
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
            before,
            ..Filter::default()
        };
        let rows = store::list(conn, &filter, limit + 1).await?;
        let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
        ApiResult::Ok(List { items: answers::show_all(conn, items, reader, player.id).await?, next })
    };
    let list = match query.status {
        Some(status) if status.is_over() => db.read(read).await?,
        _ => read(&mut *db.conn().await?).await?,
    };
    Ok(JsonBody(list))
}

/// The match with this code.
#[utoipa::path(tag = "matches", params(("code" = String, Path)), responses((status = 200, body = MatchAnswer)))]
#[get("/matches/by-code/{code}")]
pub async fn find_match_by_code(
    db: Data<Db>,
    Player(player): Player,
    Path(code): Path<String>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let mut conn = db.conn().await?;
    let id = store::find_id_by_code(&mut conn, &base::codes::normal_code(&code)).await?;
    let id = id.ok_or_else(|| not_found("match_not_found"))?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WaitQuery {
    /// Wait for a later version than this one, or for the end.
    after: Option<i64>,
    /// How many seconds to wait at most.
    #[param(minimum = 0, maximum = 30)]
    wait: Option<f64>,
}

/// The match, with what everybody sees of it; with `after`, as soon as there is something new or the time is up.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), WaitQuery),
    responses((status = 200, body = MatchAnswer))
)]
#[get("/matches/{id}")]
pub async fn find_match(
    _: Budget<LongPolls>,
    db: Data<Db>,
    live: Data<Live>,
    Player(player): Player,
    Path(id): Path<MatchId>,
    Search(query): Search<WaitQuery>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    if let Some(patience) = patience(query.after, query.wait)? {
        answers::wait(&db, &live, &player, id, query.after.unwrap_or(-1), patience).await?;
    }
    Ok(JsonBody(answers::show(&mut *db.conn().await?, id, &player).await?))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatRequest {
    /// The lowest free one if left out.
    seat: Option<i64>,
    /// What the player adds to the chance.
    nonce: Option<Nonce>,
    /// Seats a bot of this level instead of the caller. In a match that runs it plays on for a player who has left.
    bot: Option<BotLevel>,
}

/// Sits down, or seats a bot: the match's creator and staff may. Asking again for the same seat changes nothing but the level.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    request_body = Option<SeatRequest>,
    responses((status = 201, body = MatchAnswer), (status = 200, body = MatchAnswer, description = "Already seated there"))
)]
#[post("/matches/{id}/seats")]
pub async fn take_seat(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    (live, autopilot): (Data<Live>, Data<Autopilot>),
    Player(player): Player,
    Path(id): Path<MatchId>,
    OptionalBody(request): OptionalBody<SeatRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let seated = match request.bot {
        Some(level) => {
            if request.nonce.is_some() {
                return Err(invalid_field("/nonce", "invalid").into());
            }
            play::matches::seat_bot(&mut conn, (&world, &live), &autopilot, &player, id, request.seat, level).await?
        }
        None => {
            play::matches::sit(&mut conn, &world, &live, player.id, id, request.seat, request.nonce.as_ref()).await?
        }
    };
    let mut response = if seated.is_new { created(format_args!("/matches/{id}")) } else { HttpResponse::Ok() };
    Ok(response.json(answers::show(&mut conn, id, &player).await?))
}

/// Leaves the seat before the start.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    responses((status = 204, description = "The seat is free again"))
)]
#[delete("/matches/{id}/seats/me")]
pub async fn leave_seat(
    _: Budget<Writes>,
    db: Data<Db>,
    live: Data<Live>,
    Player(player): Player,
    Path(id): Path<MatchId>,
) -> ApiResult<HttpResponse> {
    play::matches::leave(&mut *db.conn().await?, &live, player.id, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Debug, Deserialize)]
pub(crate) struct BotSeat {
    id: MatchId,
    seat: i64,
}

/// The bot on this seat gets up before the start. For the match's creator and staff.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), ("seat" = i64, Path)),
    responses((status = 204, description = "The seat is free again"))
)]
#[delete("/matches/{id}/seats/{seat}/bot")]
pub async fn remove_bot(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    Player(player): Player,
    Path(BotSeat { id, seat }): Path<BotSeat>,
) -> ApiResult<HttpResponse> {
    play::matches::remove_bot(&mut *db.conn().await?, &world, &live, &player, id, seat).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Starts the match once all seats are taken. Its creator and staff may, and of a rematch each of its players.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path)), responses((status = 200, body = MatchAnswer)))]
#[post("/matches/{id}/start")]
pub async fn start_match(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    (live, autopilot): (Data<Live>, Data<Autopilot>),
    Player(player): Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let mut conn = db.conn().await?;
    play::matches::start(&mut conn, (&world, &live), &autopilot, &player, id).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ViewQuery {
    /// Wait for a later version than this one.
    after: Option<i64>,
    /// How many seconds to wait at most.
    #[param(minimum = 0, maximum = 30)]
    wait: Option<f64>,
    /// Also name each legal move in this language.
    text: Option<Lang>,
}

/// What the caller's seat sees and may do; with `after`, as soon as there is something new or the time is up.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path), ViewQuery), responses((status = 200, body = SeatView)))]
#[get("/matches/{id}/view")]
pub async fn find_view(
    _: Budget<LongPolls>,
    db: Data<Db>,
    live: Data<Live>,
    Player(player): Player,
    Path(id): Path<MatchId>,
    Search(query): Search<ViewQuery>,
) -> ApiResult<JsonBody<SeatView>> {
    let view = match patience(query.after, query.wait)? {
        None => seat_view::find(&mut *db.conn().await?, &player, id).await?,
        Some(patience) => seat_view::wait(&db, &live, &player, id, query.after.unwrap_or(-1), patience).await?,
    };
    Ok(JsonBody(match query.text {
        Some(lang) => name_legal_moves(&mut *db.conn().await?, id, lang, view).await?,
        None => view,
    }))
}

/// How long somebody waits who asks for a version `after` theirs or to `wait`; none for who asks for what is there.
fn patience(after: Option<i64>, wait: Option<f64>) -> ApiResult<Option<Duration>> {
    if after.is_none() && wait.is_none() {
        return Ok(None);
    }
    let wait = wait.map_or(Ok(USUAL_WAIT), Duration::try_from_secs_f64);
    Ok(Some(wait.map_err(|_| invalid_query("wait", "out_of_range"))?.min(LONGEST_WAIT)))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveRequest {
    /// As the game's document says, such as `{"type":"bid","count":3,"face":4}`.
    #[serde(rename = "move")]
    #[schema(value_type = GameMove)]
    chosen: Value,
    /// The version that the player saw when choosing: the move is refused if the decision is no longer the same.
    version: Option<i64>,
}

/// Makes a move. Its `Idempotency-Key` is kept until the log of the match is packed, days after it is over.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    request_body = MoveRequest,
    responses((status = 200, body = Played))
)]
#[post("/matches/{id}/moves")]
pub async fn play_move(
    _: Budget<Moves>,
    db: Data<Db>,
    (mover, autopilot): (Data<Mover>, Data<Autopilot>),
    request: HttpRequest,
    Player(player): Player,
    Path(id): Path<MatchId>,
    Body(MoveRequest { chosen, version }): Body<MoveRequest>,
) -> ApiResult<JsonBody<Played>> {
    let sent = Move { chosen: &chosen, version, idempotency_key: idempotency::key(request.headers())? };
    Ok(JsonBody(play::matches::play(&mover, &autopilot, &db, player.id, id, sent).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventQuery {
    /// The last version that is known already.
    after: Option<i32>,
    /// How many versions at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// `public`, a seat's number or `omniscient`; the caller's own eyes if left out, anybody's once the match is over.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>)]
    perspective: Option<Perspective>,
    /// Also say each event as a sentence in this language.
    text: Option<Lang>,
}

/// What was told of each version, as the caller may know it: a frame for every version, empty where there is nothing.
/// Set-up is version 0. `next` is the next `after`.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), EventQuery),
    responses((status = 200, body = List<EventFrame>))
)]
#[get("/matches/{id}/events")]
pub async fn list_events(
    db: Data<Db>,
    Player(player): Player,
    Path(id): Path<MatchId>,
    Search(query): Search<EventQuery>,
) -> ApiResult<JsonBody<List<EventFrame>>> {
    let limit = page_size(query.limit.or(Some(100)))?;
    let mut conn = db.conn().await?;
    let snapshot = Snapshot::read(&mut conn, id).await?;
    let access = snapshot.access(&mut conn, &player).await?;
    let perspective = Perspective::allowed(query.perspective, access.viewer(), &snapshot.row)?;
    let mut rows = store::list_log(&mut conn, id, query.after.unwrap_or(-1), limit + 1).await?;
    drop(conn);
    rows.retain(|row| Some(row.version) <= access.last_version(snapshot.row.version));
    let narrator = query.text.map(|lang| Narrator::of(&snapshot, lang));
    let told = |frame| Narrator::told(narrator.as_ref(), frame);
    let frames = rows
        .iter()
        .map(|row| Ok(told(Frame::of(row)?.through(perspective).with(&snapshot.reveals))))
        .collect::<ApiResult<_>>()?;
    Ok(JsonBody(List::of(frames, limit, |frame: &EventFrame| frame.version.to_string())))
}

/// Gives up. The autopilot moves for the seat from now on, so that the others can finish.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path)), responses((status = 200, body = MatchAnswer)))]
#[post("/matches/{id}/resign")]
pub async fn resign_match(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    (live, autopilot): (Data<Live>, Data<Autopilot>),
    Player(player): Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let mut conn = db.conn().await?;
    play::matches::resign(&mut conn, &world, &live, &autopilot, player.id, id).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

/// Plays on after the time ran out three times in a row. Of a seat that was given up, or taken off its player by staff, only
/// staff decide.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path)), responses((status = 200, body = MatchAnswer)))]
#[post("/matches/{id}/take-back")]
pub async fn take_seat_back(
    _: Budget<Writes>,
    db: Data<Db>,
    live: Data<Live>,
    Player(player): Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let mut conn = db.conn().await?;
    play::matches::take_back(&mut conn, &live, player.id, id).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AbortRequest {
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
pub async fn abort_match(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    Player(player): Player,
    Path(id): Path<MatchId>,
    OptionalBody(request): OptionalBody<AbortRequest>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let reason = request.reason.map(|reason| tidy_text(&reason, REASON_LENGTH)).transpose();
    let reason = reason.map_err(|refusal| base::error::invalid_fields(vec![refusal.at("/reason")]))?;
    let mut conn = db.conn().await?;
    play::matches::abort(&mut conn, &world, &live, &player, id, reason.as_deref()).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemovalRequest {
    /// Goes into the audit log.
    #[schema(max_length = 200)]
    reason: String,
}

/// Takes a player off their seat: the autopilot plays on. For staff.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), ("seat" = u8, Path)),
    request_body = RemovalRequest,
    responses((status = 200, body = MatchAnswer))
)]
#[post("/matches/{id}/seats/{seat}/remove")]
pub async fn remove_player(
    _: Budget<Writes>,
    autopilot: Data<Autopilot>,
    Authorized(mut cx): Authorized<can::ReplacePlayers>,
    Path((id, seat)): Path<(MatchId, u8)>,
    Body(request): Body<RemovalRequest>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let reason = reason(&request.reason)?;
    play::matches::remove(&mut cx, &autopilot, id, seat.into(), &reason).await?;
    let (conn, actor) = cx.parts().await?;
    Ok(JsonBody(answers::show(conn, id, actor.staff).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfferRequest {
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
pub async fn offer_seat(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ReplacePlayers>,
    Path((id, seat)): Path<(MatchId, u8)>,
    Body(request): Body<OfferRequest>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let reason = request.reason.as_deref().map(reason).transpose()?;
    play::matches::offer(&mut cx, id, seat.into(), request.player_id, reason.as_deref()).await?;
    let (conn, actor) = cx.parts().await?;
    Ok(JsonBody(answers::show(conn, id, actor.staff).await?))
}

/// Makes a match on the same terms for the same players, each one seat further on: the second player sits first. The caller is
/// seated, the other players are invited; each of them sits down by the same request. Asking again gives the same match.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    responses((status = 201, body = MatchAnswer), (status = 200, body = MatchAnswer, description = "Made before"))
)]
#[post("/matches/{id}/rematch")]
pub async fn create_rematch(
    budget: Budget<Creations>,
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    Player(player): Player,
    Path(id): Path<MatchId>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let (again, is_new) =
        play::matches::rematch(&mut conn, &world, &live, &player, budget.waiting_matches(), id).await?;
    let mut response = if is_new { created(format_args!("/matches/{again}")) } else { HttpResponse::Ok() };
    Ok(response.json(answers::show(&mut conn, again, &player).await?))
}

/// The whole of a match that is over, its seed too: what `rules verify` checks.
#[utoipa::path(tag = "matches", params(("id" = MatchId, Path)), responses((status = 200, body = MatchRecord)))]
#[get("/matches/{id}/record")]
pub async fn find_record(
    db: Data<Db>,
    Player(player): Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<MatchRecord>> {
    Ok(JsonBody(db.read(async |conn| play::matches::record(conn, &player, id).await).await?))
}

fn reason(text: &str) -> ApiResult<String> {
    let reason = tidy_text(text, REASON_LENGTH);
    Ok(reason.map_err(|refusal| base::error::invalid_fields(vec![refusal.at("/reason")]))?)
}
