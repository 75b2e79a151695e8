//! Knock-out of pods: the best of each table advance, until one table is left. Its result decides the top places.

use std::collections::BTreeMap;

use super::bouts::{Bout, BoutKey, Finish, Pairing};
use super::history::History;
use super::pods::{self, Bounds};
use super::reasons::Reason;
use super::seating::spread;
use super::stage::{Participant, PodPairing, Stage};
use super::tables::sizes_with_byes;

/// The rounds so far and who advanced from them.
pub(super) struct Knockout<'a> {
    stage: &'a Stage,
    bounds: Bounds,
    going: Through,
    by_seed: Vec<Participant>,
    rounds: Vec<Round<'a>>,
}

/// Who goes on.
#[derive(Clone, Copy)]
pub(super) struct Through {
    /// The best so many of each table.
    pub(super) advance: usize,
    /// As many of those just beaten as fill the tables of the next round?
    pub(super) wild_cards: bool,
}

/// A round that is paired, fully or in part.
struct Round<'a> {
    bouts: Vec<&'a Bout>,
    /// The entrants who should play in this round and are in no bout of it.
    missing: Vec<u32>,
    /// The entrants who advance from this round, as far as known: winners first, then seconds, each by seed.
    through: Vec<u32>,
    is_final: bool,
}

impl<'a> Knockout<'a> {
    pub(super) fn new(stage: &'a Stage, bounds: Bounds, going: Through) -> Self {
        Self::with(stage, bounds, going, stage.bouts_in_order())
    }

    fn with(stage: &'a Stage, bounds: Bounds, going: Through, bouts: BTreeMap<BoutKey, &'a Bout>) -> Self {
        let mut by_round: BTreeMap<u16, Vec<&Bout>> = BTreeMap::new();
        for bout in bouts.into_values() {
            by_round.entry(bout.key.round).or_default().push(bout);
        }
        let mut knockout = Knockout { stage, bounds, going, by_seed: stage.by_seed(), rounds: Vec::new() };
        // After a round without bouts, everything has to be paired again.
        for bouts in (1..).map_while(|round| by_round.remove(&round)) {
            let next = knockout.round(bouts);
            knockout.rounds.push(next);
        }
        knockout
    }

    /// The bouts that can be paired now: for entrants whom a correction brought into the last round, else the next
    /// round.
    pub(super) fn due(&self) -> Vec<Pairing> {
        let round = self.rounds.len() as u16;
        match self.rounds.last() {
            Some(last) if last.bouts.iter().any(|it| !it.is_over()) => Vec::new(),
            Some(last) if !last.is_final && !last.missing.is_empty() => self.round_of(round, last.missing.clone()),
            Some(last) if last.is_final => Vec::new(),
            Some(_) | None => {
                let here = self.remaining();
                if here.len() < 2 { Vec::new() } else { self.round_of(round + 1, here) }
            }
        }
    }

    /// The number of rounds, if nobody drops.
    pub(super) fn rounds(&self) -> u16 {
        let mut rounds = self.rounds.len() as u16;
        let advance = self.going.advance;
        let through = |it: &&Bout| self.through(it).map_or(advance.min(it.entrants.len()), |it| it.len());
        let mut many = match self.rounds.last() {
            Some(last) if last.is_final => 1,
            Some(last) => {
                let played = last.bouts.iter().map(|it| it.entrants.len()).sum();
                self.filled_up(last.bouts.iter().map(through).sum(), last.tables()).min(played)
            }
            None => self.by_seed.len(),
        };
        while many > 1 {
            rounds += 1;
            many = match self.sizes(many) {
                (0, tables) if tables.len() < 2 => 1,
                (byes, tables) => self.filled_up(byes + advance * tables.len(), tables.len()).min(many),
            };
        }
        rounds
    }

