//! Sums over many matches, and what they say.

use std::collections::BTreeMap;

use super::play::{Picks, Played};
use super::report::{Change, Differences, Findings, Pick, Share, Spread, TOO_LONG, Z, rounded};
use crate::seats::{Seat, SeatSet};

/// The sums of what matches were like.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) matches: u64,
    moves: Vec<u32>,
    endings: BTreeMap<String, u64>,
    ties: u64,
    by_seat: Vec<f64>,
    by_order: Vec<f64>,
    /// Per role, its wins and how often it played.
    by_role: BTreeMap<String, (f64, u64)>,
    decisions: u64,
    forced: u64,
    choices: u64,
    waiting: u64,
    out: u64,
    lead_changes: Option<u64>,
    comebacks: u64,
    made: u64,
    /// Per role, the types of moves that it made.
    made_by_role: BTreeMap<String, u64>,
    /// The matches in which every seat knew what it plays before the first move.
    cast: u64,
    picks: Picks,
    /// The wins of the odd one among the seats.
    pub(super) odd: f64,
}

/// The share of a win that this seat has: those who tie share it.
fn win(winners: SeatSet, seat: Seat) -> f64 {
    if winners.has(seat) { 1.0 / winners.len() as f64 } else { 0.0 }
}

fn seats(many: u8) -> impl Iterator<Item = Seat> {
    (0..many).map(Seat)
}

impl Tally {
    pub(super) fn add(&mut self, played: &Played, seats: u8, index: u64) {
        let of = |first: Seat, place: u8| win(played.winners, Seat((first.0 + place) % seats));
        self.by_seat.resize(seats.into(), 0.0);
        for (place, sum) in self.by_seat.iter_mut().enumerate() {
            *sum += of(Seat(0), place as u8);
        }
        if let Some(first) = played.first {
            self.by_order.resize(seats.into(), 0.0);
            for (place, sum) in self.by_order.iter_mut().enumerate() {
                *sum += of(first, place as u8);
            }
        }
        for (seat, role) in self::seats(seats).zip(&played.roles) {
            let Some(role) = role else { continue };
            if !self.by_role.contains_key(role) {
                self.by_role.insert(role.clone(), (0.0, 0));
            }
            if let Some((wins, times)) = self.by_role.get_mut(role) {
                *wins += win(played.winners, seat);
                *times += 1;
            }
        }
        self.odd += of(Seat(0), (index % u64::from(seats)) as u8);
        let reason = played.reason.as_deref().unwrap_or(TOO_LONG);
        match self.endings.get_mut(reason) {
            Some(count) => *count += 1,
            None => _ = self.endings.insert(reason.to_owned(), 1),
        }
        self.matches += 1;
        self.moves.push(played.moves);
        self.ties += u64::from(played.winners.len() > 1);
        self.decisions += u64::from(played.moves);
        self.forced += u64::from(played.forced);
        self.choices += played.choices;
        self.waiting += played.waiting;
        self.out += played.out;
        if let Some(changes) = played.lead_changes {
            *self.lead_changes.get_or_insert_default() += u64::from(changes);
        }
        self.comebacks += u64::from(played.comeback);
        self.made |= played.made_by_anybody();
        for (role, made) in played.roles.iter().zip(&played.made) {
            let Some(role) = role else { continue };
            match self.made_by_role.get_mut(role) {
                Some(all) => *all |= made,
                None => _ = self.made_by_role.insert(role.clone(), *made),
            }
        }
        self.cast += u64::from(played.are_cast);
        add_picks(&mut self.picks, &played.picks);
    }

    /// Adds what comes after it: sums of fractions depend on their order.
    pub(super) fn append(&mut self, next: Tally) {
        add_each(&mut self.by_seat, &next.by_seat);
        add_each(&mut self.by_order, &next.by_order);
        for (role, (wins, times)) in next.by_role {
            let sum = self.by_role.entry(role).or_default();
            *sum = (sum.0 + wins, sum.1 + times);
        }
        for (reason, count) in next.endings {
            *self.endings.entry(reason).or_default() += count;
        }
        self.matches += next.matches;
        self.moves.extend(next.moves);
        self.ties += next.ties;
        self.decisions += next.decisions;
        self.forced += next.forced;
        self.choices += next.choices;
        self.waiting += next.waiting;
        self.out += next.out;
        if let Some(changes) = next.lead_changes {
            *self.lead_changes.get_or_insert_default() += changes;
        }
        self.comebacks += next.comebacks;
        self.made |= next.made;
        for (role, made) in next.made_by_role {
            *self.made_by_role.entry(role).or_default() |= made;
        }
        self.cast += next.cast;
        add_picks(&mut self.picks, &next.picks);
        self.odd += next.odd;
    }

    /// The widest half of an interval among the shares of the seats and of the places in the order of play.
    pub(super) fn precision(&self) -> f64 {
        let all = self.by_seat.iter().chain(&self.by_order);
        all.map(|wins| Share::of(*wins, self.matches)).map(|it| (it.high - it.low) / 2.0).fold(0.0, f64::max)
    }

    pub(super) fn odd_share(&self) -> Share {
        Share::of(self.odd, self.matches)
    }

    /// Does every seat know what it plays before the first move?
    pub(super) fn is_cast(&self) -> bool {
        self.cast == self.matches
    }

    /// The roles, each with the types of moves that it makes and some other role never makes.
    pub(super) fn roles(&self) -> Vec<(String, u64)> {
        let common = self.made_by_role.values().fold(u64::MAX, |all, made| all & made);
        self.made_by_role.iter().map(|(role, made)| (role.clone(), made & !common)).collect()
    }

    /// How often this role wins.
    pub(super) fn role_share(&self, role: &str) -> Option<Share> {
        self.by_role.get(role).map(|(wins, times)| Share::of(*wins, *times))
    }

