//! Notes on a copy's condition: one shift writes them, another settles them.

use diesel_async::AsyncConnection;
use serde_json::json;

use super::history::{self, NewNote};
use super::{CopyId, NoteId, store};
use base::audit::{self, Entry};
use base::auth::{StaffContext, can};
use base::error::{Result, not_found};

pub const NOTE_MAX: usize = 300;

pub async fn add_note(cx: &mut StaffContext<'_, can::ManageLibrary>, copy: CopyId, text: &str) -> Result<NoteId> {
    let (conn, actor) = cx.parts().await?;
    let id = NoteId(actor.world.uuid());
    conn.transaction(async |conn| {
        store::find_copy(conn, copy).await?.ok_or_else(|| not_found("copy_not_found"))?;
        let now = actor.world.now().into();
        let new = NewNote { id, copy_id: copy, body: text, created_by: actor.staff.id, created_at: now };
        history::insert_note(conn, &new).await?;
        let details = json!({ "note": id, "text": text });
        let entry = Entry {
            actor: Some(actor.staff.id),
            action: "note.add",
            subject: "copy",
            subject_id: Some(copy.0),
            details,
        };
        audit::record(conn, actor.world, entry).await?;
        Ok(id)
    })
    .await
}

/// Settles a note, or opens it again.
pub async fn settle_note(cx: &mut StaffContext<'_, can::ManageLibrary>, id: NoteId, settled: bool) -> Result<CopyId> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| {
        let by = settled.then(|| (actor.staff.id, actor.world.now()));
        let copy = history::settle_note(conn, id, by).await?.ok_or_else(|| not_found("note_not_found"))?;
        let action = if settled { "note.settle" } else { "note.open" };
        let details = json!({ "note": id });
        let entry = Entry { actor: Some(actor.staff.id), action, subject: "copy", subject_id: Some(copy.0), details };
        audit::record(conn, actor.world, entry).await?;
        Ok(copy)
    })
    .await
}
