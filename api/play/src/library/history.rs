//! What is told of a copy: the places that it came to, and notes on its condition.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use super::{CopyState, Transfer};
use base::ids::{CopyId, NoteId, PlayerId, TableId};
use base::schema::{copy_locations, copy_notes, players, tables};

/// A place that a copy came to.
#[derive(Clone, Debug, Queryable)]
pub struct PlaceRow {
    pub id: i64,
    pub copy_id: CopyId,
    /// What brought it there; none when it came into the library.
    pub transfer: Option<Transfer>,
    pub state: CopyState,
    pub table_id: Option<TableId>,
    pub table: Option<String>,
    /// The name of the person who did it.
    pub by: Option<String>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
}

/// Something to be known of a copy's condition.
#[derive(Clone, Debug, Queryable)]
pub struct NoteRow {
    pub id: NoteId,
    pub copy_id: CopyId,
    pub text: String,
    /// The name of the person who wrote it.
    pub by: String,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub settled_at: Option<Timestamp>,
}

#[derive(Insertable)]
#[diesel(table_name = copy_locations)]
pub struct NewPlace {
    pub copy_id: CopyId,
    pub transfer: Option<Transfer>,
    pub state: CopyState,
    pub table_id: Option<TableId>,
    pub made_by: Option<PlayerId>,
    pub at: SqlTimestamp,
}

#[derive(Insertable)]
#[diesel(table_name = copy_notes)]
pub struct NewNote<'a> {
    pub id: NoteId,
    pub copy_id: CopyId,
    pub body: &'a str,
    pub created_by: PlayerId,
    pub created_at: SqlTimestamp,
}

/// Gives its number.
pub async fn insert_place(conn: &mut AsyncPgConnection, new: &NewPlace) -> QueryResult<i64> {
    let made = diesel::insert_into(copy_locations::table).values(new);
    made.returning(copy_locations::id).get_result(conn).await
}

/// The latest places of these copies, the latest first.
pub async fn list_places(
    conn: &mut AsyncPgConnection,
    of: &[CopyId],
    before: Option<i64>,
    limit: i64,
) -> QueryResult<Vec<PlaceRow>> {
    let mut query = copy_locations::table
        .left_join(players::table)
        .left_join(tables::table)
        .filter(copy_locations::copy_id.eq_any(of))
        .order(copy_locations::id.desc())
        .limit(limit)
        .select((
            copy_locations::id,
            copy_locations::copy_id,
            copy_locations::transfer,
            copy_locations::state,
            copy_locations::table_id,
            tables::name.nullable(),
            players::display_name.nullable(),
            copy_locations::at,
        ))
        .into_boxed();
    if let Some(before) = before {
        query = query.filter(copy_locations::id.lt(before));
    }
    query.load(conn).await
}

/// Those of these copies that went along to this table since then.
pub async fn list_carried(
    conn: &mut AsyncPgConnection,
    of: &[CopyId],
    to: TableId,
    since: Timestamp,
) -> QueryResult<Vec<CopyId>> {
    copy_locations::table
        .filter(copy_locations::copy_id.eq_any(of))
        .filter(copy_locations::table_id.eq(to))
        .filter(copy_locations::transfer.eq(Transfer::Carry))
        .filter(copy_locations::at.ge(SqlTimestamp::from(since)))
        .select(copy_locations::copy_id)
        .load(conn)
        .await
}

pub async fn insert_note(conn: &mut AsyncPgConnection, new: &NewNote<'_>) -> QueryResult<usize> {
    diesel::insert_into(copy_notes::table).values(new).execute(conn).await
}

/// Settled, or open again. Gives the copy, or none if there is no such note.
pub async fn settle_note(
    conn: &mut AsyncPgConnection,
    id: NoteId,
    settled: Option<(PlayerId, Timestamp)>,
) -> QueryResult<Option<CopyId>> {
    let (by, at) = settled.map_or((None, None), |(by, at)| (Some(by), Some(SqlTimestamp::from(at))));
    diesel::update(copy_notes::table.find(id))
        .set((copy_notes::settled_by.eq(by), copy_notes::settled_at.eq(at)))
        .returning(copy_notes::copy_id)
        .get_result(conn)
        .await
        .optional()
}

/// Of these copies, the open ones first and the latest of each first.
pub async fn list_notes(conn: &mut AsyncPgConnection, of: &[CopyId], limit: i64) -> QueryResult<Vec<NoteRow>> {
    copy_notes::table
        .inner_join(players::table.on(players::id.eq(copy_notes::created_by)))
        .filter(copy_notes::copy_id.eq_any(of))
        .order((copy_notes::settled_at.is_not_null(), copy_notes::id.desc()))
        .limit(limit)
        .select((
            copy_notes::id,
            copy_notes::copy_id,
            copy_notes::body,
            players::display_name,
            copy_notes::created_at,
            copy_notes::settled_at,
        ))
        .load(conn)
        .await
}

impl PlaceRow {
    pub fn errand_key(&self) -> &'static str {
        self.transfer.map_or("errand-none", Transfer::key)
    }
}
