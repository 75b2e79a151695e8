//! A stage: its format, scoring, participants and bouts.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bouts::Bout;
use super::games::Games;
use super::teams::Teams;

/// One format from its first round to its last. All pairings and standings are computed from these fields. The order of
/// the lists does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Who meets whom.
    pub format: Format,
    /// What a result is worth.
    pub scoring: Scoring,
    /// What tells equals apart, the most important first.
    pub tie_breaks: Vec<TieBreak>,
    /// The current and former participants.
    pub participants: Vec<Participant>,
    /// All bouts that are paired.
    pub bouts: Vec<Bout>,
    /// The seed of the lots, which decide when nothing else does.
    pub draw: u64,
    /// What staff decided about single entrants.
    #[serde(default)]
    pub rulings: Rulings,
    /// The teams, where teams play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teams: Option<Teams>,
}

impl Stage {
    /// Should the two not meet?
    pub(super) fn keeps_apart(&self, one: u32, other: u32) -> bool {
        self.rulings.keeps_apart(one, other) || self.teams.as_ref().is_some_and(|it| it.are_mates(one, other))
    }
}

/// What staff decided about single entrants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rulings {
    /// Rounds that entrants asked not to play.
    pub byes: Vec<RequestedBye>,
    /// Points given or taken away.
    pub adjustments: Vec<Adjustment>,
    /// Pairs of entrants who should not meet in Swiss rounds and pods.
    pub apart: Vec<[u32; 2]>,
    /// The ratings of the entrants who have one.
    pub ratings: BTreeMap<u32, i32>,
}

impl Rulings {
    /// The bye that an entrant asked for in that round.
    pub(super) fn bye(&self, entrant: u32, round: u16) -> Option<&RequestedBye> {
        self.byes.iter().find(|it| (it.entrant, it.round) == (entrant, round))
    }

    /// Should the two not meet?
    fn keeps_apart(&self, one: u32, other: u32) -> bool {
        self.apart.iter().any(|it| *it == [one, other] || *it == [other, one])
    }
}

/// A round that an entrant asked not to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestedBye {
    /// Who.
    pub entrant: u32,
    /// Which round.
    pub round: u16,
    /// What it is worth, in hundredths of a point.
    pub points: i32,
}

/// Points given or taken away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjustment {
    /// Whose.
    pub entrant: u32,
    /// After which round.
    pub round: u16,
    /// How many, in hundredths of a point; below zero for a penalty.
    pub points: i32,
    /// Why, as staff wrote it.
    pub reason: String,
}

/// Who meets whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// Who loses is out.
    SingleElimination {
        /// Do the losers of the semi-finals play for the third place?
        third_place: bool,
        /// Who else plays on after a loss.
        #[serde(default, skip_serializing_if = "Consolation::is_none")]
        consolation: Consolation,
    },
    /// Who loses twice is out. The final is played again if the one who had lost before wins it.
    DoubleElimination {},
    /// Everybody meets everybody.
    RoundRobin {
        /// How often.
        #[schemars(range(min = 1, max = 3))]
        legs: u8,
    },
    /// Everybody plays every round, against somebody new with about as many points.
    Swiss {
        /// How many rounds.
        #[schemars(range(min = 1, max = 30))]
        rounds: u8,
    },
    /// Several groups side by side, each a round robin or Swiss rounds.
    Groups {
        /// How many groups.
        #[schemars(range(min = 2, max = 32))]
        groups: u8,
        /// What each group plays.
        play: GroupPlay,
    },
    /// Everybody plays every round, at tables of several.
    Pods {
        /// How many rounds.
        #[schemars(range(min = 1, max = 30))]
        rounds: u8,
        /// The fewest at a table.
        #[schemars(range(min = 2, max = 10))]
        least: u8,
        /// The most at a table.
        #[schemars(range(min = 2, max = 10))]
        most: u8,
        /// Who sits together.
        pairing: PodPairing,
        /// By standing: how many places above or below a table somebody may stand who sits there, so that fewer meet again.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[schemars(range(min = 0, max = 50))]
        reach: u8,
        /// Who sits at the smaller tables of a round.
        #[serde(default, skip_serializing_if = "ShortTables::is_rotate")]
        short_tables: ShortTables,
    },
    /// The best of each table go on, until one table is left.
    PodKnockout {
        /// The fewest at a table.
        #[schemars(range(min = 2, max = 10))]
        least: u8,
        /// The most at a table.
        #[schemars(range(min = 2, max = 10))]
        most: u8,
        /// How many of each table go on.
        #[schemars(range(min = 1, max = 9))]
        advance: u8,
        /// Do the best of those just beaten go on as well, as many as fill the tables of the next round?
        #[serde(default, skip_serializing_if = "is_false")]
        wild_cards: bool,
    },
    /// For a window of time, who is free is paired at once: people come, pause and leave as they like.
    Arena {
        /// How long the window is open.
        #[schemars(range(min = 1, max = 600))]
        minutes: u16,
        /// The fewest at a table.
        #[schemars(range(min = 2, max = 10))]
        least: u8,
        /// The most at a table.
        #[schemars(range(min = 2, max = 10))]
        most: u8,
        /// After so many seconds of waiting, those who met in their last bout meet again if nobody else is free.
        #[schemars(range(min = 0, max = 900))]
        patience: u16,
        /// Do wins count double after two in a row?
        streaks: bool,
    },
}

