//! Keys with which services elsewhere use the API, in place of somebody who has signed in. A key acts with a role that is never
//! above that of the member of staff who made it.

pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use hmac::{Hmac, Mac};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::json;
use sha2::Sha256;
use utoipa::ToSchema;

use base::audit::{self, Entry};
use base::auth::{Actor, Credential, Identity, Role, StaffContext, can, keyed, secrets};
use base::error::{Result, conflict, forbidden, invalid_field, not_found, unauthorized};
use base::ids::{PlayerId, SessionId};
use base::inputs::DisplayName;
use base::world::World;
use play::players;
use play::sessions;
pub use store::KeyRow;

/// What every key begins with, so that a search finds one that somebody published.
pub const MARK: &str = "hrk_";
/// So much of a key tells which it is.
const PREFIX: usize = MARK.len() + 8;
const MOST_KEYS: i64 = 50;
/// Longer than any key is used.
const LONGEST_LIFE: SignedDuration = SignedDuration::from_hours(24 * 365 * 100);
/// How old the note of a key's last use may be.
const USED_WITHIN: SignedDuration = SignedDuration::from_mins(1);

base::id_type!(
    /// A key of a service elsewhere. Its account has the same id.
    KeyId
);

base::text_enum! {
    /// What a key may do: as much as somebody with this role.
    pub enum KeyRole {
        Staff = "staff",
        Manager = "manager",
    }
}

impl KeyRole {
    /// Of its name in the catalogues.
    pub fn key(self) -> &'static str {
        Role::from(self).key()
    }
}

impl From<KeyRole> for Role {
    fn from(role: KeyRole) -> Self {
        match role {
            KeyRole::Staff => Self::Staff,
            KeyRole::Manager => Self::Manager,
        }
    }
}

/// What a key is to be.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyRequest {
    /// Stands beside all that is done with it.
    pub name: DisplayName,
    pub role: KeyRole,
    /// It lasts until it is revoked if left out.
    pub expires_at: Option<Timestamp>,
    /// `true` for a key that changes only what such keys made.
    #[serde(default)]
    pub sandbox: bool,
}

/// A key as its service sends it.
pub struct Secret(String);

impl Secret {
    fn new(world: &World) -> Self {
        Self(format!("{MARK}{}", secrets::encode(&world.bytes::<32>())))
    }

    /// None of what does not look like a key.
    pub fn parse(text: &str) -> Option<Self> {
        let is_one = text.starts_with(MARK) && text.len() > PREFIX && text.is_ascii();
        is_one.then(|| Self(text.to_owned()))
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn prefix(&self) -> &str {
        &self.0[..PREFIX]
    }

    fn mac(&self) -> Hmac<Sha256> {
        keyed(b"house-rules/api-key/1").chain_update(self.0.as_bytes())
    }

    fn hash(&self) -> [u8; 32] {
        self.mac().finalize().into_bytes().into()
    }

    /// In constant time.
    fn fits(&self, hash: &[u8]) -> bool {
        self.mac().verify_slice(hash).is_ok()
    }
}

/// Makes a key. It is never shown again.
pub async fn create(cx: &mut StaffContext<'_, can::ManageKeys>, request: &KeyRequest) -> Result<(KeyRow, Secret)> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    if Role::from(request.role) > staff.role {
        return Err(forbidden("forbidden"));
    }
    let now = world.now();
    let last = now + LONGEST_LIFE;
    if request.expires_at.is_some_and(|expires| expires <= now || expires > last) {
        return Err(invalid_field("/expires_at", "out_of_range"));
    }
    let secret = Secret::new(world);
    let new = store::NewKey {
        id: KeyId(world.uuid()),
        prefix: secret.prefix(),
        hash: &secret.hash(),
        role: request.role,
        sandbox: request.sandbox,
        created_by: staff.id,
        created_at: now.into(),
        expires_at: request.expires_at.map(Into::into),
    };
    let made = conn.transaction(async |conn| -> Result<KeyRow> {
        if store::count(conn).await? >= MOST_KEYS {
            return Err(conflict("too_many_keys"));
        }
        insert_account(conn, world, &new, &request.name).await?;
        store::insert(conn, &new).await?;
        let row = store::find(conn, new.id).await?.ok_or_else(|| not_found("key_not_found"))?;
        note(conn, world, staff, "key.create", &row).await?;
        Ok(row)
    });
    Ok((made.await?, secret))
}

