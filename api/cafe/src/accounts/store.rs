//! Queries about all that an account takes part in.

use diesel::dsl::{count_star, sql};
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_query;
use diesel::sql_types::{Bool, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::ids::PlayerId;
use crate::schema::{match_seats, matches};

/// What a player takes part in, which is always locked before the account: tournaments, parties, matches.
const ALL_OF: [&str; 3] = [
    "SELECT id FROM tournaments WHERE id IN (SELECT tournament_id FROM tournament_entrants WHERE player_id = $1)",
    "SELECT id FROM sittings WHERE id IN (
         SELECT id FROM sittings WHERE opened_by = $1
         UNION ALL SELECT sitting_id FROM sitting_members WHERE player_id = $1)",
    "SELECT id FROM matches WHERE id IN (
         SELECT id FROM matches WHERE created_by = $1
         UNION ALL SELECT match_id FROM match_seats WHERE player_id = $1)",
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
        let query = sql_query(format!("{of} ORDER BY id {lock}"));
        let rows: Vec<IdRow> = query.bind::<SqlUuid, _>(player).load(conn).await?;
        all.extend(rows.into_iter().map(|it| it.id));
    }
    Ok(all)
}

/// In how many matches that are over this player has a seat, and in how many others.
pub(super) async fn count_seats(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<(i64, i64)> {
    let is_open = sql::<Bool>("matches.status IN ('waiting', 'running')");
    let counts = match_seats::table
        .inner_join(matches::table)
        .filter(match_seats::player_id.eq(player))
        .group_by(is_open.clone())
        .select((is_open, count_star()))
        .load::<(bool, i64)>(conn)
        .await?;
    let of = |open: bool| counts.iter().find(|it| it.0 == open).map_or(0, |it| it.1);
    Ok((of(false), of(true)))
}
