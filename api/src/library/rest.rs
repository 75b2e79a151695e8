//! `/api/v1/library/…`

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post, put};
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::notes::NOTE_MAX;
use super::store::{self, Filter};
use super::titles::Reach;
use super::{
    CopyId, CopyRow, CopyState, Difficulty, Errand, Import, MOST_TITLES, NoteId, NoteRow, PlaceRow, Shelf, TitleId,
    TitleRequest, TitleRow, TitleSearch, diary, sheet,
};
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::{Body, Csv, OptionalBody, Path, Search, Staff, refuse_field, tidy_text};
use crate::ids::TableId;
use crate::list::{List, page_size, start};
use crate::live::Live;
use crate::staff::Deed;
use crate::text::Lang;
use crate::undo::Doer;
use crate::world::World;

type Means = (Data<Db>, Data<World>, Data<Live>);

/// A box game that the café has.
#[derive(Debug, Serialize, ToSchema)]
pub struct Title {
    id: TitleId,
    name: TitleNames,
    players: Reach,
    minutes: Reach,
    difficulty: Difficulty,
    /// How long it takes to teach.
    teach_minutes: Option<i16>,
    /// The game of the house that it is.
    #[schema(example = "perudo")]
    game: Option<String>,
    /// A page with its rules: the house's own, or an address elsewhere.
    #[schema(example = "/rules/perudo")]
    rules: Option<String>,
    /// How many copies the café has, and how many of them stand on their shelf now.
    copies: usize,
    on_shelf: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TitleNames {
    ko: String,
    en: String,
    es: String,
}

/// One box of a title.
#[derive(Debug, Serialize, ToSchema)]
pub struct Copy {
    id: CopyId,
    title_id: TitleId,
    /// Tells it from the title's other copies.
    number: i16,
    /// Where it belongs.
    shelf: String,
    state: CopyState,
    /// With `table`: which one.
    table_id: Option<TableId>,
    /// When it came to where it is.
    since: Timestamp,
    /// When it left the library.
    archived_at: Option<Timestamp>,
}

/// A place that a copy came to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CopyPlace)]
pub struct CopyPlace {
    at: Timestamp,
    /// What brought it there; none when it came into the library.
    errand: Option<Errand>,
    state: CopyState,
    table_id: Option<TableId>,
    /// The name of whoever did it.
    by: Option<String>,
}

/// Something to be known of a copy's condition.
#[derive(Debug, Serialize, ToSchema)]
pub struct CopyNote {
    id: NoteId,
    copy_id: CopyId,
    text: String,
    /// The name of whoever wrote it.
    by: String,
    created_at: Timestamp,
    settled_at: Option<Timestamp>,
}

impl Title {
    fn of(row: TitleRow, copies: &[CopyRow]) -> Self {
        let mine = || copies.iter().filter(|copy| copy.title_id == row.id);
        Self {
            copies: mine().count(),
            on_shelf: mine().filter(|copy| copy.state == CopyState::Shelf).count(),
            rules: row.rules_page(),
            id: row.id,
            name: TitleNames { ko: row.name_ko, en: row.name_en, es: row.name_es },
            players: Reach { from: row.players_from.into(), to: row.players_to.into() },
            minutes: Reach { from: row.minutes_from.into(), to: row.minutes_to.into() },
            difficulty: row.difficulty,
            teach_minutes: row.teach_minutes,
            game: row.game,
        }
    }
}

impl From<CopyRow> for Copy {
    fn from(row: CopyRow) -> Self {
        let CopyRow { id, title_id, number, shelf, state, table_id, since, archived_at } = row;
        Self { id, title_id, number, shelf, state, table_id, since, archived_at }
    }
}

impl From<PlaceRow> for CopyPlace {
    fn from(row: PlaceRow) -> Self {
        let PlaceRow { at, errand, state, table_id, by, .. } = row;
        Self { at, errand, state, table_id, by }
    }
}

impl From<NoteRow> for CopyNote {
    fn from(row: NoteRow) -> Self {
        let NoteRow { id, copy_id, text, by, created_at, settled_at } = row;
        Self { id, copy_id, text, by, created_at, settled_at }
    }
}

/// The titles of the library in the order of their names; anybody may look.
#[utoipa::path(tag = "library", params(TitleSearch), responses((status = 200, body = List<Title>)), security(()))]
#[get("/library/titles")]
pub(crate) async fn list_titles(
    db: Data<Db>,
    request: HttpRequest,
    Search(search): Search<TitleSearch>,
) -> ApiResult<Json<List<Title>>> {
    let limit = page_size(search.limit)?;
    let filter = search.filter()?;
    let mut conn = db.conn().await?;
    let rows = store::list(&mut conn, Lang::of(&request), &filter, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    let ids: Vec<TitleId> = items.iter().map(|row| row.id).collect();
    let copies = store::list_copies(&mut conn, &ids, false).await?;
    Ok(Json(List { items: items.into_iter().map(|row| Title::of(row, &copies)).collect(), next }))
}

/// Enters a title; its copies are added one by one.
#[utoipa::path(tag = "library", request_body = TitleRequest, responses((status = 201, body = Title)))]
#[post("/library/titles")]
pub(crate) async fn create_title(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Body(request): Body<TitleRequest>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let made = super::create(&mut *db.conn().await?, &world, &staff, &request, &[]).await?;
    Ok(HttpResponse::Created().json(Title::of(made, &[])))
}

/// One title.
#[utoipa::path(tag = "library", params(("id" = TitleId, Path)), responses((status = 200, body = Title)), security(()))]
#[get("/library/titles/{id}")]
pub(crate) async fn find_title(db: Data<Db>, Path(id): Path<TitleId>) -> ApiResult<Json<Title>> {
    let mut conn = db.conn().await?;
    let row = store::find(&mut conn, id).await?.filter(|row| row.archived_at.is_none());
    let row = row.ok_or_else(|| not_found("title_not_found"))?;
    Ok(Json(show(&mut conn, row).await?))
}

/// Says all of a title anew.
#[utoipa::path(
    tag = "library",
    params(("id" = TitleId, Path)),
    request_body = TitleRequest,
    responses((status = 200, body = Title))
)]
#[put("/library/titles/{id}")]
pub(crate) async fn change_title(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<TitleId>,
    Body(request): Body<TitleRequest>,
) -> ApiResult<Json<Title>> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let row = super::change(&mut conn, &world, &staff, id, &request).await?;
    Ok(Json(show(&mut conn, row).await?))
}

