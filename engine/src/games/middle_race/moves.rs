//! What a seat may do in Middle Race, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::abilities::Step;
use super::hand::Card;
use super::{Character, MiddleRace, Stage};
use crate::game::Refusal;
use crate::pieces::words;
use crate::seats::{PerSeat, Seat};

/// What a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// Take a character.
    Pick {
        /// One that is still free.
        #[serde(deserialize_with = "words::read")]
        character: Character,
    },
    /// Play a card and move forward by its number.
    Play {
        /// 1 to the highest card of a full hand.
        #[schemars(range(min = 1, max = 6))]
        card: Card,
    },
    /// Discard a card and pull a pawn with Gravity's ability instead of moving.
    Discard {
        /// 1 to the highest card of a full hand.
        #[schemars(range(min = 1, max = 6))]
        card: Card,
    },
    /// Name a seat for an ability.
    ChooseSeat {
        /// Whom.
        seat: Seat,
    },
    /// Choose which card is given or stays.
    ChooseCard {
        /// 1 to the highest card of a full hand.
        #[schemars(range(min = 1, max = 6))]
        card: Card,
    },
    /// Choose which way to push.
    ChooseDirection {
        /// Which way.
        #[serde(deserialize_with = "words::read")]
        direction: Direction,
    },
    /// Pull the pawn.
    Accept {},
    /// Leave the ability unused.
    Decline {},
}

/// Along the track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Towards the finish line.
    Forward,
    /// Towards the start line.
    Back,
}

/// What chance decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// In which order the seats pick their characters.
    DraftOrder(Vec<Seat>),
    /// Per seat its character.
    Characters(PerSeat<Character>),
}

const MUST_CHOOSE: Refusal = Refusal("must_choose");
const NOT_A_CHOICE: Refusal = Refusal("not_a_choice");
const NOTHING_TO_CHOOSE: Refusal = Refusal("nothing_to_choose");
const NO_GRAVITY: Refusal = Refusal("no_gravity");
const NOBODY_TO_PULL: Refusal = Refusal("nobody_to_pull");
const CARD_NOT_IN_HAND: Refusal = Refusal("card_not_in_hand");

pub(super) fn check(game: &MiddleRace, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
    let possible = match *chosen {
        Move::Play { card } | Move::Discard { card } | Move::ChooseCard { card } => {
            (1..=game.options.move_cards).contains(&card)
        }
        Move::ChooseSeat { seat } => game.pawns.has(seat),
        Move::Pick { .. } | Move::ChooseDirection { .. } | Move::Accept {} | Move::Decline {} => true,
    };
    match (game.stage, game.choice) {
        _ if !possible => Err(Refusal::INVALID_MOVE),
        (Stage::Draft, _) => check_pick(game, chosen),
        (_, Some(_)) => check_choice(game, chosen),
        (_, None) => check_card(game, seat, chosen),
    }
}

fn ensure(condition: bool, refusal: Refusal) -> Result<(), Refusal> {
    if condition { Ok(()) } else { Err(refusal) }
}

fn check_pick(game: &MiddleRace, chosen: &Move) -> Result<(), Refusal> {
    match chosen {
        Move::Pick { character } => ensure(game.seat_of(*character).is_none(), NOT_A_CHOICE),
        _ => Err(MUST_CHOOSE),
    }
}

fn check_choice(game: &MiddleRace, chosen: &Move) -> Result<(), Refusal> {
    let Some(choice) = game.choice else { return Err(NOTHING_TO_CHOOSE) };
    match (*chosen, choice.step) {
        (Move::ChooseSeat { seat }, Step::Seat { .. }) => {
            ensure(game.may_be_named(choice.seat, choice.ability).has(seat), NOT_A_CHOICE)
        }
        (Move::ChooseCard { card }, Step::Card { .. }) => {
            ensure(game.cards_to_choose(choice).holds(card), NOT_A_CHOICE)
        }
        (Move::ChooseDirection { .. }, Step::Direction { .. }) | (Move::Accept {}, Step::Accept { .. }) => Ok(()),
        (Move::Decline {}, _) => ensure(game.may_be_declined(choice), MUST_CHOOSE),
        _ => Err(MUST_CHOOSE),
    }
}

fn check_card(game: &MiddleRace, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
    match *chosen {
        Move::Play { card } => ensure(game.hands.hand(seat).holds(card), CARD_NOT_IN_HAND),
        Move::Discard { card } => {
            ensure(game.ability(seat) == Some(Character::Gravity), NO_GRAVITY)?;
            ensure(!game.may_be_named(seat, Character::Gravity).is_empty(), NOBODY_TO_PULL)?;
            ensure(game.hands.hand(seat).holds(card), CARD_NOT_IN_HAND)
        }
        _ => Err(NOTHING_TO_CHOOSE),
    }
}

pub(super) fn legal(game: &MiddleRace, seat: Seat, moves: &mut Vec<Move>) {
    if game.on_turn() != Some(seat) {
        return;
    }
    let Some(choice) = game.choice else {
        match game.stage {
            Stage::Draft => {
                let free = game.available();
                moves.extend(free.into_iter().map(|character| Move::Pick { character }));
            }
            _ => {
                let hand = game.hands.hand(seat);
                moves.extend(hand.numbers().map(|card| Move::Play { card }));
                let pulls = game.ability(seat) == Some(Character::Gravity)
                    && !game.may_be_named(seat, Character::Gravity).is_empty();
                moves.extend(hand.numbers().filter(|_| pulls).map(|card| Move::Discard { card }));
            }
        }
        return;
    };
    match choice.step {
        Step::Seat { .. } => {
            let named = game.may_be_named(choice.seat, choice.ability);
            moves.extend(named.iter().map(|seat| Move::ChooseSeat { seat }));
        }
        Step::Card { .. } => {
            moves.extend(game.cards_to_choose(choice).numbers().map(|card| Move::ChooseCard { card }));
        }
        Step::Direction { .. } => {
            let ways = [Direction::Forward, Direction::Back];
            moves.extend(ways.map(|direction| Move::ChooseDirection { direction }));
        }
        Step::Accept { .. } => moves.push(Move::Accept {}),
    }
    if game.may_be_declined(choice) {
        moves.push(Move::Decline {});
    }
}
