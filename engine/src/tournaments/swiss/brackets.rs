//! The pairing of a round, one bracket after another from the top down (Handbook C.04.3). A bracket is a score group and
//! the players who moved down to it. Each is the best matching of everybody who is not paired yet, by criteria that
//! count the pairs of this bracket and the next; its pairs then stand.

use std::ops::Range;

use super::super::history::History;
use super::super::look_ahead::Rounds;
use super::super::matching::{Cost, cheapest};
use super::super::stage::Stage;
use super::digits::{Digits, bits};
use super::players::{Float, Player, Strength};

/// A round to be paired. A vertex is the place of a player in the order of points and seeds; the one after the last is
/// the bye.
pub(in super::super) struct Round<'a> {
    pub(super) number: u16,
    players: &'a [Player],
    /// Who may meet, one row per vertex.
    may_meet: Vec<Vec<bool>>,
    /// Pairs who should not meet.
    apart: Vec<Vec<bool>>,
    /// The points above which seats matter less in the last round, if it is the last (C.04.3, 1.8).
    top: Option<i64>,
}

/// A pairing of all players.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Paired {
    /// Bracket by bracket what it costs. The less, the better.
    pub(in super::super) cost: Vec<i64>,
    /// The partner of each vertex.
    pub(in super::super) partners: Vec<usize>,
}

impl<'a> Round<'a> {
    pub(in super::super) fn new(stage: &Stage, players: &'a [Player], history: &History, is_last: bool) -> Self {
        let most = stage.scoring.points.best().map(|it| it * i64::from(history.rounds));
        let many = players.len().next_multiple_of(2);
        let may_meet = |one: usize, other: usize| match (players.get(one), players.get(other)) {
            (Some(one), Some(other)) => {
                one.entrant != other.entrant && history.times_met(one.entrant, other.entrant) == 0
            }
            (Some(player), None) | (None, Some(player)) => !player.has_had_bye,
            (None, None) => false,
        };
        let apart = |one: usize, other: usize| match (players.get(one), players.get(other)) {
            (Some(one), Some(other)) => stage.keeps_apart(one.entrant, other.entrant),
            _ => false,
        };
        Round {
            number: history.rounds + 1,
            apart: (0..many).map(|one| (0..many).map(|other| apart(one, other)).collect()).collect(),
            players,
            may_meet: (0..many).map(|one| (0..many).map(|other| may_meet(one, other)).collect()).collect(),
            top: most.filter(|_| is_last).map(|it| it / 2),
        }
    }

    /// Both need the same seat, and nothing excuses it.
    fn clash(&self, one: &Player, other: &Player) -> Clash {
        if one.strength.min(other.strength) < Strength::Absolute || !one.contends_with(other) {
            return Clash::None;
        }
        if self.top.is_some_and(|top| one.points.max(other.points) > top) { Clash::Excused } else { Clash::Full }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Clash {
    None,
    Excused,
    Full,
}

impl Rounds for Round<'_> {
    type Paired = Paired;

    fn many(&self) -> usize {
        self.may_meet.len()
    }

    fn may_meet(&self, one: usize, other: usize) -> bool {
        self.may_meet[one][other]
    }

    fn best(&self, allows: &dyn Fn(usize, usize) -> bool) -> Option<Paired> {
        self.paired(allows, true).or_else(|| self.paired(allows, false))
    }

    fn partners(paired: &Paired) -> &[usize] {
        &paired.partners
    }
}

impl Round<'_> {
    /// The best pairing. A narrow search leaves out those who are too far below a bracket to matter for it.
    pub(in super::super) fn paired(&self, allows: &dyn Fn(usize, usize) -> bool, is_narrow: bool) -> Option<Paired> {
        let many = self.may_meet.len();
        let mut done = Paired { cost: Vec::new(), partners: vec![many; many] };
        let mut left: Vec<usize> = (0..many).collect();
        let mut down = 0;
        while let Some(group) = self.group(&left, down) {
            let mut bracket = Bracket::new(self, allows, &left, group, is_narrow);
            let pairs = bracket.paired(&mut done.cost)?;
            for (one, other) in pairs {
                let (one, other) = (left[one], left[other]);
                (done.partners[one], done.partners[other]) = (other, one);
            }
            let here = bracket.here;
            down = left[..here].iter().filter(|it| done.partners[**it] == many).count();
            left.retain(|it| done.partners[*it] == many);
        }
        if let [one, other] = left[..] {
            (done.partners[one], done.partners[other]) = (other, one);
        }
        Some(done)
    }

