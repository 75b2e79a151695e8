//! Checks that a result fits its bout.

use super::bouts::{Bout, BoutKey, Finish};
use super::games;
use super::history::MOST_SCORE;
use super::refusals::BadResult;
use super::stage::{Format, Points, Stage};

/// Returns the first thing that does not fit.
pub(super) fn check(stage: &Stage, key: BoutKey, result: &[Finish]) -> Result<(), BadResult> {
    let bout = stage.bouts.iter().filter(|it| it.key == key).min().ok_or(BadResult::NoSuchBout { key })?;
    if bout.is_bye() {
        return Err(BadResult::Bye);
    }
    check_entrants(bout, result)?;
    check_places(result)?;
    check_scores(&stage.scoring.points, result)?;
    games::check_result(stage, key, result)?;
    if is_decided(&stage.format, result) { Ok(()) } else { Err(BadResult::Undecided) }
}

fn check_entrants(bout: &Bout, result: &[Finish]) -> Result<(), BadResult> {
    let mut named: Vec<u32> = result.iter().map(|it| it.entrant).collect();
    let mut played = bout.entrants.clone();
    named.sort_unstable();
    played.sort_unstable();
    if named == played { Ok(()) } else { Err(BadResult::WrongEntrants) }
}

fn check_places(result: &[Finish]) -> Result<(), BadResult> {
    let before = |place: u16| result.iter().filter(|it| it.place < place).count();
    if result.iter().any(|it| before(it.place) + 1 != usize::from(it.place)) {
        return Err(BadResult::BadPlaces);
    }
    let worst = result.iter().filter(|it| !it.absent).map(|it| it.place).max();
    let ahead = |it: &&Finish| it.absent && worst.is_some_and(|worst| it.place <= worst);
    if result.iter().any(|it| ahead(&it)) { Err(BadResult::AbsentAhead) } else { Ok(()) }
}

fn check_scores(points: &Points, result: &[Finish]) -> Result<(), BadResult> {
    if result.iter().filter_map(|it| it.score).any(|it| !(-MOST_SCORE..=MOST_SCORE).contains(&it)) {
        return Err(BadResult::BadScore);
    }
    if *points != Points::Scores {
        return Ok(());
    }
    let appeared = || result.iter().filter(|it| !it.absent);
    if appeared().any(|it| it.score.is_none()) {
        return Err(BadResult::MissingScore);
    }
    let contradicts = |one: &Finish| appeared().any(|other| one.score > other.score && one.place > other.place);
    if appeared().any(contradicts) { Err(BadResult::ScoreOrder) } else { Ok(()) }
}

/// Is it clear who advances? Nobody does if nobody appeared.
fn is_decided(format: &Format, result: &[Finish]) -> bool {
    let goes_on = match format {
        Format::SingleElimination { .. } | Format::DoubleElimination {} => 1,
        Format::PodKnockout { advance, .. } => usize::from(*advance),
        Format::RoundRobin { .. }
        | Format::Swiss { .. }
        | Format::Groups { .. }
        | Format::Pods { .. }
        | Format::Arena { .. } => return true,
    };
    let mut places: Vec<u16> = result.iter().filter(|it| !it.absent).map(|it| it.place).collect();
    places.sort_unstable();
    match (goes_on.checked_sub(1).and_then(|at| places.get(at)), places.get(goes_on)) {
        (Some(last), Some(next)) => last < next,
        _ => true,
    }
}
