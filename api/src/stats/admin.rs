//! `/admin/stats`: the figures as charts, each with its table behind it, and as files.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use engine::catalogue;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::chart::{self, Bar};
use super::figures::is_game;
use super::sheet::Sheet;
use super::tables::Tables;
use super::{Figures, Filter, Period, SeatWins, Summary};
use crate::audit::{self, Entry};
use crate::db::Db;
use crate::error::{ApiResult, bad_request};
use crate::extract::Search;
use crate::page::{Desk, Page};
use crate::staff::Deed;
use crate::world::World;

const PAGE: &str = "/admin/stats";
const SPANS: [(i32, &str); 4] = [(1, "stats-today"), (7, "stats-7"), (30, "stats-30"), (90, "stats-90")];
/// So many lines of wins are drawn; the table has them all.
const DRAWN: usize = 24;

/// As the form sends it: what is left open is empty.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StatsSearch {
    from: String,
    until: String,
    game: String,
    /// Of an export.
    #[serde(skip_serializing)]
    table: String,
}

#[derive(Template)]
#[template(path = "admin/stats/show.html")]
struct StatsPage {
    page: Page,
    search: StatsSearch,
    period: Period,
    today: Date,
    summary: Summary,
    tables: Tables,
    games: Vec<(&'static str, String)>,
}

/// A figure, and the same of the period before.
struct Tile {
    key: &'static str,
    now: i64,
    before: i64,
    href: String,
}

#[get("/admin/stats")]
pub(crate) async fn show_stats(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<StatsSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeStats)?;
    let today = page.today();
    let filter = search.filter(today)?;
    let period = filter.period;
    let mut conn = db.conn().await?;
    let mut figures = Figures { conn: &mut conn, filter };
    let summary = figures.summary().await?;
    let tables = Tables::read(&mut figures).await?;
    let games = catalogue::GAMES.iter().map(|kind| (kind.info().id, page.game_name(kind.info().id))).collect();
    let template = StatsPage { page, search, period, today, summary, tables, games };
    template.page.html(&template)
}

#[get("/admin/stats/export")]
pub(crate) async fn export_stats(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Search(search): Search<StatsSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeStats)?;
    let filter = search.filter(page.today())?;
    let name = format!("house-rules-{}-{}", filter.period.from, filter.period.until);
    let mut conn = db.conn().await?;
    let details = json!({ "table": search.table, "filter": search });
    let entry = Entry { actor: Some(staff.id), action: "stats.export", subject: "house", subject_id: None, details };
    audit::record(&mut conn, &world, entry).await?;
    let sheets = Tables::read(&mut Figures { conn: &mut conn, filter }).await?.sheets(&page);
    let sheet = sheets.iter().find(|sheet| sheet.id == search.table).ok_or_else(|| bad_request("invalid_query"))?;
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("content-disposition", format!("attachment; filename=\"{name}-{}.csv\"", sheet.id)))
        .body(sheet.csv()))
}

impl StatsSearch {
    fn filter(&self, today: Date) -> ApiResult<Filter> {
        let date = |text: &str| match text {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| bad_request("invalid_query")),
        };
        let period = Period::of(date(&self.from)?, date(&self.until)?, today)?;
        let game = Some(self.game.clone()).filter(|game| !game.is_empty());
        if game.as_deref().is_some_and(|game| !is_game(game)) {
            return Err(bad_request("invalid_query"));
        }
        Ok(Filter { period, game, variant: None })
    }

    fn address(&self, path: &str) -> String {
        format!("{path}?{}", serde_urlencoded::to_string(self).unwrap_or_default())
    }
}

impl Tile {
    fn difference(&self, page: &Page) -> String {
        let by = (self.now - self.before).abs();
        let key = match self.now.cmp(&self.before) {
            std::cmp::Ordering::Greater => "stats-more",
            std::cmp::Ordering::Less => "stats-fewer",
            std::cmp::Ordering::Equal => "stats-same",
        };
        page.say(key).with("by", by).with("before", self.before).to_string()
    }
}

impl StatsPage {
    /// The address of so many days up to today, its name, and whether it is what is shown.
    fn spans(&self) -> Vec<(String, &'static str, bool)> {
        let span = |(days, key): &(i32, &'static str)| {
            let Period { from, until } = Period::last(*days, self.today);
            let search = StatsSearch { from: from.to_string(), until: until.to_string(), ..self.search.clone() };
            (search.address(PAGE), *key, Period { from, until } == self.period)
        };
        SPANS.iter().map(span).collect()
    }

