//! Swiss: everybody plays every round against an opponent with about as many points, and never meets an opponent twice.
//! It follows FIDE's Dutch system (Handbook C.04.1 and C.04.3): score groups are paired from the top down, each as well
//! as the rules for it allow, so that leaders who may meet do meet. The pairing is the best among those after which all
//! later rounds can be played.

mod brackets;
mod digits;
mod players;

use super::bouts::{BoutKey, Pairing};
use super::history::History;
use super::look_ahead::best_for_later;
use super::reasons::Reason;
use super::refusals::Unpairable;
use super::stage::Stage;

pub(super) use brackets::Round;
#[cfg(test)]
pub(super) use players::{Float, Strength};
pub(super) use players::{Player, players};

/// The next round, if it is due.
pub(super) fn due(stage: &Stage, rounds: u16) -> Result<Vec<Pairing>, Unpairable> {
    let Some(number) = stage.next_round().filter(|it| *it <= rounds) else { return Ok(Vec::new()) };
    let history = History::new(stage);
    let players = players(stage, number, &history);
    if players.len() < 2 {
        return Err(Unpairable::TooFewLeft);
    }
    let round = Round::new(stage, &players, &history, number == rounds);
    let partners = best_for_later(&round, rounds - number).ok_or(Unpairable::NoLegalPairing)?;
    let pairs = players.iter().enumerate().filter(|(it, _)| *it < partners[*it]);
    let pairing = |((it, player), number): ((usize, &Player), u16)| {
        let other = players.get(partners[it]);
        Pairing {
            key: BoutKey::main(round.number, number),
            entrants: seated(player, other),
            reasons: reasons(stage, player, other),
        }
    };
    let mut pairings: Vec<Pairing> = pairs.zip(1..).map(pairing).collect();
    pairings.extend(stage.requested_byes(number, pairings.len() as u16 + 1));
    Ok(pairings)
}

/// The two in the order of their seats in that round, given all bouts before it.
pub(super) fn seated_in(before: &Stage, round: u16, [one, other]: [u32; 2]) -> Option<Vec<u32>> {
    let players = players(before, round, &History::new(before));
    // The players come in the order of their standing.
    let mut pair = players.iter().filter(|it| [one, other].contains(&it.entrant));
    let ahead = pair.next()?;
    Some(seated(ahead, Some(pair.next()?)))
}

fn seated(player: &Player, other: Option<&Player>) -> Vec<u32> {
    match other {
        None => vec![player.entrant],
        Some(other) if player.sits_first_against(other) => vec![player.entrant, other.entrant],
        Some(other) => vec![other.entrant, player.entrant],
    }
}

fn reasons(stage: &Stage, player: &Player, other: Option<&Player>) -> Vec<Reason> {
    let Player { entrant, points, .. } = *player;
    let first = match other {
        None => Reason::LowestBye { points },
        Some(other) if other.points == points => Reason::SamePoints { points },
        Some(other) => Reason::Floated { entrant, points, against: other.points },
    };
    let other = other.filter(|other| stage.keeps_apart(entrant, other.entrant));
    let apart = other.map(|it| Reason::KeptApart { one: entrant.min(it.entrant), other: entrant.max(it.entrant) });
    [first].into_iter().chain(apart).collect()
}
