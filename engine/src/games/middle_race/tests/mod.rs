//! One test per rule that no scenario shows, then the laws.

mod abilities;
mod copying;
mod course;
mod hidden;
mod movement;
mod silencing;

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::hand::{Entry, Story};
use super::*;
use crate::conformance::conforms;
use crate::erased::{Match, Step as Told_, of};
use crate::record::value;
use Character::{Copy, Delete, Gravity, Mirror, Offer, Push, Reset, Silence as Silent, Union, With};

#[test]
fn middle_race_keeps_the_laws() {
    conforms(of::<MiddleRace>());
}

/// A race under way, as a test states it.
struct Stated(MiddleRace);

/// Per seat a character and where its pawn stands. It is the first seat's turn, all hands are full, and the track has 30
/// spaces.
fn race<const SEATS: usize>(cast: [(Character, u8); SEATS]) -> Stated {
    race_with_finished(cast.map(|(character, at)| (character, Some(at))))
}

/// The same with pawns that have crossed the line, by rising seat.
fn race_with_finished<const SEATS: usize>(cast: [(Character, Option<u8>); SEATS]) -> Stated {
    let options = Options { characters: Casting::Random, ..Options::default() };
    let mut game = MiddleRace::setup(options, SEATS as u8).expect("a table");
    let (characters, pawns): (Vec<_>, Vec<_>) = cast.into_iter().map(|(it, at)| (Some(it), at)).unzip();
    game.stage = Stage::Race;
    game.characters = characters.into();
    game.hands.deal();
    let mut place = 0;
    for (seat, _) in pawns.iter().enumerate().filter(|(_, at)| at.is_none()) {
        place += 1;
        game.places[Seat(seat as u8)] = Some(place);
        game.hands.put_away(Seat(seat as u8));
    }
    game.pawns = pawns.into();
    game.turn_seat = Some(Seat(0));
    Stated(game)
}

impl Stated {
    fn with(mut self, change: impl FnOnce(&mut MiddleRace)) -> Self {
        change(&mut self.0);
        self
    }

    fn options(self, change: impl FnOnce(&mut Options)) -> Self {
        self.with(|game| change(&mut game.options))
    }

    fn turn(self, seat: u8) -> Self {
        self.with(|game| game.turn_seat = Some(Seat(seat)))
    }

    /// The seat has used all cards but these.
    fn hand<const CARDS: usize>(self, seat: u8, cards: [Card; CARDS]) -> Self {
        self.with(|game| {
            let used = (1..=game.options.move_cards).filter(|card| !cards.contains(card)).map(Entry::Used);
            game.hands.set_story(Seat(seat), Story(used.collect()));
        })
    }

    /// Copy has copied this.
    fn copied(self, ability: Character) -> Self {
        self.with(|game| game.copied = Some(Copied { ability, last_named: None }))
    }

    fn silence(self, by: u8, seat: u8) -> Self {
        self.with(|game| game.silences.push(Silence { by: Seat(by), seat: Seat(seat) }))
    }

    fn named(self, seat: u8, last: u8) -> Self {
        self.with(|game| game.last_named[Seat(seat)] = Some(Seat(last)))
    }

    fn start(self) -> Race {
        let saved = serde_json::to_vec(&self.0).expect("a state");
        Race { play: of::<MiddleRace>().resume(&saved).expect("a state that can be"), step: Told_::default() }
    }
}

struct Race {
    play: Box<dyn Match>,
    /// What the last move led to.
    step: Told_,
}

/// "play 3" is the move of that type with that card.
fn chosen(text: &str) -> Value {
    let (kind, what) = text.split_once(' ').unwrap_or((text, ""));
    let number = || what.parse::<u8>().expect("a number");
    match kind {
        "play" | "discard" => json!({"type": kind, "card": number()}),
        "seat" => json!({"type": "choose_seat", "seat": number()}),
        "card" => json!({"type": "choose_card", "card": number()}),
        "forward" | "back" => json!({"type": "choose_direction", "direction": kind}),
        "pick" => json!({"type": "pick", "character": what}),
        _ => json!({"type": kind}),
    }
}

fn text(chosen: &Value) -> String {
    let fields = chosen.as_object().expect("a move").iter().filter(|(key, _)| *key != "type");
    let what = fields.map(|(_, it)| it.to_string().trim_matches('"').to_owned()).next();
    match (chosen["type"].as_str().expect("a type"), what) {
        ("choose_seat", Some(seat)) => format!("seat {seat}"),
        ("choose_card", Some(card)) => format!("card {card}"),
        ("choose_direction", Some(way)) => way,
        (kind, Some(what)) => format!("{kind} {what}"),
        (kind, None) => kind.to_owned(),
    }
}

impl Race {
    fn does(&mut self, seat: u8, moves: &str) -> &mut Self {
        for it in moves.split(", ") {
            let played = self.play.play(Seat(seat), &chosen(it), &mut VecDeque::new());
            self.step = played.unwrap_or_else(|why| panic!("{seat} may not {it}: {why}; {}", self.public()));
        }
        self
    }

    fn refuses(&mut self, seat: u8, tried: &str, code: &str) -> &mut Self {
        self.refuses_json(seat, chosen(tried), code)
    }

    fn refuses_json(&mut self, seat: u8, tried: Value, code: &str) -> &mut Self {
        let refused = self.play.check(Seat(seat), &tried).map_err(|it| it.0);
        assert_eq!(refused, Err(code), "{tried}");
        self
    }

    fn view(&self, viewer: Viewer) -> Value {
        value(&self.play.view(viewer))
    }

    fn public(&self) -> Value {
        self.view(Viewer::Public)
    }

    fn of_seat(&self, seat: u8) -> Value {
        self.view(Viewer::Seat(Seat(seat)))
    }

    /// The public view holds these fields.
    fn shows(&mut self, fields: Value) -> &mut Self {
        let view = self.public();
        for (key, wanted) in fields.as_object().expect("fields") {
            assert_eq!(&view[key], wanted, "{key} in {view}");
        }
        self
    }

    fn stands<const SEATS: usize>(&mut self, at: [u8; SEATS]) -> &mut Self {
        self.shows(json!({"positions": at.as_slice()}))
    }

    /// The seat owes a choice for the ability, among these.
    fn asks(&mut self, seat: u8, ability: &str, choices: &str) -> &mut Self {
        let pending = &self.public()["pending"];
        assert_eq!((&pending["seat"], &pending["ability"]), (&json!(seat), &json!(ability)), "{pending}");
        assert_eq!(self.may(seat), choices);
        self
    }

    fn may(&self, seat: u8) -> String {
        let moves: Vec<String> = self.play.legal_moves(Seat(seat)).iter().map(|it| text(&value(it))).collect();
        moves.join(", ")
    }

    /// It is the seat's turn to play a card, and nobody owes a choice.
    fn goes_on_with(&mut self, seat: u8) -> &mut Self {
        self.shows(json!({"phase": "turn", "turn_seat": seat, "to_move": [seat], "pending": null}))
    }

    /// What the viewer was told of the last move, without the types in `but`.
    fn told_to(&self, viewer: Viewer, kinds: &[&str]) -> Vec<Value> {
        let events = self.step.told_to(viewer).map(value);
        events.filter(|event| kinds.contains(&event["type"].as_str().expect("a type"))).collect()
    }
}
