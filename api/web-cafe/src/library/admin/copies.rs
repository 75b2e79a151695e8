//! Copies at the pages: adding them, moving them, writing notes on them.

use actix_web::{HttpResponse, post};
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::{address, flash, tell};
use base::auth::can;
use base::error::{invalid_fields, not_found};
use base::ids::TableId;
use base::inputs::tidy_text;
use play::library::notes::NOTE_MAX;
use play::library::{self, CopyId, CopyRow, NoteId, Shelf, TitleId, TitleRow, Transfer, store};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::preferences::own_path;
use web_base::page::{Flash, Form, StaffPage};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShelfForm {
    shelf: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteForm {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrandForm {
    /// With `lend`: where it goes.
    #[serde(default)]
    table: String,
    /// Where it was done, if not on the title's page.
    back: Option<String>,
}

#[post("/admin/library/titles/{id}/copies")]
pub async fn add_copy(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<TitleId>,
    Form(form): Form<ShelfForm>,
) -> ApiResult<HttpResponse> {
    let done = match Shelf::parse(&form.shelf) {
        Ok(shelf) => library::add_copy(&mut cx, id, &shelf).await,
        Err(err) => Err(invalid_fields(vec![err])),
    };
    tell(&page, &address(id), done.map(|copy| ("copy-added", copy.shelf)), "")
}

#[post("/admin/library/copies/{id}/shelf")]
pub async fn change_shelf(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<CopyId>,
    Form(form): Form<ShelfForm>,
) -> ApiResult<HttpResponse> {
    let (_, title) = find_copy(cx.conn().await?, id).await?;
    let done = match Shelf::parse(&form.shelf) {
        Ok(shelf) => library::change_copy(&mut cx, id, Some(&shelf), None).await,
        Err(err) => Err(invalid_fields(vec![err])),
    };
    tell(&page, &address(title.id), done.map(|copy| ("copy-changed", copy.shelf)), title.name(page.lang))
}

#[post("/admin/library/copies/{id}/archive")]
pub async fn archive_copy(
    _: Budget<Writes>,
    staff: StaffPage<can::ManageLibrary>,
    id: Path<CopyId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    set_copy_archived(staff, id, true).await
}

#[post("/admin/library/copies/{id}/restore")]
pub async fn restore_copy(
    _: Budget<Writes>,
    staff: StaffPage<can::ManageLibrary>,
    id: Path<CopyId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    set_copy_archived(staff, id, false).await
}

#[post("/admin/library/copies/{id}/notes")]
pub async fn add_note(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<CopyId>,
    Form(form): Form<NoteForm>,
) -> ApiResult<HttpResponse> {
    let (_, title) = find_copy(cx.conn().await?, id).await?;
    let done = match tidy_text(&form.text, NOTE_MAX) {
        Ok(text) => library::add_note(&mut cx, id, &text).await.map(|_| text),
        Err(err) => Err(invalid_fields(vec![err])),
    };
    tell(&page, &format!("{}#c{id}", address(title.id)), done.map(|text| ("note-added", text)), "")
}

#[post("/admin/library/notes/{id}/settle")]
pub async fn settle_note(
    _: Budget<Writes>,
    staff: StaffPage<can::ManageLibrary>,
    id: Path<NoteId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    set_settled(staff, id, true).await
}

#[post("/admin/library/notes/{id}/open")]
pub async fn open_note(
    _: Budget<Writes>,
    staff: StaffPage<can::ManageLibrary>,
    id: Path<NoteId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    set_settled(staff, id, false).await
}

#[post("/admin/library/copies/{id}/{errand}")]
pub async fn move_copy(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path((id, errand)): Path<(CopyId, Transfer)>,
    Form(form): Form<ErrandForm>,
) -> ApiResult<HttpResponse> {
    let (_, title) = find_copy(cx.conn().await?, id).await?;
    let table = form.table.parse::<TableId>().ok();
    let done = library::transfer(&mut cx, id, errand, table).await;
    let back =
        form.back.as_deref().map_or_else(|| format!("{}#c{id}", address(title.id)), |back| own_path(back).into());
    let name = title.name(page.lang);
    let undo = done.as_ref().ok().and_then(|(_, undo)| *undo);
    let told = |(copy, _): (CopyRow, _)| ("copy-moved", format!("{name} → {}", page.t(copy.state.key())));
    Ok(page.go_with(&back, flash(done.map(told), name)?.undoable(undo)))
}

async fn set_copy_archived(
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<CopyId>,
    archived: bool,
) -> ApiResult<HttpResponse> {
    let (_, title) = find_copy(cx.conn().await?, id).await?;
    let done = library::change_copy(&mut cx, id, None, Some(archived)).await;
    let name = title.name(page.lang);
    tell(&page, &address(title.id), done.map(|_| ("copy-changed", name.to_owned())), name)
}

async fn set_settled(
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<NoteId>,
    settled: bool,
) -> ApiResult<HttpResponse> {
    let copy = library::settle_note(&mut cx, id, settled).await?;
    let (_, title) = find_copy(cx.conn().await?, copy).await?;
    Ok(page.go_with(&format!("{}#c{copy}", address(title.id)), Flash::good("note-settled", "")))
}

async fn find_copy(conn: &mut AsyncPgConnection, id: CopyId) -> ApiResult<(CopyRow, TitleRow)> {
    Ok(store::find_copy(conn, id).await?.ok_or_else(|| not_found("copy_not_found"))?)
}
