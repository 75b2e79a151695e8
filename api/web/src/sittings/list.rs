//! `/admin/sittings`: the parties of some days, or of an hour of the week on these days.

use actix_web::{HttpResponse, get};
use askama::Template;
use jiff::civil::Date;
use serde::Deserialize;

use crate::error::ApiResult;
use crate::extract::Search;
use crate::page::{Page, StaffPage};
use cafe::auth::can;
use cafe::list::{self, List};
use cafe::sittings::list::{Party, Wanted};
use cafe::stats::Period;

const PAGE_SIZE: i64 = 40;

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
pub(crate) async fn show_sittings(
    StaffPage { page, mut cx }: StaffPage<can::ViewFloor>,
    Search(search): Search<SittingSearch>,
) -> ApiResult<HttpResponse> {
    let period = Period::between(search.from, search.to, page.today())?;
    let before = list::start(search.before.as_deref())?;
    let windows = period.windows(page.time_zone(), search.weekday, search.hour);
    let wanted = Wanted { windows: &windows, came: search.came, before, now: page.now };
    let parties = cafe::sittings::list::list(cx.conn().await?, wanted, PAGE_SIZE + 1).await?;
    let List { items: parties, next } = List::of(parties, PAGE_SIZE, |party| party.arrival().to_string());
    let next = next.map(|next| search.older(&next));
    let template = SittingListPage { page, search, period, parties, next };
    template.page.html(&template)
}

impl SittingSearch {
    fn older(&self, before: &str) -> String {
        let pairs = [
            ("from", self.from.map(|it| it.to_string())),
            ("to", self.to.map(|it| it.to_string())),
            ("weekday", self.weekday.map(|it| it.to_string())),
            ("hour", self.hour.map(|it| it.to_string())),
            ("came", self.came.then(|| "true".to_owned())),
            ("before", Some(before.to_owned())),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs.into_iter().filter_map(|(name, value)| Some((name, value?))));
        format!("/admin/sittings?{}", query.finish())
    }

    /// Which hour of which weekday is asked for, as far as it is.
    fn hour_of_week(&self, page: &Page) -> String {
        let weekday = self.weekday.filter(|it| (1..=7).contains(it));
        let weekday = weekday.map(|it| page.t(&format!("stats-weekday-{it}")));
        let hour = self.hour.map(|hour| format!("{hour:02}:00"));
        [weekday, hour].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use cafe::ids::{SittingId, TableId};
    use jiff::Timestamp;
    use jiff::civil::date;
    use uuid::Uuid;

    use super::*;
    use crate::page::samples;

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
            };
            let period = Period::last(7, date(2026, 11, 22));
            let parties = vec![party(None), party(Some("left"))];
            SittingListPage { page, search: SittingSearch::default(), period, parties, next: Some("/".to_owned()) }
                .render()
        });
    }
}
