//! A little game for the tests of the laws: seats bid for prizes with sealed cards. Each [`Mistake`] breaks one law.

use std::cell::Cell;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chance::{Source, shuffle};
use crate::game::{
    Action, Addressed, BadOptions, Common, Difficulty, Game, Info, Outcome, Points, Refusal, Turn, Viewer,
};
use crate::seats::{PerSeat, Seat, SeatSet};

/// What may be wrong with the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub(super) enum Mistake {
    // Secrets.
    ViewShowsBids, ViewShowsPile, HandsTellBids, RefusalTellsBids, MovesTellBids,
    EventTellsBid, EventTellsHighBid, EventTellsLot, EventTellsSomeLot, EventTellsPile,
    // Moves and options.
    ListedButRefused, AcceptedButUnlisted, UnknownTypeIsAccepted, UnknownCode, BoundsAreUnchecked,
    // Resampling.
    ResampleChangesHands, ResampleForgetsPile, ResampleForgetsLots, ResampleForgetsBids, ResampleGivesLowest,
    // Chance.
    DrawIsRefused, NeverShuffles, ShufflesTwoCards, LotIsNeverSix, AcceptsAnyCards, AcceptsFewCards, AcceptsSeven,
    AcceptsFewLots, ChanceHasNoEnd,
    // The rest.
    TiesForEver, CountsCalls, ScoresAreOffByOne, RanksAreUpsideDown, NoRankIsSkipped, UnlistedReason, Overcounts,
}

thread_local! {
    static MADE: Cell<Option<Mistake>> = const { Cell::new(None) };
    static CALLS: Cell<u8> = const { Cell::new(0) };
}

/// From now on this mistake is made in this thread.
pub(super) fn make(mistake: Option<Mistake>) {
    MADE.set(mistake);
}

