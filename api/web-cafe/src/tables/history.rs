//! `/admin/tables/{id}/history`: who sat at a table, what they played and called for, and what staff did there. All ids sort
//! by time, so that one cursor goes through all of it.

use actix_web::{HttpResponse, get};
use askama::Template;
use serde::Deserialize;
use uuid::Uuid;

use base::auth::can;
use base::error::not_found;
use base::list::List;
use play::calls::{CallReason, CallStatus};
use play::matches::Status;
use play::sittings::SittingEnd;
use play::tables::history::{self, Past};
use play::tables::{TableId, TableRow, store};
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::page::{Page, StaffPage};

const PAGE_SIZE: i64 = 40;

#[derive(Template)]
#[template(path = "admin/tables/history.html")]
struct HistoryPage {
    page: Page,
    table: TableRow,
    pasts: Vec<Past>,
    next: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistorySearch {
    before: Option<Uuid>,
}

#[get("/admin/tables/{id}/history")]
pub async fn show_history(
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Path(id): Path<TableId>,
    Search(search): Search<HistorySearch>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let table = store::find(conn, id).await?.ok_or_else(|| not_found("table_not_found"))?;
    let pasts = history::list(conn, id, page.lang, search.before.unwrap_or(Uuid::max()), PAGE_SIZE + 1).await?;
    let List { items: pasts, next } = List::of(pasts, PAGE_SIZE, |past| past.id.to_string());
    let template = HistoryPage { page, table, pasts, next };
    template.page.html(&template)
}

/// What happened at a table, in words.
trait HistoryWords: AsRef<Page> {
    fn past(&self, past: &Past) -> String {
        let page = self.as_ref();
        match past.kind.as_str() {
            "sitting" => page.say("past-sitting").with("count", past.number.unwrap_or(0)).to_string(),
            "match" => page.game_name(&past.word),
            "call" => page.t(past.word.parse().map_or("call-other", CallReason::key)),
            _ => {
                let done = page.action(&past.word);
                past.title.as_ref().map_or(done.clone(), |title| format!("{title}: {done}"))
            }
        }
    }

    /// What became of it.
    fn past_end(&self, past: &Past) -> Option<String> {
        let status = past.status.as_deref()?;
        let key = match past.kind.as_str() {
            "sitting" => status.parse().map(SittingEnd::key).ok()?,
            "match" => status.parse().map(Status::key).ok()?,
            _ => status.parse().map(CallStatus::key).ok()?,
        };
        Some(self.as_ref().t(key))
    }
}

impl HistoryWords for Page {}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        let past = |kind: &str, word: &str, status: Option<&str>| Past {
            id: Uuid::nil(),
            kind: kind.to_owned(),
            at: Timestamp::UNIX_EPOCH,
            until: Some(Timestamp::UNIX_EPOCH),
            word: word.to_owned(),
            status: status.map(str::to_owned),
            number: Some(3),
            code: Some("QRSTVW".to_owned()),
            title: (kind == "deed").then(|| "카탄".to_owned()),
            undone: kind == "call",
            who: Some("민아".to_owned()),
            gone: kind == "match",
            went_to: Some("2번".to_owned()),
            came_from: None,
        };
        let pasts = || {
            let endings = SittingEnd::ALL.iter().map(|end| past("sitting", "", Some(end.as_str())));
            let matches = Status::ALL.iter().map(|status| past("match", "perudo", Some(status.as_str())));
            let calls = CallReason::ALL.iter().zip(CallStatus::ALL.iter().cycle());
            let calls = calls.map(|(reason, status)| past("call", reason.as_str(), Some(status.as_str())));
            let deeds = ["table.change", "sitting.open", "copy.lend"].map(|action| past("deed", action, None));
            endings.chain(matches).chain(calls).chain(deeds).collect()
        };
        samples::check(samples::STAFF, |page| {
            let next = Some("00000000-0000-0000-0000-000000000000".to_owned());
            HistoryPage { page, table: samples::table("1번"), pasts: pasts(), next }.render()
        });
        samples::check(samples::STAFF, |page| {
            HistoryPage { page, table: samples::table("1번"), pasts: Vec::new(), next: None }.render()
        });
    }
}
