//! Rows and queries of the audit log and of its chain.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Bytea, Nullable, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;
use uuid::Uuid;

use super::chain::Head;
use crate::db::{fixed, statement};
use crate::schema::{audit_chain, audit_log, players, tables, variants};

/// Which lines are asked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub actor: Option<Uuid>,
    /// Any of these; of every action, if there are none.
    pub actions: Vec<String>,
    pub subject: Option<String>,
    pub subject_id: Option<Uuid>,
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
    /// Those older than this line.
    pub before: Option<i64>,
}

/// A line as the log holds it.
#[derive(Queryable)]
pub struct LineRow {
    pub id: i64,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    pub actor: Option<Uuid>,
    /// None when no account did it, or the account is gone.
    pub actor_name: Option<String>,
    pub action: String,
    pub subject: String,
    pub subject_id: Option<Uuid>,
    pub details: Value,
    pub link: Option<Link>,
}

/// Its place in the chain.
#[derive(Clone, Queryable, QueryableByName)]
pub struct Link {
    #[diesel(sql_type = BigInt)]
    pub n: i64,
    #[diesel(sql_type = Bytea)]
    pub previous: Vec<u8>,
    #[diesel(sql_type = Bytea)]
    pub hash: Vec<u8>,
    /// What was hashed, as the line is now. None if the line is gone.
    #[diesel(sql_type = Nullable<Text>)]
    pub content: Option<String>,
}

/// The latest lines that fit, the latest first.
pub async fn list(conn: &mut AsyncPgConnection, filter: &Filter, limit: i64) -> QueryResult<Vec<LineRow>> {
    let content = || fixed::<Nullable<Text>>("audit_content(audit_chain.n, audit_log)");
    let mut lines = audit_log::table
        .left_join(audit_chain::table)
        .left_join(players::table.on(players::id.nullable().eq(audit_log::actor)))
        .select((
            audit_log::id,
            audit_log::at,
            audit_log::actor,
            players::display_name.nullable(),
            audit_log::action,
            audit_log::subject,
            audit_log::subject_id,
            audit_log::details,
            (audit_chain::n, audit_chain::previous, audit_chain::hash, content()).nullable(),
        ))
        .order(audit_log::id.desc())
        .limit(limit)
        .into_boxed();
    if let Some(actor) = filter.actor {
        lines = lines.filter(audit_log::actor.eq(actor));
    }
    if !filter.actions.is_empty() {
        lines = lines.filter(audit_log::action.eq_any(filter.actions.clone()));
    }
    if let Some(subject) = &filter.subject {
        lines = lines.filter(audit_log::subject.eq(subject.clone()));
    }
    if let Some(id) = filter.subject_id {
        lines = lines.filter(audit_log::subject_id.eq(id));
    }
    if let Some(from) = filter.from {
        lines = lines.filter(audit_log::at.ge(SqlTimestamp::from(from.max(Timestamp::UNIX_EPOCH))));
    }
    if let Some(until) = filter.until {
        lines = lines.filter(audit_log::at.lt(SqlTimestamp::from(until.max(Timestamp::UNIX_EPOCH))));
    }
    if let Some(before) = filter.before {
        lines = lines.filter(audit_log::id.lt(before));
    }
    lines.load(conn).await
}

/// The links after this one, in order, with what they should be the hash of.
pub async fn list_links(conn: &mut AsyncPgConnection, after: i64, limit: i64) -> QueryResult<Vec<Link>> {
    const LINKS: &str = "SELECT c.n, c.previous, c.hash, CASE WHEN l.id IS NOT NULL THEN audit_content(c.n, l) END AS content \
                         FROM audit_chain c LEFT JOIN audit_log l ON l.id = c.line WHERE c.n > $1 ORDER BY c.n LIMIT $2";
    statement(LINKS).bind::<BigInt, _>(after).bind::<BigInt, _>(limit).load(conn).await
}

/// The last link. None before the first line.
pub async fn head(conn: &mut AsyncPgConnection) -> QueryResult<Option<Head>> {
    let last = audit_chain::table.order(audit_chain::n.desc()).select((audit_chain::n, audit_chain::hash));
    let found: Option<(i64, Vec<u8>)> = last.first(conn).await.optional()?;
    Ok(found.and_then(|(n, hash)| Some(Head { n, hash: hash.try_into().ok()? })))
}

/// Whether this link is in the chain, where it was.
pub async fn has_head(conn: &mut AsyncPgConnection, head: &Head) -> QueryResult<bool> {
    let link = audit_chain::table.find(head.n).filter(audit_chain::hash.eq(head.hash.as_slice()));
    diesel::select(diesel::dsl::exists(link)).get_result(conn).await
}

/// Whether a link has this hash.
pub async fn has_link(conn: &mut AsyncPgConnection, hash: &[u8]) -> QueryResult<bool> {
    diesel::select(diesel::dsl::exists(audit_chain::table.filter(audit_chain::hash.eq(hash)))).get_result(conn).await
}

/// How many lines are in no chain.
pub async fn count_loose(conn: &mut AsyncPgConnection) -> QueryResult<i64> {
    let chained = audit_chain::table.filter(audit_chain::line.eq(audit_log::id));
    audit_log::table.filter(diesel::dsl::not(diesel::dsl::exists(chained))).count().get_result(conn).await
}

/// Everybody who works here or whom the log knows from when they did.
pub async fn list_actors(conn: &mut AsyncPgConnection) -> QueryResult<Vec<(Uuid, String)>> {
    // Jumps along the index from one actor to the next: as many steps as there are actors, however long the log.
    const ACTORS: &str = "WITH RECURSIVE known AS ( \
            (SELECT actor FROM audit_log WHERE actor IS NOT NULL ORDER BY actor LIMIT 1) \
            UNION ALL \
            SELECT (SELECT l.actor FROM audit_log l WHERE l.actor > k.actor ORDER BY l.actor LIMIT 1) \
            FROM known k WHERE k.actor IS NOT NULL \
        ) SELECT p.id, p.display_name FROM known k JOIN players p ON p.id = k.actor ORDER BY p.display_name, p.id LIMIT 500";
    #[derive(QueryableByName)]
    struct Actor {
        #[diesel(sql_type = diesel::sql_types::Uuid)]
        id: Uuid,
        #[diesel(sql_type = Text)]
        display_name: String,
    }
    let actors: Vec<Actor> = statement(ACTORS).load(conn).await?;
    Ok(actors.into_iter().map(|actor| (actor.id, actor.display_name)).collect())
}

/// What those things are called that have names.
pub async fn names(conn: &mut AsyncPgConnection, lines: &[LineRow]) -> QueryResult<HashMap<Uuid, String>> {
    let of = |subject: &str| -> Vec<Uuid> {
        lines.iter().filter(|line| line.subject == subject).filter_map(|line| line.subject_id).collect()
    };
    let (people, furniture, rules) = (of("player"), of("table"), of("variant"));
    let mut names = HashMap::new();
    if !people.is_empty() {
        let found = players::table.filter(players::id.eq_any(people)).select((players::id, players::display_name));
        names.extend(found.load::<(Uuid, String)>(conn).await?);
    }
    if !furniture.is_empty() {
        let found = tables::table.filter(tables::id.eq_any(furniture)).select((tables::id, tables::name));
        names.extend(found.load::<(Uuid, String)>(conn).await?);
    }
    if !rules.is_empty() {
        let found = variants::table.filter(variants::id.eq_any(rules)).select((variants::id, variants::name));
        names.extend(found.load::<(Uuid, String)>(conn).await?);
    }
    Ok(names)
}
