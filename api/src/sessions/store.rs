//! Rows and queries of sessions.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use crate::ids::{PlayerId, SessionId};
use crate::players::PlayerRow;
use crate::schema::{players, sessions};

pub async fn insert(
    conn: &mut AsyncPgConnection,
    id: SessionId,
    player_id: PlayerId,
    refresh_hash: &[u8],
    now: Timestamp,
    expires_at: Timestamp,
) -> QueryResult<usize> {
    let session = (
        sessions::id.eq(id),
        sessions::player_id.eq(player_id),
        sessions::refresh_hash.eq(refresh_hash),
        sessions::created_at.eq(SqlTimestamp::from(now)),
        sessions::expires_at.eq(SqlTimestamp::from(expires_at)),
    );
    diesel::insert_into(sessions::table).values(session).execute(conn).await
}

/// Puts the next hash in place of this one, if this one is still the good one. Gives the session's player.
pub async fn rotate(
    conn: &mut AsyncPgConnection,
    id: SessionId,
    used: &[u8],
    next: &[u8],
    now: Timestamp,
    expires_at: Timestamp,
) -> QueryResult<Option<PlayerId>> {
    let good = sessions::table
        .find(id)
        .filter(sessions::refresh_hash.eq(used))
        .filter(sessions::revoked_at.is_null())
        .filter(sessions::expires_at.gt(SqlTimestamp::from(now)));
    diesel::update(good)
        .set((sessions::refresh_hash.eq(next), sessions::expires_at.eq(SqlTimestamp::from(expires_at))))
        .returning(sessions::player_id)
        .get_result(conn)
        .await
        .optional()
}

/// Whether there was anything to revoke.
pub async fn revoke(conn: &mut AsyncPgConnection, id: SessionId, now: Timestamp) -> QueryResult<bool> {
    let open = sessions::table.find(id).filter(sessions::revoked_at.is_null());
    let revoked = diesel::update(open).set(sessions::revoked_at.eq(SqlTimestamp::from(now))).execute(conn).await?;
    Ok(revoked > 0)
}

pub async fn find_player(
    conn: &mut AsyncPgConnection,
    id: SessionId,
    player_id: PlayerId,
) -> QueryResult<Option<PlayerRow>> {
    sessions::table
        .inner_join(players::table)
        .filter(sessions::id.eq(id))
        .filter(sessions::player_id.eq(player_id))
        .filter(sessions::revoked_at.is_null())
        .select(PlayerRow::as_select())
        .first(conn)
        .await
        .optional()
}

pub async fn delete_expired(conn: &mut AsyncPgConnection, now: Timestamp) -> QueryResult<usize> {
    let expired = sessions::table.filter(sessions::expires_at.lt(SqlTimestamp::from(now)));
    diesel::delete(expired).execute(conn).await
}
