//! The autopilot of Animal Kingdom, and its estimate of who is who.

use super::SEATS;
use super::animals::{Animal, Class, Field, Skill};
use super::explain::{Known, Past};
use super::moves::{Move, Use};
use super::view::{Mine, View};
use crate::chance::Source;
use crate::game::Points;
use crate::seats::{PerSeat, Seat};

const ANIMALS: usize = Animal::ALL.len();
/// How often rows and columns are scaled.
const SWEEPS: usize = 3;
/// A seat is at home so many times more often than in another field.
const AT_HOME: f32 = 2.5;
/// How likely the skill of a seat had another outcome than its target alone would have given it.
const DISTURBED: f32 = 0.3;
/// How many rounds the autopilot's first guess at an animal's gains counts for.
const FIRST_GUESS: f32 = 2.0;

/// Goes home if it must, and in three of five other rounds; else anywhere, most often to the sky, where most animals
/// live. The water deer goes round all fields. In phase `skill` it estimates from fields and gains which animal each
/// seat is, and makes the move that is most likely to succeed.
pub(super) fn choose(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
    match (&view.mine, legal) {
        (Some(mine), [Move::Go { .. }, ..]) => Move::Go { field: field(view, mine, source) },
        (Some(mine), [_, _, ..]) => best_skill(view, mine, legal, source).unwrap_or(legal[0]),
        _ => legal[0],
    }
}

fn field(view: &View, mine: &Mine, source: &mut dyn Source) -> Field {
    const AWAY: [Field; 5] = [Field::Sky, Field::Sky, Field::Plain, Field::River, Field::Forest];
    match mine.my_animal.habitat() {
        Some(home) if mine.my_must_return || source.below(5) < 3 => home,
        Some(_) => AWAY[source.below(5) as usize],
        None => next_of_deer(view),
    }
}

/// A seat's view does not say where it has been, so the way of the water deer follows from what all know: from the
/// forest to the other fields, in an order that depends on where everybody went first.
fn next_of_deer(view: &View) -> Field {
    const WAYS: [[Field; 3]; 6] = {
        use Field::{Plain, River, Sky};
        [
            [Plain, River, Sky],
            [River, Sky, Plain],
            [Sky, Plain, River],
            [Sky, River, Plain],
            [River, Plain, Sky],
            [Plain, Sky, River],
        ]
    };
    let Some(first) = view.history.first() else { return Field::Forest };
    let number = first.fields.iter().fold(0_usize, |number, field| (3 * number + *field as usize) % 1_009);
    WAYS[number % WAYS.len()][(view.history.len() - 1) % 3]
}

fn best_skill(view: &View, mine: &Mine, legal: &[Move], source: &mut dyn Source) -> Option<Move> {
    let fields = view.fields.as_ref()?;
    let seat = own_seat(mine, legal, fields)?;
    let past = Past::of(seat, view)?;
    let guess = Guess::of(&past, mine, fields);
    let mut best = (f32::MIN, None);
    for chosen in legal {
        // The autopilot should not be predictable among moves that are about equally good.
        let worth = guess.worth(*chosen, mine.my_animal) + source.below(1_000) as f32 / 20_000.0;
        if worth > best.0 {
            best = (worth, Some(*chosen));
        }
    }
    best.1
}

/// The one seat within reach that the seat neither may name nor has named.
fn own_seat(mine: &Mine, legal: &[Move], fields: &PerSeat<Field>) -> Option<Seat> {
    let names = |chosen: &Move, seat: Seat| chosen.used().is_some_and(|it| it.target == seat);
    let named = |seat: &Seat| {
        legal.iter().any(|it| names(it, *seat)) || mine.my_skills.iter().any(|it| names(&it.chosen, *seat))
    };
    fields.seats().find(|seat| Some(fields[*seat]) == mine.my_field && !named(seat))
}

/// How likely each seat is each animal, as if the seats did not depend on each other.
struct Guess {
    is: [[f32; ANIMALS]; SEATS as usize],
    gains: [f32; SEATS as usize],
}

impl Guess {
    fn of(past: &Past, mine: &Mine, fields: &PerSeat<Field>) -> Guess {
        let mut guess = Guess { is: [[1.0; ANIMALS]; SEATS as usize], gains: [0.0; SEATS as usize] };
        let rounds = past.rounds.iter().map(|it| &it.reckoned.fields).chain([fields]);
        for fields in rounds {
            guess.at_home(fields);
        }
        for round in &past.rounds {
            guess.gained(round);
            guess.own_success(round, past.seat, mine.my_animal);
        }
        guess.learns(past.seat, mine.my_animal);
        for learned in &mine.my_learned {
            guess.learns(learned.seat, learned.animal);
        }
        guess.balance();
        guess.expect_gains(past, fields);
        guess
    }

