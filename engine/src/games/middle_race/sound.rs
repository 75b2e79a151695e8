//! Which states a match can reach. A saved state is checked as a whole once, so that the rules can rely on it.

use super::abilities::{Choice, Copied, Silence, Step};
use super::track::Task;
use super::{Casting, Character, MiddleRace, Stage};
use crate::game::{Game, Turn};
use crate::seats::Seat;

impl MiddleRace {
    pub(super) fn is_a_table(&self) -> bool {
        let seats = self.pawns.iter().len();
        let lists = [self.characters.iter().len(), self.places.iter().len(), self.last_named.iter().len()];
        (3..=10).contains(&seats)
            && lists.iter().all(|it| *it == seats)
            && self.options.within_bounds().is_ok()
            && (1..=self.options.max_rounds.into()).contains(&self.round)
            && self.pawns.iter().flatten().all(|at| *at <= self.options.track_length)
            && self.hands.is_sound(seats as u8, self.options.move_cards)
    }

    pub(super) fn mentions_only_its_seats(&self) -> bool {
        let at_table = |seat: Seat| self.pawns.has(seat);
        let copied = self.copied.and_then(|copied| copied.last_named);
        let one_each = self.turn_seat.into_iter().chain(copied).chain(self.last_named.iter().flatten().copied());
        let choices = |choice: Choice| {
            at_table(choice.seat)
                && match choice.step {
                    Step::Seat { spaces } => spaces.is_none_or(|spaces| self.is_on_the_track(spaces)),
                    Step::Card { target: seat } | Step::Direction { pawn: seat } | Step::Accept { pawn: seat } => {
                        at_table(seat)
                    }
                }
        };
        one_each.into_iter().all(at_table)
            && self.draft_order.iter().flatten().copied().all(at_table)
            && self.silences.iter().all(|it| at_table(it.by) && at_table(it.seat))
            && self.worked.iter().all(|it| at_table(it.seat) && at_table(it.on))
            && self.choice.is_none_or(choices)
            && self.waiting.iter().all(|task| match *task {
                Task::Ask(choice) => choices(choice),
                Task::Move { pawn, by, spaces } => {
                    at_table(pawn) && by.is_none_or(|by| at_table(by.seat)) && self.is_on_the_track(spaces)
                }
                Task::CopyAnew(seat) => at_table(seat),
            })
    }

    /// The seats before the draft's next one have their characters, all different; after the draft all have.
    pub(super) fn is_cast(&self) -> bool {
        let drafts = self.options.characters == Casting::Draft && self.stage != Stage::Casting;
        let order_holds = match &self.draft_order {
            Some(order) => drafts && order.len() == self.pawns.iter().len(),
            None => !drafts,
        };
        let mut picked: Vec<Character> = self.characters.iter().copied().flatten().collect();
        let many = picked.len();
        picked.sort();
        picked.dedup();
        let in_order = self.draft_order.iter().flatten().enumerate();
        let cast_holds = match self.stage {
            Stage::Casting => many == 0,
            Stage::Draft => {
                let mut holds = in_order.map(|(place, seat)| self.characters[*seat].is_some() == (place < many));
                many < self.pawns.iter().len() && holds.all(|it| it) && self.choice.is_none()
            }
            Stage::Race | Stage::Over(_) => many == self.pawns.iter().len(),
        };
        order_holds && cast_holds && picked.len() == many
    }

    fn is_on_the_track(&self, spaces: i8) -> bool {
        spaces.unsigned_abs() <= self.options.track_length
    }

    /// Each pawn is on the track or has its place, and a hand as long as it runs; what is over or not begun waits for
    /// nothing.
    pub(super) fn is_in_order(&self) -> bool {
        let (raced, over) = match self.stage {
            Stage::Casting | Stage::Draft => (false, false),
            Stage::Race => (true, false),
            Stage::Over(_) => (true, true),
        };
        let mut places: Vec<u8> = self.places.iter().flatten().copied().collect();
        places.sort_unstable();
        let one_after_the_other = places.iter().zip(1..).all(|(place, wanted)| *place == wanted);
        let each = |seat| {
            let (runs, placed) = (self.pawns[seat].is_some(), self.places[seat].is_some());
            (over || runs != placed) && self.hands.has(seat) == (raced && runs)
        };
        let silent = |it: &Silence| it.by != it.seat && self.is_running(it.by) && self.is_running(it.seat);
        let copies = |copied: Copied| {
            let copy = self.seat_of(Character::Copy);
            copied.ability != Character::Copy && copy.is_some_and(|seat| self.is_running(seat))
        };
        let idle = self.choice.is_none() && self.waiting.is_empty() && self.turn_seat.is_none();
        let rests = match self.choice {
            Some(choice) => raced && self.is_running(choice.seat) && self.ability(choice.seat) == Some(choice.ability),
            None if self.stage == Stage::Race => {
                let ready = self.turn_seat.is_some_and(|seat| self.is_running(seat));
                ready && !self.card_is_out && self.waiting.is_empty()
            }
            None => idle,
        };
        one_after_the_other
            && self.pawns.seats().all(each)
            && (over || self.silences.iter().all(silent))
            && (over || self.copied.is_none_or(copies))
            && (!over || idle)
            && rests
    }

    /// It waits for a seat that has a move, there is somebody left to race, and none of them lacks a card before its
    /// turn ends.
    pub(super) fn is_under_way(&self) -> bool {
        let can_move = |seat| {
            let mut moves = Vec::new();
            self.legal_moves(seat, &mut moves);
            !moves.is_empty()
        };
        match self.turn() {
            Turn::Chance | Turn::Over(_) => true,
            Turn::Seats { to_move, .. } => {
                let running = || self.pawns.seats().filter(|seat| self.is_running(*seat));
                let may_be_empty =
                    |seat| self.stage == Stage::Draft || self.card_is_out && self.turn_seat == Some(seat);
                let armed = running().all(|seat| may_be_empty(seat) || self.hands.count(seat) > 0);
                running().count() >= 2 && armed && !to_move.is_empty() && to_move.iter().all(can_move)
            }
        }
    }
}
