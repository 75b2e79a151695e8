//! Players: guests, registered players and staff. Signing in and out is `sessions`; what touches other nouns is `accounts`.

pub mod ban;
pub mod names;
pub mod search;
pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};

use serde::Serialize;
use utoipa::ToSchema;

pub use ban::{Ban, refusal as ban_refusal};
use base::auth::{PasswordHash, Role, secrets};
use base::db::OnConstraint;
use base::error::{Result, conflict, not_found};
use base::ids::PlayerId;
use base::inputs::{DisplayName, Email};
use base::world::World;
pub use names::{tag, tags};
pub use search::{PlayerKind, Sought, search};
use store::NewPlayer;
pub use store::PlayerRow;

/// The name of every account that was deleted, for readers of JSON; pages say it in the reader's language.
pub const SOMEONE: &str = "someone";

/// A player as others may see them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerCard {
    pub id: PlayerId,
    #[schema(example = "하늘")]
    pub display_name: String,
    /// Whether the account is gone. Its name is `someone` then, for clients to say in the reader's language.
    pub deleted: bool,
}

impl From<&PlayerRow> for PlayerCard {
    fn from(player: &PlayerRow) -> Self {
        let deleted = player.deleted_at.is_some();
        Self { id: player.id, display_name: player.display_name.clone(), deleted }
    }
}

pub async fn create_guest(conn: &mut AsyncPgConnection, world: &World, name: &DisplayName) -> Result<PlayerRow> {
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

/// Of whom an account with a password is made.
/// The password comes hashed: that takes a while, and nobody should hold a connection meanwhile.
#[derive(Clone, Copy)]
pub struct NewAccount<'a> {
    pub email: &'a Email,
    pub name: &'a DisplayName,
    pub password: &'a PasswordHash,
}

/// An account that signs in with a password: a player of this role or a member of staff.
pub async fn create_registered(
    conn: &mut AsyncPgConnection,
    world: &World,
    role: Role,
    account: NewAccount<'_>,
) -> Result<PlayerRow> {
    let now = world.now().into();
    let player = NewPlayer {
        id: PlayerId(world.uuid()),
        display_name: account.name.as_str(),
        role,
        email: Some(account.email.as_str()),
        password_hash: Some(account.password.as_str()),
        created_at: now,
        registered_at: Some(now),
    };
    store::insert(conn, &player).await.on_constraint("players_email_key", || conflict("email_taken"))
}

/// The account of this id, or the one that it became.
pub async fn find(conn: &mut AsyncPgConnection, id: PlayerId) -> Result<PlayerRow> {
    let row = store::find(conn, id).await?.ok_or_else(|| not_found("player_not_found"))?;
    match row.merged_into {
        Some(other) => store::find(conn, other).await?.ok_or_else(|| not_found("player_not_found")),
        None => Ok(row),
    }
}

/// The account of this id, which nobody else changes until the transaction ends. One that is gone or became another is no
/// longer there to be changed.
pub async fn lock(conn: &mut AsyncPgConnection, id: PlayerId) -> Result<PlayerRow> {
    let row = store::lock(conn, id).await?.filter(|row| row.merged_into.is_none());
    row.ok_or_else(|| not_found("player_not_found"))
}

/// Whether anybody can run the café yet.
pub async fn has_owner(conn: &mut AsyncPgConnection) -> Result<bool> {
    Ok(store::has_role(conn, Role::Owner).await?)
}

/// A token for the one-time set-up link. Only its hash is kept.
pub async fn create_setup_token(conn: &mut AsyncPgConnection, world: &World) -> Result<String> {
    let token = secrets::encode(&world.bytes::<24>());
    store::insert_setup_token(conn, &secrets::hash(token.as_bytes()), world.now()).await?;
    Ok(token)
}

/// Whether the set-up page may be shown for this token.
pub async fn is_setup_token(conn: &mut AsyncPgConnection, world: &World, token: &str) -> Result<bool> {
    let hash = secrets::hash(token.as_bytes());
    Ok(!has_owner(conn).await? && store::is_setup_token(conn, &hash, world.now()).await?)
}

/// Makes the first owner with a set-up token, which is thereby used up.
pub async fn set_up(
    conn: &mut AsyncPgConnection,
    world: &World,
    token: &str,
    owner: NewAccount<'_>,
) -> Result<PlayerRow> {
    let token_hash = secrets::hash(token.as_bytes());
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
