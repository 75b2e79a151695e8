//! Which states a match can reach, as far as the rules rely on it.

use super::playing::DEBT;
use super::{Card, Cards, Choice, DeadMansDraw, Trait, Variant, WaitsFor};
use crate::game::{Game, Turn};
use crate::seats::Seat;

/// Every turn draws a card, so that no match has more rounds than cards, nor a turn more of anything.
const MOST: usize = 60;

impl DeadMansDraw {
    /// Do all seats exist, is every card in exactly one place, and has every seat on turn a legal move?
    pub(super) fn can_go_on(&self) -> bool {
        Self::INFO.seats.contains(&self.pirates.count())
            && self.options.check().is_ok()
            && self.mentions_only_its_seats()
            && self.has_each_card_once()
            && self.has_its_variant()
            && self.has_its_traits()
            && self.is_within_bounds()
            && self.awaited_can_move()
    }

    fn mentions_only_its_seats(&self) -> bool {
        let last = self.last_turn.iter().flat_map(|last| [Some(last.seat), last.lost_to, last.bonus_from]).flatten();
        let plundered = match self.waits_for {
            WaitsFor::Choice(Choice::PlunderCard { from, .. }) => Some(from),
            _ => None,
        };
        let seats = [self.acting.seat].into_iter().chain(self.guardian_target).chain(self.first_seat);
        let mut all = seats.chain(plundered).chain(last);
        all.all(|seat: Seat| self.pirates.has(seat)) && plundered != Some(self.acting.seat)
    }

    fn has_each_card_once(&self) -> bool {
        let piles = self.draw_pile.iter().copied().chain(self.acting.row.cards());
        let banks = self.pirates.iter().flat_map(|pirate| pirate.bank.iter());
        let (mut there, mut once) = (Cards::default(), true);
        piles.chain(self.discard.iter()).chain(banks).for_each(|card| {
            once &= !there.has(card);
            there.put(card);
        });
        let of_this_game = |cards: Cards| cards.without(Cards::all(self.options.mermaid_rules)).is_empty();
        let events = |cards: &[Card]| cards.len() <= MOST && of_this_game(cards.iter().copied().collect());
        let last = self.last_turn.iter().flat_map(|last| [&last.kept, &last.lost, &last.bonus]);
        let turned_up = match self.waits_for {
            WaitsFor::Choice(Choice::Map { cards }) => cards,
            _ => Cards::default(),
        };
        once && of_this_game(there)
            && last.into_iter().all(|it| events(it))
            && turned_up.without(self.discard).is_empty()
    }

    /// Once the deck lies there, every card is in exactly one place.
    pub(super) fn has_all_cards(&self) -> bool {
        let banks: usize = self.pirates.iter().map(|pirate| pirate.bank.len()).sum();
        let there = banks + self.draw_pile.len() + self.discard.len() + self.acting.row.cards().count();
        self.has_each_card_once() && there == Cards::all(self.options.mermaid_rules).len()
    }

    fn has_its_variant(&self) -> bool {
        let wanted = self.options.game_variant;
        match wanted.and_then(|choice| choice.card()) {
            Some(card) => self.variant == Some(card),
            None => self.variant.is_some_and(|it: Variant| Variant::ALL.contains(&it)) == wanted.is_some(),
        }
    }

    /// Each trait card is with one seat at most, and nobody keeps what it was not dealt.
    fn has_its_traits(&self) -> bool {
        let mut left: Vec<Trait> = Trait::all(self.options.mermaid_rules).filter(|_| self.options.traits).collect();
        self.pirates.iter().all(|pirate| {
            let kept = pirate.kept.is_none_or(|kept| pirate.dealt.contains(&kept));
            let mut deal = |it: &Trait| left.iter().position(|left| left == it).map(|at| left.swap_remove(at));
            kept && pirate.dealt.iter().all(|it| deal(it).is_some())
        })
    }

    fn is_within_bounds(&self) -> bool {
        let acting = &self.acting;
        let left = match self.waits_for {
            WaitsFor::Choice(choice) => choice.left(),
            _ => 0,
        };
        (1..=MOST as u32).contains(&self.round)
            && usize::from(acting.drawn) <= MOST
            && acting.must_draw <= DEBT.1
            && usize::from(acting.turned_up) <= self.draw_pile.len()
            && usize::from(acting.hooks_due) <= MOST
            && left <= 2 * MOST
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
