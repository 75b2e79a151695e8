//! Bouts for programs: those that wait for something, what would be paired next, and many results at once.

use std::fmt;
use std::str::FromStr;

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, get, post};
use engine::tournaments::Pairing;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{REASON_LENGTH, load, show};
use crate::tournaments::answers::{Bout, WholeAnswer};
use base::auth::can;
use base::db::Db;
use base::error::{invalid_field, invalid_fields, invalid_query};
use base::games::shapes::PairingReason;
use base::inputs::tidy_text;
use base::list::{List, page_size, start as page_start};
use competitions::tournaments::{
    self, BoutKey, BoutResult, BoutRow, BoutStatus, Finish, Rehearsal, Repeats, TournamentId, Written, WrittenResult,
};
use web_base::error::{ApiError, ApiResult, Problem};
use web_base::extract::{Authorized, Body, Path, Search, Visitor};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Writes};

/// So many results at a time: those of the largest round.
const MOST_RESULTS: usize = 256;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoutQuery {
    /// `ready` for those that are played or can be, and that have no result yet.
    status: Option<BoutStatus>,
    #[param(minimum = 1, maximum = 3)]
    stage: Option<i16>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// A bout of a list.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentListedBout)]
pub(crate) struct ListedBout {
    stage: i16,
    round: i16,
    status: BoutStatus,
    #[serde(flatten)]
    bout: Bout,
}

/// Where a page of bouts begins: behind this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Behind {
    stage: i16,
    round: i16,
    key: BoutKey,
}

impl Behind {
    fn of(bout: &BoutRow) -> Self {
        Self { stage: bout.stage, round: bout.round, key: bout.key }
    }
}

impl fmt::Display for Behind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.stage, self.round, self.key)
    }
}

impl FromStr for Behind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.splitn(3, '.');
        let mut next = || parts.next().ok_or(());
        let stage = next()?.parse().map_err(drop)?;
        let round = next()?.parse().map_err(drop)?;
        let key = BoutKey(next()?.parse().map_err(drop)?);
        Ok(Self { stage, round, key })
    }
}

/// The bouts of a tournament in the order of stages, rounds and keys; drafts for staff only. With `status=ready` those that are waited
/// for.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), BoutQuery),
    responses((status = 200, body = List<ListedBout>)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/bouts")]
pub async fn list_tournament_bouts(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
    Search(query): Search<BoutQuery>,
) -> ApiResult<Json<List<ListedBout>>> {
    let limit = page_size(query.limit)?;
    let behind: Option<Behind> = page_start(query.cursor.as_deref())?;
    if query.stage.is_some_and(|stage| !(1..=3).contains(&stage)) {
        return Err(invalid_query("stage", "out_of_range").into());
    }
    let tournament = load(&db, visitor.as_ref(), id).await?;
    let is_wanted = |it: &&BoutRow| {
        query.stage.is_none_or(|stage| it.stage == stage)
            && query.status.is_none_or(|status| tournament.status_of(it) == status)
            && behind.is_none_or(|behind| Behind::of(it) > behind)
    };
    let most = usize::try_from(limit).unwrap_or_default() + 1;
    let rows: Vec<&BoutRow> = tournament.bouts.iter().filter(is_wanted).take(most).collect();
    let List { items, next } = List::of(rows, limit, |it| Behind::of(it).to_string());
    let listed = |it: &BoutRow| ListedBout {
        stage: it.stage,
        round: it.round,
        status: tournament.status_of(it),
        bout: Bout::of(&tournament, it),
    };
    Ok(Json(List { items: items.into_iter().map(listed).collect(), next }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PairingQuery {
    /// `true` to let people meet again if a Swiss round cannot be paired otherwise: as little as possible.
    repeats: Option<bool>,
}

/// What the next round would be.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentPairingPreview)]
pub(crate) struct PairingPreview {
    stage: i16,
    round: i16,
    bouts: Vec<PreviewedBout>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentPreviewedBout)]
pub(crate) struct PreviewedBout {
    #[schema(value_type = String, example = "main-1-3")]
    key: BoutKey,
    /// Numbers of entrants, in the order of their seats. An entrant alone has a bye.
    entrants: Vec<u32>,
    /// The reasons for the pairing, each with a `code`.
    #[schema(value_type = Vec<PairingReason>)]
    reasons: Vec<engine::tournaments::Reason>,
}

impl From<Pairing> for PreviewedBout {
    fn from(it: Pairing) -> Self {
        let Pairing { key, entrants, reasons } = it;
        Self { key: BoutKey(key), entrants, reasons }
    }
}

/// What pairing would draft now, with reasons; nothing is kept, and a draft stays as it is. Refused as pairing would be.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), PairingQuery),
    responses((status = 200, body = PairingPreview))
)]
#[get("/tournaments/{id}/pair")]
pub async fn preview_pairing(
    Authorized(mut cx): Authorized<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
    Search(query): Search<PairingQuery>,
) -> ApiResult<Json<PairingPreview>> {
    let repeats = if query.repeats == Some(true) { Repeats::IfNeeded } else { Repeats::Forbidden };
    let Rehearsal { stage, round, bouts } = tournaments::rehearse(&mut cx, id, repeats).await?;
    Ok(Json(PairingPreview { stage, round, bouts: bouts.into_iter().map(PreviewedBout::from).collect() }))
}

/// How several bouts of a stage ended.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = BoutResultsRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultsRequest {
    #[schema(min_items = 1, max_items = 256)]
    results: Vec<ResultOfBout>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// How one of them ended.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = BoutResultOfMany)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultOfBout {
    #[schema(
        value_type = String,
        pattern = "^(main|losers|final|third_place|places)-[1-9][0-9]{0,3}-[1-9][0-9]{0,3}$",
        example = "main-1-3",
    )]
    bout: BoutKey,
    /// Everybody of the bout, each once.
    #[schema(min_items = 2, max_items = 16)]
    finishes: Vec<Finish>,
    #[schema(max_length = 200)]
    reason: Option<String>,
}

