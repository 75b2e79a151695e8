//! A round: its draft with the reasons for every pairing, then its bouts, its clock and their results.

use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::tournaments::Format;
use serde::Deserialize;

use super::print::Paper;
use super::steps::Step;
use super::{Means, address, read};
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::Path;
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::tournaments::shown::{Round, Shown};
use crate::tournaments::{self, TournamentId};
use crate::undo::Doer;

#[derive(Template)]
#[template(path = "admin/tournaments/round.html", blocks = ["live"])]
struct RoundPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
    round: &'a Round,
    step: Option<Step>,
    may_keep: bool,
    may_swap: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SwapForm {
    one: i32,
    other: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MinutesForm {
    minutes: i64,
}

#[get("/admin/tournaments/{id}/rounds/{stage}/{round}")]
pub(crate) async fn show_round(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeTournaments)?;
    let shown = read(&mut *db.conn().await?, &page, id).await?;
    let found = shown.find_round(stage, round).ok_or_else(|| not_found("round_not_found"))?;
    let (step, may_keep) = (Step::of_round(&page, &shown, found)?, staff.role.may(Deed::KeepTournaments));
    let may_swap = matches!(shown.plan_of(stage)?.format, Format::Swiss { .. } | Format::Pods { .. });
    let template = RoundPage { page: &page, shown: &shown, round: found, step, may_keep, may_swap };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

#[post("/admin/tournaments/{id}/rounds/{stage}/{round}/swap")]
pub(crate) async fn swap_entrants(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Form(form): Form<SwapForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepTournaments)?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let swapped = tournaments::swap(&mut *db.conn().await?, doer, id, (form.one, form.other), None).await;
    let flash = Flash::after(swapped, |()| Flash::good("entrants-swapped", ""))?;
    Ok(page.go_with(&round_address(id, stage, round), flash))
}

#[post("/admin/tournaments/{id}/rounds/{stage}/{round}/minutes")]
pub(crate) async fn add_round_minutes(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Form(form): Form<MinutesForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunTournaments)?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let of = (id, stage, round);
    let added = tournaments::add_minutes(&mut *db.conn().await?, doer, of, form.minutes, None).await;
    let flash = Flash::after(added, |()| Flash::good("minutes-added", ""))?;
    Ok(page.go_with(&round_address(id, stage, round), flash))
}

pub(super) fn round_address(id: TournamentId, stage: i16, round: i16) -> String {
    format!("{}/rounds/{stage}/{round}", address(id))
}

impl RoundPage<'_> {
    /// Everybody in the round, in the order in which they are paired.
    fn people(&self) -> Vec<(i32, &str)> {
        let seated = self.round.bouts.iter().flat_map(|bout| &bout.seated);
        seated.map(|it| (it.number, it.name.as_str())).collect()
    }
}
