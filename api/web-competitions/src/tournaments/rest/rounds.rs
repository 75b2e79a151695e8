//! What is played: rounds, their bouts, results and tables.

use actix_web::web::Json;
use actix_web::{delete, post, put};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Seen, show, tidy_reason};
use crate::tournaments::answers::WholeAnswer;
use base::auth::can;
use base::error::invalid_field;
use base::ids::TableId;
use competitions::tournaments::{
    self, BoutId, BoutKey, Correction, Finish, Followed, LineChange, RoundKey, StandingChange, Swap, TournamentId,
    WrittenResult,
};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, OptionalBody, Path};
use web_base::limits::{Budget, Writes};

/// Two entrants of the draft.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SwapRequest {
    one: i32,
    other: i32,
    /// The bout of the draft in which `other` was seen. If it is named, asking again changes nothing.
    bout: Option<BoutKey>,
    /// `true` to do it although two would meet again or somebody would have a second bye: otherwise that is refused
    /// (`swap_conflicts`).
    force: Option<bool>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Puts one entrant of the draft into the place of another, who comes into theirs; in Swiss rounds and pods.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = SwapRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/swap")]
pub async fn swap_entrants(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Body(request): Body<SwapRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    let SwapRequest { one, other, bout: into, force, revision } = request;
    tournaments::swap(&mut cx, id, Swap { one, other, into, force: force.unwrap_or(false) }, revision).await?;
    show(&mut cx, id).await
}

/// Locks a bout of the draft: nobody in it is exchanged until it is unlocked. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("bout" = BoutKey, Path)
    ),
    responses((status = 200, body = WholeAnswer))
)]
#[put("/tournaments/{id}/stages/{stage}/bouts/{bout}/lock")]
pub async fn lock_bout(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path((id, stage, key)): Path<(TournamentId, i16, BoutKey)>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::lock_bout(&mut cx, BoutId { tournament: id, stage, key }, true).await?;
    show(&mut cx, id).await
}

/// Unlocks a bout of the draft. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("bout" = BoutKey, Path)
    ),
    responses((status = 200, body = WholeAnswer))
)]
#[delete("/tournaments/{id}/stages/{stage}/bouts/{bout}/lock")]
pub async fn unlock_bout(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path((id, stage, key)): Path<(TournamentId, i16, BoutKey)>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::lock_bout(&mut cx, BoutId { tournament: id, stage, key }, false).await?;
    show(&mut cx, id).await
}

macro_rules! steps_of_rounds {
    ($($(#[doc = $doc:literal])+ $handler:ident, $path:literal, $permission:ident, $step:path;)+) => {$(
        $(#[doc = $doc])+
        #[utoipa::path(
            tag = "tournaments",
            params(
                ("id" = TournamentId, Path),
                ("stage" = i16, Path, minimum = 1, maximum = 3),
                ("round" = i16, Path, minimum = 1)
            ),
            request_body = Option<Seen>,
            responses((status = 200, body = WholeAnswer))
        )]
        #[post($path)]
        pub async fn $handler(
            _: Budget<Writes>,
            Authorized(mut cx): Authorized<can::$permission>,
            Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
            OptionalBody(seen): OptionalBody<Seen>,
        ) -> ApiResult<Json<WholeAnswer>> {
            $step(&mut cx, RoundKey { tournament: id, stage, round }, seen.revision).await?;
            show(&mut cx, id).await
        }
    )+};
}

steps_of_rounds! {
    /// Publishes a draft: everybody sees it, its bouts have tables as far as there are free ones, and their matches wait. Asking
    /// again changes nothing.
    publish_round, "/tournaments/{id}/stages/{stage}/rounds/{round}/publish", ManageTournaments, tournaments::publish;
    /// Makes a published round a draft again, as long as nobody plays; its matches are called off. If people have left or come
    /// since it was published, it is paired again.
    withdraw_round, "/tournaments/{id}/stages/{stage}/rounds/{round}/withdraw", ManageTournaments, tournaments::withdraw;
    /// Starts the round's clock and all its matches. Asking again changes nothing.
    start_round, "/tournaments/{id}/stages/{stage}/rounds/{round}/start", RunTournaments, tournaments::start_round;
    /// Lets the clock of a round stand; of an arena nobody is paired either. Asking again changes nothing.
    pause_round_clock, "/tournaments/{id}/stages/{stage}/rounds/{round}/pause", RunTournaments, tournaments::pause_clock;
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MinutesRequest {
    #[schema(minimum = 1, maximum = 600)]
    minutes: i64,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Lets the round's clock go so much longer: from its end, or from now on if it is past that or has none.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("round" = i16, Path, minimum = 1)
    ),
    request_body = MinutesRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/stages/{stage}/rounds/{round}/minutes")]
pub async fn add_minutes(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Body(request): Body<MinutesRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::add_minutes(&mut cx, RoundKey { tournament: id, stage, round }, request.minutes, request.revision)
        .await?;
    show(&mut cx, id).await
}

/// Lets the clock of a round go on, with as much time as was left. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("round" = i16, Path, minimum = 1)
    ),
    responses((status = 200, body = WholeAnswer))
)]
#[delete("/tournaments/{id}/stages/{stage}/rounds/{round}/pause")]
pub async fn resume_round_clock(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::resume_clock(&mut cx, RoundKey { tournament: id, stage, round }).await?;
    show(&mut cx, id).await
}

/// Says that after this round, the last that was played, the next begins in so many minutes. Everybody sees the time run.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("round" = i16, Path, minimum = 1)
    ),
    request_body = MinutesRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[put("/tournaments/{id}/stages/{stage}/rounds/{round}/break")]
