//! Perudo, pirate edition: bluffing with dice under cups and on trays, with re-rolls, exact calls and four variant
//! rules. Rules are cited as PIR-n.

mod determinize;
mod moves;
mod options;
mod reveal;
#[cfg(test)]
mod tests;
mod view;

use serde::{Deserialize, Serialize};

use crate::chance::Source;
use crate::erased::Json;
use crate::game::{Action, Addressed, BadOptions, Difficulty, Game, Info, Outcome, Refusal, Turn, Viewer};
use crate::pieces::bidding;
use crate::pieces::bids::{Bid, Reveal};
use crate::pieces::bluffs;
use crate::pieces::dice::Dice;
use crate::seats::{PerSeat, Seat, SeatSet};
use crate::statistics::SeatStats;

pub use moves::{Call, Chance, Move};
pub use options::{ExactCost, Options};
pub use view::{Bidding, Event, Mine, Phase, Reroll, View};

const DICE_EACH: u8 = 5;
/// More than any match has, though exact calls may make it long (PIR-R18).
const MOST_ROUNDS: u32 = 1_000_000;

/// A match of Perudo, pirate edition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerudoPirates {
    options: Options,
    waits_for: WaitsFor,
    round: u32,
    opener: Seat,
    /// All bids of the round, the standing one last.
    bids: Vec<Bidding>,
    /// How many dice each seat has, under its cup and set aside. All others lie in the middle.
    dice: PerSeat<u8>,
    cups: PerSeat<Dice>,
    set_aside: PerSeat<Dice>,
    showdown_by: Option<Seat>,
    showdown_used: PerSeat<bool>,
    showdown_ready: SeatSet,
    last_reveal: Option<Reveal<Call>>,
    /// The seats that are out, in the order of going out, those together that went out together.
    out: Vec<SeatSet>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WaitsFor {
    FirstSeat,
    Roll(Seat),
    /// The roll of a seat that re-rolls.
    NewRoll(Seat),
    Turn(Seat),
    /// Whether the seat that has just bid re-rolls.
    Decision(Seat),
    Nothing,
}

