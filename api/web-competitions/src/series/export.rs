//! The tables of a series as a sheet: CSV, an event a column, with headings in the reader's language.

use crate::tournaments::export::{Sheet, heading, points};
use base::text::Lang;
use base::text::sheets::harmless;
use competitions::series::Season;
use web_base::error::ApiResult;

/// A result that does not count stands in square brackets: to spreadsheets a number in round ones is negative.
pub(super) fn table(season: &Season, lang: Lang) -> ApiResult<String> {
    let has_divisions = !season.divisions.is_empty();
    let mut head: Vec<String> = Vec::new();
    if has_divisions {
        head.push(heading(lang, "division"));
    }
    head.extend(["rank", "name", "total"].map(|it| heading(lang, it)));
    head.extend(season.events.iter().map(|it| harmless(&it.name)));
    head.push(heading(lang, "bonus"));
    let mut sheet = Sheet::new(lang);
    sheet.row(head)?;
    for table in season.tables()? {
        for row in &table.rows {
            let mut cells: Vec<String> = Vec::new();
            if has_divisions {
                cells.push(harmless(table.division.as_ref().map(|it| it.name.as_str()).unwrap_or_default()));
            }
            cells.extend([row.rank.to_string(), harmless(&season.name_of(row.person)), points(lang, row.total)]);
            for event in &season.events {
                cells.push(match row.result(event.id) {
                    None => String::new(),
                    Some(it) if it.counts => points(lang, it.points),
                    Some(it) => format!("[{}]", points(lang, it.points)),
                });
            }
            cells.push(points(lang, row.bonus));
            sheet.row(cells)?;
        }
    }
    sheet.text()
}
