//! How a match of Animal Kingdom goes on: the deal, the two halves of a round, and the end.

use super::animals::{Animal, Field, Skill};
use super::moves::{Move, Use};
use super::options::WaterDeerWin;
use super::reckoning::{Reckoning, round_value};
use super::{AnimalKingdom, ByAnimal, Event, Reason, Round, Stage};
use crate::game::{Addressed, Points};
use crate::seats::{PerSeat, Seat};

/// AK-41: before the end of this round nobody wins by points.
const FIRST_WON_BY_POINTS: u32 = 4;
/// AK-40: with so many attacks the water deer has been hunted down.
const HUNTED_DOWN: usize = 2;

impl AnimalKingdom {
    pub(super) fn deal(&mut self, animals: PerSeat<Animal>, events: &mut Vec<Addressed<Event>>) {
        for (seat, animal) in animals.entries() {
            events.push(Addressed::only(seat, Event::Dealt { seat, animal: *animal }));
        }
        self.animals = animals;
        self.start_round(events);
    }

    fn start_round(&mut self, events: &mut Vec<Addressed<Event>>) {
        self.stage = Stage::Moving { fields: self.animals.map(|_| None) };
        let round = self.round();
        events.push(Addressed::everyone(Event::RoundStarted { round, value: round_value(round) }));
    }

    /// AK-5 and AK-7: choices are secret until the last is in.
    pub(super) fn choose(&mut self, seat: Seat, chosen: Move, events: &mut Vec<Addressed<Event>>) {
        events.push(Addressed::only(seat, Event::Chose { seat, chosen: Some(chosen) }));
        events.push(Addressed::except([seat], Event::Chose { seat, chosen: None }));
        match (&mut self.stage, chosen) {
            (Stage::Moving { fields }, Move::Go { field }) => {
                fields[seat] = Some(field);
                if let Some(fields) = complete(fields) {
                    self.all_move(fields, events);
                }
            }
            (Stage::Skill { fields, moves }, chosen) => {
                moves[seat] = Some(chosen);
                if let Some(moves) = complete(moves) {
                    let fields = fields.clone();
                    self.reckon(fields, moves, events);
                }
            }
            (Stage::Deal | Stage::Moving { .. } | Stage::Finished { .. }, _) => {}
        }
    }

    fn all_move(&mut self, fields: PerSeat<Field>, events: &mut Vec<Addressed<Event>>) {
        events.push(Addressed::everyone(Event::Moved { round: self.round(), fields: fields.clone() }));
        self.stage = Stage::Skill { fields, moves: self.animals.map(|_| None) };
    }

    /// AK-30 to AK-38.
    pub(super) fn reckon(&mut self, fields: PerSeat<Field>, moves: PerSeat<Move>, events: &mut Vec<Addressed<Event>>) {
        let round = self.round();
        let value = round_value(round);
        let reckoning = Reckoning {
            options: &self.options,
            animals: &self.animals,
            before: self.past.last().map(|round| &round.fields),
            fields: &fields,
            moves: &moves,
        };
        let gained = reckoning.gains(value);
        let gains: ByAnimal = self.animals.iter().copied().zip(gained.iter().copied()).collect();
        events.push(Addressed::everyone(Event::Gains { round, value, gains: gains.clone() }));
        for (seat, chosen) in moves.entries() {
            events.push(Addressed::only(seat, Event::Gained { round, seat, gained: gained[seat] }));
            if let Move::Predict { seat: target, .. } = *chosen {
                let animal = self.animals[target];
                events.push(Addressed::only(seat, Event::Learned { round, seat, target, animal }));
            }
        }
        self.past.push(Round { fields, moves, gains });
        match self.ends(round) {
            Some(reason) => self.finish(reason, events),
            None => self.start_round(events),
        }
    }

    /// AK-40 to AK-42.
    fn ends(&self, round: u32) -> Option<Reason> {
        let by_points = match self.has_single_leader() {
            true if round >= FIRST_WON_BY_POINTS => Some(Reason::Leader),
            _ if round >= self.options.max_rounds => Some(Reason::RoundLimit),
            _ => None,
        };
        let is_asked = by_points.is_some() || self.options.water_deer_win == WaterDeerWin::AtOnce;
        match is_asked && self.water_deer_wins() {
            true => Some(Reason::WaterDeer),
            false => by_points,
        }
    }

    fn has_single_leader(&self) -> bool {
        let totals = Animal::ALL.map(|animal| self.total(animal));
        let highest = totals.iter().max().copied().unwrap_or_default();
        totals.iter().filter(|total| **total == highest).count() == 1
    }

    fn water_deer_wins(&self) -> bool {
        let Some((deer, _)) = self.animals.entries().find(|(_, animal)| **animal == Animal::WaterDeer) else {
            return false;
        };
        let has_been_in = |field: &Field| self.past.iter().any(|round| round.fields[deer] == *field);
        let hits = |it: &Use| it.skill == Skill::Attack && it.target == deer;
        let attacks = self.past.iter().flat_map(|round| round.moves.iter()).filter_map(|it| it.used()).filter(hits);
        Field::ALL.iter().all(has_been_in) && attacks.count() < HUNTED_DOWN
    }

    fn finish(&mut self, reason: Reason, events: &mut Vec<Addressed<Event>>) {
        self.stage = Stage::Finished { reason };
        events.push(Addressed::everyone(Event::GameOver {
            outcome: self.outcome(reason),
            animals: self.animals.clone(),
        }));
    }

    /// What the seat has gained in all.
    pub(super) fn points(&self, seat: Seat) -> Points {
        self.total(self.animals[seat])
    }
}

fn complete<T: Copy>(chosen: &PerSeat<Option<T>>) -> Option<PerSeat<T>> {
    chosen.iter().copied().collect::<Option<Vec<T>>>().map(PerSeat::from)
}
