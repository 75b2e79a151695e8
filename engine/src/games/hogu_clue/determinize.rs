//! Determinization: a random match that a seat may be in, built from what it sees alone.
//!
//! Every card that lies somewhere at the deal has a *strand*: the way that it goes from hand to hand. Once it is chosen
//! which place of either hand each exchange moves, all that the seat knows says of each strand alone which cards it may
//! be. A first match is found by choosing the exchanges in turn, such that each strand can still have a card of its own.
//! From there a Markov chain whose steps are as likely as their reverses makes all possible matches equally likely.

use super::cards::{Card, Cards};
use super::evidence::{Evidence, MOST_PLACES, Passing};
use super::{Exchange, Exchanged, HoguClue, Player, Stage, View};
use crate::chance::{Source, permute, shuffle};
use crate::seats::{PerSeat, Seat};

/// How often the exchanges are chosen before the search gives up.
const ATTEMPTS: u32 = 400;
/// Steps of the chain: more changed nothing in the frequency of hidden cards that could be measured.
const STEPS: u32 = 1_500;

pub(super) fn determinized(seat: Seat, view: &View, source: &mut dyn Source) -> Option<HoguClue> {
    let evidence = Evidence::of(seat, view)?;
    let mut strands = (0..ATTEMPTS).find_map(|_| Strands::find(&evidence, source))?;
    strands.mix(&evidence, source);
    Some(strands.into_match(&evidence, view))
}

/// A possible match: which places the exchanges move, and which card each strand is.
#[derive(Clone)]
struct Strands {
    /// Per exchange the places of caller and holder that trade their cards.
    moved: Vec<[usize; 2]>,
    /// Per strand, named by its place at the deal.
    cards: [Card; MOST_PLACES],
    may_be: [Cards; MOST_PLACES],
    /// Per place the strand that is there in the end.
    ends: [usize; MOST_PLACES],
}

impl Strands {
    /// Chooses the exchanges in turn, each at random among those that leave a card for every strand.
    fn find(evidence: &Evidence, source: &mut dyn Source) -> Option<Strands> {
        let cards = [Card::JOKER; MOST_PLACES];
        let ends = std::array::from_fn(|place| place);
        let mut now = Strands { moved: Vec::new(), cards, may_be: evidence.at_deal, ends };
        now.deal(evidence, source)?;
        for passing in &evidence.passings {
            let mut choices = now.choices(evidence, passing);
            permute(&mut choices, source);
            now = choices.into_iter().find_map(|choice| now.after(evidence, passing, choice))?;
        }
        Some(now)
    }

    /// Gives each strand a random card that it may be.
    fn deal(&mut self, evidence: &Evidence, source: &mut dyn Source) -> Option<()> {
        let mut order: Vec<usize> = (0..evidence.places).collect();
        shuffle(&mut order, source);
        let mut owners = Owners::default();
        for strand in order {
            let from = source.below(Card::COUNT.into());
            owners.settle(strand, &self.may_be, &mut Cards::NONE.clone(), from).then_some(())?;
        }
        self.read(&owners);
        Some(())
    }

    /// Which two places this exchange may move, and by which rule the caller may give its card.
    fn choices(&self, evidence: &Evidence, passing: &Passing) -> Vec<([usize; 2], Gift)> {
        let can_be = |place: &usize, gifts: Cards| !self.may_be[self.ends[*place]].within(gifts).is_empty();
        let [of_caller, of_holder] = passing.gifts;
        let gifts: &[Gift] = match evidence.same_kind_back || passing.under_way && !passing.caller_gave {
            true => &[Gift::Any],
            false => &[Gift::OfAnotherKind, Gift::OfItsKindOnly],
        };
        let mut choices = Vec::new();
        for from in evidence.hand(passing.caller).filter(|place| can_be(place, of_caller)) {
            for to in evidence.hand(passing.holder).filter(|place| can_be(place, of_holder)) {
                choices.extend(gifts.iter().map(|gift| ([from, to], *gift)));
            }
        }
        choices
    }

    fn read(&mut self, owners: &Owners) {
        for card in Card::all() {
            if let Some(strand) = owners.0[card.index()] {
                self.cards[strand] = card;
            }
        }
    }

