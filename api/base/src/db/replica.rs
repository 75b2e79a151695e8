//! A read replica: a streaming standby that answers what may be a moment old, for as long as it is close behind.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Bool, Nullable};
use diesel_async::AsyncPgConnection;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::{Address, Db, Pool, statement};
use crate::stop::Stop;

/// A standby that is further behind is not read from.
const MOST_LAG: Duration = Duration::from_secs(5);
const BETWEEN_CHECKS: Duration = Duration::from_millis(500);
/// How long a request or a check waits for a connection to it.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub(super) struct Replica {
    pub(super) address: Arc<Address>,
    pub(super) pool: Pool,
    is_current: watch::Sender<bool>,
}

/// Where the write-ahead log of the database was at some moments, the latest last.
#[derive(Default)]
struct Track(VecDeque<(Instant, i64)>);

/// Where a server of PostgreSQL is in the write-ahead log, and of which database cluster it is.
#[derive(QueryableByName)]
struct Position {
    #[diesel(sql_type = BigInt)]
    cluster: i64,
    #[diesel(sql_type = Bool)]
    is_standby: bool,
    /// None on a standby that has replayed nothing yet.
    #[diesel(sql_type = Nullable<BigInt>)]
    bytes: Option<i64>,
}

impl Replica {
    pub(super) fn new(address: Arc<Address>, pool: Pool) -> Self {
        Self { address, pool, is_current: watch::Sender::default() }
    }

    pub(super) fn with_pool(&self, pool: Pool) -> Self {
        Self { pool, ..self.clone() }
    }

    /// What comes of the work, if it is close behind, stays so, and the work does not fail.
    pub(super) async fn read<T, E>(&self, work: impl AsyncFn(&mut AsyncPgConnection) -> Result<T, E>) -> Option<T> {
        let mut is_current = self.is_current.subscribe();
        if !*is_current.borrow_and_update() {
            return None;
        }
        let mut conn = timeout(PATIENCE, self.pool.get()).await.ok()?.ok()?;
        let done = tokio::select! {
            biased;
            done = work(&mut conn) => Some(done.ok()),
            _ = is_current.wait_for(|is_current| !is_current) => None,
        };
        if done.is_none() {
            // Its answer may still come, and is nobody's then.
            conn.discard();
        }
        done.flatten()
    }

    async fn position(&self) -> anyhow::Result<Position> {
        let ask = async { anyhow::Ok(position(&mut *self.pool.get().await?).await?) };
        timeout(PATIENCE, ask).await.context("it does not answer")?
    }

    fn set_current(&self, is_current: bool, lag: Option<Duration>) {
        if self.is_current.send_replace(is_current) != is_current {
            if is_current {
                tracing::info!("reading from the read replica");
            } else {
                tracing::warn!(?lag, most = ?MOST_LAG, "left the read replica: it is behind, or does not answer");
            }
        }
        metrics::gauge!("read_replica_in_use").set(u8::from(is_current));
        if let Some(lag) = lag {
            metrics::gauge!("read_replica_lag_seconds").set(lag.as_secs_f64());
        }
    }
}

/// # Errors
/// When it is a server of another database cluster. One that does not answer may do so later.
pub(super) async fn expect(primary: &Db, replica: &Replica) -> anyhow::Result<()> {
    let theirs = match replica.position().await {
        Ok(position) => position,
        Err(err) => {
            tracing::warn!(
                error = format!("{err:#}"),
                "connecting to the read replica failed; reading from the database"
            );
            return Ok(());
        }
    };
    let ours = position(&mut *primary.conn().await?).await?;
    ensure!(
        ours.cluster == theirs.cluster,
        "HOUSERULES_READ_URL leads to a server that is no standby of the one at DATABASE_URL: name a streaming standby of it \
         (docs/operations.md, \"Read replicas\")"
    );
    if !theirs.is_standby {
        tracing::warn!("the server at HOUSERULES_READ_URL is no standby; reading from the database");
    }
    Ok(())
}

