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
mod lots;
mod reasons;
mod refusals;
mod results;
mod round_robin;
mod stage;
mod standings;
#[cfg(test)]
mod tests;
mod tie_breaks;

use std::collections::BTreeMap;

pub use bouts::{Bout, BoutKey, Finish, NotABout, Pairing, Planned, Side, Standing, Waits};
pub use reasons::Reason;
pub use refusals::{BadResult, Unfit, Unpairable};
pub use stage::{Format, Participant, PodPairing, Points, Scoring, Stage, TieBreak};

use bracket::Bracket;

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
                Ok(Bracket::new(self, self.bracket()).due())
            }
            Format::RoundRobin { legs } => Ok(round_robin::due(self, legs)),
            Format::Swiss { .. } | Format::Pods { .. } | Format::PodKnockout { .. } => Ok(Vec::new()),
        }
    }

    /// Is nothing left to be played? Also if something was to be, but cannot be paired any more.
    pub fn is_over(&self) -> bool {
        match self.format {
            Format::SingleElimination { .. } | Format::DoubleElimination {} => {
                Bracket::new(self, self.bracket()).is_over()
            }
            _ => self.bouts.iter().all(|it| it.is_over()) && self.due().map_or(true, |it| it.is_empty()),
        }
    }

    /// How many rounds there are in all, once that is known.
    pub fn rounds(&self) -> Option<u16> {
        match self.format {
            Format::SingleElimination { .. } => self.bracket().iter().map(|it| it.key.round).max(),
            // The last is the final's second, which may never be played.
            Format::DoubleElimination {} => {
                let replay = Bracket::new(self, self.bracket()).filled().pop()?;
                let is_played = replay.places.iter().any(|it| *it != Waits::Nobody);
                Some(if is_played { replay.key.round } else { replay.key.round - 1 })
            }
            Format::RoundRobin { legs } => Some(round_robin::rounds(self, legs)),
            Format::Swiss { rounds } | Format::Pods { rounds, .. } => Some(rounds.into()),
            Format::PodKnockout { .. } => None,
        }
    }

    /// The table as it is now, the best first; equals share a rank and stand in the order of their seeds.
    pub fn standings(&self) -> Vec<Standing> {
        standings::standings(self)
    }

    /// In brackets every bout that may be played, with everybody whose place is known; elsewhere the bouts so far.
    pub fn plan(&self) -> Vec<Planned> {
        match self.format {
            Format::SingleElimination { .. } | Format::DoubleElimination {} => {
                Bracket::new(self, self.bracket()).filled()
            }
            _ => self.bouts_in_order().into_values().map(Planned::from).collect(),
        }
    }

    /// The bouts already paired that would no longer be right, were that one to end so. Outside of knock-outs none: what is
    /// paired stands there, and a correction changes the standings alone.
    pub fn following(&self, changed: BoutKey, result: &[Finish]) -> Vec<BoutKey> {
        match self.format {
            Format::SingleElimination { .. } | Format::DoubleElimination {} => {
                Bracket::new(self, self.bracket()).following(self, changed, result)
            }
            _ => Vec::new(),
        }
    }

    /// Why a result does not fit its bout, if it does not.
    pub fn refuses(&self, key: BoutKey, result: &[Finish]) -> Option<BadResult> {
        results::check(self, key, result).err()
    }

    /// The bracket before anything is played; empty in other formats.
    fn bracket(&self) -> Vec<Planned> {
        match self.format {
            Format::SingleElimination { third_place } => elimination::plan(self, third_place),
            Format::DoubleElimination {} => double::plan(self),
            _ => Vec::new(),
        }
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
