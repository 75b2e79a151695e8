//! The parties of some days, or of an hour of the week on these days.

use diesel::QueryableByName;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Jsonb, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use super::store::Owed;
use super::{SittingEnd, SittingId};
use base::db::statement;
use base::error::{Error, invalid_query};
use base::ids::TableId;
use base::list::parse_microseconds;
use base::settings::Bill;

/// A party, where it sat and how long.
#[derive(QueryableByName)]
pub struct Party {
    #[diesel(sql_type = SqlUuid)]
    pub id: SittingId,
    #[diesel(sql_type = SqlUuid)]
    pub table_id: TableId,
    /// Of the table.
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = SmallInt)]
    pub party_size: i16,
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    pub opened_at: Timestamp,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    pub closed_at: Option<Timestamp>,
    #[diesel(sql_type = Nullable<Text>)]
    pub ended: Option<String>,
    #[diesel(sql_type = Nullable<Jsonb>, deserialize_as = Option<Value>)]
    pub owed: Owed,
}

/// When a party came, and its id among those that came together: the order of the list.
#[derive(Clone, Copy)]
pub struct Arrival {
    pub at: Timestamp,
    pub id: SittingId,
}

/// Which parties are listed.
pub struct Wanted<'a> {
    /// Spans of time, each from its first moment to its end.
    pub windows: &'a [(Timestamp, Timestamp)],
    /// Only those that came in these spans, not all that were there.
    pub came: bool,
    pub before: Option<Arrival>,
    pub now: Timestamp,
}

/// The latest first.
pub async fn list(conn: &mut AsyncPgConnection, wanted: Wanted<'_>, limit: i64) -> QueryResult<Vec<Party>> {
    let Wanted { windows, came, before, now } = wanted;
    let ends = |end: fn(&(Timestamp, Timestamp)) -> Timestamp| -> Vec<SqlTimestamp> {
        windows.iter().map(|window| SqlTimestamp::from(end(window))).collect()
    };
    // Nobody comes later than in an hour.
    let Arrival { at, id } =
        before.unwrap_or(Arrival { at: now + SignedDuration::from_hours(1), id: SittingId(uuid::Uuid::max()) });
    statement(include_str!("list.sql"))
        .bind::<Array<Timestamptz>, _>(ends(|(since, _)| *since))
        .bind::<Array<Timestamptz>, _>(ends(|(_, until)| *until))
        .bind::<Timestamptz, _>(SqlTimestamp::from(at))
        .bind::<SqlUuid, _>(id)
        .bind::<Bool, _>(came)
        .bind::<BigInt, _>(limit)
        .bind::<Timestamptz, _>(SqlTimestamp::from(now))
        .load(conn)
        .await
}

impl Party {
    pub fn arrival(&self) -> Arrival {
        Arrival { at: self.opened_at, id: self.id }
    }

    /// What it owed when it left.
    pub fn bill(&self) -> Option<&Bill> {
        self.owed.bill()
    }

    /// How long it was there, or has been there until now.
    pub fn minutes(&self, now: &Timestamp) -> i64 {
        self.closed_at.unwrap_or(*now).duration_since(self.opened_at).as_mins().max(0)
    }

    pub fn end_key(&self) -> &'static str {
        self.ended.as_deref().and_then(|it| it.parse().ok()).map_or("sittings-there", SittingEnd::key)
    }
}

impl std::fmt::Display for Arrival {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.at.as_microsecond(), self.id)
    }
}

impl std::str::FromStr for Arrival {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || invalid_query("cursor", "invalid");
        let (at, id) = text.split_once('.').ok_or_else(wrong)?;
        let at = parse_microseconds(at).ok_or_else(wrong)?;
        Ok(Self { at, id: id.parse().map_err(|_| wrong())? })
    }
}
