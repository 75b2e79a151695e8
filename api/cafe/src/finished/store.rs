//! Rows and queries of finished matches.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use base::db::{fixed, statement};
use base::ids::{MatchId, PlayerId};
use base::schema::{match_seats, matches, players};
use play::matches::{Leaving, Mode, Status};

#[derive(Queryable)]
pub struct FinishedRow {
    pub id: MatchId,
    pub game: String,
    pub variant_hash: Vec<u8>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub finished_at: Timestamp,
    pub seat_count: i16,
    pub has_log: bool,
    pub has_bots: bool,
    pub outcome: Option<Value>,
}

#[derive(Queryable)]
pub struct TakenSeat {
    pub match_id: MatchId,
    pub seat: i16,
    pub player: PlayerId,
    pub registered: bool,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub left_at: Option<Timestamp>,
    /// Whether the player left by giving up.
    pub gave_up: bool,
    /// Whether somebody else plays on for the player.
    pub has_stand_in: bool,
}

/// Those that are finished, in their order.
pub async fn list_finished(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<FinishedRow>> {
    matches::table
        .filter(matches::id.eq_any(ids))
        .filter(matches::status.eq(Status::Finished))
        .filter(matches::finished_at.is_not_null())
        .order((matches::finished_at, matches::id))
        .select((
            matches::id,
            matches::game,
            matches::variant_hash,
            matches::finished_at.assume_not_null(),
            matches::seat_count,
            matches::mode.eq(Mode::Played),
            fixed::<Bool>("EXISTS (SELECT FROM match_seats s WHERE s.match_id = matches.id AND s.player_id IS NULL)"),
            matches::outcome,
        ))
        .load(conn)
        .await
}

pub async fn list_taken_seats(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<TakenSeat>> {
    match_seats::table
        .inner_join(players::table.on(match_seats::player_id.eq(players::id.nullable())))
        .filter(match_seats::match_id.eq_any(ids))
        .order((match_seats::match_id, match_seats::seat))
        .select((
            match_seats::match_id,
            match_seats::seat,
            match_seats::player_id.assume_not_null(),
            players::registered_at.is_not_null(),
            match_seats::left_at,
            match_seats::left_why.is_not_distinct_from(Leaving::Resigned),
            fixed::<Bool>("coalesce(match_seats.stand_in_id <> match_seats.player_id, false)"),
        ))
        .load(conn)
        .await
}

pub async fn mark_all_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<usize> {
    statement(
        "INSERT INTO pending_projections (match_id, game, finished_at)
         SELECT id, game, finished_at FROM match_seats JOIN matches ON id = match_id
         WHERE player_id = $1 AND status = 'finished'
         ORDER BY game, finished_at, id
         ON CONFLICT (match_id) DO UPDATE SET finished_at = excluded.finished_at",
    )
    .bind::<Uuid, _>(player)
    .execute(conn)
    .await
}
