//! The only door for outsiders: every game as JSON in, JSON out. Checks that no game has to repeat are made here.

use std::fmt::Debug;
use std::marker::PhantomData;

use schemars::{Schema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::chance::{ChanceError, Dealer, Dealt, Source};
use crate::game::{Action, BadOptions, Game, Info, Refusal, Told, Turn, Viewer};
use crate::seats::{PerSeat, Seat};
use crate::tally::Tally;

/// A JSON value that is already text.
pub type Json = Box<RawValue>;

/// A game on offer.
pub trait Kind: Sync {
    /// What is known of it beforehand.
    fn info(&self) -> Info;
    /// The JSON Schema of its options, with their defaults, bounds and meanings.
    fn options_schema(&self) -> Schema;
    /// The JSON Schemas of its moves, events and views.
    fn schemas(&self) -> Schemas;
    /// All options, defaults filled in, if they and the number of seats are allowed.
    fn settle_options(&self, options: &Value, seats: u8) -> Result<Value, BadOptions>;
    /// A new match, set up as far as the first decision.
    fn start(&self, options: &Value, seats: u8, dealer: &mut dyn Dealer) -> Result<(Box<dyn Match>, Step), StartError>;
    /// The match that [`Match::save`] wrote, by this revision of the game.
    fn resume(&self, saved: &[u8]) -> Result<Box<dyn Match>, serde_json::Error>;
    /// What all events of a match that is over say of how each seat played.
    fn tally(&self, seats: u8, events: &[Json]) -> PerSeat<Tally>;
}

/// The JSON Schemas of what a game says.
#[derive(Clone, Debug, Serialize)]
pub struct Schemas {
    /// Of the moves.
    pub moves: Schema,
    /// Of the events.
    pub event: Schema,
    /// Of the views.
    pub view: Schema,
}

/// A match under way, or over. Between calls it never waits for chance.
pub trait Match: Debug + Send {
    /// Whom it waits for.
    fn turn(&self) -> Turn;
    /// Every move that the seat may make now, in a fixed order.
    fn legal_moves(&self, seat: Seat) -> Vec<Json>;
    /// Why the move would be refused, if it would.
    fn check(&self, seat: Seat, chosen: &Value) -> Result<(), Refusal>;
    /// Makes the move and settles all chance that follows. When it fails, nothing has changed.
    fn play(&mut self, seat: Seat, chosen: &Value, dealer: &mut dyn Dealer) -> Result<Step, PlayError>;
    /// The move that the house makes for the seat; none if it may make none.
    fn autopilot(&self, seat: Seat) -> Option<Json>;
    /// What the viewer may see.
    fn view(&self, viewer: Viewer) -> Json;
    /// The whole state, secrets included: the same bytes for the same match.
    fn save(&self) -> Vec<u8>;
    /// Another match that the viewer cannot tell from this one.
    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Box<dyn Match>;
}

/// One version of a match: a move (none at set-up), the chance that it called for, and what was told of both.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The outcomes, in order.
    pub chance: Vec<Json>,
    /// The events, in order.
    pub told: Vec<Told<Json>>,
}

impl Step {
    /// What this viewer is told.
    pub fn told_to(&self, viewer: Viewer) -> impl Iterator<Item = &Json> {
        self.told.iter().filter(move |told| told.to.includes(viewer)).map(|told| &told.event)
    }
}

/// Why a match could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The options or the number of seats are refused.
    #[error(transparent)]
    BadOptions(#[from] BadOptions),
    /// The dealer had no possible outcome.
    #[error(transparent)]
    Chance(#[from] ChanceError),
}

/// Why a move was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The dealer had no possible outcome.
    #[error(transparent)]
    Chance(#[from] ChanceError),
}

/// The game `G` on offer.
pub const fn of<G: Game>() -> &'static dyn Kind {
    &Of::<G>(PhantomData)
}

struct Of<G>(PhantomData<fn() -> G>);

impl<G: Game> Kind for Of<G> {
    fn info(&self) -> Info {
        G::INFO
    }

    fn options_schema(&self) -> Schema {
        schema_for!(G::Options)
    }

    fn schemas(&self) -> Schemas {
        Schemas { moves: schema_for!(G::Move), event: schema_for!(G::Event), view: schema_for!(G::View) }
    }

    fn settle_options(&self, options: &Value, seats: u8) -> Result<Value, BadOptions> {
        let (_, options) = set_up::<G>(options, seats)?;
        Ok(serde_json::to_value(options).unwrap_or_default())
    }

    fn start(&self, options: &Value, seats: u8, dealer: &mut dyn Dealer) -> Result<(Box<dyn Match>, Step), StartError> {
        let (game, _) = set_up::<G>(options, seats)?;
        let mut play = Playing(game);
        let mut step = Stepping::default();
        play.settle(dealer, &mut step)?;
        Ok((Box::new(play), step.erase()))
    }

    fn resume(&self, saved: &[u8]) -> Result<Box<dyn Match>, serde_json::Error> {
        let game = serde_json::from_slice::<G>(saved)?;
        match game.is_sound() && game.turn() != Turn::Chance {
            true => Ok(Box::new(Playing(game))),
            false => Err(serde::de::Error::custom("no match comes to this state")),
        }
    }

