//! The autopilot of Hogu Clue, and its estimate of where the cards are.

use super::cards::{Call, Card, Cards};
use super::evidence::{Evidence, Passing};
use super::{Move, View};
use crate::chance::Source;
use crate::seats::Seat;

const CARDS: usize = Card::COUNT as usize;
/// Six seats, and last the hidden cards.
const LOCATIONS: usize = 7;
const HIDDEN: usize = LOCATIONS - 1;
/// How often rows and columns are scaled after each exchange.
const SWEEPS: usize = 2;

/// Answers once a card is probably hidden: the more seats are still active, the less sure it has to be, since another may
/// be faster. Until then it calls what should tell it most. In an exchange it
/// hands over what the other seat has already seen, or else what some other seat has.
pub(super) fn choose(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
    match legal {
        [only] => *only,
        [Move::Give { .. }, ..] => gift(view, legal, source),
        _ => call_or_answer(view, legal, source).unwrap_or(legal[0]),
    }
}

fn gift(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
    let (Some(exchange), Some(mine)) = (&view.exchange, &view.mine) else { return legal[0] };
    let news = |card: Card| {
        let mut handled = mine.my_exchanges.iter().filter(|it| it.gave == card || it.got == card).peekable();
        let partners = [exchange.caller, exchange.holder];
        match handled.peek() {
            None => 2,
            Some(_) => u32::from(!handled.any(|it| partners.contains(&it.with))),
        }
    };
    let worth = |chosen: &&Move| match chosen {
        Move::Give { card } => (news(*card), source.below(100)),
        Move::Call(_) | Move::Answer { .. } => (u32::MAX, 0),
    };
    legal.iter().min_by_key(worth).copied().unwrap_or(legal[0])
}

fn call_or_answer(view: &View, legal: &[Move], source: &mut dyn Source) -> Option<Move> {
    let seat = view.common.to_move.iter().next()?;
    let evidence = Evidence::of(seat, view)?;
    let belief = Belief::of(&evidence, view);
    let (mut answer, mut call) = ((-1.0, None), (f32::MIN, None));
    for chosen in legal {
        // The autopilot should not be predictable among moves that are about equally good.
        let luck = |most: f32, source: &mut dyn Source| most * source.below(1_000) as f32 / 1_000.0;
        let (best, worth) = match chosen {
            Move::Answer { card } => (&mut answer, belief.at[HIDDEN][card.index()] + luck(0.001, source)),
            Move::Call(kind) => (&mut call, belief.news(*kind, seat, view) + luck(0.1, source)),
            Move::Give { .. } => continue,
        };
        if worth > best.0 {
            *best = (worth, Some(*chosen));
        }
    }
    let active = view.places.iter().filter(|place| place.is_none()).count();
    if answer.0 >= sure_enough(active) { answer.1 } else { call.1.or(answer.1) }
}

/// Measured: with more seats in the race, the seat that waits longer loses more matches than it wins by being sure.
fn sure_enough(active: usize) -> f32 {
    (0.62 - 0.07 * (active as f32 - 2.0)).max(0.42)
}

/// How likely each card is in each hand or hidden, as if the cards did not depend on each other.
struct Belief {
    at: [[f32; CARDS]; LOCATIONS],
    room: [f32; LOCATIONS],
}

impl Belief {
    fn of(evidence: &Evidence, view: &View) -> Belief {
        let mut belief = Belief { at: [[0.0; CARDS]; LOCATIONS], room: [0.0; LOCATIONS] };
        for place in 0..evidence.places {
            let location = evidence.owner(place).unwrap_or(HIDDEN);
            belief.room[location] += 1.0;
            for card in evidence.at_deal[place].iter() {
                belief.at[location][card.index()] = 1.0;
            }
        }
        for card in evidence.own_at_deal().iter() {
            belief.lies(card, evidence.seat);
        }
        for card in &view.found {
            belief.lies(*card, HIDDEN);
        }
        belief.balance();
        for passing in &evidence.passings {
            belief.pass(passing);
        }
        belief
    }

    fn lies(&mut self, card: Card, location: usize) {
        for (it, cards) in self.at.iter_mut().enumerate() {
            cards[card.index()] = if it == location { 1.0 } else { 0.0 };
        }
    }

    /// Makes every card be somewhere once, and every hand as full as it is (Sinkhorn 1964).
    fn balance(&mut self) {
        for _ in 0..SWEEPS {
            for (cards, room) in self.at.iter_mut().zip(self.room) {
                let sum: f32 = cards.iter().sum();
                if sum > 0.0 {
                    cards.iter_mut().for_each(|it| *it *= room / sum);
                }
            }
            for card in 0..CARDS {
                let sum: f32 = self.at.iter().map(|cards| cards[card]).sum();
                if sum > 0.0 {
                    self.at.iter_mut().for_each(|cards| cards[card] /= sum);
                }
            }
        }
    }

    fn pass(&mut self, passing: &Passing) {
        let sides = [passing.caller, passing.holder];
        let none = self.has_none(passing.holder, passing.called);
        for card in passing.called.iter() {
            let it = &mut self.at[passing.holder][card.index()];
            *it = (*it / (1.0 - none).max(0.01)).min(1.0);
        }
        if passing.under_way {
            return self.balance();
        }
        let gifts = [0, 1].map(|side| self.gift(sides[side], passing.gifts[side]));
        for side in [0, 1] {
            let given = gifts[side].iter().zip(&gifts[1 - side]);
            for (it, (gave, got)) in self.at[sides[side]].iter_mut().zip(given) {
                *it = (*it - gave).max(0.0) + got;
            }
        }
        for side in [0, 1] {
            for card in Cards::ALL.but(passing.after[side]).iter() {
                self.at[sides[side]][card.index()] = 0.0;
            }
            if passing.gifts[side].len() == 1 {
                passing.gifts[side].iter().for_each(|card| self.lies(card, sides[1 - side]));
            }
        }
        self.balance();
    }

    /// How likely this seat hands over each card, if it is one of these.
    fn gift(&self, seat: usize, among: Cards) -> [f32; CARDS] {
        let mut gift = [0.0; CARDS];
        let sum: f32 = among.iter().map(|card| self.at[seat][card.index()]).sum();
        for card in among.iter() {
            gift[card.index()] = self.at[seat][card.index()] / sum.max(0.01);
        }
        gift
    }

    fn has_none(&self, seat: usize, called: Cards) -> f32 {
        called.iter().map(|card| 1.0 - self.at[seat][card.index()].min(1.0)).product()
    }

    /// How much the call should tell, in bits: who has none, who hands over what.
    fn news(&self, call: Call, caller: Seat, view: &View) -> f32 {
        let called = call.cards();
        let (mut news, mut asked) = (0.0, 1.0);
        for seat in view.places.after(caller).filter(|seat| view.places[*seat].is_none()) {
            let none = self.has_none(seat.index(), called);
            let gift = self.gift(seat.index(), called);
            let which: f32 = gift.iter().map(|it| bits(*it)).sum();
            let has = asked * (1.0 - none);
            news += bits(has) + has * which;
            asked *= none;
        }
        news + bits(asked)
    }
}

fn bits(chance: f32) -> f32 {
    if chance > 0.0 { -chance * chance.log2() } else { 0.0 }
}
