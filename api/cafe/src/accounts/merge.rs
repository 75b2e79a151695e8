//! Merging a guest into a player: what was the guest's becomes the player's. This cannot be undone.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::store;
use crate::claims;
use crate::finished;
use base::audit::{self, Entry};
use base::auth::{Actor, Role, StaffContext, can};
use base::error::{Result, conflict};
use base::ids::{PlayerId, TournamentId};
use competitions::series;
use competitions::tournaments;
use play::matches;
use play::matches::reveals::{self, MERGE};
use play::players::{self, PlayerRow};
use play::sessions;
use play::sittings;

/// Which guest is which player.
#[derive(Clone, Copy, Debug)]
pub struct Merge {
    pub guest: PlayerId,
    pub player: PlayerId,
}

/// How often a merge is tried that PostgreSQL gives up for another transaction.
const MOST_ATTEMPTS: u32 = 3;

/// What merging these two would do.
#[derive(Debug)]
pub struct Plan {
    pub guest: PlayerRow,
    pub player: PlayerRow,
    /// Seats that would be the player's, in matches that are over and in others.
    pub over: i64,
    pub open: i64,
    /// Sessions of the guest that the merge ends.
    pub sessions: usize,
}

/// What would follow, or why it cannot be.
pub async fn plan(cx: &mut StaffContext<'_, can::ManagePlayers>, merge: Merge) -> Result<Plan> {
    let Merge { guest, player } = merge;
    let (conn, actor) = cx.parts().await?;
    let (guest, player) = (players::find(conn, guest).await?, players::find(conn, player).await?);
    refuse(conn, actor, &guest, &player).await?;
    let (over, open) = store::count_seats(conn, guest.id).await?;
    let sessions = sessions::store::list_open(conn, guest.id, actor.world.now()).await?.len();
    Ok(Plan { guest, player, over, open, sessions })
}

/// Makes the guest's seats, matches and ratings the player's, ends the guest's sessions, and has the guest's id lead to the
/// player from now on.
pub async fn merge(cx: &mut StaffContext<'_, can::ManagePlayers>, merge: Merge) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    let mut attempts = 0;
    let news = loop {
        match conn.transaction(async |conn| merge_if_unchanged(conn, actor, merge).await).await {
            Ok(Some(news)) => break news,
            Ok(None) => {}
            // The projections of a match that has just finished lock the same rows: one of the two is asked again.
            Err(err) if err.code() == "unavailable" && attempts < MOST_ATTEMPTS => attempts += 1,
            Err(err) => return Err(err),
        }
    };
    for (id, revision) in news {
        actor.live.tell_tournament(id, revision);
    }
    matches::tell_of(conn, actor.live, merge.player).await
}

/// The tournaments that have news; none if the guest got into something more before the account could be locked.
async fn merge_if_unchanged(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    merge: Merge,
) -> Result<Option<Vec<(TournamentId, i64)>>> {
    let (Merge { guest, player }, Actor { world, staff, .. }) = (merge, actor);
    // Accounts last, as entering and sitting down lock them, and always in the same order.
    let held = store::lock_all_of(conn, guest).await?;
    claims::store::forget(conn, guest).await?;
    finished::mark_all_of(conn, guest).await?;
    let (first, second) = (guest.min(player), guest.max(player));
    let (first, second) = (players::lock(conn, first).await?, players::lock(conn, second).await?);
    let (guest, player) = if first.id == guest { (first, second) } else { (second, first) };
    if store::list_all_of(conn, guest.id).await? != held {
        return Ok(None);
    }
    // Looking takes the same lock: of the two, the later one knows of the earlier one.
    players::store::lock_activity(conn, staff.id).await?;
    refuse(conn, actor, &guest, &player).await?;
    let open: Vec<_> = matches::store::list_unfinished(conn, guest.id).await?.into_iter().map(|(id, _)| id).collect();
    players::store::merge(conn, guest.id, player.id).await?;
    let seats = matches::store::hand_over(conn, guest.id, player.id).await?;
    let news = tournaments::hand_over(conn, guest.id, player.id).await?;
    series::hand_over(conn, guest.id, player.id).await?;
    sittings::account_hooks::merge(conn, guest.id, player.id).await?;
    sessions::forget(conn, world, guest.id).await?;
    let (guest_name, name) = (guest.display_name, player.display_name);
    let details = json!({ "guest": guest.id, "guest_name": guest_name, "name": name, "seats": seats, "open": open });
    let (actor, subject_id) = (Some(staff.id), Some(player.id.0));
    let entry = Entry { actor, action: MERGE, subject: "player", subject_id, details };
    audit::record(conn, world, entry).await?;
    Ok(Some(news))
}

async fn refuse(conn: &mut AsyncPgConnection, actor: Actor<'_>, guest: &PlayerRow, player: &PlayerRow) -> Result<()> {
    if guest.id == player.id {
        return Err(conflict("same_player"));
    }
    if guest.registered_at.is_some() || guest.role > Role::Player || guest.deleted_at.is_some() {
        return Err(conflict("not_a_guest"));
    }
    if player.deleted_at.is_some() {
        return Err(conflict("player_gone"));
    }
    if guest.is_banned(actor.world.now()) {
        return Err(conflict("guest_banned"));
    }
    if let Some(code) = matches::store::find_shared(conn, guest.id, player.id).await? {
        return Err(conflict("met_in_match").with("match", code));
    }
    if let Some(name) = tournaments::store::find_shared(conn, guest.id, player.id).await? {
        return Err(conflict("met_in_tournament").with("tournament", name));
    }
    reveals::refuse_hand_over(conn, actor.staff.id, guest.id, player.id).await
}
