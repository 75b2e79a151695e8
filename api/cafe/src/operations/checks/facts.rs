//! What the database says about itself: also one that is not migrated, or holds nothing yet.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Nullable, Text, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::Timestamp as SqlTimestamp;

use super::super::backups::{self, Job};
use super::super::{Backup, Migrations, Process, heartbeat, store};
use base::audit;
use base::audit::chain::{Head, NotedHead};
use base::db;
use base::db::statement;
use base::error::{Result, internal};
use base::world::World;

/// What the database says.
pub struct Facts {
    pub version: String,
    pub version_number: i32,
    pub has_checksums: bool,
    pub user: String,
    pub is_superuser: bool,
    /// Of the connection, if it is encrypted.
    pub tls: Option<String>,
    /// Nothing that is sent to it leaves this machine.
    pub is_local: bool,
    pub latency: SignedDuration,
    pub now: Timestamp,
    /// By how much its clock is ahead of this machine's.
    pub clock_offset: SignedDuration,
    pub migrations: Migrations,
    /// Those that serve.
    pub processes: Vec<Process>,
    pub last_backup: Option<Backup>,
    pub backup_jobs: Vec<Job>,
    /// Whether the audit log holds the line that the server noted, and its number. None if it noted none.
    pub noted_head: Option<(Head, bool)>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    version: String,
    #[diesel(sql_type = Integer)]
    version_number: i32,
    #[diesel(sql_type = Bool)]
    has_checksums: bool,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Bool)]
    is_superuser: bool,
    #[diesel(sql_type = Nullable<Text>)]
    tls: Option<String>,
    #[diesel(sql_type = Timestamptz)]
    now: SqlTimestamp,
    #[diesel(sql_type = Bool)]
    has_migrations: bool,
}

const FACTS: &str = "SELECT current_setting('server_version') AS version, \
        current_setting('server_version_num')::integer AS version_number, \
        current_setting('data_checksums') = 'on' AS has_checksums, \
        current_user::text AS username, \
        coalesce((SELECT rolsuper FROM pg_roles WHERE rolname = current_user), false) AS is_superuser, \
        (SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl) AS tls, \
        clock_timestamp() AS now, \
        to_regclass('__diesel_schema_migrations') IS NOT NULL AS has_migrations";

impl Facts {
    pub async fn read(conn: &mut AsyncPgConnection, world: &World, is_local: bool, noted: &NotedHead) -> Result<Self> {
        let pinged = world.now();
        store::ping(conn).await?;
        let asked = world.now();
        let row: Row = statement(FACTS).get_result(conn).await?;
        let took = world.now().duration_since(asked);
        let now = row.now.to_jiff();
        let known = db::newest_migration().map_err(internal)?;
        let (applied, newest) = if row.has_migrations { store::migrations(conn).await? } else { (0, String::new()) };
        let migrations = Migrations { applied, complete: newest >= known, newest };
        let is_ours = migrations.complete;
        let alive = world.now() - heartbeat::ALIVE;
        let processes = if is_ours { store::list_processes(conn, alive).await? } else { Vec::new() };
        let noted_head = match noted.get().filter(|_| is_ours) {
            Some(head) => Some((head, audit::store::has_head(conn, &head).await?)),
            None => None,
        };
        Ok(Self {
            version: row.version,
            version_number: row.version_number,
            has_checksums: row.has_checksums,
            user: row.username,
            is_superuser: row.is_superuser,
            tls: row.tls,
            is_local,
            latency: asked.duration_since(pinged),
            now,
            clock_offset: offset(asked, now, took),
            processes,
            last_backup: if is_ours { store::last_backup(conn).await? } else { None },
            backup_jobs: if is_ours { backups::store::list(conn).await? } else { Vec::new() },
            migrations,
            noted_head,
        })
    }
}

/// Beyond what the question took, since nobody knows when within that time the clock was read.
fn offset(asked: Timestamp, read: Timestamp, took: SignedDuration) -> SignedDuration {
    let (since, until) = (read.duration_since(asked), read.duration_since(asked + took));
    if since < SignedDuration::ZERO { since } else { until.max(SignedDuration::ZERO) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_answer_is_no_difference_between_clocks() {
        let at = |millis| Timestamp::from_millisecond(millis).unwrap();
        let of = |read| offset(at(1000), at(read), SignedDuration::from_millis(200)).as_millis();
        assert_eq!([of(900), of(1000), of(1100), of(1200), of(1500)], [-100, 0, 0, 0, 300]);
    }
}
