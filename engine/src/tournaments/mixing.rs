//! Who sits with whom at tables of several, so that as few as possible meet again.

use std::collections::BTreeSet;

use super::history::History;
use super::lots::lot;
use super::stage::Stage;

/// Somebody who is to be seated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guest {
    pub(super) entrant: u32,
    /// Who may be exchanged for whom: only those of the same class.
    pub(super) class: i64,
}

/// Who sits with whom, and how many pairs meet again.
pub(super) struct Seating {
    pub(super) tables: Vec<Vec<u32>>,
    /// Pairs at these tables who have met before.
    pub(super) repeats: u32,
    /// With fewer it cannot be done, whoever sits where.
    pub(super) least_repeats: u32,
}

/// Fills one table after the other in the order given, then exchanges guests of the same class until nobody is at a small table
/// more often than must be and as few as possible meet again.
pub(super) fn seat(stage: &Stage, history: &History, round: u16, guests: &[Guest], sizes: &[usize]) -> Seating {
    let mut tables = Vec::new();
    let mut left = 0..guests.len();
    for size in sizes {
        tables.push(left.by_ref().take(*size).collect());
    }
    Mixer::new(stage, history, round, guests, tables).mixed()
}

/// The same with the first of the order at the first table, the second at the second, and so on, there and back: every table as
/// strong as the other. Exchanged are those of the same turn only.
pub(super) fn spread(stage: &Stage, history: &History, round: u16, order: &[u32], sizes: &[usize]) -> Seating {
    let mut tables = vec![Vec::new(); sizes.len()];
    let mut guests = Vec::new();
    for turn in 0..sizes.first().copied().unwrap_or_default() {
        let mut open: Vec<usize> = (0..sizes.len()).filter(|it| sizes[*it] > turn).collect();
        if turn % 2 == 1 {
            open.reverse();
        }
        for table in open {
            let Some(entrant) = order.get(guests.len()) else { break };
            tables[table].push(guests.len());
            guests.push(Guest { entrant: *entrant, class: turn as i64 });
        }
    }
    Mixer::new(stage, history, round, &guests, tables).mixed()
}

/// One turn more at a small table outweighs any number of repeats.
const DUTY: i64 = 1 << 32;
/// How much work is put into finding something better, as a number of exchanges looked at.
const EFFORT: usize = 1_500_000;

/// Exchanges guests as long as that makes things better, then shakes the tables and tries again.
struct Mixer<'a> {
    guests: &'a [Guest],
    tables: Vec<Vec<usize>>,
    /// Which table each sits at.
    at: Vec<usize>,
    /// How often they were at a table smaller than the largest.
    duties: Vec<i64>,
    /// How much it costs that two sit together: 1, 3, 6 … if they have met once, twice, thrice …
    again: Vec<Vec<i64>>,
    draw: u64,
    least_repeats: u32,
}

impl<'a> Mixer<'a> {
    fn new(stage: &Stage, history: &History, round: u16, guests: &'a [Guest], tables: Vec<Vec<usize>>) -> Self {
        let mut at = vec![0; guests.len()];
        for (table, sitting) in tables.iter().enumerate() {
            sitting.iter().for_each(|it| at[*it] = table);
        }
        let again = |one: &Guest| {
            let triangle = |times: i64| times * (times + 1) / 2;
            guests.iter().map(|other| triangle(history.meetings(one.entrant, other.entrant).into())).collect()
        };
        let duty = |it: &Guest| history.of(it.entrant).iter().filter(|it| it.is_short).count() as i64;
        Mixer {
            guests,
            at,
            duties: guests.iter().map(duty).collect(),
            again: guests.iter().map(again).collect(),
            draw: lot(stage.draw, u64::from(round), 0),
            least_repeats: least_repeats(history, round, guests, &tables),
            tables,
        }
    }

    fn mixed(mut self) -> Seating {
        let tries = (EFFORT / (self.guests.len().pow(2) + 1)).clamp(4, 100);
        let mut spent = 0;
        self.settle();
        let mut best = (self.cost(), self.tables.clone(), self.at.clone());
        while spent < tries as u32 && best.0 % DUTY > i64::from(self.least_repeats) {
            self.shake(spent);
            self.settle();
            spent += 1;
            if self.cost() <= best.0 {
                best = (self.cost(), self.tables.clone(), self.at.clone());
            } else {
                (self.tables, self.at) = (best.1.clone(), best.2.clone());
            }
        }
        (_, self.tables, _) = best;
        let met = |sitting: &Vec<usize>| pairs(sitting).filter(|(one, other)| self.again[*one][*other] > 0).count();
        Seating {
            repeats: self.tables.iter().map(met).sum::<usize>() as u32,
            least_repeats: self.least_repeats,
            tables: self.tables.iter().map(|it| it.iter().map(|it| self.guests[*it].entrant).collect()).collect(),
        }
    }

