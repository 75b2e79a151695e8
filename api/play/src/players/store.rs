//! Rows and queries of players and of set-up tokens.

use diesel::dsl::{exists, sql};
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error, QueryResult};
use diesel::sql_types::{Bool, Text};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::Timestamp as SqlTimestamp;

use super::{Ban, SOMEONE};
use base::auth::Role;
use base::auth::store::is_not_banned;
use base::db::{fixed, kept};
use base::ids::PlayerId;
use base::schema::{players, setup_tokens};

#[derive(Clone, Debug, Queryable, Selectable, QueryableByName)]
#[diesel(table_name = players, check_for_backend(diesel::pg::Pg))]
pub struct PlayerRow {
    pub id: PlayerId,
    pub display_name: String,
    pub role: Role,
    pub email: Option<String>,
    pub password_hash: Option<String>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub banned_at: Option<Timestamp>,
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub deleted_at: Option<Timestamp>,
    /// None for a guest.
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub registered_at: Option<Timestamp>,
    /// The account that this guest was found to be.
    pub merged_into: Option<PlayerId>,
    #[diesel(deserialize_as = jiff_diesel::NullableTimestamp)]
    pub banned_until: Option<Timestamp>,
    pub ban_reason: Option<String>,
}

/// A ban, or none.
#[derive(Default, AsChangeset)]
#[diesel(table_name = players, treat_none_as_null = true)]
struct BanColumns<'a> {
    banned_at: Option<SqlTimestamp>,
    banned_until: Option<SqlTimestamp>,
    ban_reason: Option<&'a str>,
}

#[derive(Insertable)]
#[diesel(table_name = players)]
pub struct NewPlayer<'a> {
    pub id: PlayerId,
    pub display_name: &'a str,
    pub role: Role,
    pub email: Option<&'a str>,
    pub password_hash: Option<&'a str>,
    pub created_at: SqlTimestamp,
    /// None of a guest.
    pub registered_at: Option<SqlTimestamp>,
}

