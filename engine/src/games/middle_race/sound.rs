//! Which states a match can come to. A saved state is checked as a whole once, so that the rules need not doubt it.

use super::abilities::{Choice, Step};
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
                    Step::Seat { .. } => true,
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
                Task::Move { pawn, by, .. } => at_table(pawn) && by.is_none_or(|by| at_table(by.seat)),
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

    /// It waits for a seat that has a move, there is somebody left to race, and none of them lacks a card before its turn ends.
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
                let armed = running().all(|seat| may_be_empty(seat) || !self.hands.hand(seat).is_empty());
                running().count() >= 2 && armed && !to_move.is_empty() && to_move.iter().all(can_move)
            }
        }
    }
}
