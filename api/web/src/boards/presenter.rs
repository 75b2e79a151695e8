//! A match as its page shows it, whether it is kept or tried out: the board, what happened, and moves in words.

use engine::{Json, Kind, Seat};
use serde_json::{Map, Value};

use super::trays::{self, Hand, MoveForm};
use super::words::Words;
use crate::boards::{self, Scene};
use crate::error::ApiResult;
use crate::page::Page;
use cafe::error::internal;
use cafe::games::kind;

/// Which game is shown, and what its seats are called.
pub(crate) struct Presenter<'a> {
    page: &'a Page,
    kind: &'static dyn Kind,
    game: &'a str,
    names: &'a [String],
    words: Words<'a>,
}

impl<'a> Presenter<'a> {
    /// # Errors
    /// When there is no such game.
    pub(crate) fn new(page: &'a Page, game: &'a str, names: &'a [String]) -> ApiResult<Self> {
        let kind = kind(game)?;
        Ok(Self { page, kind, game, names, words: Words::new(page.lang, kind, game, names) })
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

    /// Each move by its name and what it says besides.
    pub(crate) fn name_moves(&self, moves: &[Json]) -> ApiResult<Vec<String>> {
        let schema = self.kind.schemas().moves.to_value();
        moves.iter().map(|chosen| self.name_move(&schema, chosen)).collect()
    }

    fn name_move(&self, schema: &Value, chosen: &Json) -> ApiResult<String> {
        let fields: Map<String, Value> = serde_json::from_str(chosen.get()).map_err(internal)?;
        let named = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let said = self.page.word_or(&format!("{}-move-{named}", self.game), named);
        let variants = schema["oneOf"].as_array().into_iter().flatten();
        let variant = variants.into_iter().find(|it| it["properties"]["type"]["const"] == named);
        let text = |(name, value): (&String, &Value)| self.words.text(variant.map(|it| &it["properties"][name]), value);
        let more: Vec<String> =
            fields.iter().filter(|(name, value)| *name != "type" && !value.is_null()).map(text).collect();
        Ok(if more.is_empty() { said } else { format!("{said}: {}", more.join(" · ")) })
    }
}
