//! Whether format, scoring and participants go together.

use std::collections::BTreeSet;

use super::refusals::Unfit;
use super::round_robin::{self, MOST_LEGS};
use super::stage::{Format, Points, Stage};
use super::tables::sizes;

/// More are never paired.
const MOST_PARTICIPANTS: u16 = 256;
/// More rounds are never played.
const MOST_ROUNDS: u8 = 30;
/// No result is worth more points than this, in hundredths.
const MOST_POINTS: i32 = 1_000_000;

/// Says what does not fit, the first thing first.
pub(super) fn check(stage: &Stage) -> Result<(), Unfit> {
    check_participants(stage)?;
    check_points(&stage.scoring.points)?;
    match stage.format {
        Format::SingleElimination { .. } | Format::DoubleElimination {} => Ok(()),
        Format::RoundRobin { legs } => check_rounds(legs, MOST_LEGS),
        Format::Swiss { rounds } => {
            check_rounds(rounds, MOST_ROUNDS)?;
            // As many as a round robin has: then everybody has met everybody.
            let most = round_robin::rounds(stage, 1);
            if u16::from(rounds) > most { Err(Unfit::TooManyRounds { most }) } else { Ok(()) }
        }
        Format::Pods { rounds, least, most, .. } => {
            check_rounds(rounds, MOST_ROUNDS)?;
            check_sizes(least, most)?;
            let starters = stage.participants.iter().filter(|it| it.from_round <= 1).count();
            let seated = sizes(starters, least.into(), most.into());
            if seated.is_some() { Ok(()) } else { Err(Unfit::SizesImpossible { participants: starters as u16 }) }
        }
        Format::PodKnockout { least, most, advance } => {
            check_sizes(least, most)?;
            if stage.participants.len() < usize::from(least) {
                return Err(Unfit::TooFew { least: least.into() });
            }
            if (1..least).contains(&advance) { Ok(()) } else { Err(Unfit::BadAdvance) }
        }
    }
}

fn check_rounds(rounds: u8, most: u8) -> Result<(), Unfit> {
    if (1..=most).contains(&rounds) { Ok(()) } else { Err(Unfit::BadRounds { most }) }
}

fn check_sizes(least: u8, most: u8) -> Result<(), Unfit> {
    if 2 <= least && least <= most && most <= 10 { Ok(()) } else { Err(Unfit::BadSizes) }
}

fn check_participants(stage: &Stage) -> Result<(), Unfit> {
    let mut seen = BTreeSet::new();
    if let Some(twice) = stage.participants.iter().find(|it| !seen.insert(it.entrant)) {
        return Err(Unfit::EnteredTwice { entrant: twice.entrant });
    }
    if seen.len() > usize::from(MOST_PARTICIPANTS) {
        return Err(Unfit::TooMany { most: MOST_PARTICIPANTS });
    }
    if seen.len() < 2 {
        return Err(Unfit::TooFew { least: 2 });
    }
    let takes_late = matches!(stage.format, Format::Swiss { .. } | Format::Pods { .. });
    match stage.participants.iter().find(|it| it.from_round > 1 && !takes_late) {
        Some(late) => Err(Unfit::LateEntry { entrant: late.entrant }),
        None => Ok(()),
    }
}

fn check_points(points: &Points) -> Result<(), Unfit> {
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
    if fits { Ok(()) } else { Err(Unfit::BadScale) }
}
