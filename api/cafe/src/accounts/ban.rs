//! Banning a player, and lifting the ban.

use diesel_async::AsyncConnection;
use serde_json::json;

use base::audit::{self, Entry};
use base::auth::{Actor, Credential, Identity, Role, StaffContext, can};
use base::error::{Result, conflict};
use base::ids::PlayerId;
use play::matches::{self, Autopilot, reveals};
use play::players::{self, Ban, store};
use play::sessions;

/// Bans a player: every session ends within a second or two, and seats in matches are given up.
pub async fn ban(
    cx: &mut StaffContext<'_, can::BanPlayers>,
    autopilot: &Autopilot,
    id: PlayerId,
    ban: &Ban,
) -> Result<()> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let banned = conn
        .transaction(async |conn| {
            let row = players::lock(conn, id).await?;
            if row.role > Role::Player {
                return Err(conflict("works_here"));
            }
            // A ban takes its player off every seat.
            reveals::refuse_opponent(conn, staff.id, row.id).await?;
            store::ban(conn, row.id, ban, world.now()).await?;
            sessions::close_others(conn, world, row.id, None).await?;
            let details = json!({ "name": row.display_name, "reason": ban.reason, "until": ban.until });
            let (actor, subject_id) = (Some(staff.id), Some(row.id.0));
            let entry = Entry { actor, action: "player.ban", subject: "player", subject_id, details };
            audit::record(conn, world, entry).await?;
            Ok(row.id)
        })
        .await?;
    // As the player, who may do only that.
    let (role, credential) = (Role::Player, Credential::Session);
    let player = Identity { id: banned, session: staff.session, role, credential };
    matches::leave_all(conn, world, live, autopilot, &player).await
}

/// Ends a ban before its time. Asking again changes nothing.
pub async fn lift_ban(cx: &mut StaffContext<'_, can::BanPlayers>, id: PlayerId) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let row = players::lock(conn, id).await?;
        if row.banned_at.is_none() {
            return Ok(());
        }
        store::lift_ban(conn, row.id).await?;
        let details = json!({ "name": row.display_name, "reason": row.ban_reason, "until": row.banned_until });
        let (actor, subject_id) = (Some(staff.id), Some(row.id.0));
        let entry = Entry { actor, action: "player.lift_ban", subject: "player", subject_id, details };
        Ok(audit::record(conn, world, entry).await?)
    })
    .await
}
