//! The button that undoes a change.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use base::auth::can;
use base::undo::UndoId;
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::preferences::own_path;
use web_base::page::{Flash, Form, StaffPage};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoForm {
    back: String,
}

#[post("/admin/undos/{id}")]
pub async fn undo(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<UndoId>,
    Form(form): Form<UndoForm>,
) -> ApiResult<HttpResponse> {
    let undone = cafe::floor::undo(&mut cx, id).await;
    let flash = Flash::after(undone, |_| Flash::good("undone", ""))?;
    Ok(page.go_with(own_path(&form.back), flash))
}
