//! Who plays: entering, as late as was agreed, and waiting for a place.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::held::{Asked, Held};
use super::plan::{MOST_ENTRANTS, takes_late_entries};
use super::store::{self, NewEntrant, ParticipantRow};
use super::{EntrantStatus, TournamentId, TournamentStatus};
use crate::error::{ApiResult, conflict, not_found, unauthorized};
use crate::extract::DisplayName;
use crate::ids::PlayerId;
use crate::live::Live;
use crate::players;
use crate::undo::Doer;
use crate::world::World;

/// Nobody waits behind more than that.
const MOST_ENTERED: usize = 999;

/// Somebody enters, or waits for a place if there are no more: their number. Asking again changes nothing.
pub async fn enter(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: TournamentId,
) -> ApiResult<i32> {
    let (number, news) = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, world, id, None).await?;
            match held.row.status {
                TournamentStatus::Draft => return Err(not_found("tournament_not_found")),
                TournamentStatus::Registration | TournamentStatus::CheckIn => {}
                TournamentStatus::Running | TournamentStatus::Finished | TournamentStatus::Cancelled => {
                    return Err(conflict("registration_over"));
                }
            }
            if let Some(known) = held.entrant_of(player)
                && known.status != EntrantStatus::Dropped
            {
                return Ok((known.number, held.into_news()));
            }
            if !players::store::keep(conn, player).await? {
                return Err(unauthorized("session_ended"));
            }
            let number = let_in(conn, world, &mut held, (player, false)).await?;
            held.move_on(conn).await?;
            Ok((number, held.into_news()))
        })
        .await?;
    news.tell(live);
    Ok(number)
}

/// Staff enter somebody: a player, or a guest of whom there is nothing but a name. Once it runs, as late as was agreed.
pub async fn add(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TournamentId,
    who: Result<PlayerId, &DisplayName>,
    asked: Asked,
) -> ApiResult<i32> {
    let (number, news) = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            if held.row.status.is_over() {
                return Err(conflict("tournament_over"));
            }
            let player = match who {
                Ok(id) => players::find(conn, id).await?,
                Err(name) => players::create_guest(conn, doer.world, name).await?,
            };
            if !players::store::keep(conn, player.id).await? {
                return Err(conflict("player_gone"));
            }
            if held.entrant_of(player.id).is_some_and(|it| it.status != EntrantStatus::Dropped) {
                return Err(conflict("entered_already"));
            }
            let number = match held.row.status {
                TournamentStatus::Running => let_in_late(conn, doer.world, &mut held, player.id).await?,
                _ => {
                    let is_there = held.row.status == TournamentStatus::CheckIn;
                    let_in(conn, doer.world, &mut held, (player.id, is_there)).await?
                }
            };
            let details =
                json!({ "entrant": number, "player": player.id, "late": held.row.status == TournamentStatus::Running });
            let news = held.record(conn, doer.world, (doer.staff.id, "tournament.add_entrant"), details).await?;
            Ok((number, news))
        })
        .await?;
    news.tell(doer.live);
    Ok(number)
}

/// Into a tournament that has not begun. Who dropped out and comes back is the last again.
pub(super) async fn let_in(
    conn: &mut AsyncPgConnection,
    world: &World,
    held: &mut Held,
    (player, is_there): (PlayerId, bool),
) -> ApiResult<i32> {
    let status = match (held.is_full(), is_there) {
        (true, _) => EntrantStatus::Waiting,
        (false, true) => EntrantStatus::CheckedIn,
        (false, false) => EntrantStatus::Entered,
    };
    seat(conn, world, held, player, (status, is_there)).await
}

/// Under the number that they had, or under a new one.
async fn seat(
    conn: &mut AsyncPgConnection,
    world: &World,
    held: &mut Held,
    player: PlayerId,
    (status, is_there): (EntrantStatus, bool),
) -> ApiResult<i32> {
    let (id, now) = (held.row.id, world.now());
    let checked_in_at = is_there.then_some(now);
    if let Some(known) = held.whole.entrants.iter_mut().find(|it| it.player_id == player) {
        (known.status, known.entered_at, known.dropped_at) = (status, now, None);
        known.checked_in_at = checked_in_at;
        store::write_entrant(conn, id, known).await?;
        return Ok(known.number);
    }
    if held.entrants.len() >= MOST_ENTERED {
        return Err(conflict("tournament_full"));
    }
    let number = held.entrants.last().map_or(0, |it| it.number) + 1;
    let new = NewEntrant {
        tournament_id: id,
        number,
        player_id: player,
        status,
        entered_at: now.into(),
        checked_in_at: checked_in_at.map(Into::into),
    };
    store::insert_entrant(conn, &new).await?;
    Ok(number)
}

/// Into a stage that is played.
pub(super) async fn let_in_late(
    conn: &mut AsyncPgConnection,
    world: &World,
    held: &mut Held,
    player: PlayerId,
) -> ApiResult<i32> {
    let round = next_round(held);
    let last = held.row.late_until_round.unwrap_or(0);
    if held.row.stage != 1 || !takes_late_entries(&held.plan_of(1)?.format) || round > last {
        return Err(conflict("too_late_to_enter"));
    }
    // Who dropped out is still somebody whom others have met.
    let is_crowded = held.participants.iter().filter(|it| it.stage == 1).count() >= MOST_ENTRANTS;
    if held.is_full() || is_crowded {
        return Err(conflict("tournament_full"));
    }
    let number = seat(conn, world, held, player, (EntrantStatus::CheckedIn, true)).await?;
    take_part(conn, held, number, round).await?;
    Ok(number)
}

/// From this round of the first stage on, behind everybody else.
async fn take_part(conn: &mut AsyncPgConnection, held: &mut Held, entrant: i32, round: i16) -> ApiResult<()> {
    held.drop_draft(conn).await?;
    let id = held.row.id;
    if let Some(known) = held.whole.participants.iter_mut().find(|it| it.stage == 1 && it.entrant == entrant) {
        known.until_round = None;
        store::set_rounds_of(conn, id, known).await?;
        return Ok(());
    }
    let seed = 1 + held.participants.iter().map(|it| it.seed).max().unwrap_or(0);
    let late = ParticipantRow { stage: 1, entrant, seed, from_round: round, until_round: None };
    store::insert_participants(conn, id, std::slice::from_ref(&late)).await?;
    held.participants.push(late);
    Ok(())
}

/// The first round of the stage that is played of which nothing is published.
pub(super) fn next_round(held: &Held) -> i16 {
    let published = held.bouts_in(held.row.stage).filter(|bout| !held.is_drafted(bout));
    published.map(|bout| i16::try_from(bout.key.0.round).unwrap_or(i16::MAX)).max().unwrap_or(0).saturating_add(1)
}

/// Gives free places to those who wait, in the order in which they came; before the start.
pub(super) async fn promote(conn: &mut AsyncPgConnection, held: &mut Held) -> ApiResult<()> {
    while !held.is_full() {
        let waiting = held.whole.entrants.iter_mut().filter(|it| it.status == EntrantStatus::Waiting);
        let Some(first) = waiting.min_by_key(|it| (it.entered_at, it.number)) else { break };
        first.status = if first.checked_in_at.is_some() { EntrantStatus::CheckedIn } else { EntrantStatus::Entered };
        store::write_entrant(conn, held.whole.row.id, first).await?;
    }
    Ok(())
}
