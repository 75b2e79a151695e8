//! What is asked for with a new match.

use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::Mode;
use super::terms::{SeatName, Visibility};
use base::error::FieldError;
use base::games::shapes::GameOptions;
use base::ids::{TableId, VariantId};
use base::inputs::tidy_text;

/// A new match.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatchRequest {
    /// One of the catalogue, or `other` for any other game at all, which is then written down (`scored`).
    #[schema(example = "perudo")]
    pub game: String,
    /// What is played, if it is an `other` game.
    pub title: Option<MatchName>,
    /// The game's rule switches; those left out keep their defaults.
    #[schema(value_type = Option<GameOptions>)]
    pub options: Option<Value>,
    /// Or else a variant of the game …
    pub variant_id: Option<VariantId>,
    /// … in this version; the latest that was published if left out.
    #[schema(minimum = 1)]
    pub variant_version: Option<i64>,
    #[schema(example = 4)]
    pub seats: i64,
    pub name: Option<MatchName>,
    /// The table where it is played. Only staff and the party at that table may name it.
    pub table_id: Option<TableId>,
    #[schema(value_type = Option<Mode>)]
    pub mode: Option<String>,
    /// How long a seat may think before the autopilot moves for it.
    #[schema(minimum = 10, maximum = 86_400)]
    pub turn_seconds: Option<i64>,
    /// What each seat has for the whole match beyond that.
    #[schema(minimum = 1, maximum = 86_400)]
    pub reserve_seconds: Option<i64>,
    /// Who may know of it; `open` if left out.
    pub visibility: Option<Visibility>,
    /// Whether people without a seat may watch while it runs; `true` if left out.
    pub spectators: Option<bool>,
    /// So many moves late.
    #[schema(minimum = 0, maximum = 1000)]
    pub spectator_delay: Option<i64>,
    /// What the seats are called: a name for each.
    pub seat_names: Option<Vec<SeatName>>,
}

/// One line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60)]
pub struct MatchName(pub String);

base::deserialize_checked!(MatchName);

impl MatchName {
    const MAX: usize = 60;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        tidy_text(text, Self::MAX).map(Self)
    }
}
