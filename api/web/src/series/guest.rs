//! `/series/{code}`: what everybody sees of a season.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;

use super::view::{RulesWords, SeriesView};
use crate::error::ApiResult;
use crate::extract::Path;
use crate::page::Page;
use cafe::db::Db;
use cafe::series;

#[derive(Template)]
#[template(path = "guest/series.html")]
struct GuestSeriesPage<'a> {
    page: &'a Page,
    view: &'a SeriesView,
}

#[get("/series/{code}")]
pub(crate) async fn show_guest_series(db: Data<Db>, page: Page, Path(code): Path<String>) -> ApiResult<HttpResponse> {
    let season = series::load_by_code(&mut *db.conn().await?, &code, false).await?;
    let view = SeriesView::of(&page, season)?;
    page.html(&GuestSeriesPage { page: &page, view: &view })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;
    use crate::series::samples::seasons;

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
