//! The errands that bring copies from one place to another. A copy is in one place; whoever comes second is told where it is.

use std::collections::HashMap;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::copies::record;
use super::diary::{self, NewPlace};
use super::store::{self, Place};
use super::{CopyId, CopyRow, CopyState, Errand};
use crate::error::{ApiError, ApiResult, conflict, not_found, unprocessable};
use crate::ids::{TableId, UndoId};
use crate::tables;
use crate::text::Lang;
use crate::undo::{self, Doer, Named, UNDO_FOR, Undo, moved_on};

/// What an errand did: the place that a copy came to by it. Only as long as it is there the errand can be taken back.
#[derive(Debug, Serialize, Deserialize)]
pub struct Brought {
    pub copy: CopyId,
    place: i64,
    /// Of its title.
    names: HashMap<Lang, String>,
}

/// Does this with the copy; to lend or carry it needs a table. None for the deed if it was to undo the last one.
pub async fn act(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: CopyId,
    errand: Errand,
    table: Option<TableId>,
) -> ApiResult<(CopyRow, Option<UndoId>)> {
    if errand == Errand::Undo {
        return Ok((undo_last(conn, doer, id).await?, None));
    }
    let done = conn
        .transaction(async |conn| {
            let copy = lock(conn, id).await?;
            let to = goal(conn, &copy, errand, table).await?;
            let (moved, place) = bring(conn, doer, &copy, errand, to).await?;
            let title = store::find(conn, copy.title_id).await?.ok_or_else(|| not_found("title_not_found"))?;
            let other_table = moved.table_id.filter(|_| copy.table_id.is_some());
            let table = copy.table_id.or(moved.table_id);
            let named = Named { action: errand.action(), table, other_table };
            let brought = Brought { copy: id, place, names: title.names() };
            let undo = doer.keep(conn, named, &Undo::Copy(brought)).await?;
            ApiResult::Ok((moved, Some(undo)))
        })
        .await?;
    doer.live.tell_floor();
    Ok(done)
}

/// The copies on this table, which nobody else moves until the transaction ends.
pub async fn lock_on_table(conn: &mut AsyncPgConnection, table: TableId) -> ApiResult<Vec<CopyRow>> {
    Ok(store::lock_on_table(conn, table).await?)
}

/// A party takes these along to another table. In the caller's transaction, which has locked them.
pub async fn carry(conn: &mut AsyncPgConnection, doer: Doer<'_>, copies: &[CopyRow], to: TableId) -> ApiResult<()> {
    for copy in copies {
        bring(conn, doer, copy, Errand::Carry, (CopyState::Table, Some(to))).await?;
    }
    Ok(())
}

/// Where the copy was before it was brought there, as long as nobody has moved it since. In the caller's transaction.
pub async fn take_back(conn: &mut AsyncPgConnection, doer: Doer<'_>, brought: &Brought) -> ApiResult<()> {
    let copy = lock(conn, brought.copy).await.map_err(|_| moved_on())?;
    let places = diary::list_places(conn, &[copy.id], None, 2).await?;
    let [last, before] = &places[..] else { return Err(moved_on()) };
    if last.id != brought.place {
        return Err(moved_on());
    }
    if let Some(table) = before.table_id {
        table_on_floor(conn, Some(table)).await.map_err(|_| moved_on())?;
    }
    bring(conn, doer, &copy, Errand::Undo, (before.state, before.table_id)).await?;
    Ok(())
}

/// The last errand was a mistake: the copy is again where it was before.
async fn undo_last(conn: &mut AsyncPgConnection, doer: Doer<'_>, id: CopyId) -> ApiResult<CopyRow> {
    let (copy, _) = store::find_copy(conn, id).await?.ok_or_else(|| not_found("copy_not_found"))?;
    let places = diary::list_places(conn, &[id], None, 1).await?;
    let undo = match places.first() {
        Some(last) => undo::find_of_copy(conn, (copy.id, last.id), doer.world.now()).await?,
        None => None,
    };
    undo::undo(conn, doer, undo.ok_or_else(|| conflict("nothing_to_undo"))?).await?;
    let (copy, _) = store::find_copy(conn, id).await?.ok_or_else(|| not_found("copy_not_found"))?;
    Ok(copy)
}

