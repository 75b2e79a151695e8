//! Which saved states the rules can go on from.

use super::{Choice, DeadMansDraw, WaitsFor};
use crate::game::{Game, Turn};
use crate::seats::Seat;

impl DeadMansDraw {
    /// Are all its seats at the table, and has everyone who is awaited a move?
    pub(super) fn can_go_on(&self) -> bool {
        let last = self.last_turn.iter().flat_map(|last| [Some(last.seat), last.lost_to, last.bonus_from]).flatten();
        let plundered = match self.waits_for {
            WaitsFor::Choice(Choice::PlunderCard { from, .. }) => Some(from),
            _ => None,
        };
        let mut seats = [self.acting.seat].into_iter().chain(self.guardian_target).chain(self.first_seat);
        let at_table = |seat: Seat| self.pirates.has(seat);
        Self::INFO.seats.contains(&self.pirates.count())
            && self.options.check().is_ok()
            && seats.all(at_table)
            && plundered.is_none_or(at_table)
            && last.into_iter().all(at_table)
            && self.awaited_can_move()
    }

    fn awaited_can_move(&self) -> bool {
        let Turn::Seats { to_move, .. } = self.turn() else { return true };
        let mut moves = Vec::new();
        !to_move.is_empty()
            && to_move.iter().all(|seat| {
                moves.clear();
                self.legal_moves(seat, &mut moves);
                !moves.is_empty()
            })
    }
}
