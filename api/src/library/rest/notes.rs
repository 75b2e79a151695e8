//! What is to be known of a copy's condition.

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::{Body, Path, Staff, refuse_field, tidy_text};
use crate::library::notes::NOTE_MAX;
use crate::library::{self, CopyId, NoteId, NoteRow, diary};
use crate::list::List;
use crate::staff::Deed;
use crate::world::World;

/// Something to be known of a copy's condition.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CopyNote {
    id: NoteId,
    copy_id: CopyId,
    text: String,
    /// The name of whoever wrote it.
    by: String,
    created_at: Timestamp,
    settled_at: Option<Timestamp>,
}

impl From<NoteRow> for CopyNote {
    fn from(row: NoteRow) -> Self {
        let NoteRow { id, copy_id, text, by, created_at, settled_at } = row;
        Self { id, copy_id, text, by, created_at, settled_at }
    }
}

/// A note on a copy's condition.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteRequest {
    text: NoteText,
}

/// A few sentences.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 300)]
pub(crate) struct NoteText(String);

impl<'de> Deserialize<'de> for NoteText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, NOTE_MAX).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

/// Settles a note, or opens it again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteChange {
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
    library::add_note(&mut conn, &world, &staff, id, &request.text.0).await?;
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
    let copy = library::settle_note(&mut conn, &world, &staff, id, change.settled).await?;
    let rows = diary::list_notes(&mut conn, &[copy], true, 100).await?;
    Ok(Json(List { items: rows.into_iter().map(CopyNote::from).collect(), next: None }))
}
