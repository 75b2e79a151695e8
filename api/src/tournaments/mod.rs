//! Tournaments: players are paired round after round, by one format or by several in a row, until there is an order of all.
//!
//! Who plays whom, and what the standings are, the engine says (`engine::tournaments`); here is what happens when. The row of a
//! tournament is its lock: `held` is one that nobody else changes meanwhile. `request` and `plan` are what it is about, `life` its way
//! from draft to end, `entrants`, `presence` and `seeds` who plays, `rounds`, `places`, `bouts` and `results` what is played, where, as
//! which match and how it ended, `settle` how bouts learn of their matches, `whole` everything about one, `next` what is to be done with it, `needs` which need a person.

pub mod admin;
pub mod answers;
mod bouts;
mod entrants;
mod export;
pub mod guest;
mod held;
mod life;
mod needs;
mod next;
mod people;
mod places;
mod plan;
mod presence;
mod request;
pub mod rest;
mod results;
mod rounds;
mod seeds;
mod settle;
mod shown;
pub mod store;
mod whole;

pub use crate::ids::TournamentId;
pub use bouts::play_again;
pub use entrants::{add, enter};
pub use held::Asked;
pub use life::{cancel, change, create, finish, next_stage, open_check_in, open_registration, start};
pub use needs::{Need, NeedCause, list_needs};
pub use next::{Next, next};
pub use people::{hand_over, leave_all};
pub use places::give_table;
pub use presence::{By, Whom, check_in, drop_out, mark_no_show, reinstate, take_back_check_in};
pub use request::{StagePlan, TournamentChange, TournamentName, TournamentRequest};
pub use results::{Finish, Followed, correct, follow, write_result};
pub use rounds::{add_minutes, discard, pair, publish, start_round, swap, withdraw};
pub use seeds::{SeedOrder, set as set_seeds};
pub use settle::keep_settling;
pub use store::{BoutKey, BoutRow, Doc, EntrantRow, Filter, ParticipantRow, RoundRow, TournamentRow};
pub use whole::{Tournament, find_by_code, list, load};

crate::text_enum! {
    /// Where a tournament is in its life.
    pub enum TournamentStatus {
        /// Staff prepare it; nobody else knows of it.
        Draft = "draft",
        /// Players may enter.
        Registration = "registration",
        /// Who has entered says that they are there.
        CheckIn = "check_in",
        /// It is played.
        Running = "running",
        Finished = "finished",
        /// Called off.
        Cancelled = "cancelled",
    }
}

impl TournamentStatus {
    pub fn is_over(self) -> bool {
        match self {
            Self::Draft | Self::Registration | Self::CheckIn | Self::Running => false,
            Self::Finished | Self::Cancelled => true,
        }
    }
}

crate::text_enum! {
    /// By what seeds are given.
    pub enum Seeding {
        /// The strongest first, by what their rating of the game is.
        Rating = "rating",
        /// As staff say.
        Hand = "hand",
        /// By lot.
        Draw = "draw",
    }
}

crate::text_enum! {
    /// How a player is in a tournament.
    pub enum EntrantStatus {
        Entered = "entered",
        /// For a place: there were no more.
        Waiting = "waiting",
        /// Is there.
        CheckedIn = "checked_in",
        /// Did not come.
        NoShow = "no_show",
        /// Plays no more.
        Dropped = "dropped",
    }
}

crate::text_enum! {
    /// Where a round is in its life.
    pub enum RoundStatus {
        /// Paired; only staff see it.
        Draft = "draft",
        /// Everybody sees it, and its matches wait.
        Published = "published",
        /// It is played, and its clock goes.
        Running = "running",
        /// All its bouts have a result.
        Closed = "closed",
    }
}