// Serde passes a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(it: &u8) -> bool {
    *it == 0
}

// Serde passes a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_false(it: &bool) -> bool {
    !it
}

impl Format {
    /// Do two entrants play each bout?
    pub fn is_duel(&self) -> bool {
        !matches!(self, Format::Pods { .. } | Format::PodKnockout { .. } | Format::Arena { most: 3.., .. })
    }

    /// How many can take part: in a bracket in which a loss is the end 512, in any other format 256.
    pub const fn most_participants(&self) -> u16 {
        match self {
            Format::SingleElimination { .. } => 512,
            _ => 256,
        }
    }

    /// Is everybody paired who is free, and not round by round?
    pub fn is_arena(&self) -> bool {
        matches!(self, Format::Arena { .. })
    }

    /// Does a bout decide who advances and who is out?
    pub fn is_knockout(&self) -> bool {
        matches!(self, Format::SingleElimination { .. } | Format::DoubleElimination {} | Format::PodKnockout { .. })
    }
}

/// Who plays on after a loss in a single elimination, for which places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Consolation {
    /// Nobody, or the losers of the semi-finals alone.
    #[default]
    None,
    /// The losers of the semi-finals and of the quarter-finals: the places up to the eighth are decided.
    Eight,
    /// Everybody: all places are decided.
    All,
}

impl Consolation {
    // Serde passes a reference.
    #[expect(clippy::trivially_copy_pass_by_ref)]
    fn is_none(&self) -> bool {
        *self == Consolation::None
    }
}

/// What each group plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum GroupPlay {
    /// Everybody meets everybody of the group.
    RoundRobin {
        /// How often.
        #[schemars(range(min = 1, max = 3))]
        legs: u8,
    },
    /// Swiss rounds.
    Swiss {
        /// How many rounds.
        #[schemars(range(min = 1, max = 30))]
        rounds: u8,
    },
}

/// Who sits together in pods. Each way avoids that people meet again as far as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PodPairing {
    /// Anybody.
    Random,
    /// The leaders together, and so on down.
    ByStanding,
    /// Every table as strong as the other.
    Spread,
}

/// Who sits at the smaller tables of a round of pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShortTables {
    /// Everybody in turn: nobody more often than necessary.
    #[default]
    Rotate,
    /// The last of the standings; where tables are equally strong, those whose best is weakest.
    Bottom,
    /// The leaders; where tables are equally strong, those whose best is strongest.
    Top,
}

impl ShortTables {
    fn is_rotate(&self) -> bool {
        *self == ShortTables::Rotate
    }
}

/// What a result is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scoring {
    /// How points are given.
    pub points: Points,
    /// For each round before a late entry, in hundredths of a point.
    #[serde(default)]
    pub missed: i32,
    /// Which rules tie-breaks follow where a round was not played.
    #[serde(default)]
    pub edition: Edition,
    /// How many games a bout between two has.
    #[serde(default, skip_serializing_if = "Games::is_one")]
    pub games: Games,
    /// What places at a smaller table of a round are worth.
    #[serde(default, skip_serializing_if = "ShortScale::is_as_full")]
    pub short_scale: ShortScale,
}

impl Scoring {
    /// Points with everything else as usual.
    pub fn new(points: Points) -> Self {
        let (edition, games, short_scale) = Default::default();
        Scoring { points, missed: 0, edition, games, short_scale }
    }
}

/// What places at a smaller table of a round of pods are worth, where points are given by places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShortScale {
    /// As much as at a full table: as if those who are not there came last.
    #[default]
    AsFull,
    /// The first is worth as much as at the largest table, the last as little as the last there, and those between lie as far apart.
    Scaled,
}

impl ShortScale {
    fn is_as_full(&self) -> bool {
        *self == ShortScale::AsFull
    }
}

/// An edition of FIDE's tie-break regulations (Handbook C.07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Edition {
    /// In force from 2024 to February 2026.
    #[serde(rename = "fide_2024")]
    Fide2024,
    /// In force since March 2026: what an unplayed round is worth has a cap.
    #[default]
    #[serde(rename = "fide_2026")]
    Fide2026,
}