pub async fn set_break(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Body(request): Body<MinutesRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    let key = RoundKey { tournament: id, stage, round };
    tournaments::set_break(&mut cx, key, Some(request.minutes), request.revision).await?;
    show(&mut cx, id).await
}

/// Says no longer when the next round begins. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("round" = i16, Path, minimum = 1)
    ),
    responses((status = 200, body = WholeAnswer))
)]
#[delete("/tournaments/{id}/stages/{stage}/rounds/{round}/break")]
pub async fn end_break(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::set_break(&mut cx, RoundKey { tournament: id, stage, round }, None, None).await?;
    show(&mut cx, id).await
}

/// How a bout ended.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoutResultRequest {
    /// Everybody of the bout, each once.
    #[schema(min_items = 2, max_items = 16)]
    finishes: Vec<Finish>,
    #[schema(max_length = 200)]
    reason: Option<String>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Writes down how a bout ended: also that somebody did not appear. A match that is not over is called off, unless it is one that
/// people write down and everybody appeared: then it is finished so, too. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("bout" = BoutKey, Path)
    ),
    request_body = BoutResultRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/stages/{stage}/bouts/{bout}/result")]
pub async fn write_bout_result(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, stage, key)): Path<(TournamentId, i16, BoutKey)>,
    Body(request): Body<BoutResultRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    let reason = tidy_reason(request.reason.as_deref())?;
    let result = WrittenResult { finishes: &request.finishes, reason: reason.as_deref() };
    tournaments::write_result(&mut cx, BoutId { tournament: id, stage, key }, result, request.revision).await?;
    show(&mut cx, id).await
}

/// A result to try out.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FollowingRequest {
    /// Everybody of the bout, each once.
    #[schema(min_items = 2, max_items = 16)]
    finishes: Vec<Finish>,
}

/// What a result would change.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BoutFollowing)]
pub(crate) struct FollowingAnswer {
    /// Bouts that are published and that would no longer be right.
    voids: Vec<BoutKey>,
    /// Whose rank or points would be others, by their new rank; none in knock-outs, where nobody stands before the end.
    standings: Vec<StandingChange>,
    /// Who would come to another side of the line below those who go on, as it stands; none where no stage follows.
    line: Vec<LineChange>,
    /// Whether the stage, which is over, would not be: the second final of a double elimination, say, is still to be played.
    reopens: bool,
}

/// Tells what a result would undo and change, and does nothing.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("bout" = BoutKey, Path)
    ),
    request_body = FollowingRequest,
    responses((status = 200, body = FollowingAnswer))
)]
#[post("/tournaments/{id}/stages/{stage}/bouts/{bout}/following")]
pub async fn find_following(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ViewTournaments>,
    Path((id, stage, key)): Path<(TournamentId, i16, BoutKey)>,
    Body(request): Body<FollowingRequest>,
) -> ApiResult<Json<FollowingAnswer>> {
    let Followed { voids, standings, line, reopens } =
        tournaments::follow(&mut cx, BoutId { tournament: id, stage, key }, &request.finishes).await?;
    Ok(Json(FollowingAnswer { voids, standings, line, reopens }))
}

/// Another result for a bout.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CorrectionRequest {
    /// Everybody of the bout, each once.
    #[schema(min_items = 2, max_items = 16)]
    finishes: Vec<Finish>,
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
    /// The bouts that are undone by it, as `following` told them.
    #[serde(default)]
    #[schema(max_items = 512)]
    voids: Vec<BoutKey>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Corrects a bout's result, or lets count what its match says. The bouts that are undone by it have to be named: they are taken
/// away, their matches called off, and what is to be played instead is drafted.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("bout" = BoutKey, Path)
    ),
    request_body = CorrectionRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/stages/{stage}/bouts/{bout}/correction")]
pub async fn correct_bout(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path((id, stage, key)): Path<(TournamentId, i16, BoutKey)>,
    Body(request): Body<CorrectionRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    let reason = tidy_reason(Some(&request.reason))?.ok_or_else(|| invalid_field("/reason", "missing_field"))?;
    let bout = BoutId { tournament: id, stage, key };
    let correction = Correction { finishes: &request.finishes, reason: &reason, voids: &request.voids };
    tournaments::correct(&mut cx, bout, correction, request.revision).await?;
    show(&mut cx, id).await
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoutTableRequest {
    /// If left out, the players sit at any table with room.
    table_id: Option<TableId>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Gives a bout that is not over another table, or none.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("bout" = BoutKey, Path)
    ),
    request_body = BoutTableRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/stages/{stage}/bouts/{bout}/table")]
pub async fn give_table(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, stage, key)): Path<(TournamentId, i16, BoutKey)>,
    Body(request): Body<BoutTableRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::give_table(&mut cx, BoutId { tournament: id, stage, key }, request.table_id, request.revision).await?;
    show(&mut cx, id).await
}

/// Makes another match for a bout whose match was called off before there was a result.
#[utoipa::path(
    tag = "tournaments",
    params(
        ("id" = TournamentId, Path),
        ("stage" = i16, Path, minimum = 1, maximum = 3),
        ("bout" = BoutKey, Path)
    ),
    request_body = Option<Seen>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/stages/{stage}/bouts/{bout}/play-again")]
pub async fn play_bout_again(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, stage, key)): Path<(TournamentId, i16, BoutKey)>,
    OptionalBody(seen): OptionalBody<Seen>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::play_again(&mut cx, BoutId { tournament: id, stage, key }, seen.revision).await?;
    show(&mut cx, id).await
}
