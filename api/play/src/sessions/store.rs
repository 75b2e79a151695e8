//! Rows and queries of sessions.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use super::RefreshHashes;
use crate::players::PlayerRow;
use base::auth::Role;
use base::auth::store::{is_not_banned, role_at_work};
use base::db::kept;
use base::ids::{PlayerId, SessionId};
use base::schema::{players, sessions};

#[derive(Insertable)]
#[diesel(table_name = sessions)]
pub struct NewSession<'a> {
    pub id: SessionId,
    pub player_id: PlayerId,
    pub refresh_hash: &'a [u8],
    pub family_hash: &'a [u8],
    pub user_agent: Option<&'a str>,
    pub device_name: Option<&'a str>,
    pub created_at: SqlTimestamp,
    pub seen_at: SqlTimestamp,
    pub expires_at: SqlTimestamp,
}

/// A session as its player may see it.
#[derive(Queryable, Selectable)]
#[diesel(table_name = sessions, check_for_backend(diesel::pg::Pg))]
pub struct SessionRow {
    pub id: SessionId,
    pub user_agent: Option<String>,
    pub device_name: Option<String>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub seen_at: Timestamp,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub expires_at: Timestamp,
}

pub async fn insert(conn: &mut AsyncPgConnection, session: &NewSession<'_>) -> QueryResult<usize> {
    kept(diesel::insert_into(sessions::table).values(session)).execute(conn).await
}

/// Puts the next hash in place of this one, if this one is still the good one, or was until `lost_since`: the answer may have
/// been lost on its way. Gives the session's player, and when they signed in.
pub async fn rotate(
    conn: &mut AsyncPgConnection,
    id: SessionId,
    (used, next): (&RefreshHashes, &RefreshHashes),
    (now, lost_since): (Timestamp, Timestamp),
    expires_at: Timestamp,
) -> QueryResult<Option<(PlayerId, Timestamp)>> {
    // It expires as long after it was exchanged as the next one does; seen it may have been at any time.
    let exchanged_since = lost_since + expires_at.duration_since(now);
    let lost = sessions::previous_hash
        .eq(used.secret.as_slice())
        .and(sessions::expires_at.gt(SqlTimestamp::from(exchanged_since)));
    let good = sessions::table
        .find(id)
        .filter(sessions::refresh_hash.eq(used.secret.as_slice()).or(lost.assume_not_null()))
        .filter(sessions::revoked_at.is_null())
        .filter(sessions::expires_at.gt(SqlTimestamp::from(now)));
    let changed = diesel::update(good)
        .set((
            sessions::refresh_hash.eq(next.secret.as_slice()),
            sessions::previous_hash.eq(used.secret.as_slice()),
            sessions::family_hash.eq(next.family.as_slice()),
            sessions::generation.eq(next.generation),
            sessions::seen_at.eq(SqlTimestamp::from(now)),
            sessions::expires_at.eq(SqlTimestamp::from(expires_at)),
        ))
        .returning((sessions::player_id, sessions::created_at));
    let rotated = kept(changed).get_result::<(PlayerId, SqlTimestamp)>(conn).await.optional()?;
    Ok(rotated.map(|(player, signed_in_at)| (player, signed_in_at.to_jiff())))
}

/// Gives the player's open session another refresh token, of a device that may have a name now. Whether there is such a session.
pub async fn renew(conn: &mut AsyncPgConnection, renewed: &NewSession<'_>) -> QueryResult<bool> {
    let open = sessions::table
        .find(renewed.id)
        .filter(sessions::player_id.eq(renewed.player_id))
        .filter(sessions::revoked_at.is_null());
    let changes = (
        sessions::previous_hash.eq(sessions::refresh_hash.nullable()),
        sessions::refresh_hash.eq(renewed.refresh_hash),
        sessions::family_hash.eq(renewed.family_hash),
        sessions::generation.eq(0),
        sessions::user_agent.eq(renewed.user_agent),
        renewed.device_name.map(|name| sessions::device_name.eq(name)),
        sessions::seen_at.eq(renewed.seen_at),
        sessions::expires_at.eq(renewed.expires_at),
    );
    Ok(diesel::update(open).set(changes).execute(conn).await? > 0)
}

/// Whether this is the session's refresh token or one that was used before, and the session could be revoked.
pub async fn revoke_by_hash(
    conn: &mut AsyncPgConnection,
    id: SessionId,
    token: &RefreshHashes,
    now: Timestamp,
) -> QueryResult<bool> {
    let (secret, family) = (token.secret.as_slice(), token.family.as_slice());
    // One whose answer was lost is of the same generation as the valid one: nobody has used it.
    let used = sessions::family_hash.is_not_distinct_from(family).and(sessions::generation.gt(token.generation));
    // The family does not know those from before a guest registered.
    let theirs = sessions::refresh_hash.eq(secret).or(sessions::previous_hash.is_not_distinct_from(secret)).or(used);
    let open = sessions::table.find(id).filter(sessions::revoked_at.is_null()).filter(theirs);
    let revoked = diesel::update(open).set(sessions::revoked_at.eq(SqlTimestamp::from(now))).execute(conn).await?;
    Ok(revoked > 0)
}

/// Whether there was anything to revoke.
pub async fn revoke(conn: &mut AsyncPgConnection, id: SessionId, now: Timestamp) -> QueryResult<bool> {
    let open = sessions::table.find(id).filter(sessions::revoked_at.is_null());
    let revoked = diesel::update(open).set(sessions::revoked_at.eq(SqlTimestamp::from(now))).execute(conn).await?;
    Ok(revoked > 0)
}

