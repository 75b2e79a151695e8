//! What happened in a tournament, and the way back of its steps.

use actix_web::web::Json;
use actix_web::{get, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::show;
use crate::tournaments::answers::WholeAnswer;
use base::auth::can;
use base::ids::PlayerId;
use base::list::List;
use competitions::tournaments::{Log, LogRow, StateChange, TournamentId};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path};
use web_base::limits::{Budget, Writes};

/// A step of a tournament.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentLogStep)]
pub(crate) struct StepAnswer {
    /// The revision to which it led.
    revision: i64,
    at: Timestamp,
    /// None where a match ended by itself.
    actor: Option<PlayerId>,
    #[schema(example = "tournament.publish")]
    action: String,
    #[schema(value_type = Option<Object>, required = true)]
    details: Value,
    changes: Vec<StateChange>,
    /// Whether a later step took it back.
    is_undone: bool,
    /// Whether the caller can take it back: nothing that depends on it happened since, and it does not decide how their own bout
    /// ended. A match in which somebody has moved may still stand in the way.
    has_way_back: bool,
}

impl StepAnswer {
    pub(crate) fn of(log: &Log, row: &LogRow) -> Self {
        let LogRow { revision, at, actor, action, details, changes, .. } = row.clone();
        let (is_undone, has_way_back) = (log.is_undone(row), log.has_way_back(row));
        Self { revision, at, actor, action, details, changes: changes.0, is_undone, has_way_back }
    }
}

/// All steps of a tournament, the first first: who, when, why, and what was there before and after.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = List<StepAnswer>)))]
#[get("/tournaments/{id}/log")]
pub async fn list_tournament_log(
    Authorized(mut cx): Authorized<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<List<StepAnswer>>> {
    let tournament = competitions::tournaments::load_for_staff(&mut cx, id).await?;
    let log = competitions::tournaments::list_log(&mut cx, &tournament).await?;
    Ok(Json(List { items: log.rows.iter().map(|row| StepAnswer::of(&log, row)).collect(), next: None }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoStepRequest {
    /// The revision to which the step led.
    step: i64,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Takes a step back: what was there before it is there again, matches included. Refused once something that depends on it
/// happened (`no_way_back`) or was played (`played_since`), and if others would have gone on by it (`others_go_on`). Asking again
/// changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = UndoStepRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/undo")]
pub async fn undo_tournament_step(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Body(request): Body<UndoStepRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    competitions::tournaments::undo(&mut cx, id, request.step, request.revision).await?;
    show(&mut cx, id).await
}