impl Game for PerudoPirates {
    const INFO: Info = Info {
        id: "perudo-pirates",
        seats: 2..=6,
        minutes: 15..=25,
        difficulty: Difficulty::Medium,
        teach_minutes: 8,
        revision: 1,
        refusals: &[
            "must_decide",
            "nothing_to_reroll",
            "no_showdown",
            "no_bid",
            "exact_forbidden",
            "bid_too_high",
            "face_locked",
            "bid_too_low",
            "reroll_dice",
        ],
        phases: &["bidding", "rerolling", "finished"],
        reasons: &["last_standing", "first_blood"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, seats: u8) -> Result<Self, BadOptions> {
        Ok(PerudoPirates {
            options,
            waits_for: WaitsFor::FirstSeat,
            round: 0,
            opener: Seat(0),
            bids: Vec::new(),
            dice: PerSeat::new(seats, |_| DICE_EACH),
            cups: PerSeat::new(seats, |_| Dice::default()),
            set_aside: PerSeat::new(seats, |_| Dice::default()),
            showdown_by: None,
            showdown_used: PerSeat::new(seats, |_| false),
            showdown_ready: SeatSet::none(),
            last_reveal: None,
            out: Vec::new(),
        })
    }

    fn is_sound(&self) -> bool {
        let seats = self.dice.count();
        let has = |seat: Seat| self.dice.has(seat);
        let plays = |seat: Seat| has(seat) && self.dice[seat] > 0;
        let all_dice = self.dice.iter().map(|dice| u32::from(*dice)).sum::<u32>();
        Self::INFO.seats.contains(&seats)
            && self.cups.count() == seats
            && self.set_aside.count() == seats
            && self.showdown_used.count() == seats
            && all_dice <= u32::from(DICE_EACH * seats)
            && self.dice.entries().all(|(seat, dice)| {
                self.out.iter().filter(|together| together.has(seat)).count() == usize::from(*dice == 0)
            })
            && has(self.opener)
            && self.showdown_by.is_none_or(has)
            && self.showdown_ready.iter().all(|seat| plays(seat) && self.dice[seat] == 1)
            && self.bids.iter().all(|bid| plays(bid.seat) && u32::from(bid.count) <= all_dice)
            && self.round <= MOST_ROUNDS
            && match self.waits_for {
                WaitsFor::FirstSeat | WaitsFor::Roll(_) | WaitsFor::NewRoll(_) => false,
                WaitsFor::Turn(seat) => plays(seat) && self.in_game() > 1 && self.has_rolled(),
                WaitsFor::Decision(seat) => {
                    let bidder = self.bids.last().map(|bid| bid.seat);
                    bidder == Some(seat) && self.in_game() > 1 && self.has_rolled() && self.can_reroll(seat)
                }
                WaitsFor::Nothing => {
                    let hidden = self.cups.iter().chain(self.set_aside.iter());
                    hidden.into_iter().all(|dice| dice.is_empty()) && self.bids.is_empty()
                }
            }
    }

    fn turn(&self) -> Turn {
        match self.waits_for {
            WaitsFor::FirstSeat | WaitsFor::Roll(_) | WaitsFor::NewRoll(_) => Turn::Chance,
            WaitsFor::Turn(seat) | WaitsFor::Decision(seat) => Turn::of(seat),
            WaitsFor::Nothing => Turn::Over(self.outcome()),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        match kind {
            "bid" | "challenge" | "exact" => true,
            "reroll" | "stand" => !self.options.hidden,
            "showdown" => self.options.showdown,
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
        match self.waits_for {
            WaitsFor::Roll(seat) | WaitsFor::NewRoll(seat) => {
                Chance::Roll { seat, dice: Dice::roll(self.to_roll(seat), source) }
            }
            _ => Chance::FirstSeat(Seat(source.below(self.dice.count().into()) as u8)),
        }
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        match *outcome {
            Chance::FirstSeat(seat) => self.waits_for == WaitsFor::FirstSeat && self.dice.has(seat),
            Chance::Roll { seat, dice } => {
                [WaitsFor::Roll(seat), WaitsFor::NewRoll(seat)].contains(&self.waits_for)
                    && dice.len() == self.to_roll(seat)
            }
        }
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Vec<Addressed<Event>>) {
        match action {
            Action::Chance(Chance::FirstSeat(seat)) => {
                events.push(Addressed::everyone(Event::FirstSeat { seat }));
                self.start_round(seat, events);
            }
            Action::Chance(Chance::Roll { seat, dice }) => {
                self.cups[seat] = dice;
                events.push(Addressed::only(seat, Event::Rolled { seat, dice }));
                self.waits_for = match self.waits_for {
                    WaitsFor::NewRoll(_) => WaitsFor::Turn(self.next_in(seat)),
                    _ => self.first_in_from(seat.0 + 1).map_or(WaitsFor::Turn(self.opener), WaitsFor::Roll),
                };
            }
            Action::Move(seat, Move::Bid { count, face }) => {
                self.bids.push(Bidding { seat, count, face, reroll: None });
                events.push(Addressed::everyone(Event::Bid { seat, count, face }));
                // PIR-72: the turn of a seat that is ready ends here, since one die cannot be re-rolled.
                self.showdown_ready = self.showdown_ready.without(seat);
                self.waits_for = match self.can_reroll(seat) {
                    true => WaitsFor::Decision(seat),
                    false => WaitsFor::Turn(self.next_in(seat)),
                };
            }
            Action::Move(seat, Move::Reroll { keep }) => {
                let shown = self.cups[seat];
                if let Some(bid) = self.bids.last_mut() {
                    bid.reroll = Some(Reroll { shown, keep });
                }
                self.set_aside[seat] = self.set_aside[seat].with(keep);
                self.cups[seat] = Dice::default();
                events.push(Addressed::everyone(Event::Reroll { seat, shown, keep }));
                self.waits_for = WaitsFor::NewRoll(seat);
            }
            Action::Move(seat, Move::Stand {}) => {
                events.push(Addressed::everyone(Event::Stand { seat }));
                self.waits_for = WaitsFor::Turn(self.next_in(seat));
            }
            Action::Move(seat, Move::Showdown {}) => {
                self.showdown_by = Some(seat);
                self.showdown_used[seat] = true;
                self.showdown_ready = self.showdown_ready.without(seat);
                events.push(Addressed::everyone(Event::Showdown { seat }));
            }
            Action::Move(seat, Move::Challenge {}) => self.reveal(seat, Call::Challenge, events),
            Action::Move(seat, Move::Exact {}) => self.reveal(seat, Call::Exact, events),
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
        self.out.iter().any(|together| together.has(seat))
    }

    fn statistics(seats: u8, events: &[Json]) -> PerSeat<SeatStats> {
        bluffs::statistics(seats, events)
    }
}

impl PerudoPirates {
    fn standing(&self) -> Option<Bid> {
        self.bids.last().map(|bidding| bidding.bid())
    }

    fn in_showdown(&self) -> bool {
        self.showdown_by.is_some()
    }

    fn total_dice(&self) -> u8 {
        self.dice.iter().sum()
    }

    /// PIR-42: dice that no seat has lie in the middle.
    fn middle(&self) -> u8 {
        DICE_EACH * self.dice.count() - self.total_dice()
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

    /// PIR-30 and PIR-31.
    fn can_reroll(&self, seat: Seat) -> bool {
        !self.options.hidden && self.cups[seat].len() >= 2
    }

    /// How many dice go under the cup: all but those set aside.
    fn to_roll(&self, seat: Seat) -> u8 {
        self.dice[seat] - self.set_aside[seat].len()
    }

    fn has_rolled(&self) -> bool {
        self.dice.entries().all(|(seat, dice)| {
            let [cup, aside] = [self.cups[seat], self.set_aside[seat]].map(Dice::faces).map(Iterator::count);
            cup + aside == usize::from(*dice)
        })
    }

    fn start_round(&mut self, opener: Seat, events: &mut Vec<Addressed<Event>>) {
        self.round += 1;
        self.opener = opener;
        events.push(Addressed::everyone(Event::RoundStarted { round: self.round, opener, dice: self.dice.clone() }));
        // PIR-10: all in the game roll, by rising seat number.
        self.waits_for = self.first_in_from(0).map_or(WaitsFor::Nothing, WaitsFor::Roll);
    }

    /// PIR-80 and PIR-90.
    fn is_decided(&self) -> bool {
        self.in_game() == 1 || self.options.first_blood && !self.out.is_empty()
    }

    /// PIR-91.
    fn outcome(&self) -> Outcome {
        let gone = |seat| self.out.iter().position(|together| together.has(seat)).unwrap_or(self.out.len());
        let ranks = Outcome::ranks_by(&PerSeat::new(self.dice.count(), gone));
        let reason = if self.in_game() == 1 { "last_standing" } else { "first_blood" };
        Outcome { ranks, scores: None, reason: reason.into() }
    }
}