    /// After this exchange, if every strand still has a card.
    fn after(&self, evidence: &Evidence, passing: &Passing, (moved, gift): ([usize; 2], Gift)) -> Option<Strands> {
        let mut next = self.clone();
        next.moved.push(moved);
        let of_caller = next.ends[moved[0]];
        match gift {
            Gift::Any => {}
            Gift::OfAnotherKind => next.may_be[of_caller] = next.may_be[of_caller].but(passing.called),
            Gift::OfItsKindOnly => evidence.hand(passing.caller).for_each(|place| {
                let strand = next.ends[place];
                next.may_be[strand] = next.may_be[strand].within(passing.called);
            }),
        }
        if passing.under_way && !passing.holder_gave && passing.holder != evidence.seat {
            let of_holder = next.ends[moved[1]];
            next.may_be[of_holder] = next.may_be[of_holder].within(passing.called);
        }
        evidence.pass(passing, moved, &mut next.may_be, &mut next.ends);
        next.repair(evidence).then_some(next)
    }

    /// Deals again to the strands that may no longer be the card that they are.
    fn repair(&mut self, evidence: &Evidence) -> bool {
        let wrong = |strand: &usize| !self.may_be[*strand].has(self.cards[*strand]);
        let wrong: Vec<usize> = (0..evidence.places).filter(wrong).collect();
        if wrong.is_empty() {
            return true;
        }
        let mut owners = Owners::default();
        for strand in (0..evidence.places).filter(|strand| !wrong.contains(strand)) {
            owners.0[self.cards[strand].index()] = Some(strand);
        }
        let repaired = wrong.iter().all(|strand| owners.settle(*strand, &self.may_be, &mut Cards::NONE.clone(), 0));
        self.read(&owners);
        repaired
    }

    /// Walks the chain.
    fn mix(&mut self, evidence: &Evidence, source: &mut dyn Source) {
        self.trace(evidence);
        let free: Vec<usize> = (0..evidence.places).filter(|strand| self.may_be[*strand].len() > 1).collect();
        for step in 0..STEPS {
            if step % 3 == 0 && !self.moved.is_empty() {
                let passing = source.below(self.moved.len() as u32) as usize;
                self.try_other_exchange(evidence, passing, source);
            } else if free.len() > 1 {
                let [one, another] = [(); 2].map(|()| free[source.below(free.len() as u32) as usize]);
                self.try_other_cards(evidence, one, another);
            }
        }
    }

    /// Two strands trade their cards, if they may.
    fn try_other_cards(&mut self, evidence: &Evidence, one: usize, another: usize) {
        let fits = |strand: usize, card: Card| self.may_be[strand].has(card);
        if one == another || !fits(one, self.cards[another]) || !fits(another, self.cards[one]) {
            return;
        }
        self.cards.swap(one, another);
        if !self.complies(evidence) {
            self.cards.swap(one, another);
        }
    }

    /// One of the two hands over the card in another place instead, which goes all the way that the first one went. In
    /// one of two cases the two cards trade their earlier ways, too.
    fn try_other_exchange(&mut self, evidence: &Evidence, which: usize, source: &mut dyn Source) {
        let passing = &evidence.passings[which];
        let side = usize::from(source.below(2) == 1);
        let seat = if side == 0 { passing.caller } else { passing.holder };
        let old = self.moved[which][side];
        let new = evidence.hand(seat).start + source.below(evidence.hand_size as u32) as usize;
        let trades = source.below(2) == 0;
        if seat == evidence.seat || old == new {
            return;
        }
        let mut other = self.clone();
        other.moved[which][side] = new;
        for place in other.moved[which + 1..].iter_mut().flatten() {
            *place = match *place {
                it if it == old => new,
                it if it == new => old,
                it => it,
            };
        }
        let strands = [old, new].map(|place| evidence.strand_at(place, &self.moved[..which]));
        if trades {
            other.cards.swap(strands[0], strands[1]);
        }
        other.trace(evidence);
        let fits = (0..evidence.places).all(|strand| other.may_be[strand].has(other.cards[strand]));
        if fits && other.complies(evidence) {
            *self = other;
        }
    }

