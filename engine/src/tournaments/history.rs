//! The bouts of each entrant, round by round. Standings and pairings are computed from them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::arena::double_streaks;
use super::bouts::{Bout, Finish};
use super::stage::{Format, Points, ShortScale, Stage};

/// The most points that a result can name, in hundredths.
pub(super) const MOST_SCORE: i64 = 100_000_000_000;

/// No stage has more rounds. It bounds the work for a stage that somebody changed.
const MOST_MISSED: u16 = 256;

/// One entrant's part in a bout that is over.
#[derive(Clone, Debug)]
pub(super) struct BoutRecord {
    pub(super) round: u16,
    /// The place at the table, from 0.
    pub(super) seat: usize,
    /// Was the table smaller than another of the same round?
    pub(super) is_short: bool,
    pub(super) result: BoutResult,
    /// The place among those who appeared, from 1.
    pub(super) place: usize,
    /// The points gained, in hundredths.
    pub(super) points: i64,
    /// The points that were written down, in hundredths.
    pub(super) score: i64,
    /// The points that were written down for the whole table.
    pub(super) table_score: i64,
    /// The opponents who appeared. None after a bye, a walkover or an absence.
    pub(super) meetings: Vec<Meeting>,
    /// The opponents who were to appear.
    pub(super) scheduled: Vec<u32>,
}

/// The result of a bout for one entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoutResult {
    /// There was no opponent.
    Bye,
    /// No opponent appeared.
    Walkover,
    /// First alone.
    Won,
    /// First with others.
    Drawn,
    /// Not first.
    Lost,
    /// Did not appear.
    Absent,
    /// Asked not to play.
    Requested,
    /// Was not there: came later, or had dropped.
    Missed,
}

/// An opponent in a bout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) opponent: u32,
    /// `Greater` if the opponent was beaten, `Equal` after a shared place.
    pub(super) result: Ordering,
}

/// The bouts of all entrants so far.
pub(super) struct History {
    records: BTreeMap<u32, Vec<BoutRecord>>,
    points: BTreeMap<u32, i64>,
    /// Points given or taken away, after which round.
    adjustments: BTreeMap<u32, Vec<(u16, i64)>>,
    /// The last round with a bout that is over.
    pub(super) rounds: u16,
}

impl History {
    pub(super) fn new(stage: &Stage) -> Self {
        let mut records: BTreeMap<u32, Vec<BoutRecord>> =
            stage.participants.iter().map(|it| (it.entrant, Vec::new())).collect();
        let mut largest: BTreeMap<u16, usize> = BTreeMap::new();
        let bouts = stage.bouts_in_order();
        for bout in bouts.values() {
            let seats = largest.entry(bout.key.round).or_default();
            *seats = bout.entrants.len().max(*seats);
        }
        // In the order of rounds, across all sides of a bracket.
        let mut over: Vec<&Bout> = bouts.into_values().filter(|it| it.is_over()).collect();
        over.sort_by_key(|it| (it.key.round, it.key));
        for bout in &over {
            let largest = largest.get(&bout.key.round).copied().unwrap_or_default();
            let is_short = !bout.is_bye() && bout.entrants.len() < largest;
            for (seat, entrant) in bout.entrants.iter().enumerate() {
                if let Some(of) = records.get_mut(entrant) {
                    of.push(BoutRecord { seat, is_short, ..record(stage, bout, largest, *entrant) });
                }
            }
        }
        let rounds = over.last().map_or(0, |it| it.key.round);
        match stage.format {
            Format::Swiss { .. } | Format::Pods { .. } => add_missed(stage, rounds, &mut records),
            Format::Arena { streaks: true, .. } => records.values_mut().for_each(|it| double_streaks(it)),
            _ => {}
        }
        let mut adjustments: BTreeMap<u32, Vec<(u16, i64)>> = BTreeMap::new();
        for it in &stage.rulings.adjustments {
            adjustments.entry(it.entrant).or_default().push((it.round, it.points.into()));
        }
        let adjusted = |entrant: &u32| adjustments.get(entrant).into_iter().flatten().map(|it| it.1);
        let total = |(entrant, of): (&u32, &Vec<BoutRecord>)| {
            (*entrant, of.iter().map(|it| it.points).chain(adjusted(entrant)).fold(0, i64::saturating_add))
        };
        let points = records.iter().map(total).collect();
        History { records, points, adjustments, rounds }
    }

    /// An entrant's bouts, in the order of the rounds.
    pub(super) fn of(&self, entrant: u32) -> &[BoutRecord] {
        self.records.get(&entrant).map_or(&[], Vec::as_slice)
    }

    /// All points of an entrant.
    pub(super) fn points(&self, entrant: u32) -> i64 {
        self.points.get(&entrant).copied().unwrap_or_default()
    }

    /// An entrant's points before a round.
    pub(super) fn points_before(&self, entrant: u32, round: u16) -> i64 {
        let before = self.of(entrant).iter().take_while(|it| it.round < round).map(|it| it.points);
        let adjustments = self.adjustments.get(&entrant).into_iter().flatten();
        before.chain(adjustments.filter(|it| it.0 < round).map(|it| it.1)).fold(0, i64::saturating_add)
    }

