//! A table of figures: what stands behind a chart, and what is exported.

use jiff::civil::Date;

use base::settings::tariff::decimals;
use base::text::Lang;
use base::text::sheets::{BYTE_ORDER_MARK, line, quoted};
use web_base::page::Page;

pub(crate) struct Sheet {
    /// Of the export.
    pub id: &'static str,
    pub name: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

/// As many rows as a week has hours are shown on a page; files have them all. Rules by seats make thousands.
const SHOWN: usize = 7 * 24;

impl Sheet {
    pub(super) fn shown(&self) -> &[Vec<Cell>] {
        &self.rows[..self.rows.len().min(SHOWN)]
    }

    /// Whether there are numbers in this column.
    pub(super) fn counts(&self, column: &usize) -> bool {
        self.rows.iter().any(|row| row.get(*column).is_some_and(Cell::is_number))
    }

    /// How many more there are.
    pub(super) fn rest(&self) -> i64 {
        self.rows.len().saturating_sub(SHOWN) as i64
    }
}

pub(crate) struct Cell {
    pub value: Value,
    /// What is behind it.
    pub href: Option<String>,
}

pub(crate) enum Value {
    Text(String),
    Day(Date),
    /// With so many decimals.
    Number(f64, usize),
    /// Where nothing can be said.
    Nothing,
}

impl Cell {
    pub(crate) fn text(text: String) -> Self {
        Value::Text(text).into()
    }

    pub(crate) fn count(number: impl Into<i64>) -> Self {
        Value::Number(number.into() as f64, 0).into()
    }

    /// In whole units of the currency.
    pub(crate) fn money(amount: i64, currency: &str) -> Self {
        let decimals = decimals(currency).unwrap_or(0);
        Value::Number(amount as f64 / 10_f64.powi(i32::try_from(decimals).unwrap_or(0)), decimals as usize).into()
    }

    pub(super) fn minutes(seconds: i64) -> Self {
        Value::Number(seconds as f64 / 60.0, 1).into()
    }

    pub(super) fn hours(seconds: i64) -> Self {
        Value::Number(seconds as f64 / 3600.0, 1).into()
    }

    pub(super) fn percent(share: f64) -> Self {
        Value::Number(share * 100.0, 1).into()
    }

    /// With what is behind it, unless that is nothing.
    pub(super) fn to(self, href: String) -> Self {
        let is_nothing = matches!(self.value, Value::Number(number, _) if number == 0.0);
        Self { href: Some(href).filter(|_| !is_nothing), ..self }
    }

    pub(super) fn amount(&self) -> f64 {
        if let Value::Number(number, _) = self.value { number } else { 0.0 }
    }

    /// For the word behind it.
    pub(super) fn whole(&self) -> i64 {
        self.amount() as i64
    }

    /// The difference, as exact as this is shown.
    pub(super) fn minus(&self, other: &Self) -> Self {
        match self.value {
            Value::Number(number, decimals) => {
                let scale = 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
                // Never minus nothing.
                Value::Number(((number - other.amount()) * scale).round() / scale + 0.0, decimals).into()
            }
            _ => Value::Nothing.into(),
        }
    }

    /// In the format of the reader's language.
    pub(super) fn shown(&self, page: &Page) -> String {
        match &self.value {
            Value::Number(number, decimals) => page.lang.decimal(*number, *decimals),
            Value::Text(text) => text.clone(),
            Value::Day(day) => day.to_string(),
            Value::Nothing => String::new(),
        }
    }

    pub(super) fn is_day(&self) -> bool {
        matches!(self.value, Value::Day(_))
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self.value, Value::Number(..))
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        Self { value, href: None }
    }
}

impl Value {
    /// As spreadsheets of the language read it.
    fn csv(&self, lang: Lang) -> String {
        match self {
            Self::Text(text) => quoted(text),
            Self::Day(day) => day.to_string(),
            Self::Number(number, decimals) => lang.cell(format_args!("{number:.decimals$}")),
            Self::Nothing => String::new(),
        }
    }
}

impl Sheet {
    pub(crate) fn csv(&self, lang: Lang) -> String {
        let head: Vec<String> = self.head.iter().map(|text| quoted(text)).collect();
        let cells = |row: &Vec<Cell>| row.iter().map(|cell| cell.value.csv(lang)).collect::<Vec<_>>();
        let rows = self.rows.iter().map(|row| line(lang, &cells(row)));
        format!("{BYTE_ORDER_MARK}{}{}", line(lang, &head), rows.collect::<String>())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::stats) fn sheet() -> Sheet {
        let row = |text: &str| {
            let day = Value::Day("2026-11-21".parse().unwrap());
            vec![Cell::text(text.to_owned()), Cell::minutes(90), day.into(), Value::Nothing.into()]
        };
        let head = ["규칙", "분", "날짜", "="].map(str::to_owned).into();
        Sheet { id: "length", name: "길이: [A/B]".to_owned(), head, rows: vec![row("=1+1"), row("a \"b\", c")] }
    }

    #[test]
    fn a_name_is_no_formula() {
        let csv = sheet().csv(Lang::Ko);
        let rows = "\"'=1+1\",1.5,2026-11-21,\r\n\"a \"\"b\"\", c\",1.5,2026-11-21,\r\n";
        assert_eq!(csv, format!("\u{feff}\"규칙\",\"분\",\"날짜\",\"'=\"\r\n{rows}"));
        // Where the sheet has commas, a spreadsheet may expect semicolons.
        let inner = Value::Text("민아;=1+1".to_owned());
        assert_eq!(inner.csv(Lang::Ko), "\"민아;'=1+1\"");
    }

    #[test]
    fn a_sheet_in_spanish_has_semicolons_between_cells_and_commas_in_numbers() {
        let csv = sheet().csv(Lang::Es);
        assert_eq!(csv.lines().nth(1), Some("\"'=1+1\";1,5;2026-11-21;"));
    }

    #[test]
    fn pages_tell_numbers_as_their_readers_write_them_and_files_as_spreadsheets_do() {
        let cell = Cell::hours(4_446_000);
        let told = Lang::ALL.map(|lang| cell.shown(&Page::sample(lang)));
        assert_eq!(told, ["1,235.0", "1,235.0", "1235,0"]);
        assert_eq!(Lang::ALL.map(|lang| cell.value.csv(lang)), ["1235.0", "1235.0", "1235,0"]);
    }

    #[test]
    fn a_page_shows_as_many_rows_as_a_week_has_hours_and_counts_the_rest() {
        let of = |rows: usize| Sheet { rows: (0..rows).map(|_| vec![Cell::count(1_i64)]).collect(), ..sheet() };
        for (rows, shown, rest) in [(0, 0, 0), (168, 168, 0), (169, 168, 1), (1431, 168, 1263)] {
            assert_eq!((of(rows).shown().len(), of(rows).rest()), (shown, rest));
        }
    }

    #[test]
    fn there_is_nothing_behind_nothing() {
        assert_eq!(Cell::count(0_i64).to("/".to_owned()).href, None);
        assert_eq!(Cell::count(1_i64).to("/".to_owned()).href.as_deref(), Some("/"));
    }
}
