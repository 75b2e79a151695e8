//! What pages and the API read: sums only, never matches.

use std::collections::HashMap;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::result::QueryResult;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Date as SqlDate, Nullable, SmallInt, Text, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff_diesel::{Date as DieselDate, Timestamp as SqlTimestamp};

use crate::stats::{Filter, Period};
use base::db::statement;

/// Of rows of this filter: its first four binds. A variant's hash tells the game, too: rows are put together by nothing else.
/// Where both were named, the planner would expect far more groups than there are, and sort instead of hashing.
const FITS: &str =
    "day BETWEEN $1 AND $2 AND ($3::text IS NULL OR game = $3) AND ($4::bytea IS NULL OR variant_hash = $4)";
/// The same of any days.
const OF: &str = "($3::text IS NULL OR game = $3) AND ($4::bytea IS NULL OR variant_hash = $4)";
/// A sum over all rows of the same rules with as many seats, also those beyond the limit.
const OF_RULES: &str = "OVER (PARTITION BY variant_hash, seats)";

#[derive(QueryableByName)]
pub struct TotalsRow {
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
    #[diesel(sql_type = BigInt)]
    pub aborted: i64,
    #[diesel(sql_type = BigInt)]
    pub expired: i64,
    #[diesel(sql_type = BigInt)]
    pub players: i64,
}

#[derive(QueryableByName)]
pub struct DayRow {
    #[diesel(sql_type = SqlDate)]
    pub day: DieselDate,
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
    #[diesel(sql_type = BigInt)]
    pub players: i64,
}

#[derive(QueryableByName)]
pub struct PlaysRow {
    #[diesel(sql_type = Text)]
    pub game: String,
    #[diesel(sql_type = Binary)]
    pub variant_hash: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
    #[diesel(sql_type = BigInt)]
    pub aborted: i64,
    #[diesel(sql_type = BigInt)]
    pub expired: i64,
    #[diesel(sql_type = BigInt)]
    pub players: i64,
}

#[derive(QueryableByName)]
pub struct HourRow {
    #[diesel(sql_type = SmallInt)]
    pub weekday: i16,
    #[diesel(sql_type = SmallInt)]
    pub hour: i16,
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
    #[diesel(sql_type = BigInt)]
    pub players: i64,
}

#[derive(QueryableByName)]
pub struct SeatRow {
    #[diesel(sql_type = Text)]
    pub game: String,
    #[diesel(sql_type = Binary)]
    pub variant_hash: Vec<u8>,
    #[diesel(sql_type = SmallInt)]
    pub seats: i16,
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
    /// None where no seat ever won.
    #[diesel(sql_type = Nullable<SmallInt>)]
    pub seat: Option<i16>,
    #[diesel(sql_type = BigInt)]
    pub wins: i64,
    /// Of all seats of these rules together.
    #[diesel(sql_type = BigInt)]
    pub all_wins: i64,
}

#[derive(QueryableByName)]
pub struct PlaceRow {
    #[diesel(sql_type = Text)]
    pub game: String,
    #[diesel(sql_type = Binary)]
    pub variant_hash: Vec<u8>,
    #[diesel(sql_type = SmallInt)]
    pub seats: i16,
    #[diesel(sql_type = SmallInt)]
    pub place: i16,
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
    #[diesel(sql_type = BigInt)]
    pub wins: i64,
    /// Of all places of these rules together.
    #[diesel(sql_type = BigInt)]
    pub all_wins: i64,
}

#[derive(QueryableByName)]
pub struct RoleRow {
    #[diesel(sql_type = Text)]
    pub game: String,
    #[diesel(sql_type = Binary)]
    pub variant_hash: Vec<u8>,
    #[diesel(sql_type = SmallInt)]
    pub seats: i16,
    #[diesel(sql_type = Text)]
    pub role: String,
    #[diesel(sql_type = BigInt)]
    pub played: i64,
    #[diesel(sql_type = BigInt)]
    pub wins: i64,
    /// Of all roles of these rules together.
    #[diesel(sql_type = BigInt)]
    pub all_wins: i64,
    #[diesel(sql_type = BigInt)]
    pub all_played: i64,
}

#[derive(QueryableByName)]
pub struct LengthRow {
    #[diesel(sql_type = Text)]
    pub game: String,
    #[diesel(sql_type = Binary)]
    pub variant_hash: Vec<u8>,
    #[diesel(sql_type = SmallInt)]
    pub seats: i16,
    #[diesel(sql_type = SmallInt)]
    pub bucket: i16,
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
    #[diesel(sql_type = BigInt)]
    pub moves: i64,
}

