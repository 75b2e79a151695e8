//! The one interface of all games: JSON in, JSON out. It makes the checks that no game has to repeat.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;

use schemars::{Schema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::bots::{self, Knowledge, Level, Policy, Table};
use crate::chance::{ChanceError, Dealer, Dealt, Source};
use crate::game::{Action, Addressed, BadOptions, Game, Info, Outcome, Refusal, Turn, Viewer};
use crate::lab;
use crate::seats::{PerSeat, Seat};
use crate::statistics::SeatStats;

/// No action of any game causes more random outcomes in a row.
const MOST_CHANCE: usize = 10_000;

/// A JSON value that is already text.
pub type Json = Box<RawValue>;

/// A game, as all code outside of its own module uses it.
///
/// ```
/// use engine::{catalogue, playout};
/// use serde_json::json;
///
/// let kind = catalogue::find("middle-race").expect("a game of the catalogue");
/// let options = kind.normalize_options(&json!({ "winner": "not_ends" }), 4)?;
/// assert_eq!(options["track_length"], 30, "defaults are filled in");
///
/// let (game, _) = kind.start(&options, 4, &mut playout::random(7))?;
/// let saved = game.save();
/// let resumed = kind.resume(&saved)?;
/// assert_eq!(resumed.save(), saved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Kind: Sync {
    /// Facts about the game that no match changes.
    fn info(&self) -> Info;
    /// The JSON Schema of the options, with their defaults, bounds and meanings.
    fn options_schema(&self) -> Schema;
    /// The JSON Schemas of the moves, events and views.
    fn schemas(&self) -> Schemas;
    /// Fills in the defaults of all options that are missing, and checks the options and the number of seats.
    fn normalize_options(&self, options: &Value, seats: u8) -> Result<Value, BadOptions>;
    /// The pieces that outcomes are drawn from, in their order: [`Game::pieces`].
    fn pieces(&self) -> Vec<Value>;
    /// Starts a match and sets it up as far as the first decision.
    fn start(&self, options: &Value, seats: u8, dealer: &mut dyn Dealer) -> Result<(Box<dyn Match>, Step), StartError>;
    /// Reads a match that [`Match::save`] wrote in this revision of the game.
    fn resume(&self, saved: &[u8]) -> Result<Box<dyn Match>, serde_json::Error>;
    /// Reads a view as boards do, and writes it again.
    ///
    /// # Errors
    /// It is no view of this game.
    fn reread_view(&self, view: &Json) -> Result<Json, serde_json::Error>;
    /// Counts how each seat played, from all events of a finished match.
    fn statistics(&self, seats: u8, events: &[Json]) -> PerSeat<SeatStats>;
    /// The levels that bots of this game have.
    fn levels(&self) -> &'static [Level];
    /// Plays a match of bots, one seat for each policy.
    ///
    /// # Errors
    /// The game refuses the options or the number of seats.
    fn play_out(&self, options: &Value, policies: &[Policy], source: &mut dyn Source) -> Result<Outcome, BadOptions>;
    /// How bots that search choose in the variant lab: with fewer rollouts than hard bots.
    fn lab_search(&self) -> Policy;
    /// Plays the matches of the lab with these numbers.
    ///
    /// # Errors
    /// The game refuses the options or the number of seats.
    fn lab_block(
        &self,
        setting: &lab::Setting,
        matches: Range<u64>,
        watch: &dyn lab::Watch,
    ) -> Result<lab::Sums, BadOptions>;
    /// The types of moves that exist by these rules.
    ///
    /// # Errors
    /// The game refuses the options or the number of seats.
    fn lab_moves(&self, options: &Value, seats: u8) -> Result<Vec<String>, BadOptions>;
    /// All types of moves of the game.
    fn lab_move_types(&self) -> Vec<String>;
}

/// The JSON Schemas of a game's types.
#[derive(Clone, Debug, Serialize)]
pub struct Schemas {
    /// The schema of the moves.
    pub moves: Schema,
    /// The schema of the events.
    pub event: Schema,
    /// The schema of the views.
    pub view: Schema,
}

