//! The laws that every game keeps, checked on random matches through [`Kind`]: with any options, at any number of
//! seats.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::bots::Level;
use crate::chance::{Random, Source, shuffle};
use crate::erased::{Json, Kind, Match, PlayError, Step};
use crate::game::{Audience, BadOptions, Outcome, Refusal, Turn, Viewer};
use crate::lookalikes::{lookalike_moves, lookalikes};
use crate::playout::{may_act, mutate, random, random_move};
use crate::record::value;
use crate::seats::Seat;

/// No match of any game is longer.
const MOST_MOVES: usize = 20_000;
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
    let varied = hold(kind, Memory::InViews);
    assert!(varied.iter().all(|times| *times > 0), "{}: resampling never changed a hidden thing", kind.info().id);
}

/// The same as [`conforms`] for a game without hidden information, in which resampling changes nothing.
///
/// # Panics
/// If the game breaks a law or hides something.
pub fn conforms_openly(kind: &dyn Kind) {
    let varied = hold(kind, Memory::InViews);
    assert!(varied.iter().all(|times| *times == 0), "{}: something is hidden", kind.info().id);
}

/// The same as [`conforms`] for a game in which one move may turn up a card for all and put it away again, for example
/// into a discard pile that views do not show. Events tell of such a card; views need not.
///
/// # Panics
/// When a law is broken.
pub fn conforms_with_fleeting_sights(kind: &dyn Kind) {
    let varied = hold(kind, Memory::InEventsToo);
    assert!(varied.iter().all(|times| *times > 0), "{}: resampling never changed a hidden thing", kind.info().id);
}

/// Checks [`Game::determinize`](crate::Game::determinize) on random matches at every number of seats: what it draws looks
/// to its seat exactly like the truth, could be the truth, and plays on.
///
/// # Panics
/// If it breaks this law, or finds no world.
pub fn determinizes(kind: &dyn Kind) {
    assert_eq!(kind.levels(), Level::ALL, "{}: a bot may search", kind.info().id);
    for seats in kind.info().seats {
        for seed in 0..MATCHES {
            let random = &mut random(seed * 100 + u64::from(seats));
            let options = some_options(kind, seats, random, seed);
            Laws { kind, seats, options, memory: Memory::InViews }.worlds_look_like_the_truth(random);
        }
    }
}

/// Where public information remains readable.
#[derive(Clone, Copy, PartialEq)]
enum Memory {
    InViews,
    InEventsToo,
}

/// Checks the laws. Returns, per number of seats, how often resampling changed something.
fn hold(kind: &dyn Kind, memory: Memory) -> Vec<u32> {
    let matches = std::env::var("RULES_LAW_MATCHES").ok().and_then(|it| it.parse().ok()).unwrap_or(MATCHES);
    bounds_are_enforced(kind);
    let at = |seats| {
        let hold_in = |seed: u64| {
            let random = &mut random(seed * 100 + u64::from(seats));
            let options = some_options(kind, seats, random, seed);
            let laws = Laws { kind, seats, options, memory };
            let varied = laws.hold_through_a_match(random);
            laws.autopilots_finish(random);
            varied
        };
        (0..matches).map(hold_in).sum()
    };
    kind.info().seats.map(at).collect()
}

/// Random options that the game accepts; the defaults first.
pub fn some_options(kind: &dyn Kind, seats: u8, source: &mut dyn Source, round: u64) -> Value {
    let schema = value_of(kind.options_schema());
    let mut options = json!({});
    for (key, property) in properties(&schema) {
        let choices = choices(&schema, property);
        if round > 0 && source.below(2) == 0 {
            options[key] = choices[source.below(choices.len() as u32) as usize].clone();
        }
    }
    match kind.normalize_options(&options, seats) {
        Ok(_) => options,
        Err(_) => json!({}),
    }
}

/// The values to try for an option: all values of a list, the bounds and the middle of a range.
pub fn choices(schema: &Value, property: &Value) -> Vec<Value> {
    let property = resolve(schema, property);
    if let Some(any) = property["anyOf"].as_array().or(property["oneOf"].as_array()) {
        return any.iter().flat_map(|it| choices(schema, it)).collect();
    }
    if let Some(listed) = property["enum"].as_array() {
        return listed.clone();
    }
    if !property["const"].is_null() {
        return vec![property["const"].clone()];
    }
    match (property["minimum"].as_i64(), property["maximum"].as_i64(), &property["type"]) {
        (Some(low), Some(high), _) => vec![json!(low), json!(high), json!((low + high) / 2)],
        (_, _, kind) if kind == "boolean" => vec![json!(false), json!(true)],
        (_, _, kind) if kind == "null" => vec![Value::Null],
        (_, _, kind) => panic!("an option of type {kind} has no bounds: {property}"),
    }
}

