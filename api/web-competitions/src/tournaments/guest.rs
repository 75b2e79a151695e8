//! `/tournaments`: what everybody sees of the café's tournaments, and what players do about their own.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::admin::{Listed, list_all};
use super::live::TournamentWatch;
use super::view::{Arena, Played, Round, Row, TournamentView};
use super::wall;
use crate::tournaments::view::TournamentWords;
use base::auth::Identity;
use base::auth::Tokens;
use base::db::Db;
use base::error::Error;
use base::list::List;
use base::live::Live;
use base::world::World;
use competitions::series::{self, SeriesStatus};
use competitions::tournaments::{
    Activity, EntrantRow, EntrantStatus, Entry, EntryMode, Filter, TeamName, TournamentId, TournamentStatus, arena,
};
use play::sessions::{self};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::Client;
use web_base::extract::{Path, Player, Search, Visitor};
use web_base::limits::{Budget, Guests, Streams, Writes};
use web_base::page::{Flash, Form, Page, live_part};
use web_base::public_url::base_url;
use web_base::streams::stream;

/// So many series stand above the list.
const SERIES: i64 = 4;

#[derive(Template)]
#[template(path = "guest/tournaments.html")]
struct ListPage {
    page: Page,
    listed: Vec<Listed>,
    next: Option<String>,
    /// The series that are played: name and address.
    series: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "guest/tournament.html")]
struct TournamentPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    me: Option<&'a EntrantRow>,
    /// Whether the caller has a name already.
    is_known: bool,
    /// The entry code may also be that of the link.
    typed: EntryForm,
    wrong: Wrong,
}

/// What is wrong with what was typed, in words.
#[derive(Default)]
struct Wrong {
    name: Option<String>,
    team: Option<String>,
    code: Option<String>,
}

live_part!(TournamentPageLive of TournamentPage, "guest/tournament-live.html");

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
    /// Which page of it.
    part: Option<usize>,
    /// The entry code, in the link that staff show.
    entry: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryForm {
    /// Of who is not signed in.
    #[serde(default)]
    display_name: String,
    /// Where teams play; blank to be put in one by staff.
    #[serde(default)]
    team: String,
    /// Where people need one to enter.
    #[serde(default)]
    code: String,
}

#[get("/tournaments")]
pub async fn show_guest_tournaments(
    db: Data<Db>,
    page: Page,
    Search(search): Search<ListSearch>,
) -> ApiResult<HttpResponse> {
    let filter = Filter { before: search.cursor, ..Filter::default() };
    let mut conn = db.conn().await?;
    let List { items, next } = list_all(&mut conn, &page, &filter).await?;
    let next = next.map(|cursor| format!("/tournaments?cursor={cursor}"));
    let running = series::Filter { status: Some(SeriesStatus::Running), ..series::Filter::default() };
    let series = series::list(&mut conn, &running, SERIES).await?.into_iter();
    let series = series.map(|row| (row.name, format!("/series/{}", row.code))).collect();
    let template = ListPage { page, listed: items, next, series };
    template.page.html(&template)
}

