//! What a seat may do in Dead Man's Draw, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::playing::MAP;
use super::{Card, Cards, Choice, DeadMansDraw, Trait, Variant, WaitsFor};
use crate::chance::{Source, one_of, sample, shuffle};
use crate::game::Refusal;
use crate::pieces::words;
use crate::seats::{PerSeat, Seat};

/// What a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// Draw the top card of the draw pile and play it.
    Draw {},
    /// Bank the row and end the turn.
    Collect {},
    /// Choose one of the cards wanted.
    ChooseCard {
        /// Its id.
        card: Card,
    },
    /// Choose one of the seats wanted.
    ChooseSeat {
        /// Which.
        seat: Seat,
    },
    /// Keep one of the trait cards dealt.
    ChooseTrait {
        /// Its id.
        #[serde(rename = "trait", deserialize_with = "words::read")]
        kept: Trait,
    },
}

/// What chance decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Chance {
    /// The game variant card.
    GameVariant(#[serde(deserialize_with = "words::read")] Variant),
    /// The draw pile, top first.
    Deck(Vec<Card>),
    /// Per seat the trait cards dealt to it.
    Traits(PerSeat<Vec<Trait>>),
    /// Who starts.
    FirstSeat(Seat),
    /// The cards that a map turns up.
    MapReveal {
        /// The acting seat.
        seat: Seat,
        /// Different cards of the discard pile.
        cards: Vec<Card>,
    },
    /// The cards taken for key and chest.
    Bonus {
        /// The acting seat.
        seat: Seat,
        /// Different cards of the discard pile.
        cards: Vec<Card>,
    },
}

const MUST_CHOOSE: Refusal = Refusal("must_choose");
const NOTHING_TO_CHOOSE: Refusal = Refusal("nothing_to_choose");
const NOT_A_CHOICE: Refusal = Refusal("not_a_choice");
const DRAW_PILE_EMPTY: Refusal = Refusal("draw_pile_empty");
const MUST_DRAW_FIRST: Refusal = Refusal("must_draw_first");
const KRAKEN_PENDING: Refusal = Refusal("kraken_pending");

/// The game's own codes, in the order in which they are checked.
pub(super) const REFUSALS: &[&str] =
    &[MUST_CHOOSE.0, NOTHING_TO_CHOOSE.0, NOT_A_CHOICE.0, DRAW_PILE_EMPTY.0, MUST_DRAW_FIRST.0, KRAKEN_PENDING.0];

pub(super) fn check(game: &DeadMansDraw, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
    if !is_of_this_game(game, chosen) {
        return Err(Refusal::INVALID_MOVE);
    }
    let among = |it: bool| it.then_some(()).ok_or(NOT_A_CHOICE);
    match (game.waits_for, *chosen) {
        (WaitsFor::KeptTraits, Move::ChooseTrait { kept }) => among(game.pirates[seat].dealt.contains(&kept)),
        (WaitsFor::Guardian | WaitsFor::Choice(Choice::PlunderSeat { .. }), Move::ChooseSeat { seat }) => {
            among(game.seats_to_name().has(seat))
        }
        (WaitsFor::Choice(Choice::PlunderSeat { .. }), _) => Err(MUST_CHOOSE),
        (WaitsFor::Choice(choice), Move::ChooseCard { card }) => among(game.candidates(choice).has(card)),
        (WaitsFor::KeptTraits | WaitsFor::Guardian | WaitsFor::Choice(_), _) => Err(MUST_CHOOSE),
        (_, Move::ChooseCard { .. } | Move::ChooseSeat { .. } | Move::ChooseTrait { .. }) => Err(NOTHING_TO_CHOOSE),
        (_, Move::Draw {}) => check_draw(game),
        (_, Move::Collect {}) => check_collect(game),
    }
}

/// Is the card one of the 60, the trait one of the cards that are played with, the seat one at this table?
fn is_of_this_game(game: &DeadMansDraw, chosen: &Move) -> bool {
    let mermaid_rules = game.options.mermaid_rules;
    match *chosen {
        Move::Draw {} | Move::Collect {} => true,
        Move::ChooseCard { card } => Cards::all(mermaid_rules).has(card),
        Move::ChooseSeat { seat } => game.pirates.has(seat),
        Move::ChooseTrait { kept } => Trait::all(mermaid_rules).any(|it| it == kept),
    }
}

fn check_draw(game: &DeadMansDraw) -> Result<(), Refusal> {
    if game.draw_pile.is_empty() { Err(DRAW_PILE_EMPTY) } else { Ok(()) }
}

