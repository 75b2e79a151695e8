//! Links that can be used once: an invitation, or a way to a new password. A café has no mail server; the person who makes
//! a link sees it once and hands it over. Only its hash is kept.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use super::store::{self, LinkRow, NewLink};
use super::{lock, record, refuse_above};
use crate::players::{self, NewAccount, PlayerRow};
use crate::sessions;
use base::audit::{self, Entry};
use base::auth::{Actor, Chooser, PasswordHash, Role, StaffContext, can, secrets};
use base::error::{Result, conflict, invalid_field, not_found};
use base::ids::PlayerId;
use base::inputs::{DisplayName, Email};
use base::world::World;

const INVITATION_LIFE: SignedDuration = SignedDuration::from_hours(72);
const PASSWORD_LIFE: SignedDuration = SignedDuration::from_hours(24);

/// What a link leads to.
#[derive(Clone, Debug)]
pub enum Purpose {
    /// Becoming a member of staff.
    Join { email: Email, role: Role, invited_by: String },
    /// Taking another password.
    Password(Holder),
}

#[derive(Clone, Debug)]
pub struct Holder {
    pub id: PlayerId,
    pub name: String,
    pub email: Option<String>,
    pub role: Role,
}

impl Purpose {
    /// Who chooses a password by this link, under this name if they choose that as well.
    pub fn chooser<'a>(&'a self, name: Option<&'a DisplayName>) -> Chooser<'a> {
        match self {
            Self::Join { email, role, .. } => {
                Chooser { role: *role, name: name.map(DisplayName::as_str), email: Some(email.as_str()) }
            }
            Self::Password(Holder { name, email, role, .. }) => {
                Chooser { role: *role, name: Some(name), email: email.as_deref() }
            }
        }
    }
}

/// Whom a link is for.
#[derive(Clone, Copy)]
enum Addressee<'a> {
    Invited(&'a Email, Role),
    Member(PlayerId),
}

/// The token of an invitation for this address.
pub async fn invite(cx: &mut StaffContext<'_, can::ManageStaff>, email: &Email, role: Role) -> Result<String> {
    let (conn, actor) = cx.parts().await?;
    let Actor { world, staff, .. } = actor;
    if role == Role::Player {
        return Err(invalid_field("/role", "unknown_value"));
    }
    refuse_above(staff.role, role)?;
    if players::store::find_by_email(conn, email.as_str()).await?.is_some() {
        return Err(conflict("email_taken"));
    }
    conn.transaction(async |conn| {
        let (token, id) = insert(conn, actor, Addressee::Invited(email, role), INVITATION_LIFE).await?;
        let details = json!({ "email": email.as_str(), "role": role });
        let (actor, subject_id) = (Some(staff.id), Some(id));
        audit::record(conn, world, Entry { actor, action: "staff.invite", subject: "invitation", subject_id, details })
            .await?;
        Ok(token)
    })
    .await
}

pub async fn withdraw(cx: &mut StaffContext<'_, can::ManageStaff>, id: Uuid) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let gone = || not_found("staff_link_invalid").in_words(vec!["error-staff_link_invalid-invitation".to_owned()]);
        let link = store::delete_invitation(conn, id).await?.ok_or_else(gone)?;
        refuse_above(staff.role, link.role.unwrap_or(Role::Owner))?;
        let details = json!({ "email": link.email, "role": link.role });
        let (actor, subject_id) = (Some(staff.id), Some(id));
        let entry = Entry { actor, action: "staff.invitation_withdrawn", subject: "invitation", subject_id, details };
        Ok(audit::record(conn, world, entry).await?)
    })
    .await
}

/// The token of a link with which this member of staff takes another password.
pub async fn offer_password(cx: &mut StaffContext<'_, can::ManageStaff>, id: PlayerId) -> Result<String> {
    let (conn, actor) = cx.parts().await?;
    let Actor { world, staff, .. } = actor;
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        refuse_above(staff.role, row.role)?;
        let (token, _) = insert(conn, actor, Addressee::Member(id), PASSWORD_LIFE).await?;
        record(conn, world, staff, "staff.password_link", id, json!({ "name": row.display_name })).await?;
        Ok(token)
    })
    .await
}