    fn each(&mut self, mut factor: impl FnMut(Seat, Animal) -> f32) {
        for (seat, row) in (0..SEATS).map(Seat).zip(&mut self.is) {
            for (animal, it) in Animal::ALL.into_iter().zip(row) {
                *it *= factor(seat, animal);
            }
        }
    }

    fn at_home(&mut self, fields: &PerSeat<Field>) {
        self.each(|seat, animal| if animal.habitat() == Some(fields[seat]) { AT_HOME } else { 1.0 });
    }

    fn gained(&mut self, round: &Known) {
        self.each(|seat, animal| if round.can_have_gained(seat, animal) { 1.0 } else { 0.0 });
    }

    /// What the seat's own gain says of the seat that it named.
    fn own_success(&mut self, round: &Known, seat: Seat, own: Animal) {
        let Some(used) = round.own().used().filter(|_| !round.is_barred(seat, own)) else { return };
        let (succeeded, acts_as) = (round.gained(own) > Points::default(), used.copied.unwrap_or(own));
        self.each(|seat, animal| {
            let gained = round.gained(animal) > Points::default();
            let fits = match (used.skill, round.own()) {
                _ if seat != used.target => return 1.0,
                (Skill::Attack, _) => acts_as.preys_on(animal) == succeeded,
                (Skill::Follow, _) => gained == succeeded,
                (Skill::Judge, Move::Judge { gains, .. }) => (gains == gained) == succeeded,
                (Skill::Rob, _) => return if gained { 0.0 } else { 1.0 },
                (Skill::Judge | Skill::Predict, _) => return 1.0,
            };
            let is_sure = succeeded && acts_as != Animal::Snake;
            match (fits, is_sure) {
                (true, _) => 1.0,
                (false, true) => 0.0,
                (false, false) => DISTURBED,
            }
        });
    }

    fn learns(&mut self, learned: Seat, known: Animal) {
        self.each(|seat, animal| match (seat == learned, animal == known) {
            (true, true) | (false, false) => 1.0,
            _ => 0.0,
        });
        self.is[learned.index()][known as usize] = 1.0;
    }

    /// Makes every seat be one animal, and every animal one seat (Sinkhorn 1964).
    fn balance(&mut self) {
        for _ in 0..SWEEPS {
            for animal in 0..ANIMALS {
                let sum: f32 = self.is.iter().map(|row| row[animal]).sum();
                self.is.iter_mut().for_each(|row| row[animal] /= sum.max(1e-9));
            }
            for row in &mut self.is {
                let sum: f32 = row.iter().sum();
                row.iter_mut().for_each(|it| *it /= sum.max(1e-9));
            }
        }
    }

    fn expect_gains(&mut self, past: &Past, fields: &PerSeat<Field>) {
        let last = past.rounds.last().map(|round| &round.reckoned.fields);
        let rates = Animal::ALL.map(|animal| {
            let gained = past.rounds.iter().filter(|round| round.gained(animal) > Points::default()).count();
            let rounds = past.rounds.len() as f32;
            (FIRST_GUESS * first_guess(animal) + gained as f32) / (FIRST_GUESS + rounds)
        });
        for (seat, gains) in fields.seats().zip(&mut self.gains) {
            let is_barred = |animal: Animal| {
                animal.is_away_in(fields[seat]) && last.is_some_and(|last| animal.is_away_in(last[seat]))
            };
            let paid = Animal::ALL.into_iter().filter(|animal| !is_barred(*animal));
            *gains = paid.map(|animal| self.is[seat.index()][animal as usize] * rates[animal as usize]).sum();
        }
    }

    /// How likely the move succeeds.
    fn worth(&self, chosen: Move, own: Animal) -> f32 {
        /// To hunt the water deer down is worth something by itself (AK-40).
        const HUNT: f32 = 0.1;
        let Some(Use { skill, target, copied }) = chosen.used() else { return 0.0 };
        let (is, gains) = (&self.is[target.index()], self.gains[target.index()]);
        let acts_as = copied.unwrap_or(own);
        match (skill, chosen) {
            (_, Move::Predict { animal, .. }) => is[animal as usize],
            (_, Move::Judge { gains: said, .. }) => {
                if said {
                    gains
                } else {
                    1.0 - gains
                }
            }
            (Skill::Attack, _) => {
                let prey = Animal::ALL.into_iter().filter(|it| acts_as.preys_on(*it));
                prey.map(|it| is[it as usize]).sum::<f32>() + HUNT * is[Animal::WaterDeer as usize]
            }
            (Skill::Follow | Skill::Rob | Skill::Judge | Skill::Predict, _) => gains,
        }
    }
}

/// How often an animal gains, before any round is played.
fn first_guess(animal: Animal) -> f32 {
    match (animal, animal.class()) {
        (_, Class::Predator) => 0.7,
        (Animal::WaterDeer, _) => 0.0,
        (Animal::Crow, _) => 0.25,
        _ => 0.5,
    }
}
