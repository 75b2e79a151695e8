//! The log as a file: CSV for spreadsheets, JSON lines with all that is needed to check the chain elsewhere. Read and sent a
//! page at a time, however long it is.

use actix_web::web::{Bytes, Data};
use futures_util::Stream;
use futures_util::stream::try_unfold;
use serde::{Deserialize, Serialize};
use serde_json::json;

use base::audit::store::{self, Filter, LineRow};
use base::db::Db;
use base::error::Error;
use base::ids::hex;
use base::text::Lang;
use base::text::sheets::{self, BYTE_ORDER_MARK, quoted, quoted_json};
use web_base::error::ApiResult;

const LINES_AT_ONCE: i64 = 1000;
const COLUMNS: [&str; 11] =
    ["id", "at", "actor", "actor_name", "action", "subject", "subject_id", "details", "n", "previous", "hash"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Csv,
    Jsonl,
}

impl Format {
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Jsonl => "application/jsonl; charset=utf-8",
        }
    }

    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
        }
    }

    fn head(self, lang: Lang) -> String {
        match self {
            Self::Csv => format!("{BYTE_ORDER_MARK}{}", sheets::line(lang, &COLUMNS.map(str::to_owned))),
            Self::Jsonl => String::new(),
        }
    }

    fn line(self, line: &LineRow, lang: Lang) -> String {
        match self {
            Self::Csv => csv_line(line, lang),
            Self::Jsonl => json_line(line),
        }
    }
}

/// All lines that fit, the latest first.
pub(super) fn export(
    db: Data<Db>,
    filter: Filter,
    (format, lang): (Format, Lang),
) -> impl Stream<Item = ApiResult<Bytes>> + use<> {
    try_unfold(Some((filter, format.head(lang))), move |rest| {
        let db = db.clone();
        async move {
            let Some((mut filter, mut piece)) = rest else { return Ok(None) };
            let lines =
                db.read(async |conn| store::list(conn, &filter, LINES_AT_ONCE).await.map_err(Error::from)).await?;
            piece.extend(lines.iter().map(|line| format.line(line, lang)));
            filter.before = lines.last().map(|line| line.id);
            let rest = (lines.len() as i64 == LINES_AT_ONCE).then_some((filter, String::new()));
            Ok(Some((Bytes::from(piece), rest)))
        }
    })
}

fn json_line(line: &LineRow) -> String {
    let link = line.link.as_ref();
    let line = json!({
        "id": line.id,
        "at": line.at,
        "actor": line.actor,
        "actor_name": line.actor_name,
        "action": line.action,
        "subject": line.subject,
        "subject_id": line.subject_id,
        "details": line.details,
        "n": link.map(|link| link.n),
        "previous": link.map(|link| hex(&link.previous)),
        "hash": link.map(|link| hex(&link.hash)),
        "content": link.and_then(|link| link.content.as_deref()),
    });
    format!("{line}\n")
}

fn csv_line(line: &LineRow, lang: Lang) -> String {
    let link = line.link.as_ref();
    let cell = |text: Option<String>| quoted(&text.unwrap_or_default());
    let cells = [
        quoted(&line.id.to_string()),
        quoted(&line.at.to_string()),
        cell(line.actor.map(|it| it.to_string())),
        cell(line.actor_name.clone()),
        quoted(&line.action),
        quoted(&line.subject),
        cell(line.subject_id.map(|it| it.to_string())),
        quoted_json(&line.details),
        cell(link.map(|link| link.n.to_string())),
        cell(link.map(|link| hex(&link.previous))),
        cell(link.map(|link| hex(&link.hash))),
    ];
    sheets::line(lang, &cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_cells_as_the_language_parts_them_and_none_is_a_formula() {
        let line = LineRow {
            id: 7,
            at: jiff::Timestamp::UNIX_EPOCH,
            actor: None,
            actor_name: Some("민아;=1+1".to_owned()),
            action: "table.create".to_owned(),
            subject: "table".to_owned(),
            subject_id: None,
            details: json!({ "scale": [0, -100] }),
            link: None,
        };
        let details = r#"{""scale"":[0,-100]}"#;
        let cells = ["7", "1970-01-01T00:00:00Z", "", "민아;'=1+1", "table.create", "table", "", details, "", "", ""];
        for (lang, separator) in [(Lang::Ko, ","), (Lang::En, ","), (Lang::Es, ";")] {
            let wanted = cells.map(|it| format!("\"{it}\"")).join(separator);
            assert_eq!(csv_line(&line, lang), format!("{wanted}\r\n"));
            assert_eq!(Format::Csv.head(lang).split(separator).count(), cells.len());
        }
    }
}
