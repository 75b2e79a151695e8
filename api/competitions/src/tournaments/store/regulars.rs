//! Who often comes.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use base::db::statement;
use base::ids::{PlayerId, TournamentId};

/// Somebody who often comes.
#[derive(Clone, Debug, QueryableByName)]
pub struct Regular {
    #[diesel(sql_type = Uuid)]
    pub id: PlayerId,
    #[diesel(sql_type = Text)]
    pub display_name: String,
    /// How many tournaments they entered.
    #[diesel(sql_type = BigInt)]
    pub tournaments: i64,
    /// With how many parties they sat.
    #[diesel(sql_type = BigInt)]
    pub visits: i64,
}

/// Those who came most since then and are not in this tournament, whose names hold the text or fit the pattern.
pub async fn find_regulars(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    (text, pattern): (&str, Option<&str>),
    since: Timestamp,
    limit: i64,
) -> QueryResult<Vec<Regular>> {
    statement(include_str!("regulars.sql"))
        .bind::<Uuid, _>(id)
        .bind::<Timestamptz, _>(SqlTimestamp::from(since))
        .bind::<Text, _>(text)
        .bind::<Nullable<Text>, _>(pattern)
        .bind::<BigInt, _>(limit)
        .load(conn)
        .await
}
