//! The first minutes of a café: what of them is done, so that the floor can say what is left.

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde_json::json;

use super::{Cafe, store};
use crate::audit::{self, Entry};
use crate::auth::{Actor, StaffContext, can};
use crate::error::Result;
use crate::live::Live;

/// A phone came by the code on a table. Only the first one is noted, which every process knows soon.
pub async fn note_scan(conn: &mut AsyncPgConnection, cafe: &Cafe, live: &Live, now: Timestamp) -> Result<()> {
    if cafe.cached().first_scan_at.is_some() || store::note_scan(conn, now).await? == 0 {
        return Ok(());
    }
    live.tell_floor();
    cafe.read(conn).await
}

/// Puts the list of what is left to do away.
pub async fn put_away(cx: &mut StaffContext<'_, can::ChangeSettings>, cafe: &Cafe) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    if store::end_opening(conn).await? > 0 {
        let details = json!({});
        let entry =
            Entry { actor: Some(staff.id), action: "cafe.opening", subject: "house", subject_id: None, details };
        audit::record(conn, world, entry).await?;
    }
    cafe.read(conn).await
}
