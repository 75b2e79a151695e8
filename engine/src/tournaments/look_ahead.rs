//! The best round of a Swiss among those after which all later rounds can be played: the best round alone may use up the
//! opponents that a later one needs. In small fields it often does.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// So many rounds are compared. Fields in which more would be needed have opponents to spare.
const MOST_ROUNDS: usize = 1_000;
/// So many steps a search for later rounds takes. Beyond them a round is taken to leave enough.
const MOST_STEPS: u32 = 50_000;

/// The ways to pair a round. A vertex is a player, or the bye.
pub(super) trait Rounds {
    /// A pairing; of two, the better is less.
    type Paired: Ord;

    /// How many vertices there are.
    fn many(&self) -> usize;

    /// Can two be paired, now or later?
    fn may_meet(&self, one: usize, other: usize) -> bool;

    /// The best pairing of those with pairs that are all allowed.
    fn best(&self, allows: &dyn Fn(usize, usize) -> bool) -> Option<Self::Paired>;

    /// The partner of each vertex.
    fn partners(paired: &Self::Paired) -> &[usize];
}

/// The partner of each vertex in the best pairing after which `later` more can be made of the pairs that are left; if
/// there is none, after which as many as possible can.
pub(super) fn best_for_later<R: Rounds>(round: &R, later: u16) -> Option<Vec<usize>> {
    let best = round.best(&|_, _| true)?;
    let best = R::partners(&best);
    let field = Field::of(round.many(), |one, other| round.may_meet(one, other));
    if field.without(best).lasts(later) {
        return Some(best.to_vec());
    }
    let later = (0..=later).rev().find(|later| field.lasts(later + 1)).unwrap_or(0);
    let enough = all(round).take(MOST_ROUNDS).find(|it| field.without(it).lasts(later));
    Some(enough.unwrap_or_else(|| best.to_vec()))
}

/// All pairings, the best first (Lawler: A procedure for computing the k best solutions, 1972).
fn all<R: Rounds>(round: &R) -> impl Iterator<Item = Vec<usize>> {
    let solve = |branch: Branch| {
        let paired = round.best(&|one, other| branch.allows(one, other))?;
        Some(Reverse((paired, branch)))
    };
    let mut open: BinaryHeap<_> = solve(Branch::default()).into_iter().collect();
    std::iter::from_fn(move || {
        let Reverse((paired, branch)) = open.pop()?;
        let partners = R::partners(&paired).to_vec();
        let mut next = branch;
        for (one, other) in partners.iter().enumerate().filter(|(one, other)| one < *other) {
            if next.kept.contains(&(one, *other)) {
                continue;
            }
            let mut without = next.clone();
            without.barred.push((one, *other));
            open.extend(solve(without));
            next.kept.push((one, *other));
        }
        Some(partners)
    })
}

/// The matchings with these pairs and without those.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    kept: Vec<(usize, usize)>,
    barred: Vec<(usize, usize)>,
}

impl Branch {
    fn allows(&self, one: usize, other: usize) -> bool {
        let pair = (one.min(other), one.max(other));
        let touches = |kept: &(usize, usize)| [kept.0, kept.1].iter().any(|it| *it == one || *it == other);
        !self.barred.contains(&pair) && self.kept.iter().all(|kept| *kept == pair || !touches(kept))
    }
}

/// Who can still meet.
#[derive(Clone)]
struct Field {
    can_meet: Vec<Vec<bool>>,
}

impl Field {
    fn of(many: usize, can_meet: impl Fn(usize, usize) -> bool) -> Self {
        let meet = |one: usize, other: usize| one != other && can_meet(one.min(other), one.max(other));
        Field { can_meet: (0..many).map(|one| (0..many).map(|other| meet(one, other)).collect()).collect() }
    }

    /// After a round.
    fn without(&self, partners: &[usize]) -> Self {
        let mut left = self.clone();
        partners.iter().enumerate().for_each(|(one, other)| left.can_meet[one][*other] = false);
        left
    }

    /// Can so many more rounds be played?
    fn lasts(&self, rounds: u16) -> bool {
        self.clone().search(rounds, &mut vec![false; self.can_meet.len()], &mut 0)
    }

