//! What a seat knows of the way of the cards in a match of Hogu Clue.

use std::ops::Range;

use super::cards::{Call, Card, Cards};
use super::{Entry, Exchanged, Mine, View, What};
use crate::seats::Seat;

/// Six hands of two cards and five hidden ones. Open cards have no place here.
pub(super) const MOST_PLACES: usize = Card::COUNT as usize;
const MOST_SEATS: usize = 6;

/// The places are numbered by seat, then come those of the hidden cards.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) seat: usize,
    pub(super) seats: usize,
    pub(super) hand_size: usize,
    pub(super) places: usize,
    pub(super) same_kind_back: bool,
    /// Per place which cards can be there at the deal.
    pub(super) at_deal: [Cards; MOST_PLACES],
    pub(super) passings: Vec<Passing>,
}

/// An exchange, as far as the seat knows it.
#[derive(Debug)]
pub(super) struct Passing {
    pub(super) turn: u32,
    pub(super) caller: usize,
    pub(super) holder: usize,
    pub(super) called: Cards,
    /// It is not over yet: nothing has changed hands.
    pub(super) under_way: bool,
    pub(super) caller_gave: bool,
    pub(super) holder_gave: bool,
    /// Which card the caller and which one the holder can have given.
    pub(super) gifts: [Cards; 2],
    /// Which cards the caller and the holder can have after it, for all that happened later.
    pub(super) after: [Cards; 2],
}

/// Which cards each seat may have, and last which may be hidden.
type Reach = [Cards; MOST_SEATS + 1];

impl Evidence {
    /// None for spectators.
    pub(super) fn of(seat: Seat, view: &View) -> Option<Evidence> {
        let mine = view.mine.as_ref()?;
        let mut back = Back { view, mine, seat, hand: mine.my_hand, undone: 0, reach: in_the_end(seat, view) };
        let mut passings = Vec::new();
        for entry in view.history.iter().rev() {
            let What::Call { call, asked, holder } = &entry.what else { continue };
            if let Some(holder) = *holder {
                passings.push(back.undo(entry, *call, holder)?);
            }
            for asked in asked.iter().filter(|asked| Some(**asked) != *holder) {
                back.reach[asked.index()] = back.reach[asked.index()].but(call.cards());
            }
        }
        passings.reverse();
        let (seats, hand_size) = (usize::from(view.common.seats), usize::from(view.hand_size));
        let places = seats * hand_size + seats - 1;
        let mut at_deal = [Cards::NONE; MOST_PLACES];
        for (place, cards) in at_deal.iter_mut().enumerate().take(places) {
            let whose = Some(place / hand_size).filter(|seat| *seat < seats);
            *cards = back.reach[whose.unwrap_or(MOST_SEATS)];
        }
        for (place, card) in back.hand.iter().enumerate() {
            at_deal[seat.index() * hand_size + place] = card.into();
        }
        let same_kind_back = view.common.options.same_kind_back;
        Some(Evidence { seat: seat.index(), seats, hand_size, places, same_kind_back, at_deal, passings })
    }

    pub(super) fn hand(&self, seat: usize) -> Range<usize> {
        seat * self.hand_size..(seat + 1) * self.hand_size
    }

    /// Whose hand the place is in; none for the hidden cards.
    pub(super) fn owner(&self, place: usize) -> Option<usize> {
        Some(place / self.hand_size).filter(|seat| *seat < self.seats)
    }

    pub(super) fn own_at_deal(&self) -> Cards {
        self.hand(self.seat).fold(Cards::NONE, |hand, place| hand.and(self.at_deal[place]))
    }

    pub(super) fn hidden(&self) -> Range<usize> {
        self.seats * self.hand_size..self.places
    }

    /// Is there a holder that has not chosen yet, and not the seat itself?
    pub(super) fn holder_chooses(&self) -> bool {
        self.passings.last().is_some_and(|last| last.under_way && !last.holder_gave && last.holder != self.seat)
    }

    /// The strand that is in this place after these exchanges.
    pub(super) fn strand_at(&self, place: usize, moved: &[[usize; 2]]) -> usize {
        let passings = self.passings.iter().zip(moved).rev().filter(|(passing, _)| !passing.under_way);
        passings.fold(place, |place, (_, [caller, holder])| match place {
            _ if place == *caller => *holder,
            _ if place == *holder => *caller,
            _ => place,
        })
    }

