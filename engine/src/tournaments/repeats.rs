//! A Swiss round in which people meet again, for a stage that cannot be paired otherwise: as few as possible have no
//! opponent for a second time, then people meet again as little as possible, then the points of the pairs differ least.

use std::collections::BTreeSet;

use super::bouts::{BoutKey, Pairing};
use super::history::{BoutResult, History};
use super::matching::{Cost, cheapest};
use super::reasons::Reason;
use super::refusals::Unpairable;
use super::seat_order::seated;
use super::stage::{Participant, Stage};

/// A player to be paired.
struct Player {
    entrant: u32,
    points: i64,
    /// How many scores are higher.
    group: i64,
    has_had_bye: bool,
}

/// The next round, if it is due.
pub(super) fn due(stage: &Stage, rounds: u16) -> Result<Vec<Pairing>, Unpairable> {
    let Some(round) = stage.next_round().filter(|it| *it <= rounds) else { return Ok(Vec::new()) };
    let history = History::new(stage);
    let players = players(stage, round, &history);
    if players.len() < 2 {
        return Err(Unpairable::TooFewLeft);
    }
    let many = players.len().next_multiple_of(2);
    let partners = cheapest(many, |one, other| Some(harm(stage, &players, &history, one, other)));
    let partners = partners.ok_or(Unpairable::NoLegalPairing)?;
    let pairs = players.iter().enumerate().filter(|(it, _)| *it < partners[*it]);
    let pairing = |((it, player), number): ((usize, &Player), u16)| {
        let other = players.get(partners[it]);
        let entrants: Vec<u32> = [Some(player), other].into_iter().flatten().map(|it| it.entrant).collect();
        Pairing {
            key: BoutKey::main(round, number),
            entrants: seated(&entrants, round, stage, &history),
            reasons: reasons(stage, player, other, &history),
        }
    };
    let mut pairings: Vec<Pairing> = pairs.zip(1..).map(pairing).collect();
    pairings.extend(stage.requested_byes(round, pairings.len() as u16 + 1));
    Ok(pairings)
}

/// The players of that round, the most points first, then by seed.
fn players(stage: &Stage, round: u16, history: &History) -> Vec<Player> {
    let plays = |it: &Participant| it.plays_in(round) && stage.rulings.bye(it.entrant, round).is_none();
    let mut here: Vec<u32> = stage.by_seed().into_iter().filter(plays).map(|it| it.entrant).collect();
    here.sort_by_key(|it| -history.points(*it));
    let scores: BTreeSet<i64> = here.iter().map(|it| history.points(*it)).collect();
    let is_bye = |result: BoutResult| matches!(result, BoutResult::Bye | BoutResult::Walkover);
    let player = |entrant: u32| Player {
        entrant,
        points: history.points(entrant),
        group: scores.iter().filter(|it| **it > history.points(entrant)).count() as i64,
        has_had_bye: history.of(entrant).iter().any(|it| is_bye(it.result)),
    };
    here.into_iter().map(player).collect()
}

/// The harm of pairing two, the better one first, or of giving one the bye. The first count belongs to the matching.
fn harm(stage: &Stage, players: &[Player], history: &History, one: usize, other: usize) -> Cost<6> {
    let upper = &players[one];
    let Some(lower) = players.get(other) else {
        let behind = players.last().map_or(0, |last| last.group - upper.group);
        return Cost([0, i64::from(upper.has_had_bye), 0, 0, behind * behind, 0]);
    };
    let met = i64::from(history.times_met(upper.entrant, lower.entrant));
    let apart = lower.group - upper.group;
    // Three pairs rather meet for the second time than one for the third.
    let kept_apart = i64::from(stage.keeps_apart(upper.entrant, lower.entrant));
    Cost([0, 0, kept_apart, met * met, apart * apart, (other - one) as i64])
}

fn reasons(stage: &Stage, player: &Player, other: Option<&Player>, history: &History) -> Vec<Reason> {
    let Player { entrant, points, has_had_bye, .. } = *player;
    let Some(other) = other else {
        return vec![if has_had_bye { Reason::ByeAgain { points } } else { Reason::LowestBye { points } }];
    };
    let times = history.times_met(entrant, other.entrant);
    let repeat = (times > 0).then_some(Reason::Repeat { one: entrant, other: other.entrant, times });
    let score = match other.points == points {
        true => Reason::SamePoints { points },
        false => Reason::Floated { entrant, points, against: other.points },
    };
    let (one, two) = (entrant.min(other.entrant), entrant.max(other.entrant));
    let kept_apart = stage.keeps_apart(one, two).then_some(Reason::KeptApart { one, other: two });
    repeat.into_iter().chain(kept_apart).chain([score]).collect()
}
