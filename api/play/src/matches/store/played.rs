//! How the matches of people went: how fast, and who won. Practice with bots is none of them.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Binary, Double, Jsonb, Nullable, SmallInt, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;

use base::db::statement;

/// After fewer matches nothing is said of how fast people are.
const FEWEST: i64 = 5;

#[derive(QueryableByName)]
struct Pace {
    #[diesel(sql_type = BigInt)]
    matches: i64,
    #[diesel(sql_type = Nullable<Double>)]
    seconds: Option<f64>,
}

/// A finished match.
#[derive(Debug, QueryableByName)]
pub struct PlayedRow {
    #[diesel(sql_type = Double)]
    pub seconds: f64,
    #[diesel(sql_type = Nullable<Jsonb>)]
    pub outcome: Option<Value>,
    /// Who was the first to be asked alone; none where all choose at once, and until the match is in the statistics.
    #[diesel(sql_type = Nullable<SmallInt>)]
    pub first: Option<i16>,
    /// By seat, what it played; none where seats have no roles, and until the match is in the statistics.
    #[diesel(sql_type = Nullable<Array<Nullable<Text>>>)]
    pub roles: Option<Vec<Option<String>>>,
}

impl PlayedRow {
    /// The seats with the best rank.
    pub fn winners(&self) -> Vec<usize> {
        let ranks = self.outcome.as_ref().and_then(|it| it["ranks"].as_array());
        let best = |(seat, rank): (usize, &Value)| (rank.as_u64() == Some(1)).then_some(seat);
        ranks.into_iter().flatten().enumerate().filter_map(best).collect()
    }
}

/// Seconds per move in the latest matches of the game: what half of them had at most.
pub async fn pace(conn: &mut AsyncPgConnection, game: &str) -> QueryResult<Option<f64>> {
    let query = statement(
        "SELECT count(*) AS matches, percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS seconds FROM ( \
           SELECT extract(epoch FROM finished_at - started_at)::double precision / version AS seconds FROM matches \
           WHERE game = $1 AND status = 'finished' AND mode = 'played' AND version > 0 \
             AND NOT EXISTS (SELECT FROM match_seats WHERE match_id = matches.id AND bot IS NOT NULL) \
           ORDER BY finished_at DESC LIMIT 50) AS latest",
    );
    let found: Pace = query.bind::<Text, _>(game).get_result(conn).await?;
    Ok(found.seconds.filter(|_| found.matches >= FEWEST))
}

/// The latest finished matches by the same rules with as many seats.
pub async fn list_played(
    conn: &mut AsyncPgConnection,
    variant_hash: &[u8],
    seats: i16,
    limit: i64,
) -> QueryResult<Vec<PlayedRow>> {
    let query = statement(
        "SELECT extract(epoch FROM finished_at - started_at)::double precision AS seconds, outcome, first_seat AS first, roles \
         FROM matches LEFT JOIN match_analyses ON match_id = id \
         WHERE variant_hash = $1 AND seat_count = $2 AND status = 'finished' AND mode = 'played' \
           AND NOT EXISTS (SELECT FROM match_seats s WHERE s.match_id = matches.id AND bot IS NOT NULL) \
         ORDER BY finished_at DESC LIMIT $3",
    );
    query.bind::<Binary, _>(variant_hash).bind::<SmallInt, _>(seats).bind::<BigInt, _>(limit).load(conn).await
}
