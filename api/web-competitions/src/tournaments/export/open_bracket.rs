//! A tournament of duels in the Open Bracket Format 1.0 (<https://github.com/openbracketformat/openbracketformat>).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use competitions::tournaments::{Tournament, TournamentStatus};
use engine::tournaments::{BoutKey, Format, Planned, Slot};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use play::matches::Status;
use serde::Serialize;
use utoipa::ToSchema;

use super::duels::{Duels, outcome};
use web_base::error::ApiResult;

const VERSION: &str = "v1.0";

/// A tournament in the Open Bracket Format.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenBracket)]
pub(crate) struct OpenBracket {
    #[schema(value_type = String, example = "v1.0")]
    version: &'static str,
    event: ObfEvent,
    entrants: Vec<ObfEntrant>,
    sets: Vec<ObfSet>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenBracketEvent)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObfEvent {
    name: String,
    /// On which day it began at the café.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "2026-12-04")]
    date: Option<String>,
    game_name: String,
    /// `single-elim`, `double-elim`, `round-robin`, or what the format is called here; of the first stage.
    tournament_structure: String,
    phases: Vec<ObfPhase>,
    number_entrants: usize,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenBracketPhase)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObfPhase {
    #[serde(rename = "phaseID")]
    phase_id: String,
    phase_structure: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenBracketEntrant)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObfEntrant {
    #[serde(rename = "entrantID")]
    entrant_id: String,
    entrant_tag: String,
    initial_seed: usize,
    /// Once it is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    final_placement: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenBracketSet)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObfSet {
    #[serde(rename = "setID")]
    set_id: String,
    #[serde(rename = "entrant1ID", skip_serializing_if = "Option::is_none")]
    entrant1_id: Option<String>,
    #[serde(rename = "entrant2ID", skip_serializing_if = "Option::is_none")]
    entrant2_id: Option<String>,
    /// `pending`, `started` or `completed`.
    #[schema(value_type = String)]
    status: &'static str,
    /// `win`, `lose`, `draw`, or `dq` for who did not appear.
    #[serde(rename = "entrant1Result", skip_serializing_if = "Option::is_none")]
    entrant1_result: Option<&'static str>,
    #[serde(rename = "entrant2Result", skip_serializing_if = "Option::is_none")]
    entrant2_result: Option<&'static str>,
    /// Where it is a whole number.
    #[serde(rename = "entrant1Score", skip_serializing_if = "Option::is_none")]
    entrant1_score: Option<i64>,
    #[serde(rename = "entrant2Score", skip_serializing_if = "Option::is_none")]
    entrant2_score: Option<i64>,
    #[serde(rename = "entrant1NextSetID", skip_serializing_if = "Option::is_none")]
    entrant1_next: Option<String>,
    #[serde(rename = "entrant2NextSetID", skip_serializing_if = "Option::is_none")]
    entrant2_next: Option<String>,
    #[serde(rename = "entrant1PrevSetID", skip_serializing_if = "Option::is_none")]
    entrant1_previous: Option<String>,
    #[serde(rename = "entrant2PrevSetID", skip_serializing_if = "Option::is_none")]
    entrant2_previous: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    set_format: Option<String>,
    #[serde(rename = "phaseID")]
    phase_id: String,
    #[serde(rename = "roundID")]
    round_id: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    games: Vec<ObfGame>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenBracketGame)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObfGame {
    game_number: u32,
    #[serde(rename = "entrant1Result", skip_serializing_if = "Option::is_none")]
    entrant1_result: Option<&'static str>,
    #[serde(rename = "entrant2Result", skip_serializing_if = "Option::is_none")]
    entrant2_result: Option<&'static str>,
}

impl OpenBracket {
    /// `game` is what it is called; dates are those at the café.
    pub(crate) fn of(tournament: &Tournament, game: String, zone: &TimeZone) -> ApiResult<Self> {
        let row = &tournament.row;
        let stages = (1..=row.stage).map(|number| Duels::of(tournament, number)).collect::<ApiResult<Vec<_>>>()?;
        let day = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string();
        let phase = |it: &Duels<'_>| ObfPhase {
            phase_id: it.number.to_string(),
            phase_structure: structure(&it.stage.format).to_owned(),
        };
        let phases: Vec<ObfPhase> = stages.iter().map(phase).collect();
        let entrants = entrants(tournament, stages.first())?;
        Ok(Self {
            version: VERSION,
            event: ObfEvent {
                name: row.name.clone(),
                date: row.started_at.or(row.starts_at).map(day),
                game_name: game,
                tournament_structure: phases.first().map(|it| it.phase_structure.clone()).unwrap_or_default(),
                phases,
                number_entrants: entrants.len(),
            },
            sets: stages.iter().flat_map(|it| Sets::of(it).list()).collect(),
            entrants,
        })
    }
}

