//! `/api/v1/tournaments/…`: everybody reads what is not a draft, staff write. `entrants` is who plays, `rounds` what is played,
//! `bouts` that by lists, `log` what happened, `sheets` what is taken home.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use crate::tournaments::answers::TournamentAnswers;
use web_base::addresses::created;
use web_base::limits::{Budget, Streams, Writes};
pub mod arena;
pub mod bouts;
pub mod entrants;
pub mod log;
pub mod rounds;
pub mod rulings;
pub mod sheets;

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, get, patch, post};
use diesel_async::AsyncPgConnection;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::answers::{PlannedBout, Standing, TournamentAnswer, WholeAnswer};
use crate::tournaments::live::TournamentWatch;
use base::auth::{Identity, Permission, StaffContext, can, holds};
use base::db::Db;
use base::inputs::tidy_text;
use base::list::{List, page_size, start as page_start};
use base::live::Live;
use base::world::World;
use competitions::tournaments::{
    CopyRequest, Cut, Filter, Repeats, SeesDrafts, Tournament, TournamentChange, TournamentId, TournamentRequest,
    TournamentStatus,
};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, OptionalBody, Path, Search, Visitor};
use web_base::streams::stream;

const REASON_LENGTH: usize = 200;

/// May be left out.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = TournamentStep)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seen {
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub(super) revision: Option<i64>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    status: Option<TournamentStatus>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Tournaments, the latest first; drafts for staff only.
#[utoipa::path(tag = "tournaments", params(ListQuery), responses((status = 200, body = List<TournamentAnswer>)), security((), ("bearer" = [])))]
#[get("/tournaments")]
pub async fn list_tournaments(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Search(query): Search<ListQuery>,
) -> ApiResult<Json<List<TournamentAnswer>>> {
    let limit = page_size(query.limit)?;
    let before = page_start(query.cursor.as_deref())?;
    let mut conn = db.conn().await?;
    let with_drafts = sees_drafts(&mut conn, visitor.as_ref()).await?;
    let filter = Filter { status: query.status, with_drafts, before };
    let rows = competitions::tournaments::list(&mut conn, &filter, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |(row, _)| row.id.to_string());
    Ok(Json(List { items: items.into_iter().map(TournamentAnswer::from).collect(), next }))
}

/// Drafts a tournament.
#[utoipa::path(tag = "tournaments", request_body = TournamentRequest, responses((status = 201, body = TournamentAnswer)))]
#[post("/tournaments")]
pub async fn create_tournament(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Body(request): Body<TournamentRequest>,
) -> ApiResult<HttpResponse> {
    let id = competitions::tournaments::create(&mut cx, &request).await?;
    let made = competitions::tournaments::load_for_staff(&mut cx, id).await?.answer()?;
    Ok(created(format_args!("/tournaments/{id}")).json(made))
}

/// Drafts a tournament like this one: the same game, stages, tables and settings, on another day. If `entrants` is `true`, the same
/// people enter it.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<CopyRequest>,
    responses((status = 201, body = TournamentAnswer))
)]
#[post("/tournaments/{id}/copy")]
pub async fn copy_tournament(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    OptionalBody(request): OptionalBody<CopyRequest>,
) -> ApiResult<HttpResponse> {
    let copy = competitions::tournaments::copy(&mut cx, id, &request).await?;
    let made = competitions::tournaments::load_for_staff(&mut cx, copy).await?.answer()?;
    Ok(created(format_args!("/tournaments/{copy}")).json(made))
}

/// A tournament with its entrants and rounds; what is drafted is shown to staff only.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    responses((status = 200, body = WholeAnswer)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}")]
pub async fn find_tournament(
    (db, world): (Data<Db>, Data<World>),
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<WholeAnswer>> {
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor.as_ref()).await?;
    Ok(Json(
        competitions::tournaments::load(&mut conn, id, by_staff).await?.whole_answer(by_staff.then(|| world.now()))?,
    ))
}

/// The same by the code that people type.
#[utoipa::path(
    tag = "tournaments",
    params(("code" = String, Path)),
    responses((status = 200, body = WholeAnswer)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/by-code/{code}")]
pub async fn find_tournament_by_code(
    (db, world): (Data<Db>, Data<World>),
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
) -> ApiResult<Json<WholeAnswer>> {
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor.as_ref()).await?;
    let id = competitions::tournaments::find_by_code(&mut conn, &code).await?;
    Ok(Json(
        competitions::tournaments::load(&mut conn, id, by_staff).await?.whole_answer(by_staff.then(|| world.now()))?,
    ))
}

/// Changes a tournament: what is played and in which form, until it has begun.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = TournamentChange,
    responses((status = 200, body = TournamentAnswer))
)]
#[patch("/tournaments/{id}")]
pub async fn change_tournament(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Body(change): Body<TournamentChange>,
) -> ApiResult<Json<TournamentAnswer>> {
    competitions::tournaments::change(&mut cx, id, &change).await?;
    Ok(Json(competitions::tournaments::load_for_staff(&mut cx, id).await?.answer()?))
}

macro_rules! steps {
    ($($(#[doc = $doc:literal])+ $handler:ident, $path:literal, $permission:ident, $step:path;)+) => {$(
        $(#[doc = $doc])+
        #[utoipa::path(
            tag = "tournaments",
            params(("id" = TournamentId, Path)),
            request_body = Option<Seen>,
            responses((status = 200, body = WholeAnswer))
        )]
        #[post($path)]
        pub async fn $handler(
            _: Budget<Writes>,
            Authorized(mut cx): Authorized<can::$permission>,
            Path(id): Path<TournamentId>,
            OptionalBody(seen): OptionalBody<Seen>,
        ) -> ApiResult<Json<WholeAnswer>> {
            $step(&mut cx, id, seen.revision).await?;
            show(&mut cx, id).await
        }
    )+};
}

