//! `/tournaments`: what everybody sees of the café's tournaments, and what players do about their own.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::admin::{Listed, list_all};
use super::shown::{Played, Round, Row, Shown};
use super::{By, EntrantRow, EntrantStatus, Filter, TournamentId, TournamentStatus};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiResult, invalid_fields};
use crate::extract::{Path, Player, Search, Visitor};
use crate::floor;
use crate::limits::GuestLimit;
use crate::list::List;
use crate::live::Live;
use crate::page::{Flash, Form, Page};
use crate::sessions::{self, Device, Tokens};
use crate::tables::qr_svg;
use crate::tables::rest::base_url;
use crate::world::World;

#[derive(Template)]
#[template(path = "guest/tournaments.html")]
struct ListPage {
    page: Page,
    listed: Vec<Listed>,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "guest/tournament.html", blocks = ["live"])]
struct TournamentPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
    me: Option<&'a EntrantRow>,
    /// Whether the caller has a name already.
    is_known: bool,
    tried: String,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "guest/tournament-screen.html", blocks = ["live"])]
struct ScreenPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
    guest_url: String,
    qr: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListSearch {
    cursor: Option<TournamentId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenSearch {
    /// `1` for a screen on the wall.
    screen: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryForm {
    /// Of who is not signed in.
    #[serde(default)]
    display_name: String,
}

#[get("/tournaments")]
pub(crate) async fn show_guest_tournaments(
    db: Data<Db>,
    page: Page,
    Search(search): Search<ListSearch>,
) -> ApiResult<HttpResponse> {
    let filter = Filter { before: search.cursor, ..Filter::default() };
    let List { items, next } = list_all(&mut *db.conn().await?, &page, &filter).await?;
    let next = next.map(|cursor| format!("/tournaments?cursor={cursor}"));
    let template = ListPage { page, listed: items, next };
    template.page.html(&template)
}

#[get("/tournaments/{code}")]
pub(crate) async fn show_guest_tournament(
    db: Data<Db>,
    (config, request): (Data<Config>, HttpRequest),
    page: Page,
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
    Search(search): Search<ScreenSearch>,
) -> ApiResult<HttpResponse> {
    let shown = read(&mut *db.conn().await?, &page, &code).await?;
    if search.screen == Some(1) {
        return show_screen(&page, &shown, &base_url(&config, &request));
    }
    let template = TournamentPage::of(&page, &shown, visitor.as_ref());
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// Large, without anything to press.
fn show_screen(page: &Page, shown: &Shown, base: &str) -> ApiResult<HttpResponse> {
    let guest_url = format!("{base}{}", shown.path());
    let qr = qr_svg(&guest_url)?;
    let template = ScreenPage { page, shown, guest_url, qr };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// Says that something changed; what it was, its pages ask themselves.
#[get("/tournaments/{code}/live")]
pub(crate) async fn watch_guest_tournament(
    db: Data<Db>,
    (live, world): (Data<Live>, Data<World>),
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    let id = find(&mut *db.conn().await?, &code).await?;
    Ok(floor::live::stream(live.watch_tournament(id), world))
}

/// Enters under a name, which makes a guest's account of it for who has none.
#[post("/tournaments/{code}/entry")]
pub(crate) async fn enter_tournament(
    _: GuestLimit,
    db: Data<Db>,
    (world, live, tokens, config): (Data<World>, Data<Live>, Data<Tokens>, Data<Config>),
    (page, device): (Page, Device),
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
    Form(form): Form<EntryForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let shown = read(&mut conn, &page, &code).await?;
    let means = (&**world, &**tokens, config.is_secure());
    let (player, cookie) = match sessions::known_or_guest(&mut conn, means, visitor, &form.display_name, &device)
        .await?
    {
        Ok(guest) => guest,
        Err(wrong) => {
            let problem = invalid_fields(vec![wrong]).problem(page.lang);
            let wrong = problem.errors.into_iter().next().map(|it| it.detail);
            let again = TournamentPage { wrong, tried: form.display_name, ..TournamentPage::of(&page, &shown, None) };
            return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &again);
        }
    };
    let entered = super::enter(&mut conn, &world, &live, player, shown.row.id).await;
    let flash = Flash::after(entered, |_| Flash::good("entered-tournament", &shown.row.name))?;
    page.go_signed_in(&shown.path(), flash, cookie)
}

#[post("/tournaments/{code}/check-in")]
pub(crate) async fn check_in_oneself(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    player: Player,
    Path(code): Path<String>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let id = find(&mut conn, &code).await?;
    let done = super::check_in(&mut conn, (&world, &live), By::Oneself(&player), (id, None)).await;
    let flash = Flash::after(done, |()| Flash::good("checked-in", ""))?;
    Ok(page.go_with(&format!("/tournaments/{code}"), flash))
}

#[post("/tournaments/{code}/leave")]
pub(crate) async fn leave_tournament(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    player: Player,
    Path(code): Path<String>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let id = find(&mut conn, &code).await?;
    let done = super::drop_out(&mut conn, (&world, &live), By::Oneself(&player), (id, None)).await;
    let flash = Flash::after(done, |()| Flash::good("left-tournament", ""))?;
    Ok(page.go_with(&format!("/tournaments/{code}"), flash))
}

/// Of a tournament that more than staff know of.
async fn find(conn: &mut AsyncPgConnection, code: &str) -> ApiResult<TournamentId> {
    let id = super::find_by_code(conn, code).await?;
    Ok(super::load(conn, id, false).await?.row.id)
}

async fn read(conn: &mut AsyncPgConnection, page: &Page, code: &str) -> ApiResult<Shown> {
    let id = super::find_by_code(conn, code).await?;
    Shown::of(page, super::load(conn, id, false).await?)
}

impl<'a> TournamentPage<'a> {
    fn of(page: &'a Page, shown: &'a Shown, visitor: Option<&Player>) -> Self {
        let me = visitor.and_then(|visitor| shown.entrant_of(visitor.id));
        Self { page, shown, me, is_known: visitor.is_some(), tried: String::new(), wrong: None }
    }

    fn can_enter(&self) -> bool {
        let is_open = matches!(self.shown.row.status, TournamentStatus::Registration | TournamentStatus::CheckIn);
        is_open && self.me.is_none_or(|me| me.status == EntrantStatus::Dropped)
    }

    fn standing(&self) -> Option<&Row> {
        let number = self.me?.number;
        let stage = self.shown.now().filter(|stage| !stage.rounds.is_empty())?;
        stage.table.rows.iter().find(|row| row.number == number)
    }

    /// Where they play now, or played last.
    fn own(&self) -> Vec<(&Round, &Played)> {
        let Some(me) = self.me else { return Vec::new() };
        let own = |round| Some((round, self.shown.bout_in(round, me.number)?));
        self.shown.rounds_now().into_iter().filter_map(own).collect()
    }

    fn can_check_in(&self) -> bool {
        let is_due = |me: &EntrantRow| {
            me.checked_in_at.is_none() && matches!(me.status, EntrantStatus::Entered | EntrantStatus::Waiting)
        };
        self.shown.row.status == TournamentStatus::CheckIn && self.me.is_some_and(is_due)
    }

    fn can_leave(&self) -> bool {
        let is_in = |me: &EntrantRow| !matches!(me.status, EntrantStatus::Dropped | EntrantStatus::NoShow);
        !self.shown.row.status.is_over() && self.me.is_some_and(is_in)
    }
}

impl Shown {
    /// Whether the wall shows who plays whom: a bracket tells that itself.
    fn shows_pairings(&self) -> bool {
        self.now().is_some_and(|stage| stage.bracket.is_none())
    }
}
