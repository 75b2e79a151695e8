//! The cheapest way to pair everybody off: a minimum-cost perfect matching in a general graph, by Edmonds' blossoms with the
//! primal-dual method in cubic time (Galil: Efficient algorithms for finding maximum matching in graphs, 1986). Costs are
//! lists of numbers, the first the most important: the method needs nothing of them but sums, differences, halves and order.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::{Add, Sub};

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

/// Everybody's partner in the cheapest matching of all, or nothing if somebody is left over in every one. No cost where two
/// cannot be paired. The first of a cost's counts is used here and has to be 0.
pub(super) fn cheapest<const N: usize>(
    many: usize,
    cost: impl Fn(usize, usize) -> Option<Cost<N>>,
) -> Option<Vec<usize>> {
    let mut search = Search::new(many, cost);
    while search.augmented() {}
    let partner = |it: usize| search.mate[it].checked_sub(1);
    (1..=many).map(partner).collect()
}

/// No vertex.
const NONE: usize = 0;

/// What a vertex is in the trees that grow from those without a mate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Free,
    /// An even number of steps from the root.
    Outer,
    /// An odd number.
    Inner,
}

/// Vertices are numbered from 1 to `many`; above are blossoms, which contain others.
struct Search<const N: usize> {
    many: usize,
    /// The highest number in use.
    top: usize,
    /// How much is gained by pairing two vertices; none if they cannot be.
    gains: Vec<Option<Cost<N>>>,
    /// Which two vertices the edge between two blossoms joins.
    edges: Vec<(usize, usize)>,
    label: Vec<Cost<N>>,
    /// The vertex at the other end of the matched edge.
    mate: Vec<usize>,
    /// The vertex from which the tightest edge leads here.
    slack: Vec<usize>,
    /// The outermost blossom around it, perhaps itself.
    around: Vec<usize>,
    parent: Vec<usize>,
    mark: Vec<Mark>,
    /// Which part of a blossom a vertex is in.
    part: Vec<usize>,
    parts: Vec<Vec<usize>>,
    seen: Vec<usize>,
    stamp: usize,
    queue: VecDeque<usize>,
}

impl<const N: usize> Search<N> {
    fn new(many: usize, cost: impl Fn(usize, usize) -> Option<Cost<N>>) -> Self {
        let size = many + many / 2 + 2;
        let mut search = Search {
            many,
            top: many,
            gains: vec![None; (many + 1) * (many + 1)],
            edges: vec![(NONE, NONE); size * size],
            label: vec![Cost::ZERO; size],
            mate: vec![NONE; size],
            slack: vec![NONE; size],
            around: (0..size).map(|it| if it <= many { it } else { NONE }).collect(),
            parent: vec![NONE; size],
            mark: vec![Mark::Free; size],
            part: vec![NONE; size * (many + 1)],
            parts: vec![Vec::new(); size],
            seen: vec![NONE; size],
            stamp: 0,
            queue: VecDeque::new(),
        };
        let mut most = Cost::ZERO;
        for one in 1..=many {
            search.part[one * (many + 1) + one] = one;
            for other in (1..=many).filter(|it| *it != one) {
                let Some(cost) = cost(one.min(other) - 1, one.max(other) - 1) else { continue };
                // A pair more outweighs everything else.
                let mut gain = Cost::ZERO - cost;
                gain.0[0] = 1;
                search.gains[one * (many + 1) + other] = Some(gain);
                search.edges[one * size + other] = (one, other);
                most = most.max(gain);
            }
        }
        search.label[1..=many].fill(most);
        search
    }

    fn edge(&self, one: usize, other: usize) -> (usize, usize) {
        self.edges[one * self.label.len() + other]
    }

    fn set_edge(&mut self, one: usize, other: usize, edge: (usize, usize)) {
        let size = self.label.len();
        self.edges[one * size + other] = edge;
        self.edges[other * size + one] = (edge.1, edge.0);
    }

    fn part_with(&self, blossom: usize, vertex: usize) -> usize {
        self.part[blossom * (self.many + 1) + vertex]
    }

    /// How far from tight the edge between two vertices is.
    fn distance(&self, (one, other): (usize, usize)) -> Cost<N> {
        let gain = self.gains[one * (self.many + 1) + other].unwrap_or(Cost::ZERO);
        self.label[one] + self.label[other] - gain - gain
    }

    fn note_slack(&mut self, from: usize, to: usize) {
        let best = self.slack[to];
        if best == NONE || self.distance(self.edge(from, to)) < self.distance(self.edge(best, to)) {
            self.slack[to] = from;
        }
    }

    fn find_slack(&mut self, to: usize) {
        self.slack[to] = NONE;
        for from in 1..=self.many {
            let around = self.around[from];
            if self.edge(from, to).0 != NONE && around != to && self.mark[around] == Mark::Outer {
                self.note_slack(from, to);
            }
        }
    }

    /// Queues all vertices of a blossom.
    fn visit(&mut self, blossom: usize) {
        if blossom <= self.many {
            return self.queue.push_back(blossom);
        }
        for part in self.parts[blossom].clone() {
            self.visit(part);
        }
    }

