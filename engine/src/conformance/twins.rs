//! Secrets of one step: the same match is played with another secret move, or with other private chance. A viewer
//! that sees no difference is told of none, and [`Match::resample`] knows that the difference is hidden.

use std::collections::VecDeque;

use serde_json::Value;

use super::hiding::moves;
use super::leaves::{differing, lists_and_scalars};
use super::{Happened, Laws, Rng};
use crate::chance::{Dealer, Dealt, Random, Source};
use crate::erased::{Match, PlayError, Step};
use crate::game::Viewer;
use crate::record::value;

/// How many other moves of a seat are tried.
const OTHER_MOVES: usize = 6;
/// How many moves further two matches are compared.
const HORIZON: usize = 8;
/// How often a state is resampled until all that differs has changed.
const RESAMPLES: u32 = 3_000;

/// What is different in the other match.
enum Change {
    Move(Value),
    /// These outcomes; `None` is drawn.
    Chance(VecDeque<Option<Value>>),
}

/// Gives the outcomes of a script and draws those that are missing.
pub(super) struct Scripted<'a> {
    pub(super) script: VecDeque<Option<Value>>,
    pub(super) random: &'a mut Random<Rng>,
}

impl Dealer for Scripted<'_> {
    fn next(&mut self) -> Dealt<'_> {
        match self.script.pop_front().flatten() {
            Some(outcome) => Dealt::Is(outcome),
            None => Dealt::From(self.random),
        }
    }
}

