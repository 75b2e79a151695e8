//! The button that leaves a shift note without closing the day, and the button that says that somebody has read one.

use actix_web::{HttpResponse, post};
use serde::Deserialize;

use base::auth::can;
use base::inputs::tidy_text;
use play::shift_notes::{self, ShiftNoteId, ShiftText};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{BackForm, Flash, Form, StaffPage};

/// Of the form that closes the day, which sends its other fields along.
#[derive(Deserialize)]
pub(crate) struct NoteForm {
    text: String,
}

#[post("/admin/shift-notes")]
pub async fn write_note(
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
pub async fn mark_read(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<ShiftNoteId>,
    Form(form): Form<BackForm>,
) -> ApiResult<HttpResponse> {
    let read = shift_notes::mark_read(&mut cx, id).await;
    let flash = Flash::after(read, |(_, undo)| Flash::good("shift-note-read", "").undoable(undo))?;
    Ok(page.go_with(form.path(), flash))
}
