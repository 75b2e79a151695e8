//! Playing a card and using its ability (DMD-12 to DMD-26).

use super::{Card, Cards, Choice, DeadMansDraw, Event, Means, Next, Origin, Suit, Tell, Trait, WaitsFor};
use crate::game::Told;
use crate::seats::Seat;

use super::view::{Sent, Took};

/// A Kraken's debt, and a Beastmaster's.
pub(super) const DEBT: (u8, u8) = (2, 4);
/// How many cards a map turns up.
pub(super) const MAP: usize = 3;
/// How many cards an oracle turns up, and a Mystic's.
const ORACLE: (u8, u8) = (1, 3);

impl DeadMansDraw {
    /// DMD-9.
    pub(super) fn draw_card(&mut self, told: &mut Tell) -> Next {
        let Some(card) = self.draw_pile.pop() else { return Next::WaitFor(WaitsFor::Turn) };
        self.acting.drawn = self.acting.drawn.saturating_add(1);
        self.acting.turned_up = self.acting.turned_up.saturating_sub(1);
        told.push(Told::everyone(Event::Drawn { seat: self.acting.seat, card }));
        if self.draw_pile.is_empty() {
            // DMD-26: cards that do not exist cannot be owed.
            self.owe(0, told);
        }
        self.play(card, Origin::Draw, told)
    }

    /// DMD-12.
    pub(super) fn play(&mut self, card: Card, from: Origin, told: &mut Tell) -> Next {
        if let Some(why) = self.straight_to_bank(card, from) {
            self.send_to_bank(self.acting.seat, card, why, told);
            return self.go_on(told);
        }
        if self.busts(card) {
            return self.bust(card, from, told);
        }
        self.acting.row.place(card, from);
        self.used(card, from.into(), told)
    }

    /// A card now lies at the end of the row: it counts for a Kraken, and its ability is used.
    pub(super) fn used(&mut self, card: Card, by: Means, told: &mut Tell) -> Next {
        told.push(Told::everyone(Event::Placed { seat: self.acting.seat, card, from: by }));
        self.owe(self.acting.must_draw.saturating_sub(1), told);
        match card.suit() {
            Suit::Anchor | Suit::Key | Suit::Chest => self.go_on(told),
            Suit::Hook => self.ask_or_throw_away(Choice::Hook { left: self.hook_uses() }, card, told),
            Suit::Cannon if self.misfires(by) => self.ask_if_any(Choice::Misfire, told),
            Suit::Cannon => self.ask_or_throw_away(Choice::Cannon, card, told),
            Suit::Map => self.use_map(told),
            Suit::Oracle => self.use_oracle(told),
            Suit::Sword => self.ask_or_throw_away(Choice::Sword, card, told),
            Suit::Kraken => self.use_kraken(by, told),
            Suit::Mermaid if self.options.mermaid_rules => self.ask_if_any(Choice::Mermaid, told),
            Suit::Mermaid => self.go_on(told),
        }
    }

    /// All that was caused is done: a second use of a hook may be due (DMD-55), else the seat draws or collects.
    pub(super) fn go_on(&mut self, told: &mut Tell) -> Next {
        if self.acting.hooks_due == 0 {
            return Next::WaitFor(WaitsFor::Turn);
        }
        if self.bank().is_empty() {
            // Nothing can fill the bank before the next use either.
            self.acting.hooks_due = 0;
            return Next::WaitFor(WaitsFor::Turn);
        }
        self.acting.hooks_due -= 1;
        self.ask(Choice::Hook { left: 1 }, told)
    }

    pub(super) fn ask(&self, choice: Choice, told: &mut Tell) -> Next {
        told.push(Told::everyone(Event::Choice { seat: self.acting.seat, kind: choice.kind() }));
        Next::WaitFor(WaitsFor::Choice(choice))
    }

    fn ask_if_any(&mut self, choice: Choice, told: &mut Tell) -> Next {
        match self.candidates(choice).is_empty() {
            true => self.go_on(told),
            false => self.ask(choice, told),
        }
    }

