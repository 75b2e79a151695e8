//! One connection to the database, which is given up once the database falls silent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use diesel::ConnectionError;
use diesel::connection::{Instrumentation, InstrumentationEvent};
use diesel::result::ConnectionResult;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use tokio::runtime::Handle;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_postgres::Config;

use super::address::{Address, Driven};
use super::effect::Effect;

/// Longer than the database may think about a statement (`sessions::LIMITS`): silence beyond it is no answer that is on its way.
const SILENCE: Duration = Duration::from_secs(12);
const CONNECTING: Duration = Duration::from_secs(5);
const KEEPALIVE_IDLE: Duration = Duration::from_secs(30);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_RETRIES: u32 = 3;
/// What tokio-postgres takes where an address says nothing: a broken cable would be noticed after hours.
const KEEPALIVE_IDLE_BY_DEFAULT: Duration = Duration::from_secs(2 * 60 * 60);

/// Since when a connection has been waiting for an answer. Of several queries that are on their way at once it knows the last that was
/// sent, until the first is answered.
#[derive(Clone, Debug)]
pub(super) struct Waiting(Arc<Since>);

#[derive(Debug)]
struct Since {
    start: Instant,
    /// Milliseconds after `start`; none are waited for at `NOTHING`.
    asked: AtomicU64,
}

const NOTHING: u64 = u64::MAX;

impl Waiting {
    fn new() -> Self {
        Self(Arc::new(Since { start: Instant::now(), asked: AtomicU64::new(NOTHING) }))
    }

    fn begin(&self) {
        let now = u64::try_from(self.0.start.elapsed().as_millis()).unwrap_or(NOTHING - 1);
        self.0.asked.store(now, Ordering::Relaxed);
    }

    fn end(&self) {
        self.0.asked.store(NOTHING, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.0.asked.load(Ordering::Relaxed) == NOTHING
    }

    fn lasts(&self) -> Duration {
        match self.0.asked.load(Ordering::Relaxed) {
            NOTHING => Duration::ZERO,
            asked => self.0.start.elapsed().saturating_sub(Duration::from_millis(asked)),
        }
    }

    async fn is_too_long(&self) {
        let mut ticks = interval(Duration::from_secs(1));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while self.lasts() < SILENCE {
            ticks.tick().await;
        }
    }
}

tokio::task_local! {
    static UNHURRIED: ();
}

/// Work that lifts the limits of its statements: no answer to it is too late.
pub async fn unhurried<T>(work: impl Future<Output = T>) -> T {
    UNHURRIED.scope((), work).await
}

/// Counts what the database is asked, each a way there and back, and notes since when an answer is awaited, and whether
/// anything changes.
pub(super) struct Asked {
    count: metrics::Counter,
    waiting: Waiting,
    effect: Effect,
}

impl Asked {
    pub(super) fn new(count: metrics::Counter, waiting: Waiting) -> Self {
        Self { count, waiting, effect: Effect::default() }
    }
}

impl Instrumentation for Asked {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        self.effect.observe(&event);
        match event {
            InstrumentationEvent::StartQuery { .. } => {
                self.count.increment(1);
                if UNHURRIED.try_with(|()| ()).is_err() {
                    self.waiting.begin();
                }
            }
            InstrumentationEvent::FinishQuery { .. } => self.waiting.end(),
            _ => {}
        }
    }
}

/// Whether it was asked something, and who asked is gone. For a connection that nobody uses.
pub(super) fn owes_answer(conn: &mut AsyncPgConnection) -> bool {
    conn.instrumentation().downcast_ref::<Asked>().is_some_and(|asked| !asked.waiting.is_over())
}

/// Limits where an address says nothing: a line that is dead is found dead within a minute.
pub(super) fn limit(config: &mut Config) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECTING);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE);
    }
    if config.get_keepalives_idle() == KEEPALIVE_IDLE_BY_DEFAULT {
        config.keepalives_idle(KEEPALIVE_IDLE);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(KEEPALIVE_INTERVAL);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(KEEPALIVE_RETRIES);
    }
}

/// A connection that is driven on this runtime, with settings as for [`Address::parts`]; and what its instrumentation has to tell.
pub(super) async fn connect_on(
    handle: &Handle,
    address: Arc<Address>,
    settings: String,
) -> ConnectionResult<(AsyncPgConnection, Waiting)> {
    let task = handle.spawn(async move {
        let (client, connection) = address.connect(&settings).await.map_err(ConnectionError::BadConnection)?;
        let waiting = Waiting::new();
        tokio::spawn(drive(connection, waiting.clone()));
        Ok((AsyncPgConnection::try_from(client).await?, waiting))
    });
    task.await.map_err(|err| ConnectionError::BadConnection(err.to_string()))?
}

/// Until the connection ends or an answer takes too long. Without its driver a connection is closed: who waits for it gets an
/// error, and the pool throws it away.
async fn drive(connection: Driven, waiting: Waiting) {
    tokio::select! {
        biased;
        ended = connection => if let Err(err) = ended {
            tracing::debug!(error = %err, "a database connection broke");
        },
        () = waiting.is_too_long() => tracing::warn!(silent = ?SILENCE, "closed a silent database connection"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config_of(url: &str) -> Config {
        let mut config = url.parse().unwrap();
        limit(&mut config);
        config
    }

    #[test]
    fn an_address_decides_where_it_says_something() {
        let config = config_of("postgres://app@db/house");
        assert_eq!(config.get_keepalives_idle(), KEEPALIVE_IDLE);
        assert_eq!(config.get_tcp_user_timeout(), Some(&SILENCE));
        let config = config_of("postgres://app@db/house?keepalives_idle=5&tcp_user_timeout=3&connect_timeout=1");
        assert_eq!(config.get_keepalives_idle(), Duration::from_secs(5));
        assert_eq!(config.get_tcp_user_timeout(), Some(&Duration::from_secs(3)));
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(1)));
    }
}
