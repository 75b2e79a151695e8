//! Replacing a leaver: staff take a player off a seat, and offer it to somebody who plays on. Until somebody does, the house
//! moves.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::end::{Leaving, leave_seat};
use super::open::lock;
use super::{House, MatchRow, SeatRow, Status, store};
use crate::audit::{self, Entry};
use crate::db::OnConstraint;
use crate::error::{ApiResult, conflict, unprocessable};
use crate::extract::Player;
use crate::ids::{MatchId, PlayerId};
use crate::live::Live;
use crate::world::World;

/// Staff take this seat's player off it: the house plays on. Asking again changes nothing.
pub async fn remove(
    conn: &mut AsyncPgConnection,
    world: &World,
    (live, house): (&Live, &House),
    staff: &Player,
    (id, seat): (MatchId, i16),
    reason: &str,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| {
            let row = lock_running(conn, id).await?;
            let taken = seat_at(conn, &row, seat).await?;
            if row.has_resigned(seat) {
                return Ok(None);
            }
            let details = json!({ "seat": seat, "player": taken.holder(), "reason": reason });
            note(conn, world, staff, ("match.remove_player", id), details).await?;
            leave_seat(conn, world, id, (seat, Leaving::Removed)).await.map(Some)
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
        house.call(id);
    }
    Ok(())
}

/// Staff offer the seat of whoever left to this player, who sits down to accept. An earlier offer of the seat is taken back.
pub async fn offer(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    (id, seat): (MatchId, i16),
    player: PlayerId,
    reason: Option<&str>,
) -> ApiResult<()> {
    conn.transaction(async |conn| {
        let row = lock_running(conn, id).await?;
        seat_at(conn, &row, seat).await?;
        if !row.has_resigned(seat) {
            return Err(conflict("seat_not_left"));
        }
        // Whoever held another seat of this match knows what this one must not.
        if store::has_held_another(conn, id, seat, player).await? {
            return Err(conflict("player_of_match"));
        }
        let unknown = || unprocessable("unknown_player").with_field("/player_id", "unknown_value");
        let offered = store::offer_seat(conn, world.uuid(), (id, seat), (player, staff.id), world.now()).await;
        offered.on_constraint("match_stand_ins_player_id_fkey", unknown)?;
        store::insert_invitation(conn, id, player, staff.id, world.now()).await?;
        let details = json!({ "seat": seat, "player": player, "reason": reason });
        note(conn, world, staff, ("match.offer_seat", id), details).await
    })
    .await
}

/// Sits down where a seat was offered: the number of the seat and the news. None if none was. Of a match that is locked.
pub(super) async fn accept(
    conn: &mut AsyncPgConnection,
    world: &World,
    row: &MatchRow,
    player: PlayerId,
    wanted: Option<i64>,
) -> ApiResult<Option<(i16, i64)>> {
    if row.status != Status::Running {
        return Ok(None);
    }
    let offered = store::find_offer(conn, row.id, player).await?;
    let Some((offer, seat)) = offered.filter(|(_, seat)| wanted.is_none_or(|wanted| wanted == i64::from(*seat))) else {
        return Ok(None);
    };
    let news = store::accept_seat(conn, offer, (row.id, seat), player, row.version, world.now()).await?;
    Ok(Some((seat, news)))
}

async fn lock_running(conn: &mut AsyncPgConnection, id: MatchId) -> ApiResult<MatchRow> {
    let row = lock(conn, id).await?;
    row.refuse_scored()?;
    match row.status {
        Status::Running => Ok(row),
        Status::Waiting | Status::Finished | Status::Aborted | Status::Expired => Err(conflict("match_not_running")),
    }
}

async fn seat_at(conn: &mut AsyncPgConnection, row: &MatchRow, seat: i16) -> ApiResult<SeatRow> {
    let seats = store::list_seats(conn, &[row.id]).await?;
    seats.into_iter().find(|it| it.seat == seat).ok_or_else(|| unprocessable("invalid_seat"))
}

async fn note(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    (action, id): (&'static str, MatchId),
    details: serde_json::Value,
) -> ApiResult<()> {
    let entry = Entry { actor: Some(staff.id), action, subject: "match", subject_id: Some(id.0), details };
    Ok(audit::record(conn, world, entry).await?)
}
