//! The laws of the arena, over whole evenings at random: people come, pause, leave and finish their bouts whenever they like.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::playout::random;

const PATIENCE: u16 = 60;

fn arena(least: u8, most: u8) -> Format {
    Format::Arena { minutes: 60, least, most, patience: PATIENCE, streaks: false }
}

fn free(of: &[(u32, u32)]) -> Vec<Free> {
    of.iter().map(|(entrant, waited)| Free { entrant: *entrant, waited: *waited }).collect()
}

fn seats(due: &[Pairing]) -> Vec<Vec<u32>> {
    let sorted = |it: &Pairing| {
        let mut entrants = it.entrants.clone();
        entrants.sort_unstable();
        entrants
    };
    due.iter().map(sorted).collect()
}

/// An evening as a clock sees it.
struct Evening {
    stage: Stage,
    least: usize,
    most: usize,
    now: u32,
    /// Since when those wait who are free.
    since: BTreeMap<u32, u32>,
    pausing: BTreeSet<u32>,
    /// How often each other entrant was seated since this one became free.
    passed: BTreeMap<u32, BTreeMap<u32, u32>>,
}

impl Evening {
    fn new(least: u8, most: u8, many: u32, draw: u64) -> Self {
        let mut stage = stage(arena(least, most), many);
        stage.draw = draw;
        stage.tie_breaks = vec![TieBreak::AveragePoints, TieBreak::HeadToHead];
        let since = (1..=many).map(|it| (it, 0)).collect();
        let (least, most) = (least.into(), most.into());
        Evening { stage, least, most, now: 0, since, pausing: BTreeSet::new(), passed: BTreeMap::new() }
    }

    fn free(&self) -> Vec<Free> {
        self.since.iter().map(|(entrant, since)| Free { entrant: *entrant, waited: self.now - since }).collect()
    }

    /// Whom somebody met in their last bout.
    fn last(&self, entrant: u32) -> BTreeSet<u32> {
        let bouts = self.stage.bouts_in_order();
        let last = bouts.values().rev().find(|it| it.entrants.contains(&entrant));
        let Some(result) = last.and_then(|it| it.result.as_ref()) else { return BTreeSet::new() };
        let is_here = |who: u32| result.iter().any(|it| it.entrant == who && !it.absent);
        let met = result.iter().map(|it| it.entrant).filter(|it| *it != entrant && is_here(*it) && is_here(entrant));
        met.collect()
    }

    fn is_new(&self, one: u32, other: u32) -> bool {
        one != other && !self.last(one).contains(&other) && !self.last(other).contains(&one)
    }

    fn is_fresh(&self, table: &[u32]) -> bool {
        table.iter().all(|one| table.iter().any(|other| self.is_new(*one, *other)))
    }

    /// All tables that these could fill, everybody with somebody new.
    fn fresh_tables(&self, of: &[u32]) -> Vec<Vec<u32>> {
        let sets = (1_u32..1 << of.len()).filter(|set| (self.least..=self.most).contains(&(set.count_ones() as usize)));
        let table = |set: u32| (0..of.len()).filter(|it| set >> it & 1 == 1).map(|it| of[it]).collect::<Vec<_>>();
        sets.map(table).filter(|it| self.is_fresh(it)).collect()
    }

    /// The most who can play at once in duels of new opponents.
    fn most_in_duels(&self, of: &[u32]) -> usize {
        let Some((first, rest)) = of.split_first() else { return 0 };
        let without = self.most_in_duels(rest);
        let with = rest.iter().filter(|it| self.is_new(*first, **it)).map(|other| {
            let rest: Vec<u32> = rest.iter().copied().filter(|it| it != other).collect();
            2 + self.most_in_duels(&rest)
        });
        with.max().unwrap_or_default().max(without)
    }

    fn check(&self, due: &[Pairing]) {
        let waited = |it: u32| self.now - self.since[&it];
        let seated: Vec<u32> = due.iter().flat_map(|it| it.entrants.iter().copied()).collect();
        assert_eq!(seated.len(), seated.iter().collect::<BTreeSet<_>>().len(), "nobody plays twice at once");
        assert!(seated.iter().all(|it| self.since.contains_key(it)), "nobody plays who is not free");
        assert!(due.iter().all(|it| (self.least..=self.most).contains(&it.entrants.len())));
        let left: Vec<u32> = self.since.keys().copied().filter(|it| !seated.contains(it)).collect();
        let may_be_asked = |of: &[u32]| of.len() <= 9;
        if may_be_asked(&left) {
            assert!(self.fresh_tables(&left).is_empty(), "nobody waits while others are free who are new");
        }
        let is_impatient = left.iter().any(|it| waited(*it) >= PATIENCE.into());
        assert!(!is_impatient || left.len() < self.least, "nobody waits for longer while there are enough");
        for it in due.iter().filter(|it| !self.is_fresh(&it.entrants)) {
            assert!(it.reasons.contains(&Reason::NobodyElse));
            assert!(it.entrants.iter().any(|it| waited(*it) >= PATIENCE.into()), "nobody meets again before that");
            let all: Vec<u32> = it.entrants.iter().chain(&left).copied().collect();
            assert!(!may_be_asked(&all) || self.fresh_tables(&all).is_empty(), "only they were left");
        }
        let all: Vec<u32> = self.since.keys().copied().collect();
        if may_be_asked(&all) {
            let longest = all.iter().map(|it| waited(*it)).max().unwrap_or_default();
            let firsts: Vec<u32> = all.iter().copied().filter(|it| waited(*it) == longest).collect();
            if let [first] = firsts[..]
                && self.fresh_tables(&all).iter().any(|it| it.contains(&first))
            {
                assert!(seated.contains(&first), "who waited longest plays");
            }
            if self.most == 2 {
                let fresh = due.iter().filter(|it| self.is_fresh(&it.entrants)).count();
                assert_eq!(2 * fresh, self.most_in_duels(&all), "as many as can");
            }
        }
    }

