//! How a running match looks to everybody: one line per game that has a board of its own, the plain one for all others.
//! A board is drawn from the public view, which holds nothing hidden.

mod dice;
mod plain;

use serde_json::Value;

use super::words::Words;
use crate::error::ApiResult;
use crate::page::Page;

type Draw = fn(&Scene<'_>) -> ApiResult<String>;

const BOARDS: &[(&str, Draw)] = &[("perudo", dice::draw), ("perudo-pirates", dice::draw), ("liars-dice", dice::draw)];

/// What a board is drawn from.
pub(super) struct Scene<'a> {
    pub page: &'a Page,
    pub game: &'a str,
    pub view: &'a Value,
    pub names: &'a [String],
    pub words: &'a Words<'a>,
}

/// The board as HTML, made by its template. A view that a board does not understand is shown plainly.
pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let own = BOARDS.iter().find(|(game, _)| *game == scene.game).map(|(_, draw)| *draw);
    match own.map(|draw| draw(scene)) {
        Some(Ok(board)) => Ok(board),
        Some(Err(err)) => {
            tracing::warn!(game = scene.game, reason = %err, "a board could not be drawn");
            plain::draw(scene)
        }
        None => plain::draw(scene),
    }
}

impl Scene<'_> {
    fn name(&self, seat: usize) -> &str {
        self.names.get(seat).map_or("?", String::as_str)
    }
}
