//! What staff do with a party by a button of the floor. Each leads back there, with the way to take it back.

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;

use super::{LONGER, SittingChange, SittingId, SittingRow, party_size};
use crate::db::Db;
use crate::error::{ApiResult, invalid_fields, not_found};
use crate::extract::Path;
use crate::ids::{TableId, VariantId};
use crate::live::Live;
use crate::matches::{self, MatchName, NewMatchRequest};
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::tables;
use crate::undo::{Doer, UndoId};
use crate::world::World;

type Means = (Data<Db>, Data<World>, Data<Live>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SizeForm {
    party_size: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveForm {
    table: TableId,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MergeForm {
    into: SittingId,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartForm {
    game: String,
    variant: Option<VariantId>,
    seats: i64,
    /// `scored` where they play with real dice and cards.
    mode: Option<String>,
    /// What they play, where it is no game of ours.
    title: Option<String>,
}

#[post("/admin/tables/{id}/sitting")]
pub(crate) async fn seat_party(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<TableId>,
    Form(form): Form<SizeForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunFloor)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let opened = match party_size(form.party_size) {
        Ok(size) => super::open(&mut conn, doer, id, size).await,
        Err(err) => Err(err),
    };
    let name = table_name(&mut conn, id).await?;
    let flash = Flash::after(opened, |(_, undo)| Flash::good("sitting-open", &name).undoable(undo))?;
    Ok(page.go_with("/admin", flash))
}

#[post("/admin/sittings/{id}/size")]
pub(crate) async fn resize_party(
    means: Means,
    desk: Desk,
    id: Path<SittingId>,
    Form(form): Form<SizeForm>,
) -> ApiResult<HttpResponse> {
    desk.staff.may(Deed::RunFloor)?;
    let change = SittingChange { party_size: Some(form.party_size), ..SittingChange::default() };
    alter(means, desk, id, "sitting-resize", change).await
}

#[post("/admin/sittings/{id}/table")]
pub(crate) async fn move_party(
    means: Means,
    desk: Desk,
    id: Path<SittingId>,
    Form(form): Form<MoveForm>,
) -> ApiResult<HttpResponse> {
    desk.staff.may(Deed::RunFloor)?;
    let change = SittingChange { table_id: Some(form.table), ..SittingChange::default() };
    alter(means, desk, id, "sitting-move", change).await
}

/// They are about to leave.
#[post("/admin/sittings/{id}/closing")]
pub(crate) async fn mark_closing(
    means: Means,
    desk: Desk,
    id: Path<SittingId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    desk.staff.may(Deed::RunFloor)?;
    let change = SittingChange { closing: Some(true), ..SittingChange::default() };
    alter(means, desk, id, "sitting-closing", change).await
}

/// They stay after all.
#[post("/admin/sittings/{id}/stay")]
pub(crate) async fn mark_staying(
    means: Means,
    desk: Desk,
    id: Path<SittingId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    desk.staff.may(Deed::RunFloor)?;
    let change = SittingChange { closing: Some(false), ..SittingChange::default() };
    alter(means, desk, id, "sitting-stay", change).await
}

/// Somebody has looked after a party that is there for long.
#[post("/admin/sittings/{id}/longer")]
pub(crate) async fn let_stay_longer(
    means: Means,
    desk: Desk,
    id: Path<SittingId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    desk.staff.may(Deed::RunFloor)?;
    let change = SittingChange { remind_at: Some(means.1.now() + LONGER), ..SittingChange::default() };
    alter(means, desk, id, "sitting-extend", change).await
}

#[post("/admin/sittings/{id}/close")]
pub(crate) async fn close_party(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<SittingId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunFloor)?;
    let mut conn = db.conn().await?;
    let closed = super::close(&mut conn, Doer { world: &world, live: &live, staff: &staff }, id).await;
    told(&mut conn, &page, "sitting-close", closed).await
}

#[post("/admin/sittings/{id}/merge")]
pub(crate) async fn merge_parties(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<SittingId>,
    Form(form): Form<MergeForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunFloor)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let merged = super::merge(&mut conn, doer, (id, form.into)).await;
    told(&mut conn, &page, "sitting-merge", merged.map(|(row, undo)| (row, Some(undo)))).await
}

/// A match that waits for the party, by a published variant or by the basic rules.
#[post("/admin/sittings/{id}/matches")]
pub(crate) async fn start_match(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<SittingId>,
    Form(form): Form<StartForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunFloor)?;
    let mut conn = db.conn().await?;
    let sitting = super::store::find(&mut conn, id).await?.ok_or_else(|| not_found("sitting_not_found"))?;
    let request = form.request(sitting.table_id);
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let name = table_name(&mut conn, sitting.table_id).await?;
    let made = match request {
        Ok(request) => matches::create_for(&mut conn, doer, &sitting, &request).await,
        Err(err) => Err(err),
    };
    let flash = Flash::after(made, |(_, undo)| Flash::good("match-made", &name).undoable(undo))?;
    Ok(page.go_with(&format!("/admin?table={}", sitting.table_id), flash))
}

impl StartForm {
    fn request(self, table: TableId) -> ApiResult<NewMatchRequest> {
        let title = self.title.as_deref().map(str::trim).filter(|it| !it.is_empty() && self.game == matches::OTHER);
        let title = title.map(MatchName::parse).transpose();
        Ok(NewMatchRequest {
            game: self.game,
            variant_id: self.variant,
            seats: self.seats,
            table_id: Some(table),
            mode: self.mode,
            title: title.map_err(|refusal| invalid_fields(vec![refusal.at("/title")]))?,
            ..NewMatchRequest::default()
        })
    }
}

async fn alter(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<SittingId>,
    key: &str,
    change: SittingChange,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let changed = super::change(&mut conn, Doer { world: &world, live: &live, staff: &staff }, id, &change).await;
    told(&mut conn, &page, key, changed).await
}

async fn told(
    conn: &mut crate::db::Conn,
    page: &Page,
    key: &str,
    done: ApiResult<(SittingRow, Option<UndoId>)>,
) -> ApiResult<HttpResponse> {
    let name = match &done {
        Ok((row, _)) => table_name(conn, row.table_id).await?,
        Err(_) => String::new(),
    };
    let flash = Flash::after(done, |(_, undo)| Flash::good(key, &name).undoable(undo))?;
    Ok(page.go_with("/admin", flash))
}

async fn table_name(conn: &mut crate::db::Conn, id: TableId) -> ApiResult<String> {
    Ok(tables::store::find(conn, id).await?.map(|table| table.name).unwrap_or_default())
}
