//! Brackets of duels: slots that depend on other bouts, and how results fill them. `elimination` and `double` say which
//! bouts there are.

use std::collections::{BTreeMap, BTreeSet};

use super::bouts::{Bout, BoutKey, Decision, Finish, Pairing, Planned, Side, Slot};
use super::elimination;
use super::reasons::Reason;
use super::stage::{Format, Participant, Stage};

/// Above the levels of all who are beaten.
const ABOVE: u32 = 1000;

/// The seeds of the first round of a bracket of this size, from 1. The best two can meet in the last round only, the
/// best four in the last two rounds only, and so on. The size is a power of two.
pub(super) fn seeding(size: u32) -> Vec<u32> {
    let mut order = vec![1];
    while (order.len() as u32) < size {
        let sum = 2 * order.len() as u32 + 1;
        order = order.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    order
}

/// The slots of a bracket's first round, some of them empty if the bracket is larger than the field.
pub(super) fn first_places(stage: &Stage) -> Vec<Slot> {
    let by_seed = stage.by_seed();
    let size = by_seed.len().next_power_of_two().max(2) as u32;
    let place = |seed: u32| by_seed.get(seed as usize - 1).map_or(Slot::Nobody, |it| Slot::Entrant(it.entrant));
    seeding(size).into_iter().map(place).collect()
}

/// Removes the bouts that nobody can ever play, and marks slots that stay empty. Each bout has to come after the bouts
/// that it depends on.
pub(super) fn pruned(bouts: Vec<Planned>) -> Vec<Planned> {
    let mut empty: BTreeSet<Slot> = BTreeSet::new();
    let mut kept = Vec::new();
    for mut bout in bouts {
        for place in &mut bout.places {
            if empty.contains(place) {
                *place = Slot::Nobody;
            }
        }
        match bout.places.iter().filter(|it| **it != Slot::Nobody).count() {
            0 => empty.extend([Slot::Winner(bout.key), Slot::Loser(bout.key)]),
            1 => drop(empty.insert(Slot::Loser(bout.key))),
            _ => {}
        }
        if bout.places.iter().any(|it| *it != Slot::Nobody) {
            kept.push(bout);
        }
    }
    kept
}

/// A bracket with the results so far.
pub(super) struct Bracket<'a> {
    plan: Vec<Planned>,
    /// The number of slots of the first round, where levels follow from the places that are at stake.
    size: Option<u32>,
    bouts: BTreeMap<BoutKey, &'a Bout>,
    participants: BTreeMap<u32, Participant>,
    /// The bout that a winner or loser goes to.
    feeds: BTreeMap<Slot, BoutKey>,
    /// Bouts that are not paired, although the bout after them is.
    skipped: BTreeSet<BoutKey>,
    /// The winners and losers of the bouts, as far as known.
    resolved: BTreeMap<Slot, Slot>,
    /// How far the beaten entrants got.
    levels: BTreeMap<u32, u32>,
    /// The entrants who are out.
    out: BTreeSet<u32>,
}

impl<'a> Bracket<'a> {
    /// Fills the slots of a plan from the stage's bouts.
    pub(super) fn new(stage: &'a Stage, plan: Vec<Planned>) -> Self {
        Self::with(stage, plan, stage.bouts_in_order())
    }

    fn with(stage: &'a Stage, plan: Vec<Planned>, bouts: BTreeMap<BoutKey, &'a Bout>) -> Self {
        let feeds = plan.iter().flat_map(|bout| bout.places.iter().map(|place| (*place, bout.key))).collect();
        let paired = plan.iter().filter(|it| bouts.contains_key(&it.key)).flat_map(|it| &it.places);
        let skipped = paired.filter(|it| matches!(it, Slot::Winner(_))).filter_map(|it| it.bout()).collect();
        let participants = stage.participants.iter().map(|it| (it.entrant, *it)).collect();
        let (resolved, levels, out) = Default::default();
        let size = match stage.format {
            Format::SingleElimination { .. } => Some(elimination::size(stage)),
            _ => None,
        };
        let plan_so_far = Vec::new();
        let mut bracket =
            Bracket { plan: plan_so_far, size, bouts, participants, feeds, skipped, resolved, levels, out };
        for bout in &plan {
            bracket.resolve(bout);
        }
        bracket.plan = plan;
        bracket
    }

    /// The bouts that can be paired now.
    pub(super) fn due(&self) -> Vec<Pairing> {
        self.plan.iter().filter_map(|bout| self.pairing(bout)).collect()
    }

