//! What staff and players do to an arena while it is played.

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde_json::json;

use crate::tournaments::locked::{Change, ExpectedRevision, LockedTournament, PlayerStep};
use crate::tournaments::store::{self, RoundRow};
use crate::tournaments::{RoundStatus, TournamentId, TournamentStatus};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, not_found};
use base::ids::PlayerId;
use base::live::Live;
use base::world::World;

/// Whether somebody stops being paired, or is paired again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    Begin,
    End,
}

impl Pause {
    fn action(self) -> &'static str {
        match self {
            Self::Begin => "tournament.pause_entrant",
            Self::End => "tournament.resume_entrant",
        }
    }
}

/// Staff let an entrant pause, or play again. Asking again changes nothing.
pub async fn set_pause(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    number: i32,
    pause: Pause,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, pause.action(), async |conn, actor, locked| {
        write_pause(conn, locked, number, pause, actor.world.now()).await
    })
    .await
}

/// A player pauses, or is back. Asking again changes nothing.
pub async fn set_own_pause(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: TournamentId,
    pause: Pause,
) -> Result<()> {
    let step = PlayerStep { player, action: pause.action() };
    LockedTournament::change_as_player(conn, world, live, id, step, async |conn, locked| {
        let number = find_own(locked, player)?;
        write_pause(conn, locked, number, pause, world.now()).await
    })
    .await
}

fn find_own(locked: &LockedTournament, player: PlayerId) -> Result<i32> {
    let own = locked.entrant_of(player).filter(|_| locked.row.status != TournamentStatus::Draft);
    own.map(|it| it.number).ok_or_else(|| not_found("entrant_not_found"))
}

async fn write_pause(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    number: i32,
    pause: Pause,
    now: Timestamp,
) -> Result<Change> {
    expect_window(locked)?;
    let (id, stage) = (locked.row.id, locked.row.stage);
    let known = locked.entrant(number).is_some();
    let theirs = locked.tournament.participants.iter_mut().find(|it| (it.stage, it.entrant) == (stage, number));
    let Some(participant) = theirs.filter(|it| it.until_round.is_none()) else {
        return Err(if known { conflict("entrant_out") } else { not_found("entrant_not_found") });
    };
    match (pause, participant.paused_since) {
        (Pause::Begin, None) => participant.paused_since = Some(now),
        (Pause::End, Some(_)) => (participant.paused_since, participant.ready_since) = (None, Some(now)),
        (Pause::Begin, Some(_)) | (Pause::End, None) => return Ok(Change::none()),
    }
    store::set_pause(conn, id, participant).await?;
    Ok(Change::audited(json!({ "entrant": number })))
}

/// Where the window of the arena that is played is, until it is closed.
fn expect_window(locked: &LockedTournament) -> Result<usize> {
    locked.expect_running()?;
    let at = locked.rounds.iter().position(|it| it.is_arena && it.stage == locked.row.stage);
    let at = at.ok_or_else(|| conflict("no_arena"))?;
    match locked.rounds[at].status {
        RoundStatus::Closed => Err(conflict("arena_over")),
        RoundStatus::Draft | RoundStatus::Published | RoundStatus::Running => Ok(at),
    }
}

/// The same once it is open.
fn expect_open_window(locked: &LockedTournament) -> Result<usize> {
    let at = expect_window(locked)?;
    match locked.rounds[at].status {
        RoundStatus::Running => Ok(at),
        RoundStatus::Draft | RoundStatus::Published | RoundStatus::Closed => Err(conflict("round_not_running")),
    }
}

/// Nobody is paired until staff go on, and the clock stands. Asking again changes nothing.
pub async fn pause(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.pause_arena", async |conn, actor, locked| {
        let at = expect_open_window(locked)?;
        if !locked.rounds[at].pause(actor.world.now()) {
            return Ok(Change::none());
        }
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({})))
    })
    .await
}

/// The arena goes on, with as much time as was left. Asking again changes nothing.
pub async fn resume(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.resume_arena", async |conn, actor, locked| {
        let at = expect_open_window(locked)?;
        if !locked.rounds[at].resume(actor.world.now()) {
            return Ok(Change::none());
        }
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({})))
    })
    .await
}

/// Nobody is paired any more; bouts that are played may finish. Asking again changes nothing.
pub async fn end(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.end_arena", async |conn, actor, locked| {
        let is_closed = |it: &RoundRow| it.status == RoundStatus::Closed;
        if locked.arena().is_some_and(is_closed) {
            return Ok(Change::none());
        }
        let (at, now) = (expect_open_window(locked)?, actor.world.now());
        if locked.rounds[at].is_past(now) {
            return Ok(Change::none());
        }
        (locked.rounds[at].paused_at, locked.rounds[at].ends_at) = (None, Some(now));
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({})))
    })
    .await
}
