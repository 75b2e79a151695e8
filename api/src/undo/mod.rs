//! How deeds of staff are taken back: instead of asking "are you sure", everything on the floor can be undone for a while.
//! An undo keeps what was before and after the deed, and puts back what was, as long as nobody has changed the same thing
//! since.

pub mod admin;
pub mod rest;
pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::audit::{self, Entry};
use crate::calls;
use crate::error::{ApiError, ApiResult, conflict, internal, not_found};
use crate::extract::Player;
pub use crate::ids::UndoId;
use crate::ids::{CallId, CopyId, MatchId, SittingId, TableId};
use crate::library;
use crate::live::Live;
use crate::matches;
use crate::sittings;
use crate::tables;
use crate::world::World;
pub use store::UndoRow;

/// For so long a deed can be undone.
pub const UNDO_FOR: SignedDuration = SignedDuration::from_mins(10);

/// A member of staff at work.
#[derive(Clone, Copy)]
pub struct Doer<'a> {
    pub world: &'a World,
    pub live: &'a Live,
    pub staff: &'a Player,
}

/// The way back: what was done, with all that is needed to take it back.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Undo {
    Open { sitting: SittingId },
    Sitting { sitting: SittingId, before: sittings::Facts, after: sittings::Facts },
    Merge(sittings::Merged),
    Call { call: CallId, before: calls::Facts, after: calls::Facts },
    Match { id: MatchId },
    Table { table: TableId, before: tables::Facts, after: tables::Facts },
    Order { table: TableId, before: usize, after: usize },
    Copy(library::Brought),
}

/// Where a deed was done, and under which name it is known: of the audit log and of the texts.
#[derive(Clone, Copy)]
pub struct Named {
    pub action: &'static str,
    /// None for what lies at no table.
    pub table: Option<TableId>,
    pub other_table: Option<TableId>,
}

impl Doer<'_> {
    /// Keeps the way back and says to the audit log what was done. In the transaction of the deed itself.
    pub async fn record(&self, conn: &mut AsyncPgConnection, named: Named, undo: &Undo) -> ApiResult<UndoId> {
        let id = self.keep(conn, named, undo).await?;
        let details = serde_json::to_value(undo).map_err(internal)?;
        self.audit(conn, named.action, undo.subject(), details).await?;
        Ok(id)
    }

    /// Keeps the way back only, for what has told the audit log itself.
    pub async fn keep(&self, conn: &mut AsyncPgConnection, named: Named, undo: &Undo) -> ApiResult<UndoId> {
        let id = UndoId(self.world.uuid());
        let body = serde_json::to_value(undo).map_err(internal)?;
        store::insert(conn, id, self.world.now(), self.staff.id, named, &body).await?;
        Ok(id)
    }

    async fn audit(
        &self,
        conn: &mut AsyncPgConnection,
        action: &str,
        (subject, subject_id): (&str, Uuid),
        details: serde_json::Value,
    ) -> ApiResult<()> {
        let entry = Entry { actor: Some(self.staff.id), action, subject, subject_id: Some(subject_id), details };
        Ok(audit::record(conn, self.world, entry).await?)
    }
}

impl Undo {
    fn subject(&self) -> (&'static str, Uuid) {
        match self {
            Self::Open { sitting } | Self::Sitting { sitting, .. } => ("sitting", sitting.0),
            Self::Merge(merged) => ("sitting", merged.from.0),
            Self::Call { call, .. } => ("call", call.0),
            Self::Match { id } => ("match", id.0),
            Self::Table { table, .. } | Self::Order { table, .. } => ("table", table.0),
            Self::Copy(brought) => ("copy", brought.copy.0),
        }
    }
}

/// Takes a deed back, whoever did it, if that is still possible.
pub async fn undo(conn: &mut AsyncPgConnection, doer: Doer<'_>, id: UndoId) -> ApiResult<UndoRow> {
    let (row, news) = conn
        .transaction(async |conn| {
            let row = store::lock(conn, id).await?.ok_or_else(|| not_found("undo_not_found"))?;
            if row.undone_at.is_some() {
                return Err(conflict("undo_used"));
            }
            if doer.world.now().duration_since(row.at) > UNDO_FOR {
                return Err(conflict("undo_expired"));
            }
            let way_back: Undo = serde_json::from_value(row.body.clone()).map_err(internal)?;
            let news = take_back(conn, doer, &way_back).await?;
            store::mark_undone(conn, id, doer.world.now(), doer.staff.id).await?;
            doer.audit(conn, "floor.undo", way_back.subject(), json!({ "undo": id, "action": row.action })).await?;
            Ok((row, news))
        })
        .await?;
    for (id, news) in news {
        doer.live.tell(id, news);
    }
    doer.live.tell_floor();
    Ok(row)
}

/// Gives the news of the matches that it changed.
async fn take_back(conn: &mut AsyncPgConnection, doer: Doer<'_>, undo: &Undo) -> ApiResult<Vec<(MatchId, i64)>> {
    match undo {
        Undo::Open { sitting } => sittings::take_back_open(conn, doer.world, *sitting).await?,
        Undo::Sitting { sitting, before, after } => {
            return sittings::take_back(conn, doer, *sitting, before, after).await;
        }
        Undo::Merge(merged) => return sittings::take_back_merge(conn, doer, merged).await,
        Undo::Call { call, before, after } => calls::take_back(conn, *call, before, after).await?,
        Undo::Match { id } => return Ok(vec![(*id, matches::withdraw(conn, doer.world, *id).await?)]),
        Undo::Table { table, before, after } => tables::take_back(conn, *table, before, after).await?,
        Undo::Order { table, before, after } => tables::take_back_order(conn, *table, *before, *after).await?,
        Undo::Copy(brought) => library::take_back(conn, doer, brought).await?,
    }
    Ok(Vec::new())
}

/// The world moved on: what was done is no longer as it was left.
pub fn moved_on() -> ApiError {
    conflict("cannot_undo")
}

/// One thing put back as it was before a deed: if the deed changed it, then only while it is as the deed left it.
pub fn put_back<T: PartialEq + Clone>(now: &T, before: &T, after: &T) -> ApiResult<T> {
    match before == after {
        true => Ok(now.clone()),
        false if now == after => Ok(before.clone()),
        false => Err(moved_on()),
    }
}

/// What brought this copy to the last place that it came to, if that can be undone.
pub async fn find_of_copy(
    conn: &mut AsyncPgConnection,
    (copy, place): (CopyId, i64),
    now: Timestamp,
) -> ApiResult<Option<UndoId>> {
    let sought = json!({ "to": "copy", "copy": copy, "place": place });
    Ok(store::find_latest(conn, now - UNDO_FOR, &sought).await?)
}

/// The latest deeds that can be undone.
pub async fn list_latest(conn: &mut AsyncPgConnection, now: Timestamp) -> ApiResult<Vec<UndoRow>> {
    Ok(store::list_latest(conn, now - UNDO_FOR).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_deed_changed_must_be_as_it_left_it() {
        assert_eq!(put_back(&5, &2, &5).unwrap(), 2);
        assert_eq!(put_back(&7, &4, &4).unwrap(), 7);
        assert_eq!(put_back(&6, &2, &5).unwrap_err().code(), "cannot_undo");
    }
}
