//! The box games of the café: titles, and copies of each that stand on a shelf, lie on a table or wait to be checked in.
//!
//! `titles` what the library has, `copies` which there are of it, `transfers` what moves them, `history` where they have been, `notes` what
//! is known of their condition; `form` a title as it is typed, `csv` and `import` the library as a CSV file.
//!
//! For the floor: [`list_out`] what lies where or waits to be checked in, [`on_shelves`] what may be lent, and
//! [`transfer`], which moves a copy, keeps the way back and tells the floor.

pub mod copies;
pub mod csv;
pub mod form;
pub mod history;
pub mod import;
pub mod notes;
pub mod store;
pub mod titles;
pub mod transfers;

use std::ops::RangeInclusive;

use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use base::error::{Result, invalid_query};
pub use base::ids::{CopyId, NoteId, TitleId};
use base::names;
pub use copies::{add_copy, change_copy, count_boxes, count_unlent, every_copy, list_out, on_shelves, to_check_in};
pub use history::{NoteRow, PlaceRow};
pub use import::{Import, import};
pub use notes::{add_note, settle_note};
pub use store::{CopyRow, TitleRow, list_fitting};
pub use titles::{Names, Reach, TitleRequest, change, create, edit, search, set_archived, stock};
pub use transfers::{CopyUndo, carry, find_undo, lock_arrived, lock_on_table, transfer, transfer_within, undo};

/// No café has more; lists and imports look at all of them.
pub const MOST_TITLES: i64 = 5000;
const MOST_COPIES: i16 = 99;

base::text_enum! {
    /// How hard a title is to learn.
    pub enum Difficulty {
        Easy = "easy",
        Medium = "medium",
        Hard = "hard",
    }
}

base::text_enum! {
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

base::text_enum! {
    /// What is done with a copy.
    #[schema(as = Errand)]
    pub enum Transfer {
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
        /// It was lost and has to be checked.
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
    pub fn filter(&self) -> Result<store::Filter> {
        Ok(store::Filter {
            name: self.name.as_deref().filter(|name| name.chars().count() <= 80).and_then(names::pattern),
            players: within("players", 1..=99, given("players", self.players.as_deref())?)?,
            minutes: within("minutes", 1..=1440, given("minutes", self.minutes.as_deref())?)?,
            difficulty: given("difficulty", self.difficulty.as_deref())?,
            after: given("cursor", self.cursor.as_deref())?,
            ..store::Filter::default()
        })
    }
}

fn given<T: std::str::FromStr>(name: &str, field: Option<&str>) -> Result<Option<T>> {
    let field = field.map(str::trim).filter(|field| !field.is_empty());
    field.map(|field| field.parse().map_err(|_| invalid_query(name, "invalid"))).transpose()
}

fn within(name: &str, bounds: RangeInclusive<i16>, number: Option<i16>) -> Result<Option<i16>> {
    if number.is_none_or(|it| bounds.contains(&it)) { Ok(number) } else { Err(invalid_query(name, "out_of_range")) }
}

/// The name of a shelf, in one line and without a slash, which separates shelves in the CSV file.
#[derive(Clone, Debug, PartialEq, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 20, example = "카운터")]
pub struct Shelf(pub String);

impl Shelf {
    const MAX: usize = 20;

    pub fn parse(text: &str) -> Result<Self, base::error::FieldError> {
        let name = base::inputs::tidy_text(text, Self::MAX)?;
        if name.contains(form::BETWEEN_SHELVES) {
            return Err(base::error::FieldError::new("", "slash"));
        }
        Ok(Self(name))
    }
}

base::deserialize_checked!(Shelf);

impl CopyState {
    /// Whether people can play with it.
    pub fn is_in_the_house(self) -> bool {
        match self {
            Self::Shelf | Self::Table | Self::Return => true,
            Self::Repair | Self::Lost => false,
        }
    }

    pub fn key(self) -> &'static str {
        match self {
            Self::Shelf => "copy-state-shelf",
            Self::Table => "copy-state-table",
            Self::Return => "copy-state-return",
            Self::Repair => "copy-state-repair",
            Self::Lost => "copy-state-lost",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Shelf => "check",
            Self::Table => "tables",
            Self::Return => "hourglass",
            Self::Repair => "wheel",
            Self::Lost => "sunk",
        }
    }

    /// Of its colour in the style sheet.
    pub fn tone(self) -> &'static str {
        match self {
            Self::Shelf => "finished",
            Self::Table => "playing",
            Self::Return => "waiting",
            Self::Repair | Self::Lost => "attention",
        }
    }
}

impl Transfer {
    /// Those that a page offers, the usual ones first; to lend needs a table besides.
    pub const OFFERED: [Self; 5] = [Self::TakeBack, Self::CheckIn, Self::Find, Self::Repair, Self::Lose];

    pub fn key(self) -> &'static str {
        match self {
            Self::Lend => "errand-lend",
            Self::Carry => "errand-carry",
            Self::TakeBack => "errand-take_back",
            Self::CheckIn => "errand-check_in",
            Self::Repair => "errand-repair",
            Self::Lose => "errand-lose",
            Self::Find => "errand-find",
            Self::Undo => "errand-undo",
        }
    }

    pub fn is_main(self) -> bool {
        matches!(self, Self::TakeBack | Self::CheckIn | Self::Find)
    }
}

impl TitleSearch {
    pub fn is_difficulty(&self, difficulty: &Difficulty) -> bool {
        self.difficulty.as_deref() == Some(difficulty.as_str())
    }
}
