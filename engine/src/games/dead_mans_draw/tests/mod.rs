//! One test per rule that no scenario shows, then the laws. Each states what lies where, plays on through the door, and
//! looks.

mod mermaids;
mod opponents;
mod own_traits;
mod saved;
mod suits;
mod telling;
mod turns;
mod variants;

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::*;
use crate::conformance::{conforms_with_fleeting_sights, determinizes};
use crate::erased::of;
use crate::games::table::Table;

#[test]
fn dead_mans_draw_keeps_the_laws() {
    conforms_with_fleeting_sights(of::<DeadMansDraw>(), &["drawn", "taken"]);
}

/// A table of so many seats in the first turn of seat 0, with nothing in any bank and the rest of the deck in the draw
/// pile.
fn table(seats: u8, options: Value) -> Deal {
    let options: Options = serde_json::from_value(options).expect("options");
    let variant = options.game_variant.and_then(VariantChoice::card);
    let mut game = setup::new(options, seats).expect("options that are allowed");
    game.variant = variant;
    game.first_seat = Some(Seat(0));
    game.waits_for = WaitsFor::Turn;
    Deal { game, top: Vec::new(), whole_pile: false }
}

/// A base game of so many seats.
fn base(seats: u8) -> Deal {
    table(seats, json!({}))
}

/// A game with traits, seat by seat.
fn with_traits(traits: &[&str], mut options: Value) -> Deal {
    options["traits"] = json!(true);
    options["trait_deal"] = json!(1);
    let mut deal = table(traits.len() as u8, options);
    for (pirate, name) in deal.game.pirates.iter_mut().zip(traits) {
        pirate.dealt = vec![serde_json::from_value(json!(name)).expect("a trait")];
        pirate.kept = pirate.dealt.first().copied();
    }
    deal
}

fn cards(ids: &str) -> Vec<Card> {
    ids.split_whitespace().map(|id| serde_json::from_value(json!(id)).expect("a card")).collect()
}

fn ids(list: &str) -> Value {
    json!(list.split_whitespace().collect::<Vec<_>>())
}

struct Deal {
    game: DeadMansDraw,
    top: Vec<Card>,
    whole_pile: bool,
}

impl Deal {
    /// What lies on top of the draw pile.
    fn pile(mut self, ids: &str) -> Self {
        self.top = cards(ids);
        self
    }

    /// All that is left of the draw pile.
    fn last_cards(mut self, ids: &str) -> Self {
        self.whole_pile = true;
        self.pile(ids)
    }

    fn bank(mut self, seat: u8, ids: &str) -> Self {
        self.game.pirates[Seat(seat)].bank = cards(ids).into_iter().collect();
        self
    }

    fn discard(mut self, ids: &str) -> Self {
        self.game.discard = cards(ids).into_iter().collect();
        self
    }

    /// What already lies in the row, drawn this turn and used.
    fn row(mut self, ids: &str) -> Self {
        for card in cards(ids) {
            self.game.acting.row.place(card, Origin::Draw);
            self.game.acting.drawn += 1;
        }
        self
    }

    fn acting(mut self, seat: u8) -> Self {
        self.game.acting.seat = Seat(seat);
        self
    }

    fn watched(mut self, target: u8) -> Self {
        self.game.guardian_target = Some(Seat(target));
        self
    }

    fn play(self) -> Play {
        let Deal { mut game, top, whole_pile } = self;
        let all = Cards::all(game.options.mermaid_rules);
        let elsewhere: Cards =
            game.pirates.iter().flat_map(|it| it.bank.iter()).chain(game.acting.row.cards()).collect();
        game.discard = game.discard.without(elsewhere).without(top.iter().copied().collect());
        let rest = all.without(elsewhere).without(game.discard).without(top.iter().copied().collect());
        let below = if whole_pile { Cards::default() } else { rest };
        game.draw_pile = top.into_iter().chain(below.iter()).collect();
        game.draw_pile.reverse();
        Play::new(Table::at(&game))
    }
}

struct Play {
    table: Table,
    /// The outcomes that the next move takes.
    chance: Vec<Value>,
    /// All that spectators were told, then all that each seat was.
    told: Vec<Vec<Value>>,
}

