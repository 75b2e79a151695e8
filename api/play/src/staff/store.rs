//! Rows and queries of people who work here and of links for them.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use uuid::Uuid;

use crate::players::PlayerRow;
use base::auth::Role;
use base::db::fixed;
use base::ids::PlayerId;
use base::schema::{players, second_factors, staff_links};

/// Nobody has more people behind the counter.
const MOST: i64 = 500;

/// A member of staff, and since when a second factor is asked of them.
pub type StaffRow = (PlayerRow, Option<SqlTimestamp>);

#[derive(Insertable)]
#[diesel(table_name = staff_links)]
pub struct NewLink<'a> {
    pub token_hash: &'a [u8],
    pub id: Uuid,
    pub email: Option<&'a str>,
    pub role: Option<Role>,
    pub player_id: Option<PlayerId>,
    pub created_by: PlayerId,
    pub created_at: SqlTimestamp,
    pub expires_at: SqlTimestamp,
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = staff_links, check_for_backend(diesel::pg::Pg))]
pub struct LinkRow {
    pub id: Uuid,
    pub email: Option<String>,
    pub role: Option<Role>,
    pub player_id: Option<PlayerId>,
    pub created_by: PlayerId,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub expires_at: Timestamp,
}

/// The highest role first.
pub async fn list(conn: &mut AsyncPgConnection) -> QueryResult<Vec<StaffRow>> {
    let order = fixed::<diesel::sql_types::Integer>("array_position(ARRAY['owner','manager','staff'], players.role)");
    players::table
        .left_join(second_factors::table)
        .filter(players::role.ne(Role::Player))
        .order((order, players::display_name, players::id))
        .limit(MOST)
        .select((PlayerRow::as_select(), second_factors::confirmed_at.nullable()))
        .load(conn)
        .await
}

pub async fn find(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<Option<StaffRow>> {
    players::table
        .left_join(second_factors::table)
        .filter(players::id.eq(id))
        .filter(players::role.ne(Role::Player))
        .select((PlayerRow::as_select(), second_factors::confirmed_at.nullable()))
        .first(conn)
        .await
        .optional()
}

pub async fn set_role(conn: &mut AsyncPgConnection, id: PlayerId, role: Role) -> QueryResult<usize> {
    diesel::update(players::table.find(id)).set(players::role.eq(role)).execute(conn).await
}

pub async fn set_password(conn: &mut AsyncPgConnection, id: PlayerId, hash: &str) -> QueryResult<bool> {
    let staff = players::table.find(id).filter(players::role.ne(Role::Player));
    Ok(diesel::update(staff).set(players::password_hash.eq(hash)).execute(conn).await? > 0)
}

/// Puts it in place of whatever was still open for the same person.
pub async fn insert_link(conn: &mut AsyncPgConnection, link: &NewLink<'_>) -> QueryResult<usize> {
    let open = staff_links::table.filter(staff_links::used_at.is_null());
    match (link.email, link.player_id) {
        (Some(email), _) => diesel::delete(open.filter(staff_links::email.eq(email))).execute(conn).await?,
        (None, id) => diesel::delete(open.filter(staff_links::player_id.eq(id))).execute(conn).await?,
    };
    diesel::insert_into(staff_links::table).values(link).execute(conn).await
}

pub async fn find_link(conn: &mut AsyncPgConnection, hash: &[u8], now: Timestamp) -> QueryResult<Option<LinkRow>> {
    staff_links::table
        .find(hash)
        .filter(staff_links::used_at.is_null())
        .filter(staff_links::expires_at.gt(SqlTimestamp::from(now)))
        .select(LinkRow::as_select())
        .first(conn)
        .await
        .optional()
}

/// The link that was good until now, if it was.
pub async fn use_link(conn: &mut AsyncPgConnection, hash: &[u8], now: Timestamp) -> QueryResult<Option<LinkRow>> {
    let good = staff_links::table
        .find(hash)
        .filter(staff_links::used_at.is_null())
        .filter(staff_links::expires_at.gt(SqlTimestamp::from(now)));
    diesel::update(good)
        .set(staff_links::used_at.eq(SqlTimestamp::from(now)))
        .returning(LinkRow::as_returning())
        .get_result(conn)
        .await
        .optional()
}

/// Invitations that were not accepted yet.
pub async fn list_invitations(conn: &mut AsyncPgConnection, now: Timestamp) -> QueryResult<Vec<LinkRow>> {
    staff_links::table
        .filter(staff_links::player_id.is_null())
        .filter(staff_links::used_at.is_null())
        .filter(staff_links::expires_at.gt(SqlTimestamp::from(now)))
        .order((staff_links::created_at.desc(), staff_links::id))
        .limit(MOST)
        .select(LinkRow::as_select())
        .load(conn)
        .await
}

/// The invitation that was open until now, if it was.
pub async fn delete_invitation(conn: &mut AsyncPgConnection, id: Uuid) -> QueryResult<Option<LinkRow>> {
    let open = staff_links::table
        .filter(staff_links::id.eq(id))
        .filter(staff_links::player_id.is_null())
        .filter(staff_links::used_at.is_null());
    diesel::delete(open).returning(LinkRow::as_returning()).get_result(conn).await.optional()
}

/// All that nobody has used: how many there were.
pub async fn delete_open_links(conn: &mut AsyncPgConnection) -> QueryResult<usize> {
    diesel::delete(staff_links::table.filter(staff_links::used_at.is_null())).execute(conn).await
}

/// Those that were over before then.
pub async fn delete_over(conn: &mut AsyncPgConnection, before: Timestamp) -> QueryResult<usize> {
    let over = staff_links::table.filter(staff_links::expires_at.lt(SqlTimestamp::from(before)));
    diesel::delete(over).execute(conn).await
}

/// Links to a new password for this person, and all open links that they made.
pub async fn delete_links_of(conn: &mut AsyncPgConnection, id: PlayerId) -> QueryResult<usize> {
    let made = staff_links::created_by.eq(id).and(staff_links::used_at.is_null());
    diesel::delete(staff_links::table.filter(staff_links::player_id.is_not_distinct_from(id).or(made)))
        .execute(conn)
        .await
}
