//! What matches take on disk.

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::store;
use base::error::Result;

/// What matches take on disk, and how much of that is packed.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Growth {
    /// About so many, as the database's statistics have it.
    pub matches: i64,
    /// On average of all matches, by what the tables below take.
    #[schema(example = 7300)]
    pub bytes_per_match: Option<i64>,
    /// The tables that grow with each match, the largest first.
    pub tables: Vec<TableSize>,
    /// Matches whose logs are packed.
    pub packed: i64,
    /// What the texts of these logs took, and what they take.
    pub packed_from_bytes: i64,
    pub packed_to_bytes: i64,
    /// When a log was packed last.
    pub packed_at: Option<Timestamp>,
}

/// A table with its indexes and partitions, and what lies out of line.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableSize {
    #[schema(example = "match_log")]
    pub name: String,
    pub bytes: i64,
}

impl Growth {
    pub(super) async fn read(conn: &mut AsyncPgConnection) -> Result<Self> {
        let rows = store::list_sizes(conn).await?;
        let mut growth = Self::default();
        for row in rows {
            growth.matches = row.matches;
            growth.packed = row.packed;
            (growth.packed_from_bytes, growth.packed_to_bytes) = (row.text_bytes, row.archive_bytes);
            growth.packed_at = row.packed_at;
            growth.tables.push(TableSize { name: row.name, bytes: row.bytes });
        }
        let bytes: i64 = growth.tables.iter().map(|it| it.bytes).sum();
        growth.bytes_per_match = bytes.checked_div(growth.matches);
        Ok(growth)
    }
}
