//! What everybody did so far, round by round: what standings and pairings are reckoned from.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::bouts::{Bout, Finish};
use super::stage::{Points, Stage};

/// More points nobody can have written down, in hundredths.
pub(super) const MOST_SCORE: i64 = 100_000_000_000;

/// What one entrant did in one bout that is over.
#[derive(Clone, Debug)]
pub(super) struct Outing {
    pub(super) round: u16,
    /// The place at the table, from 0.
    pub(super) seat: usize,
    /// Was the table smaller than another of the same round?
    pub(super) is_short: bool,
    pub(super) how: How,
    /// The place among those who appeared, from 1.
    pub(super) place: usize,
    /// What it brought, in hundredths.
    pub(super) points: i64,
    /// The points that were written down, in hundredths.
    pub(super) score: i64,
    /// Those that were written down for the whole table.
    pub(super) table_score: i64,
    /// Who else appeared. None after a bye, a walkover or an absence.
    pub(super) met: Vec<Met>,
}

/// How a bout went for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
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
}

/// Somebody who was met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) opponent: u32,
    /// Were they beaten (`Greater`), equal or better?
    pub(super) result: Ordering,
}

/// What everybody did so far.
pub(super) struct History {
    outings: BTreeMap<u32, Vec<Outing>>,
    points: BTreeMap<u32, i64>,
    /// The last round of which something is over.
    pub(super) rounds: u16,
}

impl History {
    pub(super) fn new(stage: &Stage) -> Self {
        let mut outings: BTreeMap<u32, Vec<Outing>> =
            stage.participants.iter().map(|it| (it.entrant, Vec::new())).collect();
        let mut largest: BTreeMap<u16, usize> = BTreeMap::new();
        let bouts = stage.bouts_in_order();
        for bout in bouts.values() {
            let seats = largest.entry(bout.key.round).or_default();
            *seats = bout.entrants.len().max(*seats);
        }
        // By rounds, whichever side they are of.
        let mut over: Vec<&Bout> = bouts.into_values().filter(|it| it.is_over()).collect();
        over.sort_by_key(|it| (it.key.round, it.key));
        for bout in &over {
            let is_short = !bout.is_bye() && largest.get(&bout.key.round).is_some_and(|it| bout.entrants.len() < *it);
            for (seat, entrant) in bout.entrants.iter().enumerate() {
                if let Some(of) = outings.get_mut(entrant) {
                    of.push(Outing { seat, is_short, ..outing(&stage.scoring.points, bout, *entrant) });
                }
            }
        }
        let total = |of: &[Outing]| of.iter().map(|it| it.points).fold(0, i64::saturating_add);
        let points = outings.iter().map(|(entrant, of)| (*entrant, total(of))).collect();
        History { outings, points, rounds: over.last().map_or(0, |it| it.key.round) }
    }

    /// What somebody did, in the order of the rounds.
    pub(super) fn of(&self, entrant: u32) -> &[Outing] {
        self.outings.get(&entrant).map_or(&[], Vec::as_slice)
    }

    /// All points of somebody.
    pub(super) fn points(&self, entrant: u32) -> i64 {
        self.points.get(&entrant).copied().unwrap_or_default()
    }

    /// The points of somebody before a round.
    pub(super) fn points_before(&self, entrant: u32, round: u16) -> i64 {
        let before = self.of(entrant).iter().take_while(|it| it.round < round);
        before.map(|it| it.points).fold(0, i64::saturating_add)
    }

    /// How often two have met.
    pub(super) fn meetings(&self, one: u32, other: u32) -> u16 {
        let met = self.of(one).iter().flat_map(|it| &it.met).filter(|it| it.opponent == other);
        met.count().try_into().unwrap_or(u16::MAX)
    }
}

fn outing(points: &Points, bout: &Bout, entrant: u32) -> Outing {
    let score = |it: &Finish| it.score.unwrap_or_default().clamp(-MOST_SCORE, MOST_SCORE);
    let nothing = Outing {
        round: bout.key.round,
        seat: 0,
        is_short: false,
        how: How::Bye,
        place: 1,
        points: points.bye(),
        score: 0,
        table_score: 0,
        met: Vec::new(),
    };
    if bout.is_bye() {
        return nothing;
    }
    let result = bout.result.as_deref().unwrap_or_default();
    let appeared: Vec<&Finish> = result.iter().filter(|it| !it.absent && bout.entrants.contains(&it.entrant)).collect();
    let Some(mine) = appeared.iter().find(|it| it.entrant == entrant) else {
        return Outing { how: How::Absent, place: bout.entrants.len(), points: 0, ..nothing };
    };
    let others = || appeared.iter().filter(|it| it.entrant != entrant);
    let place = 1 + others().filter(|it| it.place < mine.place).count();
    let equals = others().filter(|it| it.place == mine.place).count();
    let how = match (others().count(), place, equals) {
        (0, ..) => How::Walkover,
        (_, 1, 0) => How::Won,
        (_, 1, _) => How::Drawn,
        _ => How::Lost,
    };
    let met = |it: &&Finish| Met { opponent: it.entrant, result: it.place.cmp(&mine.place) };
    Outing {
        how,
        place,
        points: worth(points, how, place, equals, score(mine)),
        score: score(mine),
        table_score: appeared.iter().map(|it| score(it)).fold(0, i64::saturating_add),
        met: others().map(met).collect(),
        ..nothing
    }
}

/// What a result is worth to somebody who appeared.
fn worth(points: &Points, how: How, place: usize, equals: usize, score: i64) -> i64 {
    match points {
        Points::Win { win, draw, loss, .. } => i64::from(match how {
            How::Won | How::Walkover => *win,
            How::Drawn => *draw,
            How::Lost | How::Bye | How::Absent => *loss,
        }),
        Points::Places { scale, .. } => {
            let worth = |place: usize| scale.get(place - 1).or(scale.last()).copied().unwrap_or_default();
            let shared: i64 = (place..=place + equals).map(|it| i64::from(worth(it))).sum();
            shared / (equals as i64 + 1)
        }
        Points::Scores => score,
    }
}
