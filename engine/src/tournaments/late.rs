//! Somebody who comes late goes into a bye of the round under way, and somebody who left comes back as long as nobody was paired past
//! them.

use super::bouts::{Bout, Pairing, Slot};
use super::groups;
use super::reasons::Reason;
use super::stage::{Format, Participant, Stage};
use super::swiss;

/// The bye of the last round into which the newcomer goes, as the bout that it becomes.
pub(super) fn into_bye(stage: &Stage, newcomer: Participant) -> Option<Pairing> {
    if stage.teams.is_some() {
        return None;
    }
    let mut joined = stage.clone();
    joined.participants.retain(|it| it.entrant != newcomer.entrant);
    joined.participants.push(newcomer);
    joined.check().ok()?;
    match stage.format {
        Format::Swiss { .. } => into_swiss_bye(&joined, newcomer.entrant),
        Format::SingleElimination { .. } | Format::DoubleElimination {} => {
            into_bracket_bye(stage, &joined, newcomer.entrant)
        }
        Format::RoundRobin { .. }
        | Format::Groups { .. }
        | Format::Pods { .. }
        | Format::PodKnockout { .. }
        | Format::Arena { .. } => None,
    }
}

/// Was the bye given, to somebody who is still there?
fn is_open(stage: &Stage, bye: &Bout) -> bool {
    let [holder] = bye.entrants[..] else { return false };
    let is_here = stage.participants.iter().any(|it| it.entrant == holder && it.until_round.is_none());
    is_here && stage.rulings.bye(holder, bye.key.round).is_none()
}

fn into_swiss_bye(joined: &Stage, newcomer: u32) -> Option<Pairing> {
    let round = joined.bouts.iter().map(|it| it.key.round).max()?;
    let of_round = || joined.bouts.iter().filter(|it| it.key.round == round);
    let plays = joined.participants.iter().any(|it| it.entrant == newcomer && it.plays_in(round));
    if !plays || of_round().any(|it| it.entrants.contains(&newcomer)) || joined.rulings.bye(newcomer, round).is_some() {
        return None;
    }
    let may_meet = |holder: u32| {
        let have_met = joined.bouts.iter().any(|it| it.entrants.contains(&holder) && it.entrants.contains(&newcomer));
        !have_met && !joined.keeps_apart(holder, newcomer)
    };
    let bye = of_round().filter(|it| is_open(joined, it) && may_meet(it.entrants[0])).min()?;
    let mut before = joined.clone();
    before.bouts.retain(|it| it.key.round < round);
    let entrants = swiss::seated_in(&before, round, [bye.entrants[0], newcomer])?;
    Some(Pairing { key: bye.key, entrants, reasons: vec![Reason::LateEntrant { entrant: newcomer }] })
}

/// A bracket with one more entrant has the same bouts, but for the bye that becomes a bout and what follows from it.
fn into_bracket_bye(stage: &Stage, joined: &Stage, newcomer: u32) -> Option<Pairing> {
    let slot = Slot::Entrant(newcomer);
    let planned = joined.without_bouts().bracket()?.filled().into_iter().find(|it| it.places.contains(&slot))?;
    let bye = stage.bouts.iter().find(|it| it.key == planned.key && is_open(stage, it))?;
    let entrants: Vec<u32> = planned.places.iter().filter_map(|it| it.entrant()).collect();
    if entrants.len() != 2 || !entrants.contains(&bye.entrants[0]) {
        return None;
    }
    let mut after = joined.clone();
    after.bouts.iter_mut().filter(|it| it.key == bye.key).for_each(|it| it.entrants.clone_from(&entrants));
    let others: Vec<_> = stage.bouts.iter().map(|it| it.key).filter(|it| *it != bye.key).collect();
    let leads_like = after.bracket()?.leads_like(&stage.bracket()?, &others);
    let pairing =
        Pairing { key: bye.key, entrants: entrants.clone(), reasons: vec![Reason::LateEntrant { entrant: newcomer }] };
    leads_like.then_some(pairing)
}

/// Was somebody paired past this participant, who has left?
pub(super) fn is_passed(stage: &Stage, entrant: u32) -> bool {
    let mut back = stage.clone();
    let theirs = back.participants.iter_mut().find(|it| it.entrant == entrant);
    let Some(until) = theirs.and_then(|it| it.until_round.take()) else { return false };
    // In a bracket others may be rounds ahead elsewhere.
    let by_bracket = back.bracket().and_then(|it| it.is_passed(entrant));
    let plays = || stage.bouts.iter().any(|it| !it.is_over() && it.entrants.contains(&entrant));
    by_bracket.unwrap_or_else(|| !plays() && bouts_beside(stage, entrant).iter().any(|it| it.key.round > until))
}

/// The bouts of the part of the stage in which this participant plays.
fn bouts_beside(stage: &Stage, entrant: u32) -> Vec<Bout> {
    let Format::Groups { groups, play } = stage.format else { return stage.bouts.clone() };
    groups::bouts_of_group(stage, (groups, play), entrant)
}

impl Stage {
    fn without_bouts(&self) -> Stage {
        Stage { bouts: Vec::new(), ..self.clone() }
    }
}
