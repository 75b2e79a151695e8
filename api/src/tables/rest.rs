//! `/api/v1/tables/…`

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{TableChange, TableId, TableRequest, TableRow, page_url, qr_svg, store};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::{Body, Path, Search, Staff};
use crate::list::List;
use crate::live::Live;
use crate::staff::Deed;
use crate::undo::Doer;
use crate::world::World;

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
    /// Why nobody can be seated there for a while.
    out_of_service: Option<String>,
}

impl From<TableRow> for Table {
    fn from(row: TableRow) -> Self {
        let TableRow { id, code, name, area, seats, position, created_at, archived_at, out_reason, .. } = row;
        Self { id, code, name, area, seats, position, created_at, archived_at, out_of_service: out_reason }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TableQuery {
    /// `true` for archived tables too.
    archived: Option<bool>,
}

/// The tables in the order of the floor, all on one page.
#[utoipa::path(tag = "tables", params(TableQuery), responses((status = 200, body = List<Table>)))]
#[get("/tables")]
pub(crate) async fn list_tables(
    db: Data<Db>,
    Staff(staff): Staff,
    Search(query): Search<TableQuery>,
) -> ApiResult<Json<List<Table>>> {
    staff.may(Deed::KeepTables)?;
    let rows = store::list(&mut *db.conn().await?, query.archived.unwrap_or(false)).await?;
    Ok(Json(List { items: rows.into_iter().map(Table::from).collect(), next: None }))
}

/// Puts a table on the floor.
#[utoipa::path(tag = "tables", request_body = TableRequest, responses((status = 201, body = Table)))]
#[post("/tables")]
pub(crate) async fn create_table(
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    Staff(staff): Staff,
    Body(request): Body<TableRequest>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepTables)?;
    let made = super::create(&mut *db.conn().await?, &world, &live, &staff, &request).await?;
    Ok(HttpResponse::Created().json(Table::from(made)))
}

/// One table.
#[utoipa::path(tag = "tables", params(("id" = TableId, Path)), responses((status = 200, body = Table)))]
#[get("/tables/{id}")]
pub(crate) async fn find_table(db: Data<Db>, Staff(staff): Staff, Path(id): Path<TableId>) -> ApiResult<Json<Table>> {
    staff.may(Deed::KeepTables)?;
    Ok(Json(find(&db, id).await?.into()))
}

/// Changes a table, archives it, takes it out of service, or brings it back. Only a table at which nobody sits can go.
#[utoipa::path(
    tag = "tables",
    params(("id" = TableId, Path)),
    request_body = TableChange,
    responses((status = 200, body = Table))
)]
#[patch("/tables/{id}")]
pub(crate) async fn change_table(
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    Staff(staff): Staff,
    Path(id): Path<TableId>,
    Body(change): Body<TableChange>,
) -> ApiResult<Json<Table>> {
    staff.may(Deed::KeepTables)?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let (row, _) = super::change(&mut *db.conn().await?, doer, id, &change).await?;
    Ok(Json(row.into()))
}

/// The QR code to put on the table: it leads to the table's own page.
#[utoipa::path(
    tag = "tables",
    params(("id" = TableId, Path)),
    responses((status = 200, content_type = "image/svg+xml", body = String))
)]
#[get("/tables/{id}/qr.svg")]
pub(crate) async fn show_table_qr(
    db: Data<Db>,
    config: Data<Config>,
    request: HttpRequest,
    Staff(staff): Staff,
    Path(id): Path<TableId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepTables)?;
    let table = find(&db, id).await?;
    let svg = qr_svg(&page_url(&base_url(&config, &request), &table.code))?;
    Ok(HttpResponse::Ok().content_type("image/svg+xml").insert_header((CACHE_CONTROL, "no-cache")).body(svg))
}

/// The address that guests use: the one in the settings, else the one that this request came to.
pub fn base_url(config: &Config, request: &HttpRequest) -> String {
    config.public_url.clone().unwrap_or_else(|| {
        let info = request.connection_info();
        format!("{}://{}", info.scheme(), info.host())
    })
}

async fn find(db: &Db, id: TableId) -> ApiResult<TableRow> {
    store::find(&mut *db.conn().await?, id).await?.ok_or_else(|| not_found("table_not_found"))
}
