//! The buttons by which staff answer a call, and what every page of theirs tells of calls.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, get, post};
use serde::{Deserialize, Serialize};

use base::auth::can;
use base::error::bad_request;
use play::calls::{self, CallId, CallStatus};
use play::tables;
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, StaffPage};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerForm {
    status: CallStatus,
}

/// How many parties wait for somebody to come, and who called last.
#[derive(Serialize)]
struct OpenCalls {
    open: usize,
    latest: Option<LatestCall>,
}

#[derive(Serialize)]
struct LatestCall {
    id: CallId,
    text: String,
}

#[get("/admin/calls")]
pub async fn list_open_calls(StaffPage { page, mut cx }: StaffPage<can::ViewFloor>) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let mut open = calls::store::list_open(conn).await?;
    open.retain(|call| call.heard_at.is_none());
    let latest = match open.last() {
        Some(call) => {
            let table = tables::store::find(conn, call.table_id).await?.map(|table| table.name).unwrap_or_default();
            Some(LatestCall { id: call.id, text: format!("{table} · {}", page.t(call.reason.key())) })
        }
        None => None,
    };
    let answer = OpenCalls { open: open.len(), latest };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(answer))
}

#[post("/admin/calls/{id}")]
pub async fn answer_call(
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
    let answered = calls::answer(&mut cx, id, form.status).await;
    let flash = Flash::after(answered, |(_, undo)| Flash::good(key, "").undoable(undo))?;
    Ok(page.go_with(&page.floor_again(), flash))
}
