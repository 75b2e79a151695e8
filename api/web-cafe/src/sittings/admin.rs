//! What staff do with a party by a button of the floor. Each leads back there, to the sheet of the table if one is open, with the way
//! to take it back.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use crate::floor::words::FloorWords;
use base::auth::{StaffContext, can};
use base::error::{invalid_fields, not_found};
use base::ids::{PlayerId, TableId, VariantId};
use base::undo::UndoId;
use play::matches::{self, MatchName, NewMatchRequest};
use play::players;
use play::sittings::{Held, LONGER, PartyAt, SittingChange, SittingId, SittingRow, party_size};
use play::tables;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

type Running = StaffContext<'static, can::RunFloor>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SizeForm {
    party_size: i64,
    /// `yes` to seat it where a tournament is to play.
    force: Option<String>,
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
    /// What they play, if it is not in the catalogue.
    title: Option<String>,
}

#[post("/admin/tables/{id}/sitting")]
pub async fn seat_party(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<TableId>,
    Form(form): Form<SizeForm>,
) -> ApiResult<HttpResponse> {
    let opened = match party_size(form.party_size) {
        Ok(size) => play::sittings::open(&mut cx, id, size, Held::of(form.force.as_deref() == Some("yes"))).await,
        Err(err) => Err(err),
    };
    let told = |(party, undo): (PartyAt, _)| Flash::good("sitting-open", &party.table.name).undoable(undo);
    Ok(page.go_with(&sheet_of(id), Flash::after(opened, told)?))
}

#[post("/admin/sittings/{id}/size")]
pub async fn resize_party(
    _: Budget<Writes>,
    staff: StaffPage<can::RunFloor>,
    id: Path<SittingId>,
    Form(form): Form<SizeForm>,
) -> ApiResult<HttpResponse> {
    let change = SittingChange { party_size: Some(form.party_size), ..SittingChange::default() };
    alter(staff, id, "sitting-resize", change).await
}

#[post("/admin/sittings/{id}/table")]
pub async fn move_party(
    _: Budget<Writes>,
    staff: StaffPage<can::RunFloor>,
    id: Path<SittingId>,
    Form(form): Form<MoveForm>,
) -> ApiResult<HttpResponse> {
    let change = SittingChange { table_id: Some(form.table), ..SittingChange::default() };
    alter(staff, id, "sitting-move", change).await
}

/// They are about to leave.
#[post("/admin/sittings/{id}/closing")]
pub async fn mark_closing(
    _: Budget<Writes>,
    staff: StaffPage<can::RunFloor>,
    id: Path<SittingId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let change = SittingChange { closing: Some(true), ..SittingChange::default() };
    alter(staff, id, "sitting-closing", change).await
}

/// They stay after all.
#[post("/admin/sittings/{id}/stay")]
pub async fn mark_staying(
    _: Budget<Writes>,
    staff: StaffPage<can::RunFloor>,
    id: Path<SittingId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let change = SittingChange { closing: Some(false), ..SittingChange::default() };
    alter(staff, id, "sitting-stay", change).await
}

/// Somebody has looked after a party that is there for long.
#[post("/admin/sittings/{id}/longer")]
pub async fn let_stay_longer(
    _: Budget<Writes>,
    staff: StaffPage<can::RunFloor>,
    id: Path<SittingId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let change = SittingChange { remind_at: Some(staff.cx.world.now() + LONGER), ..SittingChange::default() };
    alter(staff, id, "sitting-extend", change).await
}

#[post("/admin/sittings/{id}/close")]
pub async fn close_party(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<SittingId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let closed = play::sittings::close(&mut cx, id, page.prices().as_ref()).await;
    let flash = told(&mut cx, &page, "sitting-close", closed).await?.0;
    Ok(page.go_with("/admin", flash))
}

