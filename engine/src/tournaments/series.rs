//! Series: the table of a season. Events of any format bring points, the best of them count, and what they come to orders people.
//!
//! A [`Season`] is the whole input. The order of its lists does not matter. Points are in hundredths, as everywhere in tournaments.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bouts::StandingsRow;

/// The rules of a series, its events, and the people that are ranked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    /// What an event brings, and what of it counts.
    pub rules: SeriesRules,
    /// The events that are over.
    pub events: Vec<SeriesEvent>,
    /// The people that are ranked, whether they played or not. Others only take up places in the events.
    pub people: Vec<u32>,
}

/// What an event brings, and what of it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesRules {
    /// What a place in an event is worth.
    pub points: SeriesPoints,
    /// How many of a person's best events count; all of them if left out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 99))]
    pub best: Option<u8>,
    /// For each event that a person played, whether it counts or not, in hundredths of a point.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub attendance: i32,
    /// What tells equals apart, the most important first.
    #[serde(default)]
    pub tie_breaks: Vec<SeriesTieBreak>,
}

/// What a place in an event is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeriesPoints {
    /// By the place. People who share a place share the average of the places that they take up; a place after the last brings nothing.
    Places {
        /// For the first place, the second, and so on, in hundredths of a point; never rising.
        scale: Vec<i32>,
    },
    /// The points that were scored in the event itself.
    Score {},
    /// One for each entrant who was beaten, and one for having played.
    Beaten {},
}

/// What tells people with equal points apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeriesTieBreak {
    /// The points of the best single event.
    BestResult,
    /// How many events were won, shared first places too.
    Wins,
    /// How many events were played.
    Events,
    /// The points of the latest event, then of the one before, and so on. Who did not play an event is behind those who did.
    Latest,
    /// In the events in which equals met: how often one was placed before another, less how often behind.
    HeadToHead,
}

/// An event of a series that is over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeriesEvent {
    /// Its number, in the order of time: a later event has a higher one.
    pub number: u32,
    /// Everybody who played.
    pub places: Vec<EventPlace>,
}

/// Where somebody came in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EventPlace {
    /// Who: a person of the series, or an entrant of the event.
    pub person: u32,
    /// 1 the best; equals share one.
    pub rank: u32,
    /// The points scored in the event, in hundredths.
    pub score: i64,
}

/// Where a person stands in a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesRow {
    /// 1 the best; equals share one.
    pub rank: u32,
    /// Who.
    pub person: u32,
    /// What counts, with the bonus.
    pub total: i64,
    /// For having played, included in the total.
    pub bonus: i64,
    /// The events that the person played, in the order of time.
    pub results: Vec<SeriesResult>,
}

/// What an event brought to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesResult {
    /// Which event.
    pub event: u32,
    /// The place in it.
    pub rank: u32,
    /// What it is worth.
    pub points: i64,
    /// Is it among those that count?
    pub counts: bool,
}

/// The place of everybody in an event of one stage or several, the best first, given the standings of each stage in order. People
/// of the last stage come first; those who did not reach it follow as they stood before. Who never played is left out.
pub fn final_places(stages: &[Vec<StandingsRow>]) -> Vec<EventPlace> {
    let mut scores: BTreeMap<u32, i64> = BTreeMap::new();
    let mut played = BTreeSet::new();
    for row in stages.iter().flatten() {
        let score = scores.entry(row.entrant).or_default();
        *score = score.saturating_add(row.points);
        if row.played > 0 {
            played.insert(row.entrant);
        }
    }
    let mut places: Vec<EventPlace> = Vec::new();
    for stage in stages.iter().rev() {
        let before = places.len();
        let known: BTreeSet<u32> = places.iter().map(|it| it.person).collect();
        let mut new: Vec<&StandingsRow> =
            stage.iter().filter(|row| played.contains(&row.entrant) && !known.contains(&row.entrant)).collect();
        new.sort_by_key(|row| row.rank);
        for (at, row) in new.iter().enumerate() {
            let ahead = new[..at].iter().filter(|it| it.rank < row.rank).count();
            let rank = u32::try_from(before + ahead + 1).unwrap_or(u32::MAX);
            let score = scores.get(&row.entrant).copied().unwrap_or_default();
            places.push(EventPlace { person: row.entrant, rank, score });
        }
    }
    places
}

