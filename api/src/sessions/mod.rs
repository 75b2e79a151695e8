//! Signing in and staying signed in: short access tokens, and refresh tokens that are good for one use.

pub mod admin;
mod devices;
mod ended;
pub mod rest;
pub mod store;
mod tokens;

use actix_web::cookie::{Cookie, SameSite, time::Duration as CookieDuration};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use diesel_async::AsyncPgConnection;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::db::Db;
use crate::error::{ApiResult, FieldError, forbidden, not_found, unauthorized};
use crate::extract::{DisplayName, Email, PAGE_COOKIE, Password, Player};
use crate::ids::{PlayerId, SessionId};
use crate::players::{self, Passwords, PlayerRow, Role};
use crate::text::Lang;
use crate::world::World;
pub use devices::Device;
pub(crate) use devices::describe;
pub use ended::Ended;
use store::NewSession;
pub use store::SessionRow;
pub use tokens::{ACCESS_SECONDS, Claims, SECRET_MIN, Tokens, Use};

const REFRESH_LIFE: SignedDuration = SignedDuration::from_hours(24 * 30);
/// So old may be what is known of when a browser was last used.
const SEEN_WITHIN: SignedDuration = SignedDuration::from_mins(5);
/// An ended session is kept until no token of it is good any more.
const ENDED_KEPT: SignedDuration = SignedDuration::from_hours(1);

/// What a client needs to act for a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedIn {
    /// A JWT for the `Authorization: Bearer` header.
    pub access_token: String,
    /// Good for one refresh; the answer to it holds the next one.
    pub refresh_token: String,
    /// Seconds until the access token expires.
    #[schema(example = 900)]
    pub expires_in: i64,
    pub player: PlayerCard,
}

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

/// Opens a session for a client that keeps its own tokens.
pub async fn open(
    conn: &mut AsyncPgConnection,
    world: &World,
    tokens: &Tokens,
    player: &PlayerRow,
    device: &Device,
) -> ApiResult<SignedIn> {
    let (id, refresh_token) = insert(conn, world, player, device, REFRESH_LIFE).await?;
    signed_in(world, tokens, player, id, refresh_token)
}

/// Opens a session for a browser. `secure` where people reach the café by https.
pub async fn open_page(
    conn: &mut AsyncPgConnection,
    world: &World,
    tokens: &Tokens,
    player: &PlayerRow,
    device: &Device,
    secure: bool,
) -> ApiResult<Cookie<'static>> {
    let life = Use::Page.lifetime(player.role);
    let (id, _) = insert(conn, world, player, device, life).await?;
    let token = tokens.issue(player.id, id, player.role, Use::Page, world.now())?;
    let cookie = Cookie::build(PAGE_COOKIE, token).path("/").http_only(true).same_site(SameSite::Lax);
    Ok(cookie.secure(secure).max_age(CookieDuration::seconds(life.as_secs())).finish())
}

/// Who is known already, or else a new guest of this name with a session for their browser. A name that cannot be one is
/// refused as a field of the form that asked for it.
pub async fn known_or_guest(
    conn: &mut AsyncPgConnection,
    (world, tokens, secure): (&World, &Tokens, bool),
    known: Option<Player>,
    name: &str,
    device: &Device,
) -> ApiResult<Result<(PlayerId, Option<Cookie<'static>>), FieldError>> {
    if let Some(known) = known {
        return Ok(Ok((known.id, None)));
    }
    let name = match DisplayName::parse(name) {
        Ok(name) => name,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let guest = players::create_guest(conn, world, &name).await?;
    let cookie = open_page(conn, world, tokens, &guest, device, secure).await?;
    Ok(Ok((guest.id, Some(cookie))))
}

/// Takes the browser's cookie away.
pub fn closed_page() -> Cookie<'static> {
    let mut cookie = Cookie::build(PAGE_COOKIE, "").path("/").http_only(true).same_site(SameSite::Lax).finish();
    cookie.make_removal();
    cookie
}

/// The account that this address and password belong to.
/// Who is banned is told until when, by the café's clock.
pub async fn authenticate(
    db: &Db,
    (world, zone): (&World, &TimeZone),
    passwords: &Passwords,
    email: &Email,
    password: Password,
) -> ApiResult<PlayerRow> {
    // The connection goes back before the hashing: a rush at the door must not starve the tables.
    let player = players::store::find_by_email(&mut *db.conn().await?, email.as_str()).await?;
    let stored = player.as_ref().and_then(|player| player.password_hash.clone());
    let fits = passwords.fits(password, stored).await?;
    let player = player.filter(|_| fits).ok_or_else(|| unauthorized("wrong_credentials"))?;
    if player.is_banned(world.now()) {
        return Err(players::ban_refusal(&player, zone));
    }
    Ok(player)
}

/// Exchanges a refresh token for the next. One that was used before ends the session: somebody else has it too.
pub async fn refresh(conn: &mut AsyncPgConnection, world: &World, tokens: &Tokens, token: &str) -> ApiResult<SignedIn> {
    let now = world.now();
    let (id, secret) = parse_refresh(token)?;
    let (next, next_secret) = new_refresh(world, id);
    let rotated = store::rotate(conn, id, &hash(&secret), &hash(&next_secret), now, now + REFRESH_LIFE).await?;
    let Some(player_id) = rotated else {
        if store::revoke(conn, id, now).await? {
            tracing::warn!(session = %id, "a refresh token came back after its use; the session is over");
        }
        return Err(unauthorized("invalid_refresh_token"));
    };
    let player = players::store::find(conn, player_id).await?.ok_or_else(|| unauthorized("invalid_refresh_token"))?;
    refuse_banned(&player, now)?;
    signed_in(world, tokens, &player, id, next)
}

