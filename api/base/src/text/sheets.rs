//! Comma-separated values as the spreadsheets of a language read them, in which no cell is a formula.

use std::fmt::Display;

use serde_json::Value;

use super::Lang;

/// Told to spreadsheets that would otherwise take UTF-8 for something else.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";
/// What a spreadsheet takes for the beginning of a formula.
pub const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];
/// What a spreadsheet takes for the end of a cell, by its language.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

impl Lang {
    /// Where a comma stands in numbers, spreadsheets put semicolons between cells.
    pub fn separator(self) -> u8 {
        match self {
            Self::Ko | Self::En => b',',
            Self::Es => b';',
        }
    }

    /// A number that stands in a cell: with the mark of the language, and not parted at thousands.
    pub fn cell(self, number: impl Display) -> String {
        let number = number.to_string();
        match self {
            Self::Ko | Self::En => number,
            Self::Es => number.replace('.', ","),
        }
    }
}

/// A line of cells that are written already.
pub fn line(lang: Lang, cells: &[String]) -> String {
    format!("{}\r\n", cells.join(char::from(lang.separator()).to_string().as_str()))
}

/// A text that stands in a cell, with quotes around it.
pub fn quoted(text: &str) -> String {
    in_quotes(&harmless(text))
}

/// JSON that stands in a cell, with quotes around it, and is the same JSON to a parser. What could begin a formula is escaped in
/// its strings, also where they begin, since commas stand before them. A number is no formula, even if it is negative.
pub fn quoted_json(json: &Value) -> String {
    let mut written = String::new();
    let (mut is_in_string, mut is_escaped, mut is_start) = (false, false, false);
    for it in json.to_string().chars() {
        if is_in_string && is_start && FORMULA.contains(&it) {
            written.push_str(&format!("\\u{:04x}", u32::from(it)));
        } else {
            written.push(it);
        }
        is_start = it == '"' || SEPARATORS.contains(&it) || (is_start && it == ' ');
        is_in_string ^= it == '"' && !is_escaped;
        is_escaped = it == '\\' && !is_escaped;
    }
    in_quotes(&written)
}

fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// No formula, whatever somebody calls themself: not at the beginning, nor after a separator where a spreadsheet expects
/// another one than the sheet has.
pub fn harmless(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_no_formulas() {
        for (name, written) in [
            ("=1+1", "'=1+1"),
            ("민아", "민아"),
            ("x;=2+5+cmd|' /C calc'!A0", "x;'=2+5+cmd|' /C calc'!A0"),
            ("a, @b,c", "a, '@b,c"),
        ] {
            assert_eq!(harmless(name), written);
        }
    }

    #[test]
    fn a_cell_is_a_cell_whatever_is_in_it() {
        assert_eq!(quoted(r#"a "b", c"#), r#""a ""b"", c""#);
        assert_eq!(quoted("=1+1"), r#""'=1+1""#);
        assert_eq!(quoted("하늘\n"), "\"하늘\n\"");
    }

    #[test]
    fn json_in_a_cell_stays_the_same_json_and_none_of_its_strings_is_a_formula() {
        for (json, written) in [
            (json!({ "scale": [300, 0, -100] }), r#"{"scale":[300,0,-100]}"#),
            (json!({ "reason": "late, -5" }), r#"{"reason":"late, \u002d5"}"#),
            (json!(["=1+1", "a;@b", "2026-11-28"]), r#"["\u003d1+1","a;\u0040b","2026-11-28"]"#),
            (json!(["\"+1\\", -1]), r#"["\"\u002b1\\",-1]"#),
        ] {
            assert_eq!(quoted_json(&json), format!("\"{}\"", written.replace('"', "\"\"")));
            assert_eq!(serde_json::from_str::<Value>(written).unwrap(), json);
        }
    }

    #[test]
    fn no_number_is_parted_by_what_stands_between_cells() {
        let lines = Lang::ALL.map(|lang| line(lang, &[lang.cell(1234.5), lang.cell("-0.25")]));
        assert_eq!(lines, ["1234.5,-0.25\r\n", "1234.5,-0.25\r\n", "1234,5;-0,25\r\n"]);
    }
}
