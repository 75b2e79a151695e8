//! `/series/{code}`: what everybody sees of a season.

use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;

use super::view::{RulesWords, SeriesView};
use base::db::Db;
use base::live::Live;
use base::world::World;
use competitions::series;
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Streams};
use web_base::page::Page;
use web_base::streams::{FingerprintWatch, stream};

/// A table changes when an event ends: seldom, while much happens on the floor.
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);

#[derive(Template)]
#[template(path = "guest/series.html", blocks = ["live"])]
struct GuestSeriesPage<'a> {
    page: &'a Page,
    view: &'a SeriesView,
}

#[get("/series/{code}")]
pub async fn show_guest_series(db: Data<Db>, page: Page, Path(code): Path<String>) -> ApiResult<HttpResponse> {
    let season = series::load_by_code(&mut *db.conn().await?, &code, false).await?;
    let view = SeriesView::of(&page, season)?;
    let template = GuestSeriesPage { page: &page, view: &view };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// Says that the table, or what it is made of, has changed.
#[get("/series/{code}/live")]
pub async fn watch_guest_series(
    budget: Budget<Streams>,
    db: Data<Db>,
    (live, world): (Data<Live>, Data<World>),
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    let id = series::find_by_code(&mut *db.conn().await?, &code).await?;
    let find = async move |conn: &mut AsyncPgConnection| Ok(series::store::find_fingerprint(conn, id).await?);
    Ok(stream(FingerprintWatch::begin(db, &live, BETWEEN_LOOKS, find).await?, world, budget))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::samples::seasons;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        for season in seasons() {
            samples::check(samples::ANYBODY, |page| {
                let view = SeriesView::of(&page, season.clone()).unwrap();
                GuestSeriesPage { page: &page, view: &view }.render()
            });
        }
    }
}
