//! The ten animals and the four fields.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// Home of snake and chameleon.
    Forest,
    /// Home of lion and hyena.
    Plain,
    /// Home of crocodile and toad.
    River,
    /// Home of eagle, crow and cuckoo.
    Sky,
}

impl Field {
    /// In the document's order.
    pub const ALL: [Field; 4] = [Field::Forest, Field::Plain, Field::River, Field::Sky];
}

/// One of the ten, in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Animal {
    /// A predator that beats the crocodile.
    Lion,
    /// A predator that beats the eagle.
    Crocodile,
    /// A predator that beats the lion.
    Eagle,
    /// The venomous snake, neither predator nor prey.
    Snake,
    /// Predicts who is who.
    Crow,
    /// Follows those who gain.
    Hyena,
    /// Judges whether others gain.
    Toad,
    /// Robs others of their gain.
    Cuckoo,
    /// Copies the skills of others.
    Chameleon,
    /// Has no skill and no habitat.
    WaterDeer,
}

/// What eats what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Lion, crocodile and eagle.
    Predator,
    /// The snake.
    Neutral,
    /// The other six.
    Prey,
}

/// What an animal does in the second half of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skill {
    /// Predators and snake.
    Attack,
    /// The crow.
    Predict,
    /// The hyena.
    Follow,
    /// The toad.
    Judge,
    /// The cuckoo.
    Rob,
}

impl Skill {
    /// AK-20: does it reach the seats in the same field only?
    pub fn stays_in_field(self) -> bool {
        match self {
            Skill::Attack | Skill::Judge | Skill::Rob => true,
            Skill::Predict | Skill::Follow => false,
        }
    }
}

impl Animal {
    /// In canonical order.
    pub const ALL: [Animal; 10] = [
        Animal::Lion,
        Animal::Crocodile,
        Animal::Eagle,
        Animal::Snake,
        Animal::Crow,
        Animal::Hyena,
        Animal::Toad,
        Animal::Cuckoo,
        Animal::Chameleon,
        Animal::WaterDeer,
    ];

    /// What it eats or is eaten by.
    pub fn class(self) -> Class {
        match self {
            Animal::Lion | Animal::Crocodile | Animal::Eagle => Class::Predator,
            Animal::Snake => Class::Neutral,
            Animal::Crow | Animal::Hyena | Animal::Toad | Animal::Cuckoo | Animal::Chameleon | Animal::WaterDeer => {
                Class::Prey
            }
        }
    }

    /// Where it is at home.
    pub fn habitat(self) -> Option<Field> {
        match self {
            Animal::Snake | Animal::Chameleon => Some(Field::Forest),
            Animal::Lion | Animal::Hyena => Some(Field::Plain),
            Animal::Crocodile | Animal::Toad => Some(Field::River),
            Animal::Eagle | Animal::Crow | Animal::Cuckoo => Some(Field::Sky),
            Animal::WaterDeer => None,
        }
    }

    /// Is this field away from its habitat? Nowhere is for an animal that has none.
    pub fn is_away_in(self, field: Field) -> bool {
        self.habitat().is_some_and(|habitat| habitat != field)
    }

    /// Its own skill. The chameleon has those of others, the water deer none.
    pub fn skill(self) -> Option<Skill> {
        match self {
            Animal::Lion | Animal::Crocodile | Animal::Eagle | Animal::Snake => Some(Skill::Attack),
            Animal::Crow => Some(Skill::Predict),
            Animal::Hyena => Some(Skill::Follow),
            Animal::Toad => Some(Skill::Judge),
            Animal::Cuckoo => Some(Skill::Rob),
            Animal::Chameleon | Animal::WaterDeer => None,
        }
    }

    /// AK-11 and AK-12: does this animal's attack on that one pay?
    pub fn preys_on(self, other: Animal) -> bool {
        match self {
            Animal::Lion => other.class() == Class::Prey || other == Animal::Crocodile,
            Animal::Crocodile => other.class() == Class::Prey || other == Animal::Eagle,
            Animal::Eagle => other.class() == Class::Prey || other == Animal::Lion,
            Animal::Snake => other.class() == Class::Predator,
            _ => false,
        }
    }
}
