//! The statements of an accepted move. They stand in files of their own so that the benchmark runs the very same.

use std::sync::LazyLock;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{DatabaseErrorKind, Error, QueryResult};
use diesel::sql_types::{Array, Bigint, Bytea, Integer, Json, Jsonb, Nullable, SmallInt, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;

use super::store::{JsonText, Moved};
use super::{MadeBy, Status};
use base::db::split_at_parameter;
use base::ids::{MatchId, PlayerId};

static FIND: LazyLock<Vec<&str>> = LazyLock::new(|| pieces(include_str!("find.sql")));
static PLAY_MANY: LazyLock<Vec<&str>> = LazyLock::new(|| pieces(include_str!("play_many.sql")));
static PLAY: LazyLock<Vec<&str>> = LazyLock::new(|| pieces(include_str!("play.sql")));

/// A match as its next move needs it, with what is secret in it.
#[derive(Queryable)]
pub struct Found {
    pub game: String,
    pub revision: i32,
    pub status: Status,
    pub version: i32,
    pub news: i64,
    pub moved_at: Option<SqlTimestamp>,
    pub decision_since: i32,
    pub resigned: i32,
    pub chance_count: i64,
    pub seed: Vec<u8>,
    pub state: Option<Vec<u8>>,
    /// The asking player's.
    pub seat: Option<i16>,
    /// Who plays for each seat that is taken; none for bots.
    pub holders: Option<Vec<Option<PlayerId>>>,
    pub nonces: Option<Vec<Option<String>>>,
    /// The version that this seat's idempotency key was used for.
    pub played_before: Option<i32>,
}

/// What a move makes of a match, if the match is still as it was.
#[derive(Debug)]
pub struct Advance {
    pub id: MatchId,
    pub version: i32,
    pub news: i64,
    pub moved_at: SqlTimestamp,
    pub resigned: i32,
    pub now: Moved,
    pub seat: i16,
    pub chosen: JsonText,
    pub chance: JsonText,
    pub events: JsonText,
    /// Empty if there is none: for NULL PostgreSQL would find a plan of its own, cheaper than the one for all, and would plan again
    /// at each move.
    pub idempotency_key: String,
    pub made_by: MadeBy,
}

pub async fn find(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: Option<PlayerId>,
    key: Option<&str>,
) -> QueryResult<Option<Found>> {
    Find { id, key: key.unwrap_or_default(), player }.get_result(conn).await.optional()
}

/// Gives the match's new count of news; `None` if it is no longer as it was found, or the key was used before. Waits for those who
/// hold the match.
pub async fn advance(conn: &mut AsyncPgConnection, step: &Advance) -> QueryResult<Option<i64>> {
    match Play(step).get_result(conn).await.optional() {
        Err(err) if was_used_before(&err) => Ok(None),
        moved => moved,
    }
}

/// Each partition of the log has an index of its own for keys, with a name of its own.
fn was_used_before(err: &Error) -> bool {
    let Error::DatabaseError(DatabaseErrorKind::UniqueViolation, told) = err else { return false };
    told.constraint_name().is_some_and(|name| name.starts_with("match_log_") && name.contains("idempotency_key"))
}

/// The same for many matches, of which none may be there twice. Those that somebody else holds stay as they are. Gives the matches
/// that were moved and their counts of news.
pub async fn advance_many(conn: &mut AsyncPgConnection, steps: &[&Advance]) -> QueryResult<Vec<(MatchId, i64)>> {
    PlayMany::of(steps).get_results(conn).await
}

struct Find<'a> {
    id: MatchId,
    /// Empty if there is none, as in [`Advance`].
    key: &'a str,
    player: Option<PlayerId>,
}

