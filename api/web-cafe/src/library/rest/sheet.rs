//! The whole library as a sheet, out and in.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::Json;
use actix_web::{HttpRequest, HttpResponse, get, post};
use diesel_async::AsyncPgConnection;
use serde::Deserialize;
use utoipa::IntoParams;

use base::auth::can;
use play::library::store::{self, Filter};
use play::library::{self, Import, MOST_TITLES, TitleId, csv};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Csv, Search};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Exports, Writes};

/// All titles as a CSV file, which spreadsheets open and the import reads.
#[utoipa::path(tag = "library", responses((status = 200, content_type = "text/csv", body = String)))]
#[get("/library/export.csv")]
pub async fn export_library(
    _: Budget<Exports>,
    request: HttpRequest,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
) -> ApiResult<HttpResponse> {
    let lang = lang_of(&request);
    let read = async |conn: &mut AsyncPgConnection| {
        let titles = store::list(conn, lang, &Filter::default(), MOST_TITLES).await?;
        let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
        let copies = store::list_copies(conn, &ids, false).await?;
        ApiResult::Ok((titles, copies))
    };
    let (titles, copies) = cx.read(read).await?;
    let mut response = HttpResponse::Ok();
    response.content_type("text/csv; charset=utf-8");
    response.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"library.csv\""));
    Ok(response.body(csv::write(lang, &titles, &copies)?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportQuery {
    /// `true` to do it; otherwise the answer only says what would be done.
    write: Option<bool>,
}

/// What a CSV file would do to the library; with `write` it is done, unless a line is refused. An import never deletes
/// anything. At most 512 KiB and 2000 lines.
#[utoipa::path(
    tag = "library",
    params(ImportQuery),
    request_body(content = String, content_type = "text/csv"),
    responses((status = 200, body = Import))
)]
#[post("/library/import")]
pub async fn import_library(
    _: Budget<Writes>,
    request: HttpRequest,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Search(query): Search<ImportQuery>,
    Csv(bytes): Csv,
) -> ApiResult<Json<Import>> {
    let (lang, write) = (lang_of(&request), query.write.unwrap_or(false));
    Ok(Json(library::import(&mut cx, lang, &bytes, write).await?))
}