fn resolve<'a>(schema: &'a Value, property: &'a Value) -> &'a Value {
    match property["$ref"].as_str() {
        Some(path) => schema.pointer(path.trim_start_matches('#')).unwrap_or(property),
        None => property,
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

fn value_of(schema: schemars::Schema) -> Value {
    schema.to_value()
}

/// Set-up refuses all that the options' schema forbids, and names the key.
fn bounds_are_enforced(kind: &dyn Kind) {
    let (id, seats) = (kind.info().id, kind.info().seats);
    let schema = value_of(kind.options_schema());
    let refused = |options: Value, key: &str| match kind.normalize_options(&options, *seats.start()) {
        Err(BadOptions::Option { key: named, .. }) => assert_eq!(named, key, "{id} blames another key for {options}"),
        other => panic!("{id} does not refuse {options}: {other:?}"),
    };
    refused(json!({"no_such_option": true}), "no_such_option");
    for (key, property) in properties(&schema) {
        assert!(
            !property["default"].is_null() || choices(&schema, property).contains(&Value::Null),
            "{id}: {key} has no default"
        );
        refused(json!({key: {"no": "such type"}}), key);
        refused(json!({key: "no such value"}), key);
        let choices = choices(&schema, property);
        let alike = choices.iter().flat_map(lookalikes).filter(|it| !choices.contains(it));
        alike.for_each(|it| refused(json!({ key: it }), key));
        let property = resolve(&schema, property);
        if let (Some(low), Some(high)) = (property["minimum"].as_i64(), property["maximum"].as_i64()) {
            refused(json!({key: low - 1}), key);
            refused(json!({key: high + 1}), key);
            refused(json!({key: low as f64 + 0.5}), key);
        }
    }
    for many in [seats.start() - 1, seats.end() + 1] {
        let err = kind.normalize_options(&json!({"no_such_option": 1}), many).expect_err("too few or too many");
        assert_eq!(err.code(), "invalid_seats", "{id}: seats are checked first");
    }
}

struct Laws<'a> {
    kind: &'a dyn Kind,
    seats: u8,
    options: Value,
    memory: Memory,
}

impl Laws<'_> {
    /// Returns how many resampled states differed from their original.
    fn hold_through_a_match(&self, random: &mut Random<Rng>) -> u32 {
        let (mut play, step) = self.kind.start(&self.options, self.seats, random).expect("the options are allowed");
        let mut script = Script::default();
        script.note(None, &step);
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
                self.replays(play.as_ref(), script);
                return varied;
            };
            let chosen = value(&chosen);
            if tried.len() < 40 {
                tried.push(chosen.clone());
                tried.push(mutate(&chosen, random));
            }
            let before = looks.then(|| self.resumed(play.as_ref()));
            let step = play.play(seat, &chosen, random).expect("a listed move is accepted");
            if let Some(before) = before {
                varied +=
                    self.nothing_hidden_shows(before.as_ref(), (seat, &chosen), (play.as_ref(), &step), &tried, random);
            }
            script.note(Some((seat, chosen)), &step);
        }
        panic!("{}: a match does not end", self.name());
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
        if let Turn::Over(outcome) = turn {
            ranks_are_sound(&outcome, self.seats, &name);
        } else {
            assert!(!may.is_empty(), "{name}: nobody may move");
        }
    }

    fn saved_is_the_same(&self, play: &dyn Match) {
        let again = self.resumed(play);
        assert_eq!(again.save(), play.save(), "{}: saving, resuming and saving differ", self.name());
        for viewer in Viewer::all(self.seats) {
            assert_eq!(again.view(viewer).get(), play.view(viewer).get(), "{}: a resumed view", self.name());
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

    /// Information that is hidden from a viewer does not change its view, moves, refusals or events.
    fn nothing_hidden_shows(
        &self,
        before: &dyn Match,
        (seat, chosen): (Seat, &Value),
        (after, step): (&dyn Match, &Step),
        tried: &[Value],
        random: &mut Random<Rng>,
    ) -> u32 {
        let mut varied = 0;
        for viewer in Viewer::all(self.seats) {
            let mut other = before.resample(viewer, random);
            varied += u32::from(other.save() != before.save());
            let name = self.name();
            assert_eq!(other.view(viewer).get(), before.view(viewer).get(), "{name}: view of {viewer:?}");
            if let Viewer::Seat(mine) = viewer {
                let moves =
                    |play: &dyn Match| play.legal_moves(mine).iter().map(|it| it.get().to_owned()).collect::<Vec<_>>();
                assert_eq!(moves(other.as_ref()), moves(before), "{name}: legal moves of {mine:?}");
                for chosen in tried {
                    assert_eq!(
                        other.check(mine, chosen),
                        before.check(mine, chosen),
                        "{name}: {mine:?} tries {chosen}"
                    );
                }
            }
            // The same move and chance in the resampled match: if the view is the same afterwards, the events are the
            // same.
            let mut chance: VecDeque<Value> = step.chance.iter().map(value).collect();
            let Ok(told) = other.play(seat, chosen, &mut chance) else { continue };
            let all_saw = |step: &Step| {
                let public = step.events.iter().filter(|told| told.to == Audience::Everyone);
                public.map(|told| told.event.get().to_owned()).collect::<Vec<_>>()
            };
            let same_sights = self.memory == Memory::InViews || all_saw(&told) == all_saw(step);
            if same_sights && other.view(viewer).get() == after.view(viewer).get() {
                let told_to = |step: &Step| step.events_for(viewer).map(|it| it.get().to_owned()).collect::<Vec<_>>();
                assert_eq!(told_to(&told), told_to(step), "{name}: {viewer:?} is told more than it sees");
            }
        }
        varied
    }

    fn worlds_look_like_the_truth(&self, random: &mut Random<Rng>) {
        let (mut play, step) = self.kind.start(&self.options, self.seats, random).expect("the options are allowed");
        let mut told: Vec<Vec<Json>> = vec![Vec::new(); self.seats.into()];
        let tell = |told: &mut Vec<Vec<Json>>, step: &Step| {
            for seat in self.every_seat() {
                told[seat.index()].extend(step.events_for(Viewer::Seat(seat)).cloned());
            }
        };
        tell(&mut told, &step);
        while let Some((seat, chosen)) = random_move(play.as_ref(), random) {
            if random.below(LOOK) == 0 {
                self.world_looks_like(play.as_ref(), seat, &told[seat.index()], random);
            }
            let step = play.play(seat, &value(&chosen), random).expect("a listed move is accepted");
            tell(&mut told, &step);
        }
    }

    fn world_looks_like(&self, play: &dyn Match, seat: Seat, told: &[Json], random: &mut Random<Rng>) {
        let name = self.name();
        let world = play.determinize(seat, told, random).expect("events are read");
        let mut world = world.unwrap_or_else(|| panic!("{name}: {seat:?} finds no world"));
        let texts = |moves: Vec<Json>| moves.iter().map(|it| it.get().to_owned()).collect::<Vec<_>>();
        assert_eq!(
            world.view(Viewer::Seat(seat)).get(),
            play.view(Viewer::Seat(seat)).get(),
            "{name}: view of {seat:?}"
        );
        assert_eq!(texts(world.legal_moves(seat)), texts(play.legal_moves(seat)), "{name}: legal moves of {seat:?}");
        assert!(self.kind.resume(&world.save()).is_ok(), "{name}: {seat:?} draws a world that cannot be");
        for _ in 0..MOST_MOVES {
            let Some((seat, chosen)) = random_move(world.as_ref(), random) else { return };
            world.play(seat, &value(&chosen), random).expect("a listed move is accepted");
        }
        panic!("{name}: a world that was drawn does not end");
    }

    /// The same options, seats, outcomes and moves give the same bytes.
    fn replays(&self, play: &dyn Match, mut script: Script) {
        let (mut again, _) = self.kind.start(&self.options, self.seats, &mut script.chance).expect("it started before");
        for (seat, chosen) in script.moves {
            again.play(seat, &chosen, &mut script.chance).expect("it was accepted before");
        }
        assert_eq!(again.save(), play.save(), "{}: a replay differs", self.name());
        assert!(script.chance.is_empty(), "{}: a replay needs less chance", self.name());
    }

    /// The moves of the autopilot are legal, and every match that it plays ends.
    fn autopilots_finish(&self, random: &mut Random<Rng>) {
        let (mut play, _) = self.kind.start(&self.options, self.seats, random).expect("the options are allowed");
        for _ in 0..MOST_MOVES {
            let Turn::Seats { to_move, .. } = play.turn() else { return };
            let mut seats: Vec<Seat> = to_move.iter().collect();
            shuffle(&mut seats, random);
            let chosen: Json = play.autopilot(seats[0], random).expect("a seat on turn has a move");
            play.play(seats[0], &value(&chosen), random).expect("the house keeps to the rules");
        }
        panic!("{}: autopilots do not finish", self.name());
    }
}

#[derive(Default)]
struct Script {
    chance: VecDeque<Value>,
    moves: Vec<(Seat, Value)>,
}

impl Script {
    fn note(&mut self, made: Option<(Seat, Value)>, step: &Step) {
        self.moves.extend(made);
        self.chance.extend(step.chance.iter().map(value));
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

fn ranks_are_sound(outcome: &Outcome, seats: u8, name: &str) {
    assert_eq!(outcome.ranks.count(), seats, "{name}");
    for rank in outcome.ranks.iter() {
        let better = outcome.ranks.iter().filter(|other| *other < rank).count() as u8;
        assert_eq!(*rank, better + 1, "{name}: ranks {:?}", outcome.ranks);
    }
    assert!(!outcome.reason.is_empty(), "{name}");
}
