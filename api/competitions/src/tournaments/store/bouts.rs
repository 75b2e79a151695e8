//! Rounds and their bouts.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::Uuid;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use super::{BoutKey, BoutRow, NewBout, RoundRow};
use crate::tournaments::{RoundStatus, TournamentStatus};
use base::db::statement;
use base::ids::{MatchId, TableId, TournamentId};
use base::schema::{matches, pending_bout_results, players, tables, tournament_bouts, tournament_rounds, tournaments};

/// One process at a time looks for free tables. The number spells "seats".
const TABLE_ASSIGNMENT_LOCK: i64 = 0x73_6561_7473;

pub async fn list_rounds(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Vec<RoundRow>> {
    tournament_rounds::table
        .filter(tournament_rounds::tournament_id.eq(id))
        .order((tournament_rounds::stage, tournament_rounds::round))
        .select(RoundRow::as_select())
        .load(conn)
        .await
}

pub async fn list_bouts(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Vec<BoutRow>> {
    let arrangers =
        players::table.on(tournament_bouts::arranged_by.eq(players::id.nullable()).and(players::deleted_at.is_null()));
    tournament_bouts::table
        .left_join(tables::table)
        .left_join(matches::table)
        .left_join(arrangers)
        .filter(tournament_bouts::tournament_id.eq(id))
        .order((tournament_bouts::stage, tournament_bouts::round, tournament_bouts::key))
        .select((
            tournament_bouts::stage,
            tournament_bouts::key,
            tournament_bouts::round,
            tournament_bouts::entrants,
            tournament_bouts::reasons,
            tournament_bouts::arranged_by,
            players::display_name.nullable(),
            tournament_bouts::table_id,
            tables::name.nullable(),
            tournament_bouts::match_id,
            matches::code.nullable(),
            matches::status.nullable(),
            tournament_bouts::games,
            tournament_bouts::result,
            tournament_bouts::settled_by,
            tournament_bouts::settled_at,
            tournament_bouts::claim,
            tournament_bouts::claimed_at,
            tournament_bouts::is_locked,
        ))
        .load(conn)
        .await
}

/// A new draft with its bouts.
pub async fn insert_round(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    stage: i16,
    round: i16,
    bouts: &[NewBout],
    now: Timestamp,
) -> QueryResult<usize> {
    let draft = (
        tournament_rounds::tournament_id.eq(id),
        tournament_rounds::stage.eq(stage),
        tournament_rounds::round.eq(round),
        tournament_rounds::status.eq(RoundStatus::Draft),
        tournament_rounds::drafted_at.eq(SqlTimestamp::from(now)),
    );
    diesel::insert_into(tournament_rounds::table).values(draft).execute(conn).await?;
    insert_bouts(conn, bouts).await
}

pub async fn insert_bouts(conn: &mut AsyncPgConnection, bouts: &[NewBout]) -> QueryResult<usize> {
    diesel::insert_into(tournament_bouts::table).values(bouts).execute(conn).await
}

/// The tournaments with an arena in which something may be due by the clock.
pub async fn list_due_arenas(conn: &mut AsyncPgConnection, now: Timestamp) -> QueryResult<Vec<TournamentId>> {
    tournament_rounds::table
        .inner_join(tournaments::table)
        .filter(tournament_rounds::due_at.le(SqlTimestamp::from(now)))
        .filter(tournaments::status.eq(TournamentStatus::Running))
        .select(tournament_rounds::tournament_id)
        .load(conn)
        .await
}

pub async fn write_round(conn: &mut AsyncPgConnection, id: TournamentId, now: &RoundRow) -> QueryResult<usize> {
    diesel::update(tournament_rounds::table.find((id, now.stage, now.round)))
        .set((
            tournament_rounds::status.eq(now.status),
            tournament_rounds::published_at.eq(now.published_at.map(SqlTimestamp::from)),
            tournament_rounds::started_at.eq(now.started_at.map(SqlTimestamp::from)),
            tournament_rounds::ends_at.eq(now.ends_at.map(SqlTimestamp::from)),
            tournament_rounds::closed_at.eq(now.closed_at.map(SqlTimestamp::from)),
            tournament_rounds::paused_at.eq(now.paused_at.map(SqlTimestamp::from)),
            tournament_rounds::resumed_at.eq(now.resumed_at.map(SqlTimestamp::from)),
            tournament_rounds::due_at.eq(now.due_at.map(SqlTimestamp::from)),
            tournament_rounds::next_round_at.eq(now.next_round_at.map(SqlTimestamp::from)),
        ))
        .execute(conn)
        .await
}

/// Takes bouts away, and their round if it has no others; the window of an arena stays.
pub async fn delete_bouts(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    stage: i16,
    keys: &[BoutKey],
) -> QueryResult<()> {
    let these = tournament_bouts::table
        .filter(tournament_bouts::tournament_id.eq(id))
        .filter(tournament_bouts::stage.eq(stage))
        .filter(tournament_bouts::key.eq_any(keys));
    diesel::delete(these).execute(conn).await?;
    const EMPTY: &str = "DELETE FROM tournament_rounds AS it WHERE it.tournament_id = $1 AND NOT it.is_arena AND NOT EXISTS \
                         (SELECT FROM tournament_bouts AS of WHERE of.tournament_id = it.tournament_id \
                          AND of.stage = it.stage AND of.round = it.round)";
    statement(EMPTY).bind::<Uuid, _>(id).execute(conn).await?;
    Ok(())
}

/// Takes a round away of which no bout is left.
pub async fn delete_round(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    stage: i16,
    round: i16,
) -> QueryResult<usize> {
    diesel::delete(tournament_rounds::table.find((id, stage, round))).execute(conn).await
}

/// Who plays this bout of a draft.
pub async fn set_entrants(conn: &mut AsyncPgConnection, id: TournamentId, bout: &BoutRow) -> QueryResult<usize> {
    diesel::update(tournament_bouts::table.find((id, bout.stage, bout.key)))
        .set((
            tournament_bouts::entrants.eq(&bout.entrants),
            tournament_bouts::reasons.eq(&bout.reasons),
            tournament_bouts::arranged_by.eq(bout.arranged_by),
        ))
        .execute(conn)
        .await
}

/// Whether people of this bout of a draft are exchanged.
pub async fn set_locked(conn: &mut AsyncPgConnection, id: TournamentId, bout: &BoutRow) -> QueryResult<usize> {
    diesel::update(tournament_bouts::table.find((id, bout.stage, bout.key)))
        .set(tournament_bouts::is_locked.eq(bout.is_locked))
        .execute(conn)
        .await
}

/// Where it is played, and as which match.
pub async fn set_match_and_table(conn: &mut AsyncPgConnection, id: TournamentId, bout: &BoutRow) -> QueryResult<usize> {
    diesel::update(tournament_bouts::table.find((id, bout.stage, bout.key)))
        .set((tournament_bouts::table_id.eq(bout.table_id), tournament_bouts::match_id.eq(bout.match_id)))
        .execute(conn)
        .await
}

/// How it ended, and what its match says that cannot count yet.
pub async fn set_result(conn: &mut AsyncPgConnection, id: TournamentId, bout: &BoutRow) -> QueryResult<usize> {
    diesel::update(tournament_bouts::table.find((id, bout.stage, bout.key)))
        .set((
            tournament_bouts::games.eq(&bout.games),
            tournament_bouts::result.eq(&bout.result),
            tournament_bouts::settled_by.eq(bout.settled_by),
            tournament_bouts::settled_at.eq(bout.settled_at.map(SqlTimestamp::from)),
            tournament_bouts::claim.eq(&bout.claim),
            tournament_bouts::claimed_at.eq(bout.claimed_at.map(SqlTimestamp::from)),
        ))
        .execute(conn)
        .await
}

/// Puts a round back as it was.
pub async fn put_round(conn: &mut AsyncPgConnection, id: TournamentId, row: &RoundRow) -> QueryResult<usize> {
    let values = || {
        (
            tournament_rounds::tournament_id.eq(id),
            tournament_rounds::stage.eq(row.stage),
            tournament_rounds::round.eq(row.round),
            tournament_rounds::status.eq(row.status),
            tournament_rounds::drafted_at.eq(SqlTimestamp::from(row.drafted_at)),
            tournament_rounds::published_at.eq(row.published_at.map(SqlTimestamp::from)),
            tournament_rounds::started_at.eq(row.started_at.map(SqlTimestamp::from)),
            tournament_rounds::ends_at.eq(row.ends_at.map(SqlTimestamp::from)),
            tournament_rounds::closed_at.eq(row.closed_at.map(SqlTimestamp::from)),
            tournament_rounds::is_arena.eq(row.is_arena),
            tournament_rounds::paused_at.eq(row.paused_at.map(SqlTimestamp::from)),
            tournament_rounds::resumed_at.eq(row.resumed_at.map(SqlTimestamp::from)),
            tournament_rounds::due_at.eq(row.due_at.map(SqlTimestamp::from)),
            tournament_rounds::next_round_at.eq(row.next_round_at.map(SqlTimestamp::from)),
        )
    };
    let key = (tournament_rounds::tournament_id, tournament_rounds::stage, tournament_rounds::round);
    let put = diesel::insert_into(tournament_rounds::table).values(values());
    put.on_conflict(key).do_update().set(values()).execute(conn).await
}

/// Puts a bout back as it was.
pub async fn put_bout(conn: &mut AsyncPgConnection, id: TournamentId, row: &BoutRow) -> QueryResult<usize> {
    let values = || {
        (
            tournament_bouts::tournament_id.eq(id),
            tournament_bouts::stage.eq(row.stage),
            tournament_bouts::key.eq(row.key),
            tournament_bouts::round.eq(row.round),
            tournament_bouts::entrants.eq(&row.entrants),
            tournament_bouts::reasons.eq(&row.reasons),
            tournament_bouts::arranged_by.eq(row.arranged_by),
            tournament_bouts::table_id.eq(row.table_id),
            tournament_bouts::match_id.eq(row.match_id),
            tournament_bouts::games.eq(&row.games),
            tournament_bouts::result.eq(&row.result),
            tournament_bouts::settled_by.eq(row.settled_by),
            tournament_bouts::settled_at.eq(row.settled_at.map(SqlTimestamp::from)),
            tournament_bouts::claim.eq(&row.claim),
            tournament_bouts::claimed_at.eq(row.claimed_at.map(SqlTimestamp::from)),
            tournament_bouts::is_locked.eq(row.is_locked),
        )
    };
    let key = (tournament_bouts::tournament_id, tournament_bouts::stage, tournament_bouts::key);
    let put = diesel::insert_into(tournament_bouts::table).values(values());
    put.on_conflict(key).do_update().set(values()).execute(conn).await
}

/// Whether another bout that is not over is played at this table.
pub async fn is_table_taken(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    bout: &BoutRow,
    table: TableId,
) -> QueryResult<bool> {
    let this = tournament_bouts::tournament_id
        .eq(id)
        .and(tournament_bouts::stage.eq(bout.stage))
        .and(tournament_bouts::key.eq(bout.key));
    let others = tournament_bouts::table
        .filter(tournament_bouts::table_id.eq(table))
        .filter(tournament_bouts::result.is_null())
        .filter(diesel::dsl::not(this));
    diesel::select(diesel::dsl::exists(others)).get_result(conn).await
}

/// The bout is played at no table.
pub async fn leave_table(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    stage: i16,
    key: BoutKey,
) -> QueryResult<usize> {
    let none = tournament_bouts::table_id.eq(None::<TableId>);
    diesel::update(tournament_bouts::table.find((id, stage, key))).set(none).execute(conn).await
}

/// Until the transaction ends nobody else looks for free tables.
pub async fn lock_table_assignment(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    conn.batch_execute(&format!("SELECT pg_advisory_xact_lock({TABLE_ASSIGNMENT_LOCK})")).await
}

/// Tables at which a bout is played that is not over.
pub async fn list_taken_tables(conn: &mut AsyncPgConnection) -> QueryResult<Vec<TableId>> {
    tournament_bouts::table
        .filter(tournament_bouts::table_id.is_not_null())
        .filter(tournament_bouts::result.is_null())
        .select(tournament_bouts::table_id.assume_not_null())
        .load(conn)
        .await
}

/// The tournaments of which any bout is not settled.
pub async fn list_with_pending_ends(conn: &mut AsyncPgConnection) -> QueryResult<Vec<TournamentId>> {
    pending_bout_results::table.select(pending_bout_results::tournament_id).distinct().load(conn).await
}

/// A match as its bout needs it.
#[derive(Clone, Debug, Queryable)]
pub struct MatchEnd {
    pub match_id: MatchId,
    /// Of one that was played to its end.
    pub outcome: Option<Value>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub finished_at: Option<Timestamp>,
}

/// Takes what is not settled of this tournament, which is locked, off the list, and tells how those matches are now. A writer who
/// changes one of them meanwhile waits for the end of this transaction and puts it there again.
///
/// The matches are locked first: a correction locks its match and then puts it on the list, and of two who take the same in
/// another order one would be refused.
pub async fn take_pending_ends(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Vec<MatchEnd>> {
    let listed = pending_bout_results::table.filter(pending_bout_results::tournament_id.eq(id));
    let listed: Vec<MatchId> = listed.select(pending_bout_results::match_id).load(conn).await?;
    if listed.is_empty() {
        return Ok(Vec::new());
    }
    let locked = matches::table.filter(matches::id.eq_any(&listed)).order(matches::id).select(matches::id);
    locked.for_no_key_update().load::<MatchId>(conn).await?;
    let taken = pending_bout_results::table.filter(pending_bout_results::match_id.eq_any(listed));
    let taken = diesel::delete(taken).returning(pending_bout_results::match_id);
    let taken: Vec<MatchId> = taken.get_results(conn).await?;
    let over = matches::table.filter(matches::id.eq_any(taken)).order(matches::id);
    over.select((matches::id, matches::outcome, matches::finished_at)).load(conn).await
}