fn entrants(tournament: &Tournament, first: Option<&Duels<'_>>) -> ApiResult<Vec<ObfEntrant>> {
    let places = match tournament.row.status {
        TournamentStatus::Finished => tournament.places()?,
        _ => Vec::new(),
    };
    let Some(first) = first else { return Ok(Vec::new()) };
    let entrant = |entrant: u32| ObfEntrant {
        entrant_id: entrant.to_string(),
        entrant_tag: first.name(entrant),
        initial_seed: first.seed(entrant),
        final_placement: places.iter().find(|it| it.person == entrant).map(|it| it.rank),
    };
    let mut entrants: Vec<u32> = first.stage.participants.iter().map(|it| it.entrant).collect();
    entrants.sort_unstable();
    Ok(entrants.into_iter().map(entrant).collect())
}

fn structure(format: &Format) -> &'static str {
    match format {
        Format::SingleElimination { .. } => "single-elim",
        Format::DoubleElimination {} => "double-elim",
        Format::RoundRobin { .. } => "round-robin",
        Format::Groups { .. } => "groups",
        Format::Swiss { .. } => "swiss",
        Format::Arena { .. } => "arena",
        Format::Pods { .. } | Format::PodKnockout { .. } => "pods",
    }
}

/// The sets of a stage: byes are none.
struct Sets<'a> {
    duels: &'a Duels<'a>,
    planned: BTreeMap<BoutKey, &'a Planned>,
    /// The sets of each entrant in the order of their rounds.
    of_entrants: BTreeMap<u32, Vec<BoutKey>>,
    /// In brackets, who of a set goes where.
    feeds: BTreeMap<Slot, BoutKey>,
}

impl<'a> Sets<'a> {
    fn of(duels: &'a Duels<'a>) -> Self {
        let mut of_entrants: BTreeMap<u32, Vec<BoutKey>> = BTreeMap::new();
        let mut bouts: Vec<_> = duels.stage.bouts.iter().filter(|it| !it.is_bye()).collect();
        bouts.sort_by_key(|it| (it.key.round, it.key));
        for bout in bouts {
            for entrant in &bout.entrants {
                of_entrants.entry(*entrant).or_default().push(bout.key);
            }
        }
        let feeds = duels.plan.iter().flat_map(|it| it.places.iter().map(|place| (*place, it.key))).collect();
        let planned = duels.plan.iter().map(|it| (it.key, it)).collect();
        Self { duels, planned, of_entrants, feeds }
    }

    fn list(&self) -> Vec<ObfSet> {
        let mut planned: Vec<&Planned> = self.planned.values().copied().filter(|it| self.is_set(it)).collect();
        planned.sort_by_key(|it| (it.key.round, it.key));
        planned.into_iter().map(|it| self.set(it)).collect()
    }

    fn is_set(&self, planned: &Planned) -> bool {
        let are_two = || self.duels.places(planned).iter().all(|it| it.from != Slot::Nobody);
        self.duels.bout(planned.key).map_or_else(are_two, |it| !it.is_bye())
    }

    fn id(&self, key: BoutKey) -> String {
        format!("{}-{key}", self.duels.number)
    }

    fn set(&self, planned: &Planned) -> ObfSet {
        let key = planned.key;
        let places = self.duels.places(planned);
        let bout = self.duels.bout(key);
        let entrants = match bout {
            Some(bout) => [bout.entrants.first().copied(), bout.entrants.get(1).copied()],
            None => places.map(|it| it.entrant),
        };
        let result = bout.and_then(|it| it.result.as_deref());
        let row = self.duels.tournament.bouts_in(self.duels.number).find(|it| it.key.0 == key);
        let is_running = row.is_some_and(|it| it.match_status == Some(Status::Running));
        let ended = entrants.map(|it| outcome(result, it?));
        let results = ended.map(|it| it.map(|it| word(it.order, it.absent)));
        let scores = ended.map(|it| it?.score.filter(|it| it.fract() == 0.0).map(|it| it as i64));
        let next = [0, 1].map(|at| self.next(key, entrants[at], results[at]).map(|it| self.id(it)));
        let previous = [0, 1].map(|at| self.previous(key, entrants[at], places[at].from).map(|it| self.id(it)));
        let games = row.map(|it| it.games.0.as_slice()).unwrap_or_default();
        let game = |(number, game): (u32, &competitions::tournaments::Game)| {
            let [one, other] =
                entrants.map(|it| outcome(Some(game.result.as_slice()), it?).map(|it| word(it.order, it.absent)));
            ObfGame { game_number: number, entrant1_result: one, entrant2_result: other }
        };
        let [entrant1_id, entrant2_id] = entrants.map(|it| it.map(|it| it.to_string()));
        let [entrant1_next, entrant2_next] = next;
        let [entrant1_previous, entrant2_previous] = previous;
        ObfSet {
            set_id: self.id(key),
            entrant1_id,
            entrant2_id,
            status: match (result, is_running) {
                (Some(_), _) => "completed",
                (None, true) => "started",
                (None, false) => "pending",
            },
            entrant1_result: results[0],
            entrant2_result: results[1],
            entrant1_score: scores[0],
            entrant2_score: scores[1],
            entrant1_next,
            entrant2_next,
            entrant1_previous,
            entrant2_previous,
            set_format: self.duels.games_of(key).map(|most| format!("best of {most}")),
            phase_id: self.duels.number.to_string(),
            round_id: format!("{}-{}", key.side.name(), key.round),
            games: (1..).zip(games).map(game).collect(),
        }
    }