/// Ends the session that this refresh token belongs to.
pub async fn close_by_token(conn: &mut AsyncPgConnection, world: &World, token: &str) -> ApiResult<()> {
    let (id, _) = parse_refresh(token)?;
    store::revoke(conn, id, world.now()).await?;
    Ok(())
}

pub async fn close(conn: &mut AsyncPgConnection, world: &World, player: &Player) -> ApiResult<()> {
    store::revoke(conn, player.session, world.now()).await?;
    Ok(())
}

/// Ends all sessions of this player but this one.
pub async fn close_others(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: PlayerId,
    but: Option<SessionId>,
) -> ApiResult<usize> {
    Ok(store::revoke_all(conn, player, but, world.now()).await?)
}

/// What people call the device of this session.
pub fn device_name(session: &SessionRow, lang: Lang) -> String {
    describe(session.user_agent.as_deref(), lang)
}

/// Ends this session, if it is the player's own.
pub async fn close_own(conn: &mut AsyncPgConnection, world: &World, player: PlayerId, id: SessionId) -> ApiResult<()> {
    let closed = store::revoke_own(conn, player, id, world.now()).await?;
    if closed { Ok(()) } else { Err(not_found("session_not_found")) }
}

/// Ends everything that this player is signed in with, and forgets what it was.
pub async fn forget(conn: &mut AsyncPgConnection, world: &World, player: PlayerId) -> ApiResult<()> {
    store::revoke_all(conn, player, None, world.now()).await?;
    store::forget_clients(conn, player).await?;
    Ok(())
}

/// The role of this player at this moment, if the session still stands.
pub async fn role_now(conn: &mut AsyncPgConnection, player: &Player) -> ApiResult<Role> {
    let found = store::find_standing(conn, player.session, player.id).await?;
    Ok(found.ok_or_else(|| unauthorized("session_ended"))?.0)
}

/// The same for a browser, which never refreshes: that it is still used is noted now and then.
pub async fn role_at_page(conn: &mut AsyncPgConnection, player: &Player, now: Timestamp) -> ApiResult<Role> {
    let found = store::find_standing(conn, player.session, player.id).await?;
    let (role, seen_at) = found.ok_or_else(|| unauthorized("session_ended"))?;
    if now.duration_since(seen_at.to_jiff()) > SEEN_WITHIN {
        store::set_seen(conn, player.session, now).await?;
    }
    Ok(role)
}

/// Asks the database: a token may be older than somebody's last day here.
pub async fn is_staff(conn: &mut AsyncPgConnection, player: &Player) -> ApiResult<bool> {
    Ok(player.role >= Role::Staff && role_now(conn, player).await? >= Role::Staff)
}

pub fn hash(secret: &[u8]) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// For secrets in links and tokens.
pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A new session and its refresh token, good for so long unless it is refreshed.
pub(crate) async fn insert(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &PlayerRow,
    device: &Device,
    life: SignedDuration,
) -> ApiResult<(SessionId, String)> {
    let now = world.now();
    refuse_banned(player, now)?;
    let id = SessionId(world.uuid());
    let (token, secret) = new_refresh(world, id);
    let session = NewSession {
        id,
        player_id: player.id,
        refresh_hash: &hash(&secret),
        user_agent: device.user_agent(),
        created_at: now.into(),
        seen_at: now.into(),
        expires_at: (now + life).into(),
    };
    store::insert(conn, &session).await?;
    Ok((id, token))
}

fn signed_in(
    world: &World,
    tokens: &Tokens,
    player: &PlayerRow,
    session: SessionId,
    refresh_token: String,
) -> ApiResult<SignedIn> {
    let access_token = tokens.issue(player.id, session, player.role, Use::Access, world.now())?;
    Ok(SignedIn { access_token, refresh_token, expires_in: ACCESS_SECONDS, player: player.into() })
}

fn refuse_banned(player: &PlayerRow, now: Timestamp) -> ApiResult<()> {
    if player.is_banned(now) { Err(forbidden("banned")) } else { Ok(()) }
}

/// A refresh token is the session's id followed by 32 random bytes.
fn new_refresh(world: &World, id: SessionId) -> (String, [u8; 32]) {
    let secret = world.bytes::<32>();
    (encode(&[id.0.as_bytes().as_slice(), &secret].concat()), secret)
}

fn parse_refresh(token: &str) -> ApiResult<(SessionId, [u8; 32])> {
    let bytes = URL_SAFE_NO_PAD.decode(token).unwrap_or_default();
    match (bytes.first_chunk::<16>(), bytes.last_chunk::<32>()) {
        (Some(id), Some(secret)) if bytes.len() == 48 => Ok((SessionId(uuid::Uuid::from_bytes(*id)), *secret)),
        _ => Err(unauthorized("invalid_refresh_token")),
    }
}

/// Deletes sessions that nobody can use any more.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> ApiResult<usize> {
    Ok(store::delete_over(conn, now, now - ENDED_KEPT).await?)
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
