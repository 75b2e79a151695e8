//! A stage in which two meet, as files of brackets tell it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use base::error::conflict;
use base::games::guarded;
use competitions::tournaments::Tournament;
use engine::tournaments::{Bout, BoutKey, Finish, Limit, Participant, Planned, Slot, Stage};

use web_base::error::{ApiError, ApiResult};

/// A stage of duels. Where teams meet on boards, its entrants are the teams.
pub(super) struct Duels<'a> {
    pub tournament: &'a Tournament,
    pub number: i16,
    pub stage: Stage,
    /// All bouts as they were planned before the first was played; of formats that plan as they go those so far.
    pub plan: Vec<Planned>,
    /// The same with the entrants who are known by now.
    known: BTreeMap<BoutKey, Vec<Slot>>,
}

/// Where somebody in a bout comes from, and who that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// Nobody where the place stays empty.
    pub from: Slot,
    pub entrant: Option<u32>,
}

/// How a bout ended for one of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    pub order: Ordering,
    pub absent: bool,
    /// The games won where a bout has several, else the points that were written down.
    pub score: Option<f64>,
}

impl<'a> Duels<'a> {
    /// Refused with `not_in_format` if more than two meet.
    pub(super) fn of(tournament: &'a Tournament, number: i16) -> ApiResult<Self> {
        let stage = tournament.stage(number)?;
        if !stage.format.is_duel() {
            return Err(not_in_format());
        }
        let stage = stage.between_teams().unwrap_or(stage);
        if stage.participants.is_empty() {
            return Err(conflict("tournament_not_running").into());
        }
        let mut before = Stage { bouts: Vec::new(), ..stage.clone() };
        before.participants.iter_mut().for_each(|it| it.until_round = None);
        let known = guarded(|| stage.plan())?;
        let plan = guarded(|| before.plan())?;
        let plan = if plan.is_empty() { known.clone() } else { plan };
        let known = known.into_iter().map(|it| (it.key, it.places)).collect();
        Ok(Self { tournament, number, stage, plan, known })
    }

    /// The two places of a planned bout.
    pub(super) fn places(&self, planned: &Planned) -> [Place; 2] {
        let known = self.known.get(&planned.key).unwrap_or(&planned.places);
        let from = |at: usize| planned.places.get(at).copied().unwrap_or(Slot::Nobody);
        let now = |at: usize| known.get(at).copied().unwrap_or(Slot::Nobody);
        // A bye tells its entrant first, wherever it was to stand.
        let alone = [0, 1].into_iter().find_map(|at| now(at).entrant());
        let place = |at: usize| match (from(at), now(at), from(1 - at)) {
            (Slot::Nobody, ..) => Place { from: Slot::Nobody, entrant: None },
            (from, _, Slot::Nobody) => Place { from, entrant: alone },
            (_, Slot::Nobody, _) => Place { from: Slot::Nobody, entrant: None },
            (from, now, _) => Place { from, entrant: now.entrant() },
        };
        [place(0), place(1)]
    }

    pub(super) fn bout(&self, key: BoutKey) -> Option<&Bout> {
        self.stage.bouts.iter().find(|it| it.key == key)
    }

    /// The place of an entrant in the list of seeds, from 1.
    pub(super) fn seed(&self, entrant: u32) -> usize {
        let seed_of = |it: &&Participant| it.entrant == entrant;
        let seed = self.stage.participants.iter().find(seed_of).map(|it| (it.seed, it.entrant));
        1 + self.stage.participants.iter().filter(|it| Some((it.seed, it.entrant)) < seed).count()
    }

    pub(super) fn name(&self, entrant: u32) -> String {
        self.tournament.standing_name(i32::try_from(entrant).unwrap_or(0))
    }

    /// The most games of this bout; none if it is one, or if it is played on boards.
    pub(super) fn games_of(&self, key: BoutKey) -> Option<u8> {
        if self.tournament.row.team_size.is_some() {
            return None;
        }
        let limit = self.stage.games_of(key);
        (!limit.is_one()).then(|| match limit {
            Limit::BestOf(games) => games,
            Limit::RaceTo(wins) => 2 * wins - 1,
        })
    }
}

/// How it ended for this one of two, once that is known.
pub(super) fn outcome(result: Option<&[Finish]>, entrant: u32) -> Option<Outcome> {
    let result = result?;
    let mine = result.iter().find(|it| it.entrant == entrant)?;
    let other = result.iter().find(|it| it.entrant != entrant);
    let order = match (mine.absent, other) {
        (true, _) => Ordering::Less,
        (false, Some(other)) if !other.absent => other.place.cmp(&mine.place),
        (false, _) => Ordering::Greater,
    };
    Some(Outcome { order, absent: mine.absent, score: mine.score.map(|score| score as f64 / 100.0) })
}

/// What these files cannot hold.
pub(super) fn not_in_format() -> ApiError {
    conflict("not_in_format").into()
}
