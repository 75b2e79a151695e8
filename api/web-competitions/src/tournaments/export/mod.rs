//! Standings and pairings as sheets: CSV, with headings in the reader's language. Beside them, files that other programs read: `viewer`
//! for brackets-viewer.js, `open_bracket` for the Open Bracket Format.

mod duels;
pub mod open_bracket;
pub mod viewer;

use super::view::TieBreakWords;
use base::error::internal;
use base::text::Lang;
use competitions::tournaments::Tournament;
use competitions::tournaments::store::BoutRow;
use engine::tournaments::Format;
use play::library::csv::separator;
use web_base::error::ApiResult;

/// Told to spreadsheets that would otherwise take UTF-8 for something else.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// What a spreadsheet takes for the beginning of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// What a spreadsheet takes for the end of a cell, by its language.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

pub(super) fn standings(tournament: &Tournament, stage: i16, lang: Lang) -> ApiResult<String> {
    let plan = tournament.plan_of(stage)?;
    let mut head =
        ["rank", "entrant", "name", "played", "wins", "draws", "losses", "points"].map(|it| heading(lang, it)).to_vec();
    let has_groups = matches!(plan.format, Format::Groups { .. });
    if has_groups {
        head.push(heading(lang, "group"));
    }
    for tie_break in &plan.tie_breaks {
        head.push(heading(lang, tie_break.key()));
    }
    let mut sheet = Sheet::new(lang);
    sheet.row(head)?;
    for it in tournament.standings(stage)? {
        let name = harmless(tournament.standing_name(i32::try_from(it.entrant).unwrap_or(0)));
        let mut row = vec![it.rank.to_string(), it.entrant.to_string(), name];
        row.extend([it.played, it.wins, it.draws, it.losses].map(|count| count.to_string()));
        row.push(points(it.points));
        if has_groups {
            row.push(it.group.map(|place| place.group.to_string()).unwrap_or_default());
        }
        row.extend(it.tie_breaks.into_iter().map(points));
        sheet.row(row)?;
    }
    sheet.text()
}

pub(super) fn pairings(tournament: &Tournament, stage: i16, lang: Lang) -> ApiResult<String> {
    tournament.plan_of(stage)?;
    let mut sheet = Sheet::new(lang);
    let mut head = vec!["round", "bout", "table", "entrant", "name", "place", "score", "absent"];
    if tournament.row.team_size.is_some() {
        head.push("team");
    }
    sheet.row(head.into_iter().map(|it| heading(lang, it)).collect())?;
    for bout in tournament.bouts_in(stage) {
        for entrant in &bout.entrants {
            sheet.row(pairing(tournament, bout, *entrant))?;
        }
    }
    sheet.text()
}

fn pairing(tournament: &Tournament, bout: &BoutRow, entrant: i32) -> Vec<String> {
    let result = bout.result.as_ref();
    let finish = result.and_then(|result| result.iter().find(|it| i64::from(it.entrant) == i64::from(entrant)));
    let mut cells = vec![
        bout.round.to_string(),
        bout.key.to_string(),
        harmless(bout.table_name.clone().unwrap_or_default()),
        entrant.to_string(),
        harmless(tournament.name_of(entrant)),
        finish.map(|it| it.place.to_string()).unwrap_or_default(),
        finish.and_then(|it| it.score).map(points).unwrap_or_default(),
        finish.map(|it| u8::from(it.absent).to_string()).unwrap_or_default(),
    ];
    if tournament.row.team_size.is_some() {
        cells.push(harmless(tournament.team_of(entrant).unwrap_or_default().to_owned()));
    }
    cells
}

pub(crate) fn heading(lang: Lang, name: &str) -> String {
    lang.text(&format!("tournament-column-{}", name.replace('_', "-")))
}

/// Of hundredths.
pub(crate) fn points(hundredths: i64) -> String {
    (hundredths as f64 / 100.0).to_string()
}

/// No formula, whatever somebody calls themself: not at the beginning, nor after a separator where a spreadsheet expects
/// another one than the sheet has.
pub(crate) fn harmless(text: String) -> String {
    let mut harmless = String::with_capacity(text.len());
    let mut is_start = true;
    for it in text.chars() {
        if is_start && FORMULA.contains(&it) {
            harmless.push('\'');
        }
        is_start = SEPARATORS.contains(&it) || (is_start && it == ' ');
        harmless.push(it);
    }
    harmless
}

/// Rows of cells, as spreadsheets of a language read them.
pub(crate) struct Sheet(csv::Writer<Vec<u8>>);

impl Sheet {
    pub(crate) fn new(lang: Lang) -> Self {
        let mut sheet = csv::WriterBuilder::new();
        sheet.delimiter(separator(lang)).quote_style(csv::QuoteStyle::NonNumeric).terminator(csv::Terminator::CRLF);
        Self(sheet.from_writer(Vec::new()))
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) -> ApiResult<()> {
        Ok(self.0.write_record(cells).map_err(internal)?)
    }

    pub(crate) fn text(self) -> ApiResult<String> {
        let bytes = self.0.into_inner().map_err(|err| internal(err.into_error()))?;
        Ok(format!("{BYTE_ORDER_MARK}{}", String::from_utf8_lossy(&bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournaments::view::TIE_BREAKS;

    #[test]
    fn points_are_told_as_people_write_them_and_names_are_no_formulas() {
        assert_eq!([points(150), points(300), points(-25)], ["1.5", "3", "-0.25"]);
        assert_eq!([harmless("=1+1".into()), harmless("민아".into())], ["'=1+1", "민아"]);
        assert_eq!(harmless("x;=2+5+cmd|' /C calc'!A0".into()), "x;'=2+5+cmd|' /C calc'!A0");
        assert_eq!(harmless("a, @b,c".into()), "a, '@b,c");
    }

    #[test]
    fn every_column_has_words() {
        for tie_break in TIE_BREAKS {
            assert_eq!(serde_json::to_value(tie_break).unwrap(), tie_break.key());
            for lang in Lang::ALL {
                let key = format!("tournament-column-{}", tie_break.key().replace('_', "-"));
                assert!(lang.find_with(&key, &[]).is_some(), "no catalogue has {key}");
            }
        }
    }
}
