//! `/admin/leaderboards` and `/leaderboards`: the same boards, for staff and for guests.

use std::borrow::Borrow;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use engine::catalogue;
use jiff::SignedDuration;
use serde::Deserialize;

use super::board::{Board, Month, Rank};
use super::store::{self, ChangeRow};
use super::{Scope, Why};
use crate::db::{Conn, Db};
use crate::error::{ApiResult, not_found};
use crate::extract::Search;
use crate::list::start as page_start;
use crate::numbers;
use crate::page::{Desk, Page};
use crate::staff::Deed;

const PAGE_SIZE: i64 = 50;
const MONTHS: usize = 12;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardSearch {
    game: Option<String>,
    variant: Option<String>,
    month: Option<String>,
    provisional: Option<bool>,
    cursor: Option<String>,
}

/// A board, ready to print.
struct Shown {
    path: &'static str,
    with_links: bool,
    games: Vec<(&'static str, String)>,
    game: String,
    /// Names and hashes of those that are played now.
    variants: Vec<(String, String)>,
    variant: String,
    months: Vec<String>,
    month: String,
    provisional: bool,
    ranks: Vec<Rank>,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "admin/leaderboards/list.html")]
struct BoardPage<'a> {
    page: &'a Page,
    shown: Shown,
}

#[derive(Template)]
#[template(path = "guest/leaderboards.html")]
struct GuestBoardPage<'a> {
    page: &'a Page,
    shown: Shown,
}

#[get("/admin/leaderboards")]
pub(crate) async fn show_leaderboards(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<BoardSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeePlayers)?;
    let mut shown = Shown::read(&mut db.conn().await?, &page, search, "/admin/leaderboards").await?;
    shown.with_links = true;
    page.html(&BoardPage { page: &page, shown })
}

#[get("/leaderboards")]
pub(crate) async fn show_guest_leaderboards(
    db: Data<Db>,
    page: Page,
    Search(search): Search<BoardSearch>,
) -> ApiResult<HttpResponse> {
    let shown = Shown::read(&mut db.conn().await?, &page, search, "/leaderboards").await?;
    page.html(&GuestBoardPage { page: &page, shown })
}

impl Shown {
    async fn read(conn: &mut Conn, page: &Page, search: BoardSearch, path: &'static str) -> ApiResult<Self> {
        let game = match search.game.as_deref() {
            None => catalogue::GAMES.first().copied(),
            Some(game) => catalogue::find(game),
        };
        let game = game.ok_or_else(|| not_found("unknown_game"))?.info().id;
        // A form sends what was left empty, too.
        let (variant, month) = (search.variant.unwrap_or_default(), search.month.unwrap_or_default());
        let board = Board {
            scope: Scope::of(game, Some(variant.as_str()).filter(|it| !it.is_empty()))?,
            month: Some(month.as_str()).filter(|it| !it.is_empty()).map(Month::parse).transpose()?,
            provisional: search.provisional.unwrap_or(false),
        };
        let after = page_start(search.cursor.as_deref())?;
        let list = board.page(conn, after, PAGE_SIZE).await?;
        let mut shown = Self {
            path,
            with_links: false,
            games: catalogue::GAMES.iter().map(|it| (it.info().id, page.game_name(it.info().id))).collect(),
            game: game.to_owned(),
            variants: store::list_variants(conn, game).await?,
            variant,
            months: months(page),
            month,
            provisional: board.provisional,
            ranks: list.items,
            next: None,
        };
        shown.next = list.next.map(|next| format!("{}&cursor={next}", shown.address(shown.provisional)));
        Ok(shown)
    }

    fn of_game(&self, game: &str) -> String {
        format!("{}?game={game}", self.path)
    }

    /// Games, hashes and months need no escaping: anything else was refused.
    fn address(&self, provisional: bool) -> String {
        format!(
            "{}?game={}&variant={}&month={}&provisional={provisional}",
            self.path, self.game, self.variant, self.month
        )
    }

    fn newcomers(&self) -> String {
        self.address(true)
    }

    fn is_game(&self, game: &str) -> bool {
        self.game == game
    }

    fn is_variant(&self, hash: &str) -> bool {
        self.variant == hash
    }

    fn is_month(&self, month: &str) -> bool {
        self.month == month
    }
}

/// The latest months at the café, this one first.
fn months(page: &Page) -> Vec<String> {
    let mut months: Vec<String> = Vec::new();
    let mut moment = page.now;
    while months.len() < MONTHS {
        let month = page.month(moment);
        if months.last() != Some(&month) {
            months.push(month);
        }
        moment -= SignedDuration::from_hours(24 * 20);
    }
    months
}

impl Page {
    /// Why a rating changed, in a sentence.
    /// Ratings are told apart like names: no mark parts their thousands.
    pub(crate) fn rating(&self, rating: impl Borrow<i32>) -> String {
        numbers::name(*rating.borrow())
    }

    pub(crate) fn rating_reason(&self, change: &ChangeRow) -> String {
        let key = match change.why {
            Why::Played => "why-played",
            Why::LeftEarly => "why-left-early",
            Why::LeftAlone => "why-left-alone",
        };
        self.say(key)
            .with("place", change.place)
            .with("opponents", change.opponents)
            .with("beaten", self.lang.up_to(change.beaten, 1))
            .with("expected", self.lang.up_to(change.expected, 1))
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lang;

    #[test]
    fn a_year_of_months_is_offered_each_once() {
        let mut page = Page::sample(Lang::En);
        page.now = "2026-03-31T12:00:00Z".parse().unwrap();
        let months = months(&page);
        assert_eq!(months[..4], ["2026-03", "2026-02", "2026-01", "2025-12"]);
        assert_eq!(months.len(), MONTHS);
    }
}
