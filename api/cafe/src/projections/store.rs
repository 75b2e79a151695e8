//! Queries of the matches whose projections are out of date.

use diesel::dsl::{exists, sql};
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Bool, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff::tz::TimeZone;
use jiff_diesel::Timestamp as SqlTimestamp;

use base::db::statement;
use base::ids::MatchId;
use base::schema::pending_projections;
use play::matches::Moment;

/// Any number of processes update projections, one at a time. The number spells "settle".
const LOCK: i64 = 0x7365_7474_6c65;
/// What `recompute` sets aside and compares.
pub const TABLES: [&str; 5] = ["player_match_stats", "player_stats", "encounters", "rating_changes", "standings"];

#[derive(QueryableByName)]
struct Taken {
    #[diesel(sql_type = Uuid)]
    match_id: MatchId,
}

#[derive(QueryableByName)]
struct Zone {
    #[diesel(sql_type = Text)]
    time_zone: String,
}

pub async fn has_pending(conn: &mut AsyncPgConnection) -> QueryResult<bool> {
    diesel::select(exists(pending_projections::table.select(pending_projections::match_id))).get_result(conn).await
}

/// Whether this transaction is now the one that updates them.
pub async fn try_lock(conn: &mut AsyncPgConnection) -> QueryResult<bool> {
    diesel::select(sql::<Bool>(&format!("pg_try_advisory_xact_lock({LOCK})"))).get_result(conn).await
}

/// Waits until nobody else updates them.
pub async fn lock(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    conn.batch_execute(&format!("SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock({LOCK})")).await
}

/// For this transaction statements may take as long as they need.
pub async fn be_patient(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    conn.batch_execute("SET LOCAL statement_timeout = 0").await
}

/// The zone by which months are told; none before it was noted.
pub async fn zone(conn: &mut AsyncPgConnection) -> QueryResult<Option<TimeZone>> {
    let found: Option<Zone> = statement("SELECT time_zone FROM ratings_time_zone").get_result(conn).await.optional()?;
    Ok(found.and_then(|it| TimeZone::get(&it.time_zone).ok()))
}

pub async fn keep_zone(conn: &mut AsyncPgConnection, zone: &TimeZone) -> QueryResult<usize> {
    const KEEP: &str = "INSERT INTO ratings_time_zone (time_zone) VALUES ($1) \
                        ON CONFLICT ON CONSTRAINT ratings_time_zone_pkey DO UPDATE SET time_zone = excluded.time_zone";
    statement(KEEP).bind::<Text, _>(zone.iana_name().unwrap_or("UTC")).execute(conn).await
}

/// The first game of which anything is pending that nobody marks at this moment, and where that begins.
pub async fn first(conn: &mut AsyncPgConnection) -> QueryResult<Option<(String, Moment)>> {
    let order = (pending_projections::game, pending_projections::finished_at, pending_projections::match_id);
    let first = pending_projections::table.order(order).select(order).for_update().skip_locked();
    let found: Option<(String, SqlTimestamp, MatchId)> = first.first(conn).await.optional()?;
    Ok(found.map(|(game, at, id)| (game, Moment { at: at.to_jiff(), id })))
}

/// Takes the first pending matches of this game off the list, from this moment on: an earlier one may have come meanwhile.
/// A writer who marks one of them meanwhile waits for the end of this transaction and puts it there again. All who mark several
/// lock their marks by game, end and id: this job, which does so before anything else, accounts that become others, and staff who
/// take several results back, once they have locked the matches. What is marked at this moment stays for the next time, and is
/// rated as a late one.
pub async fn take(conn: &mut AsyncPgConnection, game: &str, from: Moment, limit: i64) -> QueryResult<Vec<MatchId>> {
    let taken = statement(
        "DELETE FROM pending_projections WHERE match_id IN (
             SELECT match_id FROM pending_projections WHERE game = $1 AND (finished_at, match_id) >= ($2, $3)
             ORDER BY finished_at, match_id LIMIT $4 FOR UPDATE SKIP LOCKED
         ) RETURNING match_id",
    );
    let taken = taken.bind::<Text, _>(game).bind::<Timestamptz, _>(SqlTimestamp::from(from.at));
    let taken = taken.bind::<Uuid, _>(from.id).bind::<BigInt, _>(limit).load::<Taken>(conn).await?;
    Ok(taken.into_iter().map(|it| it.match_id).collect())
}

pub async fn mark_all(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    conn.batch_execute(
        "INSERT INTO pending_projections (match_id, game, finished_at)
         SELECT id, game, finished_at FROM matches WHERE status = 'finished'
         ORDER BY game, finished_at, id
         ON CONFLICT (match_id) DO NOTHING",
    )
    .await
}
