//! The state of a search for a matching: labels, trees that grow from those without a mate, and blossoms, the circles
//! of odd length that are taken for one vertex and taken apart again.

use std::collections::VecDeque;

use super::Cost;

/// No vertex.
pub(super) const NONE: usize = 0;

/// What a vertex is in the trees that grow from those without a mate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Free,
    /// An even number of steps from the root.
    Outer,
    /// An odd number.
    Inner,
}

/// Vertices are numbered from 1 to `many`; above are blossoms, which contain others.
pub(super) struct Search<const N: usize> {
    pub(super) many: usize,
    /// The highest number in use.
    pub(super) top: usize,
    /// How much is gained by pairing two vertices; none if they cannot be.
    gains: Vec<Option<Cost<N>>>,
    /// Which two vertices the edge between two blossoms joins.
    edges: Vec<(usize, usize)>,
    pub(super) label: Vec<Cost<N>>,
    /// The vertex at the other end of the matched edge.
    pub(super) mate: Vec<usize>,
    /// The vertex from which the tightest edge leads here.
    pub(super) slack: Vec<usize>,
    /// The outermost blossom around it, perhaps itself.
    pub(super) around: Vec<usize>,
    pub(super) parent: Vec<usize>,
    pub(super) mark: Vec<Mark>,
    /// Which part of a blossom a vertex is in.
    part: Vec<usize>,
    parts: Vec<Vec<usize>>,
    /// When a way to a root last came by.
    seen: Vec<usize>,
    stamp: usize,
    pub(super) queue: VecDeque<usize>,
}

impl<const N: usize> Search<N> {
    pub(super) fn new(many: usize, cost: impl Fn(usize, usize) -> Option<Cost<N>>) -> Self {
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

    pub(super) fn edge(&self, one: usize, other: usize) -> (usize, usize) {
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
    pub(super) fn distance(&self, (one, other): (usize, usize)) -> Cost<N> {
        let gain = self.gains[one * (self.many + 1) + other].unwrap_or(Cost::ZERO);
        self.label[one] + self.label[other] - gain - gain
    }

    pub(super) fn note_slack(&mut self, from: usize, to: usize) {
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
    pub(super) fn visit(&mut self, blossom: usize) {
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
    pub(super) fn augment(&mut self, mut one: usize, mut other: usize) {
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
    pub(super) fn meeting(&mut self, mut one: usize, mut other: usize) -> usize {
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

    pub(super) fn shrink(&mut self, one: usize, base: usize, other: usize) {
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
    pub(super) fn expand(&mut self, blossom: usize) {
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

    /// The vertices and blossoms that no blossom contains, perhaps those only for which something holds.
    pub(super) fn outermost(&self, holds: impl Fn(usize) -> bool) -> Vec<usize> {
        (1..=self.top).filter(|it| self.around[*it] == *it && holds(*it)).collect()
    }
}
