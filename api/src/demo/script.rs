//! What the demo's café is like, as `cafe.json` has it; its library is `library.csv`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use base::auth::Role;
use base::error::Result;
use base::error::internal;
use base::settings::Tariff;
use play::tables::plan::Shape;
use play::variants::VariantStatus;

pub(super) const LIBRARY: &[u8] = include_bytes!("library.csv");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    pub name: String,
    pub staff: Vec<Colleague>,
    pub tariff: Tariff,
    pub tables: Vec<Furniture>,
    pub variants: Vec<HouseRule>,
    /// Who comes again and again, and has an account.
    pub regulars: Vec<String>,
    /// What those call themselves who have none.
    pub guests: Vec<String>,
    /// What phones call themselves.
    pub devices: Vec<String>,
    /// Of copies.
    pub notes: Vec<String>,
    /// By reason.
    pub call_notes: BTreeMap<String, Vec<String>>,
    pub ban_reason: String,
    pub abort_reasons: Vec<String>,
    pub match_names: Vec<String>,
    /// One that is over, one that is played, one that takes entries.
    pub tournaments: Vec<Named>,
    /// The season in which they count.
    pub series: String,
}

/// A tournament and the game that is played there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub name: String,
    pub title: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Colleague {
    pub name: String,
    pub email: String,
    pub role: Role,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Furniture {
    pub name: String,
    pub area: String,
    pub seats: i64,
    /// Column, row, width and height on the plan of its area.
    pub place: [i16; 4],
    #[serde(default = "square")]
    pub shape: Shape,
    pub out_of_service: Option<String>,
}

fn square() -> Shape {
    Shape::Square
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HouseRule {
    pub game: String,
    pub name: String,
    pub description: Option<String>,
    /// The options of each.
    pub versions: Vec<Value>,
    /// In the end.
    pub status: VariantStatus,
}

impl Script {
    pub(super) fn read() -> Result<Self> {
        serde_json::from_str(include_str!("cafe.json")).map_err(internal)
    }
}