impl SeriesPoints {
    /// What this place brings, which so many share, in an event of so many entrants.
    fn worth(&self, place: &EventPlace, ahead: usize, equals: usize, entrants: usize) -> i64 {
        let of_place = |at: usize| match self {
            SeriesPoints::Places { scale } => scale.get(at).copied().map_or(0, i64::from),
            SeriesPoints::Score {} => place.score,
            // Each of those behind, and one for having played.
            SeriesPoints::Beaten {} => 100 * i64::try_from(entrants - at).unwrap_or(i64::MAX / 100),
        };
        let shared = (ahead..ahead + equals).map(of_place).fold(0, i64::saturating_add);
        match self {
            SeriesPoints::Score {} => place.score,
            SeriesPoints::Places { .. } | SeriesPoints::Beaten {} => {
                shared / i64::try_from(equals).unwrap_or(i64::MAX).max(1)
            }
        }
    }
}

impl SeriesEvent {
    /// Everybody's place and what it is worth. Of somebody who is named twice, the better place counts.
    fn worths(&self, points: &SeriesPoints) -> BTreeMap<u32, (u32, i64)> {
        let mut ranks: Vec<u32> = self.places.iter().map(|it| it.rank).collect();
        ranks.sort_unstable();
        let mut worths = BTreeMap::new();
        let mut places: Vec<&EventPlace> = self.places.iter().collect();
        places.sort_by_key(|it| (it.rank, Reverse(it.score), it.person));
        for place in places {
            let ahead = ranks.partition_point(|it| *it < place.rank);
            let equals = ranks.partition_point(|it| *it <= place.rank) - ahead;
            let rank = u32::try_from(ahead + 1).unwrap_or(u32::MAX);
            worths.entry(place.person).or_insert((rank, points.worth(place, ahead, equals, ranks.len())));
        }
        worths
    }
}

impl Season {
    /// Everybody who is ranked, the best first. Equal people share a rank and are listed by their number.
    pub fn table(&self) -> Vec<SeriesRow> {
        let mut events: Vec<&SeriesEvent> = self.events.iter().collect();
        events.sort();
        let mut results: BTreeMap<u32, Vec<SeriesResult>> = self.people.iter().map(|it| (*it, Vec::new())).collect();
        for event in events {
            for (person, (rank, points)) in event.worths(&self.rules.points) {
                if let Some(of) = results.get_mut(&person) {
                    of.push(SeriesResult { event: event.number, rank, points, counts: false });
                }
            }
        }
        let rows = results.into_iter().map(|(person, results)| self.row(person, results));
        self.ranked(rows.collect())
    }

    fn row(&self, person: u32, mut results: Vec<SeriesResult>) -> SeriesRow {
        let mut by_points: Vec<usize> = (0..results.len()).collect();
        // Of equals, the earlier counts.
        by_points.sort_by_key(|at| Reverse(results[*at].points));
        let best = self.rules.best.map_or(usize::MAX, usize::from);
        for at in by_points.into_iter().take(best) {
            results[at].counts = true;
        }
        let counted = results.iter().filter(|it| it.counts).map(|it| it.points).fold(0, i64::saturating_add);
        let played = i64::try_from(results.len()).unwrap_or(i64::MAX);
        let bonus = i64::from(self.rules.attendance).saturating_mul(played);
        SeriesRow { rank: 0, person, total: counted.saturating_add(bonus), bonus, results }
    }

    fn ranked(&self, rows: Vec<SeriesRow>) -> Vec<SeriesRow> {
        // Who played nothing is behind everybody, whatever the others lost.
        let first = |row: &SeriesRow| vec![i64::from(!row.results.is_empty()), row.total];
        let mut table: Vec<(Vec<i64>, SeriesRow)> = rows.into_iter().map(|row| (first(&row), row)).collect();
        for tie_break in &self.rules.tie_breaks {
            table.sort_by(|one, other| other.0.cmp(&one.0));
            for equals in table.chunk_by_mut(|one, other| one.0 == other.0).filter(|it| it.len() > 1) {
                let values = self.values(*tie_break, equals);
                equals.iter_mut().zip(values).for_each(|((key, _), value)| key.extend(value));
            }
        }
        table.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.person.cmp(&other.1.person)));
        let mut rank = 1;
        for at in 0..table.len() {
            if at > 0 && table[at - 1].0 != table[at].0 {
                rank = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
            }
            table[at].1.rank = rank;
        }
        table.into_iter().map(|(_, row)| row).collect()
    }

    /// What a tie-break says of each of these equals; more is better.
    fn values(&self, tie_break: SeriesTieBreak, equals: &[(Vec<i64>, SeriesRow)]) -> Vec<Vec<i64>> {
        let count = |many: usize| i64::try_from(many).unwrap_or(i64::MAX);
        let value = |row: &SeriesRow| match tie_break {
            SeriesTieBreak::BestResult => {
                vec![row.results.iter().map(|it| it.points).max().unwrap_or(i64::MIN)]
            }
            SeriesTieBreak::Wins => vec![count(row.results.iter().filter(|it| it.rank == 1).count())],
            SeriesTieBreak::Events => vec![count(row.results.len())],
            SeriesTieBreak::Latest => self.latest_first(row),
            SeriesTieBreak::HeadToHead => vec![equals.iter().map(|(_, other)| balance(row, other)).sum()],
        };
        equals.iter().map(|(_, row)| value(row)).collect()
    }

    fn latest_first(&self, row: &SeriesRow) -> Vec<i64> {
        let numbers: BTreeSet<u32> = self.events.iter().map(|it| it.number).collect();
        let of = |number: &u32| row.results.iter().find(|it| it.event == *number).map_or(i64::MIN, |it| it.points);
        numbers.iter().rev().map(of).collect()
    }
}

