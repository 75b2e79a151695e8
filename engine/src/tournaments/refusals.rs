//! The errors of stages, pairings and results, each with a stable code.

use super::bouts::BoutKey;

/// Why format, scoring and participants are not valid together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidStage {
    /// Too few participants for a pairing.
    #[error("it takes at least {least} participants")]
    TooFew {
        /// The limit.
        least: u16,
    },
    /// Too many participants.
    #[error("it takes at most {most} participants")]
    TooMany {
        /// The limit.
        most: u16,
    },
    /// The same entrant twice.
    #[error("entrant {entrant} takes part twice")]
    EnteredTwice {
        /// Who.
        entrant: u32,
    },
    /// A participant joins late in a format that needs all of them before the first round.
    #[error("entrant {entrant} comes too late: in this format everybody is there from the first round on")]
    LateEntry {
        /// Who.
        entrant: u32,
    },
    /// No round, or more than any stage has.
    #[error("it takes from 1 to {most} rounds or legs")]
    BadRounds {
        /// The limit.
        most: u8,
    },
    /// Everybody would have met everybody before the last round.
    #[error("so few participants have met each other after {most} rounds")]
    TooManyRounds {
        /// The most rounds that they can play.
        most: u16,
    },
    /// The sizes of tables are out of bounds.
    #[error("tables have 2 to 10 seats, and the fewest cannot exceed the most")]
    BadSizes,
    /// So many participants cannot be seated at such tables.
    #[error("{participants} cannot be seated at such tables")]
    SizesImpossible {
        /// The number of participants.
        participants: u16,
    },
    /// People would sit further from where they stand than any stage lets them, or the standings do not count.
    #[error("people sit up to {most} places from where they stand, where tables are made by standing")]
    BadReach {
        /// The limit; 0 where tables are not made by standing.
        most: u8,
    },
    /// Nobody would advance from a table, or everybody.
    #[error("from each table somebody goes on, and fewer than sit at the smallest")]
    BadAdvance,
    /// The points do not fall from the best result to the worst, or are out of bounds.
    #[error("a better result is worth no less than a worse one, and none more than 10000 points")]
    BadScale,
    /// There are too few groups, or too many.
    #[error("there are from 2 to {most} groups")]
    BadGroups {
        /// The limit.
        most: u8,
    },
    /// The window of an arena is too long or too short, or the patience of those who wait is too long.
    #[error("the window is open for 1 to {minutes} minutes, and people wait for at most {seconds} seconds")]
    BadWindow {
        /// The longest window.
        minutes: u16,
        /// The longest patience.
        seconds: u16,
    },
    /// The numbers of games do not fit the format, or are out of bounds.
    #[error("a bout of two has 1 to 15 games, in a knock-out an odd number of them")]
    BadGames,
    /// The number of boards is out of bounds.
    #[error("a team has 2 to {most} boards")]
    BadBoards {
        /// The limit.
        most: u8,
    },
    /// Teams cannot play in this format.
    #[error("teams play where two meet, or at tables of several for so many rounds")]
    NoTeams,
    /// Somebody is in no team.
    #[error("entrant {entrant} is in no team")]
    WithoutTeam {
        /// Who.
        entrant: u32,
    },
    /// A team has more members than boards and reserves.
    #[error("a team has at most {most} members")]
    TeamTooLarge {
        /// The limit.
        most: u16,
    },
}

impl InvalidStage {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            InvalidStage::TooFew { .. } => "too_few",
            InvalidStage::TooMany { .. } => "too_many",
            InvalidStage::EnteredTwice { .. } => "entered_twice",
            InvalidStage::LateEntry { .. } => "late_entry",
            InvalidStage::BadRounds { .. } => "bad_rounds",
            InvalidStage::TooManyRounds { .. } => "too_many_rounds",
            InvalidStage::BadSizes => "bad_sizes",
            InvalidStage::SizesImpossible { .. } => "sizes_impossible",
            InvalidStage::BadReach { .. } => "bad_reach",
            InvalidStage::BadAdvance => "bad_advance",
            InvalidStage::BadScale => "bad_scale",
            InvalidStage::BadGroups { .. } => "bad_groups",
            InvalidStage::BadWindow { .. } => "bad_window",
            InvalidStage::BadGames => "bad_games",
            InvalidStage::BadBoards { .. } => "bad_boards",
            InvalidStage::NoTeams => "no_teams",
            InvalidStage::WithoutTeam { .. } => "without_team",
            InvalidStage::TeamTooLarge { .. } => "team_too_large",
        }
    }
}

/// Why no round can be paired although rounds are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unpairable {
    /// Too few participants are left.
    #[error("too few are left to play another round")]
    TooFewLeft,
    /// In every pairing, two players would meet again or a player would have a second bye.
    #[error("however they are paired, two would meet again or somebody would have a second bye")]
    NoLegalPairing,
    /// The stage itself is not valid.
    #[error(transparent)]
    InvalidStage(#[from] InvalidStage),
}

impl Unpairable {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Unpairable::TooFewLeft => "too_few_left",
            Unpairable::NoLegalPairing => "no_legal_pairing",
            Unpairable::InvalidStage(unfit) => unfit.code(),
        }
    }
}

/// Why a result does not fit its bout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadResult {
    /// There is no such bout.
    #[error("there is no bout {key}")]
    NoSuchBout {
        /// What was asked for.
        key: BoutKey,
    },
    /// Nobody plays against a bye.
    #[error("a bye has no result")]
    Bye,
    /// Not the bout's entrants, each once.
    #[error("a result names everybody who played, and nobody else")]
    WrongEntrants,
    /// Places with gaps, or without a first place.
    #[error("places go from 1 on without gaps; equals share one, and those that they take up are left out: 1, 2, 2, 4")]
    BadPlaces,
    /// An absent entrant is placed before an entrant who appeared.
    #[error("nobody who did not appear is before or beside somebody who did")]
    AbsentAhead,
    /// The result does not decide who advances.
    #[error("who goes on has to be decided")]
    Undecided,
    /// The stage counts points that were written down, and an entrant has none.
    #[error("everybody who appeared needs points")]
    MissingScore,
    /// Points out of bounds.
    #[error("points are out of bounds")]
    BadScore,
    /// The stage counts points that were written down, and they contradict the places.
    #[error("nobody with more points has a worse place")]
    ScoreOrder,
    /// The scores are not numbers of games that the two can have won.
    #[error("so many games cannot have been won in this bout")]
    BadGames,
}

impl BadResult {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            BadResult::NoSuchBout { .. } => "no_such_bout",
            BadResult::Bye => "bye",
            BadResult::WrongEntrants => "wrong_entrants",
            BadResult::BadPlaces => "bad_places",
            BadResult::AbsentAhead => "absent_ahead",
            BadResult::Undecided => "undecided",
            BadResult::MissingScore => "missing_score",
            BadResult::BadScore => "bad_score",
            BadResult::ScoreOrder => "score_order",
            BadResult::BadGames => "bad_games_won",
        }
    }
}
