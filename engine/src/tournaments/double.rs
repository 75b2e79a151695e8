//! Double elimination: a participant who loses twice is out. There are two brackets and a final between their winners.
//! The final is played again if the finalist who had lost before wins it.

use super::bouts::{BoutKey, Planned, Side, Slot};
use super::bracket::{first_places, pruned};
use super::elimination::main_side;
use super::stage::Stage;

/// Where the losers of each round of the main side, from the second on, enter the losers' side: at their own number,
/// counted from 0, with these bits flipped. Indexed by the number of rounds of the main side, from 3. An exhaustive
/// search found them: entrants who have met meet again as late as possible and, at the earliest such round, as rarely
/// as possible.
const CROSSINGS: [&[usize]; 6] = [
    &[1],
    &[0b10, 0],
    &[0b010, 0b10, 0],
    &[0b1000, 0b110, 0b01, 1],
    &[0b01000, 0b1000, 0b110, 0b00, 1],
    &[0b001000, 0b01000, 0b1000, 0b110, 0b00, 1],
];

/// Every bout, each after the bouts that it depends on.
pub(super) fn plan(stage: &Stage) -> Vec<Planned> {
    let first = first_places(stage);
    let rounds = first.len().ilog2() as u16;
    let mut bouts = main_side(first, main_round);
    let main_winner = Slot::Winner(BoutKey::main(main_round(rounds), 1));
    let losers_winner = match losers_side(rounds) {
        side if side.is_empty() => Slot::Loser(BoutKey::main(1, 1)),
        side => {
            let last = side.last().map(|it| it.key);
            bouts.extend(side);
            last.map_or(Slot::Nobody, Slot::Winner)
        }
    };
    let last = |round| BoutKey { side: Side::Final, round, number: 1 };
    let (decider, replay) = (last(2 * rounds), last(2 * rounds + 1));
    bouts.push(Planned { key: decider, places: vec![main_winner, losers_winner] });
    bouts.push(Planned { key: replay, places: vec![Slot::Winner(decider), Slot::Loser(decider)] });
    pruned(bouts)
}

/// Maps rounds of the main side to rounds of the stage. In the rounds between, the losers play each other.
fn main_round(nth: u16) -> u16 {
    (2 * nth).saturating_sub(2).max(1)
}

fn losers_side(rounds: u16) -> Vec<Planned> {
    let mut bouts = Vec::new();
    let crossings = usize::from(rounds).checked_sub(3).and_then(|it| CROSSINGS.get(it)).copied().unwrap_or_default();
    let mut survivors: Vec<Slot> = losers_of(1, rounds).collect();
    let mut play = |round: u16, pairs: Vec<[Slot; 2]>| -> Vec<Slot> {
        let keys = (1..).map(|number| BoutKey { side: Side::Losers, round, number });
        let planned: Vec<Planned> = keys.zip(pairs).map(|(key, pair)| Planned { key, places: pair.to_vec() }).collect();
        let winners = planned.iter().map(|it| Slot::Winner(it.key)).collect();
        bouts.extend(planned);
        winners
    };
    for nth in 2..=rounds {
        // The survivors play each other, then against the losers from the main side.
        let among = survivors.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let here = play(2 * nth - 2, among);
        let coming: Vec<Slot> = losers_of(nth, rounds).collect();
        let turned = crossings.get(usize::from(nth) - 2).copied().unwrap_or_default();
        let meet = |(place, it): (usize, &Slot)| [*it, coming.get(place ^ turned).copied().unwrap_or(Slot::Nobody)];
        survivors = play(2 * nth - 1, here.iter().enumerate().map(meet).collect());
    }
    bouts
}

/// The losers of a round of the main side.
fn losers_of(nth: u16, rounds: u16) -> impl Iterator<Item = Slot> {
    (1..=1 << (rounds - nth)).map(move |number| Slot::Loser(BoutKey::main(main_round(nth), number)))
}
