//! The laws of random outcomes: what is drawn varies, and exactly what may be drawn is accepted.
//!
//! The game draws the same outcome many times. A changed outcome that it accepts must be like one of those drawn. All
//! bounds are so wide that a game that draws evenly passes with any seed.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::leaves::{lists_and_scalars, words};
use super::twins::Scripted;
use super::{Happened, Laws, Rng};
use crate::chance::{Random, Source};

/// How often an outcome is drawn.
const DRAWS: usize = 200;
/// What happens this seldom by chance is held for impossible.
const IMPOSSIBLE: f64 = 1e-6;
/// So many entries in a row are never the same by chance, even where there are two.
const FOLLOWERS: usize = 40;
/// How many pairs of entries are swapped.
const SWAPS: usize = 6;

/// An outcome, and what the game draws in its place.
struct Drawn<'a> {
    laws: &'a Laws<'a>,
    happened: &'a Happened,
    place: usize,
    outcomes: Vec<Value>,
    words: &'a BTreeSet<String>,
}

impl Laws<'_> {
    /// Looks at each kind of outcome once, by its name and the lengths of its lists.
    pub(super) fn draws_are_random(&self, story: &[Happened], seen: &mut BTreeSet<String>, random: &mut Random<Rng>) {
        let words = words(&self.kind.schemas().view.to_value());
        for happened in story.iter().filter(|it| it.is_looked_at()) {
            for (place, outcome) in happened.chance.iter().enumerate() {
                if !seen.insert(shape(outcome)) {
                    continue;
                }
                let draw = |_| self.with_outcome(happened, place, None, random).expect("an outcome is drawn");
                let outcomes = (0..DRAWS).map(draw).collect();
                let drawn = Drawn { laws: self, happened, place, outcomes, words: &words };
                drawn.is_accepted_if_possible(random);
                drawn.order_is_random(random);
            }
        }
    }

    /// Repeats a step with one outcome drawn again, or with this one if the game accepts it. Returns the outcome.
    fn with_outcome(
        &self,
        happened: &Happened,
        place: usize,
        outcome: Option<Value>,
        random: &mut Random<Rng>,
    ) -> Option<Value> {
        let before = happened.chance[..place].iter().cloned().map(Some);
        let script: VecDeque<Option<Value>> = before.chain([outcome]).collect();
        let dealer = &mut Scripted { script, random };
        let step = match (&happened.made, &happened.saved) {
            (Some((seat, chosen)), Some(saved)) => {
                let mut play = self.kind.resume(saved).expect("a saved match resumes");
                play.play(*seat, chosen, dealer).ok()?
            }
            _ => self.kind.start(&self.options, self.seats, dealer).ok()?.1,
        };
        step.chance.get(place).map(crate::record::value)
    }
}

/// The kind of an outcome, and how long its lists are.
fn shape(outcome: &Value) -> String {
    let (lists, scalars) = lists_and_scalars(outcome);
    let lengths = lists.iter().map(|at| outcome.pointer(at).and_then(Value::as_array).map_or(0, Vec::len));
    let kinds = outcome.as_object().into_iter().flat_map(|it| it.keys());
    format!("{:?} {:?} {}", kinds.collect::<Vec<_>>(), lengths.collect::<Vec<_>>(), scalars.len())
}

