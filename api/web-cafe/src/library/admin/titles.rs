//! A title with its copies, and the form that it is entered and changed by.

use crate::library::guest::TitleWords;
use actix_web::ResponseError;
use std::borrow::Borrow;
use web_base::limits::{Budget, Writes};

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::catalogue;

use super::{address, tell};
use base::auth::can;
use base::error::Error;
use base::error::{FieldError, invalid_fields, not_found};
use base::text::Lang;
use play::library::form::{Column, TitleText};
use play::library::store::TitleContent;
use play::library::{
    self, CopyId, CopyRow, Difficulty, NoteRow, PlaceRow, TitleId, TitleRow, Transfer, history, store,
};
use play::tables::{self, TableRow};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::page::{Edit, Fields, Flash, Form, Page, StaffPage};

const PLACES_SHOWN: i64 = 30;

const NOTES_SHOWN: i64 = 50;

#[derive(Template)]
#[template(path = "admin/library/form.html")]
struct TitleFormPage {
    page: Page,
    /// None for a new one.
    title: Option<TitleRow>,
    edit: Edit,
    /// As it is typed.
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

/// What is told of all copies of a title.
struct Past {
    notes: Vec<NoteRow>,
    places: Vec<PlaceRow>,
    /// Copies whose last transfer can be undone.
    undoable: Vec<CopyId>,
}

#[get("/admin/library/titles/new")]
pub async fn show_new_title(StaffPage { page, cx: _ }: StaffPage<can::ManageLibrary>) -> ApiResult<HttpResponse> {
    form(page, StatusCode::OK, None, Edit::default(), Vec::new())
}

#[post("/admin/library/titles")]
pub async fn make_title(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let made = match text_of(edit.typed()).read() {
        Ok((request, shelves)) => library::create(&mut cx, &request, &shelves).await,
        Err(fields) => Err(invalid_fields(fields)),
    };
    match made {
        Ok(title) => Ok(page.go_with(&address(title.id), Flash::good("title-made", title.name(page.lang)))),
        Err(err) => refuse(page, err.into(), None, edit),
    }
}

#[get("/admin/library/titles/{id}/edit")]
pub async fn show_title_form(
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<TitleId>,
) -> ApiResult<HttpResponse> {
    let title = find(cx.conn().await?, id).await?;
    let edit = Edit::of(fields(&title.clone().into()));
    form(page, StatusCode::OK, Some(title), edit, Vec::new())
}

#[get("/admin/library/titles/{id}")]
pub async fn show_title(
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<TitleId>,
) -> ApiResult<HttpResponse> {
    let title = find(cx.conn().await?, id).await?;
    let copies = store::list_copies(cx.conn().await?, &[id], true).await?;
    let ids: Vec<CopyId> = copies.iter().map(|copy| copy.id).collect();
    let notes = history::list_notes(cx.conn().await?, &ids, NOTES_SHOWN).await?;
    let places = history::list_places(cx.conn().await?, &ids, None, PLACES_SHOWN).await?;
    let tables = tables::store::list(cx.conn().await?, true).await?;
    let mut undoable = Vec::new();
    for id in ids {
        if let Some(last) = places.iter().find(|place| place.copy_id == id)
            && library::find_undo(cx.conn().await?, page.now, last).await?.is_some()
        {
            undoable.push(id);
        }
    }
    let past = Past { notes, places, undoable };
    let template = TitlePage::of(page, title, copies, &past, tables);
    template.page.html(&template)
}

#[post("/admin/library/titles/{id}")]
pub async fn change_title(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<TitleId>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let change = |now: &TitleContent| {
        let text = text_of(&edit.onto(&fields(now))?);
        text.content().map(|(content, _)| content).map_err(invalid_fields)
    };
    let err = match library::edit(&mut cx, id, &change).await {
        Ok(title) if edit.keeps_others(&fields(&title.clone().into())) => {
            return Ok(page.go_with(&address(id), Flash::good("form-merged", "")));
        }
        Ok(title) => return Ok(page.go_with(&address(id), Flash::good("title-changed", title.name(page.lang)))),
        Err(err) => err,
    };
    let title = find(cx.conn().await?, id).await?;
    if err.code() != "form_changed" {
        return refuse(page, err.into(), Some(title), edit);
    }
    let now = fields(&title.clone().into());
    let wrong = edit.clashes(&now).filter_map(|(name, value)| now_in(&page, name, value)).collect();
    let template = TitleFormPage { wrong, ..TitleFormPage::of(page, Some(title), edit.again(now), &[]) };
    template.page.html_as(StatusCode::CONFLICT, &template)
}

#[post("/admin/library/titles/{id}/archive")]
pub async fn archive_title(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<TitleId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let done = library::set_archived(&mut cx, id, true).await;
    tell(&page, &address(id), done.map(|title| ("title-archived", title.name(page.lang).to_owned())), "")
}

#[post("/admin/library/titles/{id}/restore")]
pub async fn restore_title(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    Path(id): Path<TitleId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let done = library::set_archived(&mut cx, id, false).await;
    tell(&page, &address(id), done.map(|title| ("title-restored", title.name(page.lang).to_owned())), "")
}

async fn find(conn: &mut AsyncPgConnection, id: TitleId) -> ApiResult<TitleRow> {
    Ok(store::find(conn, id).await?.ok_or_else(|| not_found("title_not_found"))?)
}

/// The form again, with what is wrong beside each field.
fn refuse(page: Page, err: ApiError, title: Option<TitleRow>, edit: Edit) -> ApiResult<HttpResponse> {
    let status = err.status_code();
    let refusal = err.refusal()?;
    if refusal.fields.is_empty() {
        return Err(Error::Refused(refusal).into());
    }
    form(page, status, title, edit, refusal.fields)
}

fn form(
    page: Page,
    status: StatusCode,
    title: Option<TitleRow>,
    edit: Edit,
    wrong: Vec<FieldError>,
) -> ApiResult<HttpResponse> {
    let template = TitleFormPage::of(page, title, edit, &wrong);
    template.page.html_as(status, &template)
}

/// What the form of a title holds.
fn fields(title: &TitleContent) -> Fields {
    let text = TitleText::of(title, Lang::default());
    let columns = Column::ALL.iter().copied().filter(|column| ![Column::Id, Column::Shelves].contains(column));
    let mut fields: Fields = columns.map(|it| (it.as_str().to_owned(), text.cell(it).to_owned())).collect();
    // The one that is chosen, not typed.
    fields.insert(Column::Difficulty.to_string(), title.difficulty.to_string());
    fields
}

fn text_of(fields: &Fields) -> TitleText {
    let mut text = TitleText::default();
    for column in Column::ALL {
        text.set(*column, fields.get(column.as_str()).map_or("", String::as_str));
    }
    text
}

/// What somebody else has put into a field.
fn now_in(page: &Page, name: &str, value: &str) -> Option<(Column, String)> {
    let column: Column = name.parse().ok()?;
    let said = match (column, value.parse::<Difficulty>()) {
        (Column::Difficulty, Ok(difficulty)) => page.now_in_field(&difficulty.word(page.lang)),
        (Column::Game, _) if !value.is_empty() => page.now_in_field(&page.game_name(value)),
        _ => page.now_in_field(value),
    };
    Some((column, said))
}

impl TitleFormPage {
    fn of(page: Page, title: Option<TitleRow>, edit: Edit, wrong: &[FieldError]) -> Self {
        let told = |err: &FieldError| Some((Column::of_pointer(&err.pointer)?, err.detail(page.lang)));
        let wrong = wrong.iter().filter_map(told).collect();
        let games = catalogue::GAMES.iter().map(|kind| (kind.info().id, page.game_name(kind.info().id))).collect();
        Self { page, title, text: text_of(edit.typed()), edit, wrong, games }
    }

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

impl TitlePage {
    fn of(page: Page, title: TitleRow, copies: Vec<CopyRow>, past: &Past, tables: Vec<TableRow>) -> Self {
        let of = |copy: CopyRow| {
            let notes = past.notes.iter().filter(|note| note.copy_id == copy.id).cloned().collect();
            let places: Vec<_> = past.places.iter().filter(|place| place.copy_id == copy.id).cloned().collect();
            let table = tables.iter().find(|table| Some(table.id) == copy.table_id).map(|table| table.name.clone());
            let may_undo = past.undoable.contains(&copy.id);
            Copied { copy, table, notes, places, may_undo }
        };
        let boxes = copies.into_iter().map(of).collect();
        let tables = tables.into_iter().filter(|table| table.archived_at.is_none()).collect();
        Self { page, title, boxes, tables }
    }
}

impl Copied {
    fn allows(&self, errand: impl Borrow<Transfer>) -> bool {
        self.copy.archived_at.is_none() && errand.borrow().starts_from(self.copy.state)
    }

