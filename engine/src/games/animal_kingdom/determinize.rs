//! Determinization: a random match that a seat may be in, built from what it sees alone.

use super::animals::{Animal, Class, Field, Skill};
use super::explain::{Known, Past, seats_of};
use super::moves::{Move, Situation};
use super::view::{Phase, View};
use super::{AnimalKingdom, Reason, Round, SEATS, Stage};
use crate::chance::{Source, shuffle};
use crate::game::Points;
use crate::seats::{PerSeat, Seat};

/// Among so many explanations one is drawn, each as often as its moves are likely.
const EXPLANATIONS: usize = 4;
/// How often explanations are looked for before the draw falls back on a match that leaves some gains unexplained: of all
/// draws 4 % in random matches and 12 % in those of autopilots. More attempts hardly help.
const ATTEMPTS: u32 = 160;
/// Steps of the chain before the first attempt, and between two.
const STEPS: u32 = 200;
const FEWER_STEPS: u32 = 12;

/// Draws who is which animal by a Markov chain that swaps two seats and avoids what the published gains rule out, then
/// moves of all past rounds that explain these gains exactly. Each match is about as likely as its seats' random moves.
pub(super) fn determinized(seat: Seat, view: &View, source: &mut dyn Source) -> Option<AnimalKingdom> {
    let past = Past::of(seat, view)?;
    let mut deal = Deal::at_random(&past, view, source)?;
    deal.mix(&past, STEPS, source);
    let mut explained: Vec<(PerSeat<Animal>, Vec<Round>, f64)> = Vec::new();
    for _ in 0..ATTEMPTS {
        if deal.contradictions == 0
            && let Some((rounds, worth)) = past.explained(&deal.animals, source)
        {
            explained.push((deal.animals.clone(), rounds, worth));
            if explained.len() == EXPLANATIONS || past.rounds.is_empty() {
                break;
            }
        }
        deal.mix(&past, FEWER_STEPS, source);
    }
    let (animals, past) = match one_by_worth(explained, source) {
        Some((animals, rounds, _)) => (animals, rounds),
        None => (deal.animals.clone(), any_rounds(&past, &deal.animals, source)),
    };
    let mut world = AnimalKingdom { options: view.common.options.clone(), animals, past, stage: Stage::Deal };
    world.stage = world.any_stage(seat, view, source);
    Some(world)
}

fn one_by_worth<T, U>(mut all: Vec<(T, U, f64)>, source: &mut dyn Source) -> Option<(T, U, f64)> {
    const PARTS: u32 = 1 << 20;
    let sum: f64 = all.iter().map(|(_, _, worth)| worth).sum();
    let mut left = sum * f64::from(source.below(PARTS)) / f64::from(PARTS);
    let which = all.iter().position(|(_, _, worth)| {
        left -= worth;
        left < 0.0
    });
    let which = which.or(all.len().checked_sub(1))?;
    Some(all.swap_remove(which))
}

/// Legal moves that explain nothing.
fn any_rounds(past: &Past, animals: &PerSeat<Animal>, source: &mut dyn Source) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    for known in &past.rounds {
        let fields = known.reckoned.fields.clone();
        let any = |seat: Seat| match seat == past.seat {
            true => known.own(),
            false => any_move(Situation { seat, animal: animals[seat], fields: &fields, earlier: &rounds }, source),
        };
        let moves = PerSeat::new(SEATS, any);
        rounds.push(Round { fields, moves, gains: known.reckoned.gains.clone() });
    }
    rounds
}

fn any_move(situation: Situation, source: &mut dyn Source) -> Move {
    let mut moves = Vec::new();
    situation.moves(&mut moves);
    moves[source.below(moves.len() as u32) as usize]
}

impl AnimalKingdom {
    fn any_stage(&self, seat: Seat, view: &View, source: &mut dyn Source) -> Stage {
        let has_chosen = |it: Seat| it != seat && !view.common.to_move.has(it);
        let own = |it: Seat| view.mine.as_ref().filter(|_| it == seat);
        match (view.common.phase, &view.fields) {
            (Phase::Finished, _) => {
                let reason = view.common.outcome.as_ref().map_or("", |outcome| outcome.reason.as_str());
                let reasons = [("water_deer", Reason::WaterDeer), ("leader", Reason::Leader)];
                let known = reasons.into_iter().find(|(word, _)| *word == reason).map(|(_, reason)| reason);
                Stage::Finished { reason: known.unwrap_or(Reason::RoundLimit) }
            }
            (Phase::Skill, Some(fields)) => {
                let moves = PerSeat::new(SEATS, |it| {
                    let situation = Situation { seat: it, animal: self.animals[it], fields, earlier: &self.past };
                    let other = || has_chosen(it).then(|| any_move(situation, source));
                    own(it).map_or_else(other, |mine| mine.my_skill)
                });
                Stage::Skill { fields: fields.clone(), moves }
            }
            (Phase::Moving | Phase::Skill, _) => {
                let fields = PerSeat::new(SEATS, |it| {
                    let other = || has_chosen(it).then(|| Field::ALL[source.below(4) as usize]);
                    own(it).map_or_else(other, |mine| mine.my_field)
                });
                Stage::Moving { fields }
            }
        }
    }
}

