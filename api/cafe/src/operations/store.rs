//! What the database knows about itself and about who serves.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Double, Nullable, Text, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use uuid::Uuid;

use super::{Backup, Process};
use base::db::statement;
use base::ids::hex;
use base::schema::{backups, processes};

#[derive(QueryableByName)]
pub struct Stands {
    #[diesel(sql_type = BigInt)]
    pub bytes: i64,
    #[diesel(sql_type = BigInt)]
    pub connections: i64,
    #[diesel(sql_type = BigInt)]
    pub busy: i64,
    #[diesel(sql_type = BigInt)]
    pub connections_max: i64,
}

#[derive(QueryableByName)]
pub struct Statement {
    #[diesel(sql_type = Text)]
    pub what: String,
    #[diesel(sql_type = BigInt)]
    pub calls: i64,
    #[diesel(sql_type = Double)]
    pub mean_ms: f64,
    #[diesel(sql_type = Double)]
    pub total_ms: f64,
}

pub async fn ping(conn: &mut AsyncPgConnection) -> QueryResult<usize> {
    diesel::sql_query("SELECT 1").execute(conn).await
}

pub async fn stands(conn: &mut AsyncPgConnection) -> QueryResult<Stands> {
    const STANDS: &str = "SELECT pg_database_size(current_database()) AS bytes, \
            (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections, \
            (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active') AS busy, \
            current_setting('max_connections')::bigint AS connections_max";
    statement(STANDS).get_result(conn).await
}

/// A table that grows with each match; and the same in each row, what is known of matches and of packing.
#[derive(QueryableByName)]
pub struct Size {
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = BigInt)]
    pub bytes: i64,
    #[diesel(sql_type = BigInt)]
    pub matches: i64,
    #[diesel(sql_type = BigInt)]
    pub packed: i64,
    #[diesel(sql_type = BigInt)]
    pub text_bytes: i64,
    #[diesel(sql_type = BigInt)]
    pub archive_bytes: i64,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    pub packed_at: Option<Timestamp>,
}

/// The largest first. No table is counted: statistics say how many rows there are, files how large they are.
pub async fn list_sizes(conn: &mut AsyncPgConnection) -> QueryResult<Vec<Size>> {
    const SIZES: &str = "\
        SELECT coalesce(inhparent::regclass::text, relname) AS name, sum(pg_total_relation_size(oid))::bigint AS bytes, \
               (SELECT greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::bigint FROM pg_class \
                WHERE oid = 'matches'::regclass) AS matches, \
               log_packing.matches AS packed, text_bytes, archive_bytes, packed_at \
        FROM log_packing, pg_class LEFT JOIN pg_inherits ON inhrelid = oid \
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' \
          AND (relname LIKE 'match%' OR relname IN ('pending_archives', 'player_match_stats', 'rating_changes')) \
        GROUP BY 1, log_packing.matches, text_bytes, archive_bytes, packed_at ORDER BY bytes DESC, name";
    statement(SIZES).load(conn).await
}

pub async fn migrations(conn: &mut AsyncPgConnection) -> QueryResult<(i64, String)> {
    #[derive(QueryableByName)]
    struct Applied {
        #[diesel(sql_type = BigInt)]
        applied: i64,
        #[diesel(sql_type = Text)]
        newest: String,
    }
    const APPLIED: &str =
        "SELECT count(*) AS applied, coalesce(max(version), '')::text AS newest FROM __diesel_schema_migrations";
    let found: Applied = statement(APPLIED).get_result(conn).await?;
    Ok((found.applied, found.newest))
}

/// Whether PostgreSQL counts statements, and this user may see what it counted.
pub async fn counts_statements(conn: &mut AsyncPgConnection) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Counts {
        #[diesel(sql_type = diesel::sql_types::Bool)]
        counts: bool,
    }
    const COUNTS: &str = "SELECT to_regclass('pg_stat_statements') IS NOT NULL \
                          AND current_setting('shared_preload_libraries') LIKE '%pg_stat_statements%' AS counts";
    Ok(statement(COUNTS).get_result::<Counts>(conn).await?.counts)
}

pub async fn slow_statements(conn: &mut AsyncPgConnection, most: i64) -> QueryResult<Vec<Statement>> {
    const SLOW: &str = "SELECT left(regexp_replace(s.query, '\\s+', ' ', 'g'), 300) AS what, s.calls, \
            s.mean_exec_time AS mean_ms, s.total_exec_time AS total_ms \
            FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid \
            WHERE d.datname = current_database() ORDER BY s.total_exec_time DESC LIMIT $1";
    statement(SLOW).bind::<BigInt, _>(most).load(conn).await
}

pub async fn last_backup(conn: &mut AsyncPgConnection) -> QueryResult<Option<Backup>> {
    let latest = backups::table.order(backups::taken_at.desc());
    let found = latest.select((backups::taken_at, backups::bytes, backups::sha256));
    let found: Option<(SqlTimestamp, i64, Vec<u8>)> = found.first(conn).await.optional()?;
    Ok(found.map(|(taken_at, bytes, sha256)| Backup { taken_at: taken_at.to_jiff(), bytes, sha256: hex(&sha256) }))
}

/// Those heard of since then, the longest standing first.
pub async fn list_processes(conn: &mut AsyncPgConnection, since: Timestamp) -> QueryResult<Vec<Process>> {
    let alive = processes::table.filter(processes::seen_at.gt(SqlTimestamp::from(since)));
    let found = alive.order((processes::started_at, processes::id)).limit(100);
    let found: Vec<(Uuid, String, SqlTimestamp, SqlTimestamp, i32)> = found.load(conn).await?;
    let process = |(id, version, started_at, seen_at, viewers): (_, _, SqlTimestamp, SqlTimestamp, _)| Process {
        id,
        version,
        started_at: started_at.to_jiff(),
        seen_at: seen_at.to_jiff(),
        viewers,
    };
    Ok(found.into_iter().map(process).collect())
}

pub async fn keep_process(conn: &mut AsyncPgConnection, process: &Process) -> QueryResult<usize> {
    let (seen_at, viewers) = (SqlTimestamp::from(process.seen_at), process.viewers);
    diesel::insert_into(processes::table)
        .values((
            processes::id.eq(process.id),
            processes::version.eq(&process.version),
            processes::started_at.eq(SqlTimestamp::from(process.started_at)),
            processes::seen_at.eq(seen_at),
            processes::viewers.eq(viewers),
        ))
        .on_conflict(processes::id)
        .do_update()
        .set((processes::seen_at.eq(seen_at), processes::viewers.eq(viewers)))
        .execute(conn)
        .await
}

/// This one, and those not heard of since then.
pub async fn forget_processes(conn: &mut AsyncPgConnection, id: Option<Uuid>, since: Timestamp) -> QueryResult<usize> {
    let gone = processes::seen_at.lt(SqlTimestamp::from(since));
    match id {
        Some(id) => diesel::delete(processes::table.filter(gone.or(processes::id.eq(id)))).execute(conn).await,
        None => diesel::delete(processes::table.filter(gone)).execute(conn).await,
    }
}