    /// How far an entrant got: first by round, then by place at the last table. An unbeaten entrant has the maximum.
    pub(super) fn level(&self, entrant: u32) -> i64 {
        let reached = |round: usize, place: usize| round as i64 * 1000 - place as i64;
        for (number, round) in (1..).zip(&self.rounds) {
            let Some(bout) = round.bouts.iter().find(|it| it.entrants.contains(&entrant)) else {
                return reached(number, 999);
            };
            if !bout.is_over() {
                return i64::MAX;
            }
            if round.is_final || !round.through.contains(&entrant) {
                return reached(number, place(bout, entrant));
            }
        }
        // An entrant who advanced and then dropped is behind all who did not drop.
        if self.remaining().contains(&entrant) { i64::MAX } else { reached(self.rounds.len() + 1, 999) }
    }

    /// Is the entrant out?
    pub(super) fn is_out(&self, entrant: u32) -> bool {
        self.level(entrant) != i64::MAX
    }

    /// The later bouts in which somebody sits who would not have come so far, and all that came of them.
    pub(super) fn invalidated_by(&self, key: BoutKey, result: &[Finish]) -> Vec<BoutKey> {
        let mut bouts = self.stage.bouts_in_order();
        let Some(bout) = bouts.get(&key) else { return Vec::new() };
        let changed = Bout { result: Some(result.to_vec()), ..(*bout).clone() };
        bouts.insert(key, &changed);
        let after = Knockout::with(self.stage, self.bounds, self.going, bouts);
        let round = usize::from(key.round).saturating_sub(1);
        let [Some(before), Some(after)] = [self, &after].map(|it| it.rounds.get(round)) else { return Vec::new() };
        let mut gone: Vec<u32> = before.through.iter().filter(|it| !after.through.contains(it)).copied().collect();
        let mut wrong = Vec::new();
        for bout in self.rounds.iter().skip(round + 1).flat_map(|it| &it.bouts) {
            if bout.entrants.iter().any(|it| gone.contains(it)) {
                gone.extend(&bout.entrants);
                wrong.push(bout.key);
            }
        }
        wrong
    }