    /// Lets the strands in these two places trade them, and notes what this says of the cards of the two hands.
    pub(super) fn pass(
        &self,
        passing: &Passing,
        moved: [usize; 2],
        may_be: &mut [Cards; MOST_PLACES],
        at: &mut [usize; MOST_PLACES],
    ) {
        for ((place, gifts), gave) in
            moved.into_iter().zip(passing.gifts).zip([passing.caller_gave, passing.holder_gave])
        {
            if gave {
                may_be[at[place]] = may_be[at[place]].within(gifts);
            }
        }
        if passing.under_way {
            return;
        }
        at.swap(moved[0], moved[1]);
        for (seat, after) in [passing.caller, passing.holder].into_iter().zip(passing.after) {
            for place in self.hand(seat) {
                may_be[at[place]] = may_be[at[place]].within(after);
            }
        }
    }
}

/// The way back to the deal, turn by turn.
struct Back<'a> {
    view: &'a View,
    mine: &'a Mine,
    seat: Seat,
    /// The seat's own.
    hand: Cards,
    /// How many of its own exchanges are undone.
    undone: usize,
    reach: Reach,
}

impl Back<'_> {
    fn undo(&mut self, entry: &Entry, call: Call, holder: Seat) -> Option<Passing> {
        let seats = [entry.seat, holder];
        let under_way = self.view.exchange.as_ref().filter(|_| entry.turn == self.view.turn);
        let [caller_gave, holder_gave] = seats.map(|who| under_way.is_none_or(|it| it.given.has(who)));
        let [caller, holder] = seats.map(Seat::index);
        let side = seats.iter().position(|who| *who == self.seat);
        let after = [caller, holder].map(|seat| self.reach[seat]);
        let mut gifts = [Cards::ALL, call.cards()];
        if under_way.is_some() {
            if let (Some(side), Some(card)) = (side, self.mine.my_give) {
                gifts[side] = card.into();
            }
        } else {
            if let Some(side) = side {
                self.undone += 1;
                let latest = self.mine.my_exchanges.len().checked_sub(self.undone)?;
                let Exchanged { gave, got, .. } = self.mine.my_exchanges[latest];
                (gifts[side], gifts[1 - side]) = (gave.into(), got.into());
                self.hand = self.hand.exchanged(got, gave);
            }
            self.reach[caller] = after[0].and(after[1].within(gifts[0]));
            self.reach[holder] = after[1].and(after[0].within(gifts[1]));
            self.reach[self.seat.index()] = self.hand;
        }
        let (turn, called, under_way) = (entry.turn, call.cards(), under_way.is_some());
        Some(Passing { turn, caller, holder, called, under_way, caller_gave, holder_gave, gifts, after })
    }
}

/// Which cards each seat may have now, and which may be hidden.
fn in_the_end(seat: Seat, view: &View) -> Reach {
    let found: Cards = view.found.iter().copied().collect();
    let hand = view.mine.as_ref().map_or(Cards::NONE, |mine| mine.my_hand);
    let shown = view.revealed.iter().flatten().fold(view.open.and(hand), |all, it| all.and(*it));
    let handled = view.mine.iter().flat_map(|mine| &mine.my_exchanges).flat_map(|it| [it.gave, it.got]);
    let named_wrongly = view.history.iter().filter_map(|entry| match entry.what {
        What::Answer { card, right: false, .. } => Some(card),
        What::Answer { .. } | What::Call { .. } => None,
    });
    let never_hidden: Cards = handled.chain(named_wrongly).collect();
    let hidden = view.hidden.unwrap_or(Cards::ALL.but(shown).but(never_hidden));
    let others = Cards::ALL.but(shown).but(view.hidden.unwrap_or(found));
    let mut reach = [others; MOST_SEATS + 1];
    for (seat, opened) in view.revealed.entries() {
        reach[seat.index()] = opened.unwrap_or(others);
    }
    reach[seat.index()] = hand;
    reach[MOST_SEATS] = hidden;
    reach
}
