//! What moves copies from one place to another. A copy is in one place; the second of two who move it learns where it is.

use std::collections::HashMap;

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::copies::record;
use super::history::{self, NewPlace};
use super::store::{self, Place, TitleRow};
use super::{CopyId, CopyRow, CopyState, PlaceRow, Transfer};
use crate::tables;
use base::auth::{Actor, StaffContext, can};
use base::error::{Error, Result, conflict, internal, not_found, unprocessable};
use base::ids::{TableId, UndoId};
use base::text::Lang;
use base::undo::{self, Body, Change, Subject, UNDO_FOR, Undone, WayBack, moved_on, moved_on_if_refused};

/// How to undo a transfer: only while the copy is at the place where it came by it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum CopyUndo {
    Copy {
        copy: CopyId,
        place: i64,
        /// Of its title.
        names: HashMap<Lang, String>,
        /// Since when it was where it was before; missing in what was written by earlier versions.
        #[serde(default)]
        since: Option<Timestamp>,
    },
}

/// Does this with the copy; to lend or carry it needs a table. No undo if it undid the last transfer.
pub async fn transfer(
    cx: &mut StaffContext<'_, can::ManageLibrary>,
    id: CopyId,
    transfer: Transfer,
    table: Option<TableId>,
) -> Result<(CopyRow, Option<UndoId>)> {
    if transfer == Transfer::Undo {
        let (conn, actor) = cx.parts().await?;
        return Ok((undo_last(conn, actor, id).await?, None));
    }
    cx.undoable(async |conn, actor| transfer_within(conn, actor, id, transfer, table).await).await
}

/// The same in the caller's transaction, for all but what undoes the last transfer.
pub async fn transfer_within(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: CopyId,
    transfer: Transfer,
    table: Option<TableId>,
) -> Result<Change<CopyRow>> {
    let copy = lock(conn, id).await?;
    let to = destination(conn, &copy, transfer, table).await?;
    let title = lock_title(conn, &copy, to.table_id).await?.ok_or_else(|| not_found("title_not_found"))?;
    let (moved, place) = bring(conn, actor, &copy, transfer, to).await?;
    let other_table = moved.table_id.filter(|_| copy.table_id.is_some());
    let table = copy.table_id.or(moved.table_id);
    let undo = CopyUndo::Copy { copy: id, place, names: title.names(), since: Some(copy.since) };
    let way_back = WayBack::new(transfer.action(), &undo)?.at(table).to(other_table).audited();
    Ok(Change::new(moved, way_back))
}

/// The copies on this table, which nobody else moves until the transaction ends.
pub async fn lock_on_table(conn: &mut AsyncPgConnection, table: TableId) -> Result<Vec<CopyRow>> {
    Ok(store::lock_on_table(conn, table).await?)
}

/// Those of them that came there since then: lent, or along with a party.
pub async fn lock_arrived(conn: &mut AsyncPgConnection, table: TableId, since: Timestamp) -> Result<Vec<CopyRow>> {
    let mut copies = lock_on_table(conn, table).await?;
    let ids: Vec<CopyId> = copies.iter().map(|copy| copy.id).collect();
    let carried = history::list_carried(conn, &ids, table, since).await?;
    copies.retain(|copy| copy.since >= since || carried.contains(&copy.id));
    Ok(copies)
}

/// A party takes these along to another table, where they are out since they were lent to it. In the caller's transaction, which has
/// locked them.
pub async fn carry(conn: &mut AsyncPgConnection, actor: Actor<'_>, copies: &[CopyRow], to: TableId) -> Result<()> {
    for copy in copies {
        let to = Destination { state: CopyState::Table, table_id: Some(to), since: Some(copy.since) };
        bring(conn, actor, copy, Transfer::Carry, to).await?;
    }
    Ok(())
}

/// Brings the copy back to where it was, as long as nobody has moved it since. In the caller's transaction.
pub async fn undo(conn: &mut AsyncPgConnection, actor: Actor<'_>, undo: &CopyUndo) -> Result<()> {
    let CopyUndo::Copy { copy, place, .. } = undo;
    let copy = lock(conn, *copy).await.map_err(moved_on_if_refused)?;
    let places = history::list_places(conn, &[copy.id], None, 2).await?;
    let [last, before] = &places[..] else { return Err(moved_on()) };
    if last.id != *place {
        return Err(moved_on());
    }
    if let Some(table) = before.table_id {
        table_on_floor(conn, Some(table)).await.map_err(moved_on_if_refused)?;
        lock_title(conn, &copy, Some(table)).await?.ok_or_else(moved_on)?;
    }
    let CopyUndo::Copy { since, .. } = undo;
    let since = since.unwrap_or(before.at);
    let back = Destination { state: before.state, table_id: before.table_id, since: Some(since) };
    bring(conn, actor, &copy, Transfer::Undo, back).await?;
    Ok(())
}

