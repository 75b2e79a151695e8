//! Rows and queries of trials.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;

use base::ids::{PlayerId, TrialId, VariantId};
use base::schema::{trials, variants};
use play::matches::store::JsonText;

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = trials, check_for_backend(Pg))]
pub struct TrialRow {
    pub id: TrialId,
    pub variant_id: VariantId,
    pub variant_version: i32,
    pub revision: i32,
    pub seat_count: i16,
    pub version: i32,
    pub seed: Vec<u8>,
    pub chance_count: i64,
    pub state: Vec<u8>,
    pub events: JsonText,
}

#[derive(Insertable)]
#[diesel(table_name = trials)]
pub struct NewTrial<'a> {
    pub id: TrialId,
    pub variant_id: VariantId,
    pub variant_version: i32,
    pub options: &'a Value,
    pub revision: i32,
    pub seat_count: i16,
    pub seed: &'a [u8],
    pub chance_count: i64,
    pub state: &'a [u8],
    pub events: JsonText,
    pub created_by: PlayerId,
    pub created_at: SqlTimestamp,
}

/// What a move changes.
#[derive(AsChangeset)]
#[diesel(table_name = trials)]
pub struct Advance {
    pub version: i32,
    pub chance_count: i64,
    pub state: Vec<u8>,
    pub events: JsonText,
}

pub async fn insert(conn: &mut AsyncPgConnection, new: NewTrial<'_>) -> QueryResult<usize> {
    diesel::insert_into(trials::table).values(new).execute(conn).await
}

/// With the game and the name of the variant; none if it was begun before that moment.
pub async fn find(
    conn: &mut AsyncPgConnection,
    id: TrialId,
    since: Timestamp,
) -> QueryResult<Option<(TrialRow, String, String)>> {
    trials::table
        .inner_join(variants::table.on(variants::id.eq(trials::variant_id)))
        .filter(trials::id.eq(id).and(trials::created_at.ge(SqlTimestamp::from(since))))
        .select((TrialRow::as_select(), variants::game, variants::name))
        .first(conn)
        .await
        .optional()
}

/// Only if it is still at this version. Gives how many there were.
pub async fn advance(conn: &mut AsyncPgConnection, id: TrialId, version: i32, advance: Advance) -> QueryResult<usize> {
    let there = trials::table.filter(trials::id.eq(id).and(trials::version.eq(version)));
    diesel::update(there).set(advance).execute(conn).await
}

pub async fn delete_before(conn: &mut AsyncPgConnection, moment: Timestamp) -> QueryResult<usize> {
    let old = trials::table.filter(trials::created_at.lt(SqlTimestamp::from(moment)));
    diesel::delete(old).execute(conn).await
}
