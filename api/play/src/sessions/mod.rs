//! Signing in and staying signed in: short access tokens, and refresh tokens that are good for one use.

pub mod devices;
pub mod door;
pub mod store;

use data_encoding::BASE64URL_NOPAD;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::players::{self, PlayerCard, PlayerRow};
use base::auth::Identity;
use base::auth::secrets::{encode, hash};
use base::auth::{ACCESS_SECONDS, Passwords, Role, Tokens, Use};
use base::db::Db;
use base::error::{FieldError, Result, forbidden, not_found, unauthorized};
use base::ids::{PlayerId, SessionId};
use base::inputs::{DisplayName, Email, Password};
use base::text::Lang;
use base::world::World;
pub use devices::describe;
pub use devices::{Device, DeviceName};
pub use door::{Door, KnownDevices};
use store::NewSession;
pub use store::SessionRow;

/// A client that heard no answer may use the same refresh token once more within this time.
const LOST_WITHIN: SignedDuration = SignedDuration::from_secs(10);
const REFRESH_LIFE: SignedDuration = SignedDuration::from_hours(24 * 30);
/// So long after they signed in, staff sign in again, however often they refreshed.
const STAFF_LIFE: SignedDuration = REFRESH_LIFE;
/// So old may be what is known of when a browser was last used.
const SEEN_WITHIN: SignedDuration = SignedDuration::from_mins(5);
/// An ended session is kept until all of its tokens have expired.
const ENDED_KEPT: SignedDuration = SignedDuration::from_hours(1);

/// The tokens with which a client acts for a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    /// A JWT for the `Authorization: Bearer` header.
    pub access_token: String,
    /// Works for one refresh; its answer holds the next one.
    pub refresh_token: String,
    /// Seconds until the access token expires.
    #[schema(example = 900)]
    pub expires_in: i64,
    pub player: PlayerCard,
}

/// Opens a session for a client that keeps its own tokens.
pub async fn open(
    conn: &mut AsyncPgConnection,
    world: &World,
    tokens: &Tokens,
    player: &PlayerRow,
    device: &Device,
) -> Result<SignedIn> {
    let (id, refresh_token) = insert(conn, world, player, device, REFRESH_LIFE).await?;
    signed_in(world, tokens, player, id, refresh_token)
}

/// The same for a new guest of this name: both are made, or neither.
pub async fn open_for_guest(
    conn: &mut AsyncPgConnection,
    world: &World,
    tokens: &Tokens,
    name: &DisplayName,
    device: &Device,
) -> Result<SignedIn> {
    conn.transaction(async |conn| {
        let guest = players::create_guest(conn, world, name).await?;
        open(conn, world, tokens, &guest, device).await
    })
    .await
}

/// Goes on with the session that a guest had before they became this player, with other tokens.
pub async fn renew(
    conn: &mut AsyncPgConnection,
    world: &World,
    tokens: &Tokens,
    player: &PlayerRow,
    (session, device): (SessionId, &Device),
) -> Result<SignedIn> {
    let now = world.now();
    refuse_banned(player, now)?;
    let (token, secret) = new_refresh(world, session);
    let hash = hash(&secret);
    let renewed = new_session(session, player, device, &hash, (now, REFRESH_LIFE));
    if !store::renew(conn, &renewed).await? {
        return Err(unauthorized("session_ended"));
    }
    signed_in(world, tokens, player, session, token)
}

/// Opens a session for somebody who signed in at the door.
pub async fn enter(
    conn: &mut AsyncPgConnection,
    tokens: &Tokens,
    door: Door<'_>,
    player: &PlayerRow,
    device: &Device,
) -> Result<SignedIn> {
    let (id, refresh_token) = insert(conn, door.world, player, device, REFRESH_LIFE).await?;
    door.enter(conn, player, id).await?;
    signed_in(door.world, tokens, player, id, refresh_token)
}

/// The same for a browser. The session that its cookie held so far ends.
pub async fn enter_page(
    conn: &mut AsyncPgConnection,
    tokens: &Tokens,
    door: Door<'_>,
    (player, device): (&PlayerRow, &Device),
    former: Option<&Identity>,
) -> Result<PageToken> {
    let life = Use::Page.lifetime(player.role);
    let (id, _) = insert(conn, door.world, player, device, life).await?;
    if let Some(former) = former {
        close(conn, door.world, former).await?;
    }
    door.enter(conn, player, id).await?;
    let token = tokens.issue(player.id, id, player.role, Use::Page, door.world.now())?;
    Ok(PageToken { token, life })
}

/// What keeps a browser signed in: a token, and for how long it is good.
#[derive(Debug)]
pub struct PageToken {
    pub token: String,
    pub life: SignedDuration,
}