/// All open sessions of this player but this one: how many there were.
pub async fn revoke_all(
    conn: &mut AsyncPgConnection,
    player_id: PlayerId,
    but: Option<SessionId>,
    now: Timestamp,
) -> QueryResult<usize> {
    let open = sessions::table.filter(sessions::player_id.eq(player_id)).filter(sessions::revoked_at.is_null());
    let open = open.filter(sessions::id.nullable().is_distinct_from(but));
    diesel::update(open).set(sessions::revoked_at.eq(SqlTimestamp::from(now))).execute(conn).await
}

/// All open sessions of people who work here: how many there were.
pub async fn revoke_all_of_staff(conn: &mut AsyncPgConnection, now: Timestamp) -> QueryResult<usize> {
    let staff = players::table.filter(players::role.ne(Role::Player)).select(players::id);
    let open = sessions::table.filter(sessions::player_id.eq_any(staff)).filter(sessions::revoked_at.is_null());
    diesel::update(open).set(sessions::revoked_at.eq(SqlTimestamp::from(now))).execute(conn).await
}

/// Whether there was such a session of this player to revoke.
pub async fn revoke_own(
    conn: &mut AsyncPgConnection,
    player_id: PlayerId,
    id: SessionId,
    now: Timestamp,
) -> QueryResult<bool> {
    let open =
        sessions::table.find(id).filter(sessions::player_id.eq(player_id)).filter(sessions::revoked_at.is_null());
    let revoked = diesel::update(open).set(sessions::revoked_at.eq(SqlTimestamp::from(now))).execute(conn).await?;
    Ok(revoked > 0)
}

/// What clients called themselves in any session of this player.
pub async fn forget_clients(conn: &mut AsyncPgConnection, player_id: PlayerId) -> QueryResult<usize> {
    let theirs = sessions::table.filter(sessions::player_id.eq(player_id));
    let nothing = (sessions::user_agent.eq(None::<&str>), sessions::device_name.eq(None::<&str>));
    diesel::update(theirs).set(nothing).execute(conn).await
}

/// This player's open sessions, the one seen last first.
pub async fn list_open(
    conn: &mut AsyncPgConnection,
    player_id: PlayerId,
    now: Timestamp,
) -> QueryResult<Vec<SessionRow>> {
    // Nobody signs in at more places and remembers which.
    const MOST: i64 = 100;
    sessions::table
        .filter(sessions::player_id.eq(player_id))
        .filter(sessions::revoked_at.is_null())
        .filter(sessions::expires_at.gt(SqlTimestamp::from(now)))
        .order((sessions::seen_at.desc(), sessions::id))
        .limit(MOST)
        .select(SessionRow::as_select())
        .load(conn)
        .await
}

/// Who of these is signed in anywhere.
pub async fn list_signed_in(
    conn: &mut AsyncPgConnection,
    players: &[PlayerId],
    now: Timestamp,
) -> QueryResult<Vec<PlayerId>> {
    sessions::table
        .filter(sessions::player_id.eq_any(players))
        .filter(sessions::revoked_at.is_null())
        .filter(sessions::expires_at.gt(SqlTimestamp::from(now)))
        .select(sessions::player_id)
        .distinct()
        .load(conn)
        .await
}

/// The open sessions of people who work here, the latest sign-in first, and whose they are.
pub async fn list_of_staff(
    conn: &mut AsyncPgConnection,
    before: Option<SessionId>,
    now: Timestamp,
    limit: i64,
) -> QueryResult<Vec<(SessionRow, PlayerRow)>> {
    let mut open = sessions::table
        .inner_join(players::table)
        .filter(players::role.ne(Role::Player))
        .filter(sessions::revoked_at.is_null())
        .filter(sessions::expires_at.gt(SqlTimestamp::from(now)))
        .order(sessions::id.desc())
        .limit(limit)
        .select((SessionRow::as_select(), PlayerRow::as_select()))
        .into_boxed();
    if let Some(before) = before {
        open = open.filter(sessions::id.lt(before));
    }
    open.load(conn).await
}

/// Whose open session this is.
pub async fn find_owner(conn: &mut AsyncPgConnection, id: SessionId, now: Timestamp) -> QueryResult<Option<PlayerId>> {
    sessions::table
        .find(id)
        .filter(sessions::revoked_at.is_null())
        .filter(sessions::expires_at.gt(SqlTimestamp::from(now)))
        .select(sessions::player_id)
        .first(conn)
        .await
        .optional()
}

/// The role of whose session this is and when it was last seen, if it stands and they are there and not banned.
pub async fn find_standing(
    conn: &mut AsyncPgConnection,
    id: SessionId,
    player_id: PlayerId,
) -> QueryResult<Option<(Role, SqlTimestamp)>> {
    sessions::table
        .inner_join(players::table)
        .filter(sessions::id.eq(id))
        .filter(sessions::player_id.eq(player_id))
        .filter(sessions::revoked_at.is_null())
        .filter(players::deleted_at.is_null())
        .filter(is_not_banned())
        .select((role_at_work(), sessions::seen_at))
        .first(conn)
        .await
        .optional()
}

/// Those that expired before now, or were ended before `ended`.
pub async fn delete_over(conn: &mut AsyncPgConnection, now: Timestamp, ended: Timestamp) -> QueryResult<usize> {
    let expired = sessions::expires_at.lt(SqlTimestamp::from(now));
    let revoked = sessions::revoked_at.lt(SqlTimestamp::from(ended)).assume_not_null();
    diesel::delete(sessions::table.filter(expired.or(revoked))).execute(conn).await
}
