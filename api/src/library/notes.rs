//! What is to be known of a copy's condition: written down by one shift, settled by another.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::diary::{self, NewNote};
use super::{CopyId, NoteId, store};
use crate::audit::{self, Entry};
use crate::error::{ApiResult, not_found};
use crate::extract::Player;
use crate::world::World;

pub(super) const NOTE_MAX: usize = 300;

pub async fn add_note(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    copy: CopyId,
    text: &str,
) -> ApiResult<NoteId> {
    let id = NoteId(world.uuid());
    conn.transaction(async |conn| {
        store::find_copy(conn, copy).await?.ok_or_else(|| not_found("copy_not_found"))?;
        let now = world.now().into();
        let new = NewNote { id, copy_id: copy, body: text, created_by: staff.id, created_at: now };
        diary::insert_note(conn, &new).await?;
        let details = json!({ "note": id, "text": text });
        let entry =
            Entry { actor: Some(staff.id), action: "note.add", subject: "copy", subject_id: Some(copy.0), details };
        audit::record(conn, world, entry).await?;
        Ok(id)
    })
    .await
}

/// Settles a note, or opens it again.
pub async fn settle_note(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    id: NoteId,
    settled: bool,
) -> ApiResult<CopyId> {
    conn.transaction(async |conn| {
        let by = settled.then(|| (staff.id, world.now()));
        let copy = diary::settle_note(conn, id, by).await?.ok_or_else(|| not_found("note_not_found"))?;
        let action = if settled { "note.settle" } else { "note.open" };
        let details = json!({ "note": id });
        let entry = Entry { actor: Some(staff.id), action, subject: "copy", subject_id: Some(copy.0), details };
        audit::record(conn, world, entry).await?;
        Ok(copy)
    })
    .await
}
