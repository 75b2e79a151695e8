//! What sandbox keys made goes after a day, with the guests who were entered in it.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::SignedDuration;
use serde_json::json;

use super::store;
use base::audit::{self, Entry};
use base::error::Result;
use base::world::World;
use play::players;

const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// So many in one transaction; the others come with the next round.
const AT_ONCE: i64 = 20;

/// Deletes the next of them: how many.
pub async fn remove_sandbox(conn: &mut AsyncPgConnection, world: &World) -> Result<usize> {
    conn.transaction(async |conn| {
        let ids = store::lock_sandbox(conn, world.now() - KEPT, AT_ONCE).await?;
        if ids.is_empty() {
            return Ok(0);
        }
        let entered = store::list_entered_in(conn, &ids).await?;
        store::delete_all_of(conn, &ids).await?;
        for player in entered {
            players::store::delete_guest(conn, player).await?;
        }
        let details = json!({ "count": ids.len() });
        let action = "tournament.remove_sandbox";
        audit::record(conn, world, Entry { actor: None, action, subject: "house", subject_id: None, details }).await?;
        Ok(ids.len())
    })
    .await
}
