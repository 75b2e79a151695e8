//! Staff answer a claim by a button on the floor.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use base::auth::{Actor, can};
use cafe::claims::{self, ClaimAnswer, ClaimId};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::preferences::own_path;
use web_base::page::{Flash, Form, StaffPage};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerForm {
    pub answer: ClaimAnswer,
    /// The page to come back to.
    pub back: String,
}

/// Whether they may say so, the use case asks, as it does for the API.
#[post("/admin/claims/{id}")]
pub async fn answer_claim(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ViewFloor>,
    Path(id): Path<ClaimId>,
    Form(form): Form<AnswerForm>,
) -> ApiResult<HttpResponse> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let answered = claims::answer(conn, world, live, staff, id, (form.answer, None)).await;
    let flash = Flash::after(answered, |_| Flash::good(key(form.answer), ""))?;
    Ok(page.go_with(own_path(&form.back), flash))
}

/// Of what is said then.
pub(super) fn key(answer: ClaimAnswer) -> &'static str {
    match answer {
        ClaimAnswer::Yes => "claim-confirmed",
        ClaimAnswer::No => "claim-refused",
    }
}
