//! What a hand is read as: the view and the moves as their game wrote them, and the words for both.

use engine::{Points, Seat};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Hand;
use crate::boards::id;
use base::error::internal;
use web_base::error::ApiResult;

/// A word of a game, such as an animal: its symbol has its id.
#[derive(Clone)]
pub(super) struct Named {
    pub id: String,
    pub word: String,
}

impl<'a> Hand<'a> {
    pub(super) fn read_view<V: DeserializeOwned>(&self) -> ApiResult<V> {
        Ok(V::deserialize(self.view).map_err(internal)?)
    }

    pub(super) fn is_over(&self) -> bool {
        self.view.get("outcome").is_some_and(|it| !it.is_null())
    }

    /// Each legal move, and as it is posted.
    pub(super) fn read_moves<M: DeserializeOwned>(&self) -> ApiResult<Vec<(M, &'a str)>> {
        let read = |chosen: &'a engine::Json| Ok((serde_json::from_str(chosen.get())?, chosen.get()));
        Ok(self.moves.iter().map(read).collect::<Result<_, serde_json::Error>>().map_err(internal)?)
    }

    pub(super) fn name_of(&self, seat: Seat) -> &'a str {
        self.names.get(seat.index()).map_or("?", String::as_str)
    }

    pub(super) fn names_of(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        seats.into_iter().map(|seat| self.name_of(seat)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn named(&self, word: impl Serialize) -> Named {
        let id = id(word);
        Named { word: self.words.word(&id), id }
    }

    /// A sentence of this game's own about one of its words.
    pub(super) fn tell(&self, about: &str, word: &str) -> String {
        self.page.word_or(&format!("{}-tray-{about}-{word}", self.game), "")
    }

    pub(super) fn points_of(&self, points: Points) -> String {
        match serde_json::to_value(points) {
            Ok(Value::Number(number)) => self.page.lang.number(&number),
            _ => String::new(),
        }
    }
}
