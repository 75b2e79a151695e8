//! `/api/v1/shift-notes`.

use actix_web::web::Json;
use actix_web::{HttpResponse, get, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use base::auth::can;
use base::list::List;
use play::players::{PlayerCard, SOMEONE};
use play::shift_notes::{self, ShiftNoteId, ShiftNoteRow, ShiftText, store};
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path};
use web_base::limits::{Budget, Writes};

/// What one shift tells the next.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShiftNote)]
pub(crate) struct ShiftNoteAnswer {
    id: ShiftNoteId,
    #[schema(example = "3번 테이블 다리가 흔들려요")]
    text: String,
    written_by: PlayerCard,
    written_at: Timestamp,
    /// None while nobody has read it.
    read_at: Option<Timestamp>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShiftNoteRequest {
    /// One line.
    text: ShiftText,
}

/// The notes that nobody has read yet, the oldest first.
#[utoipa::path(tag = "floor", responses((status = 200, body = List<ShiftNoteAnswer>)))]
#[get("/shift-notes")]
pub async fn list_shift_notes(
    Authorized(mut cx): Authorized<can::ViewFloor>,
) -> ApiResult<Json<List<ShiftNoteAnswer>>> {
    let rows = store::list_unread(cx.conn().await?).await?;
    Ok(Json(List { items: rows.into_iter().map(ShiftNoteAnswer::from).collect(), next: None }))
}

/// Leaves a note for the next shift. It stands on the floor until somebody has read it.
#[utoipa::path(tag = "floor", request_body = ShiftNoteRequest, responses((status = 201, body = ShiftNoteAnswer)))]
#[post("/shift-notes")]
pub async fn write_shift_note(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Body(request): Body<ShiftNoteRequest>,
) -> ApiResult<HttpResponse> {
    let row = shift_notes::write(&mut cx, &request.text).await?;
    Ok(created(format_args!("/shift-notes/{}", row.id)).json(ShiftNoteAnswer::from(row)))
}

/// Says that a note was read. Asking again changes nothing. Can be undone.
#[utoipa::path(tag = "floor", params(("id" = ShiftNoteId, Path)), responses((status = 200, body = ShiftNoteAnswer)))]
#[post("/shift-notes/{id}/read")]
pub async fn mark_shift_note_read(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<ShiftNoteId>,
) -> ApiResult<Json<ShiftNoteAnswer>> {
    let (row, _) = shift_notes::mark_read(&mut cx, id).await?;
    Ok(Json(row.into()))
}

impl From<ShiftNoteRow> for ShiftNoteAnswer {
    fn from(row: ShiftNoteRow) -> Self {
        let ShiftNoteRow { id, text, written_by, name, deleted, written_at, read_at } = row;
        let display_name = if deleted { SOMEONE.to_owned() } else { name };
        Self { id, text, written_by: PlayerCard { id: written_by, display_name, deleted }, written_at, read_at }
    }
}
