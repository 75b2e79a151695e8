//! `/api/v1/tables/…`

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get, patch, post};
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use base::auth::can;
use base::error::not_found;
use base::list::List;
use play::tables::{TableChange, TableId, TableRequest, TableRow, page_url, store};
use web_base::addresses::created;
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::public_url::base_url;
use web_base::qr::qr_svg;

/// A table that stands in the café.
#[derive(Debug, Serialize, ToSchema)]
pub struct Table {
    id: TableId,
    /// Stands on it as a QR code.
    #[schema(example = "K7X2QD")]
    code: String,
    name: String,
    area: Option<String>,
    seats: i16,
    position: i32,
    created_at: Timestamp,
    archived_at: Option<Timestamp>,
    /// Why the table is out of service.
    out_of_service: Option<String>,
}

impl From<TableRow> for Table {
    fn from(row: TableRow) -> Self {
        let TableRow { id, code, name, area, seats, position, created_at, archived_at, out_of_service_reason, .. } =
            row;
        Self { id, code, name, area, seats, position, created_at, archived_at, out_of_service: out_of_service_reason }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TableQuery {
    /// `true` for archived tables too.
    archived: Option<bool>,
}

/// The tables in the order of the floor, all on one page.
#[utoipa::path(tag = "tables", params(TableQuery), responses((status = 200, body = List<Table>)))]
#[get("/tables")]
pub async fn list_tables(
    Authorized(mut cx): Authorized<can::ManageTables>,
    Search(query): Search<TableQuery>,
) -> ApiResult<Json<List<Table>>> {
    let rows = store::list(cx.conn().await?, query.archived.unwrap_or(false)).await?;
    Ok(Json(List { items: rows.into_iter().map(Table::from).collect(), next: None }))
}

/// Puts a table on the floor.
#[utoipa::path(tag = "tables", request_body = TableRequest, responses((status = 201, body = Table)))]
#[post("/tables")]
pub async fn create_table(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTables>,
    Body(request): Body<TableRequest>,
) -> ApiResult<HttpResponse> {
    let made = play::tables::create(&mut cx, &request).await?;
    Ok(created(format_args!("/tables/{}", made.id)).json(Table::from(made)))
}

/// One table.
#[utoipa::path(tag = "tables", params(("id" = TableId, Path)), responses((status = 200, body = Table)))]
#[get("/tables/{id}")]
pub async fn find_table(
    Authorized(mut cx): Authorized<can::ManageTables>,
    Path(id): Path<TableId>,
) -> ApiResult<Json<Table>> {
    Ok(Json(find(cx.conn().await?, id).await?.into()))
}

/// Changes a table, archives it, takes it out of service, or brings it back. Only a table at which nobody sits can go.
#[utoipa::path(
    tag = "tables",
    params(("id" = TableId, Path)),
    request_body = TableChange,
    responses((status = 200, body = Table))
)]
#[patch("/tables/{id}")]
pub async fn change_table(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTables>,
    Path(id): Path<TableId>,
    Body(change): Body<TableChange>,
) -> ApiResult<Json<Table>> {
    let (row, _) = play::tables::change(&mut cx, id, &change).await?;
    Ok(Json(row.into()))
}

/// Gives the table another code, for somebody may have a photo of the one before, which leads nowhere from now on. The party
/// stays.
#[utoipa::path(tag = "tables", params(("id" = TableId, Path)), responses((status = 200, body = Table)))]
#[post("/tables/{id}/code")]
pub async fn renew_table_code(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTables>,
    Path(id): Path<TableId>,
) -> ApiResult<Json<Table>> {
    Ok(Json(play::tables::renew_code(&mut cx, id).await?.into()))
}

/// The QR code to put on the table: it leads to the table's own page.
#[utoipa::path(
    tag = "tables",
    params(("id" = TableId, Path)),
    responses((status = 200, content_type = "image/svg+xml", body = String))
)]
#[get("/tables/{id}/qr.svg")]
pub async fn show_table_qr(
    config: Data<Config>,
    request: HttpRequest,
    Authorized(mut cx): Authorized<can::ManageTables>,
    Path(id): Path<TableId>,
) -> ApiResult<HttpResponse> {
    let table = find(cx.conn().await?, id).await?;
    let svg = qr_svg(&page_url(&base_url(&config, &request), &table.code))?;
    Ok(HttpResponse::Ok()
        .content_type("image/svg+xml; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-cache"))
        .body(svg))
}

async fn find(conn: &mut AsyncPgConnection, id: TableId) -> ApiResult<TableRow> {
    Ok(store::find(conn, id).await?.ok_or_else(|| not_found("table_not_found"))?)
}
