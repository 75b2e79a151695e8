//! The record of what staff did that others may ask about later. Lines are added and never changed.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::ids::PlayerId;
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

/// Writes a line. In the transaction of the deed itself, so that neither is without the other.
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
