//! Rows and queries of tables.

use diesel::dsl::{count_star, max};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use crate::ids::TableId;
use crate::schema::tables;

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = tables, check_for_backend(Pg))]
pub struct TableRow {
    pub id: TableId,
    pub code: String,
    pub name: String,
    pub area: Option<String>,
    pub seats: i16,
    pub position: i32,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub archived_at: Option<Timestamp>,
}

#[derive(Insertable)]
#[diesel(table_name = tables)]
pub(super) struct NewTable<'a> {
    pub id: TableId,
    pub code: String,
    pub name: &'a str,
    pub area: Option<&'a str>,
    pub seats: i16,
    pub position: i32,
    pub created_at: SqlTimestamp,
}

#[derive(Clone, Copy, AsChangeset)]
#[diesel(table_name = tables)]
pub(super) struct Changes<'a> {
    pub name: Option<&'a str>,
    pub area: Option<Option<&'a str>>,
    pub seats: Option<i16>,
    pub position: Option<i32>,
    pub archived_at: Option<Option<SqlTimestamp>>,
}

impl Changes<'_> {
    /// Diesel refuses an update that sets nothing.
    pub(super) fn is_empty(&self) -> bool {
        let Self { name, area, seats, position, archived_at } = self;
        name.is_none() && area.is_none() && seats.is_none() && position.is_none() && archived_at.is_none()
    }
}

/// In the order of the floor; archived ones only if asked for.
pub async fn list(conn: &mut AsyncPgConnection, with_archived: bool) -> QueryResult<Vec<TableRow>> {
    let mut query = tables::table.select(TableRow::as_select()).into_boxed();
    if !with_archived {
        query = query.filter(tables::archived_at.is_null());
    }
    query.order((tables::position, tables::name, tables::id)).load(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: TableId) -> QueryResult<Option<TableRow>> {
    tables::table.find(id).select(TableRow::as_select()).first(conn).await.optional()
}

pub async fn find_by_code(conn: &mut AsyncPgConnection, code: &str) -> QueryResult<Option<TableRow>> {
    tables::table.filter(tables::code.eq(code)).select(TableRow::as_select()).first(conn).await.optional()
}

pub(super) async fn lock(conn: &mut AsyncPgConnection, id: TableId) -> QueryResult<Option<TableRow>> {
    tables::table.find(id).select(TableRow::as_select()).for_update().first(conn).await.optional()
}

/// How many tables there are, archived ones too, and the last position.
pub(super) async fn count(conn: &mut AsyncPgConnection) -> QueryResult<(i64, Option<i32>)> {
    tables::table.select((count_star(), max(tables::position))).first(conn).await
}

pub(super) async fn insert(conn: &mut AsyncPgConnection, new: &NewTable<'_>) -> QueryResult<TableRow> {
    diesel::insert_into(tables::table).values(new).returning(TableRow::as_returning()).get_result(conn).await
}

pub(super) async fn update(conn: &mut AsyncPgConnection, id: TableId, changes: &Changes<'_>) -> QueryResult<TableRow> {
    diesel::update(tables::table.find(id)).set(changes).returning(TableRow::as_returning()).get_result(conn).await
}
