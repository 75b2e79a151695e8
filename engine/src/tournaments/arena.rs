//! The arena: for a window of time, those who are free are paired at once. The engine knows no clock: its caller says who is free and for
//! how long.

use std::collections::{BTreeMap, BTreeSet};

use super::bouts::{BoutKey, Pairing};
use super::history::{BoutRecord, BoutResult, History};
use super::matching::{Cost, cheapest};
use super::reasons::Reason;
use super::refusals::InvalidStage;
use super::seat_order::seated;
use super::stage::{Format, Stage};
use super::standings::{no_other, standings};
use super::tables::sizes_with_byes;

/// The longest window, in minutes.
const MOST_MINUTES: u16 = 600;
/// The longest patience, in seconds.
const MOST_PATIENCE: u16 = 900;
/// No wait counts for more, in seconds.
const MOST_WAITED: u32 = 86_400;
/// An earlier meeting counts like so many places between two.
const MEETING: i64 = 3;
/// The cost of an entrant who meets nobody new. It outweighs any wait and any distance.
const STALE: i64 = 1 << 40;
/// The cost of a second of waiting. It outweighs any distance.
const SECOND: i64 = 1 << 20;
/// The cost of a pair that meets again at once.
const AGAIN: i64 = 1 << 12;

/// An entrant of an arena who plays in no bout and wants to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Free {
    /// Who.
    pub entrant: u32,
    /// For how long, in seconds.
    pub waited: u32,
}

/// Checks the settings of an arena.
pub(super) fn check(minutes: u16, patience: u16) -> Result<(), InvalidStage> {
    let fits = (1..=MOST_MINUTES).contains(&minutes) && patience <= MOST_PATIENCE;
    if fits { Ok(()) } else { Err(InvalidStage::BadWindow { minutes: MOST_MINUTES, seconds: MOST_PATIENCE }) }
}

impl Stage {
    /// The bouts of those who are free now, in an arena; who waited longest is in the first. Entrants who are not in the stage or
    /// play already are left out.
    pub fn due_among(&self, free: &[Free]) -> Vec<Pairing> {
        let Format::Arena { least, most, patience, .. } = self.format else { return Vec::new() };
        if self.check().is_err() {
            return Vec::new();
        }
        let history = History::new(self);
        let lobby = Lobby::new(self, &history, free);
        let bounds = Bounds { least: least.into(), most: most.into(), patience: patience.into() };
        let made = if most == 2 { lobby.duels(&bounds) } else { lobby.tables(&bounds) };
        lobby.pairings(self, &history, made)
    }
}

struct Bounds {
    least: usize,
    most: usize,
    patience: u32,
}

/// Those who are free, who waited longest first.
struct Lobby {
    entrants: Vec<u32>,
    waited: Vec<u32>,
    /// The place of each in the standings, among those who are free.
    places: Vec<i64>,
    /// Whether these two met in the last bout of either, or should not meet at all.
    again: Vec<Vec<bool>>,
    /// How often they have met.
    met: Vec<Vec<i64>>,
}

impl Lobby {
    fn new(stage: &Stage, history: &History, free: &[Free]) -> Self {
        let order: BTreeMap<u32, usize> =
            standings(stage, &no_other).iter().enumerate().map(|(place, it)| (it.entrant, place)).collect();
        let playing: BTreeSet<u32> =
            stage.bouts.iter().filter(|it| !it.is_over()).flat_map(|it| it.entrants.iter().copied()).collect();
        let mut here: BTreeMap<u32, u32> = BTreeMap::new();
        for it in free.iter().filter(|it| order.contains_key(&it.entrant) && !playing.contains(&it.entrant)) {
            here.entry(it.entrant).or_insert(it.waited.min(MOST_WAITED));
        }
        let mut here: Vec<(u32, u32)> = here.into_iter().collect();
        let played = |entrant: u32| history.of(entrant).len();
        here.sort_by_key(|(entrant, waited)| (u32::MAX - waited, played(*entrant), order.get(entrant).copied()));
        let (entrants, waited): (Vec<u32>, Vec<u32>) = here.into_iter().unzip();
        let before = |one: &u32| entrants.iter().filter(|other| order.get(other) < order.get(one)).count() as i64;
        let again = |one: &u32| entrants.iter().map(|other| meets_again(stage, history, *one, *other)).collect();
        let met = |one: &u32| entrants.iter().map(|other| history.times_met(*one, *other).into()).collect();
        Lobby {
            places: entrants.iter().map(before).collect(),
            again: entrants.iter().map(again).collect(),
            met: entrants.iter().map(met).collect(),
            entrants,
            waited,
        }
    }

    fn all(&self) -> Vec<usize> {
        (0..self.entrants.len()).collect()
    }

    fn is_new(&self, one: usize, other: usize) -> bool {
        one != other && !self.again[one][other]
    }

    /// Does everybody at this table meet somebody new?
    fn is_fresh(&self, table: &[usize]) -> bool {
        table.iter().all(|one| table.iter().any(|other| self.is_new(*one, *other)))
    }

