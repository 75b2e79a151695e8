//! Series: tournaments of a season whose results add up to a table, with divisions between which people go up and down.
//!
//! The engine (`engine::tournaments::Season`) says who stands where; this module says what counts and who is who.
//!
//! - `request`, `lifecycle`, `locked`: what a series is, and how it changes
//! - `events`: which tournaments count
//! - `people`: who is one person over several events; `rulings`: what staff say of that
//! - `season`: all of one series, and its tables
//! - `promotion`: the end of a season and the next one
//! - `seeding`: seeds of a tournament by a table
//! - `account_hooks`: what happens when an account is merged

pub mod account_hooks;
pub mod events;
pub mod lifecycle;
mod locked;
pub mod people;
pub mod promotion;
pub mod request;
pub mod rulings;
pub mod season;
pub mod seeding;
pub mod store;

use diesel_async::AsyncPgConnection;

pub use account_hooks::hand_over;
pub use base::ids::SeriesId;
pub use events::{MOST_EVENTS, put_event, remove_event};
pub use lifecycle::{change, create, delete, edit};
pub use people::People;
pub use promotion::{Move, end_season, moves_digest};
pub use request::{
    DivisionRequest, EventRequest, MOST_DIVISIONS, NextSeasonRequest, PersonRequest, Placement, SeedingRequest,
    SeriesChange, SeriesName, SeriesRequest,
};
pub use rulings::set_person;
pub use season::{Brought, Season, Table, TableRow, find_by_code, load, load_by_code};
pub use seeding::seed;
pub use store::{Account, DivisionRow, EventRow, Filter, SeriesRow};

use crate::tournaments::SeesDrafts;
use base::auth::StaffContext;
use base::error::Result;
use base::ids::TournamentId;

base::text_enum! {
    /// Where a series is in its life.
    pub enum SeriesStatus {
        /// Staff prepare it; nobody else knows of it.
        Draft = "draft",
        /// Everybody sees its table.
        Running = "running",
        /// The season is over. What counts and who is who stays as it is.
        Ended = "ended",
    }
}

/// The series as staff see it.
pub async fn load_for_staff<P: SeesDrafts>(cx: &mut StaffContext<'_, P>, id: SeriesId) -> Result<Season> {
    load(cx.conn().await?, id, true).await
}

/// The latest first.
pub async fn list(conn: &mut AsyncPgConnection, filter: &Filter, limit: i64) -> Result<Vec<SeriesRow>> {
    Ok(store::list(conn, filter, limit).await?)
}

/// Those in which a tournament counts, the latest first.
pub async fn list_of(
    conn: &mut AsyncPgConnection,
    tournament: TournamentId,
    with_drafts: bool,
) -> Result<Vec<SeriesRow>> {
    Ok(store::list_of(conn, tournament, with_drafts).await?)
}

impl SeriesStatus {
    pub fn is_over(self) -> bool {
        self == Self::Ended
    }

    pub fn key(self) -> &'static str {
        match self {
            Self::Draft => "series-draft",
            Self::Running => "series-running",
            Self::Ended => "series-ended",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Draft => "edit",
            Self::Running => "bracket",
            Self::Ended => "flag",
        }
    }

    pub fn tone(self) -> &'static str {
        match self {
            Self::Draft => "plain",
            Self::Running => "running",
            Self::Ended => "finished",
        }
    }
}
