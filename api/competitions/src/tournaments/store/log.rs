//! What happened in a tournament, step by step.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;

use super::Doc;
use crate::tournaments::state::StateChange;
use base::ids::{PlayerId, TournamentId};
use base::schema::{players, tournament_log};

/// One step.
#[derive(Clone, Debug, Queryable)]
pub struct LogRow {
    pub revision: i64,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    /// None where a match ended by itself.
    pub actor: Option<PlayerId>,
    /// Their name, unless the account is gone.
    pub actor_name: Option<String>,
    pub action: String,
    pub details: Value,
    pub changes: Doc<Vec<StateChange>>,
}

#[derive(Insertable)]
#[diesel(table_name = tournament_log)]
pub struct NewLogRow<'a> {
    pub tournament_id: TournamentId,
    pub revision: i64,
    pub at: SqlTimestamp,
    pub actor: Option<PlayerId>,
    pub action: &'a str,
    pub details: &'a Value,
    pub changes: Doc<Vec<StateChange>>,
}

pub async fn insert_log(conn: &mut AsyncPgConnection, new: &NewLogRow<'_>) -> QueryResult<usize> {
    diesel::insert_into(tournament_log::table).values(new).execute(conn).await
}

/// What the steps say with which stages followed others, the latest first.
pub async fn list_next_stages(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Vec<Value>> {
    tournament_log::table
        .filter(tournament_log::tournament_id.eq(id))
        .filter(tournament_log::action.eq("tournament.next_stage"))
        .order(tournament_log::revision.desc())
        .select(tournament_log::details)
        .load(conn)
        .await
}

/// All steps, the first first.
pub async fn list_log(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Vec<LogRow>> {
    list_log_after(conn, id, 0).await
}

/// The steps that led to later revisions than this, the first first.
pub async fn list_log_after(conn: &mut AsyncPgConnection, id: TournamentId, revision: i64) -> QueryResult<Vec<LogRow>> {
    let actors = players::table.on(tournament_log::actor.eq(players::id.nullable()).and(players::deleted_at.is_null()));
    tournament_log::table
        .left_join(actors)
        .filter(tournament_log::tournament_id.eq(id))
        .filter(tournament_log::revision.gt(revision))
        .order(tournament_log::revision)
        .select((
            tournament_log::revision,
            tournament_log::at,
            tournament_log::actor,
            players::display_name.nullable(),
            tournament_log::action,
            tournament_log::details,
            tournament_log::changes,
        ))
        .load(conn)
        .await
}
