//! Undo: instead of asking "are you sure", the floor lets staff undo a change for a while. The way back keeps the state before
//! and after the change, and restores the state before it, as long as nobody has changed the same thing since.
//!
//! This room knows no kind of change: each noun writes its own way back and reads it again, and `floor::undo` knows all of them.

pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection, TransactionManager};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit::{self, Entry};
use crate::auth::{Actor, Grant, StaffContext};
use crate::error::{Error, Result, conflict, internal, not_found};
pub use crate::ids::UndoId;
use crate::ids::{MatchId, TableId};
pub use store::UndoRow;

type Transactions = <AsyncPgConnection as AsyncConnection>::TransactionManager;

/// A change can be undone for this long.
pub const UNDO_FOR: SignedDuration = SignedDuration::from_mins(10);

/// A match and the count of its news.
pub type MatchNews = (MatchId, i64);

/// The thing that a change is about, as the audit log names it.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub kind: &'static str,
    pub id: Uuid,
}

/// What a noun needs to undo a change of its own. In JSON its field `to` tells it from those of other nouns.
pub trait Body: Serialize + DeserializeOwned {
    fn subject(&self) -> Subject;
}

/// The way back from one change.
pub struct WayBack {
    /// Of the audit log and of the texts.
    action: &'static str,
    subject: Subject,
    body: Value,
    table: Option<TableId>,
    other_table: Option<TableId>,
    is_audited: bool,
}

/// What a change of the floor did.
pub struct Change<T> {
    value: T,
    way_back: Option<WayBack>,
    news: Vec<MatchNews>,
}

/// Several changes that staff make, and undo, as one.
#[derive(Default)]
pub struct Together {
    parts: Vec<Value>,
    news: Vec<MatchNews>,
}

/// What an undo did.
pub struct Undone {
    pub subject: Subject,
    /// Of the matches that it changed.
    pub news: Vec<MatchNews>,
}

impl WayBack {
    pub fn new(action: &'static str, body: &impl Body) -> Result<Self> {
        let (subject, body) = (body.subject(), serde_json::to_value(body).map_err(internal)?);
        Ok(Self { action, subject, body, table: None, other_table: None, is_audited: false })
    }

    /// Where it happened, if at a table.
    #[must_use]
    pub fn at(self, table: impl Into<Option<TableId>>) -> Self {
        Self { table: table.into(), ..self }
    }

    /// Where a party or a box went.
    #[must_use]
    pub fn to(self, other_table: impl Into<Option<TableId>>) -> Self {
        Self { other_table: other_table.into(), ..self }
    }

    /// The audit log has its line already.
    #[must_use]
    pub fn audited(self) -> Self {
        Self { is_audited: true, ..self }
    }
}

impl<T> Change<T> {
    pub fn none(value: T) -> Self {
        Self { value, way_back: None, news: Vec::new() }
    }

    pub fn new(value: T, way_back: WayBack) -> Self {
        Self { value, way_back: Some(way_back), news: Vec::new() }
    }

    #[must_use]
    pub fn telling(self, news: Vec<MatchNews>) -> Self {
        Self { news, ..self }
    }
}

impl Together {
    /// One of them, in the caller's transaction. Whether it changed anything.
    pub async fn add<T>(
        &mut self,
        conn: &mut AsyncPgConnection,
        actor: Actor<'_>,
        change: Option<Change<T>>,
    ) -> Result<bool> {
        let Some(Change { way_back, news, .. }) = change else { return Ok(false) };
        self.news.extend(news);
        let Some(WayBack { action, subject, body, is_audited, .. }) = way_back else { return Ok(false) };
        if !is_audited {
            actor.audit(conn, action, subject, body.clone()).await?;
        }
        self.parts.push(body);
        Ok(true)
    }

    /// How to undo each of them, the first first, and the news of matches.
    pub fn into_parts(self) -> (Vec<Value>, Vec<MatchNews>) {
        (self.parts, self.news)
    }
}

impl<P: Grant> StaffContext<'_, P> {
    /// The frame of each change that staff can undo: one transaction for the change, its way back and its line in the audit
    /// log; after it, matches and floor are told. No `UndoId` if nothing was different.
    pub async fn undoable<T>(
        &mut self,
        change: impl AsyncFnOnce(&mut AsyncPgConnection, Actor<'_>) -> Result<Change<T>>,
    ) -> Result<(T, Option<UndoId>)> {
        let (conn, actor) = self.parts().await?;
        actor.undoable(conn, change).await
    }
}

