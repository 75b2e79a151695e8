//! A guest whom staff found to be a player: what was the guest's becomes the player's, for good.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::{PlayerRow, Role, store};
use crate::audit::{self, Entry};
use crate::error::{ApiResult, conflict};
use crate::extract::Player;
use crate::ids::{PlayerId, TournamentId};
use crate::live::Live;
use crate::matches;
use crate::tournaments;
use crate::world::World;
use crate::{sessions, settling, sittings};

/// What merging these two would do.
#[derive(Debug)]
pub struct Plan {
    pub guest: PlayerRow,
    pub player: PlayerRow,
    /// Seats that would be the player's, in matches that are over and in others.
    pub over: i64,
    pub open: i64,
    /// Where the guest is signed in, and would be no more.
    pub sessions: usize,
}

/// What would follow, or why it cannot be.
pub async fn plan(conn: &mut AsyncPgConnection, world: &World, guest: PlayerId, player: PlayerId) -> ApiResult<Plan> {
    let (guest, player) = (super::find(conn, guest).await?, super::find(conn, player).await?);
    refuse(conn, world, &guest, &player).await?;
    let (over, open) = store::count_seats(conn, guest.id).await?;
    let sessions = sessions::store::list_open(conn, guest.id, world.now()).await?.len();
    Ok(Plan { guest, player, over, open, sessions })
}

/// Makes the guest's seats, matches and ratings the player's, ends the guest's sessions, and has the guest's id lead to the
/// player from now on.
pub async fn merge(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    staff: &Player,
    (guest, player): (PlayerId, PlayerId),
) -> ApiResult<()> {
    let news = loop {
        let merged = conn.transaction(async |conn| merge_if_held(conn, world, staff, (guest, player)).await).await?;
        if let Some(news) = merged {
            break news;
        }
    };
    for (id, revision) in news {
        live.tell_tournament(id, revision);
    }
    matches::tell_of(conn, live, player).await
}

/// The tournaments that have news; none if the guest got into something more before the account could be locked.
async fn merge_if_held(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    (guest, player): (PlayerId, PlayerId),
) -> ApiResult<Option<Vec<(TournamentId, i64)>>> {
    // Accounts last, as whoever enters or sits down takes them, and in one order, whoever merges whom into whom.
    let held = store::lock_all_of(conn, guest).await?;
    let (first, second) = (guest.min(player), guest.max(player));
    let (first, second) = (super::lock(conn, first).await?, super::lock(conn, second).await?);
    let (guest, player) = if first.id == guest { (first, second) } else { (second, first) };
    if store::list_all_of(conn, guest.id).await? != held {
        return Ok(None);
    }
    refuse(conn, world, &guest, &player).await?;
    settling::unsettle_all_of(conn, guest.id).await?;
    store::merge(conn, guest.id, player.id).await?;
    let seats = matches::store::hand_over(conn, guest.id, player.id).await?;
    let news = tournaments::hand_over(conn, guest.id, player.id).await?;
    sittings::people::merge(conn, guest.id, player.id).await?;
    sessions::forget(conn, world, guest.id).await?;
    let details =
        json!({ "guest": guest.id, "guest_name": guest.display_name, "name": player.display_name, "seats": seats });
    let (actor, subject_id) = (Some(staff.id), Some(player.id.0));
    let entry = Entry { actor, action: "player.merge", subject: "player", subject_id, details };
    audit::record(conn, world, entry).await?;
    Ok(Some(news))
}

async fn refuse(conn: &mut AsyncPgConnection, world: &World, guest: &PlayerRow, player: &PlayerRow) -> ApiResult<()> {
    if guest.id == player.id {
        return Err(conflict("same_player"));
    }
    if guest.registered_at.is_some() || guest.role > Role::Player || guest.deleted_at.is_some() {
        return Err(conflict("not_a_guest"));
    }
    if player.deleted_at.is_some() {
        return Err(conflict("player_gone"));
    }
    if guest.is_banned(world.now()) {
        return Err(conflict("guest_banned"));
    }
    if let Some(code) = matches::store::find_shared(conn, guest.id, player.id).await? {
        return Err(conflict("met_in_match").with("match", code));
    }
    match tournaments::store::find_shared(conn, guest.id, player.id).await? {
        Some(name) => Err(conflict("met_in_tournament").with("tournament", name)),
        None => Ok(()),
    }
}
