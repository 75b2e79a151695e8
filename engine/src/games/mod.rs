//! A room for each game. No game knows of another.

pub mod animal_kingdom;
pub mod dead_mans_draw;
pub mod hogu_clue;
pub mod liars_dice;
pub mod middle_race;
pub mod perudo;
pub mod perudo_pirates;
#[cfg(test)]
pub(crate) mod table;
