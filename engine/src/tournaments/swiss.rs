//! Swiss: everybody plays every round, never twice against the same, against somebody with about as many points. After FIDE's
//! Dutch system (Handbook C.04.1 and C.04.3): its absolute rules hold, and of what is left the pairing is the best by its
//! criteria, the most important first. Where FIDE goes through the score groups one by one, all are weighed at once here.

use std::collections::BTreeSet;

use super::bouts::{BoutKey, Pairing};
use super::history::{History, How, Outing};
use super::matching::{Cost, cheapest};
use super::reasons::Reason;
use super::refusals::Unpairable;
use super::seats::seated;
use super::stage::Stage;

/// The next round, if it is time for one.
pub(super) fn due(stage: &Stage, rounds: u16) -> Result<Vec<Pairing>, Unpairable> {
    let Some(round) = stage.next_round().filter(|it| *it <= rounds) else { return Ok(Vec::new()) };
    let history = History::new(stage);
    let players = players(stage, round, &history);
    if players.len() < 2 {
        return Err(Unpairable::TooFewLeft);
    }
    let weights = Weights::new(&players, &history);
    let partners = cheapest(players.len().next_multiple_of(2), |one, other| weights.cost(one, other));
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

/// Somebody who is to be paired.
pub(super) struct Player {
    entrant: u32,
    points: i64,
    /// How many have more points, and how many as many.
    ahead: usize,
    equals: usize,
    has_had_bye: bool,
    /// Rounds without a game.
    unplayed: i64,
    /// Where they floated in the last round and in the one before.
    floats: [Option<Float>; 2],
    /// How often they sat first more than second.
    firsts: i64,
}

/// Played against more or fewer points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Float {
    Up,
    Down,
}

/// Those who play in that round, the most points first, equals by seed.
pub(super) fn players(stage: &Stage, round: u16, history: &History) -> Vec<Player> {
    let here = stage.by_seed().into_iter().filter(|it| it.plays_in(round)).map(|it| it.entrant);
    let mut scores: Vec<(u32, i64)> = here.map(|it| (it, history.points(it))).collect();
    scores.sort_by_key(|(_, points)| -points);
    let player = |(entrant, points): &(u32, i64)| {
        let outings = history.of(*entrant);
        let played = outings.iter().filter(|it| !it.met.is_empty());
        let back = |rounds: u16| outings.iter().find(|it| it.round + rounds == round);
        let floats = [1, 2].map(|rounds| back(rounds).and_then(|it| float(*entrant, it, history)));
        Player {
            entrant: *entrant,
            points: *points,
            ahead: scores.iter().filter(|(_, other)| other > points).count(),
            equals: scores.iter().filter(|(_, other)| other == points).count(),
            has_had_bye: outings.iter().any(|it| matches!(it.how, How::Bye | How::Walkover)),
            unplayed: i64::from(round - 1) - played.clone().count() as i64,
            floats,
            firsts: played.map(|it| if it.seat == 0 { 1 } else { -1 }).sum(),
        }
    };
    scores.iter().map(player).collect()
}

/// Whether somebody floated: points without a game are a float down (C.04.3, A.4).
fn float(entrant: u32, outing: &Outing, history: &History) -> Option<Float> {
    if matches!(outing.how, How::Bye | How::Walkover) {
        return Some(Float::Down);
    }
    let before = |it| history.points_before(it, outing.round);
    match before(entrant).cmp(&before(outing.met.first()?.opponent)) {
        std::cmp::Ordering::Greater => Some(Float::Down),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(Float::Up),
    }
}

/// What a pairing is judged by, the most important first: see `Weights::cost`.
pub(super) const CRITERIA: usize = 13;
/// Counts of up to 128 pairs side by side in one number.
const DIGIT: u32 = 9;
const DIGITS: usize = 6;
/// So many numbers tell how far apart in points pairs are.
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

    /// What it costs to pair two, the better one first, or to give one the bye; nothing if that must not be.
    pub(super) fn cost(&self, one: usize, other: usize) -> Option<Cost<CRITERIA>> {
        let upper = &self.players[one];
        let mut cost: Cost<CRITERIA> = Cost::ZERO;
        let [_, bye_points, floats, differences @ .., unplayed, last, before, seats, bye_place, shape] = &mut cost.0;
        let Some(lower) = self.players.get(other) else {
            if upper.has_had_bye {
                return None;
            }
            // C5: the bye goes to the fewest points. C9: to whoever played most.
            let behind = self.players.len() - upper.ahead - upper.equals;
            *bye_points = behind as i64;
            *unplayed = upper.unplayed;
            *last = i64::from(upper.floats[0] == Some(Float::Down));
            *before = i64::from(upper.floats[1] == Some(Float::Down));
            *bye_place = (self.players.len() - one) as i64;
            return Some(cost);
        };
        if self.history.meetings(upper.entrant, lower.entrant) > 0 {
            return None;
        }
        let distance = (other - one) as i64;
        if upper.points == lower.points {
            // The upper half meets the lower half.
            *shape = (distance - upper.equals as i64 / 2).pow(2);
        } else {
            // C6: few float. C7: and not far, above all not very far. C14 to C17: nor as they did before.
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

    /// Counts the pair where its difference is among all, so that one large difference outweighs any number of smaller ones.
    fn add_difference(&self, lanes: &mut [i64], difference: i64) {
        let room = LANES * DIGITS;
        let place = self.differences.iter().position(|it| *it == difference).unwrap_or_default();
        let digit = if self.differences.len() > room { place * room / self.differences.len() } else { place };
        if let Some(lane) = lanes.get_mut(digit / DIGITS) {
            *lane = 1 << (DIGIT * (DIGITS - 1 - digit % DIGITS) as u32);
        }
    }
}
