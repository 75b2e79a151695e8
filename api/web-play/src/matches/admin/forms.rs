//! What is done on the page of a match.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};
use serde::Deserialize;

use super::show::{MatchView, ShowSearch, Tried, show_as};
use base::auth::{Actor, Grant, StaffContext, can};
use base::inputs::tidy_text;
use play::matches::{self, MatchId, reveals};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

pub(super) const REASON_MAX: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReasonForm {
    pub(super) reason: String,
}

#[post("/admin/matches/{id}/abort")]
pub async fn abort_match(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::AbortMatches>,
    Path(id): Path<MatchId>,
    Form(form): Form<ReasonForm>,
) -> ApiResult<HttpResponse> {
    let reason = match form.reason("abort", &page) {
        Ok(reason) => reason,
        Err(tried) => return again(&mut cx, &page, id, tried).await,
    };
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    matches::abort(conn, world, live, staff, id, Some(&reason)).await?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), Flash::good("match-aborted", "")))
}

/// From the queue of the floor: nobody came.
#[post("/admin/matches/{id}/withdraw")]
pub async fn withdraw_match(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<MatchId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let withdrawn = matches::withdraw_waiting(&mut cx, id).await;
    let flash = Flash::after(withdrawn, |(row, undo)| Flash::good("match-withdrawn", &row.code).undoable(undo))?;
    Ok(page.go_with(&page.floor_again(), flash))
}

#[post("/admin/matches/{id}/reveal")]
pub async fn reveal_match(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RevealMatches>,
    Path(id): Path<MatchId>,
    Form(form): Form<ReasonForm>,
) -> ApiResult<HttpResponse> {
    let reason = match form.reason("reveal", &page) {
        Ok(reason) => reason,
        Err(tried) => return again(&mut cx, &page, id, tried).await,
    };
    reveals::reveal(&mut cx, id, &reason).await?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), Flash::good("match-revealed", "")))
}

#[post("/admin/matches/{id}/hide")]
pub async fn hide_match(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ViewMatches>,
    Path(id): Path<MatchId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    reveals::hide(&mut cx, id).await?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), Flash::good("match-hidden", "")))
}

impl ReasonForm {
    /// The reason, or the form as it is shown again.
    fn reason(self, form: &'static str, page: &Page) -> Result<String, Tried> {
        tidy_text(&self.reason, REASON_MAX).map_err(|err| {
            let wrong = err.detail(page.lang);
            Tried { form, reason: self.reason, wrong }
        })
    }
}

/// The page again, with what was wrong at the form.
async fn again<P: Grant>(
    cx: &mut StaffContext<'_, P>,
    page: &Page,
    id: MatchId,
    tried: Tried,
) -> ApiResult<HttpResponse> {
    let (conn, actor) = cx.parts().await?;
    let mut view = MatchView::read(conn, page, actor.staff, id, &ShowSearch::default()).await?;
    view.tried = Some(tried);
    show_as(StatusCode::UNPROCESSABLE_ENTITY, page, &view)
}
