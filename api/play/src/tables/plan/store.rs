//! Rows and queries of where tables stand.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use super::PlacedTable;
use base::ids::TableId;
use base::schema::{table_places, tables};

/// Of all tables that were put somewhere, archived ones too.
pub async fn list(conn: &mut AsyncPgConnection) -> QueryResult<Vec<PlacedTable>> {
    table_places::table.select(PlacedTable::as_select()).load(conn).await
}

/// Of these tables, by their ids.
pub async fn list_of(conn: &mut AsyncPgConnection, tables: &[TableId]) -> QueryResult<Vec<PlacedTable>> {
    let of = table_places::table.filter(table_places::table_id.eq_any(tables));
    of.select(PlacedTable::as_select()).order(table_places::table_id).load(conn).await
}

/// The tables of an area in the order of the floor, until the transaction ends.
pub async fn lock_area(conn: &mut AsyncPgConnection, area: Option<&str>) -> QueryResult<Vec<TableId>> {
    let here = tables::table.filter(tables::archived_at.is_null()).filter(tables::area.is_not_distinct_from(area));
    here.order((tables::position, tables::name, tables::id)).select(tables::id).for_update().load(conn).await
}

/// These tables, until the transaction ends.
pub async fn lock(conn: &mut AsyncPgConnection, ids: &[TableId]) -> QueryResult<Vec<TableId>> {
    let these = tables::table.filter(tables::id.eq_any(ids));
    these.order((tables::position, tables::name, tables::id)).select(tables::id).for_update().load(conn).await
}

/// Of these tables, which are locked, those that are placed stand there from now on, and the others nowhere.
pub async fn replace(conn: &mut AsyncPgConnection, ids: &[TableId], placed: &[PlacedTable]) -> QueryResult<usize> {
    diesel::delete(table_places::table.filter(table_places::table_id.eq_any(ids))).execute(conn).await?;
    diesel::insert_into(table_places::table).values(placed).execute(conn).await
}
