//! Rows and queries of the waiting list.

use diesel::dsl::count_star;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use super::{WaitingState, WaitingStatus};
use base::db::{Fingerprint, statement};
use base::ids::{SittingId, WaitingId};
use base::schema::{cafe, waiting_parties};

/// Who writes a party down does so alone, so that the list keeps its bound. The number spells "wait".
const LOCK: i64 = 0x7761_6974;

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = waiting_parties, check_for_backend(Pg))]
pub struct WaitingRow {
    pub id: WaitingId,
    pub token: String,
    /// None once it was removed, a while after the end.
    pub name: Option<String>,
    pub phone: Option<String>,
    pub party_size: i16,
    pub status: WaitingStatus,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub joined_at: Timestamp,
    pub by_guest: bool,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub called_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub ended_at: Option<Timestamp>,
    pub sitting_id: Option<SittingId>,
}

#[derive(Insertable)]
#[diesel(table_name = waiting_parties)]
pub struct NewParty<'a> {
    pub id: WaitingId,
    pub token: &'a str,
    pub name: &'a str,
    pub phone: Option<&'a str>,
    pub party_size: i16,
    pub joined_at: SqlTimestamp,
    pub by_guest: bool,
}

/// The code at the door, and whether guests may use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Door {
    pub is_open: bool,
    pub code: Option<String>,
}

impl WaitingRow {
    pub fn state(&self) -> WaitingState {
        let Self { status, called_at, ended_at, sitting_id, .. } = *self;
        WaitingState { status, called_at, ended_at, sitting_id }
    }
}

/// Until the transaction ends nobody else writes a party down.
pub async fn lock_list(conn: &mut AsyncPgConnection) -> QueryResult<usize> {
    diesel::sql_query(format!("SELECT pg_advisory_xact_lock({LOCK})")).execute(conn).await
}

pub async fn count_open(conn: &mut AsyncPgConnection) -> QueryResult<i64> {
    waiting_parties::table.filter(waiting_parties::ended_at.is_null()).select(count_star()).first(conn).await
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &NewParty<'_>) -> QueryResult<WaitingRow> {
    diesel::insert_into(waiting_parties::table).values(new).returning(WaitingRow::as_returning()).get_result(conn).await
}

/// All that wait, the longest first. The list has a bound of its own.
pub async fn list_open(conn: &mut AsyncPgConnection) -> QueryResult<Vec<WaitingRow>> {
    let open = waiting_parties::table.filter(waiting_parties::ended_at.is_null());
    open.select(WaitingRow::as_select()).order(waiting_parties::id).load(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: WaitingId) -> QueryResult<Option<WaitingRow>> {
    waiting_parties::table.find(id).select(WaitingRow::as_select()).first(conn).await.optional()
}

pub async fn find_by_token(conn: &mut AsyncPgConnection, token: &str) -> QueryResult<Option<WaitingRow>> {
    let of_token = waiting_parties::table.filter(waiting_parties::token.eq(token));
    of_token.select(WaitingRow::as_select()).first(conn).await.optional()
}

pub async fn lock(conn: &mut AsyncPgConnection, id: WaitingId) -> QueryResult<Option<WaitingRow>> {
    waiting_parties::table.find(id).select(WaitingRow::as_select()).for_update().first(conn).await.optional()
}

pub async fn lock_by_token(conn: &mut AsyncPgConnection, token: &str) -> QueryResult<Option<WaitingRow>> {
    let of_token = waiting_parties::table.filter(waiting_parties::token.eq(token));
    of_token.select(WaitingRow::as_select()).for_update().first(conn).await.optional()
}

/// Of a party that is locked.
pub async fn write(conn: &mut AsyncPgConnection, id: WaitingId, now: &WaitingState) -> QueryResult<WaitingRow> {
    diesel::update(waiting_parties::table.find(id))
        .set((
            waiting_parties::status.eq(now.status),
            waiting_parties::called_at.eq(now.called_at.map(SqlTimestamp::from)),
            waiting_parties::ended_at.eq(now.ended_at.map(SqlTimestamp::from)),
            waiting_parties::sitting_id.eq(now.sitting_id),
        ))
        .returning(WaitingRow::as_returning())
        .get_result(conn)
        .await
}

/// Takes those off the list that have been on it since before then.
pub async fn end_forgotten(conn: &mut AsyncPgConnection, since: Timestamp, now: Timestamp) -> QueryResult<usize> {
    let forgotten = waiting_parties::table
        .filter(waiting_parties::ended_at.is_null())
        .filter(waiting_parties::joined_at.lt(SqlTimestamp::from(since)));
    let over = (waiting_parties::status.eq(WaitingStatus::Gone), waiting_parties::ended_at.eq(SqlTimestamp::from(now)));
    diesel::update(forgotten).set(over).execute(conn).await
}

/// Removes name and phone number of those that were over before then.
pub async fn forget_people(conn: &mut AsyncPgConnection, before: Timestamp) -> QueryResult<usize> {
    let over = waiting_parties::table
        .filter(waiting_parties::ended_at.lt(SqlTimestamp::from(before)))
        .filter(waiting_parties::name.is_not_null());
    let nobody = (waiting_parties::name.eq(None::<&str>), waiting_parties::phone.eq(None::<&str>));
    diesel::update(over).set(nobody).execute(conn).await
}

pub async fn delete_over(conn: &mut AsyncPgConnection, before: Timestamp) -> QueryResult<usize> {
    let over = waiting_parties::table.filter(waiting_parties::ended_at.lt(SqlTimestamp::from(before)));
    diesel::delete(over).execute(conn).await
}

pub async fn find_door(conn: &mut AsyncPgConnection) -> QueryResult<Door> {
    let door = cafe::table.select((cafe::waiting_door, cafe::waiting_code));
    let (is_open, code): (bool, Option<String>) = door.first(conn).await?;
    Ok(Door { is_open, code })
}

pub async fn set_code(conn: &mut AsyncPgConnection, code: &str) -> QueryResult<usize> {
    diesel::update(cafe::table).set(cafe::waiting_code.eq(code)).execute(conn).await
}

/// A text that is another as soon as somebody joins or leaves the list or is called, or a party comes, goes or clears its table; and
/// as soon as the party of this token, if one is meant, is seated or taken off.
pub async fn find_fingerprint(conn: &mut AsyncPgConnection, token: &str) -> QueryResult<String> {
    const FINGERPRINT: &str = "SELECT concat_ws(' ',
            (SELECT waiting_door::text || waiting_code FROM cafe),
            (SELECT status FROM waiting_parties WHERE token = $1),
            (SELECT string_agg(concat(id, status), ',' ORDER BY id) FROM waiting_parties WHERE ended_at IS NULL),
            (SELECT string_agg(concat(id, table_id, closing_at), ',' ORDER BY id) FROM sittings WHERE closed_at IS NULL)
        ) AS fingerprint";
    let found = statement(FINGERPRINT).bind::<Text, _>(token).get_result::<Fingerprint>(conn).await?;
    Ok(found.fingerprint)
}
