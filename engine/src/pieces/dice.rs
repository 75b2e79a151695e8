//! Six-sided dice under a cup: how many show which face. They have no order, so as JSON they are listed rising.

use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::chance::{Drawing, Source};

/// A face of a die, 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Face(u8);

impl Face {
    /// The face that is wild in the bluffing games: Paco, skull, helm.
    pub const ONE: Face = Face(1);

    /// The lowest face that is no wild one.
    pub const TWO: Face = Face(2);

    /// The face with so many pips, if a die has it.
    pub fn new(pips: u8) -> Option<Self> {
        (1..=6).contains(&pips).then_some(Face(pips))
    }

    /// 1, 2, 3, 4, 5, 6.
    pub fn all() -> impl DoubleEndedIterator<Item = Face> {
        (1..=6).map(Face)
    }

    /// This face and those above it.
    pub fn and_above(self) -> impl Iterator<Item = Face> {
        (self.0..=6).map(Face)
    }

    /// How many pips it shows.
    pub fn pips(self) -> u8 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Face {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Face::new(u8::deserialize(deserializer)?).ok_or_else(|| serde::de::Error::custom("a face is 1 to 6"))
    }
}

impl JsonSchema for Face {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Face".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": 6 })
    }
}

/// Some dice: how many show each face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dice([u8; 6]);

impl Dice {
    /// So many dice, rolled.
    pub fn roll(many: u8, source: &mut dyn Source) -> Self {
        let mut dice = Dice::default();
        source.tell(&|| Drawing::Dice(many));
        for _ in 0..many {
            dice.0[source.below(6) as usize] += 1;
        }
        dice
    }

    /// How many dice there are.
    pub fn len(self) -> u8 {
        self.0.iter().sum()
    }

    /// Is there no die?
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// How many show this face.
    pub fn count(self, face: Face) -> u8 {
        self.0[usize::from(face.0) - 1]
    }

    /// The pips of all of them together.
    pub fn sum(self) -> u16 {
        Face::all().map(|face| u16::from(face.0) * u16::from(self.count(face))).sum()
    }

    /// Every die's face, rising.
    pub fn faces(self) -> impl Iterator<Item = Face> {
        Face::all().flat_map(move |face| std::iter::repeat_n(face, usize::from(self.count(face))))
    }

    /// Are all of these among them?
    pub fn contains(self, part: Dice) -> bool {
        self.0.iter().zip(part.0).all(|(mine, wanted)| *mine >= wanted)
    }

    /// Every choice of some of them, none and all included, each once.
    pub fn parts(self) -> impl Iterator<Item = Dice> {
        let mut next = Some(Dice::default());
        std::iter::from_fn(move || {
            let part = next?;
            let mut following = part;
            let place = (0..6).find(|place| {
                let more = part.0[*place] < self.0[*place];
                following.0[*place] = if more { part.0[*place] + 1 } else { 0 };
                more
            });
            next = place.map(|_| following);
            Some(part)
        })
    }

    /// These and those together.
    #[must_use]
    pub fn with(mut self, more: Dice) -> Dice {
        self.0.iter_mut().zip(more.0).for_each(|(mine, added)| *mine += added);
        self
    }

    /// These without those, which are among them.
    #[must_use]
    pub fn without(mut self, part: Dice) -> Dice {
        self.0.iter_mut().zip(part.0).for_each(|(mine, taken)| *mine -= taken);
        self
    }
}

impl FromIterator<Face> for Dice {
    fn from_iter<I: IntoIterator<Item = Face>>(faces: I) -> Self {
        let mut dice = Dice::default();
        for face in faces {
            dice.0[usize::from(face.0) - 1] += 1;
        }
        dice
    }
}

impl Serialize for Dice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(usize::from(self.len())))?;
        for face in self.faces() {
            list.serialize_element(&face)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Dice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let faces = Vec::<Face>::deserialize(deserializer)?;
        if faces.len() > usize::from(u8::MAX) {
            return Err(serde::de::Error::custom("too many dice"));
        }
        Ok(faces.into_iter().collect())
    }
}

impl JsonSchema for Dice {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Dice".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Face>::json_schema(generator)
    }
}