/// Archives a title: it is on no list any more. Asking again changes nothing.
#[utoipa::path(tag = "library", params(("id" = TitleId, Path)), responses((status = 204)))]
#[delete("/library/titles/{id}")]
pub(crate) async fn archive_title(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<TitleId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    super::set_archived(&mut *db.conn().await?, &world, &staff, id, true).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Takes a title out of the archive. Asking again changes nothing.
#[utoipa::path(tag = "library", params(("id" = TitleId, Path)), responses((status = 200, body = Title)))]
#[post("/library/titles/{id}/restore")]
pub(crate) async fn restore_title(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<TitleId>,
) -> ApiResult<Json<Title>> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let row = super::set_archived(&mut conn, &world, &staff, id, false).await?;
    Ok(Json(show(&mut conn, row).await?))
}

/// A new copy of a title.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyRequest {
    shelf: Shelf,
}

/// What is to be different about a copy; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CopyChange {
    shelf: Option<Shelf>,
    /// An archived copy has left the library.
    archived: Option<bool>,
}

/// The copies of a title, by number, all on one page; those that have left the library, too.
#[utoipa::path(tag = "library", params(("id" = TitleId, Path)), responses((status = 200, body = List<Copy>)))]
#[get("/library/titles/{id}/copies")]
pub(crate) async fn list_copies(
    db: Data<Db>,
    Staff(staff): Staff,
    Path(id): Path<TitleId>,
) -> ApiResult<Json<List<Copy>>> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    store::find(&mut conn, id).await?.ok_or_else(|| not_found("title_not_found"))?;
    let rows = store::list_copies(&mut conn, &[id], true).await?;
    Ok(Json(List { items: rows.into_iter().map(Copy::from).collect(), next: None }))
}