/// Opens a session for a browser.
pub async fn open_page(
    conn: &mut AsyncPgConnection,
    world: &World,
    tokens: &Tokens,
    player: &PlayerRow,
    device: &Device,
) -> Result<PageToken> {
    let life = Use::Page.lifetime(player.role);
    let (id, _) = insert(conn, world, player, device, life).await?;
    let token = tokens.issue(player.id, id, player.role, Use::Page, world.now())?;
    Ok(PageToken { token, life })
}

/// The player who is known already, or else a new guest of this name with a session for their browser. A name that cannot
/// be one is refused as a field of the form that asked for it.
pub async fn known_or_guest(
    conn: &mut AsyncPgConnection,
    world: &World,
    tokens: &Tokens,
    known: Option<Identity>,
    name: &str,
    device: &Device,
) -> Result<Result<(PlayerId, Option<PageToken>), FieldError>> {
    if let Some(known) = known {
        return Ok(Ok((known.id, None)));
    }
    let name = match DisplayName::parse(name) {
        Ok(name) => name,
        Err(wrong) => return Ok(Err(wrong)),
    };
    conn.transaction(async |conn| {
        let guest = players::create_guest(conn, world, &name).await?;
        let token = open_page(conn, world, tokens, &guest, device).await?;
        Ok(Ok((guest.id, Some(token))))
    })
    .await
}

/// The account that this address and password belong to.
/// Who is banned is told until when, by the café's clock.
pub async fn authenticate(
    db: &Db,
    zone: &TimeZone,
    passwords: &Passwords,
    door: Door<'_>,
    (email, password): (&Email, Password),
) -> Result<PlayerRow> {
    // The connection goes back before the hashing: a rush at the door must not starve the tables.
    let player = {
        let mut conn = db.conn().await?;
        let player = players::store::find_by_email(&mut conn, email.as_str()).await?;
        door.attempt(&mut conn, email, player.as_ref()).await?;
        player
    };
    let stored = player.as_ref().and_then(|player| player.password_hash.clone());
    let fits = passwords.fits(password, stored).await?;
    if !fits {
        door.missed(&mut *db.conn().await?, player.as_ref()).await?;
    }
    let player = player.filter(|_| fits).ok_or_else(|| unauthorized("wrong_credentials"))?;
    if player.is_banned(door.world.now()) {
        return Err(players::ban_refusal(&player, zone));
    }
    Ok(player)
}

/// Exchanges a refresh token for the next. One that was used before ends the session: somebody else has it too.
pub async fn refresh(conn: &mut AsyncPgConnection, world: &World, tokens: &Tokens, token: &str) -> Result<SignedIn> {
    let now = world.now();
    let (id, secret) = parse_refresh(token)?;
    let (next, next_secret) = new_refresh(world, id);
    // The hashes are compared, not the secrets: how long that takes tells nothing of a secret of 32 random bytes.
    let used = hash(&secret);
    let since = (now, now - LOST_WITHIN);
    let rotated = store::rotate(conn, id, &used, &hash(&next_secret), since, now + REFRESH_LIFE).await?;
    let Some((player_id, signed_in_at)) = rotated else {
        if store::revoke_by_hash(conn, id, &used, now).await? {
            tracing::warn!(session_id = %id, "revoked a session: its refresh token was used twice");
        } else {
            tracing::info!(session_id = %id, "refused a refresh token");
        }
        return Err(unauthorized("invalid_refresh_token"));
    };
    let player = players::store::find(conn, player_id).await?.ok_or_else(|| unauthorized("invalid_refresh_token"))?;
    refuse_banned(&player, now)?;
    if player.role > Role::Player && signed_in_at + STAFF_LIFE <= now {
        store::revoke(conn, id, now).await?;
        return Err(unauthorized("invalid_refresh_token"));
    }
    signed_in(world, tokens, &player, id, next)
}

/// Ends the session that this refresh token belongs to.
pub async fn close_by_token(conn: &mut AsyncPgConnection, world: &World, token: &str) -> Result<()> {
    let (id, secret) = parse_refresh(token)?;
    if !store::revoke_by_hash(conn, id, &hash(&secret), world.now()).await? {
        tracing::info!(session_id = %id, "refused to close a session");
    }
    Ok(())
}

pub async fn close(conn: &mut AsyncPgConnection, world: &World, player: &Identity) -> Result<()> {
    store::revoke(conn, player.session, world.now()).await?;
    Ok(())
}

/// Ends all sessions of this player but this one.
pub async fn close_others(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: PlayerId,
    but: Option<SessionId>,
) -> Result<usize> {
    Ok(store::revoke_all(conn, player, but, world.now()).await?)
}

/// What people call the device of this session.
pub fn device_name(session: &SessionRow, lang: Lang) -> String {
    session.device_name.clone().unwrap_or_else(|| describe(session.user_agent.as_deref(), lang))
}

