//! The moves of the autopilot: it foresees about when each pawn will arrive, and does what brings its own into a winning
//! place.

use super::hand::Card;
use super::{Character, Direction, Move, Options, View, Winner};
use crate::bots::likelihood;
use crate::chance::{Source, one_of};
use crate::seats::{PerSeat, Seat};

/// Moves whose prospects differ by less are as good as each other.
const CLOSE: f64 = 0.01;

/// Makes the move after which its pawn is likeliest to arrive in a winning place; of moves that are as good as each other,
/// and of characters, any.
pub(super) fn choose(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
    let Some(mine) = view.common.to_move.iter().next() else { return legal[0] };
    let race = Race::seen(view, mine);
    let prospects: Vec<f64> = legal.iter().map(|chosen| race.after(view, *chosen).prospect(view)).collect();
    let best = prospects.iter().copied().fold(0.0, f64::max);
    let good: Vec<Move> =
        legal.iter().zip(prospects).filter(|(_, prospect)| *prospect >= best - CLOSE).map(|(it, _)| *it).collect();
    one_of(&good, source)
}

/// A pawn on its way.
#[derive(Clone, Copy)]
struct Runner {
    /// None once it has arrived.
    at: Option<u8>,
    /// How far the cards in its hand would bring it, and how many they are.
    spaces: u8,
    cards: u8,
}

impl Runner {
    /// With a full hand.
    fn fresh(options: &Options) -> Self {
        let cards = options.move_cards;
        Runner { at: None, spaces: cards * (cards + 1) / 2, cards }
    }

    fn use_up(&mut self, card: Card) {
        self.spaces = self.spaces.saturating_sub(card);
        self.cards = self.cards.saturating_sub(1);
    }

    fn take(&mut self, card: Card) {
        self.spaces = self.spaces.saturating_add(card);
        self.cards = self.cards.saturating_add(1);
    }

    fn step(&mut self, spaces: i16, track: u8) {
        let to = |at: u8| u8::try_from((i16::from(at) + spaces).max(0)).unwrap_or(u8::MAX);
        self.at = self.at.map(to).filter(|at| *at <= track);
    }
}

/// What the autopilot foresees.
#[derive(Clone)]
struct Race {
    mine: Seat,
    runners: PerSeat<Runner>,
}

impl Race {
    fn seen(view: &View, mine: Seat) -> Self {
        let full = Runner::fresh(&view.common.options);
        let runner = |seat: Seat| {
            let (used, cards) = (&view.used_cards[seat], view.card_counts[seat]);
            // Of hands that something was given to or taken from only the number of cards is known.
            let is_known = usize::from(full.cards) == used.len() + usize::from(cards);
            let spaces = match (&view.my_cards, is_known) {
                (Some(hand), _) if seat == mine => hand.cards().sum(),
                (_, true) => full.spaces.saturating_sub(used.iter().sum()),
                (_, false) => cards * full.spaces / full.cards,
            };
            Runner { at: view.positions[seat].filter(|_| view.places[seat].is_none()), spaces, cards }
        };
        Race { mine, runners: PerSeat::new(view.common.seats, runner) }
    }

    /// What this move leads to, as far as one sees at once.
    fn after(&self, view: &View, chosen: Move) -> Race {
        let track = view.common.options.track_length;
        let mut race = self.clone();
        let mine = &mut race.runners[self.mine];
        match (chosen, &view.pending) {
            (Move::Play { card }, _) => {
                mine.use_up(card);
                mine.step(card.into(), track);
            }
            (Move::Discard { card }, _) => {
                mine.use_up(card);
                let others = view.positions.seats().filter(|seat| *seat != self.mine);
                let pulled = others.map(|seat| race.pulled(seat)).map(|race| (race.prospect(view), race));
                if let Some((_, best)) = pulled.max_by(|(one, _), (other, _)| one.total_cmp(other)) {
                    return best;
                }
            }
            (Move::ChooseSeat { seat }, Some(pending)) => {
                return race.named(view, seat, pending.ability, pending.spaces);
            }
            (Move::ChooseCard { card }, Some(pending)) => {
                let Some(target) = pending.target else { return race };
                if pending.ability == Character::Delete {
                    race.runners[target] = Runner { spaces: card, cards: 1, ..race.runners[target] };
                } else {
                    mine.use_up(card);
                    race.runners[target].take(card);
                }
            }
            (Move::ChooseDirection { direction }, Some(pending)) => {
                let spaces = if direction == Direction::Forward { 1 } else { -1 };
                pending.pawn.into_iter().for_each(|pawn| race.runners[pawn].step(spaces, track));
            }
            (Move::Accept {}, Some(pending)) => {
                pending.pawn.into_iter().for_each(|pawn| race.runners[pawn].step(-1, track));
            }
            _ => {}
        }
        race
    }

