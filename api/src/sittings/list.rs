//! `/admin/sittings`: the parties of some days, or of an hour of the week on these days.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel::{QueryableByName, sql_query};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde::Deserialize;

use super::{SittingEnd, SittingId};
use crate::db::Db;
use crate::error::{ApiError, ApiResult, bad_request};
use crate::extract::Search;
use crate::ids::TableId;
use crate::list::{self, List};
use crate::page::{Desk, Page};
use crate::staff::Deed;
use crate::stats::Period;

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

#[derive(QueryableByName)]
struct Party {
    #[diesel(sql_type = SqlUuid)]
    id: SittingId,
    #[diesel(sql_type = SqlUuid)]
    table_id: TableId,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = SmallInt)]
    party_size: i16,
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    opened_at: Timestamp,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    closed_at: Option<Timestamp>,
    #[diesel(sql_type = Nullable<Text>)]
    ended: Option<String>,
}

/// When a party came, and its place among those that came together: the order of the list.
#[derive(Clone, Copy)]
struct Arrival {
    at: Timestamp,
    id: SittingId,
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
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<SittingSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeFloor)?;
    let period = Period::between(search.from, search.to, page.today())?;
    let before = list::start(search.before.as_deref())?;
    let windows = period.windows(page.time_zone(), search.weekday, search.hour);
    let parties = find(&mut *db.conn().await?, &windows, before, (search.came, page.now), PAGE_SIZE + 1).await?;
    let List { items: parties, next } = List::of(parties, PAGE_SIZE, |party| party.arrival().to_string());
    let next = next.map(|next| search.older(&next));
    let template = SittingListPage { page, search, period, parties, next };
    template.page.html(&template)
}

/// The latest first: those that were there in one of these times, or with `came` those that came then.
async fn find(
    conn: &mut AsyncPgConnection,
    windows: &[(Timestamp, Timestamp)],
    before: Option<Arrival>,
    (came, now): (bool, Timestamp),
    limit: i64,
) -> QueryResult<Vec<Party>> {
    let ends = |end: fn(&(Timestamp, Timestamp)) -> Timestamp| -> Vec<SqlTimestamp> {
        windows.iter().map(|window| SqlTimestamp::from(end(window))).collect()
    };
    // Nobody comes later than in an hour.
    let Arrival { at, id } =
        before.unwrap_or(Arrival { at: now + SignedDuration::from_hours(1), id: SittingId(uuid::Uuid::max()) });
    sql_query(include_str!("list.sql"))
        .bind::<Array<Timestamptz>, _>(ends(|(since, _)| *since))
        .bind::<Array<Timestamptz>, _>(ends(|(_, until)| *until))
        .bind::<Timestamptz, _>(SqlTimestamp::from(at))
        .bind::<SqlUuid, _>(id)
        .bind::<BigInt, _>(limit)
        .bind::<Bool, _>(came)
        .bind::<Timestamptz, _>(SqlTimestamp::from(now))
        .load(conn)
        .await
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

impl Party {
    fn arrival(&self) -> Arrival {
        Arrival { at: self.opened_at, id: self.id }
    }

    /// How long it was there, or is by now.
    fn minutes(&self, page: &Page) -> i64 {
        self.closed_at.unwrap_or(page.now).duration_since(self.opened_at).as_mins().max(0)
    }

    fn end_key(&self) -> &'static str {
        self.ended.as_deref().and_then(|it| it.parse().ok()).map_or("sittings-there", SittingEnd::key)
    }
}

impl std::fmt::Display for Arrival {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.at.as_microsecond(), self.id)
    }
}

impl std::str::FromStr for Arrival {
    type Err = ApiError;

    fn from_str(text: &str) -> Result<Self, ApiError> {
        let wrong = || bad_request("invalid_query");
        let (at, id) = text.split_once('.').ok_or_else(wrong)?;
        let at = at.parse().ok().and_then(|at| Timestamp::from_microsecond(at).ok()).ok_or_else(wrong)?;
        Ok(Self { at, id: id.parse().map_err(|_| wrong())? })
    }
}