    /// How much two do not fit each other: by their standing, and by how often they have met.
    fn distance(&self, one: usize, other: usize) -> i64 {
        let (apart, met) = (self.places[one] - self.places[other], self.met[one][other]);
        apart * apart + MEETING * MEETING * met * met
    }

    /// As many duels of new opponents as possible; who waited least is left, and otherwise as equal opponents as possible meet.
    fn duels(&self, bounds: &Bounds) -> Vec<Vec<usize>> {
        let many = self.entrants.len();
        let cost = |one: usize, other: usize| match (one < many, other < many) {
            (true, true) => self.is_new(one, other).then(|| Cost([0, 0, self.distance(one, other)])),
            (false, false) => None,
            _ => Some(Cost([0, self.waited[one.min(other)].into(), 0])),
        };
        let partners = (many % 2..=many).step_by(2).find_map(|left| cheapest(many + left, cost)).unwrap_or_default();
        let pairs = partners.iter().enumerate().filter(|(one, other)| one < other && **other < many);
        let mut made: Vec<Vec<usize>> = pairs.map(|(one, other)| vec![one, *other]).collect();
        let left = self.without(&made, &self.all());
        made.extend(self.stale(bounds, left));
        made
    }

    fn tables(&self, bounds: &Bounds) -> Vec<Vec<usize>> {
        let mut made = self.fresh(bounds, self.all());
        let left = self.without(&made, &self.all());
        made.extend(self.stale(bounds, left));
        made
    }

    /// Tables at which everybody meets somebody new, until there can be no more.
    fn fresh(&self, bounds: &Bounds, mut left: Vec<usize>) -> Vec<Vec<usize>> {
        let mut made = Vec::new();
        loop {
            let mut next = self.planned(bounds, &left);
            // Nobody who could play is passed over for those who waited less.
            let first = left.first().copied().filter(|first| !next.iter().flatten().any(|it| it == first));
            match first.and_then(|first| self.grown(bounds, &left, first)) {
                Some(table) => next = vec![table],
                None if next.is_empty() => next = self.any_fresh(bounds, &left).into_iter().collect(),
                None => {}
            }
            if next.is_empty() {
                return made;
            }
            left = self.without(&next, &left);
            made.extend(next);
        }
    }

    /// As many as possible at tables of equal sizes, those of like standing together, then exchanged until as many as possible meet
    /// somebody new. Tables at which somebody does not are left out.
    fn planned(&self, bounds: &Bounds, left: &[usize]) -> Vec<Vec<usize>> {
        let Some((byes, sizes)) = sizes_with_byes(left.len(), bounds.least, bounds.most) else { return Vec::new() };
        let (playing, resting) = left.split_at(left.len() - byes);
        let mut playing = playing.to_vec();
        playing.sort_by_key(|it| self.places[*it]);
        let mut rest = playing.into_iter();
        let mut tables: Vec<Vec<usize>> = sizes.iter().map(|size| rest.by_ref().take(*size).collect()).collect();
        self.improve(&mut tables, &mut resting.to_vec());
        tables.retain(|it| self.is_fresh(it));
        tables
    }

    /// Makes every exchange that lowers the cost, until no exchange does.
    fn improve(&self, tables: &mut [Vec<usize>], resting: &mut [usize]) {
        let mut is_better = true;
        while is_better {
            is_better = false;
            for at in 0..tables.len() {
                let (before, after) = tables.split_at_mut(at + 1);
                let here = &mut before[at];
                for there in after {
                    is_better |= self.exchange(here, there, |table| self.cost(table));
                }
                is_better |= self.exchange(here, resting, |rest| self.wait(rest));
            }
        }
    }

    /// Makes the first exchange between these two that lowers the cost.
    fn exchange(&self, here: &mut [usize], there: &mut [usize], other: impl Fn(&[usize]) -> i64) -> bool {
        let now = self.cost(here) + other(there);
        for one in 0..here.len() {
            for two in 0..there.len() {
                std::mem::swap(&mut here[one], &mut there[two]);
                if self.cost(here) + other(there) < now {
                    return true;
                }
                std::mem::swap(&mut here[one], &mut there[two]);
            }
        }
        false
    }

    fn cost(&self, table: &[usize]) -> i64 {
        let meets_nobody_new = |one: &&usize| !table.iter().any(|other| self.is_new(**one, *other));
        let stale = table.iter().filter(meets_nobody_new).count() as i64;
        let pairs = table.iter().enumerate().flat_map(|(at, one)| table[at + 1..].iter().map(move |two| (*one, *two)));
        let pair = |(one, two)| self.distance(one, two) + if self.again[one][two] { AGAIN } else { 0 };
        STALE * stale + pairs.map(pair).sum::<i64>()
    }

    fn wait(&self, resting: &[usize]) -> i64 {
        resting.iter().map(|it| SECOND * i64::from(self.waited[*it])).sum()
    }

