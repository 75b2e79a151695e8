//! A tournament played again from its export: the same log gives the same pairings and the same standings, or something is wrong.

use std::collections::{BTreeMap, BTreeSet};

use engine::tournaments::{Bout, Free, Participant, Stage};
use serde::Deserialize;

use super::by_itself::{BY_ITSELF, IN_ARENA};
use super::state::{self, Part, State, StateChange};
use super::store::BoutKey;
use super::teams::{self, Team};
use base::error::{Result, internal, invalid_field};
use base::games::guarded;

/// What of an export is replayed.
#[derive(Debug, Deserialize)]
pub struct Export {
    log: Vec<Step>,
    /// By the number of the stage.
    standings: BTreeMap<String, Vec<Standing>>,
}

#[derive(Debug, Deserialize)]
struct Step {
    revision: i64,
    action: String,
    details: serde_json::Value,
    changes: Vec<StateChange>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Standing {
    rank: u32,
    entrant: u32,
    points: i64,
}

/// What a replay came to.
#[derive(Debug, Default, PartialEq)]
pub struct Replayed {
    /// Rounds that were paired again.
    pub rounds: usize,
    /// Stages whose standings were computed again.
    pub stages: usize,
    /// What differs: revisions whose pairings, and numbers of stages whose standings do.
    pub other_pairings: Vec<i64>,
    pub other_standings: Vec<String>,
}

impl Replayed {
    pub fn is_same(&self) -> bool {
        self.other_pairings.is_empty() && self.other_standings.is_empty()
    }
}

/// Pairs every round again that the log says was paired, and computes all standings.
pub fn replay(export: &Export) -> Result<Replayed> {
    if export.log.first().is_none_or(|step| step.action != "tournament.create") {
        return Err(invalid_field("/log", "invalid"));
    }
    let (mut state, mut replayed) = (State::new(), Replayed::default());
    for step in &export.log {
        apply(&mut state, &step.changes);
        let is_same = match (drafted(step)?, step.details[IN_ARENA].is_object()) {
            _ if step.details[BY_ITSELF].is_object() => is_run_so(&state, step)?,
            (Some((stage, round)), _) => is_paired_so(&state, stage, round, step)?,
            (None, true) => is_paired_in_arena_so(&state, step)?,
            (None, false) => continue,
        };
        replayed.rounds += 1;
        if !is_same {
            replayed.other_pairings.push(step.revision);
        }
    }
    for (number, standings) in &export.standings {
        replayed.stages += 1;
        let of_stage = number.parse().map_err(|_| invalid_field("/standings", "invalid"))?;
        if &computed(&state, of_stage)? != standings {
            replayed.other_standings.push(number.clone());
        }
    }
    Ok(replayed)
}

fn apply(state: &mut State, changes: &[StateChange]) {
    for change in changes {
        match &change.after {
            Some(after) => state.insert(change.key.clone(), after.clone()),
            None => state.remove(&change.key),
        };
    }
}

/// The stage and number of the round that the engine drafted in this step.
fn drafted(step: &Step) -> Result<Option<(i16, i16)>> {
    // What is taken back was not paired again.
    if step.action == super::log::UNDO {
        return Ok(None);
    }
    for change in step.changes.iter().filter(|it| it.before.is_none()) {
        let round: Option<state::Round> = match change.part()? {
            Part::Round(..) => state::read(change.after.as_ref())?,
            _ => None,
        };
        if let (Part::Round(stage, number), false) = (change.part()?, round.is_none_or(|it| it.is_arena)) {
            return Ok(Some((stage, number)));
        }
    }
    Ok(None)
}

fn is_paired_so(state: &State, number: i16, round: i16, step: &Step) -> Result<bool> {
    let drafted = |it: &state::Bout| it.round == round;
    let there: BTreeSet<(BoutKey, Vec<i32>)> =
        bouts(state, number)?.into_iter().filter(|(_, it)| drafted(it)).map(|(key, it)| (key, it.entrants)).collect();
    let stage = stage(state, number, |it| !drafted(it))?;
    let due = guarded(|| match step.details["repeats"].as_bool() {
        Some(true) => stage.due_with_repeats(),
        _ => stage.due(),
    })?;
    let mut again = BTreeSet::new();
    for pairing in due.unwrap_or_default() {
        let entrants = pairing.entrants.into_iter().map(i32::try_from).collect::<Result<_, _>>().map_err(internal)?;
        again.insert((BoutKey(pairing.key), entrants));
    }
    Ok(there == again)
}

/// Who was free when an arena paired, and which bouts it made.
#[derive(Deserialize)]
struct PairedInArena {
    free: Vec<[u32; 2]>,
    bouts: BTreeSet<BoutKey>,
    without_table: usize,
}

/// Whether those who were free are paired so again, but for those for whom there was no table.
fn is_paired_in_arena_so(state: &State, step: &Step) -> Result<bool> {
    let PairedInArena { free, bouts: made, without_table } =
        PairedInArena::deserialize(&step.details[IN_ARENA]).map_err(internal)?;
    let own: state::Own =
        state::read(state.get(&Part::Tournament.to_string()))?.ok_or_else(|| invalid_field("/log", "invalid"))?;
    let paired: Vec<(BoutKey, state::Bout)> =
        bouts(state, own.stage)?.into_iter().filter(|(key, _)| made.contains(key)).collect();
    let stage = stage_without(state, own.stage, &made)?;
    let free: Vec<Free> = free.into_iter().map(|[entrant, waited]| Free { entrant, waited }).collect();
    let due: Vec<Vec<u32>> = guarded(|| stage.due_among(&free))?.into_iter().map(|it| it.entrants).collect();
    let is_due = |(_, bout): &(BoutKey, state::Bout)| {
        let entrants: Result<Vec<u32>, _> = bout.entrants.iter().map(|it| u32::try_from(*it)).collect();
        entrants.is_ok_and(|entrants| due.contains(&entrants))
    };
    Ok(paired.iter().all(is_due) && paired.len() == made.len() && due.len() == made.len() + without_table)
}

/// Whether a bracket that runs by itself publishes the same bouts again.
fn is_run_so(state: &State, step: &Step) -> Result<bool> {
    let made: BTreeSet<BoutKey> = Deserialize::deserialize(&step.details[BY_ITSELF]["bouts"]).map_err(internal)?;
    let own: state::Own =
        state::read(state.get(&Part::Tournament.to_string()))?.ok_or_else(|| invalid_field("/log", "invalid"))?;
    let there: BTreeSet<(BoutKey, Vec<u32>)> = stage(state, own.stage, |_| true)?
        .bouts
        .into_iter()
        .map(|it| (BoutKey(it.key), it.entrants))
        .filter(|(key, _)| made.contains(key))
        .collect();
    let mut again = BTreeSet::new();
    let mut played = stage_without(state, own.stage, &made)?;
    // Byes lead to other bouts at once.
    loop {
        let due = guarded(|| played.due())?.unwrap_or_default();
        if due.is_empty() {
            return Ok(again == there);
        }
        for pairing in due {
            again.insert((BoutKey(pairing.key), pairing.entrants.clone()));
            played.bouts.push(Bout { key: pairing.key, entrants: pairing.entrants, result: None });
        }
    }
}

fn computed(state: &State, number: i16) -> Result<Vec<Standing>> {
    let published = published_rounds(state)?;
    let stage = stage(state, number, |it| published.contains(&(number, it.round)))?;
    let standings = guarded(|| stage.standings())?.into_iter();
    let standing =
        |it: engine::tournaments::StandingsRow| Standing { rank: it.rank, entrant: it.entrant, points: it.points };
    Ok(standings.map(standing).collect())
}

fn published_rounds(state: &State) -> Result<BTreeSet<(i16, i16)>> {
    let mut published = BTreeSet::new();
    for (key, value) in state {
        if let Ok(Part::Round(stage, round)) = key.parse()
            && state::read::<state::Round>(Some(value))?.is_some_and(|it| it.published_at.is_some())
        {
            published.insert((stage, round));
        }
    }
    Ok(published)
}

fn bouts(state: &State, number: i16) -> Result<Vec<(BoutKey, state::Bout)>> {
    let mut bouts = Vec::new();
    for (key, value) in state {
        if let Ok(Part::Bout(stage, key)) = key.parse()
            && stage == number
        {
            bouts.extend(state::read::<state::Bout>(Some(value))?.map(|bout| (key, bout)));
        }
    }
    Ok(bouts)
}

/// A stage as the engine knows it, with these of its bouts.
fn stage(state: &State, number: i16, is_in: impl Fn(&state::Bout) -> bool) -> Result<Stage> {
    stage_with(state, number, |_, bout| is_in(bout))
}

/// The same without these bouts.
fn stage_without(state: &State, number: i16, bouts: &BTreeSet<BoutKey>) -> Result<Stage> {
    stage_with(state, number, |key, _| !bouts.contains(&key))
}

fn stage_with(state: &State, number: i16, is_in: impl Fn(BoutKey, &state::Bout) -> bool) -> Result<Stage> {
    let own: state::Own =
        state::read(state.get(&Part::Tournament.to_string()))?.ok_or_else(|| invalid_field("/log", "invalid"))?;
    let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    let plan = at.and_then(|at| own.stages.get(at)).ok_or_else(|| invalid_field("/log", "invalid"))?;
    let mut participants = Vec::new();
    for (key, value) in state {
        if let Ok(Part::Participant(stage, entrant)) = key.parse()
            && stage == number
            && let Some(it) = state::read::<state::Participant>(Some(value))?
        {
            participants.push(Participant {
                entrant: entrant.try_into().map_err(internal)?,
                seed: it.seed.try_into().map_err(internal)?,
                from_round: it.from_round.try_into().map_err(internal)?,
                until_round: it.until_round.map(TryInto::try_into).transpose().map_err(internal)?,
            });
        }
    }
    let mut played = Vec::new();
    for (key, bout) in bouts(state, number)?.into_iter().filter(|(key, it)| is_in(*key, it)) {
        let entrants = bout.entrants.iter().map(|it| u32::try_from(*it)).collect::<Result<_, _>>().map_err(internal)?;
        played.push(Bout { key: key.0, entrants, result: bout.result });
    }
    let teams = teams::rosters(teams::boards(own.team_size), &teams_in(state)?)?;
    let played = plan.rated_stage(participants, played, super::draw_of(own.draw_seed, number), ratings(state)?);
    Ok(Stage { teams, rulings: own.rulings.of_stage(number, played.rulings.ratings)?, ..played })
}

fn teams_in(state: &State) -> Result<Vec<Team>> {
    let mut entrants = Vec::new();
    for (key, value) in state {
        if let Ok(Part::Entrant(number)) = key.parse()
            && let Some(it) = state::read::<state::Entrant>(Some(value))?
        {
            entrants.extend(it.team.zip(it.board).map(|(team, board)| (number, team, board)));
        }
    }
    Ok(teams::group(entrants.iter().map(|(number, team, board)| (*number, team.as_str(), *board))))
}

fn ratings(state: &State) -> Result<BTreeMap<u32, i32>> {
    let mut ratings = BTreeMap::new();
    for (key, value) in state {
        if let Ok(Part::Entrant(number)) = key.parse()
            && let Some(rating) = state::read::<state::Entrant>(Some(value))?.and_then(|it| it.rating)
        {
            ratings.insert(number.try_into().map_err(internal)?, rating);
        }
    }
    Ok(ratings)
}
