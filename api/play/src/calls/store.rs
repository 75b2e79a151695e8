//! Rows and queries of calls.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use super::{CallReason, CallState, CallStatus};
use base::ids::{CallId, PlayerId, SittingId, TableId};
use base::schema::{calls, sittings};

/// Staff could not answer more calls at once.
const MOST_OPEN: i64 = 200;

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = calls, check_for_backend(Pg))]
pub struct CallRow {
    pub id: CallId,
    pub sitting_id: SittingId,
    pub table_id: TableId,
    pub reason: CallReason,
    pub note: Option<String>,
    pub status: CallStatus,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub called_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub heard_at: Option<Timestamp>,
    pub heard_by: Option<PlayerId>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub over_at: Option<Timestamp>,
}

impl CallRow {
    pub fn state(&self) -> CallState {
        CallState { status: self.status, heard_at: self.heard_at, heard_by: self.heard_by, over_at: self.over_at }
    }
}

#[derive(Insertable)]
#[diesel(table_name = calls)]
pub struct NewCall<'a> {
    pub id: CallId,
    pub sitting_id: SittingId,
    pub table_id: TableId,
    pub reason: CallReason,
    pub note: Option<&'a str>,
    pub status: CallStatus,
    pub called_by: PlayerId,
    pub called_at: SqlTimestamp,
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &NewCall<'_>) -> QueryResult<CallRow> {
    diesel::insert_into(calls::table).values(new).returning(CallRow::as_returning()).get_result(conn).await
}

pub async fn lock(conn: &mut AsyncPgConnection, id: CallId) -> QueryResult<Option<CallRow>> {
    calls::table.find(id).select(CallRow::as_select()).for_update().first(conn).await.optional()
}

/// Whose call it is.
pub async fn find_sitting(conn: &mut AsyncPgConnection, id: CallId) -> QueryResult<Option<SittingId>> {
    calls::table.find(id).select(calls::sitting_id).first(conn).await.optional()
}

/// The party's call for this that is not over.
pub async fn find_open(
    conn: &mut AsyncPgConnection,
    sitting: SittingId,
    reason: CallReason,
) -> QueryResult<Option<CallRow>> {
    let open = calls::table.filter(calls::sitting_id.eq(sitting)).filter(calls::over_at.is_null());
    open.filter(calls::reason.eq(reason)).select(CallRow::as_select()).first(conn).await.optional()
}

/// Locks the party whose call it is: where it sits, unless it has left.
pub async fn lock_party(conn: &mut AsyncPgConnection, id: CallId) -> QueryResult<Option<TableId>> {
    let whose = calls::table.filter(calls::id.eq(id)).select(calls::sitting_id);
    let here = sittings::table.filter(sittings::id.eq_any(whose)).filter(sittings::closed_at.is_null());
    here.select(sittings::table_id).for_update().first(conn).await.optional()
}

/// All that wait for somebody, the longest first.
pub async fn list_open(conn: &mut AsyncPgConnection) -> QueryResult<Vec<CallRow>> {
    let open = calls::table.filter(calls::over_at.is_null());
    open.select(CallRow::as_select()).order(calls::id).limit(MOST_OPEN).load(conn).await
}

/// Of this party, the latest first.
pub async fn list_of(conn: &mut AsyncPgConnection, sitting: SittingId, limit: i64) -> QueryResult<Vec<CallRow>> {
    let theirs = calls::table.filter(calls::sitting_id.eq(sitting));
    theirs.select(CallRow::as_select()).order(calls::id.desc()).limit(limit).load(conn).await
}

/// Those that this player made, the latest first.
pub async fn list_by(conn: &mut AsyncPgConnection, player: PlayerId, limit: i64) -> QueryResult<Vec<CallRow>> {
    let theirs = calls::table.filter(calls::called_by.eq(player));
    theirs.select(CallRow::as_select()).order(calls::id.desc()).limit(limit).load(conn).await
}

