//! The next step of a tournament: one at a time.

use serde::Serialize;
use utoipa::ToSchema;

use super::cut::Line;
use super::teams::boards;
use super::{Activity, RoundStatus, Tournament, TournamentStatus};
use base::error::Result;
use play::matches::results::ResultStatus;

/// The next step of staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
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
        /// Of how many of them a player has reported a result that nobody has confirmed.
        reported: usize,
        /// In how many of them the reports contradict each other.
        disputed: usize,
    },
    /// An arena is open, and pairs by itself: wait for results, or enter them.
    Arena {
        waiting: usize,
        playing: usize,
        pausing: usize,
        /// Whether staff let everybody pause.
        is_paused: bool,
        /// Of how many bouts a player has reported a result that nobody has confirmed.
        reported: usize,
        /// In how many of them the reports contradict each other.
        disputed: usize,
    },
    /// Rounds are left, but none can be paired by the rules of the format.
    Stuck {
        /// The round that cannot be paired.
        round: i16,
        /// `no_legal_pairing` if everybody has met, `too_few_left` if people have left.
        code: String,
    },
    /// Go on to the next stage: `POST …/next-stage`.
    NextStage,
    /// Equals stand at the line below those who go on: somebody decides who of them does.
    Cut {
        /// How many of them go on.
        places: usize,
        /// By number.
        equals: Vec<i32>,
    },
    /// So many would go on, and the next stage cannot be played with that many: its plan has to be changed.
    StageUnfit {
        stage: i16,
        entrants: usize,
        /// The numbers of entrants with which it can be played, as in `4-5, 8-256`.
        fits: String,
    },
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

/// An arena whose window is open, or in which bouts are still played.
fn arena(tournament: &Tournament) -> Next {
    let people = tournament.arena_entrants();
    let many = |activity| people.iter().filter(|it| it.activity == activity).count();
    let count = |status| tournament.reports.values().filter(|it| **it == status).count();
    Next::Arena {
        waiting: many(Activity::Waiting),
        playing: many(Activity::Playing),
        pausing: many(Activity::Pausing),
        is_paused: tournament.arena().is_some_and(|it| it.paused_at.is_some()),
        reported: count(ResultStatus::Reported),
        disputed: count(ResultStatus::Disputed),
    }
}

fn running(tournament: &Tournament) -> Result<Next> {
    if let Some(draft) = tournament.draft() {
        return Ok(Next::Publish { round: draft.round });
    }
    if let Some(published) = tournament.open_rounds().find(|it| it.status == RoundStatus::Published) {
        return Ok(Next::StartRound { round: published.round });
    }
    if tournament.arena().is_some_and(|it| it.status == RoundStatus::Running) {
        return Ok(arena(tournament));
    }
    let open: Vec<_> = tournament.bouts_in(tournament.row.stage).filter(|bout| !bout.is_over()).collect();
    if !open.is_empty() {
        let count = |status| open.iter().filter(|bout| tournament.report_of(bout) == Some(status)).count();
        let (reported, disputed) = (count(ResultStatus::Reported), count(ResultStatus::Disputed));
        return Ok(Next::Results { bouts: open.len(), reported, disputed });
    }
    match tournament.due()?.as_ref() {
        Ok(due) if !due.is_empty() => Ok(Next::Pair),
        Ok(_) => after_stage(tournament),
        Err(why) => {
            let rounds = tournament.bouts_in(tournament.row.stage).map(|bout| bout.round);
            Ok(Next::Stuck { round: rounds.max().unwrap_or(0) + 1, code: why.code().to_owned() })
        }
    }
}

/// What comes after a stage of which all was played.
pub fn after_stage(tournament: &Tournament) -> Result<Next> {
    if tournament.is_last_stage() {
        return Ok(Next::Finish);
    }
    let Line { through, equals, places, .. } = tournament.line()?;
    if !equals.is_empty() {
        return Ok(Next::Cut { places, equals });
    }
    let stage = tournament.row.stage + 1;
    let plan = tournament.plan_of(stage)?;
    let boards = boards(tournament.row.team_size);
    Ok(match plan.fits(boards, through.len()) {
        true => Next::NextStage,
        false => Next::StageUnfit { stage, entrants: through.len(), fits: plan.sizes_in_words(boards) },
    })
}
