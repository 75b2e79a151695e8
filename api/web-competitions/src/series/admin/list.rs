//! The list of series, the latest first.

use actix_web::{HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use base::auth::can;
use base::ids::SeriesId;
use base::list::List;
use competitions::series::{Filter, SeriesRow, list};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};

const PAGE_SIZE: i64 = 40;

#[derive(Template)]
#[template(path = "admin/series/list.html")]
struct ListPage {
    page: Page,
    listed: Vec<SeriesRow>,
    next: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListSearch {
    cursor: Option<SeriesId>,
}

#[get("/admin/series")]
pub async fn show_series_list(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Search(search): Search<ListSearch>,
) -> ApiResult<HttpResponse> {
    let filter = Filter { with_drafts: true, before: search.cursor, ..Filter::default() };
    let rows = list(cx.conn().await?, &filter, PAGE_SIZE + 1).await?;
    let List { items, next } = List::of(rows, PAGE_SIZE, |row| row.id.to_string());
    let template = ListPage { page, listed: items, next: next.map(|it| format!("/admin/series?cursor={it}")) };
    template.page.html(&template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::samples::seasons;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        for listed in [seasons().into_iter().map(|it| it.row).collect(), Vec::new()] {
            samples::check(samples::STAFF, |page| {
                ListPage { page, listed: listed.clone(), next: Some("/".to_owned()) }.render()
            });
        }
    }
}
