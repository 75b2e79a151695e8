//! How a match ends without being played to its end: players give up, it is called off, nobody comes.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::access::stranger;
use super::reveals::{self, refuse_party};
use super::{Autopilot, MatchRow, MatchUndo, Status, lock, store};
use crate::sittings;
use base::audit::{self, Entry};
use base::auth::{Actor, Identity, Permission, StaffContext, can, holds};
use base::error::{Result, conflict};
use base::ids::{MatchId, PlayerId};
use base::live::Live;
use base::undo::{Change, MatchNews, UndoId, WayBack, moved_on};
use base::world::World;

base::text_enum! {
    /// Why a player left a match before its end.
    pub enum Leaving {
        Resigned = "resigned",
        /// Let the time run out three times in a row.
        TimedOut = "timed_out",
        /// Taken off their seat by staff.
        Removed = "removed",
    }
}

/// How long a match is remembered that nobody starts, or in which nobody moves.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub waiting: SignedDuration,
    pub running: SignedDuration,
}

/// The player gives up: the autopilot moves for the seat from now on, so that the others can finish. When all have, it is
/// called off. Asking again changes nothing.
pub async fn resign(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    autopilot: &Autopilot,
    player: PlayerId,
    id: MatchId,
) -> Result<()> {
    let news = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let seats = store::list_seats(conn, &[id]).await?;
            let Some(mine) = seats.iter().find(|it| it.holder() == player) else {
                return Err(stranger(conn, id, player, "not_seated").await);
            };
            row.refuse_scored()?;
            if row.has_resigned(mine.seat) {
                return Ok(None);
            }
            if row.status != Status::Running {
                return Err(conflict("match_not_running"));
            }
            leave_seat(conn, world, id, mine.seat, Leaving::Resigned).await.map(Some)
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
        autopilot.call(id);
    }
    Ok(())
}

/// A player who left by letting the time run out plays on: the seat is theirs again. Asking again changes nothing.
pub async fn take_back(conn: &mut AsyncPgConnection, live: &Live, player: PlayerId, id: MatchId) -> Result<()> {
    let news = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let seats = store::list_seats(conn, &[id]).await?;
            let Some(mine) = seats.iter().find(|it| it.holder() == player) else {
                return Err(stranger(conn, id, player, "not_seated").await);
            };
            row.refuse_scored()?;
            if row.status != Status::Running {
                return Err(conflict("match_not_running"));
            }
            if !row.has_resigned(mine.seat) {
                return Ok(None);
            }
            if !mine.may_be_taken_back() {
                return Err(conflict("seat_given_up"));
            }
            if reveals::has_looked(conn, id, player).await? {
                return Err(conflict("has_looked"));
            }
            Ok(Some(store::take_back(conn, id, mine.seat).await?))
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
    }
    Ok(())
}

/// This seat's player has left the match, which is locked and runs: the autopilot plays on. When all have left, it is called off.
/// Gives the count of news.
pub async fn leave_seat(
    conn: &mut AsyncPgConnection,
    world: &World,
    id: MatchId,
    seat: i16,
    why: Leaving,
) -> Result<i64> {
    store::mark_left(conn, id, seat, why, world.now()).await?;
    let (left, seat_count, news) = store::hand_to_autopilot(conn, id, seat).await?;
    if left == (1 << seat_count) - 1 {
        return Ok(store::abort(conn, id, world.now()).await?);
    }
    Ok(news)
}

