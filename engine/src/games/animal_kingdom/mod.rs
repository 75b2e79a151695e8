//! Animal Kingdom: ten secret animals go to fields and use their skills on each other. Rules are cited as AK-n.

mod animals;
mod autopilot;
mod determinize;
mod explain;
mod moves;
mod options;
mod reckoning;
mod resample;
mod rounds;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chance::{Source, shuffle, values};
use crate::game::{Action, Addressed, BadOptions, Difficulty, Game, Info, Outcome, Points, Refusal, Turn, Viewer};
use crate::pieces::words;
use crate::seats::{PerSeat, Seat, SeatSet};

pub use animals::{Animal, Class, Field, Skill};
pub use moves::{Chance, Move};
pub use options::{Options, WaterDeerWin};
pub use view::{Event, Learned, Mine, Phase, Reckoned, Used, View};

use moves::Situation;

const SEATS: u8 = 10;

/// Points by animal, as they are published.
pub type ByAnimal = BTreeMap<Animal, Points>;

/// A match of Animal Kingdom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnimalKingdom {
    options: Options,
    /// None before the deal.
    animals: PerSeat<Animal>,
    /// The finished rounds.
    past: Vec<Round>,
    stage: Stage,
}

/// A finished round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Round {
    fields: PerSeat<Field>,
    moves: PerSeat<Move>,
    gains: ByAnimal,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    Deal,
    Moving { fields: PerSeat<Option<Field>> },
    Skill { fields: PerSeat<Field>, moves: PerSeat<Option<Move>> },
    Finished { reason: Reason },
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reason {
    WaterDeer,
    Leader,
    RoundLimit,
}

impl Game for AnimalKingdom {
    const INFO: Info = Info {
        id: "animal-kingdom",
        seats: SEATS..=SEATS,
        minutes: 40..=80,
        difficulty: Difficulty::Medium,
        teach_minutes: 15,
        revision: 1,
        refusals: &[
            "wrong_phase",
            "must_use_skill",
            "not_your_skill",
            "already_copied",
            "own_seat",
            "not_in_field",
            "already_chosen",
        ],
        phases: &["moving", "skill", "finished"],
        reasons: &["water_deer", "leader", "round_limit"],
    };

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type Event = Event;
    type View = View;

    fn setup(options: Options, _: u8) -> Result<Self, BadOptions> {
        BadOptions::unless_within("max_rounds", options.max_rounds, 4..=20)?;
        Ok(AnimalKingdom { options, animals: Vec::new().into(), past: Vec::new(), stage: Stage::Deal })
    }

    fn is_sound(&self) -> bool {
        let stage_is_sound = match &self.stage {
            Stage::Deal => return self.past.is_empty(),
            Stage::Moving { fields } => fields.count() == SEATS,
            Stage::Skill { fields, moves } => {
                fields.count() == SEATS && moves.count() == SEATS && are_skills(moves.iter().flatten())
            }
            Stage::Finished { .. } => !self.past.is_empty(),
        };
        let is_finished = matches!(self.stage, Stage::Finished { .. });
        stage_is_sound
            && is_finished == self.waits_for().is_empty()
            && (4..=20).contains(&self.options.max_rounds)
            && (1..=self.options.max_rounds).contains(&self.round())
            && all_ten(&self.animals)
            && self.past.iter().all(Round::is_sound)
    }

    fn invariant(&self) -> Result<(), String> {
        match all_ten(&self.animals) && self.past.iter().all(Round::is_sound) {
            true => Ok(()),
            false => Err("some animal is missing, or its gains are".into()),
        }
    }

    /// AK-43: the water deer may win with few points.
    fn ranks_follow_scores(&self) -> bool {
        self.stage != Stage::Finished { reason: Reason::WaterDeer }
    }

    fn turn(&self) -> Turn {
        match &self.stage {
            Stage::Deal => Turn::Chance,
            Stage::Moving { .. } | Stage::Skill { .. } => Turn::all(self.waits_for()),
            Stage::Finished { reason } => Turn::Over(self.outcome(*reason)),
        }
    }

    fn knows(&self, kind: &str) -> bool {
        matches!(kind, "go" | "attack" | "predict" | "follow" | "judge" | "rob" | "pass")
    }

    fn interrupts(_: &str) -> bool {
        false
    }

