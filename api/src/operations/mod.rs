//! How the server is doing: what whoever looks after it wants to know at a glance.

pub mod admin;
mod pulse;
pub mod rest;
mod slow;
mod store;

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::config::Config;
use crate::db::{self, Db, Standing};
use crate::error::{ApiResult, internal};
use crate::world::World;
pub use pulse::Pulse;

/// How the server is doing.
#[derive(Serialize, ToSchema)]
pub struct Operations {
    /// Of the process that answers.
    pub version: &'static str,
    /// What it was built from, where the build said so (`HOUSERULES_REVISION`).
    #[schema(example = "765a275")]
    pub revision: Option<&'static str>,
    pub started_at: Timestamp,
    /// All that serve now.
    pub processes: Vec<Process>,
    pub database: Database,
    pub pool: Pool,
    pub migrations: Migrations,
    pub last_backup: Option<Backup>,
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
    /// Of all processes and of whoever else is connected to it.
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

impl Operations {
    pub async fn read(
        db: &Db,
        world: &World,
        config: &Config,
        pulse: &Pulse,
        metrics: &PrometheusHandle,
    ) -> ApiResult<Self> {
        let mut conn = db.conn().await?;
        let database = database(&mut conn, world).await?;
        let (applied, newest) = store::migrations(&mut conn).await?;
        let known = db::newest_migration().map_err(internal)?;
        let Standing { open, idle, waiting } = db.standing();
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            revision: option_env!("HOUSERULES_REVISION"),
            started_at: pulse.started_at,
            processes: store::list_processes(&mut conn, world.now() - pulse::ALIVE).await?,
            database,
            pool: Pool { size: config.pool_size, open, idle, waiting },
            migrations: Migrations { applied, complete: newest >= known, newest },
            last_backup: store::last_backup(&mut conn).await?,
            slow: slow::read(&mut conn, metrics).await,
        })
    }
}

async fn database(conn: &mut AsyncPgConnection, world: &World) -> ApiResult<Database> {
    let asked = world.now();
    store::ping(conn).await?;
    let latency = world.now().duration_since(asked);
    let stands = store::stands(conn).await?;
    Ok(Database {
        version: stands.version,
        bytes: stands.bytes,
        latency_micros: u64::try_from(latency.as_micros()).unwrap_or(0),
        connections: stands.connections,
        busy: stands.busy,
        connections_max: stands.connections_max,
    })
}