/// The last transfer was a mistake: the copy goes back to where it was before.
async fn undo_last(conn: &mut AsyncPgConnection, actor: Actor<'_>, id: CopyId) -> Result<CopyRow> {
    store::find_copy(conn, id).await?.ok_or_else(|| not_found("copy_not_found"))?;
    let places = history::list_places(conn, &[id], None, 1).await?;
    let latest = match places.first() {
        Some(last) => find_undo(conn, actor.world.now(), last).await?,
        None => None,
    };
    let latest = latest.ok_or_else(|| conflict("nothing_to_undo"))?;
    let apply = async |conn: &mut AsyncPgConnection, actor: Actor<'_>, body| {
        let way_back: CopyUndo = serde_json::from_value(body).map_err(internal)?;
        undo(conn, actor, &way_back).await?;
        Ok(Undone { subject: way_back.subject(), news: Vec::new() })
    };
    undo::undo(conn, actor, latest, apply).await?;
    let (copy, _) = store::find_copy(conn, id).await?.ok_or_else(|| not_found("copy_not_found"))?;
    Ok(copy)
}

/// How to undo the transfer by which a copy came to its place, if that is possible by itself.
pub async fn find_undo(conn: &mut AsyncPgConnection, now: Timestamp, last: &PlaceRow) -> Result<Option<UndoId>> {
    if now.duration_since(last.at) > UNDO_FOR {
        return Ok(None);
    }
    let sought = json!({ "to": "copy", "copy": last.copy_id, "place": last.id });
    undo::find_latest(conn, now, &sought).await
}

/// Where a copy comes to.
#[derive(Clone, Copy)]
struct Destination {
    state: CopyState,
    table_id: Option<TableId>,
    /// Since when it counts as being there. None: from the transfer on.
    since: Option<Timestamp>,
}

/// Where the transfer leads from where the copy is.
async fn destination(
    conn: &mut AsyncPgConnection,
    copy: &CopyRow,
    transfer: Transfer,
    table: Option<TableId>,
) -> Result<Destination> {
    let is_there = transfer == Transfer::Carry && copy.table_id == table;
    if is_there || !transfer.starts_from(copy.state) {
        return Err(elsewhere(copy.state));
    }
    let (state, table_id) = match transfer {
        Transfer::Lend | Transfer::Carry => (CopyState::Table, Some(table_on_floor(conn, table).await?)),
        Transfer::TakeBack | Transfer::Find => (CopyState::Return, None),
        Transfer::CheckIn => (CopyState::Shelf, None),
        Transfer::Repair => (CopyState::Repair, None),
        Transfer::Lose => (CopyState::Lost, None),
        Transfer::Undo => return Err(conflict("nothing_to_undo")),
    };
    Ok(Destination { state, table_id, since: None })
}

/// Of a copy that is locked. Gives the number of its new place.
async fn bring(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    copy: &CopyRow,
    transfer: Transfer,
    to: Destination,
) -> Result<(CopyRow, i64)> {
    let Destination { state, table_id, since } = to;
    let now: SqlTimestamp = actor.world.now().into();
    let leaves_table = copy.state == CopyState::Table && state != CopyState::Table && transfer != Transfer::Undo;
    let since = since.map_or(now, SqlTimestamp::from);
    let place = Place { state, table_id: Some(table_id), since, played_at: leaves_table.then_some(Some(now)) };
    let moved = store::place(conn, copy.id, place).await?;
    let made_by = Some(actor.staff.id);
    let told = NewPlace { copy_id: copy.id, transfer: Some(transfer), state, table_id, made_by, at: now };
    let place = history::insert_place(conn, &told).await?;
    let details = json!({ "place": [copy.state, state], "table": [copy.table_id, table_id] });
    record(conn, actor, transfer.action(), copy.id, details).await?;
    Ok((moved, place))
}

impl Transfer {
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

async fn table_on_floor(conn: &mut AsyncPgConnection, table: Option<TableId>) -> Result<TableId> {
    let table = table.ok_or_else(|| base::error::invalid_field("/table_id", "missing_field"))?;
    let found = tables::store::find(conn, table).await?.filter(|table| table.archived_at.is_none());
    let unknown = || unprocessable("unknown_table").with_field("/table_id", "unknown_value");
    found.map(|table| table.id).ok_or_else(unknown)
}

/// None if it is archived and a copy is to come to a table. Nobody archives it until the transaction ends.
async fn lock_title(conn: &mut AsyncPgConnection, copy: &CopyRow, table: Option<TableId>) -> Result<Option<TitleRow>> {
    let title = store::lock(conn, copy.title_id).await?;
    Ok(title.filter(|title| table.is_none() || title.archived_at.is_none()))
}

async fn lock(conn: &mut AsyncPgConnection, id: CopyId) -> Result<CopyRow> {
    let copy = store::lock_copy(conn, id).await?.filter(|copy| copy.archived_at.is_none());
    copy.ok_or_else(|| not_found("copy_not_found"))
}

/// The copy is at a place where the transfer cannot be done, perhaps because somebody else was quicker.
pub fn elsewhere(state: CopyState) -> Error {
    conflict(match state {
        CopyState::Shelf => "copy_on_shelf",
        CopyState::Table => "copy_on_table",
        CopyState::Return => "copy_in_return",
        CopyState::Repair => "copy_in_repair",
        CopyState::Lost => "copy_lost",
    })
}

impl Body for CopyUndo {
    fn subject(&self) -> Subject {
        let Self::Copy { copy, .. } = self;
        Subject { kind: "copy", id: copy.0 }
    }
}
