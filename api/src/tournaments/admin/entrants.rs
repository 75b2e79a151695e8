//! Who plays: letting people in, checking them in, and in which order they are taken for strong.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::{Means, read};
use crate::db::Db;
use crate::error::{ApiError, ApiResult, invalid_fields};
use crate::extract::{DisplayName, Path, Search};
use crate::ids::PlayerId;
use crate::page::{Desk, Flash, Form, Page};
use crate::players::{self, PlayerRow, Sought};
use crate::staff::Deed;
use crate::tournaments::shown::Shown;
use crate::tournaments::{self, By, EntrantRow, EntrantStatus, SeedOrder, Seeding, TournamentId, TournamentStatus};
use crate::undo::Doer;

const FOUND: i64 = 8;

#[derive(Template)]
#[template(path = "admin/tournaments/entrants.html", blocks = ["live"])]
struct EntrantsPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
    entrants: Vec<OneEntrant>,
    is_seeding: bool,
    may_seed: bool,
    takes_entries: bool,
    is_late: bool,
    q: String,
    found: Option<Vec<PlayerRow>>,
    tried: String,
    wrong: Option<String>,
}

struct OneEntrant {
    row: EntrantRow,
    name: String,
    acts: Vec<Act>,
}

crate::text_enum! {
    /// What staff do to an entrant.
    pub enum Act {
        CheckIn = "check_in",
        TakeBack = "take_back",
        NoShow = "no_show",
        Drop = "drop",
        Reinstate = "reinstate",
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntrantSearch {
    q: Option<String>,
    /// `1` to put them in order.
    seeding: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddForm {
    name: Option<String>,
    player: Option<PlayerId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActForm {
    act: Act,
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

#[get("/admin/tournaments/{id}/entrants")]
pub(crate) async fn show_entrants(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<TournamentId>,
    Search(search): Search<EntrantSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeTournaments)?;
    let may_keep = staff.role.may(Deed::KeepTournaments);
    let mut conn = db.conn().await?;
    let shown = read(&mut conn, &page, id).await?;
    let template = EntrantsPage::of(&mut conn, (&page, &shown), &search, may_keep).await?;
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// By name, which makes a guest of it, or somebody who was found.
#[post("/admin/tournaments/{id}/entrants")]
pub(crate) async fn add_entrant(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<TournamentId>,
    Form(form): Form<AddForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunTournaments)?;
    let mut conn = db.conn().await?;
    let name = form.name.as_deref().unwrap_or_default();
    let added = match (form.player, DisplayName::parse(name)) {
        (Some(player), _) => add(&mut conn, (&world, &live, &staff), id, Ok(player)).await,
        (None, Ok(name)) => add(&mut conn, (&world, &live, &staff), id, Err(&name)).await,
        (None, Err(wrong)) => {
            let shown = read(&mut conn, &page, id).await?;
            let may_keep = staff.role.may(Deed::KeepTournaments);
            let mut again = EntrantsPage::of(&mut conn, (&page, &shown), &EntrantSearch::default(), may_keep).await?;
            let problem = invalid_fields(vec![wrong]).problem(page.lang);
            (again.wrong, again.tried) =
                (problem.errors.into_iter().next().map(|it| it.detail), form.name.unwrap_or_default());
            return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &again);
        }
    };
    let flash = Flash::after(added, |_| Flash::good("entrant-added", name))?;
    Ok(page.go_with(&address(id, "#add"), flash))
}

async fn add(
    conn: &mut AsyncPgConnection,
    (world, live, staff): (&crate::world::World, &crate::live::Live, &crate::extract::Player),
    id: TournamentId,
    who: Result<PlayerId, &DisplayName>,
) -> ApiResult<i32> {
    tournaments::add(conn, Doer { world, live, staff }, id, who, None).await
}

#[post("/admin/tournaments/{id}/entrants/{number}")]
pub(crate) async fn act_on_entrant(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path((id, number)): Path<(TournamentId, i32)>,
    Form(form): Form<ActForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunTournaments)?;
    let mut conn = db.conn().await?;
    let (doer, who) = (Doer { world: &world, live: &live, staff: &staff }, (id, number));
    let by = (By::Staff(&staff), (id, Some(number)));
    let done = match form.act {
        Act::CheckIn => tournaments::check_in(&mut conn, (&world, &live), by.0, by.1).await,
        Act::TakeBack => tournaments::take_back_check_in(&mut conn, doer, who).await,
        Act::NoShow => tournaments::mark_no_show(&mut conn, doer, who).await,
        Act::Drop => tournaments::drop_out(&mut conn, (&world, &live), by.0, by.1).await,
        Act::Reinstate => tournaments::reinstate(&mut conn, doer, who, None).await,
    };
    let flash = Flash::after(done, |()| Flash::good(form.act.flash(), ""))?;
    Ok(page.go_with(&address(id, &format!("#e{number}")), flash))
}

/// By rating or by lot.
#[post("/admin/tournaments/{id}/seeds")]
pub(crate) async fn give_seeds(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<TournamentId>,
    Form(form): Form<SeedsForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepTournaments)?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let order = SeedOrder { by: form.by, order: None, revision: None };
    let given = tournaments::set_seeds(&mut *db.conn().await?, doer, id, &order).await;
    let flash = Flash::after(given, |()| Flash::good("seeds-given", ""))?;
    Ok(page.go_with(&address(id, "?seeding=1"), flash))
}

/// One place up or down, or to the place of this number.
#[post("/admin/tournaments/{id}/entrants/{number}/seed")]
pub(crate) async fn move_seed(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path((id, number)): Path<(TournamentId, i32)>,
    Form(form): Form<SeedForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepTournaments)?;
    let mut conn = db.conn().await?;
    let whole = tournaments::load(&mut conn, id, true).await?;
    let mut order: Vec<i32> = in_order(&whole).into_iter().map(|it| it.number).collect();
    if let Some(at) = order.iter().position(|it| *it == number) {
        let moved = order.remove(at);
        let to = match form.to {
            Some(Direction::Up) => at.saturating_sub(1),
            Some(Direction::Down) => at + 1,
            None => form.place.unwrap_or(1).saturating_sub(1),
        };
        order.insert(to.min(order.len()), moved);
    }
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let order = SeedOrder { by: Seeding::Hand, order: Some(order), revision: Some(whole.row.revision) };
    let given = tournaments::set_seeds(&mut conn, doer, id, &order).await;
    let flash = Flash::after(given, |()| Flash::good("seeds-given", ""))?;
    Ok(page.go_with(&address(id, &format!("?seeding=1#e{number}")), flash))
}