impl QueryFragment<Pg> for Find<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let mut sql = FIND.iter();
        let mut text = |out: &mut AstPass<'_, 'b, Pg>| out.push_sql(sql.next().copied().unwrap_or_default());
        text(&mut out);
        out.push_bind_param::<Uuid, _>(&self.id)?;
        text(&mut out);
        out.push_bind_param::<Text, _>(&self.key)?;
        text(&mut out);
        out.push_bind_param::<Nullable<Uuid>, _>(&self.player)?;
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
        Bigint,
        Nullable<Timestamptz>,
        Integer,
        Integer,
        Bigint,
        Bytea,
        Nullable<Bytea>,
        Nullable<SmallInt>,
        Nullable<Array<Nullable<Uuid>>>,
        Nullable<Array<Nullable<Text>>>,
        Nullable<Integer>,
    );
}

struct Play<'a>(&'a Advance);

/// The parameters of `play.sql`, and as arrays those of `play_many.sql`.
macro_rules! parameters {
    ($($name:ident: $of:ty as $sql:ty = $($field:ident).+;)*) => {
        impl QueryFragment<Pg> for Play<'_> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                let mut sql = PLAY.iter();
                $(
                    out.push_sql(sql.next().copied().unwrap_or_default());
                    out.push_bind_param::<$sql, _>(&self.0.$($field).+)?;
                )*
                out.push_sql(sql.next().copied().unwrap_or_default());
                Ok(())
            }
        }

        struct PlayMany<'a> {
            $($name: Vec<&'a $of>,)*
        }

        impl<'a> PlayMany<'a> {
            fn of(steps: &[&'a Advance]) -> Self {
                Self { $($name: steps.iter().map(|step| &step.$($field).+).collect(),)* }
            }
        }

        impl QueryFragment<Pg> for PlayMany<'_> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                let mut sql = PLAY_MANY.iter();
                $(
                    out.push_sql(sql.next().copied().unwrap_or_default());
                    out.push_bind_param::<Array<$sql>, _>(&self.$name)?;
                )*
                out.push_sql(sql.next().copied().unwrap_or_default());
                Ok(())
            }
        }
    };
}

parameters! {
    status: Status as Text = now.status;
    state: Vec<u8> as Bytea = now.state;
    chance_count: i64 as Bigint = now.chance_count;
    to_move: i32 as Integer = now.to_move;
    interrupt: i32 as Integer = now.interrupt;
    decision_since: i32 as Integer = now.decision_since;
    outcome: Option<Value> as Nullable<Jsonb> = now.outcome;
    moved_at: SqlTimestamp as Timestamptz = now.moved_at;
    finished_at: Option<SqlTimestamp> as Nullable<Timestamptz> = now.finished_at;
    id: MatchId as Uuid = id;
    version: i32 as Integer = version;
    news: i64 as Bigint = news;
    found_moved_at: SqlTimestamp as Timestamptz = moved_at;
    resigned: i32 as Integer = resigned;
    seat: i16 as SmallInt = seat;
    idempotency_key: String as Text = idempotency_key;
    chosen: JsonText as Json = chosen;
    chance: JsonText as Json = chance;
    events: JsonText as Json = events;
    made_by: MadeBy as Text = made_by;
}

impl QueryId for Play<'_> {
    type QueryId = Play<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Play<'_> {
    type SqlType = Bigint;
}

impl QueryId for PlayMany<'_> {
    type QueryId = PlayMany<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for PlayMany<'_> {
    type SqlType = (Uuid, Bigint);
}

/// The text between the placeholders `$1`, `$2` …, which first stand in it in this order.
fn pieces(sql: &'static str) -> Vec<&'static str> {
    let mut rest = sql;
    let mut pieces = Vec::new();
    while let Some((before, after)) = split_at_parameter(rest, pieces.len() + 1) {
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
    fn every_placeholder_first_stands_in_order() {
        for (sql, parameters) in
            [(include_str!("find.sql"), 3), (include_str!("play.sql"), 20), (include_str!("play_many.sql"), 20)]
        {
            assert_eq!(pieces(sql).len(), parameters + 1);
            assert!(split_at_parameter(sql, parameters + 1).is_none());
        }
    }
}