    fn fewest(&self) -> usize {
        let opponents = |one: &Vec<bool>| one.iter().filter(|it| **it).count();
        self.can_meet.iter().map(opponents).min().unwrap_or(0)
    }

    /// Pairs who has the fewest opponents left, for one round after the other. `is_paired` is of the first.
    fn search(&mut self, rounds: u16, is_paired: &mut [bool], steps: &mut u32) -> bool {
        let many = self.can_meet.len();
        *steps += 1;
        if rounds == 0 || *steps > MOST_STEPS {
            return true;
        }
        if is_paired.iter().all(|it| !it) {
            let fewest = self.fewest();
            if fewest < rounds.into() {
                return false;
            }
            // Dirac, 1952: where everybody can meet half of the others, there is a round; each takes one opponent away.
            if fewest + 1 >= many / 2 + usize::from(rounds) {
                return true;
            }
        }
        let open = |field: &Self, is_paired: &[bool], one: usize| {
            (0..many).filter(|other| !is_paired[*other] && field.can_meet[one][*other]).collect::<Vec<usize>>()
        };
        let free = (0..many).filter(|one| !is_paired[*one]);
        let Some((one, others)) = free.map(|one| (one, open(self, is_paired, one))).min_by_key(|(_, it)| it.len())
        else {
            return self.search(rounds - 1, &mut vec![false; many], steps);
        };
        for other in others {
            (is_paired[one], is_paired[other]) = (true, true);
            self.set(one, other, false);
            let is_found = self.search(rounds, is_paired, steps);
            self.set(one, other, true);
            (is_paired[one], is_paired[other]) = (false, false);
            if is_found {
                return true;
            }
        }
        false
    }

    fn set(&mut self, one: usize, other: usize, can_meet: bool) {
        self.can_meet[one][other] = can_meet;
        self.can_meet[other][one] = can_meet;
    }
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Cost, cheapest};
    use super::*;

    #[test]
    fn a_field_lasts_as_long_as_there_are_opponents() {
        let everybody = |many: usize| Field::of(many, |_, _| true);
        for many in [2, 4, 6, 8, 10] {
            assert!(everybody(many).lasts(many as u16 - 1) && !everybody(many).lasts(many as u16), "{many}");
        }
        // Two threes that play among themselves leave nobody for the last of each.
        let halves = Field::of(6, |one, other| (one < 3) == (other < 3));
        assert!(!halves.lasts(1));
        // Three against three: three rounds.
        let sides = Field::of(6, |one, other| (one < 3) != (other < 3));
        assert!(sides.lasts(3) && !sides.lasts(4));
    }

    struct Numbers;

    impl Rounds for Numbers {
        type Paired = (Cost<2>, Vec<usize>);

        fn many(&self) -> usize {
            6
        }

        fn may_meet(&self, _: usize, _: usize) -> bool {
            true
        }

        fn best(&self, allows: &dyn Fn(usize, usize) -> bool) -> Option<Self::Paired> {
            let cost = |one: usize, other: usize| Cost([0, ((one * 7 + other * 5) % 11) as i64]);
            let partners = cheapest(6, |one, other| Some(cost(one, other)).filter(|_| allows(one, other)))?;
            let pairs = partners.iter().enumerate().filter(|(one, other)| one < *other);
            Some((pairs.fold(Cost::ZERO, |sum, (one, other)| sum + cost(one, *other)), partners))
        }

        fn partners((_, partners): &Self::Paired) -> &[usize] {
            partners
        }
    }

    #[test]
    fn rounds_come_the_cheapest_first_and_each_once() {
        let all: Vec<Vec<usize>> = all(&Numbers).collect();
        let total = |it: &Vec<usize>| {
            let pairs = it.iter().enumerate().filter(|(one, other)| one < *other);
            pairs.map(|(one, other)| (one * 7 + other * 5) % 11).sum::<usize>()
        };
        assert_eq!(all.len(), 15);
        assert!(all.is_sorted_by_key(total));
        let mut unique = all.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), 15);
    }
}
