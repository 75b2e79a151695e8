//! A series ready to be shown: its tables with events as columns, and its rules in words.

use engine::tournaments::{SeriesMove, SeriesPoints, SeriesRules, SeriesTieBreak};
use jiff::Timestamp;

use crate::tournaments::view::TournamentWords;
use base::ids::{PlayerId, TournamentId};
use competitions::series::{EventRow, Season, SeriesRow, Table, TableRow};
use web_base::error::ApiResult;
use web_base::page::Page;

pub(super) const TIE_BREAKS: [SeriesTieBreak; 5] = [
    SeriesTieBreak::BestResult,
    SeriesTieBreak::Wins,
    SeriesTieBreak::Events,
    SeriesTieBreak::Latest,
    SeriesTieBreak::HeadToHead,
];

/// A series as its pages show it.
pub(crate) struct SeriesView {
    pub season: Season,
    /// In the order of time.
    pub events: Vec<EventView>,
    pub tables: Vec<TableView>,
}

/// An event, by its number in the season.
pub(crate) struct EventView {
    pub number: usize,
    pub row: EventRow,
    pub game: String,
    /// The name of the division whose event it is.
    pub division: Option<String>,
}

/// The table of a division, or the only one.
pub(crate) struct TableView {
    pub id: i16,
    pub title: Option<String>,
    /// The events that count in it and are over: number, tournament, code and name.
    pub columns: Vec<Column>,
    pub has_bonus: bool,
    pub rows: Vec<RowView>,
}

pub(crate) struct Column {
    pub number: usize,
    pub id: TournamentId,
    pub code: String,
    pub name: String,
}

pub(crate) struct RowView {
    pub rank: u32,
    pub person: PlayerId,
    pub name: String,
    /// Of how many accounts the person is.
    pub accounts: usize,
    pub total: String,
    pub bonus: String,
    /// By column: what it brought, if they played it.
    pub cells: Vec<Option<Cell>>,
    /// What the end of the season would bring, if anything.
    pub moves: Option<(&'static str, &'static str)>,
}

pub(crate) struct Cell {
    pub points: String,
    pub rank: u32,
    pub counts: bool,
}

impl SeriesView {
    pub(super) fn of(page: &Page, season: Season) -> ApiResult<Self> {
        let division = |number: i16| season.divisions.iter().find(|it| it.number == number).map(|it| it.name.clone());
        let event = |(number, row): (usize, &EventRow)| EventView {
            number,
            game: row.title.clone().unwrap_or_else(|| page.game_name(&row.game)),
            division: row.division.and_then(division),
            row: row.clone(),
        };
        let events: Vec<EventView> = (1..).zip(&season.events).map(event).collect();
        let tables = season.tables()?.iter().map(|table| TableView::of(page, &season, &events, table)).collect();
        Ok(Self { season, events, tables })
    }

    /// The address of everybody's page.
    pub(crate) fn path(&self) -> String {
        path(&self.season.row)
    }

    /// That of another series.
    pub(crate) fn path_of(&self, row: &SeriesRow) -> String {
        path(row)
    }

    /// An address of the staff's pages.
    pub(crate) fn admin(&self, rest: &str) -> String {
        format!("/admin/series/{}{rest}", self.season.row.id)
    }

    pub(crate) fn has_results(&self) -> bool {
        self.events.iter().any(|it| it.row.is_over())
    }

    pub(crate) fn has_divisions(&self) -> bool {
        !self.season.divisions.is_empty()
    }
}

/// The address of everybody's page of a series.
pub(crate) fn path(row: &SeriesRow) -> String {
    format!("/series/{}", row.code)
}

impl EventView {
    pub(crate) fn at(&self) -> Timestamp {
        self.row.at
    }

    /// How many played, once it is over.
    pub(crate) fn played(&self) -> Option<usize> {
        self.row.places.as_ref().filter(|_| self.row.is_over()).map(|it| it.len())
    }
}

