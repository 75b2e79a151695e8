//! The laws that every game keeps, checked on random matches through [`Kind`]: with any options, at any number of
//! seats.

mod draws;
mod hiding;
mod leaves;
mod options;
mod ranks;
#[cfg(test)]
mod tests;
mod twins;
mod worlds;

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value, json};

use crate::bots::Level;
use crate::chance::{Random, Source, shuffle};
use crate::erased::{Json, Kind, Match, PlayError, Step};
use crate::game::{Outcome, Refusal, Turn, Viewer};
use crate::lookalikes::lookalike_moves;
use crate::playout::{may_act, mutate, random, random_move};
use crate::record::value;
use crate::seats::Seat;
use worlds::Varied;

pub use options::{choices, some_options};

/// No match of any game is longer.
const MOST_MOVES: usize = 20_000;
/// Of so many more matches only the end is looked at: seats that tie show whether ranks agree with scores, and few do.
const ENDS: u32 = 40;
/// The costly laws are checked at one of this many states.
const LOOK: u32 = 4;

type Rng = rand::rngs::ChaCha8Rng;

/// Matches per number of seats, unless the environment variable `RULES_LAW_MATCHES` says otherwise.
const MATCHES: u64 = 10;

/// Checks every law on random matches at every number of seats, each match with other options.
///
/// # Panics
/// If the game breaks a law.
pub fn conforms(kind: &dyn Kind) {
    conforms_with_fleeting_sights(kind, &[]);
}

/// The same as [`conforms`] for a game without hidden information, in which resampling changes nothing.
///
/// # Panics
/// If the game breaks a law or hides something.
pub fn conforms_openly(kind: &dyn Kind) {
    let varied = hold(kind, &[]);
    assert!(varied.iter().all(|times| *times == 0), "{}: something is hidden", kind.info().id);
}

/// The same as [`conforms`] for a game in which all see something that no view shows afterwards, for example a card that
/// is turned up and goes to a face-down discard pile. `fleeting` names the types of the events that tell everybody of
/// it. All other events are held to the law, and these are when only some viewers are told.
///
/// # Panics
/// If the game breaks a law.
pub fn conforms_with_fleeting_sights(kind: &dyn Kind, fleeting: &[&str]) {
    let varied = hold(kind, fleeting);
    assert!(varied.iter().all(|times| *times > 0), "{}: resampling never changed a hidden thing", kind.info().id);
}

/// Checks [`Game::determinize`](crate::Game::determinize) on random matches at every number of seats: what it draws looks
/// to its seat exactly like the truth, could be the truth, and plays on. What is hidden is not the same in all that it
/// draws.
///
/// # Panics
/// If it breaks these laws, or finds no world.
pub fn determinizes(kind: &dyn Kind) {
    assert_eq!(kind.levels(), Level::ALL, "{}: a bot may search", kind.info().id);
    let mut varied = Varied::default();
    for seats in kind.info().seats {
        for seed in 0..matches() {
            let random = &mut random(seed * 100 + u64::from(seats));
            let options = some_options(kind, seats, random, seed);
            Laws { kind, seats, options, fleeting: &[] }.worlds_look_like_the_truth(&mut varied, random);
        }
    }
    varied.covers_what_is_hidden(kind.info().id);
}

fn matches() -> u64 {
    std::env::var("RULES_LAW_MATCHES").ok().and_then(|it| it.parse().ok()).unwrap_or(MATCHES)
}

/// Checks the laws. Returns, per number of seats, how often resampling changed something.
fn hold(kind: &dyn Kind, fleeting: &[&str]) -> Vec<u32> {
    options::bounds_are_enforced(kind);
    let mut drawn = BTreeSet::new();
    let mut at = |seats| {
        let mut hold_in = |seed: u64| {
            let random = &mut random(seed * 100 + u64::from(seats));
            let options = some_options(kind, seats, random, seed);
            let laws = Laws { kind, seats, options, fleeting };
            let (varied, story) = laws.hold_through_a_match(random);
            laws.draws_are_random(&story, &mut drawn, random);
            laws.secrets_stay_secret(&story, random);
            laws.autopilots_finish(random);
            laws.ends_are_told_truly(random);
            varied
        };
        (0..matches()).map(&mut hold_in).sum()
    };
    kind.info().seats.map(&mut at).collect()
}

struct Laws<'a> {
    kind: &'a dyn Kind,
    seats: u8,
    options: Value,
    /// The types of the events that tell everybody what no view shows afterwards.
    fleeting: &'a [&'a str],
}

