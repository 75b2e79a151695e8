//! The list of tournaments, the latest first.

use std::collections::HashMap;

use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::Deserialize;

use crate::tournaments::view::TournamentWords;
use base::auth::can;
use base::list::List;
use competitions::tournaments::{Filter, TournamentId, TournamentRow, TournamentStatus, store};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};

const PAGE_SIZE: i64 = 40;

#[derive(Template)]
#[template(path = "admin/tournaments/list.html")]
struct ListPage {
    page: Page,
    search: ListSearch,
    listed: Vec<Listed>,
    next: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListSearch {
    status: Option<TournamentStatus>,
    cursor: Option<TournamentId>,
}

/// A tournament in a list.
pub(in crate::tournaments) struct Listed {
    pub game: String,
    pub formats: String,
    pub entrants: i64,
    /// When it begins, began or was thought of.
    pub at: Timestamp,
    pub row: TournamentRow,
}

#[get("/admin/tournaments")]
pub async fn show_tournaments(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Search(search): Search<ListSearch>,
) -> ApiResult<HttpResponse> {
    let filter = Filter { status: search.status, with_drafts: true, before: search.cursor };
    let List { items, next } = list_all(cx.conn().await?, &page, &filter).await?;
    let status = search.status.map(|status| format!("&status={status}")).unwrap_or_default();
    let next = next.map(|cursor| format!("/admin/tournaments?cursor={cursor}{status}"));
    let template = ListPage { listed: items, next, search, page };
    template.page.html(&template)
}

/// A page of tournaments, with how many play in each.
pub(in crate::tournaments) async fn list_all(
    conn: &mut AsyncPgConnection,
    page: &Page,
    filter: &Filter,
) -> ApiResult<List<Listed>> {
    let rows = store::list(conn, filter, PAGE_SIZE + 1).await?;
    let List { items, next } = List::of(rows, PAGE_SIZE, |row| row.id.to_string());
    let ids: Vec<TournamentId> = items.iter().map(|row| row.id).collect();
    let entrants: HashMap<TournamentId, i64> = store::count_entrants(conn, &ids).await?.into_iter().collect();
    let listed = |row: TournamentRow| Listed::of(page, entrants.get(&row.id).copied().unwrap_or(0), row);
    Ok(List { items: items.into_iter().map(listed).collect(), next })
}

impl Listed {
    pub(in crate::tournaments) fn of(page: &Page, entrants: i64, row: TournamentRow) -> Self {
        let formats: Vec<_> = row.stages.iter().map(|plan| page.format_name(&plan.format)).collect();
        Self {
            game: row.title.clone().unwrap_or_else(|| page.game_name(&row.game)),
            formats: formats.join(" → "),
            entrants,
            at: row.started_at.or(row.starts_at).unwrap_or(row.created_at),
            row,
        }
    }
}

impl ListSearch {
    fn is_status(&self, status: &TournamentStatus) -> bool {
        self.status == Some(*status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        let tournaments = moments();
        for rows in [&tournaments[..], &[]] {
            samples::check(samples::STAFF, |page| {
                let search = ListSearch { status: Some(TournamentStatus::Running), cursor: None };
                let listed = rows.iter().map(|it| Listed::of(&page, 7, it.row.clone())).collect();
                ListPage { page, search, listed, next: Some("/".to_owned()) }.render()
            });
        }
    }
}