/// Ends this session, if it is the player's own.
pub async fn close_own(conn: &mut AsyncPgConnection, world: &World, player: PlayerId, id: SessionId) -> Result<()> {
    let closed = store::revoke_own(conn, player, id, world.now()).await?;
    if closed { Ok(()) } else { Err(not_found("session_not_found")) }
}

/// Ends everything that this player is signed in with, and forgets what it was.
pub async fn forget(conn: &mut AsyncPgConnection, world: &World, player: PlayerId) -> Result<()> {
    store::revoke_all(conn, player, None, world.now()).await?;
    store::forget_clients(conn, player).await?;
    Ok(())
}

/// The role of this player at this moment, if the session still stands.
pub async fn role_now(conn: &mut AsyncPgConnection, player: &Identity) -> Result<Role> {
    let found = store::find_standing(conn, player.session, player.id).await?;
    Ok(found.ok_or_else(|| unauthorized("session_ended"))?.0)
}

/// The same for a browser, which never refreshes: that it is still used is noted now and then.
pub async fn role_at_page(conn: &mut AsyncPgConnection, player: &Identity, now: Timestamp) -> Result<Role> {
    let found = store::find_standing(conn, player.session, player.id).await?;
    let (role, seen_at) = found.ok_or_else(|| unauthorized("session_ended"))?;
    if now.duration_since(seen_at.to_jiff()) > SEEN_WITHIN {
        base::auth::store::set_seen(conn, player.session, now).await?;
    }
    Ok(role)
}

/// Asks the database: a token may be older than somebody's last day here.
pub async fn is_staff(conn: &mut AsyncPgConnection, player: &Identity) -> Result<bool> {
    Ok(player.role >= Role::Staff && role_now(conn, player).await? >= Role::Staff)
}

/// A new session and its refresh token, good for so long unless it is refreshed.
pub async fn insert(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &PlayerRow,
    device: &Device,
    life: SignedDuration,
) -> Result<(SessionId, String)> {
    let now = world.now();
    refuse_banned(player, now)?;
    let id = SessionId(world.uuid());
    let (token, secret) = new_refresh(world, id);
    store::insert(conn, &new_session(id, player, device, &hash(&secret), (now, life))).await?;
    Ok((id, token))
}

fn new_session<'a>(
    id: SessionId,
    player: &PlayerRow,
    device: &'a Device,
    refresh_hash: &'a [u8],
    (now, life): (Timestamp, SignedDuration),
) -> NewSession<'a> {
    NewSession {
        id,
        player_id: player.id,
        refresh_hash,
        user_agent: device.user_agent(),
        device_name: device.name(),
        created_at: now.into(),
        seen_at: now.into(),
        expires_at: (now + life).into(),
    }
}

fn signed_in(
    world: &World,
    tokens: &Tokens,
    player: &PlayerRow,
    session: SessionId,
    refresh_token: String,
) -> Result<SignedIn> {
    let access_token = tokens.issue(player.id, session, player.role, Use::Access, world.now())?;
    Ok(SignedIn { access_token, refresh_token, expires_in: ACCESS_SECONDS, player: player.into() })
}

fn refuse_banned(player: &PlayerRow, now: Timestamp) -> Result<()> {
    if player.is_banned(now) { Err(forbidden("banned")) } else { Ok(()) }
}

/// A refresh token is the session's id followed by 32 random bytes.
fn new_refresh(world: &World, id: SessionId) -> (String, [u8; 32]) {
    let secret = world.bytes::<32>();
    (encode(&[id.0.as_bytes().as_slice(), &secret].concat()), secret)
}

fn parse_refresh(token: &str) -> Result<(SessionId, [u8; 32])> {
    let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).unwrap_or_default();
    match (bytes.first_chunk::<16>(), bytes.last_chunk::<32>()) {
        (Some(id), Some(secret)) if bytes.len() == 48 => Ok((SessionId(uuid::Uuid::from_bytes(*id)), *secret)),
        _ => Err(unauthorized("invalid_refresh_token")),
    }
}

/// Deletes sessions that nobody can use, and what the door counted long ago.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<usize> {
    Ok(store::delete_over(conn, now, now - ENDED_KEPT).await? + door::sweep(conn, now).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_token_holds_its_session_and_secret() {
        let id = SessionId(World::real().uuid());
        let (token, secret) = new_refresh(&World::real(), id);
        assert_eq!(parse_refresh(&token).unwrap(), (id, secret));
        for nonsense in ["", "x", &token[1..], &format!("{token}AAAA"), "💥"] {
            assert_eq!(parse_refresh(nonsense).unwrap_err().code(), "invalid_refresh_token");
        }
    }
}
