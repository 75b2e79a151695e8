//! The abilities: who has which in force, whom it may name, and what it does.

use serde::{Deserialize, Serialize};

use super::hand::Hand;
use super::track::{Mover, Task};
use super::{Character, Direction, Event, MiddleRace, Move, Stage};
use crate::game::Addressed;
use crate::seats::{Seat, SeatSet};

/// A choice that a seat owes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Choice {
    pub(super) seat: Seat,
    /// The ability at work: with Copy the copied one, if it has copied one.
    pub(super) ability: Character,
    pub(super) step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// Whom to name, and how far With or Mirror would move that pawn.
    Seat { spaces: Option<i8> },
    /// Which card to give to the target, or to leave it.
    Card { target: Seat },
    /// Which way to push the pawn.
    Direction { pawn: Seat },
    /// Whether to pull the pawn.
    Accept { pawn: Seat },
}

/// An ability that Copy has copied.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Copied {
    pub(super) ability: Character,
    /// Whom it has named last (MDR-65).
    pub(super) last_named: Option<Seat>,
}

/// A silence in force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Silence {
    pub(super) by: Seat,
    pub(super) seat: Seat,
}

/// A seat's ability has worked on a pawn, or named its seat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Worked {
    pub(super) seat: Seat,
    pub(super) ability: Character,
    pub(super) on: Seat,
}

impl MiddleRace {
    /// The ability in force.
    pub(super) fn ability(&self, seat: Seat) -> Option<Character> {
        let racing = !matches!(self.stage, Stage::Casting | Stage::Draft);
        if !racing || self.places[seat].is_some() || self.is_silenced(seat) {
            return None;
        }
        match self.characters[seat] {
            Some(Character::Copy) => Some(self.copied.map_or(Character::Copy, |copied| copied.ability)),
            own => own,
        }
    }

    fn is_silenced(&self, seat: Seat) -> bool {
        self.silences.iter().any(|silence| silence.seat == seat)
    }

    /// MDR-24 to MDR-26, MDR-31, MDR-33 and MDR-61.
    pub(super) fn may_be_named(&self, seat: Seat, ability: Character) -> SeatSet {
        let last = match self.copied {
            Some(copied) if self.uses_copied(seat, ability) => copied.last_named,
            _ => self.last_named[seat],
        };
        let suits = |other: Seat| match ability {
            Character::Gravity => self.distance(seat, other) >= 2,
            Character::Copy => !self.is_silenced(other),
            _ => true,
        };
        let may = |other: &Seat| {
            *other != seat
                && self.is_running(*other)
                && last != Some(*other)
                && !self.has_worked(seat, ability, *other)
                && suits(*other)
        };
        self.pawns.seats().filter(may).collect()
    }

    fn uses_copied(&self, seat: Seat, ability: Character) -> bool {
        self.characters[seat] == Some(Character::Copy) && ability != Character::Copy
    }

    fn distance(&self, one: Seat, other: Seat) -> u8 {
        self.pawns[one].zip(self.pawns[other]).map_or(0, |(one, other)| one.abs_diff(other))
    }

    fn has_worked(&self, seat: Seat, ability: Character, on: Seat) -> bool {
        self.worked.contains(&Worked { seat, ability, on })
    }

    /// MDR-41 and MDR-44.
    pub(super) fn cards_to_choose(&self, choice: Choice) -> Hand {
        match choice.step {
            Step::Card { target } if choice.ability == Character::Delete => self.hands.hand(target),
            Step::Card { .. } => self.hands.hand(choice.seat),
            _ => Hand::default(),
        }
    }

    /// MDR-23.
    pub(super) fn may_be_declined(&self, choice: Choice) -> bool {
        match choice.step {
            Step::Accept { .. } => true,
            Step::Seat { .. } | Step::Direction { .. } => {
                self.options.may_decline && choice.ability != Character::Gravity
            }
            Step::Card { .. } => false,
        }
    }

