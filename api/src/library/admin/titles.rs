//! A title with its copies, and the form that it is entered and changed by.

use std::borrow::Borrow;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::catalogue;

use super::{address, tell};
use crate::db::Db;
use crate::error::{ApiError, ApiResult, FieldError, invalid_fields, not_found};
use crate::extract::Path;
use crate::library::form::{Column, TitleText};
use crate::library::{self, CopyId, CopyRow, Difficulty, Errand, NoteRow, PlaceRow, TitleId, TitleRow, diary, store};
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::tables::{self, TableRow};
use crate::world::World;

const PLACES_SHOWN: i64 = 30;

const NOTES_SHOWN: i64 = 50;

#[derive(Template)]
#[template(path = "admin/library/form.html")]
struct TitleFormPage {
    page: Page,
    /// None for a new one.
    title: Option<TitleRow>,
    text: TitleText,
    wrong: Vec<(Column, String)>,
    games: Vec<(&'static str, String)>,
}

#[derive(Template)]
#[template(path = "admin/library/show.html")]
struct TitlePage {
    page: Page,
    title: TitleRow,
    boxes: Vec<Copied>,
    tables: Vec<TableRow>,
}

/// A copy with all that is told of it.
struct Copied {
    copy: CopyRow,
    table: Option<String>,
    notes: Vec<NoteRow>,
    places: Vec<PlaceRow>,
    may_undo: bool,
}

#[get("/admin/library/titles/new")]
pub(crate) async fn show_new_title(Desk { page, staff }: Desk) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    form(page, StatusCode::OK, None, TitleText::default(), Vec::new())
}

#[post("/admin/library/titles")]
pub(crate) async fn make_title(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Form(text): Form<TitleText>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let made = match text.read() {
        Ok((request, shelves)) => library::create(&mut *db.conn().await?, &world, &staff, &request, &shelves).await,
        Err(fields) => Err(invalid_fields(fields)),
    };
    match made {
        Ok(title) => Ok(page.go_with(&address(title.id), Flash::good("title-made", title.name(page.lang)))),
        Err(err) => refuse(page, err, None, text),
    }
}

#[get("/admin/library/titles/{id}/edit")]
pub(crate) async fn show_title_form(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<TitleId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let title = find(&mut *db.conn().await?, id).await?;
    let text = TitleText::of(&title.clone().into(), page.lang);
    form(page, StatusCode::OK, Some(title), text, Vec::new())
}

#[get("/admin/library/titles/{id}")]
pub(crate) async fn show_title(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<TitleId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let title = find(&mut conn, id).await?;
    let copies = store::list_copies(&mut conn, &[id], true).await?;
    let ids: Vec<CopyId> = copies.iter().map(|copy| copy.id).collect();
    let notes = diary::list_notes(&mut conn, &ids, true, NOTES_SHOWN).await?;
    let places = diary::list_places(&mut conn, &ids, None, PLACES_SHOWN).await?;
    let tables = tables::store::list(&mut conn, true).await?;
    let of = |copy: CopyRow| {
        let mut notes = notes.clone();
        notes.retain(|note| note.copy_id == copy.id);
        let mut places = places.clone();
        places.retain(|place| place.copy_id == copy.id);
        let table = tables.iter().find(|table| Some(table.id) == copy.table_id).map(|table| table.name.clone());
        let may_undo = places.first().is_some_and(|last| last.may_be_undone(page.now));
        Copied { copy, table, notes, places, may_undo }
    };
    let boxes = copies.into_iter().map(of).collect();
    let tables = tables.into_iter().filter(|table| table.archived_at.is_none()).collect();
    let template = TitlePage { page, title, boxes, tables };
    template.page.html(&template)
}

#[post("/admin/library/titles/{id}")]
pub(crate) async fn change_title(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<TitleId>,
    Form(text): Form<TitleText>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let changed = match text.read() {
        Ok((request, _)) => library::change(&mut conn, &world, &staff, id, &request).await,
        Err(fields) => Err(invalid_fields(fields)),
    };
    match changed {
        Ok(title) => Ok(page.go_with(&address(id), Flash::good("title-changed", title.name(page.lang)))),
        Err(err) => {
            let title = find(&mut conn, id).await?;
            refuse(page, err, Some(title), text)
        }
    }
}

#[post("/admin/library/titles/{id}/archive")]
pub(crate) async fn archive_title(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<TitleId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let done = library::set_archived(&mut *db.conn().await?, &world, &staff, id, true).await;
    tell(&page, &address(id), done.map(|title| ("title-archived", title.name(page.lang).to_owned())), "")
}

#[post("/admin/library/titles/{id}/restore")]
pub(crate) async fn restore_title(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<TitleId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let done = library::set_archived(&mut *db.conn().await?, &world, &staff, id, false).await;
    tell(&page, &address(id), done.map(|title| ("title-restored", title.name(page.lang).to_owned())), "")
}

async fn find(conn: &mut AsyncPgConnection, id: TitleId) -> ApiResult<TitleRow> {
    store::find(conn, id).await?.ok_or_else(|| not_found("title_not_found"))
}

/// The form again, with what is wrong beside each field.
fn refuse(page: Page, err: ApiError, title: Option<TitleRow>, text: TitleText) -> ApiResult<HttpResponse> {
    match err {
        ApiError::Refused(refusal) if !refusal.fields.is_empty() => {
            form(page, refusal.status, title, text, refusal.fields)
        }
        err => Err(err),
    }
}

fn form(
    page: Page,
    status: StatusCode,
    title: Option<TitleRow>,
    text: TitleText,
    wrong: Vec<FieldError>,
) -> ApiResult<HttpResponse> {
    let told = |err: &FieldError| Some((Column::of_pointer(&err.pointer)?, err.detail(page.lang)));
    let wrong = wrong.iter().filter_map(told).collect();
    let games = catalogue::GAMES.iter().map(|kind| (kind.info().id, page.game_name(kind.info().id))).collect();
    let template = TitleFormPage { page, title, text, wrong, games };
    template.page.html_as(status, &template)
}

impl TitleFormPage {
    fn value(&self, column: impl Borrow<Column>) -> &str {
        self.text.cell(*column.borrow())
    }

    fn wrong(&self, column: impl Borrow<Column>) -> Option<&str> {
        self.wrong.iter().find(|(at, _)| at == column.borrow()).map(|(_, wrong)| wrong.as_str())
    }

    fn is_difficulty(&self, difficulty: &Difficulty) -> bool {
        let word = self.text.difficulty.as_str();
        word == difficulty.as_str() || word == difficulty.word(self.page.lang)
    }
}

impl Copied {
    fn allows(&self, errand: impl Borrow<Errand>) -> bool {
        self.copy.archived_at.is_none() && errand.borrow().starts_from(self.copy.state)
    }

    fn open_notes(&self) -> impl Iterator<Item = &NoteRow> {
        self.notes.iter().filter(|note| note.settled_at.is_none())
    }

    fn settled_notes(&self) -> Vec<&NoteRow> {
        self.notes.iter().filter(|note| note.settled_at.is_some()).collect()
    }
}
