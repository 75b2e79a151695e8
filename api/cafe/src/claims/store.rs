//! Rows and queries of claims.

use diesel::dsl::count_star;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use super::ClaimStatus;
use base::auth::Role;
use base::ids::{ClaimId, MatchId, PlayerId, SittingId};
use base::schema::{claims, match_sittings, players, sitting_members};

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = claims, check_for_backend(Pg))]
pub struct ClaimRow {
    pub id: ClaimId,
    pub sitting_id: SittingId,
    pub player_id: PlayerId,
    pub asked_by: Option<PlayerId>,
    pub phone_hash: Vec<u8>,
    pub user_agent: Option<String>,
    pub status: ClaimStatus,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub asked_at: Timestamp,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub expires_at: Timestamp,
    /// Of whom it is about.
    #[diesel(select_expression = players::display_name)]
    pub display_name: String,
}

/// What gave a guest another phone.
pub struct Taken {
    pub claim: ClaimRow,
    /// Their name.
    pub confirmed_by: String,
}

#[derive(Insertable)]
#[diesel(table_name = claims)]
pub struct NewClaim<'a> {
    pub id: ClaimId,
    pub sitting_id: SittingId,
    pub player_id: PlayerId,
    pub asked_by: Option<PlayerId>,
    pub phone_hash: &'a [u8],
    pub user_agent: Option<&'a str>,
    pub asked_at: SqlTimestamp,
    pub expires_at: SqlTimestamp,
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &NewClaim<'_>) -> QueryResult<usize> {
    diesel::insert_into(claims::table).values(new).execute(conn).await
}

#[diesel::dsl::auto_type]
fn with_names() -> _ {
    claims::table.inner_join(players::table.on(players::id.eq(claims::player_id)))
}

/// Until the transaction ends nobody else answers or takes it.
pub async fn lock(conn: &mut AsyncPgConnection, id: ClaimId) -> QueryResult<Option<ClaimRow>> {
    claims::table.find(id).select(claims::id).for_update().first::<ClaimId>(conn).await.optional()?;
    with_names().filter(claims::id.eq(id)).select(ClaimRow::as_select()).first(conn).await.optional()
}

pub async fn lock_of_phone(conn: &mut AsyncPgConnection, phone: &[u8]) -> QueryResult<Option<ClaimRow>> {
    let of_phone = claims::table.filter(claims::phone_hash.eq(phone)).select(claims::id).for_update();
    match of_phone.first::<ClaimId>(conn).await.optional()? {
        Some(id) => lock(conn, id).await,
        None => Ok(None),
    }
}

pub async fn find_of_phone(conn: &mut AsyncPgConnection, phone: &[u8]) -> QueryResult<Option<ClaimRow>> {
    let of_phone = with_names().filter(claims::phone_hash.eq(phone));
    of_phone.select(ClaimRow::as_select()).first(conn).await.optional()
}

/// Of which party it is asked.
pub async fn find_sitting(conn: &mut AsyncPgConnection, id: ClaimId) -> QueryResult<Option<SittingId>> {
    claims::table.find(id).select(claims::sitting_id).first(conn).await.optional()
}

/// Those of a party that wait for an answer, the oldest first.
pub async fn list_open(conn: &mut AsyncPgConnection, id: SittingId, now: Timestamp) -> QueryResult<Vec<ClaimRow>> {
    with_names()
        .filter(claims::sitting_id.eq(id))
        .filter(claims::status.eq(ClaimStatus::Open))
        .filter(claims::expires_at.gt(SqlTimestamp::from(now)))
        .order(claims::id)
        .select(ClaimRow::as_select())
        .load(conn)
        .await
}

/// Those of all parties that wait for an answer, the oldest first.
pub async fn list_waiting(conn: &mut AsyncPgConnection, now: Timestamp, limit: i64) -> QueryResult<Vec<ClaimRow>> {
    with_names()
        .filter(claims::status.eq(ClaimStatus::Open))
        .filter(claims::expires_at.gt(SqlTimestamp::from(now)))
        .order(claims::id)
        .limit(limit)
        .select(ClaimRow::as_select())
        .load(conn)
        .await
}

/// What phones asked about this player, and what this player's phone asked about others, the latest first.
pub async fn list_of(conn: &mut AsyncPgConnection, player: PlayerId, limit: i64) -> QueryResult<Vec<ClaimRow>> {
    with_names()
        .filter(claims::player_id.eq(player).or(claims::asked_by.assume_not_null().eq(player)))
        .order(claims::id.desc())
        .limit(limit)
        .select(ClaimRow::as_select())
        .load(conn)
        .await
}

