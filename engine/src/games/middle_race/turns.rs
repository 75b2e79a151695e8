//! The course of a race: characters, turns, rounds, and its end.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::abilities::{Choice, Step};
use super::options::twice_from_middle;
use super::track::Task;
use super::{Card, Chance, Character, Event, MiddleRace, Stage, Winner};
use crate::game::{Addressed, Outcome};
use crate::seats::{PerSeat, Seat};

/// Why a race ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    /// The last winning place was taken.
    Decided,
    /// Only one pawn was left.
    AllHome,
    /// There were too many rounds.
    RoundLimit,
}

impl MiddleRace {
    pub(super) fn seat_of(&self, character: Character) -> Option<Seat> {
        self.characters.entries().find(|(_, it)| **it == Some(character)).map(|(seat, _)| seat)
    }

    /// The seats by the numbers of their characters.
    pub(super) fn by_number(&self) -> impl Iterator<Item = Seat> {
        let mut order = [None; Character::ALL.len()];
        for (seat, character) in self.characters.entries() {
            if let Some(character) = *character {
                order[character as usize] = Some(seat);
            }
        }
        order.into_iter().flatten()
    }

    /// Is its pawn still on the track?
    pub(super) fn is_running(&self, seat: Seat) -> bool {
        self.pawns[seat].is_some() && self.places[seat].is_none()
    }

    /// The characters that nobody has.
    pub(super) fn available(&self) -> Vec<Character> {
        Character::ALL.into_iter().filter(|it| self.seat_of(*it).is_none()).collect()
    }

    /// The seat that the match waits for.
    pub(super) fn on_turn(&self) -> Option<Seat> {
        match self.stage {
            Stage::Draft => {
                let picked = self.characters.iter().flatten().count();
                self.draft_order.as_ref().and_then(|order| order.get(picked)).copied()
            }
            Stage::Race => self.choice.map(|choice| choice.seat).or(self.turn_seat),
            Stage::Casting | Stage::Over(_) => None,
        }
    }

    /// MDR-1 and MDR-2.
    pub(super) fn cast(&mut self, outcome: Chance, events: &mut Vec<Addressed<Event>>) {
        match outcome {
            Chance::DraftOrder(seats) => {
                self.stage = Stage::Draft;
                self.draft_order = Some(seats.clone());
                events.push(Addressed::everyone(Event::DraftOrder { seats }));
            }
            Chance::Characters(each) => {
                self.characters = each.map(|character| Some(*character));
                self.deal(events);
            }
        }
    }

    pub(super) fn pick(&mut self, seat: Seat, character: Character, events: &mut Vec<Addressed<Event>>) {
        self.characters[seat] = Some(character);
        events.push(Addressed::everyone(Event::Picked { seat, character }));
        if self.characters.iter().all(Option::is_some) {
            self.deal(events);
        }
    }

    fn deal(&mut self, events: &mut Vec<Addressed<Event>>) {
        self.stage = Stage::Race;
        self.hands.deal();
        let characters: Vec<Character> = self.characters.iter().copied().flatten().collect();
        events.push(Addressed::everyone(Event::Dealt { characters: characters.into() }));
        if self.options.deal_counts_as_reset {
            // MDR-5: Copy has copied nothing yet, so that Offer comes first by its number.
            self.pawns.seats().for_each(|seat| self.after_reset(seat));
            self.waiting.sort_by_key(|task| matches!(task, Task::Ask(_)));
        }
    }

    /// MDR-11.
    pub(super) fn play(&mut self, seat: Seat, card: Card, events: &mut Vec<Addressed<Event>>) {
        self.card_is_out = true;
        self.hands.use_up(seat, card);
        events.push(Addressed::everyone(Event::Played { seat, card }));
        let spaces = card as i8;
        // MDR-46: it held exactly one card.
        self.waiting.push(match self.ability(seat) {
            Some(Character::With) if self.hands.count(seat) == 0 => {
                Task::Ask(Choice { seat, ability: Character::With, step: Step::Seat { spaces: Some(spaces) } })
            }
            _ => Task::Move { pawn: seat, spaces, by: None },
        });
    }

    /// MDR-12.
    pub(super) fn discard(&mut self, seat: Seat, card: Card, events: &mut Vec<Addressed<Event>>) {
        self.card_is_out = true;
        self.hands.use_up(seat, card);
        events.push(Addressed::everyone(Event::Discarded { seat, card }));
        let step = Step::Seat { spaces: None };
        self.waiting.push(Task::Ask(Choice { seat, ability: Character::Gravity, step }));
    }