#[get("/tournaments/{code}")]
pub async fn show_guest_tournament(
    db: Data<Db>,
    (config, request): (Data<Config>, HttpRequest),
    page: Page,
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
    Search(search): Search<ScreenSearch>,
) -> ApiResult<HttpResponse> {
    // A fragment is fetched since something has changed, which a replica may not know yet.
    if search.screen == Some(1) && !page.fragment {
        let view = db.read(async |conn| read(conn, &page, &code).await).await?;
        return wall::show(&page, &view, &base_url(&config, &request), search.part.unwrap_or(1));
    }
    let mut view = read(&mut *db.conn().await?, &page, &code).await?;
    if search.screen == Some(1) {
        return wall::show(&page, &view, &base_url(&config, &request), search.part.unwrap_or(1));
    }
    if !page.fragment {
        view.find_series(&mut *db.conn().await?, false).await?;
    }
    let typed = EntryForm { code: search.entry.unwrap_or_default(), ..EntryForm::default() };
    let template = TournamentPage { typed, ..TournamentPage::of(&page, &view, visitor.as_ref()) };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// Says that something changed; what it was, its pages ask themselves.
#[get("/tournaments/{code}/live")]
pub async fn watch_guest_tournament(
    budget: Budget<Streams>,
    db: Data<Db>,
    (live, world): (Data<Live>, Data<World>),
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    let (id, revision) = find_with_revision(&mut *db.conn().await?, &code).await?;
    Ok(stream(TournamentWatch::new(&live, db, id, revision), world, budget))
}

/// Enters under a name, which makes a guest's account of it for who has none.
#[post("/tournaments/{code}/entry")]
pub async fn enter_tournament(
    _: Budget<Guests>,
    db: Data<Db>,
    (world, live, tokens): (Data<World>, Data<Live>, Data<Tokens>),
    (page, Client(device)): (Page, Client),
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
    Form(form): Form<EntryForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let view = read(&mut conn, &page, &code).await?;
    // Nobody is made an account who cannot enter, and who has entered needs no code.
    let me = visitor.as_ref().and_then(|visitor| view.entrant_of(visitor.id));
    let is_in = me.is_some_and(|it| it.status != EntrantStatus::Dropped);
    let allowed = match team_named(&form.team) {
        Ok(team) if !is_in => {
            let entry = Entry { team: team.as_ref(), code: Some(&form.code) };
            let expected = competitions::tournaments::expect_entry(&mut conn, view.row.id, entry, world.now()).await;
            expected.map(|()| team)
        }
        team => team,
    };
    let team = match allowed {
        Ok(team) => team,
        Err(refusal) => {
            let again = TournamentPage::of(&page, &view, visitor.as_ref());
            if let Some((status, wrong)) = again.wrong_by(&refusal) {
                return page.html_as(status, &TournamentPage { wrong, typed: form, ..again });
            }
            let flash = Flash::after(Err::<(), _>(refusal), |()| Flash::good("entered-tournament", &view.row.name))?;
            return Ok(page.go_with(&view.path(), flash));
        }
    };
    let (player, token) =
        match sessions::known_or_guest(&mut conn, &world, &tokens, visitor, &form.display_name, &device).await? {
            Ok(guest) => guest,
            Err(wrong) => {
                let wrong = Wrong { name: Some(wrong.detail(page.lang)), ..Wrong::default() };
                let again = TournamentPage { wrong, typed: form, ..TournamentPage::of(&page, &view, None) };
                return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &again);
            }
        };
    let entry = Entry { team: team.as_ref(), code: Some(&form.code) };
    let entered = competitions::tournaments::enter(&mut conn, &world, &live, player, view.row.id, entry).await;
    let flash = Flash::after(entered, |_| Flash::good("entered-tournament", &view.row.name))?;
    page.go_signed_in(&view.path(), flash, token)
}

#[post("/tournaments/{code}/check-in")]
pub async fn check_in_oneself(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Player(player): Player,
    Path(code): Path<String>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let id = find(&mut conn, &code).await?;
    let done = competitions::tournaments::check_in_oneself(&mut conn, &world, &live, player.id, id).await;
    let flash = Flash::after(done, |()| Flash::good("checked-in", ""))?;
    Ok(page.go_with(&format!("/tournaments/{code}"), flash))
}

#[post("/tournaments/{code}/leave")]
pub async fn leave_tournament(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Player(player): Player,
    Path(code): Path<String>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let id = find(&mut conn, &code).await?;
    let done = competitions::tournaments::drop_out_oneself(&mut conn, &world, &live, player.id, id).await;
    let flash = Flash::after(done, |()| Flash::good("left-tournament", ""))?;
    Ok(page.go_with(&format!("/tournaments/{code}"), flash))
}

/// Is not paired in the arena for a while.
#[post("/tournaments/{code}/pause")]
pub async fn pause_in_arena(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Player(player): Player,
    Path(code): Path<String>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let id = find(&mut conn, &code).await?;
    let done = arena::set_own_pause(&mut conn, &world, &live, player.id, id, arena::Pause::Begin).await;
    let flash = Flash::after(done, |()| Flash::good("arena-mine-paused", ""))?;
    Ok(page.go_with(&format!("/tournaments/{code}"), flash))
}

/// Is back in the arena.
#[post("/tournaments/{code}/resume")]
pub async fn resume_in_arena(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Player(player): Player,
    Path(code): Path<String>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let id = find(&mut conn, &code).await?;
    let done = arena::set_own_pause(&mut conn, &world, &live, player.id, id, arena::Pause::End).await;
    let flash = Flash::after(done, |()| Flash::good("arena-mine-resumed", ""))?;
    Ok(page.go_with(&format!("/tournaments/{code}"), flash))
}

