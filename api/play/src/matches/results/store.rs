//! Rows and queries of results that were written down.

use std::collections::HashMap;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::Bool;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;
use uuid::Uuid;

use super::{ResultStatus, Writer};
use crate::matches::{MatchRow, Status};
use crate::players::PlayerCard;
use base::db::fixed;
use base::ids::{MatchId, PlayerId};
use base::schema::{match_results, matches, players};
use base::world::World;

/// In the very words of its index.
const OPEN: &str = "match_results.status IN ('reported', 'disputed')";

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = match_results, check_for_backend(Pg))]
pub struct ResultRow {
    pub id: Uuid,
    pub match_id: MatchId,
    /// Counts within the match.
    pub number: i32,
    pub outcome: Value,
    pub status: ResultStatus,
    pub reported_by: PlayerId,
    pub by_staff: bool,
    pub reason: Option<String>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    pub confirmed_by: Option<PlayerId>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub confirmed_at: Option<Timestamp>,
}

impl ResultRow {
    pub fn is_open(&self) -> bool {
        match self.status {
            ResultStatus::Reported | ResultStatus::Disputed => true,
            ResultStatus::Confirmed | ResultStatus::Replaced => false,
        }
    }
}

#[derive(Insertable)]
#[diesel(table_name = match_results)]
pub struct NewResult<'a> {
    id: Uuid,
    match_id: MatchId,
    number: i32,
    outcome: Value,
    status: ResultStatus,
    reported_by: PlayerId,
    by_staff: bool,
    reason: Option<&'a str>,
    created_at: SqlTimestamp,
    confirmed_by: Option<PlayerId>,
    confirmed_at: Option<SqlTimestamp>,
}

impl<'a> NewResult<'a> {
    /// The next after those that were written. What counts at once is confirmed by its writer.
    pub(super) fn of(
        world: &World,
        match_id: MatchId,
        written: &[ResultRow],
        writer: Writer<'a>,
        outcome: Value,
        status: ResultStatus,
    ) -> Self {
        let now = SqlTimestamp::from(world.now());
        let counts = status == ResultStatus::Confirmed;
        Self {
            id: world.uuid(),
            match_id,
            number: written.iter().map(|it| it.number).max().unwrap_or(0) + 1,
            outcome,
            status,
            reported_by: writer.id,
            by_staff: writer.by_staff.is_some(),
            reason: writer.by_staff.flatten(),
            created_at: now,
            confirmed_by: counts.then_some(writer.id),
            confirmed_at: counts.then_some(now),
        }
    }
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &NewResult<'_>) -> QueryResult<usize> {
    diesel::insert_into(match_results::table).values(new).execute(conn).await
}

/// All that was written down of this match, the first first.
pub async fn list(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Vec<ResultRow>> {
    let written = match_results::table.filter(match_results::match_id.eq(id)).order(match_results::number);
    written.select(ResultRow::as_select()).load(conn).await
}

/// Who wrote and who confirmed these.
pub async fn list_people(
    conn: &mut AsyncPgConnection,
    results: &[ResultRow],
) -> QueryResult<HashMap<PlayerId, PlayerCard>> {
    let ids: Vec<PlayerId> = results.iter().flat_map(|it| [Some(it.reported_by), it.confirmed_by]).flatten().collect();
    let people = players::table.filter(players::id.eq_any(ids));
    let people: Vec<(PlayerId, String, bool)> =
        people.select((players::id, players::display_name, players::deleted_at.is_not_null())).load(conn).await?;
    let card = |(id, display_name, deleted)| (id, PlayerCard { id, display_name, deleted });
    Ok(people.into_iter().map(card).collect())
}

/// What this player wrote down or confirmed of these matches.
pub async fn list_of(conn: &mut AsyncPgConnection, player: PlayerId, ids: &[MatchId]) -> QueryResult<Vec<ResultRow>> {
    let theirs = match_results::reported_by.eq(player).or(match_results::confirmed_by.assume_not_null().eq(player));
    let of_these = match_results::table.filter(match_results::match_id.eq_any(ids)).filter(theirs);
    of_these.select(ResultRow::as_select()).order((match_results::match_id, match_results::number)).load(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: MatchId, number: i32) -> QueryResult<Option<ResultRow>> {
    let found = match_results::table.filter(match_results::match_id.eq(id)).filter(match_results::number.eq(number));
    found.select(ResultRow::as_select()).first(conn).await.optional()
}

/// How what players reported of these matches waits for another's word: disputed if any two differ.
pub async fn list_reports(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<(MatchId, ResultStatus)>> {
    let open = match_results::table.filter(match_results::match_id.eq_any(ids)).filter(fixed::<Bool>(OPEN));
    let reports: Vec<(MatchId, ResultStatus)> =
        open.select((match_results::match_id, match_results::status)).load(conn).await?;
    let disputed = |it: &(MatchId, ResultStatus)| it.1 == ResultStatus::Disputed;
    let (disputed, reported): (Vec<_>, Vec<_>) = reports.into_iter().partition(disputed);
    // The later of two counts where they are put into a map.
    Ok(reported.into_iter().chain(disputed).collect())
}

/// Results that wait for another player's word or for staff, with their matches: those after this one, the oldest first.
pub async fn list_open(
    conn: &mut AsyncPgConnection,
    after: Option<Uuid>,
    limit: i64,
) -> QueryResult<Vec<(ResultRow, MatchRow)>> {
    match_results::table
        .inner_join(matches::table)
        .filter(fixed::<Bool>(OPEN))
        .filter(match_results::id.gt(after.unwrap_or_default()))
        // Of a match that was called off nobody waits for a result.
        .filter(matches::status.eq(Status::Running))
        .order(match_results::id)
        .limit(limit)
        .select((ResultRow::as_select(), MatchRow::as_select()))
        .load(conn)
        .await
}

pub async fn replace(conn: &mut AsyncPgConnection, ids: &[Uuid]) -> QueryResult<usize> {
    set_status(conn, ids, ResultStatus::Replaced).await
}

pub async fn dispute(conn: &mut AsyncPgConnection, ids: &[Uuid]) -> QueryResult<usize> {
    set_status(conn, ids, ResultStatus::Disputed).await
}

async fn set_status(conn: &mut AsyncPgConnection, ids: &[Uuid], status: ResultStatus) -> QueryResult<usize> {
    if ids.is_empty() {
        return Ok(0);
    }
    let these = match_results::table.filter(match_results::id.eq_any(ids));
    diesel::update(these).set(match_results::status.eq(status)).execute(conn).await
}

pub async fn confirm(conn: &mut AsyncPgConnection, id: Uuid, by: PlayerId, now: Timestamp) -> QueryResult<usize> {
    let confirmed = (
        match_results::status.eq(ResultStatus::Confirmed),
        match_results::confirmed_by.eq(by),
        match_results::confirmed_at.eq(SqlTimestamp::from(now)),
    );
    diesel::update(match_results::table.find(id)).set(confirmed).execute(conn).await
}

/// Of a match that is locked. Gives the news.
pub async fn finish(conn: &mut AsyncPgConnection, id: MatchId, outcome: &Value, at: Timestamp) -> QueryResult<i64> {
    diesel::update(matches::table.find(id))
        .set((
            matches::status.eq(Status::Finished),
            matches::outcome.eq(Some(outcome)),
            matches::finished_at.eq(SqlTimestamp::from(at)),
            matches::change_seq.eq(matches::change_seq + 1),
        ))
        .returning(matches::change_seq)
        .get_result(conn)
        .await
}
