//! The players of a Swiss round: their points, floats and seats so far.

use std::cmp::Ordering;

use super::super::history::{BoutRecord, BoutResult, History};
use super::super::stage::Stage;

/// A player to be paired.
pub(in super::super) struct Player {
    pub(in super::super) entrant: u32,
    pub(super) seed: u32,
    pub(in super::super) points: i64,
    /// How many players have fewer points.
    pub(in super::super) behind: usize,
    pub(super) has_had_bye: bool,
    /// Rounds without a game.
    pub(in super::super) unplayed: i64,
    /// The floats of the last round and the round before.
    pub(in super::super) floats: [Option<Float>; 2],
    /// The seats of the games played, in order.
    seats: Vec<Seat>,
    pub(in super::super) wants: Option<Seat>,
    pub(in super::super) strength: Strength,
}

/// The opponent had more points (up) or fewer (down).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Float {
    Up,
    Down,
}

/// The seats of a duel. The first is chess's white.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Seat {
    First,
    Second,
}

impl Seat {
    fn other(self) -> Self {
        if self == Seat::First { Seat::Second } else { Seat::First }
    }
}

/// How much a player's next seat matters (C.04.3, 1.6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Strength {
    /// The seat only alternates.
    Mild,
    /// One seat was had once more often.
    Strong,
    /// One seat was had two times more often, or in the last two games.
    Absolute,
}

/// The players of that round, the most points first, then by seed.
pub(in super::super) fn players(stage: &Stage, round: u16, history: &History) -> Vec<Player> {
    let asked = |it: u32| stage.rulings.bye(it, round).is_some();
    let here = stage.by_seed().into_iter().filter(|it| it.plays_in(round) && !asked(it.entrant));
    let win = stage.scoring.points.best();
    let mut players: Vec<Player> = here.map(|it| player(it.entrant, it.seed, round, history, win)).collect();
    players.sort_by_key(|it| -it.points);
    let behind = |points: i64| players.iter().filter(|it| it.points < points).count();
    let behind: Vec<usize> = players.iter().map(|it| behind(it.points)).collect();
    players.iter_mut().zip(behind).for_each(|(player, behind)| player.behind = behind);
    players
}

fn player(entrant: u32, seed: u32, round: u16, history: &History, win: Option<i64>) -> Player {
    let records = history.of(entrant);
    let played = || records.iter().filter(|it| !it.meetings.is_empty());
    let back = |rounds: u16| records.iter().find(|it| it.round + rounds == round);
    let seats: Vec<Seat> = played().map(|it| if it.seat == 0 { Seat::First } else { Seat::Second }).collect();
    let (wants, strength) = preference(&seats);
    Player {
        entrant,
        seed,
        points: history.points(entrant),
        behind: 0,
        has_had_bye: records.iter().any(|it| has_points_for_nothing(it, win)),
        unplayed: i64::from(round - 1) - played().count() as i64,
        floats: [1, 2].map(|rounds| back(rounds).and_then(|it| float(entrant, it, history))),
        seats,
        wants,
        strength,
    }
}

/// A bye, or as many points as for a win without a game (C.04.1, 4).
fn has_points_for_nothing(record: &BoutRecord, win: Option<i64>) -> bool {
    match record.result {
        BoutResult::Bye | BoutResult::Walkover => true,
        BoutResult::Requested | BoutResult::Missed => win.is_some_and(|it| record.points >= it),
        BoutResult::Won | BoutResult::Drawn | BoutResult::Lost | BoutResult::Absent => false,
    }
}

fn preference(seats: &[Seat]) -> (Option<Seat>, Strength) {
    let (rarer, surplus) = surplus(seats);
    let change = seats.last().map(|it| it.other());
    let is_repeated = seats.len() > 1 && seats[seats.len() - 1] == seats[seats.len() - 2];
    match surplus {
        2.. => (Some(rarer), Strength::Absolute),
        _ if is_repeated => (change, Strength::Absolute),
        1 => (Some(rarer), Strength::Strong),
        0 => (change, Strength::Mild),
    }
}

/// The seat that was had more rarely, and how many times more rarely.
fn surplus(seats: &[Seat]) -> (Seat, usize) {
    let firsts = seats.iter().filter(|it| **it == Seat::First).count();
    let seconds = seats.len() - firsts;
    (if firsts > seconds { Seat::Second } else { Seat::First }, firsts.abs_diff(seconds))
}

impl Player {
    /// Do both want the same seat, whatever the strength?
    pub(in super::super) fn contends_with(&self, other: &Player) -> bool {
        self.wants.is_some() && self.wants == other.wants
    }

    /// Who has the first seat (C.04.3, E)? The player with the better place is asked.
    pub(super) fn sits_first_against(&self, other: &Player) -> bool {
        let mine = self.wants.unwrap_or(match other.wants {
            Some(theirs) => theirs.other(),
            None if self.seed % 2 == 1 => Seat::First,
            None => Seat::Second,
        });
        let yields = self.contends_with(other) && {
            let weight = |it: &Player| match it.strength {
                Strength::Absolute => (it.strength, surplus(&it.seats).1),
                Strength::Mild | Strength::Strong => (it.strength, 0),
            };
            match weight(self).cmp(&weight(other)) {
                Ordering::Greater => false,
                Ordering::Less => true,
                // Seats change after the last round in which the two had different ones.
                Ordering::Equal => {
                    let back = self.seats.iter().rev().zip(other.seats.iter().rev());
                    back.into_iter().find(|(mine, theirs)| mine != theirs).is_some_and(|(had, _)| *had == mine)
                }
            }
        };
        (mine == Seat::First) != yields
    }
}

/// Did a player float? Points without a game are a float down (C.04.3, A.4).
fn float(entrant: u32, record: &BoutRecord, history: &History) -> Option<Float> {
    let is_gift = matches!(record.result, BoutResult::Requested | BoutResult::Missed) && record.points > 0;
    if is_gift || matches!(record.result, BoutResult::Bye | BoutResult::Walkover) {
        return Some(Float::Down);
    }
    let before = |it| history.points_before(it, record.round);
    match before(entrant).cmp(&before(record.meetings.first()?.opponent)) {
        Ordering::Greater => Some(Float::Down),
        Ordering::Equal => None,
        Ordering::Less => Some(Float::Up),
    }
}
