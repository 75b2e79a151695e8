//! Who plays: entering, as late as was agreed, and waiting for a place.

use diesel_async::AsyncPgConnection;
use serde_json::json;

use super::entry::Entry;
use super::late::{self, LateEntry};
use super::locked::{Change, ExpectedRevision, LockedTournament, PlayerStep};
use super::plan::takes_late_entries;
use super::store::{self, NewEntrant, ParticipantRow};
use super::teams::{TeamName, put_in_team};
use super::{EntrantStatus, TournamentId, TournamentStatus, arena, ratings};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, invalid_field, unauthorized};
use base::ids::PlayerId;
use base::inputs::DisplayName;
use base::live::Live;
use base::world::World;
use play::players;

/// Nobody waits behind more than that.
const MOST_ENTERED: usize = 999;

/// Enters a player, or puts them on the waiting list if it is full: their number. Asking again changes nothing but the team, and needs no
/// code.
pub async fn enter(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: TournamentId,
    Entry { team, code }: Entry<'_>,
) -> Result<i32> {
    let step = PlayerStep { player, action: "tournament.enter" };
    LockedTournament::change_as_player(conn, world, live, id, step, async |conn, locked| {
        locked.expect_open_entry(world.now())?;
        let is_running = locked.row.status == TournamentStatus::Running;
        let is_out = |it: EntrantStatus| it == EntrantStatus::Dropped || is_running && !it.has_place();
        if let Some(known) = locked.entrant_of(player)
            && !is_out(known.status)
        {
            let number = known.number;
            if team.is_none() {
                return Ok(Change::none().with(number));
            }
            locked.expect_before_start()?;
            let is_changed = put_in_team(conn, locked, number, team, None).await?;
            return Ok(if is_changed { Change::made() } else { Change::none() }.with(number));
        }
        locked.row.expect_entry(code)?;
        if !players::store::keep(conn, player).await? {
            return Err(unauthorized("session_ended"));
        }
        let number = match is_running {
            true => let_in_late(conn, world, locked, player, team).await?,
            false => let_in(conn, world, locked, Entering { player, is_there: false, team }).await?,
        };
        Ok(Change::made().with(number))
    })
    .await
}

/// Whom staff enter.
#[derive(Clone, Copy, Debug)]
pub enum NewEntrantBy<'a> {
    Player(PlayerId),
    /// A guest without an account.
    Name(&'a DisplayName),
}

/// Staff enter somebody. Once the tournament runs, as late as was agreed.
pub async fn add(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    who: NewEntrantBy<'_>,
    team: Option<&TeamName>,
    expected: ExpectedRevision,
) -> Result<i32> {
    LockedTournament::change(cx, id, expected, "tournament.add_entrant", async |conn, actor, locked| {
        if locked.row.status.is_over() {
            return Err(conflict("tournament_over"));
        }
        let player = match who {
            NewEntrantBy::Player(id) => {
                locked.expect_real()?;
                players::find(conn, id).await?
            }
            NewEntrantBy::Name(name) => players::create_guest(conn, actor.world, name).await?,
        };
        if !players::store::keep(conn, player.id).await? {
            return Err(conflict("player_gone"));
        }
        if locked.entrant_of(player.id).is_some_and(|it| it.status != EntrantStatus::Dropped) {
            return Err(conflict("entered_already"));
        }
        let is_late = locked.row.status == TournamentStatus::Running;
        let number = if is_late {
            let_in_late(conn, actor.world, locked, player.id, team).await?
        } else {
            let is_there = locked.row.status == TournamentStatus::CheckIn;
            let_in(conn, actor.world, locked, Entering { player: player.id, is_there, team }).await?
        };
        let details = json!({ "entrant": number, "player": player.id, "late": is_late, "team": team.map(|it| &it.0) });
        Ok(Change::audited(details).with(number))
    })
    .await
}

/// Somebody who enters before the start.
#[derive(Clone, Copy, Debug)]
pub struct Entering<'a> {
    pub player: PlayerId,
    /// Is in the café, so needs no check-in.
    pub is_there: bool,
    /// Whom they play for, if that is known.
    pub team: Option<&'a TeamName>,
}

/// Into a tournament that has not begun. A player who dropped out and comes back is last again.
pub async fn let_in(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    Entering { player, is_there, team }: Entering<'_>,
) -> Result<i32> {
    let status = match (locked.is_full(), is_there) {
        (true, _) => EntrantStatus::Waiting,
        (false, true) => EntrantStatus::CheckedIn,
        (false, false) => EntrantStatus::Entered,
    };
    let number = seat(conn, world, locked, player, (status, is_there)).await?;
    match team {
        Some(_) => drop(put_in_team(conn, locked, number, team, None).await?),
        // Who comes back is in the team that they left, in which somebody may have taken their place.
        None => locked.expect_room_in_team(number)?,
    }
    Ok(number)
}