impl Drawn<'_> {
    fn truth(&self) -> &Value {
        &self.happened.chance[self.place]
    }

    /// The outcome as the game takes it, if it accepts it.
    fn accepted(&self, outcome: &Value, random: &mut Random<Rng>) -> Option<Value> {
        self.laws.with_outcome(self.happened, self.place, Some(outcome.clone()), random)
    }

    fn is_accepted_if_possible(&self, random: &mut Random<Rng>) {
        let (lists, scalars) = lists_and_scalars(self.truth());
        for at in &scalars {
            let drawn = self.drawn_at(at);
            for other in self.candidates(&drawn) {
                let Some(taken) = self.accepted(&self.with(at, other), random) else { continue };
                let same = taken.pointer(at).is_some_and(|it| drawn.contains(&it.to_string()));
                assert!(same || !is_telling(drawn.len(), DRAWS), "{}: {taken} is never drawn", self.laws.name());
            }
        }
        for at in &lists {
            for changed in self.changed_lists(at) {
                if let Some(taken) = self.accepted(&self.with(at, changed), random) {
                    self.list_may_be(at, &taken);
                }
            }
        }
    }

    /// Is the accepted list like those drawn: as long, of the same entries, and with one twice only if that is drawn?
    fn list_may_be(&self, at: &str, taken: &Value) {
        let name = self.laws.name();
        let lists: Vec<&Vec<Value>> = self.lists_at(at).collect();
        let Some(list) = taken.pointer(at).and_then(Value::as_array) else { return };
        assert!(lists.iter().any(|it| it.len() == list.len()), "{name}: {taken} is never drawn, for its length");
        let entries: BTreeSet<String> = lists.iter().flat_map(|it| it.iter()).map(Value::to_string).collect();
        let many = lists.iter().map(|it| it.len()).sum();
        let known = list.iter().all(|it| entries.contains(&it.to_string()));
        assert!(known || !is_telling(entries.len(), many), "{name}: {taken} is never drawn, for an entry");
        let never_twice = lists.iter().all(|it| is_distinct(it)) && seldom_distinct(entries.len(), &lists);
        assert!(!never_twice || is_distinct(list), "{name}: {taken} is never drawn, for an entry is there twice");
    }

    /// If the order of a list counts, every order may come.
    fn order_is_random(&self, random: &mut Random<Rng>) {
        let (lists, _) = lists_and_scalars(self.truth());
        for at in &lists {
            let Some(list) = self.truth().pointer(at).and_then(Value::as_array).filter(|it| it.len() > 1) else {
                continue;
            };
            for _ in 0..SWAPS {
                let [one, other] = [(); 2].map(|()| random.below(list.len() as u32) as usize);
                let mut swapped = list.clone();
                swapped.swap(one, other);
                let swapped = self.with(at, swapped.into());
                if swapped == *self.truth() || self.accepted(&swapped, random).as_ref() != Some(&swapped) {
                    continue;
                }
                for place in [one, other] {
                    let there: BTreeSet<String> =
                        self.lists_at(at).filter_map(|it| it.get(place)).map(Value::to_string).collect();
                    assert!(there.len() > 1, "{}: {at} of {} never changes place", self.laws.name(), self.truth());
                }
                let orders: BTreeSet<String> = self.lists_at(at).map(|it| json!(it).to_string()).collect();
                let enough = [1, 1, 2, 3, 12, 25][list.len().min(5)];
                let is_shuffled = orders.len() >= enough || !self.lists_at(at).all(|it| is_distinct(it));
                assert!(is_shuffled, "{}: only {} orders of {}", self.laws.name(), orders.len(), self.truth());
                let followers = self.followers(at, &list[one]);
                let is_cut = followers.len() >= FOLLOWERS && followers.iter().collect::<BTreeSet<_>>().len() == 1;
                assert!(!is_cut, "{}: {at} of {} is cut, not shuffled", self.laws.name(), self.truth());
            }
        }
    }

    /// What stands after this entry, each time that something does.
    fn followers(&self, at: &str, entry: &Value) -> Vec<String> {
        let lists = self.lists_at(at).filter(|it| it.len() > 2 && is_distinct(it));
        let follower = |list: &Vec<Value>| list.get(list.iter().position(|it| it == entry)? + 1).map(Value::to_string);
        lists.filter_map(follower).collect()
    }

    fn with(&self, at: &str, other: Value) -> Value {
        let mut changed = self.truth().clone();
        if let Some(here) = changed.pointer_mut(at) {
            *here = other;
        }
        changed
    }

    fn drawn_at(&self, at: &str) -> BTreeSet<String> {
        self.outcomes.iter().filter_map(|it| it.pointer(at)).map(Value::to_string).collect()
    }

    fn lists_at(&self, at: &str) -> impl Iterator<Item = &Vec<Value>> {
        self.outcomes.iter().filter_map(move |it| it.pointer(at)).filter_map(Value::as_array)
    }

    /// Values that might stand in place of these: small numbers, or all words of the game.
    fn candidates(&self, drawn: &BTreeSet<String>) -> Vec<Value> {
        let numbers: Vec<i64> = drawn.iter().filter_map(|it| it.parse().ok()).collect();
        match numbers.iter().max() {
            Some(most) => (-1..=most.saturating_add(2).min(60)).chain([255]).map(|it| json!(it)).collect(),
            None => self.words.iter().map(|it| json!(it)).collect(),
        }
    }

    /// The list with another first entry, with an entry twice, longer, shorter and empty.
    fn changed_lists(&self, at: &str) -> Vec<Value> {
        let list = self.truth().pointer(at).and_then(Value::as_array).cloned().unwrap_or_default();
        let entries = self.lists_at(at).flatten().map(Value::to_string).collect();
        let mut changed: Vec<Value> = vec![json!([]), json!(list[..list.len().saturating_sub(1)])];
        changed.extend(list.first().map(|first| json!([&list[..], std::slice::from_ref(first)].concat())));
        if let [_, rest @ ..] = list.as_slice() {
            changed.extend(self.candidates(&entries).into_iter().map(|first| json!([&[first], rest].concat())));
            changed.extend(rest.first().map(|second| json!([std::slice::from_ref(second), rest].concat())));
        }
        changed
    }
}

fn is_distinct(list: &[Value]) -> bool {
    list.iter().map(Value::to_string).collect::<BTreeSet<_>>().len() == list.len()
}

/// Would one more value, as likely as these, have been drawn by now?
fn is_telling(different: usize, drawn: usize) -> bool {
    let missed = 1.0 - 1.0 / (different as f64 + 1.0);
    missed.powf(drawn as f64) < IMPOSSIBLE
}

/// Would lists of entries that are drawn each for itself show one twice by now?
fn seldom_distinct(different: usize, lists: &[&Vec<Value>]) -> bool {
    let distinct =
        |list: &&Vec<Value>| (0..list.len()).map(|taken| 1.0 - taken as f64 / different as f64).product::<f64>();
    lists.iter().map(distinct).product::<f64>() < IMPOSSIBLE
}