/// How many matches of a game were as long as this bucket says.
#[derive(QueryableByName)]
pub struct GameLengthRow {
    #[diesel(sql_type = Text)]
    pub game: String,
    #[diesel(sql_type = SmallInt)]
    pub bucket: i16,
    #[diesel(sql_type = BigInt)]
    pub finished: i64,
}

/// How often somebody who was there had been there on the nth of their days before.
#[derive(QueryableByName)]
pub struct VisitsRow {
    #[diesel(sql_type = SmallInt)]
    pub nth: i16,
    #[diesel(sql_type = BigInt)]
    pub guests: i64,
    /// Of these, how often that was their first day ever.
    #[diesel(sql_type = BigInt)]
    pub new: i64,
}

#[derive(QueryableByName)]
pub struct GuestsRow {
    #[diesel(sql_type = SqlDate)]
    pub day: DieselDate,
    #[diesel(sql_type = BigInt)]
    pub guests: i64,
    #[diesel(sql_type = BigInt)]
    pub new: i64,
}

/// Of a day, of an hour of the week, or of all.
#[derive(QueryableByName)]
pub struct TakenRow {
    #[diesel(sql_type = Nullable<SqlDate>)]
    pub day: Option<DieselDate>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    pub weekday: Option<i16>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    pub hour: Option<i16>,
    #[diesel(sql_type = BigInt)]
    pub parties: i64,
    #[diesel(sql_type = BigInt)]
    pub people: i64,
    #[diesel(sql_type = BigInt)]
    pub seconds: i64,
}

#[derive(QueryableByName)]
pub struct TableRow {
    #[diesel(sql_type = Timestamptz)]
    pub created_at: SqlTimestamp,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    pub archived_at: Option<SqlTimestamp>,
}

#[derive(QueryableByName)]
struct NameRow {
    #[diesel(sql_type = Binary)]
    variant_hash: Vec<u8>,
    #[diesel(sql_type = Text)]
    name: String,
}

type Filtered<'a> = BoxedSqlQuery<'a, Pg, SqlQuery>;

fn filtered<'a>(text: String, filter: &'a Filter) -> Filtered<'a> {
    let boxed = sql_query(text).into_boxed();
    dates(boxed, filter.period)
        .bind::<Nullable<Text>, _>(filter.game.as_deref())
        .bind::<Nullable<Binary>, _>(filter.variant.as_deref())
}

fn dates<'a>(query: Filtered<'a>, period: Period) -> Filtered<'a> {
    let (from, until) = (DieselDate::from(period.from), DieselDate::from(period.until));
    query.bind::<SqlDate, _>(from).bind::<SqlDate, _>(until)
}

pub async fn totals(conn: &mut AsyncPgConnection, filter: &Filter) -> QueryResult<TotalsRow> {
    let text = format!(
        "SELECT coalesce(sum(finished), 0)::bigint AS finished, coalesce(sum(aborted), 0)::bigint AS aborted, \
         coalesce(sum(expired), 0)::bigint AS expired, coalesce(sum(players), 0)::bigint AS players \
         FROM play_stats WHERE {FITS}"
    );
    filtered(text, filter).get_result(conn).await
}

/// Days on which nothing ended are left out.
pub async fn list_days(conn: &mut AsyncPgConnection, filter: &Filter) -> QueryResult<Vec<DayRow>> {
    let text = format!(
        "SELECT day, sum(finished)::bigint AS finished, sum(players)::bigint AS players \
         FROM play_stats WHERE {FITS} GROUP BY day ORDER BY day"
    );
    filtered(text, filter).load(conn).await
}

/// The most played first.
pub async fn list_plays(conn: &mut AsyncPgConnection, filter: &Filter) -> QueryResult<Vec<PlaysRow>> {
    let text = format!(
        "SELECT min(game) AS game, variant_hash, sum(finished)::bigint AS finished, sum(aborted)::bigint AS aborted, \
         sum(expired)::bigint AS expired, sum(players)::bigint AS players \
         FROM play_stats WHERE {FITS} GROUP BY variant_hash ORDER BY finished DESC, 1, 2 LIMIT 500"
    );
    filtered(text, filter).load(conn).await
}

pub async fn list_hours(conn: &mut AsyncPgConnection, filter: &Filter) -> QueryResult<Vec<HourRow>> {
    let text = format!(
        "SELECT extract(isodow FROM day)::smallint AS weekday, hour, sum(finished)::bigint AS finished, \
         sum(players)::bigint AS players FROM hour_stats WHERE {FITS} GROUP BY 1, 2 ORDER BY 1, 2"
    );
    filtered(text, filter).load(conn).await
}

