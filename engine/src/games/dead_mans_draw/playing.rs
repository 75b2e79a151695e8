//! Playing a card and using its ability (DMD-12 to DMD-26).

use super::{Card, Cards, Choice, DeadMansDraw, Event, Events, Means, Next, Origin, Suit, Trait, WaitsFor};
use crate::game::Addressed;
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
    pub(super) fn draw_card(&mut self, events: &mut Events) -> Next {
        let Some(card) = self.draw_pile.pop() else { return Next::WaitFor(WaitsFor::Turn) };
        self.acting.drawn = self.acting.drawn.saturating_add(1);
        self.acting.turned_up = self.acting.turned_up.saturating_sub(1);
        events.push(Addressed::everyone(Event::Drawn { seat: self.acting.seat, card }));
        if self.draw_pile.is_empty() {
            // DMD-26: cards that do not exist cannot be owed.
            self.owe(0, events);
        }
        self.play(card, Origin::Draw, events)
    }

    /// DMD-12.
    pub(super) fn play(&mut self, card: Card, from: Origin, events: &mut Events) -> Next {
        if let Some(why) = self.straight_to_bank(card, from) {
            self.send_to_bank(self.acting.seat, card, why, events);
            return self.go_on(events);
        }
        if self.busts(card) {
            return self.bust(card, from, events);
        }
        self.acting.row.place(card, from);
        self.used(card, from.into(), events)
    }

    /// A card now lies at the end of the row: it counts for a Kraken, and its ability is used.
    pub(super) fn used(&mut self, card: Card, by: Means, events: &mut Events) -> Next {
        events.push(Addressed::everyone(Event::Placed { seat: self.acting.seat, card, from: by }));
        self.owe(self.acting.must_draw.saturating_sub(1), events);
        match card.suit() {
            Suit::Anchor | Suit::Key | Suit::Chest => self.go_on(events),
            Suit::Hook => self.ask_or_throw_away(Choice::Hook { left: self.hook_uses() }, card, events),
            Suit::Cannon if self.misfires(by) => self.ask_if_any(Choice::Misfire, events),
            Suit::Cannon => self.ask_or_throw_away(Choice::Cannon, card, events),
            Suit::Map => self.use_map(events),
            Suit::Oracle => self.use_oracle(events),
            Suit::Sword => self.ask_or_throw_away(Choice::Sword, card, events),
            Suit::Kraken => self.use_kraken(by, events),
            Suit::Mermaid if self.options.mermaid_rules => self.ask_if_any(Choice::Mermaid, events),
            Suit::Mermaid => self.go_on(events),
        }
    }

    /// All that was caused is done: a second use of a hook may be due (DMD-55), else the seat draws or collects.
    pub(super) fn go_on(&mut self, events: &mut Events) -> Next {
        if self.acting.hooks_due == 0 {
            return Next::WaitFor(WaitsFor::Turn);
        }
        if self.bank().is_empty() {
            // Nothing can fill the bank before the next use either.
            self.acting.hooks_due = 0;
            return Next::WaitFor(WaitsFor::Turn);
        }
        self.acting.hooks_due -= 1;
        self.ask(Choice::Hook { left: 1 }, events)
    }

    pub(super) fn ask(&self, choice: Choice, events: &mut Events) -> Next {
        events.push(Addressed::everyone(Event::Choice { seat: self.acting.seat, kind: choice.kind() }));
        Next::WaitFor(WaitsFor::Choice(choice))
    }

    fn ask_if_any(&mut self, choice: Choice, events: &mut Events) -> Next {
        match self.candidates(choice).is_empty() {
            true => self.go_on(events),
            false => self.ask(choice, events),
        }
    }

    /// DMD-18, DMD-20, DMD-24, DMD-61: without a target the card itself is discarded.
    fn ask_or_throw_away(&mut self, choice: Choice, card: Card, events: &mut Events) -> Next {
        if !self.candidates(choice).is_empty() {
            return self.ask(choice, events);
        }
        self.acting.row.remove(card);
        self.discard.put(card);
        let cards = Cards::one(card);
        events.push(Addressed::everyone(Event::Discarded { cards, from_seat: None, why: Sent::NoTarget }));
        self.go_on(events)
    }

    fn hook_uses(&self) -> u8 {
        if self.has(Trait::CaptainsHook) { 2 } else { 1 }
    }

    fn use_map(&mut self, events: &mut Events) -> Next {
        match self.discard.len() {
            0 => self.go_on(events),
            many if many > MAP && !self.has(Trait::Navigator) => Next::WaitFor(WaitsFor::MapReveal),
            _ => self.reveal_for_map(self.discard, events),
        }
    }

    /// DMD-21 and DMD-48: the cards are turned up, for the Navigator's eyes only if there is one.
    pub(super) fn reveal_for_map(&mut self, cards: Cards, events: &mut Events) -> Next {
        let seat = self.acting.seat;
        let shown = Event::MapRevealed { seat, cards: Some(cards), count: None };
        if self.has(Trait::Navigator) {
            events.push(Addressed::only(seat, shown));
            events.push(Addressed::except([seat], Event::MapRevealed { seat, cards: None, count: Some(cards.len()) }));
        } else {
            events.push(Addressed::everyone(shown));
        }
        self.ask(Choice::Map { cards }, events)
    }

    /// DMD-22 and DMD-51: of two rows turned up the longer counts.
    fn use_oracle(&mut self, events: &mut Events) -> Next {
        let wanted = if self.has(Trait::Mystic) { ORACLE.1 } else { ORACLE.0 };
        let there = u8::try_from(self.draw_pile.len()).unwrap_or(u8::MAX);
        self.acting.turned_up = self.acting.turned_up.max(wanted.min(there));
        let cards = self.turned_up();
        if !cards.is_empty() {
            let seat = self.acting.seat;
            let count = Some(cards.len());
            let shown = Event::Revealed { cards: Some(cards), count: None };
            if self.options.oracle_secret {
                events.push(Addressed::only(seat, shown));
                events.push(Addressed::except([seat], Event::Revealed { cards: None, count }));
            } else {
                events.push(Addressed::everyone(shown));
            }
        }
        self.go_on(events)
    }

    /// The cards that an oracle has turned up, top first.
    pub(super) fn turned_up(&self) -> Vec<Card> {
        self.draw_pile.iter().rev().take(self.acting.turned_up.into()).copied().collect()
    }

    /// DMD-25, DMD-26 and DMD-59.
    fn use_kraken(&mut self, by: Means, events: &mut Events) -> Next {
        if !self.draw_pile.is_empty() {
            let tamed = self.is_drawn(by) && self.opponent_with(Trait::Beastmaster).is_some();
            let debt = if tamed { DEBT.1 } else { DEBT.0 };
            self.owe(self.acting.must_draw.max(debt), events);
        }
        self.go_on(events)
    }

    fn owe(&mut self, count: u8, events: &mut Events) {
        if self.acting.must_draw != count {
            self.acting.must_draw = count;
            events.push(Addressed::everyone(Event::MustDraw { count }));
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

    pub(super) fn send_to_bank(&mut self, seat: Seat, card: Card, why: Took, events: &mut Events) {
        self.pirates[seat].bank.put(card);
        events.push(Addressed::everyone(Event::Banked { seat, card, why }));
    }
}
