//! The view and the events of Animal Kingdom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::animals::{Animal, Field};
use super::moves::Move;
use super::reckoning::round_value;
use super::{AnimalKingdom, ByAnimal, Options, Stage};
use crate::game::{Common, Outcome, Points, Viewer};
use crate::seats::{PerSeat, Seat};

/// Where in the round a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Everybody picks a field.
    Moving,
    /// Everybody uses its skill.
    Skill,
    /// It is over.
    Finished,
}

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The fields of every game.
    #[serde(flatten)]
    pub common: Common<Options, Phase>,
    /// What a skill that succeeds is worth in this round.
    pub round_value: Points,
    /// Per seat where it is, once all have moved.
    pub fields: Option<PerSeat<Field>>,
    /// One entry per finished round.
    pub history: Vec<Reckoned>,
    /// Per animal its points so far.
    pub totals: ByAnimal,
    /// Per seat its animal, once finished.
    pub animals: Option<PerSeat<Animal>>,
    /// What only the seat itself sees.
    #[serde(flatten)]
    pub mine: Option<Mine>,
}

/// A finished round, as all saw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reckoned {
    /// From 1.
    pub round: u32,
    /// What a skill that succeeded was worth.
    pub value: Points,
    /// Per seat where it was.
    pub fields: PerSeat<Field>,
    /// Per animal what it gained.
    pub gains: ByAnimal,
}

/// What only the seat itself sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mine {
    /// Its animal.
    pub my_animal: Animal,
    /// Its total.
    pub my_points: Points,
    /// The field that it chose this round.
    pub my_field: Option<Field>,
    /// The skill move that it handed in this round.
    pub my_skill: Option<Move>,
    /// It was away from its habitat last round: another round away gives nothing.
    pub my_must_return: bool,
    /// What it has used, one entry per finished round.
    pub my_skills: Vec<Used>,
    /// What its predictions have taught it.
    pub my_learned: Vec<Learned>,
}

/// What a seat used in a finished round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Used {
    /// In which round.
    pub round: u32,
    /// As it was handed in.
    #[serde(rename = "move")]
    pub chosen: Move,
    /// What the seat gained.
    pub gained: Points,
}

/// What a prediction taught.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Learned {
    /// In which round.
    pub round: u32,
    /// About whom.
    pub seat: Seat,
    /// Its true animal.
    pub animal: Animal,
}

/// What is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields mean what they mean in the view")]
pub enum Event {
    /// A seat has its animal; told to that seat only.
    Dealt { seat: Seat, animal: Animal },
    /// A round begins.
    RoundStarted { round: u32, value: Points },
    /// A seat has chosen; only that seat is told what.
    Chose {
        seat: Seat,
        #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
        chosen: Option<Move>,
    },
    /// All have moved.
    Moved { round: u32, fields: PerSeat<Field> },
    /// What each animal gained.
    Gains { round: u32, value: Points, gains: ByAnimal },
    /// What a seat gained; told to that seat only.
    Gained { round: u32, seat: Seat, gained: Points },
    /// Which animal a seat's target is; told to that seat only.
    Learned { round: u32, seat: Seat, target: Seat, animal: Animal },
    /// The match is over.
    GameOver { outcome: Outcome, animals: PerSeat<Animal> },
}

pub(super) fn of(game: &AnimalKingdom, viewer: Viewer) -> View {
    let (phase, fields) = match &game.stage {
        Stage::Deal | Stage::Moving { .. } => (Phase::Moving, None),
        Stage::Skill { fields, .. } => (Phase::Skill, Some(fields.clone())),
        Stage::Finished { .. } => (Phase::Finished, None),
    };
    let rounds = game.past.iter().zip(1..);
    View {
        common: Common::of(game, game.options.clone(), super::SEATS, phase, game.round()),
        round_value: round_value(game.round()),
        fields,
        history: rounds.map(|(it, round)| reckoned(round, it)).collect(),
        totals: Animal::ALL.into_iter().map(|animal| (animal, game.total(animal))).collect(),
        animals: (phase == Phase::Finished).then(|| game.animals.clone()),
        mine: viewer.seat().filter(|seat| game.animals.has(*seat)).map(|seat| known_to(game, seat)),
    }
}

fn reckoned(round: u32, it: &super::Round) -> Reckoned {
    Reckoned { round, value: round_value(round), fields: it.fields.clone(), gains: it.gains.clone() }
}

fn known_to(game: &AnimalKingdom, seat: Seat) -> Mine {
    let animal = game.animals[seat];
    let (my_field, my_skill) = match &game.stage {
        Stage::Moving { fields } => (fields[seat], None),
        Stage::Skill { fields, moves } => (Some(fields[seat]), moves[seat]),
        Stage::Deal | Stage::Finished { .. } => (None, None),
    };
    let was_away = game.past.last().is_some_and(|last| animal.is_away_in(last.fields[seat]));
    let rounds = || game.past.iter().zip(1..);
    let used = |(it, round): (&super::Round, u32)| Used { round, chosen: it.moves[seat], gained: it.gained(animal) };
    Mine {
        my_animal: animal,
        my_points: game.points(seat),
        my_field,
        my_skill,
        my_must_return: was_away && !matches!(game.stage, Stage::Finished { .. }),
        my_skills: rounds().map(used).collect(),
        my_learned: rounds().filter_map(|(it, round)| learned(game, round, it.moves[seat])).collect(),
    }
}

fn learned(game: &AnimalKingdom, round: u32, chosen: Move) -> Option<Learned> {
    match chosen {
        Move::Predict { seat, .. } => Some(Learned { round, seat, animal: game.animals[seat] }),
        Move::Go { .. }
        | Move::Attack { .. }
        | Move::Follow { .. }
        | Move::Judge { .. }
        | Move::Rob { .. }
        | Move::Pass {} => None,
    }
}
