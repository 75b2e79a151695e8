//! Rows and queries of changes that can be undone.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use super::WayBack;
use crate::ids::{PlayerId, TableId, UndoId, least_at};
use crate::schema::undos;
use crate::text::Lang;

/// So many of the latest are offered to be undone.
const OFFERED: i64 = 4;

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = undos, check_for_backend(Pg))]
pub struct UndoRow {
    pub id: UndoId,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    pub actor: PlayerId,
    pub action: String,
    pub table_id: Option<TableId>,
    pub other_table_id: Option<TableId>,
    pub undo_data: Value,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub undone_at: Option<Timestamp>,
}

impl UndoRow {
    /// The title whose copy it is about, if it is about one.
    pub fn title(&self, lang: Lang) -> Option<&str> {
        self.undo_data["names"][lang.code()].as_str()
    }
}

pub async fn insert(
    conn: &mut AsyncPgConnection,
    id: UndoId,
    at: Timestamp,
    actor: PlayerId,
    way_back: &WayBack,
) -> QueryResult<usize> {
    let new = (
        undos::id.eq(id),
        undos::at.eq(SqlTimestamp::from(at)),
        undos::actor.eq(actor),
        undos::action.eq(way_back.action),
        undos::table_id.eq(way_back.table),
        undos::other_table_id.eq(way_back.other_table),
        undos::undo_data.eq(&way_back.body),
    );
    diesel::insert_into(undos::table).values(new).execute(conn).await
}

pub async fn lock(conn: &mut AsyncPgConnection, id: UndoId) -> QueryResult<Option<UndoRow>> {
    undos::table.find(id).select(UndoRow::as_select()).for_update().first(conn).await.optional()
}

pub async fn mark_undone(conn: &mut AsyncPgConnection, id: UndoId, at: Timestamp, by: PlayerId) -> QueryResult<usize> {
    let undone = (undos::undone_at.eq(SqlTimestamp::from(at)), undos::undone_by.eq(by));
    diesel::update(undos::table.find(id)).set(undone).execute(conn).await
}

/// The latest since then whose body holds this, if it was not undone.
pub async fn find_latest(
    conn: &mut AsyncPgConnection,
    since: Timestamp,
    sought: &Value,
) -> QueryResult<Option<UndoId>> {
    let fresh = undos::table.filter(undos::id.ge(UndoId(least_at(since)))).filter(undos::undone_at.is_null());
    let sought = fresh.filter(undos::undo_data.contains(sought)).order(undos::id.desc());
    sought.select(undos::id).first(conn).await.optional()
}

/// Those since then that were not undone, the latest first. Ids sort by time.
pub async fn list_latest(conn: &mut AsyncPgConnection, since: Timestamp) -> QueryResult<Vec<UndoRow>> {
    let latest = undos::table.select(UndoRow::as_select()).order(undos::id.desc()).limit(OFFERED);
    let latest: Vec<UndoRow> = latest.load(conn).await?;
    Ok(latest.into_iter().filter(|undo| undo.undone_at.is_none() && undo.at >= since).collect())
}