/// Adds a copy of a title, on its shelf.
#[utoipa::path(
    tag = "library",
    params(("id" = TitleId, Path)),
    request_body = CopyRequest,
    responses((status = 201, body = Copy))
)]
#[post("/library/titles/{id}/copies")]
pub(crate) async fn add_copy(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<TitleId>,
    Body(request): Body<CopyRequest>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let made = super::add_copy(&mut *db.conn().await?, &world, &staff, id, &request.shelf).await?;
    Ok(HttpResponse::Created().json(Copy::from(made)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CopyQuery {
    /// Where they are.
    state: CopyState,
}

/// The copies that are in one state, those that are there longest first; at most 200.
#[utoipa::path(tag = "library", params(CopyQuery), responses((status = 200, body = List<Copy>)))]
#[get("/library/copies")]
pub(crate) async fn list_copies_by_state(
    db: Data<Db>,
    Staff(staff): Staff,
    Search(query): Search<CopyQuery>,
) -> ApiResult<Json<List<Copy>>> {
    staff.may(Deed::KeepLibrary)?;
    let rows = store::list_in_states(&mut *db.conn().await?, &[query.state], 200).await?;
    Ok(Json(List { items: rows.into_iter().map(|(copy, _)| copy.into()).collect(), next: None }))
}

/// One copy.
#[utoipa::path(tag = "library", params(("id" = CopyId, Path)), responses((status = 200, body = Copy)))]
#[get("/library/copies/{id}")]
pub(crate) async fn find_copy(db: Data<Db>, Staff(staff): Staff, Path(id): Path<CopyId>) -> ApiResult<Json<Copy>> {
    staff.may(Deed::KeepLibrary)?;
    let found = store::find_copy(&mut *db.conn().await?, id).await?;
    let (copy, _) = found.ok_or_else(|| not_found("copy_not_found"))?;
    Ok(Json(copy.into()))
}

/// Gives a copy another shelf, has it leave the library, or takes it in again.
#[utoipa::path(
    tag = "library",
    params(("id" = CopyId, Path)),
    request_body = CopyChange,
    responses((status = 200, body = Copy))
)]
#[patch("/library/copies/{id}")]
pub(crate) async fn change_copy(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<CopyId>,
    Body(change): Body<CopyChange>,
) -> ApiResult<Json<Copy>> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let changed = super::change_copy(&mut conn, &world, &staff, id, change.shelf.as_ref(), change.archived).await?;
    Ok(Json(changed.into()))
}

/// What an errand needs to know.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrandRequest {
    /// With `lend` and `carry`: where it goes.
    table_id: Option<TableId>,
}

/// Does something with a copy, which staff can undo for ten minutes: 409 says where it is if it cannot be done there, perhaps because somebody was quicker.
#[utoipa::path(
    tag = "library",
    params(("id" = CopyId, Path), ("errand" = Errand, Path)),
    request_body = Option<ErrandRequest>,
    responses((status = 200, body = Copy))
)]
#[post("/library/copies/{id}/{errand}")]
pub(crate) async fn move_copy(
    (db, world, live): Means,
    Staff(staff): Staff,
    Path((id, errand)): Path<(CopyId, Errand)>,
    OptionalBody(request): OptionalBody<ErrandRequest>,
) -> ApiResult<Json<Copy>> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let (moved, _) = super::act(&mut conn, doer, id, errand, request.table_id).await?;
    Ok(Json(moved.into()))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// The places that a copy came to, the latest first.
#[utoipa::path(
    tag = "library",
    params(("id" = CopyId, Path), PageQuery),
    responses((status = 200, body = List<CopyPlace>))
)]
#[get("/library/copies/{id}/history")]
pub(crate) async fn list_copy_history(
    db: Data<Db>,
    Staff(staff): Staff,
    Path(id): Path<CopyId>,
    Search(query): Search<PageQuery>,
) -> ApiResult<Json<List<CopyPlace>>> {
    staff.may(Deed::KeepLibrary)?;
    let limit = page_size(query.limit)?;
    let before = start(query.cursor.as_deref())?;
    let mut conn = db.conn().await?;
    store::find_copy(&mut conn, id).await?.ok_or_else(|| not_found("copy_not_found"))?;
    let rows = diary::list_places(&mut conn, &[id], before, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    Ok(Json(List { items: items.into_iter().map(CopyPlace::from).collect(), next }))
}

/// A note on a copy's condition.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteRequest {
    text: NoteText,
}

/// A few sentences.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 300)]
pub struct NoteText(String);

