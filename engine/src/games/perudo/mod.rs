//! Perudo: bluffing with dice under cups, with Palífico rounds and, by option, Calza. Rules are cited as PER-n.

mod determinize;
mod moves;
mod options;
#[cfg(test)]
mod tests;
mod view;

use serde::{Deserialize, Serialize};

use crate::chance::Source;
use crate::erased::Json;
use crate::game::{Action, Addressed, BadOptions, Difficulty, Game, Info, Outcome, Refusal, Turn, Viewer};
use crate::pieces::bidding;
use crate::pieces::bids::{self, Bid, Reveal};
use crate::pieces::bluffs;
use crate::pieces::dice::Dice;
use crate::seats::{PerSeat, Seat, SeatSet};
use crate::statistics::SeatStats;

pub use moves::{Call, Chance, Move};
pub use options::Options;
pub use view::{Event, Mine, Phase, View};

const DICE_EACH: u8 = 5;
/// More than any match has, though right Calza calls may make it long (PER-R14).
const MOST_ROUNDS: u32 = 1_000_000;

/// A match of Perudo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Perudo {
    options: Options,
    waits_for: WaitsFor,
    round: u32,
    opener: Seat,
    /// All bids of the round, the standing one last.
    bids: Vec<Bid>,
    palifico_round: bool,
    been_palifico: PerSeat<bool>,
    /// How many dice each seat has. Its cup holds as many once it has rolled.
    dice: PerSeat<u8>,
    cups: PerSeat<Dice>,
    last_loser: Option<Seat>,
    last_reveal: Option<Reveal<Call>>,
    /// The seats that are out, in the order of going out.
    out: Vec<Seat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WaitsFor {
    FirstSeat,
    Roll(Seat),
    Turn(Seat),
    Nothing,
}

