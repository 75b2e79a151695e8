//! `/admin/matches`: the list, and each match as everybody may see it: live, or move by move.

mod boards;
mod forms;
mod list;
mod past;
mod seat;
mod show;
pub(crate) mod trial;
mod words;

pub(crate) use forms::{abort_match, hide_match, reveal_match};
pub(crate) use list::show_matches;
pub(crate) use seat::{offer_seat, remove_from_seat, show_seat};
pub(crate) use show::show_match;
pub(super) use show::{ShowSearch, Shown, show_as};

use super::Status;

impl Status {
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Waiting => "match-waiting",
            Self::Running => "match-running",
            Self::Finished => "match-finished",
            Self::Aborted => "match-aborted",
            Self::Expired => "match-expired",
        }
    }

    pub(crate) fn icon(self) -> &'static str {
        match self {
            Self::Waiting => "hourglass",
            Self::Running => "matches",
            Self::Finished => "flag",
            Self::Aborted => "ban",
            Self::Expired => "crate",
        }
    }
}
