//! `/admin/sittings`: the parties of some days, or of an hour of the week on these days.

use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::json;

use crate::stats::admin::file;
use crate::stats::sheet::{Cell, Sheet, Value};
use base::audit::{self, Entry};
use base::auth::can;
use base::list::{self, List};
use play::sittings::list::{Party, Wanted};
use play::stats::Period;
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::limits::{Budget, Exports};
use web_base::page::{Page, StaffPage};

const PAGE_SIZE: i64 = 40;
/// A year of a large café.
const MOST_EXPORTED: i64 = 50_000;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SittingSearch {
    /// Days of the café, both included; the week that ends today if left out.
    from: Option<Date>,
    to: Option<Date>,
    /// 1 is Monday.
    weekday: Option<i8>,
    hour: Option<i8>,
    /// Those that came then, not all that were there.
    came: bool,
    before: Option<String>,
}

#[derive(Template)]
#[template(path = "admin/sittings/list.html")]
struct SittingListPage {
    page: Page,
    search: SittingSearch,
    period: Period,
    parties: Vec<Party>,
    next: Option<String>,
}

#[get("/admin/sittings")]
pub async fn show_sittings(
    StaffPage { page, mut cx }: StaffPage<can::ViewFloor>,
    Search(search): Search<SittingSearch>,
) -> ApiResult<HttpResponse> {
    let (period, parties) = search.read(&page, cx.conn().await?, PAGE_SIZE + 1).await?;
    let List { items: parties, next } = List::of(parties, PAGE_SIZE, |party| party.arrival().to_string());
    let next = next.map(|next| search.older(&next));
    let template = SittingListPage { page, search, period, parties, next };
    template.page.html(&template)
}

/// The same as a file, with what each party owed.
#[get("/admin/sittings/export")]
pub async fn export_sittings(
    _: Budget<Exports>,
    StaffPage { page, mut cx }: StaffPage<can::ViewFloor>,
    Search(search): Search<SittingSearch>,
) -> ApiResult<HttpResponse> {
    let (period, parties) = cx.read(async |conn| search.read(&page, conn, MOST_EXPORTED).await).await?;
    let (conn, actor) = cx.parts().await?;
    let details = json!({ "from": period.from, "until": period.until, "parties": parties.len() });
    let entry =
        Entry { actor: Some(actor.staff.id), action: "sitting.export", subject: "house", subject_id: None, details };
    audit::record(conn, actor.world, entry).await?;
    let name = format!("house-rules-parties-{}-{}.csv", period.from, period.until);
    Ok(file("text/csv; charset=utf-8", &name, sheet(&page, &parties).csv(page.lang).into_bytes()))
}

fn sheet(page: &Page, parties: &[Party]) -> Sheet {
    let head = [
        "match-table",
        "stats-people",
        "sittings-from",
        "sittings-until",
        "sittings-minutes",
        "status",
        "owed",
        "tariff-currency",
    ];
    let row = |party: &Party| {
        let bill = party.bill();
        vec![
            Cell::text(party.name.clone()),
            Cell::count(party.party_size),
            Cell::text(page.to_the_second(party.opened_at)),
            party.closed_at.map_or(Value::Nothing.into(), |at| Cell::text(page.to_the_second(at))),
            Cell::count(party.minutes(&page.now)),
            Cell::text(page.t(party.end_key())),
            bill.map_or(Value::Nothing.into(), |bill| Cell::money(bill.total, &bill.currency)),
            bill.map_or(Value::Nothing.into(), |bill| Cell::text(bill.currency.clone())),
        ]
    };
    let rows = parties.iter().map(row).collect();
    Sheet { id: "parties", name: page.t("sittings-title"), head: head.map(|key| page.t(key)).into(), rows }
}

impl SittingSearch {
    /// The days that are asked for, and so many of their parties.
    async fn read(&self, page: &Page, conn: &mut AsyncPgConnection, limit: i64) -> ApiResult<(Period, Vec<Party>)> {
        let period = Period::between(self.from, self.to, page.today())?;
        let before = list::start(self.before.as_deref())?;
        let windows = period.windows(page.time_zone(), self.weekday, self.hour);
        let wanted = Wanted { windows: &windows, came: self.came, before, now: page.now };
        Ok((period, play::sittings::list::list(conn, wanted, limit).await?))
    }

    fn older(&self, before: &str) -> String {
        self.address("/admin/sittings", Some(before))
    }

    /// The same parties as a file.
    fn export(&self) -> String {
        self.address("/admin/sittings/export", None)
    }

    fn address(&self, path: &str, before: Option<&str>) -> String {
        let pairs = [
            ("from", self.from.map(|it| it.to_string())),
            ("to", self.to.map(|it| it.to_string())),
            ("weekday", self.weekday.map(|it| it.to_string())),
            ("hour", self.hour.map(|it| it.to_string())),
            ("came", self.came.then(|| "true".to_owned())),
            ("before", before.map(str::to_owned)),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs.into_iter().filter_map(|(name, value)| Some((name, value?))));
        format!("{path}?{}", query.finish())
    }

    /// Which hour of which weekday is asked for, as far as it is.
    fn hour_of_week(&self, page: &Page) -> String {
        let weekday = self.weekday.filter(|it| (1..=7).contains(it));
        let weekday = weekday.map(|it| page.t(&format!("stats-weekday-{it}")));
        let hour = self.hour.map(|hour| format!("{hour:02}:00"));
        [weekday, hour].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

impl SittingListPage {
    /// Whether anybody owed anything.
    fn has_bills(&self) -> bool {
        self.parties.iter().any(|party| party.bill().is_some())
    }
}

#[cfg(test)]
mod tests {
    use base::ids::{SittingId, TableId};
    use jiff::Timestamp;
    use jiff::civil::date;
    use play::sittings::store::Owed;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::STAFF, |page| {
            let party = |ended: Option<&str>| Party {
                id: SittingId(Uuid::from_u128(1)),
                table_id: TableId(Uuid::from_u128(1)),
                name: "1번".to_owned(),
                party_size: 3,
                opened_at: Timestamp::UNIX_EPOCH,
                closed_at: ended.map(|_| Timestamp::UNIX_EPOCH),
                ended: ended.map(str::to_owned),
                owed: Owed::default(),
            };
            let period = Period::last(7, date(2026, 11, 22));
            let parties = vec![party(None), party(Some("left"))];
            SittingListPage { page, search: SittingSearch::default(), period, parties, next: Some("/".to_owned()) }
                .render()
        });
    }
}
