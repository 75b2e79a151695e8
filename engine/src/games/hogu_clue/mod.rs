//! Hogu Clue: find a hidden card by calling suits and ranks and exchanging cards. Rules are cited as HC-n.

mod autopilot;
mod cards;
mod determinize;
mod evidence;
mod moves;
mod options;
mod play;
mod resample;
#[cfg(test)]
mod tests;
mod view;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chance::{Source, shuffle, values};
use crate::erased::Json;
use crate::game::{Action, Addressed, BadOptions, Difficulty, Game, Info, Outcome, Refusal, Turn, Viewer};
use crate::seats::{PerSeat, Seat, SeatSet};
use crate::statistics::SeatStats;

pub use cards::{Call, Card, Cards, Rank, Suit};
pub use moves::{Chance, Move};
pub use options::Options;
pub use view::{Entry, Event, Exchanged, Exchanging, Mine, Phase, View, What};

/// A match of Hogu Clue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoguClue {
    options: Options,
    stage: Stage,
    round: u32,
    first_seat: Seat,
    players: PerSeat<Player>,
    /// Found ones included.
    hidden: Cards,
    found: Vec<Card>,
    open: Cards,
    history: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Player {
    hand: Cards,
    place: Option<u8>,
    exchanges: Vec<Exchanged>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    Deck,
    FirstSeat,
    Turn { seat: Seat },
    Exchange(Exchange),
    Over,
}

/// An exchange under way: each of the two may have chosen already, but the cards have not changed hands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Exchange {
    caller: Seat,
    call: Call,
    holder: Seat,
    caller_gives: Option<Card>,
    holder_gives: Option<Card>,
}

impl Exchange {
    fn gives(&self, seat: Seat) -> Option<Card> {
        self.caller_gives.filter(|_| seat == self.caller).or(self.holder_gives.filter(|_| seat == self.holder))
    }

    fn both(&self) -> SeatSet {
        SeatSet::one(self.caller).with(self.holder)
    }

    fn given(&self) -> SeatSet {
        self.both().iter().filter(|seat| self.gives(*seat).is_some()).collect()
    }

    fn waits_for(&self) -> SeatSet {
        self.both().iter().filter(|seat| self.gives(*seat).is_none()).collect()
    }
}

impl Game for HoguClue {
    const INFO: Info = Info {
        id: "hogu-clue",
        seats: 2..=6,
        minutes: 10..=20,
        difficulty: Difficulty::Medium,
        teach_minutes: 8,
        revision: 1,
        refusals: &["wrong_phase", "calls_closed", "not_your_card", "not_matching", "same_kind", "card_known"],
        phases: &["turn", "exchange", "final", "finished"],
        reasons: &["one_left"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, seats: u8) -> Result<Self, BadOptions> {
        BadOptions::unless_within("max_rounds", options.max_rounds, 1..=100)?;
        Ok(HoguClue {
            options,
            stage: Stage::Deck,
            round: 1,
            first_seat: Seat(0),
            players: PerSeat::new(seats, |_| Player { hand: Cards::NONE, place: None, exchanges: Vec::new() }),
            hidden: Cards::NONE,
            found: Vec::new(),
            open: Cards::NONE,
            history: Vec::new(),
        })
    }

    fn is_sound(&self) -> bool {
        self.could_be()
    }

    fn invariant(&self) -> Result<(), String> {
        let places = self.players.iter().map(|player| player.hand).chain([self.hidden, self.open]);
        let (count, all) = places.fold((0, Cards::NONE), |(count, all), it| (count + it.len(), all.and(it)));
        match count == Card::COUNT && all == Cards::ALL {
            true => Ok(()),
            false => Err("some card is in no place or in two".into()),
        }
    }

    fn turn(&self) -> Turn {
        match &self.stage {
            Stage::Deck | Stage::FirstSeat => Turn::Chance,
            Stage::Turn { seat } => Turn::of(*seat),
            Stage::Exchange(exchange) => Turn::all(exchange.waits_for()),
            Stage::Over => Turn::Over(self.outcome()),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        matches!(kind, "call" | "answer" | "give")
    }

    fn interrupts(_: &str) -> bool {
        false
    }

    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        moves::legal(self, seat, moves);
    }

    fn check(&self, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
        moves::check(self, seat, *chosen)
    }

    fn draw(&self, source: &mut dyn Source) -> Chance {
        match self.stage {
            Stage::Deck => {
                let mut deck: Vec<Card> = Card::all().collect();
                shuffle(&mut deck, source);
                Chance::Deck(deck)
            }
            _ => Chance::FirstSeat(Seat(source.below(self.players.count().into()) as u8)),
        }
    }

    fn pieces() -> Vec<Value> {
        values(&Card::all().collect::<Vec<_>>())
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        match outcome {
            Chance::Deck(deck) => {
                let all: Cards = deck.iter().copied().collect();
                self.stage == Stage::Deck && deck.len() == usize::from(Card::COUNT) && all == Cards::ALL
            }
            Chance::FirstSeat(seat) => self.stage == Stage::FirstSeat && self.players.has(*seat),
        }
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Vec<Addressed<Event>>) {
        match action {
            Action::Chance(Chance::Deck(deck)) => self.deal(&deck, events),
            Action::Chance(Chance::FirstSeat(seat)) => {
                self.first_seat = seat;
                self.start_turn(seat, events);
            }
            Action::Move(seat, Move::Call(call)) => self.call(seat, call, events),
            Action::Move(seat, Move::Give { card }) => self.give(seat, card, events),
            Action::Move(seat, Move::Answer { card }) => self.answer(seat, card, events),
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        view::of(self, viewer)
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self {
        resample::resampled(self, viewer, source)
    }

    const SEARCHABLE: bool = true;

    fn determinize(seat: Seat, view: &View, _: &[Event], source: &mut dyn Source) -> Option<Self> {
        determinize::determinized(seat, view, source)
    }

    fn autopilot(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
        autopilot::choose(view, legal, source)
    }

    fn is_out(&self, seat: Seat) -> bool {
        !self.is_active(seat)
    }

    fn statistics(seats: u8, events: &[Json]) -> PerSeat<SeatStats> {
        view::statistics(seats, events)
    }
}

impl HoguClue {
    /// HC-2 and HC-R8.
    fn hand_size(&self) -> u8 {
        if self.players.count() <= 3 { 3 } else { 2 }
    }

    /// HC-18.
    fn calls_are_closed(&self) -> bool {
        self.round > self.options.max_rounds
    }

    fn is_active(&self, seat: Seat) -> bool {
        self.players[seat].place.is_none()
    }

    fn active(&self) -> SeatSet {
        self.players.which(|player| player.place.is_none())
    }

    /// HC-14: its own hand, and all that lies face up.
    fn seen_by(&self, seat: Seat) -> Cards {
        let found = self.found.iter().copied().collect();
        let laid_open = self.players.iter().filter(|player| player.place.is_some()).map(|player| player.hand);
        laid_open.fold(self.players[seat].hand.and(self.open).and(found), Cards::and)
    }

    /// HC-20.
    fn outcome(&self) -> Outcome {
        let ranks = self.players.map(|player| player.place.unwrap_or_default());
        Outcome { ranks, scores: None, reason: "one_left".into() }
    }
}
