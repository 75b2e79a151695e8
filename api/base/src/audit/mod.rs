//! The record of what staff did that others may ask about later. Lines are added and never changed, and each is chained
//! to the one before it (`chain`).

pub mod chain;
pub mod store;

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::{Actor, StaffContext, can};
use crate::error::Result;
use crate::ids::{PlayerId, hex};
use crate::schema::audit_log;
use crate::world::World;

/// What was done to what. `details` hold no secret and no hidden thing.
#[derive(Debug)]
pub struct Entry<'a> {
    /// None when the command line or the set-up page did it.
    pub actor: Option<PlayerId>,
    /// A word or two, as in `staff.add`, `match.reveal`.
    pub action: &'a str,
    /// The kind of thing, as in `player`, `match`.
    pub subject: &'a str,
    pub subject_id: Option<Uuid>,
    pub details: Value,
}

/// Writes a line. In the transaction of the action itself, so that neither is without the other.
pub async fn record(conn: &mut AsyncPgConnection, world: &World, entry: Entry<'_>) -> QueryResult<()> {
    let line = (
        audit_log::at.eq(SqlTimestamp::from(world.now())),
        audit_log::actor.eq(entry.actor.map(|actor| actor.0)),
        audit_log::action.eq(entry.action),
        audit_log::subject.eq(entry.subject),
        audit_log::subject_id.eq(entry.subject_id),
        audit_log::details.eq(entry.details),
    );
    diesel::insert_into(audit_log::table).values(line).execute(conn).await?;
    Ok(())
}

/// Recomputes the whole log, and writes down what was found.
pub async fn check(cx: &mut StaffContext<'_, can::ReadAudit>, noted: Option<chain::Head>) -> Result<chain::Check> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let check = chain::check(conn, noted).await?;
    let details = json!({ "whole": check.is_whole(), "links": check.links, "head": hex(&check.head) });
    let entry = Entry { actor: Some(staff.id), action: "audit.check", subject: "audit", subject_id: None, details };
    record(conn, world, entry).await?;
    Ok(check)
}

/// Whether one of these people ever did this to one of these players, in a line whose details hold all of these.
pub async fn has_done(
    conn: &mut AsyncPgConnection,
    actors: &[PlayerId],
    action: &str,
    players: &[PlayerId],
    details: Value,
) -> QueryResult<bool> {
    let lines = audit_log::table
        .filter(audit_log::subject.eq("player"))
        .filter(audit_log::subject_id.eq_any(players.iter().map(|it| it.0)))
        .filter(audit_log::action.eq(action))
        .filter(audit_log::actor.eq_any(actors.iter().map(|it| it.0)))
        .filter(audit_log::details.contains(details));
    diesel::select(diesel::dsl::exists(lines)).get_result(conn).await
}

/// A line that tells of one player: done to them, or by them.
#[derive(Debug, Queryable, Serialize, ToSchema)]
#[schema(as = AuditLine)]
pub struct Line {
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    #[schema(example = "player.ban")]
    pub action: String,
    pub subject: String,
    pub subject_id: Option<Uuid>,
    /// Empty for the caller where the line is about somebody or something else.
    #[schema(value_type = Object)]
    pub details: Value,
}

/// The latest lines about this player and of what they did themselves.
pub async fn list_of(conn: &mut AsyncPgConnection, player: PlayerId, limit: i64) -> QueryResult<Vec<Line>> {
    let about = audit_log::subject.eq("player").and(audit_log::subject_id.eq(player.0));
    audit_log::table
        .filter(about.or(audit_log::actor.eq(player.0)).assume_not_null())
        .order(audit_log::id.desc())
        .limit(limit)
        .select((audit_log::at, audit_log::action, audit_log::subject, audit_log::subject_id, audit_log::details))
        .load(conn)
        .await
}

/// The same for the player, whom the details of what was done to others do not concern.
pub async fn list_for(conn: &mut AsyncPgConnection, player: PlayerId, limit: i64) -> QueryResult<Vec<Line>> {
    let mut lines = list_of(conn, player, limit).await?;
    let is_about = |line: &Line| line.subject == "player" && line.subject_id == Some(player.0);
    lines.iter_mut().filter(|line| !is_about(line)).for_each(|line| line.details = json!({}));
    Ok(lines)
}