impl Play {
    fn new(table: Table) -> Play {
        let mut play = Play { table, chance: Vec::new(), told: Vec::new() };
        play.told = play.just_told();
        play
    }

    /// Set up from nothing with these outcomes.
    fn from_setup(options: Value, seats: u8, chance: Vec<Value>) -> Play {
        Play::new(Table::new(of::<DeadMansDraw>(), &options, seats, chance))
    }

    fn just_told(&self) -> Vec<Vec<Value>> {
        let seats = self.see("/seats").as_u64().expect("a number") as u8;
        std::iter::once(self.table.public_events()).chain((0..seats).map(|seat| self.table.events_for(seat))).collect()
    }

    /// The first of those whose turn it is.
    fn awaited(&self) -> u8 {
        self.see("/to_move/0").as_u64().expect("somebody is awaited") as u8
    }

    /// The seat on turn makes the move.
    fn does(&mut self, chosen: Value) -> &mut Self {
        self.does_as(self.awaited(), chosen)
    }

    fn does_as(&mut self, seat: u8, chosen: Value) -> &mut Self {
        self.table.plays_into(seat, chosen, std::mem::take(&mut self.chance));
        let told = self.just_told();
        self.told.iter_mut().zip(told).for_each(|(all, more)| all.extend(more));
        self
    }

    fn draws(&mut self) -> &mut Self {
        self.does(json!({"type": "draw"}))
    }

    fn collects(&mut self) -> &mut Self {
        self.does(json!({"type": "collect"}))
    }

    fn takes(&mut self, card: &str) -> &mut Self {
        self.does(json!({"type": "choose_card", "card": card}))
    }

    fn names(&mut self, seat: u8) -> &mut Self {
        self.does(json!({"type": "choose_seat", "seat": seat}))
    }

    /// The next outcome of chance.
    fn chance(&mut self, outcome: Value) -> &mut Self {
        self.chance.push(outcome);
        self
    }

    #[track_caller]
    fn refuses(&mut self, chosen: Value, code: &str) -> &mut Self {
        assert_eq!(self.table.refuses(self.awaited(), chosen.clone()), code, "{chosen}");
        self
    }

    fn seen_by(&self, seat: u8) -> Value {
        self.table.seen_by(seat)
    }

    fn see(&self, path: &str) -> Value {
        self.table.public().pointer(path).cloned().unwrap_or_else(|| panic!("no {path}"))
    }

    #[track_caller]
    fn shows(&mut self, path: &str, wanted: Value) -> &mut Self {
        assert_eq!(self.see(path), wanted, "{path}");
        self
    }

    #[track_caller]
    fn row_is(&mut self, wanted: &str) -> &mut Self {
        let row = self.see("/play_area");
        let row: Vec<&Value> = row.as_array().expect("a row").iter().map(|it| &it["card"]).collect();
        assert_eq!(json!(row), ids(wanted));
        self
    }

    #[track_caller]
    fn safe_are(&mut self, wanted: &str) -> &mut Self {
        let row = self.see("/play_area");
        let safe: Vec<&Value> =
            row.as_array().expect("a row").iter().filter(|it| it["safe"] == true).map(|it| &it["card"]).collect();
        assert_eq!(json!(safe), ids(wanted));
        self
    }

    /// All cards of a bank in canonical order.
    #[track_caller]
    fn bank_is(&mut self, seat: u8, wanted: &str) -> &mut Self {
        let bank = self.see(&format!("/banks/{seat}"));
        let mut held: Vec<Card> = bank.as_object().expect("a bank").values().flat_map(list).collect();
        held.sort();
        assert_eq!(held, cards(wanted), "bank of {seat}");
        self
    }

    #[track_caller]
    fn offers(&mut self, wanted: &str) -> &mut Self {
        self.shows("/pending/cards", ids(wanted))
    }

    #[track_caller]
    fn kept_and_lost(&mut self, kept: &str, lost: &str) -> &mut Self {
        self.shows("/last_turn/how", json!("bust"));
        self.shows("/last_turn/kept", ids(kept)).shows("/last_turn/lost", ids(lost))
    }
}

fn list(cards: &Value) -> Vec<Card> {
    serde_json::from_value(cards.clone()).expect("cards")
}

#[test]
fn dead_mans_draw_determinizes() {
    determinizes(of::<DeadMansDraw>());
}