impl Actor<'_> {
    pub async fn undoable<T>(
        self,
        conn: &mut AsyncPgConnection,
        change: impl AsyncFnOnce(&mut AsyncPgConnection, Actor<'_>) -> Result<Change<T>>,
    ) -> Result<(T, Option<UndoId>)> {
        let changed = transaction(conn, async |conn| {
            let Change { value, way_back, news } = change(conn, self).await?;
            let undo = match way_back {
                Some(way_back) => Some(self.keep(conn, way_back).await?),
                None => None,
            };
            Ok((value, undo, news))
        });
        let (value, undo, news) = changed.await?;
        self.tell(&news);
        Ok((value, undo))
    }

    async fn keep(self, conn: &mut AsyncPgConnection, way_back: WayBack) -> Result<UndoId> {
        let id = UndoId(self.world.uuid());
        store::insert(conn, id, self.world.now(), self.staff.id, &way_back).await?;
        let WayBack { action, subject, body, is_audited, .. } = way_back;
        if !is_audited {
            self.audit(conn, action, subject, body).await?;
        }
        Ok(id)
    }

    async fn audit(self, conn: &mut AsyncPgConnection, action: &str, subject: Subject, details: Value) -> Result<()> {
        let Subject { kind, id } = subject;
        let entry = Entry { actor: Some(self.staff.id), action, subject: kind, subject_id: Some(id), details };
        Ok(audit::record(conn, self.world, entry).await?)
    }

    fn tell(self, news: &[MatchNews]) {
        for (id, count) in news {
            self.live.tell(*id, *count);
        }
        self.live.tell_floor();
    }
}

/// Undoes a change of anybody, if that is still possible: `apply` restores the state before it.
pub async fn undo(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: UndoId,
    apply: impl AsyncFnOnce(&mut AsyncPgConnection, Actor<'_>, Value) -> Result<Undone>,
) -> Result<UndoRow> {
    let undone = transaction(conn, async |conn| {
        let row = store::lock(conn, id).await?.ok_or_else(|| not_found("undo_not_found"))?;
        if row.undone_at.is_some() {
            return Err(conflict("undo_used"));
        }
        if actor.world.now().duration_since(row.at) > UNDO_FOR {
            return Err(conflict("undo_expired"));
        }
        let Undone { subject, news } = apply(conn, actor, row.undo_data.clone()).await?;
        store::mark_undone(conn, id, actor.world.now(), actor.staff.id).await?;
        actor.audit(conn, "floor.undo", subject, json!({ "undo": id, "action": row.action })).await?;
        Ok((row, news))
    });
    let (row, news) = undone.await?;
    actor.tell(&news);
    Ok(row)
}

/// As the connection's own `transaction`, whose bounds a generic frame cannot meet.
async fn transaction<T>(
    conn: &mut AsyncPgConnection,
    work: impl AsyncFnOnce(&mut AsyncPgConnection) -> Result<T>,
) -> Result<T> {
    Transactions::begin_transaction(conn).await?;
    match work(conn).await {
        Ok(done) => {
            Transactions::commit_transaction(conn).await?;
            Ok(done)
        }
        Err(err) => match Transactions::rollback_transaction(conn).await {
            Ok(()) | Err(diesel::result::Error::BrokenTransactionManager) => Err(err),
            Err(failed) => Err(failed.into()),
        },
    }
}

/// The state is no longer the one that the change left.
pub fn moved_on() -> Error {
    conflict("cannot_undo")
}

/// A step of the way back failed: if it was refused, the state is another one by now.
pub fn moved_on_if_refused(err: Error) -> Error {
    if err.is_refusal() { moved_on() } else { err }
}

/// One field as it was before a change: if the change touched it, then only while it is as the change left it.
pub fn restore<T: PartialEq + Clone>(now: &T, before: &T, after: &T) -> Result<T> {
    match before == after {
        true => Ok(now.clone()),
        false if now == after => Ok(before.clone()),
        false => Err(moved_on()),
    }
}

/// The latest change that can be undone and whose body holds this.
pub async fn find_latest(conn: &mut AsyncPgConnection, now: Timestamp, sought: &Value) -> Result<Option<UndoId>> {
    Ok(store::find_latest(conn, now - UNDO_FOR, sought).await?)
}

/// The latest changes that can be undone.
pub async fn list_latest(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<Vec<UndoRow>> {
    Ok(store::list_latest(conn, now - UNDO_FOR).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_change_touched_must_be_as_it_left_it() {
        assert_eq!(restore(&5, &2, &5).unwrap(), 2);
        assert_eq!(restore(&7, &4, &4).unwrap(), 7);
        assert_eq!(restore(&6, &2, &5).unwrap_err().code(), "cannot_undo");
    }
}
