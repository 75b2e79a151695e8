//! The standings: by points (in knock-outs by the round reached), then by the tie-breaks in the order of the stage.

use std::cmp::Reverse;

use super::bouts::StandingsRow;
use super::bracket::Bracket;
use super::history::{BoutResult, History};
use super::knockout::Knockout;
use super::stage::{Participant, Stage, TieBreak};
use super::tie_breaks;

/// A value of a tie-break that the stage alone does not tell: of teams, by their boards.
pub(super) type OtherValue<'a> = &'a dyn Fn(TieBreak, u32) -> Option<i64>;

/// All entrants, the best first. Equal entrants share a rank and are listed by seed.
pub(super) fn standings(stage: &Stage, other: OtherValue<'_>) -> Vec<StandingsRow> {
    let history = History::new(stage);
    let reached = Reached::new(stage);
    let by_seed = stage.by_seed();
    let mut table: Vec<(i64, StandingsRow)> = by_seed.iter().map(|it| line(&history, &reached, it)).collect();
    for tie_break in &stage.tie_breaks {
        table.sort_by_key(key);
        for equals in table.chunk_by_mut(|one, other| key(one) == key(other)) {
            let entrants: Vec<u32> = equals.iter().map(|(_, it)| it.entrant).collect();
            let told = || entrants.iter().map(|it| other(*tie_break, *it)).collect::<Option<Vec<i64>>>();
            let values = told().unwrap_or_else(|| tie_breaks::values(*tie_break, &entrants, stage, &history));
            equals.iter_mut().zip(values).for_each(|((_, line), value)| line.tie_breaks.push(value));
        }
    }
    table.sort_by_key(key);
    let rows = table.into_iter().map(|it| (key(&it), it.1)).collect();
    ranked(rows)
}

/// Rows in their order, each with its key: those with equal keys share a rank, and the next ranks are left out.
pub(super) fn ranked<K: PartialEq>(rows: Vec<(K, StandingsRow)>) -> Vec<StandingsRow> {
    let mut ranks: Vec<u32> = Vec::with_capacity(rows.len());
    for (place, (key, _)) in rows.iter().enumerate() {
        let shared = place.checked_sub(1).filter(|before| rows[*before].0 == *key).and_then(|before| ranks.get(before));
        ranks.push(shared.copied().unwrap_or(place as u32 + 1));
    }
    rows.into_iter().zip(ranks).map(|((_, row), rank)| StandingsRow { rank, ..row }).collect()
}

/// No value but those of the stage.
pub(super) fn no_other(_: TieBreak, _: u32) -> Option<i64> {
    None
}

/// The sort key of a row, the best first.
fn key((first, line): &(i64, StandingsRow)) -> Reverse<(i64, Vec<i64>)> {
    Reverse((*first, line.tie_breaks.clone()))
}

fn line(history: &History, reached: &Reached<'_>, participant: &Participant) -> (i64, StandingsRow) {
    let entrant = participant.entrant;
    let mut standing = StandingsRow {
        rank: 0,
        group: None,
        entrant,
        played: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        points: history.points(entrant),
        tie_breaks: Vec::new(),
        is_out: participant.until_round.is_some() || reached.is_out(entrant),
        members: Vec::new(),
    };
    for record in history.of(entrant) {
        let counter = match record.result {
            BoutResult::Bye | BoutResult::Requested | BoutResult::Missed => continue,
            BoutResult::Won | BoutResult::Walkover => &mut standing.wins,
            BoutResult::Drawn => &mut standing.draws,
            BoutResult::Lost | BoutResult::Absent => &mut standing.losses,
        };
        *counter = counter.saturating_add(1);
        standing.played = standing.played.saturating_add(1);
    }
    (reached.level(entrant).unwrap_or(standing.points), standing)
}

/// How far each entrant got, in formats where that counts.
enum Reached<'a> {
    Bracket(Bracket<'a>),
    Knockout(Knockout<'a>),
    Points,
}

impl<'a> Reached<'a> {
    fn new(stage: &'a Stage) -> Self {
        if let Some(bracket) = stage.bracket() {
            return Reached::Bracket(bracket);
        }
        stage.knockout().map_or(Reached::Points, Reached::Knockout)
    }

    fn level(&self, entrant: u32) -> Option<i64> {
        match self {
            Reached::Bracket(bracket) => Some(i64::from(bracket.level(entrant))),
            Reached::Knockout(knockout) => Some(knockout.level(entrant)),
            Reached::Points => None,
        }
    }

    fn is_out(&self, entrant: u32) -> bool {
        match self {
            Reached::Bracket(bracket) => bracket.is_out(entrant),
            Reached::Knockout(knockout) => knockout.is_out(entrant),
            Reached::Points => false,
        }
    }
}
