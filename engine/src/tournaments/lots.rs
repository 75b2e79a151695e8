//! Lots: they decide when nothing else does. The same draw always gives the same lots.

use super::stage::Stage;

/// The lot of an entrant for a purpose, such as a round.
pub(super) fn lot(draw: u64, purpose: u64, entrant: u32) -> u64 {
    mixed(mixed(mixed(draw) ^ purpose) ^ u64::from(entrant))
}

/// SplitMix64 (Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators, 2014).
fn mixed(number: u64) -> u64 {
    let mut it = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    it ^ (it >> 31)
}

/// The place of an entrant in the order of the lots drawn once for the whole stage, from 1. Higher is better.
pub(super) fn final_lot(stage: &Stage, entrant: u32) -> usize {
    let mine = (lot(stage.draw, 0, entrant), entrant);
    1 + stage.participants.iter().filter(|it| (lot(stage.draw, 0, it.entrant), it.entrant) < mine).count()
}
