//! Notes on a copy's condition.

use actix_web::web::Json;
use actix_web::{HttpResponse, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use base::auth::can;
use base::inputs::{refuse_field, tidy_text};
use base::list::List;
use play::library::notes::NOTE_MAX;
use play::library::{self, CopyId, NoteId, NoteRow, history};
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path};
use web_base::limits::{Budget, Writes};

/// Something to be known of a copy's condition.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CopyNote {
    id: NoteId,
    copy_id: CopyId,
    text: String,
    /// The name of the person who wrote it.
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
pub async fn list_copy_notes(
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<CopyId>,
) -> ApiResult<Json<List<CopyNote>>> {
    let rows = history::list_notes(cx.conn().await?, &[id], 100).await?;
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
pub async fn add_copy_note(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<CopyId>,
    Body(request): Body<NoteRequest>,
) -> ApiResult<HttpResponse> {
    library::add_note(&mut cx, id, &request.text.0).await?;
    let rows = history::list_notes(cx.conn().await?, &[id], 100).await?;
    let items = rows.into_iter().map(CopyNote::from).collect();
    Ok(created(format_args!("/library/copies/{id}/notes")).json(List { items, next: None }))
}

/// Settles a note, or opens it again; gives all notes on its copy.
#[utoipa::path(
    tag = "library",
    params(("id" = NoteId, Path)),
    request_body = NoteChange,
    responses((status = 200, body = List<CopyNote>))
)]
#[patch("/library/notes/{id}")]
pub async fn settle_copy_note(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<NoteId>,
    Body(change): Body<NoteChange>,
) -> ApiResult<Json<List<CopyNote>>> {
    let copy = library::settle_note(&mut cx, id, change.settled).await?;
    let rows = history::list_notes(cx.conn().await?, &[copy], 100).await?;
    Ok(Json(List { items: rows.into_iter().map(CopyNote::from).collect(), next: None }))
}
