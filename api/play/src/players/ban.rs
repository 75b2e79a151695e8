//! Bans: nobody signs in to a banned account until the ban ends, by itself or because it is lifted.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::PlayerRow;
use base::error::{Error, forbidden};

pub const REASON_MAX: usize = 200;

/// Why somebody is banned, and until when; for as long as nobody lifts it, if no end is given.
#[derive(Clone, Debug)]
pub struct Ban {
    pub reason: String,
    pub until: Option<Timestamp>,
}

impl PlayerRow {
    pub fn is_banned(&self, now: Timestamp) -> bool {
        self.banned_at.is_some() && self.banned_until.is_none_or(|until| until > now)
    }
}

/// What somebody banned is told, in the café's time.
pub fn refusal(player: &PlayerRow, zone: &TimeZone) -> Error {
    match player.banned_until {
        None => forbidden("banned"),
        Some(until) => {
            let until = until.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
            forbidden("banned").with("until", until).in_words(vec!["error-banned-until".to_owned()])
        }
    }
}
