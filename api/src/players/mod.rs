//! Accounts: guests, registered players and staff. Signing in and out is `sessions`.

mod account;
pub mod admin;
mod ban;
pub mod desk;
mod export;
mod merge;
mod names;
pub mod passwords;
pub mod rest;
mod search;
pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};

use serde_json::json;

use crate::audit::{self, Entry};
use crate::db::OnConstraint;
use crate::error::{ApiError, ApiResult, conflict, not_found};
use crate::extract::{DisplayName, Email, Player};
use crate::ids::{PlayerId, SessionId};
use crate::live::Live;
use crate::staff::Deed;
use crate::world::World;
use crate::{matches, sessions, settling};
pub use account::{change_password, delete, rename};
use ban::REASON_MAX;
pub use ban::{Ban, ban, lift_ban, refusal as ban_refusal};
pub use merge::{Plan as MergePlan, merge, plan as plan_merge};
pub use names::{tag, tags};
pub use passwords::{PasswordHash, Passwords};
pub use search::{PlayerKind, Sought, search};
use store::NewPlayer;
pub use store::PlayerRow;

crate::text_enum! {
    /// What an account may do here; each may do all that the ones before it may.
    pub enum Role {
        Player = "player",
        Staff = "staff",
        Manager = "manager",
        Owner = "owner",
    }
}

impl Role {
    /// Of its name in the catalogues.
    pub fn key(self) -> &'static str {
        match self {
            Self::Player => "role-player",
            Self::Staff => "role-staff",
            Self::Manager => "role-manager",
            Self::Owner => "role-owner",
        }
    }
}

/// The name of every account that was deleted, for readers of JSON; pages say it in the reader's language.
pub const SOMEONE: &str = "someone";

pub async fn create_guest(conn: &mut AsyncPgConnection, world: &World, name: &DisplayName) -> ApiResult<PlayerRow> {
    let guest = NewPlayer {
        id: PlayerId(world.uuid()),
        display_name: name.as_str(),
        role: Role::Player,
        email: None,
        password_hash: None,
        created_at: world.now().into(),
        registered_at: None,
    };
    Ok(store::insert(conn, &guest).await?)
}

/// An account that signs in with a password: a player of this role or a member of staff.
/// The password comes hashed: that takes a while, and nobody should hold a connection meanwhile.
pub async fn create_registered(
    conn: &mut AsyncPgConnection,
    world: &World,
    role: Role,
    (email, name, hash): (&Email, &DisplayName, &PasswordHash),
) -> ApiResult<PlayerRow> {
    let now = world.now().into();
    let player = NewPlayer {
        id: PlayerId(world.uuid()),
        display_name: name.as_str(),
        role,
        email: Some(email.as_str()),
        password_hash: Some(hash.as_str()),
        created_at: now,
        registered_at: Some(now),
    };
    store::insert(conn, &player).await.on_constraint("players_email_key", || conflict("email_taken"))
}

/// A guest becomes a registered player and stays the same player.
pub async fn register_guest(
    conn: &mut AsyncPgConnection,
    id: PlayerId,
    (email, name, hash): (&Email, Option<&DisplayName>, &PasswordHash),
) -> ApiResult<PlayerRow> {
    let name = name.map(DisplayName::as_str);
    conn.transaction(async |conn| {
        let registered = store::register_guest(conn, id, email.as_str(), name, hash.as_str()).await;
        let registered = registered.on_constraint("players_email_key", || conflict("email_taken"))?;
        let registered = registered.ok_or_else(|| conflict("already_registered"))?;
        // What they played as a guest may count for ratings from now on.
        settling::unsettle_all_of(conn, id).await?;
        Ok(registered)
    })
    .await
}

/// The account of this id, or the one that it became.
pub async fn find(conn: &mut AsyncPgConnection, id: PlayerId) -> ApiResult<PlayerRow> {
    let row = store::find(conn, id).await?.ok_or_else(|| not_found("player_not_found"))?;
    match row.merged_into {
        Some(other) => store::find(conn, other).await?.ok_or_else(|| not_found("player_not_found")),
        None => Ok(row),
    }
}

/// The account of this id, which nobody else changes until the transaction ends. One that is gone or became another is no
/// longer there to be changed.
pub async fn lock(conn: &mut AsyncPgConnection, id: PlayerId) -> ApiResult<PlayerRow> {
    let row = store::lock(conn, id).await?.filter(|row| row.merged_into.is_none());
    row.ok_or_else(|| not_found("player_not_found"))
}

/// Staff give an account another name. Matches that wait or run tell their watchers.
pub async fn rename_by_staff(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    staff: &Player,
    (id, name): (PlayerId, &DisplayName),
) -> ApiResult<()> {
    conn.transaction(async |conn| {
        let before = lock(conn, id).await?;
        may_keep(staff, &before)?;
        store::rename(conn, before.id, name.as_str()).await?;
        let details = json!({ "from": before.display_name, "to": name.as_str() });
        let (actor, subject_id) = (Some(staff.id), Some(id.0));
        let entry = Entry { actor, action: "player.rename", subject: "player", subject_id, details };
        Ok::<_, ApiError>(audit::record(conn, world, entry).await?)
    })
    .await?;
    matches::tell_of(conn, live, id).await
}

/// Staff sign a player out: everywhere, or at one place.
pub async fn sign_out_by_staff(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    (id, session): (PlayerId, Option<SessionId>),
) -> ApiResult<()> {
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        may_keep(staff, &row)?;
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

/// The accounts of those who work here are kept by whoever keeps the staff.
fn may_keep(staff: &Player, row: &PlayerRow) -> ApiResult<()> {
    match row.role {
        _ if row.id == staff.id => Ok(()),
        Role::Player => staff.may(Deed::KeepPlayers),
        Role::Staff => staff.may(Deed::KeepStaff),
        Role::Manager | Role::Owner => staff.may(Deed::AppointManagers),
    }
}

/// Whether anybody can run the café yet.
pub async fn has_owner(conn: &mut AsyncPgConnection) -> ApiResult<bool> {
    Ok(store::has_role(conn, Role::Owner).await?)
}

/// A token for the one-time set-up link. Only its hash is kept.
pub async fn create_setup_token(conn: &mut AsyncPgConnection, world: &World) -> ApiResult<String> {
    let token = sessions::encode(&world.bytes::<24>());
    store::insert_setup_token(conn, &sessions::hash(token.as_bytes()), world.now()).await?;
    Ok(token)
}

/// Whether the set-up page may be shown for this token.
pub async fn is_setup_token(conn: &mut AsyncPgConnection, world: &World, token: &str) -> ApiResult<bool> {
    let hash = sessions::hash(token.as_bytes());
    Ok(!has_owner(conn).await? && store::is_setup_token(conn, &hash, world.now()).await?)
}

/// Makes the first owner with a set-up token, which is thereby used up.
pub async fn set_up(
    conn: &mut AsyncPgConnection,
    world: &World,
    token: &str,
    owner: (&Email, &DisplayName, &PasswordHash),
) -> ApiResult<PlayerRow> {
    let token_hash = sessions::hash(token.as_bytes());
    if !is_setup_token(conn, world, token).await? {
        return Err(not_found("setup_link_invalid"));
    }
    conn.transaction(async |conn| {
        // The first of two at once wins: the second waits here for the row and then finds it used.
        if !store::use_setup_token(conn, &token_hash, world.now()).await? || has_owner(conn).await? {
            return Err(not_found("setup_link_invalid"));
        }
        create_registered(conn, world, Role::Owner, owner).await
    })
    .await
}
