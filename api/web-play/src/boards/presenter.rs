//! A match as its page shows it, whether it is kept or tried out: the board, what happened, and moves in words.

use engine::{Json, Seat};
use serde_json::Value;

use super::trays::{self, Hand, MoveForm};
use crate::boards::{self, Scene};
use crate::games::words::Words;
use web_base::error::ApiResult;
use web_base::page::Page;

/// Which game is shown, and what its seats are called.
pub(crate) struct Presenter<'a> {
    page: &'a Page,
    game: &'a str,
    names: &'a [String],
    words: Words<'a>,
}

impl<'a> Presenter<'a> {
    pub(crate) fn new(page: &'a Page, game: &'a str, names: &'a [String]) -> Self {
        Self { page, game, names, words: Words::new(page.lang, game, names) }
    }

    /// The board with what these seats have in front of them. Somebody who looks through one seat's eyes sits there.
    pub(crate) fn draw(&self, view: &Value, own: &[(usize, Value)]) -> ApiResult<String> {
        self.draw_from(boards::near(own), view, own)
    }

    /// The board as it lies before somebody who sits at this seat.
    pub(crate) fn draw_from(&self, near: Seat, view: &Value, own: &[(usize, Value)]) -> ApiResult<String> {
        let Self { page, game, names, words, .. } = self;
        boards::draw(&Scene { page, game, view, own, near, names, words })
    }

    /// What this seat holds, from its own view and legal moves.
    pub(crate) fn tray(&self, seat: Seat, view: &Value, moves: &[Json], form: MoveForm<'_>) -> ApiResult<String> {
        let Self { page, game, names, words, .. } = self;
        trays::draw(&Hand { page, game, seat, view, moves, names, words, form })
    }

    /// What happened, in order.
    pub(crate) fn tell(&self, events: &[Json]) -> Vec<String> {
        events.iter().map(|event| self.words.event(event).0).collect()
    }
}
