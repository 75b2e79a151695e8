//! Who an account is elsewhere: a player signs in by a provider of OpenID Connect, whose word is taken for who they are there.

pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};

use crate::finished;
use base::auth::{Identity, Role};
use base::error::{Result, conflict, forbidden};
use base::ids::PlayerId;
use base::inputs::DisplayName;
use base::text::Lang;
use base::world::World;
use play::players::{self, PlayerRow};

/// Somebody as a provider knows them.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    pub issuer: String,
    pub subject: String,
    /// What the provider says that they are called.
    pub name: Option<DisplayName>,
}

/// The account of this person. Without one, the account that asks becomes theirs: a guest is registered by it and keeps everything.
/// Somebody who is nobody here yet gets an account.
///
/// # Errors
/// When the account is banned, or of somebody who works here: staff sign in by a password.
pub async fn sign_in(
    conn: &mut AsyncPgConnection,
    world: &World,
    lang: Lang,
    visitor: Option<&Identity>,
    elsewhere: &Elsewhere,
) -> Result<PlayerRow> {
    conn.transaction(async |conn| {
        // Of two at once, the second waits for the first and finds what it made.
        store::lock(conn, elsewhere).await?;
        let player = match (store::find(conn, elsewhere).await?, visitor) {
            (Some(known), _) => players::find(conn, known).await?,
            (None, Some(visitor)) => link(conn, world, visitor.id, elsewhere).await?,
            (None, None) => make(conn, world, lang, elsewhere).await?,
        };
        if player.role > Role::Player {
            return Err(forbidden("staff_sign_in"));
        }
        if player.is_banned(world.now()) {
            return Err(forbidden("banned"));
        }
        Ok(player)
    })
    .await
}

async fn link(
    conn: &mut AsyncPgConnection,
    world: &World,
    visitor: PlayerId,
    elsewhere: &Elsewhere,
) -> Result<PlayerRow> {
    if players::find(conn, visitor).await?.registered_at.is_none() {
        // What they played as a guest may count for ratings from now on.
        finished::mark_all_of(conn, visitor).await?;
    }
    let before = players::lock(conn, visitor).await?;
    if store::has_of_issuer(conn, visitor, &elsewhere.issuer).await? {
        return Err(conflict("already_linked"));
    }
    store::insert(conn, elsewhere, visitor, world.now()).await?;
    if before.registered_at.is_some() {
        return Ok(before);
    }
    Ok(players::store::register_elsewhere(conn, visitor, world.now()).await?)
}

/// Ends that this player signs in by this provider, one of those that the house knows.
///
/// # Errors
/// When they could not sign in at all any more.
pub async fn unlink(conn: &mut AsyncPgConnection, player: PlayerId, issuer: &str, known: &[&str]) -> Result<()> {
    conn.transaction(async |conn| {
        let row = players::lock(conn, player).await?;
        let is_way_in = |other: &str| other != issuer && known.contains(&other);
        let others = store::list(conn, player).await?.iter().any(|(other, _)| is_way_in(other));
        if row.password_hash.is_none() && !others {
            return Err(conflict("only_sign_in"));
        }
        store::delete(conn, player, issuer).await?;
        Ok(())
    })
    .await
}

async fn make(conn: &mut AsyncPgConnection, world: &World, lang: Lang, elsewhere: &Elsewhere) -> Result<PlayerRow> {
    let unnamed = || DisplayName::parse(&lang.text("me-guest"));
    let name = elsewhere.name.clone().map_or_else(unnamed, Ok);
    let name = name.map_err(|wrong| base::error::invalid_fields(vec![wrong]))?;
    let guest = players::create_guest(conn, world, &name).await?;
    store::insert(conn, elsewhere, guest.id, world.now()).await?;
    Ok(players::store::register_elsewhere(conn, guest.id, world.now()).await?)
}
