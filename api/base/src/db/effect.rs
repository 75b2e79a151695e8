//! Whether a request may have changed the database. What failed before anything was committed can simply be asked again.

use std::cell::Cell;

use diesel::connection::{DebugQuery, InstrumentationEvent};
use diesel::result::{DatabaseErrorKind, Error};

/// How PostgreSQL, and after it PgBouncer, begin the message that ends a connection on which a statement may be running.
const ENDINGS: [&str; 11] = [
    "terminating connection",
    "server conn crashed",
    "server connection closed",
    "query timeout",
    "transaction timeout",
    "idle transaction timeout",
    "database configuration changed",
    "connect string changed",
    "bad pkt header",
    "unknown pkt",
    "out of memory",
];

tokio::task_local! {
    static CHANGED: Cell<bool>;
}

/// What comes of the work, and whether it committed a change or may have: a connection may break over a commit.
/// Statements of tasks that it spawns are not seen.
pub async fn with_effect<T>(work: impl Future<Output = T>) -> (T, bool) {
    let watched = async {
        let result = work.await;
        (result, CHANGED.with(Cell::get))
    };
    CHANGED.scope(Cell::new(false), watched).await
}

/// What one connection does at the moment.
#[derive(Debug, Default)]
pub(super) struct Effect {
    in_transaction: bool,
    /// Its statement would be the first change of the work.
    is_first: bool,
}

impl Effect {
    pub(super) fn observe(&mut self, event: &InstrumentationEvent<'_>) {
        match event {
            InstrumentationEvent::BeginTransaction { depth, .. } if depth.get() == 1 => self.in_transaction = true,
            // So that COMMIT counts as a statement of its own.
            InstrumentationEvent::CommitTransaction { depth, .. } if depth.get() == 1 => self.in_transaction = false,
            InstrumentationEvent::RollbackTransaction { depth, .. } if depth.get() == 1 => self.in_transaction = false,
            InstrumentationEvent::StartQuery { query, .. } if !self.in_transaction => self.begin(*query),
            InstrumentationEvent::FinishQuery { error, .. } => self.end(*error),
            _ => {}
        }
    }

    fn begin(&mut self, query: &dyn DebugQuery) {
        // Outside of such work nobody asks, and a move pays for nothing.
        let _ = CHANGED.try_with(|changed| {
            self.is_first = !changed.get() && may_change(&query.to_string());
            changed.set(changed.get() || self.is_first);
        });
    }

    fn end(&mut self, error: Option<&Error>) {
        if std::mem::take(&mut self.is_first) && error.is_some_and(was_undone) {
            let _ = CHANGED.try_with(|changed| changed.set(false));
        }
    }
}

fn may_change(statement: &str) -> bool {
    const CHANGES: [&str; 3] = ["INSERT INTO", "DELETE FROM", "UPDATE "];
    let only_reads = statement.starts_with("WITH") && !CHANGES.iter().any(|change| statement.contains(change));
    !(only_reads || ["SELECT", "ROLLBACK"].iter().any(|word| statement.starts_with(word)))
}

/// Whether the statement that failed so changed nothing: PostgreSQL itself refused it, and so undid it. Without an answer nobody knows.
/// A server that stops may have committed before it said so, and one that a pooler has lost, before the pooler said so.
pub fn was_undone(error: &Error) -> bool {
    use DatabaseErrorKind::{ClosedConnection, UnableToSendCommand, Unknown};
    match error {
        Error::DatabaseError(UnableToSendCommand | ClosedConnection, _) => false,
        Error::DatabaseError(Unknown, told) => !ENDINGS.iter().any(|ending| told.message().starts_with(ending)),
        Error::DatabaseError(..) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_connection_leaves_open_whether_anything_changed() {
        let failed = |kind, told: &str| Error::DatabaseError(kind, Box::new(told.to_owned()));
        for told in
            ["canceling statement due to statement timeout", "deadlock detected", "relation \"it\" does not exist"]
        {
            assert!(was_undone(&failed(DatabaseErrorKind::Unknown, told)), "{told}");
        }
        assert!(was_undone(&failed(DatabaseErrorKind::UniqueViolation, "query timeout")));
        for told in ["terminating connection due to administrator command", "server conn crashed?", "query timeout"] {
            assert!(!was_undone(&failed(DatabaseErrorKind::Unknown, told)), "{told}");
        }
        assert!(!was_undone(&failed(DatabaseErrorKind::UnableToSendCommand, "connection closed")));
        assert!(!was_undone(&Error::NotFound));
    }
}