    /// The whole bracket, with the entrants known so far.
    pub(super) fn filled(&self) -> Vec<Planned> {
        let fill = |bout: &Planned| match self.bouts.get(&bout.key) {
            Some(paired) => Planned::from(*paired),
            None => Planned { key: bout.key, places: self.arrivals(bout) },
        };
        self.plan.iter().map(fill).collect()
    }

    /// The last round to be played. The final is played again only if its result requires it.
    pub(super) fn rounds(&self) -> Option<u16> {
        let of_final = |it: &Slot| it.bout().is_some_and(|key| key.side == Side::Final);
        let is_played = |it: &&Planned| {
            !it.places.iter().any(of_final) || self.arrivals(it).iter().any(|it| it.entrant().is_some())
        };
        self.plan.iter().filter(is_played).map(|it| it.key.round).max()
    }

    /// How far an entrant got. Higher is better; an unbeaten entrant has the maximum.
    pub(super) fn level(&self, entrant: u32) -> u32 {
        self.levels.get(&entrant).copied().unwrap_or(u32::MAX)
    }

    /// Is the entrant out?
    pub(super) fn is_out(&self, entrant: u32) -> bool {
        self.out.contains(&entrant)
    }

    /// The paired bouts that would have the wrong entrants if this bout ended with this result.
    pub(super) fn invalidated_by(self, stage: &Stage, key: BoutKey, result: &[Finish]) -> Vec<BoutKey> {
        let Some(changed) = self.bouts.get(&key).map(|it| Bout { result: Some(result.to_vec()), ..(*it).clone() })
        else {
            return Vec::new();
        };
        let mut bouts = stage.bouts_in_order();
        bouts.insert(key, &changed);
        let mut wrong = Vec::new();
        loop {
            let after = Bracket::with(stage, self.plan.clone(), bouts.clone());
            let differs = |it: &&Planned| bouts.contains_key(&it.key) && self.arrivals(it) != after.arrivals(it);
            let Some(next) = self.plan.iter().find(differs) else { return wrong };
            bouts.remove(&next.key);
            wrong.push(next.key);
        }
    }

    /// Do the same entrants come to each of these bouts as in the other bracket?
    pub(super) fn leads_like(&self, other: &Self, keys: &[BoutKey]) -> bool {
        let planned = |of: &Self, key: BoutKey| of.plan.iter().find(|it| it.key == key).map(|it| of.arrivals(it));
        keys.iter().all(|key| planned(self, *key) == planned(other, *key))
    }

    /// Is the bout to which this entrant comes next, or one that hangs on it, paired already? None if there is no such bout.
    pub(super) fn is_passed(&self, entrant: u32) -> Option<bool> {
        let has = |it: &&Planned| self.bouts.get(&it.key).is_some_and(|bout| bout.entrants.contains(&entrant));
        let comes = |it: &&Planned| self.arrivals(it).contains(&Slot::Entrant(entrant)) && !has(it);
        let mut hanging = BTreeSet::from([self.plan.iter().find(comes)?.key]);
        for bout in &self.plan {
            if bout.places.iter().filter_map(|it| it.bout()).any(|it| hanging.contains(&it)) {
                hanging.insert(bout.key);
            }
        }
        Some(hanging.iter().any(|it| self.bouts.contains_key(it)))
    }

    /// The slots of a bout, with the entrants known so far.
    fn arrivals(&self, bout: &Planned) -> Vec<Slot> {
        bout.places.iter().map(|place| self.resolved.get(place).copied().unwrap_or(*place)).collect()
    }

    fn has_dropped(&self, entrant: u32, round: u16) -> bool {
        self.participants.get(&entrant).is_none_or(|it| !it.plays_in(round))
    }

    fn pairing(&self, bout: &Planned) -> Option<Pairing> {
        if self.bouts.contains_key(&bout.key) || self.skipped.contains(&bout.key) {
            return None;
        }
        let mut entrants = Vec::new();
        for place in self.arrivals(bout) {
            match place {
                Slot::Entrant(entrant) if !self.has_dropped(entrant, bout.key.round) => entrants.push(entrant),
                Slot::Entrant(_) | Slot::Nobody => {}
                Slot::Winner(_) | Slot::Loser(_) => return None,
            }
        }
        let reason = match entrants.len() {
            0 => return None,
            1 if bout.places.contains(&Slot::Nobody) => Reason::BracketBye,
            1 => Reason::OpponentGone,
            _ => Reason::Bracket,
        };
        Some(Pairing { key: bout.key, entrants, reasons: vec![reason] })
    }

