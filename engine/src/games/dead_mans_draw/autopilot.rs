//! The moves of the autopilot.

use super::{Kind, Move, Suit, View};
use crate::seats::Seat;

/// Rows of so many cards are collected.
const ENOUGH: usize = 3;

/// Draws until three cards lie in the row, the next card is known to bust, or key and chest lie there, then collects as
/// soon as it may. Of its choices: brings and re-uses what does not bust, gives up the lowest card of its own, takes or
/// fires at the highest of the others', names the leader, and keeps the first trait dealt.
pub(super) fn choose(view: &View, legal: &[Move]) -> Move {
    let first = legal[0];
    match first {
        Move::Draw {} if legal.contains(&Move::Collect {}) && has_enough(view) => Move::Collect {},
        Move::Draw {} | Move::Collect {} | Move::ChooseTrait { .. } => first,
        Move::ChooseSeat { .. } => {
            legal.iter().copied().max_by_key(|it| seat_of(it).map(|seat| view.scores[seat])).unwrap_or(first)
        }
        Move::ChooseCard { .. } => legal.iter().copied().max_by_key(|it| worth(view, it)).unwrap_or(first),
    }
}

fn has_enough(view: &View) -> bool {
    let next_busts = view.revealed.as_ref().and_then(|cards| cards.first()).is_some_and(|card| view.busts(*card));
    let lies_there = |wanted| view.play_area.iter().any(|there| there.card.suit() == wanted);
    next_busts || view.play_area.len() >= ENOUGH || lies_there(Suit::Key) && lies_there(Suit::Chest)
}

fn seat_of(chosen: &Move) -> Option<Seat> {
    match chosen {
        Move::ChooseSeat { seat } => Some(*seat),
        _ => None,
    }
}

/// The autopilot's preference for a card: first cards that stay, then by value. It prefers to keep its own cards.
fn worth(view: &View, chosen: &Move) -> (bool, i16) {
    let Move::ChooseCard { card } = chosen else { return (false, 0) };
    let value = i16::from(card.value());
    match view.pending.as_ref().map(|pending| pending.kind) {
        Some(Kind::Hook) => (!view.busts(*card), -value),
        Some(Kind::Sword | Kind::Map) => (!view.busts(*card), value),
        _ => (true, value),
    }
}
