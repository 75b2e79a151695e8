//! What tells equals apart. In duels as FIDE has them (Handbook C.07, 2024); at larger tables the same with what the others at
//! the table have or did on average, so that no table counts more than another. `docs/tournaments.md` says it for people.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;

use super::history::{History, How, Met, Outing};
use super::lots::final_lot;
use super::stage::{Stage, TieBreak};

/// Hundredths of one.
const ONE: i64 = 100;
/// A whole as a share, in hundredths of a percent.
const WHOLE: i64 = 10_000;
/// Opponents in duels count as having won at least a third (Magic Tournament Rules, appendix C), so that nobody suffers
/// much from having met one who lost everything.
const LEAST_RATE: i64 = WHOLE / 3;

/// What each of those has of it who share everything that counts before it, the more the better.
pub(super) fn values(tie_break: TieBreak, equals: &[u32], stage: &Stage, history: &History) -> Vec<i64> {
    let each = |value: &dyn Fn(u32, &[Outing]) -> i64| -> Vec<i64> {
        equals.iter().map(|it| value(*it, history.of(*it))).collect()
    };
    match tie_break {
        TieBreak::Wins => each(&|_, outings| ONE * count(outings, |it| matches!(it.how, How::Won | How::Walkover))),
        TieBreak::HeadToHead => head_to_head(equals, history),
        TieBreak::Buchholz => each(&|entrant, _| sum(buchholz(entrant, history))),
        TieBreak::BuchholzCutOne => each(&|entrant, _| sum(buchholz(entrant, history).into_iter().skip(1))),
        TieBreak::MedianBuchholz => each(&|entrant, _| {
            let all = buchholz(entrant, history);
            let last = all.len().saturating_sub(1);
            sum(all.into_iter().take(last).skip(1))
        }),
        TieBreak::SonnebornBerger => {
            each(&|entrant, outings| sum(outings.iter().map(|it| sonneborn_berger(it, entrant, history))))
        }
        TieBreak::OpponentsWinRate => each(&|_, outings| opponents_win_rate(outings, stage, history)),
        TieBreak::Progressive => {
            each(&|entrant, _| sum((2..=history.rounds.saturating_add(1)).map(|it| history.points_before(entrant, it))))
        }
        TieBreak::Scores => each(&|_, outings| sum(outings.iter().map(|it| it.score))),
        TieBreak::ScoreShare => each(&|_, outings| sum(outings.iter().map(share))),
        TieBreak::BestPlaces => each(&|_, outings| best_places(outings)),
        TieBreak::Seed => each(&|entrant, _| {
            let seed = stage.participants.iter().filter(|it| it.entrant == entrant).map(|it| it.seed).min();
            -ONE * i64::from(seed.unwrap_or_default())
        }),
        TieBreak::Lot => each(&|entrant, _| ONE * final_lot(stage, entrant) as i64),
    }
}

/// What somebody has of the points that were written down for the table.
fn share(outing: &Outing) -> i64 {
    if outing.table_score > 0 { outing.score.saturating_mul(WHOLE) / outing.table_score } else { 0 }
}

fn sum(values: impl IntoIterator<Item = i64>) -> i64 {
    values.into_iter().fold(0, i64::saturating_add)
}

fn count(outings: &[Outing], counts: impl Fn(&Outing) -> bool) -> i64 {
    outings.iter().filter(|it| counts(it)).count() as i64
}

fn average(values: impl ExactSizeIterator<Item = i64>) -> i64 {
    let many = values.len().max(1) as i64;
    sum(values) / many
}

/// What the opponents of each round have, the weakest first. A round without any counts as played against an opponent who
/// has as many points as oneself (C.07, 16.4).
fn buchholz(entrant: u32, history: &History) -> Vec<i64> {
    let own = history.points(entrant);
    let of = |it: &Outing| average(it.met.iter().map(|it| history.points(it.opponent)));
    let played = history.of(entrant).iter().filter(|it| !it.met.is_empty()).map(of);
    let mut rounds: Vec<i64> = played.collect();
    rounds.resize(rounds.len().max(history.rounds.into()), own);
    rounds.sort_unstable();
    rounds
}

/// The points of those beaten and half the points of those held. A bye or a walkover is a win against oneself.
fn sonneborn_berger(outing: &Outing, entrant: u32, history: &History) -> i64 {
    let of = |it: &Met| match it.result {
        Ordering::Greater => history.points(it.opponent),
        Ordering::Equal => history.points(it.opponent) / 2,
        Ordering::Less => 0,
    };
    match outing.how {
        How::Bye | How::Walkover => history.points(entrant),
        How::Won | How::Drawn | How::Lost | How::Absent => average(outing.met.iter().map(of)),
    }
}

/// How often those who were met won what they played, shared first places counted half; byes and walkovers do not count.
fn opponents_win_rate(outings: &[Outing], stage: &Stage, history: &History) -> i64 {
    let least = if stage.format.is_duel() { LEAST_RATE } else { 0 };
    let rate = |entrant: u32| {
        let played = history.of(entrant).iter().filter(|it| !it.met.is_empty());
        let of = |it: &Outing| match it.how {
            How::Won => WHOLE,
            How::Drawn => WHOLE / 2,
            How::Lost | How::Absent | How::Bye | How::Walkover => 0,
        };
        average(played.map(of).collect::<Vec<_>>().into_iter()).max(least)
    };
    let opponents: Vec<u32> = outings.iter().flat_map(|it| &it.met).map(|it| it.opponent).collect();
    average(opponents.into_iter().map(rate))
}

/// Firsts, seconds, thirds, fourths and fifths as one number, two digits each.
fn best_places(outings: &[Outing]) -> i64 {
    let places = (1..=5).map(|place| count(outings, |it| it.place == place && !it.met.is_empty()));
    ONE * places.fold(0, |all: i64, it| all.saturating_mul(100).saturating_add(it))
}

/// If all equals have met: what each got of them, one for each beaten and a half for each held. Otherwise only the places that
/// nobody can take from those who hold them, even if all missing bouts went against them (C.07, 6).
fn head_to_head(equals: &[u32], history: &History) -> Vec<i64> {
    let among: BTreeSet<u32> = equals.iter().copied().collect();
    let reckoned = |one: &u32| {
        let met = || history.of(*one).iter().flat_map(|it| &it.met).filter(|it| among.contains(&it.opponent));
        let got = sum(met().map(|it| match it.result {
            Ordering::Greater => ONE,
            Ordering::Equal => ONE / 2,
            Ordering::Less => 0,
        }));
        let missing = among.len() - 1 - met().map(|it| it.opponent).collect::<BTreeSet<_>>().len();
        (got, got + ONE * missing as i64)
    };
    let results: Vec<(i64, i64)> = equals.iter().map(reckoned).collect();
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
