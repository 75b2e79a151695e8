//! How strong players are: a rating for each game, and one for each set of rules that it is played by. The mathematics is the
//! engine's; here is which matches count, the ledger of changes, and where everybody stands.

pub mod board;
pub mod rate;
pub mod store;

use engine::ratings::Rating;
use serde::Serialize;
use utoipa::ToSchema;

use base::error::{Result, invalid_query};
pub use board::{Board, Month, Rank};

pub use rate::{mark_since, rate, take_back};

/// So many matches of a game does one pair rate in a day at the café. With more, two accounts could lift one of them.
pub const RATED_A_DAY: usize = 10;

/// What a rating is of: a game, or a set of rules by which one is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope(String);

impl Scope {
    pub fn of(game: &str, variant: Option<&str>) -> Result<Self> {
        match variant {
            None => Ok(Self(game.to_owned())),
            Some(hash) if is_hash(hash) => Ok(Self(hash.to_ascii_lowercase())),
            Some(_) => Err(invalid_query("variant", "invalid")),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|it| it.is_ascii_hexdigit())
}

base::text_enum! {
    /// Why a match changed a rating, or did not.
    pub enum Why {
        /// The player was rated among those who stayed to the end.
        Played = "played",
        /// The player left early, and was rated as the last.
        LeftEarly = "left_early",
        /// All others left early: nobody gains by that.
        LeftAlone = "left_alone",
        /// Two of the players had been rated against each other `RATED_A_DAY` times that day: it changes nobody's rating.
        TooOften = "too_often",
    }
}

/// The estimate of a player's strength.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = Rating)]
pub struct RatingView {
    /// What leaderboards show: 1000 plus forty times mean less three deviations, and 0 at least; 1000 for a newcomer.
    #[schema(example = 1138)]
    pub rating: i32,
    #[schema(example = 27.635231)]
    pub mean: f64,
    #[schema(example = 8.065506)]
    pub deviation: f64,
    /// Whether the deviation is still above 6.
    pub provisional: bool,
}

impl From<Rating> for RatingView {
    fn from(rating: Rating) -> Self {
        let Rating { mean, deviation } = rating;
        Self { rating: rating.shown(), mean, deviation, provisional: rating.is_provisional() }
    }
}