/// Calls the match off: its creator before the start, unless it is of a tournament, staff at any time. Asking again
/// changes nothing.
pub async fn abort(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    id: MatchId,
    reason: Option<&str>,
) -> Result<()> {
    let news = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let by_staff = holds(conn, player, Permission::AbortMatches).await?;
            let by_creator =
                row.created_by == player.id && row.started_at.is_none() && !store::is_of_tournament(conn, id).await?;
            if !(by_staff || by_creator) {
                return Err(stranger(conn, id, player.id, "forbidden").await);
            }
            match row.status {
                Status::Aborted => return Ok(None),
                Status::Finished | Status::Expired => return Err(conflict("match_over")),
                Status::Waiting | Status::Running => {}
            }
            if !by_creator {
                refuse_party(conn, id, player.id).await?;
            }
            if by_staff {
                let details = json!({ "game": row.game, "code": row.code, "version": row.version, "reason": reason });
                let (subject_id, actor) = (Some(id.0), Some(player.id));
                let entry = Entry { actor, action: "match.abort", subject: "match", subject_id, details };
                audit::record(conn, world, entry).await?;
            }
            Ok(Some(store::abort(conn, id, world.now()).await?))
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
    }
    Ok(())
}

/// Takes a match back that staff made and that nobody has sat down to: its count of news. In the caller's transaction.
pub async fn withdraw(conn: &mut AsyncPgConnection, world: &World, id: MatchId) -> Result<i64> {
    let row = lock(conn, id).await?;
    let seats = store::list_all_seats(conn, &[id]).await?;
    if row.status != Status::Waiting || !(seats.players.is_empty() && seats.bots.is_empty()) {
        return Err(moved_on());
    }
    Ok(store::abort(conn, id, world.now()).await?)
}

/// Staff withdraw a match that waits for players who do not come, and can undo it. Asking again changes nothing.
pub async fn withdraw_waiting(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: MatchId,
) -> Result<(MatchRow, Option<UndoId>)> {
    cx.undoable(async |conn, actor| withdraw_within(conn, actor, id).await).await
}

/// The same in the caller's transaction.
pub async fn withdraw_within(conn: &mut AsyncPgConnection, actor: Actor<'_>, id: MatchId) -> Result<Change<MatchRow>> {
    let row = lock(conn, id).await?;
    if store::is_of_tournament(conn, id).await? {
        return Err(conflict("match_of_tournament"));
    }
    match row.status {
        Status::Aborted => return Ok(Change::none(row)),
        Status::Waiting => {}
        Status::Running | Status::Finished | Status::Expired => return Err(conflict("match_not_waiting")),
    }
    let news = store::abort(conn, id, actor.world.now()).await?;
    let way_back = WayBack::new("match.withdraw", &MatchUndo::Withdrawn { id })?.at(row.table_id);
    Ok(Change::new(row, way_back).telling(vec![(id, news)]))
}

/// A match that was withdrawn waits for players again, where its party sits by now: the matches that have news. In the
/// caller's transaction.
pub async fn wait_again(conn: &mut AsyncPgConnection, id: MatchId) -> Result<Vec<MatchNews>> {
    let whose = sittings::store::list_of_matches(conn, &[id]).await?;
    let party = match whose.first() {
        Some((_, party)) => {
            let party = sittings::store::lock(conn, *party).await?.filter(|it| it.closed_at.is_none());
            Some(party.ok_or_else(moved_on)?)
        }
        None => None,
    };
    let row = lock(conn, id).await?;
    if row.status != Status::Aborted || row.started_at.is_some() {
        return Err(moved_on());
    }
    let mut news = vec![(id, store::reopen(conn, id).await?)];
    if let Some(party) = party {
        news.extend(sittings::store::move_matches(conn, party.id, party.table_id).await?);
    }
    Ok(news)
}

/// Ends the matches that everybody has forgotten. Gives how many there were.
pub async fn expire(conn: &mut AsyncPgConnection, world: &World, live: &Live, patience: Patience) -> Result<usize> {
    let now = world.now();
    let before = |patience: SignedDuration| now.checked_sub(patience).unwrap_or(Timestamp::UNIX_EPOCH);
    let expired = store::expire(conn, before(patience.waiting), before(patience.running), now).await?;
    for (id, news) in &expired {
        live.tell(*id, *news);
    }
    Ok(expired.len())
}

impl MatchRow {
    /// Whether this seat's player has given up.
    pub fn has_resigned(&self, seat: i16) -> bool {
        super::seats_in(self.resigned).iter().any(|it| i16::from(it.0) == seat)
    }
}