    /// The score group after those who moved down.
    fn group(&self, left: &[usize], down: usize) -> Option<Range<usize>> {
        let points = self.players.get(*left.get(down)?)?.points;
        let same = |it: &&usize| self.players.get(**it).is_some_and(|it| it.points == points);
        Some(down..down + left[down..].iter().take_while(same).count())
    }
}

/// One bracket, and everybody below. Positions are in the order of points, those who moved down first.
struct Bracket<'a> {
    round: &'a Round<'a>,
    allows: &'a dyn Fn(usize, usize) -> bool,
    /// The vertices by position.
    left: &'a [usize],
    /// So many moved down, so many are in the bracket, and so many in it and the next score group.
    down: usize,
    here: usize,
    next: usize,
    /// The points in the bracket, the most first.
    scores: Vec<i64>,
    /// The pairs that are certain, by position; who is certain to float.
    certain: Vec<Option<usize>>,
    floats: Vec<bool>,
}

/// As many scores are told apart when players float.
const SCORES: usize = 6;
/// With so many pairs, a bracket is ordered exactly as C.04.3 says.
const EXACT: usize = 32;

impl<'a> Bracket<'a> {
    fn new(
        round: &'a Round<'a>,
        allows: &'a dyn Fn(usize, usize) -> bool,
        left: &'a [usize],
        group: Range<usize>,
        is_narrow: bool,
    ) -> Self {
        let next = round.group(left, group.end).map_or(group.end, |it| it.end);
        let mut scores: Vec<i64> = left[..group.end].iter().map(|it| round.players[*it].points).collect();
        scores.dedup();
        scores.truncate(SCORES);
        // Dirac, 1952: this many further down can be paired whatever happens above, and so can all after them.
        let spare = 2 * usize::from(round.number) + 16;
        let enough = (next + spare).next_multiple_of(2);
        let left = if is_narrow && left.len() > enough + spare { &left[..enough] } else { left };
        Bracket {
            round,
            allows,
            down: group.start,
            here: group.end,
            next,
            scores,
            certain: vec![None; left.len()],
            floats: vec![false; left.len()],
            left,
        }
    }

    /// The pairs of the bracket, by position. Adds what they cost.
    fn paired(&mut self, cost: &mut Vec<i64>) -> Option<Vec<(usize, usize)>> {
        let residents: Vec<usize> = (self.down..self.here).collect();
        let mut pairs = residents.len() / 2;
        if self.down > 0 {
            let partners = self.solve(cost, &|one, other, to| self.order_of_moved_down(one, other, to))?;
            for (one, other) in partners.iter().copied().enumerate().take(self.down) {
                if other < self.here {
                    (self.certain[one], self.certain[other]) = (Some(other), Some(one));
                } else {
                    self.floats[one] = true;
                }
            }
            pairs = residents.iter().filter(|it| **it < partners[**it] && partners[**it] < self.here).count();
        }
        let rest: Vec<usize> = residents.into_iter().filter(|it| self.certain[*it].is_none()).collect();
        let partners = self.remainder(&rest, pairs, cost)?;
        Some(
            (0..self.here)
                .filter(|it| *it < partners[*it] && partners[*it] < self.here)
                .map(|it| (it, partners[it]))
                .collect(),
        )
    }

    /// Pairs the upper half of the remainder with the lower. If that cannot be, as few as possible change halves.
    fn remainder(&mut self, rest: &[usize], pairs: usize, cost: &mut Vec<i64>) -> Option<Vec<usize>> {
        let place = places(rest, self.left.len());
        let uppers = |partners: &[usize]| -> Vec<usize> {
            rest.iter().copied().filter(|it| *it < partners[*it] && partners[*it] < self.here).collect()
        };
        let mut halves = rest[..pairs.min(rest.len())].to_vec();
        let mut partners = self.solve(cost, &|one, other, to| self.order_of_halves(&place, &halves, one, other, to))?;
        let mut found = uppers(&partners);
        if found.len() != halves.len() {
            halves = rest[..found.len()].to_vec();
            partners = self.solve(cost, &|one, other, to| self.order_of_halves(&place, &halves, one, other, to))?;
            found = uppers(&partners);
        }
        if found == halves {
            return Some(partners);
        }
        let partners =
            self.solve(cost, &|one, other, to| self.order_of_exchanges(&place, found.len(), one, other, to))?;
        let found = uppers(&partners);
        let is_upper = |it: usize| found.contains(&it);
        let fits = |one: usize, other: usize| {
            place[one].is_none() || if other < self.here { is_upper(one) && !is_upper(other) } else { !is_upper(one) }
        };
        self.solve_where(cost, &fits, &|one, other, to| self.order_of_opponents(&place, &found, one, other, to))
    }

