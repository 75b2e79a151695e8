//! Rows and queries of tables.

use diesel::dsl::{count_star, max};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, Nullable, SmallInt, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use super::TableDetails;
use base::db::statement;
use base::ids::{MatchId, TableId, TournamentId};
use base::schema::{sittings, tables};

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
    /// Why the table is out of service.
    pub out_of_service_reason: Option<String>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub out_of_service_since: Option<Timestamp>,
}

#[derive(Insertable)]
#[diesel(table_name = tables)]
pub struct NewTable<'a> {
    pub id: TableId,
    pub code: String,
    pub name: &'a str,
    pub area: Option<&'a str>,
    pub seats: i16,
    pub position: i32,
    pub created_at: SqlTimestamp,
}

impl TableRow {
    pub fn details(&self) -> TableDetails {
        TableDetails {
            name: self.name.clone(),
            area: self.area.clone(),
            seats: self.seats,
            position: self.position,
            archived_at: self.archived_at,
            out_of_service_reason: self.out_of_service_reason.clone(),
            out_of_service_since: self.out_of_service_since,
        }
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

pub async fn lock(conn: &mut AsyncPgConnection, id: TableId) -> QueryResult<Option<TableRow>> {
    tables::table.find(id).select(TableRow::as_select()).for_update().first(conn).await.optional()
}

/// Until the transaction ends nobody changes it, though others may look at it as closely.
pub async fn lock_shared(conn: &mut AsyncPgConnection, id: TableId) -> QueryResult<Option<TableRow>> {
    tables::table.find(id).select(TableRow::as_select()).for_share().first(conn).await.optional()
}

/// Whether a party sits there.
pub async fn is_occupied(conn: &mut AsyncPgConnection, id: TableId) -> QueryResult<bool> {
    let open = sittings::table.filter(sittings::table_id.eq(id)).filter(sittings::closed_at.is_null());
    diesel::select(diesel::dsl::exists(open)).get_result(conn).await
}

/// A bout of a tournament that is to be played or is played at a table.
#[derive(Clone, Debug, QueryableByName)]
pub struct Hold {
    #[diesel(sql_type = Uuid)]
    pub table_id: TableId,
    #[diesel(sql_type = Uuid)]
    pub tournament_id: TournamentId,
    /// The name of the tournament.
    #[diesel(sql_type = Text)]
    pub tournament: String,
    #[diesel(sql_type = SmallInt)]
    pub stage: i16,
    /// Of the bout within its stage.
    #[diesel(sql_type = Text)]
    pub key: String,
    #[diesel(sql_type = SmallInt)]
    pub round: i16,
    /// The code of the tournament.
    #[diesel(sql_type = Text)]
    pub tournament_code: String,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    pub since: Option<Timestamp>,
    #[diesel(sql_type = Nullable<Uuid>)]
    pub match_id: Option<MatchId>,
}

/// The tables that tournaments hold.
pub async fn list_holds(conn: &mut AsyncPgConnection) -> QueryResult<Vec<Hold>> {
    const ALL: &str = "SELECT table_id, tournament_id, tournament, stage, key, round, tournament_code, since, match_id \
                       FROM table_holds";
    statement(ALL).load(conn).await
}

/// The bout that holds this table, if one does.
pub async fn find_hold(conn: &mut AsyncPgConnection, id: TableId) -> QueryResult<Option<Hold>> {
    const OF_TABLE: &str = "SELECT table_id, tournament_id, tournament, stage, key, round, tournament_code, since, match_id \
                            FROM table_holds WHERE table_id = $1";
    statement(OF_TABLE).bind::<Uuid, _>(id).get_result(conn).await.optional()
}

/// All of the floor in its order, until the transaction ends.
pub async fn lock_all(conn: &mut AsyncPgConnection) -> QueryResult<Vec<(TableId, i32)>> {
    let floor = tables::table.filter(tables::archived_at.is_null()).for_update();
    floor.order((tables::position, tables::name, tables::id)).select((tables::id, tables::position)).load(conn).await
}

/// How many tables there are, archived ones too, and the last position.
pub async fn count(conn: &mut AsyncPgConnection) -> QueryResult<(i64, Option<i32>)> {
    tables::table.select((count_star(), max(tables::position))).first(conn).await
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &NewTable<'_>) -> QueryResult<TableRow> {
    diesel::insert_into(tables::table).values(new).returning(TableRow::as_returning()).get_result(conn).await
}

/// Of a table that is locked.
pub async fn write(conn: &mut AsyncPgConnection, id: TableId, now: &TableDetails) -> QueryResult<TableRow> {
    diesel::update(tables::table.find(id))
        .set((
            tables::name.eq(&now.name),
            tables::area.eq(&now.area),
            tables::seats.eq(now.seats),
            tables::position.eq(now.position),
            tables::archived_at.eq(now.archived_at.map(SqlTimestamp::from)),
            tables::out_of_service_reason.eq(&now.out_of_service_reason),
            tables::out_of_service_since.eq(now.out_of_service_since.map(SqlTimestamp::from)),
        ))
        .returning(TableRow::as_returning())
        .get_result(conn)
        .await
}

/// Of a table that is locked.
pub async fn set_code(conn: &mut AsyncPgConnection, id: TableId, code: &str) -> QueryResult<TableRow> {
    diesel::update(tables::table.find(id))
        .set(tables::code.eq(code))
        .returning(TableRow::as_returning())
        .get_result(conn)
        .await
}

/// Numbers these tables from 1 on, in this order.
pub async fn number(conn: &mut AsyncPgConnection, order: &[TableId]) -> QueryResult<usize> {
    statement(
        "UPDATE tables SET position = least(it.place, 9999)::integer
         FROM unnest($1) WITH ORDINALITY AS it (id, place) WHERE tables.id = it.id AND tables.position <> it.place",
    )
    .bind::<Array<Uuid>, _>(order)
    .execute(conn)
    .await
}