    fn legal_moves(&self, seat: Seat, moves: &mut Vec<Move>) {
        moves::legal(self, seat, moves);
    }

    fn check(&self, seat: Seat, chosen: &Move) -> Result<(), Refusal> {
        moves::check(self, seat, *chosen)
    }

    fn draw(&self, source: &mut dyn Source) -> Chance {
        let mut animals = Animal::ALL;
        shuffle(&mut animals, source);
        Chance::Animals(animals.to_vec().into())
    }

    fn pieces() -> Vec<Value> {
        values(&Animal::ALL)
    }

    fn accepts(&self, outcome: &Chance) -> bool {
        let Chance::Animals(animals) = outcome;
        self.stage == Stage::Deal && all_ten(animals)
    }

    fn apply(&mut self, action: Action<Move, Chance>, events: &mut Vec<Addressed<Event>>) {
        match action {
            Action::Chance(Chance::Animals(animals)) => self.deal(animals, events),
            Action::Move(seat, chosen) => self.choose(seat, chosen, events),
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        view::of(self, viewer)
    }

    fn resample(&self, viewer: Viewer, source: &mut dyn Source) -> Self {
        resample::resampled(self, viewer, source)
    }

    const SEARCHABLE: bool = true;

    fn determinize(seat: Seat, view: &View, _: &[Event], source: &mut dyn Source) -> Option<Self> {
        determinize::determinized(seat, view, source)
    }

    fn standing(&self, seat: Seat) -> Option<i32> {
        self.animals.has(seat).then(|| self.total(self.animals[seat]).in_hundredths())
    }

    fn role(&self, seat: Seat) -> Option<String> {
        self.animals.has(seat).then(|| words::write(&self.animals[seat]))
    }

    fn autopilot(view: &View, legal: &[Move], source: &mut dyn Source) -> Move {
        autopilot::choose(view, legal, source)
    }
}

fn all_ten(animals: &PerSeat<Animal>) -> bool {
    animals.count() == SEATS && Animal::ALL.iter().all(|animal| animals.iter().any(|it| it == animal))
}

fn are_skills<'a>(mut moves: impl Iterator<Item = &'a Move>) -> bool {
    moves.all(|chosen| !matches!(chosen, Move::Go { .. }))
}

impl AnimalKingdom {
    /// From 1; at the end the last one played.
    fn round(&self) -> u32 {
        self.past.len() as u32 + u32::from(!matches!(self.stage, Stage::Finished { .. }))
    }

    /// The seats that have not yet chosen in this phase.
    fn waits_for(&self) -> SeatSet {
        match &self.stage {
            Stage::Moving { fields } => fields.which(Option::is_none),
            Stage::Skill { moves, .. } => moves.which(Option::is_none),
            Stage::Deal | Stage::Finished { .. } => SeatSet::none(),
        }
    }

    /// What decides what the seat may do in phase `skill`; none in the others.
    fn situation(&self, seat: Seat) -> Option<Situation<'_>> {
        match &self.stage {
            Stage::Skill { fields, .. } => {
                Some(Situation { seat, animal: self.animals[seat], fields, earlier: &self.past })
            }
            Stage::Deal | Stage::Moving { .. } | Stage::Finished { .. } => None,
        }
    }

    fn total(&self, animal: Animal) -> Points {
        self.past.iter().map(|round| round.gained(animal)).sum()
    }

    /// AK-43.
    fn outcome(&self, reason: Reason) -> Outcome {
        let wins = |animal: Animal| reason == Reason::WaterDeer && animal == Animal::WaterDeer;
        let scores = self.animals.map(|animal| self.total(*animal));
        let ranks = Outcome::ranks_by(&self.animals.map(|animal| (wins(*animal), self.total(*animal))));
        let reason = match reason {
            Reason::WaterDeer => "water_deer",
            Reason::Leader => "leader",
            Reason::RoundLimit => "round_limit",
        };
        Outcome { ranks, scores: Some(scores), reason: reason.into() }
    }
}

impl Round {
    fn is_sound(&self) -> bool {
        let all_gains = self.gains.len() == Animal::ALL.len();
        self.fields.count() == SEATS && self.moves.count() == SEATS && are_skills(self.moves.iter()) && all_gains
    }

    fn gained(&self, animal: Animal) -> Points {
        self.gains.get(&animal).copied().unwrap_or_default()
    }
}
