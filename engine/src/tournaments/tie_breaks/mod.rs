//! Tie-breaks. In duels they are FIDE's (Handbook C.07) of the edition that the stage sets. At larger tables they use the
//! average of the opponents at the table, so that no table counts more than another. `docs/tournaments.md` explains them
//! to players.

mod ratings;
mod unplayed;

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;

use super::history::{BoutRecord, BoutResult, History};
use super::lots::final_lot;
use super::stage::{Stage, TieBreak};
use ratings::rounded_average;
use unplayed::{LastRound, ONE, Share, Table, average, is_voluntary, without_highest, without_least, without_lowest};

/// A whole as a share, in hundredths of a percent.
const WHOLE: i64 = 10_000;
/// The least win rate of an opponent in duels (Magic Tournament Rules, appendix C), so that an opponent who lost every
/// bout does not cost too much.
const LEAST_RATE: i64 = WHOLE / 3;

/// The value of a tie-break for each of these entrants, who are equal in everything before it. Higher is better.
pub(super) fn values(tie_break: TieBreak, equals: &[u32], stage: &Stage, history: &History) -> Vec<i64> {
    let table = Table::new(stage, history);
    match tie_break {
        TieBreak::HeadToHead => table.head_to_head(equals),
        _ => equals.iter().map(|it| table.value(tie_break, *it)).collect(),
    }
}

impl Table<'_> {
    fn value(&self, tie_break: TieBreak, entrant: u32) -> i64 {
        let records = self.history.of(entrant);
        match tie_break {
            TieBreak::HeadToHead => 0,
            TieBreak::Wins => ONE * count(records, |it| self.is_win(it)),
            TieBreak::GamesWon => ONE * count(records, |it| it.result == BoutResult::Won),
            TieBreak::SecondSeats => ONE * count(records, |it| !it.meetings.is_empty() && it.seat > 0),
            TieBreak::WonInSecondSeat => ONE * count(records, |it| it.result == BoutResult::Won && it.seat > 0),
            TieBreak::RoundsElected => ONE * count(records, |it| !is_voluntary(it)),
            TieBreak::Buchholz => opponents(&self.shares(entrant, LastRound::AsItWas)),
            TieBreak::BuchholzCutOne => opponents(&without_lowest(self.shares(entrant, LastRound::AsItWas))),
            TieBreak::MedianBuchholz => {
                opponents(&without_highest(without_lowest(self.shares(entrant, LastRound::AsItWas))))
            }
            TieBreak::ForeBuchholz => opponents(&self.shares(entrant, LastRound::Drawn)),
            TieBreak::AverageBuchholz => {
                self.over_opponents(entrant, |it| opponents(&self.shares(it, LastRound::AsItWas)))
            }
            TieBreak::SonnebornBerger => gained(&self.shares(entrant, LastRound::AsItWas)),
            TieBreak::SonnebornBergerCutOne => gained(&without_least(self.shares(entrant, LastRound::AsItWas))),
            TieBreak::SonnebornBergerBoards => sum(self.rounds(entrant).map(|it| {
                let share = self.share(entrant, it, LastRound::AsItWas);
                share.opponent.saturating_mul(it.score) / ONE
            })),
            // Standings of teams know better; nobody else has boards.
            TieBreak::Berlin | TieBreak::FirstBoard | TieBreak::WithoutLastBoard => 0,
            TieBreak::Koya => self.koya(entrant),
            TieBreak::OpponentsWinRate => self.opponents_win_rate(records),
            TieBreak::Progressive => self.progressive(entrant, 1),
            TieBreak::ProgressiveCutOne => self.progressive(entrant, 2),
            TieBreak::StandardPoints => sum(records.iter().map(|it| self.result(it))),
            TieBreak::Kashdan => ONE * sum(records.iter().map(kashdan)),
            TieBreak::OpponentsRating => ONE * rounded_average(&self.opponents_ratings(entrant)),
            TieBreak::OpponentsRatingCutOne => {
                ONE * rounded_average(self.opponents_ratings(entrant).get(1..).unwrap_or_default())
            }
            TieBreak::Performance => ONE * self.performance(entrant),
            TieBreak::PerfectPerformance => ONE * self.perfect_performance(entrant),
            TieBreak::OpponentsPerformance => ONE * self.over_opponents(entrant, |it| self.performance(it)),
            TieBreak::OpponentsPerfectPerformance => {
                ONE * self.over_opponents(entrant, |it| self.perfect_performance(it))
            }
            TieBreak::Rating => ONE * self.rating(entrant).unwrap_or_default(),
            TieBreak::Scores => sum(records.iter().map(|it| it.score)),
            TieBreak::ScoreShare => sum(records.iter().map(share)),
            TieBreak::AveragePoints => {
                let bouts = count(records, |it| !it.scheduled.is_empty());
                self.history.points(entrant) / bouts.max(1)
            }
            TieBreak::BestPlaces => best_places(records),
            TieBreak::Seed => {
                let seed = self.stage.participants.iter().filter(|it| it.entrant == entrant).map(|it| it.seed).min();
                -ONE * i64::from(seed.unwrap_or_default())
            }
            TieBreak::Lot => ONE * final_lot(self.stage, entrant) as i64,
        }
    }

    /// As many points as for a win, played or not.
    fn is_win(&self, record: &BoutRecord) -> bool {
        match (record.result, self.win()) {
            (BoutResult::Won | BoutResult::Walkover, _) => true,
            (BoutResult::Bye | BoutResult::Requested, Some(win)) => record.points >= win,
            _ => false,
        }
    }

    /// The points after each round from one on, summed up.
    fn progressive(&self, entrant: u32, from: u16) -> i64 {
        sum((from..=self.history.rounds).map(|it| self.history.points_before(entrant, it.saturating_add(1))))
    }

    /// The points against opponents who have at least half of the points that could be had.
    fn koya(&self, entrant: u32) -> i64 {
        let rounds = self.rounds(entrant).count() as i64;
        let half = self.win().unwrap_or_default() * rounds / 2;
        let is_strong = |it: &&BoutRecord| {
            self.is_game(it) && average(it.scheduled.iter().map(|it| self.history.points(*it))) >= half
        };
        sum(self.rounds(entrant).filter(is_strong).map(|it| it.points))
    }

    /// The average win rate of the opponents. A shared first place counts half; byes and walkovers do not count.
    fn opponents_win_rate(&self, records: &[BoutRecord]) -> i64 {
        let least = if self.stage.format.is_duel() { LEAST_RATE } else { 0 };
        let rate = |entrant: u32| {
            let played = self.history.of(entrant).iter().filter(|it| !it.meetings.is_empty());
            average(played.map(|it| self.result(it) * WHOLE / ONE).collect::<Vec<_>>().into_iter()).max(least)
        };
        let opponents: Vec<u32> = records.iter().flat_map(|it| &it.meetings).map(|it| it.opponent).collect();
        average(opponents.into_iter().map(rate))
    }

    /// If all equal entrants have met: one point for each of them beaten and half a point for each held. Otherwise only
    /// the places that stay the same however the missing bouts would end (C.07, 6).
    fn head_to_head(&self, equals: &[u32]) -> Vec<i64> {
        let among: BTreeSet<u32> = equals.iter().copied().collect();
        let bounds_of = |one: &u32| {
            let met: Vec<(u32, i64)> = self.encounters(*one).filter(|(other, _)| among.contains(other)).collect();
            let got = sum(met.iter().map(|(_, result)| *result));
            let missing = among.len() - 1 - met.iter().map(|(other, _)| *other).collect::<BTreeSet<_>>().len();
            (got, got + ONE * missing as i64)
        };
        let results: Vec<(i64, i64)> = equals.iter().map(bounds_of).collect();
        if results.iter().all(|(got, could)| got == could) {
            return results.into_iter().map(|(got, _)| got).collect();
        }
        let mut order: Vec<usize> = (0..equals.len()).collect();
        order.sort_by_key(|it| Reverse(results[*it].0));
        let mut values = vec![0; equals.len()];
        for (place, first) in order.iter().enumerate() {
            let behind = &order[place + 1..];
            if behind.iter().any(|it| results[*it].1 >= results[*first].0) {
                break;
            }
            values[*first] = ONE * behind.len() as i64;
        }
        values
    }

    /// Who an entrant has met, with the result. In a round robin also in bouts to which somebody did not come.
    fn encounters(&self, entrant: u32) -> impl Iterator<Item = (u32, i64)> {
        let result = |result: Ordering| match result {
            Ordering::Greater => ONE,
            Ordering::Equal => ONE / 2,
            Ordering::Less => 0,
        };
        let games = self.rounds(entrant).filter(|it| self.is_game(it));
        games.flat_map(move |it| -> Vec<(u32, i64)> {
            if it.meetings.is_empty() {
                return it.scheduled.iter().map(|other| (*other, self.result(it))).collect();
            }
            it.meetings.iter().map(|it| (it.opponent, result(it.result))).collect()
        })
    }
}

