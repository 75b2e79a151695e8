//! How a match looks on its table: one line per game that has a board of its own, the plain one for all others. A board is
//! drawn from the public view, and shows besides what those through whose eyes one looks have in front of them.

mod animal_kingdom;
mod dead_mans_draw;
mod dice;
mod hogu_clue;
mod middle_race;
mod plain;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use super::words::Words;
use crate::error::{ApiResult, internal};
use crate::page::Page;

type Draw = fn(&Scene<'_>) -> ApiResult<String>;

const BOARDS: &[(&str, Draw)] = &[
    ("perudo", dice::draw),
    ("perudo-pirates", dice::draw),
    ("liars-dice", dice::draw),
    ("dead-mans-draw", dead_mans_draw::draw),
    ("animal-kingdom", animal_kingdom::draw),
    ("hogu-clue", hogu_clue::draw),
    ("middle-race", middle_race::draw),
];

/// What a board is drawn from.
pub(super) struct Scene<'a> {
    pub page: &'a Page,
    pub game: &'a str,
    /// What everybody sees.
    pub view: &'a Value,
    /// By seat, what those see through whose eyes one looks: nobody for the public.
    pub own: &'a [(usize, Value)],
    pub names: &'a [String],
    pub words: &'a Words<'a>,
}

#[derive(Deserialize)]
struct Outcome {
    ranks: Vec<u8>,
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

    fn named(&self, seats: &[usize]) -> String {
        seats.iter().map(|seat| self.name(*seat)).collect::<Vec<_>>().join(", ")
    }

    fn number(&self, number: &Number) -> String {
        self.page.lang.number(number)
    }

    fn word(&self, word: &str) -> String {
        self.words.word(word)
    }

    fn public<T: DeserializeOwned>(&self) -> ApiResult<T> {
        T::deserialize(self.view).map_err(internal)
    }

    /// What this seat has in front of it, if one looks through its eyes.
    fn own<T: DeserializeOwned>(&self, seat: usize) -> ApiResult<Option<T>> {
        let own = self.own.iter().find(|(whose, _)| *whose == seat);
        own.map(|(_, view)| T::deserialize(view)).transpose().map_err(internal)
    }

    /// A field that not everybody may know, as somebody knows it through whose eyes one looks.
    fn known<T: DeserializeOwned>(&self, field: &str) -> ApiResult<Option<T>> {
        let mut views = [self.view].into_iter().chain(self.own.iter().map(|(_, view)| view));
        let found = views.find_map(|view| view.get(field).filter(|value| !value.is_null()));
        found.map(T::deserialize).transpose().map_err(internal)
    }

    /// Who won, once it is over.
    fn winners(&self) -> Option<String> {
        let outcome = Outcome::deserialize(self.view.get("outcome")?).ok()?;
        let won = (0..outcome.ranks.len()).filter(|seat| outcome.ranks[*seat] == 1).collect::<Vec<_>>();
        Some(self.named(&won))
    }
}