    /// The best pairing of everybody who is left: by the criteria, then in that order.
    fn solve(&self, cost: &mut Vec<i64>, order: &Order<'_>) -> Option<Vec<usize>> {
        self.solve_where(cost, &|_, _| true, order)
    }

    fn solve_where(
        &self,
        cost: &mut Vec<i64>,
        fits: &dyn Fn(usize, usize) -> bool,
        order: &Order<'_>,
    ) -> Option<Vec<usize>> {
        let mut sample = Digits::into(&mut []);
        self.criteria(0, self.left.len() - 1, &mut sample);
        order(0, self.left.len() - 1, &mut sample);
        match sample.needed() {
            ..=6 => self.solve_with::<6>(cost, fits, order),
            7..=9 => self.solve_with::<9>(cost, fits, order),
            10..=14 => self.solve_with::<14>(cost, fits, order),
            _ => self.solve_with::<48>(cost, fits, order),
        }
    }

    fn solve_with<const N: usize>(
        &self,
        cost: &mut Vec<i64>,
        fits: &dyn Fn(usize, usize) -> bool,
        order: &Order<'_>,
    ) -> Option<Vec<usize>> {
        let of = |one: usize, other: usize| -> Option<Cost<N>> {
            if !self.may_pair(one, other) || !fits(one, other) {
                return None;
            }
            let mut of = Cost::ZERO;
            let mut digits = Digits::into(&mut of.0);
            self.criteria(one, other, &mut digits);
            order(one, other, &mut digits);
            Some(of)
        };
        let partners = cheapest(self.left.len(), of)?;
        let pairs = partners.iter().enumerate().filter(|(one, other)| one < *other);
        let total = pairs.filter_map(|(one, other)| of(one, *other)).fold(Cost::ZERO, |sum, it| sum + it);
        cost.extend(&total.0[1..]);
        Some(partners)
    }

    fn player(&self, position: usize) -> Option<&Player> {
        self.left.get(position).and_then(|it| self.round.players.get(*it))
    }

    fn may_pair(&self, one: usize, other: usize) -> bool {
        let is_certain = |it: usize, with: usize| self.certain[it].is_none_or(|it| it == with);
        // Those who moved down do not meet each other: they could not in their own bracket.
        let are_down = one.max(other) < self.down;
        let is_kept_apart = are_down || self.floats[one] && other < self.here;
        !is_kept_apart
            && is_certain(one, other)
            && is_certain(other, one)
            && self.round.may_meet[self.left[one]][self.left[other]]
            && (self.allows)(self.left[one], self.left[other])
    }

    /// The criteria of C.04.3, C for a pair of positions, the better first. Those of later brackets only count as far as
    /// they bind this one.
    fn criteria(&self, one: usize, other: usize, to: &mut Digits<'_>) {
        let Some(upper) = self.player(one) else { return };
        let lower = self.player(other);
        let count = bits(self.left.len());
        let is_here = other < self.here;
        let floats = one < self.here && !is_here;
        let floats_on = one < self.next && other >= self.next;
        let score = self.scores.iter().position(|it| *it == upper.points);
        let clash = lower.map_or(Clash::None, |it| self.round.clash(upper, it));
        to.push(self.round.apart[self.left[one]][self.left[other]], count);
        // C3: nobody has a seat for the third time in a row, or three times more often than the other.
        to.push(clash == Clash::Full, count);
        // C5: the bye goes to the fewest points.
        to.push(if lower.is_none() { upper.behind as i64 } else { 0 }, bits(self.round.players.len()));
        // C6, C7: few float, and if anybody, then those with fewer points.
        to.push(floats, count);
        for at in 0..self.scores.len() {
            to.push(floats && score == Some(at), count);
        }
        // C8: the same in the next bracket.
        to.push(floats_on, count);
        for at in 0..self.scores.len() {
            to.push(floats_on && score == Some(at), count);
        }
        // C9: the bye goes to who has missed the fewest games.
        to.push(if floats && lower.is_none() { upper.unplayed } else { 0 }, 8);
        let pair = lower.filter(|_| is_here).map(|lower| (upper, lower));
        self.seats(pair, clash, to);
        // C14 to C17: nobody floats again as in the last two rounds.
        let is_moved = upper.points > lower.map_or(i64::MIN, |it| it.points);
        for back in 0..2 {
            let again = floats && one >= self.down && upper.floats[back] == Some(Float::Down);
            to.push(again, count);
            to.push(pair.is_some_and(|(_, it)| is_moved && it.floats[back] == Some(Float::Up)), count);
        }
    }

