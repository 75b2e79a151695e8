//! Whether format, scoring and participants go together.

use std::collections::BTreeSet;

use super::refusals::Unfit;
use super::round_robin::MOST_LEGS;
use super::stage::{Format, Points, Stage};

/// More are never paired.
const MOST_PARTICIPANTS: u16 = 256;
/// No result is worth more points than this, in hundredths.
const MOST_POINTS: i32 = 1_000_000;

/// Says what does not fit, the first thing first.
pub(super) fn check(stage: &Stage) -> Result<(), Unfit> {
    check_participants(stage)?;
    check_points(&stage.scoring.points)?;
    match stage.format {
        Format::SingleElimination { .. } | Format::DoubleElimination {} => Ok(()),
        Format::RoundRobin { legs } if !(1..=MOST_LEGS).contains(&legs) => Err(Unfit::BadRounds { most: MOST_LEGS }),
        Format::RoundRobin { .. } => Ok(()),
        Format::Swiss { .. } | Format::Pods { .. } | Format::PodKnockout { .. } => Err(Unfit::NotOffered),
    }
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
