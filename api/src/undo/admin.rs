//! The button that takes a deed back.

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;

use super::{Doer, UndoId};
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::Path;
use crate::live::Live;
use crate::page::preferences::own_path;
use crate::page::{Desk, Flash, Form};
use crate::staff::Deed;
use crate::world::World;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UndoForm {
    back: String,
}

#[post("/admin/undos/{id}")]
pub(crate) async fn undo(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Desk { page, staff }: Desk,
    Path(id): Path<UndoId>,
    Form(form): Form<UndoForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunFloor)?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let undone = super::undo(&mut *db.conn().await?, doer, id).await;
    let flash = Flash::after(undone, |_| Flash::good("undone", ""))?;
    Ok(page.go_with(own_path(&form.back), flash))
}
