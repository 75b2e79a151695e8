//! Tie-breaks. In duels they are FIDE's (Handbook C.07, 2024). At larger tables they use the average of the opponents
//! at the table, so that no table counts more than another. `docs/tournaments.md` explains them to players.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;

use super::history::{BoutRecord, BoutResult, History, Meeting};
use super::lots::final_lot;
use super::stage::{Stage, TieBreak};

/// Hundredths of one.
const ONE: i64 = 100;
/// A whole as a share, in hundredths of a percent.
const WHOLE: i64 = 10_000;
/// The least win rate of an opponent in duels (Magic Tournament Rules, appendix C), so that an opponent who lost every
/// bout does not cost too much.
const LEAST_RATE: i64 = WHOLE / 3;

/// The value of a tie-break for each of these entrants, who are equal in everything before it. Higher is better.
pub(super) fn values(tie_break: TieBreak, equals: &[u32], stage: &Stage, history: &History) -> Vec<i64> {
    let each = |value: &dyn Fn(u32, &[BoutRecord]) -> i64| -> Vec<i64> {
        equals.iter().map(|it| value(*it, history.of(*it))).collect()
    };
    match tie_break {
        TieBreak::Wins => {
            each(&|_, records| ONE * count(records, |it| matches!(it.result, BoutResult::Won | BoutResult::Walkover)))
        }
        TieBreak::HeadToHead => head_to_head(equals, history),
        TieBreak::Buchholz => each(&|entrant, _| sum(buchholz(entrant, history))),
        TieBreak::BuchholzCutOne => each(&|entrant, _| sum(buchholz(entrant, history).into_iter().skip(1))),
        TieBreak::MedianBuchholz => each(&|entrant, _| {
            let all = buchholz(entrant, history);
            let last = all.len().saturating_sub(1);
            sum(all.into_iter().take(last).skip(1))
        }),
        TieBreak::SonnebornBerger => {
            each(&|entrant, records| sum(records.iter().map(|it| sonneborn_berger(it, entrant, history))))
        }
        TieBreak::OpponentsWinRate => each(&|_, records| opponents_win_rate(records, stage, history)),
        TieBreak::Progressive => {
            each(&|entrant, _| sum((2..=history.rounds.saturating_add(1)).map(|it| history.points_before(entrant, it))))
        }
        TieBreak::Scores => each(&|_, records| sum(records.iter().map(|it| it.score))),
        TieBreak::ScoreShare => each(&|_, records| sum(records.iter().map(share))),
        TieBreak::BestPlaces => each(&|_, records| best_places(records)),
        TieBreak::Seed => each(&|entrant, _| {
            let seed = stage.participants.iter().filter(|it| it.entrant == entrant).map(|it| it.seed).min();
            -ONE * i64::from(seed.unwrap_or_default())
        }),
        TieBreak::Lot => each(&|entrant, _| ONE * final_lot(stage, entrant) as i64),
    }
}

/// The entrant's share of the points that were written down for the table.
fn share(record: &BoutRecord) -> i64 {
    if record.table_score > 0 { record.score.saturating_mul(WHOLE) / record.table_score } else { 0 }
}

fn sum(values: impl IntoIterator<Item = i64>) -> i64 {
    values.into_iter().fold(0, i64::saturating_add)
}

fn count(records: &[BoutRecord], counts: impl Fn(&BoutRecord) -> bool) -> i64 {
    records.iter().filter(|it| counts(it)).count() as i64
}

fn average(values: impl ExactSizeIterator<Item = i64>) -> i64 {
    let many = values.len().max(1) as i64;
    sum(values) / many
}

/// The points of the opponents of each round, the weakest first. A round without opponents counts as played against an
/// opponent with the entrant's own points (C.07, 16.4).
fn buchholz(entrant: u32, history: &History) -> Vec<i64> {
    let own = history.points(entrant);
    let of = |it: &BoutRecord| average(it.meetings.iter().map(|it| history.points(it.opponent)));
    let played = history.of(entrant).iter().filter(|it| !it.meetings.is_empty()).map(of);
    let mut rounds: Vec<i64> = played.collect();
    rounds.resize(rounds.len().max(history.rounds.into()), own);
    rounds.sort_unstable();
    rounds
}

/// The points of beaten opponents and half the points of opponents who were held. A bye or a walkover counts as a win
/// against an opponent with the entrant's own points.
fn sonneborn_berger(record: &BoutRecord, entrant: u32, history: &History) -> i64 {
    let of = |it: &Meeting| match it.result {
        Ordering::Greater => history.points(it.opponent),
        Ordering::Equal => history.points(it.opponent) / 2,
        Ordering::Less => 0,
    };
    match record.result {
        BoutResult::Bye | BoutResult::Walkover => history.points(entrant),
        BoutResult::Won | BoutResult::Drawn | BoutResult::Lost | BoutResult::Absent => {
            average(record.meetings.iter().map(of))
        }
    }
}

/// The average win rate of the opponents. A shared first place counts half; byes and walkovers do not count.
fn opponents_win_rate(records: &[BoutRecord], stage: &Stage, history: &History) -> i64 {
    let least = if stage.format.is_duel() { LEAST_RATE } else { 0 };
    let rate = |entrant: u32| {
        let played = history.of(entrant).iter().filter(|it| !it.meetings.is_empty());
        let of = |it: &BoutRecord| match it.result {
            BoutResult::Won => WHOLE,
            BoutResult::Drawn => WHOLE / 2,
            BoutResult::Lost | BoutResult::Absent | BoutResult::Bye | BoutResult::Walkover => 0,
        };
        average(played.map(of).collect::<Vec<_>>().into_iter()).max(least)
    };
    let opponents: Vec<u32> = records.iter().flat_map(|it| &it.meetings).map(|it| it.opponent).collect();
    average(opponents.into_iter().map(rate))
}

/// Firsts, seconds, thirds, fourths and fifths as one number, two digits each.
fn best_places(records: &[BoutRecord]) -> i64 {
    let places = (1..=5).map(|place| count(records, |it| it.place == place && !it.meetings.is_empty()));
    ONE * places.fold(0, |all: i64, it| all.saturating_mul(100).saturating_add(it))
}

/// If all equal entrants have met: one point for each of them beaten and half a point for each held. Otherwise only the
/// places that stay the same however the missing bouts would end (C.07, 6).
fn head_to_head(equals: &[u32], history: &History) -> Vec<i64> {
    let among: BTreeSet<u32> = equals.iter().copied().collect();
    let bounds_of = |one: &u32| {
        let met = || history.of(*one).iter().flat_map(|it| &it.meetings).filter(|it| among.contains(&it.opponent));
        let got = sum(met().map(|it| match it.result {
            Ordering::Greater => ONE,
            Ordering::Equal => ONE / 2,
            Ordering::Less => 0,
        }));
        let missing = among.len() - 1 - met().map(|it| it.opponent).collect::<BTreeSet<_>>().len();
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
