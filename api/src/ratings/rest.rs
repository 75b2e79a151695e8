//! `/api/v1/leaderboards/{game}` and `/api/v1/players/{id}/ratings`.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::get;
use actix_web::web::{Data, Json};
use engine::catalogue;
use engine::ratings::Rating;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::board::{Board, Month, Rank};
use super::store::{self, ChangeRow};
use super::{Scope, Why};
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::{Path, Player, Search};
use crate::ids::{MatchId, PlayerId};
use crate::list::{List, page_size, start as page_start};
use crate::players;
use crate::settling::Moment;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BoardQuery {
    /// Only what was played by these rules: a variant's hash.
    variant: Option<String>,
    /// As it stood at the end of this month, for those who played in it.
    #[param(example = "2026-11")]
    month: Option<String>,
    /// `true` for those of whom too little is known yet; they are on a list of their own.
    provisional: Option<bool>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// The players of a game, the strongest first.
#[utoipa::path(
    tag = "ratings",
    params(("game" = String, Path), BoardQuery),
    responses((status = 200, body = List<Rank>)),
    security((), ("bearer" = []))
)]
#[get("/leaderboards/{game}")]
pub(crate) async fn list_leaderboard(
    db: Data<Db>,
    Path(game): Path<String>,
    Search(query): Search<BoardQuery>,
) -> ApiResult<Json<List<Rank>>> {
    let game = catalogue::find(&game).ok_or_else(|| not_found("unknown_game"))?;
    let board = Board {
        scope: Scope::of(game.info().id, query.variant.as_deref())?,
        month: query.month.as_deref().map(Month::parse).transpose()?,
        provisional: query.provisional.unwrap_or(false),
    };
    let limit = page_size(query.limit)?;
    let after = page_start(query.cursor.as_deref())?;
    Ok(Json(board.page(&mut *db.conn().await?, after, limit).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChangesQuery {
    /// Which game's ratings.
    #[param(example = "perudo")]
    game: String,
    /// Those of what was played by these rules: a variant's hash.
    variant: Option<String>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// What a match made of a player's rating, and why.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingChange {
    match_id: MatchId,
    /// When the match finished.
    at: Timestamp,
    before: RatingAnswer,
    after: RatingAnswer,
    why: RatingReason,
}

/// What is believed of a player's strength.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = Rating)]
pub struct RatingAnswer {
    /// What leaderboards show: a hundred times mean less three deviations; 0 for a newcomer.
    #[schema(example = 344)]
    pub rating: i32,
    #[schema(example = 27.635231)]
    pub mean: f64,
    #[schema(example = 8.065506)]
    pub deviation: f64,
    /// Whether the deviation is still above 6.
    pub provisional: bool,
}

/// Why a rating changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingReason {
    reason: Why,
    /// The place in the match, as played.
    place: i16,
    /// How many others the player was rated against.
    opponents: i16,
    /// How many of them came after the player; those beside count half.
    beaten: f64,
    /// How many were expected to, by all that was believed before.
    expected: f64,
}

/// How a player's rating came about, the latest change first.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path), ChangesQuery),
    responses((status = 200, body = List<RatingChange>))
)]
#[get("/players/{id}/ratings")]
pub(crate) async fn list_rating_changes(
    db: Data<Db>,
    _: Player,
    Path(id): Path<PlayerId>,
    Search(query): Search<ChangesQuery>,
) -> ApiResult<Json<List<RatingChange>>> {
    let scope = Scope::of(&query.game, query.variant.as_deref())?;
    let limit = page_size(query.limit)?;
    let before: Option<Moment> = page_start(query.cursor.as_deref())?;
    let mut conn = db.conn().await?;
    let player = players::find(&mut conn, id).await?;
    let rows = store::list_changes(&mut conn, player.id, scope.as_str(), before, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.moment().to_string());
    Ok(Json(List { items: items.into_iter().map(RatingChange::from).collect(), next }))
}

impl From<Rating> for RatingAnswer {
    fn from(rating: Rating) -> Self {
        let Rating { mean, deviation } = rating;
        Self { rating: rating.shown(), mean, deviation, provisional: rating.is_provisional() }
    }
}

impl From<ChangeRow> for RatingChange {
    fn from(row: ChangeRow) -> Self {
        Self {
            match_id: row.match_id,
            at: row.finished_at,
            before: row.before().into(),
            after: row.after().into(),
            why: RatingReason {
                reason: row.why,
                place: row.place,
                opponents: row.opponents,
                beaten: row.beaten,
                expected: row.expected,
            },
        }
    }
}
