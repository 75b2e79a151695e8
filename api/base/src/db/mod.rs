//! The database pool and what all queries share. Queries themselves live in each noun's `store.rs`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use deadpool::managed::QueueMode;
use diesel::result::{Error as DieselError, QueryResult};
use diesel_async::pooled_connection::deadpool::BuildError;
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod};
use diesel_async::{AsyncConnection, AsyncMigrationHarness, AsyncPgConnection, SimpleAsyncConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use futures_util::FutureExt;
use tokio::runtime::{Builder, Handle, Runtime};

pub use self::access::Access;
pub use self::address::{Address, explain};
pub use self::connect::unhurried;
use self::connect::{Asked, connect_on};
pub use self::effect::{was_undone, with_effect};
pub use self::fixed::{Count, Fingerprint};
pub use self::fixed::{Fixed, Kept, fixed, kept, split_at_parameter, statement};
pub use self::former::{count_differing, set_aside};
pub use self::pooled::Conn;
use self::replica::Replica;
pub use self::sessions::UNLIMITED;
use crate::error::{Error, Result, unavailable};
use crate::stop::Stop;

mod access;
mod address;
mod connect;
mod effect;
mod fixed;
mod former;
mod pooled;
mod replica;
mod sessions;

type Pool = deadpool::managed::Pool<AsyncDieselConnectionManager<AsyncPgConnection>, Conn>;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations");
/// Any number of processes may start at once; one of them migrates. The number spells "rules".
const MIGRATION_LOCK: i64 = 0x72_75_6c_65_73;
const POOL_WAIT: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub struct Db {
    address: Arc<Address>,
    pool: Pool,
    replica: Option<Replica>,
    runtime: Arc<DbRuntime>,
}

/// The connections of a pool, and who waits for one.
#[derive(Clone, Copy, Debug)]
pub struct PoolState {
    pub open: usize,
    pub idle: usize,
    pub waiting: usize,
}

/// Drives the connections of whatever is no web worker's, and the work that outlives a request.
struct DbRuntime(Option<Runtime>);

impl Db {
    pub fn open(address: Address, size: usize) -> anyhow::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("database")
            .enable_all()
            .build()
            .context("the database runtime does not start")?;
        let address = Arc::new(address);
        let pool = pool(&address, size, Some(runtime.handle().clone())).context("the database pool cannot be built")?;
        Ok(Self { address, pool, replica: None, runtime: Arc::new(DbRuntime(Some(runtime))) })
    }

    /// The same database with a streaming standby of it, from which [`Self::read`] reads.
    ///
    /// # Errors
    /// When the address leads to a server of another database cluster.
    pub fn with_replica(self, address: Address, stop: Stop) -> anyhow::Result<Self> {
        let address = Arc::new(address);
        let pool =
            pool(&address, 1, Some(self.runtime().clone())).context("the pool of the replica cannot be built")?;
        let replica = Replica::new(address, pool);
        self.runtime().block_on(replica::expect(&self, &replica))?;
        self.runtime().spawn(replica::keep_checking(self.clone(), replica.clone(), stop));
        Ok(Self { replica: Some(replica), ..self })
    }

    /// The same database, by connections that are driven on the thread that asks for them: for a web worker. An answer of
    /// the database then wakes nobody but who waits for it, which is a quarter of a request's processor time, and a worker
    /// that stops takes no other's connections along.
    pub fn on_this_thread(&self, size: usize) -> Self {
        self.with_pool(size, None)
    }

    /// The same database, by a connection for moves that are written together.
    pub fn for_moves(&self) -> Self {
        self.with_pool(1, Some(self.runtime().clone()))
    }

    fn with_pool(&self, size: usize, runtime: Option<Handle>) -> Self {
        let open = |address, runtime| match pool(address, size, runtime) {
            Ok(pool) => pool,
            Err(err) => unreachable!("only a pool with timeouts can be refused: {err}"),
        };
        let replica = self.replica.as_ref().map(|it| it.with_pool(open(&it.address, runtime.clone())));
        Self { pool: open(&self.address, runtime), replica, ..self.clone() }
    }

    /// Does work that only reads, and may see the database as it was a moment ago: by the read replica, if there is one and it is
    /// close behind. What fails there, or finds nothing, is done by the database itself.
    pub async fn read<T, E: From<Error>>(
        &self,
        work: impl AsyncFn(&mut AsyncPgConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        self.read_if(|_| true, work).await
    }

    /// The same, where what the replica finds counts only if it is as it will stay.
    pub async fn read_if<T, E: From<Error>>(
        &self,
        is_final: impl Fn(&T) -> bool,
        work: impl AsyncFn(&mut AsyncPgConnection) -> Result<T, E>,
    ) -> Result<T, E> {
        match self.read_from_replica(&is_final, &work).await {
            Some(done) => Ok(done),
            None => work(&mut *self.conn().await?).await,
        }
    }

    /// None where there is no replica, or the work failed there or found nothing final.
    pub(crate) async fn read_from_replica<T, E>(
        &self,
        is_final: impl Fn(&T) -> bool,
        work: impl AsyncFn(&mut AsyncPgConnection) -> Result<T, E>,
    ) -> Option<T> {
        let replica = self.replica.as_ref()?;
        let done = replica.read(work).await.filter(is_final);
        let by = if done.is_some() { "replica" } else { "database" };
        metrics::counter!("reads_total", "by" => by).increment(1);
        done
    }

    pub async fn conn(&self) -> Result<Conn> {
        match tokio::time::timeout(POOL_WAIT, self.pool.get()).await {
            Ok(Ok(conn)) => Ok(conn),
            Ok(Err(err)) => {
                tracing::warn!(error = %err, "connecting to the database failed");
                Err(unavailable())
            }
            Err(_) => {
                tracing::warn!(waited = ?POOL_WAIT, "waiting for a database connection timed out");
                Err(unavailable())
            }
        }
    }

    /// How many connections there are and how many are free.
    pub fn pool_state(&self) -> PoolState {
        let pool = self.pool.status();
        PoolState { open: pool.size, idle: pool.available, waiting: pool.waiting }
    }

    /// Refuses an address by which this server would lose settings, locks or notifications without a word: see `sessions`.
    pub fn expect_sessions(&self) -> anyhow::Result<()> {
        self.runtime().block_on(sessions::expect(&self.address))
    }

    /// For connections that are no pool's. What needs a session of its own goes by its `direct()`.
    pub fn address(&self) -> &Arc<Address> {
        &self.address
    }

    /// The runtime that drives the connections: for work that outlives a request and belongs to no web worker.
    pub fn runtime(&self) -> &Handle {
        self.runtime.handle()
    }

    /// Brings the database up to date as its owner, and grants the server's role what it needs. Gives the versions that were
    /// applied. A database with migrations that this program does not know stays as it is.
    /// Not for the web server's threads: the harness blocks.
    pub fn migrate(&self, access: &Access) -> anyhow::Result<Vec<String>> {
        let task = self.runtime().spawn(bring_up_to_date(self.runtime().clone(), access.clone()));
        self.runtime().block_on(task)?
    }

    /// Whether the database answers and holds every migration that this program knows.
    pub async fn is_ready(&self) -> Result<bool> {
        let newest = newest_migration()?;
        let mut conn = self.conn().await?;
        Ok(store::is_applied(&mut conn, &newest).await?)
    }
}

async fn bring_up_to_date(handle: Handle, access: Access) -> anyhow::Result<Vec<String>> {
    // That a table of versions is there already is no news.
    let settings = format!("{UNLIMITED} -c client_min_messages=warning");
    let connect = |address: &Address| connect_on(&handle, Arc::new(address.direct().clone()), settings.clone());
    let (mut conn, _) = connect(access.owner()).await?;
    let grants = access.grants()?;
    let there = store::applied(&mut conn).await?;
    there.iter().try_for_each(|version| refuse_unknown("database", version))?;
    // A role that may change nothing of the schema can serve what its owner brought up to date.
    if grants.is_none() && known_migrations()?.is_subset(&there) {
        return Ok(Vec::new());
    }
    // Each migration is a transaction, so the lock for all of them is in one of another connection.
    let (mut lock, _) = connect(access.owner()).await?;
    lock.batch_execute(&format!("BEGIN; SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")).await?;
    let mut harness = AsyncMigrationHarness::new(conn);
    let applied = harness.run_pending_migrations(MIGRATIONS).map_err(|err| anyhow::anyhow!(err)).context(
        "if the server's role may not change the schema, run `houserules migrate` with DATABASE_OWNER_URL before it starts",
    )?;
    let applied = applied.iter().map(ToString::to_string).collect();
    if let Some(grants) = grants {
        harness.into_inner().batch_execute(&grants).await.context("granting the server's role its rights failed")?;
        let (mut server, _) = connect(access.server()).await?;
        if store::applied(&mut server).await?.is_empty() {
            bail!("DATABASE_URL and DATABASE_OWNER_URL lead to two databases: both must name the same one");
        }
    }
    Ok(applied)
}

/// A constraint, and what its violation means to the caller.
pub type Refused<'a> = (&'a str, fn() -> Error);

