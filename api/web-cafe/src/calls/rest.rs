//! `/api/v1/calls/…`

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use base::auth::can;
use base::db::Db;
use base::error::invalid_field;
use base::ids::{SittingId, TableId};
use base::list::List;
use base::live::Live;
use base::world::World;
use play::calls::{CallId, CallReason, CallRow, CallStatus, Note, store};
use play::sittings;
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path, Player};
use web_base::limits::{Budget, Creations, Writes};

const MOST: i64 = 50;

/// A party that asks for staff.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Call)]
pub(crate) struct CallAnswer {
    pub id: CallId,
    pub sitting_id: SittingId,
    pub table_id: TableId,
    pub reason: CallReason,
    pub note: Option<String>,
    pub status: CallStatus,
    pub called_at: Timestamp,
    /// Since when somebody is on the way.
    pub heard_at: Option<Timestamp>,
    pub over_at: Option<Timestamp>,
}

impl From<CallRow> for CallAnswer {
    fn from(row: CallRow) -> Self {
        let CallRow { id, sitting_id, table_id, reason, note, status, called_at, heard_at, over_at, .. } = row;
        Self { id, sitting_id, table_id, reason, note, status, called_at, heard_at, over_at }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallRequest {
    reason: CallReason,
    note: Option<Note>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallAnswerRequest {
    /// `heard` or `settled`.
    status: CallStatus,
}

/// Calls staff to the table. Everybody who scanned the code during this sitting may; a second call for the same reason is the same call.
#[utoipa::path(
    tag = "tables",
    params(("id" = SittingId, Path)),
    request_body = CallRequest,
    responses((status = 201, body = CallAnswer))
)]
#[post("/sittings/{id}/calls")]
pub async fn create_call(
    _: Budget<Creations>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Player(player): Player,
    Path(id): Path<SittingId>,
    Body(request): Body<CallRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let row = sittings::call(&mut conn, &world, &live, player.id, id, request.reason, request.note.as_ref()).await?;
    Ok(created(format_args!("/sittings/{id}/calls")).json(CallAnswer::from(row)))
}

/// The party's calls, the latest first: whether they were heard.
#[utoipa::path(
    tag = "tables",
    params(("id" = SittingId, Path)),
    responses((status = 200, body = List<CallAnswer>))
)]
#[get("/sittings/{id}/calls")]
pub async fn list_sitting_calls(
    db: Data<Db>,
    Player(player): Player,
    Path(id): Path<SittingId>,
) -> ApiResult<Json<List<CallAnswer>>> {
    let mut conn = db.conn().await?;
    sittings::expect_party_or_staff(&mut conn, id, &player).await?;
    let rows = store::list_of(&mut conn, id, MOST).await?;
    Ok(Json(List { items: rows.into_iter().map(CallAnswer::from).collect(), next: None }))
}

/// Withdraws a call. Every member of the party may.
#[utoipa::path(tag = "tables", params(("id" = CallId, Path)), responses((status = 200, body = CallAnswer)))]
#[delete("/calls/{id}")]
pub async fn take_back_call(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Player(player): Player,
    Path(id): Path<CallId>,
) -> ApiResult<Json<CallAnswer>> {
    let row = sittings::withdraw_call(&mut *db.conn().await?, &world, &live, player.id, id).await?;
    Ok(Json(row.into()))
}

/// Every call that is not over, the oldest first.
#[utoipa::path(tag = "floor", responses((status = 200, body = List<CallAnswer>)))]
#[get("/calls")]
pub async fn list_calls(Authorized(mut cx): Authorized<can::RunFloor>) -> ApiResult<Json<List<CallAnswer>>> {
    let rows = store::list_open(cx.conn().await?).await?;
    Ok(Json(List { items: rows.into_iter().map(CallAnswer::from).collect(), next: None }))
}

/// Hears or settles a call.
#[utoipa::path(
    tag = "floor",
    params(("id" = CallId, Path)),
    request_body = CallAnswerRequest,
    responses((status = 200, body = CallAnswer))
)]
#[patch("/calls/{id}")]
pub async fn answer_call(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<CallId>,
    Body(request): Body<CallAnswerRequest>,
) -> ApiResult<Json<CallAnswer>> {
    if !matches!(request.status, CallStatus::Heard | CallStatus::Settled) {
        return Err(invalid_field("/status", "unknown_value").into());
    }
    let (row, _) = play::calls::answer(&mut cx, id, request.status).await?;
    Ok(Json(row.into()))
}
