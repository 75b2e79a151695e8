//! Requests that make or change a series.

use engine::tournaments::{InvalidSeries, SeriesRules};
use serde::Deserialize;
use utoipa::ToSchema;

use super::SeriesStatus;
use super::store::DivisionRow;
use base::error::{FieldError, Result, invalid_field, invalid_fields};
use base::games::shapes;
use base::ids::{PlayerId, TournamentId};
use base::inputs::{given, tidy_text};

/// Nobody keeps more divisions apart.
pub const MOST_DIVISIONS: usize = 12;
const MOST_MOVED: i16 = 99;

/// One line of text in any script.
#[derive(Clone, Debug, PartialEq, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60)]
pub struct SeriesName(pub String);

base::deserialize_checked!(SeriesName);

impl SeriesName {
    pub fn parse(text: &str) -> std::result::Result<Self, FieldError> {
        tidy_text(text, 60).map(Self)
    }
}

/// A new series: a draft.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesRequest {
    #[schema(example = "2026 가을 시즌")]
    pub name: SeriesName,
    /// What an event brings, and what of it counts.
    #[schema(
        value_type = shapes::SeriesRules,
        example = json!({ "points": { "kind": "places", "scale": [1000, 700, 500, 300] }, "best": 3, "attendance": 100, "tie_breaks": ["wins"] })
    )]
    pub rules: SeriesRules,
    /// The highest first; none if left out.
    #[serde(default)]
    #[schema(max_items = 12)]
    pub divisions: Vec<DivisionRequest>,
}

/// A division of a series.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = SeriesDivisionRequest)]
#[serde(deny_unknown_fields)]
pub struct DivisionRequest {
    #[schema(example = "1부")]
    pub name: SeriesName,
    /// How many of the best go up at the end of the season.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 99)]
    pub promoted: i16,
    /// How many of the last go down.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 99)]
    pub relegated: i16,
}

/// Changes of a series; what is left out stays as it is. Of a season that has ended only the status can change.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesChange {
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
    pub name: Option<SeriesName>,
    #[schema(value_type = Option<shapes::SeriesRules>)]
    pub rules: Option<SeriesRules>,
    /// All divisions, the highest first. Events and people stay in the division with their number; those of one that is gone are of none.
    #[schema(max_items = 12)]
    pub divisions: Option<Vec<DivisionRequest>>,
    /// `draft` hides the series, `running` shows it, `ended` ends the season without a next one.
    pub status: Option<SeriesStatus>,
}

/// How a tournament counts in a series.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[schema(as = SeriesEventRequest)]
#[serde(deny_unknown_fields)]
pub struct EventRequest {
    /// The number of the division whose event it is; of all if left out.
    #[schema(minimum = 1, maximum = 12)]
    pub division: Option<i16>,
    /// The `revision` of the series that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

/// What staff say of an account in a series; what is left out stays as it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[schema(as = SeriesPersonRequest)]
#[serde(deny_unknown_fields)]
pub struct PersonRequest {
    /// An account of the same person; the account itself if it is nobody else's; `null` to go by the name again.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<PlayerId>)]
    pub same_as: Option<Option<PlayerId>>,
    /// The number of the division in which the person plays; `null` to go by the events again.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i16>, minimum = 1, maximum = 12)]
    pub division: Option<Option<i16>>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

/// Ends a season and drafts the next.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NextSeasonRequest {
    #[schema(example = "2027 봄 시즌")]
    pub name: SeriesName,
    /// People who play in another division than the table says; everybody else goes up, down or stays as it says.
    #[serde(default)]
    #[schema(max_items = 1000)]
    pub divisions: Vec<Placement>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

/// In which division somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, ToSchema)]
#[schema(as = SeriesPlacement)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    pub player_id: PlayerId,
    #[schema(minimum = 1, maximum = 12)]
    pub division: i16,
}

/// Which tournament gets its seeds from a series.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[schema(as = SeriesSeedingRequest)]
#[serde(deny_unknown_fields)]
pub struct SeedingRequest {
    pub tournament_id: TournamentId,
    /// The `revision` of the tournament that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

/// Refuses rules by which nobody can play.
pub fn check_rules(rules: &SeriesRules) -> Result<()> {
    let (field, code) = match rules.check() {
        Ok(()) => return Ok(()),
        Err(InvalidSeries::BadScale) => ("/rules/points/scale", "bad_scale"),
        Err(InvalidSeries::BadBest) => ("/rules/best", "out_of_range"),
        Err(InvalidSeries::BadAttendance) => ("/rules/attendance", "out_of_range"),
        Err(InvalidSeries::TieBreakTwice) => ("/rules/tie_breaks", "twice"),
    };
    Err(invalid_field(field, code))
}

/// The divisions as they are kept, numbered from 1.
pub fn divisions_of(requests: &[DivisionRequest]) -> Result<Vec<DivisionRow>> {
    if requests.len() > MOST_DIVISIONS {
        return Err(invalid_field("/divisions", "too_many"));
    }
    let mut rows: Vec<DivisionRow> = Vec::with_capacity(requests.len());
    for (number, it) in (1..).zip(requests) {
        let at = |field: &str| format!("/divisions/{}/{field}", number - 1);
        let wrong = [("promoted", it.promoted), ("relegated", it.relegated)];
        if let Some((field, _)) = wrong.into_iter().find(|(_, many)| !(0..=MOST_MOVED).contains(many)) {
            return Err(invalid_field(&at(field), "out_of_range"));
        }
        if rows.iter().any(|row| row.name == it.name.0) {
            return Err(invalid_fields(vec![FieldError::new(at("name"), "twice")]));
        }
        let DivisionRequest { name, promoted, relegated } = it.clone();
        rows.push(DivisionRow { number, name: name.0, promoted, relegated });
    }
    Ok(rows)
}
