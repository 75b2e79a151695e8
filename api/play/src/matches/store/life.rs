//! A match from when it is made to when it is over, but for its moves: `statements`.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::Bool;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;

use super::{JsonText, MatchRow, NewLogRow, list::OPEN};
use crate::matches::terms::Terms;
use crate::matches::{MadeBy, Mode, Status};
use base::db::{fixed, kept};
use base::ids::{MatchId, PlayerId, TableId, VariantId};
use base::schema::{match_log, match_terms, matches};

#[derive(Insertable)]
#[diesel(table_name = matches)]
pub struct NewMatch<'a> {
    pub id: MatchId,
    pub code: String,
    pub game: &'a str,
    pub revision: i32,
    pub options: &'a Value,
    pub seat_count: i16,
    pub name: Option<&'a str>,
    pub mode: Mode,
    pub created_by: PlayerId,
    pub table_id: Option<TableId>,
    pub turn_seconds: Option<i32>,
    pub created_at: SqlTimestamp,
    pub seed: &'a [u8],
    pub commitment: &'a [u8],
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    pub variant_hash: &'a [u8],
}

/// None if another match has its code.
pub async fn insert(conn: &mut AsyncPgConnection, new: &NewMatch<'_>) -> QueryResult<Option<MatchRow>> {
    let made = diesel::insert_into(matches::table).values(new).on_conflict(matches::code).do_nothing();
    kept(made.returning(MatchRow::as_returning())).get_result(conn).await.optional()
}

pub async fn insert_terms(conn: &mut AsyncPgConnection, id: MatchId, terms: &Terms) -> QueryResult<usize> {
    diesel::insert_into(match_terms::table).values((match_terms::match_id.eq(id), terms)).execute(conn).await
}

/// A match as it starts.
pub struct Started {
    pub status: Status,
    pub state: Vec<u8>,
    pub chance_count: i64,
    pub to_move: i32,
    pub interrupt: i32,
    /// The seats of bots, for which the autopilot moves from the first decision on.
    pub bots: i32,
    pub outcome: Option<Value>,
    pub chance: JsonText,
    pub events: JsonText,
    pub at: Timestamp,
}

/// Of a match that is locked.
pub async fn start(conn: &AsyncPgConnection, id: MatchId, started: &Started) -> QueryResult<i64> {
    let at = SqlTimestamp::from(started.at);
    let over = (started.status == Status::Finished).then_some(at);
    let set_up = (
        match_log::match_id.eq(id),
        match_log::version.eq(0),
        match_log::chance.eq(&started.chance),
        match_log::events.eq(&started.events),
        match_log::made_by.eq(MadeBy::Server),
        match_log::at.eq(at),
    );
    let running = (
        matches::status.eq(started.status),
        matches::state.eq(&started.state),
        matches::chance_count.eq(started.chance_count),
        matches::to_move.eq(started.to_move),
        matches::interrupt.eq(started.interrupt),
        matches::resigned.eq(started.bots),
        matches::outcome.eq(&started.outcome),
        matches::started_at.eq(at),
        matches::moved_at.eq(at),
        matches::finished_at.eq(over),
        matches::change_seq.eq(matches::change_seq + 1),
    );
    let logged = diesel::insert_into(match_log::table).values(set_up);
    let begun = diesel::update(matches::table.find(id)).set(running).returning(matches::change_seq);
    let (mut first, mut second) = (conn, conn);
    let (_, news) = tokio::try_join!(biased; logged.execute(&mut first), kept(begun).get_result(&mut second))?;
    Ok(news)
}

/// What moves make of a match.
#[derive(Debug, AsChangeset)]
#[diesel(table_name = matches)]
pub struct Moved {
    pub status: Status,
    pub state: Vec<u8>,
    pub chance_count: i64,
    pub to_move: i32,
    pub interrupt: i32,
    pub decision_since: i32,
    pub outcome: Option<Value>,
    pub moved_at: SqlTimestamp,
    pub finished_at: Option<SqlTimestamp>,
}

/// Many moves in a row, of a match that is locked and runs.
pub async fn play_on(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    version: i32,
    log: &[NewLogRow],
    now: &Moved,
) -> QueryResult<i64> {
    // Each row binds eight parameters, of which a statement takes 65 535.
    for rows in log.chunks(4000) {
        diesel::insert_into(match_log::table).values(rows).execute(conn).await?;
    }
    let news = i64::try_from(log.len()).unwrap_or(i64::MAX);
    diesel::update(matches::table.find(id))
        .set((now, matches::version.eq(version), matches::change_seq.eq(matches::change_seq + news)))
        .returning(matches::change_seq)
        .get_result(conn)
        .await
}