/// What this link leads to, while it is good.
pub async fn find(conn: &mut AsyncPgConnection, world: &World, token: &str) -> Result<Purpose> {
    let link = store::find_link(conn, &secrets::hash(token.as_bytes()), world.now()).await?;
    purpose(conn, link).await
}

/// An invited person becomes a member of staff.
pub async fn join(
    conn: &mut AsyncPgConnection,
    world: &World,
    token: &str,
    name: &DisplayName,
    hash: &PasswordHash,
) -> Result<PlayerRow> {
    conn.transaction(async |conn| {
        let link = store::use_link(conn, &secrets::hash(token.as_bytes()), world.now()).await?;
        let Purpose::Join { email, role, invited_by } = purpose(conn, link).await? else {
            return Err(not_found("staff_link_invalid"));
        };
        let row =
            players::create_registered(conn, world, role, NewAccount { email: &email, name, password: hash }).await?;
        let details = json!({ "name": row.display_name, "role": role, "invited_by": invited_by });
        let (actor, subject_id) = (Some(row.id), Some(row.id.0));
        audit::record(conn, world, Entry { actor, action: "staff.join", subject: "player", subject_id, details })
            .await?;
        Ok(row)
    })
    .await
}

/// A member of staff takes another password and is signed out everywhere.
pub async fn take_password(
    conn: &mut AsyncPgConnection,
    world: &World,
    token: &str,
    hash: &PasswordHash,
) -> Result<()> {
    conn.transaction(async |conn| {
        let link = store::use_link(conn, &secrets::hash(token.as_bytes()), world.now()).await?;
        let Purpose::Password(player) = purpose(conn, link).await? else {
            return Err(not_found("staff_link_invalid"));
        };
        if !store::set_password(conn, player.id, hash.as_str()).await? {
            return Err(not_found("staff_link_invalid"));
        }
        sessions::close_others(conn, world, player.id, None).await?;
        let (actor, subject_id, details) = (Some(player.id), Some(player.id.0), json!({ "name": player.name }));
        let entry = Entry { actor, action: "staff.password", subject: "player", subject_id, details };
        Ok(audit::record(conn, world, entry).await?)
    })
    .await
}

async fn insert(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    addressee: Addressee<'_>,
    life: SignedDuration,
) -> Result<(String, Uuid)> {
    let Actor { world, staff, .. } = actor;
    let (email, role, player_id) = match addressee {
        Addressee::Invited(email, role) => (Some(email.as_str()), Some(role), None),
        Addressee::Member(id) => (None, None, Some(id)),
    };
    let (token, id, now) = (secrets::encode(&world.bytes::<24>()), world.uuid(), world.now());
    let link = NewLink {
        token_hash: &secrets::hash(token.as_bytes()),
        id,
        email,
        role,
        player_id,
        created_by: staff.id,
        created_at: now.into(),
        expires_at: (now + life).into(),
    };
    store::insert_link(conn, &link).await?;
    Ok((token, id))
}

/// What the link leads to, if its maker may still offer that.
async fn purpose(conn: &mut AsyncPgConnection, link: Option<LinkRow>) -> Result<Purpose> {
    let invalid = || not_found("staff_link_invalid");
    let link = link.ok_or_else(invalid)?;
    let maker = players::store::find(conn, link.created_by).await?.ok_or_else(invalid)?;
    if let (Some(email), Some(role)) = (&link.email, link.role) {
        refuse_above(maker.role, role).map_err(|_| invalid())?;
        let email = Email::parse(email).map_err(|_| invalid())?;
        return Ok(Purpose::Join { email, role, invited_by: maker.display_name });
    }
    let row = players::store::find(conn, link.player_id.ok_or_else(invalid)?).await?;
    let row = row.filter(|row| row.role != Role::Player).ok_or_else(invalid)?;
    refuse_above(maker.role, row.role).map_err(|_| invalid())?;
    Ok(Purpose::Password(Holder { id: row.id, name: row.display_name, email: row.email, role: row.role }))
}
