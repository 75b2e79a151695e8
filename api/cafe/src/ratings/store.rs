//! Rows and queries of the ledger of ratings, and of where players stand.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, Bool, Text, Timestamptz, Uuid};
use diesel::upsert::excluded;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use engine::ratings::Rating;
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use super::Why;
use super::board::{After, Board};
use base::db::statement;
use base::ids::{MatchId, PlayerId};
use base::schema::{players, rating_changes, standings};
use play::matches::Moment;
use play::matches::store::Reader;
use play::matches::store::match_is_hidden_from;

/// PostgreSQL counts a statement's parameters with 16 bits.
const ROWS_AT_ONCE: usize = 2000;

/// What a match made of a player's rating, and why.
#[derive(Clone, Debug, Queryable, Selectable, Insertable, QueryableByName)]
#[diesel(table_name = rating_changes, check_for_backend(Pg))]
pub struct ChangeRow {
    pub scope: String,
    pub player_id: PlayerId,
    #[diesel(serialize_as = SqlTimestamp, deserialize_as = SqlTimestamp)]
    pub finished_at: Timestamp,
    pub match_id: MatchId,
    pub game: String,
    pub month: String,
    pub mean_before: f64,
    pub deviation_before: f64,
    pub mean_after: f64,
    pub deviation_after: f64,
    pub why: Why,
    pub place: i16,
    pub opponents: i16,
    pub beaten: f64,
    pub expected: f64,
    pub number: i32,
    pub number_in_month: i32,
}

/// Where a player stands: in all, or at the end of a month.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = standings, check_for_backend(Pg))]
pub struct StandingRow {
    pub scope: String,
    /// Empty, or a month.
    pub period: String,
    pub player_id: PlayerId,
    pub mean: f64,
    pub deviation: f64,
    pub rating: i32,
    pub provisional: bool,
    pub matches: i32,
    #[diesel(serialize_as = SqlTimestamp, deserialize_as = SqlTimestamp)]
    pub last_at: Timestamp,
}

impl StandingRow {
    pub fn rating(&self) -> Rating {
        Rating { mean: self.mean, deviation: self.deviation }
    }
}

