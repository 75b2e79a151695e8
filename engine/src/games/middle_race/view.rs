//! The view and the events of Middle Race.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::abilities::{Choice, Step};
use super::{Card, Character, Hand, MiddleRace, Options, Stage};
use crate::game::{Common, Outcome, Viewer};
use crate::seats::{PerSeat, Seat, SeatSet};

/// What a match waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Seats choose their characters.
    Draft,
    /// The turn seat plays a card.
    Turn,
    /// Some seat owes a choice.
    Choosing,
    /// It is over.
    Finished,
}

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The fields of every game.
    #[serde(flatten)]
    pub common: Common<Options, Phase>,
    /// The seats in picking order; none if the characters are dealt.
    pub draft_order: Option<Vec<Seat>>,
    /// During the draft the characters still free.
    pub available: Vec<Character>,
    /// Per seat its character, once picked.
    pub characters: PerSeat<Option<Character>>,
    /// All seats by number, finished ones too; none during the draft.
    pub turn_order: Option<Vec<Seat>>,
    /// Whose turn it is; none in the draft, before the first turn and after the end.
    pub turn_seat: Option<Seat>,
    /// Per seat where its pawn stands; none once it has crossed the finish line.
    pub positions: PerSeat<Option<u8>>,
    /// Per seat its place; none while running.
    pub places: PerSeat<Option<u8>>,
    /// Per seat how many cards it holds.
    pub card_counts: PerSeat<u8>,
    /// Per seat the cards used since its last reset, in order.
    pub used_cards: PerSeat<Vec<Card>>,
    /// Per seat its hand, if hands are open.
    pub hands: Option<PerSeat<Hand>>,
    /// Per seat the ability in force.
    pub abilities: PerSeat<Option<Character>>,
    /// The ability that Copy has copied.
    pub copied: Option<Character>,
    /// The silences in force, by who silences.
    pub silences: Vec<SilenceInForce>,
    /// Per seat whom its own ability named last.
    pub last_named: PerSeat<Option<Seat>>,
    /// Whom Copy's copied ability named last.
    pub copied_last_named: Option<Seat>,
    /// The choice that a seat owes.
    pub pending: Option<Pending>,
    /// The viewer's hand; none for the public.
    pub my_cards: Option<Hand>,
    /// What the viewer saw last by Delete's ability.
    pub my_look: Option<MyLook>,
}

/// A silence in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SilenceInForce {
    /// Who silences.
    pub by: Seat,
    /// Who is silenced.
    pub seat: Seat,
}

/// A choice that a seat owes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pending {
    /// Who owes it.
    pub seat: Seat,
    /// The ability at work.
    pub ability: Character,
    /// What has to be chosen.
    pub step: PendingStep,
    /// Whom it may name.
    pub seats: Option<SeatSet>,
    /// The different numbers to choose from, if the viewer may know them.
    pub cards: Option<Vec<Card>>,
    /// The seat named before, when a card is chosen.
    pub target: Option<Seat>,
    /// Whose pawn would be pushed or pulled.
    pub pawn: Option<Seat>,
    /// How far With or Mirror would move the named pawn.
    pub spaces: Option<i8>,
    /// Is declining allowed?
    pub decline: bool,
}

/// What has to be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PendingStep {
    /// A seat to name.
    Seat,
    /// A card.
    Card,
    /// A direction to push in.
    Direction,
    /// Whether to pull.
    Accept,
}

/// What a seat saw last by Delete's ability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MyLook {
    /// Whose hand.
    pub seat: Seat,
    /// The hand as it was.
    pub cards: Hand,
    /// The number that stayed; none until it is chosen and if the hand was empty.
    pub kept: Option<Card>,
}

