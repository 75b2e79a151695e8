//! What happened at a table: who sat there, what they played and called for, and what staff did there. All ids sort by time, so
//! that one cursor goes through all of it.

use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel::{QueryResult, QueryableByName};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use uuid::Uuid;

use super::TableId;
use base::db::statement;
use base::text::Lang;

/// Something that happened at a table.
#[derive(Debug, QueryableByName)]
pub struct Past {
    #[diesel(sql_type = SqlUuid)]
    pub id: Uuid,
    #[diesel(sql_type = Text)]
    pub kind: String,
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    pub until: Option<Timestamp>,
    /// The game, the reason of a call, or what staff did.
    #[diesel(sql_type = Text)]
    pub word: String,
    #[diesel(sql_type = Nullable<Text>)]
    pub status: Option<String>,
    /// How many people, or seats.
    #[diesel(sql_type = Nullable<Integer>)]
    pub number: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    pub code: Option<String>,
    /// Whose box it was about.
    #[diesel(sql_type = Nullable<Text>)]
    pub title: Option<String>,
    #[diesel(sql_type = Bool)]
    pub undone: bool,
    #[diesel(sql_type = Nullable<Text>)]
    pub who: Option<String>,
    #[diesel(sql_type = Bool)]
    pub gone: bool,
    /// Where a party went, or came from.
    #[diesel(sql_type = Nullable<Text>)]
    pub went_to: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    pub came_from: Option<String>,
}

/// Those before this one, the latest first.
pub async fn list(
    conn: &mut AsyncPgConnection,
    id: TableId,
    lang: Lang,
    before: Uuid,
    limit: i64,
) -> QueryResult<Vec<Past>> {
    let past = statement(include_str!("history.sql")).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(before);
    past.bind::<BigInt, _>(limit).bind::<Text, _>(lang.code()).load(conn).await
}

impl Past {
    pub fn icon(&self) -> &'static str {
        match self.kind.as_str() {
            "sitting" => "people",
            "match" => "matches",
            "call" => "bell",
            _ => "edit",
        }
    }
}
