//! Tournaments: pairings, results and standings. A [`Stage`] is the whole input, and everything else is computed from
//! it. The order of its lists does not matter. There is no clock, no stored state and no chance but the stage's own
//! draw.
//!
//! Each [`Format`] has a module. `docs/tournaments.md` says how each one pairs. A [`Season`] ranks people over several tournaments.
//!
//! ```
//! use engine::tournaments::{Format, Participant, Points, Rulings, Scoring, Stage};
//!
//! let participant = |entrant| Participant { entrant, seed: entrant, from_round: 1, until_round: None };
//! let stage = Stage {
//!     format: Format::Swiss { rounds: 2 },
//!     scoring: Scoring::new(Points::Win { win: 100, draw: 50, loss: 0, bye: 100 }),
//!     tie_breaks: Vec::new(),
//!     participants: (1..=4).map(participant).collect(),
//!     bouts: Vec::new(),
//!     draw: 7,
//!     rulings: Rulings::default(),
//!     teams: None,
//! };
//! let round = stage.due()?;
//! assert_eq!(round.len(), 2, "four participants play two bouts");
//! assert_eq!(stage.standings()[0].rank, 1);
//! # Ok::<(), engine::tournaments::Unpairable>(())
//! ```

mod arena;
mod bouts;
mod bracket;
mod check;
mod designs;
mod double;
mod elimination;
mod games;
mod groups;
mod history;
mod knockout;
mod late;
mod look_ahead;
mod lots;
mod matching;
mod pods;
mod prospects;
mod reasons;
mod refusals;
mod repeats;
mod results;
mod round_robin;
mod seat_order;
mod seating;
mod series;
mod stage;
mod standings;
mod swiss;
mod tables;
mod teams;
#[cfg(test)]
mod tests;
mod tie_breaks;

use std::collections::BTreeMap;

pub use arena::Free;
pub use bouts::{Bout, BoutKey, Finish, InvalidBoutKey, MemberRow, Pairing, Planned, Side, Slot, StandingsRow};
pub use games::{Games, Limit, winner_of};
pub use groups::{GroupLine, GroupPlace, GroupQuota};
pub use prospects::Prospect;
pub use reasons::Reason;
pub use refusals::{BadResult, InvalidStage, Unpairable};
pub use series::{
    EventPlace, InvalidSeries, Season, SeriesEvent, SeriesMove, SeriesPoints, SeriesResult, SeriesRow, SeriesRules,
    SeriesTieBreak, final_places, series_moves,
};
pub use stage::{
    Adjustment, Consolation, Edition, Format, GroupPlay, Participant, PodPairing, Points, RequestedBye, Rulings,
    Scoring, ShortScale, ShortTables, Stage, TieBreak,
};
pub use teams::{TeamBout, TeamSide, Teams};

use bracket::Bracket;
use knockout::{Knockout, Through};
use pods::{Bounds, Tables};
use standings::no_other;
use teams::Boards;

impl Stage {
    /// Checks that format, scoring and participants are valid together.
    pub fn check(&self) -> Result<(), InvalidStage> {
        check::check(self)
    }

    /// The line below so many who go on from groups, of those who are here, where people share a place at which it falls in their
    /// group. None otherwise: then the standings say it.
    pub fn group_line(&self, many: usize, is_here: impl Fn(u32) -> bool) -> Option<GroupLine> {
        if let Some(boards) = Boards::of(self) {
            return boards.group_line(many, &is_here);
        }
        let Format::Groups { groups, play } = self.format else { return None };
        groups::line(self, (groups, play), many, &is_here, &no_other)
    }

    /// The bouts that can be paired now: the next round once the last is over, and in brackets every bout whose
    /// entrants are known. Empty while earlier bouts have to end first, and once the stage is over.
    pub fn due(&self) -> Result<Vec<Pairing>, Unpairable> {
        self.check()?;
        if let Some(boards) = Boards::of(self) {
            return boards.due(Stage::due);
        }
        match self.format {
            Format::SingleElimination { .. } | Format::DoubleElimination {} => {
                Ok(self.bracket().map_or(Vec::new(), |it| it.due()))
            }
            Format::RoundRobin { legs } => Ok(round_robin::due(self, legs)),
            Format::Swiss { rounds } => swiss::due(self, rounds.into()),
            Format::Groups { groups, play } => groups::due(self, (groups, play), Stage::due),
            Format::Pods { rounds, least, most, pairing, reach, short_tables } => {
                pods::due(self, rounds.into(), Bounds::new(least, most), Tables { pairing, reach, short: short_tables })
            }
            Format::PodKnockout { .. } => Ok(self.knockout().map_or(Vec::new(), |it| it.due())),
            // Who is free is told to `due_among`.
            Format::Arena { .. } => Ok(Vec::new()),
        }
    }