/// Somebody who came to a complete party belongs to it.
#[post("/admin/sittings/{id}/members/{player_id}/welcome")]
pub async fn welcome_member(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path((id, player)): Path<(SittingId, PlayerId)>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let welcomed = play::sittings::welcome_member(&mut cx, id, player).await;
    let name = name_of(&mut cx, player).await?;
    let flash = Flash::after(welcomed, |(_, undo)| Flash::good("sitting-welcome", &name).undoable(undo))?;
    Ok(page.go_with(&page.floor_again(), flash))
}

/// Somebody who does not belong to the party. Leads back to its table, where the others are.
#[post("/admin/sittings/{id}/members/{player_id}/remove")]
pub async fn remove_member(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path((id, player)): Path<(SittingId, PlayerId)>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let (_, undo) = play::sittings::remove_member(&mut cx, id, player).await?;
    let flash = Flash::good("sitting-remove", &name_of(&mut cx, player).await?).undoable(undo);
    Ok(page.go_with(&page.floor_again(), flash))
}

#[post("/admin/sittings/{id}/merge")]
pub async fn merge_parties(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<SittingId>,
    Form(form): Form<MergeForm>,
) -> ApiResult<HttpResponse> {
    let merged = play::sittings::merge(&mut cx, id, form.into).await;
    let (flash, to) = told(&mut cx, &page, "sitting-merge", merged).await?;
    Ok(page.go_with(&to, flash))
}

/// A match that waits for the party, by a published variant or by the basic rules.
#[post("/admin/sittings/{id}/matches")]
pub async fn start_match(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<SittingId>,
    Form(form): Form<StartForm>,
) -> ApiResult<HttpResponse> {
    let sitting =
        play::sittings::store::find(cx.conn().await?, id).await?.ok_or_else(|| not_found("sitting_not_found"))?;
    let request = form.request(sitting.table_id);
    let name = table_name(&mut cx, sitting.table_id).await?;
    let made = match request {
        Ok(request) => matches::create_for(&mut cx, &sitting, &request).await.map_err(ApiError::from),
        Err(err) => Err(err),
    };
    let flash = Flash::after(made, |(_, undo)| Flash::good("match-made", &name).undoable(undo))?;
    Ok(page.go_with(&sheet_of(sitting.table_id), flash))
}

impl StartForm {
    fn request(self, table: TableId) -> ApiResult<NewMatchRequest> {
        let title = self.title.as_deref().map(str::trim).filter(|it| !it.is_empty() && self.game == base::games::OTHER);
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
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<SittingId>,
    key: &str,
    change: SittingChange,
) -> ApiResult<HttpResponse> {
    let changed = play::sittings::change(&mut cx, id, &change).await;
    let (flash, to) = told(&mut cx, &page, key, changed).await?;
    Ok(page.go_with(&to, flash))
}

/// What came of it, with how many now sit where, and the floor with the party's sheet if a sheet was open.
async fn told(
    cx: &mut Running,
    page: &Page,
    key: &str,
    done: base::error::Result<(SittingRow, Option<UndoId>)>,
) -> ApiResult<(Flash, String)> {
    let (mut name, mut to) = (String::new(), page.floor_again());
    if let Ok((row, _)) = &done
        && let Some(table) = tables::store::find(cx.conn().await?, row.table_id).await?
    {
        let people = page.filling(row.party_size, &table);
        name = if row.closed_at.is_none() { format!("{} · {people}", table.name) } else { table.name };
        to = if page.has_sheet() { sheet_of(row.table_id) } else { to };
    }
    Ok((Flash::after(done, |(_, undo)| Flash::good(key, &name).undoable(undo))?, to))
}

/// The floor with the sheet of this table.
fn sheet_of(table: TableId) -> String {
    format!("/admin?table={table}")
}

async fn name_of(cx: &mut Running, player: PlayerId) -> ApiResult<String> {
    Ok(players::store::find(cx.conn().await?, player).await?.map(|row| row.display_name).unwrap_or_default())
}

async fn table_name(cx: &mut Running, id: TableId) -> ApiResult<String> {
    Ok(tables::store::find(cx.conn().await?, id).await?.map(|table| table.name).unwrap_or_default())
}
