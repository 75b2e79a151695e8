//! People who work here: who they are, what each may do, and how they come and go.

pub mod appointments;
pub mod links;
pub mod second_factor;
pub mod store;
pub mod totp;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::players::{self, NewAccount, PlayerRow};
use crate::sessions;
use base::audit::{self, Entry};
use base::auth::{Actor, Identity, Permission, Role, StaffContext, can};
use base::error::{Result, conflict, forbidden, not_found};
use base::ids::{PlayerId, SessionId};
use base::world::World;

/// Adds a member of staff, by the command line.
pub async fn add(conn: &mut AsyncPgConnection, world: &World, role: Role, person: NewAccount<'_>) -> Result<PlayerRow> {
    conn.transaction(async |conn| {
        let added = players::create_registered(conn, world, role, person).await?;
        let details = json!({ "name": added.display_name, "role": role });
        let subject_id = Some(added.id.0);
        let entry = Entry { actor: None, action: "staff.add", subject: "player", subject_id, details };
        audit::record(conn, world, entry).await?;
        Ok(added)
    })
    .await
}

/// Gives somebody who works here another role. `player` is the end of working here: their sessions end as well.
pub async fn change_role(cx: &mut StaffContext<'_, can::ManageStaff>, id: PlayerId, role: Role) -> Result<PlayerRow> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        // All owners are locked, so that two of them cannot demote each other at once.
        let owners = players::store::lock_owners(conn).await?;
        let row = lock(conn, id).await?;
        let by = players::store::find(conn, staff.id).await?.map_or(Role::Player, |row| row.role);
        refuse_above(by, row.role.max(role))?;
        if owners == [id] && role != Role::Owner {
            return Err(conflict("last_owner"));
        }
        if row.role == role {
            return Ok(row);
        }
        store::set_role(conn, id, role).await?;
        // A link is worth what its maker may do: with less to give, they start over.
        let links = if role < row.role { store::delete_links_of(conn, id).await? } else { 0 };
        let mut details = json!({ "name": row.display_name, "from": row.role, "to": role, "links": links });
        if role != Role::Player {
            record(conn, world, staff, "staff.role", id, details).await?;
            return Ok(PlayerRow { role, ..row });
        }
        // Players cannot turn it off, and nobody resets it for them: a lost phone would lock them out.
        details["second_factor"] = json!(second_factor::forget(conn, id).await?);
        record(conn, world, staff, "staff.remove", id, details).await?;
        sessions::close_others(conn, world, id, None).await?;
        Ok(PlayerRow { role, ..row })
    })
    .await
}

/// What no longer gives anybody the rights of staff.
pub struct Closed {
    pub sessions: usize,
    pub links: usize,
}

/// Signs out everybody who works here, and withdraws their open links: a database that was restored knows sessions that have ended
/// since, and links that were used.
pub async fn close_access(conn: &mut AsyncPgConnection, world: &World) -> Result<Closed> {
    conn.transaction(async |conn| {
        let sessions = sessions::store::revoke_all_of_staff(conn, world.now()).await?;
        Ok(Closed { sessions, links: store::delete_open_links(conn).await? })
    })
    .await
}

/// Signs somebody who works here out everywhere.
pub async fn end_sessions(cx: &mut StaffContext<'_, can::ManageStaff>, id: PlayerId) -> Result<usize> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        refuse_above(staff.role, row.role)?;
        let ended = sessions::close_others(conn, world, id, (staff.id == id).then_some(staff.session)).await?;
        record(conn, world, staff, "staff.sign_out", id, json!({ "name": row.display_name, "sessions": ended }))
            .await?;
        Ok(ended)
    })
    .await
}

/// Signs somebody who works here out at one place.
pub async fn end_session(cx: &mut StaffContext<'_, can::ManageStaff>, id: SessionId) -> Result<PlayerRow> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let found = sessions::store::find_owner(conn, id, world.now()).await?;
        let player = found.ok_or_else(|| not_found("session_not_found"))?;
        let row = lock(conn, player).await?;
        if !may_sign_out(staff, &row) {
            return Err(forbidden("forbidden"));
        }
        sessions::close_own(conn, world, player, id).await?;
        let details = json!({ "name": row.display_name, "sessions": 1 });
        record(conn, world, staff, "staff.sign_out", player, details).await?;
        Ok(row)
    })
    .await
}

/// Signs oneself out at one place.
pub async fn end_own_session(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &Identity,
    id: SessionId,
) -> Result<()> {
    conn.transaction(async |conn| {
        sessions::close_own(conn, world, player.id, id).await?;
        record_own(conn, world, player, "staff.sign_out", json!({ "sessions": 1 })).await
    })
    .await
}

/// Signs oneself out everywhere, perhaps but for one place.
pub async fn end_own_sessions(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &Identity,
    but: Option<SessionId>,
) -> Result<()> {
    conn.transaction(async |conn| {
        let ended = sessions::close_others(conn, world, player.id, but).await?;
        record_own(conn, world, player, "staff.sign_out", json!({ "sessions": ended })).await
    })
    .await
}

/// What people who work here do with their own account is on record; what guests and players do with theirs is not.
pub async fn record_own(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &Identity,
    action: &str,
    details: Value,
) -> Result<()> {
    if player.role < Role::Staff {
        return Ok(());
    }
    record(conn, world, player, action, player.id, details).await
}

/// For somebody who lost their phone: signing in asks for no second factor until they set up a new one.
pub async fn forget_second_factor(cx: &mut StaffContext<'_, can::ManageStaff>, id: PlayerId) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        refuse_above(staff.role, row.role)?;
        if second_factor::forget(conn, id).await? {
            let details = json!({ "name": row.display_name });
            record(conn, world, staff, "staff.second_factor_reset", id, details).await?;
        }
        Ok(())
    })
    .await
}

/// Deletes links that nobody can use, and the addresses in them.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<usize> {
    Ok(store::delete_over(conn, now).await?)
}

/// Nobody deals with those of their own height or above but an owner.
fn refuse_above(by: Role, role: Role) -> Result<()> {
    let may = if role >= Role::Manager { by.may(Permission::AppointManagers) } else { by.may(Permission::ManageStaff) };
    if may { Ok(()) } else { Err(forbidden("forbidden")) }
}

/// Out at one place: everybody may with their own.
pub fn may_sign_out(staff: &Identity, row: &PlayerRow) -> bool {
    row.id == staff.id || refuse_above(staff.role, row.role).is_ok()
}

async fn lock(conn: &mut AsyncPgConnection, id: PlayerId) -> Result<PlayerRow> {
    let row = players::store::lock(conn, id).await?.filter(|row| row.role != Role::Player);
    row.ok_or_else(|| not_found("staff_not_found"))
}

pub async fn record(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Identity,
    action: &str,
    id: PlayerId,
    details: Value,
) -> Result<()> {
    let (actor, subject_id) = (Some(staff.id), Some(id.0));
    Ok(audit::record(conn, world, Entry { actor, action, subject: "player", subject_id, details }).await?)
}
