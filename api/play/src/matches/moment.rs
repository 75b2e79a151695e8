//! The order in which matches finish.

use jiff::Timestamp;

use base::error::{Error, invalid_query};
use base::ids::MatchId;
use base::list::parse_microseconds;

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
        let at = parse_microseconds(at).ok_or_else(wrong)?;
        Ok(Self { at, id: MatchId(id.parse().map_err(|_| wrong())?) })
    }
}