    /// What was never chosen, though it could have been this often.
    fn never_picked(&self) -> Vec<Pick> {
        const OFTEN: u64 = 50;
        let never = self.picks.iter().filter(|(_, (offered, chosen))| *offered >= OFTEN && *chosen == 0);
        let pick = |((chosen, field, value), (offered, _)): (&(String, String, String), &(u64, u64))| Pick {
            chosen: chosen.clone(),
            field: field.clone(),
            value: serde_json::from_str(value).unwrap_or_default(),
            offered: *offered,
        };
        never.map(pick).collect()
    }

    pub(super) fn findings(&self, policy: &'static str, seats: u8, types: &[String]) -> Findings {
        let each = |wins: &[f64]| wins.iter().map(|wins| Share::of(*wins, self.matches)).collect();
        let per_match = |sum: u64| rounded(sum as f64 / self.matches.max(1) as f64);
        let of_moves = |sum: u64| rounded(sum as f64 / self.decisions.max(1) as f64);
        let of_seats = |sum: u64| rounded(sum as f64 / (self.decisions.max(1) * u64::from(seats)) as f64);
        let has_made = |which: usize| self.made >> which.min(63) & 1 == 1;
        let unused = types.iter().enumerate().filter(|(which, _)| !has_made(*which));
        Findings {
            policy: policy.into(),
            matches: self.matches,
            moves: Spread::of(&self.moves),
            endings: self.endings.clone(),
            ties: rounded(self.ties as f64 / self.matches.max(1) as f64),
            wins_by_seat: each(&self.by_seat),
            wins_by_order: each(&self.by_order),
            wins_by_role: self
                .by_role
                .iter()
                .map(|(role, (wins, times))| (role.clone(), Share::of(*wins, *times)))
                .collect(),
            decisions: per_match(self.decisions),
            forced: of_moves(self.forced),
            choices: of_moves(self.choices),
            waiting: of_seats(self.waiting),
            out: of_seats(self.out),
            lead_changes: self.lead_changes.map(per_match),
            comebacks: self.lead_changes.is_some().then(|| per_match(self.comebacks)),
            never_picked: self.never_picked(),
            never_used: unused.map(|(_, name)| name.clone()).collect(),
        }
    }
}

fn add_each(sums: &mut Vec<f64>, more: &[f64]) {
    sums.resize(sums.len().max(more.len()), 0.0);
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn add_picks(sums: &mut Picks, more: &Picks) {
    for (pick, (offered, chosen)) in more {
        let sum = sums.entry(pick.clone()).or_default();
        *sum = (sum.0 + offered, sum.1 + chosen);
    }
}

impl Spread {
    fn of(moves: &[u32]) -> Self {
        let mut moves = moves.to_vec();
        moves.sort_unstable();
        let at = |tenths: usize| moves.get(moves.len().saturating_sub(1) * tenths / 10).copied().unwrap_or(0);
        Spread { p10: at(1), median: at(5), p90: at(9), max: at(10) }
    }
}

/// The differences of matches with the same luck under two sets of rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Paired {
    matches: u64,
    /// Matches that went otherwise.
    changed: u64,
    moves: Sum,
    ties: Sum,
    starts: Sum,
    forced: Sum,
    waiting: Sum,
    out: Sum,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    fn append(&mut self, next: Sum) {
        self.sum += next.sum;
        self.squares += next.squares;
    }

    fn change(self, of: u64) -> Change {
        let count = of.max(1) as f64;
        let mean = self.sum / count;
        let variance = (self.squares / count - mean * mean).max(0.0);
        let half = Z * (variance / count).sqrt();
        Change { mean: rounded(mean), low: rounded(mean - half), high: rounded(mean + half) }
    }
}

impl Paired {
    pub(super) fn add(&mut self, one: &Played, other: &Played, seats: u8) {
        let per_move = |it: &Played, sum: u64| sum as f64 / f64::from(it.moves.max(1));
        let starts = |it: &Played| it.first.map_or(0.0, |first| win(it.winners, first));
        let seats = f64::from(seats);
        self.matches += 1;
        let is_same = one.moves == other.moves && one.winners == other.winners && one.reason == other.reason;
        self.changed += u64::from(!is_same);
        self.moves.add(f64::from(one.moves) - f64::from(other.moves));
        let tied = |it: &Played| f64::from(u8::from(it.winners.len() > 1));
        self.ties.add(tied(one) - tied(other));
        self.starts.add(starts(one) - starts(other));
        self.forced.add(per_move(one, one.forced.into()) - per_move(other, other.forced.into()));
        self.waiting.add((per_move(one, one.waiting) - per_move(other, other.waiting)) / seats);
        self.out.add((per_move(one, one.out) - per_move(other, other.out)) / seats);
    }

    pub(super) fn append(&mut self, next: &Paired) {
        self.matches += next.matches;
        self.changed += next.changed;
        self.moves.append(next.moves);
        self.ties.append(next.ties);
        self.starts.append(next.starts);
        self.forced.append(next.forced);
        self.waiting.append(next.waiting);
        self.out.append(next.out);
    }

    /// The share of the matches that went otherwise.
    pub(super) fn changed(&self) -> Share {
        Share::of(self.changed as f64, self.matches)
    }

    pub(super) fn differences(&self, policy: &'static str) -> Differences {
        let change = |sum: Sum| sum.change(self.matches);
        Differences {
            policy: policy.into(),
            matches: self.matches,
            changed: self.changed(),
            moves: change(self.moves),
            ties: change(self.ties),
            starts: change(self.starts),
            forced: change(self.forced),
            waiting: change(self.waiting),
            out: change(self.out),
        }
    }
}