pub async fn insert(conn: &mut AsyncPgConnection, player: &NewPlayer<'_>) -> QueryResult<PlayerRow> {
    let new = diesel::insert_into(players::table).values(player).returning(PlayerRow::as_returning());
    kept(new).get_result(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<Option<PlayerRow>> {
    players::table.find(id).select(PlayerRow::as_select()).first(conn).await.optional()
}

/// Those whose name begins so, whatever the case of its letters: a few at most.
pub async fn list_named(conn: &mut AsyncPgConnection, beginning: &str, limit: i64) -> QueryResult<Vec<PlayerId>> {
    let literally = beginning.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let begins_so = sql::<Bool>("lower(display_name) LIKE ").bind::<Text, _>(format!("{literally}%"));
    let alive = players::table.filter(begins_so).filter(players::deleted_at.is_null());
    let alive = alive.filter(players::merged_into.is_null());
    alive.select(players::id).order(players::id.desc()).limit(limit).load(conn).await
}

pub async fn find_by_email(conn: &mut AsyncPgConnection, email: &str) -> QueryResult<Option<PlayerRow>> {
    let found = players::table.filter(players::email.eq(email)).select(PlayerRow::as_select());
    found.first(conn).await.optional()
}

pub async fn register_guest(
    conn: &mut AsyncPgConnection,
    id: PlayerId,
    email: &str,
    name: Option<&str>,
    password_hash: &str,
) -> QueryResult<Option<PlayerRow>> {
    let guest = players::table.find(id).filter(players::email.is_null()).filter(players::deleted_at.is_null());
    let guest = guest.filter(players::merged_into.is_null());
    diesel::update(guest)
        .set((
            players::email.eq(email),
            players::password_hash.eq(password_hash),
            name.map(|name| players::display_name.eq(name)),
        ))
        .returning(PlayerRow::as_returning())
        .get_result(conn)
        .await
        .optional()
}

/// A guest is registered by who they are elsewhere.
pub async fn register_elsewhere(conn: &mut AsyncPgConnection, id: PlayerId, now: Timestamp) -> QueryResult<PlayerRow> {
    let registered = players::registered_at.eq(Some(SqlTimestamp::from(now)));
    diesel::update(players::table.find(id)).set(registered).returning(PlayerRow::as_returning()).get_result(conn).await
}

/// Until the transaction ends nobody else changes the account. That of a key is nobody's to change.
pub async fn lock(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<Option<PlayerRow>> {
    let is_of_person = fixed::<Bool>("NOT EXISTS (SELECT FROM api_keys WHERE api_keys.id = players.id)");
    let standing = players::table.find(id).filter(players::deleted_at.is_null()).filter(is_of_person);
    standing.select(PlayerRow::as_select()).for_update().first(conn).await.optional()
}

/// Until the transaction ends nobody changes the account, but others may read it so as well.
pub async fn keep_as_is(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<Option<PlayerRow>> {
    players::table.find(id).select(PlayerRow::as_select()).for_share().first(conn).await.optional()
}

/// Until the transaction ends the account stays one, if it still is: it neither ends nor becomes another.
pub async fn keep(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<bool> {
    let standing = players::table.find(id).filter(players::deleted_at.is_null()).filter(players::merged_into.is_null());
    Ok(standing.select(players::id).for_key_share().first::<PlayerId>(conn).await.optional()?.is_some())
}

/// The same of an account that may take a seat: one that is not banned either.
pub async fn may_sit(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<bool> {
    let standing = players::table.find(id).filter(players::deleted_at.is_null()).filter(players::merged_into.is_null());
    let standing = standing.filter(is_not_banned());
    Ok(standing.select(players::id).for_key_share().first::<PlayerId>(conn).await.optional()?.is_some())
}

/// These accounts and all that became one of them.
pub async fn with_merged(conn: &mut AsyncPgConnection, ids: &[PlayerId]) -> QueryResult<Vec<PlayerId>> {
    let theirs = players::table.filter(players::id.eq_any(ids).or(players::merged_into.eq_any(ids).assume_not_null()));
    theirs.select(players::id).load(conn).await
}

/// In the transaction that counts or decides by what this account did: nobody else does so meanwhile. Rows that refer to the
/// account are inserted all the same.
pub async fn lock_activity(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<usize> {
    players::table.find(id).select(players::id).for_no_key_update().execute(conn).await
}

/// Whether the account may make a match: it may if it may take a seat. Locked as by [`lock_activity`], and so until the transaction
/// ends it neither ends, becomes another nor is banned.
pub async fn may_make(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<bool> {
    let standing = players::table.find(id).filter(players::deleted_at.is_null()).filter(players::merged_into.is_null());
    let standing = standing.filter(is_not_banned());
    Ok(standing.select(players::id).for_no_key_update().first::<PlayerId>(conn).await.optional()?.is_some())
}

/// All owners. Until the transaction ends nobody else becomes or ceases to be one.
pub async fn lock_owners(conn: &mut AsyncPgConnection) -> QueryResult<Vec<PlayerId>> {
    let owners = players::table.filter(players::role.eq(Role::Owner)).order(players::id);
    owners.select(players::id).for_update().load(conn).await
}

pub async fn rename(conn: &mut AsyncPgConnection, id: PlayerId, name: &str) -> QueryResult<Option<PlayerRow>> {
    let standing = players::table.find(id).filter(players::deleted_at.is_null());
    diesel::update(standing)
        .set(players::display_name.eq(name))
        .returning(PlayerRow::as_returning())
        .get_result(conn)
        .await
        .optional()
}

/// Puts another password in place of the one with this hash, if that is still the account's.
pub async fn change_password(
    conn: &mut AsyncPgConnection,
    id: PlayerId,
    current: &str,
    new: &str,
) -> QueryResult<bool> {
    let current = players::table.find(id).filter(players::password_hash.eq(current));
    Ok(diesel::update(current).set(players::password_hash.eq(new)).execute(conn).await? > 0)
}

/// Leaves of an account, and of the guests who became it, what the matches of others need: rows that are nobody's.
pub async fn delete(conn: &mut AsyncPgConnection, id: PlayerId, now: Timestamp) -> QueryResult<usize> {
    let theirs = players::table.filter(players::id.eq(id).or(players::merged_into.eq(id).assume_not_null()));
    diesel::update(theirs)
        .set((
            players::display_name.eq(SOMEONE),
            players::role.eq(Role::Player),
            players::email.eq(None::<&str>),
            players::password_hash.eq(None::<&str>),
            players::deleted_at.eq(SqlTimestamp::from(now)),
        ))
        .execute(conn)
        .await
}

/// One that still holds stays on record.
pub async fn forget_ban_if_over(conn: &mut AsyncPgConnection, id: PlayerId, now: Timestamp) -> QueryResult<usize> {
    let theirs = players::table.filter(players::id.eq(id).or(players::merged_into.eq(id).assume_not_null()));
    let over = players::banned_until.le(SqlTimestamp::from(now)).assume_not_null();
    diesel::update(theirs.filter(over)).set(BanColumns::default()).execute(conn).await
}

/// From now on the guest's id, and those that led to it, lead to the player.
pub async fn merge(conn: &mut AsyncPgConnection, guest: PlayerId, player: PlayerId) -> QueryResult<usize> {
    let theirs = players::table.filter(players::id.eq(guest).or(players::merged_into.eq(guest).assume_not_null()));
    diesel::update(theirs).set(players::merged_into.eq(player)).execute(conn).await
}

/// Whether this is a guest to whom nothing refers any more, and who was deleted.
pub async fn delete_guest(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<bool> {
    let guest = players::table
        .find(id)
        .filter(players::registered_at.is_null())
        .filter(players::deleted_at.is_null())
        .filter(players::merged_into.is_null());
    // Within a savepoint, so that a reference undoes nothing else.
    let deleted =
        conn.transaction(async |conn| -> QueryResult<usize> { diesel::delete(guest).execute(conn).await }).await;
    match deleted {
        Err(Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _)) => Ok(false),
        deleted => Ok(deleted? > 0),
    }
}

pub async fn ban(conn: &mut AsyncPgConnection, id: PlayerId, ban: &Ban, now: Timestamp) -> QueryResult<usize> {
    let columns = BanColumns {
        banned_at: Some(now.into()),
        banned_until: ban.until.map(SqlTimestamp::from),
        ban_reason: Some(&ban.reason),
    };
    diesel::update(players::table.find(id)).set(columns).execute(conn).await
}

pub async fn lift_ban(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<usize> {
    diesel::update(players::table.find(id)).set(BanColumns::default()).execute(conn).await
}

pub async fn has_role(conn: &mut AsyncPgConnection, role: Role) -> QueryResult<bool> {
    diesel::select(exists(players::table.filter(players::role.eq(role)))).get_result(conn).await
}

pub async fn insert_setup_token(conn: &mut AsyncPgConnection, hash: &[u8], now: Timestamp) -> QueryResult<usize> {
    let token = (
        setup_tokens::token_hash.eq(hash),
        setup_tokens::created_at.eq(SqlTimestamp::from(now)),
        setup_tokens::expires_at.eq(SqlTimestamp::from(now + SignedDuration::from_hours(24 * 7))),
    );
    diesel::insert_into(setup_tokens::table).values(token).execute(conn).await
}

pub async fn is_setup_token(conn: &mut AsyncPgConnection, hash: &[u8], now: Timestamp) -> QueryResult<bool> {
    let good = setup_tokens::table
        .find(hash)
        .filter(setup_tokens::used_at.is_null())
        .filter(setup_tokens::expires_at.gt(SqlTimestamp::from(now)));
    diesel::select(exists(good)).get_result(conn).await
}

pub async fn use_setup_token(conn: &mut AsyncPgConnection, hash: &[u8], now: Timestamp) -> QueryResult<bool> {
    // All at once: two different links must not make two first owners.
    let used = diesel::update(setup_tokens::table.filter(setup_tokens::used_at.is_null()))
        .set(setup_tokens::used_at.eq(SqlTimestamp::from(now)))
        .returning(setup_tokens::token_hash)
        .get_results::<Vec<u8>>(conn)
        .await?;
    Ok(used.iter().any(|used| used == hash))
}

impl PlayerRow {
    pub fn tag(&self) -> String {
        crate::players::tag(self.id)
    }

    /// Of what kind of account it is, in the catalogues.
    pub fn kind_key(&self) -> &'static str {
        match (self.role, self.registered_at) {
            (Role::Player, None) => "role-guest",
            (role, _) => role.key(),
        }
    }

    pub fn is_banned_at(&self, now: &Timestamp) -> bool {
        self.is_banned(*now)
    }
}