    fn is_short(&self, table: usize) -> bool {
        self.tables[table].len() < self.tables[0].len()
    }

    fn cost(&self) -> i64 {
        let again: i64 = self.tables.iter().flat_map(|it| pairs(it)).map(|(one, other)| self.again[one][other]).sum();
        let short = (0..self.guests.len()).filter(|it| self.is_short(self.at[*it]));
        again + DUTY * short.map(|it| self.duties[it]).sum::<i64>()
    }

    /// What it costs to sit at a table in somebody's stead.
    fn cost_at(&self, guest: usize, table: usize, instead_of: usize) -> i64 {
        let others = self.tables[table].iter().filter(|it| **it != instead_of);
        let duty = if self.is_short(table) { DUTY * self.duties[guest] } else { 0 };
        duty + others.map(|it| self.again[guest][*it]).sum::<i64>()
    }

    fn may_exchange(&self, one: usize, other: usize) -> bool {
        self.at[one] != self.at[other] && self.guests[one].class == self.guests[other].class
    }

    /// Puts each of two from different tables in the other's stead.
    fn exchange(&mut self, one: usize, other: usize) {
        for (guest, instead) in [(one, other), (other, one)] {
            let sitting = &mut self.tables[self.at[guest]];
            sitting.iter_mut().filter(|it| **it == guest).for_each(|it| *it = instead);
        }
        self.at.swap(one, other);
    }

    /// Makes every exchange that helps until none does.
    fn settle(&mut self) {
        let mut is_better = true;
        while is_better {
            is_better = false;
            for one in 0..self.guests.len() {
                for other in one + 1..self.guests.len() {
                    if self.may_exchange(one, other) && self.gain(one, other) > 0 {
                        self.exchange(one, other);
                        is_better = true;
                    }
                }
            }
        }
    }

    fn gain(&self, one: usize, other: usize) -> i64 {
        let (here, there) = (self.at[one], self.at[other]);
        let now = self.cost_at(one, here, one) + self.cost_at(other, there, other);
        now - self.cost_at(one, there, other) - self.cost_at(other, here, one)
    }

    /// Exchanges a few at random.
    fn shake(&mut self, times: u32) {
        let many = self.guests.len() as u64;
        for step in 0..4 + u64::from(times % 5) {
            let pick = |which: u64| (lot(self.draw, u64::from(times) << 8 | step << 1 | which, 1) % many) as usize;
            let (one, other) = (pick(0), pick(1));
            if self.may_exchange(one, other) {
                self.exchange(one, other);
            }
        }
    }
}

fn pairs(sitting: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    sitting.iter().enumerate().flat_map(|(at, one)| sitting[at + 1..].iter().map(move |other| (*one, *other)))
}

/// How many pairs have to meet again, whoever sits where: for want of pairs who have not met, or since each table draws from
/// the few tables of an earlier round.
fn least_repeats(history: &History, round: u16, guests: &[Guest], tables: &[Vec<usize>]) -> u32 {
    let together = |many: usize| many * many.saturating_sub(1) / 2;
    let meeting: usize = tables.iter().map(|it| together(it.len())).sum();
    let all: Vec<usize> = (0..guests.len()).collect();
    let met = |(one, other): &(usize, usize)| history.meetings(guests[*one].entrant, guests[*other].entrant) > 0;
    let fresh = pairs(&all).filter(|it| !met(it)).count();
    let drawn = |earlier: u16| {
        let mut groups = 0;
        let mut seen = BTreeSet::new();
        for guest in guests.iter().filter(|it| !seen.contains(&it.entrant)).map(|it| it.entrant).collect::<Vec<_>>() {
            if seen.insert(guest) {
                groups += 1;
                let outing = history.of(guest).iter().filter(|it| it.round == earlier);
                seen.extend(outing.flat_map(|it| &it.met).map(|it| it.opponent));
            }
        }
        let forced = |size: usize| {
            let over = size % groups;
            over * together(size.div_ceil(groups)) + (groups - over) * together(size / groups)
        };
        tables.iter().map(|it| forced(it.len())).sum::<usize>()
    };
    let drawn = (1..round).map(drawn).max().unwrap_or_default();
    drawn.max(meeting.saturating_sub(fresh)) as u32
}
