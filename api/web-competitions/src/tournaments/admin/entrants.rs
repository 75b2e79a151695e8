//! Who plays: letting people in, checking them in, and in which order they are taken for strong.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::Deserialize;

use super::read;
use crate::tournaments::guest::team_named;
use crate::tournaments::view::TournamentWords;
use crate::tournaments::view::{Leaf, TournamentView};
use base::auth::{Permission, StaffContext, can};
use base::error::invalid_field;
use base::ids::{PlayerId, SeriesId, TableId};
use base::inputs::DisplayName;
use competitions::series;
use competitions::tournaments::{
    self, EntrantRow, EntrantStatus, LateEntry, NewEntrantBy, Regular, SeedOrder, Seeding, SeesDrafts, TableNeed,
    TableNeedRequest, TeamPlace, TournamentId, TournamentStatus, arena,
};
use play::matches::Mode;
use play::players::{self, PlayerRow, Sought};
use play::sessions;
use play::tables::{self, TableRow};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage, live_part};

/// So many stand on one page.
const ENTRANTS: usize = 100;
const FOUND: i64 = 8;
const REGULARS: i64 = 12;
/// So many series are offered, the latest ones.
const SERIES: i64 = 12;

#[derive(Template)]
#[template(path = "admin/tournaments/entrants.html")]
struct EntrantsPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    /// Those of this part.
    entrants: Vec<OneEntrant>,
    leaf: Leaf,
    only: Option<EntrantStatus>,
    /// How many are so, of those who are so at all.
    counts: Vec<(EntrantStatus, usize)>,
    is_seeding: bool,
    may_seed: bool,
    takes_entries: bool,
    is_late: bool,
    /// How somebody comes in who is entered now, in words, once it runs.
    late_help: Option<String>,
    /// Where somebody may have to play: the value of each choice, and what it is called.
    places: Vec<(String, String)>,
    q: String,
    /// Others whom the search finds.
    found: Option<Vec<PlayerRow>>,
    /// Who often comes and has not entered.
    regulars: Vec<Regular>,
    tried: String,
    wrong: Option<String>,
    /// Who cannot play on a phone although matches are played on phones.
    phoneless: Vec<String>,
    /// By whose tables seeds can be given, while they are.
    series: Vec<(SeriesId, String)>,
}

live_part!(EntrantsPageLive of EntrantsPage, "admin/tournaments/entrants-live.html");

/// What a page of entrants is told beside the tournament.
#[derive(Default)]
struct Known {
    found: Option<Vec<PlayerRow>>,
    regulars: Vec<Regular>,
    signed_in: Vec<PlayerId>,
    /// By number.
    ratings: BTreeMap<i32, i32>,
    series: Vec<(SeriesId, String)>,
    tables: Vec<TableRow>,
}

struct OneEntrant {
    row: EntrantRow,
    name: String,
    /// Whether they are signed in anywhere.
    has_phone: bool,
    /// What the house has them for, where nobody typed a rating.
    house_rating: Option<i32>,
    /// The choice that says where they have to play.
    need: String,
    acts: Vec<Act>,
}