fn opponents(shares: &[Share]) -> i64 {
    sum(shares.iter().map(|it| it.opponent))
}

fn gained(shares: &[Share]) -> i64 {
    sum(shares.iter().map(|it| it.gained))
}

/// The entrant's share of the points that were written down for the table.
fn share(record: &BoutRecord) -> i64 {
    if record.table_score > 0 { record.score.saturating_mul(WHOLE) / record.table_score } else { 0 }
}

/// Four for a win, two for a draw, one for a lost game.
fn kashdan(record: &BoutRecord) -> i64 {
    match record.result {
        BoutResult::Won => 4,
        BoutResult::Drawn => 2,
        BoutResult::Lost => 1,
        BoutResult::Bye | BoutResult::Walkover | BoutResult::Absent | BoutResult::Requested | BoutResult::Missed => 0,
    }
}

fn sum(values: impl IntoIterator<Item = i64>) -> i64 {
    values.into_iter().fold(0, i64::saturating_add)
}

fn count(records: &[BoutRecord], counts: impl Fn(&BoutRecord) -> bool) -> i64 {
    records.iter().filter(|it| counts(it)).count() as i64
}

/// Firsts, seconds, thirds, fourths and fifths as one number, two digits each.
fn best_places(records: &[BoutRecord]) -> i64 {
    let places = (1..=5).map(|place| count(records, |it| it.place == place && !it.meetings.is_empty()));
    ONE * places.fold(0, |all: i64, it| all.saturating_mul(100).saturating_add(it))
}
