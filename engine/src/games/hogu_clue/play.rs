//! How a match of Hogu Clue goes on: the deal, calls with their exchanges, answers, and whose turn is next.

use super::cards::{Call, Card, Cards};
use super::{Entry, Event, Exchange, Exchanged, HoguClue, Stage, What};
use crate::game::Addressed;
use crate::seats::Seat;

impl HoguClue {
    /// HC-2 to HC-4.
    pub(super) fn deal(&mut self, deck: &[Card], events: &mut Vec<Addressed<Event>>) {
        let (size, seats) = (self.hand_size(), self.players.count());
        let mut deck = deck.iter().copied();
        for (seat, player) in self.players.seats().zip(self.players.iter_mut()) {
            player.hand = deck.by_ref().take(size.into()).collect();
            events.push(Addressed::only(seat, Event::Dealt { seat, cards: player.hand }));
        }
        self.hidden = deck.by_ref().take(usize::from(seats) - 1).collect();
        self.open = deck.collect();
        events.push(Addressed::everyone(Event::Opened { cards: self.open }));
        self.stage = Stage::FirstSeat;
    }

    pub(super) fn start_turn(&mut self, seat: Seat, events: &mut Vec<Addressed<Event>>) {
        self.stage = Stage::Turn { seat };
        events.push(Addressed::everyone(Event::TurnStarted { turn: self.turn_number(), round: self.round, seat }));
    }

    /// The turn under way, or the last.
    pub(super) fn turn_number(&self) -> u32 {
        self.history.len() as u32 + u32::from(matches!(self.stage, Stage::Turn { .. }))
    }

    /// The turn passes on clockwise, into a new round if it reaches or passes the seat that started.
    fn pass_turn(&mut self, from: Seat, events: &mut Vec<Addressed<Event>>) {
        let Some(to) = self.players.next(from, |player| player.place.is_none()) else { return };
        let seats = self.players.count();
        let after_first = |seat: Seat| (seat.0 + seats - self.first_seat.0) % seats;
        self.round += u32::from(after_first(to) <= after_first(from));
        self.start_turn(to, events);
    }

    /// HC-8 to HC-10.
    pub(super) fn call(&mut self, caller: Seat, call: Call, events: &mut Vec<Addressed<Event>>) {
        let mut asked = Vec::new();
        let mut holder = None;
        for seat in self.players.after(caller).filter(|seat| self.is_active(*seat)) {
            asked.push(seat);
            if !self.players[seat].hand.matching(call).is_empty() {
                holder = Some(seat);
                break;
            }
        }
        events.push(Addressed::everyone(Event::Called { seat: caller, call, asked: asked.clone(), holder }));
        self.record(caller, What::Call { call, asked, holder });
        match holder {
            Some(holder) => {
                self.stage = Stage::Exchange(Exchange { caller, call, holder, caller_gives: None, holder_gives: None });
            }
            None => self.pass_turn(caller, events),
        }
    }

    fn record(&mut self, seat: Seat, what: What) {
        self.history.push(Entry { turn: self.turn_number(), round: self.round, seat, what });
    }

    /// HC-12: what both have chosen changes hands together.
    pub(super) fn give(&mut self, seat: Seat, card: Card, events: &mut Vec<Addressed<Event>>) {
        let Stage::Exchange(exchange) = &mut self.stage else { return };
        match seat == exchange.caller {
            true => exchange.caller_gives = Some(card),
            false => exchange.holder_gives = Some(card),
        }
        events.push(Addressed::only(seat, Event::Gave { seat, card: Some(card) }));
        events.push(Addressed::except([seat], Event::Gave { seat, card: None }));
        if let Exchange { caller, holder, caller_gives: Some(of_caller), holder_gives: Some(of_holder), .. } = *exchange
        {
            self.exchange((caller, of_caller), (holder, of_holder), events);
            self.pass_turn(caller, events);
        }
    }

    fn exchange(&mut self, caller: (Seat, Card), holder: (Seat, Card), events: &mut Vec<Addressed<Event>>) {
        let turn = self.turn_number();
        let seats = [caller.0, holder.0];
        for ((seat, gave), (with, got)) in [(caller, holder), (holder, caller)] {
            let player = &mut self.players[seat];
            player.hand = player.hand.exchanged(gave, got);
            player.exchanges.push(Exchanged { turn, with, gave, got });
            events.push(Addressed::only(seat, Event::Exchanged { seats, gave: Some(gave), got: Some(got) }));
        }
        events.push(Addressed::except(seats, Event::Exchanged { seats, gave: None, got: None }));
    }

    /// HC-15 to HC-17.
    pub(super) fn answer(&mut self, seat: Seat, card: Card, events: &mut Vec<Addressed<Event>>) {
        let right = self.hidden.has(card);
        if right {
            self.found.push(card);
        }
        let Some(rank) = self.free_place(right) else { return };
        self.players[seat].place = Some(rank);
        let opened: Cards = self.players[seat].hand;
        self.record(seat, What::Answer { card, right, rank, opened });
        events.push(Addressed::everyone(Event::Answered { seat, card, right, rank, opened }));
        events.push(Addressed::only(seat, Event::Looked { seat, hidden: self.hidden }));
        let active = self.active();
        match active.iter().next() {
            Some(last) if active.len() == 1 => self.finish(last, events),
            _ => self.pass_turn(seat, events),
        }
    }

    fn free_place(&self, best: bool) -> Option<u8> {
        let mut free =
            (1..=self.players.count()).filter(|place| self.players.iter().all(|player| player.place != Some(*place)));
        if best { free.next() } else { free.next_back() }
    }

    /// HC-19.
    fn finish(&mut self, last: Seat, events: &mut Vec<Addressed<Event>>) {
        self.players[last].place = self.free_place(true);
        self.stage = Stage::Over;
        let hands = self.players.map(|player| player.hand);
        events.push(Addressed::everyone(Event::GameOver { outcome: self.outcome(), hidden: self.hidden, hands }));
    }
}
