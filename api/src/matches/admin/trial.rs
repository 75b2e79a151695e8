//! How a trial looks, which is none of the house's matches: its board, what happened, and moves in words.

use engine::Json;
use serde_json::{Map, Value};

use super::boards::{self, Scene};
use super::words::Words;
use crate::error::{ApiResult, internal};
use crate::matches::kind;
use crate::page::Page;

/// Whose game is shown, and what its seats are called.
pub(crate) struct Trial<'a> {
    pub page: &'a Page,
    pub game: &'a str,
    pub names: &'a [String],
}

impl Trial<'_> {
    /// The board with what these seats have in front of them.
    pub(crate) fn draw(&self, view: &Value, own: &[(usize, Value)]) -> ApiResult<String> {
        let words = self.words()?;
        boards::draw(&Scene { page: self.page, game: self.game, view, own, names: self.names, words: &words })
    }

    /// What happened, in order.
    pub(crate) fn tell(&self, events: &[Json]) -> ApiResult<Vec<String>> {
        let words = self.words()?;
        Ok(events.iter().map(|event| words.event(event).0).collect())
    }

    /// Each move by its name and what it says besides.
    pub(crate) fn name_moves(&self, moves: &[Json]) -> ApiResult<Vec<String>> {
        let words = self.words()?;
        let schema = kind(self.game)?.schemas().moves.to_value();
        moves.iter().map(|chosen| self.name_move(&words, &schema, chosen)).collect()
    }

    fn name_move(&self, words: &Words<'_>, schema: &Value, chosen: &Json) -> ApiResult<String> {
        let fields: Map<String, Value> = serde_json::from_str(chosen.get()).map_err(internal)?;
        let named = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let said = self.page.word_or(&format!("{}-move-{named}", self.game), named);
        let variants = schema["oneOf"].as_array().into_iter().flatten();
        let variant = variants.into_iter().find(|it| it["properties"]["type"]["const"] == named);
        let text = |(name, value): (&String, &Value)| words.text(variant.map(|it| &it["properties"][name]), value);
        let more: Vec<String> =
            fields.iter().filter(|(name, value)| *name != "type" && !value.is_null()).map(text).collect();
        Ok(if more.is_empty() { said } else { format!("{said}: {}", more.join(" · ")) })
    }

    fn words(&self) -> ApiResult<Words<'_>> {
        Ok(Words::new(self.page.lang, kind(self.game)?, self.game, self.names))
    }
}
