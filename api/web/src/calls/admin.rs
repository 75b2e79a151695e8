//! The buttons by which staff answer a call.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use crate::error::ApiResult;
use crate::extract::Path;
use crate::limits::{Budget, Writes};
use crate::page::{Flash, Form, StaffPage};
use cafe::auth::can;
use cafe::calls::{CallId, CallStatus};
use cafe::error::bad_request;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerForm {
    status: CallStatus,
}

#[post("/admin/calls/{id}")]
pub(crate) async fn answer_call(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<CallId>,
    Form(form): Form<AnswerForm>,
) -> ApiResult<HttpResponse> {
    let key = match form.status {
        CallStatus::Heard => "call-heard",
        CallStatus::Settled => "call-settled",
        CallStatus::Open | CallStatus::TakenBack => return Err(bad_request("invalid_body").into()),
    };
    let answered = cafe::calls::answer(&mut cx, id, form.status).await;
    let flash = Flash::after(answered, |(_, undo)| Flash::good(key, "").undoable(undo))?;
    Ok(page.go_with("/admin", flash))
}
