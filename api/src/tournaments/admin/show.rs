//! A tournament on one page: what to do next, what is played now, the bracket and the standings, live.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::steps::{Step, Word};
use super::{Means, address, read};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiResult, invalid_field};
use crate::extract::{Path, tidy_text};
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::tables::qr_svg;
use crate::tables::rest::base_url;
use crate::tournaments::shown::Shown;
use crate::tournaments::{TournamentId, TournamentStatus};
use crate::undo::Doer;

const REASON_MOST: usize = 200;

#[derive(Template)]
#[template(path = "admin/tournaments/show.html", blocks = ["live"])]
struct TournamentPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
    step: Option<Step>,
    may_keep: bool,
    guest_url: String,
    /// The code of the guests' page.
    qr: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepForm {
    step: Word,
    /// Which one, as in `1-3`: its stage and its number.
    round: Option<String>,
    reason: Option<String>,
}

#[get("/admin/tournaments/{id}")]
pub(crate) async fn show_tournament(
    db: Data<Db>,
    config: Data<Config>,
    request: HttpRequest,
    Desk { page, staff }: Desk,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeTournaments)?;
    let shown = read(&mut *db.conn().await?, &page, id).await?;
    let (step, may_keep) = (Step::of(&page, &shown)?, staff.role.may(Deed::KeepTournaments));
    let guest_url = format!("{}{}", base_url(&config, &request), shown.path());
    let qr = qr_svg(&guest_url)?;
    let template = TournamentPage { page: &page, shown: &shown, step, may_keep, guest_url, qr };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

#[post("/admin/tournaments/{id}/steps")]
pub(crate) async fn take_step(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<TournamentId>,
    Form(form): Form<StepForm>,
) -> ApiResult<HttpResponse> {
    staff.may(form.step.deed())?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let taken = match form.about() {
        Ok((round, reason)) => form.step.take(&mut *db.conn().await?, doer, id, (round, reason.as_deref())).await,
        Err(err) => Err(err),
    };
    let mut to = address(id);
    let flash = Flash::after(taken, |path| {
        to = path;
        Flash::good(form.step.flash(), "")
    })?;
    Ok(page.go_with(&to, flash))
}

/// The round that a step is about, and why it is taken.
type About = (Option<(i16, i16)>, Option<String>);

impl StepForm {
    fn about(&self) -> ApiResult<About> {
        let round = self.round.as_deref().map(|text| {
            let (stage, round) = text.split_once('-')?;
            Some((stage.parse().ok()?, round.parse().ok()?))
        });
        let round = match round {
            None => None,
            Some(round) => Some(round.ok_or_else(|| invalid_field("/round", "invalid"))?),
        };
        let reason = self.reason.as_deref().map(str::trim).filter(|it| !it.is_empty());
        let reason = reason.map(|it| tidy_text(it, REASON_MOST)).transpose();
        Ok((round, reason.map_err(|err| crate::error::invalid_fields(vec![err.at("/reason")]))?))
    }
}
