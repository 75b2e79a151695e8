//! The order in which matches finish.

use jiff::Timestamp;

use base::error::{Error, invalid_query};
use base::ids::MatchId;

/// When a match finished, and its place among those that finished together: the order of everything here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    pub at: Timestamp,
    pub id: MatchId,
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.at.as_microsecond(), self.id)
    }
}

impl std::str::FromStr for Moment {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || invalid_query("cursor", "invalid");
        let (at, id) = text.split_once('.').ok_or_else(wrong)?;
        // PostgreSQL knows fewer years than a timestamp here.
        let at = at.parse().ok().filter(|at| *at >= 0).and_then(|at| Timestamp::from_microsecond(at).ok());
        let at = at.ok_or_else(wrong)?;
        Ok(Self { at, id: MatchId(id.parse().map_err(|_| wrong())?) })
    }
}
