//! The parts of the floor that stand there many times or in several places: each is compiled once.

use std::fmt::Display;

use askama::Template;

use super::admin::Sheet;
use crate::floor::waits::WaitingWords;
use crate::floor::words::FloorWords;
use cafe::floor::{AttentionItem, Floor, Spot, TablePanel};
use play::sittings::SittingRow;
use web_base::page::Page;

/// A table.
#[derive(Template)]
#[template(path = "ui/floor/card.html")]
pub(super) struct Card<'a> {
    pub(super) page: &'a Page,
    pub(super) floor: &'a Floor,
    pub(super) spot: &'a Spot,
    /// The party that looks for another table, and where it sits.
    pub(super) from: Option<(&'a Spot, &'a SittingRow)>,
    /// Where it stands on the plan, as classes.
    pub(super) cells: String,
}

/// What can be done at the table that is chosen.
#[derive(Template)]
#[template(path = "ui/floor/panel.html")]
pub(super) struct TableSheet<'a> {
    pub(super) page: &'a Page,
    pub(super) floor: &'a Floor,
    pub(super) panel: &'a TablePanel,
    pub(super) spot: &'a Spot,
    pub(super) sheet: Sheet,
}

/// Something that waits for staff, with its answers.
#[derive(Template)]
#[template(path = "ui/floor/need.html")]
pub(super) struct Need<'a> {
    page: &'a Page,
    floor: &'a Floor,
    need: &'a AttentionItem,
    back: String,
    names_table: bool,
}

/// The lines of the queue, for templates to draw.
pub(super) trait FloorParts: AsRef<Page> {
    /// As the queue of the whole floor shows it.
    fn need<'a>(&'a self, floor: &'a Floor, need: &'a AttentionItem, back: impl Display) -> Need<'a> {
        Need { page: self.as_ref(), floor, need, back: back.to_string(), names_table: true }
    }
}

impl FloorParts for Page {}

impl Need<'_> {
    /// As the sheet of its table shows it.
    fn within_sheet(self) -> Self {
        Self { names_table: false, ..self }
    }
}
