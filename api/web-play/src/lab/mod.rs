//! The lab as JSON and pages.

pub mod admin;
pub mod picture;
pub mod rest;
pub mod words;

use cafe::lab::Asked;
use serde::Deserialize;
use utoipa::IntoParams;

/// What is asked of the lab.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LabQuery {
    /// How many play; a usual number if left out.
    #[param(minimum = 1, maximum = 16)]
    seats: Option<u8>,
    /// The version to compare with; the basic game if left out.
    #[param(minimum = 1)]
    from: Option<i64>,
    /// Whether bots that search play as well, in games that have them. It takes longer.
    search: Option<bool>,
}

impl LabQuery {
    pub(crate) fn asked(&self) -> Asked {
        Asked { seats: self.seats, from: self.from, search: self.search.unwrap_or(false) }
    }
}
