//! Links that are good once: an invitation, or the way to a new password. A café has no mail server; whoever makes one
//! sees it once and hands it over. Only its hash is kept.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use super::store::{self, LinkRow, NewLink};
use super::{Deed, lock, record, refuse_above};
use crate::audit::{self, Entry};
use crate::error::{ApiResult, conflict, invalid_field, not_found};
use crate::extract::{DisplayName, Email, Player};
use crate::ids::PlayerId;
use crate::players::{self, PasswordHash, PlayerRow, Role};
use crate::sessions;
use crate::world::World;

const INVITATION_LIFE: SignedDuration = SignedDuration::from_hours(72);
const PASSWORD_LIFE: SignedDuration = SignedDuration::from_hours(24);

/// What a link leads to.
#[derive(Clone, Debug)]
pub(super) enum Purpose {
    /// Becoming a member of staff.
    Join { email: Email, role: Role },
    /// Taking another password.
    Password(Holder),
}

#[derive(Clone, Debug)]
pub(super) struct Holder {
    pub id: PlayerId,
    pub name: String,
}

/// The token of an invitation for this address.
pub(super) async fn invite(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    email: &Email,
    role: Role,
) -> ApiResult<String> {
    staff.may(Deed::KeepStaff)?;
    if role == Role::Player {
        return Err(invalid_field("/role", "unknown_value"));
    }
    refuse_above(staff.role, role)?;
    if players::store::find_by_email(conn, email.as_str()).await?.is_some() {
        return Err(conflict("email_taken"));
    }
    conn.transaction(async |conn| {
        let (token, id) = insert(conn, world, staff, (Some((email, role)), None), INVITATION_LIFE).await?;
        let details = json!({ "email": email.as_str(), "role": role });
        let (actor, subject_id) = (Some(staff.id), Some(id));
        audit::record(conn, world, Entry { actor, action: "staff.invite", subject: "invitation", subject_id, details })
            .await?;
        Ok(token)
    })
    .await
}

pub(super) async fn withdraw(conn: &mut AsyncPgConnection, world: &World, staff: &Player, id: Uuid) -> ApiResult<()> {
    staff.may(Deed::KeepStaff)?;
    conn.transaction(async |conn| {
        let link = store::delete_invitation(conn, id).await?.ok_or_else(|| not_found("staff_link_invalid"))?;
        refuse_above(staff.role, link.role.unwrap_or(Role::Owner))?;
        let details = json!({ "email": link.email, "role": link.role });
        let (actor, subject_id) = (Some(staff.id), Some(id));
        let entry = Entry { actor, action: "staff.invitation_withdrawn", subject: "invitation", subject_id, details };
        Ok(audit::record(conn, world, entry).await?)
    })
    .await
}

/// The token of a link with which this member of staff takes another password.
pub(super) async fn offer_password(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    id: PlayerId,
) -> ApiResult<String> {
    staff.may(Deed::KeepStaff)?;
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        refuse_above(staff.role, row.role)?;
        let (token, _) = insert(conn, world, staff, (None, Some(id)), PASSWORD_LIFE).await?;
        record(conn, world, staff, "staff.password_link", id, json!({ "name": row.display_name })).await?;
        Ok(token)
    })
    .await
}

/// What this link leads to, while it is good.
pub(super) async fn find(conn: &mut AsyncPgConnection, world: &World, token: &str) -> ApiResult<Purpose> {
    let link = store::find_link(conn, &sessions::hash(token.as_bytes()), world.now()).await?;
    purpose(conn, link).await
}

/// An invited person becomes a member of staff.
pub(super) async fn join(
    conn: &mut AsyncPgConnection,
    world: &World,
    token: &str,
    (name, hash): (&DisplayName, &PasswordHash),
) -> ApiResult<PlayerRow> {
    conn.transaction(async |conn| {
        let link = store::use_link(conn, &sessions::hash(token.as_bytes()), world.now()).await?;
        let Purpose::Join { email, role } = purpose(conn, link).await? else {
            return Err(not_found("staff_link_invalid"));
        };
        let row = players::create_registered(conn, world, role, (&email, name, hash)).await?;
        let details = json!({ "name": row.display_name, "role": role });
        let (actor, subject_id) = (Some(row.id), Some(row.id.0));
        audit::record(conn, world, Entry { actor, action: "staff.join", subject: "player", subject_id, details })
            .await?;
        Ok(row)
    })
    .await
}

/// A member of staff takes another password and is signed out everywhere.
pub(super) async fn take_password(
    conn: &mut AsyncPgConnection,
    world: &World,
    token: &str,
    hash: &PasswordHash,
) -> ApiResult<()> {
    conn.transaction(async |conn| {
        let link = store::use_link(conn, &sessions::hash(token.as_bytes()), world.now()).await?;
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
    world: &World,
    staff: &Player,
    (invited, player_id): (Option<(&Email, Role)>, Option<PlayerId>),
    life: SignedDuration,
) -> ApiResult<(String, Uuid)> {
    let (token, id, now) = (sessions::encode(&world.bytes::<24>()), world.uuid(), world.now());
    let link = NewLink {
        token_hash: &sessions::hash(token.as_bytes()),
        id,
        email: invited.map(|(email, _)| email.as_str()),
        role: invited.map(|(_, role)| role),
        player_id,
        created_by: staff.id,
        created_at: now.into(),
        expires_at: (now + life).into(),
    };
    store::insert_link(conn, &link).await?;
    Ok((token, id))
}

async fn purpose(conn: &mut AsyncPgConnection, link: Option<LinkRow>) -> ApiResult<Purpose> {
    let invalid = || not_found("staff_link_invalid");
    let link = link.ok_or_else(invalid)?;
    if let (Some(email), Some(role)) = (&link.email, link.role) {
        return Ok(Purpose::Join { email: Email::parse(email).map_err(|_| invalid())?, role });
    }
    let row = players::store::find(conn, link.player_id.ok_or_else(invalid)?).await?;
    let row = row.filter(|row| row.role != Role::Player).ok_or_else(invalid)?;
    Ok(Purpose::Password(Holder { id: row.id, name: row.display_name }))
}
