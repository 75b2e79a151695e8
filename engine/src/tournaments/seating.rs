//! Seats entrants at tables of several, so that as few pairs as possible meet again.

use std::collections::BTreeSet;

use super::history::History;
use super::lots::lot;
use super::stage::Stage;

/// A player to be seated.
#[derive(Clone, Copy, Debug)]
pub(super) struct PodPlayer {
    pub(super) entrant: u32,
    /// Only players of the same class may be exchanged.
    pub(super) class: i64,
}

/// The tables of a round, and how many pairs meet again.
pub(super) struct Seating {
    pub(super) tables: Vec<Vec<u32>>,
    /// Pairs at these tables who have met before.
    pub(super) repeats: u32,
    /// No seating has fewer repeats.
    pub(super) least_repeats: u32,
}

/// Fills one table after the other in the given order. Then exchanges players of the same class, so that nobody is at a
/// small table more often than necessary and as few pairs as possible meet again.
pub(super) fn seat(stage: &Stage, history: &History, round: u16, players: &[PodPlayer], sizes: &[usize]) -> Seating {
    let mut tables = Vec::new();
    let mut left = 0..players.len();
    for size in sizes {
        tables.push(left.by_ref().take(*size).collect());
    }
    SeatingSearch::new(stage, history, round, players, tables).optimized()
}

/// The same in snake order: the first player at the first table, the second at the second, and at the last table back
/// again, so that all tables are equally strong. Only players of the same turn are exchanged.
pub(super) fn spread(stage: &Stage, history: &History, round: u16, order: &[u32], sizes: &[usize]) -> Seating {
    let mut tables = vec![Vec::new(); sizes.len()];
    let mut players = Vec::new();
    for turn in 0..sizes.first().copied().unwrap_or_default() {
        let mut open: Vec<usize> = (0..sizes.len()).filter(|it| sizes[*it] > turn).collect();
        if turn % 2 == 1 {
            open.reverse();
        }
        for table in open {
            let Some(entrant) = order.get(players.len()) else { break };
            tables[table].push(players.len());
            players.push(PodPlayer { entrant: *entrant, class: turn as i64 });
        }
    }
    SeatingSearch::new(stage, history, round, &players, tables).optimized()
}

/// The cost of one more round at a small table. It outweighs any number of repeats.
const SHORT_TABLE: i64 = 1 << 32;
/// The cost of a pair at a table who should not meet. It outweighs any number of repeats.
const APART: i64 = 1 << 24;
/// The budget of the search, as a number of exchanges to try.
const EFFORT: usize = 1_500_000;

/// A local search: makes every exchange that lowers the cost, then exchanges a few players at random and tries again.
struct SeatingSearch<'a> {
    players: &'a [PodPlayer],
    tables: Vec<Vec<usize>>,
    /// The table of each player.
    at: Vec<usize>,
    /// How often each player was at a table smaller than the largest.
    short_tables: Vec<i64>,
    /// The cost of seating two players together: 1, 3, 6 … if they have met once, twice, three times …
    again: Vec<Vec<i64>>,
    draw: u64,
    least_repeats: u32,
}

impl<'a> SeatingSearch<'a> {
    fn new(stage: &Stage, history: &History, round: u16, players: &'a [PodPlayer], tables: Vec<Vec<usize>>) -> Self {
        let mut at = vec![0; players.len()];
        for (table, sitting) in tables.iter().enumerate() {
            sitting.iter().for_each(|it| at[*it] = table);
        }
        let again = |one: &PodPlayer| {
            let triangle = |times: i64| times * (times + 1) / 2;
            let apart = |other: u32| if stage.rulings.keeps_apart(one.entrant, other) { APART } else { 0 };
            let again = |other: u32| triangle(history.times_met(one.entrant, other).into());
            players.iter().map(|other| apart(other.entrant) + again(other.entrant)).collect()
        };
        let short = |it: &PodPlayer| history.of(it.entrant).iter().filter(|it| it.is_short).count() as i64;
        SeatingSearch {
            players,
            at,
            short_tables: players.iter().map(short).collect(),
            again: players.iter().map(again).collect(),
            draw: lot(stage.draw, u64::from(round), 0),
            least_repeats: least_repeats(history, round, players, &tables),
            tables,
        }
    }

