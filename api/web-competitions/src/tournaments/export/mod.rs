//! Standings and pairings as sheets: CSV, with headings in the reader's language. Beside them, files that other programs read: `viewer`
//! for brackets-viewer.js, `open_bracket` for the Open Bracket Format.

mod duels;
pub mod open_bracket;
pub mod viewer;

use super::view::TieBreakWords;
use base::error::internal;
use base::text::Lang;
use base::text::sheets::{BYTE_ORDER_MARK, harmless};
use competitions::tournaments::Tournament;
use competitions::tournaments::store::BoutRow;
use engine::tournaments::Format;
use web_base::error::ApiResult;

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
        let name = harmless(&tournament.standing_name(i32::try_from(it.entrant).unwrap_or(0)));
        let mut row = vec![it.rank.to_string(), it.entrant.to_string(), name];
        row.extend([it.played, it.wins, it.draws, it.losses].map(|count| count.to_string()));
        row.push(points(lang, it.points));
        if has_groups {
            row.push(it.group.map(|place| place.group.to_string()).unwrap_or_default());
        }
        row.extend(it.tie_breaks.into_iter().map(|value| points(lang, value)));
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
            sheet.row(pairing(tournament, bout, *entrant, lang))?;
        }
    }
    sheet.text()
}

fn pairing(tournament: &Tournament, bout: &BoutRow, entrant: i32, lang: Lang) -> Vec<String> {
    let result = bout.result.as_ref();
    let finish = result.and_then(|result| result.iter().find(|it| i64::from(it.entrant) == i64::from(entrant)));
    let mut cells = vec![
        bout.round.to_string(),
        bout.key.to_string(),
        harmless(bout.table_name.as_deref().unwrap_or_default()),
        entrant.to_string(),
        harmless(&tournament.name_of(entrant)),
        finish.map(|it| it.place.to_string()).unwrap_or_default(),
        finish.and_then(|it| it.score).map(|score| points(lang, score)).unwrap_or_default(),
        finish.map(|it| u8::from(it.absent).to_string()).unwrap_or_default(),
    ];
    if tournament.row.team_size.is_some() {
        cells.push(harmless(tournament.team_of(entrant).unwrap_or_default()));
    }
    cells
}

pub(crate) fn heading(lang: Lang, name: &str) -> String {
    lang.text(&format!("tournament-column-{}", name.replace('_', "-")))
}

/// Of hundredths.
pub(crate) fn points(lang: Lang, hundredths: i64) -> String {
    lang.cell(hundredths as f64 / 100.0)
}

/// Rows of cells, as spreadsheets of a language read them.
pub(crate) struct Sheet(csv::Writer<Vec<u8>>);

impl Sheet {
    pub(crate) fn new(lang: Lang) -> Self {
        let mut sheet = csv::WriterBuilder::new();
        sheet.delimiter(lang.separator()).quote_style(csv::QuoteStyle::NonNumeric).terminator(csv::Terminator::CRLF);
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
    fn points_are_told_as_spreadsheets_of_the_language_read_them() {
        let told = |lang| [150, 300, -25].map(|it| points(lang, it));
        assert_eq!(told(Lang::En), ["1.5", "3", "-0.25"]);
        assert_eq!(told(Lang::Es), ["1,5", "3", "-0,25"]);
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
