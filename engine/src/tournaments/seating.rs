//! Seats entrants at tables of several, so that people meet again as little as possible, and rather others than the same again.

use std::collections::BTreeSet;
use std::ops::Range;

use super::history::History;
use super::lots::lot;
use super::stage::Stage;

/// A player to be seated.
#[derive(Clone, Copy, Debug)]
pub(super) struct PodPlayer {
    pub(super) entrant: u32,
    /// Players of the same class may be exchanged.
    pub(super) class: i64,
}

/// Places in the order of players, 0 for the first.
type Places = Range<usize>;

/// The tables of a round, and how many pairs meet again.
pub(super) struct Seating {
    pub(super) tables: Vec<Vec<u32>>,
    /// Pairs at these tables who have met before.
    pub(super) repeats: u32,
    /// No seating has fewer repeats.
    pub(super) least_repeats: u32,
}

/// What players are exchanged for, besides that they meet again as little as possible.
#[derive(Clone, Copy)]
pub(super) struct Exchanges {
    /// How many places from a table somebody may stand who sits there.
    pub(super) reach: usize,
    /// Is nobody at a small table more often than necessary?
    pub(super) rotates: bool,
}

/// Fills one table after the other in the given order. Then exchanges players of the same class, and those whose class has a
/// place at most `reach` places from the other's table, as few places as possible.
pub(super) fn seat(
    stage: &Stage,
    history: &History,
    round: u16,
    players: &[PodPlayer],
    sizes: &[usize],
    exchanges: Exchanges,
) -> Seating {
    let mut tables: Vec<Vec<usize>> = Vec::new();
    let mut left = 0..players.len();
    for size in sizes {
        tables.push(left.by_ref().take(*size).collect());
    }
    SeatingSearch::new(stage, history, round, players, tables, exchanges).optimized()
}

/// The same in snake order: the first player at the first table, the second at the second, and at the last table back
/// again, so that all tables are equally strong. Only players of the same turn are exchanged, and the first of a small table
/// stays at a small one unless those rotate.
pub(super) fn spread(
    stage: &Stage,
    history: &History,
    round: u16,
    order: &[u32],
    sizes: &[usize],
    rotates: bool,
) -> Seating {
    let largest = sizes.iter().max().copied().unwrap_or_default();
    let mut tables = vec![Vec::new(); sizes.len()];
    let mut players = Vec::new();
    for turn in 0..largest {
        let mut open: Vec<usize> = (0..sizes.len()).filter(|it| sizes[*it] > turn).collect();
        if turn % 2 == 1 {
            open.reverse();
        }
        for table in open {
            let Some(entrant) = order.get(players.len()) else { break };
            tables[table].push(players.len());
            let is_head_of_short = turn == 0 && !rotates && sizes[table] < largest;
            players.push(PodPlayer { entrant: *entrant, class: if is_head_of_short { -1 } else { turn as i64 } });
        }
    }
    SeatingSearch::new(stage, history, round, &players, tables, Exchanges { reach: 0, rotates }).optimized()
}

/// The cost of two who meet again. It outweighs any number of places between players and their tables, which cost 1 each.
const REPEAT: i64 = 1 << 16;
/// The cost of a pair at a table who should not meet. It outweighs any number of repeats.
const APART: i64 = 1 << 36;
/// The cost of one more round at a small table. It outweighs all the others.
const SHORT_TABLE: i64 = 1 << 46;
/// The budget of the search, as a number of exchanges to try.
const EFFORT: usize = 1_500_000;

/// A local search: makes every exchange that lowers the cost, then exchanges a few players at random and tries again.
struct SeatingSearch<'a> {
    players: &'a [PodPlayer],
    tables: Vec<Vec<usize>>,
    /// The table of each player.
    at: Vec<usize>,
    reach: usize,
    /// The places of each table, and those of each player's class.
    table_places: Vec<Places>,
    class_places: Vec<Places>,
    largest: usize,
    /// How often each player was at a smaller table, if that counts.
    short_tables: Vec<i64>,
    /// The cost of seating two players together: 1, 3, 6 … repeats if they have met once, twice, three times …
    again: Vec<Vec<i64>>,
    draw: u64,
    least_repeats: u32,
}

