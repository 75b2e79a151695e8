//! Which `Idempotency-Key`s were used of late, and the sealed answers to them. The middleware is `web_base::idempotency`.

use diesel::prelude::*;
use diesel::query_dsl::methods;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use crate::auth::Digest;
use crate::schema::idempotency_keys as keys;

#[derive(Queryable, Selectable)]
#[diesel(table_name = keys)]
pub struct KeyRow {
    pub request_hash: Vec<u8>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub claimed_at: Timestamp,
    pub response: Option<Vec<u8>>,
}

/// Takes the key, if it is free or was taken before `expired`. Says whether it did.
pub async fn claim(
    conn: &mut AsyncPgConnection,
    id: &Digest,
    request: &Digest,
    now: Timestamp,
    expired: Timestamp,
) -> QueryResult<bool> {
    let claim = (
        keys::request_hash.eq(request.as_slice()),
        keys::claimed_at.eq(SqlTimestamp::from(now)),
        keys::response.eq(None::<Vec<u8>>),
    );
    let new = (keys::id.eq(id.as_slice()), claim.clone());
    let claimed = diesel::insert_into(keys::table).values(new).on_conflict(keys::id).do_update().set(claim);
    let claimed = methods::FilterDsl::filter(claimed, keys::claimed_at.lt(SqlTimestamp::from(expired)));
    Ok(claimed.execute(conn).await? > 0)
}

pub async fn find(conn: &mut AsyncPgConnection, id: &Digest) -> QueryResult<Option<KeyRow>> {
    keys::table.find(id.as_slice()).select(KeyRow::as_select()).first(conn).await.optional()
}

/// Keeps the answer with the claim that was made at this time.
pub async fn keep(
    conn: &mut AsyncPgConnection,
    id: &Digest,
    claimed_at: Timestamp,
    answer: &[u8],
) -> QueryResult<usize> {
    let claim = keys::table.find(id.as_slice()).filter(keys::claimed_at.eq(SqlTimestamp::from(claimed_at)));
    diesel::update(claim).set(keys::response.eq(answer)).execute(conn).await
}

/// Gives the claim that was made at this time back.
pub async fn release(conn: &mut AsyncPgConnection, id: &Digest, claimed_at: Timestamp) -> QueryResult<usize> {
    let claim = keys::table.find(id.as_slice()).filter(keys::claimed_at.eq(SqlTimestamp::from(claimed_at)));
    diesel::delete(claim).execute(conn).await
}

/// Deletes at most this many of those claimed before `expired`.
pub async fn delete_expired(conn: &mut AsyncPgConnection, expired: Timestamp, most: i64) -> QueryResult<usize> {
    let old = keys::table.filter(keys::claimed_at.lt(SqlTimestamp::from(expired)));
    let some = old.order(keys::claimed_at).limit(most).select(keys::id).for_update().skip_locked();
    let some: Vec<Vec<u8>> = some.load(conn).await?;
    diesel::delete(keys::table.filter(keys::id.eq_any(some))).execute(conn).await
}
