//! Who is there: check-in, dropping out, no-shows, and coming back.

use diesel_async::AsyncPgConnection;
use serde_json::json;

use super::entrants::{Entering, let_in, let_in_late, promote};
use super::late;
use super::locked::{Change, ExpectedRevision, LockedTournament, PlayerStep};
use super::store::{self, EntrantRow, ParticipantRow};
use super::{EntrantStatus, TournamentId, TournamentStatus};
use base::auth::{StaffContext, can};
use base::error::{Error, Result, conflict, not_found};
use base::ids::PlayerId;
use base::live::Live;
use base::world::World;

/// Staff check somebody in. Asking again changes nothing.
pub async fn check_in(cx: &mut StaffContext<'_, can::RunTournaments>, id: TournamentId, number: i32) -> Result<()> {
    LockedTournament::change(cx, id, None, "tournament.check_in", async |conn, actor, locked| {
        let entrant = find(locked, number)?;
        set_checked_in(conn, actor.world, locked, entrant).await
    })
    .await
}

/// Staff check everybody in who has a place. Asking again changes nothing.
pub async fn check_in_all(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.check_in", async |conn, actor, locked| {
        if locked.row.status != TournamentStatus::CheckIn {
            return Err(conflict("check_in_not_open"));
        }
        let missing: Vec<EntrantRow> =
            locked.entrants.iter().filter(|it| it.status == EntrantStatus::Entered).cloned().collect();
        let numbers: Vec<i32> = missing.iter().map(|it| it.number).collect();
        for entrant in missing {
            set_checked_in(conn, actor.world, locked, entrant).await?;
        }
        Ok(if numbers.is_empty() { Change::none() } else { Change::audited(json!({ "entrants": numbers })) })
    })
    .await
}

/// A player says that they are there. Asking again changes nothing.
pub async fn check_in_oneself(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: TournamentId,
) -> Result<()> {
    let step = PlayerStep { player, action: "tournament.check_in" };
    LockedTournament::change_as_player(conn, world, live, id, step, async |conn, locked| {
        let entrant = find_own(locked, player)?;
        set_checked_in(conn, world, locked, entrant).await
    })
    .await
}

/// Those who wait for a place may get one that is free at the start.
async fn set_checked_in(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    before: EntrantRow,
) -> Result<Change> {
    match locked.row.status {
        TournamentStatus::CheckIn => {}
        TournamentStatus::Draft | TournamentStatus::Registration => return Err(conflict("check_in_not_open")),
        TournamentStatus::Running | TournamentStatus::Finished | TournamentStatus::Cancelled => {
            return Err(conflict("check_in_over"));
        }
    }
    if before.checked_in_at.is_some() && before.status != EntrantStatus::Dropped {
        return Ok(Change::none());
    }
    let status = match before.status {
        EntrantStatus::Entered | EntrantStatus::CheckedIn => EntrantStatus::CheckedIn,
        EntrantStatus::Waiting => EntrantStatus::Waiting,
        EntrantStatus::NoShow | EntrantStatus::Dropped => return Err(conflict("entrant_out")),
    };
    let now = EntrantRow { status, checked_in_at: Some(world.now()), ..before.clone() };
    write(conn, locked, now).await?;
    Ok(changed(&before))
}

/// Undoes a check-in, before the start. Asking again changes nothing.
pub async fn undo_check_in(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    number: i32,
) -> Result<()> {
    LockedTournament::change(cx, id, None, "tournament.take_back_check_in", async |conn, _, locked| {
        let before = find(locked, number)?;
        locked.expect_before_start()?;
        if before.checked_in_at.is_none() {
            return Ok(Change::none());
        }
        let is_in = before.status == EntrantStatus::CheckedIn;
        let status = if is_in { EntrantStatus::Entered } else { before.status };
        write(conn, locked, EntrantRow { status, checked_in_at: None, ..before.clone() }).await?;
        Ok(changed(&before))
    })
    .await
}

/// Staff drop somebody out. Asking again changes nothing.
pub async fn drop_out(cx: &mut StaffContext<'_, can::RunTournaments>, id: TournamentId, number: i32) -> Result<()> {
    LockedTournament::change(cx, id, None, "tournament.drop_entrant", async |conn, actor, locked| {
        let entrant = find(locked, number)?;
        leave(conn, actor.world, locked, entrant, EntrantStatus::Dropped).await
    })
    .await
}

/// A player drops out. Asking again changes nothing.
pub async fn drop_out_oneself(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: TournamentId,
) -> Result<()> {
    let step = PlayerStep { player, action: "tournament.drop_entrant" };
    LockedTournament::change_as_player(conn, world, live, id, step, async |conn, locked| {
        let entrant = find_own(locked, player)?;
        leave(conn, world, locked, entrant, EntrantStatus::Dropped).await
    })
    .await
}

/// Did not come, or did not stay. Asking again changes nothing.
pub async fn mark_no_show(cx: &mut StaffContext<'_, can::RunTournaments>, id: TournamentId, number: i32) -> Result<()> {
    LockedTournament::change(cx, id, None, "tournament.no_show", async |conn, actor, locked| {
        let entrant = find(locked, number)?;
        leave(conn, actor.world, locked, entrant, EntrantStatus::NoShow).await
    })
    .await
}

