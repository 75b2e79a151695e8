//! `/api/v1/series/…`: everybody reads what is not a draft, staff write.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post, put};
use serde::Deserialize;
use utoipa::IntoParams;

use super::answers::{NextPlaceAnswer, SeriesAnswer, SeriesAnswers, WholeSeriesAnswer};
use super::export;
use crate::tournaments::answers::{TournamentAnswers, WholeAnswer};
use crate::tournaments::rest::sees_drafts;
use base::auth::{StaffContext, can};
use base::db::Db;
use base::ids::{PlayerId, SeriesId, TournamentId};
use base::list::{List, page_size, start as page_start};
use competitions::series::{
    self, EventRequest, Filter, NextSeasonRequest, PersonRequest, SeedingRequest, SeriesChange, SeriesRequest,
    SeriesStatus,
};
use competitions::tournaments::SeesDrafts;
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, OptionalBody, Path, Search, Visitor};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Exports, Writes};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SeriesQuery {
    status: Option<SeriesStatus>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Series, the latest first; drafts for staff only.
#[utoipa::path(tag = "series", params(SeriesQuery), responses((status = 200, body = List<SeriesAnswer>)), security((), ("bearer" = [])))]
#[get("/series")]
pub async fn list_series(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Search(query): Search<SeriesQuery>,
) -> ApiResult<Json<List<SeriesAnswer>>> {
    let limit = page_size(query.limit)?;
    let before = page_start(query.cursor.as_deref())?;
    let mut conn = db.conn().await?;
    let with_drafts = sees_drafts(&mut conn, visitor.as_ref()).await?;
    let filter = Filter { status: query.status, with_drafts, before };
    let rows = series::list(&mut conn, &filter, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    Ok(Json(List { items: items.into_iter().map(SeriesAnswer::from).collect(), next }))
}

/// Drafts a series.
#[utoipa::path(tag = "series", request_body = SeriesRequest, responses((status = 201, body = WholeSeriesAnswer)))]
#[post("/series")]
pub async fn create_series(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Body(request): Body<SeriesRequest>,
) -> ApiResult<HttpResponse> {
    let id = series::create(&mut cx, &request).await?;
    let made = series::load_for_staff(&mut cx, id).await?.answer(true)?;
    Ok(created(format_args!("/series/{id}")).json(made))
}

/// A series with its events and its tables, calculated from the final standings of its events as they are now.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path)),
    responses((status = 200, body = WholeSeriesAnswer)),
    security((), ("bearer" = []))
)]
#[get("/series/{id}")]
pub async fn find_series(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<SeriesId>,
) -> ApiResult<Json<WholeSeriesAnswer>> {
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor.as_ref()).await?;
    Ok(Json(series::load(&mut conn, id, by_staff).await?.answer(by_staff)?))
}

/// The same by the code that people type.
#[utoipa::path(
    tag = "series",
    params(("code" = String, Path)),
    responses((status = 200, body = WholeSeriesAnswer)),
    security((), ("bearer" = []))
)]
#[get("/series/by-code/{code}")]
pub async fn find_series_by_code(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
) -> ApiResult<Json<WholeSeriesAnswer>> {
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor.as_ref()).await?;
    Ok(Json(series::load_by_code(&mut conn, &code, by_staff).await?.answer(by_staff)?))
}

/// Changes a series, shows or hides it, or ends its season without a next one.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path)),
    request_body = SeriesChange,
    responses((status = 200, body = WholeSeriesAnswer))
)]
#[patch("/series/{id}")]
pub async fn change_series(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
    Body(change): Body<SeriesChange>,
) -> ApiResult<Json<WholeSeriesAnswer>> {
    series::change(&mut cx, id, &change).await?;
    show(&mut cx, id).await
}

/// Deletes a draft. Its tournaments stay as they are.
#[utoipa::path(tag = "series", params(("id" = SeriesId, Path)), responses((status = 204)))]
#[delete("/series/{id}")]
pub async fn delete_series(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
) -> ApiResult<HttpResponse> {
    series::delete(&mut cx, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Counts a tournament in a series, once it is over: for one division or for all. Asking again changes its division.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path), ("tournament" = TournamentId, Path)),
    request_body = Option<EventRequest>,
    responses((status = 200, body = WholeSeriesAnswer))
)]
#[put("/series/{id}/events/{tournament}")]
pub async fn put_series_event(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, tournament)): Path<(SeriesId, TournamentId)>,
    OptionalBody(request): OptionalBody<EventRequest>,
) -> ApiResult<Json<WholeSeriesAnswer>> {
    series::put_event(&mut cx, id, tournament, &request).await?;
    show(&mut cx, id).await
}

