//! Pods: everybody plays every round, at tables of several. Entrants who cannot be seated have a bye.

use std::cmp::Reverse;

use super::bouts::{BoutKey, Pairing};
use super::designs::Design;
use super::history::{BoutResult, History};
use super::lots::lot;
use super::reasons::Reason;
use super::refusals::Unpairable;
use super::seat_order::seated;
use super::seating::{Exchanges, PodPlayer, Seating, seat, spread};
use super::stage::{PodPairing, ShortTables, Stage};
use super::standings::{no_other, standings};
use super::tables::sizes_with_byes;

/// How many places at most somebody may stand above or below those at their table.
pub(super) const MOST_REACH: u8 = 50;
/// How many places more are tried where people meet again.
const FURTHER: [u8; 3] = [1, 3, 8];

/// The fewest and the most at a table.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) least: usize,
    pub(super) most: usize,
}

impl Bounds {
    pub(super) fn new(least: u8, most: u8) -> Self {
        Bounds { least: least.into(), most: most.into() }
    }
}

/// Who sits where.
#[derive(Clone, Copy)]
pub(super) struct Tables {
    pub(super) pairing: PodPairing,
    /// How many places above or below a table somebody may stand who sits there.
    pub(super) reach: u8,
    /// Who sits at the smaller ones.
    pub(super) short: ShortTables,
}

/// The next round, if it is due.
pub(super) fn due(stage: &Stage, rounds: u16, bounds: Bounds, tables: Tables) -> Result<Vec<Pairing>, Unpairable> {
    let Tables { pairing, reach, short } = tables;
    let Some(round) = stage.next_round().filter(|it| *it <= rounds) else { return Ok(Vec::new()) };
    let history = History::new(stage);
    let asked = |it: u32| stage.rulings.bye(it, round).is_some();
    let here = stage.by_seed().into_iter().filter(|it| it.plays_in(round) && !asked(it.entrant));
    let mut players: Vec<u32> = here.map(|it| it.entrant).collect();
    let (byes, mut sizes) = sizes_with_byes(players.len(), bounds.least, bounds.most).ok_or(Unpairable::TooFewLeft)?;
    let resting = resting(stage, round, &history, &players, pairing, byes);
    players.retain(|it| !resting.contains(it));
    // Before there are standings, only the seed is known of an entrant: all tables are made equally strong.
    let pairing = if pairing == PodPairing::ByStanding && history.rounds == 0 { PodPairing::Spread } else { pairing };
    // In the order of the standings, the first table is that of the leaders.
    if short == ShortTables::Top {
        sizes.reverse();
    }
    let rotates = short == ShortTables::Rotate;
    let mut fewer_repeats = None;
    let seating = match pairing {
        PodPairing::Random => {
            players.sort_by_key(|it| lot(stage.draw, round.into(), *it));
            let searched = || {
                let at_short = if rotates { Vec::new() } else { at_short(stage, &players, &sizes, short) };
                let class = |entrant: u32| i64::from(at_short.contains(&entrant));
                let mut players: Vec<PodPlayer> =
                    players.iter().map(|it| PodPlayer { entrant: *it, class: class(*it) }).collect();
                players.sort_by_key(|it| if short == ShortTables::Top { -it.class } else { it.class });
                seat(stage, &history, round, &players, &sizes, Exchanges { reach: 0, rotates })
            };
            by_design(stage, &history, round, &players, &sizes).unwrap_or_else(searched)
        }
        PodPairing::ByStanding => {
            players.sort_by_key(|it| Reverse(history.points(*it)));
            let player = |it: &u32| PodPlayer { entrant: *it, class: history.points(*it) };
            let players: Vec<PodPlayer> = players.iter().map(player).collect();
            let seated =
                |reach: u8| seat(stage, &history, round, &players, &sizes, Exchanges { reach: reach.into(), rotates });
            let seating = seated(reach);
            fewer_repeats = fewer(reach, &seating, seated);
            seating
        }
        PodPairing::Spread => {
            let mut order: Vec<u32> = standings(stage, &no_other).iter().map(|it| it.entrant).collect();
            order.retain(|it| players.contains(it));
            spread(stage, &history, round, &order, &sizes, rotates)
        }
    };
    let mut pairings = pairings(stage, round, 1, &history, &seating, pairing);
    let again = |it: &&mut Pairing| it.reasons.iter().any(|it| matches!(it, Reason::RepeatsInRound { .. }));
    pairings.iter_mut().filter(again).for_each(|it| it.reasons.extend(fewer_repeats.clone()));
    pairings.extend(resting.iter().zip(pairings.len() as u16 + 1..).map(|(entrant, number)| Pairing {
        key: BoutKey::main(round, number),
        entrants: vec![*entrant],
        reasons: vec![Reason::NoTable { points: history.points(*entrant) }],
    }));
    pairings.extend(stage.requested_byes(round, pairings.len() as u16 + 1));
    Ok(pairings)
}

