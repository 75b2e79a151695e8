//! Resampling: a random match that looks the same to a viewer, and whether a match is possible at all.

use super::cards::{Call, Card, Cards};
use super::{Entry, Exchanged, HoguClue, Stage, What};
use crate::chance::Source;
use crate::game::{Game, Viewer};
use crate::seats::{PerSeat, Seat};

/// How many changes are tried when a match is resampled.
const PROPOSALS: u32 = 80;

/// Changes what the viewer may not know, step by step: two cards trade places in everything that happened since some
/// turn. A change is kept if the match is still possible and looks the same to the viewer. Each change is as likely as
/// its reverse, so no possible match is preferred.
pub(super) fn resampled(game: &HoguClue, viewer: Viewer, source: &mut dyn Source) -> HoguClue {
    let mut world = game.clone();
    let own = viewer.seat().map_or(Cards::NONE, |seat| game.players[seat].hand);
    let unseen: Vec<Card> = Cards::ALL.but(game.open).but(own).iter().collect();
    let seen = game.view(viewer);
    for _ in 0..PROPOSALS {
        let mut other = world.clone();
        let [one, another] = [(); 2].map(|()| unseen[source.below(unseen.len() as u32) as usize]);
        let since = source.below(2) * source.below(game.history.len() as u32 + 1);
        other.transpose(one, another, since);
        if other.could_be() && other.view(viewer) == seen {
            world = other;
        }
    }
    world
}

impl HoguClue {
    /// Makes two cards trade places wherever they are now, and in all exchanges after the turn `since`.
    fn transpose(&mut self, one: Card, another: Card, since: u32) {
        let other = |card: Card| match card {
            _ if card == one => another,
            _ if card == another => one,
            _ => card,
        };
        let others = |cards: Cards| cards.iter().map(other).collect();
        self.hidden = others(self.hidden);
        for player in self.players.iter_mut() {
            player.hand = others(player.hand);
            for exchange in player.exchanges.iter_mut().filter(|exchange| exchange.turn > since) {
                (exchange.gave, exchange.got) = (other(exchange.gave), other(exchange.got));
            }
        }
        if let Stage::Exchange(exchange) = &mut self.stage {
            exchange.caller_gives = exchange.caller_gives.map(other);
            exchange.holder_gives = exchange.holder_gives.map(other);
        }
    }

    /// Can a match reach this state? Checks the present state, then goes back turn by turn.
    pub(super) fn could_be(&self) -> bool {
        let seats = self.players.count();
        if !(2..=6).contains(&seats) || !self.players.has(self.first_seat) {
            return false;
        }
        match &self.stage {
            Stage::Deck | Stage::FirstSeat => self.history.is_empty(),
            Stage::Turn { seat } => self.players.has(*seat) && self.is_active(*seat) && self.has_come_about(),
            Stage::Exchange(_) => self.exchange_could_be() && self.has_come_about(),
            Stage::Over => self.has_come_about(),
        }
    }

    fn exchange_could_be(&self) -> bool {
        let Stage::Exchange(exchange) = &self.stage else { return false };
        let could_give = |seat: Seat, card: Option<Card>| {
            let may = || self.may_give(self.players[seat].hand, exchange.call, seat == exchange.holder);
            self.players.has(seat) && self.is_active(seat) && card.is_none_or(|card| may().has(card))
        };
        let called = self.history.last().is_some_and(|last| {
            let holder = Some(exchange.holder);
            last.seat == exchange.caller
                && matches!(&last.what, What::Call { call, holder: it, .. } if *call == exchange.call && *it == holder)
        });
        called
            && exchange.caller != exchange.holder
            && !exchange.waits_for().is_empty()
            && could_give(exchange.caller, exchange.caller_gives)
            && could_give(exchange.holder, exchange.holder_gives)
    }

    fn has_come_about(&self) -> bool {
        let mut past =
            Past { game: self, hands: self.players.map(|player| player.hand), done: self.players.map(|_| 0) };
        let unwinds = self.history.iter().enumerate().rev().all(|(index, entry)| past.undo(index, entry));
        unwinds && past.is_a_deal() && self.places_could_be() && self.round_could_be()
    }

