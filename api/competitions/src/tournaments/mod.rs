//! Tournaments: players are paired round after round, by one format or by several in a row, until all are ranked.
//!
//! The engine (`engine::tournaments`) says who plays whom and what the standings are; this module says when. The row of a
//! tournament is its lock (`locked`).
//!
//! - `request`, `plan`, `copy`: what a tournament is, and whether it can be played
//! - `lifecycle`: from draft to end; `next`: the next step of staff; `readiness`: whether as many as have come can begin
//! - `entrants`, `import`, `regulars`, `check_in`, `seeds`, `ratings`: who plays
//! - `trf`: FIDE's tournament report file, written and read
//! - `teams`: for which team an entrant plays, and on which board
//! - `rulings`: byes that were asked for, points given or taken away, pairs who should not meet
//! - `entry`, `late`: who may enter by themselves, and how late people come in
//! - `table_needs`: at which table an entrant has to play
//! - `cut`: who goes on into the next stage
//! - `pairings`, `rounds`, `swap`, `table_assignment`, `bouts`, `results`: what is played, at which table, as which match, with which result
//! - `following`: what another result would change
//! - `clock`: the time of a round, and the break before the next
//! - `arena`: who is free for a window of time, and is paired at once
//! - `by_itself`: what the server does after each change: arenas pair, and brackets publish what is due
//! - `ingest`, `games`: how bouts get the results of their matches, and go from game to game
//! - `state`, `log`, `undo`: what happened, and the way back of each step
//! - `places`: where everybody came, kept for what adds up several tournaments
//! - `tournament`: all of one tournament; `attention`: those that need staff; `replay`: one that is played again from its export
//! - `sandbox`: what keys tried out goes after a day
//! - `account_hooks`: what happens when an account is deleted or merged

pub mod account_hooks;
pub mod arena;
pub mod attention;
pub mod bouts;
pub mod by_itself;
pub mod check_in;
pub mod clock;
pub mod copy;
pub mod cut;
pub mod entrants;
pub mod entry;
pub mod following;
pub mod games;
pub mod import;
pub mod ingest;
pub mod late;
pub mod lifecycle;
pub mod locked;
pub mod log;
pub mod next;
pub mod pairings;
pub mod places;
pub mod plan;
pub mod ratings;
pub mod readiness;
pub mod regulars;
pub mod replay;
pub mod request;
pub mod results;
pub mod rounds;
pub mod rulings;
pub mod sandbox;
pub mod seeds;
pub mod state;
pub mod store;
pub mod swap;
pub mod table_assignment;
pub mod table_needs;
pub mod teams;
pub mod tournament;
pub mod trf;
pub mod undo;

pub use account_hooks::{hand_over, leave_all};
pub use arena::{Activity, ArenaEntrant};
pub use attention::{AttentionCause, AttentionItem, list_attention};
pub use base::ids::TournamentId;
pub use bouts::play_again;
pub use by_itself::set_running_by_itself;
pub use check_in::{
    check_in, check_in_all, check_in_oneself, drop_out, drop_out_oneself, mark_no_show, reinstate, undo_check_in,
};
pub use clock::{Clock, add_minutes, pause_clock, resume_clock, set_break};
pub use copy::{CopyRequest, copy};
pub use cut::{Cut, Line, Quota};
pub use entrants::{NewEntrantBy, add, enter};
pub use entry::{Entry, EntryMode, expect_entry};
pub use following::{Followed, LineChange, LineSide, StandingChange, follow};
pub use games::Game;
pub use import::{Found, Listed, MOST_LINES, add_listed, preview};
pub use ingest::keep_ingesting;
pub use late::LateEntry;
pub use lifecycle::{cancel, change, create, edit, finish, next_stage, open_check_in, open_registration, start};
pub use locked::ExpectedRevision;
pub use log::{ChangedPart, Log, find_way_back, list_log, list_news};
pub use next::{Next, next};
pub use ratings::{RATINGS, rate};
pub use readiness::{Fix, Readiness, Unfit, make_fit};
pub use regulars::{Regular, list_regulars};
pub use request::{StagePlan, TournamentChange, TournamentName, TournamentRequest};
pub use results::{BoutResult, Correction, Finish, Written, WrittenResult, correct, write_result, write_results};
pub use rounds::{Rehearsal, Repeats, discard, pair, publish, rehearse, start_round, withdraw};
pub use rulings::{Rulings, RulingsRequest, set_rulings};
pub use sandbox::remove_sandbox;
pub use seeds::{SeedOrder, set as set_seeds};
pub use state::StateChange;
pub use store::{BoutKey, BoutRow, Doc, EntrantRow, Filter, LogRow, ParticipantRow, RoundRow, TournamentRow};
pub use swap::{Conflict, EntrantHistory, Swap, SwapPreview, lock_bout, swap};
pub use table_assignment::{
    BoxCount, PartyInTheWay, UnmetNeed, count_boxes, give_table, list_parties_in_the_way, list_unmet_needs,
};
pub use table_needs::{TableNeed, TableNeedRequest, set_table_need};
pub use teams::{Team, TeamName, TeamPlace, set_team};
pub use tournament::{BoutStatus, SeesDrafts, Tournament, draw_of, find_by_code, list, load, load_for_staff};
pub use undo::undo;

