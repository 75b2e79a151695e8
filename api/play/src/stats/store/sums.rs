//! How the sums are kept.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, Bool, Date as SqlDate, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff::civil::Date;
use jiff_diesel::Date as DieselDate;
use uuid::Uuid;

use base::db::statement;

/// Any number of processes sum up, one at a time. The number spells "sums".
const LOCK: i64 = 0x7375_6d73;
/// What `recompute` sets aside and compares.
pub const TABLES: [&str; 10] = [
    "play_stats",
    "hour_stats",
    "length_stats",
    "length_months",
    "seat_stats",
    "order_stats",
    "role_stats",
    "sitting_stats",
    "guest_days",
    "visit_stats",
];

#[derive(QueryableByName)]
struct Day {
    #[diesel(sql_type = SqlDate)]
    day: DieselDate,
}

#[derive(QueryableByName)]
struct Truth {
    #[diesel(sql_type = Bool)]
    truth: bool,
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Guest {
    #[diesel(sql_type = SqlUuid)]
    player_id: Uuid,
}

pub async fn has_dirty_ranges(conn: &mut AsyncPgConnection) -> QueryResult<bool> {
    const HAS: &str = "SELECT EXISTS (SELECT FROM stats_dirty_ranges) AS truth";
    Ok(statement(HAS).get_result::<Truth>(conn).await?.truth)
}

/// A plan that was made while the tables were small takes minutes for a day of a café with years behind it.
const PLAN_AGAIN: &str = "SET LOCAL plan_cache_mode = force_custom_plan";

/// Whether this transaction is now the one that sums up.
pub async fn try_lock(conn: &mut AsyncPgConnection) -> QueryResult<bool> {
    conn.batch_execute(&format!("SET LOCAL statement_timeout = '60s'; {PLAN_AGAIN}")).await?;
    let lock = format!("SELECT pg_try_advisory_xact_lock({LOCK}) AS truth");
    Ok(diesel::sql_query(lock).get_result::<Truth>(conn).await?.truth)
}

/// Waits until nobody else sums up. Statements of this transaction may take as long as they need.
pub async fn lock(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    conn.batch_execute(&format!(
        "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; {PLAN_AGAIN}; SELECT pg_advisory_xact_lock({LOCK})"
    ))
    .await
}

/// The zone of the sums that there are; none before the first.
pub async fn zone(conn: &mut AsyncPgConnection) -> QueryResult<Option<String>> {
    let found: Option<Name> =
        statement("SELECT time_zone AS name FROM stats_time_zone").get_result(conn).await.optional()?;
    Ok(found.map(|it| it.name))
}

pub async fn keep_zone(conn: &mut AsyncPgConnection, zone: &str) -> QueryResult<usize> {
    const KEEP: &str = "INSERT INTO stats_time_zone (time_zone) VALUES ($1) \
                        ON CONFLICT ON CONSTRAINT stats_time_zone_pkey DO UPDATE SET time_zone = excluded.time_zone";
    statement(KEEP).bind::<Text, _>(zone).execute(conn).await
}

/// Empties the queue and gives the days that it was about. What is written by now is seen by later statements
/// only, and a later writer puts it on the list again. What somebody puts there at this moment stays for the next time: of two who
/// wait for each other's rows one would be refused.
pub async fn take(conn: &mut AsyncPgConnection, zone: &str) -> QueryResult<Vec<Date>> {
    const TAKE: &str = "\
        WITH free AS MATERIALIZED (SELECT * FROM stats_dirty_ranges FOR UPDATE SKIP LOCKED), taken AS ( \
            DELETE FROM stats_dirty_ranges USING free WHERE stats_dirty_ranges.subject_id = free.subject_id \
                AND stats_dirty_ranges.since = free.since AND stats_dirty_ranges.until = free.until \
            RETURNING free.since, free.until \
        ) \
        SELECT DISTINCT day::date AS day FROM taken, generate_series( \
            date_trunc('day', since AT TIME ZONE $1), date_trunc('day', until AT TIME ZONE $1), interval '1 day') AS day \
        ORDER BY 1";
    days(statement(TAKE).bind::<Text, _>(zone).load(conn).await?)
}

/// The days on which any match ended or any party was there.
pub async fn list_days(conn: &mut AsyncPgConnection, zone: &str) -> QueryResult<Vec<Date>> {
    const DAYS: &str = "\
        SELECT (finished_at AT TIME ZONE $1)::date AS day FROM matches WHERE finished_at IS NOT NULL \
        UNION \
        SELECT day::date FROM sittings, generate_series( \
            date_trunc('day', opened_at AT TIME ZONE $1), \
            date_trunc('day', greatest(opened_at, closed_at) AT TIME ZONE $1), interval '1 day') AS day \
        WHERE closed_at IS NOT NULL ORDER BY 1";
    days(statement(DAYS).bind::<Text, _>(zone).load(conn).await?)
}

fn days(found: Vec<Day>) -> QueryResult<Vec<Date>> {
    Ok(found.into_iter().map(|it| it.day.to_jiff()).collect())
}

/// Recomputes this day's sums except those of visits. Returns the days whose visits have changed with it.
pub async fn sum_day(conn: &mut AsyncPgConnection, day: Date, zone: &str) -> QueryResult<Vec<Date>> {
    let sql_day = DieselDate::from(day);
    statement(include_str!("forget.sql")).bind::<SqlDate, _>(sql_day).execute(conn).await?;
    for sum in [include_str!("matches.sql"), include_str!("sittings.sql")] {
        statement(sum).bind::<Text, _>(zone).bind::<SqlDate, _>(sql_day).execute(conn).await?;
    }
    let guests = statement(include_str!("guests.sql")).bind::<SqlDate, _>(sql_day).bind::<Text, _>(zone);
    let changed: Vec<Guest> = guests.load(conn).await?;
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let changed: Vec<Uuid> = changed.into_iter().map(|it| it.player_id).collect();
    // A day that came or went changes nothing after the second day of its guest.
    const FIRSTS: &str = "\
        UPDATE guest_days SET is_first = NOT guest_days.is_first FROM unnest($1) AS changed (player_id), LATERAL ( \
            SELECT day, row_number() OVER (ORDER BY day) = 1 AS is_first FROM guest_days own \
            WHERE own.player_id = changed.player_id ORDER BY day LIMIT 2 \
        ) AS firsts \
        WHERE guest_days.player_id = changed.player_id AND guest_days.day = firsts.day \
          AND guest_days.is_first <> firsts.is_first";
    statement(FIRSTS).bind::<Array<SqlUuid>, _>(&changed).execute(conn).await?;
    // Those from which this day, or the one that was their first day until now, is among the last ten.
    const LATER: &str = "\
        SELECT $1 AS day UNION SELECT later.day FROM unnest($2) AS changed (player_id), LATERAL ( \
            SELECT day FROM guest_days WHERE guest_days.player_id = changed.player_id AND day > $1 ORDER BY day LIMIT 11 \
        ) AS later";
    days(statement(LATER).bind::<SqlDate, _>(sql_day).bind::<Array<SqlUuid>, _>(&changed).load(conn).await?)
}

/// Recomputes how often this day's guests had come before.
pub async fn sum_visits(conn: &mut AsyncPgConnection, day: Date) -> QueryResult<()> {
    let day = DieselDate::from(day);
    statement("DELETE FROM visit_stats WHERE day = $1").bind::<SqlDate, _>(day).execute(conn).await?;
    statement(include_str!("visits.sql")).bind::<SqlDate, _>(day).execute(conn).await?;
    Ok(())
}

/// Puts the lengths of the days of this month together.
pub async fn sum_month(conn: &mut AsyncPgConnection, first: Date) -> QueryResult<()> {
    const MONTH: &str = "\
        INSERT INTO length_months (month, game, variant_hash, seats, bucket, finished, moves) \
        SELECT $1, min(game), variant_hash, seats, bucket, sum(finished), sum(moves) FROM length_stats \
        WHERE day >= $1 AND day < ($1 + interval '1 month')::date GROUP BY variant_hash, seats, bucket";
    let first = DieselDate::from(first);
    statement("DELETE FROM length_months WHERE month = $1").bind::<SqlDate, _>(first).execute(conn).await?;
    statement(MONTH).bind::<SqlDate, _>(first).execute(conn).await?;
    Ok(())
}
