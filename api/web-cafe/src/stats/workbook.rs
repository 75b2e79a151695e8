//! All tables in one workbook, as spreadsheets open it: numbers and days are such, and no text is ever a formula.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rust_xlsxwriter::{DocProperties, Format, Workbook, Worksheet, XlsxError};

use super::sheet::{Sheet, Value};

/// Longer names of sheets are not allowed, nor any with one of these in it.
const NAME_MAX: usize = 31;
const NOT_IN_NAMES: [char; 8] = ['[', ']', ':', '*', '?', '/', '\\', '\''];

pub(super) fn write(title: &str, sheets: &[Sheet], made_at: Timestamp) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let made_at = made_at.to_zoned(TimeZone::UTC).datetime();
    workbook.set_properties(&DocProperties::new().set_title(title).set_creation_datetime(&made_at));
    let formats = Formats::default();
    for sheet in sheets {
        formats.fill(workbook.add_worksheet(), sheet)?;
    }
    workbook.save_to_buffer()
}

struct Formats {
    head: Format,
    day: Format,
    count: Format,
    decimal: Format,
}

impl Default for Formats {
    fn default() -> Self {
        let number = |pattern: &str| Format::new().set_num_format(pattern);
        let head = Format::new().set_bold();
        Self { head, day: number("yyyy-mm-dd"), count: number("#,##0"), decimal: number("#,##0.0") }
    }
}

impl Formats {
    fn fill(&self, worksheet: &mut Worksheet, sheet: &Sheet) -> Result<(), XlsxError> {
        worksheet.set_name(name_of(&sheet.name))?;
        for (column, name) in (0..).zip(&sheet.head) {
            worksheet.write_string_with_format(0, column, name, &self.head)?;
        }
        for (line, row) in (1..).zip(&sheet.rows) {
            for (column, cell) in (0..).zip(row) {
                self.write(worksheet, line, column, &cell.value)?;
            }
        }
        worksheet.set_freeze_panes(1, 0)?.set_repeat_rows(0, 0)?.set_print_fit_to_pages(1, 0).autofit();
        Ok(())
    }

    fn write(&self, worksheet: &mut Worksheet, row: u32, column: u16, value: &Value) -> Result<(), XlsxError> {
        match value {
            Value::Text(text) => worksheet.write_string(row, column, text)?,
            Value::Day(day) => worksheet.write_datetime_with_format(row, column, day, &self.day)?,
            Value::Number(number, 0) => worksheet.write_number_with_format(row, column, *number, &self.count)?,
            Value::Number(number, _) => worksheet.write_number_with_format(row, column, *number, &self.decimal)?,
            Value::Nothing => worksheet,
        };
        Ok(())
    }
}

fn name_of(name: &str) -> String {
    let allowed = name.chars().map(|it| if NOT_IN_NAMES.contains(&it) { ' ' } else { it });
    allowed.take(NAME_MAX).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::sheet::tests::sheet;
    use base::text::Lang;

    #[test]
    fn any_table_becomes_a_workbook() {
        let made = write("통계", &[sheet()], Timestamp::UNIX_EPOCH).unwrap();
        assert!(made.starts_with(b"PK"));
        assert_eq!(made, write("통계", &[sheet()], Timestamp::UNIX_EPOCH).unwrap());
        assert_eq!(name_of("길이: [A/B]"), "길이   A B");
        assert_eq!(name_of(&"x".repeat(40)).len(), NAME_MAX);
    }

    #[test]
    fn the_tables_have_different_names_in_every_language() {
        for lang in Lang::ALL {
            let ids = ["days", "tables", "hours", "games", "length", "seats", "orders", "roles", "returning"];
            let names = ids.map(|id| name_of(&lang.text(&format!("stats-{id}"))).to_lowercase());
            let different: std::collections::HashSet<_> = names.iter().collect();
            assert_eq!(different.len(), ids.len(), "{names:?}");
            assert!(names.iter().all(|name| !name.is_empty()));
        }
    }
}