/// What this player wrote to staff.
pub async fn forget_notes(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<usize> {
    let theirs = calls::table.filter(calls::called_by.eq(player)).filter(calls::note.is_not_null());
    diesel::update(theirs).set(calls::note.eq(None::<&str>)).execute(conn).await
}

/// Of a call that is locked.
pub async fn write(conn: &mut AsyncPgConnection, id: CallId, now: &CallState) -> QueryResult<CallRow> {
    diesel::update(calls::table.find(id))
        .set((
            calls::status.eq(now.status),
            calls::heard_at.eq(now.heard_at.map(SqlTimestamp::from)),
            calls::heard_by.eq(now.heard_by),
            calls::over_at.eq(now.over_at.map(SqlTimestamp::from)),
        ))
        .returning(CallRow::as_returning())
        .get_result(conn)
        .await
}

/// The parties have left.
pub async fn settle_all(conn: &mut AsyncPgConnection, sittings: &[SittingId], at: Timestamp) -> QueryResult<usize> {
    let theirs = calls::table.filter(calls::sitting_id.eq_any(sittings)).filter(calls::over_at.is_null());
    let settled = (calls::status.eq(CallStatus::Settled), calls::over_at.eq(SqlTimestamp::from(at)));
    diesel::update(theirs).set(settled).execute(conn).await
}

/// The party has not left after all: what was settled with its end is not.
pub async fn unsettle_all(conn: &mut AsyncPgConnection, sitting: SittingId, at: Timestamp) -> QueryResult<usize> {
    let theirs = calls::table.filter(calls::sitting_id.eq(sitting)).filter(calls::over_at.eq(SqlTimestamp::from(at)));
    let open = diesel::dsl::case_when::<_, _, diesel::sql_types::Text>(calls::heard_at.is_null(), CallStatus::Open)
        .otherwise(CallStatus::Heard);
    let unsettled = (calls::status.eq(open), calls::over_at.eq(None::<SqlTimestamp>));
    diesel::update(theirs).set(unsettled).execute(conn).await
}

/// The party has moved.
pub async fn move_open(conn: &mut AsyncPgConnection, sitting: SittingId, table: TableId) -> QueryResult<usize> {
    let theirs = calls::table.filter(calls::sitting_id.eq(sitting)).filter(calls::over_at.is_null());
    diesel::update(theirs).set(calls::table_id.eq(table)).execute(conn).await
}

/// The party's open calls are the other's. What both call for becomes one call.
pub async fn hand_over(
    conn: &mut AsyncPgConnection,
    from: SittingId,
    into: SittingId,
    table: TableId,
    at: Timestamp,
) -> QueryResult<Vec<CallId>> {
    let asked = calls::table.filter(calls::sitting_id.eq(into)).filter(calls::over_at.is_null());
    let asked: Vec<CallReason> = asked.select(calls::reason).load(conn).await?;
    let theirs = calls::table
        .filter(calls::sitting_id.eq(from))
        .filter(calls::over_at.is_null())
        .filter(calls::reason.ne_all(asked));
    let moved = diesel::update(theirs)
        .set((calls::sitting_id.eq(into), calls::table_id.eq(table)))
        .returning(calls::id)
        .get_results(conn)
        .await?;
    settle_all(conn, &[from], at).await?;
    Ok(moved)
}

pub async fn hand_back(
    conn: &mut AsyncPgConnection,
    ids: &[CallId],
    sitting: SittingId,
    table: TableId,
) -> QueryResult<usize> {
    let these = calls::table.filter(calls::id.eq_any(ids));
    diesel::update(these).set((calls::sitting_id.eq(sitting), calls::table_id.eq(table))).execute(conn).await
}

/// What this player called for, the other did.
pub async fn merge_player(conn: &mut AsyncPgConnection, from: PlayerId, into: PlayerId) -> QueryResult<usize> {
    let theirs = calls::table.filter(calls::called_by.eq(from));
    diesel::update(theirs).set(calls::called_by.eq(into)).execute(conn).await
}
