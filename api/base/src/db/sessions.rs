//! What the server needs of its sessions with PostgreSQL, and whether it gets that.
//!
//! A pooler may lend a connection for one transaction at a time. Then nothing of a session is the server's: a setting stays behind on a
//! connection that others use, a lock is never given back, and a notification goes to the client that has the connection by then. So
//! what needs a session goes past the pooler, settings travel in the first packet, and a server that would lose any of it does not
//! start.

use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, SimpleQueryMessage};

use super::Address;

/// Milliseconds that a statement, its wait for a lock, and a transaction between two statements may take.
const LIMITS: [(&str, u32); 3] =
    [("statement_timeout", 10_000), ("lock_timeout", 4_000), ("idle_in_transaction_session_timeout", 15_000)];
/// The settings of sessions whose work takes as long as it takes.
pub const UNLIMITED: &str = "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0";
pub(super) const NO_SESSIONS: &str = "It is a connection pooler that answers, not PostgreSQL. Name PostgreSQL's own address in \
    HOUSERULES_DIRECT_URL, and in DATABASE_OWNER_URL if that is set; then DATABASE_URL may lead to the pooler \
    (docs/operations.md, \"Behind a connection pooler\")";
const MORE: &str = "(docs/operations.md, \"Behind a connection pooler\")";
/// A pooler that shares its connections shows it in one round, unless others borrow and return at that very moment.
const ROUNDS: usize = 5;
const PATIENCE: Duration = Duration::from_secs(10);

/// The settings of the server's sessions: these limits, and no compiling of statements. That takes a tenth of a second, longer
/// than nearly all of them run.
pub(super) fn settings() -> String {
    LIMITS.map(|(name, milliseconds)| format!("-c {name}={milliseconds} ")).concat() + "-c jit=off"
}

/// # Errors
/// When PostgreSQL's own address leads to a pooler; or when the pooler's leads to another database, loses prepared statements, or
/// hands out connections without limits.
pub(super) async fn expect(address: &Address) -> anyhow::Result<()> {
    let name = if address.may_be_pooler() { "HOUSERULES_DIRECT_URL" } else { "the database" };
    let direct = Pair::open(address.direct()).await.context(name)?;
    let sessions = direct.sessions().await?;
    ensure!(sessions == Sessions::Own && direct.missing_limits(sessions).await?.is_empty(), NO_SESSIONS);
    if !address.may_be_pooler() {
        return Ok(());
    }
    let pooled = Pair::open(address).await.context("DATABASE_URL")?;
    ensure!(
        direct.shares_database_with(&pooled).await?,
        "DATABASE_URL and HOUSERULES_DIRECT_URL lead to two databases: both must name the same one"
    );
    let sessions = pooled.sessions().await?;
    if sessions == Sessions::SharedWithoutStatements {
        bail!(
            "the pooler at DATABASE_URL loses prepared statements. PgBouncer keeps them from version 1.21 on, with \
             max_prepared_statements = 200 in pgbouncer.ini; an older one serves with pool_mode = session {MORE}"
        );
    }
    let missing = pooled.missing_limits(sessions).await?;
    let set = LIMITS.map(|(name, milliseconds)| format!("SET {name} = {milliseconds}")).join("; ");
    let how = match sessions {
        Sessions::Own => {
            format!("Give them to the role, with ALTER ROLE … {set}: what connect_query sets ends with a session")
        }
        _ => format!(
            "In pgbouncer.ini, write connect_query='{set}' after the database's name; elsewhere, use ALTER ROLE"
        ),
    };
    ensure!(
        missing.is_empty(),
        "the pooler at DATABASE_URL hands out connections without {}, so that a statement that hangs keeps its connection. \
         {how}. Then have the pooler connect again {MORE}",
        missing.join(", ")
    );
    Ok(())
}

/// Whose the connections of PostgreSQL are behind those of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sessions {
    /// Each is one client's, for as long as that is connected.
    Own,
    /// Clients take turns.
    Shared,
    /// They do, and what a client prepares is not there at its next turn.
    SharedWithoutStatements,
}

