//! Swiss: everybody plays every round against an opponent with about as many points, and never meets an opponent twice.
//! It follows FIDE's Dutch system (Handbook C.04.1 and C.04.3): the absolute rules hold, and the pairing is the best by
//! the other criteria, the most important first, among those after which all later rounds can be played. FIDE pairs one
//! score group after another; this module weighs all of them at once.

use std::collections::BTreeSet;

use super::bouts::{BoutKey, Pairing};
use super::history::{BoutRecord, BoutResult, History};
use super::look_ahead::cheapest_for_later;
use super::matching::Cost;
use super::reasons::Reason;
use super::refusals::Unpairable;
use super::seat_order::seated;
use super::stage::Stage;

/// The next round, if it is due.
pub(super) fn due(stage: &Stage, rounds: u16) -> Result<Vec<Pairing>, Unpairable> {
    let Some(round) = stage.next_round().filter(|it| *it <= rounds) else { return Ok(Vec::new()) };
    let history = History::new(stage);
    let players = players(stage, round, &history);
    if players.len() < 2 {
        return Err(Unpairable::TooFewLeft);
    }
    let weights = Weights::new(&players, &history);
    let many = players.len().next_multiple_of(2);
    let partners = cheapest_for_later(many, rounds - round, |one, other| weights.cost(one, other));
    let partners = partners.ok_or(Unpairable::NoLegalPairing)?;
    let pairs = players.iter().enumerate().filter(|(it, _)| *it < partners[*it]);
    let pairing = |((it, player), number): ((usize, &Player), u16)| {
        let other = players.get(partners[it]);
        let entrants = [Some(player), other].into_iter().flatten().map(|it| it.entrant).collect::<Vec<_>>();
        Pairing {
            key: BoutKey::main(round, number),
            entrants: seated(&entrants, round, stage, &history),
            reasons: vec![reason(player, other)],
        }
    };
    Ok(pairs.zip(1..).map(pairing).collect())
}

fn reason(player: &Player, other: Option<&Player>) -> Reason {
    let Player { entrant, points, .. } = *player;
    match other {
        None => Reason::LowestBye { points },
        Some(other) if other.points == points => Reason::SamePoints { points },
        Some(other) => Reason::Floated { entrant, points, against: other.points },
    }
}

/// A player to be paired.
pub(super) struct Player {
    entrant: u32,
    points: i64,
    /// How many players have more points, and how many have the same.
    ahead: usize,
    equals: usize,
    has_had_bye: bool,
    /// Rounds without a game.
    unplayed: i64,
    /// The floats of the last round and the round before.
    floats: [Option<Float>; 2],
    /// How many times more the player sat first than second.
    firsts: i64,
}

/// The opponent had more points (up) or fewer (down).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Float {
    Up,
    Down,
}

/// The players of that round, the most points first, then by seed.
pub(super) fn players(stage: &Stage, round: u16, history: &History) -> Vec<Player> {
    let here = stage.by_seed().into_iter().filter(|it| it.plays_in(round)).map(|it| it.entrant);
    let mut scores: Vec<(u32, i64)> = here.map(|it| (it, history.points(it))).collect();
    scores.sort_by_key(|(_, points)| -points);
    let player = |(entrant, points): &(u32, i64)| {
        let records = history.of(*entrant);
        let played = records.iter().filter(|it| !it.meetings.is_empty());
        let back = |rounds: u16| records.iter().find(|it| it.round + rounds == round);
        let floats = [1, 2].map(|rounds| back(rounds).and_then(|it| float(*entrant, it, history)));
        Player {
            entrant: *entrant,
            points: *points,
            ahead: scores.iter().filter(|(_, other)| other > points).count(),
            equals: scores.iter().filter(|(_, other)| other == points).count(),
            has_had_bye: records.iter().any(|it| matches!(it.result, BoutResult::Bye | BoutResult::Walkover)),
            unplayed: i64::from(round - 1) - played.clone().count() as i64,
            floats,
            firsts: played.map(|it| if it.seat == 0 { 1 } else { -1 }).sum(),
        }
    };
    scores.iter().map(player).collect()
}

