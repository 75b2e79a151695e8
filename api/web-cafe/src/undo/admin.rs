//! The button that undoes a change.

use actix_web::{HttpResponse, post};

use base::auth::can;
use base::undo::UndoId;
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{BackForm, Flash, Form, StaffPage};

#[post("/admin/undos/{id}")]
pub async fn undo(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<UndoId>,
    Form(form): Form<BackForm>,
) -> ApiResult<HttpResponse> {
    let undone = cafe::floor::undo(&mut cx, id).await;
    let flash = Flash::after(undone, |_| Flash::good("undone", ""))?;
    Ok(page.go_with(form.path(), flash))
}
