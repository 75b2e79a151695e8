//! `/admin/operations`.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use metrics_exporter_prometheus::PrometheusHandle;

use super::{Operations, Pulse};
use crate::config::Config;
use crate::db::Db;
use crate::error::ApiResult;
use crate::page::{Desk, Page};
use crate::staff::Deed;
use crate::text::Lang;
use crate::world::World;

#[derive(Template)]
#[template(path = "admin/operations/show.html")]
struct OperationsPage {
    page: Page,
    shown: Operations,
}

#[get("/admin/operations")]
pub(crate) async fn show_operations(
    db: Data<Db>,
    (world, config, pulse, metrics): (Data<World>, Data<Config>, Data<Pulse>, Data<PrometheusHandle>),
    Desk { page, staff }: Desk,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeOperations)?;
    let shown = Operations::read(&db, &world, &config, &pulse, &metrics).await?;
    let template = OperationsPage { page, shown };
    template.page.html(&template)
}

impl OperationsPage {
    fn viewers(&self) -> i32 {
        self.shown.processes.iter().map(|process| process.viewers).sum()
    }

    fn latency(&self) -> String {
        milliseconds(self.page.lang, self.shown.database.latency_micros as f64 / 1000.0)
    }

    fn milliseconds(&self, ms: &f64) -> String {
        milliseconds(self.page.lang, *ms)
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
    use super::*;

    #[test]
    fn sizes_are_told_in_the_largest_unit_that_fits() {
        let told = [999, 1000, 9_460_000, 2_500_000_000].map(|count| bytes(Lang::En, count));
        assert_eq!(told, ["999 B", "1.0 kB", "9.5 MB", "2.5 GB"]);
        assert_eq!((bytes(Lang::Es, 9_460_000), milliseconds(Lang::Es, 0.25)), ("9,5 MB".into(), "0,25 ms".into()));
    }
}
