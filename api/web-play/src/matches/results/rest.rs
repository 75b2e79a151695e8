//! `/api/v1/matches/{id}/result` and `…/results`, and what waits for confirmation.

use actix_web::web::{Data, Json as JsonBody};
use actix_web::{get, post};
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::matches::{MatchAnswer, answers};
use base::auth::can;
use base::db::Db;
use base::error::invalid_fields;
use base::games::shapes::MatchOutcome;
use base::ids::MatchId;
use base::inputs::tidy_text;
use base::list::{List, page_size, start as page_start};
use base::live::Live;
use base::world::World;
use play::matches::Snapshot;
use play::matches::results::store::{self, ResultRow};
use play::matches::results::{Report, Reported, ResultStatus};
use play::players::PlayerCard;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, OptionalBody, PageQuery, Path, Player, Search};
use web_base::limits::{Budget, Writes};

const REASON_LENGTH: usize = 200;

/// How the match ended.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultRequest {
    /// Per seat its place, 1 the best; tied seats share one and the next is skipped. Without, from the points, the most
    /// first, or else from who was out when.
    ranks: Option<Vec<i64>>,
    /// Per seat its points, with two decimals at most.
    scores: Option<Vec<f64>>,
    /// The seats that were out before the end, the first to go first.
    out: Option<Vec<i64>>,
    /// Of staff: why. Needed to correct what was confirmed.
    #[schema(max_length = 200)]
    reason: Option<String>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfirmationRequest {
    /// Of staff: why.
    #[schema(max_length = 200)]
    reason: Option<String>,
}

/// A result that somebody wrote down.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MatchResult)]
pub(crate) struct ResultAnswer {
    match_id: MatchId,
    /// Counts within the match.
    number: i32,
    status: ResultStatus,
    /// Of the form of the match's `outcome`, with `out` where it was said who was out when.
    #[schema(value_type = MatchOutcome)]
    outcome: Value,
    reported_by: Option<PlayerCard>,
    /// Whether it was staff who did not play.
    by_staff: bool,
    reason: Option<String>,
    created_at: Timestamp,
    confirmed_by: Option<PlayerCard>,
    confirmed_at: Option<Timestamp>,
}

/// Writes down how a match of the mode `scored` ended. Another player of it confirms by the same, or staff do; who says otherwise
/// makes it a dispute for staff to settle. What staff who do not play write down counts at once, and corrects what counted before.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    request_body = ResultRequest,
    responses((status = 200, body = MatchAnswer))
)]
#[post("/matches/{id}/result")]
pub async fn report_result(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    Player(player): Player,
    Path(id): Path<MatchId>,
    Body(request): Body<ResultRequest>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let ResultRequest { ranks, scores, out, reason } = request;
    let reason = tidy_reason(reason.as_deref())?;
    let report = Report { result: &Reported { ranks, scores, out }, reason: reason.as_deref() };
    let mut conn = db.conn().await?;
    play::matches::results::report(&mut conn, &world, &live, &player, id, &report).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

/// Agrees with the result of this number: confirms it unless another player disagrees. By staff, settles a dispute.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), ("number" = i32, Path)),
    request_body = Option<ConfirmationRequest>,
    responses((status = 200, body = MatchAnswer))
)]
#[post("/matches/{id}/results/{number}/confirm")]
pub async fn confirm_result(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    live: Data<Live>,
    Player(player): Player,
    Path((id, number)): Path<(MatchId, i32)>,
    OptionalBody(request): OptionalBody<ConfirmationRequest>,
) -> ApiResult<JsonBody<MatchAnswer>> {
    let reason = tidy_reason(request.reason.as_deref())?;
    let mut conn = db.conn().await?;
    play::matches::results::confirm(&mut conn, &world, &live, &player, id, number, reason.as_deref()).await?;
    Ok(JsonBody(answers::show(&mut conn, id, &player).await?))
}

/// Every result written down for the match, the oldest first, also those that no longer count. Empty while the match runs and
/// the caller may not watch it.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    responses((status = 200, body = List<ResultAnswer>))
)]
#[get("/matches/{id}/results")]
pub async fn list_results(
    db: Data<Db>,
    Player(player): Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<List<ResultAnswer>>> {
    let mut conn = db.conn().await?;
    let access = Snapshot::read(&mut conn, id).await?.access(&mut conn, &player).await?;
    let written = if access.is_up_to_date() { store::list(&mut conn, id).await? } else { Vec::new() };
    Ok(JsonBody(List { items: ResultAnswer::list(&mut conn, written).await?, next: None }))
}

/// Results that wait for confirmation or are disputed, the oldest first. For staff.
#[utoipa::path(tag = "matches", params(PageQuery), responses((status = 200, body = List<ResultAnswer>)))]
#[get("/results/waiting")]
pub async fn list_waiting_results(
    Authorized(mut cx): Authorized<can::SettleResults>,
    Search(query): Search<PageQuery>,
) -> ApiResult<JsonBody<List<ResultAnswer>>> {
    let limit = page_size(query.limit)?;
    let after = page_start(query.cursor.as_deref())?;
    let conn = cx.conn().await?;
    let open = store::list_open(conn, after, limit + 1).await?;
    let List { items, next } = List::of(open, limit, |(result, _)| result.id.to_string());
    let items = items.into_iter().map(|(result, _)| result).collect();
    Ok(JsonBody(List { items: ResultAnswer::list(conn, items).await?, next }))
}

pub(super) fn tidy_reason(reason: Option<&str>) -> ApiResult<Option<String>> {
    let reason = reason.map(|reason| tidy_text(reason, REASON_LENGTH)).transpose();
    Ok(reason.map_err(|refusal| invalid_fields(vec![refusal.at("/reason")]))?)
}

impl ResultAnswer {
    async fn list(conn: &mut AsyncPgConnection, rows: Vec<ResultRow>) -> ApiResult<Vec<Self>> {
        let people = store::list_people(conn, &rows).await?;
        let answer = |row: ResultRow| Self {
            match_id: row.match_id,
            number: row.number,
            status: row.status,
            outcome: row.outcome,
            reported_by: people.get(&row.reported_by).cloned(),
            by_staff: row.by_staff,
            reason: row.reason,
            created_at: row.created_at,
            confirmed_by: row.confirmed_by.and_then(|id| people.get(&id)).cloned(),
            confirmed_at: row.confirmed_at,
        };
        Ok(rows.into_iter().map(answer).collect())
    }
}