    /// A table at which everybody meets somebody new, if there can be one.
    fn any_fresh(&self, bounds: &Bounds, left: &[usize]) -> Option<Vec<usize>> {
        left.iter().find_map(|first| self.grown(bounds, left, *first))
    }

    /// The same with this entrant, as large as possible.
    fn grown(&self, bounds: &Bounds, left: &[usize], first: usize) -> Option<Vec<usize>> {
        (bounds.least..=bounds.most.min(left.len())).rev().find_map(|size| self.grown_to(size, left, first))
    }

    fn grown_to(&self, size: usize, left: &[usize], first: usize) -> Option<Vec<usize>> {
        let mut table = vec![first];
        while table.len() < size {
            let is_out = |it: &&usize| !table.contains(it);
            let fits = |it: &&usize| table.iter().any(|other| self.is_new(**it, *other));
            if let Some(next) = left.iter().filter(is_out).find(fits) {
                table.push(*next);
                continue;
            }
            // Two who are new to each other but to nobody here.
            let outside: Vec<usize> = left.iter().filter(is_out).copied().collect();
            let pair =
                outside.iter().find_map(|one| Some((*one, *outside.iter().find(|two| self.is_new(*one, **two))?)));
            let (one, two) = pair.filter(|_| table.len() + 2 <= size)?;
            table.extend([one, two]);
        }
        self.is_fresh(&table).then_some(table)
    }

    /// Those who waited for as long as the patience says play again, with those who are left.
    fn stale(&self, bounds: &Bounds, mut left: Vec<usize>) -> Vec<Vec<usize>> {
        let mut made = Vec::new();
        while left.first().is_some_and(|first| self.waited[*first] >= bounds.patience) {
            let Some((_, sizes)) = sizes_with_byes(left.len(), bounds.least, bounds.most) else { break };
            let table: Vec<usize> = left.drain(..sizes[0]).collect();
            made.push(table);
        }
        made
    }

    fn without(&self, made: &[Vec<usize>], of: &[usize]) -> Vec<usize> {
        let seated: BTreeSet<usize> = made.iter().flatten().copied().collect();
        of.iter().copied().filter(|it| !seated.contains(it)).collect()
    }

    /// The bouts with their reasons, numbered after those that there are.
    fn pairings(&self, stage: &Stage, history: &History, mut made: Vec<Vec<usize>>) -> Vec<Pairing> {
        made.iter_mut().for_each(|table| table.sort_unstable());
        made.sort();
        let last = stage.bouts.iter().map(|it| it.key.number).max().unwrap_or_default();
        let pairing = |(table, number): (&Vec<usize>, u16)| {
            let entrants: Vec<u32> = table.iter().map(|it| self.entrants[*it]).collect();
            Pairing {
                key: BoutKey::main(1, number),
                entrants: seated(&entrants, number, stage, history),
                reasons: self.reasons(table),
            }
        };
        made.iter().zip((1..=u16::MAX).skip(last.into())).map(pairing).collect()
    }

    fn reasons(&self, table: &[usize]) -> Vec<Reason> {
        let longest = table.first().map(|it| Reason::Waited { entrant: self.entrants[*it], seconds: self.waited[*it] });
        let nobody_else = (!self.is_fresh(table)).then_some(Reason::NobodyElse);
        let pairs = table.iter().enumerate().flat_map(|(at, one)| table[at + 1..].iter().map(move |two| (*one, *two)));
        let repeat = |(one, two): (usize, usize)| {
            let times = u16::try_from(self.met[one][two]).unwrap_or(u16::MAX);
            let (one, other) = (self.entrants[one], self.entrants[two]);
            Reason::Repeat { one: one.min(other), other: one.max(other), times }
        };
        let met = pairs.filter(|(one, two)| self.met[*one][*two] > 0).map(repeat);
        longest.into_iter().chain(nobody_else).chain(met).collect()
    }
}

/// Did two meet in the last bout of either, or should they not meet at all?
fn meets_again(stage: &Stage, history: &History, one: u32, other: u32) -> bool {
    let last = |it: u32| history.of(it).last().map(|it: &BoutRecord| it.meetings.as_slice()).unwrap_or_default();
    let met = |one: u32, other: u32| last(one).iter().any(|it| it.opponent == other);
    met(one, other) || met(other, one) || stage.keeps_apart(one, other)
}

/// Doubles the points of each win after two in a row. A win without an opponent neither ends a row nor is a part of it.
pub(super) fn double_streaks(records: &mut [BoutRecord]) {
    let mut row = 0;
    for record in records {
        match record.result {
            BoutResult::Won => {
                if row >= 2 {
                    record.points = record.points.saturating_mul(2);
                }
                row += 1;
            }
            BoutResult::Bye | BoutResult::Walkover | BoutResult::Requested | BoutResult::Missed => {}
            BoutResult::Drawn | BoutResult::Lost | BoutResult::Absent => row = 0,
        }
    }
}
