//! The one place where logs are read, whether they are rows or packed; and what packing them takes.

use std::collections::HashMap;
use std::io;

use diesel::prelude::*;
use diesel::result::{Error, QueryResult};
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Json, Nullable, SmallInt, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use super::{JsonText, LogRow, MadeBy, Makers, Step, packed};
use base::db::{Count, statement};
use base::ids::MatchId;
use base::schema::{match_archives, pending_archives};

/// A version, or the whole log of a match that is packed.
#[derive(QueryableByName)]
struct Stored {
    #[diesel(sql_type = Uuid)]
    match_id: MatchId,
    #[diesel(sql_type = Integer)]
    version: i32,
    #[diesel(sql_type = Nullable<SmallInt>)]
    seat: Option<i16>,
    #[diesel(sql_type = Nullable<Json>)]
    chosen: Option<JsonText>,
    #[diesel(sql_type = Nullable<Json>)]
    chance: Option<JsonText>,
    #[diesel(sql_type = Nullable<Json>)]
    events: Option<JsonText>,
    #[diesel(sql_type = Nullable<Text>)]
    made_by: Option<MadeBy>,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    at: Option<Timestamp>,
    #[diesel(sql_type = Nullable<Binary>)]
    packed: Option<Vec<u8>>,
}

impl Stored {
    fn step(&self) -> Option<Step> {
        Some(Step { version: self.version, seat: self.seat, made_by: self.made_by?, at: self.at? })
    }

    fn row(self) -> Option<LogRow> {
        let Step { version, seat, made_by, at } = self.step()?;
        Some(LogRow { version, seat, chosen: self.chosen, chance: self.chance?, events: self.events?, made_by, at })
    }
}

/// The versions after this one, rising.
pub async fn read(conn: &mut AsyncPgConnection, id: MatchId, after: i32, limit: i64) -> QueryResult<Vec<LogRow>> {
    const LOG: &str = "\
        SELECT match_id, version, seat, move AS chosen, chance, events, made_by, at, NULL::bytea AS packed \
        FROM match_log WHERE match_id = $1 AND version > $2 \
        UNION ALL \
        SELECT match_id, 0, NULL, NULL, NULL, NULL, NULL, NULL, content FROM match_archives WHERE match_id = $1 \
        ORDER BY version LIMIT $3";
    let stored = statement(LOG).bind::<Uuid, _>(id).bind::<Integer, _>(after).bind::<BigInt, _>(limit);
    let mut rows = Vec::new();
    for stored in stored.load::<Stored>(conn).await? {
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        match &stored.packed {
            Some(bytes) => rows.extend(unpack(bytes)?.into_iter().filter(|row| row.version > after).take(most)),
            None => rows.extend(stored.row()),
        }
    }
    Ok(rows)
}

