//! Round robin: everybody meets everybody, in the order of the Berger tables (FIDE Handbook C.05, annex 1).

use std::collections::BTreeSet;

use super::bouts::{BoutKey, Pairing};
use super::reasons::Reason;
use super::stage::Stage;

/// The most legs that can be played.
pub(super) const MOST_LEGS: u8 = 3;

/// The number of rounds.
pub(super) fn rounds(stage: &Stage, legs: u8) -> u16 {
    rounds_per_leg(stage.participants.len()) * u16::from(legs)
}

/// Who rests in which rounds because the number of participants is odd.
pub(super) fn rests(stage: &Stage, legs: u8) -> BTreeSet<(u32, u16)> {
    let by_seed = stage.by_seed();
    if by_seed.len().is_multiple_of(2) {
        return BTreeSet::new();
    }
    let per_leg = rounds_per_leg(by_seed.len());
    let alone = |round: u16| {
        let table = berger(by_seed.len() as u16, (round - 1) % per_leg + 1);
        let pairs = table.into_iter().map(|(one, other)| [one, other].map(|it| by_seed.get(usize::from(it) - 1)));
        let alone = pairs.filter(|it| it.contains(&None)).flat_map(|it| it.into_iter().flatten().map(|it| it.entrant));
        alone.map(|entrant| (entrant, round)).collect::<Vec<_>>()
    };
    (1..=per_leg.saturating_mul(legs.into())).flat_map(alone).collect()
}

/// The first round with a missing bout, once all paired bouts are over.
pub(super) fn due(stage: &Stage, legs: u8) -> Vec<Pairing> {
    if stage.bouts.iter().any(|it| !it.is_over()) {
        return Vec::new();
    }
    let paired: BTreeSet<BoutKey> = stage.bouts.iter().map(|it| it.key).collect();
    let missing = |round| {
        let mut pairings = round_of(stage, round);
        pairings.retain(|it| !paired.contains(&it.key));
        pairings
    };
    (1..=rounds(stage, legs)).map(missing).find(|it| !it.is_empty()).unwrap_or_default()
}

/// The pairings of a round, without the participants who have dropped.
fn round_of(stage: &Stage, round: u16) -> Vec<Pairing> {
    let by_seed = stage.by_seed();
    let per_leg = rounds_per_leg(by_seed.len());
    let turned = (round - 1) / per_leg % 2 == 1;
    let table = berger(by_seed.len() as u16, (round - 1) % per_leg + 1);
    let pairing = |((one, other), number): ((u16, u16), u16)| {
        let pair = if turned { [other, one] } else { [one, other] };
        let both = pair.map(|seed| by_seed.get(usize::from(seed) - 1));
        let here = both.iter().flatten().filter(|it| it.plays_in(round)).map(|it| it.entrant);
        let entrants: Vec<u32> = here.collect();
        let reason = match entrants.len() {
            0 => return None,
            1 if both.contains(&None) => Reason::Schedule,
            1 => Reason::OpponentGone,
            _ => Reason::Schedule,
        };
        Some(Pairing { key: BoutKey::main(round, number), entrants, reasons: vec![reason] })
    };
    table.into_iter().zip(1..).filter_map(pairing).collect()
}

fn rounds_per_leg(participants: usize) -> u16 {
    (participants as u16).next_multiple_of(2).saturating_sub(1).max(1)
}

/// A round of the Berger table for this many participants, as pairs with the first seat first. With an odd number of
/// participants, the opponent of the last number has a bye.
pub(super) fn berger(participants: u16, round: u16) -> Vec<(u16, u16)> {
    let last = participants.next_multiple_of(2);
    let circle = last - 1;
    // The one against the last number advances by half the circle each round; the others pair off around them.
    let half = last / 2;
    let pivot = (u32::from(round - 1) * u32::from(half) % u32::from(circle)) as u16 + 1;
    let at = |step: u16| (pivot - 1 + step) % circle + 1;
    let first = if round % 2 == 1 { (pivot, last) } else { (last, pivot) };
    let others = (1..half).map(|step| (at(step), at(circle - step)));
    [first].into_iter().chain(others).collect()
}