    fn optimized(mut self) -> Seating {
        let tries = (EFFORT / (self.players.len().pow(2) + 1)).clamp(4, 100);
        let mut spent = 0;
        self.improve();
        let mut best = (self.cost(), self.tables.clone(), self.at.clone());
        while spent < tries as u32 && best.0 % SHORT_TABLE > i64::from(self.least_repeats) {
            self.perturb(spent);
            self.improve();
            spent += 1;
            if self.cost() <= best.0 {
                best = (self.cost(), self.tables.clone(), self.at.clone());
            } else {
                (self.tables, self.at) = (best.1.clone(), best.2.clone());
            }
        }
        (_, self.tables, _) = best;
        let met =
            |sitting: &Vec<usize>| pairs(sitting).filter(|(one, other)| self.again[*one][*other] % APART > 0).count();
        Seating {
            repeats: self.tables.iter().map(met).sum::<usize>() as u32,
            least_repeats: self.least_repeats,
            tables: self.tables.iter().map(|it| it.iter().map(|it| self.players[*it].entrant).collect()).collect(),
        }
    }

    fn is_short(&self, table: usize) -> bool {
        self.tables[table].len() < self.tables[0].len()
    }

    fn cost(&self) -> i64 {
        let again: i64 = self.tables.iter().flat_map(|it| pairs(it)).map(|(one, other)| self.again[one][other]).sum();
        let short = (0..self.players.len()).filter(|it| self.is_short(self.at[*it]));
        again + SHORT_TABLE * short.map(|it| self.short_tables[it]).sum::<i64>()
    }

    /// The cost of a player at a table in place of another player.
    fn cost_at(&self, player: usize, table: usize, instead_of: usize) -> i64 {
        let others = self.tables[table].iter().filter(|it| **it != instead_of);
        let short = if self.is_short(table) { SHORT_TABLE * self.short_tables[player] } else { 0 };
        short + others.map(|it| self.again[player][*it]).sum::<i64>()
    }

    fn may_exchange(&self, one: usize, other: usize) -> bool {
        self.at[one] != self.at[other] && self.players[one].class == self.players[other].class
    }

    /// Exchanges two players of different tables.
    fn exchange(&mut self, one: usize, other: usize) {
        for (player, instead) in [(one, other), (other, one)] {
            let sitting = &mut self.tables[self.at[player]];
            sitting.iter_mut().filter(|it| **it == player).for_each(|it| *it = instead);
        }
        self.at.swap(one, other);
    }

    /// Makes every exchange that lowers the cost, until no exchange does.
    fn improve(&mut self) {
        let mut is_better = true;
        while is_better {
            is_better = false;
            for one in 0..self.players.len() {
                for other in one + 1..self.players.len() {
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

    /// Exchanges a few players at random.
    fn perturb(&mut self, times: u32) {
        let many = self.players.len() as u64;
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

/// The least number of pairs that meet again in any seating: too few pairs have not met yet, or the players of each
/// table come from the few tables of an earlier round.
fn least_repeats(history: &History, round: u16, players: &[PodPlayer], tables: &[Vec<usize>]) -> u32 {
    let together = |many: usize| many * many.saturating_sub(1) / 2;
    let meeting: usize = tables.iter().map(|it| together(it.len())).sum();
    let all: Vec<usize> = (0..players.len()).collect();
    let met = |(one, other): &(usize, usize)| history.times_met(players[*one].entrant, players[*other].entrant) > 0;
    let fresh = pairs(&all).filter(|it| !met(it)).count();
    let drawn = |earlier: u16| {
        let mut groups = 0;
        let mut seen = BTreeSet::new();
        for player in players.iter().filter(|it| !seen.contains(&it.entrant)).map(|it| it.entrant).collect::<Vec<_>>() {
            if seen.insert(player) {
                groups += 1;
                let record = history.of(player).iter().filter(|it| it.round == earlier);
                seen.extend(record.flat_map(|it| &it.meetings).map(|it| it.opponent));
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
