//! What is to be done with a tournament now: one thing at a time.

use serde::Serialize;
use utoipa::ToSchema;

use super::{RoundStatus, Tournament, TournamentStatus};
use crate::error::ApiResult;

/// The next step of staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TournamentNext)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Next {
    OpenRegistration,
    OpenCheckIn,
    Start,
    Pair,
    /// A draft.
    Publish {
        round: i16,
    },
    /// Its clock, and its matches.
    StartRound {
        round: i16,
    },
    /// So many bouts are not over.
    Results {
        bouts: usize,
    },
    NextStage,
    Finish,
    Nothing,
}

/// What staff do next. As they see it: with what is drafted.
pub fn next(whole: &Tournament) -> ApiResult<Next> {
    Ok(match whole.row.status {
        TournamentStatus::Draft => Next::OpenRegistration,
        TournamentStatus::Registration => Next::OpenCheckIn,
        TournamentStatus::CheckIn => Next::Start,
        TournamentStatus::Finished | TournamentStatus::Cancelled => Next::Nothing,
        TournamentStatus::Running => running(whole)?,
    })
}

fn running(whole: &Tournament) -> ApiResult<Next> {
    if let Some(draft) = whole.draft() {
        return Ok(Next::Publish { round: draft.round });
    }
    if let Some(published) = whole.open_rounds().find(|it| it.status == RoundStatus::Published) {
        return Ok(Next::StartRound { round: published.round });
    }
    let bouts = whole.bouts_in(whole.row.stage).filter(|bout| !bout.is_over()).count();
    if bouts > 0 {
        return Ok(Next::Results { bouts });
    }
    Ok(match (whole.is_stage_over(whole.row.stage)?, whole.is_last_stage()) {
        (false, _) => Next::Pair,
        (true, false) => Next::NextStage,
        (true, true) => Next::Finish,
    })
}
