//! Past rounds of Animal Kingdom explained: moves of all seats that lead to the gains that were published.

use super::animals::{Animal, Class, Field, Skill};
use super::moves::Move;
use super::options::{Options, WaterDeerWin};
use super::reckoning::Reckoning;
use super::view::{Reckoned, View};
use super::{Round, SEATS};
use crate::chance::Source;
use crate::game::Points;
use crate::seats::{PerSeat, Seat};

const ALL: usize = SEATS as usize;

/// A set of seats, one bit each.
type Mask = u16;

/// What a seat knows of a finished round.
pub(super) struct Known<'a> {
    pub(super) reckoned: &'a Reckoned,
    /// By animal.
    pub(super) gains: [Points; ALL],
    /// Per seat all that were in the same field, itself included.
    pub(super) beside: [Mask; ALL],
    before: Option<&'a PerSeat<Field>>,
    own: Move,
}

/// All that a seat knows of the past.
pub(super) struct Past<'a> {
    pub(super) seat: Seat,
    pub(super) options: &'a Options,
    pub(super) rounds: Vec<Known<'a>>,
}

impl<'a> Past<'a> {
    /// None for spectators.
    pub(super) fn of(seat: Seat, view: &'a View) -> Option<Past<'a>> {
        let mine = view.mine.as_ref()?;
        let before = std::iter::once(None).chain(view.history.iter().map(|it| Some(&it.fields)));
        let known = view.history.iter().zip(before).zip(&mine.my_skills);
        let rounds = known.map(|((reckoned, before), used)| Known {
            reckoned,
            gains: Animal::ALL.map(|animal| reckoned.gains.get(&animal).copied().unwrap_or_default()),
            beside: std::array::from_fn(|it| mask(&reckoned.fields, reckoned.fields[Seat(it as u8)])),
            before,
            own: used.chosen,
        });
        Some(Past { seat, options: &view.common.options, rounds: rounds.collect() })
    }

    /// Random moves of the others that explain every round if these are their animals, and how many times likelier they
    /// are than they were drawn, if all legal moves are equally likely. None if the draw ran into a contradiction.
    pub(super) fn explained(&self, animals: &PerSeat<Animal>, source: &mut dyn Source) -> Option<(Vec<Round>, f64)> {
        let mut explaining = Explaining { past: self, animals, named: [0; ALL], copied: 0, worth: 1.0 };
        let mut rounds = Vec::with_capacity(self.rounds.len());
        for known in &self.rounds {
            let moves = explaining.moves(known, source)?;
            let (fields, gains) = (known.reckoned.fields.clone(), known.reckoned.gains.clone());
            rounds.push(Round { fields, moves, gains });
        }
        let worth = explaining.worth;
        self.went_on(animals, &rounds).then_some((rounds, worth))
    }

    /// AK-40: had the water deer won, nobody would be asked for another move.
    fn went_on(&self, animals: &PerSeat<Animal>, rounds: &[Round]) -> bool {
        let Some((deer, _)) = animals.entries().find(|(_, animal)| **animal == Animal::WaterDeer) else { return true };
        let (mut fields, mut attacks) = ([false; 4], 0);
        self.options.water_deer_win == WaterDeerWin::AtEnd
            || rounds.iter().all(|round| {
                fields[round.fields[deer] as usize] = true;
                let hits = |it: &&Move| it.used().is_some_and(|it| it.skill == Skill::Attack && it.target == deer);
                attacks += round.moves.iter().filter(hits).count();
                attacks >= 2 || fields.contains(&false)
            })
    }
}

fn mask(fields: &PerSeat<Field>, field: Field) -> Mask {
    fields.entries().filter(|(_, it)| **it == field).fold(0, |mask, (seat, _)| mask | 1 << seat.0)
}

pub(super) fn seats_of(mask: Mask) -> impl Iterator<Item = Seat> {
    (0..SEATS).filter(move |seat| mask >> seat & 1 == 1).map(Seat)
}

impl Known<'_> {
    /// The seat's own move.
    pub(super) fn own(&self) -> Move {
        self.own
    }

    pub(super) fn gained(&self, animal: Animal) -> Points {
        self.gains[animal as usize]
    }

    /// AK-31.
    pub(super) fn is_barred(&self, seat: Seat, animal: Animal) -> bool {
        animal.is_away_in(self.reckoned.fields[seat])
            && self.before.is_some_and(|before| animal.is_away_in(before[seat]))
    }

