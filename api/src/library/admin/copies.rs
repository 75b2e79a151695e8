//! What is done with copies at the pages: they are added, moved, noted upon.

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::{Means, address, flash, tell};
use crate::db::Db;
use crate::error::{ApiResult, invalid_fields, not_found};
use crate::extract::{Path, tidy_text};
use crate::ids::TableId;
use crate::library::notes::NOTE_MAX;
use crate::library::{self, CopyId, CopyRow, CopyState, Errand, NoteId, PlaceRow, Shelf, TitleId, TitleRow, store};
use crate::page::preferences::own_path;
use crate::page::{Desk, Flash, Form};
use crate::staff::Deed;
use crate::undo::Doer;
use crate::world::World;

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
pub(crate) async fn add_copy(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<TitleId>,
    Form(form): Form<ShelfForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let done = match Shelf::parse(&form.shelf) {
        Ok(shelf) => library::add_copy(&mut *db.conn().await?, &world, &staff, id, &shelf).await,
        Err(err) => Err(invalid_fields(vec![err])),
    };
    tell(&page, &address(id), done.map(|copy| ("copy-added", copy.shelf)), "")
}

#[post("/admin/library/copies/{id}/shelf")]
pub(crate) async fn change_shelf(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<CopyId>,
    Form(form): Form<ShelfForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let (_, title) = find_copy(&mut conn, id).await?;
    let done = match Shelf::parse(&form.shelf) {
        Ok(shelf) => library::change_copy(&mut conn, &world, &staff, id, Some(&shelf), None).await,
        Err(err) => Err(invalid_fields(vec![err])),
    };
    tell(&page, &address(title.id), done.map(|copy| ("copy-changed", copy.shelf)), title.name(page.lang))
}

#[post("/admin/library/copies/{id}/archive")]
pub(crate) async fn archive_copy(means: Means, desk: Desk, id: Path<CopyId>, _: Form<()>) -> ApiResult<HttpResponse> {
    set_copy_archived(means, desk, id, true).await
}

#[post("/admin/library/copies/{id}/restore")]
pub(crate) async fn restore_copy(means: Means, desk: Desk, id: Path<CopyId>, _: Form<()>) -> ApiResult<HttpResponse> {
    set_copy_archived(means, desk, id, false).await
}

#[post("/admin/library/copies/{id}/notes")]
pub(crate) async fn add_note(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<CopyId>,
    Form(form): Form<NoteForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let (_, title) = find_copy(&mut conn, id).await?;
    let done = match tidy_text(&form.text, NOTE_MAX) {
        Ok(text) => library::add_note(&mut conn, &world, &staff, id, &text).await.map(|_| text),
        Err(err) => Err(invalid_fields(vec![err])),
    };
    tell(&page, &format!("{}#c{id}", address(title.id)), done.map(|text| ("note-added", text)), "")
}

#[post("/admin/library/notes/{id}/settle")]
pub(crate) async fn settle_note(means: Means, desk: Desk, id: Path<NoteId>, _: Form<()>) -> ApiResult<HttpResponse> {
    set_settled(means, desk, id, true).await
}

#[post("/admin/library/notes/{id}/open")]
pub(crate) async fn open_note(means: Means, desk: Desk, id: Path<NoteId>, _: Form<()>) -> ApiResult<HttpResponse> {
    set_settled(means, desk, id, false).await
}

#[post("/admin/library/copies/{id}/{errand}")]
pub(crate) async fn move_copy(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path((id, errand)): Path<(CopyId, Errand)>,
    Form(form): Form<ErrandForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let (_, title) = find_copy(&mut conn, id).await?;
    let table = form.table.parse::<TableId>().ok();
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let done = library::act(&mut conn, doer, id, errand, table).await;
    let back =
        form.back.as_deref().map_or_else(|| format!("{}#c{id}", address(title.id)), |back| own_path(back).into());
    let name = title.name(page.lang);
    let undo = done.as_ref().ok().and_then(|(_, undo)| *undo);
    let told = |(copy, _): (CopyRow, _)| ("copy-moved", format!("{name} → {}", page.t(copy.state.key())));
    Ok(page.go_with(&back, flash(done.map(told), name)?.undoable(undo)))
}

async fn set_copy_archived(
    (db, world, _): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<CopyId>,
    archived: bool,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let (_, title) = find_copy(&mut conn, id).await?;
    let done = library::change_copy(&mut conn, &world, &staff, id, None, Some(archived)).await;
    let name = title.name(page.lang);
    tell(&page, &address(title.id), done.map(|_| ("copy-changed", name.to_owned())), name)
}

async fn set_settled(
    (db, world, _): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<NoteId>,
    settled: bool,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let copy = library::settle_note(&mut conn, &world, &staff, id, settled).await?;
    let (_, title) = find_copy(&mut conn, copy).await?;
    Ok(page.go_with(&format!("{}#c{copy}", address(title.id)), Flash::good("note-settled", "")))
}

async fn find_copy(conn: &mut AsyncPgConnection, id: CopyId) -> ApiResult<(CopyRow, TitleRow)> {
    store::find_copy(conn, id).await?.ok_or_else(|| not_found("copy_not_found"))
}

impl CopyState {
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Shelf => "copy-state-shelf",
            Self::Table => "copy-state-table",
            Self::Return => "copy-state-return",
            Self::Repair => "copy-state-repair",
            Self::Lost => "copy-state-lost",
        }
    }

    pub(crate) fn icon(self) -> &'static str {
        match self {
            Self::Shelf => "check",
            Self::Table => "tables",
            Self::Return => "hourglass",
            Self::Repair => "wheel",
            Self::Lost => "sunk",
        }
    }

    /// Of its colour in the style sheet.
    pub(crate) fn tone(self) -> &'static str {
        match self {
            Self::Shelf => "finished",
            Self::Table => "playing",
            Self::Return => "waiting",
            Self::Repair | Self::Lost => "attention",
        }
    }
}

impl Errand {
    /// Those that a page offers, the usual ones first; to lend needs a table besides.
    pub(super) const OFFERED: [Self; 5] = [Self::TakeBack, Self::CheckIn, Self::Find, Self::Repair, Self::Lose];

    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Lend => "errand-lend",
            Self::Carry => "errand-carry",
            Self::TakeBack => "errand-take_back",
            Self::CheckIn => "errand-check_in",
            Self::Repair => "errand-repair",
            Self::Lose => "errand-lose",
            Self::Find => "errand-find",
            Self::Undo => "errand-undo",
        }
    }

    pub(super) fn is_main(self) -> bool {
        matches!(self, Self::TakeBack | Self::CheckIn | Self::Find)
    }
}

impl PlaceRow {
    pub(super) fn errand_key(&self) -> &'static str {
        self.errand.map_or("errand-none", Errand::key)
    }
}
