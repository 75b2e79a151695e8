//! `/admin/leaderboards` and `/leaderboards`: the same boards, for staff and for guests.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::catalogue;
use jiff::SignedDuration;
use serde::Deserialize;

use base::auth::can;
use base::db::Db;
use base::error::not_found;
use base::list::start as page_start;
use cafe::ratings::board::{Board, Month, Rank};
use cafe::ratings::store::{self, ChangeRow};
use cafe::ratings::{RATED_A_DAY, Scope, Why};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};

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
struct BoardView {
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
    view: BoardView,
}

#[derive(Template)]
#[template(path = "guest/leaderboards.html")]
struct GuestBoardPage<'a> {
    page: &'a Page,
    view: BoardView,
}

#[get("/admin/leaderboards")]
pub async fn show_leaderboards(
    StaffPage { page, mut cx }: StaffPage<can::ViewPlayers>,
    Search(search): Search<BoardSearch>,
) -> ApiResult<HttpResponse> {
    let read = async |conn: &mut AsyncPgConnection| BoardView::read(conn, &page, &search, "/admin/leaderboards").await;
    let mut view = cx.read(read).await?;
    view.with_links = true;
    page.html(&BoardPage { page: &page, view })
}

#[get("/leaderboards")]
pub async fn show_guest_leaderboards(
    db: Data<Db>,
    page: Page,
    Search(search): Search<BoardSearch>,
) -> ApiResult<HttpResponse> {
    let read = async |conn: &mut AsyncPgConnection| BoardView::read(conn, &page, &search, "/leaderboards").await;
    let view = db.read(read).await?;
    page.html(&GuestBoardPage { page: &page, view })
}

impl BoardView {
    async fn read(
        conn: &mut AsyncPgConnection,
        page: &Page,
        search: &BoardSearch,
        path: &'static str,
    ) -> ApiResult<Self> {
        let game = match search.game.as_deref() {
            None => catalogue::GAMES.first().copied(),
            Some(game) => catalogue::find(game),
        };
        let game = game.ok_or_else(|| not_found("unknown_game"))?.info().id;
        // A form sends what was left empty, too.
        let (variant, month) = (search.variant.clone().unwrap_or_default(), search.month.clone().unwrap_or_default());
        let board = Board {
            scope: Scope::of(game, Some(variant.as_str()).filter(|it| !it.is_empty()))?,
            month: Some(month.as_str()).filter(|it| !it.is_empty()).map(Month::parse).transpose()?,
            provisional: search.provisional.unwrap_or(false),
        };
        let after = page_start(search.cursor.as_deref())?;
        let list = board.page(conn, after, PAGE_SIZE).await?;
        let mut view = Self {
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
        view.next = list.next.map(|next| format!("{}&cursor={next}", view.address(view.provisional)));
        Ok(view)
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

/// Why ratings changed, in words.
pub(crate) trait RatingWords: AsRef<Page> {
    fn rating_reason(&self, change: &ChangeRow) -> String {
        let page = self.as_ref();
        let key = match change.why {
            Why::Played => "why-played",
            Why::LeftEarly => "why-left-early",
            Why::LeftAlone => "why-left-alone",
            Why::TooOften => "why-too-often",
        };
        page.say(key)
            .with("place", change.place)
            .with("opponents", change.opponents)
            .with("beaten", page.lang.up_to(change.beaten, 1))
            .with("expected", page.lang.up_to(change.expected, 1))
            .with("most", RATED_A_DAY)
            .to_string()
    }
}

impl RatingWords for Page {}

#[cfg(test)]
mod tests {
    use super::*;
    use base::text::Lang;
    use web_base::page::samples;

    #[test]
    fn a_year_of_months_is_offered_each_once() {
        let mut page = Page::sample(Lang::En);
        page.now = "2026-03-31T12:00:00Z".parse().unwrap();
        let months = months(&page);
        assert_eq!(months[..4], ["2026-03", "2026-02", "2026-01", "2025-12"]);
        assert_eq!(months.len(), MONTHS);
    }

    #[test]
    fn pages_are_complete() {
        let view = |page: &Page, path| BoardView {
            path,
            with_links: true,
            games: vec![("perudo", page.game_name("perudo"))],
            game: "perudo".to_owned(),
            variants: vec![("민아식".to_owned(), "00".to_owned())],
            variant: String::new(),
            months: vec!["2026-11".to_owned()],
            month: String::new(),
            provisional: false,
            ranks: Vec::new(),
            next: Some("/".to_owned()),
        };
        samples::check(samples::STAFF, |page| {
            BoardPage { view: view(&page, "/admin/leaderboards"), page: &page }.render()
        });
        samples::check(samples::ANYBODY, |page| {
            GuestBoardPage { view: view(&page, "/leaderboards"), page: &page }.render()
        });
    }
}
