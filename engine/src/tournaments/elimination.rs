//! Single elimination: a participant who loses is out. The size of the bracket is the next power of two; the best seeds
//! have the byes.

use super::bouts::{BoutKey, Planned, Side, Slot};
use super::bracket::{first_places, pruned};
use super::stage::Stage;

/// Every bout, in the order of the rounds.
pub(super) fn plan(stage: &Stage, third_place: bool) -> Vec<Planned> {
    let mut bouts = main_side(first_places(stage), |round| round);
    let last = bouts.last().map_or(0, |it| it.key.round);
    if third_place && stage.participants.len() >= 4 {
        let semi = |number| Slot::Loser(BoutKey::main(last - 1, number));
        let key = BoutKey { side: Side::ThirdPlace, round: last, number: 1 };
        bouts.push(Planned { key, places: vec![semi(1), semi(2)] });
    }
    pruned(bouts)
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