fn is(mistake: Mistake) -> bool {
    MADE.get() == Some(mistake)
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Options {
    /// How many cards everybody has.
    #[schemars(range(min = 4, max = 6))]
    cards: u8,
}

impl Default for Options {
    fn default() -> Self {
        Options { cards: 5 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Move {
    Bid { card: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Chance {
    /// Per seat its secret lot, which breaks ties at the end.
    Lots(PerSeat<u8>),
    /// The face-down prizes, the next one last.
    Prizes(Vec<u8>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Event {
    Lot { seat: Seat, lot: u8 },
    Prize { prize: u8, pile: Option<Vec<u8>> },
    Sealed { seat: Seat, card: Option<u8> },
    Hint,
    Revealed { bids: PerSeat<Option<u8>>, winner: Option<Seat> },
    GameOver { outcome: Outcome },
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    Bidding,
    Finished,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct View {
    #[serde(flatten)]
    common: Common<Options, Phase>,
    prize: Option<u8>,
    points: PerSeat<u8>,
    hands: PerSeat<Vec<u8>>,
    lots: Option<PerSeat<u8>>,
    my_bid: Option<u8>,
    my_lot: Option<u8>,
    /// Nobody's business.
    shown: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SealedBids {
    options: Options,
    seats: u8,
    lots: Option<PerSeat<u8>>,
    pile: Vec<u8>,
    hands: PerSeat<Vec<u8>>,
    bids: PerSeat<Option<u8>>,
    points: PerSeat<u8>,
    /// The prizes that nobody got.
    lost: u8,
}

impl SealedBids {
    fn is_dealt(&self) -> bool {
        self.lots.is_some() && (!self.pile.is_empty() || self.is_over())
    }

    fn is_over(&self) -> bool {
        self.hands.iter().all(Vec::is_empty)
    }

    fn awaited(&self) -> SeatSet {
        self.bids.which(Option::is_none)
    }

    fn worth(&self) -> u8 {
        (1..=self.options.cards).sum()
    }

    fn highest_other_bid(&self, seat: Seat) -> u8 {
        self.bids.entries().filter(|(other, _)| *other != seat).filter_map(|(_, bid)| *bid).max().unwrap_or(0)
    }

    fn turn_up(&self, events: &mut Vec<Addressed<Event>>) {
        let pile = is(Mistake::EventTellsPile).then(|| self.pile.clone());
        events.extend(self.pile.last().map(|prize| Addressed::everyone(Event::Prize { prize: *prize, pile })));
    }

    fn reveal(&mut self, events: &mut Vec<Addressed<Event>>) {
        let highest = self.bids.iter().max().copied().flatten();
        let best = self.bids.which(|bid| *bid == highest);
        let winner = best.iter().next().filter(|_| best.len() == 1);
        let bids = std::mem::replace(&mut self.bids, PerSeat::new(self.seats, |_| None));
        events.push(Addressed::everyone(Event::Revealed { bids: bids.clone(), winner }));
        if is(Mistake::TiesForEver) && winner.is_none() {
            return;
        }
        for (seat, bid) in bids.entries() {
            self.hands[seat].retain(|card| Some(*card) != *bid);
        }
        let prize = self.pile.pop().unwrap_or_default();
        match winner {
            Some(winner) => self.points[winner] += prize + u8::from(is(Mistake::Overcounts)),
            None => self.lost += prize,
        }
        if is(Mistake::CountsCalls) {
            CALLS.set(CALLS.get().wrapping_add(1));
            self.lost = CALLS.get() % 2;
        }
        match self.is_over() {
            true => events.push(Addressed::everyone(Event::GameOver { outcome: self.outcome() })),
            false => self.turn_up(events),
        }
    }

    fn outcome(&self) -> Outcome {
        let lots = self.lots.as_ref();
        let achieved = PerSeat::new(self.seats, |seat| (self.points[seat], lots.map(|lots| lots[seat] > 3)));
        let mut ranks = Outcome::ranks_by(&achieved);
        if is(Mistake::RanksAreUpsideDown) {
            ranks = Outcome::ranks_by(&achieved.map(|it| std::cmp::Reverse(*it)));
        }
        if is(Mistake::NoRankIsSkipped) {
            ranks = achieved.map(|mine| {
                let mut better: Vec<_> = achieved.iter().filter(|other| *other > mine).collect();
                better.sort_unstable();
                better.dedup();
                1 + better.len() as u8
            });
        }
        let more = i32::from(is(Mistake::ScoresAreOffByOne));
        let scores = PerSeat::new(self.seats, |seat| {
            Points::whole(i32::from(self.points[seat]) + if seat.0 == 0 { more } else { 0 })
        });
        let reason = if is(Mistake::UnlistedReason) { "brand_new" } else { "no_cards" };
        Outcome { ranks, scores: Some(scores), reason: reason.into() }
    }
}

impl Game for SealedBids {
    const INFO: Info = Info {
        id: "sealed-bids",
        seats: 2..=4,
        minutes: 1..=2,
        difficulty: Difficulty::Easy,
        teach_minutes: 1,
        revision: 1,
        refusals: &["not_in_hand", "too_low"],
        phases: &["bidding", "finished"],
        reasons: &["no_cards"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, seats: u8) -> Result<Self, BadOptions> {
        if !is(Mistake::BoundsAreUnchecked) {
            BadOptions::unless_within("cards", options.cards, 4..=6)?;
        }
        Ok(SealedBids {
            seats,
            lots: None,
            pile: Vec::new(),
            hands: PerSeat::new(seats, |_| (1..=options.cards).collect()),
            bids: PerSeat::new(seats, |_| None),
            points: PerSeat::new(seats, |_| 0),
            lost: 0,
            options,
        })
    }

    fn invariant(&self) -> Result<(), String> {
        let all = self.points.iter().sum::<u8>() + self.lost + self.pile.iter().sum::<u8>();
        if all == self.worth() { Ok(()) } else { Err("the prizes do not add up".into()) }
    }

    fn turn(&self) -> Turn {
        match self.is_dealt() {
            false => Turn::Chance,
            true if self.is_over() => Turn::Over(self.outcome()),
            true => Turn::all(self.awaited()),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        kind == "bid" || is(Mistake::UnknownTypeIsAccepted)
    }

    fn interrupts(_: &str) -> bool {
        false
    }

    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        if !self.awaited().has(seat) || !self.is_dealt() {
            return;
        }
        let skipped = usize::from(is(Mistake::AcceptedButUnlisted) && self.hands[seat].len() > 1);
        moves.extend(self.hands[seat].iter().skip(skipped).map(|card| Move::Bid { card: *card }));
        if is(Mistake::MovesTellBids) && self.highest_other_bid(seat) > 3 {
            moves.reverse();
        }
        if is(Mistake::ListedButRefused) {
            moves.push(Move::Bid { card: 9 });
        }
    }

    fn check(&self, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
        let Move::Bid { card } = *chosen;
        if self.hands[seat].contains(&card) {
            return Ok(());
        }
        let too_low = is(Mistake::RefusalTellsBids) && card < self.highest_other_bid(seat);
        let code = if too_low { "too_low" } else { "not_in_hand" };
        Err(Refusal(if is(Mistake::UnknownCode) { "brand_new" } else { code }))
    }

    fn draw(&self, source: &mut dyn Source) -> Chance {
        if self.lots.is_none() {
            let faces = if is(Mistake::LotIsNeverSix) { 5 } else { 6 };
            return Chance::Lots(PerSeat::new(self.seats, |_| source.below(faces) as u8 + 1));
        }
        let mut prizes: Vec<u8> = (1..=self.options.cards).collect();
        match MADE.get() {
            Some(Mistake::NeverShuffles) => {}
            Some(Mistake::ShufflesTwoCards) => shuffle(&mut prizes[..2], source),
            _ => shuffle(&mut prizes, source),
        }
        Chance::Prizes(prizes)
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        match outcome {
            Chance::Lots(lots) => {
                let most = if is(Mistake::AcceptsSeven) { 7 } else { 6 };
                self.lots.is_none()
                    && (lots.count() == self.seats || is(Mistake::AcceptsFewLots) && lots.count() > self.seats)
                    && lots.iter().all(|lot| (1..=most).contains(lot))
            }
            Chance::Prizes(prizes) => {
                let mut sorted = prizes.clone();
                sorted.sort_unstable();
                let all: Vec<u8> = (1..=self.options.cards).collect();
                let right = match MADE.get() {
                    Some(Mistake::AcceptsAnyCards) => {
                        prizes.len() == all.len() && prizes.iter().all(|it| all.contains(it))
                    }
                    Some(Mistake::AcceptsFewCards) => all.starts_with(&sorted),
                    Some(Mistake::DrawIsRefused) => false,
                    _ => sorted == all,
                };
                self.lots.is_some() && right
            }
        }
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Vec<Addressed<Event>>) {
        match action {
            Action::Chance(Chance::Lots(lots)) => {
                for (seat, lot) in lots.entries() {
                    let event = Event::Lot { seat, lot: *lot };
                    let open = is(Mistake::EventTellsLot);
                    events.push(if open { Addressed::everyone(event) } else { Addressed::only(seat, event) });
                }
                if is(Mistake::EventTellsSomeLot) && lots.iter().any(|lot| *lot == 6) {
                    events.push(Addressed::everyone(Event::Hint));
                }
                self.lots = Some(lots).filter(|_| !is(Mistake::ChanceHasNoEnd));
            }
            Action::Chance(Chance::Prizes(prizes)) => {
                self.pile = prizes;
                self.turn_up(events);
            }
            Action::Move(seat, Move::Bid { card }) => {
                self.bids[seat] = Some(card);
                let told = Some(card).filter(|_| is(Mistake::EventTellsBid));
                events.push(Addressed::only(seat, Event::Sealed { seat, card: Some(card) }));
                events.push(Addressed::except([seat], Event::Sealed { seat, card: told }));
                if is(Mistake::EventTellsHighBid) && card > 3 {
                    events.push(Addressed::everyone(Event::Hint));
                }
                if self.awaited().is_empty() {
                    self.reveal(events);
                }
            }
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        let phase = if self.is_over() { Phase::Finished } else { Phase::Bidding };
        let mine = viewer.seat();
        let mut hands = self.hands.clone();
        if is(Mistake::HandsTellBids) {
            for (seat, bid) in self.bids.entries() {
                hands[seat].retain(|card| Some(*card) != *bid);
            }
        }
        let shown = match MADE.get() {
            Some(Mistake::ViewShowsBids) => self.bids.iter().flatten().copied().collect(),
            Some(Mistake::ViewShowsPile) => self.pile.clone(),
            _ => Vec::new(),
        };
        View {
            common: Common::of(self, self.options.clone(), self.seats, phase, 1),
            prize: self.pile.last().copied(),
            points: self.points.clone(),
            hands,
            lots: self.lots.clone().filter(|_| self.is_over()),
            my_bid: mine.and_then(|seat| self.bids[seat]),
            my_lot: mine.and_then(|seat| self.lots.as_ref().map(|lots| lots[seat])),
            shown,
        }
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self {
        let mut other = self.clone();
        if let Some((_, hidden)) = other.pile.split_last_mut().filter(|_| !is(Mistake::ResampleForgetsPile)) {
            shuffle(hidden, source);
        }
        if is(Mistake::ResampleChangesHands) {
            other.points[Seat(0)] += 1;
        }
        for seat in self.hands.seats().filter(|seat| viewer != Viewer::Seat(*seat)) {
            if let Some(lots) = other.lots.as_mut().filter(|_| !self.is_over() && !is(Mistake::ResampleForgetsLots)) {
                lots[seat] = source.below(6) as u8 + 1;
            }
            if self.bids[seat].is_some() && !is(Mistake::ResampleForgetsBids) {
                let hand = &self.hands[seat];
                let lowest = is(Mistake::ResampleGivesLowest);
                other.bids[seat] = Some(hand[if lowest { 0 } else { source.below(hand.len() as u32) as usize }]);
            }
        }
        other
    }

    fn autopilot(_: &View, legal: &[Move], _: &mut dyn Source) -> Move {
        legal[0]
    }
}