/// A match under way or over. Between calls it never waits for chance.
///
/// ```
/// use engine::{PlayError, Refusal, Turn, catalogue, playout};
/// use serde_json::json;
///
/// let kind = catalogue::find("liars-dice").expect("a game of the catalogue");
/// let mut dealer = playout::random(3);
/// let (mut game, _) = kind.start(&json!({}), 2, &mut dealer)?;
/// let Turn::Seats { to_move, .. } = game.turn() else { panic!("a new match waits for a seat") };
/// let seat = to_move.iter().next().expect("one seat opens");
///
/// let refused = game.play(seat, &json!({ "type": "challenge" }), &mut dealer);
/// assert_eq!(refused.map(|_| ()), Err(PlayError::Refused(Refusal("no_bid"))));
/// let chosen = serde_json::from_str(game.legal_moves(seat)[0].get())?;
/// game.play(seat, &chosen, &mut dealer)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Match: Debug + Send {
    /// What the match waits for.
    fn turn(&self) -> Turn;
    /// Every legal move of the seat, in a fixed order.
    fn legal_moves(&self, seat: Seat) -> Vec<Json>;
    /// Returns why the move would be refused, or `Ok`.
    fn check(&self, seat: Seat, chosen: &Value) -> Result<(), Refusal>;
    /// Makes the move and draws all random outcomes that follow. If it fails, nothing changes.
    fn play(&mut self, seat: Seat, chosen: &Value, dealer: &mut dyn Dealer) -> Result<Step, PlayError>;
    /// The move that the autopilot makes for the seat; `None` if the seat has no legal move.
    fn autopilot(&self, seat: Seat, source: &mut dyn Source) -> Option<Json>;
    /// The move that a bot of this level makes for the seat, which was told this since the match began; `None` if the seat
    /// has no legal move. Once `goes_on` says no, it takes the best move that it has found so far.
    ///
    /// # Errors
    /// What the seat was told is not of this game.
    fn bot(
        &self,
        seat: Seat,
        told: &[Json],
        level: Level,
        goes_on: &mut dyn FnMut() -> bool,
        source: &mut dyn Source,
    ) -> Result<Option<Json>, serde_json::Error>;
    /// What a bot of this level does out of turn in this seat, which may interrupt; `None` if it lets the others go on. A
    /// hard one needs what its seat was told.
    ///
    /// # Errors
    /// What the seat was told is not of this game.
    fn interruption(
        &self,
        seat: Seat,
        told: &[Json],
        level: Level,
        goes_on: &mut dyn FnMut() -> bool,
        source: &mut dyn Source,
    ) -> Result<Option<Json>, serde_json::Error>;
    /// A random match that may be the true one, for all that this seat sees and was told.
    ///
    /// # Errors
    /// What the seat was told is not of this game.
    fn determinize(
        &self,
        seat: Seat,
        told: &[Json],
        source: &mut dyn Source,
    ) -> Result<Option<Box<dyn Match>>, serde_json::Error>;
    /// What each of so many seats plays, where seats play something of their own. It may be secret until the match is over.
    fn roles(&self, seats: u8) -> Vec<Option<String>>;
    /// Returns what the viewer may see.
    fn view(&self, viewer: Viewer) -> Json;
    /// Writes the whole state, secrets included. The same match gives the same bytes.
    fn save(&self) -> Vec<u8>;
    /// What should always hold: [`Game::invariant`], and at the end ranks that follow the scores.
    ///
    /// # Errors
    /// What does not hold, for developers.
    fn invariant(&self) -> Result<(), String>;
    /// Returns a random match that looks the same to the viewer.
    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Box<dyn Match>;
}

/// What one call of [`Kind::start`] or [`Match::play`] did: the outcomes drawn and the events.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The random outcomes, in order.
    pub chance: Vec<Json>,
    /// The events, in order.
    pub events: Vec<Addressed<Json>>,
}

impl Step {
    /// The events that this viewer is told.
    pub fn events_for(&self, viewer: Viewer) -> impl Iterator<Item = &Json> {
        self.events.iter().filter(move |it| it.to.includes(viewer)).map(|it| &it.event)
    }
}

