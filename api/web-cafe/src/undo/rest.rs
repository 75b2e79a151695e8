//! `/api/v1/undos/…`

use actix_web::web::Json;
use actix_web::{get, post};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use base::auth::can;
use base::ids::{PlayerId, TableId};
use base::list::List;
use base::undo::{UndoId, UndoRow};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Path};
use web_base::limits::{Budget, Writes};

/// What a member of staff did on the floor.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Undo)]
pub(crate) struct UndoAnswer {
    id: UndoId,
    at: Timestamp,
    actor: PlayerId,
    #[schema(example = "sitting.move")]
    action: String,
    /// None for what was done with a box of the library that lay at no table.
    table_id: Option<TableId>,
    /// Where a party was moved or merged to.
    other_table_id: Option<TableId>,
    undone: bool,
}

impl From<UndoRow> for UndoAnswer {
    fn from(row: UndoRow) -> Self {
        let UndoRow { id, at, actor, action, table_id, other_table_id, undone_at, .. } = row;
        Self { id, at, actor, action, table_id, other_table_id, undone: undone_at.is_some() }
    }
}

/// The latest changes of the floor that can still be undone.
#[utoipa::path(tag = "floor", responses((status = 200, body = List<UndoAnswer>)))]
#[get("/undos")]
pub async fn list_undos(Authorized(mut cx): Authorized<can::RunFloor>) -> ApiResult<Json<List<UndoAnswer>>> {
    let now = cx.world.now();
    let rows = base::undo::list_latest(cx.conn().await?, now).await?;
    Ok(Json(List { items: rows.into_iter().map(UndoAnswer::from).collect(), next: None }))
}

/// Undoes a change, up to ten minutes after it was made and only while nobody has changed the same thing since:
/// `cannot_undo` otherwise.
#[utoipa::path(tag = "floor", params(("id" = UndoId, Path)), responses((status = 200, body = UndoAnswer)))]
#[post("/undos/{id}")]
pub async fn undo(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<UndoId>,
) -> ApiResult<Json<UndoAnswer>> {
    let row = cafe::floor::undo(&mut cx, id).await?;
    Ok(Json(UndoAnswer { undone: true, ..row.into() }))
}