    fn open_notes(&self) -> impl Iterator<Item = &NoteRow> {
        self.notes.iter().filter(|note| note.settled_at.is_none())
    }

    fn settled_notes(&self) -> Vec<&NoteRow> {
        self.notes.iter().filter(|note| note.settled_at.is_some()).collect()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use play::library::{CopyState, NoteId};
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_title_is_complete_with_copies_everywhere_and_without() {
        let copy = |(number, state): (i16, CopyState)| CopyRow {
            id: CopyId(Uuid::from_u128(number.unsigned_abs().into())),
            number,
            table_id: (state == CopyState::Table).then(|| samples::table("1번").id),
            ..samples::copy(state)
        };
        let copies: Vec<CopyRow> = (1..).zip(CopyState::ALL.iter().copied()).map(copy).collect();
        let note = |id: u128, settled_at| NoteRow {
            id: NoteId(Uuid::from_u128(id)),
            copy_id: copies[0].id,
            text: "카드 한 장이 없어요".to_owned(),
            by: "민아".to_owned(),
            created_at: Timestamp::UNIX_EPOCH,
            settled_at,
        };
        let place = |transfer| PlaceRow {
            id: 1,
            copy_id: copies[0].id,
            transfer,
            state: CopyState::Shelf,
            table_id: None,
            table: Some("1번".to_owned()),
            by: Some("민아".to_owned()),
            at: Timestamp::UNIX_EPOCH,
        };
        let past = Past {
            notes: vec![note(1, None), note(2, Some(Timestamp::UNIX_EPOCH))],
            places: Transfer::ALL.iter().copied().map(Some).chain([None]).map(place).collect(),
            undoable: vec![copies[0].id],
        };
        let archived = TitleRow { archived_at: Some(Timestamp::UNIX_EPOCH), ..samples::title() };
        for (title, copies) in [(samples::title(), copies.clone()), (archived, Vec::new())] {
            samples::check(samples::STAFF, |page| {
                TitlePage::of(page, title.clone(), copies.clone(), &past, vec![samples::table("1번")]).render()
            });
        }
    }

    #[test]
    fn a_form_is_complete() {
        let wrong = [FieldError::new("/name_ko", "missing_field"), FieldError::new("/players_from", "out_of_range")];
        for title in [None, Some(samples::title())] {
            samples::check(samples::STAFF, |page| {
                let edit = title.clone().map(|title| Edit::of(fields(&title.into()))).unwrap_or_default();
                TitleFormPage::of(page, title.clone(), edit, &wrong).render()
            });
        }
    }

    #[test]
    fn a_form_sends_back_what_it_shows() {
        let title: TitleContent = samples::title().into();
        assert_eq!(text_of(&fields(&title)).content().unwrap().0, title);
        let page = Page::sample(Lang::En);
        assert_eq!(now_in(&page, "difficulty", "hard"), Some((Column::Difficulty, "Now: Hard".to_owned())));
        assert_eq!(now_in(&page, "players_to", "").map(|it| it.1).as_deref(), Some("Now: –"));
    }
}