    /// MDR-30 and MDR-31.
    fn applies(&self, choice: Choice) -> bool {
        let Choice { seat, ability, step } = choice;
        let stands = |pawn: Seat, ahead: u8| {
            self.is_running(pawn)
                && self.pawns[seat].is_some_and(|at| at > 0 && self.pawns[pawn] == Some(at + ahead))
                && !self.has_worked(seat, ability, pawn)
        };
        self.is_running(seat)
            && self.ability(seat) == Some(ability)
            && match step {
                Step::Direction { pawn } => stands(pawn, 0),
                Step::Accept { pawn } => stands(pawn, 1),
                Step::Seat { .. } | Step::Card { .. } => true,
            }
    }

    /// Asks for the choice, if it still applies and there is something to choose.
    pub(super) fn ask(&mut self, choice: Choice, events: &mut Vec<Addressed<Event>>) {
        if !self.applies(choice) {
            return;
        }
        if matches!(choice.step, Step::Seat { .. }) && self.may_be_named(choice.seat, choice.ability).is_empty() {
            return self.leave_unused(choice);
        }
        events.push(Addressed::everyone(Event::Asked { seat: choice.seat, ability: choice.ability }));
        self.choice = Some(choice);
    }

    /// MDR-26 and MDR-23: nothing happens, but with With its pawn moves alone.
    fn leave_unused(&mut self, choice: Choice) {
        if let (Character::With, Step::Seat { spaces: Some(spaces) }) = (choice.ability, choice.step) {
            self.waiting.push(Task::Move { pawn: choice.seat, spaces, by: None });
        }
    }

    /// A seat makes the choice that it owes.
    pub(super) fn choose(&mut self, chosen: Move, events: &mut Vec<Addressed<Event>>) {
        let Some(choice) = self.choice.take() else { return };
        let Choice { seat, ability, .. } = choice;
        match (chosen, choice.step) {
            (Move::ChooseSeat { seat: target }, Step::Seat { spaces }) => self.name(choice, target, spaces, events),
            (Move::ChooseCard { card }, Step::Card { target }) if ability == Character::Delete => {
                let count = self.hands.count(target) - 1;
                self.hands.leave_only(card, target, seat);
                let event = |kept| Event::Deleted { seat, target, count, kept };
                events.push(Addressed::except([seat, target], event(None)));
                events.extend([seat, target].map(|to| Addressed::only(to, event(Some(card)))));
            }
            (Move::ChooseCard { card }, Step::Card { target }) => {
                self.hands.give(seat, target, card);
                let event = |card| Event::Given { seat, target, card };
                events.push(Addressed::except([seat, target], event(None)));
                events.extend([seat, target].map(|to| Addressed::only(to, event(Some(card)))));
            }
            (Move::ChooseDirection { direction }, Step::Direction { pawn }) => {
                let spaces = if direction == Direction::Forward { 1 } else { -1 };
                self.work_on(pawn, spaces, Mover { seat, ability });
            }
            (Move::Accept {}, Step::Accept { pawn }) => self.work_on(pawn, -1, Mover { seat, ability }),
            (Move::Decline {}, _) => {
                events.push(Addressed::everyone(Event::Declined { seat, ability }));
                self.leave_unused(choice);
            }
            _ => self.choice = Some(choice),
        }
    }

    fn work_on(&mut self, pawn: Seat, spaces: i8, by: Mover) {
        self.worked.push(Worked { seat: by.seat, ability: by.ability, on: pawn });
        self.waiting.push(Task::Move { pawn, spaces, by: Some(by) });
    }

