//! What of all tournaments needs a person.

use diesel::QueryableByName;
use diesel::result::QueryResult;
use diesel::sql_types::{Nullable, SmallInt, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use base::db::statement;
use base::ids::{TableId, TournamentId};

#[derive(QueryableByName)]
pub struct AttentionRow {
    #[diesel(sql_type = Uuid)]
    pub id: TournamentId,
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Text)]
    pub cause: String,
    #[diesel(sql_type = Nullable<SmallInt>)]
    pub round: Option<i16>,
    #[diesel(sql_type = Nullable<Uuid>)]
    pub table_id: Option<TableId>,
    #[diesel(sql_type = Timestamptz)]
    pub since: SqlTimestamp,
}

/// Read from those that are open; the longest first.
pub async fn list_attention(conn: &mut AsyncPgConnection, now: Timestamp) -> QueryResult<Vec<AttentionRow>> {
    statement(include_str!("attention.sql")).bind::<Timestamptz, _>(SqlTimestamp::from(now)).load(conn).await
}
