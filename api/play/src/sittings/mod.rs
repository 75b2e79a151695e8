//! Sittings: the party that sits at a table, from the moment it comes to the moment it leaves.
//!
//! `party` is how it begins and who belongs to it, `calling` how it calls staff, `change` what staff do with it, `removal` how
//! they take somebody off it, `leads` who leads that player's matches from then on, `idle` how sittings end that nobody closed, `list` the parties of some days, `account_hooks` what merging an account does here.

pub mod account_hooks;
pub mod calling;
pub mod change;
pub mod idle;
mod leads;
pub mod list;
pub mod party;
pub mod removal;
pub mod store;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use base::error::{Result, invalid_field};
pub use base::ids::SittingId;
use base::ids::TableId;
use base::settings::{Bill, Headcounts};

pub use calling::{call, withdraw_call};
pub use change::{SittingUndo, change, close, close_within, merge, undo};
pub use idle::close_idle;
pub use party::{
    Held, PartyAt, Scan, bring_along, expect_member, expect_party_or_staff, held_for, join, lets_in, of_new_match,
    open, open_within, scan,
};
pub use removal::{remove_member, welcome_member};
pub use store::{Joined, MemberRow, SittingRow};

/// After so long staff are told that a party is still there.
pub const LONG: SignedDuration = SignedDuration::from_hours(3);
/// So much longer once they have looked.
pub const LONGER: SignedDuration = SignedDuration::from_hours(1);
const SIZES: std::ops::RangeInclusive<i64> = 1..=99;

base::text_enum! {
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SittingState {
    pub table_id: TableId,
    pub party_size: i16,
    pub remind_at: Timestamp,
    pub closing_at: Option<Timestamp>,
    pub closed_at: Option<Timestamp>,
    pub ended: Option<SittingEnd>,
    /// How many they were, since when.
    #[serde(default)]
    pub headcounts: Headcounts,
    /// What they owed when they left.
    #[serde(default)]
    pub owed: Option<Bill>,
}

impl SittingState {
    /// As many people from this moment on.
    fn of_people(self, people: i16, at: Timestamp) -> Self {
        Self { party_size: people, headcounts: self.headcounts.change(at, people), ..self }
    }
}

/// Changes of a sitting; what is left out stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SittingChange {
    #[schema(minimum = 1, maximum = 99)]
    pub party_size: Option<i64>,
    /// Moves the party, its waiting and running matches, its calls and the boxes on its table to this one, which must be free.
    pub table_id: Option<TableId>,
    /// The party is about to leave, or the table is being cleared: nobody can join. A party that grows stays, unless this says
    /// otherwise.
    pub closing: Option<bool>,
    /// When to tell staff that the party has been there for long.
    #[serde(default, deserialize_with = "reminder")]
    pub remind_at: Option<Timestamp>,
}

/// How many people a party is.
pub fn party_size(size: i64) -> Result<i16> {
    let within = Some(size).filter(|size| SIZES.contains(size)).and_then(|it| i16::try_from(it).ok());
    within.ok_or_else(|| invalid_field("/party_size", "out_of_range"))
}

/// In microseconds, as the database keeps it.
fn reminder<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let given = Option::<Timestamp>::deserialize(deserializer)?;
    // PostgreSQL knows fewer years; what is long past is due.
    Ok(given.map(|it| Timestamp::from_microsecond(it.as_microsecond().max(0)).unwrap_or(it)))
}

impl SittingEnd {
    /// Of its name in the catalogues.
    pub fn key(self) -> &'static str {
        match self {
            Self::Left => "end-left",
            Self::Forgotten => "end-forgotten",
            Self::Merged => "end-merged",
            Self::Undone => "end-undone",
        }
    }
}
