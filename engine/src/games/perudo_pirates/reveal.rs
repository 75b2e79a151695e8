//! What happens when all dice are shown: who loses and takes how many, who is out, who opens next.

use std::cmp::Ordering;

use super::{Call, DICE_EACH, Event, ExactCost, PerudoPirates, WaitsFor};
use crate::game::Addressed;
use crate::pieces::bids::{self, Bid, Reveal};
use crate::pieces::dice::Dice;
use crate::seats::{PerSeat, Seat, SeatSet};

impl PerudoPirates {
    /// PIR-40 to PIR-47 and PIR-62 to PIR-67.
    pub(super) fn reveal(&mut self, caller: Seat, call: Call, events: &mut Vec<Addressed<Event>>) {
        let Some(bid) = self.standing() else { return };
        let shown = PerSeat::new(self.dice.count(), |seat| self.cups[seat].with(self.set_aside[seat]));
        let wild = !self.in_showdown();
        let actual = bids::actual(shown.iter(), bid.face, wild);
        let (changes, opens) = self.consequences(caller, call, bid, actual);
        let reveal =
            Reveal { round: self.round, call, caller, bid, actual, wild, dice: shown, changes: changes.clone() };
        events.push(Addressed::everyone(Event::Call { seat: caller, call }));
        events.push(Addressed::everyone(Event::Revealed(reveal.clone())));
        self.last_reveal = Some(reveal);
        // PIR-72: the caller's turn is over.
        self.showdown_ready = self.showdown_ready.without(caller);
        self.move_dice(&changes, events);
        self.clear_table();
        if self.is_decided() {
            self.waits_for = WaitsFor::Nothing;
            self.showdown_ready = SeatSet::none();
            events.push(Addressed::everyone(Event::GameOver { outcome: self.outcome() }));
        } else {
            let opener = if self.dice[opens] > 0 { opens } else { self.next_in(opens) };
            self.start_round(opener, events);
        }
    }

    /// How many dice each seat loses or takes, and which seat opens the next round if it is still in the game.
    fn consequences(&self, caller: Seat, call: Call, bid: Bid, actual: u8) -> (PerSeat<i8>, Seat) {
        let mut changes = PerSeat::new(self.dice.count(), |_| 0);
        let difference = actual.abs_diff(bid.count);
        match (call, actual.cmp(&bid.count)) {
            (Call::Challenge, Ordering::Equal) if self.options.high_risk => {
                for seat in self.dice.seats().filter(|seat| *seat != bid.seat && self.dice[*seat] > 0) {
                    changes[seat] = -1;
                }
                (changes, caller)
            }
            (Call::Exact, Ordering::Equal) => {
                let free = self.options.high_risk && self.options.high_risk_exact == ExactCost::None;
                changes[bid.seat] = if free { 0 } else { -1 };
                let full = self.options.cap_five && self.dice[caller] >= DICE_EACH;
                if !full && (!free || self.middle() > 0) {
                    changes[caller] += 1;
                }
                (changes, bid.seat)
            }
            (Call::Challenge, Ordering::Equal | Ordering::Greater)
            | (Call::Exact, Ordering::Less | Ordering::Greater) => {
                changes[caller] = self.loss(caller, difference);
                (changes, caller)
            }
            (Call::Challenge, Ordering::Less) => {
                changes[bid.seat] = self.loss(bid.seat, difference);
                (changes, bid.seat)
            }
        }
    }

    /// PIR-62: one die, or as many as the call was off, at most as many as the seat has.
    fn loss(&self, seat: Seat, difference: u8) -> i8 {
        let dice = if self.options.high_risk { difference } else { 1 };
        -(dice.min(self.dice[seat]) as i8)
    }

    /// PIR-65: all losses happen together. A seat that comes to one die by its loss is ready for a Showdown (PIR-70).
    fn move_dice(&mut self, changes: &PerSeat<i8>, events: &mut Vec<Addressed<Event>>) {
        let mut out = SeatSet::none();
        for (seat, change) in changes.entries().filter(|(_, change)| **change < 0) {
            let left = self.dice[seat].saturating_add_signed(*change);
            self.dice[seat] = left;
            events.push(Addressed::everyone(Event::Lost { seat, dice: change.unsigned_abs(), left }));
            self.showdown_ready = self.showdown_ready.without(seat);
            match left {
                0 => out = out.with(seat),
                1 if self.options.showdown && !self.showdown_used[seat] => {
                    self.showdown_ready = self.showdown_ready.with(seat);
                }
                _ => {}
            }
        }
        for (seat, change) in changes.entries().filter(|(_, change)| **change > 0) {
            self.dice[seat] = self.dice[seat].saturating_add_signed(*change);
            events.push(Addressed::everyone(Event::Gained {
                seat,
                dice: change.unsigned_abs(),
                left: self.dice[seat],
            }));
        }
        events.extend(out.iter().map(|seat| Addressed::everyone(Event::Eliminated { seat })));
        if !out.is_empty() {
            self.out.push(out);
        }
    }

    /// The board and the trays are empty, and the cups too until they are rolled again.
    fn clear_table(&mut self) {
        self.bids.clear();
        self.showdown_by = None;
        self.cups.iter_mut().chain(self.set_aside.iter_mut()).for_each(|dice| *dice = Dice::default());
    }
}