/// Compares both every half second.
pub(super) async fn keep_checking(primary: Db, replica: Replica, stop: Stop) {
    let mut track = Track::default();
    let mut lag = None;
    loop {
        let now = Instant::now();
        let ask = async { anyhow::Ok(position(&mut *primary.conn().await?).await?) };
        let ours = timeout(PATIENCE, ask).await.ok().and_then(Result::ok).filter(|it| !it.is_standby);
        if let Some(bytes) = ours.as_ref().and_then(|it| it.bytes) {
            track.note(now, bytes);
        }
        let theirs = replica.position().await.ok().filter(|it| it.is_standby);
        let belongs = |theirs: &Position| ours.as_ref().is_none_or(|ours| ours.cluster == theirs.cluster);
        let replayed = theirs.filter(belongs).and_then(|it| it.bytes);
        // While the database itself does not answer, nothing new can be missing.
        lag = match (replayed, &ours) {
            (None, _) => None,
            (Some(_), None) => lag,
            (Some(bytes), Some(_)) => track.lag(now, bytes),
        };
        replica.set_current(lag.is_some_and(|lag| lag <= MOST_LAG), lag);
        if !stop.sleep(BETWEEN_CHECKS).await {
            return;
        }
    }
}

impl Track {
    fn note(&mut self, at: Instant, bytes: i64) {
        // After a fail-over that lost something the log goes back.
        while self.0.back().is_some_and(|(_, before)| *before > bytes) {
            self.0.pop_back();
        }
        self.0.push_back((at, bytes));
        // One that is older than the most says how far behind the others are.
        while self.0.get(1).is_some_and(|(second, _)| at.duration_since(*second) > MOST_LAG) {
            self.0.pop_front();
        }
    }

    /// Since when a standby that has replayed so much knows nothing new; none if that is before all that was noted.
    fn lag(&self, now: Instant, replayed: i64) -> Option<Duration> {
        let (at, _) = self.0.iter().rev().find(|(_, bytes)| *bytes <= replayed)?;
        Some(now.duration_since(*at))
    }
}

async fn position(conn: &mut AsyncPgConnection) -> diesel::QueryResult<Position> {
    const POSITION: &str = "\
        SELECT system_identifier AS cluster, standby AS is_standby, \
               (CASE WHEN standby THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::int8 AS bytes \
        FROM pg_control_system(), pg_is_in_recovery() AS standby";
    diesel_async::RunQueryDsl::get_result(statement(POSITION), conn).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standby_lags_by_the_age_of_what_it_knows() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut track = Track::default();
        assert_eq!(track.lag(at(0), 100), None, "nothing is known yet");
        for (seconds, bytes) in [(0, 100), (1, 200), (2, 200), (3, 300)] {
            track.note(at(seconds), bytes);
        }
        assert_eq!(track.lag(at(3), 300), Some(Duration::ZERO));
        assert_eq!(track.lag(at(3), 900), Some(Duration::ZERO), "it was asked a moment later");
        assert_eq!(track.lag(at(3), 250), Some(Duration::from_secs(1)));
        assert_eq!(track.lag(at(3), 100), Some(Duration::from_secs(3)));
        assert_eq!(track.lag(at(3), 99), None);
    }

    #[test]
    fn a_standby_that_stands_still_is_found_out() {
        let start = Instant::now();
        let mut track = Track::default();
        for tick in 0..100_u32 {
            let now = start + BETWEEN_CHECKS * tick;
            track.note(now, i64::from(tick));
            let lag = track.lag(now, 0);
            assert!(tick > 11 || lag == Some(BETWEEN_CHECKS * tick), "{tick} {lag:?}");
            assert!(tick < 11 || lag.is_none_or(|lag| lag > MOST_LAG), "{tick} {lag:?}");
        }
        assert!(track.0.len() < 15, "{}", track.0.len());
    }

    #[test]
    fn after_a_fail_over_what_was_lost_is_forgotten() {
        let start = Instant::now();
        let mut track = Track::default();
        track.note(start, 100);
        track.note(start + Duration::from_secs(1), 200);
        track.note(start + Duration::from_secs(2), 150);
        assert_eq!(track.lag(start + Duration::from_secs(2), 150), Some(Duration::ZERO));
    }
}
