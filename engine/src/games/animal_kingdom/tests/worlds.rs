//! Determinization: what is drawn, and how often.

use super::*;
use crate::bots;
use crate::chance::Source;
use crate::seats::SeatSet;

/// Do the moves of all past rounds lead to the gains that were published?
fn is_explained(world: &AnimalKingdom) -> bool {
    let before = std::iter::once(None).chain(world.past.iter().map(|round| Some(&round.fields)));
    world.past.iter().zip(before).zip(1..).all(|((round, before), number)| {
        let (fields, moves) = (&round.fields, &round.moves);
        let reckoning = Reckoning { options: &world.options, animals: &world.animals, before, fields, moves };
        let gains = reckoning.gains(round_value(number));
        world.animals.entries().all(|(seat, animal)| gains[seat] == round.gained(*animal))
    })
}

/// Nobody names a seat twice, and all skills are legal.
fn is_legal(world: &AnimalKingdom) -> bool {
    (0..world.past.len()).all(|round| {
        let Round { fields, moves, .. } = &world.past[round];
        world.animals.entries().all(|(seat, animal)| {
            let mut legal = Vec::new();
            let earlier = &world.past[..round];
            Situation { seat, animal: *animal, fields, earlier }.moves(&mut legal);
            legal.contains(&moves[seat])
        })
    })
}

/// Draws worlds in matches of bots. Returns how many were drawn, and how many of them explain all gains.
fn explained(policy: bots::Policy, matches: u64) -> (u32, u32) {
    let (mut drawn, mut explained) = (0, 0);
    for seed in 0..matches {
        let mut source = random(seed);
        let mut table = bots::Table::<AnimalKingdom>::new(Options::default(), SEATS).expect("the basic game");
        loop {
            let action = match table.game.turn() {
                Turn::Over(_) => break,
                Turn::Chance => Action::Chance(table.game.draw(&mut source)),
                Turn::Seats { to_move, .. } => {
                    let seat = one_of(to_move, &mut source);
                    if source.below(12) == 0 {
                        let view = table.game.view(Viewer::Seat(seat));
                        let world = AnimalKingdom::determinize(seat, &view, &[], &mut source).expect("a world");
                        assert!(is_legal(&world));
                        drawn += 1;
                        explained += u32::from(is_explained(&world));
                    }
                    Action::Move(seat, table.choose(seat, policy, &mut source))
                }
            };
            table.apply(action);
        }
    }
    (drawn, explained)
}

fn one_of(seats: SeatSet, source: &mut dyn Source) -> Seat {
    seats.iter().nth(source.below(seats.len() as u32) as usize).expect("somebody is to move")
}

#[test]
fn nearly_every_world_explains_all_that_was_published() {
    for policy in [bots::Policy::Random, bots::Policy::Autopilot] {
        let (drawn, explained) = explained(policy, 30);
        assert!(drawn > 100 && explained * 5 > drawn * 4, "{policy:?}: {explained} of {drawn}");
    }
}
