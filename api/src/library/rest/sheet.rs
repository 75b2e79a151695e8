//! The whole library as a sheet, out and in.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get, post};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::{Csv, Search, Staff};
use crate::library::store::{self, Filter};
use crate::library::{self, Import, MOST_TITLES, TitleId, sheet};
use crate::staff::Deed;
use crate::text::Lang;
use crate::world::World;

/// All titles as a CSV file, which spreadsheets open and the import takes back.
#[utoipa::path(tag = "library", responses((status = 200, content_type = "text/csv", body = String)))]
#[get("/library/export.csv")]
pub(crate) async fn export_library(db: Data<Db>, request: HttpRequest, Staff(staff): Staff) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let lang = Lang::of(&request);
    let mut conn = db.conn().await?;
    let titles = store::list(&mut conn, lang, &Filter::default(), MOST_TITLES).await?;
    let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
    let copies = store::list_copies(&mut conn, &ids, false).await?;
    let mut response = HttpResponse::Ok();
    response.content_type("text/csv; charset=utf-8");
    response.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"library.csv\""));
    Ok(response.body(sheet::write(lang, &titles, &copies)?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportQuery {
    /// `true` to do it; else it is only told what would be done.
    write: Option<bool>,
}

/// What a CSV file would do to the library; with `write` it is done, unless a line is refused. Nothing is ever taken away
/// by it. At most 512 KiB and 2000 lines.
#[utoipa::path(
    tag = "library",
    params(ImportQuery),
    request_body(content = String, content_type = "text/csv"),
    responses((status = 200, body = Import))
)]
#[post("/library/import")]
pub(crate) async fn import_library(
    db: Data<Db>,
    world: Data<World>,
    request: HttpRequest,
    Staff(staff): Staff,
    Search(query): Search<ImportQuery>,
    Csv(bytes): Csv,
) -> ApiResult<Json<Import>> {
    staff.may(Deed::KeepLibrary)?;
    let (lang, write) = (Lang::of(&request), query.write.unwrap_or(false));
    Ok(Json(library::import(&mut *db.conn().await?, &world, &staff, lang, &bytes, write).await?))
}