    fn name(&mut self, choice: Choice, target: Seat, spaces: Option<i8>, events: &mut Vec<Addressed<Event>>) {
        let Choice { seat, ability, .. } = choice;
        let by = Some(Mover { seat, ability });
        self.worked.push(Worked { seat, ability, on: target });
        let uses_copied = self.uses_copied(seat, ability);
        match &mut self.copied {
            Some(copied) if uses_copied => copied.last_named = Some(target),
            _ => self.last_named[seat] = Some(target),
        }
        events.push(Addressed::everyone(Event::Named { seat, ability, target }));
        match ability {
            Character::Gravity => {
                let spaces = self.pull(seat, target);
                self.waiting.push(Task::Move { pawn: target, spaces, by });
            }
            Character::Delete => self.look(seat, target, events),
            Character::Offer => self.choice = Some(Choice { step: Step::Card { target }, ..choice }),
            Character::With => self.move_together(seat, target, spaces.unwrap_or_default()),
            Character::Mirror => {
                let spaces = spaces.unwrap_or_default();
                self.waiting.push(Task::Move { pawn: target, spaces, by });
            }
            Character::Reset => self.reset_hand(target, Some(seat), events),
            Character::Copy => self.copy(seat, target, events),
            Character::Silence => self.silence(seat, target, events),
            Character::Push | Character::Union => {}
        }
    }

    /// MDR-34: to the space next to Gravity on the side where the pawn stands.
    fn pull(&self, seat: Seat, target: Seat) -> i8 {
        let Some((at, from)) = self.pawns[seat].zip(self.pawns[target]) else { return 0 };
        let (at, from) = (at as i8, from as i8);
        if from > at { at + 1 - from } else { at - 1 - from }
    }

    /// MDR-41 and MDR-42.
    fn look(&mut self, seat: Seat, target: Seat, events: &mut Vec<Addressed<Event>>) {
        let hand = self.hands.show(target, seat);
        events.push(Addressed::except([seat], Event::Looked { seat, target, cards: None }));
        events.push(Addressed::only(seat, Event::Looked { seat, target, cards: Some(hand) }));
        if self.hands.count(target) >= 2 {
            self.choice = Some(Choice { seat, ability: Character::Delete, step: Step::Card { target } });
        }
    }

    fn copy(&mut self, seat: Seat, target: Seat, events: &mut Vec<Addressed<Event>>) {
        let Some(ability) = self.characters[target] else { return };
        self.copied = Some(Copied { ability, last_named: None });
        events.push(Addressed::everyone(Event::Copied { seat, ability }));
    }

    /// The copied ability, if there is one, is gone, and with it what it was doing (MDR-69).
    pub(super) fn end_copy(&mut self, seat: Seat, events: &mut Vec<Addressed<Event>>) {
        if let Some(copied) = self.copied.take() {
            events.push(Addressed::everyone(Event::CopyEnded { seat, ability: copied.ability }));
            self.lift_silences(|silence| silence.by == seat, events);
        }
    }

    fn silence(&mut self, by: Seat, seat: Seat, events: &mut Vec<Addressed<Event>>) {
        self.silences.push(Silence { by, seat });
        self.silences.sort_by_key(|silence| silence.by);
        events.push(Addressed::everyone(Event::Silenced { seat, by }));
        // MDR-68.
        self.lift_silences(|silence| silence.by == seat, events);
        // MDR-64.
        if self.characters[seat] == Some(Character::Copy) {
            self.end_copy(seat, events);
        }
    }

    pub(super) fn lift_silences(&mut self, which: impl Fn(&Silence) -> bool, events: &mut Vec<Addressed<Event>>) {
        let lifted = self.silences.extract_if(.., |silence| which(silence));
        events.extend(lifted.map(|Silence { by, seat }| Addressed::everyone(Event::Freed { seat, by })));
    }

    /// MDR-15 and MDR-56.
    pub(super) fn reset_hand(&mut self, seat: Seat, by: Option<Seat>, events: &mut Vec<Addressed<Event>>) {
        self.hands.reset(seat);
        events.push(Addressed::everyone(Event::Reset { seat, by }));
        self.after_reset(seat);
    }

    /// MDR-43, MDR-58 and MDR-59: what waits for the reset of a hand; a copied Offer works before it ends.
    pub(super) fn after_reset(&mut self, seat: Seat) {
        if self.characters[seat] == Some(Character::Copy) {
            self.waiting.push(Task::CopyAnew(seat));
        }
        if self.ability(seat) == Some(Character::Offer) {
            let step = Step::Seat { spaces: None };
            self.waiting.push(Task::Ask(Choice { seat, ability: Character::Offer, step }));
        }
    }
}