    /// The same, but where a Swiss round cannot be paired otherwise people meet again: the least harm that there is. Only
    /// too few players make it fail then.
    pub fn due_with_repeats(&self) -> Result<Vec<Pairing>, Unpairable> {
        if let Some(boards) = Boards::of(self) {
            self.check()?;
            return boards.due(Stage::due_with_repeats);
        }
        match (self.due(), &self.format) {
            (Err(Unpairable::NoLegalPairing), Format::Swiss { rounds }) => repeats::due(self, (*rounds).into()),
            (Err(Unpairable::NoLegalPairing), Format::Groups { groups, play }) => {
                groups::due(self, (*groups, *play), Stage::due_with_repeats)
            }
            (due, _) => due,
        }
    }

    /// Is the stage over? It also is if the remaining rounds cannot be paired. An arena is over whenever nobody plays, for its
    /// window is a matter of clocks.
    pub fn is_over(&self) -> bool {
        self.bouts.iter().all(Bout::is_over) && self.due().map_or(true, |it| it.is_empty())
    }

    /// The number of rounds, once it is known. A double elimination counts a second final only when that has to be
    /// played.
    pub fn rounds(&self) -> Option<u16> {
        self.check().ok()?;
        if let Some(boards) = Boards::of(self) {
            return boards.between.rounds();
        }
        match self.format {
            Format::SingleElimination { .. } | Format::DoubleElimination {} => self.bracket()?.rounds(),
            Format::RoundRobin { legs } => Some(round_robin::rounds(self, legs)),
            Format::Groups { groups, play } => Some(groups::rounds(self, groups, play)),
            Format::Swiss { rounds } | Format::Pods { rounds, .. } => Some(rounds.into()),
            Format::PodKnockout { .. } => self.knockout().map(|it| it.rounds()),
            Format::Arena { .. } => None,
        }
    }

    /// The current standings, the best first. Equal entrants share a rank and are listed by seed. Where teams play, a row for each.
    pub fn standings(&self) -> Vec<StandingsRow> {
        if let Some(boards) = Boards::of(self) {
            return boards.standings();
        }
        let own = match self.format {
            Format::Groups { groups, play } => groups::standings(self, groups, play, &no_other),
            _ => standings::standings(self, &no_other),
        };
        match &self.teams {
            Some(teams) => teams::sums(self, teams, &own),
            None => own,
        }
    }

    /// The same stage with the teams as its entrants, where teams meet on boards: its bouts are those between teams, each with what
    /// the boards came to as scores.
    pub fn between_teams(&self) -> Option<Stage> {
        Boards::of(self).map(|it| it.between)
    }

    /// Those who go on into a bracket, given the best first, in the order of their seeds there. After groups, who was in one group
    /// meets as late as possible.
    pub fn seeds_of(&self, going: &[u32]) -> Vec<u32> {
        let standings = self.standings();
        let place = |entrant: &u32| {
            let row = standings.iter().find(|it| it.entrant == *entrant);
            row.and_then(|it| it.group).map(|place| (*entrant, place))
        };
        let placed: Option<Vec<_>> = going.iter().map(place).collect();
        placed.map_or_else(|| going.to_vec(), |placed| groups::crossed(&placed))
    }

    /// In brackets, every bout that may be played, with the entrants known so far. In other formats, and on the boards of teams, the
    /// bouts so far.
    pub fn plan(&self) -> Vec<Planned> {
        let so_far = || self.bouts_in_order().into_values().map(Planned::from).collect();
        self.bracket().map_or_else(so_far, |it| it.filled())
    }

    /// The first and the last of the places for which the entrants of this bout of a single elimination still play, the bouts after
    /// it counted.
    pub fn places_at_stake(&self, key: BoutKey) -> Option<(u32, u32)> {
        let Format::SingleElimination { .. } = self.format else { return None };
        let (first, last) = elimination::places_at_stake(elimination::size(self), key);
        Some((first, last.min(self.sides() as u32).max(first)))
    }