/// How points are given, in hundredths of a point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Points {
    /// For being first alone, sharing the first place, and anything else.
    Win {
        /// For the first place alone.
        win: i32,
        /// For a shared first place.
        draw: i32,
        /// For any other.
        loss: i32,
        /// For a round without opponents.
        bye: i32,
    },
    /// By the place. Who share a place share the average of the places that they take up; the last entry repeats.
    Places {
        /// For the first place, the second, and so on; never rising.
        scale: Vec<i32>,
        /// For a round without opponents.
        bye: i32,
    },
    /// The points that were written down.
    Scores,
}

impl Points {
    /// The points for the best result of a bout, if there is one.
    pub(super) fn best(&self) -> Option<i64> {
        match self {
            Points::Win { win, .. } => Some(i64::from(*win)),
            Points::Places { scale, .. } => scale.first().map(|it| i64::from(*it)),
            Points::Scores => None,
        }
    }

    /// The points for a round without opponents.
    pub fn bye(&self) -> i64 {
        match self {
            Points::Win { bye, .. } | Points::Places { bye, .. } => i64::from(*bye),
            Points::Scores => 0,
        }
    }
}

/// What tells equals apart. `docs/tournaments.md` says exactly how each is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Rounds with as many points as for a win.
    Wins,
    /// Games won, without those to which nobody else came.
    GamesWon,
    /// Games played in a seat other than the first.
    SecondSeats,
    /// Games won in a seat other than the first.
    WonInSecondSeat,
    /// Rounds that the entrant did not choose to miss.
    RoundsElected,
    /// What equals did against each other.
    HeadToHead,
    /// The points of the opponents.
    Buchholz,
    /// The same without the weakest opponent.
    BuchholzCutOne,
    /// The same without the weakest and the strongest opponent.
    MedianBuchholz,
    /// The points of the opponents as if all bouts of the last round had been drawn.
    ForeBuchholz,
    /// The average Buchholz of the opponents.
    AverageBuchholz,
    /// The points of the opponents who were beaten, and half of those who were held.
    SonnebornBerger,
    /// The same without the weakest opponent.
    SonnebornBergerCutOne,
    /// The points of each opponent times what the team got on the boards against them.
    SonnebornBergerBoards,
    /// What a team got on its boards, the first board times their number and the last once.
    Berlin,
    /// What a team got on its first board.
    FirstBoard,
    /// What a team got on all boards but the last.
    WithoutLastBoard,
    /// The points against opponents with half of the possible points or more.
    Koya,
    /// How often the opponents won.
    OpponentsWinRate,
    /// The points after each round, summed up: early wins count more.
    Progressive,
    /// The same without the first round.
    ProgressiveCutOne,
    /// One for each win and a half for each draw, whatever they are worth.
    StandardPoints,
    /// Four for a win, two for a draw, one for a lost game.
    Kashdan,
    /// The average rating of the opponents.
    OpponentsRating,
    /// The same without the lowest.
    OpponentsRatingCutOne,
    /// The rating that the results against rated opponents come to.
    Performance,
    /// The lowest rating with which the results would have been expected.
    PerfectPerformance,
    /// The average performance of the opponents.
    OpponentsPerformance,
    /// The average perfect performance of the opponents.
    OpponentsPerfectPerformance,
    /// The entrant's own rating.
    Rating,
    /// The points that were written down.
    Scores,
    /// The share of the points that were written down at a table.
    ScoreShare,
    /// The points per bout that was to be played.
    AveragePoints,
    /// The most first places, then the most second places, and so on.
    BestPlaces,
    /// The place in the list of seeds.
    Seed,
    /// The lot, drawn once.
    Lot,
}

impl TieBreak {
    /// Is it nothing without the ratings of the entrants?
    pub fn needs_ratings(self) -> bool {
        matches!(
            self,
            TieBreak::OpponentsRating
                | TieBreak::OpponentsRatingCutOne
                | TieBreak::Performance
                | TieBreak::PerfectPerformance
                | TieBreak::OpponentsPerformance
                | TieBreak::OpponentsPerfectPerformance
                | TieBreak::Rating
        )
    }
}

/// A participant of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Participant {
    /// The number of the entrant.
    pub entrant: u32,
    /// The place in the list of seeds, 1 the strongest.
    pub seed: u32,
    /// The first round with a pairing: 1 unless the entrant joined late.
    pub from_round: u16,
    /// The last round with a pairing, if the entrant has dropped.
    pub until_round: Option<u16>,
}

impl Participant {
    /// Is the participant paired in that round?
    pub fn plays_in(&self, round: u16) -> bool {
        self.from_round <= round && self.until_round.is_none_or(|until| round <= until)
    }
}
