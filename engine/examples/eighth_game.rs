//! A whole game in one file: *High Card*. Each seat is dealt a secret card and may swap it once; the highest card wins.
//!
//! The first half implements [`Game`]. The second half meets the game as a program would: through [`Kind`] and
//! [`engine::Match`], with JSON in and JSON out. `cargo run -p engine --example eighth_game` plays a match; the test
//! keeps the laws of every game.

use engine::chance::one_of;
use engine::{
    Action, Addressed, BadOptions, Common, Difficulty, Game, Info, Kind, Outcome, PerSeat, Points, Refusal, Seat,
    Source, Turn, Viewer, of, playout,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The rule switches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Options {
    /// The highest number on a card.
    #[schemars(range(min = 5, max = 50))]
    highest: u8,
}

impl Default for Options {
    fn default() -> Self {
        Options { highest: 10 }
    }
}

/// What a seat may do. Moves without fields have empty braces, so that unknown fields are refused.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Move {
    /// Keep the card.
    Keep {},
    /// Draw another card instead.
    Swap {},
}

/// What chance decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Chance {
    /// The card of each seat at the start.
    Cards(PerSeat<u8>),
    /// The card that a seat draws.
    Card(u8),
}

/// What viewers are told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    /// A seat has a card; only that seat is told which.
    Dealt { seat: Seat, card: u8 },
    /// A seat kept its card.
    Kept { seat: Seat },
    /// A seat swapped its card.
    Swapped { seat: Seat },
    /// The cards lie open.
    GameOver { outcome: Outcome, cards: PerSeat<u8> },
}

/// Where the match is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// The seats decide in turn.
    Deciding,
    /// The cards lie open.
    Finished,
}

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct View {
    /// The fields of every game.
    #[serde(flatten)]
    common: Common<Options, Phase>,
    /// Per seat its card, once the match is over.
    cards: Option<PerSeat<u8>>,
    /// The viewer's own card.
    my_card: Option<u8>,
}

/// The whole state of one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct HighCard {
    options: Options,
    seats: u8,
    /// `None` before the deal.
    cards: Option<PerSeat<u8>>,
    /// The seat that decides now; at the end the number of seats.
    decides: u8,
    /// The seat that decides waits for its new card.
    is_drawing: bool,
}

impl HighCard {
    fn is_over(&self) -> bool {
        self.decides >= self.seats
    }

    fn outcome(&self, cards: &PerSeat<u8>) -> Outcome {
        let scores = cards.map(|card| Points::whole((*card).into()));
        Outcome { ranks: Outcome::ranks_by(cards), scores: Some(scores), reason: "compared".into() }
    }

    fn is_card(&self, card: u8) -> bool {
        (1..=self.options.highest).contains(&card)
    }

    fn pass_on(&mut self, events: &mut Vec<Addressed<Event>>) {
        self.decides += 1;
        if let Some(cards) = self.cards.clone().filter(|_| self.is_over()) {
            events.push(Addressed::everyone(Event::GameOver { outcome: self.outcome(&cards), cards }));
        }
    }
}