/// The team of that name, if one is named.
pub(super) fn team_named(typed: &str) -> base::error::Result<Option<TeamName>> {
    let team = (!typed.trim().is_empty()).then(|| TeamName::parse(typed)).transpose();
    team.map_err(|wrong| base::error::invalid_fields(vec![wrong.at("/team")]))
}

/// Of a tournament that more than staff know of.
async fn find(conn: &mut AsyncPgConnection, code: &str) -> ApiResult<TournamentId> {
    find_with_revision(conn, code).await.map(|(id, _)| id)
}

async fn find_with_revision(conn: &mut AsyncPgConnection, code: &str) -> ApiResult<(TournamentId, i64)> {
    let id = competitions::tournaments::find_by_code(conn, code).await?;
    Ok((id, competitions::tournaments::load(conn, id, false).await?.row.revision))
}

async fn read(conn: &mut AsyncPgConnection, page: &Page, code: &str) -> ApiResult<TournamentView> {
    let id = competitions::tournaments::find_by_code(conn, code).await?;
    TournamentView::of(page, competitions::tournaments::load(conn, id, false).await?)
}

impl<'a> TournamentPage<'a> {
    fn of(page: &'a Page, view: &'a TournamentView, visitor: Option<&Identity>) -> Self {
        let me = visitor.and_then(|visitor| view.entrant_of(visitor.id));
        let (typed, wrong) = (EntryForm::default(), Wrong::default());
        Self { page, view, me, is_known: visitor.is_some(), typed, wrong }
    }

    /// What is wrong with what was typed, if that is why it was refused.
    fn wrong_by(&self, refusal: &Error) -> Option<(StatusCode, Wrong)> {
        let told = || Some(self.page.t(&format!("error-{}", refusal.code())));
        let asks_for_team = self.can_enter() && self.view.row.team_size.is_some();
        let (status, wrong) = match (refusal.code(), refusal) {
            ("wrong_entry_code" | "entry_by_staff", _) => {
                (StatusCode::FORBIDDEN, Wrong { code: told(), ..Wrong::default() })
            }
            ("team_full", _) if asks_for_team => {
                (StatusCode::UNPROCESSABLE_ENTITY, Wrong { team: told(), ..Wrong::default() })
            }
            ("invalid_fields", Error::Refused(it)) if asks_for_team => {
                let team = it.fields.first().map(|it| it.detail(self.page.lang));
                (StatusCode::UNPROCESSABLE_ENTITY, Wrong { team, ..Wrong::default() })
            }
            _ => return None,
        };
        Some((status, wrong))
    }

    fn can_enter(&self) -> bool {
        let is_open = matches!(self.view.row.status, TournamentStatus::Registration | TournamentStatus::CheckIn);
        let is_arena = self.view.row.stage == 1 && self.view.takes_arrivals(self.page.now);
        let is_out = |me: &EntrantRow| me.status == EntrantStatus::Dropped || is_arena && !me.status.has_place();
        (is_open || is_arena) && self.me.is_none_or(is_out)
    }

    /// Whether people need a code to enter.
    fn asks_for_code(&self) -> bool {
        self.view.row.entry == EntryMode::Code
    }

    /// Whether only staff enter people.
    fn is_entered_by_staff(&self) -> bool {
        self.view.row.entry == EntryMode::Staff
    }

    /// The arena whose window this is.
    fn arena(&self, round: &Round) -> Option<Arena> {
        self.view.arena_of(self.page, round)
    }

    /// What they do in the arena that is played.
    fn in_arena(&self) -> Option<Own> {
        let (number, now) = (self.me?.number, self.page.now);
        let here = self.view.arena_entrants().into_iter().find(|it| it.number == number);
        here.filter(|_| self.view.takes_arrivals(now))
            .map(|it| Own { activity: it.activity, is_pausing: it.is_pausing })
    }

    fn standing(&self) -> Option<&Row> {
        let number = self.me?.number;
        let stage = self.view.now().filter(|stage| !stage.rounds.is_empty())?;
        stage.table.rows.iter().find(|row| row.is_of(number))
    }

    /// What puts them there.
    fn why(&self) -> Option<String> {
        self.standing()?;
        let stage = self.view.now()?;
        let is_knockout = self.view.plan_of(stage.number).ok()?.format.is_knockout();
        stage.table.why(self.page, self.me?.number).filter(|_| !is_knockout)
    }

