//! `/api/v1/undos/…`

use actix_web::web::{Data, Json};
use actix_web::{get, post};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Doer, UndoId, UndoRow};
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::{Path, Staff};
use crate::ids::{PlayerId, TableId};
use crate::list::List;
use crate::live::Live;
use crate::staff::Deed;
use crate::world::World;

/// What a member of staff did on the floor.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Undo)]
pub struct UndoAnswer {
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

/// The latest deeds of the floor that can still be undone.
#[utoipa::path(tag = "floor", responses((status = 200, body = List<UndoAnswer>)))]
#[get("/undos")]
pub(crate) async fn list_undos(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
) -> ApiResult<Json<List<UndoAnswer>>> {
    staff.may(Deed::RunFloor)?;
    let rows = super::list_latest(&mut *db.conn().await?, world.now()).await?;
    Ok(Json(List { items: rows.into_iter().map(UndoAnswer::from).collect(), next: None }))
}

/// Takes a deed back, up to ten minutes after it was done and only while nobody has changed the same thing since:
/// `cannot_undo` otherwise.
#[utoipa::path(tag = "floor", params(("id" = UndoId, Path)), responses((status = 200, body = UndoAnswer)))]
#[post("/undos/{id}")]
pub(crate) async fn undo(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path(id): Path<UndoId>,
) -> ApiResult<Json<UndoAnswer>> {
    staff.may(Deed::RunFloor)?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let row = super::undo(&mut *db.conn().await?, doer, id).await?;
    Ok(Json(UndoAnswer { undone: true, ..row.into() }))
}
