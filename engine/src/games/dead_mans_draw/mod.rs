//! Dead Man's Draw: turn up loot, stop in time, and bank it. Rules are cited as DMD-n.

mod autopilot;
mod cards;
mod choosing;
mod determinize;
mod ending;
mod hidden;
mod moves;
mod options;
mod playing;
mod row;
mod scoring;
mod setup;
mod sound;
#[cfg(test)]
mod tests;
mod traits;
mod view;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chance::{Source, values};
use crate::game::{Action, Addressed, BadOptions, Difficulty, Game, Info, Refusal, Turn, Viewer};
use crate::pieces::words;
use crate::seats::{PerSeat, Seat};

pub use cards::{Card, Cards, Suit};
pub use choosing::Kind;
pub use ending::{How, LastTurn};
pub use moves::{Chance, Move};
pub use options::{Options, Variant, VariantChoice};
pub use row::{Means, Origin};
pub use scoring::Reason;
pub use traits::Trait;
pub use view::{Event, InRow, Mine, Pending, Phase, Sent, Stacks, Took, View};

use choosing::Choice;
use row::Row;

/// A match of Dead Man's Draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeadMansDraw {
    options: Options,
    waits_for: WaitsFor,
    /// The game variant card in play.
    variant: Option<Variant>,
    pirates: PerSeat<Pirate>,
    /// Whom Davy Jones' Guardian watches.
    guardian_target: Option<Seat>,
    first_seat: Option<Seat>,
    round: u32,
    /// Face down, the top card last.
    draw_pile: Vec<Card>,
    /// Its order never matters (DMD-R3).
    discard: Cards,
    acting: Acting,
    last_turn: Option<LastTurn>,
}

/// What a seat has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Pirate {
    bank: Cards,
    /// The trait cards dealt to it, in the order dealt.
    dealt: Vec<Trait>,
    /// The one that it kept: secret until every seat has one.
    kept: Option<Trait>,
}

/// The acting seat and its turn so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Acting {
    seat: Seat,
    /// The play area.
    row: Row,
    drawn: u8,
    /// The Kraken's debt.
    must_draw: u8,
    /// How many cards on top of the draw pile an oracle has turned up.
    turned_up: u8,
    /// How many hooks of Captain's Hook are still to be used for the second time.
    hooks_due: u8,
}