    /// Where they play now, or played last.
    fn own(&self) -> Vec<(&Round, &Played)> {
        let Some(me) = self.me else { return Vec::new() };
        let own = |round| Some((round, self.view.bout_in(round, me.number)?));
        // In an arena it is another one soon.
        let is_now = |(round, bout): &(&Round, &Played)| !round.row.is_arena || !bout.is_over();
        self.view.rounds_now().into_iter().filter_map(own).filter(is_now).collect()
    }

    fn can_check_in(&self) -> bool {
        let is_due = |me: &EntrantRow| {
            me.checked_in_at.is_none() && matches!(me.status, EntrantStatus::Entered | EntrantStatus::Waiting)
        };
        self.view.row.status == TournamentStatus::CheckIn && self.me.is_some_and(is_due)
    }

    fn can_leave(&self) -> bool {
        let is_in = |me: &EntrantRow| !matches!(me.status, EntrantStatus::Dropped | EntrantStatus::NoShow);
        !self.view.row.status.is_over() && self.me.is_some_and(is_in)
    }
}

/// What the caller does in an arena, and the button for the other thing.
struct Own {
    activity: Activity,
    is_pausing: bool,
}

impl Own {
    fn key(&self) -> &'static str {
        match self.activity {
            Activity::Waiting => "arena-mine-waiting",
            Activity::Playing => "arena-mine-playing",
            Activity::Pausing => "arena-mine-pausing",
        }
    }

    fn icon(&self) -> &'static str {
        match self.activity {
            Activity::Waiting | Activity::Pausing => "hourglass",
            Activity::Playing => "matches",
        }
    }

    fn tone(&self) -> &'static str {
        match self.activity {
            Activity::Waiting => "waiting",
            Activity::Playing => "playing",
            Activity::Pausing => "plain",
        }
    }

    fn help(&self) -> &'static str {
        match (self.activity, self.is_pausing) {
            (Activity::Waiting, _) => "arena-mine-waiting-help",
            (Activity::Playing, false) => "arena-mine-playing-help",
            (Activity::Playing, true) => "arena-mine-last-help",
            (Activity::Pausing, _) => "arena-mine-pausing-help",
        }
    }

    fn step(&self) -> &'static str {
        if self.is_pausing { "resume" } else { "pause" }
    }

    fn step_key(&self) -> &'static str {
        if self.is_pausing { "arena-resume" } else { "arena-pause" }
    }

    fn step_icon(&self) -> &'static str {
        if self.is_pausing { "right" } else { "hourglass" }
    }
}

#[cfg(test)]
mod tests {
    use base::auth::{Credential, Role};
    use base::ids::SessionId;
    use uuid::Uuid;

    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    /// What is no draft, to which only staff are let.
    fn public() -> Vec<competitions::tournaments::Tournament> {
        let is_public = |it: &competitions::tournaments::Tournament| {
            it.row.status != TournamentStatus::Draft && it.draft().is_none()
        };
        moments().into_iter().filter(is_public).collect()
    }

    #[test]
    fn a_list_is_complete() {
        samples::check(samples::ANYBODY, |page| {
            let listed = public().into_iter().map(|it| Listed::of(&page, 7, it.row)).collect();
            let series = vec![("가을 시즌".to_owned(), "/series/BCD234".to_owned())];
            ListPage { page, listed, next: Some("/".to_owned()), series }.render()
        });
        samples::check(samples::ANYBODY, |page| {
            ListPage { page, listed: Vec::new(), next: None, series: Vec::new() }.render()
        });
    }

    #[test]
    fn a_tournament_is_complete_for_everybody_at_every_moment() {
        let player = |number| Identity {
            id: samples::player_id(number),
            session: SessionId(Uuid::nil()),
            role: Role::Player,
            credential: Credential::Session,
        };
        // Nobody we know, entrants who play, did not come and wait for a place, and somebody who only looks.
        let visitors = [None, Some(player(1)), Some(player(8)), Some(player(9)), Some(player(60))];
        for (tournament, visitor) in public().iter().flat_map(|it| visitors.iter().map(move |who| (it, who))) {
            samples::check(samples::ANYBODY, |page| {
                let mut view = TournamentView::of(&page, tournament.clone()).unwrap();
                view.series = vec![("가을 시즌".to_owned(), "/series/BCD234".to_owned())];
                let told = || Some(page.t("field-empty"));
                let wrong = Wrong { name: told(), team: told(), code: told() };
                TournamentPage { wrong, ..TournamentPage::of(&page, &view, visitor.as_ref()) }.render()
            });
        }
    }
}
