//! `/api/v1/leaderboards/{game}` and `/api/v1/players/{id}/ratings`.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::get;
use actix_web::web::{Data, Json};
use diesel_async::AsyncPgConnection;
use engine::catalogue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use base::db::Db;
use base::error::not_found;
use base::ids::{MatchId, PlayerId};
use base::list::{List, page_size, start as page_start};
use cafe::ratings::board::{Board, Month, Rank};
use cafe::ratings::store::{self, ChangeRow};
use cafe::ratings::{RatingView, Scope, Why};
use play::matches::Moment;
use play::matches::store::Reader;
use play::players;
use web_base::error::ApiResult;
use web_base::extract::{Path, Player, Search};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardQuery {
    /// Only what was played by these rules: a variant's hash.
    variant: Option<String>,
    /// As it stood at the end of this month, for those who played in it.
    #[param(example = "2026-11")]
    month: Option<String>,
    /// `true` for players with too few rated matches; they have a list of their own.
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
pub async fn list_leaderboard(
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
    Ok(Json(db.read(async |conn| board.page(conn, after, limit).await).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChangesQuery {
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
pub(crate) struct RatingChange {
    match_id: MatchId,
    /// When the match finished.
    at: Timestamp,
    before: RatingView,
    after: RatingView,
    why: RatingReason,
}

/// Why a rating changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatingReason {
    reason: Why,
    /// The place in the match, as played.
    place: i16,
    /// How many others the player was rated against.
    opponents: i16,
    /// How many of them finished behind the player; ties count half.
    beaten: f64,
    /// How many were expected to, by the ratings before.
    expected: f64,
}

/// The changes of a player's rating, the latest first. Those by private matches are listed for those who may know of these.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path), ChangesQuery),
    responses((status = 200, body = List<RatingChange>))
)]
#[get("/players/{id}/ratings")]
pub async fn list_rating_changes(
    db: Data<Db>,
    Player(caller): Player,
    Path(id): Path<PlayerId>,
    Search(query): Search<ChangesQuery>,
) -> ApiResult<Json<List<RatingChange>>> {
    let scope = Scope::of(&query.game, query.variant.as_deref())?;
    let limit = page_size(query.limit)?;
    let before: Option<Moment> = page_start(query.cursor.as_deref())?;
    let read = async |conn: &mut AsyncPgConnection| {
        let player = players::find(conn, id).await?;
        let shown = (Reader::of(conn, &caller).await?, limit + 1);
        ApiResult::Ok(store::list_changes(conn, player.id, scope.as_str(), before, shown).await?)
    };
    let rows = db.read(read).await?;
    let List { items, next } = List::of(rows, limit, |row| row.moment().to_string());
    Ok(Json(List { items: items.into_iter().map(RatingChange::from).collect(), next }))
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