/// Two clients at one address.
struct Pair {
    first: Client,
    second: Client,
}

impl Pair {
    async fn open(address: &Address) -> anyhow::Result<Self> {
        let connect = async || {
            let (client, connection) = address.connect(&settings()).await.map_err(|reason| anyhow!(reason))?;
            tokio::spawn(connection);
            anyhow::Ok(client)
        };
        Ok(Self { first: connect().await?, second: connect().await? })
    }

    async fn sessions(&self) -> anyhow::Result<Sessions> {
        let seen = timeout(PATIENCE, self.take_turns()).await;
        let seen = seen.context("a pooler lends no second connection: raise its default_pool_size")?;
        match seen {
            Err(err) if is_lost(&err) => Ok(Sessions::SharedWithoutStatements),
            seen => seen.context("the database does not answer"),
        }
    }

    /// The second client begins a transaction. If it has got the connection on which the first one has just been, or the first one is
    /// on another one now, they take turns; and what the first one prepared must be wherever it is.
    async fn take_turns(&self) -> Result<Sessions, Error> {
        let own = self.first.prepare("SELECT pg_backend_pid()").await?;
        for _ in 0..ROUNDS {
            let before: i32 = self.first.query_one(&own, &[]).await?.get(0);
            self.second.batch_execute("BEGIN").await?;
            let other = ask(&self.second, "SELECT pg_backend_pid()").await?;
            let now: i32 = self.first.query_one(&own, &[]).await?.get(0);
            self.second.batch_execute("ROLLBACK").await?;
            if now != before || other == [[before.to_string()]] {
                return Ok(Sessions::Shared);
            }
        }
        Ok(Sessions::Own)
    }

    /// Which limits are not there. A pooler that lends for a session resets what was set when the connection was made.
    async fn missing_limits(&self, sessions: Sessions) -> anyhow::Result<Vec<&'static str>> {
        let lasting = if sessions == Sessions::Own { "reset_val" } else { "setting" };
        let settings = ask(&self.first, &format!("SELECT name, {lasting} FROM pg_settings")).await?;
        let is_set = |name: &str, most: u32| {
            let found = settings.iter().find_map(|row| (row.first()? == name).then(|| row.get(1)?.parse().ok())?);
            found.is_some_and(|milliseconds: u32| (1..=most).contains(&milliseconds))
        };
        Ok(LIMITS.into_iter().filter(|(name, most)| !is_set(name, *most)).map(|(name, _)| name).collect())
    }

    /// A lock is a database's.
    async fn shares_database_with(&self, other: &Self) -> anyhow::Result<bool> {
        let lock = "BEGIN; SELECT key, pg_advisory_xact_lock(key) FROM (SELECT (random() * 9e15)::bigint AS key OFFSET 0) AS one";
        let locked = ask(&self.first, lock).await?;
        let key: i64 =
            locked.first().and_then(|row| row.first()?.parse().ok()).context("the database gives no lock")?;
        let taken = ask(&other.first, &format!("SELECT pg_try_advisory_xact_lock({key})")).await?;
        self.first.batch_execute("ROLLBACK").await?;
        Ok(taken == [["f"]])
    }
}

/// Without preparing anything: the rows, as text.
async fn ask(client: &Client, statement: &str) -> Result<Vec<Vec<String>>, Error> {
    let messages = client.simple_query(statement).await?;
    let rows = messages.into_iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => {
            Some((0..row.len()).map(|column| row.get(column).unwrap_or_default().to_owned()).collect())
        }
        _ => None,
    });
    Ok(rows.collect())
}

/// Whether a prepared statement is not there, or another one of its name is.
fn is_lost(err: &Error) -> bool {
    [SqlState::INVALID_SQL_STATEMENT_NAME, SqlState::DUPLICATE_PSTATEMENT].iter().any(|code| err.code() == Some(code))
}
