//! What the proof of identity reads and writes: sessions, and the accounts that they belong to.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use super::{Identity, Role};
use crate::db::{Fixed, fixed};
use crate::ids::{PlayerId, SessionId};
use crate::schema::{cafe, players, second_factors, sessions};

/// The account of a session that is open.
#[derive(Queryable)]
pub struct Member {
    pub role: Role,
    pub name: String,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub seen_at: Timestamp,
    pub has_factor: bool,
    /// Whether the café requires a second factor; none where it has no settings.
    pub factor_required: Option<bool>,
}

/// None if the session was ended or the account is gone or banned.
pub async fn find_member(conn: &mut AsyncPgConnection, identity: Identity) -> QueryResult<Option<Member>> {
    sessions::table
        .inner_join(players::table)
        .filter(sessions::id.eq(identity.session))
        .filter(sessions::player_id.eq(identity.id))
        .filter(sessions::revoked_at.is_null())
        .filter(players::deleted_at.is_null())
        .filter(is_not_banned())
        .select((
            role_at_work(),
            players::display_name,
            sessions::seen_at,
            fixed::<Bool>("has_factor_at_work(players.id)"),
            cafe::table.select(cafe::second_factor_required).single_value(),
        ))
        .first(conn)
        .await
        .optional()
}

/// Whether a second factor is asked for when they sign in.
pub async fn has_second_factor(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<bool> {
    let confirmed = second_factors::table.find(player).filter(second_factors::confirmed_at.is_not_null());
    diesel::select(diesel::dsl::exists(confirmed)).get_result(conn).await
}

/// The sessions that were ended so lately that an access token of theirs may still be good.
pub async fn list_ended(conn: &mut AsyncPgConnection, since: Timestamp) -> QueryResult<Vec<SessionId>> {
    let ended = sessions::table.filter(sessions::revoked_at.gt(SqlTimestamp::from(since)));
    ended.select(sessions::id).load(conn).await
}

pub async fn set_seen(conn: &mut AsyncPgConnection, id: SessionId, now: Timestamp) -> QueryResult<usize> {
    diesel::update(sessions::table.find(id)).set(sessions::seen_at.eq(SqlTimestamp::from(now))).execute(conn).await
}

/// Of the player of a session: their own, or what is left to a key of it.
pub fn role_at_work() -> Fixed<Text> {
    fixed::<Text>("role_at_work(players.id, players.role)")
}

/// Of the player of a session.
pub fn is_not_banned() -> Fixed<Bool> {
    fixed::<Bool>("(players.banned_at IS NULL OR players.banned_until <= now())")
}
