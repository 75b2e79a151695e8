//! What is hidden from a viewer does not change what it sees, may do and is told: the laws that draw the hidden part
//! again with [`Match::resample`] and compare.

use std::collections::VecDeque;

use serde_json::Value;

use super::{Laws, Rng};
use crate::chance::Random;
use crate::erased::{Match, Step};
use crate::game::{Audience, Viewer};
use crate::record::value;
use crate::seats::Seat;

impl Laws<'_> {
    /// Information that is hidden from a viewer does not change its view, moves, refusals or events. Returns how many
    /// resampled states differed from the true one.
    pub(super) fn nothing_hidden_shows(
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
            self.looks_the_same(other.as_ref(), before, viewer, tried);
            // The same move and chance in the resampled match: if the view is the same afterwards, the events are the
            // same.
            let mut chance: VecDeque<Value> = step.chance.iter().map(value).collect();
            let Ok(told) = other.play(seat, chosen, &mut chance) else { continue };
            self.told_the_same((after, step), (other.as_ref(), &told), viewer);
        }
        varied
    }

    fn looks_the_same(&self, other: &dyn Match, truth: &dyn Match, viewer: Viewer, tried: &[Value]) {
        let name = self.name();
        assert_eq!(other.view(viewer).get(), truth.view(viewer).get(), "{name}: view of {viewer:?}");
        if let Viewer::Seat(mine) = viewer {
            assert_eq!(moves(other, mine), moves(truth, mine), "{name}: legal moves of {mine:?}");
            for chosen in tried {
                assert_eq!(other.check(mine, chosen), truth.check(mine, chosen), "{name}: {mine:?} tries {chosen}");
            }
        }
    }

    /// If two matches look the same to the viewer after a step, it was told the same. Returns whether they do, for all
    /// that it saw and was told.
    pub(super) fn told_the_same(&self, one: (&dyn Match, &Step), other: (&dyn Match, &Step), viewer: Viewer) -> bool {
        let alike = one.0.view(viewer).get() == other.0.view(viewer).get()
            && self.fleeting_sights(one.1) == self.fleeting_sights(other.1);
        if alike {
            let told = |step: &Step| step.events_for(viewer).map(|it| it.get().to_owned()).collect::<Vec<_>>();
            assert_eq!(told(one.1), told(other.1), "{}: {viewer:?} is told more than it sees", self.name());
        }
        alike
    }

    fn fleeting_sights(&self, step: &Step) -> Vec<Value> {
        let public = step.events.iter().filter(|told| told.to == Audience::Everyone).map(|told| value(&told.event));
        let is_fleeting = |event: &Value| event["type"].as_str().is_some_and(|it| self.fleeting.contains(&it));
        if self.fleeting.is_empty() { Vec::new() } else { public.filter(is_fleeting).collect() }
    }
}

/// The legal moves as text.
pub(super) fn moves(play: &dyn Match, seat: Seat) -> Vec<String> {
    play.legal_moves(seat).iter().map(|it| it.get().to_owned()).collect()
}