/// What is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields mean what they mean in the view")]
pub enum Event {
    /// In which order the seats pick.
    DraftOrder { seats: Vec<Seat> },
    /// A seat has taken a character.
    Picked { seat: Seat, character: Character },
    /// All have their characters and a full hand.
    Dealt { characters: PerSeat<Character> },
    /// A turn begins.
    TurnStarted { seat: Seat, round: u32 },
    /// A card was played to move.
    Played { seat: Seat, card: Card },
    /// A card was discarded to pull.
    Discarded { seat: Seat, card: Card },
    /// A seat has to choose for an ability.
    Asked { seat: Seat, ability: Character },
    /// A seat was named.
    Named { seat: Seat, ability: Character, target: Seat },
    /// An ability was left unused.
    Declined { seat: Seat, ability: Character },
    /// A pawn moved: by its own card, or by the ability of a seat. The finish line comes right after the last space.
    Moved { seat: Seat, from: u8, to: u8, by: Option<Seat>, ability: Option<Character> },
    /// A pawn has crossed the finish line.
    Finished { seat: Seat, place: u8 },
    /// A seat's ability is silenced.
    Silenced { seat: Seat, by: Seat },
    /// A silence is lifted.
    Freed { seat: Seat, by: Seat },
    /// Copy has copied an ability.
    Copied { seat: Seat, ability: Character },
    /// A copied ability is gone.
    CopyEnded { seat: Seat, ability: Character },
    /// A hand was reset: because it was empty, or by the ability of a seat.
    Reset { seat: Seat, by: Option<Seat> },
    /// A hand was looked at; only the looker is told the cards.
    Looked {
        seat: Seat,
        target: Seat,
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Hand>,
    },
    /// All cards of a hand but one were taken; only the two are told which one stayed.
    Deleted {
        seat: Seat,
        target: Seat,
        count: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        kept: Option<Card>,
    },
    /// A card was given away; only the two are told which one.
    Given {
        seat: Seat,
        target: Seat,
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// The race is over.
    GameOver { outcome: Outcome },
}

pub(super) fn of(game: &MiddleRace, viewer: Viewer) -> View {
    let seats = game.pawns.count();
    let phase = match (game.stage, game.choice) {
        (Stage::Casting | Stage::Draft, _) => Phase::Draft,
        (Stage::Over(_), _) => Phase::Finished,
        (Stage::Race, Some(_)) => Phase::Choosing,
        (Stage::Race, None) => Phase::Turn,
    };
    let per_seat_hand = || PerSeat::new(seats, |seat| game.hands.hand(seat));
    let look = viewer.seat().and_then(|seat| game.hands.look(seat));
    View {
        common: Common::of(game, game.options.clone(), seats, phase, game.round),
        draft_order: game.draft_order.clone(),
        available: if phase == Phase::Draft { game.available() } else { Vec::new() },
        characters: game.characters.clone(),
        turn_order: (phase != Phase::Draft).then(|| game.by_number().collect()),
        turn_seat: game.turn_seat,
        positions: game.pawns.clone(),
        places: game.places.clone(),
        card_counts: PerSeat::new(seats, |seat| game.hands.count(seat)),
        used_cards: PerSeat::new(seats, |seat| game.hands.used(seat)),
        hands: game.options.open_hands.then(per_seat_hand),
        abilities: PerSeat::new(seats, |seat| game.ability(seat)),
        copied: game.copied.map(|copied| copied.ability),
        silences: game.silences.iter().map(|it| SilenceInForce { by: it.by, seat: it.seat }).collect(),
        last_named: game.last_named.clone(),
        copied_last_named: game.copied.and_then(|copied| copied.last_named),
        pending: game.choice.map(|choice| pending(game, viewer, choice)),
        my_cards: viewer.seat().map(|seat| game.hands.hand(seat)),
        my_look: look.map(|seen| MyLook { seat: seen.seat, cards: seen.hand, kept: seen.kept }),
    }
}

fn pending(game: &MiddleRace, viewer: Viewer, choice: Choice) -> Pending {
    let Choice { seat, ability, step } = choice;
    let open = Pending {
        seat,
        ability,
        step: PendingStep::Seat,
        seats: None,
        cards: None,
        target: None,
        pawn: None,
        spaces: None,
        decline: game.may_be_declined(choice),
    };
    match step {
        Step::Seat { spaces } => Pending { seats: Some(game.may_be_named(seat, ability)), spaces, ..open },
        Step::Card { target } => {
            let sees = game.options.open_hands || viewer == Viewer::Seat(seat);
            let cards = sees.then(|| game.cards_to_choose(choice).numbers().collect());
            Pending { step: PendingStep::Card, cards, target: Some(target), ..open }
        }
        Step::Direction { pawn } => Pending { step: PendingStep::Direction, pawn: Some(pawn), ..open },
        Step::Accept { pawn } => Pending { step: PendingStep::Accept, pawn: Some(pawn), ..open },
    }
}