/// Did a player float? Points without a game are a float down (C.04.3, A.4).
fn float(entrant: u32, record: &BoutRecord, history: &History) -> Option<Float> {
    if matches!(record.result, BoutResult::Bye | BoutResult::Walkover) {
        return Some(Float::Down);
    }
    let before = |it| history.points_before(it, record.round);
    match before(entrant).cmp(&before(record.meetings.first()?.opponent)) {
        std::cmp::Ordering::Greater => Some(Float::Down),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(Float::Up),
    }
}

/// The number of criteria of a pairing: see `Weights::cost`.
pub(super) const CRITERIA: usize = 13;
/// Counts of up to 128 pairs side by side in one number.
const DIGIT: u32 = 9;
const DIGITS: usize = 6;
/// This many numbers count the differences in points.
const LANES: usize = 4;

pub(super) struct Weights<'a> {
    players: &'a [Player],
    history: &'a History,
    /// All differences in points that a pair can have, the largest first.
    differences: Vec<i64>,
}

impl<'a> Weights<'a> {
    pub(super) fn new(players: &'a [Player], history: &'a History) -> Self {
        let points: BTreeSet<i64> = players.iter().map(|it| it.points).collect();
        let below = |one: i64| points.iter().filter(move |it| **it < one).map(move |it| it - one);
        let differences: BTreeSet<i64> = points.iter().flat_map(|it| below(*it)).collect();
        Weights { players, history, differences: differences.into_iter().map(|it| -it).collect() }
    }

    /// The cost of pairing two players, the better one first, or of giving one the bye. `None` if the rules forbid it.
    pub(super) fn cost(&self, one: usize, other: usize) -> Option<Cost<CRITERIA>> {
        let upper = &self.players[one];
        let mut cost: Cost<CRITERIA> = Cost::ZERO;
        let [_, bye_points, floats, differences @ .., unplayed, last, before, seats, bye_place, shape] = &mut cost.0;
        let Some(lower) = self.players.get(other) else {
            if upper.has_had_bye {
                return None;
            }
            // C5: the bye goes to the player with the fewest points. C9: to the one who played most.
            let behind = self.players.len() - upper.ahead - upper.equals;
            *bye_points = behind as i64;
            *unplayed = upper.unplayed;
            *last = i64::from(upper.floats[0] == Some(Float::Down));
            *before = i64::from(upper.floats[1] == Some(Float::Down));
            *bye_place = (self.players.len() - one) as i64;
            return Some(cost);
        };
        if self.history.times_met(upper.entrant, lower.entrant) > 0 {
            return None;
        }
        let distance = (other - one) as i64;
        if upper.points == lower.points {
            // The upper half meets the lower half.
            *shape = (distance - upper.equals as i64 / 2).pow(2);
        } else {
            // C6: few floats. C7: small differences, above all no large ones. C14 to C17: no repeated floats.
            *floats = 1;
            self.add_difference(differences, upper.points - lower.points);
            let repeats = |back: usize| {
                i64::from(upper.floats[back] == Some(Float::Down)) + i64::from(lower.floats[back] == Some(Float::Up))
            };
            (*last, *before) = (repeats(0), repeats(1));
            *shape = (distance - 1).pow(2);
        }
        // C12: both want the same seat.
        if upper.firsts.signum() == lower.firsts.signum() {
            *seats = upper.firsts.abs().min(lower.firsts.abs()).pow(2);
        }
        Some(cost)
    }

    /// Counts the pair at the digit of its difference, so that one large difference outweighs any number of smaller
    /// ones.
    fn add_difference(&self, lanes: &mut [i64], difference: i64) {
        let room = LANES * DIGITS;
        let place = self.differences.iter().position(|it| *it == difference).unwrap_or_default();
        let digit = if self.differences.len() > room { place * room / self.differences.len() } else { place };
        if let Some(lane) = lanes.get_mut(digit / DIGITS) {
            *lane = 1 << (DIGIT * (DIGITS - 1 - digit % DIGITS) as u32);
        }
    }
}
