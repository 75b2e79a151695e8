//! Pawns on the track: how they move, and what a movement triggers.

use serde::{Deserialize, Serialize};

use super::abilities::{Choice, Step};
use super::{Character, Event, MiddleRace};
use crate::game::Addressed;
use crate::seats::Seat;

/// Something that waits to be done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Task {
    /// An ability is used, if it still applies.
    Ask(Choice),
    /// A pawn moves: by a card of its own, or by an ability of a seat.
    Move { pawn: Seat, spaces: i8, by: Option<Mover> },
    /// Copy, whose hand was reset, loses what it has copied and copies again.
    CopyAnew(Seat),
}

/// The seat and the ability that move a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Mover {
    pub(super) seat: Seat,
    pub(super) ability: Character,
}

impl MiddleRace {
    pub(super) fn perform(&mut self, task: Task, events: &mut Vec<Addressed<Event>>) {
        match task {
            Task::Ask(choice) => self.ask(choice, events),
            Task::Move { pawn, spaces, by } => self.move_pawn(pawn, spaces, by, events),
            Task::CopyAnew(seat) => {
                self.end_copy(seat, events);
                let step = Step::Seat { spaces: None };
                self.waiting.push(Task::Ask(Choice { seat, ability: Character::Copy, step }));
            }
        }
    }

    /// Would moving so many spaces take the pawn past the last space?
    pub(super) fn crosses(&self, pawn: Seat, spaces: i8) -> bool {
        self.pawns[pawn].is_some_and(|from| i16::from(from) + i16::from(spaces) > self.options.track_length.into())
    }

    /// MDR-17 to MDR-20.
    pub(super) fn move_pawn(&mut self, pawn: Seat, spaces: i8, by: Option<Mover>, events: &mut Vec<Addressed<Event>>) {
        let Some(from) = self.pawns[pawn].filter(|_| self.is_running(pawn)) else { return };
        let finish_line = self.options.track_length + 1;
        let to = (i16::from(from) + i16::from(spaces)).clamp(0, finish_line.into()) as u8;
        if to == from {
            return;
        }
        let (mover, ability) = (by.map(|by| by.seat), by.map(|by| by.ability));
        events.push(Addressed::everyone(Event::Moved { seat: pawn, from, to, by: mover, ability }));
        if to == finish_line {
            return self.finish(pawn, events);
        }
        self.pawns[pawn] = Some(to);
        let triggered = self.triggered_by(pawn, to as i8 - from as i8, by.is_some());
        self.waiting.extend(triggered.into_iter().rev());
    }

    /// MDR-27 and MDR-28: what a movement of the pawn triggers, in order.
    fn triggered_by(&self, pawn: Seat, spaces: i8, by_other: bool) -> Vec<Task> {
        let mut tasks = Vec::new();
        let first = self.seat_of(Character::Union);
        for seat in first.into_iter().chain(self.by_number().filter(|seat| Some(*seat) != first)) {
            let (Some(at), Some(ability)) = (self.pawns[seat], self.ability(seat)) else { continue };
            let mut ask = |step| tasks.push(Task::Ask(Choice { seat, ability, step }));
            let is_own = seat == pawn;
            // MDR-37 and MDR-49: each pawn that is newly there, by number.
            let met = |space: u8| {
                let newly = move |it: &Seat| *it != seat && (is_own || *it == pawn) && self.pawns[*it] == Some(space);
                self.by_number().filter(newly)
            };
            match ability {
                // MDR-38 and MDR-51: not on the start line.
                Character::Union if at > 0 => met(at + 1).for_each(|pawn| ask(Step::Accept { pawn })),
                Character::Push if at > 0 => met(at).for_each(|pawn| ask(Step::Direction { pawn })),
                Character::Delete if is_own && by_other => ask(Step::Seat { spaces: None }),
                Character::Mirror if is_own && by_other => ask(Step::Seat { spaces: Some(-spaces) }),
                Character::Reset if is_own && spaces < 0 => ask(Step::Seat { spaces: None }),
                _ => {}
            }
        }
        tasks
    }

    /// MDR-47: With and the pawn that it has named.
    pub(super) fn move_together(&mut self, with: Seat, named: Seat, spaces: i8) {
        let by = |pawn| (pawn == named).then_some(Mover { seat: with, ability: Character::With });
        let mut pawns = [with, named];
        pawns.sort_by_key(|pawn| self.characters[*pawn]);
        if pawns.iter().all(|pawn| self.crosses(*pawn, spaces)) {
            pawns.sort_by_key(|pawn| std::cmp::Reverse(self.pawns[*pawn]));
        }
        self.waiting.extend(pawns.into_iter().rev().map(|pawn| Task::Move { pawn, spaces, by: by(pawn) }));
    }
}