impl TableView {
    fn of(page: &Page, season: &Season, events: &[EventView], table: &Table) -> Self {
        let number = table.division.as_ref().map(|it| it.number);
        let is_in = |it: &&EventView| {
            it.row.is_over() && (number.is_none() || it.row.division.is_none() || it.row.division == number)
        };
        let column = |it: &EventView| Column {
            number: it.number,
            id: it.row.id,
            code: it.row.code.clone(),
            name: it.row.name.clone(),
        };
        let columns: Vec<Column> = events.iter().filter(is_in).map(column).collect();
        let row = |row: &TableRow| RowView {
            rank: row.rank,
            person: row.person,
            name: season.name_of(row.person),
            accounts: season.people.accounts_of(row.person).len(),
            total: page.points(row.total),
            bonus: page.points(row.bonus),
            cells: columns.iter().map(|column| Cell::of(page, row, column.id)).collect(),
            moves: said(row.moves),
        };
        Self {
            id: number.unwrap_or(0),
            title: table.division.as_ref().map(|it| it.name.clone()),
            has_bonus: season.row.rules.attendance != 0,
            rows: table.rows.iter().map(row).collect(),
            columns,
        }
    }
}

impl RowView {
    /// Whether they played nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.cells.iter().all(Option::is_none)
    }
}

impl Cell {
    fn of(page: &Page, row: &TableRow, event: TournamentId) -> Option<Self> {
        let it = row.result(event)?;
        Some(Self { points: page.points(it.points), rank: it.rank, counts: it.counts })
    }
}

/// A move as its key and its icon.
fn said(it: SeriesMove) -> Option<(&'static str, &'static str)> {
    match it {
        SeriesMove::Stays => None,
        SeriesMove::Up => Some(("series-move-up", "up")),
        SeriesMove::Down => Some(("series-move-down", "down")),
        SeriesMove::UpOpen => Some(("series-move-up-open", "up")),
        SeriesMove::DownOpen => Some(("series-move-down-open", "down")),
    }
}

/// Rules of a series in words.
pub(crate) trait RulesWords {
    fn series_points(&self, points: &SeriesPoints) -> String;
    fn series_best(&self, rules: &SeriesRules) -> String;
    fn series_attendance(&self, rules: &SeriesRules) -> String;
    fn series_tie_breaks(&self, rules: &SeriesRules) -> String;
}

impl RulesWords for Page {
    fn series_points(&self, points: &SeriesPoints) -> String {
        match points {
            SeriesPoints::Places { scale } => {
                let scale: Vec<String> = scale.iter().map(|it| self.points(*it)).collect();
                self.say("series-points-scale").with("scale", scale.join(" ")).to_string()
            }
            SeriesPoints::Score {} => self.t("series-points-score"),
            SeriesPoints::Beaten {} => self.t("series-points-beaten"),
        }
    }

    fn series_best(&self, rules: &SeriesRules) -> String {
        match rules.best {
            Some(best) => self.say("series-best-of").with("count", i64::from(best)).to_string(),
            None => self.t("series-best-all"),
        }
    }

    fn series_attendance(&self, rules: &SeriesRules) -> String {
        self.say("series-attendance-each").with("points", self.points(rules.attendance)).to_string()
    }

    fn series_tie_breaks(&self, rules: &SeriesRules) -> String {
        let names: Vec<String> = rules.tie_breaks.iter().map(|it| self.t(&tie_break_key(*it))).collect();
        names.join(" → ")
    }
}

/// The word of the API for a tie-break.
pub(super) fn word(it: SeriesTieBreak) -> &'static str {
    match it {
        SeriesTieBreak::BestResult => "best_result",
        SeriesTieBreak::Wins => "wins",
        SeriesTieBreak::Events => "events",
        SeriesTieBreak::Latest => "latest",
        SeriesTieBreak::HeadToHead => "head_to_head",
    }
}

pub(super) fn tie_break_key(it: SeriesTieBreak) -> String {
    format!("series-tie-{}", word(it))
}