impl<'de> Deserialize<'de> for NoteText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, NOTE_MAX).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

/// Settles a note, or opens it again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteChange {
    settled: bool,
}

/// The latest notes on a copy, open ones first; at most 100.
#[utoipa::path(tag = "library", params(("id" = CopyId, Path)), responses((status = 200, body = List<CopyNote>)))]
#[get("/library/copies/{id}/notes")]
pub(crate) async fn list_copy_notes(
    db: Data<Db>,
    Staff(staff): Staff,
    Path(id): Path<CopyId>,
) -> ApiResult<Json<List<CopyNote>>> {
    staff.may(Deed::KeepLibrary)?;
    let rows = diary::list_notes(&mut *db.conn().await?, &[id], true, 100).await?;
    Ok(Json(List { items: rows.into_iter().map(CopyNote::from).collect(), next: None }))
}

/// Writes a note on a copy's condition.
#[utoipa::path(
    tag = "library",
    params(("id" = CopyId, Path)),
    request_body = NoteRequest,
    responses((status = 201, body = List<CopyNote>))
)]
#[post("/library/copies/{id}/notes")]
pub(crate) async fn add_copy_note(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<CopyId>,
    Body(request): Body<NoteRequest>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    super::add_note(&mut conn, &world, &staff, id, &request.text.0).await?;
    let rows = diary::list_notes(&mut conn, &[id], true, 100).await?;
    Ok(HttpResponse::Created().json(List { items: rows.into_iter().map(CopyNote::from).collect(), next: None }))
}

/// Settles a note, or opens it again; gives all notes on its copy.
#[utoipa::path(
    tag = "library",
    params(("id" = NoteId, Path)),
    request_body = NoteChange,
    responses((status = 200, body = List<CopyNote>))
)]
#[patch("/library/notes/{id}")]
pub(crate) async fn settle_copy_note(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<NoteId>,
    Body(change): Body<NoteChange>,
) -> ApiResult<Json<List<CopyNote>>> {
    staff.may(Deed::KeepLibrary)?;
    let mut conn = db.conn().await?;
    let copy = super::settle_note(&mut conn, &world, &staff, id, change.settled).await?;
    let rows = diary::list_notes(&mut conn, &[copy], true, 100).await?;
    Ok(Json(List { items: rows.into_iter().map(CopyNote::from).collect(), next: None }))
}

/// All titles as a CSV file, which spreadsheets open and the import takes back.
#[utoipa::path(tag = "library", responses((status = 200, content_type = "text/csv", body = String)))]
#[get("/library/export.csv")]
pub(crate) async fn export_library(db: Data<Db>, request: HttpRequest, Staff(staff): Staff) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let lang = Lang::of(&request);
    let mut conn = db.conn().await?;
    let titles = store::list(&mut conn, lang, &Filter::default(), MOST_TITLES).await?;
    let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
    let copies = store::list_copies(&mut conn, &ids, false).await?;
    let mut response = HttpResponse::Ok();
    response.content_type("text/csv; charset=utf-8");
    response.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"library.csv\""));
    Ok(response.body(sheet::write(lang, &titles, &copies)?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// `true` to do it; else it is only told what would be done.
    write: Option<bool>,
}

/// What a CSV file would do to the library; with `write` it is done, unless a line is refused. Nothing is ever taken away
/// by it. At most 512 KiB and 2000 lines.
#[utoipa::path(
    tag = "library",
    params(ImportQuery),
    request_body(content = String, content_type = "text/csv"),
    responses((status = 200, body = Import))
)]
#[post("/library/import")]
pub(crate) async fn import_library(
    db: Data<Db>,
    world: Data<World>,
    request: HttpRequest,
    Staff(staff): Staff,
    Search(query): Search<ImportQuery>,
    Csv(bytes): Csv,
) -> ApiResult<Json<Import>> {
    staff.may(Deed::KeepLibrary)?;
    let (lang, write) = (Lang::of(&request), query.write.unwrap_or(false));
    Ok(Json(super::import(&mut *db.conn().await?, &world, &staff, lang, &bytes, write).await?))
}

async fn show(conn: &mut AsyncPgConnection, row: TitleRow) -> ApiResult<Title> {
    let copies = store::list_copies(conn, &[row.id], false).await?;
    Ok(Title::of(row, &copies))
}