impl Laws<'_> {
    /// Returns how many resampled states differed from their original, and all that happened.
    fn hold_through_a_match(&self, random: &mut Random<Rng>) -> (u32, Vec<Happened>) {
        let (mut play, step) = self.started(random);
        let mut story = vec![Happened::new(None, None, &step)];
        let mut tried = vec![json!({"type": "no_such_move"}), json!({}), json!([])];
        let mut varied = 0;
        for _ in 0..MOST_MOVES {
            self.turn_is_sound(play.as_ref());
            let looks = random.below(LOOK) == 0;
            if looks {
                self.saved_is_the_same(play.as_ref());
                self.only_legal_moves_are_accepted(&mut play, &tried, random);
                self.only_exact_types_are_read(play.as_ref(), random);
            }
            let Some((seat, chosen)) = random_move(play.as_ref(), random) else {
                self.replays(play.as_ref(), &story);
                return (varied, story);
            };
            let chosen = value(&chosen);
            if tried.len() < 40 {
                tried.push(chosen.clone());
                tried.push(mutate(&chosen, random));
            }
            let before = looks.then(|| self.resumed(play.as_ref()));
            let saved = looks.then(|| play.save());
            let step = play.play(seat, &chosen, random).expect("a listed move is accepted");
            if let Some(before) = before {
                varied +=
                    self.nothing_hidden_shows(before.as_ref(), (seat, &chosen), (play.as_ref(), &step), &tried, random);
            }
            story.push(Happened::new(saved, Some((seat, chosen)), &step));
        }
        panic!("{}: a match does not end", self.name());
    }

    fn started(&self, random: &mut Random<Rng>) -> (Box<dyn Match>, Step) {
        let started = self.kind.start(&self.options, self.seats, random);
        started.unwrap_or_else(|err| panic!("{}: {err}", self.name()))
    }

    fn name(&self) -> String {
        format!("{} {} at {} seats", self.kind.info().id, self.options, self.seats)
    }

    fn every_seat(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.seats).map(Seat)
    }

    fn resumed(&self, play: &dyn Match) -> Box<dyn Match> {
        self.kind.resume(&play.save()).expect("a saved match resumes")
    }

    /// Exactly the seats that may act have legal moves. Every view says which seats may act, and how the match ended.
    fn turn_is_sound(&self, play: &dyn Match) {
        let (turn, name) = (play.turn(), self.name());
        assert_ne!(turn, Turn::Chance, "{name}: no random outcome is pending between calls");
        let may = may_act(&turn);
        for seat in self.every_seat() {
            assert_eq!(
                may.has(seat),
                !play.legal_moves(seat).is_empty(),
                "{name}: legal moves of {seat:?} in {turn:?}"
            );
        }
        let view = value(&play.view(Viewer::Public));
        let (to_move, interrupt, outcome) = match &turn {
            Turn::Seats { to_move, interrupt } => (json!(to_move), json!(interrupt), Value::Null),
            Turn::Over(outcome) => (json!([]), json!([]), json!(outcome)),
            Turn::Chance => unreachable!("asserted above"),
        };
        let said = [&view["game"], &view["seats"], &view["to_move"], &view["interrupt"], &view["outcome"]];
        assert_eq!(said, [&json!(self.kind.info().id), &json!(self.seats), &to_move, &interrupt, &outcome], "{name}");
        let settled = self.kind.normalize_options(&self.options, self.seats).expect("allowed");
        assert_eq!(view["options"], settled, "{name}: all options are shown");
        assert!(self.kind.info().phases.iter().any(|phase| view["phase"] == *phase), "{name}: phase {}", view["phase"]);
        if let Err(broken) = play.invariant() {
            panic!("{name}: {broken}: {play:?}");
        }
        if let Turn::Over(outcome) = turn {
            ranks::are_sound(&outcome, self.seats, &name);
            let listed = self.kind.info().reasons.contains(&outcome.reason.as_str());
            assert!(listed, "{name}: the reason {:?} is not listed", outcome.reason);
        } else {
            assert!(!may.is_empty(), "{name}: nobody may move");
        }
    }

    fn saved_is_the_same(&self, play: &dyn Match) {
        let again = self.resumed(play);
        assert_eq!(again.save(), play.save(), "{}: saving, resuming and saving differ", self.name());
        for viewer in Viewer::all(self.seats) {
            let view = play.view(viewer);
            assert_eq!(again.view(viewer).get(), view.get(), "{}: a resumed view", self.name());
            let read = self.kind.reread_view(&view).expect("boards read views");
            assert_eq!(read.get(), view.get(), "{}: a view that was read", self.name());
        }
    }

    /// A move is accepted if and only if it is listed. A refusal changes nothing and gives a known code.
    fn only_legal_moves_are_accepted(&self, play: &mut Box<dyn Match>, tried: &[Value], random: &mut Random<Rng>) {
        let before = play.save();
        let known: Vec<&str> =
            Refusal::COMMON.iter().map(|it| it.0).chain(self.kind.info().refusals.iter().copied()).collect();
        for seat in self.every_seat() {
            let legal: Vec<Value> = play.legal_moves(seat).iter().map(value).collect();
            for chosen in &legal {
                assert_eq!(play.check(seat, chosen), Ok(()), "{}: {seat:?} is offered {chosen}", self.name());
            }
            let others = self.every_seat().flat_map(|other| play.legal_moves(other));
            let others: Vec<Value> = others.take(60).map(|it| value(&it)).collect();
            let mutated = legal.iter().take(12).map(|it| mutate(it, random)).collect::<Vec<_>>();
            for chosen in tried.iter().cloned().chain(mutated).chain(others) {
                match play.check(seat, &chosen) {
                    Ok(()) => assert!(lists(&legal, &chosen), "{}: {seat:?} may {chosen}, unlisted", self.name()),
                    Err(code) => {
                        assert!(!lists(&legal, &chosen), "{}: {seat:?} may not {chosen}, though listed", self.name());
                        assert!(known.contains(&code.0), "{}: unknown code {code}", self.name());
                        let refused = play.play(seat, &chosen, random).map(|_| ());
                        assert_eq!(refused, Err(PlayError::Refused(code)), "{}", self.name());
                    }
                }
            }
        }
        assert_eq!(play.save(), before, "{}: a refused move changed something", self.name());
    }

    /// Values that resemble a legal move are refused.
    fn only_exact_types_are_read(&self, play: &dyn Match, random: &mut Random<Rng>) {
        let Turn::Seats { to_move, .. } = play.turn() else { return };
        for seat in to_move.iter() {
            let moves = play.legal_moves(seat);
            let chosen = value(&moves[random.below(moves.len() as u32) as usize]);
            let (other_types, other_fields) = lookalike_moves(&chosen);
            for (tried, code) in [(other_types, Refusal::UNKNOWN_MOVE), (other_fields, Refusal::INVALID_MOVE)] {
                for tried in tried {
                    assert_eq!(play.check(seat, &tried), Err(code), "{}: {seat:?} tries {tried}", self.name());
                }
            }
        }
    }

    /// The same options, seats, outcomes and moves give the same bytes.
    fn replays(&self, play: &dyn Match, story: &[Happened]) {
        let mut chance: VecDeque<Value> = story.iter().flat_map(|it| it.chance.iter().cloned()).collect();
        let (mut again, _) = self.kind.start(&self.options, self.seats, &mut chance).expect("it started before");
        for (seat, chosen) in story.iter().filter_map(|it| it.made.as_ref()) {
            again.play(*seat, chosen, &mut chance).expect("it was accepted before");
        }
        assert_eq!(again.save(), play.save(), "{}: a replay differs", self.name());
        assert!(chance.is_empty(), "{}: a replay needs less chance", self.name());
    }

    /// In games with scores, ranks agree with them at the end of many matches.
    fn ends_are_told_truly(&self, random: &mut Random<Rng>) {
        for _ in 0..ENDS {
            let (mut play, _) = self.started(random);
            while let Some((seat, chosen)) = random_move(play.as_ref(), random) {
                play.play(seat, &value(&chosen), random).expect("a listed move is accepted");
            }
            self.turn_is_sound(play.as_ref());
            if matches!(play.turn(), Turn::Over(Outcome { scores: None, .. })) {
                return;
            }
        }
    }

    /// The moves of the autopilot and of bots out of turn are legal, and every match that they play ends.
    fn autopilots_finish(&self, random: &mut Random<Rng>) {
        let (mut play, _) = self.kind.start(&self.options, self.seats, random).expect("the options are allowed");
        for _ in 0..MOST_MOVES {
            let Turn::Seats { to_move, interrupt } = play.turn() else { return };
            let mut out_of_turn = |seat| {
                let chosen = play.interruption(seat, &[], Level::Medium, &mut || true, random);
                chosen.expect("nothing was told").map(|chosen| (seat, chosen))
            };
            if let Some((seat, chosen)) = interrupt.iter().find_map(&mut out_of_turn) {
                play.play(seat, &value(&chosen), random).expect("a bot interrupts by the rules");
                continue;
            }
            let mut seats: Vec<Seat> = to_move.iter().collect();
            shuffle(&mut seats, random);
            let chosen: Json = play.autopilot(seats[0], random).expect("a seat on turn has a move");
            play.play(seats[0], &value(&chosen), random).expect("the autopilot keeps to the rules");
        }
        panic!("{}: autopilots do not finish", self.name());
    }
}

/// A step of a match: its start, or a move.
struct Happened {
    /// The match before the move, where the costly laws look.
    saved: Option<Vec<u8>>,
    /// `None` for the start.
    made: Option<(Seat, Value)>,
    chance: Vec<Value>,
}

impl Happened {
    fn new(saved: Option<Vec<u8>>, made: Option<(Seat, Value)>, step: &Step) -> Self {
        Happened { saved, made, chance: step.chance.iter().map(value).collect() }
    }

    fn is_looked_at(&self) -> bool {
        self.made.is_none() || self.saved.is_some()
    }
}

/// Compares moves without regard to the order inside lists: dice have no order.
fn lists(legal: &[Value], chosen: &Value) -> bool {
    let sorted = |it: &Value| {
        let mut it = it.clone();
        for field in it.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
            if let Some(list) = field.as_array_mut() {
                list.sort_by_key(ToString::to_string);
            }
        }
        it
    };
    let chosen = sorted(chosen);
    legal.iter().any(|it| sorted(it) == chosen)
}