/// Turns the violation of a named constraint into the caller's error, at the query that may cause it.
pub trait OnConstraint<T> {
    fn on_constraint(self, name: &str, refuse: impl FnOnce() -> Error) -> Result<T>;

    /// The same for any of several constraints.
    fn on_constraints(self, refusals: &[Refused<'_>]) -> Result<T>;
}

impl<T> OnConstraint<T> for QueryResult<T> {
    fn on_constraint(self, name: &str, refuse: impl FnOnce() -> Error) -> Result<T> {
        self.map_err(|err| if violates(&err, name) { refuse() } else { err.into() })
    }

    fn on_constraints(self, refusals: &[Refused<'_>]) -> Result<T> {
        self.map_err(|err| {
            let refusal = refusals.iter().find(|(name, _)| violates(&err, name));
            refusal.map_or_else(|| err.into(), |(_, refuse)| refuse())
        })
    }
}

/// Whether a query failed because of this constraint, where that means to try again.
pub fn violates(err: &DieselError, constraint: &str) -> bool {
    matches!(err, DieselError::DatabaseError(_, info) if info.constraint_name() == Some(constraint))
}

impl DbRuntime {
    fn handle(&self) -> &Handle {
        match &self.0 {
            Some(runtime) => runtime.handle(),
            None => unreachable!("the runtime is only taken in drop"),
        }
    }
}

impl Drop for DbRuntime {
    fn drop(&mut self) {
        // The last owner may be an async task, where waiting for a runtime's threads is not allowed.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Its connections are driven on this runtime, or else on the one that first asks for them.
fn pool(address: &Arc<Address>, size: usize, runtime: Option<Handle>) -> Result<Pool, BuildError> {
    let mut config = ManagerConfig::default();
    // The default tests each connection at each checkout, which costs nearly half of the throughput.
    config.recycling_method = RecyclingMethod::Fast;
    let address = address.clone();
    // The text that diesel hands over says less than the address does.
    config.custom_setup = Box::new(move |_| {
        let by = if runtime.is_some() { "house" } else { "requests" };
        let (runtime, address) = (runtime.clone().unwrap_or_else(Handle::current), address.clone());
        let connect = async move {
            let (mut conn, waiting) = connect_on(&runtime, address, sessions::settings()).await?;
            let count = metrics::counter!("database_statements_total", "by" => by);
            conn.set_instrumentation(Asked::new(count, waiting));
            Ok(conn)
        };
        connect.boxed()
    });
    // The connection that was used last goes first: its process in PostgreSQL is the one whose memory is still in the processor's caches.
    let builder = Pool::builder(AsyncDieselConnectionManager::new_with_config("", config)).max_size(size);
    builder.queue_mode(QueueMode::Lifo).build()
}

pub fn newest_migration() -> anyhow::Result<String> {
    known_migrations()?.pop_last().context("the program holds no migrations")
}

/// Refuses a database or a backup with a migration that this program does not know: it would be read and written wrongly.
pub fn refuse_unknown(what: &str, version: &str) -> anyhow::Result<()> {
    let known = known_migrations()?;
    if known.contains(version) {
        return Ok(());
    }
    // The migrations of the time before the first release were replaced by the first of today's.
    if known.first().is_some_and(|first| version < first.as_str()) {
        bail!(
            "this {what} was made before the first release of House Rules (migration {version}), and only the program \
             that made it can read it. Keep a backup that is taken with that program (`houserules backup FILE`), and \
             start this one with a new database: name another --data directory, or an empty database in DATABASE_URL"
        );
    }
    bail!("this {what} was made by a newer House Rules (migration {version}); use that one")
}

fn known_migrations() -> anyhow::Result<BTreeSet<String>> {
    use diesel::migration::{Migration, MigrationSource};
    let migrations: Vec<Box<dyn Migration<diesel::pg::Pg>>> =
        MIGRATIONS.migrations().map_err(|err| anyhow::anyhow!(err))?;
    Ok(migrations.iter().map(|migration| migration.name().version().to_string()).collect())
}

mod store {
    use diesel::prelude::*;
    use diesel_async::RunQueryDsl;

    use super::*;

    diesel::table! {
        __diesel_schema_migrations (version) {
            version -> Text,
            run_on -> Timestamp,
        }
    }

    /// None in a database that is new.
    pub(super) async fn applied(conn: &mut AsyncPgConnection) -> QueryResult<BTreeSet<String>> {
        use __diesel_schema_migrations::dsl;
        let exists = fixed::<diesel::sql_types::Bool>("to_regclass('__diesel_schema_migrations') IS NOT NULL");
        if !diesel::select(exists).get_result::<bool>(conn).await? {
            return Ok(BTreeSet::new());
        }
        let versions = dsl::__diesel_schema_migrations.select(dsl::version).load(conn).await?;
        Ok(versions.into_iter().collect())
    }

    pub(super) async fn is_applied(conn: &mut AsyncPgConnection, version: &str) -> QueryResult<bool> {
        use __diesel_schema_migrations::dsl;
        diesel::select(diesel::dsl::exists(dsl::__diesel_schema_migrations.find(version))).get_result(conn).await
    }
}