/// A round of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundKey {
    pub tournament: TournamentId,
    pub stage: i16,
    pub round: i16,
}

/// A bout of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoutId {
    pub tournament: TournamentId,
    pub stage: i16,
    pub key: BoutKey,
}

base::text_enum! {
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

base::text_enum! {
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

base::text_enum! {
    /// How a player is in a tournament.
    pub enum EntrantStatus {
        Entered = "entered",
        /// On the waiting list.
        Waiting = "waiting",
        /// Is there.
        CheckedIn = "checked_in",
        /// Did not come.
        NoShow = "no_show",
        /// Out of the tournament.
        Dropped = "dropped",
    }
}

base::text_enum! {
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

impl TournamentStatus {
    pub fn key(self) -> &'static str {
        match self {
            Self::Draft => "tournament-draft",
            Self::Registration => "tournament-registration",
            Self::CheckIn => "tournament-check-in",
            Self::Running => "tournament-running",
            Self::Finished => "tournament-finished",
            Self::Cancelled => "tournament-cancelled",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Draft => "edit",
            Self::Registration => "people",
            Self::CheckIn => "check",
            Self::Running => "bracket",
            Self::Finished => "flag",
            Self::Cancelled => "ban",
        }
    }

    pub fn tone(self) -> &'static str {
        match self {
            Self::Draft | Self::Cancelled => "plain",
            Self::Registration | Self::CheckIn => "waiting",
            Self::Running => "running",
            Self::Finished => "finished",
        }
    }
}

impl EntrantStatus {
    pub fn key(self) -> &'static str {
        match self {
            Self::Entered => "entrant-entered",
            Self::Waiting => "entrant-waiting",
            Self::CheckedIn => "entrant-checked-in",
            Self::NoShow => "entrant-no-show",
            Self::Dropped => "entrant-dropped",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Entered => "person",
            Self::Waiting => "hourglass",
            Self::CheckedIn => "check",
            Self::NoShow => "cross",
            Self::Dropped => "exit",
        }
    }

    pub fn tone(self) -> &'static str {
        match self {
            Self::Entered | Self::Dropped => "plain",
            Self::Waiting => "waiting",
            Self::CheckedIn => "finished",
            Self::NoShow => "attention",
        }
    }
}

impl RoundStatus {
    pub fn key(self) -> &'static str {
        match self {
            Self::Draft => "round-drafted",
            Self::Published => "round-published",
            Self::Running => "round-running",
            Self::Closed => "round-closed",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Draft => "edit",
            Self::Published => "hourglass",
            Self::Running => "clock",
            Self::Closed => "check",
        }
    }

    pub fn tone(self) -> &'static str {
        match self {
            Self::Draft => "plain",
            Self::Published => "waiting",
            Self::Running => "running",
            Self::Closed => "finished",
        }
    }
}

impl Seeding {
    pub fn key(self) -> &'static str {
        match self {
            Self::Rating => "seeding-rating",
            Self::Hand => "seeding-hand",
            Self::Draw => "seeding-draw",
        }
    }
}
