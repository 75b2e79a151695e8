//! Accounts: guests, registered players and staff. Signing in and out is `sessions`.

mod account;
pub mod admin;
mod export;
mod names;
pub mod passwords;
pub mod rest;
pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};

use crate::db::OnConstraint;
use crate::error::{ApiResult, conflict, not_found};
use crate::extract::{DisplayName, Email};
use crate::ids::PlayerId;
use crate::settling;
use crate::world::World;
pub use account::{change_password, delete, rename};
pub use names::tags;
pub use passwords::{PasswordHash, Passwords};
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
    let player = NewPlayer {
        id: PlayerId(world.uuid()),
        display_name: name.as_str(),
        role,
        email: Some(email.as_str()),
        password_hash: Some(hash.as_str()),
        created_at: world.now().into(),
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

/// The account of this id.
pub async fn find(conn: &mut AsyncPgConnection, id: PlayerId) -> ApiResult<PlayerRow> {
    store::find(conn, id).await?.ok_or_else(|| not_found("player_not_found"))
}

/// Whether anybody can run the café yet.
pub async fn has_owner(conn: &mut AsyncPgConnection) -> ApiResult<bool> {
    Ok(store::has_role(conn, Role::Owner).await?)
}

/// A token for the one-time set-up link. Only its hash is kept.
pub async fn create_setup_token(conn: &mut AsyncPgConnection, world: &World) -> ApiResult<String> {
    let token = crate::sessions::encode(&world.bytes::<24>());
    store::insert_setup_token(conn, &crate::sessions::hash(token.as_bytes()), world.now()).await?;
    Ok(token)
}

/// Whether the set-up page may be shown for this token.
pub async fn is_setup_token(conn: &mut AsyncPgConnection, world: &World, token: &str) -> ApiResult<bool> {
    let hash = crate::sessions::hash(token.as_bytes());
    Ok(!has_owner(conn).await? && store::is_setup_token(conn, &hash, world.now()).await?)
}

/// Makes the first owner with a set-up token, which is thereby used up.
pub async fn set_up(
    conn: &mut AsyncPgConnection,
    world: &World,
    token: &str,
    owner: (&Email, &DisplayName, &PasswordHash),
) -> ApiResult<PlayerRow> {
    let token_hash = crate::sessions::hash(token.as_bytes());
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
