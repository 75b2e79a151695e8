//! What everybody gains in a round (AK-30 to AK-36): the outcome of ten moves made at once.

use super::animals::{Animal, Class, Field, Skill};
use super::moves::{Move, Use};
use super::options::Options;
use crate::game::Points;
use crate::seats::{PerSeat, Seat, SeatSet};

/// AK-9 and AK-R10: what a skill that succeeds is worth.
pub(super) fn round_value(round: u32) -> Points {
    match round {
        0..=2 => Points::whole(round as i32),
        _ => Points::hundredths((round as i32).saturating_sub(1).saturating_mul(110)),
    }
}

/// All that the gains of a round depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reckoning<'a> {
    pub(super) options: &'a Options,
    pub(super) animals: &'a PerSeat<Animal>,
    /// Where everybody was in the round before.
    pub(super) before: Option<&'a PerSeat<Field>>,
    pub(super) fields: &'a PerSeat<Field>,
    pub(super) moves: &'a PerSeat<Move>,
}

/// What an animal would gain, as far as it is known. AK-16: a robbed one does not gain what it would.
type Would = PerSeat<Option<Payments>>;

/// How many times the round value: 0, 1, or with `snake_double` 2.
type Payments = i32;

impl Reckoning<'_> {
    /// AK-36.
    pub(super) fn gains(self, value: Points) -> PerSeat<Points> {
        let (robbed, halved) = (self.robbed(), self.halved());
        let mut would = PerSeat::new(self.animals.count(), |seat| self.at_once(seat));
        self.resolve(&mut would, robbed);
        self.break_circles(&mut would, robbed);
        self.resolve(&mut would, robbed);
        PerSeat::new(self.animals.count(), |seat| {
            let payments = would[seat].filter(|_| !robbed.has(seat)).unwrap_or(0);
            let share = if halved.has(seat) { 2 } else { 1 };
            // AK-R9: every round value is even in hundredths.
            Points::hundredths(payments * value.in_hundredths() / share)
        })
    }

    fn uses(&self) -> impl Iterator<Item = (Seat, Use)> {
        self.moves.entries().filter_map(|(seat, chosen)| chosen.used().map(|used| (seat, used)))
    }

    fn targets(&self, of: impl Fn(Seat, Use) -> bool) -> SeatSet {
        self.uses().filter(|(seat, used)| of(*seat, *used)).map(|(_, used)| used.target).collect()
    }

    /// AK-23: the seats that are attacked by any animal, whether or not the attack succeeds.
    fn attacked(&self) -> SeatSet {
        self.targets(|_, used| used.skill == Skill::Attack)
    }

    /// AK-32.
    fn robbed(&self) -> SeatSet {
        self.targets(|_, used| used.skill == Skill::Rob)
    }

    /// AK-22: prey that a predator attacks; the snake is none, and the chameleon only if that is agreed.
    fn halved(&self) -> SeatSet {
        let by_predator = self.targets(|seat, used| {
            let copied = used.copied.filter(|_| self.options.copied_attack_halves);
            used.skill == Skill::Attack && copied.unwrap_or(self.animals[seat]).class() == Class::Predator
        });
        by_predator.iter().filter(|seat| self.animals[*seat].class() == Class::Prey).collect()
    }

    /// AK-31: away from its habitat for the second round running.
    fn is_barred(&self, seat: Seat) -> bool {
        let animal = self.animals[seat];
        animal.is_away_in(self.fields[seat]) && self.before.is_some_and(|before| animal.is_away_in(before[seat]))
    }

    /// AK-33: what does not depend on anybody's gain.
    fn at_once(&self, seat: Seat) -> Option<Payments> {
        let animal = self.animals[seat];
        let (hits, acts_as) = match self.moves[seat] {
            _ if self.is_barred(seat) => return Some(0),
            Move::Follow { .. } | Move::Judge { .. } | Move::Rob { .. } => return None,
            Move::Attack { seat: target, copied } => {
                let acts_as = copied.unwrap_or(animal);
                (acts_as.preys_on(self.animals[target]), acts_as)
            }
            Move::Predict { seat: target, animal: named, .. } => (self.animals[target] == named, Animal::Crow),
            Move::Pass {} | Move::Go { .. } => (false, animal),
        };
        // AK-12: the snake is paid when attacked, too, even if it had to pass; so is the chameleon that acts as one.
        let stung = acts_as == Animal::Snake && self.attacked().has(seat);
        Some(match (hits, stung) {
            (true, true) if self.options.snake_double => 2,
            (hits, stung) => (hits || stung).into(),
        })
    }

    /// AK-34, until nothing more can be resolved.
    fn resolve(&self, would: &mut Would, robbed: SeatSet) {
        while let Some((seat, payments)) = self.next_resolved(would, robbed) {
            would[seat] = Some(payments);
        }
    }

    fn next_resolved(&self, would: &Would, robbed: SeatSet) -> Option<(Seat, Payments)> {
        let left = would.seats().filter(|seat| would[*seat].is_none());
        left.filter_map(|seat| Some((seat, self.depending(seat, would, robbed)?))).next()
    }

    fn depending(&self, seat: Seat, would: &Would, robbed: SeatSet) -> Option<Payments> {
        let would_gain = |target: Seat| would[target].map(|payments| payments > 0);
        let gains = |target: Seat| if robbed.has(target) { Some(false) } else { would_gain(target) };
        let succeeds = match self.moves[seat] {
            Move::Follow { seat: target, .. } => gains(target)?,
            Move::Judge { seat: target, gains: said, .. } => gains(target)? == said,
            Move::Rob { seat: target, .. } => would_gain(target)?,
            Move::Attack { .. } | Move::Predict { .. } | Move::Pass {} | Move::Go { .. } => return None,
        };
        Some(succeeds.into())
    }

    /// AK-35: a seat that depends on itself through its targets would gain nothing.
    fn break_circles(&self, would: &mut Would, robbed: SeatSet) {
        let on_circle: Vec<Seat> = would.seats().filter(|seat| self.waits_for_itself(*seat, would)).collect();
        debug_assert!(self.next_resolved(would, robbed).is_none(), "everything that can be resolved is");
        for seat in on_circle {
            would[seat] = Some(0);
        }
    }

    fn waits_for_itself(&self, seat: Seat, would: &Would) -> bool {
        let next = |it: &Seat| self.moves[*it].used().map(|used| used.target).filter(|it| would[*it].is_none());
        let path = std::iter::successors(Some(seat), next).skip(1).take(usize::from(self.animals.count()));
        would[seat].is_none() && path.into_iter().any(|it| it == seat)
    }
}
