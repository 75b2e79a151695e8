//! Rows and queries of matches, their seats and their logs. The two statements of a move are in `statements`.

pub mod invitations;
pub mod life;
pub mod list;
pub mod log;
pub mod played;
pub mod seats;
pub mod stand_ins;
pub mod stuck;

use diesel::dsl::{self};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, Json as SqlJson, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use crate::matches::clock::ClockRow;
use crate::matches::reveals::{REVEALS, Reveals};
use crate::matches::terms::Terms;
use crate::matches::{Mode, Status};
use base::db::{fixed, kept, statement};
use base::ids::{MatchId, PlayerId, TableId, VariantId};
use base::schema::{match_clocks, match_terms, matches};

pub use invitations::*;
pub use life::*;
pub use list::*;
pub use log::*;
pub use played::*;
pub use seats::*;
pub use stand_ins::*;

/// What anybody may know of a match; its secrets are not in it.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = matches, check_for_backend(Pg))]
pub struct MatchRow {
    pub id: MatchId,
    pub code: String,
    pub game: String,
    pub revision: i32,
    pub options: Value,
    pub seat_count: i16,
    pub name: Option<String>,
    pub mode: Mode,
    pub status: Status,
    pub version: i32,
    pub change_seq: i64,
    pub created_by: PlayerId,
    pub table_id: Option<TableId>,
    pub turn_seconds: Option<i32>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub started_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub moved_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub finished_at: Option<Timestamp>,
    pub commitment: Vec<u8>,
    pub to_move: i32,
    pub interrupt: i32,
    pub resigned: i32,
    pub outcome: Option<Value>,
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    pub variant_hash: Vec<u8>,
}

pub async fn find(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<MatchRow>> {
    matches::table.find(id).select(MatchRow::as_select()).first(conn).await.optional()
}

/// A match, and all that stands beside it.
#[derive(Queryable)]
pub struct WholeMatch {
    pub row: MatchRow,
    /// As the engine saved it.
    pub state: Option<Vec<u8>>,
    /// The first version of the decision that it waits for.
    pub decision_since: i32,
    pub terms: Option<Terms>,
    pub clock: Option<ClockRow>,
    /// What staff looked at.
    pub reveals: Reveals,
    /// The database's time, by which its clock is meant.
    #[diesel(deserialize_as = SqlTimestamp)]
    pub now: Timestamp,
}

/// Its connection may be sending another query, which saves a round trip.
pub async fn find_whole(mut conn: &AsyncPgConnection, id: MatchId) -> QueryResult<Option<WholeMatch>> {
    matches::table
        .left_join(match_terms::table.on(match_terms::match_id.eq(matches::id)))
        .left_join(match_clocks::table)
        .filter(matches::id.eq(id))
        .select((
            MatchRow::as_select(),
            matches::state,
            matches::decision_since,
            Option::<Terms>::as_select(),
            Option::<ClockRow>::as_select(),
            fixed::<SqlJson>(REVEALS),
            dsl::now.into_sql::<Timestamptz>(),
        ))
        .first(&mut conn)
        .await
        .optional()
}

/// As the engine saved it.
pub async fn find_state(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<Vec<u8>>> {
    matches::table.find(id).select(matches::state).first(conn).await
}

/// What the log leads to; nobody is told, since nothing has changed.
pub async fn save_state(conn: &mut AsyncPgConnection, id: MatchId, state: &[u8]) -> QueryResult<usize> {
    diesel::update(matches::table.find(id)).set(matches::state.eq(state)).execute(conn).await
}

/// Its connection may be sending another query, which saves a round trip.
pub async fn find_terms(mut conn: &AsyncPgConnection, id: MatchId) -> QueryResult<Terms> {
    let found = match_terms::table.find(id).select(Terms::as_select()).first(&mut conn).await.optional()?;
    Ok(found.unwrap_or_default())
}

/// Those of these matches that are not the usual.
pub async fn list_terms(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<(MatchId, Terms)>> {
    let of_these = match_terms::table.filter(match_terms::match_id.eq_any(ids));
    of_these.select((match_terms::match_id, Terms::as_select())).load(conn).await
}

pub async fn find_rematch(conn: &mut AsyncPgConnection, of: MatchId) -> QueryResult<Option<MatchId>> {
    let found = match_terms::table.filter(match_terms::rematch_of.eq(of)).select(match_terms::match_id);
    found.first(conn).await.optional()
}

/// The seed of a match's chance. Its connection may be sending another query, which saves a round trip.
pub async fn find_seed(mut conn: &AsyncPgConnection, id: MatchId) -> QueryResult<Vec<u8>> {
    matches::table.find(id).select(matches::seed).first(&mut conn).await
}

/// Until the transaction ends nobody else changes the match, its seats or its log. Rows that refer to it are inserted all the same:
/// ratings and statistics of a match that is corrected meanwhile would deadlock otherwise.
pub async fn lock(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<MatchRow>> {
    matches::table.find(id).select(MatchRow::as_select()).for_no_key_update().first(conn).await.optional()
}

/// The same for several whose results are going to change. They are marked for statistics and ratings first, in the order in which
/// those are computed: the job that marks what follows on a late match goes that way, too. Their triggers would mark one by one.
pub async fn lock_results(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<usize> {
    const LOCK: &str = "WITH locked AS MATERIALIZED (
            SELECT id, game, status, finished_at FROM matches WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
        )
        INSERT INTO pending_projections (match_id, game, finished_at)
        SELECT locked.id, locked.game, coalesce(marked.finished_at, locked.finished_at)
        FROM locked LEFT JOIN pending_projections marked ON marked.match_id = locked.id
        WHERE locked.status = 'finished' OR marked.match_id IS NOT NULL
        ORDER BY 2, 3, 1
        ON CONFLICT (match_id) DO UPDATE SET finished_at = pending_projections.finished_at";
    if ids.is_empty() {
        return Ok(0);
    }
    statement(LOCK).bind::<Array<SqlUuid>, _>(ids).execute(conn).await
}

pub async fn find_id_by_code(conn: &mut AsyncPgConnection, code: &str) -> QueryResult<Option<MatchId>> {
    matches::table.filter(matches::code.eq(code)).select(matches::id).first(conn).await.optional()
}

/// Counts something that watchers may want to hear of. Its connection may be sending another query, which saves a round trip.
pub async fn raise_news(mut conn: &AsyncPgConnection, id: MatchId) -> QueryResult<i64> {
    let raised = diesel::update(matches::table.find(id)).set(matches::change_seq.eq(matches::change_seq + 1));
    kept(raised.returning(matches::change_seq)).get_result(&mut conn).await
}

/// Locks the match until the transaction ends, if it runs and nobody else has it locked.
pub async fn lock_running_unless_busy(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<bool> {
    let running = matches::table.find(id).filter(matches::status.eq(Status::Running)).select(matches::id);
    Ok(running.for_no_key_update().skip_locked().first::<MatchId>(conn).await.optional()?.is_some())
}

/// The count of news of each of these matches and tournaments.
pub const NEWS_OF: &str = "SELECT id::text, change_seq FROM matches WHERE id = ANY($1::text[]::uuid[]) \
                                  UNION ALL SELECT id::text, revision FROM tournaments WHERE id = ANY($1::text[]::uuid[])";
