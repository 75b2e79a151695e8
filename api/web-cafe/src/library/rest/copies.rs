//! The copies of a title: where each is, and what brings it elsewhere.

use actix_web::web::Json;
use actix_web::{HttpResponse, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use base::auth::can;
use base::error::not_found;
use base::ids::TableId;
use base::list::{List, page_size, start};
use play::library::{self, CopyId, CopyRow, CopyState, PlaceRow, Shelf, TitleId, Transfer, history, store};
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, OptionalBody, PageQuery, Path, Search};
use web_base::limits::{Budget, Writes};

/// One box of a title.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Copy {
    id: CopyId,
    title_id: TitleId,
    /// Tells it from the title's other copies.
    number: i16,
    /// Where it belongs.
    shelf: String,
    state: CopyState,
    /// With `table`: which one.
    table_id: Option<TableId>,
    /// When it came to where it is, or was lent if its party took it along.
    since: Timestamp,
    /// When it left the library.
    archived_at: Option<Timestamp>,
}

/// A place that a copy came to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CopyPlace)]
pub(crate) struct CopyPlace {
    at: Timestamp,
    /// What brought it there; none when it came into the library.
    errand: Option<Transfer>,
    state: CopyState,
    table_id: Option<TableId>,
    /// The name of the person who did it.
    by: Option<String>,
}

impl From<CopyRow> for Copy {
    fn from(row: CopyRow) -> Self {
        let CopyRow { id, title_id, number, shelf, state, table_id, since, archived_at } = row;
        Self { id, title_id, number, shelf, state, table_id, since, archived_at }
    }
}

impl From<PlaceRow> for CopyPlace {
    fn from(row: PlaceRow) -> Self {
        let PlaceRow { at, transfer: errand, state, table_id, by, .. } = row;
        Self { at, errand, state, table_id, by }
    }
}

/// A new copy of a title.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopyRequest {
    shelf: Shelf,
}

/// Changes of a copy; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopyChange {
    shelf: Option<Shelf>,
    /// An archived copy has left the library.
    archived: Option<bool>,
}

/// The copies of a title, by number, all on one page; those that have left the library, too.
#[utoipa::path(tag = "library", params(("id" = TitleId, Path)), responses((status = 200, body = List<Copy>)))]
#[get("/library/titles/{id}/copies")]
pub async fn list_copies(
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<TitleId>,
) -> ApiResult<Json<List<Copy>>> {
    store::find(cx.conn().await?, id).await?.ok_or_else(|| not_found("title_not_found"))?;
    let rows = store::list_copies(cx.conn().await?, &[id], true).await?;
    Ok(Json(List { items: rows.into_iter().map(Copy::from).collect(), next: None }))
}

/// Adds a copy of a title, on its shelf.
#[utoipa::path(
    tag = "library",
    params(("id" = TitleId, Path)),
    request_body = CopyRequest,
    responses((status = 201, body = Copy))
)]
#[post("/library/titles/{id}/copies")]
pub async fn add_copy(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<TitleId>,
    Body(request): Body<CopyRequest>,
) -> ApiResult<HttpResponse> {
    let made = library::add_copy(&mut cx, id, &request.shelf).await?;
    Ok(created(format_args!("/library/copies/{}", made.id)).json(Copy::from(made)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CopyQuery {
    /// Where they are.
    state: CopyState,
}

/// The copies that are in one state, those that are there longest first; at most 200.
#[utoipa::path(tag = "library", params(CopyQuery), responses((status = 200, body = List<Copy>)))]
#[get("/library/copies")]
pub async fn list_copies_by_state(
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Search(query): Search<CopyQuery>,
) -> ApiResult<Json<List<Copy>>> {
    let rows = store::list_in_states(cx.conn().await?, &[query.state], 200).await?;
    Ok(Json(List { items: rows.into_iter().map(|(copy, _)| copy.into()).collect(), next: None }))
}

/// One copy.
#[utoipa::path(tag = "library", params(("id" = CopyId, Path)), responses((status = 200, body = Copy)))]
#[get("/library/copies/{id}")]
pub async fn find_copy(
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<CopyId>,
) -> ApiResult<Json<Copy>> {
    let found = store::find_copy(cx.conn().await?, id).await?;
    let (copy, _) = found.ok_or_else(|| not_found("copy_not_found"))?;
    Ok(Json(copy.into()))
}

/// Gives a copy another shelf, has it leave the library, or takes it in again.
#[utoipa::path(
    tag = "library",
    params(("id" = CopyId, Path)),
    request_body = CopyChange,
    responses((status = 200, body = Copy))
)]
#[patch("/library/copies/{id}")]
pub async fn change_copy(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<CopyId>,
    Body(change): Body<CopyChange>,
) -> ApiResult<Json<Copy>> {
    let changed = library::change_copy(&mut cx, id, change.shelf.as_ref(), change.archived).await?;
    Ok(Json(changed.into()))
}

/// What an errand needs to know.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrandRequest {
    /// With `lend` and `carry`: where it goes.
    table_id: Option<TableId>,
}

/// Does something with a copy, which staff can undo for ten minutes: 409 says where it is if it cannot be done there, perhaps because somebody was quicker.
#[utoipa::path(
    tag = "library",
    params(("id" = CopyId, Path), ("errand" = Transfer, Path)),
    request_body = Option<ErrandRequest>,
    responses((status = 200, body = Copy))
)]
#[post("/library/copies/{id}/{errand}")]
pub async fn move_copy(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path((id, errand)): Path<(CopyId, Transfer)>,
    OptionalBody(request): OptionalBody<ErrandRequest>,
) -> ApiResult<Json<Copy>> {
    let (moved, _) = library::transfer(&mut cx, id, errand, request.table_id).await?;
    Ok(Json(moved.into()))
}

/// The places that a copy came to, the latest first.
#[utoipa::path(
    tag = "library",
    params(("id" = CopyId, Path), PageQuery),
    responses((status = 200, body = List<CopyPlace>))
)]
#[get("/library/copies/{id}/history")]
pub async fn list_copy_history(
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<CopyId>,
    Search(query): Search<PageQuery>,
) -> ApiResult<Json<List<CopyPlace>>> {
    let limit = page_size(query.limit)?;
    let before = start(query.cursor.as_deref())?;
    store::find_copy(cx.conn().await?, id).await?.ok_or_else(|| not_found("copy_not_found"))?;
    let rows = history::list_places(cx.conn().await?, &[id], before, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    Ok(Json(List { items: items.into_iter().map(CopyPlace::from).collect(), next }))
}
