//! `/library`: what guests may choose from.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;

use super::admin::{TitleView, with_copies};
use base::db::Db;
use base::list::{List, page_size};
use play::library::{CopyState, TitleRow, TitleSearch, store};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, Say};

const LIST: &str = "/library";

#[derive(Template)]
#[template(path = "guest/library.html")]
struct GuestLibraryPage {
    page: Page,
    search: TitleSearch,
    titles: Vec<TitleView>,
    next: Option<String>,
}

#[get("/library")]
pub async fn show_library(db: Data<Db>, page: Page, Search(search): Search<TitleSearch>) -> ApiResult<HttpResponse> {
    let limit = page_size(search.limit.or(Some(40)))?;
    let filter = search.filter()?;
    let mut conn = db.conn().await?;
    let rows = store::list(&mut conn, page.lang, &filter, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    let titles = with_copies(&mut conn, items).await?;
    let next = next.map(|cursor| {
        let fields = [
            ("name", search.name.as_deref()),
            ("players", search.players.as_deref()),
            ("minutes", search.minutes.as_deref()),
            ("difficulty", search.difficulty.as_deref()),
            ("cursor", Some(cursor.as_str())),
        ];
        address(LIST, fields)
    });
    let template = GuestLibraryPage { page, search, titles, next };
    template.page.html(&template)
}

/// This page with these fields in its query.
pub(super) fn address<const N: usize>(path: &str, fields: [(&str, Option<&str>); N]) -> String {
    let given = fields.into_iter().filter_map(|(name, value)| Some((name, value.filter(|it| !it.is_empty())?)));
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
    format!("{path}?{query}")
}

impl TitleView {
    pub(super) fn is_here(&self) -> bool {
        self.copies.iter().any(|copy| copy.state == CopyState::Shelf)
    }
}

/// How a title is told on a page.
pub(crate) trait TitleWords {
    /// For how many people.
    fn players(&self, page: &Page) -> Say;
    /// How long it takes.
    fn minutes(&self, page: &Page) -> Say;
}

impl TitleWords for TitleRow {
    fn players(&self, page: &Page) -> Say {
        page.players(self.players_from, self.players_to)
    }

    fn minutes(&self, page: &Page) -> Say {
        match self.minutes_from == self.minutes_to {
            true => page.say("title-minutes-one").with("minutes", self.minutes_from),
            false => page.say("title-minutes-span").with("least", self.minutes_from).with("most", self.minutes_to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        let found = |copies| TitleView { title: samples::title(), copies };
        for is_empty in [false, true] {
            samples::check(samples::ANYBODY, |page| {
                let here = [CopyState::Shelf, CopyState::Table].map(samples::copy).into();
                let titles = if is_empty { Vec::new() } else { vec![found(here), found(Vec::new())] };
                GuestLibraryPage { page, search: TitleSearch::default(), titles, next: Some("/".to_owned()) }.render()
            });
        }
    }

    #[test]
    fn an_address_holds_any_text() {
        let fields = [("name", Some("ㅍ&x=1 #")), ("players", Some("")), ("cursor", None)];
        assert_eq!(address("/library", fields), "/library?name=%E3%85%8D%26x%3D1+%23");
    }
}
