//! Replacing a leaver: staff take a player off a seat, and offer it to somebody who plays on. Until somebody does, the
//! autopilot moves.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::end::{Leaving, leave_seat};
use super::reveals::{self, refuse_party};
use super::{Autopilot, MatchRow, SeatRow, Status, lock, store};
use crate::players::store as accounts;
use base::audit::{self, Entry};
use base::auth::{Actor, StaffContext, can};
use base::db::OnConstraint;
use base::error::{Result, conflict, forbidden, unauthorized, unprocessable};
use base::ids::{MatchId, PlayerId};
use base::world::World;

/// Staff take this seat's player off it: the autopilot plays on. Asking again changes nothing.
pub async fn remove(
    cx: &mut StaffContext<'_, can::ReplacePlayers>,
    autopilot: &Autopilot,
    id: MatchId,
    seat: i16,
    reason: &str,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    let news = conn
        .transaction(async |conn| {
            let row = lock_running(conn, id).await?;
            refuse_party(conn, id, actor.staff.id).await?;
            let taken = seat_at(conn, &row, seat).await?;
            if row.has_resigned(seat) {
                return Ok(None);
            }
            let details = json!({ "seat": seat, "player": taken.holder(), "reason": reason });
            record(conn, actor, "match.remove_player", id, details).await?;
            leave_seat(conn, actor.world, id, seat, Leaving::Removed).await.map(Some)
        })
        .await?;
    if let Some(news) = news {
        actor.live.tell(id, news);
        autopilot.call(id);
    }
    Ok(())
}

/// Staff offer the seat of a player who left to this player, who sits down to accept. An earlier offer of the seat ends.
pub async fn offer(
    cx: &mut StaffContext<'_, can::ReplacePlayers>,
    id: MatchId,
    seat: i16,
    player: PlayerId,
    reason: Option<&str>,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    let Actor { world, staff, .. } = actor;
    conn.transaction(async |conn| {
        let row = lock_running(conn, id).await?;
        refuse_party(conn, id, staff.id).await?;
        if player == staff.id {
            return Err(forbidden("plays_here"));
        }
        seat_at(conn, &row, seat).await?;
        if !row.has_resigned(seat) {
            return Err(conflict("seat_not_left"));
        }
        // A player who held another seat of this match knows what this seat must not know.
        if store::has_held(conn, id, player, Some(seat)).await? {
            return Err(conflict("player_of_match"));
        }
        if reveals::has_looked(conn, id, player).await? {
            return Err(conflict("has_looked"));
        }
        let unknown = || unprocessable("unknown_player").with_field("/player_id", "unknown_value");
        let offered = store::offer_seat(conn, world.uuid(), id, seat, player, staff.id, world.now()).await;
        offered.on_constraint("match_stand_ins_player_id_fkey", unknown)?;
        store::insert_invitation(conn, id, player, staff.id, world.now()).await?;
        let details = json!({ "seat": seat, "player": player, "reason": reason });
        record(conn, actor, "match.offer_seat", id, details).await
    })
    .await
}

/// Sits down where a seat was offered: the number of the seat and the news. None if none was. Of a match that is locked.
pub async fn accept(
    conn: &mut AsyncPgConnection,
    world: &World,
    row: &MatchRow,
    player: PlayerId,
    wanted: Option<i64>,
) -> Result<Option<(i16, i64)>> {
    if row.status != Status::Running {
        return Ok(None);
    }
    let offered = store::find_offer(conn, row.id, player).await?;
    let Some((offer, seat)) = offered.filter(|(_, seat)| wanted.is_none_or(|wanted| wanted == i64::from(*seat))) else {
        return Ok(None);
    };
    // Since it was offered they have played for another seat, or looked.
    if store::has_held(conn, row.id, player, Some(seat)).await? {
        return Err(conflict("player_of_match"));
    }
    if reveals::has_looked(conn, row.id, player).await? {
        return Err(conflict("has_looked"));
    }
    if !accounts::may_sit(conn, player).await? {
        return Err(unauthorized("session_ended"));
    }
    let its = seat_at(conn, row, seat).await?;
    let news = if its.player_id == player && its.may_be_taken_back() {
        store::take_back(conn, row.id, seat).await?
    } else {
        store::accept_seat(conn, offer, row.id, seat, player, row.version, world.now()).await?
    };
    Ok(Some((seat, news)))
}

async fn lock_running(conn: &mut AsyncPgConnection, id: MatchId) -> Result<MatchRow> {
    let row = lock(conn, id).await?;
    row.refuse_scored()?;
    match row.status {
        Status::Running => Ok(row),
        Status::Waiting | Status::Finished | Status::Aborted | Status::Expired => Err(conflict("match_not_running")),
    }
}

async fn seat_at(conn: &mut AsyncPgConnection, row: &MatchRow, seat: i16) -> Result<SeatRow> {
    let seats = store::list_seats(conn, &[row.id]).await?;
    seats.into_iter().find(|it| it.seat == seat).ok_or_else(|| unprocessable("invalid_seat"))
}

async fn record(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    action: &'static str,
    id: MatchId,
    details: serde_json::Value,
) -> Result<()> {
    let entry = Entry { actor: Some(actor.staff.id), action, subject: "match", subject_id: Some(id.0), details };
    Ok(audit::record(conn, actor.world, entry).await?)
}
