//! Queries of what is to be settled.

use diesel::dsl::{exists, sql};
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Bool, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;

use crate::error::{ApiError, bad_request};
use crate::ids::{MatchId, PlayerId};
use crate::matches::{Mode, Status};
use crate::schema::{match_seats, matches, players, unsettled_matches};

/// Any number of processes settle, one at a time. The number spells "settle".
const LOCK: i64 = 0x7365_7474_6c65;
/// What `recompute` sets aside and compares.
const TABLES: [&str; 5] = ["tallies", "player_stats", "encounters", "rating_changes", "standings"];

/// When a match finished, and its place among those that finished together: the order of everything here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    pub at: Timestamp,
    pub id: MatchId,
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.at.as_microsecond(), self.id)
    }
}

impl std::str::FromStr for Moment {
    type Err = ApiError;

    fn from_str(text: &str) -> Result<Self, ApiError> {
        let wrong = || bad_request("invalid_query");
        let (at, id) = text.split_once('.').ok_or_else(wrong)?;
        let at = at.parse().ok().and_then(|at| Timestamp::from_microsecond(at).ok()).ok_or_else(wrong)?;
        Ok(Self { at, id: MatchId(id.parse().map_err(|_| wrong())?) })
    }
}

#[derive(Queryable)]
pub(super) struct FinishedRow {
    pub id: MatchId,
    pub game: String,
    pub variant_hash: Vec<u8>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub finished_at: Timestamp,
    pub seat_count: i16,
    pub has_log: bool,
    pub outcome: Option<Value>,
}

#[derive(QueryableByName)]
struct Taken {
    #[diesel(sql_type = Uuid)]
    match_id: MatchId,
}

#[derive(QueryableByName)]
struct Zone {
    #[diesel(sql_type = Text)]
    zone: String,
}

#[derive(Queryable)]
pub(super) struct TakenSeat {
    pub match_id: MatchId,
    pub seat: i16,
    pub player: PlayerId,
    pub registered: bool,
}

pub(super) async fn has_unsettled(conn: &mut AsyncPgConnection) -> QueryResult<bool> {
    diesel::select(exists(unsettled_matches::table.select(unsettled_matches::match_id))).get_result(conn).await
}

/// Whether this transaction is now the one that settles.
pub(super) async fn try_lock(conn: &mut AsyncPgConnection) -> QueryResult<bool> {
    diesel::select(sql::<Bool>(&format!("pg_try_advisory_xact_lock({LOCK})"))).get_result(conn).await
}

/// Waits until nobody else settles.
pub(super) async fn lock(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    conn.batch_execute(&format!("SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock({LOCK})")).await
}

/// For this transaction statements may take as long as they need.
pub(super) async fn be_patient(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    conn.batch_execute("SET LOCAL statement_timeout = 0").await
}

/// The zone by which months are told; none before it was noted.
pub(super) async fn zone(conn: &mut AsyncPgConnection) -> QueryResult<Option<TimeZone>> {
    let found: Option<Zone> = sql_query("SELECT zone FROM ratings_zone").get_result(conn).await.optional()?;
    Ok(found.and_then(|it| TimeZone::get(&it.zone).ok()))
}

pub(super) async fn keep_zone(conn: &mut AsyncPgConnection, zone: &TimeZone) -> QueryResult<usize> {
    const KEEP: &str = "INSERT INTO ratings_zone (zone) VALUES ($1) \
                        ON CONFLICT ON CONSTRAINT ratings_zone_pkey DO UPDATE SET zone = excluded.zone";
    sql_query(KEEP).bind::<Text, _>(zone.iana_name().unwrap_or("UTC")).execute(conn).await
}

/// The first game of which anything is unsettled, and where that begins.
pub(super) async fn first(conn: &mut AsyncPgConnection) -> QueryResult<Option<(String, Moment)>> {
    let order = (unsettled_matches::game, unsettled_matches::finished_at, unsettled_matches::match_id);
    let first = unsettled_matches::table.order(order).select(order);
    let found: Option<(String, SqlTimestamp, MatchId)> = first.first(conn).await.optional()?;
    Ok(found.map(|(game, at, id)| (game, Moment { at: at.to_jiff(), id })))
}

