//! `/admin/search`: one search through everything, which `/` opens from anywhere.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use super::Group;
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::Search;
use crate::page::{Desk, Page};
use crate::staff::Deed;

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
pub(crate) async fn show_search(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(query): Search<SearchQuery>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeFloor)?;
    let q: String = query.q.trim().chars().take(LONGEST).collect();
    let groups = match q.as_str() {
        "" => Vec::new(),
        q => super::find(&mut *db.conn().await?, &page, staff.role, q).await?,
    };
    let template = SearchPage { page: &page, q: &q, groups: &groups };
    if page.fragment { page.html(&template.as_found()) } else { page.html(&template) }
}