    /// The next round, given its bouts.
    fn round(&self, bouts: Vec<&'a Bout>) -> Round<'a> {
        let mut missing = self.remaining();
        missing.retain(|it| !bouts.iter().any(|bout| bout.entrants.contains(it)));
        let is_final = bouts.len() == 1 && !bouts[0].is_bye() && missing.len() < 2;
        let mut through = Vec::new();
        if !is_final {
            let tables: Vec<Vec<u32>> = bouts.iter().filter_map(|it| self.through(it)).collect();
            through = self.in_order(|it| tables.iter().find_map(|table| table.iter().position(|one| *one == it)));
            if bouts.iter().all(|it| it.is_over()) {
                through.extend(self.lucky_losers(&bouts, &through));
            }
        }
        Round { bouts, missing, through, is_final }
    }

    /// How many play in the next round if so many came through a round with so many tables: enough for the last table, with wild
    /// cards enough for all. Wild cards never keep a round from having fewer tables than the one before.
    fn filled_up(&self, through: usize, tables: usize) -> usize {
        if through < 2 {
            return through;
        }
        let full = through.div_ceil(self.bounds.most.max(1));
        let wanted = if self.going.wild_cards && full < tables { full * self.bounds.most } else { 0 };
        through.max(self.bounds.least).max(wanted)
    }

    /// The best of the beaten entrants, if too few advanced.
    fn lucky_losers(&self, bouts: &[&Bout], through: &[u32]) -> Vec<u32> {
        let next = self.rounds.len() as u16 + 2;
        let is_there = |entrant: u32| self.by_seed.iter().any(|it| it.entrant == entrant && it.plays_in(next));
        let here = through.iter().filter(|it| is_there(**it)).count();
        let appeared = |it: &&&Bout, entrant: u32| {
            it.result.iter().flatten().any(|it| it.entrant == entrant && !it.absent) && it.entrants.contains(&entrant)
        };
        let mut beaten = self.in_order(|entrant| {
            let bout = bouts.iter().find(|it| appeared(it, entrant))?;
            Some(place(bout, entrant)).filter(|_| is_there(entrant) && !through.contains(&entrant))
        });
        beaten.truncate(self.filled_up(here, tables(bouts)).saturating_sub(here));
        beaten
    }

    /// The entrants who have a place, by that place, then by seed.
    fn in_order(&self, place: impl Fn(u32) -> Option<usize>) -> Vec<u32> {
        let mut placed: Vec<(usize, u32)> =
            self.by_seed.iter().filter_map(|it| Some((place(it.entrant)?, it.entrant))).collect();
        placed.sort_by_key(|it| it.0);
        placed.into_iter().map(|it| it.1).collect()
    }

    /// The entrants who advance from a table, the best first, once known.
    fn through(&self, bout: &Bout) -> Option<Vec<u32>> {
        if bout.is_bye() {
            return Some(bout.entrants.clone());
        }
        let result = bout.result.as_ref()?;
        let mut here: Vec<&Finish> =
            result.iter().filter(|it| !it.absent && bout.entrants.contains(&it.entrant)).collect();
        here.sort_by_key(|it| (it.place, it.entrant));
        Some(here.iter().take(self.going.advance).map(|it| it.entrant).collect())
    }

    /// The entrants who advanced from the last round and have not dropped.
    fn remaining(&self) -> Vec<u32> {
        let next = self.rounds.len() as u16 + 1;
        let is_there = |entrant: &u32| self.by_seed.iter().any(|it| it.entrant == *entrant && it.plays_in(next));
        let all = || self.by_seed.iter().map(|it| it.entrant).collect();
        let mut here: Vec<u32> = self.rounds.last().map_or_else(all, |it| it.through.clone());
        here.retain(is_there);
        here
    }

    /// Why an entrant is in a round although it was beaten in the round before.
    fn filled(&self, round: u16, entrant: u32) -> Option<Reason> {
        let before = self.rounds.get(usize::from(round).checked_sub(2)?)?;
        let bout = before.bouts.iter().find(|it| it.entrants.contains(&entrant))?;
        let came_through = self.through(bout)?.contains(&entrant);
        if came_through { None } else { Some(Reason::Filled { entrant, place: place(bout, entrant) as u16 }) }
    }

    /// The number of byes and the sizes of the tables for this many entrants.
    fn sizes(&self, many: usize) -> (usize, Vec<usize>) {
        if many <= self.bounds.most {
            return (0, vec![many]);
        }
        sizes_with_byes(many, self.bounds.least, self.bounds.most).unwrap_or((0, vec![many]))
    }

    fn round_of(&self, round: u16, entrants: Vec<u32>) -> Vec<Pairing> {
        let taken = self.rounds.get(usize::from(round) - 1).and_then(|it| it.bouts.last());
        let first = taken.map_or(1, |it| it.key.number.saturating_add(1));
        let (byes, sizes) = self.sizes(entrants.len());
        let (resting, playing) = entrants.split_at(byes);
        let history = History::new(self.stage);
        let seating = spread(self.stage, &history, round, playing, &sizes, true);
        let mut pairings = pods::pairings(self.stage, round, first, &history, &seating, PodPairing::Spread);
        for pairing in &mut pairings {
            pairing.reasons.extend(pairing.entrants.iter().filter_map(|it| self.filled(round, *it)));
        }
        let after = first.saturating_add(pairings.len() as u16);
        pairings.extend(resting.iter().zip(after..).map(|(entrant, number)| Pairing {
            key: BoutKey::main(round, number),
            entrants: vec![*entrant],
            reasons: vec![Reason::BracketBye],
        }));
        pairings
    }
}

impl Round<'_> {
    /// How many tables it has.
    fn tables(&self) -> usize {
        tables(&self.bouts)
    }
}

fn tables(bouts: &[&Bout]) -> usize {
    bouts.iter().filter(|it| !it.is_bye()).count()
}

fn place(bout: &Bout, entrant: u32) -> usize {
    let result = bout.result.as_deref().unwrap_or_default();
    let finish = result.iter().find(|it| it.entrant == entrant && !it.absent);
    let before = |place: u16| result.iter().filter(|it| !it.absent && it.place < place).count();
    finish.map_or(bout.entrants.len(), |it| 1 + before(it.place))
}