/// Why a match could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The options or the number of seats are refused.
    #[error(transparent)]
    BadOptions(#[from] BadOptions),
    /// The dealer had no possible outcome to give.
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

/// The game `G` as a [`Kind`].
///
/// ```
/// use engine::{games::perudo::Perudo, of};
///
/// assert_eq!(of::<Perudo>().info().id, "perudo");
/// ```
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

    fn normalize_options(&self, options: &Value, seats: u8) -> Result<Value, BadOptions> {
        let (_, options) = set_up::<G>(options, seats)?;
        Ok(serde_json::to_value(options).unwrap_or_default())
    }

    fn pieces(&self) -> Vec<Value> {
        G::pieces()
    }

    fn start(&self, options: &Value, seats: u8, dealer: &mut dyn Dealer) -> Result<(Box<dyn Match>, Step), StartError> {
        let (game, _) = set_up::<G>(options, seats)?;
        let mut play = Playing(game);
        let mut step = Stepping::default();
        play.resolve_chance(dealer, &mut step)?;
        Ok((Box::new(play), step.erase()))
    }

    fn resume(&self, saved: &[u8]) -> Result<Box<dyn Match>, serde_json::Error> {
        let game = serde_json::from_slice::<G>(saved)?;
        match game.is_sound() && game.turn() != Turn::Chance {
            true => Ok(Box::new(Playing(game))),
            false => Err(serde::de::Error::custom("no match comes to this state")),
        }
    }

    fn reread_view(&self, view: &Json) -> Result<Json, serde_json::Error> {
        serde_json::from_str::<G::View>(view.get()).map(|view| json(&view))
    }

    fn statistics(&self, seats: u8, events: &[Json]) -> PerSeat<SeatStats> {
        G::statistics(seats, events)
    }

    fn levels(&self) -> &'static [Level] {
        if G::SEARCHABLE { &Level::ALL } else { &Level::ALL[..2] }
    }

    fn play_out(&self, options: &Value, policies: &[Policy], source: &mut dyn Source) -> Result<Outcome, BadOptions> {
        let mut table = Table::<G>::new(read_options::<G>(options)?, policies.len() as u8)?;
        Ok(table.finish(&PerSeat::from(policies.to_vec()), source))
    }

    fn lab_search(&self) -> Policy {
        Policy::Search { rollouts: G::LAB_ROLLOUTS }
    }

    fn lab_block(
        &self,
        setting: &lab::Setting,
        matches: Range<u64>,
        watch: &dyn lab::Watch,
    ) -> Result<lab::Sums, BadOptions> {
        lab::play_block::<G>(setting, |options| Ok(set_up::<G>(options, setting.seats())?.0), matches, watch)
    }

    fn lab_moves(&self, options: &Value, seats: u8) -> Result<Vec<String>, BadOptions> {
        let (game, _) = set_up::<G>(options, seats)?;
        Ok(lab::move_types::<G>().into_iter().filter(|it| game.knows(it)).collect())
    }

    fn lab_move_types(&self) -> Vec<String> {
        lab::move_types::<G>()
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

/// Reads the options one by one first, so that the error names the wrong key.
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

fn read_events<G: Game>(told: &[Json]) -> Result<Vec<G::Event>, serde_json::Error> {
    told.iter().map(|event| serde_json::from_str(event.get())).collect()
}

#[derive(Clone, Debug)]
struct Playing<G>(G);

struct Stepping<G: Game> {
    chance: Vec<G::Chance>,
    events: Vec<Addressed<G::Event>>,
}

impl<G: Game> Default for Stepping<G> {
    fn default() -> Self {
        Stepping { chance: Vec::new(), events: Vec::new() }
    }
}

impl<G: Game> Stepping<G> {
    fn erase(self) -> Step {
        Step {
            chance: self.chance.iter().map(json).collect(),
            events: self.events.iter().map(|it| Addressed { to: it.to, event: json(&it.event) }).collect(),
        }
    }
}

impl<G: Game> Playing<G> {
    fn resolve_chance(&mut self, dealer: &mut dyn Dealer, step: &mut Stepping<G>) -> Result<(), ChanceError> {
        while self.0.turn() == Turn::Chance {
            if step.chance.len() >= MOST_CHANCE {
                return Err(ChanceError::Endless);
            }
            let outcome = match dealer.next() {
                Dealt::From(source) => self.0.draw(source),
                Dealt::Is(given) => self.read_outcome(&given)?,
                Dealt::Nothing => return Err(ChanceError::NoneLeft),
            };
            step.chance.push(outcome.clone());
            self.0.apply(Action::Chance(outcome), &mut step.events);
        }
        Ok(())
    }

    fn read_outcome(&self, given: &Value) -> Result<G::Chance, ChanceError> {
        G::Chance::deserialize(given)
            .ok()
            .filter(|outcome| self.0.accepts(outcome))
            .ok_or_else(|| ChanceError::Impossible(given.to_string()))
    }

    /// Reads a legal move, or gives the first code that refuses it: the common codes first, then the game's own.
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
        next.0.apply(Action::Move(seat, chosen), &mut step.events);
        next.resolve_chance(dealer, &mut step)?;
        *self = next;
        Ok(step.erase())
    }

    fn autopilot(&self, seat: Seat, source: &mut dyn Source) -> Option<Json> {
        let moves = self.moves_of(seat);
        (!moves.is_empty()).then(|| json(&G::autopilot(&self.0.view(Viewer::Seat(seat)), &moves, source)))
    }

    fn bot(
        &self,
        seat: Seat,
        told: &[Json],
        level: Level,
        goes_on: &mut dyn FnMut() -> bool,
        source: &mut dyn Source,
    ) -> Result<Option<Json>, serde_json::Error> {
        let (told, legal, view) = (read_events::<G>(told)?, self.moves_of(seat), self.0.view(Viewer::Seat(seat)));
        if legal.is_empty() {
            return Ok(None);
        }
        let knowledge = Knowledge::<G> { seat, view: &view, told: &told, legal: &legal };
        let policy = level.policy(source);
        Ok(Some(json(&bots::choose(&knowledge, policy, goes_on, source))))
    }

    fn interruption(
        &self,
        seat: Seat,
        told: &[Json],
        level: Level,
        goes_on: &mut dyn FnMut() -> bool,
        source: &mut dyn Source,
    ) -> Result<Option<Json>, serde_json::Error> {
        let legal = self.moves_of(seat);
        let (Some(policy), false) = (level.interrupts_by(), legal.is_empty()) else { return Ok(None) };
        let (told, view) = (read_events::<G>(told)?, self.0.view(Viewer::Seat(seat)));
        let knowledge = Knowledge::<G> { seat, view: &view, told: &told, legal: &legal };
        Ok(bots::interrupt(&knowledge, policy, goes_on, source).as_ref().map(json))
    }

    fn determinize(
        &self,
        seat: Seat,
        told: &[Json],
        source: &mut dyn Source,
    ) -> Result<Option<Box<dyn Match>>, serde_json::Error> {
        let drawn = G::determinize(seat, &self.0.view(Viewer::Seat(seat)), &read_events::<G>(told)?, source);
        Ok(drawn.map(|drawn| Box::new(Playing(drawn)) as Box<dyn Match>))
    }

    fn roles(&self, seats: u8) -> Vec<Option<String>> {
        (0..seats).map(|seat| self.0.role(Seat(seat))).collect()
    }

    fn view(&self, viewer: Viewer) -> Json {
        json(&self.0.view(viewer))
    }

    fn save(&self) -> Vec<u8> {
        json(&self.0).get().as_bytes().to_vec()
    }

    fn invariant(&self) -> Result<(), String> {
        self.0.invariant()?;
        match self.0.turn() {
            Turn::Over(outcome) if self.0.ranks_follow_scores() => outcome.ranks_follow_scores(),
            Turn::Over(_) | Turn::Seats { .. } | Turn::Chance => Ok(()),
        }
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Box<dyn Match> {
        Box::new(Playing(self.0.resample(viewer, source)))
    }
}

#[expect(clippy::expect_used, reason = "a derived Serialize of maps with string keys cannot fail")]
fn json<T: Serialize + ?Sized>(value: &T) -> Json {
    to_raw_value(value).expect("games serialize")
}