/// Where the errand leads from where the copy is.
async fn goal(
    conn: &mut AsyncPgConnection,
    copy: &CopyRow,
    errand: Errand,
    table: Option<TableId>,
) -> ApiResult<(CopyState, Option<TableId>)> {
    let is_there = errand == Errand::Carry && copy.table_id == table;
    if is_there || !errand.starts_from(copy.state) {
        return Err(elsewhere(copy.state));
    }
    Ok(match errand {
        Errand::Lend | Errand::Carry => (CopyState::Table, Some(table_on_floor(conn, table).await?)),
        Errand::TakeBack | Errand::Find => (CopyState::Return, None),
        Errand::CheckIn => (CopyState::Shelf, None),
        Errand::Repair => (CopyState::Repair, None),
        Errand::Lose => (CopyState::Lost, None),
        Errand::Undo => return Err(conflict("nothing_to_undo")),
    })
}

/// Of a copy that is locked. Gives the number of its new place.
async fn bring(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    copy: &CopyRow,
    errand: Errand,
    (state, table_id): (CopyState, Option<TableId>),
) -> ApiResult<(CopyRow, i64)> {
    let now = doer.world.now().into();
    let leaves_table = copy.state == CopyState::Table && state != CopyState::Table;
    let place = Place { state, table_id: Some(table_id), since: now, played_at: leaves_table.then_some(Some(now)) };
    let moved = store::place(conn, copy.id, place).await?;
    let made_by = Some(doer.staff.id);
    let told = NewPlace { copy_id: copy.id, errand: Some(errand), state, table_id, made_by, at: now };
    let place = diary::insert_place(conn, &told).await?;
    let details = json!({ "place": [copy.state, state], "table": [copy.table_id, table_id] });
    record(conn, doer.world, doer.staff, errand.action(), copy.id, details).await?;
    Ok((moved, place))
}

impl Errand {
    /// In the audit log.
    fn action(self) -> &'static str {
        match self {
            Self::Lend => "copy.lend",
            Self::Carry => "copy.carry",
            Self::TakeBack => "copy.take_back",
            Self::CheckIn => "copy.check_in",
            Self::Repair => "copy.repair",
            Self::Lose => "copy.lose",
            Self::Find => "copy.find",
            Self::Undo => "copy.undo",
        }
    }

    /// Whether it may be done with a copy that is there.
    pub fn starts_from(self, state: CopyState) -> bool {
        use CopyState::{Lost, Repair, Return, Shelf, Table};
        match self {
            Self::Lend => matches!(state, Shelf | Return),
            Self::TakeBack | Self::Carry => state == Table,
            Self::CheckIn => matches!(state, Table | Return | Repair),
            Self::Repair => matches!(state, Shelf | Return | Table),
            Self::Lose => state != Lost,
            Self::Find => state == Lost,
            Self::Undo => true,
        }
    }
}

impl super::PlaceRow {
    pub(super) fn may_be_undone(&self, now: Timestamp) -> bool {
        let is_fresh = now.duration_since(self.at) <= UNDO_FOR;
        is_fresh && self.errand.is_some_and(|errand| !matches!(errand, Errand::Undo | Errand::Carry))
    }
}

async fn table_on_floor(conn: &mut AsyncPgConnection, table: Option<TableId>) -> ApiResult<TableId> {
    let table = table.ok_or_else(|| crate::error::invalid_field("/table_id", "missing_field"))?;
    let found = tables::store::find(conn, table).await?.filter(|table| table.archived_at.is_none());
    let unknown = || unprocessable("unknown_table").with_field("/table_id", "unknown_value");
    found.map(|table| table.id).ok_or_else(unknown)
}

async fn lock(conn: &mut AsyncPgConnection, id: CopyId) -> ApiResult<CopyRow> {
    let copy = store::lock_copy(conn, id).await?.filter(|copy| copy.archived_at.is_none());
    copy.ok_or_else(|| not_found("copy_not_found"))
}

/// The copy is where the errand cannot be done, perhaps because somebody else was quicker.
pub(super) fn elsewhere(state: CopyState) -> ApiError {
    conflict(match state {
        CopyState::Shelf => "copy_on_shelf",
        CopyState::Table => "copy_on_table",
        CopyState::Return => "copy_in_return",
        CopyState::Repair => "copy_in_repair",
        CopyState::Lost => "copy_lost",
    })
}
