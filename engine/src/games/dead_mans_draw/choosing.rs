//! Choices that the acting seat owes: what may be chosen, and what then happens.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::{Sent, Took};
use super::{Card, Cards, DeadMansDraw, Event, Events, Means, Next, Origin, Suit, Trait, WaitsFor};
use crate::game::Addressed;
use crate::seats::{Seat, SeatSet};

/// A choice that the acting seat owes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Choice {
    /// Which own card a hook brings; so many are still to be chosen by this hook.
    Hook {
        left: u8,
    },
    Cannon,
    Misfire,
    Sword,
    /// Which of the cards turned up.
    Map {
        cards: Cards,
    },
    Mermaid,
    /// Whose bank pays the bonus of so many cards.
    PlunderSeat {
        left: usize,
    },
    /// Which card of that bank; so many are still to be chosen.
    PlunderCard {
        from: Seat,
        left: usize,
    },
}

/// What a choice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum Kind {
    Hook,
    Cannon,
    Misfire,
    Sword,
    Map,
    Mermaid,
    PlunderCard,
    PlunderSeat,
    Guardian,
}

impl Choice {
    pub(super) fn kind(self) -> Kind {
        match self {
            Choice::Hook { .. } => Kind::Hook,
            Choice::Cannon => Kind::Cannon,
            Choice::Misfire => Kind::Misfire,
            Choice::Sword => Kind::Sword,
            Choice::Map { .. } => Kind::Map,
            Choice::Mermaid => Kind::Mermaid,
            Choice::PlunderSeat { .. } => Kind::PlunderSeat,
            Choice::PlunderCard { .. } => Kind::PlunderCard,
        }
    }

    /// How many choices of this kind are still to be made, this one included.
    pub(super) fn left(self) -> usize {
        match self {
            Choice::Hook { left } => left.into(),
            Choice::PlunderSeat { left } | Choice::PlunderCard { left, .. } => left,
            Choice::Cannon | Choice::Misfire | Choice::Sword | Choice::Map { .. } | Choice::Mermaid => 1,
        }
    }
}

impl DeadMansDraw {
    /// The cards that may be chosen.
    pub(super) fn candidates(&self, choice: Choice) -> Cards {
        match choice {
            Choice::Hook { .. } => self.bank().tops(),
            Choice::Cannon => self.opponents_tops(),
            Choice::Misfire => self.own_highest(),
            Choice::Sword => self.targets_of_a_sword(),
            Choice::Map { cards } => cards,
            Choice::Mermaid => self.acting.row.not_mermaids(),
            Choice::PlunderCard { from, .. } => self.pirates[from].bank.tops(),
            Choice::PlunderSeat { .. } => Cards::default(),
        }
    }

    /// The seats that may be named: by the Guardian (DMD-7), or by the Plunderer (DMD-46).
    pub(super) fn seats_to_name(&self) -> SeatSet {
        match self.waits_for {
            WaitsFor::Guardian => {
                self.pirates.seats().filter(|seat| Some(*seat) != self.holder(Trait::DavyJones)).collect()
            }
            WaitsFor::Choice(Choice::PlunderSeat { .. }) => self.opponents_with_cards(),
            _ => SeatSet::none(),
        }
    }

    pub(super) fn opponents_with_cards(&self) -> SeatSet {
        self.opponents().filter(|seat| !self.pirates[*seat].bank.is_empty()).collect()
    }

    fn opponents_tops(&self) -> Cards {
        self.opponents().fold(Cards::default(), |all, seat| all.with(self.pirates[seat].bank.tops()))
    }

    /// DMD-60: several of the same value are a choice.
    fn own_highest(&self) -> Cards {
        let highest = self.bank().iter().map(Card::value).max();
        self.bank().iter().filter(|card| Some(card.value()) == highest).collect()
    }

