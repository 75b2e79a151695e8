//! Knock-out of pods: the best of each table go on, until one table is left; its result is the order of the best.

use std::collections::BTreeMap;

use super::bouts::{Bout, BoutKey, Finish, Pairing};
use super::history::History;
use super::pods::{self, Bounds};
use super::reasons::Reason;
use super::stage::{Participant, Stage};
use super::tables::{sizes_with_byes, spread};

/// The rounds so far and who came through them.
pub(super) struct Knockout<'a> {
    stage: &'a Stage,
    bounds: Bounds,
    advance: usize,
    by_seed: Vec<Participant>,
    rounds: Vec<Vec<&'a Bout>>,
}

impl<'a> Knockout<'a> {
    pub(super) fn new(stage: &'a Stage, bounds: Bounds, advance: u8) -> Self {
        let mut rounds: BTreeMap<u16, Vec<&Bout>> = BTreeMap::new();
        for bout in stage.bouts_in_order().into_values() {
            rounds.entry(bout.key.round).or_default().push(bout);
        }
        // A round that nothing is left of is one that has to be paired again.
        let rounds = (1..).map_while(|it| rounds.remove(&it)).collect();
        Knockout { stage, bounds, advance: advance.into(), by_seed: stage.by_seed(), rounds }
    }

    /// What can be paired now: whoever is missing in the last round, since a correction brought them in, else the next round.
    pub(super) fn due(&self) -> Vec<Pairing> {
        if self.rounds.iter().flatten().any(|it| !it.is_over()) {
            return Vec::new();
        }
        let last = self.rounds.len();
        let missing = if last == 0 { Vec::new() } else { self.missing(last) };
        let is_final = self.is_final(last);
        if !missing.is_empty() && (missing.len() > 1 || !is_final) {
            return self.round_of(last as u16, missing);
        }
        let next = self.still_there(last, last as u16 + 1);
        if is_final || next.len() < 2 { Vec::new() } else { self.round_of(last as u16 + 1, next) }
    }

    /// How many rounds there are in all, if nobody drops.
    pub(super) fn rounds(&self) -> u16 {
        let mut rounds = self.rounds.len() as u16;
        if self.is_final(self.rounds.len()) {
            return rounds;
        }
        let through = |it: &&Bout| self.through(it).map_or(self.advance.min(it.entrants.len()), |it| it.len());
        let mut many = self.rounds.last().map_or(self.by_seed.len(), |it| it.iter().map(through).sum());
        while many > 1 {
            rounds += 1;
            many = match self.sizes(many) {
                (0, tables) if tables.len() < 2 => 1,
                (byes, tables) => byes + tables.iter().map(|it| self.advance.min(it - 1)).sum::<usize>(),
            };
        }
        rounds
    }

    /// How far an entrant got: the round first, then the place at their last table. The most who is not beaten.
    pub(super) fn level(&self, entrant: u32) -> i64 {
        let reached = |round: usize, place: usize| round as i64 * 1000 - place as i64;
        for (round, bouts) in (1..).zip(&self.rounds) {
            let Some(bout) = bouts.iter().find(|it| it.entrants.contains(&entrant)) else {
                return reached(round, 999);
            };
            let is_through = self.through(bout).is_none_or(|it| it.contains(&entrant));
            if !is_through || self.is_final(round) {
                return reached(round, place(bout, entrant));
            }
        }
        i64::MAX
    }

    /// Will they play no more?
    pub(super) fn is_out(&self, entrant: u32) -> bool {
        self.level(entrant) != i64::MAX
    }

    /// The later bouts in which somebody sits who would not have come so far, and all that came of them.
    pub(super) fn following(&self, key: BoutKey, result: &[Finish]) -> Vec<BoutKey> {
        let round = usize::from(key.round);
        let bouts = self.rounds.get(round.wrapping_sub(1)).into_iter().flatten();
        let Some(bout) = bouts.into_iter().find(|it| it.key == key) else { return Vec::new() };
        let changed = Bout { result: Some(result.to_vec()), ..(*bout).clone() };
        let through = self.through(&changed).unwrap_or_default();
        let was_through = self.through(bout).unwrap_or_default();
        let mut gone: Vec<u32> = was_through.into_iter().filter(|it| !through.contains(it)).collect();
        let mut wrong = Vec::new();
        for bout in self.rounds.iter().skip(round).flatten() {
            if bout.entrants.iter().any(|it| gone.contains(it)) {
                gone.extend(&bout.entrants);
                wrong.push(bout.key);
            }
        }
        wrong
    }

