//! What is taken home: all of it as JSON, standings and pairings as sheets, and files that other programs read.

use crate::tournaments::answers::TournamentAnswers;
use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get};
use diesel_async::AsyncPgConnection;
use web_base::limits::{Budget, Exports};

use serde::Deserialize;
use utoipa::IntoParams;

use super::sees_drafts;
use crate::tournaments::answers::Export;
use crate::tournaments::export;
use crate::tournaments::export::open_bracket::OpenBracket;
use crate::tournaments::export::viewer::Viewer;
use base::auth::Identity;
use base::db::Db;
use base::settings::Cafe;
use competitions::tournaments::trf::{Audience, TrfEdition};
use competitions::tournaments::{Log, Tournament, TournamentId};
use jiff::tz::TimeZone;
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::{Path, Search, Visitor};
use web_base::lang::lang_of;

/// All of it, with the standings of each stage; for staff with the log of all that happened.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    responses((status = 200, body = Export)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/export")]
pub async fn export_tournament(
    _: Budget<Exports>,
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<Export>> {
    let by_staff = sees_drafts(&mut *db.conn().await?, visitor.as_ref()).await?;
    let reader = visitor.filter(|_| by_staff).map(|it| it.id);
    let read = async |conn: &mut AsyncPgConnection| {
        let tournament = competitions::tournaments::load(conn, id, by_staff).await?;
        let log = match reader {
            Some(reader) => {
                let rows = competitions::tournaments::store::list_log(conn, id).await?;
                Some(Log::of(rows, &tournament, reader))
            }
            None => None,
        };
        ApiResult::Ok((tournament, log))
    };
    let (tournament, log) = db.read(read).await?;
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
pub async fn export_standings(
    _: Budget<Exports>,
    db: Data<Db>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path((id, stage)): Path<(TournamentId, i16)>,
) -> ApiResult<HttpResponse> {
    let tournament = read(&db, visitor.as_ref(), id).await?.0;
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
pub async fn export_pairings(
    _: Budget<Exports>,
    db: Data<Db>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path((id, stage)): Path<(TournamentId, i16)>,
) -> ApiResult<HttpResponse> {
    let tournament = read(&db, visitor.as_ref(), id).await?.0;
    Ok(sheet("pairings", export::pairings(&tournament, stage, lang_of(&request))?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TrfQuery {
    /// `trf26` if left out.
    #[param(inline)]
    edition: Option<TrfEdition>,
}

/// A stage of Swiss rounds or a round robin as FIDE's tournament report file, with the rounds that are over; for staff also with the
/// pairs who should not meet. Any other stage is refused (`not_in_format`), and so are points that the edition cannot say
/// (`points_not_in_format`).
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("stage" = i16, Path, minimum = 1, maximum = 3), TrfQuery),
    responses((status = 200, content_type = "text/plain", body = String)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/stages/{stage}/report.trf")]
pub async fn export_trf(
    _: Budget<Exports>,
    (db, config, house): (Data<Db>, Data<Config>, Data<Cafe>),
    Visitor(visitor): Visitor,
    Path((id, stage)): Path<(TournamentId, i16)>,
    Search(query): Search<TrfQuery>,
) -> ApiResult<HttpResponse> {
    let (tournament, by_staff) = read(&db, visitor.as_ref(), id).await?;
    let audience = if by_staff { Audience::Staff } else { Audience::Everybody };
    let edition = query.edition.unwrap_or(TrfEdition::Trf26);
    let text = tournament.trf(stage, edition, audience, &zone_of(&config, &house))?;
    let mut response = HttpResponse::Ok();
    response.content_type("text/plain; charset=utf-8");
    response.insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{}.trf\"", tournament.row.code)));
    Ok(response.body(text))
}

/// A stage as brackets-viewer.js draws it: a knock-out, a double elimination, a round robin or groups that play one. Any other stage
/// is refused (`not_in_format`).
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("stage" = i16, Path, minimum = 1, maximum = 3)),
    responses((status = 200, body = Viewer)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/stages/{stage}/brackets-viewer")]
pub async fn export_brackets_viewer(
    _: Budget<Exports>,
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path((id, stage)): Path<(TournamentId, i16)>,
) -> ApiResult<Json<Viewer>> {
    Ok(Json(Viewer::of(&read(&db, visitor.as_ref(), id).await?.0, stage)?))
}

/// The tournament in the Open Bracket Format 1.0, with the stages that have begun. Refused if more than two meet in one of them
/// (`not_in_format`).
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    responses((status = 200, body = OpenBracket)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/open-bracket")]
pub async fn export_open_bracket(
    _: Budget<Exports>,
    (db, config, house): (Data<Db>, Data<Config>, Data<Cafe>),
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<OpenBracket>> {
    let tournament = read(&db, visitor.as_ref(), id).await?.0;
    let game = game_of(&tournament, &request);
    Ok(Json(OpenBracket::of(&tournament, game, &zone_of(&config, &house))?))
}

/// The tournament, which may be a moment old, and whether staff ask.
async fn read(db: &Db, visitor: Option<&Identity>, id: TournamentId) -> ApiResult<(Tournament, bool)> {
    let by_staff = sees_drafts(&mut *db.conn().await?, visitor).await?;
    let load = async |conn: &mut AsyncPgConnection| competitions::tournaments::load(conn, id, by_staff).await;
    Ok((db.read(load).await?, by_staff))
}

/// What the game is called, in the caller's language.
fn game_of(tournament: &Tournament, request: &HttpRequest) -> String {
    let game = &tournament.row.game;
    let name = || lang_of(request).find_with(&format!("{game}-name"), &[]);
    tournament.row.title.clone().or_else(name).unwrap_or_else(|| game.clone())
}

/// The café's time zone.
fn zone_of(config: &Config, house: &Cafe) -> TimeZone {
    house.cached().time_zone.clone().unwrap_or_else(|| config.time_zone.clone())
}

fn sheet(name: &str, text: String) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.content_type("text/csv; charset=utf-8");
    response.insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")));
    response.body(text)
}
