//! What is done on the page of a match.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;

use super::show::{ShowSearch, Shown, Tried, show_as};
use crate::db::Db;
use crate::error::{ApiResult, invalid_fields};
use crate::extract::{Path, Player, tidy_text};
use crate::live::Live;
use crate::matches::{self, MatchId, reveals};
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::world::World;

pub(super) const REASON_MAX: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReasonForm {
    pub(super) reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoFields {}

#[post("/admin/matches/{id}/abort")]
pub(crate) async fn abort_match(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Desk { page, staff }: Desk,
    Path(id): Path<MatchId>,
    Form(form): Form<ReasonForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::AbortMatches)?;
    let reason = match form.reason("abort", &page) {
        Ok(reason) => reason,
        Err(tried) => return again(&db, &page, &staff, id, tried).await,
    };
    matches::abort(&mut *db.conn().await?, &world, &live, &staff, id, Some(&reason)).await?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), Flash::good("match-aborted", "")))
}

#[post("/admin/matches/{id}/reveal")]
pub(crate) async fn reveal_match(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Desk { page, staff }: Desk,
    Path(id): Path<MatchId>,
    Form(form): Form<ReasonForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RevealMatches)?;
    let reason = match form.reason("reveal", &page) {
        Ok(reason) => reason,
        Err(tried) => return again(&db, &page, &staff, id, tried).await,
    };
    reveals::reveal(&mut *db.conn().await?, &world, &live, &staff, id, &reason).await?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), Flash::good("match-revealed", "")))
}

#[post("/admin/matches/{id}/hide")]
pub(crate) async fn hide_match(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Desk { page, staff }: Desk,
    Path(id): Path<MatchId>,
    Form(NoFields {}): Form<NoFields>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeMatches)?;
    reveals::hide(&mut *db.conn().await?, &world, &live, &staff, id).await?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), Flash::good("match-hidden", "")))
}

impl ReasonForm {
    /// The reason, or the form as it is shown again.
    fn reason(self, form: &'static str, page: &Page) -> Result<String, Tried> {
        tidy_text(&self.reason, REASON_MAX).map_err(|err| {
            let problem = invalid_fields(vec![err]).problem(page.lang);
            let wrong = problem.errors.into_iter().next().map(|it| it.detail).unwrap_or_default();
            Tried { form, reason: self.reason, wrong }
        })
    }
}

/// The page again, with what was wrong at the form.
async fn again(db: &Db, page: &Page, staff: &Player, id: MatchId, tried: Tried) -> ApiResult<HttpResponse> {
    let mut shown = Shown::read(&mut *db.conn().await?, page, staff, id, &ShowSearch::default()).await?;
    shown.tried = Some(tried);
    show_as(StatusCode::UNPROCESSABLE_ENTITY, page, &shown)
}