impl Laws<'_> {
    pub(super) fn secrets_stay_secret(&self, story: &[Happened], random: &mut Random<Rng>) {
        for (at, happened) in story.iter().enumerate().filter(|(_, it)| it.is_looked_at()) {
            for change in self.changes(happened, random) {
                self.change_stays_secret(&story[at..], &change, random);
            }
        }
    }

    /// Other moves of the seat, and other outcomes: one of them drawn or with two entries swapped, and all of them drawn.
    fn changes(&self, happened: &Happened, random: &mut Random<Rng>) -> Vec<Change> {
        let mut changes = Vec::new();
        if let (Some((seat, chosen)), Some(saved)) = (&happened.made, &happened.saved) {
            let before = self.kind.resume(saved).expect("a saved match resumes");
            let mut others: Vec<Value> = before.legal_moves(*seat).iter().map(value).collect();
            others.retain(|other| other != chosen);
            crate::chance::shuffle(&mut others, random);
            changes.extend(others.into_iter().take(OTHER_MOVES).map(Change::Move));
        }
        let script: VecDeque<Option<Value>> = happened.chance.iter().cloned().map(Some).collect();
        if !script.is_empty() {
            changes.extend([(); 2].map(|()| Change::Chance(script.iter().map(|_| None).collect())));
        }
        for place in 0..script.len() {
            let changed = |outcome: Option<Value>| {
                let mut script = script.clone();
                script[place] = outcome;
                Change::Chance(script)
            };
            changes.push(changed(None));
            changes.extend(
                (0..2).filter_map(|_| with_two_swapped(&happened.chance[place], random)).map(Some).map(changed),
            );
        }
        changes
    }

    fn change_stays_secret(&self, story: &[Happened], change: &Change, random: &mut Random<Rng>) {
        let (happened, later) = (&story[0], &story[1..]);
        let same = Change::Chance(happened.chance.iter().cloned().map(Some).collect());
        let (mut truth, told) = self.carry_out(happened, &same, random).expect("it happened before");
        let Some((mut other, other_told)) = self.carry_out(happened, change, random) else { return };
        let mover = match (change, &happened.made) {
            (Change::Move(_), Some((seat, _))) => Some(Viewer::Seat(*seat)),
            _ => None,
        };
        let mut alike: Vec<Viewer> = Viewer::all(self.seats).filter(|viewer| Some(*viewer) != mover).collect();
        self.keep_alike(&mut alike, (truth.as_ref(), &told), (other.as_ref(), &other_told));
        self.is_known_to_be_hidden(&alike, truth.as_ref(), other.as_ref(), random);
        for (moved, next) in later.iter().take(HORIZON).filter_map(|it| Some((it, it.made.as_ref()?))) {
            if alike.is_empty() {
                return;
            }
            let mut chance: VecDeque<Value> = moved.chance.iter().cloned().collect();
            let told = truth.play(next.0, &next.1, &mut chance).expect("it happened before");
            let mut chance: VecDeque<Value> = moved.chance.iter().cloned().collect();
            let Ok(other_told) = other.play(next.0, &next.1, &mut chance) else { return };
            self.keep_alike(&mut alike, (truth.as_ref(), &told), (other.as_ref(), &other_told));
        }
        self.is_known_to_be_hidden(&alike, truth.as_ref(), other.as_ref(), random);
    }

    fn carry_out(
        &self,
        happened: &Happened,
        change: &Change,
        random: &mut Random<Rng>,
    ) -> Option<(Box<dyn Match>, Step)> {
        let recorded = || happened.chance.iter().cloned().map(Some).collect();
        let script = match change {
            Change::Move(_) => recorded(),
            Change::Chance(script) => script.clone(),
        };
        let dealer = &mut Scripted { script, random };
        let Some((seat, chosen)) = &happened.made else {
            return self.kind.start(&self.options, self.seats, dealer).ok();
        };
        let chosen = if let Change::Move(other) = change { other } else { chosen };
        let mut play = self.kind.resume(happened.saved.as_ref()?).expect("a saved match resumes");
        let step = match (play.play(*seat, chosen, dealer), change) {
            // Another move may call for other chance.
            (Err(PlayError::Chance(_)), Change::Move(_)) => play.play(*seat, chosen, random),
            (played, _) => played,
        };
        Some((play, step.ok()?))
    }

    /// Keeps the viewers that still cannot tell the two matches apart. They are told the same and may do the same.
    fn keep_alike(&self, alike: &mut Vec<Viewer>, truth: (&dyn Match, &Step), other: (&dyn Match, &Step)) {
        alike.retain(|viewer| self.told_the_same(truth, other, *viewer));
        for seat in alike.iter().filter_map(|viewer| viewer.seat()) {
            assert_eq!(moves(truth.0, seat), moves(other.0, seat), "{}: legal moves of {seat:?}", self.name());
        }
    }

    /// Whatever differs between the two matches is something that resampling for these viewers changes.
    fn is_known_to_be_hidden(&self, alike: &[Viewer], truth: &dyn Match, other: &dyn Match, random: &mut Random<Rng>) {
        let (here, there) = (saved(truth), saved(other));
        let differing = differing(&here, &there);
        for viewer in alike.iter().filter(|_| !differing.is_empty()) {
            let mut left = differing.clone();
            for _ in 0..RESAMPLES {
                let drawn = saved(truth.resample(*viewer, random).as_ref());
                left.retain(|at| here.pointer(at) == drawn.pointer(at));
                if left.is_empty() {
                    break;
                }
            }
            assert!(
                left.is_empty(),
                "{}: {viewer:?} cannot know {left:?}, but resampling never changes it",
                self.name()
            );
        }
    }
}

/// The match as it is saved.
pub(super) fn saved(play: &dyn Match) -> Value {
    serde_json::from_slice(&play.save()).expect("a saved match is JSON")
}

/// The value with two different entries of one of its lists swapped.
pub(super) fn with_two_swapped(outcome: &Value, random: &mut Random<Rng>) -> Option<Value> {
    let (lists, _) = lists_and_scalars(outcome);
    let at = lists.get(random.below(lists.len().max(1) as u32) as usize)?;
    let mut swapped = outcome.clone();
    let items = swapped.pointer_mut(at)?.as_array_mut().filter(|items| items.len() > 1)?;
    let [one, other] = [(); 2].map(|()| random.below(items.len() as u32) as usize);
    items.swap(one, other);
    (swapped != *outcome).then_some(swapped)
}
