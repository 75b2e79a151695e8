//! How turns end: by collecting or a bust, with the bonus for key and chest (DMD-10, DMD-14, DMD-27); and how the match
//! does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Acting, Card, Cards, Choice, DeadMansDraw, Event, Events, Next, Origin, Reason, Suit, Trait, Variant, WaitsFor,
};
use crate::game::Addressed;
use crate::seats::Seat;

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum How {
    Collect,
    Bust,
}

/// The latest collect or bust.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LastTurn {
    /// Whose turn it was.
    pub seat: Seat,
    /// How it ended.
    pub how: How,
    /// The card that caused the bust.
    pub bust_card: Option<Card>,
    /// The cards that went to the own bank, in the order of the row.
    pub kept: Vec<Card>,
    /// The cards lost, in the order of the row, the busting card last.
    pub lost: Vec<Card>,
    /// The seat that got them; none for the discard pile.
    pub lost_to: Option<Seat>,
    /// The cards taken for key and chest so far.
    pub bonus: Vec<Card>,
    /// The plundered seat.
    pub bonus_from: Option<Seat>,
}

impl DeadMansDraw {
    /// DMD-10.
    pub(super) fn collect(&mut self, events: &mut Events) -> Next {
        let seat = self.acting.seat;
        let kept: Vec<Card> = self.acting.row.empty().iter().map(|placed| placed.card).collect();
        self.bank_mut().extend(kept.iter().copied());
        events.push(Addressed::everyone(Event::Collected { seat, cards: kept.clone() }));
        let (bust_card, lost, lost_to) = (None, Vec::new(), None);
        self.close(LastTurn {
            seat,
            how: How::Collect,
            bust_card,
            kept,
            lost,
            lost_to,
            bonus: Vec::new(),
            bonus_from: None,
        });
        self.bonus(events)
    }

    /// DMD-14.
    pub(super) fn bust(&mut self, card: Card, from: Origin, events: &mut Events) -> Next {
        let seat = self.acting.seat;
        let safe = self.safe();
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for (placed, safe) in self.acting.row.empty().into_iter().zip(safe) {
            if safe { &mut kept } else { &mut lost }.push(placed.card);
        }
        // DMD-54: what a Miser's hook brings is kept even if it never lay in the row.
        let miserly = from == Origin::Hook && self.has(Trait::Miser);
        if miserly { &mut kept } else { &mut lost }.push(card);
        let lost_to = self.inherits().filter(|_| !lost.is_empty());
        match lost_to {
            Some(heir) => self.pirates[heir].bank.extend(lost.iter().copied()),
            None => self.discard.extend(lost.iter().copied()),
        }
        self.bank_mut().extend(kept.iter().copied());
        let (told_kept, told_lost) = (kept.clone(), lost.clone());
        events.push(Addressed::everyone(Event::Bust { seat, card, kept: told_kept, lost: told_lost, lost_to }));
        let bust_card = Some(card);
        self.close(LastTurn {
            seat,
            how: How::Bust,
            bust_card,
            kept,
            lost,
            lost_to,
            bonus: Vec::new(),
            bonus_from: None,
        });
        match self.options.bonus_on_bust {
            true => self.bonus(events),
            false => Next::TurnEnds,
        }
    }

    /// Who gets what the acting seat loses, if not the discard pile: a trait is the more special rule (DMD-63, DMD-72).
    fn inherits(&self) -> Option<Seat> {
        let guardian = self.opponent_with(Trait::DavyJones).filter(|_| self.guardian_target == Some(self.acting.seat));
        let left = self.pirates.after(self.acting.seat).next();
        guardian.or(left.filter(|_| self.plays(Variant::ThievesIsland)))
    }

    /// Nothing of the turn is left but its bonus: debts and hooks lapse, the draw pile is face down again (DMD-14,
    /// DMD-22).
    fn close(&mut self, last_turn: LastTurn) {
        let drawn = self.acting.drawn;
        self.acting = Acting { drawn, ..Acting::starting(last_turn.seat) };
        self.last_turn = Some(last_turn);
    }