/// Under the number that they had, or under a new one.
async fn seat(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    player: PlayerId,
    (status, is_there): (EntrantStatus, bool),
) -> Result<i32> {
    let (id, now) = (locked.row.id, world.now());
    let checked_in_at = is_there.then_some(now);
    if let Some(known) = locked.tournament.entrants.iter_mut().find(|it| it.player_id == player) {
        (known.status, known.entered_at, known.dropped_at) = (status, now, None);
        known.checked_in_at = checked_in_at;
        store::write_entrant(conn, id, known).await?;
        return Ok(known.number);
    }
    if locked.entrants.len() >= MOST_ENTERED {
        return Err(conflict("tournament_full"));
    }
    let number = locked.entrants.last().map_or(0, |it| it.number) + 1;
    let new = NewEntrant {
        tournament_id: id,
        number,
        player_id: player,
        status,
        entered_at: now.into(),
        checked_in_at: checked_in_at.map(Into::into),
    };
    store::insert_entrant(conn, &new).await?;
    locked.tournament.entrants = store::list_entrants(conn, id).await?;
    Ok(number)
}

/// Into a stage that is played.
pub async fn let_in_late(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    player: PlayerId,
    team: Option<&TeamName>,
) -> Result<i32> {
    let way = locked.late_entry(world.now())?.ok_or_else(|| conflict("too_late_to_enter"))?;
    // Who dropped out is still somebody whom others have met.
    let is_crowded = locked.participants.iter().filter(|it| it.stage == 1).count() >= locked.most_participants();
    if locked.is_full() || is_crowded {
        return Err(conflict("tournament_full"));
    }
    let number = seat(conn, world, locked, player, (EntrantStatus::CheckedIn, true)).await?;
    let took_part = locked.participants.iter().any(|it| it.entrant == number);
    match team {
        Some(_) if !took_part => drop(put_in_team(conn, locked, number, team, None).await?),
        None if locked.row.team_size.is_some() && locked.team_of(number).is_none() => {
            return Err(invalid_field("/team", "missing_field"));
        }
        Some(_) | None => locked.expect_room_in_team(number)?,
    }
    ratings::note(conn, locked).await?;
    match way {
        LateEntry::SeededAgain => late::seed_again(conn, locked).await?,
        LateEntry::IntoBye { .. } if late::fill_bye(conn, world, locked, number).await? => {}
        // Whom somebody has met who comes back they do not meet again.
        LateEntry::IntoBye { .. } | LateEntry::NextRound { .. } => {
            let round = locked.next_round();
            let is_in_time = Some(round) <= locked.row.late_until_round;
            if !takes_late_entries(&locked.plan_of(1)?.format) || !is_in_time {
                return Err(conflict("too_late_to_enter"));
            }
            take_part(conn, world, locked, number, round).await?;
        }
        LateEntry::Arena => take_part(conn, world, locked, number, arena::WINDOW).await?,
    }
    Ok(number)
}

/// From this round of the first stage on, behind everybody else.
async fn take_part(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    entrant: i32,
    round: i16,
) -> Result<()> {
    locked.delete_draft(conn).await?;
    let id = locked.row.id;
    let is_arena = locked.arena().is_some();
    if let Some(known) = locked.tournament.participants.iter_mut().find(|it| it.stage == 1 && it.entrant == entrant) {
        known.until_round = None;
        if is_arena {
            (known.ready_since, known.paused_since) = (Some(world.now()), None);
        }
        store::put_participants(conn, id, std::slice::from_ref(known)).await?;
        return Ok(());
    }
    let seed = 1 + locked.participants.iter().map(|it| it.seed).max().unwrap_or(0);
    let late = match is_arena {
        true => {
            ParticipantRow { from_round: arena::WINDOW, ready_since: Some(world.now()), ..ParticipantRow::default() }
        }
        false => ParticipantRow { from_round: round, ..ParticipantRow::default() },
    };
    let late = ParticipantRow { stage: 1, entrant, seed, ..late };
    store::put_participants(conn, id, std::slice::from_ref(&late)).await?;
    locked.participants.push(late);
    Ok(())
}

/// Gives free places to those who wait, in the order in which they came; before the start.
pub async fn promote(conn: &mut AsyncPgConnection, locked: &mut LockedTournament) -> Result<()> {
    while !locked.is_full() {
        let waiting = locked.tournament.entrants.iter_mut().filter(|it| it.status == EntrantStatus::Waiting);
        let Some(first) = waiting.min_by_key(|it| (it.entered_at, it.number)) else { break };
        first.status = if first.checked_in_at.is_some() { EntrantStatus::CheckedIn } else { EntrantStatus::Entered };
        store::write_entrant(conn, locked.tournament.row.id, first).await?;
    }
    Ok(())
}
