//! Middle Race: ten characters run a straight track, and the places in the middle win. Rules are cited as MDR-n.

mod abilities;
mod autopilot;
mod characters;
mod determinize;
mod hand;
mod hands;
mod moves;
mod options;
mod sound;
#[cfg(test)]
mod tests;
mod track;
mod turns;
mod view;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chance::{Source, sample, shuffle, values};
use crate::game::{Action, Addressed, BadOptions, Difficulty, Game, Info, Refusal, Turn, Viewer};
use crate::pieces::words;
use crate::seats::{PerSeat, Seat};

use abilities::{Choice, Copied, Silence, Worked};
use hands::Hands;
use track::Task;
use turns::Reason;

pub use characters::Character;
pub use hand::{Card, Hand};
pub use moves::{Chance, Direction, Move};
pub use options::{Casting, Options, Winner};
pub use view::{Event, MyLook, Pending, PendingStep, Phase, SilenceInForce, View};

/// A match of Middle Race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MiddleRace {
    options: Options,
    stage: Stage,
    round: u32,
    draft_order: Option<Vec<Seat>>,
    characters: PerSeat<Option<Character>>,
    hands: Hands,
    /// Where the pawns stand; none once across the finish line.
    pawns: PerSeat<Option<u8>>,
    places: PerSeat<Option<u8>>,
    /// What the character Copy has copied.
    copied: Option<Copied>,
    /// Whom each seat's own ability named last (MDR-25).
    last_named: PerSeat<Option<Seat>>,
    /// The silences in force, by who silences.
    silences: Vec<Silence>,
    /// None before the first turn, too.
    turn_seat: Option<Seat>,
    /// Has the turn seat played or discarded its card?
    card_is_out: bool,
    /// What the abilities have done in this turn (MDR-31).
    worked: Vec<Worked>,
    /// The choice that a seat owes.
    choice: Option<Choice>,
    /// What waits to be done, the next thing last: so what a thing causes comes before what waited longer (MDR-29).
    waiting: Vec<Task>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    /// Chance puts the seats in order, or deals the characters.
    Casting,
    Draft,
    Race,
    Over(Reason),
}

impl Game for MiddleRace {
    const INFO: Info = Info {
        id: "middle-race",
        seats: 3..=10,
        minutes: 30..=60,
        difficulty: Difficulty::Medium,
        teach_minutes: 10,
        revision: 1,
        refusals: &[
            "must_choose",
            "not_a_choice",
            "nothing_to_choose",
            "no_gravity",
            "nobody_to_pull",
            "card_not_in_hand",
        ],
        phases: &["draft", "turn", "choosing", "finished"],
        reasons: &["decided", "all_home", "round_limit"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, seats: u8) -> Result<Self, BadOptions> {
        options.within_bounds()?;
        Ok(MiddleRace {
            stage: Stage::Casting,
            round: 1,
            draft_order: None,
            characters: PerSeat::new(seats, |_| None),
            hands: Hands::new(seats, options.move_cards),
            // MDR-4.
            pawns: PerSeat::new(seats, |_| Some(0)),
            places: PerSeat::new(seats, |_| None),
            copied: None,
            last_named: PerSeat::new(seats, |_| None),
            silences: Vec::new(),
            turn_seat: None,
            card_is_out: false,
            worked: Vec::new(),
            choice: None,
            waiting: Vec::new(),
            options,
        })
    }

    fn is_sound(&self) -> bool {
        self.is_a_table()
            && self.mentions_only_its_seats()
            && self.is_cast()
            && self.is_in_order()
            && self.is_under_way()
    }

    fn invariant(&self) -> Result<(), String> {
        let taken = self.places.iter().flatten().count() as u8;
        match (1..=taken).all(|place| self.places.iter().any(|it| *it == Some(place))) {
            true => Ok(()),
            false => Err("a place is left out or taken twice".into()),
        }
    }

    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Casting => Turn::Chance,
            Stage::Over(reason) => Turn::Over(self.outcome(reason)),
            Stage::Draft | Stage::Race => Turn::all(self.on_turn().into_iter().collect()),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        match kind {
            "pick" => self.options.characters == Casting::Draft,
            "play" | "discard" | "choose_seat" | "choose_card" | "choose_direction" | "accept" | "decline" => true,
            _ => false,
        }
    }

    fn interrupts(_: &str) -> bool {
        false
    }

    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        moves::legal(self, seat, moves);
    }

    fn check(&self, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
        moves::check(self, seat, chosen)
    }

    fn draw(&self, source: &mut dyn Source) -> Chance {
        match self.options.characters {
            Casting::Draft => {
                let mut order: Vec<Seat> = self.pawns.seats().collect();
                shuffle(&mut order, source);
                Chance::DraftOrder(order)
            }
            Casting::Random => Chance::Characters(sample(&Character::ALL, self.pawns.count().into(), source).into()),
        }
    }

    fn pieces() -> Vec<Value> {
        values(&Character::ALL)
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        let seats = usize::from(self.pawns.count());
        self.stage == Stage::Casting
            && match (outcome, self.options.characters) {
                (Chance::DraftOrder(order), Casting::Draft) => {
                    order.len() == seats && self.pawns.seats().all(|seat| order.contains(&seat))
                }
                (Chance::Characters(each), Casting::Random) => {
                    let mut different: Vec<_> = each.iter().collect();
                    different.sort();
                    different.dedup();
                    different.len() == seats && each.iter().len() == seats
                }
                _ => false,
            }
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Vec<Addressed<Event>>) {
        match action {
            Action::Chance(outcome) => self.cast(outcome, events),
            Action::Move(seat, Move::Pick { character }) => self.pick(seat, character, events),
            Action::Move(seat, Move::Play { card }) => self.play(seat, card, events),
            Action::Move(seat, Move::Discard { card }) => self.discard(seat, card, events),
            Action::Move(_, chosen) => self.choose(chosen, events),
        }
        self.go_on(events);
    }

    fn view(&self, viewer: Viewer) -> View {
        view::of(self, viewer)
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self {
        let mut other = self.clone();
        if !self.options.open_hands {
            other.hands.resample(viewer, source);
        }
        other
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.places[seat].is_some()
    }

    fn role(&self, seat: Seat) -> Option<String> {
        self.characters[seat].as_ref().map(words::write)
    }

    const SEARCHABLE: bool = true;

    fn determinize(seat: Seat, view: &View, told: &[Event], source: &mut dyn Source) -> Option<Self> {
        determinize::world(seat, view, told, source)
    }

    fn autopilot(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
        autopilot::choose(view, legal, source)
    }
}