    fn places_could_be(&self) -> bool {
        let seats = self.players.count();
        let given = |place: u8| self.players.iter().filter(|player| player.place == Some(place)).count();
        let places = self.players.iter().filter_map(|player| player.place);
        let answers = self.history.iter().filter(|entry| matches!(entry.what, What::Answer { .. })).count();
        let rights = |entry: &Entry| match entry.what {
            What::Answer { card, right: true, .. } => Some(card),
            What::Answer { .. } | What::Call { .. } => None,
        };
        let (active, over) = (self.active().len(), self.stage == Stage::Over);
        places.into_iter().all(|place| (1..=seats).contains(&place) && given(place) == 1)
            && if over { active == 0 } else { active >= 2 }
            && answers + usize::from(over) + active == usize::from(seats)
            && self.history.iter().filter_map(rights).eq(self.found.iter().copied())
    }

    fn round_could_be(&self) -> bool {
        (1..=100).contains(&self.options.max_rounds) && (1..=self.options.max_rounds + 1).contains(&self.round)
    }
}

/// A match on the way back to its deal.
struct Past<'a> {
    game: &'a HoguClue,
    hands: PerSeat<Cards>,
    /// Per seat how many of its exchanges are undone.
    done: PerSeat<usize>,
}

impl Past<'_> {
    /// Undoes a turn, if it can have led to what came after it.
    fn undo(&mut self, index: usize, entry: &Entry) -> bool {
        if entry.turn as usize != index + 1 || !self.hands.has(entry.seat) {
            return false;
        }
        match &entry.what {
            What::Answer { card, right, opened, .. } => {
                self.hands[entry.seat] == *opened && self.game.hidden.has(*card) == *right
            }
            What::Call { call, asked, holder } => {
                let under_way = matches!(self.game.stage, Stage::Exchange(_)) && entry.turn == self.game.turn_number();
                asked.iter().chain(holder).all(|seat| self.hands.has(*seat))
                    && holder.as_ref().is_none_or(|holder| asked.last() == Some(holder))
                    && holder.is_none_or(|holder| under_way || self.undo_exchange(entry, *call, holder))
                    && asked.iter().all(|seat| {
                        let has_none = self.hands[*seat].matching(*call).is_empty();
                        has_none != (Some(*seat) == *holder)
                    })
            }
        }
    }

    fn undo_exchange(&mut self, entry: &Entry, call: Call, holder: Seat) -> bool {
        let caller = entry.seat;
        let (Some(of_caller), Some(of_holder)) = (self.latest(caller), self.latest(holder)) else { return false };
        let Exchanged { gave, got, .. } = of_caller;
        if of_caller != (Exchanged { turn: entry.turn, with: holder, gave, got })
            || of_holder != (Exchanged { turn: entry.turn, with: caller, gave: got, got: gave })
            || !self.hands[caller].has(got)
            || !self.hands[holder].has(gave)
        {
            return false;
        }
        self.hands[caller] = self.hands[caller].exchanged(got, gave);
        self.hands[holder] = self.hands[holder].exchanged(gave, got);
        self.game.may_give(self.hands[caller], call, false).has(gave)
            && self.game.may_give(self.hands[holder], call, true).has(got)
    }

    fn latest(&mut self, seat: Seat) -> Option<Exchanged> {
        let exchanges = &self.game.players[seat].exchanges;
        self.done[seat] += 1;
        exchanges.len().checked_sub(self.done[seat]).map(|place| exchanges[place])
    }

    /// HC-2 to HC-4: is every card in exactly one place, in every place as many as belong there, and nothing left to
    /// undo?
    fn is_a_deal(&self) -> bool {
        let game = self.game;
        let places = self.hands.iter().copied().chain([game.hidden, game.open]);
        let (count, all) = places.fold((0, Cards::NONE), |(count, all), it| (count + it.len(), all.and(it)));
        count == Card::COUNT
            && all == Cards::ALL
            && self.hands.iter().all(|hand| hand.len() == game.hand_size())
            && game.hidden.len() == game.players.count() - 1
            && game.players.entries().all(|(seat, player)| player.exchanges.len() == self.done[seat])
    }
}