    fn pair(&mut self, source: &mut dyn Source) {
        let now_free = self.free();
        let due = self.stage.due_among(&now_free);
        self.check(&due);
        let mut other = now_free.clone();
        crate::chance::shuffle(&mut other, source);
        assert_eq!(self.stage.shuffled(source).due_among(&other), due, "nothing but what is told matters");
        self.stage.record(&due);
        for entrant in due.iter().flat_map(|it| &it.entrants) {
            self.since.remove(entrant);
            self.passed.remove(entrant);
        }
        for entrant in due.iter().flat_map(|it| &it.entrants) {
            for waits in self.since.keys() {
                let times = self.passed.entry(*waits).or_default().entry(*entrant).or_default();
                *times += 1;
                assert!(*times <= 3, "nobody plays again and again while another waits");
            }
        }
    }

    /// Something happens.
    fn step(&mut self, source: &mut dyn Source) {
        self.now += source.below(25);
        let open = self.stage.open();
        match source.below(10) {
            0 if self.stage.participants.len() < 24 => {
                let number = self.stage.participants.len() as u32 + 1;
                let new = Participant { entrant: number, seed: number, from_round: 1, until_round: None };
                self.stage.participants.push(new);
                self.since.insert(number, self.now);
            }
            1 if !self.since.is_empty() => {
                let at = source.below(self.since.len() as u32) as usize;
                let who = *self.since.keys().nth(at).expect("they are free");
                self.since.remove(&who);
                self.passed.remove(&who);
                self.pausing.insert(who);
            }
            2 | 3 => {
                if let Some(who) = self.pausing.pop_first() {
                    self.since.insert(who, self.now);
                }
            }
            4..=8 if !open.is_empty() => {
                let key = open[source.below(open.len() as u32) as usize];
                let mut ranked = self.stage.find(key).entrants.clone();
                crate::chance::shuffle(&mut ranked, source);
                self.stage.end(key, order(&ranked));
                self.since.extend(ranked.iter().map(|it| (*it, self.now)));
            }
            _ => {}
        }
    }
}

fn hold(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        for (least, most) in [(2, 2), (2, 3), (3, 3), (3, 4), (2, 5), (4, 6), (3, 10)] {
            for many in [0, 2, 3, 5, 8, 13] {
                let mut source = random(seed * 1000 + u64::from(many) * 10 + u64::from(most));
                let mut evening = Evening::new(least, most, many, seed);
                evening.stage.check().expect("it can be played");
                for _ in 0..120 {
                    evening.pair(&mut source);
                    evening.step(&mut source);
                }
                assert!(evening.stage.played() > 3 || evening.stage.participants.len() < 6);
            }
        }
    }
}

#[test]
fn evenings_keep_the_laws() {
    hold(0..2);
}

#[test]
#[ignore = "long"]
fn hundreds_more_evenings_keep_the_laws() {
    hold(2..300);
}

#[test]
fn two_who_are_alone_meet_again_once_their_patience_is_over() {
    let mut stage = stage(arena(2, 2), 3);
    let due = stage.due_among(&free(&[(1, 0), (2, 0)]));
    assert_eq!(seats(&due), [[1, 2]]);
    stage.record(&due);
    assert!(stage.due_among(&free(&[(1, 99), (2, 99)])).is_empty(), "they play");
    stage.play(&mut favourite);
    assert!(stage.due_among(&free(&[(1, 59), (2, 59)])).is_empty());
    assert_eq!(seats(&stage.due_among(&free(&[(1, 59), (2, 59), (3, 0)]))), [[2, 3]], "somebody new comes first");
    let again = stage.due_among(&free(&[(1, 60), (2, 60)]));
    assert_eq!(seats(&again), [[1, 2]]);
    assert!(again[0].reasons.contains(&Reason::NobodyElse));
    assert!(again[0].reasons.contains(&Reason::Repeat { one: 1, other: 2, times: 1 }));
    assert_eq!(again[0].key, key("main-1-2"));
}

#[test]
fn of_three_who_are_free_the_longest_wait_comes_first() {
    let stage = stage(arena(2, 2), 3);
    let due = stage.due_among(&free(&[(1, 5), (2, 30), (3, 10)]));
    assert_eq!(seats(&due), [[2, 3]]);
    assert!(due[0].reasons.contains(&Reason::Waited { entrant: 2, seconds: 30 }));
}

