//! `/admin/search`: one search through everything, which `/` opens from anywhere.

use actix_web::{HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use super::Group;
use base::auth::can;
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};

const LONGEST: usize = 80;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchQuery {
    #[serde(default)]
    q: String,
}

#[derive(Template)]
#[template(path = "admin/search/show.html", blocks = ["found"])]
struct SearchPage<'a> {
    page: &'a Page,
    q: &'a str,
    groups: &'a [Group],
}

#[get("/admin/search")]
pub async fn show_search(
    StaffPage { page, mut cx }: StaffPage<can::ViewFloor>,
    Search(query): Search<SearchQuery>,
) -> ApiResult<HttpResponse> {
    let q: String = query.q.trim().chars().take(LONGEST).collect();
    let groups = match q.as_str() {
        "" => Vec::new(),
        q => super::find(cx.conn().await?, &page, q).await?,
    };
    let template = SearchPage { page: &page, q: &q, groups: &groups };
    if page.fragment { page.html(&template.as_found()) } else { page.html(&template) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Found;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::STAFF, |page| {
            let found = Found {
                icon: "tables",
                name: "1번".to_owned(),
                detail: "창가".to_owned(),
                path: "/admin?table=1".to_owned(),
            };
            let groups = [Group { name: "tables", found: vec![found] }];
            SearchPage { page: &page, q: "1", groups: &groups }.render()
        });
        samples::check(samples::STAFF, |page| SearchPage { page: &page, q: "x", groups: &[] }.render());
    }
}
