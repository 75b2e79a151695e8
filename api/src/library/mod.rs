//! The box games of the café: titles, and copies of each that stand on a shelf, lie on a table or wait to be checked in.
//!
//! `titles` what the library has, `copies` which there are of it, `errands` what moves them, `notes` what is to be known of its
//! condition; `names` how a title is found, `form` a title as it is typed, `sheet` and `import` the library as a CSV file.
//!
//! For whoever shows the floor: [`list_out`] what lies where or waits to be checked in, [`on_shelves`] what may be lent, and
//! [`act`], which does an errand, keeps the way back and tells the floor.

pub mod admin;
mod copies;
mod diary;
mod errands;
mod form;
pub mod guest;
mod import;
mod names;
mod notes;
pub mod rest;
mod sheet;
mod store;
mod titles;

use std::ops::RangeInclusive;

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiResult, bad_request};
pub use crate::ids::{CopyId, NoteId, TitleId};
pub use copies::{add_copy, change_copy, every_copy, list_out, on_shelves, to_check_in};
pub use diary::{NoteRow, PlaceRow};
pub use errands::{Brought, act, carry, lock_on_table, take_back};
pub use import::{Import, import};
pub use notes::{add_note, settle_note};
pub use store::{CopyRow, TitleRow, list_fitting};
pub use titles::{Names, Reach, TitleRequest, change, create, search, set_archived};

/// A library of more is no café's; lists and imports look at all of them.
const MOST_TITLES: i64 = 5000;
const MOST_COPIES: i16 = 99;

crate::text_enum! {
    /// How hard a title is to learn.
    pub enum Difficulty {
        Easy = "easy",
        Medium = "medium",
        Hard = "hard",
    }
}

crate::text_enum! {
    /// Where a copy is.
    pub enum CopyState {
        Shelf = "shelf",
        Table = "table",
        /// Back from a table, to be looked through.
        Return = "return",
        Repair = "repair",
        Lost = "lost",
    }
}

crate::text_enum! {
    /// What is done with a copy.
    pub enum Errand {
        /// It goes to a table.
        Lend = "lend",
        /// It goes along from one table to another.
        Carry = "carry",
        /// It comes back from its table, to be looked through.
        TakeBack = "take_back",
        /// It is whole and goes to its shelf.
        CheckIn = "check_in",
        Repair = "repair",
        Lose = "lose",
        /// It was lost and is to be looked through.
        Find = "find",
        /// The last errand, done a short while ago, was a mistake.
        Undo = "undo",
    }
}

/// What is looked for in the library.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TitleSearch {
    /// Any part of its name in any language; in Korean also by initial consonants.
    #[param(example = "ㅍㄹㄷ")]
    pub name: Option<String>,
    /// For so many people.
    #[param(value_type = Option<u8>, minimum = 1, maximum = 99)]
    pub players: Option<String>,
    /// It can be played within so many minutes.
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1440)]
    pub minutes: Option<String>,
    #[param(value_type = Option<Difficulty>)]
    pub difficulty: Option<String>,
    /// The `next` of the page before.
    pub cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<i64>,
}

impl TitleSearch {
    /// Forms send fields that were left empty, too.
    fn filter(&self) -> ApiResult<store::Filter> {
        Ok(store::Filter {
            name: self.name.as_deref().filter(|name| name.chars().count() <= 80).and_then(names::pattern),
            players: within(1..=99, given(self.players.as_deref())?)?,
            minutes: within(1..=1440, given(self.minutes.as_deref())?)?,
            difficulty: given(self.difficulty.as_deref())?,
            after: given(self.cursor.as_deref())?,
            ..store::Filter::default()
        })
    }
}

fn given<T: std::str::FromStr>(field: Option<&str>) -> ApiResult<Option<T>> {
    let field = field.map(str::trim).filter(|field| !field.is_empty());
    field.map(|field| field.parse().map_err(|_| bad_request("invalid_query"))).transpose()
}

fn within(bounds: RangeInclusive<i16>, number: Option<i16>) -> ApiResult<Option<i16>> {
    if number.is_none_or(|it| bounds.contains(&it)) { Ok(number) } else { Err(bad_request("invalid_query")) }
}

/// One line on a shelf: its name, without a slash, for that stands between shelves in a sheet.
#[derive(Clone, Debug, PartialEq, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 20, example = "카운터")]
pub struct Shelf(pub String);

impl Shelf {
    const MAX: usize = 20;

    pub fn parse(text: &str) -> Result<Self, crate::error::FieldError> {
        let name = crate::extract::tidy_text(text, Self::MAX)?;
        if name.contains(form::BETWEEN_SHELVES) {
            return Err(crate::error::FieldError::new("", "slash"));
        }
        Ok(Self(name))
    }
}

impl<'de> Deserialize<'de> for Shelf {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(|refusal| crate::extract::refuse_field(&refusal))
    }
}