/// Of a match that is locked: it is played elsewhere, and written down here.
pub async fn start_scored(conn: &mut AsyncPgConnection, id: MatchId, now: Timestamp) -> QueryResult<i64> {
    let at = SqlTimestamp::from(now);
    diesel::update(matches::table.find(id))
        .set((
            matches::status.eq(Status::Running),
            matches::started_at.eq(at),
            matches::moved_at.eq(at),
            matches::change_seq.eq(matches::change_seq + 1),
        ))
        .returning(matches::change_seq)
        .get_result(conn)
        .await
}

/// It is played at this table, or at none.
pub async fn bring_to(conn: &mut AsyncPgConnection, id: MatchId, table: Option<TableId>) -> QueryResult<i64> {
    let brought = (matches::table_id.eq(table), matches::change_seq.eq(matches::change_seq + 1));
    diesel::update(matches::table.find(id)).set(brought).returning(matches::change_seq).get_result(conn).await
}

/// Of a match that is locked and not over: it ends without an outcome.
pub async fn abort(conn: &mut AsyncPgConnection, id: MatchId, now: Timestamp) -> QueryResult<i64> {
    diesel::update(matches::table.find(id))
        .set((
            matches::status.eq(Status::Aborted),
            matches::finished_at.eq(SqlTimestamp::from(now)),
            matches::to_move.eq(0),
            matches::interrupt.eq(0),
            matches::change_seq.eq(matches::change_seq + 1),
        ))
        .returning(matches::change_seq)
        .get_result(conn)
        .await
}

/// Of a match that is locked and finished: its outcome does not count.
pub async fn void(conn: &mut AsyncPgConnection, id: MatchId, now: Timestamp) -> QueryResult<i64> {
    diesel::update(matches::table.find(id))
        .set((
            matches::status.eq(Status::Aborted),
            matches::outcome.eq(None::<Value>),
            matches::finished_at.eq(SqlTimestamp::from(now)),
            matches::change_seq.eq(matches::change_seq + 1),
        ))
        .returning(matches::change_seq)
        .get_result(conn)
        .await
}

/// Of a match that is locked and was called off before it started: it waits again.
pub async fn reopen(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<i64> {
    diesel::update(matches::table.find(id))
        .set((
            matches::status.eq(Status::Waiting),
            matches::finished_at.eq(None::<SqlTimestamp>),
            matches::change_seq.eq(matches::change_seq + 1),
        ))
        .returning(matches::change_seq)
        .get_result(conn)
        .await
}

/// Ends matches that wait since before `made`, and those that run and in which nobody moved since `moved`: not one whose clock still
/// runs, which stood while no server did.
pub async fn expire(
    conn: &mut AsyncPgConnection,
    made: Timestamp,
    moved: Timestamp,
    now: Timestamp,
) -> QueryResult<Vec<(MatchId, i64)>> {
    let waited = matches::status.eq(Status::Waiting).and(matches::created_at.lt(SqlTimestamp::from(made)));
    let ran =
        matches::status.eq(Status::Running).and(matches::moved_at.assume_not_null().lt(SqlTimestamp::from(moved)));
    // A result that waits for somebody is not forgotten: it is in the queue of the staff.
    let unsettled = fixed::<Bool>(
        "NOT EXISTS (SELECT FROM match_results r WHERE r.match_id = matches.id AND r.status IN ('reported', 'disputed'))",
    );
    let has_time =
        fixed::<Bool>("EXISTS (SELECT FROM match_clocks c WHERE c.match_id = matches.id AND c.deadline > kept_time())");
    let forgotten = matches::table.filter(fixed::<Bool>(OPEN)).filter(waited.or(ran)).filter(unsettled);
    diesel::update(forgotten.filter(diesel::dsl::not(has_time)))
        .set((
            matches::status.eq(Status::Expired),
            matches::finished_at.eq(SqlTimestamp::from(now)),
            matches::to_move.eq(0),
            matches::interrupt.eq(0),
            matches::change_seq.eq(matches::change_seq + 1),
        ))
        .returning((matches::id, matches::change_seq))
        .get_results(conn)
        .await
}