/// A round of a [`Design`], if nobody meets again in it: so it is as long as the field stays as it began. The search would
/// have no repeats in the first rounds, and then could not avoid them.
fn by_design(stage: &Stage, history: &History, round: u16, players: &[u32], sizes: &[usize]) -> Option<Seating> {
    let size = *sizes.first().filter(|size| sizes.iter().all(|it| it == *size))?;
    let mut order = players.to_vec();
    order.sort_by_key(|it| lot(stage.draw, 0, *it));
    let tables = Design::of(order.len(), size)?.tables(usize::from(round) - 1)?;
    let tables: Vec<Vec<u32>> = tables.iter().map(|table| table.iter().map(|at| order[*at]).collect()).collect();
    let is_new = |table: &Vec<u32>| repeats(table, history).is_empty() && kept_apart(stage, table).is_empty();
    tables.iter().all(is_new).then_some(Seating { tables, repeats: 0, least_repeats: 0 })
}

/// Those who sit at the smaller tables, by standing.
fn at_short(stage: &Stage, players: &[u32], sizes: &[usize], short: ShortTables) -> Vec<u32> {
    let largest = sizes.iter().max().copied().unwrap_or_default();
    let seats = sizes.iter().filter(|it| **it < largest).sum();
    let mut order: Vec<u32> = standings(stage, &no_other).iter().map(|it| it.entrant).collect();
    order.retain(|it| players.contains(it));
    if short == ShortTables::Bottom {
        order.reverse();
    }
    order.truncate(seats);
    order
}

/// What new faces would cost: how much further from where they stand people would have to sit, so that fewer meet again.
fn fewer(reach: u8, seating: &Seating, seated: impl Fn(u8) -> Seating) -> Option<Reason> {
    if seating.repeats <= seating.least_repeats {
        return None;
    }
    let wider = FURTHER.iter().map(|it| reach.saturating_add(*it).min(MOST_REACH)).filter(|it| *it > reach);
    let tried = wider.map(|reach| (reach, seated(reach).repeats)).find(|(_, pairs)| *pairs < seating.repeats);
    tried.map(|(reach, pairs)| Reason::FewerRepeats { reach, pairs })
}

/// The entrants who have a bye: those with the fewest byes, then the fewest points, then by lot or by the last seeds.
fn resting(
    stage: &Stage,
    round: u16,
    history: &History,
    players: &[u32],
    pairing: PodPairing,
    byes: usize,
) -> Vec<u32> {
    let last = |(place, entrant): (usize, u32)| match pairing {
        PodPairing::Random => lot(stage.draw, u64::from(round), entrant),
        PodPairing::ByStanding | PodPairing::Spread => (players.len() - place) as u64,
    };
    let mut order: Vec<(usize, u32)> = players.iter().copied().enumerate().collect();
    order.sort_by_cached_key(|it| {
        let had = history.of(it.1).iter().filter(|it| it.result == BoutResult::Bye).count();
        (had, history.points(it.1), last(*it))
    });
    order.into_iter().take(byes).map(|(_, entrant)| entrant).collect()
}

/// The tables of a round as pairings with their reasons, numbered from `first`.
pub(super) fn pairings(
    stage: &Stage,
    round: u16,
    first: u16,
    history: &History,
    seating: &Seating,
    why: PodPairing,
) -> Vec<Pairing> {
    let largest = seating.tables.iter().map(Vec::len).max().unwrap_or_default();
    let pairing = |(table, number): (&Vec<u32>, u16)| {
        let mut reasons = vec![reason(why, table, history)];
        if table.len() < largest {
            reasons.push(Reason::ShortTable { seats: table.len() as u8, largest: largest as u8 });
        }
        reasons.extend(kept_apart(stage, table));
        let repeats = repeats(table, history);
        if !repeats.is_empty() {
            reasons.extend(repeats);
            reasons.push(Reason::RepeatsInRound { pairs: seating.repeats, least: seating.least_repeats });
        }
        let entrants = seated(table, round, stage, history);
        Pairing { key: BoutKey::main(round, number), entrants, reasons }
    };
    seating.tables.iter().zip(first..).map(pairing).collect()
}

fn reason(why: PodPairing, table: &[u32], history: &History) -> Reason {
    let points = || table.iter().map(|it| history.points(*it));
    match why {
        PodPairing::Random => Reason::Drawn,
        PodPairing::ByStanding => {
            Reason::ByStanding { most: points().max().unwrap_or_default(), fewest: points().min().unwrap_or_default() }
        }
        PodPairing::Spread => Reason::Spread,
    }
}

fn pairs(table: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    table.iter().enumerate().flat_map(|(at, one)| table[at + 1..].iter().map(move |other| (*one, *other)))
}

fn kept_apart(stage: &Stage, table: &[u32]) -> Vec<Reason> {
    let apart = pairs(table).filter(|(one, other)| stage.keeps_apart(*one, *other));
    apart.map(|(one, other)| Reason::KeptApart { one: one.min(other), other: one.max(other) }).collect()
}

fn repeats(table: &[u32], history: &History) -> Vec<Reason> {
    let repeat = |(one, other)| Reason::Repeat { one, other, times: history.times_met(one, other) };
    pairs(table).filter(|(one, other)| history.times_met(*one, *other) > 0).map(repeat).collect()
}