impl<'a> SeatingSearch<'a> {
    fn new(
        stage: &Stage,
        history: &History,
        round: u16,
        players: &'a [PodPlayer],
        tables: Vec<Vec<usize>>,
        exchanges: Exchanges,
    ) -> Self {
        let mut at = vec![0; players.len()];
        for (table, sitting) in tables.iter().enumerate() {
            sitting.iter().for_each(|it| at[*it] = table);
        }
        let again = |one: &PodPlayer| {
            let triangle = |times: i64| times * (times + 1) / 2;
            let apart = |other: u32| if stage.keeps_apart(one.entrant, other) { APART } else { 0 };
            // The same from both sides, whatever stands in the bouts: or the search would go back and forth for ever.
            let met = |other: u32| history.times_met(one.entrant, other).max(history.times_met(other, one.entrant));
            let again = |other: u32| REPEAT * triangle(met(other).into());
            players.iter().map(|other| apart(other.entrant) + again(other.entrant)).collect()
        };
        let mut next = 0;
        let mut places = |sitting: &Vec<usize>| {
            next += sitting.len();
            next - sitting.len()..next
        };
        let table_places: Vec<Places> = tables.iter().map(&mut places).collect();
        let of_class = |class: i64| {
            let is_same = |it: &PodPlayer| it.class == class;
            players.iter().position(is_same).unwrap_or(0)..players.iter().rposition(is_same).map_or(0, |it| it + 1)
        };
        let class_places: Vec<Places> = players.iter().map(|it| of_class(it.class)).collect();
        let short = |it: &PodPlayer| {
            let records = history.of(it.entrant).iter();
            records.filter(|it| it.is_short && exchanges.rotates).count() as i64
        };
        SeatingSearch {
            players,
            at,
            reach: exchanges.reach,
            table_places,
            class_places,
            largest: tables.iter().map(Vec::len).max().unwrap_or_default(),
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
        while spent < tries as u32 && best.0 % SHORT_TABLE > REPEAT * i64::from(self.least_repeats) {
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
        self.tables[table].len() < self.largest
    }

    fn cost(&self) -> i64 {
        let again: i64 = self.tables.iter().flat_map(|it| pairs(it)).map(|(one, other)| self.again[one][other]).sum();
        again + (0..self.players.len()).map(|it| self.cost_of_table(it, self.at[it])).sum::<i64>()
    }

    /// The cost of a player at a table, apart from the others there.
    fn cost_of_table(&self, player: usize, table: usize) -> i64 {
        let short = if self.is_short(table) { SHORT_TABLE * self.short_tables[player] } else { 0 };
        let far = if self.reach == 0 { 0 } else { self.distance(player, table) as i64 };
        short + far
    }

    /// How many places the player's class is from the table.
    fn distance(&self, player: usize, table: usize) -> usize {
        let (own, there) = (&self.class_places[player], &self.table_places[table]);
        let above = (there.start + 1).saturating_sub(own.end);
        let below = (own.start + 1).saturating_sub(there.end);
        above.max(below)
    }

    /// The cost of a player at a table in place of another player.
    fn cost_at(&self, player: usize, table: usize, instead_of: usize) -> i64 {
        let others = self.tables[table].iter().filter(|it| **it != instead_of);
        self.cost_of_table(player, table) + others.map(|it| self.again[player][*it]).sum::<i64>()
    }

    fn may_exchange(&self, one: usize, other: usize) -> bool {
        let (here, there) = (self.at[one], self.at[other]);
        let is_near = |player, table| self.distance(player, table) <= self.reach;
        let is_same_class = || self.players[one].class == self.players[other].class;
        here != there && (is_same_class() || self.reach > 0 && is_near(one, there) && is_near(other, here))
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
