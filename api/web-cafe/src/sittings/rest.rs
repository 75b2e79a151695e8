//! `/api/v1/sittings/…` and `/api/v1/tables/…/sittings`

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, patch, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::answers::{TableState, show};
use super::{SittingAnswer, TableNow};
use base::auth::{StaffContext, can};
use base::codes::normal_code;
use base::db::Db;
use base::error::not_found;
use base::ids::{PlayerId, TableId};
use base::list::{List, page_size, start};
use base::live::Live;
use base::world::World;
use play::sittings::{Held, Scan, SittingChange, SittingId, SittingRow, party_size, store};
use play::tables;
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, OptionalBody, PageQuery, Path, Player, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::Charges;

/// The table with this code on it: its party, and what they play. It tells names to the party itself and to staff; who plays an open
/// match, `GET /matches` tells everybody. The same for `GET /t/{code}` with `Accept: application/json`, which needs nobody signed in.
#[utoipa::path(tag = "tables", params(("code" = String, Path)), responses((status = 200, body = TableNow)))]
#[get("/tables/by-code/{code}")]
pub async fn find_table_by_code(
    db: Data<Db>,
    charges: Charges,
    Player(player): Player,
    Path(code): Path<String>,
) -> ApiResult<Json<TableNow>> {
    let mut conn = db.conn().await?;
    let table = tables::store::find_by_code(&mut conn, &normal_code(&code)).await?;
    let table = table.filter(|it| it.archived_at.is_none()).ok_or_else(|| not_found("table_not_found"))?;
    Ok(Json(TableState::read(&mut conn, table, Some(&player)).await?.answer(&charges)))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScanRequest {
    /// How many they are, from the first who scans a free table.
    #[schema(minimum = 1, maximum = 99)]
    party_size: Option<i64>,
    /// `true` from staff who sit down where a bout of a tournament is to be played: otherwise that is refused (`table_held`).
    force: Option<bool>,
}

/// For a caller who has scanned the code on a table: joins the party that sits there, or opens a new one at a free
/// table. Asking again changes nothing. A table that a tournament keeps for a bout opens to nobody (`table_held`): `held_for` of the
/// table says for which, and for its players which match it is.
#[utoipa::path(
    tag = "tables",
    params(("code" = String, Path)),
    request_body = Option<ScanRequest>,
    responses((status = 200, body = TableNow))
)]
#[post("/tables/by-code/{code}/members")]
pub async fn scan_table(
    _: Budget<Writes>,
    db: Data<Db>,
    charges: Charges,
    (world, live): (Data<World>, Data<Live>),
    Player(player): Player,
    Path(code): Path<String>,
    OptionalBody(request): OptionalBody<ScanRequest>,
) -> ApiResult<Json<TableNow>> {
    let mut conn = db.conn().await?;
    let held = play::sittings::held_for(&mut conn, Some(&player), request.force == Some(true)).await?;
    let scan = Scan { player: player.id, code: &code, size: request.party_size, held };
    let party = play::sittings::scan(&mut conn, &world, &live, scan).await?;
    Ok(Json(TableState::read(&mut conn, party.table, Some(&player)).await?.answer(&charges)))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinRequest {
    /// From one of the party.
    join_token: String,
}

/// Joins the party whose token this is. After the party has left, its token does not work.
#[utoipa::path(tag = "tables", request_body = JoinRequest, responses((status = 200, body = SittingAnswer)))]
#[post("/sittings/members")]
pub async fn join_sitting(
    _: Budget<Writes>,
    db: Data<Db>,
    charges: Charges,
    (world, live): (Data<World>, Data<Live>),
    Player(player): Player,
    Body(request): Body<JoinRequest>,
) -> ApiResult<Json<SittingAnswer>> {
    let mut conn = db.conn().await?;
    let row = play::sittings::join(&mut conn, &world, &live, player.id, &request.join_token).await?;
    Ok(Json(show(&mut conn, row, player.id, &charges).await?))
}

/// The parties that sit or sat at a table, the latest first.
#[utoipa::path(
    tag = "tables",
    params(("id" = TableId, Path), PageQuery),
    responses((status = 200, body = List<SittingAnswer>))
)]
#[get("/tables/{id}/sittings")]
pub async fn list_sittings(
    charges: Charges,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<TableId>,
    Search(query): Search<PageQuery>,
) -> ApiResult<Json<List<SittingAnswer>>> {
    let limit = page_size(query.limit)?;
    tables::store::find(cx.conn().await?, id).await?.ok_or_else(|| not_found("table_not_found"))?;
    let rows = store::list_at(cx.conn().await?, id, start(query.cursor.as_deref())?, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    let ids: Vec<SittingId> = items.iter().map(|row| row.id).collect();
    let members = store::list_members(cx.conn().await?, &ids).await?;
    let items = items.into_iter().map(|row| SittingAnswer::of(row, &members, cx.staff.id, &charges)).collect();
    Ok(Json(List { items, next }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SittingRequest {
    #[schema(minimum = 1, maximum = 99)]
    party_size: i64,
    /// `true` to seat it where a bout of a tournament is to be played: otherwise that is refused (`table_held`).
    force: Option<bool>,
}

/// Seats a party at a free table.
#[utoipa::path(
    tag = "tables",
    params(("id" = TableId, Path)),
    request_body = SittingRequest,
    responses((status = 201, body = SittingAnswer))
)]
#[post("/tables/{id}/sittings")]
pub async fn open_sitting(
    _: Budget<Writes>,
    charges: Charges,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<TableId>,
    Body(request): Body<SittingRequest>,
) -> ApiResult<HttpResponse> {
    let size = party_size(request.party_size)?;
    let (party, _) = play::sittings::open(&mut cx, id, size, Held::of(request.force.unwrap_or(false))).await?;
    // Nobody has joined it yet.
    Ok(created(format_args!("/sittings/{}", party.sitting.id)).json(SittingAnswer::of(
        party.sitting,
        &[],
        cx.staff.id,
        &charges,
    )))
}

/// One sitting, for the party itself and for staff.
#[utoipa::path(tag = "tables", params(("id" = SittingId, Path)), responses((status = 200, body = SittingAnswer)))]
#[get("/sittings/{id}")]
pub async fn find_sitting(
    db: Data<Db>,
    charges: Charges,
    Player(player): Player,
    Path(id): Path<SittingId>,
) -> ApiResult<Json<SittingAnswer>> {
    let mut conn = db.conn().await?;
    let row = play::sittings::expect_party_or_staff(&mut conn, id, &player).await?;
    Ok(Json(show(&mut conn, row, player.id, &charges).await?))
}

/// Changes a party's size, moves it to a free table, or marks it as about to leave.
#[utoipa::path(
    tag = "tables",
    params(("id" = SittingId, Path)),
    request_body = SittingChange,
    responses((status = 200, body = SittingAnswer))
)]
#[patch("/sittings/{id}")]
pub async fn change_sitting(
    _: Budget<Writes>,
    charges: Charges,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<SittingId>,
    Body(change): Body<SittingChange>,
) -> ApiResult<Json<SittingAnswer>> {
    let (row, _) = play::sittings::change(&mut cx, id, &change).await?;
    Ok(Json(show_to(&mut cx, row, &charges).await?))
}