/// These matches, by match and version.
pub async fn read_many(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<(MatchId, LogRow)>> {
    let mut rows = Vec::new();
    for stored in list(conn, ids, i32::MAX, true).await? {
        let id = stored.match_id;
        match &stored.packed {
            Some(bytes) => rows.extend(unpack(bytes)?.into_iter().map(|row| (id, row))),
            None => rows.extend(stored.row().map(|row| (id, row))),
        }
    }
    Ok(rows)
}

/// The versions up to this one of these matches, by match and version. A log that cannot be read is left out.
pub async fn read_beginnings(
    conn: &mut AsyncPgConnection,
    ids: &[MatchId],
    last: i32,
) -> QueryResult<Vec<(MatchId, LogRow)>> {
    let mut rows = Vec::new();
    for stored in list(conn, ids, last, true).await? {
        let id = stored.match_id;
        match &stored.packed {
            Some(bytes) => {
                let begins = |row: &LogRow| row.version <= last;
                rows.extend(unpack_readable(id, bytes).into_iter().filter(begins).map(|row| (id, row)));
            }
            None => rows.extend(stored.row().map(|row| (id, row))),
        }
    }
    Ok(rows)
}

/// Who made each version of these matches and when, by match and version. It reads no JSON of logs that are not packed.
pub async fn read_steps(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<(MatchId, Step)>> {
    let mut steps = Vec::new();
    for stored in list(conn, ids, i32::MAX, false).await? {
        let id = stored.match_id;
        match &stored.packed {
            Some(bytes) => steps.extend(unpack(bytes)?.iter().map(|row| (id, Step::of(row)))),
            None => steps.extend(stored.step().map(|step| (id, step))),
        }
    }
    Ok(steps)
}

/// The events of a version, or the whole log of a match that is packed.
#[derive(QueryableByName)]
struct StoredEvents {
    #[diesel(sql_type = Uuid)]
    match_id: MatchId,
    #[diesel(sql_type = Nullable<Json>)]
    events: Option<JsonText>,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    at: Option<Timestamp>,
    #[diesel(sql_type = Nullable<Binary>)]
    packed: Option<Vec<u8>>,
}

/// The events of a version of a match, and when they were.
pub struct LoggedEvents {
    pub match_id: MatchId,
    pub at: Timestamp,
    pub events: JsonText,
}

/// The events of these matches, by match and version. A log that cannot be read is left out.
pub async fn read_events(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<LoggedEvents>> {
    const EVENTS: &str = "\
        SELECT match_id, version, events, at, NULL::bytea AS packed FROM match_log WHERE match_id = ANY ($1) \
        UNION ALL \
        SELECT match_id, 0, NULL, NULL, content FROM match_archives WHERE match_id = ANY ($1) \
        ORDER BY match_id, version";
    let of: Vec<uuid::Uuid> = ids.iter().map(|id| id.0).collect();
    let mut logged = Vec::new();
    for stored in statement(EVENTS).bind::<Array<Uuid>, _>(of).load::<StoredEvents>(conn).await? {
        let StoredEvents { match_id, events, at, packed } = stored;
        logged.extend(events.zip(at).map(|(events, at)| LoggedEvents { match_id, at, events }));
        let rows = packed.map_or_else(Vec::new, |bytes| unpack_readable(match_id, &bytes));
        logged.extend(rows.into_iter().map(|LogRow { at, events, .. }| LoggedEvents { match_id, at, events }));
    }
    Ok(logged)
}

/// What was read of the moves of a seat, or the whole log of a match that is packed.
#[derive(QueryableByName)]
struct StoredMakers {
    #[diesel(sql_type = Uuid)]
    match_id: MatchId,
    #[diesel(sql_type = Nullable<SmallInt>)]
    seat: Option<i16>,
    #[diesel(sql_type = Nullable<Bool>)]
    only_server: Option<bool>,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    last_of_server: Option<Timestamp>,
    #[diesel(sql_type = Nullable<Binary>)]
    packed: Option<Vec<u8>>,
}

/// For each match and seat that somebody has moved for. Of logs that are not packed it reads a row for each seat. A log that
/// cannot be read is left out.
pub async fn read_makers(
    conn: &mut AsyncPgConnection,
    ids: &[MatchId],
) -> QueryResult<HashMap<(MatchId, i16), Makers>> {
    const MAKERS: &str = "\
        SELECT match_id, seat, bool_and(made_by = $1) AS only_server, max(at) FILTER (WHERE made_by = $1) AS last_of_server, \
               NULL::bytea AS packed \
        FROM match_log WHERE match_id = ANY ($2) AND seat IS NOT NULL GROUP BY match_id, seat \
        UNION ALL \
        SELECT match_id, NULL, NULL, NULL, content FROM match_archives WHERE match_id = ANY ($2)";
    let of: Vec<uuid::Uuid> = ids.iter().map(|id| id.0).collect();
    let stored = statement(MAKERS).bind::<Text, _>(MadeBy::Server).bind::<Array<Uuid>, _>(of);
    let mut makers = HashMap::new();
    for stored in stored.load::<StoredMakers>(conn).await? {
        let StoredMakers { match_id, seat, only_server, last_of_server, packed } = stored;
        makers.extend(
            seat.zip(only_server).map(|(seat, only_server)| ((match_id, seat), Makers { only_server, last_of_server })),
        );
        for row in packed.map_or_else(Vec::new, |bytes| unpack_readable(match_id, &bytes)) {
            let Some(seat) = row.seat else { continue };
            let by_server = row.made_by == MadeBy::Server;
            let of_seat = makers.entry((match_id, seat)).or_insert(Makers { only_server: true, last_of_server: None });
            of_seat.only_server &= by_server;
            of_seat.last_of_server = of_seat.last_of_server.max(by_server.then_some(row.at));
        }
    }
    Ok(makers)
}

async fn list(conn: &mut AsyncPgConnection, ids: &[MatchId], last: i32, whole: bool) -> QueryResult<Vec<Stored>> {
    const LOGS: &str = "\
        SELECT match_id, version, seat, CASE WHEN $1 THEN move END AS chosen, CASE WHEN $1 THEN chance END AS chance, \
               CASE WHEN $1 THEN events END AS events, made_by, at, NULL::bytea AS packed \
        FROM match_log WHERE match_id = ANY ($2) AND version <= $3 \
        UNION ALL \
        SELECT match_id, 0, NULL, NULL, NULL, NULL, NULL, NULL, content FROM match_archives WHERE match_id = ANY ($2) \
        ORDER BY match_id, version";
    let ids: Vec<uuid::Uuid> = ids.iter().map(|id| id.0).collect();
    let logs = statement(LOGS).bind::<Bool, _>(whole).bind::<Array<Uuid>, _>(ids).bind::<Integer, _>(last);
    logs.load(conn).await
}

fn unpack_log(bytes: &[u8]) -> io::Result<Vec<LogRow>> {
    packed::unpack(bytes).and_then(|text| packed::rows(&text))
}

/// What counts all matches must not stop at one: where its log cannot be read, there is none.
fn unpack_readable(match_id: MatchId, bytes: &[u8]) -> Vec<LogRow> {
    unpack_log(bytes).unwrap_or_else(|error| {
        tracing::error!(%match_id, %error, "reading the packed log of a match failed: it counts without");
        Vec::new()
    })
}

fn unpack(bytes: &[u8]) -> QueryResult<Vec<LogRow>> {
    unpack_log(bytes).map_err(|err| Error::DeserializationError(format!("a packed log cannot be read: {err}").into()))
}

/// A log that is to be packed.
#[derive(QueryableByName)]
pub(super) struct Due {
    #[diesel(sql_type = Uuid)]
    pub match_id: MatchId,
    /// None if it is packed already.
    #[diesel(sql_type = Nullable<Text>)]
    pub text: Option<String>,
}

/// Some of those that are over since before, and with which nothing else is to be done. Until the transaction ends they are this
/// process's alone.
pub(super) async fn claim(conn: &mut AsyncPgConnection, before: Timestamp, most: i64) -> QueryResult<Vec<Due>> {
    const DUE: &str = "\
        WITH due AS MATERIALIZED ( \
            SELECT match_id FROM pending_archives WHERE finished_at < $1 AND match_is_settled(match_id) \
            ORDER BY finished_at, match_id LIMIT $2 FOR UPDATE SKIP LOCKED \
        ) \
        SELECT match_id, match_log_text(match_id) AS text FROM due";
    statement(DUE).bind::<Timestamptz, _>(SqlTimestamp::from(before)).bind::<BigInt, _>(most).load(conn).await
}

/// A log as it is kept from now on.
#[derive(Insertable)]
#[diesel(table_name = match_archives)]
pub(super) struct Archive {
    pub match_id: MatchId,
    pub versions: i32,
    pub sha256: Vec<u8>,
    pub content: Vec<u8>,
}

/// The database refuses it unless it is what the rows are.
pub(super) async fn insert(conn: &mut AsyncPgConnection, archives: &[Archive]) -> QueryResult<usize> {
    diesel::insert_into(match_archives::table).values(archives).execute(conn).await
}

/// Deletes the rows of these matches, which have been packed: how many.
pub(super) async fn forget_rows(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<i64> {
    const FORGET: &str =
        "SELECT coalesce(sum(match_log_forget_packed(id)), 0)::bigint AS count FROM unnest($1::uuid[]) AS id";
    let ids: Vec<uuid::Uuid> = ids.iter().map(|id| id.0).collect();
    Ok(statement(FORGET).bind::<Array<Uuid>, _>(ids).get_result::<Count>(conn).await?.count)
}

/// Nothing is left to do with these.
pub(super) async fn settle(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<usize> {
    diesel::delete(pending_archives::table.filter(pending_archives::match_id.eq_any(ids))).execute(conn).await
}

/// What has been packed, and when.
pub(super) struct Packed {
    pub matches: i64,
    pub text_bytes: i64,
    pub archive_bytes: i64,
    pub at: Timestamp,
}

pub(super) async fn add_up(conn: &mut AsyncPgConnection, packed: &Packed) -> QueryResult<usize> {
    use base::schema::log_packing::dsl as it;
    diesel::update(it::log_packing)
        .set((
            it::matches.eq(it::matches + packed.matches),
            it::text_bytes.eq(it::text_bytes + packed.text_bytes),
            it::archive_bytes.eq(it::archive_bytes + packed.archive_bytes),
            it::packed_at.eq(SqlTimestamp::from(packed.at)),
        ))
        .execute(conn)
        .await
}

/// Makes the partitions of this month and the next where they are missing: how many.
pub(super) async fn make_partitions(conn: &mut AsyncPgConnection) -> QueryResult<i64> {
    Ok(statement("SELECT match_log_make_partitions()::bigint AS count").get_result::<Count>(conn).await?.count)
}

/// Drops a partition of a past month that is empty: how many.
pub(super) async fn drop_partition(conn: &mut AsyncPgConnection) -> QueryResult<i64> {
    Ok(statement("SELECT match_log_drop_partition()::bigint AS count").get_result::<Count>(conn).await?.count)
}

impl Step {
    fn of(row: &LogRow) -> Self {
        Self { version: row.version, seat: row.seat, made_by: row.made_by, at: row.at }
    }
}
