//! The library as a sheet: CSV as spreadsheets write and read it, with headings in the reader's language.

use std::collections::HashMap;

use encoding_rs::{EUC_KR, Encoding, WINDOWS_1252};

use super::form::{Column, TitleText, joined};
use super::{CopyRow, TitleId, TitleRow};
use base::error::{Error, Result, internal, unprocessable};
use base::text::Lang;
use base::text::sheets::{BYTE_ORDER_MARK, FORMULA};

const MOST_LINES: usize = 2000;

/// A sheet that was read.
pub struct Sheet {
    pub columns: Vec<Column>,
    /// Headings that mean nothing here.
    pub ignored: Vec<String>,
    pub lines: Vec<Line>,
}

/// One title of it.
pub struct Line {
    /// Where it begins in the file, from 1.
    pub number: u64,
    pub text: TitleText,
}

/// All titles with the shelves of their copies.
pub fn write(lang: Lang, titles: &[TitleRow], copies: &[CopyRow]) -> Result<String> {
    let mut shelves: HashMap<TitleId, Vec<&str>> = HashMap::new();
    for copy in copies {
        shelves.entry(copy.title_id).or_default().push(&copy.shelf);
    }
    let mut writer =
        csv::WriterBuilder::new().delimiter(lang.separator()).terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(Column::ALL.iter().map(|column| lang.text(&column.key()))).map_err(internal)?;
    for title in titles {
        let mut text = TitleText::of(&title.clone().into(), lang);
        text.id = title.id.to_string();
        text.shelves = joined(shelves.remove(&title.id).into_iter().flatten());
        writer.write_record(Column::ALL.iter().map(|column| harmless(text.cell(*column)))).map_err(internal)?;
    }
    let bytes = writer.into_inner().map_err(|err| internal(err.into_error()))?;
    // Without the mark spreadsheets take it for another encoding.
    Ok(format!("{BYTE_ORDER_MARK}{}", String::from_utf8_lossy(&bytes)))
}

pub fn too_long() -> Error {
    unprocessable("sheet_too_long").with("limit", MOST_LINES as i64)
}

pub fn read(bytes: &[u8], lang: Lang) -> Result<Sheet> {
    let text = decode(bytes, lang).replace("\r\n", "\n");
    // A workbook or a picture, say.
    if text.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\r' | '\t')) {
        return Err(unprocessable("sheet_unreadable"));
    }
    let (text, above) = match text.split_once('\n') {
        // A line that only tells spreadsheets what stands between cells.
        Some((first, rest)) if first.trim().len() == 5 && first.trim().starts_with("sep=") => (rest, 1),
        _ => (text.as_str(), 0),
    };
    let heading = text.lines().next().unwrap_or_default();
    let often = |separator: &u8| heading.bytes().filter(|byte| byte == separator).count();
    let separator = [b'\t', b';', b','].into_iter().max_by_key(often).unwrap_or(b',');
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut records = reader.records();
    let unreadable = |_| unprocessable("sheet_unreadable");
    let heading = records.next().transpose().map_err(unreadable)?.unwrap_or_default();
    let columns: Vec<Option<Column>> = heading.iter().map(column_of).collect();
    if !columns.contains(&Some(Column::NameKo)) {
        return Err(unprocessable("sheet_without_names").with("name", lang.text(&Column::NameKo.key())));
    }
    let mut lines = Vec::new();
    for record in records {
        let record = record.map_err(unreadable)?;
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if lines.len() == MOST_LINES {
            return Err(too_long());
        }
        let mut text = TitleText::default();
        for (column, cell) in columns.iter().zip(&record) {
            if let Some(column) = column {
                text.set(*column, plain(cell.trim()));
            }
        }
        lines.push(Line { number: above + record.position().map_or(0, csv::Position::line), text });
    }
    let ignored = heading.iter().zip(&columns).filter(|(name, column)| column.is_none() && !name.trim().is_empty());
    Ok(Sheet {
        ignored: ignored.map(|(name, _)| name.chars().take(40).collect()).collect(),
        columns: columns.into_iter().flatten().collect(),
        lines,
    })
}

