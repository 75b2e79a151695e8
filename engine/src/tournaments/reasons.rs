//! Why a pairing is as it is: data that pages put into words.

use serde::{Deserialize, Serialize};

/// Why a pairing is as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Reason {
    /// The bracket says so.
    Bracket,
    /// The round robin's table says so.
    Schedule,
    /// The stronger half of equals meets the weaker, or chance alone decided.
    SamePoints {
        /// What each of them has, in hundredths.
        points: i64,
    },
    /// Somebody plays against fewer points than their own, as nobody was left with as many.
    Floated {
        /// Who.
        entrant: u32,
        /// Their points, in hundredths.
        points: i64,
        /// The fewest points that they meet.
        against: i64,
    },
    /// Two meet again.
    Repeat {
        /// One of them.
        one: u32,
        /// The other.
        other: u32,
        /// How often they have met before.
        times: u16,
    },
    /// How many pairs of this round meet again, and how few it could be at the very least.
    RepeatsInRound {
        /// So many do.
        pairs: u32,
        /// With fewer it cannot be done, whoever sits where.
        least: u32,
    },
    /// A bye, as the bracket is larger than the field: the best seeds have them.
    BracketBye,
    /// A bye, as the opponent has dropped or did not come through.
    OpponentGone,
    /// A bye, as the number of participants is odd: the fewest points among those who had none.
    LowestBye {
        /// What they have, in hundredths.
        points: i64,
    },
    /// A bye, as the tables do not come out even.
    NoTable {
        /// What they have, in hundredths.
        points: i64,
    },
    /// The table is smaller than the largest of this round.
    ShortTable {
        /// So many sit here.
        seats: u8,
        /// So many at the largest.
        largest: u8,
    },
    /// Somebody was beaten and yet goes on, as one of the best of those, since too few came through to fill the table.
    Filled {
        /// Who.
        entrant: u32,
        /// Their place at the table where they were beaten.
        place: u16,
    },
    /// The leaders sit together, and so on down.
    ByStanding {
        /// The most points at the table, in hundredths.
        most: i64,
        /// The fewest.
        fewest: i64,
    },
    /// Every table is as strong as the other.
    Spread,
    /// Chance decided.
    Drawn,
}
