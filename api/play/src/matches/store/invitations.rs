//! Who may sit down at a match besides those who know its code.

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use base::ids::{MatchId, PlayerId};
use base::schema::{match_invitations, players};

pub async fn is_invited(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> QueryResult<bool> {
    diesel::select(exists(match_invitations::table.find((id, player)))).get_result(conn).await
}

/// Somebody who was invited to a match.
#[derive(Debug, Queryable)]
pub struct InvitationRow {
    pub player_id: PlayerId,
    pub display_name: String,
    pub deleted: bool,
    pub invited_by: PlayerId,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
}

/// In the order of their invitations.
pub async fn list_invitations(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Vec<InvitationRow>> {
    match_invitations::table
        .inner_join(players::table.on(match_invitations::player_id.eq(players::id)))
        .filter(match_invitations::match_id.eq(id))
        .order((match_invitations::created_at, match_invitations::player_id))
        .select((
            match_invitations::player_id,
            players::display_name,
            players::deleted_at.is_not_null(),
            match_invitations::invited_by,
            match_invitations::created_at,
        ))
        .load(conn)
        .await
}

/// Whether the invitation is a new one.
pub async fn insert_invitation(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: PlayerId,
    by: PlayerId,
    now: Timestamp,
) -> QueryResult<bool> {
    let invitation = (
        match_invitations::match_id.eq(id),
        match_invitations::player_id.eq(player),
        match_invitations::invited_by.eq(by),
        match_invitations::created_at.eq(SqlTimestamp::from(now)),
    );
    let inserted =
        diesel::insert_into(match_invitations::table).values(invitation).on_conflict_do_nothing().execute(conn).await?;
    Ok(inserted > 0)
}

pub async fn delete_invitation(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> QueryResult<usize> {
    diesel::delete(match_invitations::table.find((id, player))).execute(conn).await
}

/// Invites the players who were invited to one match to the other.
pub async fn copy_invitations(
    conn: &mut AsyncPgConnection,
    from: MatchId,
    to: MatchId,
    now: Timestamp,
) -> QueryResult<usize> {
    let copied = match_invitations::table.filter(match_invitations::match_id.eq(from)).select((
        to.into_sql::<Uuid>(),
        match_invitations::player_id,
        match_invitations::invited_by,
        SqlTimestamp::from(now).into_sql::<Timestamptz>(),
    ));
    diesel::insert_into(match_invitations::table).values(copied).execute(conn).await
}