    /// The bye of the last round into which somebody goes who comes now, as the bout that it becomes: in Swiss rounds, and in the first
    /// round of a bracket as long as nothing hangs on it. The round must be under way.
    pub fn late_pairing(&self, newcomer: Participant) -> Option<Pairing> {
        late::into_bye(self, newcomer)
    }

    /// Was somebody paired past this participant, who has left? In a bracket only the bouts count to which they would come.
    pub fn is_passed(&self, entrant: u32) -> bool {
        late::is_passed(self, entrant)
    }

    /// How many there are to be ranked: the teams where teams play, else the participants.
    pub fn sides(&self) -> usize {
        self.teams.as_ref().map_or(self.participants.len(), |teams| teams::count(self, teams))
    }

    /// The bouts between teams, with what their boards came to so far; none where teams do not meet on boards.
    pub fn team_bouts(&self) -> Vec<TeamBout> {
        Boards::of(self).map_or_else(Vec::new, |it| it.team_bouts())
    }

    /// The paired bouts that this result would invalidate. Only knock-outs have any: in other formats pairings stay as
    /// they are, and a corrected result changes the standings alone.
    pub fn invalidated_by(&self, changed: BoutKey, result: &[Finish]) -> Vec<BoutKey> {
        if let Some(boards) = Boards::of(self) {
            return boards.invalidated_by(changed, result);
        }
        let bracket = self.bracket().map(|it| it.invalidated_by(self, changed, result));
        bracket.or_else(|| self.knockout().map(|it| it.invalidated_by(changed, result))).unwrap_or_default()
    }

    /// Returns why a result does not fit its bout, or `None`.
    pub fn check_result(&self, key: BoutKey, result: &[Finish]) -> Option<BadResult> {
        results::check(self, key, result).err()
    }

    fn bracket(&self) -> Option<Bracket<'_>> {
        match self.format {
            _ if self.teams.is_some() => None,
            Format::SingleElimination { third_place, consolation } => {
                let most = elimination::most_place(self, third_place, consolation);
                Some(Bracket::new(self, elimination::plan(self, most)))
            }
            Format::DoubleElimination {} => Some(Bracket::new(self, double::plan(self))),
            Format::RoundRobin { .. }
            | Format::Swiss { .. }
            | Format::Groups { .. }
            | Format::Pods { .. }
            | Format::PodKnockout { .. }
            | Format::Arena { .. } => None,
        }
    }

    fn knockout(&self) -> Option<Knockout<'_>> {
        let Format::PodKnockout { least, most, advance, wild_cards } = self.format else { return None };
        Some(Knockout::new(self, Bounds::new(least, most), Through { advance: advance.into(), wild_cards }))
    }

    /// The number of the next round, once all paired bouts are over.
    fn next_round(&self) -> Option<u16> {
        let last = self.bouts.iter().map(|it| it.key.round).max().unwrap_or_default();
        if self.bouts.iter().all(Bout::is_over) { last.checked_add(1) } else { None }
    }

    /// The byes that were asked for in a round, as pairings numbered from `first`.
    fn requested_byes(&self, round: u16, first: u16) -> Vec<Pairing> {
        let here = self.by_seed().into_iter().filter(|it| it.plays_in(round));
        let asked = here.filter_map(|it| self.rulings.bye(it.entrant, round));
        let pairing = |(it, number): (&RequestedBye, u16)| Pairing {
            key: BoutKey::main(round, number),
            entrants: vec![it.entrant],
            reasons: vec![Reason::RequestedBye { points: it.points.into() }],
        };
        asked.zip(first..).map(pairing).collect()
    }

    /// All participants by seed, the strongest first.
    fn by_seed(&self) -> Vec<Participant> {
        let mut all = self.participants.clone();
        all.sort_by_key(|it| (it.seed, *it));
        all
    }

    /// The bouts by key. Of several with one key, the least counts.
    fn bouts_in_order(&self) -> BTreeMap<BoutKey, &Bout> {
        let mut bouts = BTreeMap::new();
        for bout in &self.bouts {
            let kept = bouts.entry(bout.key).or_insert(bout);
            *kept = bout.min(kept);
        }
        bouts
    }
}