/// The tournament after several results were sent, and what became of each.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BoutResultsAnswer)]
pub(crate) struct ResultsAnswer {
    /// In the order of the request.
    results: Vec<WrittenAnswer>,
    #[serde(flatten)]
    whole: WholeAnswer,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WrittenBoutResult)]
pub(crate) struct WrittenAnswer {
    #[schema(value_type = String, example = "main-1-3")]
    bout: BoutKey,
    outcome: WrittenOutcome,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
}

base::text_enum! {
    /// What became of a result.
    pub enum WrittenOutcome {
        /// It is the result of the bout now.
        Written = "written",
        /// It was the result before.
        Unchanged = "unchanged",
        /// It was not written down; the others were all the same.
        Refused = "refused",
    }
}

/// Writes down how several bouts of a stage ended, in one step. Each is written down or refused by itself, for the reasons for which
/// it would be alone; the others stay. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("stage" = i16, Path, minimum = 1, maximum = 3)),
    request_body = ResultsRequest,
    responses((status = 200, body = ResultsAnswer))
)]
#[post("/tournaments/{id}/stages/{stage}/results")]
pub async fn write_bout_results(
    _: Budget<Writes>,
    http: HttpRequest,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, stage)): Path<(TournamentId, i16)>,
    Body(request): Body<ResultsRequest>,
) -> ApiResult<Json<ResultsAnswer>> {
    if !(1..=MOST_RESULTS).contains(&request.results.len()) {
        return Err(invalid_field("/results", "out_of_range").into());
    }
    let mut reasons = Vec::with_capacity(request.results.len());
    for (at, it) in request.results.iter().enumerate() {
        reasons.push(reason_at(at, it.reason.as_deref())?);
    }
    let results: Vec<BoutResult<'_>> = request
        .results
        .iter()
        .zip(&reasons)
        .map(|(it, reason)| BoutResult {
            bout: it.bout,
            result: WrittenResult { finishes: &it.finishes, reason: reason.as_deref() },
        })
        .collect();
    let written = tournaments::write_results(&mut cx, (id, stage), &results, request.revision).await?;
    let lang = lang_of(&http);
    let answer = |(it, written): (&BoutResult<'_>, Written)| {
        let (outcome, problem) = match written {
            Written::Now => (WrittenOutcome::Written, None),
            Written::Before => (WrittenOutcome::Unchanged, None),
            Written::Not(why) => (WrittenOutcome::Refused, Some(ApiError::from(why).problem(lang))),
        };
        WrittenAnswer { bout: it.bout, outcome, problem }
    };
    let results = results.iter().zip(written).map(answer).collect();
    let Json(whole) = show(&mut cx, id).await?;
    Ok(Json(ResultsAnswer { results, whole }))
}

fn reason_at(at: usize, given: Option<&str>) -> ApiResult<Option<String>> {
    let reason = given.map(|reason| tidy_text(reason, REASON_LENGTH)).transpose();
    Ok(reason.map_err(|refusal| invalid_fields(vec![refusal.at(&format!("/results/{at}/reason"))]))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_names_a_bout_and_keeps_the_order() {
        let behind: Behind = "1.2.main-2-3".parse().unwrap();
        assert_eq!((behind.stage, behind.round, behind.to_string().as_str()), (1, 2, "1.2.main-2-3"));
        for wrong in ["", "1", "1.2", "1.2.main", "a.2.main-1-1", "1.2.main-1-1.4"] {
            assert!(wrong.parse::<Behind>().is_err(), "{wrong}");
        }
        assert!("1.2.main-2-3".parse::<Behind>() < "1.2.main-2-10".parse::<Behind>());
        assert!("1.9.main-9-1".parse::<Behind>() < "2.1.main-1-1".parse::<Behind>());
    }
}