/// Who may be which animal, on the chain.
struct Deal {
    animals: PerSeat<Animal>,
    /// Per seat what it may be, for what is known of it alone.
    may_be: PerSeat<[bool; Animal::ALL.len()]>,
    contradictions: u32,
    free: Vec<Seat>,
}

impl Deal {
    fn at_random(past: &Past, view: &View, source: &mut dyn Source) -> Option<Deal> {
        let mine = view.mine.as_ref()?;
        let mut known = PerSeat::new(SEATS, |seat| view.animals.as_ref().map(|animals| animals[seat]));
        known[past.seat] = Some(mine.my_animal);
        for learned in &mine.my_learned {
            known[learned.seat] = Some(learned.animal);
        }
        let may_be = PerSeat::new(SEATS, |seat| {
            Animal::ALL.map(|animal| match known[seat] {
                Some(known) => known == animal,
                None => past.rounds.iter().all(|round| round.can_have_gained(seat, animal)),
            })
        });
        let free: Vec<Seat> = known.entries().filter(|(_, it)| it.is_none()).map(|(seat, _)| seat).collect();
        let taken = |animal: &Animal| known.iter().flatten().any(|it| it == animal);
        let mut left: Vec<Animal> = Animal::ALL.into_iter().filter(|animal| !taken(animal)).collect();
        shuffle(&mut left, source);
        let mut left = left.into_iter();
        let animals = known.iter().map(|it| it.or_else(|| left.next())).collect::<Option<Vec<_>>>()?.into();
        let mut deal = Deal { animals, may_be, contradictions: 0, free };
        deal.contradictions = deal.count(past);
        Some(deal)
    }

    fn mix(&mut self, past: &Past, steps: u32, source: &mut dyn Source) {
        /// One contradiction more is accepted once in so many times.
        const RELUCTANCE: u32 = 12;
        if self.free.len() < 2 || past.rounds.is_empty() {
            return;
        }
        for _ in 0..steps {
            let [one, another] = [(); 2].map(|()| self.free[source.below(self.free.len() as u32) as usize]);
            self.swap(one, another);
            let contradictions = self.count(past);
            let more = contradictions.saturating_sub(self.contradictions);
            match source.below(RELUCTANCE.saturating_pow(more)) {
                0 => self.contradictions = contradictions,
                _ => self.swap(one, another),
            }
        }
    }

    fn swap(&mut self, one: Seat, another: Seat) {
        (self.animals[one], self.animals[another]) = (self.animals[another], self.animals[one]);
    }

    /// How many seats cannot have gained what they did.
    fn count(&self, past: &Past) -> u32 {
        let alone = self.animals.entries().filter(|(seat, animal)| !self.may_be[*seat][**animal as usize]).count();
        let together = |round: &Known| {
            let explained = |seat: &Seat| self.can_explain(round, *seat, past.options.copied_attack_halves);
            self.animals.seats().filter(|seat| !explained(seat)).count()
        };
        (2 * alone + past.rounds.iter().map(together).sum::<usize>()) as u32
    }

    /// Is there somebody beside the seat on whom, or by whom, it can have gained what it did?
    fn can_explain(&self, round: &Known, seat: Seat, copies_halve: bool) -> bool {
        let animal = self.animals[seat];
        let gains = round.gained(animal) > Points::default();
        let beside = || seats_of(round.beside[seat.index()] & !(1 << seat.0)).map(|it| self.animals[it]);
        let attacks = |it: Animal| it == Animal::Chameleon || it.skill() == Some(Skill::Attack);
        let robs = |it: Animal| matches!(it, Animal::Chameleon | Animal::Cuckoo);
        if round.was_halved(animal)
            && !beside().any(|it| it.class() == Class::Predator || copies_halve && it == Animal::Chameleon)
        {
            return false;
        }
        match (animal, gains) {
            (Animal::Lion | Animal::Crocodile | Animal::Eagle, true) => beside().any(|it| animal.preys_on(it)),
            (Animal::Snake, true) => beside().any(attacks),
            (Animal::Cuckoo, true) => {
                let poor = |it: &Seat| *it != seat && round.gained(self.animals[*it]) == Points::default();
                seats_of(round.beside[seat.index()]).any(|it| poor(&it) && self.animals[it] != Animal::WaterDeer)
            }
            (Animal::Lion | Animal::Crocodile | Animal::Eagle | Animal::Snake, false) => {
                round.is_barred(seat, animal)
                    || beside().next().is_none()
                    || beside().any(|it| !animal.preys_on(it) || robs(it))
            }
            _ => true,
        }
    }
}
