//! The reasons of a pairing, as data that pages put into words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A reason of a pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// An entrant meets an opponent with fewer points, because nobody with the same points was left.
    Floated {
        /// Who.
        entrant: u32,
        /// The entrant's points, in hundredths.
        points: i64,
        /// The opponent's points, in hundredths.
        against: i64,
    },
    /// Two entrants meet again.
    Repeat {
        /// One of them.
        one: u32,
        /// The other.
        other: u32,
        /// How often they have met before.
        times: u16,
    },
    /// How many pairs of this round meet again, and a number below which no seating comes.
    RepeatsInRound {
        /// The pairs that meet again.
        pairs: u32,
        /// No seating has fewer; maybe none has so few.
        least: u32,
    },
    /// If people sat a little further from where they stand, fewer pairs would meet again.
    FewerRepeats {
        /// How many places they would have to be let stand above or below a table.
        reach: u8,
        /// The pairs that would meet again then.
        pairs: u32,
    },
    /// A bye, because the bracket is larger than the field. The best seeds have the byes.
    BracketBye,
    /// A bye, because the opponent has dropped or did not advance.
    OpponentGone,
    /// A bye, because the number of participants is odd: for the fewest points among those who had no bye.
    LowestBye {
        /// What they have, in hundredths.
        points: i64,
    },
    /// A second bye, because nobody else is left who had none.
    ByeAgain {
        /// What they have, in hundredths.
        points: i64,
    },
    /// A bye, because the tables cannot seat everybody.
    NoTable {
        /// What they have, in hundredths.
        points: i64,
    },
    /// A bye, because the entrant asked for it.
    RequestedBye {
        /// What it is worth, in hundredths.
        points: i64,
    },
    /// The entrant came late, to an opponent who would have had a bye.
    LateEntrant {
        /// Who came late.
        entrant: u32,
    },
    /// Two meet who should be kept apart, because no pairing can keep all of those apart.
    KeptApart {
        /// One of them.
        one: u32,
        /// The other.
        other: u32,
    },
    /// The table is smaller than the largest of this round.
    ShortTable {
        /// The seats of this table.
        seats: u8,
        /// The seats of the largest table.
        largest: u8,
    },
    /// A beaten entrant advances as a lucky loser, because too few entrants advanced to fill the table.
    Filled {
        /// Who.
        entrant: u32,
        /// The place at the table where the entrant was beaten.
        place: u16,
    },
    /// Entrants with similar points sit together.
    ByStanding {
        /// The most points at the table, in hundredths.
        most: i64,
        /// The fewest.
        fewest: i64,
    },
    /// All tables are equally strong.
    Spread,
    /// They were free, and this one waited longest of them.
    Waited {
        /// Who.
        entrant: u32,
        /// For how long.
        seconds: u32,
    },
    /// They meet again at once, because nobody else was free for a while.
    NobodyElse,
    /// Chance decided.
    Drawn,
}
