//! `/admin/audit`: who did what, in plain words, and whether anybody tampered with it.

use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::export::{self, Format};
use super::words::ACTIONS;
use base::audit::chain::{self, Check, Finding, NotedHead};
use base::audit::store::{self, Filter, LineRow};
use base::audit::{self, Entry, record};
use base::auth::{Actor, can};
use base::db::Db;
use base::ids::hex;
use base::list::List;
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::limits::{Budget, Exports};
use web_base::page::{Flash, Form, Page, StaffPage};

const PAGE: &str = "/admin/audit";
const LINES_A_PAGE: i64 = 50;
/// Checked at each look; all of it on request.
const LINKS_A_LOOK: i64 = 500;

/// As the form sends it: what is left open is empty.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AuditSearch {
    who: String,
    what: String,
    subject: String,
    subject_id: String,
    from: String,
    until: String,
    before: String,
    /// Of an export.
    #[serde(skip_serializing)]
    format: Option<Format>,
}

#[derive(Template)]
#[template(path = "admin/audit/list.html")]
struct AuditPage {
    page: Page,
    search: AuditSearch,
    lines: Vec<LineRow>,
    names: HashMap<Uuid, String>,
    actors: Vec<(Uuid, String)>,
    check: Check,
    next: Option<String>,
}

#[get("/admin/audit")]
pub async fn show_audit(
    noted: Data<NotedHead>,
    StaffPage { page, mut cx }: StaffPage<can::ReadAudit>,
    Search(search): Search<AuditSearch>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let rows = store::list(conn, &search.filter(&page), LINES_A_PAGE + 1).await?;
    let List { items: lines, next } = List::of(rows, LINES_A_PAGE, |line| line.id.to_string());
    let next = next.map(|before| AuditSearch { before, ..search.clone() }.address(PAGE));
    let names = store::names(conn, &lines).await?;
    let actors = store::list_actors(conn).await?;
    let check = chain::check_end(conn, LINKS_A_LOOK, noted.get()).await?;
    let template = AuditPage { page, search, lines, names, actors, check, next };
    template.page.html(&template)
}

#[get("/admin/audit/export")]
pub async fn export_audit(
    _: Budget<Exports>,
    db: Data<Db>,
    StaffPage { page, mut cx }: StaffPage<can::ReadAudit>,
    Search(search): Search<AuditSearch>,
) -> ApiResult<HttpResponse> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let format = search.format.unwrap_or(Format::Csv);
    let details = json!({ "format": format.ending(), "filter": search });
    let entry = Entry { actor: Some(staff.id), action: "audit.export", subject: "audit", subject_id: None, details };
    record(conn, world, entry).await?;
    let name = format!("attachment; filename=\"house-rules-audit.{}\"", format.ending());
    Ok(HttpResponse::Ok()
        .content_type(format.content_type())
        .insert_header(("cache-control", "no-store"))
        .insert_header(("content-disposition", name))
        .streaming(export::export(db, search.filter(&page), (format, page.lang))))
}

#[post("/admin/audit/check")]
pub async fn check_audit(
    _: Budget<Exports>,
    noted: Data<NotedHead>,
    StaffPage { page, mut cx }: StaffPage<can::ReadAudit>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let check = audit::check(&mut cx, noted.get()).await?;
    let flash = match check.finding {
        Finding::Whole => Flash::good("audit-whole", &check.links.to_string()),
        Finding::BrokenAt(n) => Flash::bad("audit-broken", &n.to_string()),
        Finding::Loose(count) => Flash::bad("audit-loose", &count.to_string()),
        Finding::NotAsNoted(n) => Flash::bad("audit-changed", &n.to_string()),
    };
    Ok(page.go_with(PAGE, flash))
}

impl AuditSearch {
    /// What makes no sense filters nothing: the form offers nothing else.
    fn filter(&self, page: &Page) -> Filter {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let date = |text: &str| text.parse::<Date>().ok();
        Filter {
            actor: self.who.parse().ok(),
            actions: given(&self.what).into_iter().collect(),
            subject: given(&self.subject),
            subject_id: self.subject_id.parse().ok(),
            from: date(&self.from).and_then(|date| page.midnight(date)),
            until: date(&self.until).and_then(|date| page.midnight(date.checked_add(1.day()).ok()?)),
            before: self.before.parse().ok(),
        }
    }

    fn address(&self, path: &str) -> String {
        format!("{path}?{}", serde_urlencoded::to_string(self).unwrap_or_default())
    }

    fn export(&self, format: &str) -> String {
        let all = Self { before: String::new(), ..self.clone() };
        format!("{}&format={format}", all.address("/admin/audit/export"))
    }
}

impl AuditPage {
    fn actions(&self) -> Vec<(&'static str, String)> {
        ACTIONS.iter().map(|action| (*action, self.page.action(action))).collect()
    }

    fn what(&self, line: &LineRow) -> String {
        self.page.action(&line.action)
    }

    /// The kind of thing, and its name if it has one.
    fn subject(&self, line: &LineRow) -> String {
        let kind = self.page.word_or(&format!("subject-{}", line.subject), &line.subject);
        let named = line.subject_id.and_then(|id| self.names.get(&id));
        match named.map(String::as_str).or_else(|| line.details["name"].as_str()) {
            Some(name) => format!("{kind} · {name}"),
            None => kind,
        }
    }

    /// All that was done to the same thing.
    fn alike(&self, line: &LineRow) -> Option<String> {
        let subject_id = line.subject_id?.to_string();
        Some(AuditSearch { subject: line.subject.clone(), subject_id, ..AuditSearch::default() }.address(PAGE))
    }

    fn details(&self, line: &LineRow) -> Option<String> {
        let is_empty = line.details.as_object().is_some_and(serde_json::Map::is_empty);
        (!is_empty).then(|| serde_json::to_string_pretty(&line.details).unwrap_or_default())
    }

    fn is_who(&self, id: &Uuid) -> bool {
        self.search.who.parse() == Ok(*id)
    }

    fn broken_at(&self) -> Option<i64> {
        if let Finding::BrokenAt(n) = self.check.finding { Some(n) } else { None }
    }

    fn not_as_noted(&self) -> Option<i64> {
        if let Finding::NotAsNoted(n) = self.check.finding { Some(n) } else { None }
    }

    fn head(&self) -> String {
        hex(&self.check.head)
    }

    fn exact(&self, at: &Timestamp) -> String {
        self.page.to_the_second(*at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        for finding in [Finding::Whole, Finding::BrokenAt(2), Finding::Loose(1), Finding::NotAsNoted(3)] {
            samples::check(samples::MANAGERS, |page| {
                let line = LineRow {
                    id: 1,
                    at: Timestamp::UNIX_EPOCH,
                    actor: None,
                    actor_name: None,
                    action: "table.create".to_owned(),
                    subject: "table".to_owned(),
                    subject_id: Some(Uuid::nil()),
                    details: json!({ "name": "1번" }),
                    link: None,
                };
                let check = Check { links: 1, head: [0; 32], finding };
                let (names, actors) = (HashMap::new(), vec![(Uuid::nil(), "민아".to_owned())]);
                AuditPage { page, search: AuditSearch::default(), lines: vec![line], names, actors, check, next: None }
                    .render()
            });
        }
    }
}