/// Takes a tournament out of a series. Asking again changes nothing.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path), ("tournament" = TournamentId, Path)),
    responses((status = 200, body = WholeSeriesAnswer))
)]
#[delete("/series/{id}/events/{tournament}")]
pub async fn remove_series_event(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, tournament)): Path<(SeriesId, TournamentId)>,
) -> ApiResult<Json<WholeSeriesAnswer>> {
    series::remove_event(&mut cx, id, tournament).await?;
    show(&mut cx, id).await
}

/// Says of an account in a series whose it is, and in which division that person plays. Without a word of staff, guests of one name are
/// one person unless two of them played in one event, and people play in the division of the first event of a division in which they
/// played, or else in the lowest.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path), ("player" = PlayerId, Path)),
    request_body = PersonRequest,
    responses((status = 200, body = WholeSeriesAnswer))
)]
#[put("/series/{id}/people/{player}")]
pub async fn set_series_person(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, player)): Path<(SeriesId, PlayerId)>,
    Body(request): Body<PersonRequest>,
) -> ApiResult<Json<WholeSeriesAnswer>> {
    series::set_person(&mut cx, id, player, &request).await?;
    show(&mut cx, id).await
}

/// Who would play in which division in the next season, if this one ended now.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path)),
    responses((status = 200, body = List<NextPlaceAnswer>))
)]
#[get("/series/{id}/next-season")]
pub async fn plan_next_season(
    Authorized(mut cx): Authorized<can::ViewTournaments>,
    Path(id): Path<SeriesId>,
) -> ApiResult<Json<List<NextPlaceAnswer>>> {
    let items = series::load_for_staff(&mut cx, id).await?.next_places()?;
    Ok(Json(List { items, next: None }))
}

/// Ends the season and drafts the next one by the same rules, with people in the divisions to which they go.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path)),
    request_body = NextSeasonRequest,
    responses((status = 201, body = WholeSeriesAnswer))
)]
#[post("/series/{id}/next-season")]
pub async fn end_season(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
    Body(request): Body<NextSeasonRequest>,
) -> ApiResult<HttpResponse> {
    let next = series::end_season(&mut cx, id, &request, None).await?;
    let made = series::load_for_staff(&mut cx, next).await?.answer(true)?;
    Ok(created(format_args!("/series/{next}")).json(made))
}

/// Gives a tournament seeds by the table of a series, the highest division first; before it starts. Who is not in the table is behind.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path)),
    request_body = SeedingRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/series/{id}/seeding")]
pub async fn seed_from_series(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
    Body(request): Body<SeedingRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    series::seed(&mut cx, id, &request).await?;
    let seeded = competitions::tournaments::load_for_staff(&mut cx, request.tournament_id).await?;
    let now = cx.parts().await?.1.world.now();
    Ok(Json(seeded.whole_answer(Some(now))?))
}

/// The tables as CSV, an event a column, with headings in the caller's language.
#[utoipa::path(
    tag = "series",
    params(("id" = SeriesId, Path)),
    responses((status = 200, content_type = "text/csv", body = String)),
    security((), ("bearer" = []))
)]
#[get("/series/{id}/table.csv")]
pub async fn export_series_table(
    _: Budget<Exports>,
    db: Data<Db>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path(id): Path<SeriesId>,
) -> ApiResult<HttpResponse> {
    let by_staff = sees_drafts(&mut *db.conn().await?, visitor.as_ref()).await?;
    let season = db.read(async |conn| series::load(conn, id, by_staff).await).await?;
    let text = export::table(&season, lang_of(&request))?;
    let mut response = HttpResponse::Ok();
    response.content_type("text/csv; charset=utf-8");
    response.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"series.csv\""));
    Ok(response.body(text))
}

/// As staff see it.
async fn show<P: SeesDrafts>(cx: &mut StaffContext<'_, P>, id: SeriesId) -> ApiResult<Json<WholeSeriesAnswer>> {
    Ok(Json(series::load_for_staff(cx, id).await?.answer(true)?))
}