base::text_enum! {
    /// What staff do to an entrant.
    pub enum Act {
        CheckIn = "check_in",
        TakeBack = "take_back",
        NoShow = "no_show",
        Drop = "drop",
        Reinstate = "reinstate",
        /// In an arena.
        Pause = "pause",
        Resume = "resume",
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntrantSearch {
    q: Option<String>,
    /// `1` to put them in order.
    seeding: Option<u8>,
    /// Only those who are so.
    only: Option<EntrantStatus>,
    part: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddForm {
    name: Option<String>,
    player: Option<PlayerId>,
    #[serde(default)]
    team: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActForm {
    act: Act,
    /// `desk` to come back to the page of the tournament.
    back: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeedsForm {
    by: Seeding,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Up,
    Down,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeedForm {
    to: Option<Direction>,
    /// From 1 on.
    place: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RatingForm {
    #[serde(default)]
    rating: String,
}

#[get("/admin/tournaments/{id}/entrants")]
pub async fn show_entrants(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
    Search(search): Search<EntrantSearch>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let template = EntrantsPage::read(&mut cx, &page, &view, &search).await?;
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// By name, which makes a guest of it, or somebody who was found.
#[post("/admin/tournaments/{id}/entrants")]
pub async fn add_entrant(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(id): Path<TournamentId>,
    Form(form): Form<AddForm>,
) -> ApiResult<HttpResponse> {
    let name = form.name.as_deref().unwrap_or_default();
    let from = if form.player.is_some() { "#find" } else { "#add" };
    let added = match (team_named(&form.team), form.player, DisplayName::parse(name)) {
        (Err(wrong), ..) => Err(wrong),
        (Ok(team), Some(player), _) => {
            tournaments::add(&mut cx, id, NewEntrantBy::Player(player), team.as_ref(), None).await
        }
        (Ok(team), None, Ok(name)) => {
            tournaments::add(&mut cx, id, NewEntrantBy::Name(&name), team.as_ref(), None).await
        }
        (Ok(_), None, Err(wrong)) => {
            let view = read(&mut cx, &page, id).await?;
            let search = EntrantSearch::default();
            let mut again = EntrantsPage::read(&mut cx, &page, &view, &search).await?;
            (again.wrong, again.tried) = (Some(wrong.detail(page.lang)), form.name.unwrap_or_default());
            return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &again);
        }
    };
    let flash = Flash::after(added, |_| Flash::good("entrant-added", name))?;
    Ok(page.go_with(&address(id, from), flash))
}

#[post("/admin/tournaments/{id}/entrants/{number}")]
pub async fn act_on_entrant(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    Form(form): Form<ActForm>,
) -> ApiResult<HttpResponse> {
    let done = match form.act {
        Act::CheckIn => tournaments::check_in(&mut cx, id, number).await,
        Act::TakeBack => tournaments::undo_check_in(&mut cx, id, number).await,
        Act::NoShow => tournaments::mark_no_show(&mut cx, id, number).await,
        Act::Drop => tournaments::drop_out(&mut cx, id, number).await,
        Act::Reinstate => tournaments::reinstate(&mut cx, id, number, None).await,
        Act::Pause => arena::set_pause(&mut cx, id, number, arena::Pause::Begin, None).await,
        Act::Resume => arena::set_pause(&mut cx, id, number, arena::Pause::End, None).await,
    };
    let flash = Flash::after(done, |()| Flash::good(form.act.flash(), ""))?;
    let to = match form.back.as_deref() {
        Some("desk") => super::address(id),
        _ => same_part(&page, id, "", number),
    };
    Ok(page.go_with(&to, flash))
}

/// Everybody who has a place is there.
#[post("/admin/tournaments/{id}/check-in")]
pub async fn check_in_all_entrants(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(id): Path<TournamentId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let done = tournaments::check_in_all(&mut cx, id, None).await;
    Ok(page.go_with(&address(id, ""), Flash::after(done, |()| Flash::good("checked-in", ""))?))
}

/// By rating or by lot.
#[post("/admin/tournaments/{id}/seeds")]
pub async fn give_seeds(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Form(form): Form<SeedsForm>,
) -> ApiResult<HttpResponse> {
    let order = SeedOrder { by: form.by, order: None, revision: None };
    let given = tournaments::set_seeds(&mut cx, id, &order).await;
    let flash = Flash::after(given, |()| Flash::good("seeds-given", ""))?;
    Ok(page.go_with(&address(id, "?seeding=1"), flash))
}

/// One place up or down, or to the place of this number.
#[post("/admin/tournaments/{id}/entrants/{number}/seed")]
pub async fn move_seed(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    Form(form): Form<SeedForm>,
) -> ApiResult<HttpResponse> {
    let tournament = tournaments::load_for_staff(&mut cx, id).await?;
    let mut order: Vec<i32> = in_order(&tournament).into_iter().map(|it| it.number).collect();
    if let Some(at) = order.iter().position(|it| *it == number) {
        let moved = order.remove(at);
        let to = match form.to {
            Some(Direction::Up) => at.saturating_sub(1),
            Some(Direction::Down) => at + 1,
            None => form.place.unwrap_or(1).saturating_sub(1),
        };
        order.insert(to.min(order.len()), moved);
    }
    let order = SeedOrder { by: Seeding::Hand, order: Some(order), revision: Some(tournament.row.revision) };
    let part = order.order.iter().flatten().take_while(|it| **it != number).count() / ENTRANTS + 1;
    let part = if part > 1 { format!("&part={part}") } else { String::new() };
    let given = tournaments::set_seeds(&mut cx, id, &order).await;
    let flash = Flash::after(given, |()| Flash::good("seeds-given", ""))?;
    Ok(page.go_with(&address(id, &format!("?seeding=1{part}#e{number}")), flash))
}

/// Blank for the house's rating.
#[post("/admin/tournaments/{id}/entrants/{number}/rating")]
pub async fn rate_entrant(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    Form(form): Form<RatingForm>,
) -> ApiResult<HttpResponse> {
    let rating = match form.rating.trim() {
        "" => Ok(None),
        typed => typed.parse().map(Some).map_err(|_| invalid_field("/rating", "out_of_range")),
    };
    let rated = match rating {
        Ok(rating) => tournaments::rate(&mut cx, id, number, rating, None).await,
        Err(err) => Err(err),
    };
    let flash = Flash::after(rated, |()| Flash::good("entrant-rated", ""))?;
    Ok(page.go_with(&same_part(&page, id, "?seeding=1", number), flash))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TeamForm {
    #[serde(default)]
    team: String,
    #[serde(default)]
    board: String,
}

/// For which team somebody plays, and on which board; blank for none, and for the last.
#[post("/admin/tournaments/{id}/entrants/{number}/team")]
pub async fn set_entrant_team(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    Form(form): Form<TeamForm>,
) -> ApiResult<HttpResponse> {
    let set = match (team_named(&form.team), form.board.trim().parse().ok()) {
        (Ok(team), board) => {
            tournaments::set_team(&mut cx, id, number, &TeamPlace { team, board, revision: None }).await
        }
        (Err(wrong), _) => Err(wrong),
    };
    let flash = Flash::after(set, |()| Flash::good("team-set", ""))?;
    Ok(page.go_with(&same_part(&page, id, "", number), flash))
}

/// Back to the entrant on the part of the list on which a form was sent; else to the list with this query.
fn same_part(page: &Page, id: TournamentId, query: &str, number: i32) -> String {
    let list = address(id, "");
    let is_list = page.path.split('?').next() == Some(list.as_str());
    let here = if is_list { page.path.clone() } else { format!("{list}{query}") };
    format!("{here}#e{number}")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NeedForm {
    /// As the choices say it; blank for none.
    #[serde(default)]
    place: String,
}

/// At which table, or in which area, somebody has to play.
#[post("/admin/tournaments/{id}/entrants/{number}/table")]
pub async fn set_entrant_table(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    Form(form): Form<NeedForm>,
) -> ApiResult<HttpResponse> {
    let set = match form.request() {
        Ok(request) => tournaments::set_table_need(&mut cx, id, number, &request).await,
        Err(err) => Err(err),
    };
    let flash = Flash::after(set, |()| Flash::good("need-set", ""))?;
    Ok(page.go_with(&address(id, &format!("#e{number}")), flash))
}

fn address(id: TournamentId, what: &str) -> String {
    format!("{}/entrants{what}", super::address(id))
}

/// Those who have a place, the strongest first.
fn in_order(tournament: &tournaments::Tournament) -> Vec<&EntrantRow> {
    let mut order: Vec<&EntrantRow> = tournament.entrants.iter().filter(|it| it.status.has_place()).collect();
    order.sort_by_key(|it| (it.seed.unwrap_or(i16::MAX), it.number));
    order
}

impl<'a> EntrantsPage<'a> {
    async fn read<P: SeesDrafts>(
        cx: &mut StaffContext<'_, P>,
        page: &'a Page,
        view: &'a TournamentView,
        search: &EntrantSearch,
    ) -> ApiResult<Self> {
        let q = search.q.as_deref().unwrap_or_default().trim();
        let mut known = Known::default();
        // Only the page itself shows them; its list comes again with all that happens.
        if !page.fragment && page.may(&Permission::RunTournaments) {
            known.regulars = tournaments::list_regulars(cx, view.row.id, q, REGULARS).await?;
            known.found = Self::find(cx.conn().await?, q).await?;
        }
        let conn = cx.conn().await?;
        let players: Vec<PlayerId> = view.entrants.iter().map(|it| it.player_id).collect();
        known.signed_in = sessions::store::list_signed_in(conn, &players, page.now).await?;
        if page.may(&Permission::RunTournaments) && !view.row.status.is_over() && !view.row.sandbox {
            known.tables = tables::store::list(conn, false).await?;
        }
        if search.seeding == Some(1) {
            let entrants = view.entrants.iter().collect::<Vec<_>>();
            known.ratings = tournaments::ratings::of(conn, &view.row, &entrants).await?;
            let all = series::Filter { with_drafts: true, ..series::Filter::default() };
            let all = series::list(conn, &all, SERIES).await?;
            known.series = all.into_iter().map(|row| (row.id, row.name)).collect();
        }
        Ok(Self::of(page, view, search, known))
    }

    /// Those with a name like that; none if nothing is asked for.
    async fn find(conn: &mut AsyncPgConnection, q: &str) -> ApiResult<Option<Vec<PlayerRow>>> {
        let sought = Sought { text: Some(q), ..Sought::default() };
        match q {
            "" => Ok(None),
            _ => Ok(Some(players::search(conn, &sought, FOUND).await.map_err(ApiError::from)?)),
        }
    }

    fn of(page: &'a Page, view: &'a TournamentView, search: &EntrantSearch, known: Known) -> Self {
        let Known { found, regulars, signed_in, ratings, series, tables } = known;
        let status = view.row.status;
        let is_before =
            matches!(status, TournamentStatus::Draft | TournamentStatus::Registration | TournamentStatus::CheckIn);
        let may_seed = is_before && page.may(&Permission::ManageTournaments);
        let may_run = page.may(&Permission::RunTournaments);
        let is_seeding = may_seed && search.seeding == Some(1);
        let takes_arrivals = view.takes_arrivals(page.now);
        let late = view.late_entry(page.now).ok().flatten();
        let is_late = late.is_some();
        let people = view.arena_entrants();
        let one = |row: &EntrantRow| OneEntrant {
            name: view.name(&row.number),
            has_phone: signed_in.contains(&row.player_id),
            house_rating: ratings.get(&row.number).copied().filter(|_| row.rating.is_none()),
            need: TableNeed::of(row).map(|need| choice(&need)).unwrap_or_default(),
            acts: Vec::new(),
            row: row.clone(),
        };
        let acts = |row: &EntrantRow| -> Vec<Act> {
            let own = people.iter().find(|it| takes_arrivals && it.number == row.number);
            let pause = own.map(|it| if it.is_pausing { Act::Resume } else { Act::Pause });
            pause.into_iter().chain(Act::of(view, row, page.now)).collect()
        };
        let mut entrants: Vec<_> = if is_seeding {
            in_order(view).into_iter().map(one).collect()
        } else {
            let is_asked_for = |it: &&EntrantRow| search.only.is_none_or(|only| it.status == only);
            view.entrants.iter().filter(is_asked_for).map(one).collect()
        };
        let is_in = |id: PlayerId| view.entrant_of(id).is_some_and(|it| it.status != EntrantStatus::Dropped);
        // Those above are not told twice.
        let is_new = |it: &PlayerRow| !is_in(it.id) && regulars.iter().all(|regular| regular.id != it.id);
        let found = found.map(|found| found.into_iter().filter(is_new).collect());
        let count = |status: &EntrantStatus| (*status, view.entrants.iter().filter(|it| it.status == *status).count());
        let counts = EntrantStatus::ALL.iter().map(count).filter(|(_, many)| *many > 0).collect();
        let plays_on_phones = view.row.mode == Mode::Played && !status.is_over();
        let lacks = entrants.iter().filter(|it| plays_on_phones && it.row.status.has_place() && !it.has_phone);
        let phoneless = lacks.map(|it| it.name.clone()).collect();
        let leaf = Leaf::of(&page.path, search.part, ENTRANTS, entrants.len());
        entrants.truncate(leaf.range().end);
        entrants.drain(..leaf.from());
        // Who may come back is asked of the engine, so only for those who are shown.
        for it in entrants.iter_mut().filter(|_| may_run) {
            it.acts = acts(&it.row);
        }
        Self {
            phoneless,
            series,
            page,
            view,
            entrants,
            leaf,
            only: search.only,
            counts,
            is_seeding,
            may_seed,
            takes_entries: may_run && (is_before || is_late),
            is_late,
            late_help: late.map(|late| late_help(page, view, &late)),
            places: places(page, &tables),
            q: search.q.clone().unwrap_or_default(),
            found,
            regulars,
            tried: String::new(),
            wrong: None,
        }
    }
}

/// How somebody comes in who is entered now.
fn late_help(page: &Page, view: &TournamentView, late: &LateEntry) -> String {
    match late {
        LateEntry::SeededAgain => page.t("late-seeded-again"),
        LateEntry::IntoBye { entrant, .. } => page.say("late-into-bye").with("name", view.name(entrant)).to_string(),
        LateEntry::NextRound { round, missed } => {
            page.say("late-next-round").with("round", *round).with("points", page.points(*missed)).to_string()
        }
        LateEntry::Arena => page.t("late-arena"),
    }
}

/// The tables by area, each area first.
fn places(page: &Page, tables: &[TableRow]) -> Vec<(String, String)> {
    let mut areas: Vec<&str> = tables.iter().filter_map(|it| it.area.as_deref()).collect();
    areas.sort_unstable();
    areas.dedup();
    let area = |area: &str| {
        let name = page.say("need-area").with("area", area).to_string();
        (choice(&TableNeed::Area(area.to_owned())), name)
    };
    let table = |it: &TableRow| (choice(&TableNeed::Table(it.id)), it.name.clone());
    areas.into_iter().map(area).chain(tables.iter().map(table)).collect()
}

/// The value of the choice that says so.
fn choice(need: &TableNeed) -> String {
    match need {
        TableNeed::Table(table) => format!("table {table}"),
        TableNeed::Area(area) => format!("area {area}"),
    }
}

impl NeedForm {
    fn request(&self) -> base::error::Result<TableNeedRequest> {
        let wrong = || invalid_field("/table_id", "unknown_value");
        match self.place.split_once(' ') {
            None if self.place.is_empty() => Ok(TableNeedRequest::default()),
            Some(("area", area)) => Ok(TableNeedRequest { area: Some(area.to_owned()), ..TableNeedRequest::default() }),
            Some(("table", table)) => {
                let id = table.parse().map(TableId).map_err(|_| wrong())?;
                Ok(TableNeedRequest { table_id: Some(id), ..TableNeedRequest::default() })
            }
            Some(_) | None => Err(wrong()),
        }
    }
}

impl EntrantsPage<'_> {
    /// Whether staff put people into teams now.
    fn sets_teams(&self) -> bool {
        self.view.row.team_size.is_some() && self.takes_entries && !self.is_late
    }

    fn is_only(&self, status: &EntrantStatus) -> bool {
        self.only == Some(*status)
    }

    /// Whether somebody with a place has not checked in, while that is possible.
    fn can_check_in_all(&self) -> bool {
        let is_open = self.view.row.status == TournamentStatus::CheckIn && self.page.may(&Permission::RunTournaments);
        is_open && self.view.entrants.iter().any(|it| it.status == EntrantStatus::Entered)
    }
}

impl OneEntrant {
    fn needs(&self, choice: &str) -> bool {
        self.need == choice
    }
}

impl Act {
    /// What can be done to this entrant now.
    fn of(view: &TournamentView, row: &EntrantRow, now: Timestamp) -> Vec<Self> {
        match (view.row.status, row.status) {
            (TournamentStatus::Finished | TournamentStatus::Cancelled, _) => Vec::new(),
            (TournamentStatus::Running, EntrantStatus::NoShow | EntrantStatus::Dropped)
                if view.expect_in_time(row.number, now).is_err() =>
            {
                Vec::new()
            }
            (_, EntrantStatus::NoShow | EntrantStatus::Dropped) => vec![Self::Reinstate],
            (TournamentStatus::Running, EntrantStatus::Waiting) => Vec::new(),
            (TournamentStatus::Running, _) => vec![Self::NoShow, Self::Drop],
            (TournamentStatus::CheckIn, _) if row.checked_in_at.is_some() => vec![Self::TakeBack, Self::Drop],
            (TournamentStatus::CheckIn, _) => vec![Self::CheckIn, Self::NoShow, Self::Drop],
            (TournamentStatus::Draft | TournamentStatus::Registration, _) => vec![Self::Drop],
        }
    }

    fn is_main(&self) -> bool {
        *self == Self::CheckIn
    }

    fn key(self) -> &'static str {
        match self {
            Self::CheckIn => "act-check-in",
            Self::TakeBack => "act-take-back",
            Self::NoShow => "act-no-show",
            Self::Drop => "act-drop",
            Self::Reinstate => "act-reinstate",
            Self::Pause => "act-pause",
            Self::Resume => "act-resume",
        }
    }

    fn icon(self) -> &'static str {
        match self {
            Self::CheckIn => "check",
            Self::TakeBack => "back",
            Self::NoShow => "cross",
            Self::Drop => "exit",
            Self::Reinstate => "plus",
            Self::Pause => "hourglass",
            Self::Resume => "right",
        }
    }

    fn flash(self) -> &'static str {
        match self {
            Self::CheckIn => "checked-in",
            Self::TakeBack => "check-in-taken-back",
            Self::NoShow => "marked-no-show",
            Self::Drop => "entrant-dropped",
            Self::Reinstate => "entrant-reinstated",
            Self::Pause => "entrant-paused",
            Self::Resume => "entrant-resumed",
        }
    }
}

#[cfg(test)]
mod tests {
    use base::auth::Role;
    use engine::tournaments::Format;
    use uuid::Uuid;

    use super::*;
    use crate::tournaments::samples::moments_of;
    use web_base::page::samples;

    #[test]
    fn a_choice_says_the_table_or_the_area_that_somebody_needs() {
        let table = samples::table("1번").id;
        for need in [TableNeed::Table(table), TableNeed::Area("큰 홀".to_owned())] {
            let request = NeedForm { place: choice(&need) }.request().unwrap();
            let read = request.table_id.map(TableNeed::Table).or(request.area.map(TableNeed::Area));
            assert_eq!(read, Some(need));
        }
        assert!(NeedForm { place: String::new() }.request().unwrap().table_id.is_none());
        assert!(NeedForm { place: "table x".to_owned() }.request().is_err());
        assert!(NeedForm { place: "hall 1".to_owned() }.request().is_err());
    }

    #[test]
    fn a_page_is_complete_at_every_moment() {
        let moments = moments_of(Format::Swiss { rounds: 3 });
        let searches = [
            EntrantSearch { q: Some("하늘".to_owned()), ..EntrantSearch::default() },
            EntrantSearch { seeding: Some(1), ..EntrantSearch::default() },
            EntrantSearch { only: Some(EntrantStatus::Waiting), ..EntrantSearch::default() },
        ];
        for (tournament, search) in moments.iter().flat_map(|it| searches.iter().map(move |search| (it, search))) {
            samples::check(samples::STAFF, |page| {
                let view = TournamentView::of(&page, tournament.clone()).unwrap();
                let regular =
                    Regular {
                        id: samples::player_id(40), display_name: "서연".to_owned(), tournaments: 3, visits: 1
                    };
                let known = Known {
                    found: search.q.as_ref().map(|_| vec![samples::player("하늘", Role::Player)]),
                    regulars: vec![regular],
                    ratings: BTreeMap::from([(1, 1200)]),
                    tables: vec![TableRow { area: Some("홀".to_owned()), ..samples::table("1번") }],
                    series: vec![(SeriesId(Uuid::nil()), "가을 시즌".to_owned())],
                    ..Known::default()
                };
                let wrong = Some(page.t("field-empty"));
                EntrantsPage { wrong, ..EntrantsPage::of(&page, &view, search, known) }.render()
            });
        }
    }
}
