//! `/api/v1/stats/…`: the figures of the café.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::get;
use actix_web::web::{Data, Json};
use jiff::Zoned;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use base::auth::can;
use base::error::{FieldError, invalid_fields};
use base::ids::unhex;
use base::settings::Cafe;
use base::world::World;
use play::stats::figures::is_game;
use play::stats::{
    Day, Figures, Filter, Hour, Length, Period, PlaceWins, Play, Returning, RoleWins, SeatWins, Summary, TableHour,
};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Search};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatsQuery {
    /// The first day, at the café; the week that ends with `until` if left out. At most 366 days at once.
    #[param(example = "2026-11-01")]
    from: Option<Date>,
    /// The last day; today if left out.
    #[param(example = "2026-11-21")]
    until: Option<Date>,
    /// Of this game only.
    #[param(example = "perudo")]
    game: Option<String>,
    /// Of these rules only: a variant's hash.
    variant: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeriodQuery {
    /// The first day, at the café; the week that ends with `until` if left out. At most 366 days at once.
    #[param(example = "2026-11-01")]
    from: Option<Date>,
    /// The last day; today if left out.
    #[param(example = "2026-11-21")]
    until: Option<Date>,
}

/// What tells which day it is at the café.
type Here = (Data<World>, Data<Config>, Data<Cafe>);

/// Figures of a period.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Stats<T> {
    from: Date,
    until: Date,
    items: Vec<T>,
}

impl StatsQuery {
    fn filter(self, now: &Zoned) -> ApiResult<Filter> {
        let period = Period::of(self.from, self.until, now.date())?;
        let mut wrong = Vec::new();
        if self.game.as_deref().is_some_and(|game| !is_game(game)) {
            wrong.push(FieldError::new("game", "unknown_value"));
        }
        let variant = self.variant.as_deref().map(unhex);
        if variant == Some(None) {
            wrong.push(FieldError::new("variant", "invalid"));
        }
        if !wrong.is_empty() {
            return Err(invalid_fields(wrong).into());
        }
        Ok(Filter { period, game: self.game, variant: variant.flatten() })
    }
}

impl PeriodQuery {
    fn filter(self, now: &Zoned) -> ApiResult<Filter> {
        let Self { from, until } = self;
        StatsQuery { from, until, game: None, variant: None }.filter(now)
    }
}

fn now((world, config, cafe): &Here) -> Zoned {
    world.now().to_zoned(cafe.zone(&config.time_zone))
}

/// What the period came to, and what as many days right before it did. For staff.
#[utoipa::path(tag = "stats", params(StatsQuery), responses((status = 200, body = Summary)))]
#[get("/stats/summary")]
pub async fn find_stats_summary(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<Summary>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    Ok(Json(cx.read(async |conn| Figures::of(conn, &filter, &now).summary().await).await?))
}

/// Each day of the period. For staff.
#[utoipa::path(tag = "stats", params(StatsQuery), responses((status = 200, body = Stats<Day>)))]
#[get("/stats/days")]
pub async fn list_stats_days(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<Stats<Day>>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    let Period { from, until } = filter.period;
    let items = cx.read(async |conn| Figures::of(conn, &filter, &now).days().await).await?;
    Ok(Json(Stats { from, until, items }))
}

/// How often each game was played by which rules, the most played first. For staff.
#[utoipa::path(tag = "stats", params(StatsQuery), responses((status = 200, body = Stats<Play>)))]
#[get("/stats/games")]
pub async fn list_stats_games(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<Stats<Play>>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    let Period { from, until } = filter.period;
    let items = cx.read(async |conn| Figures::of(conn, &filter, &now).plays().await).await?;
    Ok(Json(Stats { from, until, items }))
}

/// The hours of a week: all 168, Monday's first. For staff.
#[utoipa::path(tag = "stats", params(StatsQuery), responses((status = 200, body = Stats<Hour>)))]
#[get("/stats/hours")]
pub async fn list_stats_hours(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<Stats<Hour>>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    let Period { from, until } = filter.period;
    let items = cx.read(async |conn| Figures::of(conn, &filter, &now).hours().await).await?;
    Ok(Json(Stats { from, until, items }))
}

/// How long tables were taken in the hours of a week: all 168, Monday's first. For staff.
#[utoipa::path(tag = "stats", params(PeriodQuery), responses((status = 200, body = Stats<TableHour>)))]
#[get("/stats/tables")]
pub async fn list_stats_tables(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<PeriodQuery>,
) -> ApiResult<Json<Stats<TableHour>>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    let Period { from, until } = filter.period;
    let items = cx.read(async |conn| Figures::of(conn, &filter, &now).table_hours().await).await?;
    Ok(Json(Stats { from, until, items }))
}

/// How long matches take, by rules and number of seats. For staff.
#[utoipa::path(tag = "stats", params(StatsQuery), responses((status = 200, body = Stats<Length>)))]
#[get("/stats/length")]
pub async fn list_stats_lengths(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<Stats<Length>>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    let Period { from, until } = filter.period;
    let items = cx.read(async |conn| Figures::of(conn, &filter, &now).lengths().await).await?;
    Ok(Json(Stats { from, until, items }))
}

/// How often each seat wins, by rules and number of seats. For staff.
#[utoipa::path(tag = "stats", params(StatsQuery), responses((status = 200, body = Stats<SeatWins>)))]
#[get("/stats/seats")]
pub async fn list_stats_seats(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<Stats<SeatWins>>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    let Period { from, until } = filter.period;
    let items = cx.read(async |conn| Figures::of(conn, &filter, &now).seats().await).await?;
    Ok(Json(Stats { from, until, items }))
}

/// How often each place in the order of play wins, by rules and number of seats. For staff.
#[utoipa::path(tag = "stats", params(StatsQuery), responses((status = 200, body = Stats<PlaceWins>)))]
#[get("/stats/orders")]
pub async fn list_stats_orders(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<Stats<PlaceWins>>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    let Period { from, until } = filter.period;
    let items = cx.read(async |conn| Figures::of(conn, &filter, &now).orders().await).await?;
    Ok(Json(Stats { from, until, items }))
}

/// How often those who play each animal, character or trait win, by rules and number of seats. For staff.
#[utoipa::path(tag = "stats", params(StatsQuery), responses((status = 200, body = Stats<RoleWins>)))]
#[get("/stats/roles")]
pub async fn list_stats_roles(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<StatsQuery>,
) -> ApiResult<Json<Stats<RoleWins>>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    let Period { from, until } = filter.period;
    let items = cx.read(async |conn| Figures::of(conn, &filter, &now).roles().await).await?;
    Ok(Json(Stats { from, until, items }))
}

/// Who comes back. For staff.
#[utoipa::path(tag = "stats", params(PeriodQuery), responses((status = 200, body = Returning)))]
#[get("/stats/returning")]
pub async fn find_stats_returning(
    here: Here,
    Authorized(mut cx): Authorized<can::ViewStats>,
    Search(query): Search<PeriodQuery>,
) -> ApiResult<Json<Returning>> {
    let now = now(&here);
    let filter = query.filter(&now)?;
    Ok(Json(cx.read(async |conn| Figures::of(conn, &filter, &now).returning().await).await?))
}
