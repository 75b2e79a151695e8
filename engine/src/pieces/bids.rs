//! Bids on how many dice show a face, the track on which they rise, and the reveal that decides them.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::pieces::dice::{Dice, Face};
use crate::seats::{PerSeat, Seat};

/// "At least `count` of all dice show `face`": how high a seat bids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// From 1.
    #[serde(deserialize_with = "count")]
    pub count: u8,
    /// The face that is counted.
    pub face: Face,
}

/// A seat's bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bid {
    /// Who bid.
    pub seat: Seat,
    /// From 1.
    #[serde(deserialize_with = "count")]
    pub count: u8,
    /// The face that is counted.
    pub face: Face,
}

impl Bid {
    /// What was bid.
    pub fn claim(self) -> Claim {
        Claim { count: self.count, face: self.face }
    }
}

/// The highest count of a bid in JSON. No table has more dice.
pub const MOST: u8 = 99;

/// Reads a count from 1 to [`MOST`].
pub fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    match u8::deserialize(deserializer)? {
        count @ 1..=MOST => Ok(count),
        _ => Err(serde::de::Error::custom("a count is 1 to 99")),
    }
}

/// Where the spaces for wild faces stand among those for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Track {
    /// Wild space k stands after number space 2k and before 2k + 1.
    Classic,
    /// Wild space k stands after number space 2k − 1 and before 2k.
    Bluff,
}

impl Track {
    /// How far along the track the claim stands: a greater height outranks a lesser.
    pub fn height(self, claim: Claim) -> (u16, Face) {
        let count = u16::from(claim.count);
        let space = match (claim.face, self) {
            (Face::ONE, Track::Classic) => 4 * count + 1,
            (Face::ONE, Track::Bluff) => 4 * count - 1,
            _ => 2 * count,
        };
        (space, claim.face)
    }

    /// The spaces of the track in order, for a table with this many dice: each is the lowest claim that stands on it.
    pub fn spaces(self, dice: u8) -> Vec<Claim> {
        let on_space = |face| (1..=dice).map(move |count| Claim { count, face });
        let mut spaces: Vec<Claim> = on_space(Face::ONE).chain(on_space(Face::TWO)).collect();
        spaces.retain(|space| self.height(*space).0 <= 2 * u16::from(dice) + 1);
        spaces.sort_by_key(|space| self.height(*space));
        spaces
    }

    /// The claims of at most `most` dice that outrank the standing one; all if there is none.
    pub fn raises(self, standing: Option<Claim>, most: u8) -> impl Iterator<Item = Claim> {
        // The lowest number space that outranks it, with the lowest face there, and the lowest wild space.
        let (number, face, wild) = match standing {
            None => (1, Face::TWO, 1),
            Some(Claim { count, face: Face::ONE }) => match self {
                Track::Classic => (2 * count + 1, Face::TWO, count + 1),
                Track::Bluff => (2 * count, Face::TWO, count + 1),
            },
            Some(Claim { count, face }) => {
                let wild = match self {
                    Track::Classic => count.div_ceil(2),
                    Track::Bluff => (count + 1).div_ceil(2),
                };
                match face.and_above().nth(1) {
                    Some(higher) => (count, higher, wild),
                    None => (count + 1, Face::TWO, wild),
                }
            }
        };
        (number.min(wild)..=most).flat_map(move |count| {
            let helm = (count >= wild).then_some(Face::ONE);
            let lowest = if count == number { face } else { Face::TWO };
            let faces = (count >= number).then(|| lowest.and_above()).into_iter().flatten();
            helm.into_iter().chain(faces).map(move |face| Claim { count, face })
        })
    }
}

/// How many of the dice count for a bid of this face.
pub fn actual<'a>(cups: impl IntoIterator<Item = &'a Dice>, face: Face, wild: bool) -> u8 {
    let counts = |cup: &Dice| match wild && face != Face::ONE {
        true => cup.count(face) + cup.count(Face::ONE),
        false => cup.count(face),
    };
    cups.into_iter().map(counts).sum()
}

/// How many dice a careful player expects to count for a bid of this face: its own, and of the others every third one
/// where a wild face counts too, else every sixth.
pub fn expected(mine: Dice, total: u8, face: Face, wild: bool) -> u8 {
    let per = if wild && face != Face::ONE { 3 } else { 6 };
    actual([&mine], face, wild) + total.saturating_sub(mine.len()) / per
}

/// Checks a saved state: the seats that are out are exactly the seats without dice, each once.
pub fn out_is_sound(dice: &PerSeat<u8>, out: &[Seat]) -> bool {
    let left = |seat: Seat| dice[seat] > 0 || out.iter().filter(|gone| **gone == seat).count() == 1;
    dice.seats().all(left) && out.len() == dice.iter().filter(|dice| **dice == 0).count()
}

/// What was seen when the cups were lifted. `C` are the calls that the game has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reveal<C> {
    /// In which round.
    pub round: u32,
    /// What was called.
    pub call: C,
    /// By whom.
    pub caller: Seat,
    /// The bid that stood.
    pub bid: Bid,
    /// How many dice counted for it.
    pub actual: u8,
    /// Did the wild face count for the others?
    pub wild: bool,
    /// Per seat its dice in that round; none if it was out.
    pub dice: PerSeat<Dice>,
    /// Per seat how many dice it lost (negative) or gained.
    pub changes: PerSeat<i8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wild_spaces_stand_where_each_track_has_them() {
        let spaces = |track: Track| {
            let name = |it: Claim| if it.face == Face::ONE { format!("w{}", it.count) } else { it.count.to_string() };
            track.spaces(5).into_iter().map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(spaces(Track::Classic), "1 2 w1 3 4 w2 5");
        assert_eq!(spaces(Track::Bluff), "1 w1 2 3 w2 4 5 w3");
    }
}
