//! What people do with their own account: another name, another password, the end of it.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use crate::claims;
use crate::identities;
use base::audit::{self, Entry};
use base::auth::Identity;
use base::auth::{Chooser, ChosenPassword, PasswordHash, Passwords};
use base::db::Db;
use base::error::{Result, conflict, forbidden, invalid_fields, unauthorized};
use base::ids::PlayerId;
use base::inputs::{DisplayName, Password};
use base::live::Live;
use base::world::World;
use competitions::tournaments;
use play::calls;
use play::matches::{self, Autopilot};
use play::players::{PlayerRow, store};
use play::sessions::{self, SignInGuard};
use play::staff;

/// Takes another name. Matches that wait or run tell their watchers.
pub async fn rename(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    name: &DisplayName,
) -> Result<PlayerRow> {
    let renamed = conn
        .transaction(async |conn| -> Result<PlayerRow> {
            let before = store::lock(conn, player.id).await?.ok_or_else(|| unauthorized("session_ended"))?;
            let renamed = store::rename(conn, player.id, name.as_str()).await?;
            let details = json!({ "from": before.display_name, "to": name.as_str() });
            staff::record_own(conn, world, player, "player.rename", details).await?;
            renamed.ok_or_else(|| unauthorized("session_ended"))
        })
        .await?;
    matches::tell_of(conn, live, player.id).await?;
    Ok(renamed)
}

/// Takes another password, and ends every session but this one.
pub async fn change_password(
    db: &Db,
    guard: SignInGuard<'_>,
    passwords: &Passwords,
    player: &Identity,
    current: Password,
    new: Password,
) -> Result<()> {
    let world = guard.world;
    let row = expect_password(db, guard, passwords, player, Some(current)).await?;
    let stored = row.password_hash.as_deref().ok_or_else(|| conflict("not_registered"))?;
    let chooser = Chooser { role: row.role, name: Some(&row.display_name), email: row.email.as_deref() };
    let new = ChosenPassword::new(new, chooser, "/new").map_err(|wrong| invalid_fields(vec![wrong]))?;
    let new: PasswordHash = passwords.hash(world, new).await?;
    let mut conn = db.conn().await?;
    conn.transaction(async |conn| {
        if !store::change_password(conn, player.id, stored, new.as_str()).await? {
            return Err(forbidden("wrong_password"));
        }
        sessions::close_others(conn, world, player.id, Some(player.session)).await?;
        staff::record_own(conn, world, player, "staff.password", json!({})).await
    })
    .await
}

/// Deletes an account permanently. Seats in running matches are given up and those in waiting ones left; the history of others
/// stays whole, with nobody's name in it.
pub async fn delete(
    db: &Db,
    guard: SignInGuard<'_>,
    passwords: &Passwords,
    live: &Live,
    autopilot: &Autopilot,
    player: &Identity,
    password: Option<Password>,
) -> Result<()> {
    let world = guard.world;
    expect_password(db, guard, passwords, player, password).await?;
    let mut conn = db.conn().await?;
    refuse_last_owner(&mut conn, player).await?;
    let mut is_gone = false;
    // Matches are locked before accounts: a seat that was taken meanwhile is left before the next attempt, and a match that was made
    // is called off.
    while !is_gone {
        tournaments::leave_all(&mut conn, world, live, player).await?;
        matches::leave_all(&mut conn, world, live, autopilot, player).await?;
        is_gone = conn.transaction(async |conn| delete_unless_busy(conn, world, player).await).await?;
    }
    matches::tell_of(&mut conn, live, player.id).await
}

/// Whether the account is deleted. Nobody whose account is locked sits down or makes a match.
async fn delete_unless_busy(conn: &mut AsyncPgConnection, world: &World, player: &Identity) -> Result<bool> {
    // Again, now that nobody else can go at the same time.
    refuse_last_owner(conn, player).await?;
    claims::store::forget(conn, player.id).await?;
    store::lock(conn, player.id).await?.ok_or_else(|| unauthorized("session_ended"))?;
    let made = matches::store::list_waiting_of(conn, player.id).await?;
    if !made.is_empty() || matches::store::is_seated(conn, player.id).await? {
        return Ok(false);
    }
    erase(conn, world, player.id).await?;
    let (actor, subject_id) = (Some(player.id), Some(player.id.0));
    let entry = Entry { actor, action: "player.delete", subject: "player", subject_id, details: json!({}) };
    audit::record(conn, world, entry).await?;
    Ok(true)
}

/// What is left of an account that was locked and takes part in nothing: a row that is nobody's.
pub(super) async fn erase(conn: &mut AsyncPgConnection, world: &World, id: PlayerId) -> Result<()> {
    matches::store::forget_nonces(conn, id).await?;
    calls::store::forget_notes(conn, id).await?;
    sessions::forget(conn, world, id).await?;
    identities::store::forget(conn, id).await?;
    staff::second_factor::forget(conn, id).await?;
    staff::store::delete_links_of(conn, id).await?;
    store::forget_ban_if_over(conn, id, world.now()).await?;
    store::delete(conn, id, world.now()).await?;
    Ok(())
}

/// The account. If it has a password, this must be it.
async fn expect_password(
    db: &Db,
    guard: SignInGuard<'_>,
    passwords: &Passwords,
    player: &Identity,
    given: Option<Password>,
) -> Result<PlayerRow> {
    let conn = &mut *db.conn().await?;
    let row = store::find(conn, player.id).await?;
    let row = row.filter(|row| row.deleted_at.is_none()).ok_or_else(|| unauthorized("session_ended"))?;
    if row.password_hash.is_some() {
        guard.ask_again(conn, passwords, &row, given).await?;
    }
    Ok(row)
}

async fn refuse_last_owner(conn: &mut AsyncPgConnection, player: &Identity) -> Result<()> {
    let owners = store::lock_owners(conn).await?;
    if owners == [player.id] { Err(conflict("last_owner")) } else { Ok(()) }
}