fn check_collect(game: &DeadMansDraw) -> Result<(), Refusal> {
    match (game.acting.drawn, game.acting.must_draw) {
        (0, _) => Err(MUST_DRAW_FIRST),
        (_, 0) => Ok(()),
        _ => Err(KRAKEN_PENDING),
    }
}

pub(super) fn legal(game: &DeadMansDraw, seat: Seat, moves: &mut Vec<Move>) {
    if game.waits_for == WaitsFor::KeptTraits {
        let pirate = &game.pirates[seat];
        let dealt = pirate.dealt.iter().filter(|_| pirate.kept.is_none());
        moves.extend(dealt.map(|kept| Move::ChooseTrait { kept: *kept }));
        return;
    }
    if game.on_turn() != Some(seat) {
        return;
    }
    match game.waits_for {
        WaitsFor::Turn => {
            moves.extend(check_draw(game).map(|()| Move::Draw {}));
            moves.extend(check_collect(game).map(|()| Move::Collect {}));
        }
        WaitsFor::Choice(choice) => {
            moves.extend(game.candidates(choice).iter().map(|card| Move::ChooseCard { card }));
            moves.extend(game.seats_to_name().iter().map(|seat| Move::ChooseSeat { seat }));
        }
        _ => moves.extend(game.seats_to_name().iter().map(|seat| Move::ChooseSeat { seat })),
    }
}

pub(super) fn draw(game: &DeadMansDraw, source: &mut dyn Source) -> Chance {
    let seat = game.acting.seat;
    let discard = || game.discard.iter().collect::<Vec<_>>();
    match game.waits_for {
        WaitsFor::Variant => Chance::GameVariant(one_of(&Variant::ALL, source)),
        WaitsFor::Deck => {
            let mut deck: Vec<Card> = game.deck().iter().collect();
            shuffle(&mut deck, source);
            Chance::Deck(deck)
        }
        WaitsFor::Traits => {
            let (seats, each) = (game.pirates.count(), usize::from(game.options.trait_deal));
            let all: Vec<Trait> = Trait::all(game.options.mermaid_rules).collect();
            let mut dealt = sample(&all, usize::from(seats) * each, source).into_iter();
            Chance::Traits(PerSeat::new(seats, |_| dealt.by_ref().take(each).collect()))
        }
        WaitsFor::MapReveal => Chance::MapReveal { seat, cards: sample(&discard(), MAP, source) },
        WaitsFor::Bonus(worth) => Chance::Bonus { seat, cards: sample(&discard(), worth, source) },
        _ => Chance::FirstSeat(Seat(source.below(game.pirates.count().into()) as u8)),
    }
}

pub(super) fn accepts(game: &DeadMansDraw, outcome: &Chance) -> bool {
    match (game.waits_for, outcome) {
        (WaitsFor::Variant, Chance::GameVariant(_)) => true,
        (WaitsFor::Deck, Chance::Deck(cards)) => set_of(cards) == Some(game.deck()),
        (WaitsFor::Traits, Chance::Traits(dealt)) => can_deal(game, dealt),
        (WaitsFor::FirstSeat, Chance::FirstSeat(seat)) => game.pirates.has(*seat),
        (WaitsFor::MapReveal, Chance::MapReveal { seat, cards }) => can_turn_up(game, *seat, cards, MAP),
        (WaitsFor::Bonus(worth), Chance::Bonus { seat, cards }) => can_turn_up(game, *seat, cards, worth),
        _ => false,
    }
}

/// The cards as a set, if all are different.
fn set_of(cards: &[Card]) -> Option<Cards> {
    let set: Cards = cards.iter().copied().collect();
    (set.len() == cards.len()).then_some(set)
}

fn can_turn_up(game: &DeadMansDraw, seat: Seat, cards: &[Card], many: usize) -> bool {
    let there = |set: Cards| set.len() == many && set.without(game.discard).is_empty();
    seat == game.acting.seat && set_of(cards).is_some_and(there)
}

fn can_deal(game: &DeadMansDraw, dealt: &PerSeat<Vec<Trait>>) -> bool {
    let mut left: Vec<Trait> = Trait::all(game.options.mermaid_rules).collect();
    let mut deal = |it: &Trait| left.iter().position(|left| left == it).map(|place| left.swap_remove(place)).is_some();
    dealt.count() == game.pirates.count()
        && dealt.iter().all(|hand| hand.len() == usize::from(game.options.trait_deal) && hand.iter().all(&mut deal))
}
