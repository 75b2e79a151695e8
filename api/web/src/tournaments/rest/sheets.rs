//! What is taken home: all of it as JSON, standings and pairings as sheets.

use crate::limits::{Budget, Exports};
use crate::tournaments::answers::TournamentAnswers;
use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get};

use super::{load, sees_drafts};
use crate::error::ApiResult;
use crate::extract::{Path, Visitor};
use crate::lang::lang_of;
use crate::tournaments::answers::Export;
use crate::tournaments::export;
use base::db::Db;
use cafe::tournaments::{Log, TournamentId};

/// All of it, with the standings of each stage; for staff with the log of all that happened.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    responses((status = 200, body = Export)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/export")]
pub(crate) async fn export_tournament(
    _: Budget<Exports>,
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<Export>> {
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor.as_ref()).await?;
    let tournament = cafe::tournaments::load(&mut conn, id, by_staff).await?;
    let log = if by_staff { Some(Log(cafe::tournaments::store::list_log(&mut conn, id).await?)) } else { None };
    Ok(Json(tournament.export(log.as_ref())?))
}

/// The standings of a stage as CSV, with headings in the caller's language.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("stage" = i16, Path, minimum = 1, maximum = 3)),
    responses((status = 200, content_type = "text/csv", body = String)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/stages/{stage}/standings.csv")]
pub(crate) async fn export_standings(
    _: Budget<Exports>,
    db: Data<Db>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path((id, stage)): Path<(TournamentId, i16)>,
) -> ApiResult<HttpResponse> {
    let tournament = load(&db, visitor.as_ref(), id).await?;
    Ok(sheet("standings", export::standings(&tournament, stage, lang_of(&request))?))
}

/// The bouts of a stage as CSV: round, table, players, places.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("stage" = i16, Path, minimum = 1, maximum = 3)),
    responses((status = 200, content_type = "text/csv", body = String)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/stages/{stage}/pairings.csv")]
pub(crate) async fn export_pairings(
    _: Budget<Exports>,
    db: Data<Db>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path((id, stage)): Path<(TournamentId, i16)>,
) -> ApiResult<HttpResponse> {
    let tournament = load(&db, visitor.as_ref(), id).await?;
    Ok(sheet("pairings", export::pairings(&tournament, stage, lang_of(&request))?))
}

fn sheet(name: &str, text: String) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.content_type("text/csv; charset=utf-8");
    response.insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")));
    response.body(text)
}
