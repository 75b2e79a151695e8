//! `/admin/stats` and below: the figures as charts, each with its table behind it, and as files.

use actix_web::{HttpResponse, get};
use diesel_async::AsyncPgConnection;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::links::Links;
use super::show::StatsPage;
use super::tables::{self, Tables};
use super::tabs::Tab;
use super::workbook;
use base::audit::{self, Entry};
use base::auth::can;
use base::error::{bad_request, internal};
use base::ids::unhex;
use play::library;
use play::stats::figures::is_game;
use play::stats::{Figures, Filter, Period, Play};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::limits::{Budget, Exports};
use web_base::page::{Page, StaffPage};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// As the form sends it: what is left open is empty.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StatsSearch {
    pub(super) from: String,
    pub(super) until: String,
    pub(super) game: String,
    /// Of these rules only: a variant's hash.
    pub(super) variant: String,
    /// Of an export; none for all of them as one workbook.
    #[serde(skip_serializing)]
    pub(super) table: String,
}

/// Who comes, and how full it is.
#[get("/admin/stats")]
pub async fn show_stats(
    staff: StaffPage<can::ViewStats>,
    Search(search): Search<StatsSearch>,
) -> ApiResult<HttpResponse> {
    show(Tab::House, staff, search).await
}

/// What is played, when and how long.
#[get("/admin/stats/games")]
pub async fn show_stats_of_games(
    staff: StaffPage<can::ViewStats>,
    Search(search): Search<StatsSearch>,
) -> ApiResult<HttpResponse> {
    show(Tab::Games, staff, search).await
}

/// Who comes back, and who wins.
#[get("/admin/stats/people")]
pub async fn show_stats_of_people(
    staff: StaffPage<can::ViewStats>,
    Search(search): Search<StatsSearch>,
) -> ApiResult<HttpResponse> {
    show(Tab::People, staff, search).await
}

async fn show(
    tab: Tab,
    StaffPage { page, mut cx }: StaffPage<can::ViewStats>,
    search: StatsSearch,
) -> ApiResult<HttpResponse> {
    let filter = search.filter(page.today())?;
    let read = async |conn: &mut AsyncPgConnection| {
        let mut figures = Figures::of(conn, &filter, &page.zoned_now());
        let summary = figures.summary().await?;
        let tables = Tables::read(&mut figures, tab.sheets()).await?;
        let rules = rules_to_choose(&mut figures, &tables).await?;
        let other_zone = play::stats::other_zone(figures.conn, page.time_zone()).await?;
        let unlent = match tab {
            Tab::Games if filter.is_of_all() => count_unlent(&page, figures.conn, filter.period).await?,
            _ => None,
        };
        ApiResult::Ok((summary, tables, rules, other_zone, unlent))
    };
    let (summary, tables, rules, other_zone, unlent) = cx.read(read).await?;
    let template = StatsPage { page, tab, search, filter, summary, tables, rules, unlent, other_zone };
    template.page.html(&template)
}

/// How many games of the library nobody took from their shelves on these days. Of days that are long past it is not known.
async fn count_unlent(page: &Page, conn: &mut AsyncPgConnection, period: Period) -> ApiResult<Option<i64>> {
    let since = page.midnight(period.from).filter(|_| period.until >= page.today());
    let Some(since) = since else { return Ok(None) };
    Ok(Some(library::count_unlent(conn, since).await?))
}

#[get("/admin/stats/export")]
pub async fn export_stats(
    _: Budget<Exports>,
    StaffPage { page, mut cx }: StaffPage<can::ViewStats>,
    Search(search): Search<StatsSearch>,
) -> ApiResult<HttpResponse> {
    let filter = search.filter(page.today())?;
    let name = format!("house-rules-{}-{}", filter.period.from, filter.period.until);
    let (conn, actor) = cx.parts().await?;
    let details = json!({ "table": search.table, "filter": search });
    let entry =
        Entry { actor: Some(actor.staff.id), action: "stats.export", subject: "house", subject_id: None, details };
    audit::record(conn, actor.world, entry).await?;
    let now = page.zoned_now();
    let tables = cx.read(async |conn| Tables::read(&mut Figures::of(conn, &filter, &now), &tables::ALL).await).await?;
    let sheets = tables.sheets(&page, &Links::of(&filter));
    if search.table.is_empty() {
        let workbook = workbook::write(&page.t("stats"), &sheets, page.now).map_err(internal)?;
        return Ok(file(XLSX, &format!("{name}.xlsx"), workbook));
    }
    let sheet = sheets.iter().find(|sheet| sheet.id == search.table).ok_or_else(|| bad_request("invalid_query"))?;
    Ok(file("text/csv; charset=utf-8", &format!("{name}-{}.csv", sheet.id), sheet.csv(page.lang).into_bytes()))
}

pub(crate) fn file(kind: &str, name: &str, bytes: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(kind)
        .insert_header(("cache-control", "no-store"))
        .insert_header(("content-disposition", format!("attachment; filename=\"{name}\"")))
        .body(bytes)
}

/// All rules of the period, whichever of them is chosen.
async fn rules_to_choose(figures: &mut Figures<'_>, tables: &Tables) -> ApiResult<Vec<Play>> {
    if figures.filter.variant.is_none() {
        return Ok(tables.plays.clone());
    }
    figures.filter.variant = None;
    Ok(figures.plays().await?)
}

impl StatsSearch {
    fn filter(&self, today: Date) -> ApiResult<Filter> {
        let date = |text: &str| match text {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| bad_request("invalid_query")),
        };
        let period = Period::between(date(&self.from)?, date(&self.until)?, today)?;
        let game = Some(self.game.clone()).filter(|game| !game.is_empty());
        let variant = Some(self.variant.as_str()).filter(|hash| !hash.is_empty()).map(unhex);
        if game.as_deref().is_some_and(|game| !is_game(game)) || variant == Some(None) {
            return Err(bad_request("invalid_query").into());
        }
        Ok(Filter { period, game, variant: variant.flatten() })
    }

    pub(super) fn address(&self, path: &str) -> String {
        format!("{path}?{}", serde_urlencoded::to_string(self).unwrap_or_default())
    }
}
