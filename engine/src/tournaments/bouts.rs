//! Bouts: paired, due or planned, with their results and the standings.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::groups::GroupPlace;
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
    /// Those who lost and play on for the places behind the fourth.
    Places,
}

impl Side {
    const ALL: [Side; 5] = [Side::Main, Side::Losers, Side::Final, Side::ThirdPlace, Side::Places];

    /// Its name in keys.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Main => "main",
            Side::Losers => "losers",
            Side::Final => "final",
            Side::ThirdPlace => "third_place",
            Side::Places => "places",
        }
    }

    /// Do those play there who lost on the main side, for the places behind it?
    pub const fn is_consolation(self) -> bool {
        matches!(self, Side::ThirdPlace | Side::Places)
    }
}

impl fmt::Display for BoutKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.side.name(), self.round, self.number)
    }
}

/// A text that is not the key of a bout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bout is named like main-1-3")]
pub struct InvalidBoutKey;

impl FromStr for BoutKey {
    type Err = InvalidBoutKey;

    fn from_str(text: &str) -> Result<Self, InvalidBoutKey> {
        let mut parts = text.split('-');
        let name = parts.next().unwrap_or_default();
        let side = Side::ALL.into_iter().find(|it| it.name() == name).ok_or(InvalidBoutKey)?;
        let mut number = || parts.next().and_then(counted).ok_or(InvalidBoutKey);
        let key = BoutKey { side, round: number()?, number: number()? };
        if parts.next().is_some() { Err(InvalidBoutKey) } else { Ok(key) }
    }
}

/// A number from 1, without sign or leading zero.
fn counted(text: &str) -> Option<u16> {
    if !text.starts_with(|first: char| first.is_ascii_digit() && first != '0') {
        return None;
    }
    text.parse().ok()
}

/// A paired bout, played or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Bout {
    /// The bout's key.
    pub key: BoutKey,
    /// The entrants in the order of the seats. A single entrant has a bye.
    pub entrants: Vec<u32>,
    /// The result, once the bout is over. A bye needs none.
    pub result: Option<Vec<Finish>>,
}

impl Bout {
    /// Has the bout fewer than two entrants?
    pub fn is_bye(&self) -> bool {
        self.entrants.len() < 2
    }

    /// Who advances from a bout between two.
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

    /// Is the bout over?
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

/// Who advances from a bout between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Not known yet.
    Open,
    /// Neither: nobody appeared.
    Nobody,
    /// One of them.
    Won {
        /// The winner.
        winner: u32,
        /// The loser, if there was one.
        loser: Option<u32>,
    },
}

/// A bout that can be paired now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The bout's key.
    pub key: BoutKey,
    /// The entrants in the order of the seats. A single entrant has a bye.
    pub entrants: Vec<u32>,
    /// Why these entrants meet.
    pub reasons: Vec<Reason>,
}

/// A planned bout, played or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// The bout's key.
    pub key: BoutKey,
    /// Who fills each of its places.
    pub places: Vec<Slot>,
}

impl From<&Bout> for Planned {
    fn from(bout: &Bout) -> Self {
        let entrants = bout.entrants.iter().map(|it| Slot::Entrant(*it));
        let empty = 2_usize.saturating_sub(bout.entrants.len());
        let places = entrants.chain(std::iter::repeat_n(Slot::Nobody, empty)).collect();
        Planned { key: bout.key, places }
    }
}

/// Who fills a place of a bout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// The winner of that bout.
    Winner(BoutKey),
    /// The loser of that bout.
    Loser(BoutKey),
    /// A known entrant.
    Entrant(u32),
    /// Nobody: the place stays empty.
    Nobody,
}

impl Slot {
    /// The entrant, if known.
    pub fn entrant(self) -> Option<u32> {
        if let Slot::Entrant(entrant) = self { Some(entrant) } else { None }
    }

    /// The bout that decides who fills the place, if one does.
    pub fn bout(self) -> Option<BoutKey> {
        match self {
            Slot::Winner(key) | Slot::Loser(key) => Some(key),
            Slot::Entrant(_) | Slot::Nobody => None,
        }
    }
}

/// An entrant's row in the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingsRow {
    /// The rank, 1 the best. Equal entrants share one.
    pub rank: u32,
    /// The place in a group, where there are groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupPlace>,
    /// The entrant.
    pub entrant: u32,
    /// The bouts that are over, byes not counted.
    pub played: u16,
    /// The bouts won: first place alone.
    pub wins: u16,
    /// The bouts drawn: a shared first place.
    pub draws: u16,
    /// The bouts lost.
    pub losses: u16,
    /// Points, in hundredths.
    pub points: i64,
    /// The tie-breaks in hundredths, in the order of the stage. Higher is better.
    pub tie_breaks: Vec<i64>,
    /// Is the entrant out of this stage, because it dropped or was beaten?
    pub is_out: bool,
    /// Where the entrant is a team, its members in the order of their boards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberRow>,
}

/// What a member of a team did for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRow {
    /// Who.
    pub entrant: u32,
    /// The bouts that are over, byes not counted.
    pub played: u16,
    /// The bouts won: first place alone.
    pub wins: u16,
    /// The bouts drawn: a shared first place.
    pub draws: u16,
    /// The bouts lost.
    pub losses: u16,
    /// In hundredths: at tables of several the member's own points, else one for a won board and a half for a drawn one.
    pub points: i64,
}

impl From<&StandingsRow> for MemberRow {
    fn from(row: &StandingsRow) -> Self {
        let StandingsRow { entrant, played, wins, draws, losses, points, .. } = *row;
        MemberRow { entrant, played, wins, draws, losses, points }
    }
}
