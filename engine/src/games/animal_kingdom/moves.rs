//! What a seat may do in Animal Kingdom, and what chance decides.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::animals::{Animal, Field, Skill};
use super::{AnimalKingdom, Round, SEATS};
use crate::game::Refusal;
use crate::pieces::words;
use crate::seats::{PerSeat, Seat};

/// What a seat may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// Pick a field.
    Go {
        /// Any of the four.
        #[serde(deserialize_with = "words::read")]
        field: Field,
    },
    /// Attack a seat in the same field.
    Attack {
        /// Whom.
        #[serde(deserialize_with = "seat")]
        #[schemars(range(min = 0, max = 9))]
        seat: Seat,
        /// Whose skill the chameleon uses.
        #[serde(
            rename = "as",
            default,
            deserialize_with = "words::read_given",
            skip_serializing_if = "Option::is_none"
        )]
        copied: Option<Animal>,
    },
    /// Say which animal a seat is.
    Predict {
        /// Whose.
        #[serde(deserialize_with = "seat")]
        #[schemars(range(min = 0, max = 9))]
        seat: Seat,
        /// Any of the ten.
        #[serde(deserialize_with = "words::read")]
        animal: Animal,
        /// Whose skill the chameleon uses.
        #[serde(
            rename = "as",
            default,
            deserialize_with = "words::read_given",
            skip_serializing_if = "Option::is_none"
        )]
        copied: Option<Animal>,
    },
    /// Follow a seat that should gain.
    Follow {
        /// Whom.
        #[serde(deserialize_with = "seat")]
        #[schemars(range(min = 0, max = 9))]
        seat: Seat,
        /// Whose skill the chameleon uses.
        #[serde(
            rename = "as",
            default,
            deserialize_with = "words::read_given",
            skip_serializing_if = "Option::is_none"
        )]
        copied: Option<Animal>,
    },
    /// Say whether a seat in the same field gains.
    Judge {
        /// Whom.
        #[serde(deserialize_with = "seat")]
        #[schemars(range(min = 0, max = 9))]
        seat: Seat,
        /// Will it gain points this round?
        gains: bool,
        /// Whose skill the chameleon uses.
        #[serde(
            rename = "as",
            default,
            deserialize_with = "words::read_given",
            skip_serializing_if = "Option::is_none"
        )]
        copied: Option<Animal>,
    },
    /// Rob a seat in the same field.
    Rob {
        /// Whom.
        #[serde(deserialize_with = "seat")]
        #[schemars(range(min = 0, max = 9))]
        seat: Seat,
        /// Whose skill the chameleon uses.
        #[serde(
            rename = "as",
            default,
            deserialize_with = "words::read_given",
            skip_serializing_if = "Option::is_none"
        )]
        copied: Option<Animal>,
    },
    /// Use no skill, for want of anybody to use it on.
    Pass {},
}

/// What chance decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// Which animal each seat is.
    Animals(PerSeat<Animal>),
}

fn seat<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
    match Seat::deserialize(deserializer)? {
        seat if seat.0 < SEATS => Ok(seat),
        _ => Err(de::Error::custom("a seat is 0 to 9")),
    }
}

/// A skill as it is used: on whom, and by the chameleon as whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) skill: Skill,
    pub(super) target: Seat,
    pub(super) copied: Option<Animal>,
}

impl Move {
    /// The skill that the move uses, if it uses one.
    pub(super) fn used(self) -> Option<Use> {
        let (skill, target, copied) = match self {
            Move::Attack { seat, copied } => (Skill::Attack, seat, copied),
            Move::Predict { seat, copied, .. } => (Skill::Predict, seat, copied),
            Move::Follow { seat, copied } => (Skill::Follow, seat, copied),
            Move::Judge { seat, copied, .. } => (Skill::Judge, seat, copied),
            Move::Rob { seat, copied } => (Skill::Rob, seat, copied),
            Move::Go { .. } | Move::Pass {} => return None,
        };
        Some(Use { skill, target, copied })
    }
}

