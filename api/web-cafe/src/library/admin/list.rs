//! The list of titles, found by what one knows of them, and where their copies are.

use crate::library::guest::TitleWords;
use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::LIST;
use crate::library::guest;
use base::auth::can;
use base::list::List;
use play::library::store::{self, Filter};
use play::library::{self, CopyRow, CopyState, Difficulty, TitleId, TitleRow, TitleSearch};
use play::tables::{self, TableRow};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};

const PAGE_SIZE: i64 = 40;

const UNPLAYED_DAYS: i64 = 90;

/// The filters of the list.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListSearch {
    show: Option<Show>,
    name: Option<String>,
    players: Option<String>,
    minutes: Option<String>,
    difficulty: Option<String>,
    cursor: Option<String>,
}

base::text_enum! {
    /// Which titles a page of the list shows.
    pub enum Show {
        Table = "table",
        Return = "return",
        Repair = "repair",
        Lost = "lost",
        Unplayed = "unplayed",
        Archived = "archived",
    }
}

/// A title in the list, with its copies.
pub(in crate::library) struct TitleView {
    pub title: TitleRow,
    pub copies: Vec<CopyRow>,
}

#[derive(Template)]
#[template(path = "admin/library/list.html")]
struct LibraryPage {
    page: Page,
    search: ListSearch,
    titles: Vec<TitleView>,
    tables: Vec<TableRow>,
    waiting: Vec<(CopyRow, TitleRow)>,
    next: Option<String>,
}

#[get("/admin/library")]
pub async fn show_library(
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Search(search): Search<ListSearch>,
) -> ApiResult<HttpResponse> {
    let filter = search.filter(&page)?;
    let rows = store::list(cx.conn().await?, page.lang, &filter, PAGE_SIZE + 1).await?;
    let List { items, next } = List::of(rows, PAGE_SIZE, |row| row.id.to_string());
    let titles = with_copies(cx.conn().await?, items).await?;
    let waiting = library::to_check_in(cx.conn().await?).await?;
    let tables = tables::store::list(cx.conn().await?, true).await?;
    let next = next.map(|cursor| search.address(search.show, Some(&cursor)));
    let template = LibraryPage { page, search, titles, tables, waiting, next };
    template.page.html(&template)
}

pub(in crate::library) async fn with_copies(
    conn: &mut AsyncPgConnection,
    titles: Vec<TitleRow>,
) -> ApiResult<Vec<TitleView>> {
    let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
    let copies = store::list_copies(conn, &ids, false).await?;
    let of = |title: TitleRow| {
        let copies = copies.iter().filter(|copy| copy.title_id == title.id).cloned().collect();
        TitleView { title, copies }
    };
    Ok(titles.into_iter().map(of).collect())
}

impl ListSearch {
    fn filter(&self, page: &Page) -> ApiResult<Filter> {
        let days = jiff::SignedDuration::from_hours(24 * UNPLAYED_DAYS);
        let asked = TitleSearch {
            name: self.name.clone(),
            players: self.players.clone(),
            minutes: self.minutes.clone(),
            difficulty: self.difficulty.clone(),
            cursor: self.cursor.clone(),
            limit: None,
        };
        let state = self.show.and_then(|show| CopyState::ALL.iter().copied().find(|it| it.as_str() == show.as_str()));
        Ok(Filter {
            state,
            unplayed_since: (self.show == Some(Show::Unplayed)).then(|| page.now - days),
            archived: self.show == Some(Show::Archived),
            ..asked.filter()?
        })
    }

    fn is_show(&self, show: Option<&Show>) -> bool {
        self.show.as_ref() == show
    }

    fn is_difficulty(&self, difficulty: &Difficulty) -> bool {
        self.difficulty.as_deref() == Some(difficulty.as_str())
    }

    fn is_narrow(&self) -> bool {
        let fields = [&self.name, &self.players, &self.minutes, &self.difficulty];
        fields.into_iter().flatten().any(|field| !field.is_empty())
    }

    /// The list with these filters.
    fn address(&self, show: Option<Show>, cursor: Option<&str>) -> String {
        let fields = [
            ("show", show.map(Show::as_str)),
            ("name", self.name.as_deref()),
            ("players", self.players.as_deref()),
            ("minutes", self.minutes.as_deref()),
            ("difficulty", self.difficulty.as_deref()),
            ("cursor", cursor),
        ];
        guest::address(LIST, fields)
    }

    fn tab(&self, show: Option<&Show>) -> String {
        self.address(show.copied(), None)
    }
}

impl LibraryPage {
    fn table(&self, copy: &CopyRow) -> Option<&str> {
        self.tables.iter().find(|table| Some(table.id) == copy.table_id).map(|table| table.name.as_str())
    }
}

impl Show {
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Table => "copy-state-table",
            Self::Return => "copy-state-return",
            Self::Repair => "copy-state-repair",
            Self::Lost => "copy-state-lost",
            Self::Unplayed => "library-unplayed",
            Self::Archived => "title-archived",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::STAFF, |page| {
            let copies = [CopyState::Shelf, CopyState::Return, CopyState::Lost].map(samples::copy).into();
            let titles = vec![TitleView { title: samples::title(), copies }];
            let waiting = vec![(samples::copy(CopyState::Return), samples::title())];
            let tables = vec![samples::table("1번")];
            LibraryPage { page, search: ListSearch::default(), titles, tables, waiting, next: None }.render()
        });
    }
}
