//! What all brackets of duels have in common: places that wait for others, and how results fill them. Which bouts there are
//! is for `elimination` and `double`.

use std::collections::{BTreeMap, BTreeSet};

use super::bouts::{Bout, BoutKey, Decision, Finish, Pairing, Planned, Side, Waits};
use super::reasons::Reason;
use super::stage::{Participant, Stage};

/// Who meets whom in the first round of a bracket so large, by seeds from 1: the best two can meet in the last round only,
/// the best four in the last two, and so on. The size is a power of two.
pub(super) fn seeding(size: u32) -> Vec<u32> {
    let mut order = vec![1];
    while (order.len() as u32) < size {
        let sum = 2 * order.len() as u32 + 1;
        order = order.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    order
}

/// A bracket's first round: the seeds' entrants, and nobody where the field is smaller than the bracket.
pub(super) fn first_places(stage: &Stage) -> Vec<Waits> {
    let by_seed = stage.by_seed();
    let size = by_seed.len().next_power_of_two().max(2) as u32;
    let place = |seed: u32| by_seed.get(seed as usize - 1).map_or(Waits::Nobody, |it| Waits::Entrant(it.entrant));
    seeding(size).into_iter().map(place).collect()
}

/// The bouts that somebody may ever play, with the places to which nobody will ever come told as such. The bouts are given in
/// an order in which each comes after those that it waits for.
pub(super) fn pruned(bouts: Vec<Planned>) -> Vec<Planned> {
    let mut empty: BTreeSet<Waits> = BTreeSet::new();
    let mut kept = Vec::new();
    for mut bout in bouts {
        for place in &mut bout.places {
            if empty.contains(place) {
                *place = Waits::Nobody;
            }
        }
        match bout.places.iter().filter(|it| **it != Waits::Nobody).count() {
            0 => empty.extend([Waits::Winner(bout.key), Waits::Loser(bout.key)]),
            1 => drop(empty.insert(Waits::Loser(bout.key))),
            _ => {}
        }
        if bout.places.iter().any(|it| *it != Waits::Nobody) {
            kept.push(bout);
        }
    }
    kept
}

/// A bracket with what its results so far make of it.
pub(super) struct Bracket<'a> {
    plan: Vec<Planned>,
    bouts: BTreeMap<BoutKey, &'a Bout>,
    participants: BTreeMap<u32, Participant>,
    /// Who waits for whom.
    awaited: BTreeMap<Waits, BoutKey>,
    /// Bouts without whose winner the next is paired already.
    passed: BTreeSet<BoutKey>,
    /// Who came out of the bouts.
    came: BTreeMap<Waits, Waits>,
    /// How far those who were beaten got.
    fell: BTreeMap<u32, u32>,
    /// Who plays no more.
    out: BTreeSet<u32>,
}

impl<'a> Bracket<'a> {
    /// Fills the places of a plan by the stage's bouts.
    pub(super) fn new(stage: &'a Stage, plan: Vec<Planned>) -> Self {
        Self::with(stage, plan, stage.bouts_in_order())
    }

    fn with(stage: &'a Stage, plan: Vec<Planned>, bouts: BTreeMap<BoutKey, &'a Bout>) -> Self {
        let awaited = plan.iter().flat_map(|bout| bout.places.iter().map(|place| (*place, bout.key))).collect();
        let paired = plan.iter().filter(|it| bouts.contains_key(&it.key)).flat_map(|it| &it.places);
        let passed = paired.filter(|it| matches!(it, Waits::Winner(_))).filter_map(|it| it.bout()).collect();
        let participants = stage.participants.iter().map(|it| (it.entrant, *it)).collect();
        let (came, fell, out) = Default::default();
        let mut bracket = Bracket { plan: Vec::new(), bouts, participants, awaited, passed, came, fell, out };
        for bout in &plan {
            bracket.settle(bout);
        }
        bracket.plan = plan;
        bracket
    }

    /// What can be paired now.
    pub(super) fn due(&self) -> Vec<Pairing> {
        self.plan.iter().filter_map(|bout| self.pairing(bout)).collect()
    }

    /// The whole bracket, with everybody in it whose place is known.
    pub(super) fn filled(&self) -> Vec<Planned> {
        let fill = |bout: &Planned| match self.bouts.get(&bout.key) {
            Some(paired) => Planned::from(*paired),
            None => Planned { key: bout.key, places: self.arrivals(bout) },
        };
        self.plan.iter().map(fill).collect()
    }

    /// The last round that is to be played. The final is played again only if the first one makes it necessary.
    pub(super) fn rounds(&self) -> Option<u16> {
        let of_final = |it: &Waits| it.bout().is_some_and(|key| key.side == Side::Final);
        let is_played = |it: &&Planned| {
            !it.places.iter().any(of_final) || self.arrivals(it).iter().any(|it| it.entrant().is_some())
        };
        self.plan.iter().filter(is_played).map(|it| it.key.round).max()
    }

    /// How far an entrant got: the more the better, the most who is not beaten.
    pub(super) fn level(&self, entrant: u32) -> u32 {
        self.fell.get(&entrant).copied().unwrap_or(u32::MAX)
    }