fn address(id: TournamentId, what: &str) -> String {
    format!("{}/entrants{what}", super::address(id))
}

/// Those who have a place, the strongest first.
fn in_order(whole: &tournaments::Tournament) -> Vec<&EntrantRow> {
    let mut order: Vec<&EntrantRow> = whole.entrants.iter().filter(|it| it.status.has_place()).collect();
    order.sort_by_key(|it| (it.seed.unwrap_or(i16::MAX), it.number));
    order
}

impl<'a> EntrantsPage<'a> {
    async fn of(
        conn: &mut AsyncPgConnection,
        (page, shown): (&'a Page, &'a Shown),
        search: &EntrantSearch,
        may_keep: bool,
    ) -> ApiResult<Self> {
        let status = shown.row.status;
        let is_before =
            matches!(status, TournamentStatus::Draft | TournamentStatus::Registration | TournamentStatus::CheckIn);
        let may_seed = is_before && may_keep;
        let is_seeding = may_seed && search.seeding == Some(1);
        let is_late = status == TournamentStatus::Running && shown.row.late_until_round.is_some();
        let one = |row: &EntrantRow| OneEntrant {
            name: shown.name(&row.number),
            acts: Act::of(status, row),
            row: row.clone(),
        };
        let entrants: Vec<_> = if is_seeding {
            in_order(shown).into_iter().map(one).collect()
        } else {
            shown.entrants.iter().map(one).collect()
        };
        let q = search.q.clone().unwrap_or_default();
        let sought = Sought { text: Some(q.trim()), ..Sought::default() };
        let found = match q.trim() {
            "" => None,
            _ => Some(players::search(conn, &sought, FOUND).await.map_err(ApiError::from)?),
        };
        Ok(Self {
            page,
            shown,
            entrants,
            is_seeding,
            may_seed,
            takes_entries: is_before || is_late,
            is_late,
            q,
            found,
            tried: String::new(),
            wrong: None,
        })
    }
}

impl Act {
    /// What can be done to this entrant now.
    fn of(status: TournamentStatus, row: &EntrantRow) -> Vec<Self> {
        match (status, row.status) {
            (TournamentStatus::Finished | TournamentStatus::Cancelled, _) => Vec::new(),
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
        }
    }

    fn icon(self) -> &'static str {
        match self {
            Self::CheckIn => "check",
            Self::TakeBack => "back",
            Self::NoShow => "cross",
            Self::Drop => "exit",
            Self::Reinstate => "plus",
        }
    }

    fn flash(self) -> &'static str {
        match self {
            Self::CheckIn => "checked-in",
            Self::TakeBack => "check-in-taken-back",
            Self::NoShow => "marked-no-show",
            Self::Drop => "entrant-dropped",
            Self::Reinstate => "entrant-reinstated",
        }
    }
}
