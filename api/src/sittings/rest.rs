//! `/api/v1/sittings/…` and `/api/v1/tables/…/sittings`

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, patch, post};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::answers::{TableState, show};
use super::{SittingAnswer, SittingChange, SittingId, TableNow, party_size, store};
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::{Body, OptionalBody, Path, Player, Search, Staff};
use crate::ids::TableId;
use crate::list::{List, page_size, start};
use crate::live::Live;
use crate::matches::normal_code;
use crate::staff::Deed;
use crate::tables;
use crate::undo::Doer;
use crate::world::World;

/// The table with this code on it: who sits there, and what they play. Without a name of anybody for who is not of the
/// party. The same for `GET /t/{code}` with `Accept: application/json`, which needs nobody signed in.
#[utoipa::path(tag = "tables", params(("code" = String, Path)), responses((status = 200, body = TableNow)))]
#[get("/tables/by-code/{code}")]
pub(crate) async fn find_table_by_code(
    db: Data<Db>,
    player: Player,
    Path(code): Path<String>,
) -> ApiResult<Json<TableNow>> {
    let mut conn = db.conn().await?;
    let table = tables::store::find_by_code(&mut conn, &normal_code(&code)).await?;
    let table = table.filter(|it| it.archived_at.is_none()).ok_or_else(|| not_found("table_not_found"))?;
    Ok(Json(TableState::read(&mut conn, table, Some(&player)).await?.answer()))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScanRequest {
    /// How many they are, from the first who scans a free table.
    #[schema(minimum = 1, maximum = 99)]
    party_size: Option<i64>,
}

/// The caller has scanned the code on a table: becomes one of the party that sits there, or the first of a new one at a free
/// table. Asking again changes nothing.
#[utoipa::path(
    tag = "tables",
    params(("code" = String, Path)),
    request_body = Option<ScanRequest>,
    responses((status = 200, body = TableNow))
)]
#[post("/tables/by-code/{code}/members")]
pub(crate) async fn scan_table(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    player: Player,
    Path(code): Path<String>,
    OptionalBody(request): OptionalBody<ScanRequest>,
) -> ApiResult<Json<TableNow>> {
    let mut conn = db.conn().await?;
    let party = super::scan(&mut conn, &world, &live, player.id, (&code, request.party_size)).await?;
    Ok(Json(TableState::read(&mut conn, party.table, Some(&player)).await?.answer()))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// From one of the party.
    join_token: String,
}

/// Becomes one of the party whose token this is. After the party has left, its token opens nothing.
#[utoipa::path(tag = "tables", request_body = JoinRequest, responses((status = 200, body = SittingAnswer)))]
#[post("/sittings/members")]
pub(crate) async fn join_sitting(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    player: Player,
    Body(request): Body<JoinRequest>,
) -> ApiResult<Json<SittingAnswer>> {
    let mut conn = db.conn().await?;
    let row = super::join(&mut conn, &world, &live, player.id, &request.join_token).await?;
    Ok(Json(show(&mut conn, row, player.id).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SittingQuery {
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// The parties that sat and sit at a table, the latest first.
#[utoipa::path(
    tag = "tables",
    params(("id" = TableId, Path), SittingQuery),
    responses((status = 200, body = List<SittingAnswer>))
)]
#[get("/tables/{id}/sittings")]
pub(crate) async fn list_sittings(
    db: Data<Db>,
    Staff(staff): Staff,
    Path(id): Path<TableId>,
    Search(query): Search<SittingQuery>,
) -> ApiResult<Json<List<SittingAnswer>>> {
    staff.may(Deed::RunFloor)?;
    let limit = page_size(query.limit)?;
    let mut conn = db.conn().await?;
    tables::store::find(&mut conn, id).await?.ok_or_else(|| not_found("table_not_found"))?;
    let rows = store::list_at(&mut conn, id, start(query.cursor.as_deref())?, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    let ids: Vec<SittingId> = items.iter().map(|row| row.id).collect();
    let members = store::list_members(&mut conn, &ids).await?;
    let items = items.into_iter().map(|row| SittingAnswer::of(row, &members, staff.id)).collect();
    Ok(Json(List { items, next }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SittingRequest {
    #[schema(minimum = 1, maximum = 99)]
    party_size: i64,
}

/// Seats a party at a free table.
#[utoipa::path(
    tag = "tables",
    params(("id" = TableId, Path)),
    request_body = SittingRequest,
    responses((status = 201, body = SittingAnswer))
)]
#[post("/tables/{id}/sittings")]
pub(crate) async fn open_sitting(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path(id): Path<TableId>,
    Body(request): Body<SittingRequest>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunFloor)?;
    let size = party_size(request.party_size)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let (row, _) = super::open(&mut conn, doer, id, size).await?;
    Ok(HttpResponse::Created().json(show(&mut conn, row, staff.id).await?))
}

/// One sitting, for the party itself and for staff.
#[utoipa::path(tag = "tables", params(("id" = SittingId, Path)), responses((status = 200, body = SittingAnswer)))]
#[get("/sittings/{id}")]
pub(crate) async fn find_sitting(
    db: Data<Db>,
    player: Player,
    Path(id): Path<SittingId>,
) -> ApiResult<Json<SittingAnswer>> {
    let mut conn = db.conn().await?;
    let row = super::expect_party_or_staff(&mut conn, id, &player).await?;
    Ok(Json(show(&mut conn, row, player.id).await?))
}

/// Changes a party's size, moves it to a free table, or marks it as about to leave.
#[utoipa::path(
    tag = "tables",
    params(("id" = SittingId, Path)),
    request_body = SittingChange,
    responses((status = 200, body = SittingAnswer))
)]
#[patch("/sittings/{id}")]
pub(crate) async fn change_sitting(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path(id): Path<SittingId>,
    Body(change): Body<SittingChange>,
) -> ApiResult<Json<SittingAnswer>> {
    staff.may(Deed::RunFloor)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let (row, _) = super::change(&mut conn, doer, id, &change).await?;
    Ok(Json(show(&mut conn, row, staff.id).await?))
}

/// Closes a sitting: the party has left.
#[utoipa::path(tag = "tables", params(("id" = SittingId, Path)), responses((status = 200, body = SittingAnswer)))]
#[delete("/sittings/{id}")]
pub(crate) async fn close_sitting(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path(id): Path<SittingId>,
) -> ApiResult<Json<SittingAnswer>> {
    staff.may(Deed::RunFloor)?;
    let mut conn = db.conn().await?;
    let (row, _) = super::close(&mut conn, Doer { world: &world, live: &live, staff: &staff }, id).await?;
    Ok(Json(show(&mut conn, row, staff.id).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeRequest {
    /// The party that they sit down with.
    into: SittingId,
}

/// Puts a party together with another: people, matches that wait or run, open calls. Answers with the other.
#[utoipa::path(
    tag = "tables",
    params(("id" = SittingId, Path)),
    request_body = MergeRequest,
    responses((status = 200, body = SittingAnswer))
)]
#[post("/sittings/{id}/merge")]
pub(crate) async fn merge_sittings(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path(id): Path<SittingId>,
    Body(request): Body<MergeRequest>,
) -> ApiResult<Json<SittingAnswer>> {
    staff.may(Deed::RunFloor)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let (row, _) = super::merge(&mut conn, doer, (id, request.into)).await?;
    Ok(Json(show(&mut conn, row, staff.id).await?))
}