steps! {
    /// Lets players enter. Asking again changes nothing.
    open_tournament_registration, "/tournaments/{id}/registration", ManageTournaments, competitions::tournaments::open_registration;
    /// Opens check-in: entrants say that they are there. Asking again changes nothing.
    open_tournament_check_in, "/tournaments/{id}/check-in", ManageTournaments, competitions::tournaments::open_check_in;
    /// Starts the tournament. If check-in was open, entrants who have not checked in are no-shows. All others get a seed.
    start_tournament, "/tournaments/{id}/start", ManageTournaments, competitions::tournaments::start;
    /// Deletes the draft. Asking again changes nothing.
    discard_tournament_draft, "/tournaments/{id}/discard", ManageTournaments, competitions::tournaments::discard;
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NextStageRequest {
    /// Who goes on where equals stand at the line: needed if the next step is `cut`.
    cut: Option<Cut>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Starts the next stage with the best entrants of the finished one.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<NextStageRequest>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/next-stage")]
pub async fn start_next_stage(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    OptionalBody(request): OptionalBody<NextStageRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    competitions::tournaments::next_stage(&mut cx, id, request.cut.as_ref(), request.revision).await?;
    show(&mut cx, id).await
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PairRequest {
    /// `true` to let people meet again if a Swiss round cannot be paired otherwise: as little as possible.
    repeats: Option<bool>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Pairs what can be paired now, as a draft that only staff see. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<PairRequest>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/pair")]
pub async fn pair_tournament(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    OptionalBody(request): OptionalBody<PairRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    let repeats = if request.repeats == Some(true) { Repeats::IfNeeded } else { Repeats::Forbidden };
    competitions::tournaments::pair(&mut cx, id, repeats, request.revision).await?;
    show(&mut cx, id).await
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FinishRequest {
    /// `true` to end it before all of it was played.
    early: Option<bool>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Ends the tournament: the standings of its last stage are final. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<FinishRequest>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/finish")]
pub async fn finish_tournament(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    OptionalBody(request): OptionalBody<FinishRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    competitions::tournaments::finish(&mut cx, id, request.early.unwrap_or(false), request.revision).await?;
    show(&mut cx, id).await
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelRequest {
    #[schema(max_length = 200)]
    reason: Option<String>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Calls it off, with all its matches that are not over. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<CancelRequest>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/cancel")]
pub async fn cancel_tournament(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    OptionalBody(request): OptionalBody<CancelRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    let reason = tidy_reason(request.reason.as_deref())?;
    competitions::tournaments::cancel(&mut cx, id, reason.as_deref(), request.revision).await?;
    show(&mut cx, id).await
}

/// Where everybody stands in a stage at this moment, the best first.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("stage" = i16, Path, minimum = 1, maximum = 3)),
    responses((status = 200, body = List<Standing>)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/stages/{stage}/standings")]
pub async fn list_tournament_standings(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path((id, stage)): Path<(TournamentId, i16)>,
) -> ApiResult<Json<List<Standing>>> {
    let items = load(&db, visitor.as_ref(), id).await?.standing_answers(stage)?;
    Ok(Json(List { items, next: None }))
}

/// The bouts of a stage, in a bracket those to come too: who meets whom, or whom they wait for.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("stage" = i16, Path, minimum = 1, maximum = 3)),
    responses((status = 200, body = List<PlannedBout>)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/stages/{stage}/bracket")]
pub async fn list_tournament_bracket(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path((id, stage)): Path<(TournamentId, i16)>,
) -> ApiResult<Json<List<PlannedBout>>> {
    let items = load(&db, visitor.as_ref(), id).await?.planned_answers(stage)?;
    Ok(Json(List { items, next: None }))
}

/// Server-sent events: `event: changed` at first and whenever something happened. Its `id` is the revision; its data says `revision`
/// and what has `changed` since the event before: `tournament`, `entrants`, `rounds` or `results`. At first that is nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/stream")]
pub async fn stream_tournament(
    budget: Budget<Streams>,
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    let revision = load(&db, visitor.as_ref(), id).await?.row.revision;
    Ok(stream(TournamentWatch::new(&live, db, id, revision), world, budget))
}

/// As the caller may see it.
pub(super) async fn load(db: &Db, visitor: Option<&Identity>, id: TournamentId) -> ApiResult<Tournament> {
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor).await?;
    Ok(competitions::tournaments::load(&mut conn, id, by_staff).await?)
}

pub(crate) async fn sees_drafts(conn: &mut AsyncPgConnection, visitor: Option<&Identity>) -> ApiResult<bool> {
    match visitor {
        Some(caller) => Ok(holds(conn, caller, Permission::ViewTournaments).await?),
        None => Ok(false),
    }
}

/// As staff see it.
pub(super) async fn show<P: SeesDrafts>(
    cx: &mut StaffContext<'_, P>,
    id: TournamentId,
) -> ApiResult<Json<WholeAnswer>> {
    let now = cx.parts().await?.1.world.now();
    Ok(Json(competitions::tournaments::load_for_staff(cx, id).await?.whole_answer(Some(now))?))
}

pub(super) fn tidy_reason(reason: Option<&str>) -> ApiResult<Option<String>> {
    let reason = reason.map(|reason| tidy_text(reason, REASON_LENGTH)).transpose();
    Ok(reason.map_err(|refusal| base::error::invalid_fields(vec![refusal.at("/reason")]))?)
}