    /// Does what can be done until somebody has to decide or the race is over.
    pub(super) fn go_on(&mut self, events: &mut Vec<Addressed<Event>>) {
        while self.stage == Stage::Race && self.choice.is_none() {
            if let Some(task) = self.waiting.pop() {
                self.perform(task, events);
                continue;
            }
            match self.turn_seat {
                Some(_) if !self.card_is_out => return,
                // MDR-14.
                Some(seat) if self.is_running(seat) && self.hands.count(seat) == 0 => {
                    self.reset_hand(seat, None, events);
                }
                _ => self.pass_turn(events),
            }
        }
    }

    /// MDR-7 to MDR-9.
    fn pass_turn(&mut self, events: &mut Vec<Addressed<Event>>) {
        let running = || self.by_number().filter(|seat| self.is_running(*seat));
        let last = self.turn_seat.and_then(|seat| self.characters[seat]);
        let higher = running().find(|seat| self.characters[*seat] > last);
        let Some(next) = higher.or_else(|| running().next()) else { return self.stop(events) };
        if higher.is_none() {
            if self.round >= self.options.max_rounds.into() {
                return self.stop(events);
            }
            self.round += 1;
        }
        self.begin_turn(next, events);
    }

    fn begin_turn(&mut self, seat: Seat, events: &mut Vec<Addressed<Event>>) {
        self.turn_seat = Some(seat);
        self.card_is_out = false;
        self.worked.clear();
        events.push(Addressed::everyone(Event::TurnStarted { seat, round: self.round }));
        // MDR-67.
        self.lift_silences(|silence| silence.by == seat, events);
        // MDR-66.
        if self.ability(seat) == Some(Character::Silence) {
            let step = Step::Seat { spaces: None };
            self.waiting.push(Task::Ask(Choice { seat, ability: Character::Silence, step }));
        }
    }

    /// MDR-20 and MDR-21: the pawn crosses the finish line.
    pub(super) fn finish(&mut self, pawn: Seat, events: &mut Vec<Addressed<Event>>) {
        let place = self.next_place();
        self.pawns[pawn] = None;
        self.places[pawn] = Some(place);
        self.hands.put_away(pawn);
        events.push(Addressed::everyone(Event::Finished { seat: pawn, place }));
        self.lift_silences(|silence| silence.by == pawn || silence.seat == pawn, events);
        if self.characters[pawn] == Some(Character::Copy) {
            self.end_copy(pawn, events);
        }
        self.end_if_decided(events);
    }

    fn next_place(&self) -> u8 {
        1 + self.places.iter().flatten().count() as u8
    }

    fn end_if_decided(&mut self, events: &mut Vec<Addressed<Event>>) {
        let seats = self.places.count();
        let next = self.next_place();
        if self.options.winner == Winner::Middle && !self.options.full_race {
            // MDR-74.
            if next > seats / 2 + 1 {
                self.end(Reason::Decided, events);
            }
        } else if next >= seats {
            // MDR-75.
            let last = self.pawns.seats().find(|seat| self.is_running(*seat));
            last.into_iter().for_each(|seat| self.places[seat] = Some(next));
            self.end(Reason::AllHome, events);
        }
    }

    /// MDR-76.
    fn stop(&mut self, events: &mut Vec<Addressed<Event>>) {
        let mut left: Vec<Seat> = self.by_number().filter(|seat| self.is_running(*seat)).collect();
        left.sort_by_key(|seat| Reverse(self.pawns[*seat]));
        for seat in left {
            self.places[seat] = Some(self.next_place());
        }
        self.end(Reason::RoundLimit, events);
    }

    fn end(&mut self, reason: Reason, events: &mut Vec<Addressed<Event>>) {
        self.stage = Stage::Over(reason);
        self.turn_seat = None;
        self.choice = None;
        self.waiting.clear();
        events.push(Addressed::everyone(Event::GameOver { outcome: self.outcome(reason) }));
    }

    /// MDR-73 and MDR-77.
    pub(super) fn outcome(&self, reason: Reason) -> Outcome {
        let seats = self.places.count();
        let graded = self.options.winner == Winner::Middle && self.options.full_race;
        let achieved: PerSeat<i16> = self.places.map(|place| match *place {
            Some(place) if graded => -twice_from_middle(place, seats),
            Some(place) if self.options.winner.wins(place, seats) => 1,
            _ => 0,
        });
        let reason = match reason {
            Reason::Decided => "decided",
            Reason::AllHome => "all_home",
            Reason::RoundLimit => "round_limit",
        };
        Outcome { ranks: Outcome::ranks_by(&achieved), scores: None, reason: reason.into() }
    }
}