/// The same of the party whose match it is, for a player who is of it.
pub async fn list_for(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: PlayerId,
    now: Timestamp,
) -> QueryResult<Vec<ClaimRow>> {
    let of_match = match_sittings::table.filter(match_sittings::match_id.eq(id)).select(match_sittings::sitting_id);
    let of_player = sitting_members::table.filter(sitting_members::player_id.eq(player));
    with_names()
        .filter(claims::sitting_id.eq_any(of_match))
        .filter(claims::sitting_id.eq_any(of_player.select(sitting_members::sitting_id)))
        .filter(claims::status.eq(ClaimStatus::Open))
        .filter(claims::expires_at.gt(SqlTimestamp::from(now)))
        .order(claims::id)
        .select(ClaimRow::as_select())
        .load(conn)
        .await
}

/// Who of a party has another phone since then, and who confirmed it.
pub async fn list_taken(conn: &mut AsyncPgConnection, id: SittingId, since: Timestamp) -> QueryResult<Vec<Taken>> {
    let answerers = diesel::alias!(players as answerers);
    let taken: Vec<(ClaimRow, String)> = with_names()
        .inner_join(answerers.on(claims::answered_by.eq(answerers.field(players::id).nullable())))
        .filter(claims::sitting_id.eq(id))
        .filter(claims::status.eq(ClaimStatus::Taken))
        .filter(claims::answered_at.gt(SqlTimestamp::from(since)))
        .order(claims::id)
        .select((ClaimRow::as_select(), answerers.field(players::display_name)))
        .load(conn)
        .await?;
    Ok(taken.into_iter().map(|(claim, confirmed_by)| Taken { claim, confirmed_by }).collect())
}

/// The guests of this party, in the order in which they came.
pub async fn list_guests(conn: &mut AsyncPgConnection, id: SittingId) -> QueryResult<Vec<(PlayerId, String)>> {
    sitting_members::table
        .inner_join(players::table)
        .filter(sitting_members::sitting_id.eq(id))
        .filter(players::registered_at.is_null())
        .filter(players::role.eq(Role::Player))
        .filter(players::deleted_at.is_null())
        .filter(players::merged_into.is_null())
        .order((sitting_members::joined_at, sitting_members::player_id))
        .select((players::id, players::display_name))
        .load(conn)
        .await
}

/// All of a party, whatever became of them.
pub async fn count(conn: &mut AsyncPgConnection, id: SittingId) -> QueryResult<i64> {
    claims::table.filter(claims::sitting_id.eq(id)).select(count_star()).first(conn).await
}

/// Of a claim that is locked.
pub async fn settle(
    conn: &mut AsyncPgConnection,
    id: ClaimId,
    status: ClaimStatus,
    by: PlayerId,
    now: Timestamp,
    expires_at: Timestamp,
) -> QueryResult<usize> {
    diesel::update(claims::table.find(id))
        .set((
            claims::status.eq(status),
            claims::answered_by.eq(by),
            claims::answered_at.eq(SqlTimestamp::from(now)),
            claims::expires_at.eq(SqlTimestamp::from(expires_at)),
        ))
        .execute(conn)
        .await
}

/// Of a claim that is locked.
pub async fn set_taken(conn: &mut AsyncPgConnection, id: ClaimId) -> QueryResult<usize> {
    diesel::update(claims::table.find(id)).set(claims::status.eq(ClaimStatus::Taken)).execute(conn).await
}

/// What the phone asked for and nobody has answered.
pub async fn delete_of_phone(conn: &mut AsyncPgConnection, phone: &[u8]) -> QueryResult<usize> {
    let of_phone = claims::table.filter(claims::phone_hash.eq(phone)).filter(claims::status.eq(ClaimStatus::Open));
    diesel::delete(of_phone).execute(conn).await
}

/// The same, and what was confirmed and not taken: about whom it was.
pub async fn withdraw(conn: &mut AsyncPgConnection, phone: &[u8]) -> QueryResult<Option<PlayerId>> {
    let of_phone = claims::table
        .filter(claims::phone_hash.eq(phone))
        .filter(claims::status.eq_any([ClaimStatus::Open, ClaimStatus::Confirmed]));
    diesel::delete(of_phone).returning(claims::player_id).get_result(conn).await.optional()
}

/// What was asked about this player and nobody has answered in time.
pub async fn delete_expired(conn: &mut AsyncPgConnection, player: PlayerId, now: Timestamp) -> QueryResult<usize> {
    let expired = claims::table
        .filter(claims::player_id.eq(player))
        .filter(claims::status.eq(ClaimStatus::Open))
        .filter(claims::expires_at.le(SqlTimestamp::from(now)));
    diesel::delete(expired).execute(conn).await
}

/// Those that expired before this time.
pub async fn delete_over(conn: &mut AsyncPgConnection, before: Timestamp) -> QueryResult<usize> {
    let over = claims::table.filter(claims::expires_at.lt(SqlTimestamp::from(before)));
    diesel::delete(over).execute(conn).await
}

/// What was asked about this player, and by them.
pub async fn forget(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<usize> {
    let of_player = claims::player_id.eq(player).or(claims::asked_by.assume_not_null().eq(player));
    diesel::delete(claims::table.filter(of_player)).execute(conn).await
}
