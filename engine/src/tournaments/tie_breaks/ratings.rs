//! Tie-breaks from ratings (Handbook C.07, 10), with the conversion tables of B.02, 8.1.

use super::super::history::BoutRecord;
use super::unplayed::{ONE, Table};

/// How much better than the opponents who has this share of the points, from 50 to 100 hundredths.
const GAPS: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, MOST_GAP,
];
const MOST_GAP: i64 = 800;
/// The largest difference of ratings at which the better one is expected to have this share, from 50 to 99 hundredths.
const STEPS: [i64; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619,
    735,
];

impl<'a> Table<'a> {
    pub(super) fn rating(&self, entrant: u32) -> Option<i64> {
        self.stage.rulings.ratings.get(&entrant).map(|it| i64::from(*it))
    }

    fn games(&self, entrant: u32) -> impl Iterator<Item = &'a BoutRecord> {
        self.rounds(entrant).filter(|it| !it.meetings.is_empty())
    }

    pub(super) fn opponents(&self, entrant: u32) -> impl Iterator<Item = u32> {
        self.games(entrant).flat_map(|it| &it.meetings).map(|it| it.opponent)
    }

    /// The ratings of the opponents, the lowest first.
    pub(super) fn opponents_ratings(&self, entrant: u32) -> Vec<i64> {
        let mut ratings: Vec<i64> = self.opponents(entrant).filter_map(|it| self.rating(it)).collect();
        ratings.sort_unstable();
        ratings
    }

    /// The points of all games with rated opponents, a win as one, in hundredths.
    fn scored(&self, entrant: u32) -> i64 {
        let is_rated = |it: &&BoutRecord| it.meetings.iter().all(|it| self.rating(it.opponent).is_some());
        self.games(entrant).filter(is_rated).map(|it| self.result(it)).sum()
    }

    /// The rating at which the result would have been as expected, from the average of the opponents.
    pub(super) fn performance(&self, entrant: u32) -> i64 {
        let ratings = self.opponents_ratings(entrant);
        if ratings.is_empty() {
            return 0;
        }
        rounded_average(&ratings) + gap(rounded(self.scored(entrant), ratings.len() as i64))
    }

    /// The lowest rating with which at least this result would have been expected.
    pub(super) fn perfect_performance(&self, entrant: u32) -> i64 {
        let ratings = self.opponents_ratings(entrant);
        let (Some(lowest), Some(highest)) = (ratings.first(), ratings.last()) else { return 0 };
        let scored = self.scored(entrant);
        if scored == ONE * ratings.len() as i64 {
            return highest + MOST_GAP;
        }
        let expected = |rating: i64| ratings.iter().map(|it| chance(rating - it)).sum::<i64>();
        let (mut low, mut high) = (lowest - MOST_GAP, highest + MOST_GAP);
        while low < high {
            let middle = low + (high - low) / 2;
            if expected(middle) >= scored { high = middle } else { low = middle + 1 }
        }
        low
    }

    /// The average of something over the opponents.
    pub(super) fn over_opponents(&self, entrant: u32, value: impl Fn(u32) -> i64) -> i64 {
        rounded_average(&self.opponents(entrant).map(value).collect::<Vec<_>>())
    }
}

/// Halves are rounded up, as everywhere in the Handbook.
fn rounded(sum: i64, by: i64) -> i64 {
    (2 * sum + by).div_euclid(2 * by)
}

pub(super) fn rounded_average(values: &[i64]) -> i64 {
    if values.is_empty() { 0 } else { rounded(values.iter().sum(), values.len() as i64) }
}

fn gap(share: i64) -> i64 {
    let of = |share: i64| usize::try_from(share - ONE / 2).ok().and_then(|it| GAPS.get(it)).copied();
    of(share).or_else(|| of(ONE - share).map(|it| -it)).unwrap_or_default()
}

fn chance(difference: i64) -> i64 {
    let better = ONE / 2 + STEPS.iter().take_while(|it| **it < difference.abs()).count() as i64;
    if difference < 0 { ONE - better } else { better }
}
