//! What a player holds in the hand: its secrets, face down until it looks, and the controls of its moves. One line per game
//! that has a tray of its own, the plain one for all others. A tray is drawn from the seat's own view and legal moves, and
//! from nothing else. It works without scripts; `trays.js` makes it livelier.

mod animal_kingdom;
mod dead_mans_draw;
mod dice;
mod fields;
mod hogu_clue;
mod middle_race;
mod plain;
mod seen;
#[cfg(test)]
mod tests;

use engine::{Json, Seat};
use serde_json::Value;

use crate::games::words::Words;
pub(crate) use fields::read_move;
use web_base::error::ApiResult;
use web_base::page::Page;

type Draw = fn(&Hand<'_>) -> ApiResult<String>;

const TRAYS: &[(&str, Draw)] = &[
    ("perudo", dice::draw::<engine::games::perudo::View>),
    ("perudo-pirates", dice::draw::<engine::games::perudo_pirates::View>),
    ("liars-dice", dice::draw::<engine::games::liars_dice::View>),
    ("dead-mans-draw", dead_mans_draw::draw),
    ("animal-kingdom", animal_kingdom::draw),
    ("hogu-clue", hogu_clue::draw),
    ("middle-race", middle_race::draw),
];

/// What a tray is drawn from.
pub(crate) struct Hand<'a> {
    pub page: &'a Page,
    pub game: &'a str,
    pub seat: Seat,
    /// What this seat sees.
    pub view: &'a Value,
    /// What this seat may do now.
    pub moves: &'a [Json],
    pub names: &'a [String],
    pub words: &'a Words<'a>,
    pub form: MoveForm<'a>,
}

/// Where a choice is posted, and what every choice takes along.
pub(crate) struct MoveForm<'a> {
    pub action: &'a str,
    pub hidden: Vec<(&'a str, String)>,
}

/// The tray as HTML, made by its template. A view that a tray does not understand gets the plain one.
pub(crate) fn draw(hand: &Hand<'_>) -> ApiResult<String> {
    let own = TRAYS.iter().find(|(game, _)| *game == hand.game).map(|(_, draw)| *draw);
    match own.map(|draw| draw(hand)) {
        Some(Ok(tray)) => Ok(tray),
        Some(Err(err)) => {
            tracing::warn!(game = hand.game, error = %err, "drawing a tray failed");
            plain::draw(hand)
        }
        None => plain::draw(hand),
    }
}
