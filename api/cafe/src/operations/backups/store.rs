//! The rows of the work on backups.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Text, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use super::{Job, JobKind};
use base::db::statement;
use base::schema::backup_jobs;

#[derive(Queryable, Selectable)]
#[diesel(table_name = backup_jobs)]
struct Row {
    kind: JobKind,
    every_seconds: i64,
    #[diesel(deserialize_as = SqlTimestamp)]
    since: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    succeeded_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    failed_at: Option<Timestamp>,
    problem: Option<String>,
    #[diesel(deserialize_as = NullableTimestamp)]
    asked_at: Option<Timestamp>,
}

pub async fn list(conn: &mut AsyncPgConnection) -> QueryResult<Vec<Job>> {
    let rows: Vec<Row> = backup_jobs::table.order(backup_jobs::kind).select(Row::as_select()).load(conn).await?;
    let job = |Row { kind, every_seconds, since, succeeded_at, failed_at, problem, asked_at }| Job {
        kind,
        every_seconds,
        since,
        succeeded_at,
        failed_at,
        problem,
        asked_at,
    };
    Ok(rows.into_iter().map(job).collect())
}

/// A server does it from now on, so often. A house with a backup already has the next one when it is due after that.
pub async fn want(
    conn: &mut AsyncPgConnection,
    kind: JobKind,
    every_seconds: i64,
    now: Timestamp,
) -> QueryResult<usize> {
    const WANT: &str = "INSERT INTO backup_jobs (kind, every_seconds, since, succeeded_at) \
            VALUES ($1, $2, $3, (SELECT max(taken_at) FROM backups WHERE $1 = 'take')) \
            ON CONFLICT (kind) DO UPDATE SET every_seconds = excluded.every_seconds \
            WHERE backup_jobs.every_seconds <> excluded.every_seconds";
    let wanted = statement(WANT).bind::<Text, _>(kind.as_str()).bind::<BigInt, _>(every_seconds);
    wanted.bind::<Timestamptz, _>(SqlTimestamp::from(now)).execute(conn).await
}

/// No server does it any more.
pub async fn forget(conn: &mut AsyncPgConnection, kind: JobKind) -> QueryResult<usize> {
    diesel::delete(backup_jobs::table.find(kind)).execute(conn).await
}

pub async fn ask(conn: &mut AsyncPgConnection, kind: JobKind, now: Timestamp) -> QueryResult<usize> {
    let asked = backup_jobs::asked_at.eq(SqlTimestamp::from(now));
    diesel::update(backup_jobs::table.find(kind)).set(asked).execute(conn).await
}

/// What was asked for since it began stays asked for: a backup holds nothing that was written later.
pub async fn note_success(
    conn: &mut AsyncPgConnection,
    kind: JobKind,
    began: Timestamp,
    now: Timestamp,
) -> QueryResult<usize> {
    const SUCCEEDED: &str = "UPDATE backup_jobs SET succeeded_at = $1, failed_at = NULL, problem = NULL, \
            asked_at = CASE WHEN asked_at > $2 THEN asked_at END WHERE kind = $3";
    let noted = statement(SUCCEEDED).bind::<Timestamptz, _>(SqlTimestamp::from(now));
    let noted = noted.bind::<Timestamptz, _>(SqlTimestamp::from(began));
    noted.bind::<Text, _>(kind.as_str()).execute(conn).await
}

/// The same holds for what has failed.
pub async fn note_failure(
    conn: &mut AsyncPgConnection,
    kind: JobKind,
    problem: &str,
    began: Timestamp,
    now: Timestamp,
) -> QueryResult<usize> {
    const FAILED: &str = "UPDATE backup_jobs SET failed_at = $1, problem = $2, \
            asked_at = CASE WHEN asked_at > $3 THEN asked_at END WHERE kind = $4";
    let noted = statement(FAILED).bind::<Timestamptz, _>(SqlTimestamp::from(now)).bind::<Text, _>(problem);
    let noted = noted.bind::<Timestamptz, _>(SqlTimestamp::from(began));
    noted.bind::<Text, _>(kind.as_str()).execute(conn).await
}
