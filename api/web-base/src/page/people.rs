//! People and what they play, as every page calls them.

use std::borrow::Borrow;

use super::Page;
use base::text::numbers;
use play::matches::{SeatRow, Seats};
use play::players::PlayerRow;

impl Page {
    /// What is played: a game of the catalogue, or any other by its title.
    pub fn played(&self, game: &str, title: &Option<String>) -> String {
        title.clone().unwrap_or_else(|| self.game_name(game))
    }

    /// Everybody in a seat.
    pub fn names(&self, seats: &Seats) -> String {
        let players = seats.players.iter().map(|seat| (seat.seat, self.name(seat)));
        let bots = seats.bots().map(|bot| (bot.seat, self.bot_name(bot.seat)));
        let mut names: Vec<_> = players.chain(bots).collect();
        names.sort_by_key(|(seat, _)| *seat);
        names.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(", ")
    }

    /// What the bot on this seat is called.
    pub fn bot_name(&self, seat: i16) -> String {
        self.say("bot-name").with("number", seat + 1).to_string()
    }

    /// The player in this seat, told from others of that name.
    pub fn name(&self, seat: &SeatRow) -> String {
        self.name_of(&seat.display_name, seat.deleted, seat.tag.as_deref())
    }

    pub fn name_of(&self, name: &str, deleted: bool, tag: Option<&str>) -> String {
        let name = if deleted { self.t("someone") } else { name.to_owned() };
        match tag {
            Some(tag) => self.say("name-and-tag").with("name", name).with("tag", tag).to_string(),
            None => name,
        }
    }

    /// What an account is called; nobody is told the name of one that is gone.
    pub fn player_name(&self, row: &PlayerRow) -> String {
        if row.deleted_at.is_some() { self.t("someone") } else { row.display_name.clone() }
    }

    /// Ratings are told apart like names: no mark parts their thousands.
    pub fn rating(&self, rating: impl Borrow<i32>) -> String {
        numbers::name(*rating.borrow())
    }
}
