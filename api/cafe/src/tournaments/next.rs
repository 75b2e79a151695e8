//! The next step of a tournament: one at a time.

use serde::Serialize;
use utoipa::ToSchema;

use super::{RoundStatus, Tournament, TournamentStatus};
use crate::error::Result;

/// The next step of staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TournamentNext)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Next {
    /// Let players enter: `POST …/registration`.
    OpenRegistration,
    /// Let entrants say that they are there: `POST …/check-in`.
    OpenCheckIn,
    /// Start it: `POST …/start`.
    Start,
    /// Pair the next round of the stage: `POST …/pair`.
    Pair,
    /// Publish the draft: `POST …/stages/{stage}/rounds/{round}/publish`.
    Publish { round: i16 },
    /// Start the round's clock and its matches: `POST …/stages/{stage}/rounds/{round}/start`.
    StartRound { round: i16 },
    /// Wait for results, or enter them: `POST …/stages/{stage}/bouts/{bout}/result`.
    Results {
        /// How many bouts are not over.
        bouts: usize,
    },
    /// Go on to the next stage: `POST …/next-stage`.
    NextStage,
    /// End it: `POST …/finish`.
    Finish,
    /// It is over.
    Nothing,
}

/// What staff do next. As they see it: with what is drafted.
pub fn next(tournament: &Tournament) -> Result<Next> {
    Ok(match tournament.row.status {
        TournamentStatus::Draft => Next::OpenRegistration,
        TournamentStatus::Registration => Next::OpenCheckIn,
        TournamentStatus::CheckIn => Next::Start,
        TournamentStatus::Finished | TournamentStatus::Cancelled => Next::Nothing,
        TournamentStatus::Running => running(tournament)?,
    })
}

fn running(tournament: &Tournament) -> Result<Next> {
    if let Some(draft) = tournament.draft() {
        return Ok(Next::Publish { round: draft.round });
    }
    if let Some(published) = tournament.open_rounds().find(|it| it.status == RoundStatus::Published) {
        return Ok(Next::StartRound { round: published.round });
    }
    let bouts = tournament.bouts_in(tournament.row.stage).filter(|bout| !bout.is_over()).count();
    if bouts > 0 {
        return Ok(Next::Results { bouts });
    }
    Ok(match (tournament.is_stage_over(tournament.row.stage)?, tournament.is_last_stage()) {
        (false, _) => Next::Pair,
        (true, false) => Next::NextStage,
        (true, true) => Next::Finish,
    })
}
