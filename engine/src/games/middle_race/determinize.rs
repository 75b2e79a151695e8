//! The worlds that a seat may be in: the race as it was told of it, with such cards for what was given or left in secret
//! as agree with everything that the seat has seen since.

use super::hand::Card;
use super::hands::Sight;
use super::{Chance, Character, Direction, Event, MiddleRace, Move, Stage, View};
use crate::bots::retell;
use crate::chance::Source;
use crate::game::{Action, Game};
use crate::seats::Seat;

/// Stands for a card that the seat was not told, until all is told.
const UNKNOWN: Card = 1;

pub(super) fn world(seat: Seat, view: &View, told: &[Event], source: &mut dyn Source) -> Option<MiddleRace> {
    let start = MiddleRace::setup(view.common.options.clone(), view.common.seats).ok()?;
    let mut sights = Vec::new();
    let mut world = retell(start, seat, told, |world, left| {
        // What no hand depends on is forgotten, and its number goes to another secret.
        sights.retain(|it| world.hands.remembers(it));
        sights.extend(sight(world, left));
        next(world, left)
    })?;
    if let Some(hands) = &view.hands {
        sights.extend(hands.entries().filter_map(|(seat, hand)| world.hands.sight(seat, *hand)));
    }
    world.hands.imagine(seat, &sights, source).then_some(world)
}

/// The hand that this seat looks at next.
fn sight(world: &MiddleRace, left: &[Event]) -> Option<Sight> {
    match left {
        [Event::Named { .. }, Event::Looked { target, cards: Some(hand), .. }, ..] => world.hands.sight(*target, *hand),
        _ => None,
    }
}

fn next(world: &MiddleRace, left: &[Event]) -> Option<Action<Move, Chance>> {
    let chance = match (world.stage, left.first()?) {
        (Stage::Casting, Event::DraftOrder { seats }) => Chance::DraftOrder(seats.clone()),
        (Stage::Casting, Event::Dealt { characters }) => Chance::Characters(characters.clone()),
        (_, event) => return Some(Action::Move(world.on_turn()?, chosen(world, event)?)),
    };
    Some(Action::Chance(chance))
}

/// The move of which this was told first.
fn chosen(world: &MiddleRace, event: &Event) -> Option<Move> {
    let pushes = world.choice.is_some_and(|choice| choice.ability == Character::Push);
    Some(match event {
        Event::Picked { character, .. } => Move::Pick { character: *character },
        Event::Played { card, .. } => Move::Play { card: *card },
        Event::Discarded { card, .. } => Move::Discard { card: *card },
        Event::Named { target, .. } => Move::ChooseSeat { seat: *target },
        Event::Declined { .. } => Move::Decline {},
        Event::Given { card, .. } => Move::ChooseCard { card: card.unwrap_or(UNKNOWN) },
        Event::Deleted { kept, .. } => Move::ChooseCard { card: kept.unwrap_or(UNKNOWN) },
        Event::Moved { from, to, .. } if pushes => {
            Move::ChooseDirection { direction: if to > from { Direction::Forward } else { Direction::Back } }
        }
        Event::Moved { .. } => Move::Accept {},
        _ => return None,
    })
}
