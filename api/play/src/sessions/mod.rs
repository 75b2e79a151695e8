//! Signing in and staying signed in: short access tokens, and refresh tokens that are good for one use.

pub mod devices;
pub mod sign_in_log;
pub mod store;

use data_encoding::BASE64URL_NOPAD;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::players::{self, PlayerCard, PlayerRow};
use base::auth::Identity;
use base::auth::context::SEEN_WITHIN;
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
pub use sign_in_log::{KnownDevices, SignInGuard};
use store::NewSession;
pub use store::SessionRow;

/// A client that heard no answer may use the same refresh token once more within this time.
const LOST_WITHIN: SignedDuration = SignedDuration::from_secs(10);
const REFRESH_LIFE: SignedDuration = SignedDuration::from_hours(24 * 30);
/// So long after they signed in, staff sign in again, however often they refreshed.
const STAFF_LIFE: SignedDuration = REFRESH_LIFE;
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
    let token = insert(conn, world, player, device, REFRESH_LIFE).await?;
    signed_in(world, tokens, player, &token)
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
    let token = RefreshToken::first(world, session);
    let hashes = token.hashes();
    let renewed = new_session(session, player, device, &hashes, (now, REFRESH_LIFE));
    if !store::renew(conn, &renewed).await? {
        return Err(unauthorized("session_ended"));
    }
    signed_in(world, tokens, player, &token)
}

/// Opens a session for somebody who has signed in.
pub async fn enter(
    conn: &mut AsyncPgConnection,
    tokens: &Tokens,
    guard: SignInGuard<'_>,
    player: &PlayerRow,
    device: &Device,
) -> Result<SignedIn> {
    conn.transaction(async |conn| {
        let player = &as_authenticated(conn, player).await?;
        let token = insert(conn, guard.world, player, device, REFRESH_LIFE).await?;
        guard.enter(conn, player, token.session).await?;
        signed_in(guard.world, tokens, player, &token)
    })
    .await
}

/// The account as it is now; nobody changes it until the transaction ends. A new password, a ban or a deletion ends the
/// sessions that there are, and a sign-in under way must not open one more right after.
async fn as_authenticated(conn: &mut AsyncPgConnection, player: &PlayerRow) -> Result<PlayerRow> {
    let now = players::store::keep_as_is(conn, player.id).await?;
    let now = now.filter(|row| row.deleted_at.is_none() && row.merged_into.is_none());
    now.filter(|row| row.password_hash == player.password_hash).ok_or_else(|| unauthorized("wrong_credentials"))
}

/// The same for a browser. The session that its cookie held so far ends.
pub async fn enter_page(
    conn: &mut AsyncPgConnection,
    tokens: &Tokens,
    guard: SignInGuard<'_>,
    (player, device): (&PlayerRow, &Device),
    former: Option<&Identity>,
) -> Result<PageToken> {
    conn.transaction(async |conn| {
        let player = &as_authenticated(conn, player).await?;
        let life = Use::Page.lifetime(player.role);
        let id = insert(conn, guard.world, player, device, life).await?.session;
        if let Some(former) = former {
            close(conn, guard.world, former).await?;
        }
        guard.enter(conn, player, id).await?;
        let token = tokens.issue(player.id, id, player.role, Use::Page, guard.world.now())?;
        Ok(PageToken { token, life })
    })
    .await
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
    let id = insert(conn, world, player, device, life).await?.session;
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
    guard: SignInGuard<'_>,
    (email, password): (&Email, Password),
) -> Result<PlayerRow> {
    // The connection goes back before the hashing: a rush of sign-ins must not starve the tables.
    let player = {
        let mut conn = db.conn().await?;
        let player = players::store::find_by_email(&mut conn, email.as_str()).await?;
        guard.attempt(&mut conn, email, player.as_ref()).await?;
        player
    };
    let stored = player.as_ref().and_then(|player| player.password_hash.clone());
    let fits = passwords.fits(password, stored).await?;
    if !fits {
        guard.missed(&mut *db.conn().await?, player.as_ref()).await?;
    }
    let player = player.filter(|_| fits).ok_or_else(|| unauthorized("wrong_credentials"))?;
    if player.is_banned(guard.world.now()) {
        return Err(players::ban_refusal(&player, zone));
    }
    Ok(player)
}

/// Exchanges a refresh token for the next. One that was used before ends the session: somebody else has it too.
pub async fn refresh(conn: &mut AsyncPgConnection, world: &World, tokens: &Tokens, token: &str) -> Result<SignedIn> {
    let now = world.now();
    let token = RefreshToken::parse(token)?;
    let (id, next) = (token.session, token.next(world));
    // The hashes are compared, not the secrets: how long that takes tells nothing of what is random in them.
    let (used, since) = (token.hashes(), (now, now - LOST_WITHIN));
    let rotated = store::rotate(conn, id, (&used, &next.hashes()), since, now + REFRESH_LIFE).await?;
    let Some((player_id, signed_in_at)) = rotated else {
        if store::revoke_by_hash(conn, id, &used, now).await? {
            tracing::warn!(session_id = %id, "revoked a session: its refresh token was used twice");
        } else {
            tracing::info!(session_id = %id, "refused a refresh token");
        }
        return Err(unauthorized("invalid_refresh_token"));
    };
    let player = players::store::find(conn, player_id).await?.filter(|row| row.deleted_at.is_none());
    let player = player.ok_or_else(|| unauthorized("invalid_refresh_token"))?;
    refuse_banned(&player, now)?;
    if player.role > Role::Player && signed_in_at + STAFF_LIFE <= now {
        store::revoke(conn, id, now).await?;
        return Err(unauthorized("invalid_refresh_token"));
    }
    signed_in(world, tokens, &player, &next)
}

