//! Tournaments themselves.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff_diesel::Timestamp as SqlTimestamp;

use super::{NewTournament, TournamentRow};
use crate::tournaments::TournamentStatus;
use base::ids::TournamentId;
use base::names;
use base::schema::tournaments;

/// Which tournaments a list holds.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub status: Option<TournamentStatus>,
    /// Also those that only staff know of: what is drafted, and what is tried out.
    pub with_drafts: bool,
    /// Those made before this one.
    pub before: Option<TournamentId>,
}

/// The latest first.
pub async fn list(conn: &mut AsyncPgConnection, filter: &Filter, limit: i64) -> QueryResult<Vec<TournamentRow>> {
    let mut query =
        tournaments::table.select(TournamentRow::as_select()).order(tournaments::id.desc()).limit(limit).into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(tournaments::status.eq(status));
    }
    if !filter.with_drafts {
        query = query.filter(tournaments::status.ne(TournamentStatus::Draft)).filter(tournaments::sandbox.eq(false));
    }
    if let Some(before) = filter.before {
        query = query.filter(tournaments::id.lt(before));
    }
    query.load(conn).await
}

/// By code, or by a part of their name, the latest first; drafts too.
pub async fn search(
    conn: &mut AsyncPgConnection,
    code: &str,
    text: &str,
    limit: i64,
) -> QueryResult<Vec<TournamentRow>> {
    let is_it = names::column_holds("tournaments.name", text).or(tournaments::code.eq(code));
    let found = tournaments::table.filter(is_it).order(tournaments::id.desc());
    found.limit(limit).select(TournamentRow::as_select()).load(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Option<TournamentRow>> {
    tournaments::table.find(id).select(TournamentRow::as_select()).first(conn).await.optional()
}

pub async fn find_id_by_code(conn: &mut AsyncPgConnection, code: &str) -> QueryResult<Option<TournamentId>> {
    tournaments::table.filter(tournaments::code.eq(code)).select(tournaments::id).first(conn).await.optional()
}

/// Until the transaction ends nobody else changes the tournament or anything that is its own. A match that ends meanwhile
/// can say so.
pub async fn lock(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Option<TournamentRow>> {
    tournaments::table.find(id).select(TournamentRow::as_select()).for_no_key_update().first(conn).await.optional()
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &NewTournament<'_>) -> QueryResult<usize> {
    diesel::insert_into(tournaments::table).values(new).execute(conn).await
}

/// What of it may change, as it is now. Of a tournament that is locked.
pub async fn write(conn: &mut AsyncPgConnection, now: &TournamentRow) -> QueryResult<usize> {
    diesel::update(tournaments::table.find(now.id))
        .set((
            tournaments::name.eq(&now.name),
            tournaments::game.eq(&now.game),
            tournaments::title.eq(&now.title),
            tournaments::mode.eq(now.mode),
            tournaments::options.eq(&now.options),
            tournaments::variant_id.eq(now.variant_id),
            tournaments::variant_version.eq(now.variant_version),
            tournaments::turn_seconds.eq(now.turn_seconds),
            tournaments::stages.eq(&now.stages),
            tournaments::most_entrants.eq(now.most_entrants),
            tournaments::late_until_round.eq(now.late_until_round),
            tournaments::round_minutes.eq(now.round_minutes),
            tournaments::table_ids.eq(&now.table_ids),
            tournaments::starts_at.eq(now.starts_at.map(SqlTimestamp::from)),
            tournaments::check_in_until.eq(now.check_in_until.map(SqlTimestamp::from)),
            tournaments::seeding.eq(now.seeding),
            tournaments::team_size.eq(now.team_size),
            tournaments::rulings.eq(&now.rulings),
            tournaments::entry.eq(now.entry),
            tournaments::entry_code.eq(&now.entry_code),
        ))
        .execute(conn)
        .await
}

/// Where it is in its life, and that something happened. Of a tournament that is locked.
pub async fn bump_revision(conn: &mut AsyncPgConnection, now: &TournamentRow) -> QueryResult<usize> {
    diesel::update(tournaments::table.find(now.id))
        .set((
            tournaments::status.eq(now.status),
            tournaments::stage.eq(now.stage),
            tournaments::seeding.eq(now.seeding),
            tournaments::started_at.eq(now.started_at.map(SqlTimestamp::from)),
            tournaments::over_at.eq(now.over_at.map(SqlTimestamp::from)),
            tournaments::revision.eq(now.revision),
        ))
        .execute(conn)
        .await
}
