//! Bouts: what is paired, what is due, what is planned, and what came of it.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reasons::Reason;

/// Which bout of a stage. As text `main-1-3`: the third of the first round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoutKey {
    /// Which part of a bracket; `main` where there is but one.
    pub side: Side,
    /// The round, from 1. Bouts of all sides with the same number are played at the same time.
    pub round: u16,
    /// The number in its side and round, from 1.
    pub number: u16,
}

impl BoutKey {
    /// A bout of the main side.
    pub const fn main(round: u16, number: u16) -> Self {
        BoutKey { side: Side::Main, round, number }
    }
}

/// The parts of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Everybody starts here.
    Main,
    /// Those who have lost once.
    Losers,
    /// The winner of the main side against the winner of the losers' side.
    Final,
    /// The losers of the semi-finals.
    ThirdPlace,
}

impl Side {
    const ALL: [Side; 4] = [Side::Main, Side::Losers, Side::Final, Side::ThirdPlace];

    /// Its name in keys.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Main => "main",
            Side::Losers => "losers",
            Side::Final => "final",
            Side::ThirdPlace => "third_place",
        }
    }
}

impl fmt::Display for BoutKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.side.name(), self.round, self.number)
    }
}

/// Is not the key of a bout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bout is named like main-1-3")]
pub struct NotABout;

impl FromStr for BoutKey {
    type Err = NotABout;

    fn from_str(text: &str) -> Result<Self, NotABout> {
        let mut parts = text.split('-');
        let name = parts.next().unwrap_or_default();
        let side = Side::ALL.into_iter().find(|it| it.name() == name).ok_or(NotABout)?;
        let mut number = || parts.next().and_then(counted).ok_or(NotABout);
        let key = BoutKey { side, round: number()?, number: number()? };
        if parts.next().is_some() { Err(NotABout) } else { Ok(key) }
    }
}

/// A number from 1, written in the one way that there is.
fn counted(text: &str) -> Option<u16> {
    if !text.starts_with(|first: char| first.is_ascii_digit() && first != '0') {
        return None;
    }
    text.parse().ok()
}

/// A pairing that stands, played or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Bout {
    /// Which one.
    pub key: BoutKey,
    /// Who plays, in the order of the seats. One alone has a bye.
    pub entrants: Vec<u32>,
    /// What came of it; none as long as it is not over. A bye needs none.
    pub result: Option<Vec<Finish>>,
}

impl Bout {
    /// Has it but one entrant?
    pub fn is_bye(&self) -> bool {
        self.entrants.len() < 2
    }

    /// Who goes on, in a knock-out between two.
    pub(super) fn decision(&self) -> Decision {
        let winner = match &self.result {
            _ if self.is_bye() => self.entrants.first().copied(),
            None => return Decision::Open,
            Some(result) => {
                let here = || result.iter().filter(|it| !it.absent && self.entrants.contains(&it.entrant));
                let best = here().map(|it| it.place).min();
                let mut first = here().filter(|it| Some(it.place) == best);
                let winner = first.next().map(|it| it.entrant);
                if first.any(|it| Some(it.entrant) != winner) {
                    return Decision::Open;
                }
                winner
            }
        };
        let Some(winner) = winner else { return Decision::Nobody };
        Decision::Won { winner, loser: self.entrants.iter().copied().find(|it| *it != winner) }
    }

    /// Is nothing more to come of it?
    pub fn is_over(&self) -> bool {
        self.is_bye() || self.result.is_some()
    }
}

/// What one entrant got in a bout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// Who.
    pub entrant: u32,
    /// 1 the best; equals share one, and the places that they take up are left out after it: 1, 2, 2, 4.
    pub place: u16,
    /// The points that were written down, in hundredths.
    pub score: Option<i64>,
    /// Did they not appear?
    pub absent: bool,
}

/// Who goes on from a bout between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// That is not known yet.
    Open,
    /// Neither: none of them appeared.
    Nobody,
    /// One of them.
    Won {
        /// Who.
        winner: u32,
        /// The other, if there was one.
        loser: Option<u32>,
    },
}

/// A bout that can be paired now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Which one it is.
    pub key: BoutKey,
    /// Who plays, in the order of the seats. One alone has a bye.
    pub entrants: Vec<u32>,
    /// Why these.
    pub reasons: Vec<Reason>,
}

/// A bout as it is planned, played or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Which one it is.
    pub key: BoutKey,
    /// What stands in each of its places.
    pub places: Vec<Waits>,
}

impl From<&Bout> for Planned {
    fn from(bout: &Bout) -> Self {
        let entrants = bout.entrants.iter().map(|it| Waits::Entrant(*it));
        let empty = 2_usize.saturating_sub(bout.entrants.len());
        let places = entrants.chain(std::iter::repeat_n(Waits::Nobody, empty)).collect();
        Planned { key: bout.key, places }
    }
}

/// What stands in a place of a bout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Waits {
    /// Whoever wins that bout.
    Winner(BoutKey),
    /// Whoever loses that bout.
    Loser(BoutKey),
    /// Somebody.
    Entrant(u32),
    /// Nobody will ever come.
    Nobody,
}

impl Waits {
    /// Who it is, if that is known.
    pub fn entrant(self) -> Option<u32> {
        if let Waits::Entrant(entrant) = self { Some(entrant) } else { None }
    }

    /// The bout that decides it, if one does.
    pub fn bout(self) -> Option<BoutKey> {
        match self {
            Waits::Winner(key) | Waits::Loser(key) => Some(key),
            Waits::Entrant(_) | Waits::Nobody => None,
        }
    }
}

/// Where an entrant is in the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// 1 the best; equals share one.
    pub rank: u32,
    /// Who.
    pub entrant: u32,
    /// Bouts with opponents that are over.
    pub played: u16,
    /// Those in which they were first alone.
    pub wins: u16,
    /// Those in which they shared the first place.
    pub draws: u16,
    /// All others.
    pub losses: u16,
    /// Points, in hundredths.
    pub points: i64,
    /// What tells equals apart, in hundredths and in the order asked for. The higher the better.
    pub tie_breaks: Vec<i64>,
    /// Will they play no more in this stage, because they dropped or were beaten?
    pub is_out: bool,
}
