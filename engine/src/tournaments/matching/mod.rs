//! The cheapest way to pair everybody off: a minimum-cost perfect matching in a general graph, by Edmonds' blossoms
//! with the primal-dual method in cubic time (Galil: Efficient algorithms for finding maximum matching in graphs,
//! 1986). Costs are lists of numbers, the first the most important: the method needs nothing of them but sums,
//! differences, halves and order.

mod blossoms;

use std::cmp::Ordering;
use std::ops::{Add, Sub};

use blossoms::{Mark, NONE, Search};

/// What a pair costs: several counts, the first the most important.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost<const N: usize>(pub(super) [i64; N]);

impl<const N: usize> Cost<N> {
    pub(super) const ZERO: Self = Cost([0; N]);

    fn half(self) -> Self {
        Cost(self.0.map(|it| it / 2))
    }
}

impl<const N: usize> Add for Cost<N> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(it, more)| *it += more);
        self
    }
}

impl<const N: usize> Sub for Cost<N> {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(it, less)| *it -= less);
        self
    }
}

/// The partner of each vertex in the cheapest perfect matching, or `None` if there is no perfect matching. `cost` is
/// `None` for two that cannot be paired. The first count of a cost is reserved for this module and has to be 0.
pub(super) fn cheapest<const N: usize>(
    many: usize,
    cost: impl Fn(usize, usize) -> Option<Cost<N>>,
) -> Option<Vec<usize>> {
    let mut search = Search::new(many, cost);
    while search.augmented() {}
    let partner = |it: usize| search.mate[it].checked_sub(1);
    (1..=many).map(partner).collect()
}

impl<const N: usize> Search<N> {
    /// Finds one more pair, if there is one.
    fn augmented(&mut self) -> bool {
        self.mark[1..=self.top].fill(Mark::Free);
        self.slack[1..=self.top].fill(NONE);
        self.queue.clear();
        for root in self.outermost(|it| self.mate[it] == NONE) {
            self.parent[root] = NONE;
            self.mark[root] = Mark::Outer;
            self.visit(root);
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            if self.grown() {
                return true;
            }
            if !self.adjusted() {
                return false;
            }
            self.queue.clear();
            for to in self.outermost(|_| true) {
                let from = self.slack[to];
                let is_outside = self.around[to] == to && from != NONE && self.around[from] != to;
                if is_outside && self.distance(self.edge(from, to)) == Cost::ZERO && self.follow(self.edge(from, to)) {
                    return true;
                }
            }
            let used_up = |it| it > self.many && self.mark[it] == Mark::Inner && self.label[it] == Cost::ZERO;
            for blossom in self.outermost(used_up) {
                self.expand(blossom);
            }
        }
    }

    /// Follows all tight edges from the queue.
    fn grown(&mut self) -> bool {
        while let Some(from) = self.queue.pop_front() {
            if self.mark[self.around[from]] == Mark::Inner {
                continue;
            }
            for to in 1..=self.many {
                if self.edge(from, to).0 == NONE || self.around[from] == self.around[to] {
                    continue;
                }
                if self.distance((from, to)) == Cost::ZERO {
                    if self.follow((from, to)) {
                        return true;
                    }
                } else {
                    self.note_slack(from, self.around[to]);
                }
            }
        }
        false
    }

    /// Changes the labels until another edge is tight; if that gains nothing, the matching is the best.
    fn adjusted(&mut self) -> bool {
        let room = |blossom: usize| {
            if blossom > self.many && self.mark[blossom] == Mark::Inner {
                return Some(self.label[blossom].half());
            }
            let from = self.slack[blossom];
            let distance = || self.distance(self.edge(from, blossom));
            match self.mark[blossom] {
                Mark::Free if from != NONE => Some(distance()),
                Mark::Outer if from != NONE => Some(distance().half()),
                Mark::Free | Mark::Outer | Mark::Inner => None,
            }
        };
        let Some(step) = self.outermost(|_| true).into_iter().filter_map(room).min() else { return false };
        for vertex in 1..=self.many {
            match self.mark[self.around[vertex]] {
                Mark::Outer if self.label[vertex].cmp(&step) != Ordering::Greater => return false,
                Mark::Outer => self.label[vertex] = self.label[vertex] - step,
                Mark::Inner => self.label[vertex] = self.label[vertex] + step,
                Mark::Free => {}
            }
        }
        for blossom in self.outermost(|it| it > self.many) {
            match self.mark[blossom] {
                Mark::Outer => self.label[blossom] = self.label[blossom] + step + step,
                Mark::Inner => self.label[blossom] = self.label[blossom] - step - step,
                Mark::Free => {}
            }
        }
        true
    }

    /// Grows a tree along a tight edge, shrinks a blossom, or augments: then it says so.
    fn follow(&mut self, (from, to): (usize, usize)) -> bool {
        let (one, other) = (self.around[from], self.around[to]);
        match self.mark[other] {
            Mark::Free => {
                self.parent[other] = from;
                self.mark[other] = Mark::Inner;
                let next = self.around[self.mate[other]];
                (self.slack[other], self.slack[next]) = (NONE, NONE);
                self.mark[next] = Mark::Outer;
                self.visit(next);
            }
            Mark::Outer => match self.meeting(one, other) {
                NONE => {
                    self.augment(one, other);
                    self.augment(other, one);
                    return true;
                }
                base => self.shrink(one, base, other),
            },
            Mark::Inner => {}
        }
        false
    }
}