/// As the mark at its beginning says, else UTF-8, else as spreadsheets in that language save by themselves.
pub fn decode(bytes: &[u8], lang: Lang) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    let usual = match lang {
        Lang::Ko => EUC_KR,
        Lang::En | Lang::Es => WINDOWS_1252,
    };
    std::str::from_utf8(bytes).map_or_else(|_| usual.decode(bytes).0.into_owned(), str::to_owned)
}

/// By its heading in any language, or by its name in the API.
fn column_of(heading: &str) -> Option<Column> {
    let heading = heading.trim().to_lowercase();
    let is_it = |it: &Column| {
        it.as_str() == heading || Lang::ALL.iter().any(|lang| lang.text(&it.key()).to_lowercase() == heading)
    };
    Column::ALL.iter().copied().find(is_it)
}

/// A spreadsheet takes no such cell for a formula. Only its beginning is changed, so that an import can take that back.
fn harmless(cell: &str) -> String {
    match cell.trim_start_matches('\'').starts_with(FORMULA) {
        true => format!("'{cell}"),
        false => cell.to_owned(),
    }
}

/// What `harmless` was given.
fn plain(cell: &str) -> &str {
    let bare = cell.strip_prefix('\'');
    bare.filter(|bare| harmless(bare) == cell).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(bytes: &[u8]) -> Vec<(u64, String)> {
        let sheet = read(bytes, Lang::Ko).map_err(|err| err.code().to_owned()).unwrap();
        sheet.lines.into_iter().map(|line| (line.number, line.text.name_ko)).collect()
    }

    #[test]
    fn sheets_are_read_as_spreadsheets_write_them() {
        let wanted = [(2, "페루도".to_owned()), (3, "카\"탄".to_owned())];
        let sheet = "name_ko,x\r\n페루도,1\r\n\"카\"\"탄\",2\r\n,\r\n";
        assert_eq!(names(sheet.as_bytes()), wanted);
        assert_eq!(names(format!("\u{feff}{sheet}").as_bytes()), wanted);
        assert_eq!(names(sheet.replace(',', ";").as_bytes()), wanted);
        assert_eq!(names(sheet.replace(',', "\t").as_bytes()), wanted);
        assert_eq!(names(&EUC_KR.encode(sheet).0), wanted);
        let utf16: Vec<u8> = "\u{feff}name_ko\t\r\n페루도\t\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(names(&utf16), wanted[..1]);
        assert_eq!(names("sep=;\nname_ko;x\n페루도;1".as_bytes()), [(3, "페루도".to_owned())]);
    }

    #[test]
    fn headings_are_known_in_every_language() {
        for lang in Lang::ALL {
            for column in Column::ALL {
                assert_eq!(column_of(&lang.text(&column.key())), Some(*column), "{lang:?}");
            }
        }
        assert_eq!(column_of("Publisher"), None);
    }

    #[test]
    fn a_sheet_that_is_none_is_refused() {
        let code = |bytes: &[u8]| read(bytes, Lang::En).err().map(|err| err.code().to_owned());
        assert_eq!(code(b"").as_deref(), Some("sheet_without_names"));
        assert_eq!(code(b"a,b\n1,2").as_deref(), Some("sheet_without_names"));
        assert_eq!(code(b"name_ko\n\0").as_deref(), Some("sheet_unreadable"));
        assert_eq!(code(b"\x89PNG\r\n\x1a\n").as_deref(), Some("sheet_unreadable"));
        let long = format!("name_ko\n{}", "x\n".repeat(MOST_LINES + 1));
        assert_eq!(code(long.as_bytes()).as_deref(), Some("sheet_too_long"));
    }

    #[test]
    fn no_cell_is_a_formula_and_all_come_back() {
        for cell in ["=1+1", "+82", "-5", "@sum", "\tx", "'=1", "plain", "'tis", "", "''=x"] {
            let written = harmless(cell);
            assert!(!written.starts_with(FORMULA), "{cell}");
            assert_eq!(plain(&written), cell);
        }
    }
}