    /// DMD-18, DMD-20, DMD-24, DMD-61: without a target the card itself is discarded.
    fn ask_or_throw_away(&mut self, choice: Choice, card: Card, told: &mut Tell) -> Next {
        if !self.candidates(choice).is_empty() {
            return self.ask(choice, told);
        }
        self.acting.row.remove(card);
        self.discard.put(card);
        let cards = Cards::one(card);
        told.push(Told::everyone(Event::Discarded { cards, from_seat: None, why: Sent::NoTarget }));
        self.go_on(told)
    }

    fn hook_uses(&self) -> u8 {
        if self.has(Trait::CaptainsHook) { 2 } else { 1 }
    }

    fn use_map(&mut self, told: &mut Tell) -> Next {
        match self.discard.len() {
            0 => self.go_on(told),
            many if many > MAP && !self.has(Trait::Navigator) => Next::WaitFor(WaitsFor::MapReveal),
            _ => self.reveal_for_map(self.discard, told),
        }
    }

    /// DMD-21 and DMD-48: the cards are turned up, for the Navigator's eyes only if there is one.
    pub(super) fn reveal_for_map(&mut self, cards: Cards, told: &mut Tell) -> Next {
        let seat = self.acting.seat;
        let shown = Event::MapRevealed { seat, cards: Some(cards), count: None };
        if self.has(Trait::Navigator) {
            told.push(Told::only(seat, shown));
            told.push(Told::except([seat], Event::MapRevealed { seat, cards: None, count: Some(cards.len()) }));
        } else {
            told.push(Told::everyone(shown));
        }
        self.ask(Choice::Map { cards }, told)
    }

    /// DMD-22 and DMD-51: of two rows turned up the longer counts.
    fn use_oracle(&mut self, told: &mut Tell) -> Next {
        let wanted = if self.has(Trait::Mystic) { ORACLE.1 } else { ORACLE.0 };
        let there = u8::try_from(self.draw_pile.len()).unwrap_or(u8::MAX);
        self.acting.turned_up = self.acting.turned_up.max(wanted.min(there));
        let cards = self.turned_up();
        if !cards.is_empty() {
            let seat = self.acting.seat;
            let count = Some(cards.len());
            let shown = Event::Revealed { cards: Some(cards), count: None };
            if self.options.oracle_secret {
                told.push(Told::only(seat, shown));
                told.push(Told::except([seat], Event::Revealed { cards: None, count }));
            } else {
                told.push(Told::everyone(shown));
            }
        }
        self.go_on(told)
    }

    /// The cards that an oracle has turned up, top first.
    pub(super) fn turned_up(&self) -> Vec<Card> {
        self.draw_pile.iter().rev().take(self.acting.turned_up.into()).copied().collect()
    }

    /// DMD-25, DMD-26 and DMD-59.
    fn use_kraken(&mut self, by: Means, told: &mut Tell) -> Next {
        if !self.draw_pile.is_empty() {
            let tamed = self.is_drawn(by) && self.opponent_with(Trait::Beastmaster).is_some();
            let debt = if tamed { DEBT.1 } else { DEBT.0 };
            self.owe(self.acting.must_draw.max(debt), told);
        }
        self.go_on(told)
    }

    fn owe(&mut self, count: u8, told: &mut Tell) {
        if self.acting.must_draw != count {
            self.acting.must_draw = count;
            told.push(Told::everyone(Event::MustDraw { count }));
        }
    }

    /// DMD-42: what the traits that speak of a drawn card mean by it.
    fn is_drawn(&self, by: Means) -> bool {
        by == Means::Draw || self.options.drawn_any_source
    }

    /// DMD-45 and DMD-58.
    fn straight_to_bank(&self, card: Card, from: Origin) -> Option<Took> {
        match card.suit() {
            _ if !self.is_drawn(from.into()) => None,
            Suit::Mermaid if self.has(Trait::Casanova) && !self.options.mermaid_rules => Some(Took::Casanova),
            Suit::Kraken if self.has(Trait::Fisherman) => Some(Took::Fisherman),
            _ => None,
        }
    }

    /// DMD-60.
    fn misfires(&self, by: Means) -> bool {
        self.is_drawn(by) && self.opponent_with(Trait::Misfire).is_some()
    }

    pub(super) fn send_to_bank(&mut self, seat: Seat, card: Card, why: Took, told: &mut Tell) {
        self.pirates[seat].bank.put(card);
        told.push(Told::everyone(Event::Banked { seat, card, why }));
    }
}
