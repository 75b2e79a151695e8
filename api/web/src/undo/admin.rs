//! The button that undoes a change.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use crate::error::ApiResult;
use crate::extract::Path;
use crate::limits::{Budget, Writes};
use crate::page::preferences::own_path;
use crate::page::{Flash, Form, StaffPage};
use base::auth::can;
use base::undo::UndoId;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoForm {
    back: String,
}

#[post("/admin/undos/{id}")]
pub(crate) async fn undo(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<UndoId>,
    Form(form): Form<UndoForm>,
) -> ApiResult<HttpResponse> {
    let undone = cafe::floor::undo(&mut cx, id).await;
    let flash = Flash::after(undone, |_| Flash::good("undone", ""))?;
    Ok(page.go_with(own_path(&form.back), flash))
}