    /// The set that an entrant plays after this one, or that who wins or loses it will play.
    fn next(&self, key: BoutKey, entrant: Option<u32>, result: Option<&str>) -> Option<BoutKey> {
        let of_entrant = entrant.and_then(|it| self.of_entrants.get(&it));
        let paired = of_entrant.and_then(|sets| sets.iter().skip_while(|it| **it != key).nth(1)).copied();
        paired.or_else(|| {
            let slot = match result? {
                "win" => Slot::Winner(key),
                "lose" => Slot::Loser(key),
                _ => return None,
            };
            self.fed_by(slot)
        })
    }

    fn fed_by(&self, slot: Slot) -> Option<BoutKey> {
        let next = *self.feeds.get(&slot)?;
        let planned = self.planned.get(&next)?;
        match (self.is_set(planned), slot) {
            (true, _) => Some(next),
            // A bye passes them on, unless nothing comes after it.
            (false, Slot::Winner(key) | Slot::Loser(key)) if key != next => self.fed_by(Slot::Winner(next)),
            (false, _) => None,
        }
    }

    /// The set from which an entrant came.
    fn previous(&self, key: BoutKey, entrant: Option<u32>, from: Slot) -> Option<BoutKey> {
        if let Some(sets) = entrant.and_then(|it| self.of_entrants.get(&it)) {
            return match sets.iter().position(|it| *it == key) {
                Some(at) => at.checked_sub(1).and_then(|at| sets.get(at)).copied(),
                None => sets.last().copied(),
            };
        }
        let before = from.bout()?;
        let planned = self.planned.get(&before)?;
        if self.is_set(planned) {
            return Some(before);
        }
        let alone = planned.places.iter().find(|it| **it != Slot::Nobody)?;
        self.previous(before, None, *alone)
    }
}

fn word(order: Ordering, absent: bool) -> &'static str {
    match order {
        _ if absent => "dq",
        Ordering::Greater => "win",
        Ordering::Equal => "draw",
        Ordering::Less => "lose",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use engine::tournaments::Consolation;

    use super::*;
    use crate::tournaments::samples::{moments, moments_of};

    fn of(tournament: &Tournament) -> ApiResult<OpenBracket> {
        OpenBracket::of(tournament, "Perudo".to_owned(), &TimeZone::UTC)
    }

    #[test]
    fn a_bracket_can_be_built_again_from_its_sets() {
        for format in [
            Format::SingleElimination { third_place: false, consolation: Consolation::None },
            Format::DoubleElimination {},
        ] {
            let over = of(&moments_of(format.clone()).pop().unwrap()).unwrap();
            let ids: BTreeSet<&str> = over.sets.iter().map(|it| it.set_id.as_str()).collect();
            assert_eq!(ids.len(), over.sets.len());
            for set in &over.sets {
                let links = [&set.entrant1_next, &set.entrant2_next, &set.entrant1_previous, &set.entrant2_previous];
                assert!(links.into_iter().flatten().all(|it| ids.contains(it.as_str()) && *it != set.set_id));
                // Who goes on from a set comes from it.
                for (entrant, next) in [(&set.entrant1_id, &set.entrant1_next), (&set.entrant2_id, &set.entrant2_next)]
                {
                    let Some(next) = next else { continue };
                    let next = over.sets.iter().find(|it| it.set_id == *next).unwrap();
                    let came =
                        [(&next.entrant1_id, &next.entrant1_previous), (&next.entrant2_id, &next.entrant2_previous)];
                    assert!(came.contains(&(entrant, &Some(set.set_id.clone()))), "{format:?}: {set:?} {next:?}");
                }
            }
            let ends = over.sets.iter().filter(|it| it.entrant1_next.is_none() && it.entrant2_next.is_none()).count();
            assert!(ends >= 1);
            assert!(over.entrants.iter().any(|it| it.final_placement == Some(1)));
        }
    }

    #[test]
    fn before_it_is_played_sets_say_where_people_will_come_from() {
        let format = Format::SingleElimination { third_place: false, consolation: Consolation::None };
        let begun = moments_of(format).into_iter().find(|it| !it.participants.is_empty()).unwrap();
        let begun = of(&begun).unwrap();
        let last = begun.sets.last().unwrap();
        assert_eq!((last.status, &last.entrant1_id), ("pending", &None));
        assert_eq!(last.entrant1_previous.as_deref(), Some("1-main-2-1"));
        assert_eq!(begun.sets.len(), 6, "seven play six sets");
    }

    #[test]
    fn only_tables_of_several_are_refused() {
        for tournament in moments() {
            let begun = tournament.participants.iter().any(|it| it.stage == 1);
            let is_duel = tournament.row.stages.0[0].format.is_duel();
            match of(&tournament) {
                Ok(told) => assert!(is_duel && begun && told.event.number_entrants > 0),
                Err(refused) => assert_eq!(refused.code() == "not_in_format", !is_duel),
            }
        }
    }
}
