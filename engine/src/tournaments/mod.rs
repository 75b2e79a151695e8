//! Tournaments: who meets whom, what a result brings, who is where. A [`Stage`] says what is to be known; all else follows from
//! it, whatever the order of its lists: no clock, no memory, no chance but the stage's own draw.
//!
//! Each format has a room: [`Format`] is the list of them. `docs/tournaments.md` says how each one pairs.

mod bouts;
mod bracket;
mod check;
mod double;
mod elimination;
mod history;
mod knockout;
mod lots;
mod matching;
mod mixing;
mod pods;
mod reasons;
mod refusals;
mod results;
mod round_robin;
mod seats;
mod stage;
mod standings;
mod swiss;
mod tables;
#[cfg(test)]
mod tests;
mod tie_breaks;

use std::collections::BTreeMap;

pub use bouts::{Bout, BoutKey, Finish, NotABout, Pairing, Planned, Side, Standing, Waits};
pub use reasons::Reason;
pub use refusals::{BadResult, Unfit, Unpairable};
pub use stage::{Format, Participant, PodPairing, Points, Scoring, Stage, TieBreak};

use bracket::Bracket;
use knockout::Knockout;
use pods::Bounds;

impl Stage {
    /// Do format, scoring and participants go together?
    pub fn check(&self) -> Result<(), Unfit> {
        check::check(self)
    }

    /// What can be paired now and is not yet: the next round once the last is over; in brackets every bout whose entrants are
    /// known. Nothing if something is being played that has to be over first, or if the stage is.
    pub fn due(&self) -> Result<Vec<Pairing>, Unpairable> {
        self.check()?;
        match self.format {
            Format::SingleElimination { .. } | Format::DoubleElimination {} => {
                Ok(self.bracket().map_or(Vec::new(), |it| it.due()))
            }
            Format::RoundRobin { legs } => Ok(round_robin::due(self, legs)),
            Format::Swiss { rounds } => swiss::due(self, rounds.into()),
            Format::Pods { rounds, least, most, pairing } => {
                pods::due(self, rounds.into(), Bounds::new(least, most), pairing)
            }
            Format::PodKnockout { .. } => Ok(self.knockout().map_or(Vec::new(), |it| it.due())),
        }
    }

    /// Is nothing left to be played? Also if something was to be, but cannot be paired any more.
    pub fn is_over(&self) -> bool {
        self.bouts.iter().all(Bout::is_over) && self.due().map_or(true, |it| it.is_empty())
    }

    /// How many rounds there are in all, once that is known. Those of a double elimination count a second final only once it
    /// has to be played.
    pub fn rounds(&self) -> Option<u16> {
        self.check().ok()?;
        match self.format {
            Format::SingleElimination { .. } | Format::DoubleElimination {} => self.bracket()?.rounds(),
            Format::RoundRobin { legs } => Some(round_robin::rounds(self, legs)),
            Format::Swiss { rounds } | Format::Pods { rounds, .. } => Some(rounds.into()),
            Format::PodKnockout { .. } => self.knockout().map(|it| it.rounds()),
        }
    }

    /// The table as it is now, the best first; equals share a rank and stand in the order of their seeds.
    pub fn standings(&self) -> Vec<Standing> {
        standings::standings(self)
    }

    /// In brackets every bout that may be played, with everybody whose place is known; elsewhere the bouts so far.
    pub fn plan(&self) -> Vec<Planned> {
        let so_far = || self.bouts_in_order().into_values().map(Planned::from).collect();
        self.bracket().map_or_else(so_far, |it| it.filled())
    }

    /// The bouts already paired that would no longer be right, were that one to end so. Outside of knock-outs none: what is
    /// paired stands there, and a correction changes the standings alone.
    pub fn following(&self, changed: BoutKey, result: &[Finish]) -> Vec<BoutKey> {
        let bracket = self.bracket().map(|it| it.following(self, changed, result));
        bracket.or_else(|| self.knockout().map(|it| it.following(changed, result))).unwrap_or_default()
    }

    /// Why a result does not fit its bout, if it does not.
    pub fn refuses(&self, key: BoutKey, result: &[Finish]) -> Option<BadResult> {
        results::check(self, key, result).err()
    }

    fn bracket(&self) -> Option<Bracket<'_>> {
        match self.format {
            Format::SingleElimination { third_place } => Some(Bracket::new(self, elimination::plan(self, third_place))),
            Format::DoubleElimination {} => Some(Bracket::new(self, double::plan(self))),
            Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Pods { .. } | Format::PodKnockout { .. } => None,
        }
    }

    fn knockout(&self) -> Option<Knockout<'_>> {
        let Format::PodKnockout { least, most, advance } = self.format else { return None };
        Some(Knockout::new(self, Bounds::new(least, most), advance))
    }

    /// The round after all that are paired, once they are over.
    fn next_round(&self) -> Option<u16> {
        let last = self.bouts.iter().map(|it| it.key.round).max().unwrap_or_default();
        if self.bouts.iter().all(Bout::is_over) { last.checked_add(1) } else { None }
    }

    /// All participants, the strongest first.
    fn by_seed(&self) -> Vec<Participant> {
        let mut all = self.participants.clone();
        all.sort_by_key(|it| (it.seed, *it));
        all
    }

    /// The bouts, each key once.
    fn bouts_in_order(&self) -> BTreeMap<BoutKey, &Bout> {
        let mut bouts = BTreeMap::new();
        for bout in &self.bouts {
            let kept = bouts.entry(bout.key).or_insert(bout);
            *kept = bout.min(kept);
        }
        bouts
    }
}