    fn trace(&mut self, evidence: &Evidence) {
        self.may_be = evidence.at_deal;
        self.ends = std::array::from_fn(|place| place);
        for (passing, moved) in evidence.passings.iter().zip(&self.moved) {
            evidence.pass(passing, *moved, &mut self.may_be, &mut self.ends);
        }
    }

    /// Does it keep the rules that look at a whole hand? HC-10 before the holder has chosen, and HC-11 without
    /// `same_kind_back`.
    fn complies(&self, evidence: &Evidence) -> bool {
        if evidence.same_kind_back && !evidence.holder_chooses() {
            return true;
        }
        let mut at: [Card; MOST_PLACES] = self.cards;
        evidence.passings.iter().zip(&self.moved).all(|(passing, moved)| {
            let hand = |seat: usize| evidence.hand(seat).map(|place| at[place]).collect::<Cards>();
            let gift_is_legal = evidence.same_kind_back
                || passing.under_way && !passing.caller_gave
                || !passing.called.has(at[moved[0]])
                || hand(passing.caller).but(passing.called).is_empty();
            let holder_can_give = !hand(passing.holder).within(passing.called).is_empty();
            if !passing.under_way {
                at.swap(moved[0], moved[1]);
            }
            gift_is_legal && holder_can_give
        })
    }

    fn into_match(self, evidence: &Evidence, view: &View) -> HoguClue {
        let mut at = self.cards;
        let mut exchanges = PerSeat::new(view.common.seats, |_| Vec::new());
        let mut gifts = [None; 2];
        for (passing, moved) in evidence.passings.iter().zip(&self.moved) {
            let [of_caller, of_holder] = moved.map(|place| at[place]);
            if passing.under_way {
                gifts = [(passing.caller_gave, of_caller), (passing.holder_gave, of_holder)]
                    .map(|(gave, card)| gave.then_some(card));
                continue;
            }
            at.swap(moved[0], moved[1]);
            let [caller, holder] = [passing.caller, passing.holder].map(|seat| Seat(seat as u8));
            let turn = passing.turn;
            exchanges[caller].push(Exchanged { turn, with: holder, gave: of_caller, got: of_holder });
            exchanges[holder].push(Exchanged { turn, with: caller, gave: of_holder, got: of_caller });
        }
        let hand = |seat: Seat| evidence.hand(seat.index()).map(|place| at[place]).collect();
        let player =
            |seat: Seat| Player { hand: hand(seat), place: view.places[seat], exchanges: exchanges[seat].clone() };
        HoguClue {
            options: view.common.options.clone(),
            stage: stage(view, gifts),
            round: view.common.round,
            first_seat: view.first_seat,
            players: PerSeat::new(view.common.seats, player),
            hidden: evidence.hidden().map(|place| at[place]).collect(),
            found: view.found.clone(),
            open: view.open,
            history: view.history.clone(),
        }
    }
}

fn stage(view: &View, [caller_gives, holder_gives]: [Option<Card>; 2]) -> Stage {
    match (&view.exchange, view.common.to_move.iter().next()) {
        (Some(it), _) => {
            let (caller, call, holder) = (it.caller, it.call, it.holder);
            Stage::Exchange(Exchange { caller, call, holder, caller_gives, holder_gives })
        }
        (None, Some(seat)) => Stage::Turn { seat },
        (None, None) => Stage::Over,
    }
}

/// HC-11: what the caller may hand over.
#[derive(Clone, Copy)]
enum Gift {
    Any,
    OfAnotherKind,
    OfItsKindOnly,
}

/// Per card the strand that it belongs to.
#[derive(Default)]
struct Owners([Option<usize>; Card::COUNT as usize]);

impl Owners {
    /// Gives the strand a card, and those in its way other cards, if there is a way at all (Kuhn 1955).
    fn settle(&mut self, strand: usize, may_be: &[Cards; MOST_PLACES], seen: &mut Cards, from: u32) -> bool {
        for card in may_be[strand].iter_from(from) {
            if seen.has(card) {
                continue;
            }
            *seen = seen.and(card.into());
            let is_free = self.0[card.index()].is_none_or(|owner| self.settle(owner, may_be, seen, from));
            if is_free {
                self.0[card.index()] = Some(strand);
                return true;
            }
        }
        false
    }
}