/// Closes a sitting: the party has left.
#[utoipa::path(tag = "tables", params(("id" = SittingId, Path)), responses((status = 200, body = SittingAnswer)))]
#[delete("/sittings/{id}")]
pub async fn close_sitting(
    _: Budget<Writes>,
    charges: Charges,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<SittingId>,
) -> ApiResult<Json<SittingAnswer>> {
    let (row, _) = play::sittings::close(&mut cx, id, charges.prices().as_ref()).await?;
    Ok(Json(show_to(&mut cx, row, &charges).await?))
}

/// Takes somebody off a party: they leave its matches that wait, and no code lets them into it again. The party gets another
/// join token. Asking again changes nothing.
#[utoipa::path(
    tag = "tables",
    params(("id" = SittingId, Path), ("player_id" = PlayerId, Path)),
    responses((status = 200, body = SittingAnswer))
)]
#[delete("/sittings/{id}/members/{player_id}")]
pub async fn remove_member(
    _: Budget<Writes>,
    charges: Charges,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path((id, player)): Path<(SittingId, PlayerId)>,
) -> ApiResult<Json<SittingAnswer>> {
    let (row, _) = play::sittings::remove_member(&mut cx, id, player).await?;
    Ok(Json(show_to(&mut cx, row, &charges).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MergeRequest {
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
pub async fn merge_sittings(
    _: Budget<Writes>,
    charges: Charges,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<SittingId>,
    Body(request): Body<MergeRequest>,
) -> ApiResult<Json<SittingAnswer>> {
    let (row, _) = play::sittings::merge(&mut cx, id, request.into).await?;
    Ok(Json(show_to(&mut cx, row, &charges).await?))
}

async fn show_to(
    cx: &mut StaffContext<'static, can::RunFloor>,
    row: SittingRow,
    charges: &Charges,
) -> ApiResult<SittingAnswer> {
    let caller = cx.staff.id;
    show(cx.conn().await?, row, caller, charges).await
}