    fn tally(&self, seats: u8, events: &[Json]) -> PerSeat<Tally> {
        G::tally(seats, events)
    }
}

fn set_up<G: Game>(options: &Value, seats: u8) -> Result<(G, G::Options), BadOptions> {
    let allowed = G::INFO.seats;
    if !allowed.contains(&seats) {
        return Err(BadOptions::Seats { seats, allowed });
    }
    let options = read_options::<G>(options)?;
    Ok((G::setup(options.clone(), seats)?, options))
}

/// Reads the options one by one first, so that the key at fault can be named.
fn read_options<G: Game>(options: &Value) -> Result<G::Options, BadOptions> {
    let bad = |key: &str, why: String| BadOptions::Option { key: key.into(), why };
    let Value::Object(given) = options else {
        return Err(bad("", "options are a JSON object".into()));
    };
    for (key, value) in given {
        let alone = Value::Object([(key.clone(), value.clone())].into_iter().collect());
        G::Options::deserialize(&alone).map_err(|err| bad(key, err.to_string()))?;
    }
    G::Options::deserialize(options).map_err(|err| bad("", err.to_string()))
}

#[derive(Clone, Debug)]
struct Playing<G>(G);

struct Stepping<G: Game> {
    chance: Vec<G::Chance>,
    told: Vec<Told<G::Event>>,
}

impl<G: Game> Default for Stepping<G> {
    fn default() -> Self {
        Stepping { chance: Vec::new(), told: Vec::new() }
    }
}

impl<G: Game> Stepping<G> {
    fn erase(self) -> Step {
        Step {
            chance: self.chance.iter().map(json).collect(),
            told: self.told.iter().map(|it| Told { to: it.to, event: json(&it.event) }).collect(),
        }
    }
}

impl<G: Game> Playing<G> {
    fn settle(&mut self, dealer: &mut dyn Dealer, step: &mut Stepping<G>) -> Result<(), ChanceError> {
        while self.0.turn() == Turn::Chance {
            let outcome = match dealer.next() {
                Dealt::From(source) => self.0.draw(source),
                Dealt::Is(given) => self.read_outcome(&given)?,
                Dealt::Nothing => return Err(ChanceError::NoneLeft),
            };
            step.chance.push(outcome.clone());
            self.0.apply(Action::Chance(outcome), &mut step.told);
        }
        Ok(())
    }

    fn read_outcome(&self, given: &Value) -> Result<G::Chance, ChanceError> {
        G::Chance::deserialize(given)
            .ok()
            .filter(|outcome| self.0.accepts(outcome))
            .ok_or_else(|| ChanceError::Impossible(given.to_string()))
    }

    /// The move, if it may be made: the common codes in their order, then the game's own.
    fn read_move(&self, seat: Seat, chosen: &Value) -> Result<G::Move, Refusal> {
        let Turn::Seats { to_move, interrupt } = self.0.turn() else {
            return Err(Refusal::GAME_OVER);
        };
        let kind = chosen.as_object().and_then(|it| it.get("type")).and_then(Value::as_str);
        if !(to_move.has(seat) || interrupt.has(seat) && kind.is_some_and(G::interrupts)) {
            return Err(Refusal::NOT_YOUR_TURN);
        }
        if !kind.is_some_and(|kind| self.0.knows(kind)) {
            return Err(Refusal::UNKNOWN_MOVE);
        }
        let chosen = G::Move::deserialize(chosen).map_err(|_| Refusal::INVALID_MOVE)?;
        self.0.check(seat, &chosen)?;
        Ok(chosen)
    }

    fn moves_of(&self, seat: Seat) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.0.legal_moves(seat, &mut moves);
        moves
    }
}

impl<G: Game> Match for Playing<G> {
    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn legal_moves(&self, seat: Seat) -> Vec<Json> {
        self.moves_of(seat).iter().map(json).collect()
    }

    fn check(&self, seat: Seat, chosen: &Value) -> Result<(), Refusal> {
        self.read_move(seat, chosen).map(|_| ())
    }

    fn play(&mut self, seat: Seat, chosen: &Value, dealer: &mut dyn Dealer) -> Result<Step, PlayError> {
        let chosen = self.read_move(seat, chosen)?;
        let mut next = self.clone();
        let mut step = Stepping::default();
        next.0.apply(Action::Move(seat, chosen), &mut step.told);
        next.settle(dealer, &mut step)?;
        *self = next;
        Ok(step.erase())
    }

    fn autopilot(&self, seat: Seat) -> Option<Json> {
        let moves = self.moves_of(seat);
        (!moves.is_empty()).then(|| json(&G::autopilot(&self.0.view(Viewer::Seat(seat)), &moves)))
    }

    fn view(&self, viewer: Viewer) -> Json {
        json(&self.0.view(viewer))
    }

    fn save(&self) -> Vec<u8> {
        json(&self.0).get().as_bytes().to_vec()
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Box<dyn Match> {
        Box::new(Playing(self.0.resample(viewer, source)))
    }
}

#[expect(clippy::expect_used, reason = "a derived Serialize of maps with string keys cannot fail")]
fn json<T: Serialize + ?Sized>(value: &T) -> Json {
    to_raw_value(value).expect("games serialize")
}
