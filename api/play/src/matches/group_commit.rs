//! Group commit: moves that arrive while others are being written go together in one statement, which costs the database far less
//! than as many of their own. Nobody waits for others to come: a move that finds nobody goes alone.
//!
//! Such a statement moves the matches that nobody has changed since and that nobody holds. The other moves, and all of them if the
//! statement fails, go back to their senders, who read and check each of them again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use diesel::result::QueryResult;
use tokio::sync::oneshot;

use super::MatchId;
use super::statements::{self, Advance};
use base::db::{Db, was_undone};
use base::error::{Result, unavailable};

const MOST_AT_ONCE: usize = 64;

/// The moves of this process that are to be written; its clones are the same.
#[derive(Clone)]
pub(super) struct GroupCommit(Arc<Inner>);

struct Inner {
    /// By connections of its own.
    db: Db,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    /// Whether a move is being written by itself.
    has_single: bool,
    /// Whether the task runs that writes those that wait.
    has_writer: bool,
}

struct Waiting {
    advance: Advance,
    /// Hears the new count of news; none if the match was not moved. Nobody knows what became of it if this is dropped.
    answer: oneshot::Sender<Option<i64>>,
}

impl GroupCommit {
    pub(super) fn new(db: &Db) -> Self {
        Self(Arc::new(Inner { db: db.for_moves(), queue: Mutex::default() }))
    }

    /// Gives the match's new count of news; none if it has changed, if somebody holds it, or if the key was used before. A move that
    /// is alone goes by a connection of this database, and waits for those who hold the match.
    pub(super) async fn write(&self, db: &Db, advance: Advance) -> Result<Option<i64>> {
        let Some(_single) = self.be_single() else { return self.write_unless_busy(advance).await };
        let mut conn = db.conn().await?;
        record(1);
        Ok(statements::advance(&mut conn, &advance).await?)
    }

    /// The same, but never waits for those who hold the match.
    pub(super) async fn write_unless_busy(&self, advance: Advance) -> Result<Option<i64>> {
        let (answer, answered) = oneshot::channel();
        self.wait(Waiting { advance, answer });
        answered.await.map_err(|_| unavailable())
    }

    fn wait(&self, waiting: Waiting) {
        let mut queue = self.queue();
        queue.waiting.push_back(waiting);
        if !std::mem::replace(&mut queue.has_writer, true) {
            self.0.db.runtime().spawn(Writer(self.clone()).run());
        }
    }

    fn be_single(&self) -> Option<Single<'_>> {
        let mut queue = self.queue();
        let is_free = !queue.has_single && !queue.has_writer;
        queue.has_single |= is_free;
        // Made only if it is free: dropping one asks for the queue.
        is_free.then(|| Single(self))
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A move that is written by itself.
struct Single<'a>(&'a GroupCommit);

impl Drop for Single<'_> {
    fn drop(&mut self) {
        self.0.queue().has_single = false;
    }
}

/// The task that writes those that wait, until none do.
struct Writer(GroupCommit);

impl Writer {
    async fn run(self) {
        while let Some(batch) = self.next_batch() {
            record(batch.len());
            let steps: Vec<&Advance> = batch.iter().map(|it| &it.advance).collect();
            match self.write(&steps).await {
                Ok(moved) => batch.into_iter().for_each(|it| {
                    let news = moved.get(&it.advance.id).copied();
                    // Who sent it may have gone.
                    let _ = it.answer.send(news);
                }),
                Err(err) => {
                    tracing::warn!(moves = batch.len(), error = %err, "writing moves together failed");
                    if was_undone(&err) {
                        batch.into_iter().for_each(|it| _ = it.answer.send(None));
                    }
                }
            }
        }
    }

    async fn write(&self, steps: &[&Advance]) -> QueryResult<HashMap<MatchId, i64>> {
        let mut conn = self.0.0.db.conn().await.map_err(|err| diesel::result::Error::QueryBuilderError(err.into()))?;
        Ok(statements::advance_many(&mut conn, steps).await?.into_iter().collect())
    }

    /// The first of those that wait, each match once. None if there are none: then this task is over.
    fn next_batch(&self) -> Option<Vec<Waiting>> {
        let mut queue = self.0.queue();
        let (mut batch, mut matches, mut later) = (Vec::new(), HashSet::new(), VecDeque::new());
        while batch.len() < MOST_AT_ONCE
            && let Some(next) = queue.waiting.pop_front()
        {
            match matches.insert(next.advance.id) {
                true => batch.push(next),
                false => later.push_back(next),
            }
        }
        later.append(&mut queue.waiting);
        queue.waiting = later;
        queue.has_writer = !batch.is_empty();
        queue.has_writer.then_some(batch)
    }
}

/// It never ends while somebody waits but by a panic or at the end of the process.
impl Drop for Writer {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut queue = self.0.queue();
            queue.waiting.clear();
            queue.has_writer = false;
        }
    }
}

fn record(moves: usize) {
    metrics::histogram!("moves_per_commit").record(moves as f64);
}
