//! The two statements of an accepted move. They stand in files of their own so that the benchmark runs the very same;
//! `diesel::sql_query` would prepare them at each use, a query with a static id is prepared once a connection.

use std::sync::LazyLock;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, Bigint, Bytea, Integer, Json, Jsonb, Nullable, SmallInt, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use super::store::{JsonText, Moved};
use super::{MadeBy, Status};
use crate::ids::{MatchId, PlayerId};

static FIND: LazyLock<Vec<&str>> = LazyLock::new(|| pieces(include_str!("find.sql")));
static PLAY: LazyLock<Vec<&str>> = LazyLock::new(|| pieces(include_str!("play.sql")));

/// A match as its next move needs it, with what is secret in it.
#[derive(Queryable)]
pub struct Found {
    pub game: String,
    pub revision: i32,
    pub status: Status,
    pub version: i32,
    pub decision_since: i32,
    pub resigned: i32,
    pub chance_count: i64,
    pub seed: Vec<u8>,
    pub state: Option<Vec<u8>>,
    /// The asking player's.
    pub seat: Option<i16>,
    pub nonces: Option<Vec<Option<String>>>,
    /// The version that this seat's idempotency key was used for.
    pub played_before: Option<i32>,
}

/// What a move makes of the match that was found.
pub struct Advance<'a> {
    pub id: MatchId,
    pub version: i32,
    pub resigned: i32,
    pub now: Moved<'a>,
    pub seat: i16,
    pub chosen: JsonText,
    pub chance: JsonText,
    pub events: JsonText,
    pub idempotency_key: Option<&'a str>,
    pub made_by: MadeBy,
}

pub async fn find(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: Option<PlayerId>,
    key: Option<&str>,
) -> QueryResult<Option<Found>> {
    Find { key: key.unwrap_or_default(), player, id }.get_result(conn).await.optional()
}

/// Gives the match's new count of news; `None` if it is no longer as it was found.
pub async fn advance(conn: &mut AsyncPgConnection, step: Advance<'_>) -> QueryResult<Option<i64>> {
    step.get_result(conn).await.optional()
}

struct Find<'a> {
    /// Empty if there is none: for NULL PostgreSQL would find a plan of its own, cheaper than the one for all, and would plan
    /// again at each move.
    key: &'a str,
    player: Option<PlayerId>,
    id: MatchId,
}

impl QueryFragment<Pg> for Find<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut sql = FIND.iter();
        let mut text = |out: &mut AstPass<'_, 'b, Pg>| out.push_sql(sql.next().copied().unwrap_or_default());
        text(&mut out);
        out.push_bind_param::<Text, _>(&self.key)?;
        text(&mut out);
        out.push_bind_param::<Nullable<Uuid>, _>(&self.player)?;
        text(&mut out);
        out.push_bind_param::<Uuid, _>(&self.id)?;
        text(&mut out);
        Ok(())
    }
}

impl QueryId for Find<'_> {
    type QueryId = Find<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Find<'_> {
    type SqlType = (
        Text,
        Integer,
        Text,
        Integer,
        Integer,
        Integer,
        Bigint,
        Bytea,
        Nullable<Bytea>,
        Nullable<SmallInt>,
        Nullable<Array<Nullable<Text>>>,
        Nullable<Integer>,
    );
}

impl QueryFragment<Pg> for Advance<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut sql = PLAY.iter();
        macro_rules! bind {
            ($($type:ty: $value:expr),* $(,)?) => {$(
                out.push_sql(sql.next().copied().unwrap_or_default());
                out.push_bind_param::<$type, _>($value)?;
            )*};
        }
        bind!(
            Text: &self.now.status,
            Bytea: &self.now.state,
            Bigint: &self.now.chance_count,
            Integer: &self.now.to_move,
            Integer: &self.now.interrupt,
            Integer: &self.now.decision_since,
            Nullable<Jsonb>: &self.now.outcome,
            Timestamptz: &self.now.moved_at,
            Nullable<Timestamptz>: &self.now.finished_at,
            Uuid: &self.id,
            Integer: &self.version,
            Integer: &self.resigned,
            SmallInt: &self.seat,
            Json: &self.chosen,
            Json: &self.chance,
            Json: &self.events,
            Nullable<Text>: &self.idempotency_key,
            Text: &self.made_by,
        );
        out.push_sql(sql.next().copied().unwrap_or_default());
        Ok(())
    }
}

impl QueryId for Advance<'_> {
    type QueryId = Advance<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Advance<'_> {
    type SqlType = Bigint;
}

/// The text between the placeholders `$1`, `$2` …, each of which stands in it once, in order.
fn pieces(sql: &'static str) -> Vec<&'static str> {
    let mut rest = sql;
    let mut pieces = Vec::new();
    while let Some((before, after)) = rest.split_once(&format!("${}", pieces.len() + 1)) {
        pieces.push(before);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placeholder_stands_once_and_in_order() {
        for (sql, parameters) in [(include_str!("find.sql"), 3), (include_str!("play.sql"), 18)] {
            assert_eq!(pieces(sql).len(), parameters + 1);
            assert_eq!(sql.matches('$').count(), parameters);
        }
    }
}
