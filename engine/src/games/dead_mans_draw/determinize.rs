//! The worlds that a seat may be in: the match as it was told of it, with a draw pile in an order that agrees with every
//! card that it has seen, by an oracle of long ago, too.

use super::hidden::Dealt;
use super::view::Sent;
use super::{Card, Cards, Chance, Choice, DeadMansDraw, Event, Means, Move, Took, Trait, View, WaitsFor, setup};
use crate::bots::retell;
use crate::chance::{Source, one_of, shuffle};
use crate::game::Action;
use crate::seats::{PerSeat, Seat};

pub(super) fn world(seat: Seat, view: &View, told: &[Event], source: &mut dyn Source) -> Option<DeadMansDraw> {
    let start = setup::new(view.common.options.clone(), view.common.seats).ok()?;
    let deck = deck(start.deck(), told, source);
    let dealt = dealt(seat, view, source);
    retell(start, seat, told, |world, left| {
        let guesses = Guesses { view, deck: &deck, dealt: &dealt };
        guesses.next(world, left, source)
    })
}

/// The draw pile as it was at first, top first: every card known lies in its place, all others in any.
fn deck(all: Cards, told: &[Event], source: &mut dyn Source) -> Vec<Card> {
    let mut places = vec![None; all.len()];
    let mut top = 0;
    let mut learn = |from: usize, cards: &[Card]| {
        places.iter_mut().skip(from).zip(cards).for_each(|(place, card)| *place = Some(*card));
    };
    for event in told {
        match event {
            Event::Drawn { card, .. } => {
                learn(top, &[*card]);
                top += 1;
            }
            Event::Revealed { cards: Some(cards), .. } => learn(top, cards),
            _ => {}
        }
    }
    let mut unknown: Vec<Card> = all.without(places.iter().copied().flatten().collect()).iter().collect();
    shuffle(&mut unknown, source);
    places.into_iter().filter_map(|place| place.or_else(|| unknown.pop())).collect()
}

fn dealt(seat: Seat, view: &View, source: &mut dyn Source) -> PerSeat<Vec<Trait>> {
    let options = &view.common.options;
    let mut known = view.traits.map(|kept| kept.iter().copied().collect::<Vec<_>>());
    if let Some(mine) = &view.mine {
        known[seat] = mine.my_dealt.clone();
    }
    Dealt { known, each: options.trait_deal.into() }.complete(options.mermaid_rules, source)
}

/// What is made up for what the seat was not told.
struct Guesses<'a> {
    view: &'a View,
    deck: &'a [Card],
    dealt: &'a PerSeat<Vec<Trait>>,
}

impl Guesses<'_> {
    fn next(&self, world: &DeadMansDraw, left: &[Event], source: &mut dyn Source) -> Option<Action<Move, Chance>> {
        let seat = world.acting.seat;
        let chance = match (world.waits_for, left.first()) {
            (WaitsFor::Deck, _) => Chance::Deck(self.deck.to_vec()),
            (WaitsFor::Traits, _) => Chance::Traits(self.dealt.clone()),
            (WaitsFor::Variant, Some(Event::VariantChosen { game_variant })) => Chance::GameVariant(*game_variant),
            (WaitsFor::FirstSeat, Some(Event::FirstSeat { seat })) => Chance::FirstSeat(*seat),
            (WaitsFor::MapReveal, Some(Event::MapRevealed { cards: Some(cards), .. })) => {
                Chance::MapReveal { seat, cards: cards.iter().collect() }
            }
            (WaitsFor::Bonus(_), Some(Event::Bonus { cards, .. })) => {
                Chance::Bonus { seat, cards: cards.iter().collect() }
            }
            (WaitsFor::KeptTraits, Some(Event::TraitChosen { seat, kept })) => {
                let dealt = &self.dealt[*seat];
                let kept =
                    kept.or(self.view.traits[*seat]).or_else(|| (!dealt.is_empty()).then(|| one_of(dealt, source)));
                let kept = kept?;
                return Some(Action::Move(*seat, Move::ChooseTrait { kept }));
            }
            _ => return Some(Action::Move(world.on_turn()?, self.chosen(world.waits_for, left)?)),
        };
        Some(Action::Chance(chance))
    }

    fn chosen(&self, waits_for: WaitsFor, left: &[Event]) -> Option<Move> {
        Some(match (waits_for, left.first()?) {
            (WaitsFor::Guardian, Event::GuardianTarget { target, .. }) => Move::ChooseSeat { seat: *target },
            (WaitsFor::Turn, Event::Drawn { .. }) => Move::Draw {},
            (WaitsFor::Turn, Event::Collected { .. }) => Move::Collect {},
            (WaitsFor::Choice(Choice::PlunderSeat { .. }), _) => Move::ChooseSeat { seat: self.plundered(left)? },
            (WaitsFor::Choice(_), event) => Move::ChooseCard { card: card_of(event)? },
            _ => return None,
        })
    }

    /// Whom the Plunderer robs shows in the first card that he takes; until then the view says it.
    fn plundered(&self, left: &[Event]) -> Option<Seat> {
        let robbed = left.iter().find_map(|event| match event {
            Event::Bonus { from_seat, .. } => Some(*from_seat),
            _ => None,
        });
        robbed.unwrap_or_else(|| self.view.last_turn.as_ref().and_then(|last| last.bonus_from))
    }
}

/// The card that was chosen, by what came of it. Of a stack that a cannon hit it is the top.
fn card_of(event: &Event) -> Option<Card> {
    match event {
        Event::Taken { card, .. }
        | Event::Placed { card, from: Means::Mermaid, .. }
        | Event::Banked { card, why: Took::Scavenger | Took::Siren | Took::Casanova, .. } => Some(*card),
        Event::Discarded { cards, why: Sent::Cannon | Sent::Misfire, .. } | Event::Bonus { cards, .. } => {
            cards.iter().last()
        }
        _ => None,
    }
}
