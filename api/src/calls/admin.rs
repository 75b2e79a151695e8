//! The buttons by which staff answer a call.

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;

use super::{CallId, CallStatus};
use crate::db::Db;
use crate::error::{ApiResult, bad_request};
use crate::extract::Path;
use crate::live::Live;
use crate::page::{Desk, Flash, Form};
use crate::staff::Deed;
use crate::undo::Doer;
use crate::world::World;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerForm {
    status: CallStatus,
}

#[post("/admin/calls/{id}")]
pub(crate) async fn answer_call(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Desk { page, staff }: Desk,
    Path(id): Path<CallId>,
    Form(form): Form<AnswerForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunFloor)?;
    let key = match form.status {
        CallStatus::Heard => "call-heard",
        CallStatus::Settled => "call-settled",
        CallStatus::Open | CallStatus::TakenBack => return Err(bad_request("invalid_body")),
    };
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let answered = super::answer(&mut *db.conn().await?, doer, id, form.status).await;
    let flash = Flash::after(answered, |(_, undo)| Flash::good(key, "").undoable(undo))?;
    Ok(page.go_with("/admin", flash))
}
