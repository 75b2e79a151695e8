//! The form for a shift note, and the button that says that somebody has read one.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use crate::error::ApiResult;
use crate::extract::Path;
use crate::limits::{Budget, Writes};
use crate::page::preferences::own_path;
use crate::page::{Flash, Form, StaffPage};
use base::auth::can;
use base::inputs::tidy_text;
use play::shift_notes::{self, ShiftNoteId, ShiftText};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteForm {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadForm {
    back: String,
}

#[post("/admin/shift-notes")]
pub(crate) async fn write_note(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Form(form): Form<NoteForm>,
) -> ApiResult<HttpResponse> {
    let flash = match tidy_text(&form.text, ShiftText::MAX) {
        Ok(text) => Flash::after(shift_notes::write(&mut cx, &ShiftText(text)).await, |_| {
            Flash::good("shift-note-written", "")
        })?,
        Err(_) => Flash::bad("shift-note-wrong", ""),
    };
    Ok(page.go_with("/admin/closing", flash))
}

#[post("/admin/shift-notes/{id}/read")]
pub(crate) async fn mark_read(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<ShiftNoteId>,
    Form(form): Form<ReadForm>,
) -> ApiResult<HttpResponse> {
    let read = shift_notes::mark_read(&mut cx, id).await;
    let flash = Flash::after(read, |(_, undo)| Flash::good("shift-note-read", "").undoable(undo))?;
    Ok(page.go_with(own_path(&form.back), flash))
}