    /// C10 to C13: as many as possible have the seat that they want, above all those who want it strongly.
    fn seats(&self, pair: Option<(&Player, &Player)>, clash: Clash, to: &mut Digits<'_>) {
        let count = bits(self.left.len());
        let contends = pair.is_some_and(|(one, other)| one.contends_with(other));
        let strong = |one: &Player, other: &Player| one.strength.min(other.strength) == Strength::Strong;
        to.push(pair.is_some() && clash == Clash::Excused, count);
        to.push(contends, count);
        to.push(contends && pair.is_some_and(|(one, other)| strong(one, other)), count);
    }

    /// Those who moved down first are paired, and each with the best resident.
    fn order_of_moved_down(&self, one: usize, other: usize, to: &mut Digits<'_>) {
        for at in 0..self.down {
            to.push(one == at && other >= self.here, 1);
        }
        for at in 0..self.down {
            let opponent = if one == at && other < self.here { other - self.down } else { 0 };
            to.push(opponent as i64, bits(self.here));
        }
    }

    /// Few change halves, then as near to the middle as can be; then the opponents.
    fn order_of_halves(
        &self,
        place: &[Option<usize>],
        halves: &[usize],
        one: usize,
        other: usize,
        to: &mut Digits<'_>,
    ) {
        let upper = place[one].filter(|_| other < self.here);
        to.push(upper.is_some_and(|it| it >= halves.len()), bits(self.here));
        to.push(upper.unwrap_or(0) as i64, 2 * bits(self.here));
        self.order_of_opponents(place, halves, one, other, to);
    }

    /// The first of the upper half meets the best, then the second, and so on.
    fn order_of_opponents(
        &self,
        place: &[Option<usize>],
        uppers: &[usize],
        one: usize,
        other: usize,
        to: &mut Digits<'_>,
    ) {
        let nth = uppers.iter().position(|it| *it == one).filter(|_| other < self.here);
        if uppers.len() > EXACT {
            // Of large brackets only the sum counts, so that a round of hundreds is paired at once.
            let opponent = nth.zip(place[other]).map_or(0, |(nth, place)| place as i64 - (uppers.len() + nth) as i64);
            return to.push(opponent.pow(2), 3 * bits(self.here));
        }
        for at in 0..uppers.len() {
            let opponent = place[other].filter(|_| nth == Some(at)).unwrap_or(0);
            to.push(opponent as i64, bits(self.here));
        }
    }

    /// Few change halves, near to the middle: of the upper half the last, of the lower half the first.
    fn order_of_exchanges(&self, place: &[Option<usize>], half: usize, one: usize, other: usize, to: &mut Digits<'_>) {
        let many = place.iter().flatten().count();
        let upper = place[one].filter(|_| other < self.here);
        to.push(upper.is_some_and(|it| it >= half), bits(self.here));
        to.push(upper.unwrap_or(0) as i64, 2 * bits(self.here));
        if half > EXACT {
            return;
        }
        for at in (0..half).rev() {
            to.push(upper == Some(at), 1);
        }
        for at in half..many {
            to.push(if upper == Some(at) { -1 } else { 0 }, 1);
        }
    }
}

/// Writes the order of a pair of positions.
type Order<'a> = dyn Fn(usize, usize, &mut Digits<'_>) + 'a;

/// The place of each position in a list.
fn places(of: &[usize], many: usize) -> Vec<Option<usize>> {
    let mut places = vec![None; many];
    of.iter().enumerate().for_each(|(place, it)| places[*it] = Some(place));
    places
}
