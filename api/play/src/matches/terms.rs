//! What is agreed when a match is made and never changes after: who may know of it, who may watch, what its seats are called.

use diesel::pg::Pg;
use diesel::prelude::*;
use utoipa::ToSchema;

use super::NewMatchRequest;
use base::error::{FieldError, Result, invalid_field};
use base::games::OTHER;
use base::ids::MatchId;
use base::inputs::tidy_text;
use base::schema::match_terms;

const MOST_DELAY: std::ops::RangeInclusive<i64> = 0..=1000;
const RESERVE_SECONDS: std::ops::RangeInclusive<i64> = 1..=86_400;

base::text_enum! {
    /// Who may know of a match.
    pub enum Visibility {
        /// Everybody: it is in the lobby.
        Open = "open",
        /// Everybody who has its code or its address; other people's lists do not show it.
        Code = "code",
        /// Who made it, who is invited and who sits there.
        Private = "private",
    }
}

/// Where nothing else was agreed, the default.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = match_terms, check_for_backend(Pg))]
pub struct Terms {
    pub visibility: Visibility,
    /// Whether people without a seat may watch the running match …
    pub spectators: bool,
    /// … so many moves late.
    pub spectator_delay: i32,
    /// One for each seat.
    pub seat_names: Option<Vec<Option<String>>>,
    /// What each seat has for the whole match beyond the time of its moves.
    pub reserve_seconds: Option<i32>,
    pub rematch_of: Option<MatchId>,
    /// What is played, if it is not in the catalogue.
    pub title: Option<String>,
}

/// What a seat is called: one line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 30)]
pub struct SeatName(pub String);

base::deserialize_checked!(SeatName);

impl SeatName {
    const MAX: usize = 30;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        tidy_text(text, Self::MAX).map(Self)
    }
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            visibility: Visibility::Open,
            spectators: true,
            spectator_delay: 0,
            seat_names: None,
            reserve_seconds: None,
            rematch_of: None,
            title: None,
        }
    }
}

impl Terms {
    pub fn of(request: &NewMatchRequest) -> Result<Self> {
        let usual = Self::default();
        let delay = request.spectator_delay.unwrap_or_default();
        let names = request.seat_names.as_ref();
        if names.is_some_and(|names| i64::try_from(names.len()) != Ok(request.seats)) {
            return Err(invalid_field("/seat_names", "one_each"));
        }
        match (request.game == OTHER, &request.title) {
            (true, None) => return Err(invalid_field("/title", "missing_field")),
            (false, Some(_)) => return Err(invalid_field("/title", "unknown_field")),
            (true, Some(_)) | (false, None) => {}
        }
        if request.reserve_seconds.is_some() && request.turn_seconds.is_none() {
            return Err(invalid_field("/turn_seconds", "missing_field"));
        }
        Ok(Self {
            visibility: request.visibility.unwrap_or(usual.visibility),
            spectators: request.spectators.unwrap_or(usual.spectators),
            spectator_delay: within(delay, MOST_DELAY, "/spectator_delay")?,
            seat_names: names.map(|names| names.iter().map(|name| Some(name.0.clone())).collect()),
            reserve_seconds: request
                .reserve_seconds
                .map(|seconds| within(seconds, RESERVE_SECONDS, "/reserve_seconds"))
                .transpose()?,
            rematch_of: None,
            title: request.title.as_ref().map(|title| title.0.clone()),
        })
    }

    pub fn seat_name(&self, seat: i16) -> Option<&str> {
        self.seat_names.as_ref()?.get(usize::try_from(seat).ok()?)?.as_deref()
    }
}

/// This number, if it lies in the range.
pub fn within(number: i64, range: std::ops::RangeInclusive<i64>, field: &str) -> Result<i32> {
    let number = Some(number).filter(|number| range.contains(number)).and_then(|it| i32::try_from(it).ok());
    number.ok_or_else(|| invalid_field(field, "out_of_range"))
}