    fn named(mut self, view: &View, seat: Seat, ability: Character, spaces: Option<i8>) -> Race {
        let (track, spaces) = (view.common.options.track_length, i16::from(spaces.unwrap_or_default()));
        match ability {
            Character::Gravity => return self.pulled(seat),
            Character::With => [seat, self.mine].into_iter().for_each(|it| self.runners[it].step(spaces, track)),
            Character::Mirror => self.runners[seat].step(spaces, track),
            Character::Reset => {
                let Runner { spaces, cards, .. } = Runner::fresh(&view.common.options);
                self.runners[seat] = Runner { spaces, cards, ..self.runners[seat] };
            }
            _ => {}
        }
        self
    }

    /// Gravity pulls the pawn next to its own.
    fn pulled(&self, seat: Seat) -> Race {
        let mut race = self.clone();
        if let (Some(at), Some(from)) = (self.runners[self.mine].at, self.runners[seat].at) {
            let to = if from > at { at + 1 } else { at.saturating_sub(1) };
            if from.abs_diff(at) >= 2 {
                race.runners[seat].at = Some(to);
            }
        }
        race
    }

    /// How likely the own pawn is to arrive in a winning place.
    fn prospect(&self, view: &View) -> f64 {
        let options = &view.common.options;
        let arrived = view.places.iter().flatten().count();
        if self.runners[self.mine].at.is_none() {
            return worth(arrived as u8 + 1, options, view.common.seats);
        }
        let mine = self.arrival(view, self.mine);
        // How likely it is that so many others arrive before.
        let mut before = vec![1.0];
        for seat in view.places.seats().filter(|seat| *seat != self.mine && view.places[*seat].is_none()) {
            let ahead = match self.runners[seat].at {
                None => 1.0,
                Some(_) => likelihood((mine - self.arrival(view, seat)) / (UNSURE + UNSURE_PER_TURN * mine)),
            };
            before.push(0.0);
            for many in (0..before.len()).rev() {
                let one_less = if many > 0 { before[many - 1] } else { 0.0 };
                before[many] = before[many] * (1.0 - ahead) + one_less * ahead;
            }
        }
        let places = before.iter().zip(arrived as u8 + 1..);
        places.map(|(likely, place)| likely * worth(place, options, view.common.seats)).sum()
    }

    /// In how many rounds from now the pawn crosses the finish line, about.
    fn arrival(&self, view: &View, seat: Seat) -> f64 {
        let Runner { at, spaces, cards } = self.runners[seat];
        let full = Runner::fresh(&view.common.options);
        let left = f64::from(view.common.options.track_length + 1 - at.unwrap_or_default());
        let (spaces, cards) = (f64::from(spaces), f64::from(cards));
        let turns = match left <= spaces {
            true => left / spaces * cards,
            false => cards + (left - spaces) * f64::from(full.cards) / f64::from(full.spaces),
        };
        let number = |seat: Seat| view.characters[seat].map_or(0, Character::number);
        let turn = view.turn_seat.map_or(0, number);
        let numbers = Character::ALL.len() as u8;
        // Those with higher numbers than the seat on turn still come in this round.
        let wait = match number(seat) {
            number if number > turn => number - turn,
            number => numbers + number - turn,
        };
        turns.ceil() - 1.0 + f64::from(wait) / f64::from(numbers)
    }
}

/// How unsure an arrival is, in rounds: at once, and for each round until then.
const UNSURE: f64 = 0.25;
const UNSURE_PER_TURN: f64 = 0.12;

fn worth(place: u8, options: &Options, seats: u8) -> f64 {
    if options.winner == Winner::Middle && options.full_race {
        return 1.0 - f64::from(super::options::twice_from_middle(place, seats)) / f64::from(seats);
    }
    if options.winner.wins(place, seats) { 1.0 } else { 0.0 }
}