/// Ends the session that this refresh token belongs to.
pub async fn close_by_token(conn: &mut AsyncPgConnection, world: &World, token: &str) -> Result<()> {
    let token = RefreshToken::parse(token)?;
    if !store::revoke_by_hash(conn, token.session, &token.hashes(), world.now()).await? {
        tracing::info!(session_id = %token.session, "refused to close a session");
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

/// The role of this player at this moment, if the session still stands. A browser never refreshes: that it is still used is
/// noted now and then.
pub async fn role_at_page(conn: &mut AsyncPgConnection, player: &Identity, now: Timestamp) -> Result<Role> {
    let found = store::find_standing(conn, player.session, player.id).await?;
    let (role, seen_at) = found.ok_or_else(|| unauthorized("session_ended"))?;
    if now.duration_since(seen_at.to_jiff()) > SEEN_WITHIN {
        base::auth::store::set_seen(conn, player.session, now).await?;
    }
    Ok(role)
}

/// A new session's refresh token, good for so long unless it is refreshed.
pub async fn insert(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &PlayerRow,
    device: &Device,
    life: SignedDuration,
) -> Result<RefreshToken> {
    let now = world.now();
    refuse_banned(player, now)?;
    let token = RefreshToken::first(world, SessionId(world.uuid()));
    store::insert(conn, &new_session(token.session, player, device, &token.hashes(), (now, life))).await?;
    Ok(token)
}

fn new_session<'a>(
    id: SessionId,
    player: &PlayerRow,
    device: &'a Device,
    hashes: &'a RefreshHashes,
    (now, life): (Timestamp, SignedDuration),
) -> NewSession<'a> {
    NewSession {
        id,
        player_id: player.id,
        refresh_hash: &hashes.secret,
        family_hash: &hashes.family,
        user_agent: device.user_agent(),
        device_name: device.name(),
        created_at: now.into(),
        seen_at: now.into(),
        expires_at: (now + life).into(),
    }
}

fn signed_in(world: &World, tokens: &Tokens, player: &PlayerRow, token: &RefreshToken) -> Result<SignedIn> {
    let access_token = tokens.issue(player.id, token.session, player.role, Use::Access, world.now())?;
    Ok(SignedIn { access_token, refresh_token: token.text(), expires_in: ACCESS_SECONDS, player: player.into() })
}

fn refuse_banned(player: &PlayerRow, now: Timestamp) -> Result<()> {
    if player.is_banned(now) { Err(forbidden("banned")) } else { Ok(()) }
}

/// Good for one refresh. As a text it is the session's id; its family, 12 random bytes that the next token has, too; its generation, the
/// number of those before it, in 4 bytes; and 16 random bytes of its own.
pub struct RefreshToken {
    pub session: SessionId,
    family: [u8; 12],
    generation: u32,
    own: [u8; 16],
}

/// What is kept of a refresh token.
pub struct RefreshHashes {
    /// SHA-256 of all that is secret in it.
    secret: [u8; 32],
    family: [u8; 32],
    generation: i64,
}

impl RefreshToken {
    fn first(world: &World, session: SessionId) -> Self {
        Self { session, family: world.bytes(), generation: 0, own: world.bytes() }
    }

    fn next(&self, world: &World) -> Self {
        Self { generation: self.generation.wrapping_add(1), own: world.bytes(), ..*self }
    }

    fn parse(text: &str) -> Result<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).unwrap_or_default();
        let ([id, [family @ .., a, b, c, d], own], []) = bytes.as_chunks::<16>() else {
            return Err(unauthorized("invalid_refresh_token"));
        };
        Ok(Self {
            session: SessionId(uuid::Uuid::from_bytes(*id)),
            family: *family,
            generation: u32::from_be_bytes([*a, *b, *c, *d]),
            own: *own,
        })
    }

    fn text(&self) -> String {
        encode(&[self.session.0.as_bytes().as_slice(), &self.secret()].concat())
    }

    fn secret(&self) -> Vec<u8> {
        [self.family.as_slice(), &self.generation.to_be_bytes(), &self.own].concat()
    }

    fn hashes(&self) -> RefreshHashes {
        let (secret, family) = (hash(&self.secret()), hash(&self.family));
        RefreshHashes { secret, family, generation: self.generation.into() }
    }
}

/// Deletes sessions that nobody can use, and counts of sign-ins that nobody asks for.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<usize> {
    Ok(store::delete_over(conn, now, now - ENDED_KEPT).await? + sign_in_log::sweep(conn, now).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_token_holds_its_session_and_secret() {
        let world = World::real();
        let token = RefreshToken::first(&world, SessionId(world.uuid()));
        let text = token.text();
        let read = RefreshToken::parse(&text).unwrap();
        assert_eq!((read.session, read.secret()), (token.session, token.secret()));
        for nonsense in ["", "x", &text[1..], &format!("{text}AAAA"), "💥"] {
            assert_eq!(RefreshToken::parse(nonsense).err().unwrap().code(), "invalid_refresh_token");
        }
    }

    #[test]
    fn the_next_refresh_token_is_another_of_the_same_family() {
        let world = World::real();
        let first = RefreshToken::first(&world, SessionId(world.uuid()));
        let (next, other) = (first.next(&world), RefreshToken::first(&world, first.session));
        assert_eq!((next.session, next.family, next.generation), (first.session, first.family, 1));
        assert_ne!(next.own, first.own);
        assert_ne!(other.family, first.family);
    }
}
