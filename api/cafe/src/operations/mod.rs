//! How the server is doing: what an operator wants to know at a glance.

pub mod backups;
pub mod checks;
pub mod growth;
pub mod heartbeat;
pub mod slow;
pub mod store;

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use base::audit::chain::NotedHead;
use base::auth::{Actor, StaffContext, can};
use base::db::{Db, PoolState};
use base::error::Result;
use base::setup::Setup;
use checks::{Check, Facts, Found, Machine};
pub use growth::{Growth, TableSize};
pub use heartbeat::Heartbeat;

/// How the server is doing.
#[derive(Serialize, ToSchema)]
pub struct Operations {
    /// Of the process that answers.
    pub version: &'static str,
    /// What it was built from, where the build said so (`HOUSERULES_REVISION`).
    #[schema(example = "765a275")]
    pub revision: Option<&'static str>,
    pub started_at: Timestamp,
    /// How it is about what should be so on every server.
    pub checks: Vec<Check>,
    /// All that serve now.
    pub processes: Vec<Process>,
    pub database: Database,
    pub growth: Growth,
    pub pool: Pool,
    pub capacity: Capacity,
    pub migrations: Migrations,
    pub last_backup: Option<Backup>,
    /// What servers do about backups by themselves.
    pub backup_jobs: Vec<backups::Job>,
    pub slow: slow::Slow,
}

/// A process that serves.
#[derive(Serialize, ToSchema)]
pub struct Process {
    pub id: Uuid,
    pub version: String,
    pub started_at: Timestamp,
    pub seen_at: Timestamp,
    /// Pages and apps that wait for news there.
    pub viewers: i32,
}

#[derive(Serialize, ToSchema)]
pub struct Database {
    #[schema(example = "15.18")]
    pub version: String,
    pub bytes: i64,
    /// How long the simplest question takes.
    pub latency_micros: u64,
    /// Of all processes and of all other clients of the database.
    pub connections: i64,
    pub busy: i64,
    pub connections_max: i64,
}

/// The connections of the thread that answers.
#[derive(Serialize, ToSchema)]
pub struct Pool {
    /// Of the whole process.
    pub size: usize,
    pub open: usize,
    pub idle: usize,
    pub waiting: usize,
}

/// What the process that answers may hold at one time, and what it holds now.
#[derive(Serialize, ToSchema)]
pub struct Capacity {
    /// File descriptors: one for each connection and each open file.
    #[schema(example = 65536)]
    pub descriptors: u64,
    pub descriptors_open: u64,
    /// Streams and long polls.
    #[schema(example = 20000)]
    pub streams: u32,
    pub streams_open: u32,
}

#[derive(Serialize, ToSchema)]
pub struct Migrations {
    pub applied: i64,
    #[schema(example = "20261121010000")]
    pub newest: String,
    /// Whether the database holds all that this program knows.
    pub complete: bool,
}

#[derive(Serialize, ToSchema)]
pub struct Backup {
    pub taken_at: Timestamp,
    pub bytes: i64,
    /// In hex.
    pub sha256: String,
}

/// What only the process that answers knows.
pub struct Here<'a> {
    pub db: &'a Db,
    pub heartbeat: &'a Heartbeat,
    pub noted: &'a NotedHead,
    pub pool_size: usize,
    pub capacity: Capacity,
    /// As Prometheus reads them.
    pub metrics: &'a str,
    pub setup: &'a Setup,
    pub machine: &'a Machine,
}

impl Operations {
    pub async fn read(cx: &mut StaffContext<'_, can::ViewOperations>, here: Here<'_>) -> Result<Self> {
        let Here { db, heartbeat, noted, pool_size, capacity, metrics, setup, machine } = here;
        let (conn, Actor { world, .. }) = cx.parts().await?;
        let facts = Facts::read(conn, world, db.address().is_local(), noted).await?;
        let found = Found { setup, machine, is_database_running: true, facts: Some(&facts), now: world.now() };
        let checks = checks::all(&found);
        let stands = store::stands(conn).await?;
        let PoolState { open, idle, waiting } = db.pool_state();
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            revision: option_env!("HOUSERULES_REVISION"),
            started_at: heartbeat.started_at,
            checks,
            processes: facts.processes,
            database: Database {
                version: facts.version,
                bytes: stands.bytes,
                latency_micros: u64::try_from(facts.latency.as_micros()).unwrap_or(0),
                connections: stands.connections,
                busy: stands.busy,
                connections_max: stands.connections_max,
            },
            growth: Growth::read(conn).await?,
            pool: Pool { size: pool_size, open, idle, waiting },
            capacity,
            migrations: facts.migrations,
            last_backup: facts.last_backup,
            backup_jobs: facts.backup_jobs,
            slow: slow::read(conn, metrics).await,
        })
    }
}