/// In how many events in which both played one was placed before the other, less how often behind.
fn balance(one: &SeriesRow, other: &SeriesRow) -> i64 {
    let theirs: BTreeMap<u32, u32> = other.results.iter().map(|it| (it.event, it.rank)).collect();
    let met = one.results.iter().filter_map(|it| Some((it.rank, *theirs.get(&it.event)?)));
    met.map(|(mine, theirs)| i64::from(mine < theirs) - i64::from(mine > theirs)).sum()
}

impl SeriesRules {
    /// The longest scale of places.
    pub const MOST_PLACES: usize = 256;
    /// The most points for a place or for having played, in hundredths.
    pub const MOST_POINTS: i32 = 1_000_000;
    /// The most events that count.
    pub const MOST_BEST: u8 = 99;

    /// Checks that the rules can be played by.
    pub fn check(&self) -> Result<(), InvalidSeries> {
        let bounds = 0..=Self::MOST_POINTS;
        if let SeriesPoints::Places { scale } = &self.points {
            let is_falling = scale.windows(2).all(|pair| pair[0] >= pair[1]);
            let fits = (1..=Self::MOST_PLACES).contains(&scale.len()) && scale.iter().all(|it| bounds.contains(it));
            if !fits || !is_falling {
                return Err(InvalidSeries::BadScale);
            }
        }
        if self.best.is_some_and(|best| !(1..=Self::MOST_BEST).contains(&best)) {
            return Err(InvalidSeries::BadBest);
        }
        if !bounds.contains(&self.attendance) {
            return Err(InvalidSeries::BadAttendance);
        }
        let is_twice = |(at, it): (usize, &SeriesTieBreak)| self.tie_breaks[..at].contains(it);
        match self.tie_breaks.iter().enumerate().any(is_twice) {
            true => Err(InvalidSeries::TieBreakTwice),
            false => Ok(()),
        }
    }
}

/// Why rules of a series cannot be played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidSeries {
    /// The scale is empty, too long, rises, or has a number out of range.
    BadScale,
    /// No event would count, or too many.
    BadBest,
    /// The bonus is out of range.
    BadAttendance,
    /// A tie-break is named twice.
    TieBreakTwice,
}

/// Where somebody goes when the season ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesMove {
    /// Stays in the division.
    Stays,
    /// Goes to the division above.
    Up,
    /// Goes to the division below.
    Down,
    /// Equals stand at the line above which people go up: staff decide.
    UpOpen,
    /// Equals stand at the line below which people go down: staff decide.
    DownOpen,
}

/// Where each of these goes, of whom so many go up and so many down. Equals go together or not at all. Who goes up has played, and
/// does not go down.
pub fn series_moves(rows: &[SeriesRow], [up, down]: [usize; 2]) -> Vec<SeriesMove> {
    let last_of = |row: &SeriesRow| rows.iter().rposition(|it| it.rank == row.rank).map_or(0, |at| at + 1);
    let first_of = |row: &SeriesRow| rows.iter().position(|it| it.rank == row.rank).unwrap_or(0);
    let stays = rows.len().saturating_sub(down);
    let of = |row: &SeriesRow| match (first_of(row), last_of(row)) {
        (first, last) if !row.results.is_empty() && first < up => {
            if last <= up {
                SeriesMove::Up
            } else {
                SeriesMove::UpOpen
            }
        }
        (first, last) if last > stays => {
            if first >= stays {
                SeriesMove::Down
            } else {
                SeriesMove::DownOpen
            }
        }
        _ => SeriesMove::Stays,
    };
    rows.iter().map(of).collect()
}