const WRONG_PHASE: Refusal = Refusal("wrong_phase");
const MUST_USE_SKILL: Refusal = Refusal("must_use_skill");
const NOT_YOUR_SKILL: Refusal = Refusal("not_your_skill");
const ALREADY_COPIED: Refusal = Refusal("already_copied");
const OWN_SEAT: Refusal = Refusal("own_seat");
const NOT_IN_FIELD: Refusal = Refusal("not_in_field");
const ALREADY_CHOSEN: Refusal = Refusal("already_chosen");

/// All that decides what a seat may do with its skill; it knows every bit of it.
#[derive(Clone, Copy)]
pub(super) struct Situation<'a> {
    pub(super) seat: Seat,
    pub(super) animal: Animal,
    pub(super) fields: &'a PerSeat<Field>,
    pub(super) earlier: &'a [Round],
}

impl Situation<'_> {
    fn used_earlier(self, is_it: impl Fn(Use) -> bool) -> bool {
        self.earlier.iter().filter_map(|round| round.moves[self.seat].used()).any(is_it)
    }

    fn check(self, used: Use) -> Result<(), Refusal> {
        let skill = match (self.animal, used.copied) {
            (Animal::Chameleon, Some(copied)) => copied.skill(),
            (Animal::Chameleon, None) | (_, Some(_)) => None,
            (animal, None) => animal.skill(),
        };
        if skill != Some(used.skill) {
            return Err(NOT_YOUR_SKILL);
        }
        if used.copied.is_some() && self.used_earlier(|it| it.copied == used.copied) {
            return Err(ALREADY_COPIED);
        }
        if used.target == self.seat {
            return Err(OWN_SEAT);
        }
        if used.skill.stays_in_field() && self.fields[used.target] != self.fields[self.seat] {
            return Err(NOT_IN_FIELD);
        }
        match self.used_earlier(|it| it.target == used.target) {
            true => Err(ALREADY_CHOSEN),
            false => Ok(()),
        }
    }

    /// Every use of a skill that is allowed, the chameleon's by the animal copied, then by seat.
    pub(super) fn uses(self) -> impl Iterator<Item = Use> {
        let own = self.animal.skill().map(|skill| (skill, None));
        let copies = Animal::ALL.into_iter().filter(move |_| self.animal == Animal::Chameleon);
        let copied = copies.filter_map(|animal| animal.skill().map(|skill| (skill, Some(animal))));
        let all = own
            .into_iter()
            .chain(copied)
            .flat_map(move |(skill, copied)| self.fields.seats().map(move |target| Use { skill, target, copied }));
        all.filter(move |used| self.check(*used).is_ok())
    }

    /// AK-8: every move that is allowed in phase `skill`: to pass, if there is nothing else.
    pub(super) fn moves(self, moves: &mut Vec<Move>) {
        let before = moves.len();
        for Use { skill, target: seat, copied } in self.uses() {
            match skill {
                Skill::Attack => moves.push(Move::Attack { seat, copied }),
                Skill::Follow => moves.push(Move::Follow { seat, copied }),
                Skill::Rob => moves.push(Move::Rob { seat, copied }),
                Skill::Judge => moves.extend([true, false].map(|gains| Move::Judge { seat, gains, copied })),
                Skill::Predict => moves.extend(Animal::ALL.map(|animal| Move::Predict { seat, animal, copied })),
            }
        }
        if moves.len() == before {
            moves.push(Move::Pass {});
        }
    }
}

pub(super) fn check(game: &AnimalKingdom, seat: Seat, chosen: Move) -> Result<(), Refusal> {
    match (game.situation(seat), chosen) {
        (None, Move::Go { .. }) => Ok(()),
        (None, _) | (Some(_), Move::Go { .. }) => Err(WRONG_PHASE),
        (Some(situation), _) => match chosen.used() {
            Some(used) => situation.check(used),
            None if situation.uses().next().is_some() => Err(MUST_USE_SKILL),
            None => Ok(()),
        },
    }
}

pub(super) fn legal(game: &AnimalKingdom, seat: Seat, moves: &mut Vec<Move>) {
    if !game.waits_for().has(seat) {
        return;
    }
    match game.situation(seat) {
        Some(situation) => situation.moves(moves),
        None => moves.extend(Field::ALL.map(|field| Move::Go { field })),
    }
}
