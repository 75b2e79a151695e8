//! What a stage says no to, each with a stable code.

use super::bouts::BoutKey;

/// Why format, scoring and participants do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Nobody can be paired.
    #[error("it takes at least {least} participants")]
    TooFew {
        /// So many it takes.
        least: u16,
    },
    /// More than can be paired.
    #[error("it takes at most {most} participants")]
    TooMany {
        /// So many it takes.
        most: u16,
    },
    /// The same entrant twice.
    #[error("entrant {entrant} takes part twice")]
    EnteredTwice {
        /// Who.
        entrant: u32,
    },
    /// Somebody comes in after the first round where all must be known before it.
    #[error("entrant {entrant} comes too late: in this format everybody is there from the first round on")]
    LateEntry {
        /// Who.
        entrant: u32,
    },
    /// No round, or more than any stage has.
    #[error("it takes from 1 to {most} rounds or legs")]
    BadRounds {
        /// So many it takes.
        most: u8,
    },
    /// Everybody would have met everybody before the last round.
    #[error("so few participants have met each other after {most} rounds")]
    TooManyRounds {
        /// So many they can play.
        most: u16,
    },
    /// The sizes of tables are out of bounds.
    #[error("tables are for 2 to 10, the fewest no more than the most")]
    BadSizes,
    /// So many participants cannot be seated at such tables.
    #[error("{participants} cannot be seated at such tables")]
    SizesImpossible {
        /// So many are to be seated.
        participants: u16,
    },
    /// As many would go on as sit at a table, or nobody.
    #[error("from each table somebody goes on, and fewer than sit at the smallest")]
    BadAdvance,
    /// The points do not fall from the best result to the worst, or are out of bounds.
    #[error("a better result is worth no less than a worse one, and none more than 10000 points")]
    BadScale,
}

impl Unfit {
    /// What programs tell it by.
    pub const fn code(&self) -> &'static str {
        match self {
            Unfit::TooFew { .. } => "too_few",
            Unfit::TooMany { .. } => "too_many",
            Unfit::EnteredTwice { .. } => "entered_twice",
            Unfit::LateEntry { .. } => "late_entry",
            Unfit::BadRounds { .. } => "bad_rounds",
            Unfit::TooManyRounds { .. } => "too_many_rounds",
            Unfit::BadSizes => "bad_sizes",
            Unfit::SizesImpossible { .. } => "sizes_impossible",
            Unfit::BadAdvance => "bad_advance",
            Unfit::BadScale => "bad_scale",
        }
    }
}

/// Why no round can be paired although some are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unpairable {
    /// Fewer than it takes are still there.
    #[error("too few are left to play another round")]
    TooFewLeft,
    /// However they are paired, two would meet again or somebody would have a second bye.
    #[error("however they are paired, two would meet again or somebody would have a second bye")]
    NoLegalPairing,
    /// The stage itself is unfit.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

impl Unpairable {
    /// What programs tell it by.
    pub const fn code(&self) -> &'static str {
        match self {
            Unpairable::TooFewLeft => "too_few_left",
            Unpairable::NoLegalPairing => "no_legal_pairing",
            Unpairable::Unfit(unfit) => unfit.code(),
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
    /// Places with gaps, or none first.
    #[error("places go from 1 on without gaps; equals share one, and those that they take up are left out: 1, 2, 2, 4")]
    BadPlaces,
    /// Somebody who did not appear is before somebody who did.
    #[error("nobody who did not appear is before or beside somebody who did")]
    AbsentAhead,
    /// Who goes on is not decided.
    #[error("who goes on has to be decided")]
    Undecided,
    /// The points of the stage are those written down, and somebody has none.
    #[error("everybody who appeared needs points")]
    MissingScore,
    /// More points than can be told.
    #[error("points are out of bounds")]
    BadScore,
}

impl BadResult {
    /// What programs tell it by.
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
        }
    }
}