    /// Determines the winner and loser of a bout. The bouts that it depends on are resolved already.
    fn resolve(&mut self, bout: &Planned) {
        let arrivals = self.arrivals(bout);
        let there: Vec<u32> = arrivals.iter().filter_map(|it| it.entrant()).collect();
        if bout.key.side.is_consolation() {
            let level = self.level_of(bout.key);
            self.levels.extend(there.iter().map(|it| (*it, level)));
        }
        let paired = self.bouts.get(&bout.key).copied();
        let (winner, loser) = match paired {
            Some(paired) => {
                self.eliminate(bout.key, there.iter().filter(|it| !paired.entrants.contains(it)).copied());
                self.after(bout.key, paired, arrivals.get(1))
            }
            None if self.skipped.contains(&bout.key) => {
                self.eliminate(bout.key, there);
                (Slot::Nobody, Slot::Nobody)
            }
            None => self.before(bout.key, &arrivals),
        };
        self.resolved.insert(Slot::Winner(bout.key), winner);
        self.resolved.insert(Slot::Loser(bout.key), loser);
    }

    /// The winner and loser of a bout that is not paired, as far as known.
    fn before(&mut self, key: BoutKey, arrivals: &[Slot]) -> (Slot, Slot) {
        let gone = |place: &&Slot| match place {
            Slot::Entrant(entrant) => self.has_dropped(*entrant, key.round),
            Slot::Nobody => true,
            Slot::Winner(_) | Slot::Loser(_) => false,
        };
        let gone: Vec<Slot> = arrivals.iter().filter(gone).copied().collect();
        self.eliminate(key, gone.iter().filter_map(|it| it.entrant()));
        match arrivals.len() - gone.len() {
            0 => (Slot::Nobody, Slot::Nobody),
            1 => (Slot::Winner(key), Slot::Nobody),
            _ => (Slot::Winner(key), Slot::Loser(key)),
        }
    }

    /// The winner and loser of a bout that is paired.
    fn after(&mut self, key: BoutKey, paired: &Bout, beaten_once: Option<&Slot>) -> (Slot, Slot) {
        let (winner, loser) = match paired.decision() {
            Decision::Open => return (Slot::Winner(key), Slot::Loser(key)),
            Decision::Nobody => {
                self.eliminate(key, paired.entrants.iter().copied());
                return (Slot::Nobody, Slot::Nobody);
            }
            Decision::Won { winner, loser } => (winner, loser),
        };
        let next = self.feeds.get(&Slot::Loser(key)).copied();
        // The final is played again only if both finalists appeared and have now lost once.
        let is_final = next.is_some_and(|it| it.side == Side::Final) && key.side == Side::Final;
        let is_decided = is_final && (loser.is_none() || beaten_once != Some(&Slot::Entrant(winner)));
        let plays_on = next.is_some_and(|it| it.side.is_consolation());
        if key.side.is_consolation() {
            if !self.feeds.contains_key(&Slot::Winner(key)) {
                self.levels.insert(winner, self.level_of_winner(key));
                self.out.insert(winner);
            }
            self.out.extend(loser.filter(|_| !plays_on));
        } else if plays_on {
            self.levels.extend(loser.map(|it| (it, self.level_of(key))));
        } else if is_decided {
            self.eliminate(key, loser);
            return (Slot::Nobody, Slot::Nobody);
        } else if next.is_none() {
            self.eliminate(key, loser);
        }
        (Slot::Entrant(winner), loser.map_or(Slot::Nobody, Slot::Entrant))
    }

    /// Marks these entrants as out, from that bout on.
    fn eliminate(&mut self, key: BoutKey, entrants: impl IntoIterator<Item = u32>) {
        for entrant in entrants {
            let level = self.level_of(key);
            self.levels.entry(entrant).or_insert(level);
            self.out.insert(entrant);
        }
    }

    /// The level of the entrants who are beaten in that bout: the last place that they can come to, or else the round.
    fn level_of(&self, key: BoutKey) -> u32 {
        let last = self.size.map(|size| elimination::places_at_stake(size, key).1);
        last.map_or(u32::from(key.round), |last| ABOVE.saturating_sub(last))
    }

    /// The level of the winner of a bout for places after which there is no other.
    fn level_of_winner(&self, key: BoutKey) -> u32 {
        let (first, last) = self.size.map_or((0, 0), |size| elimination::places_at_stake(size, key));
        ABOVE.saturating_sub(first.midpoint(last))
    }
}
