//! FIDE's tournament report file: lines of fixed columns that say who played whom in duels. `report` writes one, `entrants` reads who
//! plays from one. Columns are counted from 1 here, as in FIDE's documents.

mod columns;
mod entrants;
mod report;

pub use entrants::{Member, read};

base::text_enum! {
    /// An edition of the tournament report file.
    pub enum TrfEdition {
        /// Of 2016, with what pairing programs add to it.
        Trf16 = "trf16",
        /// Of 2026.
        Trf26 = "trf26",
    }
}

/// Who asks for a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    Everybody,
    /// They also learn which pairs should not meet.
    Staff,
}