/// Is not paired again. Before the start, the one who waits longest gets the place. A published bout stays, and staff write its
/// result.
async fn leave(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    before: EntrantRow,
    status: EntrantStatus,
) -> Result<Change> {
    if locked.row.status.is_over() {
        return Err(conflict("tournament_over"));
    }
    if before.status == status {
        return Ok(Change::none());
    }
    let dropped_at = (status == EntrantStatus::Dropped).then(|| world.now());
    write(conn, locked, EntrantRow { status, dropped_at, ..before.clone() }).await?;
    match locked.row.status {
        TournamentStatus::Running => stop_pairing(conn, locked, before.number).await?,
        _ => promote(conn, locked).await?,
    }
    Ok(changed(&before))
}

/// Keeps the rounds for which this entrant was paired, and ends there.
async fn stop_pairing(conn: &mut AsyncPgConnection, locked: &mut LockedTournament, entrant: i32) -> Result<()> {
    let (id, stage) = (locked.row.id, locked.row.stage);
    let last = locked.last_round_of(entrant);
    let theirs = locked.tournament.participants.iter_mut().find(|it| (it.stage, it.entrant) == (stage, entrant));
    if let Some(participant) = theirs {
        participant.until_round = Some(last);
        store::set_rounds_of(conn, id, participant).await?;
        locked.delete_draft(conn).await?;
    }
    Ok(())
}

/// Lets somebody play again who dropped out or did not come. Once the tournament runs: from the next round on, if the format
/// allows it.
pub async fn reinstate(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    number: i32,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.reinstate", async |conn, actor, locked| {
        let before = find(locked, number)?;
        match (locked.row.status.is_over(), before.status) {
            (true, _) => return Err(conflict("tournament_over")),
            (false, EntrantStatus::NoShow | EntrantStatus::Dropped) => {}
            (false, EntrantStatus::Entered | EntrantStatus::Waiting | EntrantStatus::CheckedIn) => {
                return Ok(Change::none());
            }
        }
        locked.expect_room_in_team(before.number)?;
        match locked.row.status {
            TournamentStatus::Running => pair_again(conn, actor.world, locked, &before).await?,
            _ => {
                let is_there = before.checked_in_at.is_some();
                let_in(conn, actor.world, locked, Entering { player: before.player_id, is_there, team: None }).await?;
            }
        }
        Ok(changed(&before))
    })
    .await
}

async fn pair_again(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    entrant: &EntrantRow,
) -> Result<()> {
    locked.expect_in_time(entrant.number, world.now())?;
    let stage = locked.row.stage;
    let theirs = locked.participants.iter().find(|it| (it.stage, it.entrant) == (stage, entrant.number)).cloned();
    let Some(participant) = theirs else {
        // Did not come at first, or was not in this stage.
        let_in_late(conn, world, locked, entrant.player_id, None).await?;
        return Ok(());
    };
    if locked.is_unseen() {
        write(conn, locked, EntrantRow { status: EntrantStatus::CheckedIn, dropped_at: None, ..entrant.clone() })
            .await?;
        return late::seed_again(conn, locked).await;
    }
    let back = match locked.arena().is_some() {
        true => ParticipantRow { until_round: None, ready_since: Some(world.now()), paused_since: None, ..participant },
        false => ParticipantRow { until_round: None, ..participant },
    };
    store::put_participants(conn, locked.row.id, std::slice::from_ref(&back)).await?;
    if let Some(known) = locked.participants.iter_mut().find(|it| (it.stage, it.entrant) == (back.stage, back.entrant))
    {
        *known = back;
    }
    locked.delete_draft(conn).await?;
    write(conn, locked, EntrantRow { status: EntrantStatus::CheckedIn, dropped_at: None, ..entrant.clone() }).await
}

/// The entrant as it is now.
async fn write(conn: &mut AsyncPgConnection, locked: &mut LockedTournament, now: EntrantRow) -> Result<()> {
    store::write_entrant(conn, locked.row.id, &now).await?;
    let known = locked.tournament.entrants.iter_mut().find(|it| it.number == now.number);
    *known.ok_or_else(|| Error::from(diesel::result::Error::NotFound))? = now;
    Ok(())
}

fn find(locked: &LockedTournament, number: i32) -> Result<EntrantRow> {
    locked.entrant(number).cloned().ok_or_else(|| not_found("entrant_not_found"))
}

/// The entrant that this player is. Players know nothing of drafts.
fn find_own(locked: &LockedTournament, player: PlayerId) -> Result<EntrantRow> {
    let own = locked.entrant_of(player).filter(|_| locked.row.status != TournamentStatus::Draft);
    own.cloned().ok_or_else(|| not_found("entrant_not_found"))
}

fn changed(before: &EntrantRow) -> Change {
    Change::audited(json!({ "entrant": before.number, "before": before.status }))
}
