//! The list of games.

use crate::erased::{Kind, of};
use crate::games;

/// Every game, in the order in which the café lists them.
pub static GAMES: &[&dyn Kind] = &[
    of::<games::perudo::Perudo>(),
    of::<games::perudo_pirates::PerudoPirates>(),
    of::<games::liars_dice::LiarsDice>(),
    of::<games::dead_mans_draw::DeadMansDraw>(),
    of::<games::animal_kingdom::AnimalKingdom>(),
    of::<games::hogu_clue::HoguClue>(),
    of::<games::middle_race::MiddleRace>(),
];

/// Returns the game with this id.
pub fn find(id: &str) -> Option<&'static dyn Kind> {
    GAMES.iter().copied().find(|game| game.info().id == id)
}
