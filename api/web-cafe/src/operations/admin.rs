//! `/admin/operations`.

use actix_web::{HttpResponse, get, post};
use askama::Template;

use super::{Process, read};
use base::auth::can;
use base::text::Lang;
use cafe::operations::checks::{Check, State};
use cafe::operations::{Operations, TableSize, backups};
use web_base::error::ApiResult;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

#[derive(Template)]
#[template(path = "admin/operations/show.html")]
struct OperationsPage {
    page: Page,
    view: Operations,
}

#[get("/admin/operations")]
pub async fn show_operations(
    process: Process,
    StaffPage { page, mut cx }: StaffPage<can::ViewOperations>,
) -> ApiResult<HttpResponse> {
    let template = OperationsPage { view: read(&mut cx, &process).await?, page };
    template.page.html(&template)
}

#[post("/admin/operations/backups")]
pub async fn request_backup(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ViewOperations>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    backups::ask(&mut cx).await?;
    Ok(page.go_with("/admin/operations", Flash::good("backup-requested", "")))
}

impl OperationsPage {
    /// What needs somebody first.
    fn checks(&self) -> Vec<&Check> {
        let mut checks: Vec<&Check> = self.view.checks.iter().collect();
        checks.sort_by_key(|check| std::cmp::Reverse(check.state));
        checks
    }

    /// Tone and icon.
    fn looks(&self, state: &State) -> (&'static str, &'static str) {
        match state {
            State::Ok => ("finished", "check"),
            State::Unknown => ("out", "more"),
            State::Warning => ("waiting", "bell"),
            State::Problem => ("attention", "bell"),
        }
    }

    fn viewers(&self) -> i32 {
        self.view.processes.iter().map(|process| process.viewers).sum()
    }

    fn latency(&self) -> String {
        milliseconds(self.page.lang, self.view.database.latency_micros as f64 / 1000.0)
    }

    fn milliseconds(&self, ms: &f64) -> String {
        milliseconds(self.page.lang, *ms)
    }

    /// The few that take nearly all.
    fn largest(&self) -> &[TableSize] {
        const SHOWN: usize = 5;
        &self.view.growth.tables[..self.view.growth.tables.len().min(SHOWN)]
    }

    fn bytes(&self, count: &i64) -> String {
        bytes(self.page.lang, *count)
    }
}

fn milliseconds(lang: Lang, ms: f64) -> String {
    format!("{} ms", lang.decimal(ms, if ms < 10.0 { 2 } else { 0 }))
}

/// In the units that disks are sold in.
fn bytes(lang: Lang, count: i64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut size = count as f64;
    let mut unit = 0;
    while size >= 1000.0 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    format!("{} {}", lang.decimal(size, usize::from(unit > 0)), UNITS[unit])
}

#[cfg(test)]
mod tests {
    use cafe::operations::backups::{Job, JobKind};
    use cafe::operations::slow::{Slow, Timed};
    use cafe::operations::{Backup, Capacity, Database, Growth, Migrations, Pool, Process as Serving};

    use super::*;
    use web_base::page::samples;

    #[test]
    fn sizes_are_told_in_the_largest_unit_that_fits() {
        let told = [999, 1000, 9_460_000, 2_500_000_000].map(|count| bytes(Lang::En, count));
        assert_eq!(told, ["999 B", "1.0 kB", "9.5 MB", "2.5 GB"]);
        assert_eq!((bytes(Lang::Es, 9_460_000), milliseconds(Lang::Es, 0.25)), ("9,5 MB".into(), "0,25 ms".into()));
    }

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::MANAGERS, |page| {
            let timed = || Timed { what: "GET /admin".to_owned(), calls: 2, mean_ms: 1.5, total_ms: 3.0 };
            let process = Serving {
                id: uuid::Uuid::nil(),
                version: "1".to_owned(),
                started_at: page.now,
                seen_at: page.now,
                viewers: 3,
            };
            let job = |kind, succeeded_at, problem: Option<String>| Job {
                kind,
                every_seconds: 21_600,
                since: page.now,
                succeeded_at,
                failed_at: problem.as_ref().map(|_| page.now),
                problem,
                asked_at: None,
            };
            let check = |state: &State| {
                let value = (*state != State::Unknown).then(|| "12.3 GB".to_owned());
                Check { code: "data_disk", state: *state, value }
            };
            let database = Database {
                version: "15.18".to_owned(),
                bytes: 9_460_000,
                latency_micros: 250,
                connections: 3,
                busy: 1,
                connections_max: 100,
            };
            let view = Operations {
                version: "1",
                revision: None,
                started_at: page.now,
                checks: State::ALL.iter().map(check).collect(),
                processes: vec![process],
                database,
                growth: Growth {
                    matches: 1000,
                    bytes_per_match: Some(9300),
                    tables: vec![TableSize { name: "match_log".to_owned(), bytes: 9_300_000 }],
                    packed: 900,
                    packed_from_bytes: 41_000_000,
                    packed_to_bytes: 4_100_000,
                    packed_at: Some(page.now),
                },
                pool: Pool { size: 4, open: 2, idle: 1, waiting: 0 },
                capacity: Capacity { descriptors: 65_536, descriptors_open: 40, streams: 20_000, streams_open: 3 },
                migrations: Migrations { applied: 10, newest: "20261121010000".to_owned(), complete: true },
                last_backup: Some(Backup { taken_at: page.now, bytes: 9_460_000, sha256: "00".to_owned() }),
                backup_jobs: vec![
                    job(JobKind::Take, Some(page.now), None),
                    job(JobKind::Test, None, Some("damaged".to_owned())),
                ],
                slow: Slow { statements: Some(vec![timed()]), routes: vec![timed()] },
            };
            OperationsPage { page, view }.render()
        });
    }
}
