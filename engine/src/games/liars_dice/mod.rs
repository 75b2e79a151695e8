//! Liar's Dice: guessing how many dice under the cones show a value, where an error costs as many dice as it was off.
//! Rules are cited as LIA-n.

mod determinize;
mod moves;
mod options;
#[cfg(test)]
mod tests;
mod view;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::chance::Source;
use crate::erased::Json;
use crate::game::{Action, Addressed, BadOptions, Difficulty, Game, Info, Outcome, Refusal, Turn, Viewer};
use crate::pieces::bidding;
use crate::pieces::bids::{self, Bid, Reveal};
use crate::pieces::bluffs;
use crate::pieces::dice::{Dice, Face};
use crate::seats::{PerSeat, Seat, SeatSet};
use crate::statistics::SeatStats;

pub use moves::{Call, Chance, Move};
pub use options::Options;
pub use view::{Event, Mine, Phase, StartRoll, View};

const DICE_EACH: u8 = 5;
/// More than any match has: every challenge costs a die.
const MOST_ROUNDS: u32 = 30;

/// A match of Liar's Dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiarsDice {
    options: Options,
    waits_for: WaitsFor,
    /// The seats that may still become the first opener: those that roll in the latest attempt.
    contenders: SeatSet,
    start_rolls: Vec<Vec<StartRoll>>,
    round: u32,
    opener: Seat,
    /// All bids of the round, the standing one last.
    bids: Vec<Bid>,
    /// How many dice each seat has. There are as many under its cone once it has rolled.
    dice: PerSeat<u8>,
    cups: PerSeat<Dice>,
    last_reveal: Option<Reveal<Call>>,
    /// The seats that are out, in the order of going out.
    out: Vec<Seat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WaitsFor {
    StartRoll(Seat),
    Roll(Seat),
    Turn(Seat),
    Nothing,
}

