//! Shift notes: what one shift tells the next. A note stands on the floor until somebody says that they have read it.

pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use base::audit::{self, Entry};
use base::auth::{Actor, StaffContext, can};
use base::error::{Result, not_found};
pub use base::ids::ShiftNoteId;
use base::ids::UndoId;
use base::inputs::{refuse_field, tidy_text};
use base::undo::{Body, Change, Subject, WayBack, moved_on};
pub use store::ShiftNoteRow;

/// What a note says, in one line.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 300, example = "3번 테이블 다리가 흔들려요")]
pub struct ShiftText(pub String);

impl ShiftText {
    pub const MAX: usize = 300;
}

impl<'de> Deserialize<'de> for ShiftText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, Self::MAX).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

/// How to undo that a note was read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum ShiftNoteUndo {
    ShiftNote { note: ShiftNoteId },
}

pub async fn write(cx: &mut StaffContext<'_, can::RunFloor>, text: &ShiftText) -> Result<ShiftNoteRow> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let id = ShiftNoteId(world.uuid());
    let note = conn
        .transaction(async |conn| -> Result<_> {
            store::insert(conn, id, &text.0, staff.id, world.now()).await?;
            let entry = Entry {
                actor: Some(staff.id),
                action: "shift_note.write",
                subject: "shift-note",
                subject_id: Some(id.0),
                details: json!({ "text": text.0 }),
            };
            audit::record(conn, world, entry).await?;
            Ok(store::find(conn, id).await?)
        })
        .await?;
    live.tell_floor();
    note.ok_or_else(|| not_found("shift_note_not_found"))
}

/// Somebody has read it. Asking again changes nothing.
pub async fn mark_read(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: ShiftNoteId,
) -> Result<(ShiftNoteRow, Option<UndoId>)> {
    cx.undoable(async |conn, actor| {
        let was_unread = store::mark_read(conn, id, Some((actor.staff.id, actor.world.now()))).await?;
        let note = store::find(conn, id).await?.ok_or_else(|| not_found("shift_note_not_found"))?;
        if !was_unread {
            return Ok(Change::none(note));
        }
        Ok(Change::new(note, WayBack::new("shift_note.read", &ShiftNoteUndo::ShiftNote { note: id })?))
    })
    .await
}

/// The note stands on the floor again.
pub async fn undo(conn: &mut AsyncPgConnection, undo: &ShiftNoteUndo) -> Result<()> {
    let ShiftNoteUndo::ShiftNote { note } = undo;
    if store::mark_read(conn, *note, None).await? { Ok(()) } else { Err(moved_on()) }
}

impl Body for ShiftNoteUndo {
    fn subject(&self) -> Subject {
        let Self::ShiftNote { note } = self;
        Subject { kind: "shift-note", id: note.0 }
    }
}