impl Game for Perudo {
    const INFO: Info = Info {
        id: "perudo",
        seats: 2..=6,
        minutes: 15..=25,
        difficulty: Difficulty::Easy,
        teach_minutes: 5,
        revision: 1,
        refusals: &["no_bid", "bid_too_high", "paco_opening", "face_locked", "bid_too_low"],
        phases: &["bidding", "finished"],
        reasons: &["last_standing"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, seats: u8) -> Result<Self, BadOptions> {
        Ok(Perudo {
            options,
            waits_for: WaitsFor::FirstSeat,
            round: 0,
            opener: Seat(0),
            bids: Vec::new(),
            palifico_round: false,
            been_palifico: PerSeat::new(seats, |_| false),
            dice: PerSeat::new(seats, |_| DICE_EACH),
            cups: PerSeat::new(seats, |_| Dice::default()),
            last_loser: None,
            last_reveal: None,
            out: Vec::new(),
        })
    }

    fn is_sound(&self) -> bool {
        let has = |seat: Seat| self.dice.has(seat);
        Self::INFO.seats.contains(&self.dice.count())
            && self.cups.count() == self.dice.count()
            && self.been_palifico.count() == self.dice.count()
            && self.dice.iter().all(|dice| *dice <= DICE_EACH)
            && bids::out_is_sound(&self.dice, &self.out)
            && has(self.opener)
            && self.last_loser.is_none_or(has)
            && self.bids.iter().all(|bid| has(bid.seat) && self.dice[bid.seat] > 0 && bid.count <= self.total_dice())
            && self.round <= MOST_ROUNDS
            && match self.waits_for {
                WaitsFor::FirstSeat | WaitsFor::Roll(_) => false,
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
            WaitsFor::FirstSeat | WaitsFor::Roll(_) => Turn::Chance,
            WaitsFor::Turn(seat) => Turn::Seats { to_move: SeatSet::one(seat), interrupt: self.may_interrupt(seat) },
            WaitsFor::Nothing => Turn::Over(self.outcome()),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        match kind {
            "bid" | "dudo" => true,
            "calza" => self.options.calza,
            _ => false,
        }
    }

    fn interrupts(kind: &str) -> bool {
        kind == "calza"
    }

    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        moves::legal(self, seat, moves);
    }

    fn check(&self, _: Seat, chosen: &Move) -> Result<(), Refusal> {
        moves::check(self, chosen)
    }

    fn draw(&self, source: &mut dyn Source) -> Chance {
        match self.waits_for {
            WaitsFor::Roll(seat) => Chance::Roll { seat, dice: Dice::roll(self.dice[seat], source) },
            _ => Chance::FirstSeat(Seat(source.below(self.dice.count().into()) as u8)),
        }
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        match *outcome {
            Chance::FirstSeat(seat) => self.waits_for == WaitsFor::FirstSeat && self.dice.has(seat),
            Chance::Roll { seat, dice } => self.waits_for == WaitsFor::Roll(seat) && dice.len() == self.dice[seat],
        }
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Vec<Addressed<Event>>) {
        match action {
            Action::Chance(Chance::FirstSeat(seat)) => {
                events.push(Addressed::everyone(Event::FirstSeat { seat }));
                self.start_round(seat, false, events);
            }
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
            Action::Move(caller, Move::Dudo {}) => self.reveal(caller, Call::Dudo, events),
            Action::Move(caller, Move::Calza {}) => self.reveal(caller, Call::Calza, events),
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

    fn interruption(view: &View, legal: &[Move]) -> Option<Move> {
        moves::interruption(view, legal)
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

impl Perudo {
    fn standing(&self) -> Option<Bid> {
        self.bids.last().copied()
    }

    /// PER-50: with a bid standing, all in the game but the bidder and the seat on turn, which may call it anyway.
    fn may_interrupt(&self, on_turn: Seat) -> SeatSet {
        match self.standing().filter(|_| self.options.calza) {
            Some(bid) => self.dice.which(|dice| *dice > 0).without(bid.seat).without(on_turn),
            None => SeatSet::none(),
        }
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

    fn start_round(&mut self, opener: Seat, palifico: bool, events: &mut Vec<Addressed<Event>>) {
        self.round += 1;
        self.opener = opener;
        self.bids.clear();
        self.palifico_round = palifico;
        if palifico {
            self.been_palifico[opener] = true;
            events.push(Addressed::everyone(Event::Palifico { seat: opener }));
        }
        let (round, dice) = (self.round, self.dice.clone());
        events.push(Addressed::everyone(Event::RoundStarted { round, opener, dice, palifico }));
        // PER-10: all in the game roll, by rising seat number.
        self.waits_for = self.first_in_from(0).map_or(WaitsFor::Nothing, WaitsFor::Roll);
    }

    /// PER-30 to PER-34 and PER-51 to PER-58: the cups are lifted, somebody may lose or regain a die, the next round
    /// begins.
    fn reveal(&mut self, caller: Seat, call: Call, events: &mut Vec<Addressed<Event>>) {
        let Some(bid) = self.standing() else { return };
        let wild = !self.palifico_round;
        let actual = bids::actual(self.cups.iter(), bid.face, wild);
        let (seat, change) = match call {
            Call::Dudo if actual >= bid.count => (caller, -1),
            Call::Dudo => (bid.seat, -1),
            Call::Calza if actual == bid.count => (caller, i8::from(self.dice[caller] < DICE_EACH)),
            Call::Calza => (caller, -1),
        };
        let mut changes = PerSeat::new(self.dice.count(), |_| 0);
        changes[seat] = change;
        let dice = self.cups.clone();
        let reveal = Reveal { round: self.round, call, caller, bid, actual, wild, dice, changes };
        self.last_reveal = Some(reveal.clone());
        events.push(Addressed::everyone(Event::Call { seat: caller, call }));
        events.push(Addressed::everyone(Event::Revealed(reveal)));
        self.cups.iter_mut().for_each(|cup| *cup = Dice::default());
        match change {
            -1 => self.lose(seat, events),
            1 => self.gain(seat, events),
            _ => {}
        }
        self.after_reveal((change == -1).then_some(seat), events);
    }

    fn lose(&mut self, seat: Seat, events: &mut Vec<Addressed<Event>>) {
        self.dice[seat] -= 1;
        self.last_loser = Some(seat);
        let left = self.dice[seat];
        events.push(Addressed::everyone(Event::Lost { seat, dice: 1, left }));
        if left == 0 {
            self.out.push(seat);
            events.push(Addressed::everyone(Event::Eliminated { seat }));
        }
    }

    fn gain(&mut self, seat: Seat, events: &mut Vec<Addressed<Event>>) {
        self.dice[seat] += 1;
        events.push(Addressed::everyone(Event::Gained { seat, dice: 1, left: self.dice[seat] }));
    }

    fn after_reveal(&mut self, loser: Option<Seat>, events: &mut Vec<Addressed<Event>>) {
        if self.in_game() == 1 {
            self.waits_for = WaitsFor::Nothing;
            self.bids.clear();
            self.palifico_round = false;
            events.push(Addressed::everyone(Event::GameOver { outcome: self.outcome() }));
            return;
        }
        // PER-33, PER-56 and PER-57: the seat that lost a die last opens; until a seat loses one, the opener stays the
        // same.
        let opens = self.last_loser.unwrap_or(self.opener);
        let opener = if self.dice[opens] > 0 { opens } else { self.next_in(opens) };
        // PER-40, PER-47 and PER-58.
        let palifico = self.options.palifico
            && self.in_game() >= 3
            && loser.is_some_and(|seat| self.dice[seat] == 1 && !self.been_palifico[seat]);
        self.start_round(opener, palifico, events);
    }

    /// PER-71.
    fn outcome(&self) -> Outcome {
        let ranks = Outcome::ranks_by_going_out(self.dice.count(), &self.out);
        Outcome { ranks, scores: None, reason: "last_standing".into() }
    }
}