    fn tiles(&self) -> Vec<Tile> {
        let Summary { now, before } = &self.summary;
        let ended = |status: &str| {
            let Period { from, until } = self.period;
            let game = &self.search.game;
            format!("/admin/matches?status={status}&from={from}&to={until}&game={game}")
        };
        let mut tiles = vec![
            Tile { key: "stats-finished", now: now.finished, before: before.finished, href: ended("finished") },
            Tile { key: "stats-players", now: now.players, before: before.players, href: "#days".to_owned() },
        ];
        if let (Some(now), Some(before)) = (now.guests, before.guests) {
            tiles.push(Tile { key: "stats-guests", now, before, href: "#returning".to_owned() });
        }
        if let (Some(now), Some(before)) = (now.new_guests, before.new_guests) {
            tiles.push(Tile { key: "stats-new", now, before, href: "#returning".to_owned() });
        }
        let (aborted, expired) = (now.aborted, now.expired);
        tiles.push(Tile { key: "stats-aborted", now: aborted, before: before.aborted, href: ended("aborted") });
        tiles.push(Tile { key: "stats-expired", now: expired, before: before.expired, href: ended("expired") });
        tiles
    }

    fn is_empty(&self) -> bool {
        self.summary.now.finished + self.summary.now.aborted + self.summary.now.expired == 0
    }

    fn day_bars(&self) -> Vec<Bar> {
        chart::bars(self.tables.days.iter().map(|day| (day.finished, format!("{}: {}", day.day, day.finished))))
    }

    fn visit_bars(&self) -> Vec<Bar> {
        let title =
            |days, guests| self.page.say("stats-visit-bar").with("days", days).with("guests", guests).to_string();
        let visits = self.tables.returning.iter().flat_map(|it| &it.visits);
        let values: Vec<_> = visits.map(|it| (it.guests, title(it.days, it.guests))).collect();
        chart::bars(values.into_iter())
    }

    /// Week by week day, hour by hour: where each field is, how dark, and what it says.
    fn heat(&self) -> Vec<(i64, i64, i64, String)> {
        let most = self.tables.hours.iter().map(|hour| hour.finished).max().unwrap_or(0);
        let field = |hour: &super::Hour| {
            let (column, line) = (i64::from(hour.hour), i64::from(hour.weekday) - 1);
            let day = self.page.t(&format!("stats-weekday-{}", hour.weekday));
            let title = format!("{day} {:02}:00 · {}", hour.hour, hour.finished);
            (40 + column * 23, 2 + line * 24, chart::heat(hour.finished, most), title)
        };
        self.tables.hours.iter().map(field).collect()
    }

    fn weekdays(&self) -> Vec<(i64, String)> {
        (0..7).map(|line| (18 + line * 24, self.page.t(&format!("stats-weekday-{}", line + 1)))).collect()
    }

    fn hours(&self) -> Vec<(i64, i64)> {
        (0..24).step_by(3).map(|hour| (40 + hour * 23, hour)).collect()
    }

    fn width_of(&self, value: &i64) -> f64 {
        let most = self.tables.plays.iter().map(|play| play.finished).max().unwrap_or(0).max(1);
        chart::place(*value as f64 / most as f64)
    }

    fn drawn_seats(&self) -> &[SeatWins] {
        let seats = &self.tables.seats;
        // Not in the middle of a table.
        let end = (0..=seats.len().min(DRAWN)).rev().find(|at| seats.get(*at).is_none_or(|it| it.seat == 0));
        &seats[..end.unwrap_or(0)]
    }

    fn place(&self, share: &f64) -> f64 {
        chart::place(*share)
    }

    fn fair(&self, seat: &SeatWins) -> f64 {
        chart::place(1.0 / f64::from(seat.seats.max(1)))
    }

    fn percent(&self, share: &f64) -> String {
        format!("{:.1}", share * 100.0)
    }

    fn length_of(&self, seconds: &i64) -> f64 {
        let longest = self.tables.lengths.iter().map(|length| length.p90_seconds).max().unwrap_or(0).max(1);
        chart::place(*seconds as f64 / longest as f64)
    }

    fn minutes(&self, seconds: &i64) -> String {
        format!("{:.1}", *seconds as f64 / 60.0)
    }

    fn rules(&self, game: &str, variant: &Option<String>, hash: &str) -> String {
        super::tables::rules(&self.page, game, variant.as_deref(), hash)
    }

    fn sheets(&self) -> Vec<Sheet> {
        self.tables.sheets(&self.page)
    }

    fn export(&self, table: &str) -> String {
        format!("{}&table={table}", self.search.address("/admin/stats/export"))
    }
}
