//! Playing a match again from what one seat was told of it, for games whose worlds are easier to retell than to build.

use crate::game::{Action, Game, Turn, Viewer};
use crate::seats::Seat;

/// Plays `world` on until all has happened that the seat was told. `next` says what happened then, by the world so far
/// and by what the seat was told from there on; it makes up what the seat was not told. `None` once it cannot.
pub(crate) fn retell<G: Game>(
    mut world: G,
    seat: Seat,
    told: &[G::Event],
    mut next: impl FnMut(&G, &[G::Event]) -> Option<Action<G::Move, G::Chance>>,
) -> Option<G> {
    let (mut left, mut events) = (told, Vec::new());
    while !left.is_empty() || world.turn() == Turn::Chance {
        let action = next(&world, left)?;
        world.apply(action, &mut events);
        let heard = events.drain(..).filter(|it| it.to.includes(Viewer::Seat(seat))).count();
        left = left.get(heard..)?;
    }
    Some(world)
}