    /// DMD-23, DMD-52 and DMD-61.
    fn targets_of_a_sword(&self) -> Cards {
        if self.opponent_with(Trait::Parry).is_some() {
            return self.opponents().filter_map(|seat| self.pirates[seat].bank.top(Suit::Kraken)).collect();
        }
        let (own, any) = (self.bank(), self.has(Trait::Swordsman));
        self.opponents_tops().iter().filter(|card| any || own.top(card.suit()).is_none()).collect()
    }

    /// Carries out the choice of a card that is among the candidates.
    pub(super) fn choose_card(&mut self, card: Card, events: &mut Events) -> Next {
        let WaitsFor::Choice(choice) = self.waits_for else { return Next::WaitFor(self.waits_for) };
        match choice {
            Choice::Hook { left } => {
                if left > 1 {
                    self.acting.hooks_due = self.acting.hooks_due.saturating_add(1);
                }
                self.bank_mut().take(card);
                self.tell_taken(card, Some(self.acting.seat), Origin::Hook, events);
                self.play(card, Origin::Hook, events)
            }
            Choice::Sword => {
                let owner = self.owner(card);
                self.take_from(owner, card);
                self.tell_taken(card, owner, Origin::Sword, events);
                self.play(card, Origin::Sword, events)
            }
            Choice::Map { .. } => {
                self.discard.take(card);
                self.tell_taken(card, None, Origin::Map, events);
                self.play(card, Origin::Map, events)
            }
            Choice::Cannon => self.fire_at(card, events),
            Choice::Misfire => {
                self.bank_mut().take(card);
                self.discard.put(card);
                let (cards, from_seat) = (Cards::one(card), Some(self.acting.seat));
                events.push(Addressed::everyone(Event::Discarded { cards, from_seat, why: Sent::Misfire }));
                self.go_on(events)
            }
            Choice::Mermaid => self.sing_to(card, events),
            Choice::PlunderCard { from, left } => self.plunder_card(from, left, card, events),
            Choice::PlunderSeat { .. } => Next::WaitFor(self.waits_for),
        }
    }

    fn take_from(&mut self, owner: Option<Seat>, card: Card) {
        if let Some(seat) = owner {
            self.pirates[seat].bank.take(card);
        }
    }

    fn tell_taken(&self, card: Card, from_seat: Option<Seat>, why: Origin, events: &mut Events) {
        events.push(Addressed::everyone(Event::Taken { seat: self.acting.seat, card, from_seat, why }));
    }

    /// DMD-19, DMD-49 and DMD-50.
    fn fire_at(&mut self, card: Card, events: &mut Events) -> Next {
        let Some(owner) = self.owner(card) else { return self.go_on(events) };
        if self.has(Trait::Scavenger) {
            self.take_from(Some(owner), card);
            self.send_to_bank(self.acting.seat, card, Took::Scavenger, events);
            return self.go_on(events);
        }
        let gunner = self.has(Trait::MasterGunner);
        let bank = &mut self.pirates[owner].bank;
        let cards = if gunner { bank.stack(card.suit()) } else { Cards::one(card) };
        *bank = bank.without(cards);
        self.discard = self.discard.with(cards);
        events.push(Addressed::everyone(Event::Discarded { cards, from_seat: Some(owner), why: Sent::Cannon }));
        self.go_on(events)
    }

    /// DMD-66, DMD-68 and DMD-69: the chosen card is used again, unless a trait takes it. An opponent's Siren comes
    /// first (DMD-41).
    fn sing_to(&mut self, card: Card, events: &mut Events) -> Next {
        let siren = self.opponent_with(Trait::Siren).map(|seat| (seat, Took::Siren));
        let casanova = self.has(Trait::Casanova).then_some((self.acting.seat, Took::Casanova));
        let Some((seat, why)) = siren.or(casanova) else {
            self.acting.row.move_to_end(card);
            return self.used(card, Means::Mermaid, events);
        };
        if card.suit() == Suit::Anchor {
            self.acting.row.mark_what_is_kept_by(card, self.has(Trait::SafeHarbor));
        }
        self.acting.row.remove(card);
        self.send_to_bank(seat, card, why, events);
        self.go_on(events)
    }
}