pub async fn list_seats(conn: &mut AsyncPgConnection, filter: &Filter) -> QueryResult<Vec<SeatRow>> {
    let text = format!(
        "SELECT game, variant_hash, seats, finished, seat, coalesce(wins, 0) AS wins, \
                coalesce(sum(wins) {OF_RULES}, 0)::bigint AS all_wins FROM \
         (SELECT min(game) AS game, variant_hash, seats, sum(finished - with_bots)::bigint AS finished FROM play_stats WHERE {FITS} \
          GROUP BY variant_hash, seats) AS plays \
         LEFT JOIN (SELECT variant_hash, seats, seat, sum(wins)::bigint AS wins FROM seat_stats WHERE {FITS} \
          GROUP BY variant_hash, seats, seat) AS won USING (variant_hash, seats) \
         WHERE finished > 0 ORDER BY finished DESC, game, variant_hash, seats, seat LIMIT 5000"
    );
    filtered(text, filter).load(conn).await
}

pub async fn list_orders(conn: &mut AsyncPgConnection, filter: &Filter) -> QueryResult<Vec<PlaceRow>> {
    let text = format!(
        "SELECT min(game) AS game, variant_hash, seats, place, sum(finished)::bigint AS finished, sum(wins)::bigint AS wins, \
                (sum(sum(wins)) {OF_RULES})::bigint AS all_wins \
         FROM order_stats WHERE {FITS} GROUP BY variant_hash, seats, place \
         ORDER BY finished DESC, 1, variant_hash, seats, place LIMIT 5000"
    );
    filtered(text, filter).load(conn).await
}

/// Of the rules that are played most first; of each, what wins most often first.
pub async fn list_roles(conn: &mut AsyncPgConnection, filter: &Filter) -> QueryResult<Vec<RoleRow>> {
    let text = format!(
        "SELECT min(game) AS game, variant_hash, seats, role, sum(played)::bigint AS played, sum(wins)::bigint AS wins, \
                (sum(sum(wins)) {OF_RULES})::bigint AS all_wins, (sum(sum(played)) {OF_RULES})::bigint AS all_played \
         FROM role_stats WHERE {FITS} GROUP BY variant_hash, seats, role \
         ORDER BY sum(sum(played)) {OF_RULES} DESC, 1, variant_hash, seats, \
                  sum(wins)::double precision / greatest(sum(played), 1) DESC, role LIMIT 5000"
    );
    filtered(text, filter).load(conn).await
}

/// How many matches were how long, by bucket: of whole months together, and of the days at both ends.
pub async fn list_lengths(conn: &mut AsyncPgConnection, filter: &Filter) -> QueryResult<Vec<LengthRow>> {
    let (first, past) = filter.period.whole_months();
    let of = |table: &str, days: &str| {
        format!("SELECT game, variant_hash, seats, bucket, finished, moves FROM {table} WHERE {days} AND {OF}")
    };
    let text = format!(
        "SELECT min(game) AS game, variant_hash, seats, bucket, sum(finished)::bigint AS finished, \
                sum(moves)::bigint AS moves \
         FROM ({} UNION ALL {} UNION ALL {}) AS sums \
         GROUP BY variant_hash, seats, bucket ORDER BY variant_hash, seats, bucket LIMIT 50000",
        of("length_months", &format!("month >= '{first}' AND month < '{past}'")),
        of("length_stats", &format!("day >= $1 AND day < '{first}'")),
        of("length_stats", &format!("day >= '{past}' AND day <= $2")),
    );
    filtered(text, filter).load(conn).await
}

/// How long matches of these games took since that day, by any rules and with any number of seats.
pub async fn list_game_lengths(
    conn: &mut AsyncPgConnection,
    games: Vec<&str>,
    since: Date,
) -> QueryResult<Vec<GameLengthRow>> {
    const LENGTHS: &str = "SELECT game, bucket, sum(finished)::bigint AS finished FROM length_stats \
                           WHERE day >= $1 AND game = ANY ($2) GROUP BY game, bucket ORDER BY game, bucket";
    let lengths = statement(LENGTHS).bind::<SqlDate, _>(DieselDate::from(since)).bind::<Array<Text>, _>(games);
    lengths.load(conn).await
}