/// The account that the key acts as, and the session that ends with it.
async fn insert_account(
    conn: &mut AsyncPgConnection,
    world: &World,
    new: &store::NewKey<'_>,
    name: &DisplayName,
) -> Result<()> {
    let (id, session, now) = (PlayerId(new.id.0), SessionId(new.id.0), new.created_at);
    let account = players::store::NewPlayer {
        id,
        display_name: name.as_str(),
        // What it may do besides follows from the key.
        role: Role::Player,
        email: None,
        password_hash: None,
        created_at: now,
        // No guest, who could be merged or forgotten.
        registered_at: Some(now),
    };
    players::store::insert(conn, &account).await?;
    let session = sessions::store::NewSession {
        id: session,
        player_id: id,
        // Nobody has the token of this.
        refresh_hash: &secrets::hash(&world.bytes::<32>()),
        family_hash: &secrets::hash(&world.bytes::<32>()),
        user_agent: None,
        device_name: None,
        created_at: now,
        seen_at: now,
        expires_at: new.expires_at.unwrap_or_else(|| (now.to_jiff() + LONGEST_LIFE).into()),
    };
    sessions::store::insert(conn, &session).await?;
    Ok(())
}

/// Ends a key at once. What was done with it keeps its name.
pub async fn revoke(cx: &mut StaffContext<'_, can::ManageKeys>, id: KeyId) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let row = store::find(conn, id).await?.ok_or_else(|| not_found("key_not_found"))?;
        if !store::revoke(conn, id, world.now()).await? {
            return Err(not_found("key_not_found"));
        }
        sessions::store::revoke(conn, SessionId(id.0), world.now()).await?;
        note(conn, world, staff, "key.revoke", &row).await
    })
    .await
}

/// Who acts with this key, now.
pub async fn identify(conn: &mut AsyncPgConnection, world: &World, secret: &Secret) -> Result<Identity> {
    let found = store::find_acting(conn, secret.prefix()).await?.filter(|key| secret.fits(&key.hash));
    let key = found.ok_or_else(|| unauthorized("invalid_token"))?;
    let now = world.now();
    if key.expires_at.is_some_and(|expires| expires <= now) {
        return Err(unauthorized("token_expired"));
    }
    if !key.is_standing || key.role < Role::Staff {
        return Err(unauthorized("session_ended"));
    }
    if key.used_at.is_none_or(|used| now.duration_since(used) > USED_WITHIN) {
        store::set_used(conn, key.id, now).await?;
    }
    let credential = if key.sandbox { Credential::SandboxKey } else { Credential::Key };
    Ok(Identity { id: PlayerId(key.id.0), session: SessionId(key.id.0), role: key.role, credential })
}

async fn note(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Identity,
    action: &'static str,
    row: &KeyRow,
) -> Result<()> {
    let details = json!({ "name": row.name, "role": row.role, "sandbox": row.sandbox, "expires_at": row.expires_at });
    let entry = Entry { actor: Some(staff.id), action, subject: "key", subject_id: Some(row.id.0), details };
    Ok(audit::record(conn, world, entry).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_fits_its_own_hash_alone() {
        let (one, other) = (Secret::new(&World::real()), Secret::new(&World::real()));
        assert!(one.fits(&one.hash()) && !one.fits(&other.hash()) && !one.fits(&one.hash()[..31]));
        // 256 bits in base64.
        assert_eq!((one.reveal().len(), one.prefix().len()), (MARK.len() + 43, PREFIX));
        assert!(Secret::parse(one.reveal()).is_some_and(|it| it.fits(&one.hash())));
        let longer = Secret::parse(&format!("{}x", one.reveal())).unwrap();
        assert!(longer.prefix() == one.prefix() && !longer.fits(&one.hash()));
    }

    #[test]
    fn what_does_not_look_like_a_key_is_none() {
        for text in
            ["", "hrk_", "hrk_12345678", "hrk_긴비밀번호가아니에요", "eyJhbGciOiJIUzI1NiJ9.e30.x", "HRK_123456789"]
        {
            assert!(Secret::parse(text).is_none(), "{text}");
        }
    }
}
