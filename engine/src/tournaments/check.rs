//! Checks that format, scoring and participants are valid together.

use std::collections::BTreeSet;

use super::arena;
use super::games;
use super::groups;
use super::pods::MOST_REACH;
use super::refusals::InvalidStage;
use super::round_robin::{self, MOST_LEGS};
use super::stage::{Format, PodPairing, Points, Stage};
use super::tables::sizes;
use super::teams;

/// The most rounds of a stage.
const MOST_ROUNDS: u8 = 30;
/// The most points for a result, in hundredths.
const MOST_POINTS: i32 = 1_000_000;

/// Returns the first thing that is not valid.
pub(super) fn check(stage: &Stage) -> Result<(), InvalidStage> {
    check_participants(stage)?;
    check_points(&stage.scoring.points)?;
    games::check(stage)?;
    if !(-MOST_POINTS..=MOST_POINTS).contains(&stage.scoring.missed) {
        return Err(InvalidStage::BadScale);
    }
    if let Some(teams) = &stage.teams {
        teams::check(stage, teams)?;
        if stage.format.is_duel() {
            return Ok(());
        }
    }
    match stage.format {
        Format::SingleElimination { .. } | Format::DoubleElimination {} => Ok(()),
        Format::RoundRobin { legs } => check_rounds(legs, MOST_LEGS),
        Format::Groups { groups, play } => groups::check(stage, groups, play),
        Format::Swiss { rounds } => {
            check_rounds(rounds, MOST_ROUNDS)?;
            // After as many rounds as a round robin has, everybody has met everybody.
            let most = round_robin::rounds(stage, 1);
            if u16::from(rounds) > most { Err(InvalidStage::TooManyRounds { most }) } else { Ok(()) }
        }
        Format::Pods { rounds, least, most, pairing, reach, .. } => {
            check_rounds(rounds, MOST_ROUNDS)?;
            check_sizes(least, most)?;
            check_reach(pairing, reach)?;
            let starters = stage.participants.iter().filter(|it| it.from_round <= 1).count();
            let seated = sizes(starters, least.into(), most.into());
            if seated.is_some() { Ok(()) } else { Err(InvalidStage::SizesImpossible { participants: starters as u16 }) }
        }
        Format::PodKnockout { least, most, advance, .. } => {
            check_sizes(least, most)?;
            if stage.participants.len() < usize::from(least) {
                return Err(InvalidStage::TooFew { least: least.into() });
            }
            if (1..least).contains(&advance) { Ok(()) } else { Err(InvalidStage::BadAdvance) }
        }
        Format::Arena { minutes, least, most, patience, .. } => {
            check_sizes(least, most)?;
            arena::check(minutes, patience)
        }
    }
}

fn check_rounds(rounds: u8, most: u8) -> Result<(), InvalidStage> {
    if (1..=most).contains(&rounds) { Ok(()) } else { Err(InvalidStage::BadRounds { most }) }
}

fn check_sizes(least: u8, most: u8) -> Result<(), InvalidStage> {
    if 2 <= least && least <= most && most <= 10 { Ok(()) } else { Err(InvalidStage::BadSizes) }
}

fn check_reach(pairing: PodPairing, reach: u8) -> Result<(), InvalidStage> {
    let most = if pairing == PodPairing::ByStanding { MOST_REACH } else { 0 };
    if reach <= most { Ok(()) } else { Err(InvalidStage::BadReach { most }) }
}

fn check_participants(stage: &Stage) -> Result<(), InvalidStage> {
    let mut seen = BTreeSet::new();
    if let Some(twice) = stage.participants.iter().find(|it| !seen.insert(it.entrant)) {
        return Err(InvalidStage::EnteredTwice { entrant: twice.entrant });
    }
    let most = stage.format.most_participants();
    if seen.len() > usize::from(most) {
        return Err(InvalidStage::TooMany { most });
    }
    // People come to an arena once it is open.
    if seen.len() < 2 && !stage.format.is_arena() {
        return Err(InvalidStage::TooFew { least: 2 });
    }
    let takes_late = matches!(stage.format, Format::Swiss { .. } | Format::Pods { .. });
    match stage.participants.iter().find(|it| it.from_round > 1 && !takes_late) {
        Some(late) => Err(InvalidStage::LateEntry { entrant: late.entrant }),
        None => Ok(()),
    }
}

fn check_points(points: &Points) -> Result<(), InvalidStage> {
    let (falling, bye): (Vec<i32>, i32) = match points {
        Points::Win { win, draw, loss, bye } => (vec![*win, *draw, *loss], *bye),
        Points::Places { scale, bye } => (scale.clone(), *bye),
        Points::Scores => return Ok(()),
    };
    let bounds = -MOST_POINTS..=MOST_POINTS;
    let fits = !falling.is_empty()
        && falling.len() <= 10
        && falling.windows(2).all(|pair| pair[0] >= pair[1])
        && falling.iter().chain([&bye]).all(|it| bounds.contains(it));
    if fits { Ok(()) } else { Err(InvalidStage::BadScale) }
}
