//! One test per rule that no scenario shows, then the laws.

mod abilities;
mod copying;
mod course;
mod hidden;
mod movement;
mod silencing;

use serde_json::{Value, json};

use super::hand::{Entry, Story};
use super::*;
use crate::conformance::{conforms_with_fleeting_sights, determinizes};
use crate::erased::{Json, Step, of};
use crate::games::table::Table;
use crate::playout::{random, random_move};
use crate::record::value;
use Character::{Copy, Delete, Gravity, Mirror, Offer, Push, Reset, Silence as Silent, Union, With};

#[test]
fn middle_race_keeps_the_laws() {
    conforms_with_fleeting_sights(of::<MiddleRace>(), &["played", "discarded"]);
}

/// A race under way, as a test states it.
struct Stated(MiddleRace);

/// Per seat a character and where its pawn stands. It is the first seat's turn, all hands are full, and the track has
/// 30 spaces.
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
        Race(Table::at(&self.0))
    }
}

struct Race(Table);

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
            self.0.plays_into(seat, chosen(it), Vec::new());
        }
        self
    }

    fn refuses(&mut self, seat: u8, tried: &str, code: &str) -> &mut Self {
        self.refuses_json(seat, chosen(tried), code)
    }

    fn refuses_json(&mut self, seat: u8, tried: Value, code: &str) -> &mut Self {
        assert_eq!(self.0.refuses(seat, tried.clone()), code, "{tried}");
        self
    }

    /// The public view holds these fields.
    fn shows(&mut self, fields: Value) -> &mut Self {
        let view = self.0.public();
        for (key, wanted) in fields.as_object().expect("fields") {
            assert_eq!(&view[key], wanted, "{key} in {view}");
        }
        self
    }

    fn stands<const SEATS: usize>(&mut self, at: [u8; SEATS]) -> &mut Self {
        self.shows(json!({"positions": at.as_slice()}))
    }

    fn pending(&self, field: &str) -> Value {
        self.0.public()["pending"][field].clone()
    }

    /// The seat owes a choice for the ability, among these.
    fn asks(&mut self, seat: u8, ability: &str, choices: &str) -> &mut Self {
        let asked = (self.pending("seat"), self.pending("ability"));
        assert_eq!(asked, (json!(seat), json!(ability)), "{}", self.0.public());
        assert_eq!(self.may(seat), choices);
        self
    }

    fn may(&self, seat: u8) -> String {
        self.0.legal(seat).iter().map(text).collect::<Vec<_>>().join(", ")
    }

    /// It is the seat's turn to play a card, and nobody owes a choice.
    fn goes_on_with(&mut self, seat: u8) -> &mut Self {
        self.shows(json!({"phase": "turn", "turn_seat": seat, "to_move": [seat], "pending": null}))
    }

    /// What spectators were told of the last move, of these types only.
    fn public_events(&self, kinds: &[&str]) -> Vec<Value> {
        of_types(self.0.public_events(), kinds)
    }

    /// What spectators and each seat were told of the last move, of these types only.
    fn all_events(&self, kinds: &[&str]) -> Vec<Value> {
        let seats = 0..self.0.public()["seats"].as_u64().expect("a number") as u8;
        let each = seats.flat_map(|seat| of_types(self.0.events_for(seat), kinds));
        self.public_events(kinds).into_iter().chain(each).collect()
    }

    fn seen_by(&self, seat: u8, field: &str) -> Value {
        self.0.seen_by(seat)[field].clone()
    }
}

fn of_types(mut events: Vec<Value>, kinds: &[&str]) -> Vec<Value> {
    events.retain(|event| kinds.iter().any(|kind| event["type"] == *kind));
    events
}

#[test]
fn middle_race_determinizes() {
    determinizes(of::<MiddleRace>());
}

/// Of secrets that no hand depends on any more, the numbers are given away again.
#[test]
fn worlds_are_found_after_secrets_were_forgotten() {
    let kind = of::<MiddleRace>();
    let options = json!({ "move_cards": 3, "track_length": 60, "max_rounds": 100, "full_race": true });
    for seed in [49, 79, 137, 144] {
        let random = &mut random(seed);
        let (mut play, step) = kind.start(&options, 5, random).expect("the options are allowed");
        let mut told = [const { Vec::new() }; 5];
        let tell = |told: &mut [Vec<Json>], step: &Step| {
            let seats = told.iter_mut().zip(0..);
            seats.for_each(|(told, seat)| told.extend(step.events_for(Viewer::Seat(Seat(seat))).cloned()));
        };
        tell(&mut told, &step);
        while let Some((seat, chosen)) = random_move(play.as_ref(), random) {
            let world = play.determinize(seat, &told[seat.index()], random).expect("events are read");
            assert!(world.is_some(), "{seat:?} of match {seed} finds no world");
            let step = play.play(seat, &value(&chosen), random).expect("a listed move is accepted");
            tell(&mut told, &step);
        }
    }
}
