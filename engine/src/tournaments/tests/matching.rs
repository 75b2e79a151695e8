//! The cheapest matching against all matchings there are: property S11.

use super::super::matching::{Cost, cheapest};
use super::*;
use crate::playout::random;

/// The least that any way to pair everybody off costs.
fn least<const N: usize>(left: &[usize], cost: &dyn Fn(usize, usize) -> Option<Cost<N>>) -> Option<Cost<N>> {
    let Some((one, others)) = left.split_first() else { return Some(Cost::ZERO) };
    let ways = others.iter().filter_map(|other| {
        let rest: Vec<usize> = others.iter().copied().filter(|it| it != other).collect();
        Some(cost(*one, *other)? + least(&rest, cost)?)
    });
    ways.min()
}

/// What a matching costs.
fn total<const N: usize>(partners: &[usize], cost: &dyn Fn(usize, usize) -> Option<Cost<N>>) -> Cost<N> {
    let pairs = partners.iter().enumerate().filter(|(one, other)| one < other);
    pairs.fold(Cost::ZERO, |all, (one, other)| all + cost(one, *other).expect("they may be paired"))
}

#[test]
fn no_matching_is_cheaper() {
    compare(3, 1500);
}

#[test]
#[ignore = "long"]
fn no_matching_is_cheaper_in_many_more_cases() {
    compare(5, 200_000);
}

fn compare(seed: u64, cases: usize) {
    let mut source = random(seed);
    for case in 0..cases {
        let many = 2 + 2 * source.below(4) as usize;
        let most = [2, 5, 1000][case % 3];
        let gaps = source.below(6);
        let mut table = vec![vec![None; many]; many];
        for row in &mut table {
            for cell in row.iter_mut() {
                let mut number = || i64::from(source.below(most));
                let cost = Cost([0, number(), number() - number()]);
                *cell = if source.below(10) < gaps { None } else { Some(cost) };
            }
        }
        let cost = |one: usize, other: usize| table[one][other];
        let all: Vec<usize> = (0..many).collect();
        let found = cheapest(many, cost);
        assert_eq!(found.as_ref().map(|it| total(it, &cost)), least(&all, &cost));
        for (one, other) in found.iter().flatten().enumerate() {
            assert_eq!(found.as_ref().map(|it| it[*other]), Some(one));
        }
    }
}

#[test]
fn large_fields_are_matched_too() {
    let mut source = random(4);
    let many = 120;
    let table: Vec<i64> = (0..many * many).map(|_| i64::from(source.below(50))).collect();
    let cost = |one: usize, other: usize| Some(Cost([0, table[one * many + other]]));
    let partners = cheapest(many, cost).expect("all may be paired");
    let before = total(&partners, &cost);
    // No exchange between two pairs makes it cheaper.
    let pairs: Vec<(usize, usize)> = partners.iter().copied().enumerate().filter(|(one, other)| one < other).collect();
    let price = |one: usize, other: usize| total_of(one, other, &table, many);
    for (at, (a, b)) in pairs.iter().enumerate() {
        for (c, d) in &pairs[at + 1..] {
            let now = price(*a, *b) + price(*c, *d);
            assert!(now <= price(*a, *c) + price(*b, *d) && now <= price(*a, *d) + price(*b, *c));
        }
    }
    assert!(before.0[1] < 60);
}

fn total_of(one: usize, other: usize, table: &[i64], many: usize) -> i64 {
    table[one.min(other) * many + one.max(other)]
}