    /// Can the seat have been this animal in this round, for all that is known of it alone?
    pub(super) fn can_have_gained(&self, seat: Seat, animal: Animal) -> bool {
        let is_alone = self.beside[seat.index()].count_ones() == 1;
        let needs_company = animal.skill().is_some_and(Skill::stays_in_field);
        self.gained(animal) == Points::default() || !(self.is_barred(seat, animal) || is_alone && needs_company)
    }

    /// AK-22: did it gain half a payment?
    pub(super) fn was_halved(&self, animal: Animal) -> bool {
        let gained = self.gained(animal);
        gained > Points::default() && gained < self.reckoned.value
    }
}

struct Explaining<'a> {
    past: &'a Past<'a>,
    animals: &'a PerSeat<Animal>,
    /// Per seat whom it has named so far.
    named: [Mask; ALL],
    /// What the chameleon has copied so far, one bit each.
    copied: u16,
    worth: f64,
}

impl Explaining<'_> {
    fn moves(&mut self, known: &Known, source: &mut dyn Source) -> Option<PerSeat<Move>> {
        let mut moves = self.animals.map(|_| Move::Pass {});
        let mut wanted = PerSeat::new(SEATS, |seat| self.wants(known, seat));
        // Robbers first, since they say what their targets would have gained; the snake after all other attackers.
        const ORDER: [Animal; ALL] = [
            Animal::Cuckoo,
            Animal::Chameleon,
            Animal::Lion,
            Animal::Crocodile,
            Animal::Eagle,
            Animal::Snake,
            Animal::Crow,
            Animal::Hyena,
            Animal::Toad,
            Animal::WaterDeer,
        ];
        let own = self.animals[self.past.seat];
        if matches!(known.own, Move::Rob { .. }) {
            self.rob(known, self.past.seat, known.own, &mut wanted);
        }
        let mut attacked = Attacked::default();
        attacked.note(self, self.past.seat, known.own);
        moves[self.past.seat] = known.own;
        for animal in ORDER.into_iter().filter(|it| *it != own) {
            let (seat, _) = self.animals.entries().find(|(_, it)| **it == animal)?;
            let chosen = self.draw(known, seat, wanted[seat], attacked, source)?;
            self.rob(known, seat, chosen, &mut wanted);
            attacked.note(self, seat, chosen);
            moves[seat] = chosen;
        }
        for (seat, chosen) in moves.entries() {
            let Some(used) = chosen.used() else { continue };
            self.named[seat.index()] |= 1 << used.target.0;
            self.copied |= used.copied.map_or(0, |it| 1 << it as u16);
        }
        let Reckoned { fields, value, .. } = known.reckoned;
        let (options, animals, before) = (self.past.options, self.animals, known.before);
        let gains = Reckoning { options, animals, before, fields, moves: &moves }.gains(*value);
        let fits = gains.iter().zip(animals.iter()).all(|(gained, animal)| *gained == known.gained(*animal));
        fits.then_some(moves)
    }

    /// Does its skill succeed this round? None if that would not show.
    fn wants(&self, known: &Known, seat: Seat) -> Option<bool> {
        let animal = self.animals[seat];
        (!known.is_barred(seat, animal)).then(|| known.gained(animal) > Points::default())
    }

    /// AK-16: a robber that gains had a target that would have gained.
    fn rob(&self, known: &Known, robber: Seat, chosen: Move, wanted: &mut PerSeat<Option<bool>>) {
        if let Some(used) = chosen.used().filter(|it| it.skill == Skill::Rob) {
            let barred = known.is_barred(used.target, self.animals[used.target]);
            wanted[used.target] = wanted[robber].filter(|_| !barred);
        }
    }

    fn gains(&self, known: &Known, seat: Seat) -> bool {
        known.gained(self.animals[seat]) > Points::default()
    }

    /// AK-20.
    fn reach(&self, known: &Known, seat: Seat, skill: Skill) -> Mask {
        let reach = if skill.stays_in_field() { known.beside[seat.index()] } else { (1 << SEATS) - 1 };
        reach & !self.named[seat.index()] & !(1 << seat.0)
    }

    /// A random move of the seat among those that fit.
    fn draw(
        &mut self,
        known: &Known,
        seat: Seat,
        wanted: Option<bool>,
        attacked: Attacked,
        source: &mut dyn Source,
    ) -> Option<Move> {
        let animal = self.animals[seat];
        let (mut fitting, mut legal) = (Vec::with_capacity(16), 0);
        match animal {
            Animal::Chameleon => {
                for copied in Animal::ALL.into_iter().filter(|it| self.copied >> *it as u16 & 1 == 0) {
                    self.add(known, (seat, copied, Some(copied)), wanted, attacked, (&mut fitting, &mut legal));
                }
            }
            _ => self.add(known, (seat, animal, None), wanted, attacked, (&mut fitting, &mut legal)),
        }
        if legal == 0 {
            let stung = animal == Animal::Snake && attacked.by_any >> seat.0 & 1 == 1;
            return wanted.is_none_or(|wanted| wanted == stung).then_some(Move::Pass {});
        }
        // A prey that gained half has been attacked: if none of those that are left to choose does it, the draw is void.
        let halves = |it: &Move| match it {
            Move::Attack { seat: target, .. } => {
                known.was_halved(self.animals[*target]) && attacked.by_predator >> target.0 & 1 == 0
            }
            _ => false,
        };
        let needed = fitting.iter().filter(|it| halves(it)).count();
        const EAGER: usize = 4;
        let weight = |it: &Move| if halves(it) { EAGER } else { 1 };
        let all = fitting.len() + (EAGER - 1) * needed;
        if all == 0 {
            return None;
        }
        let mut left = source.below(all as u32) as usize;
        let chosen = fitting.iter().find(|it| {
            let found = left < weight(it);
            left = left.saturating_sub(weight(it));
            found
        })?;
        self.worth *= all as f64 / (weight(chosen) * legal) as f64;
        Some(*chosen)
    }

    /// Adds the uses of one skill that fit, and counts those that are legal.
    fn add(
        &self,
        known: &Known,
        (seat, acts_as, copied): (Seat, Animal, Option<Animal>),
        wanted: Option<bool>,
        attacked: Attacked,
        (fitting, legal): (&mut Vec<Move>, &mut usize),
    ) {
        let Some(skill) = acts_as.skill() else { return };
        let fits = |succeeds: bool| wanted.is_none_or(|wanted| wanted == succeeds);
        let halving = copied.filter(|_| self.past.options.copied_attack_halves).unwrap_or(self.animals[seat]);
        for target in seats_of(self.reach(known, seat, skill)) {
            let (other, gains) = (self.animals[target], self.gains(known, target));
            *legal += match skill {
                Skill::Attack | Skill::Follow | Skill::Rob => 1,
                Skill::Judge => 2,
                Skill::Predict => Animal::ALL.len(),
            };
            match skill {
                Skill::Attack => {
                    let stung = acts_as == Animal::Snake && attacked.by_any >> seat.0 & 1 == 1;
                    let spared = halving.class() == Class::Predator
                        && other.class() == Class::Prey
                        && gains
                        && !known.was_halved(other);
                    if !spared && fits(acts_as.preys_on(other) || stung) {
                        fitting.push(Move::Attack { seat: target, copied });
                    }
                }
                Skill::Rob if !gains => {
                    if wanted != Some(true) || !known.is_barred(target, other) {
                        fitting.push(Move::Rob { seat: target, copied });
                    }
                }
                Skill::Rob => {}
                Skill::Follow if fits(gains) => fitting.push(Move::Follow { seat: target, copied }),
                Skill::Follow => {}
                Skill::Judge => {
                    let said = [true, false].into_iter().filter(|said| fits(*said == gains));
                    fitting.extend(said.map(|gains| Move::Judge { seat: target, gains, copied }));
                }
                Skill::Predict => {
                    let named = Animal::ALL.into_iter().filter(|named| fits(*named == other));
                    fitting.extend(named.map(|animal| Move::Predict { seat: target, animal, copied }));
                }
            }
        }
    }
}

/// Who is attacked, as far as the attackers have chosen.
#[derive(Clone, Copy, Default)]
struct Attacked {
    by_any: Mask,
    by_predator: Mask,
}

impl Attacked {
    fn note(&mut self, explaining: &Explaining, seat: Seat, chosen: Move) {
        let Some(used) = chosen.used().filter(|it| it.skill == Skill::Attack) else { return };
        self.by_any |= 1 << used.target.0;
        let copied = used.copied.filter(|_| explaining.past.options.copied_attack_halves);
        if copied.unwrap_or(explaining.animals[seat]).class() == Class::Predator {
            self.by_predator |= 1 << used.target.0;
        }
    }
}