pub async fn has_since(conn: &mut AsyncPgConnection, game: &str, from: Moment) -> QueryResult<bool> {
    let since = (SqlTimestamp::from(from.at), from.id);
    statement(
        "SELECT EXISTS (SELECT FROM rating_changes WHERE game = $1 AND (finished_at, match_id) >= ($2, $3)) AS found",
    )
    .bind::<Text, _>(game)
    .bind::<Timestamptz, _>(since.0)
    .bind::<Uuid, _>(since.1)
    .get_result::<Found>(conn)
    .await
    .map(|it| it.found)
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

/// In the order in which everybody marks: see `projections::store::take`.
pub async fn mark_since(conn: &mut AsyncPgConnection, game: &str, from: Moment) -> QueryResult<usize> {
    statement(
        "INSERT INTO pending_projections (match_id, game, finished_at)
         SELECT DISTINCT match_id, game, finished_at FROM rating_changes
         WHERE game = $1 AND (finished_at, match_id) >= ($2, $3)
         ORDER BY finished_at, match_id
         ON CONFLICT (match_id) DO NOTHING",
    )
    .bind::<Text, _>(game)
    .bind::<Timestamptz, _>(SqlTimestamp::from(from.at))
    .bind::<Uuid, _>(from.id)
    .execute(conn)
    .await
}

#[derive(QueryableByName)]
struct KeyRow {
    #[diesel(sql_type = Text)]
    scope: String,
    #[diesel(sql_type = Uuid)]
    player_id: PlayerId,
}

/// Whose ratings of what they were.
pub async fn delete_since(
    conn: &mut AsyncPgConnection,
    game: &str,
    from: Moment,
) -> QueryResult<Vec<(String, PlayerId)>> {
    let deleted = statement(
        "DELETE FROM rating_changes WHERE game = $1 AND (finished_at, match_id) >= ($2, $3)
         RETURNING scope, player_id",
    )
    .bind::<Text, _>(game)
    .bind::<Timestamptz, _>(SqlTimestamp::from(from.at))
    .bind::<Uuid, _>(from.id)
    .load::<KeyRow>(conn)
    .await?;
    Ok(deleted.into_iter().map(|key| (key.scope, key.player_id)).collect())
}

/// Who was rated for which match of a game since then.
pub async fn list_rated_since(
    conn: &mut AsyncPgConnection,
    game: &str,
    since: Timestamp,
) -> QueryResult<Vec<(Moment, PlayerId)>> {
    let rows = rating_changes::table
        .filter(rating_changes::game.eq(game))
        .filter(rating_changes::scope.eq(game))
        .filter(rating_changes::finished_at.ge(SqlTimestamp::from(since)))
        .filter(rating_changes::why.ne(Why::TooOften))
        .select((rating_changes::finished_at, rating_changes::match_id, rating_changes::player_id));
    let rows: Vec<(SqlTimestamp, MatchId, PlayerId)> = rows.load(conn).await?;
    Ok(rows.into_iter().map(|(at, id, player)| (Moment { at: at.to_jiff(), id }, player)).collect())
}

/// The latest change of each of these.
pub async fn list_latest(conn: &mut AsyncPgConnection, keys: &[(String, PlayerId)]) -> QueryResult<Vec<ChangeRow>> {
    let (scopes, players) = columns(keys);
    statement(
        "SELECT latest.* FROM unnest($1, $2) AS wanted (scope, player_id)
         CROSS JOIN LATERAL (
             SELECT * FROM rating_changes AS it
             WHERE it.scope = wanted.scope AND it.player_id = wanted.player_id
             ORDER BY finished_at DESC, match_id DESC LIMIT 1
         ) AS latest",
    )
    .bind::<Array<Text>, _>(scopes)
    .bind::<Array<Uuid>, _>(players)
    .load(conn)
    .await
}

fn columns(keys: &[(String, PlayerId)]) -> (Vec<&str>, Vec<PlayerId>) {
    keys.iter().map(|(scope, player)| (scope.as_str(), *player)).unzip()
}

pub async fn insert(conn: &mut AsyncPgConnection, changes: &[ChangeRow]) -> QueryResult<()> {
    for some in changes.chunks(ROWS_AT_ONCE) {
        diesel::insert_into(rating_changes::table).values(some.to_vec()).execute(conn).await?;
    }
    Ok(())
}

/// Where these stand in all, and from this month on.
pub async fn delete_standings(
    conn: &mut AsyncPgConnection,
    keys: &[(String, PlayerId)],
    from: &str,
) -> QueryResult<usize> {
    let (scopes, players) = columns(keys);
    statement(
        "DELETE FROM standings USING unnest($1, $2) AS gone (scope, player_id)
         WHERE standings.scope = gone.scope AND standings.player_id = gone.player_id AND (period = '' OR period >= $3)",
    )
    .bind::<Array<Text>, _>(scopes)
    .bind::<Array<Uuid>, _>(players)
    .bind::<Text, _>(from)
    .execute(conn)
    .await
}

pub async fn save_standings(conn: &mut AsyncPgConnection, rows: &[StandingRow]) -> QueryResult<()> {
    for some in rows.chunks(ROWS_AT_ONCE) {
        diesel::insert_into(standings::table)
            .values(some.to_vec())
            .on_conflict((standings::scope, standings::period, standings::player_id))
            .do_update()
            .set((
                standings::mean.eq(excluded(standings::mean)),
                standings::deviation.eq(excluded(standings::deviation)),
                standings::rating.eq(excluded(standings::rating)),
                standings::provisional.eq(excluded(standings::provisional)),
                standings::matches.eq(excluded(standings::matches)),
                standings::last_at.eq(excluded(standings::last_at)),
            ))
            .execute(conn)
            .await?;
    }
    Ok(())
}

/// A player on a leaderboard.
#[derive(Debug, Queryable)]
pub struct RankRow {
    pub player_id: PlayerId,
    pub display_name: String,
    pub shown: i32,
    pub mean: f64,
    pub deviation: f64,
    pub matches: i32,
}

/// The strongest first. Accounts that are gone are on no board.
pub async fn list_standings(
    conn: &mut AsyncPgConnection,
    board: &Board,
    after: Option<After>,
    limit: i64,
) -> QueryResult<Vec<RankRow>> {
    let mut query = standings::table
        .inner_join(players::table)
        .filter(standings::scope.eq(board.scope.as_str()))
        .filter(standings::period.eq(board.month.as_ref().map_or("", |month| month.as_str())))
        .filter(standings::provisional.eq(board.provisional))
        .filter(players::deleted_at.is_null())
        .order((standings::rating.desc(), standings::player_id))
        .limit(limit)
        .select((
            standings::player_id,
            players::display_name,
            standings::rating,
            standings::mean,
            standings::deviation,
            standings::matches,
        ))
        .into_boxed();
    if let Some(After { shown, player, .. }) = after {
        let further = standings::rating.lt(shown).or(standings::player_id.gt(player));
        query = query.filter(standings::rating.le(shown)).filter(further);
    }
    query.load(conn).await
}

/// A player's changes in a scope before this moment that this reader may know of, the latest first.
pub async fn list_changes(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    scope: &str,
    before: Option<Moment>,
    (reader, limit): (Reader, i64),
) -> QueryResult<Vec<ChangeRow>> {
    let mut query = rating_changes::table
        .filter(rating_changes::scope.eq(scope))
        .filter(rating_changes::player_id.eq(player))
        .order((rating_changes::finished_at.desc(), rating_changes::match_id.desc()))
        .limit(limit)
        .select(ChangeRow::as_select())
        .into_boxed();
    if let Some(reader) = reader.limit(player) {
        query = query.filter(diesel::dsl::not(match_is_hidden_from(rating_changes::match_id, reader)));
    }
    if let Some(Moment { at, id }) = before {
        let at = SqlTimestamp::from(at);
        let earlier = rating_changes::finished_at.lt(at).or(rating_changes::match_id.lt(id));
        query = query.filter(rating_changes::finished_at.le(at)).filter(earlier);
    }
    query.load(conn).await
}

/// Where this player stands in each game.
pub async fn list_of_player(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<StandingRow>> {
    let games: Vec<&str> = engine::catalogue::GAMES.iter().map(|game| game.info().id).collect();
    standings::table
        .filter(standings::player_id.eq(player))
        .filter(standings::period.eq(""))
        .filter(standings::scope.eq_any(games))
        .order((standings::matches.desc(), standings::scope))
        .select(StandingRow::as_select())
        .load(conn)
        .await
}

/// The variants of a game that are played now: their names and the hashes of their latest published versions.
pub async fn list_variants(conn: &mut AsyncPgConnection, game: &str) -> QueryResult<Vec<(String, String)>> {
    let published = statement(
        "SELECT name, encode(variant_hash, 'hex') AS hash FROM variants
         CROSS JOIN LATERAL (
             SELECT variant_hash FROM variant_versions
             WHERE variant_id = variants.id AND published_at IS NOT NULL ORDER BY number DESC LIMIT 1
         ) AS current
         WHERE status = 'published' AND game = $1 ORDER BY lower(name)",
    );
    let rows = published.bind::<Text, _>(game).load::<VariantName>(conn).await?;
    Ok(rows.into_iter().map(|row| (row.name, row.hash)).collect())
}

#[derive(QueryableByName)]
struct VariantName {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    hash: String,
}