    /// Will they play no more?
    pub(super) fn is_out(&self, entrant: u32) -> bool {
        self.out.contains(&entrant)
    }

    /// The bouts that would no longer be between the right two, were one of them to end otherwise.
    pub(super) fn following(self, stage: &Stage, key: BoutKey, result: &[Finish]) -> Vec<BoutKey> {
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

    /// What stands in the places of a bout, now that some others are over.
    fn arrivals(&self, bout: &Planned) -> Vec<Waits> {
        bout.places.iter().map(|place| self.came.get(place).copied().unwrap_or(*place)).collect()
    }

    fn has_dropped(&self, entrant: u32, round: u16) -> bool {
        self.participants.get(&entrant).is_none_or(|it| !it.plays_in(round))
    }

    fn pairing(&self, bout: &Planned) -> Option<Pairing> {
        if self.bouts.contains_key(&bout.key) || self.passed.contains(&bout.key) {
            return None;
        }
        let mut entrants = Vec::new();
        for place in self.arrivals(bout) {
            match place {
                Waits::Entrant(entrant) if !self.has_dropped(entrant, bout.key.round) => entrants.push(entrant),
                Waits::Entrant(_) | Waits::Nobody => {}
                Waits::Winner(_) | Waits::Loser(_) => return None,
            }
        }
        let reason = match entrants.len() {
            0 => return None,
            1 if bout.places.contains(&Waits::Nobody) => Reason::BracketBye,
            1 => Reason::OpponentGone,
            _ => Reason::Bracket,
        };
        Some(Pairing { key: bout.key, entrants, reasons: vec![reason] })
    }

    /// Reckons who comes out of a bout. Those that it waits for are settled already.
    fn settle(&mut self, bout: &Planned) {
        let arrivals = self.arrivals(bout);
        let there: Vec<u32> = arrivals.iter().filter_map(|it| it.entrant()).collect();
        let paired = self.bouts.get(&bout.key).copied();
        let (winner, loser) = match paired {
            Some(paired) => {
                self.fall(bout.key, there.iter().filter(|it| !paired.entrants.contains(it)).copied());
                self.after(bout.key, paired, arrivals.get(1))
            }
            None if self.passed.contains(&bout.key) => {
                self.fall(bout.key, there);
                (Waits::Nobody, Waits::Nobody)
            }
            None => self.before(bout.key, &arrivals),
        };
        self.came.insert(Waits::Winner(bout.key), winner);
        self.came.insert(Waits::Loser(bout.key), loser);
    }

    /// Who will come out of a bout that is not paired.
    fn before(&mut self, key: BoutKey, arrivals: &[Waits]) -> (Waits, Waits) {
        let gone = |place: &&Waits| match place {
            Waits::Entrant(entrant) => self.has_dropped(*entrant, key.round),
            Waits::Nobody => true,
            Waits::Winner(_) | Waits::Loser(_) => false,
        };
        let gone: Vec<Waits> = arrivals.iter().filter(gone).copied().collect();
        self.fall(key, gone.iter().filter_map(|it| it.entrant()));
        match arrivals.len() - gone.len() {
            0 => (Waits::Nobody, Waits::Nobody),
            1 => (Waits::Winner(key), Waits::Nobody),
            _ => (Waits::Winner(key), Waits::Loser(key)),
        }
    }

    /// Who came out of a bout that is paired.
    fn after(&mut self, key: BoutKey, paired: &Bout, beaten_once: Option<&Waits>) -> (Waits, Waits) {
        let (winner, loser) = match paired.decision() {
            Decision::Open => return (Waits::Winner(key), Waits::Loser(key)),
            Decision::Nobody => {
                self.fall(key, paired.entrants.iter().copied());
                return (Waits::Nobody, Waits::Nobody);
            }
            Decision::Won { winner, loser } => (winner, loser),
        };
        let next = self.awaited.get(&Waits::Loser(key)).copied();
        // The final is played again only if both are there and have lost once by then.
        let is_final = next.is_some_and(|it| it.side == Side::Final) && key.side == Side::Final;
        let is_decided = is_final && (loser.is_none() || beaten_once != Some(&Waits::Entrant(winner)));
        if key.side == Side::ThirdPlace {
            self.fell.entry(winner).and_modify(|level| *level += 1);
            self.out.extend(paired.entrants.iter());
        } else if next.is_some_and(|it| it.side == Side::ThirdPlace) {
            self.fell.extend(loser.map(|it| (it, level(key))));
        } else if is_decided {
            self.fall(key, loser);
            return (Waits::Nobody, Waits::Nobody);
        } else if next.is_none() {
            self.fall(key, loser);
        }
        (Waits::Entrant(winner), loser.map_or(Waits::Nobody, Waits::Entrant))
    }

    /// These are out from that bout on.
    fn fall(&mut self, key: BoutKey, entrants: impl IntoIterator<Item = u32>) {
        for entrant in entrants {
            self.fell.entry(entrant).or_insert(level(key));
            self.out.insert(entrant);
        }
    }
}

/// How far those get who are beaten in that bout. Between two of them is room for the third place.
fn level(key: BoutKey) -> u32 {
    2 * u32::from(key.round)
}
