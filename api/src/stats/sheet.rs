//! A table of figures: what stands behind a chart, and what is exported.

/// Told to spreadsheets that would otherwise take UTF-8 for something else.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// What a spreadsheet takes for the beginning of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

pub(super) struct Sheet {
    /// Of the export.
    pub id: &'static str,
    pub name: String,
    pub head: Vec<String>,
    pub rows: Vec<Row>,
}

pub(super) struct Row {
    pub cells: Vec<Cell>,
    /// What is behind it.
    pub href: Option<String>,
}

pub(super) enum Cell {
    Text(String),
    /// With so many decimals.
    Number(f64, usize),
}

impl Cell {
    pub(super) fn count(number: i64) -> Self {
        Self::Number(number as f64, 0)
    }

    pub(super) fn minutes(seconds: i64) -> Self {
        Self::Number(seconds as f64 / 60.0, 1)
    }

    pub(super) fn percent(share: f64) -> Self {
        Self::Number(share * 100.0, 1)
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Number(..))
    }

    fn csv(&self) -> String {
        match self {
            Self::Number(..) => self.to_string(),
            Self::Text(text) => {
                let guard = if text.starts_with(FORMULA) { "'" } else { "" };
                format!("\"{guard}{}\"", text.replace('"', "\"\""))
            }
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number, decimals) => write!(f, "{number:.decimals$}"),
        }
    }
}

impl Sheet {
    pub(super) fn csv(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| format!("{}\r\n", cells.collect::<Vec<_>>().join(","));
        let head = line(&mut self.head.iter().map(|text| Cell::Text(text.clone()).csv()));
        let rows = self.rows.iter().map(|row| line(&mut row.cells.iter().map(Cell::csv)));
        format!("{BYTE_ORDER_MARK}{head}{}", rows.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let row = |text: &str| Row { cells: vec![Cell::Text(text.to_owned()), Cell::minutes(90)], href: None };
        let (name, head) = ("길이: [A/B]".to_owned(), vec!["규칙".to_owned(), "분".to_owned()]);
        Sheet { id: "length", name, head, rows: vec![row("=1+1"), row("a \"b\", c")] }
    }

    #[test]
    fn a_name_is_no_formula() {
        let csv = sheet().csv();
        assert_eq!(csv, "\u{feff}\"규칙\",\"분\"\r\n\"'=1+1\",1.5\r\n\"a \"\"b\"\", c\",1.5\r\n");
    }
}
