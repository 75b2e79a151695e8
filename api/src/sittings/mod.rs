//! Sittings: the party that sits at a table, from the moment it comes to the moment it leaves.
//!
//! `party` is how it begins and who belongs to it, `change` what staff do with it, `forgotten` what becomes of those that
//! nobody closed, `list` the parties of some days, `people` what becomes of somebody's when their account changes.

pub mod admin;
mod answers;
mod change;
mod forgotten;
pub mod guest;
pub mod list;
mod party;
pub mod people;
pub mod rest;
pub mod store;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiResult, invalid_field};
pub use crate::ids::SittingId;
use crate::ids::TableId;
pub use answers::{SittingAnswer, TableNow, TableState};
pub use change::{Merged, change, close, merge, take_back, take_back_merge, take_back_open};
pub use forgotten::close_forgotten;
pub use party::{PartyAt, expect_member, expect_party_or_staff, join, lets_in, of_new_match, open, scan};
pub use store::{Joined, MemberRow, SittingRow};

/// After so long staff are told that a party is still there.
pub const LONG: SignedDuration = SignedDuration::from_hours(3);
/// So much longer once they have looked.
pub const LONGER: SignedDuration = SignedDuration::from_hours(1);
const SIZES: std::ops::RangeInclusive<i64> = 1..=99;

crate::text_enum! {
    /// How a sitting ended.
    pub enum SittingEnd {
        /// The party left.
        Left = "left",
        /// Nobody had heard of it for long.
        Forgotten = "forgotten",
        /// It went over to another table's party.
        Merged = "merged",
        /// It was opened by mistake.
        Undone = "undone",
    }
}

/// What staff may change of a sitting, as it is at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub table_id: TableId,
    pub party_size: i16,
    pub remind_at: Timestamp,
    pub closing_at: Option<Timestamp>,
    pub closed_at: Option<Timestamp>,
    pub ended: Option<SittingEnd>,
}

/// What is to be different about a sitting; what is left out stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SittingChange {
    #[schema(minimum = 1, maximum = 99)]
    pub party_size: Option<i64>,
    /// Moves the party, its waiting and running matches, its calls and the boxes on its table to this one, which must be free.
    pub table_id: Option<TableId>,
    /// The party is about to leave, or the table is being cleared: nobody joins any more.
    pub closing: Option<bool>,
    /// When staff are to be told that the party has been there for long.
    #[serde(default, deserialize_with = "reminder")]
    pub remind_at: Option<Timestamp>,
}

/// How many people a party is.
pub fn party_size(size: i64) -> ApiResult<i16> {
    let within = Some(size).filter(|size| SIZES.contains(size)).and_then(|it| i16::try_from(it).ok());
    within.ok_or_else(|| invalid_field("/party_size", "out_of_range"))
}

/// In microseconds, as the database keeps it.
fn reminder<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let given = Option::<Timestamp>::deserialize(deserializer)?;
    Ok(given.map(|it| Timestamp::from_microsecond(it.as_microsecond()).unwrap_or(it)))
}
