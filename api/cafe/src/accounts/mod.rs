//! What is done to a whole account, and so touches many nouns: registration, names, passwords, bans, merges, deletion,
//! retention, export.

pub mod ban;
pub mod export;
pub mod merge;
pub mod own;
pub mod retention;
mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use crate::finished;
pub use ban::{ban, lift_ban};
use base::audit::{self, Entry};
use base::auth::{Actor, Identity, PasswordHash, Permission, Role, StaffContext, can};
use base::db::OnConstraint;
use base::error::{Error, Result, conflict};
use base::ids::{PlayerId, SessionId};
use base::inputs::{DisplayName, Email};
pub use export::{Export, MatchPage};
pub use merge::{Merge, Plan as MergePlan, merge, plan as plan_merge};
pub use own::{change_password, delete, rename};
use play::matches;
use play::players::{PlayerRow, lock, store as players};
use play::sessions;
pub use retention::forget_guests;

/// A guest becomes a registered player and stays the same player.
pub async fn register_guest(
    conn: &mut AsyncPgConnection,
    id: PlayerId,
    email: &Email,
    name: Option<&DisplayName>,
    hash: &PasswordHash,
) -> Result<PlayerRow> {
    let name = name.map(DisplayName::as_str);
    conn.transaction(async |conn| {
        // What they played as a guest may count for ratings from now on.
        finished::mark_all_of(conn, id).await?;
        let registered = players::register_guest(conn, id, email.as_str(), name, hash.as_str()).await;
        let registered = registered.on_constraint("players_email_key", || conflict("email_taken"))?;
        registered.ok_or_else(|| conflict("already_registered"))
    })
    .await
}

/// Staff give an account another name. Matches that wait or run tell their watchers.
pub async fn rename_by_staff(
    cx: &mut StaffContext<'_, can::ManagePlayers>,
    id: PlayerId,
    name: &DisplayName,
) -> Result<()> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let before = lock(conn, id).await?;
        may_change(staff, &before)?;
        players::rename(conn, before.id, name.as_str()).await?;
        let details = json!({ "from": before.display_name, "to": name.as_str() });
        let (actor, subject_id) = (Some(staff.id), Some(id.0));
        let entry = Entry { actor, action: "player.rename", subject: "player", subject_id, details };
        Ok::<_, Error>(audit::record(conn, world, entry).await?)
    })
    .await?;
    live.tell_floor();
    matches::tell_of(conn, live, id).await
}

/// Staff sign a player out: everywhere, or at one place.
pub async fn sign_out_by_staff(
    cx: &mut StaffContext<'_, can::ManagePlayers>,
    id: PlayerId,
    session: Option<SessionId>,
) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        may_change(staff, &row)?;
        match session {
            Some(session) => sessions::close_own(conn, world, id, session).await?,
            None => {
                sessions::close_others(conn, world, id, None).await?;
            }
        }
        let details = json!({ "name": row.display_name, "everywhere": session.is_none() });
        let (actor, subject_id) = (Some(staff.id), Some(id.0));
        let entry = Entry { actor, action: "player.sign_out", subject: "player", subject_id, details };
        Ok(audit::record(conn, world, entry).await?)
    })
    .await
}

/// Accounts of staff are changed only by those who manage staff.
fn may_change(staff: &Identity, row: &PlayerRow) -> Result<()> {
    match row.role {
        _ if row.id == staff.id => Ok(()),
        Role::Player => Ok(()),
        Role::Staff => staff.may(Permission::ManageStaff),
        Role::Manager | Role::Owner => staff.may(Permission::AppointManagers),
    }
}