    fn enclose(&mut self, inner: usize, outer: usize) {
        self.around[inner] = outer;
        if inner > self.many {
            for part in self.parts[inner].clone() {
                self.enclose(part, outer);
            }
        }
    }

    /// Turns a blossom so that the way from its base to a part has an even number of steps, and says how many.
    fn steps_to(&mut self, blossom: usize, part: usize) -> usize {
        let parts = &mut self.parts[blossom];
        let at = parts.iter().position(|it| *it == part).unwrap_or_default();
        if at % 2 == 0 {
            return at;
        }
        parts[1..].reverse();
        parts.len() - at
    }

    fn pair(&mut self, one: usize, other: usize) {
        let (from, to) = self.edge(one, other);
        self.mate[one] = to;
        if one <= self.many {
            return;
        }
        let part = self.part_with(one, from);
        let steps = self.steps_to(one, part);
        for step in 0..steps {
            let (left, right) = (self.parts[one][step], self.parts[one][step ^ 1]);
            self.pair(left, right);
        }
        self.pair(part, other);
        self.parts[one].rotate_left(steps);
    }

    /// Swaps matched and unmatched edges from here to the root.
    fn augment(&mut self, mut one: usize, mut other: usize) {
        loop {
            let next = self.around[self.mate[one]];
            self.pair(one, other);
            if next == NONE {
                return;
            }
            let above = self.around[self.parent[next]];
            self.pair(next, above);
            (one, other) = (above, next);
        }
    }

    /// Where the ways of two outer vertices to their roots meet.
    fn meeting(&mut self, mut one: usize, mut other: usize) -> usize {
        self.stamp += 1;
        while one != NONE || other != NONE {
            if one != NONE {
                if self.seen[one] == self.stamp {
                    return one;
                }
                self.seen[one] = self.stamp;
                one = self.around[self.mate[one]];
                if one != NONE {
                    one = self.around[self.parent[one]];
                }
            }
            std::mem::swap(&mut one, &mut other);
        }
        NONE
    }

    /// The vertices on the way from an outer one up to another, that one left out.
    fn way(&mut self, from: usize, base: usize) -> Vec<usize> {
        let mut way = Vec::new();
        let mut at = from;
        while at != base {
            let inner = self.around[self.mate[at]];
            way.extend([at, inner]);
            self.visit(inner);
            at = self.around[self.parent[inner]];
        }
        way
    }

    fn shrink(&mut self, one: usize, base: usize, other: usize) {
        let unused = (self.many + 1..=self.top).find(|it| self.around[*it] == NONE);
        let blossom = unused.unwrap_or(self.top + 1);
        self.top = self.top.max(blossom);
        self.label[blossom] = Cost::ZERO;
        self.mark[blossom] = Mark::Outer;
        self.mate[blossom] = self.mate[base];
        let mut parts = vec![base];
        parts.extend(self.way(one, base).into_iter().rev());
        parts.extend(self.way(other, base));
        self.parts[blossom] = parts.clone();
        self.enclose(blossom, blossom);
        for to in 1..=self.top {
            self.set_edge(blossom, to, (NONE, NONE));
        }
        for vertex in 1..=self.many {
            self.part[blossom * (self.many + 1) + vertex] = NONE;
        }
        for part in parts {
            for to in 1..=self.top {
                let (edge, best) = (self.edge(part, to), self.edge(blossom, to));
                if edge.0 != NONE && (best.0 == NONE || self.distance(edge) < self.distance(best)) {
                    self.set_edge(blossom, to, edge);
                }
            }
            for vertex in 1..=self.many {
                if self.part_with(part, vertex) != NONE {
                    self.part[blossom * (self.many + 1) + vertex] = part;
                }
            }
        }
        self.find_slack(blossom);
    }

    /// Takes an inner blossom whose label is used up apart again.
    fn expand(&mut self, blossom: usize) {
        for part in self.parts[blossom].clone() {
            self.enclose(part, part);
        }
        let entry = self.part_with(blossom, self.edge(blossom, self.parent[blossom]).0);
        let steps = self.steps_to(blossom, entry);
        let parts = std::mem::take(&mut self.parts[blossom]);
        for pair in parts[..steps].chunks_exact(2) {
            let (inner, outer) = (pair[0], pair[1]);
            self.parent[inner] = self.edge(outer, inner).0;
            (self.mark[inner], self.mark[outer]) = (Mark::Inner, Mark::Outer);
            self.slack[inner] = NONE;
            self.find_slack(outer);
            self.visit(outer);
        }
        self.mark[entry] = Mark::Inner;
        self.parent[entry] = self.parent[blossom];
        for part in &parts[steps + 1..] {
            self.mark[*part] = Mark::Free;
            self.find_slack(*part);
        }
        self.around[blossom] = NONE;
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

    /// The vertices and blossoms that no blossom contains, perhaps those only for which something holds.
    fn outermost(&self, holds: impl Fn(usize) -> bool) -> Vec<usize> {
        (1..=self.top).filter(|it| self.around[*it] == *it && holds(*it)).collect()
    }

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

    /// Goes along all tight edges from the queue.
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
}