    /// Who goes on from a table, the best first, once that is known.
    fn through(&self, bout: &Bout) -> Option<Vec<u32>> {
        if bout.is_bye() {
            return Some(bout.entrants.clone());
        }
        let result = bout.result.as_ref()?;
        let mut here: Vec<&Finish> =
            result.iter().filter(|it| !it.absent && bout.entrants.contains(&it.entrant)).collect();
        here.sort_by_key(|it| (it.place, it.entrant));
        Some(here.iter().take(self.advance).map(|it| it.entrant).collect())
    }

    /// Is that round one table, at which all who came through the round before sit?
    fn is_final(&self, round: usize) -> bool {
        let bouts = self.rounds.get(round.wrapping_sub(1));
        bouts.is_some_and(|it| it.len() == 1 && !it[0].is_bye() && self.missing(round).len() < 2)
    }

    /// Those who came through a round, the winners before the seconds and each by seed.
    fn survivors(&self, round: usize) -> Vec<Participant> {
        let Some(bouts) = self.rounds.get(round.wrapping_sub(1)) else { return self.by_seed.clone() };
        let through: Vec<Vec<u32>> = bouts.iter().filter_map(|it| self.through(it)).collect();
        let place = |it: &Participant| through.iter().find_map(|table| table.iter().position(|one| *one == it.entrant));
        let mut survivors: Vec<Participant> = self.by_seed.iter().filter(|it| place(it).is_some()).copied().collect();
        survivors.sort_by_key(place);
        survivors
    }

    fn still_there(&self, after: usize, round: u16) -> Vec<u32> {
        self.survivors(after).iter().filter(|it| it.plays_in(round)).map(|it| it.entrant).collect()
    }

    /// Those who came through the round before and are in no bout of this one.
    fn missing(&self, round: usize) -> Vec<u32> {
        let mut missing = self.still_there(round - 1, round as u16);
        let paired = |it: &u32| self.rounds[round - 1].iter().any(|bout| bout.entrants.contains(it));
        missing.retain(|it| !paired(it));
        missing
    }

    /// The sizes of the tables for so many, and how many have byes. The last table may be smaller than others.
    fn sizes(&self, many: usize) -> (usize, Vec<usize>) {
        if many <= self.bounds.most {
            return (0, vec![many]);
        }
        sizes_with_byes(many, self.bounds.least, self.bounds.most).unwrap_or((0, vec![many]))
    }

    fn round_of(&self, round: u16, entrants: Vec<u32>) -> Vec<Pairing> {
        let taken = self.rounds.get(usize::from(round) - 1).and_then(|it| it.last());
        let first = taken.map_or(1, |it| it.key.number.saturating_add(1));
        let (byes, sizes) = self.sizes(entrants.len());
        let (resting, playing) = entrants.split_at(byes);
        let history = History::new(self.stage);
        let seating = spread(self.stage, &history, round, playing, &sizes);
        let mut pairings = pods::pairings(self.stage, round, first, &history, &seating, Reason::Spread);
        let after = first.saturating_add(pairings.len() as u16);
        pairings.extend(resting.iter().zip(after..).map(|(entrant, number)| Pairing {
            key: BoutKey::main(round, number),
            entrants: vec![*entrant],
            reasons: vec![Reason::BracketBye],
        }));
        pairings
    }
}

fn place(bout: &Bout, entrant: u32) -> usize {
    let result = bout.result.as_deref().unwrap_or_default();
    let finish = result.iter().find(|it| it.entrant == entrant && !it.absent);
    let before = |place: u16| result.iter().filter(|it| !it.absent && it.place < place).count();
    finish.map_or(bout.entrants.len(), |it| 1 + before(it.place))
}
