//! `/api/v1/players/{id}/matches` and `/api/v1/players/{id}/stats`.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::get;
use actix_web::web::{Data, Json};
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use base::db::Db;
use base::ids::{MatchId, PlayerId};
use base::list::{List, page_size, start as page_start};
use cafe::player_stats::seen;
use cafe::player_stats::store::{self, EncounterRow, PlayedRow, StatsRow};
use cafe::ratings::Why;
use play::matches::store::Reader;
use play::players;
use play::players::PlayerCard;
use web_base::error::ApiResult;
use web_base::extract::{Path, Player, Search};

const ENCOUNTERS: i64 = 20;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayedQuery {
    game: Option<String>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// A match that a player has finished.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayedMatch {
    match_id: MatchId,
    #[schema(example = "perudo")]
    game: String,
    /// What is played, if it is another game than those of the catalogue.
    title: Option<String>,
    finished_at: Timestamp,
    seat: i16,
    /// From 1; equals share one.
    place: i16,
    /// How many played.
    seats: i16,
    left_early: bool,
    /// What it made of the player's rating in the game, if it counted.
    rating: Option<Shift>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RatingShift)]
pub(crate) struct Shift {
    before: i32,
    after: i32,
    reason: Why,
}

/// The matches that a player has finished, the latest first. Private matches are listed for those who may know of them.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path), PlayedQuery),
    responses((status = 200, body = List<PlayedMatch>))
)]
#[get("/players/{id}/matches")]
pub async fn list_player_matches(
    db: Data<Db>,
    Player(caller): Player,
    Path(id): Path<PlayerId>,
    Search(query): Search<PlayedQuery>,
) -> ApiResult<Json<List<PlayedMatch>>> {
    let limit = page_size(query.limit)?;
    let before = page_start(query.cursor.as_deref())?;
    let read = async |conn: &mut AsyncPgConnection| {
        let player = players::find(conn, id).await?;
        let shown = (Reader::of(conn, &caller).await?, limit + 1);
        ApiResult::Ok(store::list_played(conn, player.id, query.game.as_deref(), before, shown).await?)
    };
    let rows = db.read(read).await?;
    let List { items, next } = List::of(rows, limit, |row| row.moment().to_string());
    Ok(Json(List { items: items.into_iter().map(PlayedMatch::from).collect(), next }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatsQuery {
    /// Only what was played of this game.
    game: Option<String>,
    /// Head to head with this player only.
    opponent: Option<PlayerId>,
}

/// What a player's finished matches add up to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerStats {
    player: PlayerCard,
    /// How many matches of all games the player finished or left early.
    matches: i64,
    wins: i64,
    /// The game played most often first.
    games: Vec<GameStats>,
    /// Those met most often first, twenty at most.
    head_to_head: Vec<Encounter>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameStats {
    #[schema(example = "perudo")]
    game: String,
    matches: i32,
    wins: i32,
    /// How often each place was taken, the first first.
    #[schema(example = json!([4, 2, 0, 1]))]
    places: Vec<i32>,
    /// How many of the matches the player left before they were over.
    left_early: i32,
    /// Wins in a row up to the latest match.
    streak: i32,
    best_streak: i32,
    calls: Calls,
    bluffs: Bluffs,
    luck: Luck,
    last_played_at: Timestamp,
}

/// Doubts, exact calls, answers: as the game has them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Calls {
    right: i64,
    wrong: i64,
}

/// Bids that the dice did not hold: doubted, or got away with.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Bluffs {
    called: i64,
    uncalled: i64,
}

/// Wild faces rolled, in games that have them, beside how many were to be expected.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Luck {
    had: i64,
    #[schema(example = 12.33)]
    expected: f64,
}

/// How a player did against another.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Encounter {
    player: PlayerCard,
    /// Played together.
    matches: i64,
    ahead: i64,
    behind: i64,
    /// With the same place.
    level: i64,
}

/// What a player's finished matches add up to: places, streaks, calls, bluffs, luck, and head to head.
/// Private matches count for those who may know of them.
#[utoipa::path(
    tag = "players",
    params(("id" = PlayerId, Path), StatsQuery),
    responses((status = 200, body = PlayerStats))
)]
#[get("/players/{id}/stats")]
pub async fn find_player_stats(
    db: Data<Db>,
    Player(caller): Player,
    Path(id): Path<PlayerId>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<PlayerStats>> {
    let game = query.game.as_deref();
    let read = async |conn: &mut AsyncPgConnection| {
        let player = players::find(conn, id).await?;
        let reader = Reader::of(conn, &caller).await?;
        let rows = seen::list_stats(conn, player.id, reader).await?;
        let met = store::list_encounters(conn, player.id, game, query.opponent, (reader, ENCOUNTERS)).await?;
        ApiResult::Ok((player, rows, met))
    };
    let (player, mut rows, met) = db.read(read).await?;
    rows.retain(|row| game.is_none_or(|game| row.game == game));
    Ok(Json(PlayerStats {
        player: (&player).into(),
        matches: rows.iter().map(|row| i64::from(row.matches)).sum(),
        wins: rows.iter().map(|row| i64::from(row.wins)).sum(),
        games: rows.into_iter().map(GameStats::from).collect(),
        head_to_head: met.into_iter().map(Encounter::from).collect(),
    }))
}

impl From<PlayedRow> for PlayedMatch {
    fn from(row: PlayedRow) -> Self {
        let rating = row.shift().zip(row.why).map(|((before, after), reason)| Shift { before, after, reason });
        Self {
            match_id: row.tally.match_id,
            game: row.tally.game,
            title: row.title,
            finished_at: row.tally.finished_at,
            seat: row.tally.seat,
            place: row.tally.place,
            seats: row.tally.seats,
            left_early: row.tally.left_early,
            rating,
        }
    }
}

impl From<StatsRow> for GameStats {
    fn from(row: StatsRow) -> Self {
        Self {
            game: row.game,
            matches: row.matches,
            wins: row.wins,
            places: row.places,
            left_early: row.left_early,
            streak: row.streak,
            best_streak: row.best_streak,
            calls: Calls { right: row.calls_right, wrong: row.calls_wrong },
            bluffs: Bluffs { called: row.bluffs_called, uncalled: row.bluffs_uncalled },
            luck: Luck { had: row.luck_had, expected: row.luck_expected as f64 / 100.0 },
            last_played_at: row.last_at,
        }
    }
}

impl From<EncounterRow> for Encounter {
    fn from(row: EncounterRow) -> Self {
        Self {
            player: PlayerCard { id: row.opponent_id, display_name: row.display_name, deleted: row.deleted },
            matches: row.matches,
            ahead: row.ahead,
            behind: row.behind,
            level: row.matches - row.ahead - row.behind,
        }
    }
}