impl Game for LiarsDice {
    const INFO: Info = Info {
        id: "liars-dice",
        seats: 2..=6,
        minutes: 10..=20,
        difficulty: Difficulty::Easy,
        teach_minutes: 5,
        revision: 1,
        refusals: &["no_bid", "bid_too_high", "bid_too_low"],
        phases: &["bidding", "finished"],
        reasons: &["last_standing"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, seats: u8) -> Result<Self, BadOptions> {
        let dice = PerSeat::new(seats, |_| DICE_EACH);
        Ok(LiarsDice {
            options,
            waits_for: WaitsFor::StartRoll(Seat(0)),
            contenders: dice.seats().collect(),
            start_rolls: vec![Vec::new()],
            round: 0,
            opener: Seat(0),
            bids: Vec::new(),
            dice,
            cups: PerSeat::new(seats, |_| Dice::default()),
            last_reveal: None,
            out: Vec::new(),
        })
    }

    fn is_sound(&self) -> bool {
        let has = |seat: Seat| self.dice.has(seat);
        Self::INFO.seats.contains(&self.dice.count())
            && self.cups.count() == self.dice.count()
            && self.dice.iter().all(|dice| *dice <= DICE_EACH)
            && bids::out_is_sound(&self.dice, &self.out)
            && has(self.opener)
            && self.bids.iter().all(|bid| has(bid.seat) && self.dice[bid.seat] > 0 && bid.count <= self.total_dice())
            && self.round <= MOST_ROUNDS
            && match self.waits_for {
                WaitsFor::StartRoll(_) | WaitsFor::Roll(_) => false,
                WaitsFor::Turn(seat) => {
                    let rolled = self.cups.entries().all(|(seat, cup)| cup.len() == self.dice[seat]);
                    rolled && has(seat) && self.dice[seat] > 0 && self.in_game() > 1
                }
                WaitsFor::Nothing => {
                    self.cups.iter().all(|cup| cup.is_empty()) && self.bids.is_empty() && self.in_game() == 1
                }
            }
    }

    fn turn(&self) -> Turn {
        match self.waits_for {
            WaitsFor::StartRoll(_) | WaitsFor::Roll(_) => Turn::Chance,
            WaitsFor::Turn(seat) => Turn::of(seat),
            WaitsFor::Nothing => Turn::Over(self.outcome()),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        matches!(kind, "bid" | "challenge")
    }

    fn interrupts(_: &str) -> bool {
        false
    }

    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        moves::legal(self, seat, moves);
    }

    fn check(&self, _: Seat, chosen: &Move) -> Result<(), Refusal> {
        moves::check(self, chosen)
    }

    fn draw(&self, source: &mut dyn Source) -> Chance {
        match self.waits_for {
            WaitsFor::StartRoll(seat) => Chance::StartRoll { seat, dice: Dice::roll(DICE_EACH, source) },
            WaitsFor::Roll(seat) => Chance::Roll { seat, dice: Dice::roll(self.dice[seat], source) },
            WaitsFor::Turn(seat) => Chance::Roll { seat, dice: Dice::default() },
            WaitsFor::Nothing => Chance::Roll { seat: self.opener, dice: Dice::default() },
        }
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        match *outcome {
            Chance::StartRoll { seat, dice } => self.waits_for == WaitsFor::StartRoll(seat) && dice.len() == DICE_EACH,
            Chance::Roll { seat, dice } => self.waits_for == WaitsFor::Roll(seat) && dice.len() == self.dice[seat],
        }
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Vec<Addressed<Event>>) {
        match action {
            Action::Chance(Chance::StartRoll { seat, dice }) => self.start_roll(StartRoll { seat, dice }, events),
            Action::Chance(Chance::Roll { seat, dice }) => {
                self.cups[seat] = dice;
                events.push(Addressed::only(seat, Event::Rolled { seat, dice }));
                self.waits_for = self.first_in_from(seat.0 + 1).map_or(WaitsFor::Turn(self.opener), WaitsFor::Roll);
            }
            Action::Move(seat, Move::Bid { count, face }) => {
                self.bids.push(Bid { seat, count, face });
                events.push(Addressed::everyone(Event::Bid { seat, count, face }));
                self.waits_for = WaitsFor::Turn(self.next_in(seat));
            }
            Action::Move(challenger, Move::Challenge {}) => self.reveal(challenger, events),
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        view::of(self, viewer)
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self {
        let mut other = self.clone();
        for seat in self.cups.seats().filter(|seat| viewer != Viewer::Seat(*seat)) {
            other.cups[seat] = Dice::roll(self.cups[seat].len(), source);
        }
        other
    }

    const SEARCHABLE: bool = true;

    fn determinize(seat: Seat, view: &View, told: &[Event], source: &mut dyn Source) -> Option<Self> {
        determinize::world(seat, view, told, source)
    }

    fn estimate(&self, seat: Seat) -> Option<f64> {
        matches!(self.waits_for, WaitsFor::Roll(_)).then(|| bidding::estimate(&self.dice, seat))
    }

    fn worth_trying(view: &View, legal: &[Move]) -> Vec<Move> {
        moves::worth_trying(view, legal)
    }

    fn autopilot(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
        moves::autopilot(view, legal, source)
    }

    fn standing(&self, seat: Seat) -> Option<i32> {
        Some(self.dice[seat].into())
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.out.contains(&seat)
    }

    fn statistics(seats: u8, events: &[Json]) -> PerSeat<SeatStats> {
        bluffs::statistics(seats, events)
    }
}

impl LiarsDice {
    fn standing(&self) -> Option<Bid> {
        self.bids.last().copied()
    }

    fn total_dice(&self) -> u8 {
        self.dice.iter().sum()
    }

    fn in_game(&self) -> usize {
        self.dice.iter().filter(|dice| **dice > 0).count()
    }

    fn first_in_from(&self, seat: u8) -> Option<Seat> {
        (seat..self.dice.count()).map(Seat).find(|seat| self.dice[*seat] > 0)
    }

    fn next_in(&self, seat: Seat) -> Seat {
        self.dice.next(seat, |dice| *dice > 0).unwrap_or(seat)
    }

    /// LIA-2 to LIA-4: once all contenders have rolled, the best of them starts, or the best roll again.
    fn start_roll(&mut self, roll: StartRoll, events: &mut Vec<Addressed<Event>>) {
        events.push(Addressed::everyone(Event::StartRolled { seat: roll.seat, dice: roll.dice }));
        if let Some(attempt) = self.start_rolls.last_mut() {
            attempt.push(roll);
        }
        if let Some(next) = self.contenders.iter().find(|seat| *seat > roll.seat) {
            self.waits_for = WaitsFor::StartRoll(next);
            return;
        }
        self.contenders = self.best_start();
        let mut best = self.contenders.iter();
        match (best.next(), best.next()) {
            (Some(seat), Some(_)) => {
                self.start_rolls.push(Vec::new());
                self.waits_for = WaitsFor::StartRoll(seat);
            }
            (first, _) => {
                let seat = first.unwrap_or(roll.seat);
                events.push(Addressed::everyone(Event::FirstSeat { seat }));
                self.start_round(seat, events);
            }
        }
    }

    /// Those with the most helms in the latest attempt and, among these, the highest sum of the other dice.
    fn best_start(&self) -> SeatSet {
        let rank = |roll: &StartRoll| {
            let helms = roll.dice.count(Face::ONE);
            (helms, roll.dice.sum() - u16::from(helms))
        };
        let attempt = self.start_rolls.last().map(Vec::as_slice).unwrap_or_default();
        let best = attempt.iter().map(rank).max();
        attempt.iter().filter(|roll| Some(rank(roll)) == best).map(|roll| roll.seat).collect()
    }

    fn start_round(&mut self, opener: Seat, events: &mut Vec<Addressed<Event>>) {
        self.round += 1;
        self.opener = opener;
        self.bids.clear();
        events.push(Addressed::everyone(Event::RoundStarted { round: self.round, opener, dice: self.dice.clone() }));
        // LIA-10: all in the game roll, by rising seat number.
        self.waits_for = self.first_in_from(0).map_or(WaitsFor::Nothing, WaitsFor::Roll);
    }

    /// LIA-30 to LIA-36: the cones are lifted, somebody loses dice, the next round begins.
    fn reveal(&mut self, challenger: Seat, events: &mut Vec<Addressed<Event>>) {
        let Some(bid) = self.standing() else { return };
        let actual = bids::actual(self.cups.iter(), bid.face, true);
        let (loser, difference) = match actual.cmp(&bid.count) {
            Ordering::Less => (bid.seat, bid.count - actual),
            Ordering::Equal => (challenger, 1),
            Ordering::Greater => (challenger, actual - bid.count),
        };
        let lost = difference.min(self.dice[loser]);
        let mut changes = PerSeat::new(self.dice.count(), |_| 0);
        changes[loser] = -(lost as i8);
        let (call, dice) = (Call::Challenge, self.cups.clone());
        let reveal = Reveal { round: self.round, call, caller: challenger, bid, actual, wild: true, dice, changes };
        self.last_reveal = Some(reveal.clone());
        events.push(Addressed::everyone(Event::Call { seat: challenger, call }));
        events.push(Addressed::everyone(Event::Revealed(reveal)));
        self.cups.iter_mut().for_each(|cup| *cup = Dice::default());
        self.lose(loser, lost, events);
        self.after_reveal(challenger, events);
    }

    fn lose(&mut self, seat: Seat, dice: u8, events: &mut Vec<Addressed<Event>>) {
        self.dice[seat] -= dice;
        let left = self.dice[seat];
        events.push(Addressed::everyone(Event::Lost { seat, dice, left }));
        if left == 0 {
            self.out.push(seat);
            events.push(Addressed::everyone(Event::Eliminated { seat }));
        }
    }

    fn after_reveal(&mut self, challenger: Seat, events: &mut Vec<Addressed<Event>>) {
        if self.in_game() == 1 {
            self.waits_for = WaitsFor::Nothing;
            self.bids.clear();
            events.push(Addressed::everyone(Event::GameOver { outcome: self.outcome() }));
            return;
        }
        // LIA-35: the challenger opens, even if the other seat lost.
        let opener = if self.dice[challenger] > 0 { challenger } else { self.next_in(challenger) };
        self.start_round(opener, events);
    }

    /// LIA-41.
    fn outcome(&self) -> Outcome {
        let ranks = Outcome::ranks_by_going_out(self.dice.count(), &self.out);
        Outcome { ranks, scores: None, reason: "last_standing".into() }
    }
}
