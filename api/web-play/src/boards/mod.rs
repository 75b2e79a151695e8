//! How a match looks on its table: one line per game that has a board of its own, the plain one for all others. A board is
//! drawn from the public view, and shows besides what those through whose eyes one looks have in front of them.

pub mod animal_kingdom;
pub mod dead_mans_draw;
pub mod dice;
pub mod hogu_clue;
pub mod middle_race;
pub mod plain;
pub mod presenter;
mod ring;
#[cfg(test)]
pub mod tests;
pub mod trays;

use engine::{Outcome, Points, Seat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::games::words::Words;
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

type Draw = fn(&Scene<'_>) -> ApiResult<String>;

const BOARDS: &[(&str, Draw)] = &[
    ("perudo", dice::draw::<engine::games::perudo::View>),
    ("perudo-pirates", dice::draw::<engine::games::perudo_pirates::View>),
    ("liars-dice", dice::draw::<engine::games::liars_dice::View>),
    ("dead-mans-draw", dead_mans_draw::draw),
    ("animal-kingdom", animal_kingdom::draw),
    ("hogu-clue", hogu_clue::draw),
    ("middle-race", middle_race::draw),
];

/// What a board is drawn from.
pub(crate) struct Scene<'a> {
    pub page: &'a Page,
    pub game: &'a str,
    /// What everybody sees.
    pub view: &'a Value,
    /// By seat, what those see through whose eyes one looks: nobody for the public.
    pub own: &'a [(usize, Value)],
    /// Who sits at the near side of the table.
    pub near: Seat,
    pub names: &'a [String],
    pub words: &'a Words<'a>,
}

/// The views that a board is drawn from, as its game wrote them.
struct Views<V> {
    public: V,
    own: Vec<(Seat, V)>,
}

impl<V> Views<V> {
    /// What this seat sees, if the page shows it.
    fn own(&self, seat: Seat) -> Option<&V> {
        self.own.iter().find(|(whose, _)| *whose == seat).map(|(_, view)| view)
    }

    /// A field that not every viewer may know, from the first view that has it.
    fn known<T>(&self, field: impl Fn(&V) -> Option<T>) -> Option<T> {
        std::iter::once(&self.public).chain(self.own.iter().map(|(_, view)| view)).find_map(field)
    }
}

/// The board as HTML, made by its template. A view that a board does not understand is shown plainly.
pub(crate) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let own = BOARDS.iter().find(|(game, _)| *game == scene.game).map(|(_, draw)| *draw);
    match own.map(|draw| draw(scene)) {
        Some(Ok(board)) => Ok(board),
        Some(Err(err)) => {
            tracing::warn!(game = scene.game, error = %err, "drawing a board failed");
            plain::draw(scene)
        }
        None => plain::draw(scene),
    }
}

/// Who looks through the eyes of one seat sits there; everybody else where the first seat does.
pub(crate) fn near(own: &[(usize, Value)]) -> Seat {
    let alone = own.first().filter(|_| own.len() == 1).and_then(|(seat, _)| u8::try_from(*seat).ok());
    Seat(alone.unwrap_or(0))
}

impl Scene<'_> {
    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("?", String::as_str)
    }

    fn named(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        seats.into_iter().map(|seat| self.name(seat)).collect::<Vec<_>>().join(", ")
    }

    /// Every seat at the table.
    fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.names.len()).filter_map(|seat| u8::try_from(seat).ok()).map(Seat)
    }

    /// Every seat clockwise, from the near one.
    fn around(&self) -> Vec<Seat> {
        ring::from_near(self.near, self.seats().collect())
    }

    fn number(&self, number: &Number) -> String {
        self.page.lang.number(number)
    }

    fn points(&self, points: Points) -> String {
        match serde_json::to_value(points) {
            Ok(Value::Number(number)) => self.number(&number),
            _ => String::new(),
        }
    }

    /// A word of the game in the reader's language.
    fn word(&self, word: impl Serialize) -> String {
        self.words.word(&id(word))
    }

    fn views<V: DeserializeOwned>(&self) -> ApiResult<Views<V>> {
        let own = self.own.iter().map(|(seat, view)| {
            let seat = u8::try_from(*seat).map_err(internal)?;
            Ok((Seat(seat), V::deserialize(view).map_err(internal)?))
        });
        Ok(Views { public: V::deserialize(self.view).map_err(internal)?, own: own.collect::<ApiResult<_>>()? })
    }

    /// Who won, once it is over.
    fn winners(&self) -> Option<String> {
        let outcome = Outcome::deserialize(self.view.get("outcome")?).ok()?;
        Some(self.named(outcome.ranks.which(|rank| *rank == 1).iter()))
    }
}

/// The id of a word of a game, such as an animal's.
fn id(word: impl Serialize) -> String {
    match serde_json::to_value(word) {
        Ok(Value::String(id)) => id,
        _ => String::new(),
    }
}
