//! Tournaments that sandbox keys made, and that go as a whole.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use base::ids::{PlayerId, TournamentId};
use base::schema::{
    tournament_bouts, tournament_entrants, tournament_log, tournament_participants, tournament_places,
    tournament_rounds, tournaments,
};

/// Those made before then, the first first, locked until the transaction ends. What somebody else has locked is left for later.
pub async fn lock_sandbox(
    conn: &mut AsyncPgConnection,
    before: Timestamp,
    limit: i64,
) -> QueryResult<Vec<TournamentId>> {
    tournaments::table
        .filter(tournaments::sandbox)
        .filter(tournaments::created_at.lt(SqlTimestamp::from(before)))
        .order(tournaments::created_at)
        .limit(limit)
        .select(tournaments::id)
        .for_update()
        .skip_locked()
        .load(conn)
        .await
}

pub async fn list_entered_in(conn: &mut AsyncPgConnection, ids: &[TournamentId]) -> QueryResult<Vec<PlayerId>> {
    let entered = tournament_entrants::table.filter(tournament_entrants::tournament_id.eq_any(ids));
    entered.select(tournament_entrants::player_id).distinct().load(conn).await
}

/// Deletes them and all that is their own.
pub async fn delete_all_of(conn: &mut AsyncPgConnection, ids: &[TournamentId]) -> QueryResult<usize> {
    macro_rules! delete_from {
        ($($table:ident)*) => {$(
            diesel::delete($table::table.filter($table::tournament_id.eq_any(ids))).execute(conn).await?;
        )*};
    }
    delete_from!(tournament_bouts tournament_rounds tournament_participants tournament_entrants tournament_log);
    delete_from!(tournament_places);
    diesel::delete(tournaments::table.filter(tournaments::id.eq_any(ids))).execute(conn).await
}
