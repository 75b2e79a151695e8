//! Whether a request may have changed the database. What failed before anything was committed can simply be asked again.

use std::cell::Cell;

use diesel::connection::{DebugQuery, InstrumentationEvent};
use diesel::result::{DatabaseErrorKind, Error};

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
        if std::mem::take(&mut self.is_first) && error.is_some_and(is_answer) {
            let _ = CHANGED.try_with(|changed| changed.set(false));
        }
    }
}

fn may_change(statement: &str) -> bool {
    const CHANGES: [&str; 3] = ["INSERT INTO", "DELETE FROM", "UPDATE "];
    let only_reads = statement.starts_with("WITH") && !CHANGES.iter().any(|change| statement.contains(change));
    !(only_reads || ["SELECT", "ROLLBACK"].iter().any(|word| statement.starts_with(word)))
}

/// Whether the statement that failed so changed nothing. A server that stops may have committed before it said so.
pub fn was_undone(error: &Error) -> bool {
    let is_stopping = |error: &Error| error.to_string().starts_with("terminating connection");
    is_answer(error) && !is_stopping(error)
}

/// PostgreSQL itself refused the statement, and so undid it. Without an answer nobody knows.
fn is_answer(error: &Error) -> bool {
    match error {
        Error::DatabaseError(kind, _) => {
            !matches!(kind, DatabaseErrorKind::UnableToSendCommand | DatabaseErrorKind::ClosedConnection)
        }
        _ => false,
    }
}