    /// DMD-27, DMD-46 and DMD-47.
    fn bonus(&mut self, events: &mut Events) -> Next {
        let kept = self.last_turn.as_ref().map_or(&[][..], |last| &last.kept);
        let has = |suit| kept.iter().any(|card| card.suit() == suit);
        if !has(Suit::Key) || !has(Suit::Chest) {
            return Next::TurnEnds;
        }
        let worth = kept.len() * if self.has(Trait::TreasureHunter) { 2 } else { 1 };
        if self.has(Trait::Plunderer) {
            return match self.opponents_with_cards().is_empty() {
                true => Next::TurnEnds,
                false => self.ask(Choice::PlunderSeat { left: worth }, events),
            };
        }
        if self.discard.len() > worth {
            return Next::WaitFor(WaitsFor::Bonus(worth));
        }
        self.take_bonus(self.discard, events)
    }

    /// The bonus out of the discard pile.
    pub(super) fn take_bonus(&mut self, cards: Cards, events: &mut Events) -> Next {
        self.discard = self.discard.without(cards);
        self.bank_bonus(cards, None, events);
        Next::TurnEnds
    }

    /// DMD-46: the Plunderer has named an opponent.
    pub(super) fn plunder(&mut self, from: Seat, worth: usize, events: &mut Events) -> Next {
        let bank = self.pirates[from].bank;
        if let Some(last) = &mut self.last_turn {
            last.bonus_from = Some(from);
        }
        if bank.len() > worth {
            return self.ask(Choice::PlunderCard { from, left: worth }, events);
        }
        self.pirates[from].bank = Cards::default();
        self.bank_bonus(bank, Some(from), events);
        Next::TurnEnds
    }

    pub(super) fn plunder_card(&mut self, from: Seat, left: usize, card: Card, events: &mut Events) -> Next {
        self.pirates[from].bank.take(card);
        self.bank_bonus(Cards::one(card), Some(from), events);
        match left {
            0 | 1 => Next::TurnEnds,
            _ if self.pirates[from].bank.is_empty() => Next::TurnEnds,
            _ => self.ask(Choice::PlunderCard { from, left: left - 1 }, events),
        }
    }

    fn bank_bonus(&mut self, cards: Cards, from_seat: Option<Seat>, events: &mut Events) {
        if cards.is_empty() {
            return;
        }
        let seat = self.acting.seat;
        *self.bank_mut() = self.bank().with(cards);
        if let Some(last) = &mut self.last_turn {
            last.bonus.extend(cards.iter());
        }
        events.push(Addressed::everyone(Event::Bonus { seat, cards, from_seat }));
    }

    /// After a move and all that it caused: the match ends (DMD-74, DMD-78), the turn passes on, or it waits for what
    /// comes next.
    pub(super) fn proceed(&mut self, next: Next, events: &mut Events) {
        match next {
            Next::WaitFor(chance @ (WaitsFor::MapReveal | WaitsFor::Bonus(_))) => self.waits_for = chance,
            _ if self.is_sudden_death() => self.finish(Reason::SuddenDeath, events),
            Next::WaitFor(what) => self.waits_for = what,
            Next::TurnEnds if self.draw_pile.is_empty() => self.finish(Reason::DrawPileEmpty, events),
            Next::TurnEnds => self.pass_on(events),
        }
    }

    /// DMD-11.
    fn pass_on(&mut self, events: &mut Events) {
        let next = self.pirates.after(self.acting.seat).next().unwrap_or(self.acting.seat);
        if self.first_seat == Some(next) {
            self.round = self.round.saturating_add(1);
        }
        let next = self.start_turn(next, events);
        self.proceed(next, events);
    }

    pub(super) fn start_turn(&mut self, seat: Seat, events: &mut Events) -> Next {
        self.acting = Acting::starting(seat);
        events.push(Addressed::everyone(Event::TurnStarted { seat }));
        Next::WaitFor(WaitsFor::Turn)
    }

    /// The row stays where it lies; it counts for nobody (DMD-74).
    fn finish(&mut self, reason: Reason, events: &mut Events) {
        let row = std::mem::take(&mut self.acting.row);
        self.acting = Acting { row, ..Acting::starting(self.acting.seat) };
        self.waits_for = WaitsFor::Nothing(reason);
        events.push(Addressed::everyone(Event::GameOver { outcome: self.outcome(reason) }));
    }
}
