//! The logs of matches: what happened, a row for each version, append-only. Once nobody needs the rows for anything but reading, they
//! are packed into one; who reads a log does not notice.

pub mod packed;
pub mod packing;
pub mod store;

use diesel::deserialize::{self, FromSql};
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::Json as SqlJson;
use engine::Json;
use jiff::Timestamp;

pub use store::{LoggedEvents, read, read_beginnings, read_events, read_makers, read_many, read_steps};

base::text_enum! {
    /// Who made a move.
    pub enum MadeBy {
        Player = "player",
        /// For a bot, or for a player who left or let the time run out.
        Server = "house",
        Staff = "staff",
    }
}

/// One version of a match.
#[derive(Debug)]
pub struct LogRow {
    pub version: i32,
    pub seat: Option<i16>,
    pub chosen: Option<JsonText>,
    pub chance: JsonText,
    pub events: JsonText,
    pub made_by: MadeBy,
    pub at: Timestamp,
}

/// Who made a version of a match, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub version: i32,
    /// None of what was set up.
    pub seat: Option<i16>,
    pub made_by: MadeBy,
    pub at: Timestamp,
}

/// Who moved for a seat, over a whole match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Makers {
    /// Whether nobody but the server did.
    pub only_server: bool,
    /// When the server did last.
    pub last_of_server: Option<Timestamp>,
}

/// JSON as the text that it is: neither parsed on its way into the database nor on its way out.
#[derive(Debug, diesel::expression::AsExpression, diesel::deserialize::FromSqlRow)]
#[diesel(sql_type = SqlJson)]
pub struct JsonText(pub Json);

impl FromSql<SqlJson, Pg> for JsonText {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(serde_json::from_slice(value.as_bytes())?))
    }
}

impl ToSql<SqlJson, Pg> for JsonText {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        std::io::Write::write_all(out, self.0.get().as_bytes())?;
        Ok(IsNull::No)
    }
}
