//! The moves of the autopilot.

use std::collections::BTreeMap;

use super::{Card, Cards, Kind, Move, Suit, View};
use crate::chance::{Source, one_of};
use crate::seats::Seat;

/// Draws as long as that promises more points than collecting: by how likely the next card is to bust, among all that it
/// does not see, and by what it would lose then. Of its choices: brings and re-uses what does not bust, gives up the lowest
/// card of its own, takes or fires at the highest of the others', names the leader, and keeps any of the traits dealt.
pub(super) fn choose(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
    let first = legal[0];
    match first {
        Move::Draw {} if legal.contains(&Move::Collect {}) && has_enough(view, source) => Move::Collect {},
        Move::Draw {} | Move::Collect {} => first,
        Move::ChooseTrait { .. } => one_of(legal, source),
        Move::ChooseSeat { .. } => {
            legal.iter().copied().max_by_key(|it| seat_of(it).map(|seat| view.scores[seat])).unwrap_or(first)
        }
        Move::ChooseCard { .. } => legal.iter().copied().max_by_key(|it| worth(view, it)).unwrap_or(first),
    }
}

fn has_enough(view: &View, source: &mut dyn Source) -> bool {
    if let Some(next) = view.revealed.as_ref().and_then(|cards| cards.first()) {
        return view.busts_when_drawn(*next);
    }
    let Some(seat) = view.common.to_move.iter().next() else { return true };
    let unseen = unseen(view);
    let gains = Gains { view, seat };
    let (mut busts, mut more) = (0.0, 0.0);
    for card in unseen.iter() {
        match view.busts_when_drawn(card) {
            true => busts += 1.0,
            false => more += gains.of_card(card),
        }
    }
    let cards = unseen.len().max(1) as f64;
    // A little whim, so that nobody can tell for sure when it stops.
    let whim = f64::from(85 + source.below(31)) / 100.0;
    more / cards < whim * (busts / cards) * gains.at_stake()
}

/// The cards that may lie in the draw pile.
fn unseen(view: &View) -> Cards {
    view.draw_pile().unwrap_or_else(|| {
        let all = Cards::all(view.common.options.mermaid_rules);
        let row: Cards = view.play_area.iter().map(|there| there.card).collect();
        let banked: Cards = view.banks.iter().flat_map(BTreeMap::values).flatten().copied().collect();
        // The lowest of each suit were never in it.
        all.without(all.bottoms()).without(row.with(banked))
    })
}

/// What cards are worth to a seat, in points.
struct Gains<'a> {
    view: &'a View,
    seat: Seat,
}

impl Gains<'_> {
    fn of_card(&self, card: Card) -> f64 {
        let held = self.view.banks[self.seat].get(&card.suit()).and_then(|stack| stack.first());
        let held = held.map_or(0, |top| top.value());
        // What is banked below the top still counts if the top is lost, and breaks ties.
        const BELOW: f64 = 0.25;
        if card.value() > held { f64::from(card.value() - held) } else { BELOW }
    }

    /// What a bust would cost, key and chest included.
    fn at_stake(&self) -> f64 {
        let row = || self.view.play_area.iter();
        let unsafe_cards = row().filter(|there| !there.safe).map(|there| self.of_card(there.card));
        let lies_there = |wanted| row().any(|there| there.card.suit() == wanted);
        const BONUS: f64 = 1.5;
        let bonus = if lies_there(Suit::Key) && lies_there(Suit::Chest) { BONUS * row().count() as f64 } else { 0.0 };
        unsafe_cards.sum::<f64>() + bonus
    }
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
