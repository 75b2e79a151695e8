//! Queries about all that an account takes part in.

use diesel::dsl::count_star;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use uuid::Uuid;

use base::db::fixed;
use base::ids::PlayerId;
use base::schema::{match_seats, matches};

/// What a player takes part in, which is always locked before the account: tournaments, parties, matches.
const ALL_OF: [&str; 3] = [
    "SELECT id FROM tournaments WHERE id IN (SELECT tournament_id FROM tournament_entrants WHERE player_id = $1)",
    "SELECT id FROM sittings WHERE id IN (
         SELECT id FROM sittings WHERE opened_by = $1
         UNION ALL SELECT sitting_id FROM sitting_members WHERE player_id = $1)",
    "SELECT id FROM matches WHERE id IN (
         SELECT id FROM matches WHERE created_by = $1
         UNION ALL SELECT match_id FROM match_seats WHERE player_id = $1
         UNION ALL SELECT match_id FROM match_stand_ins WHERE player_id = $1)",
];

#[derive(QueryableByName)]
struct IdRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// Until the transaction ends nobody else changes what this player is in.
pub(super) async fn lock_all_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<Uuid>> {
    read_all_of(conn, player, "FOR NO KEY UPDATE").await
}

/// The same, without a lock.
pub(super) async fn list_all_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<Uuid>> {
    read_all_of(conn, player, "").await
}

async fn read_all_of(conn: &mut AsyncPgConnection, player: PlayerId, lock: &str) -> QueryResult<Vec<Uuid>> {
    let mut all = Vec::new();
    for of in ALL_OF {
        let query = diesel::sql_query(format!("{of} ORDER BY id {lock}"));
        let rows: Vec<IdRow> = query.bind::<SqlUuid, _>(player).load(conn).await?;
        all.extend(rows.into_iter().map(|it| it.id));
    }
    Ok(all)
}

/// In how many matches that are over this player has a seat, and in how many others.
pub(super) async fn count_seats(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<(i64, i64)> {
    let is_open = fixed::<Bool>("matches.status IN ('waiting', 'running')");
    let counts = match_seats::table
        .inner_join(matches::table)
        .filter(match_seats::player_id.eq(player))
        .group_by(is_open)
        .select((is_open, count_star()))
        .load::<(bool, i64)>(conn)
        .await?;
    let of = |open: bool| counts.iter().find(|it| it.0 == open).map_or(0, |it| it.1);
    Ok((of(false), of(true)))
}

/// Guests who were there before a time ($1) and not since. What keeps a guest: a ban that lasts ($2 is now), a session that is
/// not over, a match, a party or a tournament that is not over or was not at that time, a season that is not over, whose table goes by
/// names, and a claim of another phone.
const UNSEEN_GUESTS: &str = "SELECT p.id FROM players p
    WHERE p.registered_at IS NULL AND p.deleted_at IS NULL AND p.merged_into IS NULL AND p.role = 'player'
        AND p.created_at < $1
        AND (p.banned_at IS NULL OR p.banned_until <= $2)
        AND NOT EXISTS (SELECT FROM sessions s WHERE s.player_id = p.id
            AND (s.seen_at >= $1 OR s.revoked_at IS NULL AND s.expires_at > $2))
        AND NOT EXISTS (SELECT FROM match_seats s JOIN matches m ON m.id = s.match_id WHERE s.player_id = p.id
            AND (m.finished_at IS NULL OR m.finished_at >= $1 OR s.joined_at >= $1))
        AND NOT EXISTS (SELECT FROM match_seats s JOIN matches m ON m.id = s.match_id WHERE s.stand_in_id = p.id
            AND (m.finished_at IS NULL OR m.finished_at >= $1))
        AND NOT EXISTS (SELECT FROM matches m WHERE m.created_by = p.id
            AND (m.finished_at IS NULL OR m.finished_at >= $1))
        AND NOT EXISTS (SELECT FROM sittings s WHERE s.opened_by = p.id
            AND (s.closed_at IS NULL OR s.closed_at >= $1))
        AND NOT EXISTS (SELECT FROM sitting_members b JOIN sittings s ON s.id = b.sitting_id WHERE b.player_id = p.id
            AND (s.closed_at IS NULL OR s.closed_at >= $1))
        AND NOT EXISTS (SELECT FROM tournament_entrants e JOIN tournaments t ON t.id = e.tournament_id
            WHERE e.player_id = p.id AND (e.entered_at >= $1 OR t.status NOT IN ('finished', 'cancelled')))
        AND NOT EXISTS (SELECT FROM tournament_entrants e JOIN series_events v ON v.tournament_id = e.tournament_id
            JOIN series s ON s.id = v.series_id WHERE e.player_id = p.id AND s.status <> 'ended')
        AND NOT EXISTS (SELECT FROM series_people v JOIN series s ON s.id = v.series_id
            WHERE v.player_id = p.id AND s.status <> 'ended')
        AND NOT EXISTS (SELECT FROM claims c WHERE c.player_id = p.id OR c.asked_by = p.id)";

/// Locked until the transaction ends, those who came first before the others. Whom somebody else has locked is left for later.
pub(super) async fn lock_unseen_guests(
    conn: &mut AsyncPgConnection,
    since: Timestamp,
    now: Timestamp,
    limit: i64,
) -> QueryResult<Vec<PlayerId>> {
    let query =
        diesel::sql_query(format!("{UNSEEN_GUESTS} ORDER BY p.created_at, p.id LIMIT $3 FOR UPDATE OF p SKIP LOCKED"));
    let query = query.bind::<Timestamptz, _>(SqlTimestamp::from(since)).bind::<Timestamptz, _>(SqlTimestamp::from(now));
    let rows: Vec<IdRow> = query.bind::<BigInt, _>(limit).load(conn).await?;
    Ok(rows.into_iter().map(|row| PlayerId(row.id)).collect())
}

/// Of these, who still is one.
pub(super) async fn list_unseen_guests(
    conn: &mut AsyncPgConnection,
    of: &[PlayerId],
    since: Timestamp,
    now: Timestamp,
) -> QueryResult<Vec<PlayerId>> {
    let query = diesel::sql_query(format!("{UNSEEN_GUESTS} AND p.id = ANY($3)"));
    let query = query.bind::<Timestamptz, _>(SqlTimestamp::from(since)).bind::<Timestamptz, _>(SqlTimestamp::from(now));
    let rows: Vec<IdRow> = query.bind::<Array<SqlUuid>, _>(of).load(conn).await?;
    Ok(rows.into_iter().map(|row| PlayerId(row.id)).collect())
}
