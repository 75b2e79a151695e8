//! `/api/v1/variants/{id}/versions/{number}/lab`

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use base::auth::{Identity, can};
use base::db::Db;
use base::error::internal;
use base::text::Lang;
use cafe::lab::{Real, RunStatus, ask, cancel, look};
use diesel_async::AsyncPgConnection;
use play::variants::VariantId;
use serde::Serialize;
use serde_json::{Value, to_value};
use utoipa::ToSchema;

use super::LabQuery;
use super::words::{Sentence, sentences};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Path, Search, Visitor};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Writes};

/// What bots found out about a version of a variant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = VariantLab)]
pub(crate) struct Lab {
    variant_id: VariantId,
    version: i32,
    /// How many play.
    seats: u8,
    /// The numbers of seats that can be asked about; none if the game's rules have changed since.
    playable: Vec<u8>,
    /// What it is compared with; none for the basic game.
    from: Option<i32>,
    search: bool,
    /// None if nobody has asked yet. Whoever may write variants can.
    status: Option<RunStatus>,
    /// In percent.
    progress: i16,
    /// How long a move takes: in this café, once it has had some matches of the game; else by the game's rules.
    seconds_per_move: Option<f64>,
    /// The verdict, in the caller's language.
    sentences: Vec<Sentence>,
    /// As `rules lab` prints it: `docs/lab.md` says what is in it. None until the run has finished.
    #[schema(value_type = Option<base::games::shapes::LabReport>)]
    report: Option<Value>,
    /// What really happened by these rules.
    real: Real,
}

/// What the lab knows of a version: for everybody if it was published, else for staff.
#[utoipa::path(
    tag = "variants",
    params(("id" = VariantId, Path), ("number" = i64, Path, minimum = 1), LabQuery),
    responses((status = 200, body = Lab)),
    security((), ("bearer" = []))
)]
#[get("/variants/{id}/versions/{number}/lab")]
pub async fn find_lab(
    db: Data<Db>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path((id, number)): Path<(VariantId, i64)>,
    Search(query): Search<LabQuery>,
) -> ApiResult<Json<Lab>> {
    let conn = &mut *db.conn().await?;
    Ok(Json(show(conn, lang_of(&request), visitor.as_ref(), (id, number), &query).await?))
}

/// Asks the lab, which answers in spare time. Asking again changes nothing, unless it was cancelled or has failed.
#[utoipa::path(
    tag = "variants",
    params(("id" = VariantId, Path), ("number" = i64, Path, minimum = 1), LabQuery),
    responses((status = 202, body = Lab))
)]
#[post("/variants/{id}/versions/{number}/lab")]
pub async fn ask_lab(
    _: Budget<Writes>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Authorized(mut cx): Authorized<can::ManageVariants>,
    Path((id, number)): Path<(VariantId, i64)>,
    Search(query): Search<LabQuery>,
) -> ApiResult<HttpResponse> {
    ask(&mut cx, id, number, query.asked()).await?;
    let shown = show(cx.conn().await?, lang_of(&request), visitor.as_ref(), (id, number), &query).await?;
    Ok(HttpResponse::Accepted().json(shown))
}

/// Nobody wants to know any more. Where nothing waits or runs, nothing happens.
#[utoipa::path(
    tag = "variants",
    params(("id" = VariantId, Path), ("number" = i64, Path, minimum = 1), LabQuery),
    responses((status = 200, body = Lab))
)]
#[delete("/variants/{id}/versions/{number}/lab")]
pub async fn cancel_lab(
    _: Budget<Writes>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Authorized(mut cx): Authorized<can::ManageVariants>,
    Path((id, number)): Path<(VariantId, i64)>,
    Search(query): Search<LabQuery>,
) -> ApiResult<Json<Lab>> {
    cancel(&mut cx, id, number, query.asked()).await?;
    Ok(Json(show(cx.conn().await?, lang_of(&request), visitor.as_ref(), (id, number), &query).await?))
}

async fn show(
    conn: &mut AsyncPgConnection,
    lang: Lang,
    caller: Option<&Identity>,
    (id, number): (VariantId, i64),
    query: &LabQuery,
) -> ApiResult<Lab> {
    let lab = look(conn, caller, id, Some(number), query.asked()).await?;
    Ok(Lab {
        variant_id: id,
        version: lab.version.number,
        seats: lab.seats,
        sentences: sentences(lang, &lab),
        playable: lab.playable,
        from: lab.from,
        search: lab.search,
        status: lab.status,
        progress: lab.progress,
        seconds_per_move: lab.seconds_per_move,
        report: lab.report.map(to_value).transpose().map_err(internal)?,
        real: lab.real,
    })
}
