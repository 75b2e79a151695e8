//! Queries of who began a match, and of what its seats played.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Binary, Date as SqlDate, Integer, Json, Jsonb, Nullable, SmallInt, Text, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::civil::Date;
use jiff_diesel::Date as DieselDate;
use serde_json::Value;

use base::db::statement;
use base::ids::MatchId;

/// A finished match of which it is not known yet.
#[derive(QueryableByName)]
pub struct UnanalysedRow {
    #[diesel(sql_type = Uuid)]
    pub id: MatchId,
    #[diesel(sql_type = Text)]
    pub game: String,
    #[diesel(sql_type = Integer)]
    pub revision: i32,
    #[diesel(sql_type = Jsonb)]
    pub options: Value,
    #[diesel(sql_type = SmallInt)]
    pub seat_count: i16,
    /// What the engine saved at the end.
    #[diesel(sql_type = Binary)]
    pub state: Vec<u8>,
}

/// A step of the beginning of a match.
#[derive(QueryableByName)]
pub struct OpeningRow {
    #[diesel(sql_type = Uuid)]
    pub match_id: MatchId,
    /// None of what was set up.
    #[diesel(sql_type = Nullable<SmallInt>)]
    pub seat: Option<i16>,
    #[diesel(sql_type = Nullable<Json>)]
    pub chosen: Option<Value>,
    #[diesel(sql_type = Json)]
    pub chance: Value,
}

#[derive(Insertable)]
#[diesel(table_name = base::schema::match_analyses)]
pub struct AnalysisRow {
    pub match_id: MatchId,
    pub first_seat: Option<i16>,
    pub roles: Option<Vec<Option<String>>>,
}

/// Some of those that finished on this day at the café.
pub async fn list_unanalysed(
    conn: &mut AsyncPgConnection,
    day: Date,
    zone: &str,
    limit: i64,
) -> QueryResult<Vec<UnanalysedRow>> {
    const UNANALYSED: &str = "\
        SELECT id, game, revision, options, seat_count, state FROM matches \
        WHERE finished_at >= $2::timestamp AT TIME ZONE $1 - interval '3 hours' \
          AND finished_at < ($2 + 1)::timestamp AT TIME ZONE $1 + interval '3 hours' \
          AND (finished_at AT TIME ZONE $1)::date = $2 \
          AND status = 'finished' AND mode = 'played' AND state IS NOT NULL \
          AND NOT EXISTS (SELECT FROM match_analyses WHERE match_id = id) LIMIT $3";
    let unanalysed = statement(UNANALYSED).bind::<Text, _>(zone).bind::<SqlDate, _>(DieselDate::from(day));
    unanalysed.bind::<BigInt, _>(limit).load(conn).await
}

/// How these matches began: what was set up, and as many moves as they have seats.
pub async fn list_openings(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<OpeningRow>> {
    const OPENINGS: &str = "\
        SELECT match_id, seat, move AS chosen, chance FROM match_log JOIN matches ON id = match_id \
        WHERE match_id = ANY ($1) AND match_log.version <= seat_count ORDER BY match_id, match_log.version";
    let ids: Vec<uuid::Uuid> = ids.iter().map(|it| it.0).collect();
    statement(OPENINGS).bind::<Array<Uuid>, _>(ids).load(conn).await
}

pub async fn insert(conn: &mut AsyncPgConnection, rows: &[AnalysisRow]) -> QueryResult<usize> {
    diesel::insert_into(base::schema::match_analyses::table).values(rows).execute(conn).await
}