impl Acting {
    fn starting(seat: Seat) -> Self {
        Acting { seat, row: Row::default(), drawn: 0, must_draw: 0, turned_up: 0, hooks_due: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WaitsFor {
    Variant,
    Deck,
    Traits,
    /// Every seat keeps one of the traits dealt to it.
    KeptTraits,
    FirstSeat,
    /// The holder of Davy Jones' Guardian names its target.
    Guardian,
    /// The acting seat draws or collects.
    Turn,
    Choice(Choice),
    MapReveal,
    /// So many cards of the discard pile.
    Bonus(usize),
    Nothing(Reason),
}

/// What comes after something has been carried out.
enum Next {
    WaitFor(WaitsFor),
    TurnEnds,
}

type Events = Vec<Addressed<Event>>;

impl Game for DeadMansDraw {
    const INFO: Info = Info {
        id: "dead-mans-draw",
        seats: 2..=4,
        minutes: 10..=20,
        difficulty: Difficulty::Easy,
        teach_minutes: 5,
        revision: 1,
        refusals: moves::REFUSALS,
        phases: &["traits", "target", "turn", "choosing", "finished"],
        reasons: &["draw_pile_empty", "sudden_death"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, seats: u8) -> Result<Self, BadOptions> {
        setup::new(options, seats)
    }

    fn is_sound(&self) -> bool {
        self.can_go_on()
    }

    fn invariant(&self) -> Result<(), String> {
        match self.has_all_cards() {
            true => Ok(()),
            false => Err("some card is in no place or in two".into()),
        }
    }

    /// DMD-77: a seat with too many points drowns.
    fn ranks_follow_scores(&self) -> bool {
        !self.plays(Variant::BeneathTheWaves)
    }

    fn turn(&self) -> Turn {
        match self.waits_for {
            WaitsFor::Variant
            | WaitsFor::Deck
            | WaitsFor::Traits
            | WaitsFor::FirstSeat
            | WaitsFor::MapReveal
            | WaitsFor::Bonus(_) => Turn::Chance,
            WaitsFor::KeptTraits => Turn::all(self.pirates.which(|pirate| pirate.kept.is_none())),
            WaitsFor::Guardian | WaitsFor::Turn | WaitsFor::Choice(_) => {
                Turn::all(self.on_turn().into_iter().collect())
            }
            WaitsFor::Nothing(reason) => Turn::Over(self.outcome(reason)),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        match kind {
            "draw" | "collect" | "choose_card" => true,
            "choose_seat" | "choose_trait" => self.options.traits,
            _ => false,
        }
    }

    fn interrupts(_: &str) -> bool {
        false
    }

    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        moves::legal(self, seat, moves);
    }

    fn check(&self, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
        moves::check(self, seat, chosen)
    }

    fn draw(&self, source: &mut dyn Source) -> Chance {
        moves::draw(self, source)
    }

    fn pieces() -> Vec<Value> {
        let cards: Vec<Card> = Cards::every().iter().collect();
        let traits: Vec<Trait> = Trait::all(true).collect();
        [values(&cards), values(&traits), values(&Variant::ALL)].concat()
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        moves::accepts(self, outcome)
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Events) {
        let next = match action {
            Action::Chance(outcome) => self.resolve(outcome, events),
            Action::Move(seat, Move::ChooseTrait { kept }) => self.keep(seat, kept, events),
            Action::Move(_, Move::ChooseSeat { seat }) => self.choose_seat(seat, events),
            Action::Move(_, Move::ChooseCard { card }) => self.choose_card(card, events),
            Action::Move(_, Move::Draw {}) => self.draw_card(events),
            Action::Move(_, Move::Collect {}) => self.collect(events),
        };
        self.proceed(next, events);
    }

    fn view(&self, viewer: Viewer) -> View {
        view::of(self, viewer)
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self {
        hidden::drawn_anew(self, viewer, source)
    }

    fn standing(&self, seat: Seat) -> Option<i32> {
        Some(self.score(&self.pirates[seat]))
    }

    fn role(&self, seat: Seat) -> Option<String> {
        self.pirates[seat].kept.as_ref().map(words::write)
    }

    const SEARCHABLE: bool = true;

    fn determinize(seat: Seat, view: &View, told: &[Event], source: &mut dyn Source) -> Option<Self> {
        determinize::world(seat, view, told, source)
    }

    fn estimate(&self, seat: Seat) -> Option<f64> {
        let begins = self.waits_for == WaitsFor::Turn && self.acting.drawn == 0;
        begins.then(|| self.likely_to_win(seat))
    }

    fn autopilot(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
        autopilot::choose(view, legal, source)
    }
}

impl DeadMansDraw {
    /// Are the traits open? They are all revealed together (DMD-6).
    fn traits_open(&self) -> bool {
        self.options.traits && self.pirates.iter().all(|pirate| pirate.kept.is_some())
    }

    /// The one seat that is awaited, where it is one.
    fn on_turn(&self) -> Option<Seat> {
        match self.waits_for {
            WaitsFor::Guardian => self.holder(Trait::DavyJones),
            WaitsFor::Turn | WaitsFor::Choice(_) => Some(self.acting.seat),
            _ => None,
        }
    }

    fn holder(&self, wanted: Trait) -> Option<Seat> {
        self.pirates.entries().find(|(_, pirate)| pirate.kept == Some(wanted)).map(|(seat, _)| seat)
    }

    /// Has the acting seat this trait?
    fn has(&self, wanted: Trait) -> bool {
        self.pirates[self.acting.seat].kept == Some(wanted)
    }

    /// The opponent of the acting seat that has this trait.
    fn opponent_with(&self, wanted: Trait) -> Option<Seat> {
        self.opponents().find(|seat| self.pirates[*seat].kept == Some(wanted))
    }

    fn plays(&self, variant: Variant) -> bool {
        self.variant == Some(variant)
    }

    fn bank(&self) -> Cards {
        self.pirates[self.acting.seat].bank
    }

    fn bank_mut(&mut self) -> &mut Cards {
        &mut self.pirates[self.acting.seat].bank
    }

    fn opponents(&self) -> impl Iterator<Item = Seat> + use<> {
        let acting = self.acting.seat;
        self.pirates.seats().filter(move |seat| *seat != acting)
    }

    /// The opponent in whose bank the card is.
    fn owner(&self, card: Card) -> Option<Seat> {
        self.opponents().find(|seat| self.pirates[*seat].bank.has(card))
    }
}