#[test]
fn equals_meet_and_the_strongest_do_not_always_meet_the_same() {
    let mut stage = stage(arena(2, 2), 8);
    let all: Vec<(u32, u32)> = (1..=8).map(|it| (it, 0)).collect();
    stage.record(&stage.due_among(&free(&all)));
    assert_eq!(stage.bouts.len(), 4);
    stage.play(&mut favourite);
    let second = stage.due_among(&free(&all));
    let first: Vec<Vec<u32>> = stage.bouts.iter().map(|it| it.entrants.clone()).collect();
    assert!(second.iter().all(|it| !first.contains(&it.entrants)));
    let winners: Vec<u32> = stage.standings().iter().filter(|it| it.points == 100).map(|it| it.entrant).collect();
    let among = |it: &Pairing| it.entrants.iter().filter(|it| winners.contains(it)).count();
    assert!(second.iter().all(|it| among(it) != 1), "who won meets who won");
}

#[test]
fn tables_of_several_are_mixed() {
    let mut stage = stage(arena(3, 4), 8);
    let all: Vec<(u32, u32)> = (1..=8).map(|it| (it, 0)).collect();
    let first = stage.due_among(&free(&all));
    assert_eq!(seats(&first), [[1, 2, 3, 4], [5, 6, 7, 8]]);
    stage.record(&first);
    stage.play(&mut favourite);
    let one_table: Vec<(u32, u32)> = (1..=4).map(|it| (it, 30)).collect();
    assert!(stage.due_among(&free(&one_table)).is_empty(), "they wait for others");
    let second = stage.due_among(&free(&all));
    assert_eq!(second.len(), 2);
    for table in seats(&second) {
        assert_eq!(table.iter().filter(|it| **it <= 4).count(), 2, "two of each");
    }
}

#[test]
fn a_win_after_two_in_a_row_counts_double_until_the_row_ends() {
    let mut stage = stage(Format::Arena { minutes: 60, least: 2, most: 2, patience: 0, streaks: true }, 2);
    let mut points = Vec::new();
    for winner in [1, 1, 1, 1, 2, 1] {
        stage.record(&stage.due_among(&free(&[(1, 0), (2, 0)])));
        stage.play(&mut |_| vec![winner, 3 - winner]);
        points.push(stage.standings().iter().find(|it| it.entrant == 1).expect("they play").points);
    }
    assert_eq!(points, [100, 200, 400, 600, 600, 700]);
    // One to which nobody else came is no part of the row, and does not end it.
    stage.record(&stage.due_among(&free(&[(1, 0), (2, 0)])));
    let open = stage.open()[0];
    stage.end(open, vec![finish(1, 1), Finish { absent: true, ..finish(2, 2) }]);
    for _ in 0..2 {
        stage.record(&stage.due_among(&free(&[(1, 0), (2, 0)])));
        stage.play(&mut favourite);
    }
    assert_eq!(stage.standings()[0].points, 700 + 100 + 100 + 200);
}

#[test]
fn of_equal_points_fewer_bouts_are_worth_more() {
    let mut stage = stage(arena(2, 2), 4);
    stage.tie_breaks = vec![TieBreak::AveragePoints];
    stage.bouts = vec![
        bout("main-1-1", &[1, 2], order(&[1, 2])),
        bout("main-1-2", &[3, 4], order(&[4, 3])),
        bout("main-1-3", &[3, 2], order(&[3, 2])),
    ];
    let ranks: Vec<(u32, u32, i64)> =
        stage.standings().iter().map(|it| (it.rank, it.entrant, it.tie_breaks[0])).collect();
    assert_eq!(ranks[..3], [(1, 1, 100), (1, 4, 100), (3, 3, 50)]);
}

#[test]
fn settings_out_of_bounds_are_refused() {
    let code = |format| stage(format, 4).check().map_err(|it| it.code());
    let window = |minutes, patience| code(Format::Arena { minutes, least: 2, most: 2, patience, streaks: false });
    assert_eq!([window(0, 60), window(601, 60), window(60, 901)], [Err("bad_window"); 3]);
    assert_eq!([window(1, 0), window(600, 900)], [Ok(()); 2]);
    assert_eq!(code(arena(4, 3)), Err("bad_sizes"));
    assert_eq!(stage(arena(2, 2), 0).check(), Ok(()), "people may come later");
    assert_eq!(stage(arena(2, 2), 257).check().map_err(|it| it.code()), Err("too_many"));
}

#[test]
fn the_largest_field_is_paired_at_once() {
    for (least, most) in [(2, 2), (3, 4), (4, 10)] {
        let mut stage = stage(arena(least, most), 256);
        let all: Vec<(u32, u32)> = (1..=256).map(|it| (it, it % 7)).collect();
        for _ in 0..3 {
            let due = stage.due_among(&free(&all));
            let seated = due.iter().map(|it| it.entrants.len()).sum::<usize>();
            assert!(seated > 246, "{seated}");
            stage.record(&due);
            stage.play(&mut favourite);
        }
    }
}
