//! Rows and queries of keys.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::Bool;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use super::{KeyId, KeyRole};
use base::auth::Role;
use base::auth::store::role_at_work;
use base::db::fixed;
use base::ids::PlayerId;
use base::schema::{api_keys, players};

/// A key that was not revoked.
#[derive(Clone, Debug, Queryable)]
pub struct KeyRow {
    pub id: KeyId,
    /// That of its account.
    pub name: String,
    pub prefix: String,
    pub role: KeyRole,
    pub sandbox: bool,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub expires_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub used_at: Option<Timestamp>,
}

/// What has to be known of a key that somebody sends.
#[derive(Queryable)]
pub struct ActingKey {
    pub id: KeyId,
    pub hash: Vec<u8>,
    pub sandbox: bool,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub expires_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub used_at: Option<Timestamp>,
    /// What is left of its role while its maker works here.
    pub role: Role,
    /// Neither revoked nor banned.
    pub is_standing: bool,
}

#[derive(Insertable)]
#[diesel(table_name = api_keys)]
pub struct NewKey<'a> {
    pub id: KeyId,
    pub prefix: &'a str,
    pub hash: &'a [u8],
    pub role: KeyRole,
    pub sandbox: bool,
    pub created_by: PlayerId,
    pub created_at: SqlTimestamp,
    pub expires_at: Option<SqlTimestamp>,
}

impl KeyRow {
    pub fn is_expired(&self, now: &Timestamp) -> bool {
        self.expires_at.is_some_and(|expires| expires <= *now)
    }
}

/// The latest first.
pub async fn list(conn: &mut AsyncPgConnection) -> QueryResult<Vec<KeyRow>> {
    api_keys::table
        .inner_join(players::table.on(players::id.eq(api_keys::id)))
        .filter(api_keys::revoked_at.is_null())
        .order(api_keys::id.desc())
        .select((
            api_keys::id,
            players::display_name,
            api_keys::prefix,
            api_keys::role,
            api_keys::sandbox,
            api_keys::created_at,
            api_keys::expires_at,
            api_keys::used_at,
        ))
        .load(conn)
        .await
}

pub async fn find(conn: &mut AsyncPgConnection, id: KeyId) -> QueryResult<Option<KeyRow>> {
    Ok(list(conn).await?.into_iter().find(|row| row.id == id))
}

pub async fn count(conn: &mut AsyncPgConnection) -> QueryResult<i64> {
    api_keys::table.filter(api_keys::revoked_at.is_null()).count().get_result(conn).await
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &NewKey<'_>) -> QueryResult<usize> {
    diesel::insert_into(api_keys::table).values(new).execute(conn).await
}

/// Whether there was one to revoke.
pub async fn revoke(conn: &mut AsyncPgConnection, id: KeyId, now: Timestamp) -> QueryResult<bool> {
    let good = api_keys::table.find(id).filter(api_keys::revoked_at.is_null());
    Ok(diesel::update(good).set(api_keys::revoked_at.eq(SqlTimestamp::from(now))).execute(conn).await? > 0)
}

/// The key that begins so.
pub async fn find_acting(conn: &mut AsyncPgConnection, prefix: &str) -> QueryResult<Option<ActingKey>> {
    const IS_STANDING: &str = "api_keys.revoked_at IS NULL
        AND (players.banned_at IS NULL OR players.banned_until <= now())
        AND EXISTS (SELECT FROM sessions WHERE sessions.id = api_keys.id AND sessions.revoked_at IS NULL)";
    api_keys::table
        .inner_join(players::table.on(players::id.eq(api_keys::id)))
        .filter(api_keys::prefix.eq(prefix))
        .select((
            api_keys::id,
            api_keys::hash,
            api_keys::sandbox,
            api_keys::expires_at,
            api_keys::used_at,
            role_at_work(),
            fixed::<Bool>(IS_STANDING),
        ))
        .first(conn)
        .await
        .optional()
}

pub async fn set_used(conn: &mut AsyncPgConnection, id: KeyId, now: Timestamp) -> QueryResult<usize> {
    diesel::update(api_keys::table.find(id)).set(api_keys::used_at.eq(SqlTimestamp::from(now))).execute(conn).await
}
