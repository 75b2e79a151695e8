//! Search: tries the moves in worlds that are possible for what the seat knows, and lets the autopilot play on in them.

use super::{Knowledge, one_of};
use crate::chance::{Random, Source};
use crate::game::{Action, Game, Outcome, Turn, Viewer};
use crate::playout;
use crate::seats::Seat;

/// A match that the autopilot does not end in so many moves decides nothing.
const LONGEST_ROLLOUT: u32 = 2_000;

struct Candidate<M> {
    chosen: M,
    rollouts: u32,
    /// The sum of what the rollouts were worth.
    worth: f64,
}

impl<M> Candidate<M> {
    fn mean(&self) -> f64 {
        self.worth / f64::from(self.rollouts.max(1))
    }
}

/// Sequential halving (Karnin, Koren and Somekh 2013): every move that is left is tried in the same worlds with the same
/// luck, then the worse half is dropped, until one is left or the rollouts are used up.
pub(super) fn search<G: Game>(
    knowledge: &Knowledge<G>,
    rollouts: u32,
    goes_on: &mut dyn FnMut() -> bool,
    source: &mut dyn Source,
) -> G::Move {
    let candidates = G::worth_trying(knowledge.view, knowledge.legal);
    let mut left: Vec<_> = candidates.into_iter().map(|chosen| Candidate { chosen, rollouts: 0, worth: 0.0 }).collect();
    let rounds = left.len().next_power_of_two().trailing_zeros().max(1);
    while left.len() > 1 {
        let worlds = (rollouts / rounds / left.len() as u32).max(1);
        for _ in 0..worlds {
            let drawn = G::determinize(knowledge.seat, knowledge.view, knowledge.told, source);
            let (Some(world), true) = (drawn, goes_on()) else {
                return best_so_far(left).unwrap_or_else(|| G::autopilot(knowledge.view, knowledge.legal, source));
            };
            let luck = u64::from(source.below(u32::MAX));
            for candidate in &mut left {
                candidate.worth += try_move(&world, knowledge.seat, &candidate.chosen, luck);
                candidate.rollouts += 1;
            }
        }
        left.sort_by(|one, other| other.mean().total_cmp(&one.mean()));
        left.truncate(left.len().div_ceil(2));
    }
    best_so_far(left).unwrap_or_else(|| G::autopilot(knowledge.view, knowledge.legal, source))
}

fn best_so_far<M>(candidates: Vec<Candidate<M>>) -> Option<M> {
    let tried = candidates.into_iter().filter(|it| it.rollouts > 0);
    tried.max_by(|one, other| one.mean().total_cmp(&other.mean())).map(|it| it.chosen)
}

/// Interrupts the others if that did clearly better than to let them go on, in the same worlds with the same luck.
pub(super) fn interrupt<G: Game>(
    knowledge: &Knowledge<G>,
    rollouts: u32,
    goes_on: &mut dyn FnMut() -> bool,
    source: &mut dyn Source,
) -> Option<G::Move> {
    let mut gains = vec![(0.0, 0.0); knowledge.legal.len()];
    let worlds = rollouts / (gains.len() as u32 + 1);
    for _ in 0..worlds {
        let drawn = G::determinize(knowledge.seat, knowledge.view, knowledge.told, source);
        let (Some(world), true) = (drawn, goes_on()) else {
            return G::interruption(knowledge.view, knowledge.legal);
        };
        let luck = u64::from(source.below(u32::MAX));
        let waiting = roll_out(&mut world.clone(), knowledge.seat, &mut playout::random(luck));
        for ((sum, squares), chosen) in gains.iter_mut().zip(knowledge.legal) {
            let gain = try_move(&world, knowledge.seat, chosen, luck) - waiting;
            (*sum, *squares) = (*sum + gain, *squares + gain * gain);
        }
    }
    // More than a standard deviation of the sum.
    let is_sure = |(sum, squares): &(f64, f64)| *sum > 0.0 && sum * sum > *squares;
    let sure = gains.iter().zip(knowledge.legal).filter(|(gain, _)| is_sure(gain));
    sure.max_by(|(one, _), (other, _)| one.0.total_cmp(&other.0)).map(|(_, chosen)| chosen.clone())
}

/// What the move is worth to the seat in this world with this luck.
fn try_move<G: Game>(world: &G, seat: Seat, chosen: &G::Move, luck: u64) -> f64 {
    let mut world = world.clone();
    world.apply(Action::Move(seat, chosen.clone()), &mut Vec::new());
    roll_out(&mut world, seat, &mut playout::random(luck))
}

/// Plays on like the autopilot, for all seats: what the end, or where the rollout stops, is worth to this one.
fn roll_out<G: Game>(world: &mut G, mine: Seat, source: &mut Random<impl rand::Rng>) -> f64 {
    let (mut legal, mut events) = (Vec::new(), Vec::new());
    for _ in 0..LONGEST_ROLLOUT {
        events.clear();
        if let Some(estimate) = world.estimate(mine) {
            return estimate;
        }
        let action = match world.turn() {
            Turn::Over(outcome) => return worth(&outcome, mine),
            Turn::Chance => Action::Chance(world.draw(source)),
            Turn::Seats { to_move, .. } => {
                let seat = one_of(to_move, source);
                legal.clear();
                world.legal_moves(seat, &mut legal);
                Action::Move(seat, G::autopilot(&world.view(Viewer::Seat(seat)), &legal, source))
            }
        };
        world.apply(action, &mut events);
    }
    0.0
}

/// 1 for a win, shared by those who tie, and a little for each seat left behind: who cannot win any more still prefers
/// the better place.
fn worth(outcome: &Outcome, seat: Seat) -> f64 {
    const PLACE: f64 = 0.2;
    let rank = outcome.ranks[seat];
    let behind = outcome.ranks.iter().filter(|other| **other > rank).count();
    let place = behind as f64 / f64::from(outcome.ranks.count() - 1).max(1.0);
    let winners = outcome.ranks.iter().filter(|other| **other == 1).count();
    let win = if rank == 1 { 1.0 / winners as f64 } else { 0.0 };
    (1.0 - PLACE) * win + PLACE * place
}