impl Game for HighCard {
    const INFO: Info = Info {
        id: "high-card",
        seats: 2..=6,
        minutes: 1..=2,
        difficulty: Difficulty::Easy,
        teach_minutes: 1,
        revision: 1,
        refusals: &[],
        phases: &["deciding", "finished"],
        reasons: &["compared"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, seats: u8) -> Result<Self, BadOptions> {
        BadOptions::unless_within("highest", options.highest, 5..=50)?;
        Ok(HighCard { options, seats, cards: None, decides: 0, is_drawing: false })
    }

    fn is_sound(&self) -> bool {
        let cards_are_sound =
            |cards: &PerSeat<u8>| cards.count() == self.seats && cards.iter().all(|card| self.is_card(*card));
        Self::INFO.seats.contains(&self.seats)
            && (5..=50).contains(&self.options.highest)
            && self.decides <= self.seats
            && self.cards.as_ref().is_none_or(cards_are_sound)
    }

    fn turn(&self) -> Turn {
        match &self.cards {
            None => Turn::Chance,
            Some(_) if self.is_drawing => Turn::Chance,
            Some(cards) if self.is_over() => Turn::Over(self.outcome(cards)),
            Some(_) => Turn::of(Seat(self.decides)),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        matches!(kind, "keep" | "swap")
    }

    fn interrupts(_: &str) -> bool {
        false
    }

    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        if self.turn() == Turn::of(seat) {
            moves.extend([Move::Keep {}, Move::Swap {}]);
        }
    }

    fn check(&self, _: Seat, _: &Move) -> Result<(), Refusal> {
        Ok(())
    }

    fn draw(&self, source: &mut dyn Source) -> Chance {
        // Not `below(…) + 1`: an outcome holds what was drawn, so that others can check it from the seed.
        let cards: Vec<u8> = (1..=self.options.highest).collect();
        let mut card = || one_of(&cards, source);
        match self.cards {
            None => Chance::Cards(PerSeat::new(self.seats, |_| card())),
            Some(_) => Chance::Card(card()),
        }
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        match (outcome, &self.cards) {
            (Chance::Cards(cards), None) => cards.count() == self.seats && cards.iter().all(|card| self.is_card(*card)),
            (Chance::Card(card), Some(_)) => self.is_drawing && self.is_card(*card),
            _ => false,
        }
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Vec<Addressed<Event>>) {
        let seat = Seat(self.decides);
        match action {
            Action::Chance(Chance::Cards(cards)) => {
                events.extend(
                    cards.entries().map(|(seat, card)| Addressed::only(seat, Event::Dealt { seat, card: *card })),
                );
                self.cards = Some(cards);
            }
            Action::Chance(Chance::Card(card)) => {
                self.is_drawing = false;
                if let Some(cards) = &mut self.cards {
                    cards[seat] = card;
                }
                events.push(Addressed::only(seat, Event::Dealt { seat, card }));
                self.pass_on(events);
            }
            Action::Move(seat, Move::Keep {}) => {
                events.push(Addressed::everyone(Event::Kept { seat }));
                self.pass_on(events);
            }
            Action::Move(seat, Move::Swap {}) => {
                events.push(Addressed::everyone(Event::Swapped { seat }));
                self.is_drawing = true;
            }
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        let phase = if self.is_over() { Phase::Finished } else { Phase::Deciding };
        let cards = self.cards.as_ref();
        View {
            common: Common::of(self, self.options.clone(), self.seats, phase, 1),
            cards: cards.filter(|_| self.is_over()).cloned(),
            my_card: viewer.seat().and_then(|seat| cards.map(|cards| cards[seat])),
        }
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self {
        let mut other = self.clone();
        if let Some(cards) = other.cards.as_mut().filter(|_| !self.is_over()) {
            for seat in cards.seats().filter(|seat| viewer != Viewer::Seat(*seat)) {
                cards[seat] = source.below(self.options.highest.into()) as u8 + 1;
            }
        }
        other
    }

    /// Swaps a card of the lower half.
    fn autopilot(view: &View, _: &[Move], _: &mut dyn Source) -> Move {
        let is_low = view.my_card.is_some_and(|card| 2 * u16::from(card) <= view.common.options.highest.into());
        if is_low { Move::Swap {} } else { Move::Keep {} }
    }
}

/// Plays a match as a program would, each seat by its autopilot, and returns the final view of the public.
fn play(kind: &dyn Kind) -> Result<Value, Box<dyn std::error::Error>> {
    // A seeded generator; in the café a `FairDealer` takes its place.
    let mut dealer = playout::random(8);
    let (mut game, step) = kind.start(&json!({ "highest": 20 }), 3, &mut dealer)?;
    let dealt = step.events_for(Viewer::Seat(Seat(0))).count();
    println!("seat 0 was told of {dealt} card, the public of {}", step.events_for(Viewer::Public).count());
    while let Turn::Seats { to_move, .. } = game.turn() {
        let seat = to_move.iter().next().ok_or("somebody is to move")?;
        let chosen = game.autopilot(seat, &mut dealer).ok_or("a seat on turn has a move")?;
        println!("seat {} plays {chosen}", seat.0);
        game.play(seat, &serde_json::from_str(chosen.get())?, &mut dealer)?;
        // Matches are kept as bytes between two moves.
        game = kind.resume(&game.save())?;
    }
    Ok(serde_json::from_str(game.view(Viewer::Public).get())?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let view = play(of::<HighCard>())?;
    println!("{view}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_card_keeps_the_laws() {
        // All see who swaps, though no view shows it afterwards.
        engine::conformance::conforms_with_fleeting_sights(of::<HighCard>(), &["kept", "swapped"]);
    }

    #[test]
    fn the_match_ends_with_open_cards() {
        let view = play(of::<HighCard>()).expect("the match is played to its end");
        assert_eq!(view["cards"].as_array().map(Vec::len), Some(3));
        assert_eq!(view["outcome"]["reason"], "compared");
    }
}
