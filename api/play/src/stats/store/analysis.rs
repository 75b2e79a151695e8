//! Queries of who began a match, and of what its seats played.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Binary, Date as SqlDate, Integer, Jsonb, SmallInt, Text, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::civil::Date;
use jiff_diesel::Date as DieselDate;
use serde_json::Value;

use crate::logs::{self, LogRow};
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
pub struct OpeningRow {
    pub match_id: MatchId,
    /// None of what was set up.
    pub seat: Option<i16>,
    pub chosen: Option<Value>,
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

/// How these matches began: what was set up, and as many moves as they have seats. A match that cannot be read is left out.
pub async fn list_openings(conn: &mut AsyncPgConnection, of: &[UnanalysedRow]) -> QueryResult<Vec<OpeningRow>> {
    let ids: Vec<MatchId> = of.iter().map(|it| it.id).collect();
    let seats: HashMap<MatchId, i16> = of.iter().map(|it| (it.id, it.seat_count)).collect();
    let most = seats.values().copied().max().unwrap_or(0);
    let log = logs::read_beginnings(conn, &ids, i32::from(most)).await?.into_iter();
    let opening = log.filter(|(id, row)| seats.get(id).is_some_and(|seats| row.version <= i32::from(*seats)));
    let (mut rows, mut unreadable) = (Vec::new(), HashSet::new());
    for (match_id, row) in opening {
        match read(match_id, &row) {
            Ok(row) => rows.push(row),
            Err(error) => {
                tracing::error!(%match_id, %error, "reading how a match began failed: it counts without");
                unreadable.insert(match_id);
            }
        }
    }
    rows.retain(|row| !unreadable.contains(&row.match_id));
    Ok(rows)
}

fn read(match_id: MatchId, row: &LogRow) -> serde_json::Result<OpeningRow> {
    let chosen = row.chosen.as_ref().map(|it| serde_json::from_str(it.0.get())).transpose()?;
    Ok(OpeningRow { match_id, seat: row.seat, chosen, chance: serde_json::from_str(row.chance.0.get())? })
}

pub async fn insert(conn: &mut AsyncPgConnection, rows: &[AnalysisRow]) -> QueryResult<usize> {
    diesel::insert_into(base::schema::match_analyses::table).values(rows).execute(conn).await
}