    /// How often two entrants have met.
    pub(super) fn times_met(&self, one: u32, other: u32) -> u16 {
        let met = self.of(one).iter().flat_map(|it| &it.meetings).filter(|it| it.opponent == other);
        met.count().try_into().unwrap_or(u16::MAX)
    }
}

/// Adds the rounds in which an entrant was in no bout.
fn add_missed(stage: &Stage, rounds: u16, records: &mut BTreeMap<u32, Vec<BoutRecord>>) {
    let mut paired: BTreeSet<(u32, u16)> = BTreeSet::new();
    for bout in &stage.bouts {
        paired.extend(bout.entrants.iter().map(|it| (*it, bout.key.round)));
    }
    for participant in &stage.participants {
        let Some(of) = records.get_mut(&participant.entrant) else { continue };
        for round in (1..=rounds.min(MOST_MISSED)).filter(|it| !paired.contains(&(participant.entrant, *it))) {
            let is_early = round < participant.from_round;
            let points = if is_early { stage.scoring.missed.into() } else { 0 };
            of.push(BoutRecord { round, result: BoutResult::Missed, points, ..BoutRecord::nothing() });
        }
        of.sort_by_key(|it| it.round);
    }
}

impl BoutRecord {
    fn nothing() -> Self {
        BoutRecord {
            round: 0,
            seat: 0,
            is_short: false,
            result: BoutResult::Bye,
            place: 1,
            points: 0,
            score: 0,
            table_score: 0,
            meetings: Vec::new(),
            scheduled: Vec::new(),
        }
    }
}

/// `largest` is the number of seats of the largest table of the round.
fn record(stage: &Stage, bout: &Bout, largest: usize, entrant: u32) -> BoutRecord {
    let points = &stage.scoring.points;
    let score = |it: &Finish| it.score.unwrap_or_default().clamp(-MOST_SCORE, MOST_SCORE);
    let scheduled = bout.entrants.iter().copied().filter(|it| *it != entrant).collect();
    let nothing = BoutRecord { round: bout.key.round, scheduled, ..BoutRecord::nothing() };
    if bout.is_bye() {
        let asked = stage.rulings.bye(entrant, bout.key.round);
        return match asked {
            Some(asked) => BoutRecord { result: BoutResult::Requested, points: asked.points.into(), ..nothing },
            None => {
                // A team has something on its boards without opponents too.
                let written = bout.result.iter().flatten().map(score).sum();
                let points = if *points == Points::Scores { written } else { points.bye() };
                BoutRecord { points, score: written, ..nothing }
            }
        };
    }
    let result = bout.result.as_deref().unwrap_or_default();
    let appeared: Vec<&Finish> = result.iter().filter(|it| !it.absent && bout.entrants.contains(&it.entrant)).collect();
    let Some(mine) = appeared.iter().find(|it| it.entrant == entrant) else {
        return BoutRecord { result: BoutResult::Absent, place: bout.entrants.len(), points: 0, ..nothing };
    };
    let others = || appeared.iter().filter(|it| it.entrant != entrant);
    let place = 1 + others().filter(|it| it.place < mine.place).count();
    let equals = others().filter(|it| it.place == mine.place).count();
    let outcome = match (others().count(), place, equals) {
        (0, ..) => BoutResult::Walkover,
        (_, 1, 0) => BoutResult::Won,
        (_, 1, _) => BoutResult::Drawn,
        _ => BoutResult::Lost,
    };
    // How many steps of the scale lie between two places here, as a fraction.
    let step = match (&stage.format, stage.scoring.short_scale) {
        (Format::Pods { .. }, ShortScale::Scaled) => {
            (largest.saturating_sub(1), bout.entrants.len().saturating_sub(1).max(1))
        }
        _ => (1, 1),
    };
    let met = |it: &&Finish| Meeting { opponent: it.entrant, result: it.place.cmp(&mine.place) };
    BoutRecord {
        result: outcome,
        place,
        points: worth(points, outcome, (place, equals), step, score(mine)),
        score: score(mine),
        table_score: appeared.iter().map(|it| score(it)).fold(0, i64::saturating_add),
        meetings: others().map(met).collect(),
        ..nothing
    }
}

/// The points that a result gives to an entrant who appeared.
fn worth(
    points: &Points,
    result: BoutResult,
    (place, equals): (usize, usize),
    (rise, run): (usize, usize),
    score: i64,
) -> i64 {
    match points {
        Points::Win { win, draw, loss, .. } => i64::from(match result {
            BoutResult::Won | BoutResult::Walkover => *win,
            BoutResult::Drawn => *draw,
            BoutResult::Lost | BoutResult::Bye | BoutResult::Absent | BoutResult::Requested | BoutResult::Missed => {
                *loss
            }
        }),
        Points::Places { scale, .. } => {
            let entry = |at: usize| i64::from(scale.get(at).or(scale.last()).copied().unwrap_or_default());
            let worth = |place: usize| {
                let (at, past) = ((place - 1) * rise / run, ((place - 1) * rise % run) as i64);
                entry(at) * (run as i64 - past) + entry(at + 1) * past
            };
            let shared: i64 = (place..=place + equals).map(worth).sum();
            shared / (run as i64 * (equals as i64 + 1))
        }
        Points::Scores => score,
    }
}
