//! Single elimination: a participant who loses is out, or plays on for the places that are left. The size of the bracket is the
//! next power of two; the best seeds have the byes.

use std::collections::BTreeMap;

use super::bouts::{BoutKey, Planned, Side, Slot};
use super::bracket::{first_places, pruned};
use super::stage::{Consolation, Stage};

/// The number of slots of the first round.
pub(super) fn size(stage: &Stage) -> u32 {
    stage.sides().next_power_of_two().max(2) as u32
}

/// The last place that is played for.
pub(super) fn most_place(stage: &Stage, third_place: bool, consolation: Consolation) -> u32 {
    match (consolation, third_place) {
        (Consolation::All, _) => size(stage),
        (Consolation::Eight, _) => 8,
        (Consolation::None, true) => 4,
        (Consolation::None, false) => 2,
    }
}

/// Every bout, each after the bouts that it depends on. Those who lose play on as long as a place up to `most_place` is at stake.
pub(super) fn plan(stage: &Stage, most_place: u32) -> Vec<Planned> {
    let first = first_places(stage);
    let size = first.len() as u32;
    let mut bouts = main_side(first, |round| round);
    bouts.extend(places_behind(size, most_place));
    without_byes(pruned(bouts))
}

/// The bouts of the participants who have not lost yet. `round` maps the rounds of this side to rounds of the stage.
pub(super) fn main_side(first: Vec<Slot>, round: impl Fn(u16) -> u16) -> Vec<Planned> {
    let mut bouts = Vec::new();
    let mut places = first;
    let mut nth = 1;
    while places.len() > 1 {
        let pairs = places.chunks(2).zip(1..);
        let planned =
            pairs.map(|(pair, number)| Planned { key: BoutKey::main(round(nth), number), places: pair.to_vec() });
        let next: Vec<Planned> = planned.collect();
        places = next.iter().map(|it| Slot::Winner(it.key)).collect();
        bouts.extend(next);
        nth += 1;
    }
    bouts
}

/// The bouts for the places behind the second. Each round splits every block of places in two: who wins plays for its upper half, who
/// loses for its lower. All blocks of a round have one size, and block 0 is the main side.
fn places_behind(size: u32, most_place: u32) -> Vec<Planned> {
    let mut bouts = Vec::new();
    for round in 2..=size.ilog2() as u16 {
        let block_size = size >> (round - 1);
        for block in (1..size / block_size).filter(|it| (it + 1) * block_size <= most_place) {
            let (before, is_lower) = (block / 2, block % 2 == 1);
            let comes = |nth: u32| {
                let bout = block_key(2 * block_size, before, round - 1, nth);
                if is_lower { Slot::Loser(bout) } else { Slot::Winner(bout) }
            };
            let planned = |nth: u32| Planned {
                key: block_key(block_size, block, round, nth),
                places: vec![comes(2 * nth), comes(2 * nth + 1)],
            };
            bouts.extend((0..block_size / 2).map(planned));
        }
    }
    bouts
}

/// The key of a bout of a block, counted from 0.
fn block_key(block_size: u32, block: u32, round: u16, nth: u32) -> BoutKey {
    match (block, block_size) {
        (0, _) => BoutKey::main(round, nth as u16 + 1),
        (1, 2) => BoutKey { side: Side::ThirdPlace, round, number: 1 },
        _ => BoutKey { side: Side::Places, round, number: ((block - 1) * (block_size / 2) + nth) as u16 + 1 },
    }
}

/// The first and the last place of the block of a bout, in a bracket of this size.
pub(super) fn places_at_stake(size: u32, key: BoutKey) -> (u32, u32) {
    let block_size = size.checked_shr(u32::from(key.round).saturating_sub(1)).unwrap_or_default().max(2);
    let block = match key.side {
        Side::Main | Side::Losers | Side::Final => 0,
        Side::ThirdPlace => 1,
        Side::Places => 1 + u32::from(key.number).saturating_sub(1) / (block_size / 2),
    };
    (block * block_size + 1, (block + 1) * block_size)
}

/// Where only one plays for a block of places behind the second, that one goes on without a bout.
fn without_byes(bouts: Vec<Planned>) -> Vec<Planned> {
    let mut passed: BTreeMap<Slot, Slot> = BTreeMap::new();
    let mut kept = Vec::new();
    for mut bout in bouts {
        for place in &mut bout.places {
            *place = passed.get(place).copied().unwrap_or(*place);
        }
        let there: Vec<Slot> = bout.places.iter().filter(|it| **it != Slot::Nobody).copied().collect();
        match there[..] {
            [alone] if bout.key.side.is_consolation() => drop(passed.insert(Slot::Winner(bout.key), alone)),
            _ => kept.push(bout),
        }
    }
    kept
}
