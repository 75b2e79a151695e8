//! The house's rules, game by game.

use std::collections::HashMap;

use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::catalogue;
use serde::Deserialize;

use super::{LIST, basic};
use base::auth::can;
use base::list::List;
use base::text::Lang;
use play::variants::difference::sentence;
use play::variants::store::{self, COUNTED, Filter};
use play::variants::{VariantId, VariantRow, VariantStatus, VersionRow};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};

const PAGE_SIZE: i64 = 60;

/// The filters of the list.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VariantSearch {
    status: Option<VariantStatus>,
    game: Option<String>,
    cursor: Option<VariantId>,
}

#[derive(Template)]
#[template(path = "admin/variants/list.html")]
struct VariantListPage {
    page: Page,
    search: VariantSearch,
    games: Vec<OfGame>,
    next: Option<String>,
}

/// A game with its variants.
struct OfGame {
    id: &'static str,
    name: String,
    variants: Vec<Listed>,
}

/// A variant in the list.
struct Listed {
    variant: VariantRow,
    /// What is played; the draft where nothing was published.
    version: i32,
    has_draft: bool,
    plays: i64,
    differs: String,
}

#[get("/admin/variants")]
pub async fn show_variants(
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Search(search): Search<VariantSearch>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let game = search.game.as_deref().filter(|game| !game.is_empty());
    let filter = Filter { status: search.status, game, before: search.cursor };
    let rows = store::list(conn, &filter, PAGE_SIZE + 1).await?;
    let List { items, next } = List::of(rows, PAGE_SIZE, |row| row.id.to_string());
    let next = next.map(|cursor| search.address(search.status, Some(&cursor)));
    let listed = list(conn, page.lang, items).await?;
    let mut by_game: HashMap<String, Vec<Listed>> = HashMap::new();
    for it in listed {
        by_game.entry(it.variant.game.clone()).or_default().push(it);
    }
    let shown = catalogue::GAMES.iter().map(|kind| kind.info().id).filter(|id| game.is_none_or(|game| game == *id));
    let games =
        shown.map(|id| OfGame { id, name: page.game_name(id), variants: by_game.remove(id).unwrap_or_default() });
    // With a status chosen, a game without any says nothing.
    let games = games.filter(|it| search.status.is_none() || !it.variants.is_empty());
    let template = VariantListPage { games: games.collect(), page, search, next };
    template.page.html(&template)
}

async fn list(conn: &mut AsyncPgConnection, lang: Lang, rows: Vec<VariantRow>) -> ApiResult<Vec<Listed>> {
    let ids: Vec<VariantId> = rows.iter().map(|row| row.id).collect();
    let latest = store::list_latest(conn, &ids).await?;
    let plays: HashMap<VariantId, i64> = store::count_plays(conn, &ids).await?.into_iter().collect();
    let mut listed = Vec::new();
    for variant in rows {
        let versions: Vec<&VersionRow> =
            latest.iter().map(|(row, _)| row).filter(|row| row.variant_id == variant.id).collect();
        let Some(current) = versions.iter().max_by_key(|row| (row.published_at.is_some(), row.number)) else {
            continue;
        };
        let basic = basic(base::games::kind(&variant.game)?)?;
        listed.push(Listed {
            version: current.number,
            has_draft: versions.iter().any(|row| row.number > current.number),
            plays: plays.get(&variant.id).copied().unwrap_or(0),
            differs: sentence(lang, &variant.game, &basic, &current.options),
            variant,
        });
    }
    Ok(listed)
}

impl VariantListPage {
    /// Whether there is no other page, on which a game may have variants.
    fn is_whole(&self) -> bool {
        self.search.cursor.is_none() && self.next.is_none()
    }
}

impl VariantSearch {
    fn is_status(&self, status: Option<&VariantStatus>) -> bool {
        self.status.as_ref() == status
    }

    fn address(&self, status: Option<VariantStatus>, cursor: Option<&str>) -> String {
        // Games' ids need no escaping; anything else found nothing.
        let game = self.game.as_deref().filter(|game| catalogue::find(game).is_some());
        let pairs = [("status", status.map(VariantStatus::as_str)), ("game", game), ("cursor", cursor)];
        let given = pairs.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        format!("{LIST}?{}", given.collect::<Vec<_>>().join("&"))
    }

    fn tab(&self, status: Option<&VariantStatus>) -> String {
        self.address(status.copied(), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::STAFF, |page| {
            let listed = |status| Listed {
                variant: samples::variant(status),
                version: 2,
                has_draft: true,
                plays: 3,
                differs: page.t("variant-same"),
            };
            let variants = [VariantStatus::Draft, VariantStatus::Published, VariantStatus::Retired].map(listed).into();
            let games = vec![OfGame { id: "perudo", name: page.game_name("perudo"), variants }];
            VariantListPage { page, search: VariantSearch::default(), games, next: None }.render()
        });
    }
}