/// Takes the first unsettled matches of this game off the list, from this moment on: an earlier one may have come meanwhile.
/// Whoever unsettles one of them meanwhile waits for the end of this transaction and puts it there again.
pub(super) async fn take(
    conn: &mut AsyncPgConnection,
    game: &str,
    from: Moment,
    limit: i64,
) -> QueryResult<Vec<MatchId>> {
    let taken = sql_query(
        "DELETE FROM unsettled_matches WHERE match_id IN (
             SELECT match_id FROM unsettled_matches WHERE game = $1 AND (finished_at, match_id) >= ($2, $3)
             ORDER BY finished_at, match_id LIMIT $4
         ) RETURNING match_id",
    );
    let taken = taken.bind::<Text, _>(game).bind::<Timestamptz, _>(SqlTimestamp::from(from.at));
    let taken = taken.bind::<Uuid, _>(from.id).bind::<BigInt, _>(limit).load::<Taken>(conn).await?;
    Ok(taken.into_iter().map(|it| it.match_id).collect())
}

/// Those that are finished, in their order.
pub(super) async fn list_finished(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<FinishedRow>> {
    matches::table
        .filter(matches::id.eq_any(ids))
        .filter(matches::status.eq(Status::Finished))
        .filter(matches::finished_at.is_not_null())
        .order((matches::finished_at, matches::id))
        .select((
            matches::id,
            matches::game,
            matches::variant_hash,
            matches::finished_at.assume_not_null(),
            matches::seat_count,
            matches::mode.eq(Mode::Played),
            matches::outcome,
        ))
        .load(conn)
        .await
}

pub(super) async fn list_taken_seats(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<TakenSeat>> {
    match_seats::table
        .inner_join(players::table)
        .filter(match_seats::match_id.eq_any(ids))
        .order((match_seats::match_id, match_seats::seat))
        .select((
            match_seats::match_id,
            match_seats::seat,
            match_seats::player_id,
            players::registered_at.is_not_null(),
        ))
        .load(conn)
        .await
}

/// The seats of these matches in which the house or a stand-in had to move after their player had left.
pub(super) async fn list_leavers(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<(MatchId, i16)>> {
    let needed = "(match_seats.stand_in_id <> match_seats.player_id OR EXISTS ( \
                      SELECT FROM match_log WHERE match_log.match_id = match_seats.match_id \
                      AND match_log.seat = match_seats.seat AND match_log.made_by = 'house' \
                      AND match_log.at >= match_seats.left_at))";
    match_seats::table
        .filter(match_seats::match_id.eq_any(ids))
        .filter(match_seats::left_at.is_not_null())
        .filter(sql::<Bool>(needed))
        .select((match_seats::match_id, match_seats::seat))
        .load(conn)
        .await
}

pub(super) async fn unsettle_all_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<usize> {
    sql_query(
        "INSERT INTO unsettled_matches (match_id, game, finished_at)
         SELECT id, game, finished_at FROM match_seats JOIN matches ON id = match_id
         WHERE player_id = $1 AND status = 'finished'
         ORDER BY finished_at, id
         ON CONFLICT (match_id) DO UPDATE SET finished_at = excluded.finished_at",
    )
    .bind::<Uuid, _>(player)
    .execute(conn)
    .await
}

/// Empties what is reckoned, keeping it for a comparison until the transaction ends, and unsettles every match.
pub(super) async fn set_aside(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    for table in TABLES {
        let text =
            format!("CREATE TEMPORARY TABLE former_{table} ON COMMIT DROP AS TABLE {table}; DELETE FROM {table}");
        conn.batch_execute(&text).await?;
    }
    conn.batch_execute(
        "INSERT INTO unsettled_matches (match_id, game, finished_at)
         SELECT id, game, finished_at FROM matches WHERE status = 'finished' ON CONFLICT (match_id) DO NOTHING",
    )
    .await
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Rows that were set aside and did not come again, or that came and had not been there.
pub(super) async fn count_differing(conn: &mut AsyncPgConnection) -> QueryResult<i64> {
    let mut differing = 0;
    for table in TABLES {
        let count = format!(
            "SELECT (SELECT count(*) FROM (TABLE {table} EXCEPT ALL TABLE former_{table}) AS new)
                  + (SELECT count(*) FROM (TABLE former_{table} EXCEPT ALL TABLE {table}) AS gone) AS count"
        );
        differing += sql_query(count).get_result::<Count>(conn).await?.count;
    }
    Ok(differing)
}
