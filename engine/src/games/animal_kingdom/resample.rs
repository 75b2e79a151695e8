//! Resampling: a random match that looks the same to a viewer.

use super::animals::{Animal, Field};
use super::moves::{Move, Situation};
use super::{AnimalKingdom, Stage};
use crate::chance::{Source, shuffle};
use crate::game::Viewer;
use crate::seats::{PerSeat, Seat, SeatSet};

/// Deals the animals again that the viewer does not know, and gives their seats random moves that the new animal could
/// have made in each round. Published gains stay as they are, even if the new moves do not explain them: nothing in the
/// viewer's view, moves or refusals depends on that.
pub(super) fn resampled(game: &AnimalKingdom, viewer: Viewer, source: &mut dyn Source) -> AnimalKingdom {
    let mut world = game.clone();
    let known = known_to(game, viewer);
    let unknown: Vec<Seat> = game.animals.seats().filter(|seat| !known.has(*seat)).collect();
    let mut animals: Vec<Animal> = unknown.iter().map(|seat| game.animals[*seat]).collect();
    shuffle(&mut animals, source);
    for (seat, animal) in unknown.into_iter().zip(animals) {
        world.animals[seat] = animal;
    }
    let others: Vec<Seat> = game.animals.seats().filter(|seat| viewer.seat() != Some(*seat)).collect();
    for round in 0..world.past.len() {
        for seat in &others {
            world.past[round].moves[*seat] = world.any_move(*seat, round, &world.past[round].fields, source);
        }
    }
    let mut stage = world.stage.clone();
    match &mut stage {
        Stage::Moving { fields } => {
            for seat in others.iter().filter(|seat| game.has_chosen(**seat)) {
                fields[*seat] = Some(Field::ALL[source.below(4) as usize]);
            }
        }
        Stage::Skill { fields, moves } => {
            for seat in others.iter().filter(|seat| game.has_chosen(**seat)) {
                moves[*seat] = Some(world.any_move(*seat, world.past.len(), fields, source));
            }
        }
        Stage::Deal | Stage::Finished { .. } => {}
    }
    world.stage = stage;
    world
}

/// The seats whose animal the viewer knows: its own, those that it has learned, and in the end all.
fn known_to(game: &AnimalKingdom, viewer: Viewer) -> SeatSet {
    if matches!(game.stage, Stage::Finished { .. }) {
        return game.animals.seats().collect();
    }
    let Some(seat) = viewer.seat() else { return SeatSet::none() };
    let learned = game.past.iter().filter_map(|round| match round.moves[seat] {
        Move::Predict { seat: target, .. } => Some(target),
        _ => None,
    });
    learned.chain([seat]).collect()
}

impl AnimalKingdom {
    fn has_chosen(&self, seat: Seat) -> bool {
        !self.waits_for().has(seat)
    }

    fn any_move(&self, seat: Seat, round: usize, fields: &PerSeat<Field>, source: &mut dyn Source) -> Move {
        let mut moves = Vec::new();
        let animal = self.animals[seat];
        Situation { seat, animal, fields, earlier: &self.past[..round] }.moves(&mut moves);
        moves[source.below(moves.len() as u32) as usize]
    }
}