/// How often people who were there had been there before, within the period.
pub async fn list_visits(conn: &mut AsyncPgConnection, period: Period) -> QueryResult<Vec<VisitsRow>> {
    const VISITS: &str = "\
        SELECT nth, sum(guests)::bigint AS guests, coalesce(sum(guests) FILTER (WHERE is_first), 0)::bigint AS new \
        FROM visit_stats WHERE day BETWEEN $1 AND $2 AND day - days_before >= $1 GROUP BY nth";
    dates(sql_query(VISITS).into_boxed(), period).load(conn).await
}

/// Of guests on each day: all, and those who were there for the first time.
pub async fn list_guests(conn: &mut AsyncPgConnection, period: Period) -> QueryResult<Vec<GuestsRow>> {
    const GUESTS: &str = "\
        SELECT day, sum(guests)::bigint AS guests, coalesce(sum(guests) FILTER (WHERE is_first), 0)::bigint AS new \
        FROM visit_stats WHERE day BETWEEN $1 AND $2 AND nth = 0 GROUP BY day ORDER BY day";
    dates(sql_query(GUESTS).into_boxed(), period).load(conn).await
}

/// What parties came to: in all, on each day, and in each hour of the week. Those that are still there count until now.
pub async fn list_taken(
    conn: &mut AsyncPgConnection,
    period: Period,
    now: Timestamp,
    zone: &str,
) -> QueryResult<Vec<TakenRow>> {
    const TAKEN: &str = "\
        WITH taken AS ( \
            SELECT day, hour, parties, people, seconds FROM sitting_stats WHERE day BETWEEN $1 AND $2 \
            UNION ALL \
            SELECT day, hour, parties, people, round(seconds)::bigint \
            FROM sittings, hours_of_sitting(opened_at, greatest(opened_at, $3), party_size, $4) \
            WHERE closed_at IS NULL AND day BETWEEN $1 AND $2 \
        ), hours AS (SELECT *, extract(isodow FROM day)::smallint AS weekday FROM taken) \
        SELECT day, weekday, hour, \
               coalesce(sum(parties), 0)::bigint AS parties, coalesce(sum(people), 0)::bigint AS people, \
               coalesce(sum(seconds), 0)::bigint AS seconds \
        FROM hours GROUP BY GROUPING SETS ((), (day), (weekday, hour))";
    let query = dates(sql_query(TAKEN).into_boxed(), period);
    query.bind::<Timestamptz, _>(SqlTimestamp::from(now)).bind::<Text, _>(zone).load(conn).await
}

/// From when to when there was each table.
pub async fn list_tables(conn: &mut AsyncPgConnection) -> QueryResult<Vec<TableRow>> {
    statement("SELECT created_at, archived_at FROM tables").load(conn).await
}

/// What staff call these rules: with the first of their versions, such as `v2`, where other versions have other rules.
pub async fn names(conn: &mut AsyncPgConnection, hashes: Vec<&[u8]>) -> QueryResult<HashMap<Vec<u8>, String>> {
    const NAMES: &str = "\
        WITH named AS ( \
            SELECT v.variant_hash, name || CASE WHEN EXISTS ( \
                       SELECT FROM variant_versions other \
                       WHERE other.variant_id = v.variant_id AND other.variant_hash <> v.variant_hash) \
                   THEN ' v' || min(number) ELSE '' END AS name \
            FROM variant_versions v JOIN variants ON variants.id = variant_id \
            WHERE v.variant_hash = ANY ($1) GROUP BY v.variant_hash, v.variant_id, name \
        ) SELECT variant_hash, string_agg(DISTINCT name, ' · ' ORDER BY name) AS name FROM named GROUP BY variant_hash";
    named(conn, NAMES, hashes).await
}

/// What is played by these rules of a game outside the catalogue, as any match that ended says.
pub async fn titles(conn: &mut AsyncPgConnection, hashes: Vec<&[u8]>) -> QueryResult<HashMap<Vec<u8>, String>> {
    const TITLES: &str = "SELECT variant_hash, title AS name FROM unnest($1) AS asked (variant_hash), LATERAL ( \
                              SELECT title FROM matches JOIN match_terms ON match_id = id \
                              WHERE matches.variant_hash = asked.variant_hash AND finished_at IS NOT NULL \
                              AND title IS NOT NULL LIMIT 1) AS played";
    named(conn, TITLES, hashes).await
}

async fn named(
    conn: &mut AsyncPgConnection,
    query: &'static str,
    hashes: Vec<&[u8]>,
) -> QueryResult<HashMap<Vec<u8>, String>> {
    let rows: Vec<NameRow> = statement(query).bind::<Array<Binary>, _>(hashes).load(conn).await?;
    Ok(rows.into_iter().map(|row| (row.variant_hash, row.name)).collect())
}
